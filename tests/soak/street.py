"""The people of the simulation on real sockets, at a real house: the same players, the same judge.

They live ten times as fast as people do, so that an evening takes a minute.
"""

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable
from typing import Any

from tests.proxy import Proxy, Weather
from tests.simulation.crowd import Impatient
from tests.simulation.players import Native, Person, Player
from tests.simulation.ways import End, Socket

from ludoteca import games
from ludoteca.core import Dice

PACE = 10.0
# Real seconds: longer than a house takes to come back, and than anything that is done to a line.
GRACE_S = 40.0


class Cable(asyncio.Protocol):
    """A client's end of a real connection."""

    harmed = True  # Whatever may be done to it is done beyond it.

    def __init__(self, client: Any) -> None:
        self._client = client
        self._transport: asyncio.Transport | None = None
        self._said = b""
        self._over = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """It stands: what was said before goes out."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        if self._over:
            transport.abort()
        elif self._said:
            transport.write(self._said)

    def data_received(self, data: bytes) -> None:
        """Bytes of the house."""
        if not self._over:
            self._client.hear(data)

    def connection_lost(self, exc: Exception | None) -> None:
        """It is gone, by whomever."""
        if not self._over:
            self._over = True
            self._client.hang_up()

    def send(self, data: bytes) -> None:
        """Lines to the house."""
        if self._transport is None:
            self._said += data
        elif not self._transport.is_closing():
            self._transport.write(data)

    def cut(self) -> None:
        """The line breaks, for us at once."""
        if self._transport is not None:
            self._transport.abort()
        elif not self._over:
            self._over = True
            asyncio.get_running_loop().call_soon(self._client.hang_up)

    def hold(self, seconds: float, *, out: bool = True, into: bool = True) -> None:
        """That is the proxy's business."""
        raise NotImplementedError

    def vanish(self) -> None:
        """So is that."""
        raise NotImplementedError


class Street:
    """The world as players see it: a house with doors, behind bad weather."""

    def __init__(self, seed: int, weather: dict[str, Weather]) -> None:
        self.seed = seed
        self.counts: Counter[str] = Counter()
        self._groups = 0
        self.players: list[Player] = []
        self.proxies: dict[str, Proxy] = {}
        self._weather = weather
        self._loop = asyncio.get_running_loop()
        self._coming: set[asyncio.Task[None]] = set()

    async def open(self, addresses: dict[str, tuple[str, int]]) -> None:
        """Put a proxy before every door."""
        for listener, address in addresses.items():
            proxy = Proxy(address, self._weather.get(listener, Weather()))
            self.proxies[listener] = await proxy.start()

    async def close(self) -> None:
        """Everybody goes, and the weather with them."""
        for player in self.players:
            player.end()
        for task in self._coming:
            task.cancel()
        await asyncio.gather(*self._coming, return_exceptions=True)
        for proxy in self.proxies.values():
            await proxy.stop()

    # What players see of it.

    def dice_of(self, name: str) -> Dice:
        """Somebody's own chance."""
        return Dice(self.seed * 1_000_003 + sum(ord(letter) * 257**at for at, letter in enumerate(name)))

    def now(self) -> float:
        """The time, as it passes for them."""
        return self._loop.time() * PACE

    def later(self, seconds: float, call: Callable[[], None]) -> object:
        """Call back."""
        return self._loop.call_later(seconds / PACE, call)

    def met(self, what: str) -> None:
        """Something worth counting came about."""
        self.counts[what] += 1

    def is_shaken(self) -> bool:
        """Something is wrong all the time."""
        return True

    def together(self, one: str, other: str) -> bool:
        """Whether two sit at one table, as far as the first of them sees it."""
        callers = [
            player._caller for player in self.players if isinstance(player, Native) and player.name == one
        ]
        return any(caller is not None and other in caller.players for caller in callers)

    def connect(self, listener: str, way: str, client: Any, address: str) -> End | None:
        """A connection; whoever cannot have one hears that later."""
        self.met(f"by {way} to {listener}")
        if way == "socket":
            path = "/ws" if listener == "house" else f"/ws/{listener}"
            socket = Socket(client, path, packs=bool(self.seed % 2))
            cable = Cable(socket)
            self._come(cable, socket, "http", address)
            return socket.open(cable)  # type: ignore[arg-type]
        cable = Cable(client)
        self._come(cable, client, listener, address)
        return cable

    def _come(self, cable: Cable, client: Any, listener: str, address: str) -> None:
        task = self._loop.create_task(self._connect(cable, client, listener, address))
        self._coming.add(task)
        task.add_done_callback(self._coming.discard)

    async def _connect(self, cable: Cable, client: Any, listener: str, address: str) -> None:
        try:
            async with asyncio.timeout(10):
                await self._loop.create_connection(
                    lambda: cable, *self.proxies[listener].address, local_addr=(address, 0)
                )
        except (OSError, TimeoutError):
            cable.connection_lost(None)

    # Who comes.

    def invite(self, game: str) -> list[Player]:
        """The people of one game: a couple with somebody who looks on, somebody with a bot, two who cannot
        keep still, and two of the game's own protocol. They come one after the other."""
        self._groups += 1
        place = self._groups
        dice = self.dice_of(f"guests of {game} {place}")
        ways = [dice.choice(["line", "socket"]) for _ in range(8)]
        tag = f"{game[:3]}{place}"
        at = [f"127.{place % 200 + 1}.0.{number}" for number in range(1, 10)]
        anna = Person(self, f"Anna{tag}", game, opens=True, way=ways[0], address=at[0])
        bruno = Person(self, f"Bruno{tag}", game, opens=False, way=ways[1], address=at[1])
        carla = Person(self, f"Carla{tag}", game, opens=False, way=ways[2], address=at[2])
        carla.watches = True
        anna.guests, bruno.partner, carla.partner = [bruno, carla], anna, anna
        dario = Person(self, f"Dario{tag}", game, opens=True, bot="random", way=ways[3], address=at[3])
        gina = Impatient(self, f"Gina{tag}", game, opens=True, way=ways[4], address=at[4])
        hugo = Impatient(self, f"Hugo{tag}", game, opens=False, way=ways[5], address=at[5])
        gina.partner, hugo.partner, gina.guests = hugo, gina, [hugo]
        gina.elsewhere = hugo.elsewhere = lambda: anna.table
        found: list[Player] = [anna, bruno, carla, dario, gina, hugo]
        if games.load(game).wire is not None:
            elsa, fabio = (
                Native(self, f"{name}{tag}", game, opens=name == "Elsa", way=dice.choice(["line", "socket"]))
                for name in ("Elsa", "Fabio")
            )
            elsa.address, fabio.address = at[6], at[7]
            elsa.partner, fabio.partner = fabio, elsa
            found += [elsa, fabio]
        for player in found:
            if isinstance(player, Person):
                player.terms["grace_s"] = GRACE_S
            self.later(player.dice.below(20_000) / 1000, player.come)
        self.players += found
        return found

    async def all_done(self, seconds: float) -> list[str]:
        """Wait until everybody has finished; who has not."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not all(player.done for player in self.players):
                    await asyncio.sleep(0.2)
                    for player in self.players:
                        player.patience()
        return [player.name for player in self.players if not player.done]
