"""The doors of a house: every listener, whatever is spoken there, and wherever the tables are."""

import asyncio
import errno
import ssl
from collections.abc import Callable
from functools import partial

import structlog
from aiohttp import web

from ludoteca import games
from ludoteca.core import Conversation, LudotecaError
from ludoteca.server import rmi, rpc
from ludoteca.server.answers import below, in_letters
from ludoteca.server.door import Door
from ludoteca.server.doorman import Doorman
from ludoteca.server.front import Front
from ludoteca.server.gate import TURNED_AWAY, TimedHandler
from ludoteca.server.http import Api, Site
from ludoteca.server.settings import HOUSE_PORT, HTTP_PORT, METRICS_PORT, Settings, SettingsError
from ludoteca.server.tcp import LineLink
from ludoteca.wire.either import Either
from ludoteca.wire.house import Copier, HouseConversation

log = structlog.get_logger()


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


class Doors:
    """All that people come in by. `addresses` says where each listener really listens."""

    def __init__(
        self, front: Front, doorman: Doorman, addresses: dict[str, tuple[str, int]], api: Api
    ) -> None:
        self._front = front
        self._doorman = doorman
        self.addresses = addresses
        self._ports = ports(front.settings)
        self._tls = tls_context(front.settings)
        self._copier = Copier()
        self._doors: list[Door] = []
        self._calls: list[rpc.Calls] = []
        self._remotes: list[rmi.Remotes] = []
        self._runners: list[web.AppRunner] = []
        self._site = Site(front, doorman, api, self._converse, addresses)

    def _converse(self, protocol: str) -> Callable[[], Conversation]:
        """How a connection of this protocol begins."""
        if protocol == "house":
            return partial(HouseConversation, games.load, self._copier)
        return partial(games.load(protocol).protocol().converse, self._front.defaults[protocol].settings)

    def _either(self, protocol: str) -> Callable[[], Conversation]:
        """The same for a socket, where programs that send Java objects may come, too."""
        lines = self._converse(protocol)
        wire = games.load(protocol).wire if protocol in games.names() else None
        # None of them can do TLS, so behind it nobody need wait for who they are.
        if wire is None or wire.java is None or not self._front.settings.java or self._tls is not None:
            return lines
        return partial(Either, lines, partial(wire.java, self._front.defaults[protocol].settings))

    async def open_doors(self) -> None:
        """Let people in. Raises PortTaken."""
        settings = self._front.settings
        for name, wanted in self._ports.items():
            port = usual_port(name) if wanted is None else wanted
            try:
                await self._listen(name, port)
            except OSError as error:
                if error.errno == errno.EADDRNOTAVAIL:
                    raise PortTaken(f"this machine has no address {settings.host}: see --host") from None
                reason = f"port {port} of {name} cannot be used: {error.strerror or error}"
                raise PortTaken(f"{reason}; choose another with --port {name}=PORT, or 0 for any") from None

    async def _listen(self, name: str, port: int) -> None:
        usual = self._front.settings.metrics_host if name == "metrics" else self._front.settings.host
        host = self._front.settings.listen.get(name, usual)
        if name in rpc.listeners():
            calls, bound_port = await rpc.listen(self._front, self._doorman, name, host, port)
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
        remotes = rmi.Remotes(self._front, self._doorman, name)
        self._remotes.append(remotes)
        # Java's programs know no TLS, and a proxy cannot be called back.
        return Door(self._front, self._doorman, name, remotes.serve, None)

    def _line_door(self, name: str) -> Door:
        converse = self._either(name)
        return Door(
            self._front,
            self._doorman,
            name,
            lambda ticket: LineLink(self._front, name, converse, ticket),
            self._tls,
            proxied=self._front.settings.proxy_protocol,
        )

    async def _web_door(self, name: str) -> Door:
        app = self._site.public() if name == "http" else self._site.operators()
        runner = web.AppRunner(app, handle_signals=False, shutdown_timeout=1.0)
        self._runners.append(runner)
        await runner.setup()
        manager = runner.server
        assert manager is not None
        manager.request_factory = in_letters(below(self._front.settings.base, manager.request_factory))
        return Door(
            self._front,
            self._doorman,
            name,
            lambda ticket: TimedHandler(self._front, ticket, manager),
            self._tls,
            sorry=TURNED_AWAY,
        )

    def _certify(self, settings: Settings) -> dict[str, str]:
        """Show another certificate from now on; which one that is. Raises SettingsError, OSError."""
        ports(settings)
        if self._tls is not None and settings.tls_cert:
            certify(self._tls, settings)
            for calls in self._calls:
                calls.certify(settings)
            return {}
        # A house that speaks TLS goes on to, and one that does not cannot begin with it now.
        return {"tls_cert": self._front.settings.tls_cert, "tls_key": self._front.settings.tls_key}

    async def shut_doors(self) -> None:
        """Nobody comes in any more; who is inside stays."""
        for door in self._doors:
            await door.close()

    async def see_off(self) -> None:
        """Everybody leaves, having been told."""
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
