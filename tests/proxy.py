"""Bad weather between clients and a house: a TCP proxy that delays, dribbles, gathers, stops and cuts.

proxy = await Proxy(house.addresses["house"], Weather(piece=1)).start()
client = await people.line(proxy.address)
proxy.hold(proxy.links)      # nothing passes any more, and nobody hangs up
"""

import asyncio
import contextlib
from collections.abc import Iterable
from typing import NamedTuple

Address = tuple[str, int]
# So many bytes are dribbled: all of a long message would take all the time there is.
PIECES_MAX = 100
REFUSED_S = 0.2


class Weather(NamedTuple):
    """What happens to bytes: they come later, the first of them in pieces of so many, gathered for a while,
    or only so many a second."""

    delay_s: float = 0.0
    piece: int = 0
    gather_s: float = 0.0
    bytes_per_s: float = 0.0


class Link:
    """One connection through the proxy, both ways."""

    def __init__(self, weather: Weather) -> None:
        self._weather = weather
        self._ends: list[asyncio.StreamWriter] = []
        self._open = {"in": asyncio.Event(), "out": asyncio.Event()}
        self.release()

    def hold(self, *ways: str) -> None:
        """Nothing passes: "in" to the house, "out" of it, or both. What waits stays in the sender's hands."""
        for way in ways or ("in", "out"):
            self._open[way].clear()

    def release(self) -> None:
        """It does again."""
        for event in self._open.values():
            event.set()

    def cut(self) -> None:
        """Both sides see the line break."""
        for end in self._ends:
            end.transport.abort()

    async def carry(self, near: tuple[asyncio.StreamReader, asyncio.StreamWriter], house: Address) -> None:
        """Until one side hangs up, or cannot be reached."""
        self._ends.append(near[1])
        peer = near[1].get_extra_info("peername")
        try:
            # The house sees where everybody comes from, as far as that is an address of this machine.
            far = await asyncio.open_connection(*house, limit=1 << 20, local_addr=(peer[0], 0))
        except OSError:
            # Nobody is there: who comes at once again comes in vain.
            await asyncio.sleep(REFUSED_S)
            self.cut()
            return
        self._ends.append(far[1])
        ways = (self._pump(near[0], far[1], "in"), self._pump(far[0], near[1], "out"))
        tasks = [asyncio.create_task(way) for way in ways]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            # What one side said last, the other still hears.
            await asyncio.wait(tasks, timeout=0.2)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self.cut()

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, way: str) -> None:
        weather = self._weather
        with contextlib.suppress(ConnectionError):
            while data := await reader.read(65536):
                await self._open[way].wait()
                await asyncio.sleep(weather.delay_s)
                for piece in _pieces(data, weather.piece):
                    await self._open[way].wait()
                    writer.write(piece)
                    await writer.drain()
                    if weather.piece:
                        # Without a turn of the loop the pieces would leave as one.
                        await asyncio.sleep(0)
                if weather.bytes_per_s:
                    await asyncio.sleep(len(data) / weather.bytes_per_s)
                # Meanwhile more comes together, which is read at once.
                await asyncio.sleep(weather.gather_s)
            writer.close()


def _pieces(data: bytes, size: int) -> list[bytes]:
    """The first bytes one after the other, and the rest of them together."""
    if not size:
        return [data]
    first, rest = data[:PIECES_MAX], data[PIECES_MAX:]
    pieces = [first[start : start + size] for start in range(0, len(first), size)]
    return [*pieces, rest] if rest else pieces


class Proxy:
    """Listens on an address of its own for one of a house."""

    def __init__(self, house: Address, weather: Weather | None = None) -> None:
        self._house = house
        self.weather = weather or Weather()
        self.links: list[Link] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    async def start(self) -> "Proxy":
        """Open the door."""
        self._server = await asyncio.start_server(self._come, "127.0.0.1", 0, limit=1 << 20)
        return self

    @property
    def address(self) -> Address:
        """Where clients come to."""
        assert self._server is not None
        host, port = self._server.sockets[0].getsockname()[:2]
        return host, port

    def _come(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._carry(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        link = Link(self.weather)
        self.links.append(link)
        try:
            await link.carry((reader, writer), self._house)
        finally:
            self.links.remove(link)

    def hold(self, links: Iterable[Link], *ways: str) -> None:
        """Nothing passes there."""
        for link in links:
            link.hold(*ways)

    async def stop(self) -> None:
        """Close, and everybody's line with it."""
        assert self._server is not None
        self._server.close()
        for link in list(self.links):
            link.cut()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
