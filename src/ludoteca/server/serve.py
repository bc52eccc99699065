"""Starting and stopping a house: listeners, recovery, signals."""

import asyncio
import contextlib
import errno
import signal
import ssl
from collections.abc import Callable, Coroutine
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec
import structlog
from aiohttp import web

from ludoteca import games
from ludoteca.core import Conversation, LudotecaError, Refused
from ludoteca.hall import Guest
from ludoteca.hall.post import Look
from ludoteca.server import rmi, rpc
from ludoteca.server.answers import below, in_letters
from ludoteca.server.collector import Collector
from ludoteca.server.door import Door
from ludoteca.server.doorman import Doorman
from ludoteca.server.gate import TURNED_AWAY, TimedHandler
from ludoteca.server.hostdesk import Desk
from ludoteca.server.hosting import Hosting
from ludoteca.server.house import House, Shell
from ludoteca.server.http import Site
from ludoteca.server.settings import HOUSE_PORT, HTTP_PORT, METRICS_PORT, Settings, SettingsError
from ludoteca.server.tcp import LineLink
from ludoteca.server.teller import Teller
from ludoteca.server.traces import Traces
from ludoteca.server.workshop import Workshop
from ludoteca.server.world import REAL, World
from ludoteca.wire.either import Either
from ludoteca.wire.house import Copier, HouseConversation

if TYPE_CHECKING:
    from ludoteca.server.cluster.node import Node

log = structlog.get_logger()


# What can change while people play; the rest waits for the next start.
_DOOR = ("house_name", "door", "guests", "password", "names", "exempt")
RELOADED = ("tls_cert", "tls_key", "hosts", "origin", "metrics_token", "hsts_s", *_DOOR)


class PortTaken(LudotecaError):
    """A listener cannot have its port."""


def ports(settings: Settings) -> dict[str, int | None]:
    """The listeners in the order they are started, with the ports the operator chose.

    Raises SettingsError.
    """
    usual = ("http", "house", *games.names(), *rpc.listeners())
    known = (*usual, *rmi.listeners(), "metrics")
    named = (*settings.port, *settings.only, *settings.listen, *settings.exempt)
    unknown = [name for name in named if name not in known]
    if unknown:
        raise SettingsError(f"there is no listener {unknown[0]!r}; there are {', '.join(known)}")
    # The operator's own listener, and Java's remote calls, are there when they are asked for, by name or
    # with a port.
    wanted = settings.only or (*usual, *settings.port)
    # A package that brings a game which cannot be loaded is a reason not to open, rather than to fail later.
    for name in games.brought():
        games.load(name)
    for name in (*settings.port, *settings.only):
        if not _spoken(name):
            raise SettingsError(f"{games.load(name).title} has no protocol of its own to listen for")
    return {name: settings.port.get(name) for name in known if name in wanted and _spoken(name)}


def _spoken(listener: str) -> bool:
    """Whether anything is spoken there: a game may have no protocol of its own."""
    return listener not in games.names() or games.load(listener).wire is not None


def usual_port(name: str) -> int:
    """Where a listener listens when the operator says nothing about it."""
    if name in rpc.listeners():
        return rpc.load(rpc.listeners()[name]).PORT
    if name in rmi.listeners():
        return rmi.load(rmi.listeners()[name]).PORT
    own = {"http": HTTP_PORT, "house": HOUSE_PORT, "metrics": METRICS_PORT}
    return own.get(name) or games.load(name).protocol().port


class Server:
    """A running house. `addresses` says where each listener really listens."""

    def __init__(self, settings: Settings, world: World = REAL) -> None:
        self.settings = settings
        self.addresses: dict[str, tuple[str, int]] = {}
        self._ports = ports(settings)
        self._tls = tls_context(settings)
        self.house = House(settings, self._drive, self._advise, self._look_back, world)
        self.workshop = Workshop(self.house)
        self._copier = Copier()
        self._doorman = Doorman(self.house)
        self._teller = Teller(self.house)
        self._doors: list[Door] = []
        self._calls: list[rpc.Calls] = []
        self._remotes: list[rmi.Remotes] = []
        self._runners: list[web.AppRunner] = []
        self.desk = Desk(self.house, self.addresses)
        self._hosting = Hosting(self.house, self.desk, self.addresses)
        self._site = Site(
            self.house, self._doorman, self._teller, self._hosting, self._converse, self.addresses
        )

    def _drive(self, guest: Guest) -> Shell:
        return self.workshop.drive(guest)

    def _advise(self, guest: Guest, number: int) -> None:
        self.workshop.advise(guest, number)

    def _look_back(self, guest: Guest, request: Look) -> None:
        self._teller.look_back(guest, request)

    def _converse(self, protocol: str) -> Callable[[], Conversation]:
        """How a connection of this protocol begins."""
        if protocol == "house":
            return partial(HouseConversation, games.load, self._copier)
        return partial(games.load(protocol).protocol().converse, self.house.defaults[protocol].settings)

    def _either(self, protocol: str) -> Callable[[], Conversation]:
        """The same for a socket, where programs that send Java objects may come, too."""
        lines = self._converse(protocol)
        wire = games.load(protocol).wire if protocol in games.names() else None
        # None of them can do TLS, so behind it nobody need wait for who they are.
        if wire is None or wire.java is None or not self.settings.java or self._tls is not None:
            return lines
        return partial(Either, lines, partial(wire.java, self.house.defaults[protocol].settings))

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
            for name, wanted in self._ports.items():
                port = usual_port(name) if wanted is None else wanted
                try:
                    await self._listen(name, port)
                except OSError as error:
                    if error.errno == errno.EADDRNOTAVAIL:
                        raise PortTaken(
                            f"this machine has no address {self.settings.host}: see --host"
                        ) from None
                    reason = f"port {port} of {name} cannot be used: {error.strerror or error}"
                    raise PortTaken(
                        f"{reason}; choose another with --port {name}=PORT, or 0 for any"
                    ) from None
        except BaseException:
            await self.stop("start failed")
            raise

    async def _listen(self, name: str, port: int) -> None:
        usual = self.settings.metrics_host if name == "metrics" else self.settings.host
        host = self.settings.listen.get(name, usual)
        if name in rpc.listeners():
            calls, bound_port = await rpc.listen(self.house, self._doorman, name, host, port)
            self._calls.append(calls)
        else:
            door = await self._door(name)
            self._doors.append(door)
            bound_port = await door.open(host, port)
        self.addresses[name] = (host, bound_port)
        log.debug("listening", listener=name, host=host, port=bound_port)

    async def _door(self, name: str) -> Door:
        if name in ("http", "metrics"):
            return await self._web_door(name)
        if name not in rmi.listeners():
            return self._line_door(name)
        remotes = rmi.Remotes(self.house, self._doorman, name)
        self._remotes.append(remotes)
        # Java's programs know no TLS, and a proxy cannot be called back.
        return Door(self.house, self._doorman, name, remotes.serve, None)

    def _line_door(self, name: str) -> Door:
        converse = self._either(name)
        return Door(
            self.house,
            self._doorman,
            name,
            lambda ticket: LineLink(self.house, name, converse, ticket),
            self._tls,
            proxied=self.settings.proxy_protocol,
        )

    async def _web_door(self, name: str) -> Door:
        app = self._site.public() if name == "http" else self._site.operators()
        runner = web.AppRunner(app, handle_signals=False, shutdown_timeout=1.0)
        self._runners.append(runner)
        await runner.setup()
        manager = runner.server
        assert manager is not None
        manager.request_factory = in_letters(below(self.settings.base, manager.request_factory))
        return Door(
            self.house,
            self._doorman,
            name,
            lambda ticket: TimedHandler(self.house, ticket, manager),
            self._tls,
            sorry=TURNED_AWAY,
        )

    async def reload(self, settings: Settings) -> list[str]:
        """Take up what the operator changed, as far as it can change now; what has to wait for a start.

        Raises SettingsError when anything cannot be, a certificate for example: everything stays as it was.
        """
        ports(settings)
        self.desk.check(settings)
        if self._tls is not None and settings.tls_cert:
            certify(self._tls, settings)
            for calls in self._calls:
                calls.certify(settings)
        news = {name: getattr(settings, name) for name in RELOADED}
        if self._tls is None or not settings.tls_cert:
            # A house that speaks TLS goes on to, and one that does not cannot begin with it now.
            news["tls_cert"], news["tls_key"] = self.settings.tls_cert, self.settings.tls_key
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
        for door in self._doors:
            await door.close()
        await self._hosting.close(self.settings.data_folder())
        await self.workshop.close()
        await self._teller.close()
        await self.house.close(reason)
        if self.house.traces is not None:
            await self.house.traces.close()
        # The letters are written to the sockets by now; a moment lets them leave before the process ends.
        await asyncio.sleep(0.05)
        for remotes in self._remotes:
            remotes.stop()
        for calls in self._calls:
            await calls.stop()
        await self._site.sockets.close()
        for runner in self._runners:
            await runner.cleanup()


def tls_context(settings: Settings) -> ssl.SSLContext | None:
    """What the certificate options say."""
    if not settings.tls_cert:
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    certify(context, settings)
    return context


def certify(context: ssl.SSLContext, settings: Settings) -> None:
    """Show this certificate from now on. Raises SettingsError."""
    try:
        # Tried out first: a key that does not belong to it would leave half of the new one behind.
        for one in (ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), context):
            one.load_cert_chain(settings.tls_cert, settings.tls_key or None)
    except (OSError, ssl.SSLError) as error:
        raise SettingsError(f"the certificate cannot be used: {error}") from None


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
    call = Call()
    if not settings.cluster:
        return await _serve(settings, call, say, greet, reread)
    # What only a house on several machines needs, the library for NATS above all, is found only then.
    try:
        from ludoteca.server.cluster.node import Node
    except ModuleNotFoundError:
        raise SettingsError("several machines need a package: pip install 'ludoteca[cluster]'") from None
    node = Node(settings)
    await node.open()
    try:
        say("standby")
        while await first(call.stop.wait(), node.turn()):
            world = World(keep=node.keep)
            drained = await _serve(settings, call, say, greet, reread, world, node)
            await node.leave()
            if drained or call.stop.is_set():
                return drained
            say("standby")
        return False
    finally:
        await node.close()


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
    world: World = REAL,
    node: "Node | None" = None,
) -> bool:
    """Serve until the call comes, or this node must not serve any more; whether a host wanted the end."""
    server = Server(settings, world)
    collector = Collector(server.house)
    collector.start()
    server.house.waking.rested = collector.keep
    await server.start()
    server.desk.daybook.start()
    collector.keep()
    if node is not None:
        node.addresses = server.addresses
    for name, (host, port) in server.addresses.items():
        say(f"listening {name} {host}:{port}")
    say("ready")
    if "http" in server.addresses:
        greet(*server.addresses["http"], await _host_token(server))
    deposed = [node.deposed.wait()] if node is not None else []
    reloading = asyncio.create_task(_reload(server, call.hangup, reread))
    ended = await first(call.stop.wait(), server.desk.drained.wait(), *deposed)
    reloading.cancel()
    log.info("closing")
    await server.stop()
    log.info("closed")
    return ended == 1


async def _host_token(server: Server) -> str:
    """What a host opens the house's own page with; none while nothing can be stored."""
    try:
        return await server.desk.link()
    except Refused as error:
        log.error("no link for a host", reason=error.reason)
        return ""


async def _reload(server: Server, hangup: asyncio.Event, reread: Callable[[], Settings]) -> None:
    """Read the settings again whenever that is wanted, one time after the other."""
    while True:
        await hangup.wait()
        hangup.clear()
        try:
            waiting = await server.reload(reread())
        except (LudotecaError, OSError) as error:
            log.error("not reloaded, everything stays as it was", reason=str(error))
        else:
            log.info("reloaded", **({"at_the_next_start": waiting} if waiting else {}))
