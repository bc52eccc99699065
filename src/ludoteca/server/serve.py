"""Starting and stopping a house: listeners, recovery, signals."""

import asyncio
import contextlib
import signal
import sys
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import msgspec
import structlog

from ludoteca.core import LudotecaError, Refused
from ludoteca.hall import Guest
from ludoteca.hall.post import Look
from ludoteca.server.collector import Collector
from ludoteca.server.doorman import Doorman
from ludoteca.server.doors import Doors, ports
from ludoteca.server.front import Shell
from ludoteca.server.hostdesk import Desk
from ludoteca.server.hosting import Hosting
from ludoteca.server.house import House
from ludoteca.server.metrics import Metrics
from ludoteca.server.rest import Rest
from ludoteca.server.settings import Settings, SettingsError
from ludoteca.server.teller import Teller
from ludoteca.server.traces import Traces
from ludoteca.server.workshop import Workshop
from ludoteca.server.world import REAL, World

log = structlog.get_logger()


SWITCH_S = 0.0005
# What can change while people play; the rest waits for the next start.
_DOOR = ("house_name", "door", "guests", "password", "names", "exempt")
RELOADED = ("tls_cert", "tls_key", "hosts", "origin", "metrics_token", "hsts_s", *_DOOR)


class Server(Doors):
    """A running house. `addresses` says where each listener really listens."""

    def __init__(self, settings: Settings, world: World = REAL, metrics: Metrics | None = None) -> None:
        ports(settings)
        self.settings = settings
        addresses: dict[str, tuple[str, int]] = {}
        self.house = House(settings, self._drive, self._advise, self._look_back, world, metrics)
        self.workshop = Workshop(self.house)
        self._teller = Teller(self.house)
        self.desk = Desk(self.house, addresses)
        self._hosting = Hosting(self.house, self.desk, addresses)
        rest = Rest(self.house, self._teller, self._hosting)
        super().__init__(self.house, Doorman(self.house), addresses, rest)

    def _drive(self, guest: Guest) -> Shell:
        return self.workshop.drive(guest)

    def _advise(self, guest: Guest, number: int) -> None:
        self.workshop.advise(guest, number)

    def _look_back(self, guest: Guest, request: Look) -> None:
        self._teller.look_back(guest, request)

    async def start(self) -> None:
        """Know of all tables, then open the doors, while they come back. Raises PortTaken."""
        try:
            if self.settings.traces:
                self.house.traces = Traces(
                    self.settings.traces, self.settings.trace_share, self.house.metrics
                )
            recovered = self.house.recover()
            if recovered:
                log.info("recovered", tables=recovered, waking=len(self.house.waking))
            await self.desk.settle()
            await self._hosting.listen(self.settings.data_folder())
            await self.open_doors()
        except BaseException:
            await self.stop("start failed")
            raise

    async def reload(self, settings: Settings) -> list[str]:
        """Take up what the operator changed, as far as it can change now; what has to wait for a start.

        Raises SettingsError when anything cannot be, a certificate for example: everything stays as it was.
        """
        self.desk.check(settings)
        news = {name: getattr(settings, name) for name in RELOADED} | self._certify(settings)
        self.settings = msgspec.structs.replace(self.settings, **news)
        self.house.settings = self.settings
        self._site.reload()
        await self.desk.settle()
        return [
            name
            for name in Settings.__struct_fields__
            if getattr(settings, name) != getattr(self.settings, name)
        ]

    async def stop(self, reason: str = "the house closes and will be back") -> None:
        """Close the doors, tell everybody, flush the journal."""
        await self.desk.close()
        await self.shut_doors()
        await self._hosting.close(self.settings.data_folder())
        await self.workshop.close()
        await self._teller.close()
        await self.house.close(reason)
        if self.house.traces is not None:
            await self.house.traces.close()
        await self.see_off()


def raise_file_limit(connections_max: int) -> None:
    """Have as many open files as the system lets us: what is usual is enough for a thousand guests."""
    try:
        import resource
    except ImportError:
        return  # This system has no such limit.
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        soft = hard
    if soft != resource.RLIM_INFINITY and soft < connections_max:
        log.warning("fewer files may be open than connections_max", files=soft, connections=connections_max)


def hurry_threads() -> None:
    """Let no thread wait long for Python's one lock while the loop is busy: the journal's needs it again
    after each of its statements, and with Python's own five milliseconds a commit would take dozens."""
    sys.setswitchinterval(SWITCH_S)


class Call:
    """What whoever runs a house wants of it, by signals: SIGTERM and Ctrl-C end it, at SIGHUP it reads again
    what may change meanwhile."""

    def __init__(self) -> None:
        self.stop, self.hangup = asyncio.Event(), asyncio.Event()
        hears: dict[signal.Signals, Callable[[], object]] = {
            signal.SIGTERM: self.stop.set,
            signal.SIGINT: self.stop.set,
            signal.SIGHUP: self.hangup.set,
        }
        for number, heard in hears.items():
            with contextlib.suppress(NotImplementedError):
                asyncio.get_running_loop().add_signal_handler(number, heard)


async def serve(
    settings: Settings,
    say: Callable[[str], None],
    greet: Callable[[str, int, str], None],
    reread: Callable[[], Settings],
) -> bool:
    """Run a house until SIGTERM or Ctrl-C, or until a host who wanted it to end has nobody left to wait for:
    then True. SIGHUP reads again what may change meanwhile.

    `say` gets the lines that programs read, `greet` where the page is and a host's token, for people:
    therefore it comes last.
    """
    raise_file_limit(settings.connections_max)
    hurry_threads()
    call = Call()
    if not settings.cluster:
        return await _serve(settings, call, say, greet, reread)
    # What only a house on several machines needs, the library for NATS above all, is found only then.
    try:
        from ludoteca.server.cluster import serving
    except ModuleNotFoundError:
        raise SettingsError("several machines need a package: pip install 'ludoteca[cluster]'") from None
    return await serving.serve(settings, call, say, greet, reread)


async def first(*waiting: Coroutine[Any, Any, object]) -> int:
    """Wait for one of these, and end the others; its place. Raises what it raised."""
    tasks = [asyncio.create_task(one) for one in waiting]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        place = next(place for place, task in enumerate(tasks) if task.done())
        tasks[place].result()
        return place
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _serve(
    settings: Settings,
    call: Call,
    say: Callable[[str], None],
    greet: Callable[[str, int, str], None],
    reread: Callable[[], Settings],
) -> bool:
    """Serve until the call comes; whether a host wanted the end."""
    server = Server(settings)
    collector = Collector(server.house)
    collector.start()
    server.house.waking.rested = collector.keep
    await server.start()
    server.desk.daybook.start()
    collector.keep()
    for name, (host, port) in server.addresses.items():
        say(f"listening {name} {host}:{port}")
    say("ready")
    if "http" in server.addresses:
        greet(*server.addresses["http"], await host_token(server))
    reloading = asyncio.create_task(keep_reloading(server.reload, call.hangup, reread))
    ended = await first(call.stop.wait(), server.desk.drained.wait())
    reloading.cancel()
    log.info("closing")
    await server.stop()
    log.info("closed")
    return ended == 1


async def host_token(server: Server) -> str:
    """What a host opens the house's own page with; none while nothing can be stored."""
    try:
        return await server.desk.link()
    except Refused as error:
        log.error("no link for a host", reason=error.reason)
        return ""


async def keep_reloading(
    reload: Callable[[Settings], Awaitable[list[str]]],
    hangup: asyncio.Event,
    reread: Callable[[], Settings],
) -> None:
    """Read the settings again whenever that is wanted, one time after the other."""
    while True:
        await hangup.wait()
        hangup.clear()
        try:
            waiting = await reload(reread())
        except (LudotecaError, OSError) as error:
            log.error("not reloaded, everything stays as it was", reason=str(error))
        else:
            log.info("reloaded", **({"at_the_next_start": waiting} if waiting else {}))
