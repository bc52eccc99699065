"""What connections and tables cost while nothing happens: memory, and time."""

import asyncio
import tempfile
from collections.abc import AsyncGenerator
from pathlib import Path

from ludoteca.bench.bouts import Table
from ludoteca.bench.figures import Figure
from ludoteca.bench.links import Link, connect
from ludoteca.bench.players.house import HouseDriver
from ludoteca.bench.processes import BenchError, Child, house, raise_file_limit

SECTION = "At rest"
# The first guests live in memory that starting has freed: the process does not grow for them, and a slope
# that counted them would come out at half of the truth. They are let in before the measuring begins.
FIRST_GUESTS = 1000
FIRST_TABLES = 200
SETTLE_S = 0.5


class Visitor:
    """Says hello under a name, and no more."""

    link: Link

    def __init__(self) -> None:
        self.welcome: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def hear(self, line: bytes) -> None:
        """The answer."""
        if line.startswith(b'{"type":"welcome"') and not self.welcome.done():
            self.welcome.set_result(None)


async def _visit(address: tuple[str, int], path: str, number: int) -> Visitor:
    visitor = Visitor()
    await connect(address, path, visitor)
    visitor.link.send(b'{"type":"hello","name":"visitor %d"}' % number)
    await asyncio.wait_for(visitor.welcome, 20.0)
    return visitor


async def _connection_kib(server: Child, listener: str, path: str, count: int) -> float:
    """Resident memory for one more named guest."""
    address = server.addresses[listener]
    here = [await _visit(address, path, number) for number in range(FIRST_GUESTS)]
    await asyncio.sleep(SETTLE_S)
    before = server.rss_kib()
    here += [await _visit(address, path, number) for number in range(FIRST_GUESTS, FIRST_GUESTS + count)]
    await asyncio.sleep(SETTLE_S)
    grown = server.rss_kib() - before
    for visitor in here:
        visitor.link.close()
    return grown / count


async def figures(count: int, idle_s: float, game: str = "multisweeper") -> AsyncGenerator[Figure, None]:
    """Connections over TCP and WebSocket, tables with both their players, and the time they take at rest."""
    files = max(FIRST_GUESTS + count, 2 * (FIRST_TABLES + count)) + 100
    if raise_file_limit() < files:
        raise BenchError(f"{files} files must be open at once; raise the limit (ulimit -n)")
    for listener, path, name, aim in (
        ("house", "", "a connection over TCP", 8.0),
        ("http", "/ws", "a connection over WebSocket", 12.0),
    ):
        with tempfile.TemporaryDirectory() as folder:
            async with house(Path(folder), listener) as server:
                kib = await _connection_kib(server, listener, path, count)
                yield Figure(
                    SECTION,
                    name,
                    kib,
                    "KiB",
                    aim,
                    note=f"{count} guests with names, after {FIRST_GUESTS} others",
                )
    with tempfile.TemporaryDirectory() as folder:
        async with house(Path(folder), "house") as server:
            driver = HouseDriver(game)
            address = server.addresses["house"]
            tables: list[Table] = [await driver.seat(address) for _ in range(FIRST_TABLES)]
            await asyncio.sleep(SETTLE_S)
            before = server.rss_kib()
            tables += [await driver.seat(address) for _ in range(count)]
            await asyncio.sleep(SETTLE_S)
            mb = (server.rss_kib() - before) / 1024 / count * 1000
            note = f"{count} tables of {game}, all playing, both players connected"
            yield Figure(SECTION, "1,000 tables with two players each", mb, "MB", 40.0, note=note)
            before_s = server.cpu_s()
            await asyncio.sleep(idle_s)
            percent = (server.cpu_s() - before_s) / idle_s * 100
            yield Figure(
                SECTION, "CPU with those tables at rest", percent, "%", 1.0, note=f"over {idle_s:.0f} s"
            )
            for table in tables:
                table.close()
