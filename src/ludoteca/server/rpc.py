"""Remote calls (gRPC) for the games that offer them, in the event loop of everything else.

A connection is what `Connect` opened: an id that all later calls carry, one stream of notifications, and a
session like that of any other connection. The game's `rpc` package turns calls into lines of a conversation
and back; here they are only carried. grpc is imported when a listener starts, since it takes its time.
"""

import asyncio
import importlib
import os
from collections.abc import AsyncIterable, Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from ludoteca import games
from ludoteca.core import Conversation, Refused
from ludoteca.server.caller import CALLS_PER_CONNECTION_MAX, LINGER_S, CallFailed, Connection, Service
from ludoteca.server.doorman import Doorman, Ticket
from ludoteca.server.front import Front
from ludoteca.server.hosting import KEY_HEADER
from ludoteca.server.proxies import forwarded
from ludoteca.server.settings import Settings

if TYPE_CHECKING:
    import grpc.aio

# Both are read when grpc is imported. Its core writes to standard error by itself, a line for every stranger
# whose handshake fails. In uvloop's forks its handlers crash one new process in twenty while calls are made,
# and bots and stories have processes of their own.
os.environ.setdefault("GRPC_VERBOSITY", "ERROR")
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")

# The house answers within milliseconds, unless the journal is in trouble.
CALL_S = 30.0
# Both kinds of calls together; a notification stream is a call that lasts as long as its connection.
CALLS_MAX = 40_000
# How often a silent peer is asked whether it is still there.
KEEPALIVE_MS = 60_000
# A call becomes a line of its method's name, a blank and twice as many letters as it has bytes.
METHOD_BYTES_MAX = 64


def listeners() -> dict[str, str]:
    """The names of all listeners of remote calls, with their games; loads none of them."""
    folders = [Path(folder) for folder in games.__path__]
    return {
        f"{game}-rpc": game
        for game in games.names()
        if any((folder / game / "rpc" / "__init__.py").is_file() for folder in folders)
    }


def load(game: str) -> Service:
    """The remote calls of a game that offers them."""
    service: Any = importlib.import_module(f"ludoteca.games.{game}.rpc")
    return service  # type: ignore[no-any-return]


class Calls:
    """The listener of one game."""

    def __init__(self, house: Front, doorman: Doorman, name: str, game: str, service: Service) -> None:
        self._house = house
        self._doorman = doorman
        self._name = name
        self._game = game
        self._service = service
        self._connections: dict[str, Connection] = {}
        self._server: grpc.aio.Server | None = None

    async def start(self, host: str, port: int) -> int:
        """Listen; the port, which is another one when 0 was asked for. Raises OSError."""
        import grpc
        import grpc.aio

        service = self._service
        handlers = {
            name: grpc.unary_unary_rpc_method_handler(partial(self._call, name)) for name in service.UNARY
        }
        handlers[service.CONNECT] = grpc.unary_unary_rpc_method_handler(self._connect)
        handlers[service.TEST] = grpc.unary_unary_rpc_method_handler(self._test)
        handlers[service.PLAY] = grpc.stream_stream_rpc_method_handler(self._play)
        handlers[service.STREAM] = grpc.unary_stream_rpc_method_handler(self._stream)
        settings = self._house.settings
        self._server = grpc.aio.server(
            maximum_concurrent_rpcs=CALLS_MAX,
            options=[
                ("grpc.so_reuseport", int(settings.share_ports)),
                ("grpc.max_receive_message_length", (settings.line_bytes_max - METHOD_BYTES_MAX) // 2),
                # grpc accepts by itself, so the doorman sees nobody before `Connect`: who does not get that
                # far is ended here.
                ("grpc.max_allowed_incoming_connections", settings.connections_max),
                ("grpc.server_handshake_timeout_ms", int(settings.header_s * 1000)),
                ("grpc.max_connection_idle_ms", int(settings.idle_s * 1000)),
                ("grpc.max_concurrent_streams", 4 * CALLS_PER_CONNECTION_MAX),
                ("grpc.keepalive_time_ms", KEEPALIVE_MS),
            ],
        )
        self._server.add_generic_rpc_handlers(
            (grpc.method_handlers_generic_handler(service.SERVICE, handlers),)
        )
        address = f"{host}:{port}" if ":" not in host else f"[{host}]:{port}"
        try:
            if settings.tls_cert:
                self.certify(settings)
                # grpc asks before each handshake, in a thread of its own.
                credentials = grpc.dynamic_ssl_server_credentials(
                    self._certificate, lambda: self._certificate, require_client_authentication=False
                )
                bound = self._server.add_secure_port(address, credentials)
            else:
                bound = self._server.add_insecure_port(address)
        except RuntimeError as error:
            raise OSError(str(error)) from None
        await self._server.start()
        return bound

    def certify(self, settings: Settings) -> None:
        """Show this certificate from now on. Raises OSError."""
        import grpc

        certificate = Path(settings.tls_cert).read_bytes()
        key = Path(settings.tls_key or settings.tls_cert).read_bytes()
        self._certificate = grpc.ssl_server_certificate_configuration([(key, certificate)])

    async def stop(self) -> None:
        """Let the streams run out, then close."""
        if self._server is not None:
            await self._server.stop(LINGER_S)

    async def _connect(self, _data: bytes, context: "grpc.aio.ServicerContext[bytes, bytes]") -> bytes:
        connection = await self._enter(context, self._service.converse)
        return self._service.write_connection(connection.identity)

    async def _enter(
        self, context: "grpc.aio.ServicerContext[bytes, bytes]", converse: Callable[[Any], Conversation]
    ) -> Connection:
        """Somebody comes in, if the doorman lets them."""
        try:
            ticket = self._doorman.admit(_peer(context), self._name)
        except Refused as refused:
            await _abort(context, "RESOURCE_EXHAUSTED", refused.reason)
            raise
        connection = Connection(self._service, self._house, ticket, self._forget)
        self._connections[connection.identity] = connection
        try:
            self._vouch(ticket, context)
            settings = self._house.defaults[self._game].settings
            role = self._house.role(self._name, self._said(context, KEY_HEADER.lower()))
            connection.open(self._game, converse(settings), role)
        except Refused as refused:
            connection.gone()
            await _abort(context, "RESOURCE_EXHAUSTED", refused.reason)
        return connection

    async def _play(
        self, said: AsyncIterable[bytes], context: "grpc.aio.ServicerContext[bytes, bytes]"
    ) -> None:
        connection = await self._enter(context, self._service.converse_in_a_stream)
        hearing = asyncio.get_running_loop().create_task(connection.hear(said))
        try:
            await connection.tell(context.write)
        except CallFailed as failed:
            await _abort(context, failed.status, str(failed))
        finally:
            hearing.cancel()

    def _vouch(self, ticket: Ticket, context: "grpc.aio.ServicerContext[bytes, bytes]") -> None:
        """Whom a trusted proxy speaks for. Raises Refused."""
        if ticket.is_proxy:
            header = self._house.settings.forwarded_header
            hops = [str(value) for key, value in context.invocation_metadata() or () if key == header]
            told = forwarded(hops, self._doorman.proxies, is_standard=header == "forwarded")
            ticket.vouch(told or ticket.address)

    def _forget(self, connection: Connection) -> None:
        self._connections.pop(connection.identity, None)

    def _identity(self, context: "grpc.aio.ServicerContext[bytes, bytes]") -> str:
        return self._said(context, self._service.CONNECTION_KEY)

    def _said(self, context: "grpc.aio.ServicerContext[bytes, bytes]", wanted: str) -> str:
        for key, value in context.invocation_metadata() or ():
            if key == wanted:
                return value if isinstance(value, str) else value.decode("ascii", "replace")
        return ""

    async def _find(self, identity: str, context: "grpc.aio.ServicerContext[bytes, bytes]") -> Connection:
        connection = self._connections.get(identity)
        if connection is None:
            key = self._service.CONNECTION_KEY
            reason = (
                f"no such connection (any more): call {self._service.CONNECT} and send its id as "
                f"metadata {key}"
            )
            await _abort(context, "UNAUTHENTICATED", reason)
        assert connection is not None
        return connection

    async def _test(self, _data: bytes, context: "grpc.aio.ServicerContext[bytes, bytes]") -> bytes:
        identity = self._identity(context)
        return self._service.write_acknowledgement(not identity or identity in self._connections)

    async def _call(
        self, method: str, data: bytes, context: "grpc.aio.ServicerContext[bytes, bytes]"
    ) -> bytes:
        connection = await self._find(self._identity(context), context)
        remaining_s = context.time_remaining()
        try:
            return await connection.call(
                method, data, CALL_S if remaining_s is None else min(CALL_S, remaining_s)
            )
        except CallFailed as failed:
            await _abort(context, failed.status, str(failed))
            raise

    async def _stream(self, data: bytes, context: "grpc.aio.ServicerContext[bytes, bytes]") -> None:
        identity = self._identity(context) or self._service.read_connection(data)
        connection = await self._find(identity, context)
        try:
            await connection.stream(context.write)
        except CallFailed as failed:
            await _abort(context, failed.status, str(failed))


def _peer(context: "grpc.aio.ServicerContext[bytes, bytes]") -> str:
    """ "ipv4:127.0.0.1:40312", "ipv6:%5B::1%5D:40312" as an address; "" for "unix:"."""
    kind, _, rest = unquote(context.peer()).partition(":")
    return rest if kind in ("ipv4", "ipv6") else ""


async def _abort(context: "grpc.aio.ServicerContext[bytes, bytes]", status: str, reason: str) -> None:
    import grpc

    await context.abort(grpc.StatusCode[status], reason)


async def listen(house: Front, doorman: Doorman, name: str, host: str, port: int) -> tuple[Calls, int]:
    """Serve the remote calls of one of the `listeners`; the listener and its port. Raises OSError."""
    game = listeners()[name]
    calls = Calls(house, doorman, name, game, load(game))
    return calls, await calls.start(host, port)
