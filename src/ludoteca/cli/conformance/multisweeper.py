"""The checks of Multisweeper's line protocol."""

import re

from ludoteca.cli.conformance.kit import Kit, Peer, Suite

_FORMS = {
    "multisweeper": r"multisweeper (v1|pong)",
    "num_players": r"num_players [2-8]",
    "player": r"player .+",
    "start": r"start [1-9]\d* [1-9]\d* [1-9]\d*",
    "turn_id_update": r"turn_id_update [1-9]\d*",
    "turn_start": r"turn_start",
    "board_update": r"board_update (\d|10)( (\d|10))*",
    "end_condition": r"end_condition [012]",
    "sudden_exit": r"sudden_exit",
}
CLOSED, MINE = 9, 10
HELLO = "multisweeper client v1"


class _Lines:
    """Lines of text whose first word names the message."""

    server = frozenset(_FORMS)
    client = frozenset({"multisweeper", "name", "click"})
    noise: frozenset[str] = frozenset()

    def name(self, line: bytes) -> str:
        return line.decode(errors="replace").split(" ")[0].strip()

    def fault(self, line: bytes) -> str:
        form = _FORMS.get(self.name(line))
        if form is None or re.fullmatch(form, line.decode(errors="replace")):
            return ""
        return f"it does not fit {form}"

    def reply(self, line: bytes) -> bytes:
        return b""


SUITE = Suite(_Lines())


async def _numbers(peer: Peer, name: str, why: str = "") -> list[int]:
    """The numbers of the next line of this name."""
    line = str((await peer.expect(name, why)).get("line", name))
    return [int(part) for part in line.split()[1:] if part.isdecimal()]


async def _come_in(kit: Kit) -> Peer:
    peer = await kit.connect()
    await peer.expect("multisweeper", "when somebody connects", line="multisweeper v1")
    peer.name = kit.name()
    peer.send(HELLO, f"name {peer.name}")
    return peer


class _Round:
    """A round that has begun: the players in the order of their turns."""

    def __init__(self, peers: list[Peer], width: int, height: int, mines: int) -> None:
        self.peers = peers
        self.width, self.height, self.mines = width, height, mines
        self.board = [CLOSED] * (width * height)
        self.turn = 1

    @property
    def mover(self) -> Peer:
        return self.peers[(self.turn - 1) % len(self.peers)]

    @property
    def others(self) -> list[Peer]:
        return [peer for peer in self.peers if peer is not self.mover]

    async def wait(self) -> None:
        """Everybody hears whose turn it is, and one that it is theirs."""
        for peer in self.peers:
            (number,) = await _numbers(peer, "turn_id_update") or [0]
            if number != self.turn:
                raise peer.unmet(f"`turn_id_update {self.turn}`", f"it was {number}")
        await self.mover.expect("turn_start", f"to player {(self.turn - 1) % len(self.peers)} of the list")

    def click(self, cell: int) -> None:
        self.mover.send(f"click {cell % self.width} {cell // self.width}")

    async def see(self, cell: int) -> bool:
        """Everybody sees what a click opened; whether it was a mine."""
        boards = [await _numbers(peer, "board_update", "to everybody") for peer in self.peers]
        for peer, board in zip(self.peers, boards, strict=True):
            if len(board) != len(self.board):
                raise peer.unmet(f"a board of {len(self.board)} values", f"it has {len(board)}")
            if board != boards[0]:
                raise peer.unmet("the same board for everybody", "two differ")
            if board[cell] == CLOSED:
                raise peer.unmet("the clicked cell to be open", "it is still 9")
            if any(old not in (CLOSED, new) for old, new in zip(self.board, board, strict=True)):
                raise peer.unmet("open cells to stay as they are", "one changed")
        hit = MINE in boards[0]
        if hit and boards[0].count(MINE) != self.mines:
            raise self.mover.unmet(f"a 10 for each of the {self.mines} mines", f"{boards[0].count(MINE)}")
        self.board = boards[0]
        self.turn += 1
        return hit


async def _begin(kit: Kit) -> _Round:
    """A table is filled, and the round announced to all alike."""
    peers = [await _come_in(kit) for _ in range(kit.players)]
    names: list[str] = []
    numbers: list[int] = []
    order: dict[str, Peer] = {}
    for peer in peers:
        order[peer.name] = peer
        (count,) = await _numbers(peer, "num_players", "when the table is full") or [0]
        if count != kit.players:
            raise peer.unmet(f"`num_players {kit.players}`", f"it was {count}; see --players")
        heard = [await peer.line() for _ in range(count + 1)]
        lines = [line.decode() if line else "the end" for line in heard]
        if any(not line.startswith("player ") for line in lines[:-1]) or not lines[-1].startswith("start "):
            raise peer.unmet(f"{count} lines `player` and then `start`", f"it was {', '.join(lines)}")
        listed = [line.removeprefix("player ") for line in lines[:-1]]
        board = [int(part) for part in lines[-1].split()[1:]]
        if names and (listed, board) != (names, numbers):
            raise peer.unmet("the same list and board for everybody", "two differ")
        names, numbers = listed, board
    if sorted(names) != sorted(order):
        raise peers[0].unmet(f"the players {', '.join(sorted(order))}", f"it was {', '.join(names)}")
    begun = _Round([order[name] for name in names], *numbers)
    await begun.wait()
    return begun


@SUITE.check("connection")
async def _(kit: Kit) -> None:
    """It greets whoever connects with `multisweeper v1`."""
    await (await kit.connect()).expect("multisweeper", line="multisweeper v1")


@SUITE.check("connection")
async def _(kit: Kit) -> None:
    """It answers a ping with `multisweeper pong` and hangs up."""
    peer = await kit.connect()
    peer.send(f"{HELLO} ping")
    await peer.expect("multisweeper", line="multisweeper pong")
    await peer.closed("after the pong")


@SUITE.check("connection")
async def _(kit: Kit) -> None:
    """It hangs up without a word on anything else in place of the first line."""
    for first in ("hello", "multisweeper client v2", "name Ann", ""):
        peer = await kit.connect()
        peer.send(first)
        said = await peer.closed(f"after `{first}`")
        if said not in ([], ["multisweeper"]):
            raise peer.unmet("nothing but the greeting", f"{said} came")


@SUITE.check("naming", beyond=True)
async def _(kit: Kit) -> None:
    """It hangs up on names that are none."""
    for name in ("name", "name  ", "name \x07", "name <b>", "click 0 0"):
        peer = await kit.connect()
        peer.send(HELLO, name)
        await peer.closed(f"after {name!r}")


@SUITE.check("lobby")
async def _(kit: Kit) -> None:
    """It says nothing until the table is full."""
    await (await _come_in(kit)).none_of(why="before everybody is there")


@SUITE.check("lobby")
async def _(kit: Kit) -> None:
    """It frees the chair of who leaves before the start."""
    (await _come_in(kit)).hang_up()
    await kit.settle()
    await _begin(kit)


@SUITE.check("the round")
async def _(kit: Kit) -> None:
    """It announces a round to all alike: `num_players`, players in turn order, `start`, the first turn."""
    begun = await _begin(kit)
    for peer in begun.others:
        await peer.none_of("turn_start", why="to those who are not on turn")


@SUITE.check("the round")
async def _(kit: Kit) -> None:
    """It answers a click with the board to everybody, and the next turn to the next player."""
    begun = await _begin(kit)
    begun.click(0)
    if not await begun.see(0):
        await begun.wait()


@SUITE.check("refusals", beyond=True)
async def _(kit: Kit) -> None:
    """It asks again after a click on an open cell, and the turn stays."""
    begun = await _begin(kit)
    begun.click(0)
    if not await begun.see(0):
        await begun.wait()
        begun.click(0)
        await begun.mover.expect("turn_start", "after a click on an open cell")
        cell = begun.board.index(CLOSED)
        begun.click(cell)
        await begun.see(cell)


@SUITE.check("refusals", beyond=True)
async def _(kit: Kit) -> None:
    """It throws away what is sent out of turn."""
    begun = await _begin(kit)
    for peer in begun.others:
        peer.send("click 1 0", "nonsense")
    await kit.settle()
    begun.click(0)
    if not await begun.see(0):
        await begun.wait()
        await begun.mover.none_of("board_update", why="for a click that came before its turn")


@SUITE.check("refusals")
async def _(kit: Kit) -> None:
    """It breaks everything off when a player on turn says anything but a click on the board."""
    for line in ("flag 1 1", "click 99 99", "click 1", "click -1 0", "click x y"):
        begun = await _begin(kit)
        begun.mover.send(line)
        for peer in begun.peers:
            await peer.expect("sudden_exit", f"after `{line}`")
            await peer.closed("after `sudden_exit`")


@SUITE.check("packets")
async def _(kit: Kit) -> None:
    """It reads lines, not packets: byte by byte, several at once, and with CR LF."""
    peers = [await kit.connect() for _ in range(kit.players)]
    await peers[0].send_in_bytes(HELLO, f"name {kit.name()}")
    for peer in peers[1:]:
        peer.send(f"{HELLO}\r\nname {kit.name()}\r\n".encode())
    for peer in peers:
        await peer.expect("turn_id_update", "when all have said hello")


@SUITE.check("leaving")
async def _(kit: Kit) -> None:
    """It tells everybody `sudden_exit` when a player is lost, and hangs up."""
    begun = await _begin(kit)
    begun.mover.hang_up()
    for peer in begun.others:
        await peer.expect("sudden_exit", "when a player hangs up")
        await peer.closed("after `sudden_exit`")


@SUITE.check("whole match")
async def _(kit: Kit) -> None:
    """It plays a whole tournament: one player less each round, spectators see on, the last one has won."""
    begun = await _begin(kit)
    spectators: list[Peer] = []
    while True:
        loser, left = begun.mover, begun.others
        cell = kit.chance.choice([place for place, value in enumerate(begun.board) if value == CLOSED])
        begun.click(cell)
        if not await begun.see(cell):
            await begun.wait()
            continue
        final = len(left) == 1
        (lost,) = await _numbers(loser, "end_condition", "to the loser")
        if lost not in ((0, 1) if final else (0,)):
            raise loser.unmet("`end_condition 0` to who hit a mine", f"it was {lost}")
        for peer in left:
            (code,) = await _numbers(peer, "end_condition", "to those who did not")
            if code != (2 if final else 1):
                raise peer.unmet(f"`end_condition {2 if final else 1}`", f"it was {code}")
        if final:
            break
        spectators.append(loser)
        begun = await _next_round(left, spectators)
    for peer in spectators:
        await peer.expect("sudden_exit", "to spectators at the end")
    for peer in (loser, *left, *spectators):
        await peer.closed("at the end of the tournament")


async def _next_round(left: list[Peer], spectators: list[Peer]) -> _Round:
    """The next round, announced to players and spectators; those who are left may sit in another order."""
    numbers: list[int] = []
    for peer in (*left, *spectators):
        (count,) = await _numbers(peer, "num_players", "for the next round")
        if count != len(left):
            raise peer.unmet(f"`num_players {len(left)}`", f"it was {count}")
        listed = [str((await peer.expect("player"))["line"]).removeprefix("player ") for _ in left]
        numbers = await _numbers(peer, "start")
        if peer in spectators:
            await peer.expect("turn_id_update", "to spectators")
    named = {
        line.removeprefix("we: name "): peer for peer in left for line in peer.talk if "we: name" in line
    }
    order = [named[name] for name in listed if name in named]
    begun = _Round(order if len(order) == len(left) else left, *numbers)
    await begun.wait()
    return begun
