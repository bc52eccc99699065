"""A connection to a house that comes back by itself: messages of Ludoteca's own protocol in and out."""

import asyncio
import contextlib
import os
import ssl
import time
from collections.abc import Callable, Iterable
from typing import Any, Protocol

import msgspec

from ludoteca.clients.address import Address
from ludoteca.core import Refused
from ludoteca.wire import messages as m

LINE_BYTES_MAX = 1 << 22
OPTIONS_MAX = 1000
PING_S, SILENCE_S = 5.0, 15.0
RETRY_FIRST_S, RETRY_LAST_S = 0.25, 5.0
# A name may still be held for a moment by our own connection that was just lost.
TAKEN_TRIES = 8

_decode = msgspec.json.Decoder(m.FromServer).decode
_encode = msgspec.json.Encoder().encode


class Lost(msgspec.Struct, frozen=True):
    """The connection is gone, and is being restored."""

    reason: str


class Restored(msgspec.Struct, frozen=True):
    """The connection stands; what it knows follows."""


Heard = m.FromServer | Lost | Restored


class Pipe(Protocol):
    """One connection that carries messages: lines of TCP, or a WebSocket."""

    async def receive(self) -> bytes | None:
        """The next message, None at the end."""

    async def send(self, data: bytes) -> None:
        """Send one message."""

    async def close(self) -> None:
        """Hang up."""


class LinePipe:
    """JSON lines over TCP."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    @classmethod
    async def open(cls, address: Address) -> "LinePipe":
        """Connect."""
        return cls(
            *await asyncio.open_connection(
                address.host, address.port, ssl=address.tls(), limit=LINE_BYTES_MAX
            )
        )

    async def receive(self) -> bytes | None:
        """The next line."""
        return await self._reader.readline() or None

    async def send(self, data: bytes) -> None:
        """Send a line."""
        self._writer.write(data + b"\n")
        await self._writer.drain()

    async def close(self) -> None:
        """Hang up."""
        self._writer.close()
        with contextlib.suppress(OSError):
            await self._writer.wait_closed()


class SocketPipe:
    """WebSocket messages."""

    def __init__(self, session: Any, socket: Any) -> None:
        self._session, self._socket = session, socket

    @classmethod
    async def open(cls, address: Address) -> "SocketPipe":
        """Connect."""
        # Imported here: a private house is spoken to by lines, and starts a third of a second
        # sooner without it.
        import aiohttp

        session = aiohttp.ClientSession()
        try:
            tls = address.tls() or True
            socket = await session.ws_connect(address.socket_url, max_msg_size=LINE_BYTES_MAX, ssl=tls)
        except aiohttp.ClientError as error:
            is_refused = isinstance(error, aiohttp.WSServerHandshakeError)
            reason = await cls._refusal(session, address) if is_refused else await plainly(error, address)
            await session.close()
            raise OSError(reason or str(error)) from None
        except BaseException:
            await session.close()
            raise
        return cls(session, socket)

    @staticmethod
    async def _refusal(session: Any, address: Address) -> str:
        """Why the house does not let us in: a refused WebSocket has only a number, any other
        request gets the sentence."""
        import aiohttp

        with contextlib.suppress(aiohttp.ClientError, msgspec.MsgspecError, TimeoutError):
            async with asyncio.timeout(PING_S), session.get(address.page_url + "/healthz") as answer:
                if answer.status >= 400:
                    return msgspec.json.decode(await answer.read(), type=dict[str, str]).get("reason", "")
        return ""

    async def receive(self) -> bytes | None:
        """The next message."""
        from aiohttp import WSMsgType

        message = await self._socket.receive()
        return message.data.encode() if message.type == WSMsgType.TEXT else None

    async def send(self, data: bytes) -> None:
        """Send a message."""
        await self._socket.send_str(data.decode())

    async def close(self) -> None:
        """Hang up."""
        await self._socket.close()
        await self._session.close()


async def plainly(error: Exception, address: Address) -> str:
    """Why there is no connection, in the fewest words that help."""
    cause = getattr(error, "os_error", None) or error
    if isinstance(cause, ssl.SSLCertVerificationError):
        return f"its certificate is not trusted ({cause.verify_message}); --ca FILE names one that is"
    if isinstance(cause, ssl.SSLError):
        return "it does not speak TLS: try http:// or tcp://"
    if not address.secure and type(error).__name__ in ("ServerDisconnectedError", "ClientOSError"):
        if await _speaks_tls(address):
            return "it speaks TLS: try https://"
        return "it hung up at once"
    if isinstance(cause, OSError) and cause.errno is not None and cause.errno > 0:
        said = os.strerror(cause.errno)
    else:
        said = getattr(cause, "strerror", None) or str(cause)
    return said[:1].lower() + said[1:]


async def _speaks_tls(address: Address) -> bool:
    """Whether somebody who was spoken to in the clear would rather not be."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    try:
        async with asyncio.timeout(PING_S):
            _, writer = await asyncio.open_connection(address.host, address.port, ssl=context)
    except (OSError, TimeoutError):
        return False
    writer.close()
    return True


async def open_pipe(address: Address) -> Pipe:
    """Connect in the way the address says. Raises OSError."""
    return await (LinePipe.open(address) if address.lines else SocketPipe.open(address))


class Link:
    """Speaks Ludoteca's own protocol for one person. `heard` gets every message, `Lost` and `Restored`.

    After a lost connection it comes back to the same seat by its token, or to the same
    place among the watchers. `tokens` are those of the seats that this person holds under a name.
    """

    def __init__(
        self,
        address: Address,
        name: str,
        heard: Callable[[Heard], None],
        tokens: Callable[[str], Iterable[str]] = lambda _name: (),
    ) -> None:
        self.tokens = tokens
        self.address = address
        self.name = name
        self.heard = heard
        self.connected = False
        self.token = ""
        self.watching = ""
        # The number of the last record that we know about, so that nothing is told twice.
        self._number = 0
        self._pipe: Pipe | None = None
        self._outbox: asyncio.Queue[bytes] = asyncio.Queue(maxsize=1000)
        # Whether the house has welcomed us under this name before, and how often it was held since.
        self._known = False
        self._tries = 0
        self._heard_at = 0.0
        self._closing = False

    # Out.

    def send(self, *messages: m.FromClient) -> None:
        """Send messages.

        Raises Refused while the connection is lost: what is said then would come too late.
        """
        if not self.connected:
            raise Refused("there is no connection now; it is being restored", "lost")
        for message in messages:
            self._outbox.put_nowait(_encode(message))
            if isinstance(message, m.Leave):
                self.forget()

    def sit_by_token(self, token: str) -> None:
        """From the next connection on, take this seat again."""
        self.token, self.watching, self._number = token, "", 0

    async def hang_up(self) -> None:
        """End this connection; another follows by itself."""
        if self._pipe is not None:
            await self._pipe.close()

    def forget(self) -> None:
        """There is no seat to come back to any more."""
        self.token, self.watching, self._number = "", "", 0

    def watch(self, table: str) -> None:
        """Look on at a table, now and after every return."""
        self.token, self.watching, self._number = "", table, 0
        if self.connected:
            self.send(m.Watch(table))

    async def close(self) -> None:
        """Hang up for good."""
        self._closing = True
        if self._pipe is not None:
            # What was said last (a leave) still goes out.
            while not self._outbox.empty():
                with contextlib.suppress(OSError):
                    await self._pipe.send(self._outbox.get_nowait())
            await self._pipe.close()

    # In.

    async def run(self) -> None:
        """Connect, listen, and connect again, until `close`."""
        delay_s = RETRY_FIRST_S
        while not self._closing:
            reason = "the house closed the connection"
            try:
                self._pipe = await open_pipe(self.address)
                delay_s = RETRY_FIRST_S
                await self._converse(self._pipe)
            except (OSError, ValueError) as error:
                reason = await plainly(error, self.address)
            self.connected = False
            if self._closing:
                return
            self.heard(Lost(reason or "the house does not answer"))
            await asyncio.sleep(delay_s)
            delay_s = min(delay_s * 2, RETRY_LAST_S)

    async def _converse(self, pipe: Pipe) -> None:
        while not self._outbox.empty():
            self._outbox.get_nowait()
        self._heard_at = time.monotonic()
        await pipe.send(_encode(self._greeting()))
        tasks = [asyncio.create_task(self._send_all(pipe)), asyncio.create_task(self._ping(pipe))]
        try:
            while (data := await pipe.receive()) is not None:
                self._heard_at = time.monotonic()
                self._take(_decode(data))
        except msgspec.DecodeError as error:
            raise OSError(f"this is no house of Ludoteca's: {error}") from None
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            with contextlib.suppress(OSError):
                await pipe.close()

    def _greeting(self) -> m.FromClient:
        if self.token:
            return m.Return(self.token, since=self._number, options_max=OPTIONS_MAX)
        return self._hello()

    def _hello(self) -> m.Hello:
        if not self.name:
            return m.Hello(options_max=OPTIONS_MAX, key=self.address.key)
        tokens = tuple(self.tokens(self.name))[: m.TOKENS_MAX]
        return m.Hello(self.name, options_max=OPTIONS_MAX, tokens=tokens, key=self.address.key)

    async def _send_all(self, pipe: Pipe) -> None:
        while True:
            await pipe.send(await self._outbox.get())

    async def _ping(self, pipe: Pipe) -> None:
        """A line that stays silent although we ask is dead, whatever TCP believes."""
        while time.monotonic() - self._heard_at < SILENCE_S:
            await asyncio.sleep(PING_S)
            await pipe.send(_encode(m.Ping()))
        await pipe.close()

    def _take(self, message: m.FromServer) -> None:
        match message:
            case m.Pong():
                return
            case m.Welcome(name=name):
                self._welcomed(name)
            case m.Declined(request="return"):
                # The seat is gone for good; the person is still somebody.
                self.forget()
                self._say_hello()
            case m.Declined(request="hello", code="taken") if self._known and self._tries < TAKEN_TRIES:
                self._tries += 1
                asyncio.get_running_loop().call_later(RETRY_FIRST_S, self._say_hello)
                return
            case m.Seated(token=token):
                self.token = token or self.token
                if token:
                    self._number = 0
            case m.View(number=number) | m.Events(number=number) | m.Said(number=number):
                self._number = max(self._number, number)
            case m.Gone(back=False):
                self.forget()
        self.heard(message)

    def _welcomed(self, name: str) -> None:
        self.name = name or self.name
        self._known, self._tries = True, 0
        if not self.connected:
            self.connected = True
            self.heard(Restored())
        if self.watching:
            self.send(m.Watch(self.watching, self._number))

    def _say_hello(self) -> None:
        self._outbox.put_nowait(_encode(self._hello()))

    def introduce(self, name: str) -> None:
        """Say hello under another name, after the first was declined."""
        self.name, self._known = name, False
        if self._pipe is not None:
            self._say_hello()
