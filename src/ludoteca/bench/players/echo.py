"""Speaks to the bare servers: a reply is a move, or what both players are told."""

from ludoteca.bench.bouts import Table
from ludoteca.bench.links import Link, connect

# As long as what Multisweeper says about a click on its 9x9 board.
LINE = b'{"type":"echo","text":"%b"}' % (b"9 " * 80)


class EchoPlayer:
    """One connection that sends its line again whenever it comes back."""

    link: Link

    def __init__(self, table: Table) -> None:
        self._table = table

    def hear(self, line: bytes) -> None:
        """It came back."""
        self._table.results += 1
        self._table.on_turn(self)

    def move(self) -> None:
        """Send it."""
        self.link.send(LINE)


class EchoDriver:
    """Connections of an echo server, each a table of its own."""

    def __init__(self, path: str = "") -> None:
        self._path = path

    async def seat(self, address: tuple[str, int]) -> Table:
        """One more connection."""
        table = Table()
        player = EchoPlayer(table)
        await connect(address, self._path, player)
        table.players.append(player)
        table.waiting.append(player)
        return table


class PairPlayer:
    """One of two who move in turns."""

    link: Link

    def __init__(self, table: Table, mine: bool) -> None:
        self._table = table
        self._mine = mine

    def hear(self, line: bytes) -> None:
        """A move, one's own or the other's."""
        self._table.results += 1
        self._mine = not self._mine
        if self._mine:
            self._table.on_turn(self)

    def move(self) -> None:
        """Say something."""
        self.link.send(LINE)


class PairDriver:
    """Tables of two at the barest durable server."""

    async def seat(self, address: tuple[str, int]) -> Table:
        """One more table."""
        table = Table()
        for mine in (True, False):
            player = PairPlayer(table, mine)
            await connect(address, "", player)
            table.players.append(player)
        table.waiting.append(table.players[0])
        return table
