"""The ways into the house as a client takes them: lines, WebSocket, remote calls. All of them carry lines."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any, Protocol

import msgspec
from google.protobuf.json_format import MessageToDict
from tests.simulation.network import Client, Way, Weather, Wire

from ludoteca.core import Dice, Refused
from ludoteca.games.shelfie.rpc import pb
from ludoteca.server.rpc import Calls
from ludoteca.wire import frames

_MASK = b"sim!"
# By message: its place in ClientMessage.
_SAID = {
    "LoginRequest": "login",
    "NumPlayersResponse": "num_players",
    "PickTileRequest": "pick_tile",
    "UnpickTileRequest": "unpick_tile",
    "ConfirmPickRequest": "confirm_pick",
    "ConfirmColumnRequest": "confirm_column",
    "ConfirmOrderNotify": "confirm_order",
    "ChatMessage": "chat",
    "PongMessage": "pong",
}


class End(Protocol):
    """A client's end of a connection."""

    @property
    def harmed(self) -> bool:
        """Whether anything but the ordinary has ever been done to it."""

    def send(self, data: bytes) -> None:
        """Lines to the house."""

    def cut(self) -> None:
        """The line breaks."""

    def hold(self, seconds: float, *, out: bool = True, into: bool = True) -> None:
        """Nothing passes for a while."""

    def vanish(self) -> None:
        """Nothing passes any more, and nobody knows."""


class Socket:
    """A WebSocket: what the client says goes out as masked frames, what the house says comes as lines."""

    def __init__(self, client: Client, path: str, *, packs: bool) -> None:
        self.name = client.name
        self._client = client
        self._path = path
        self._packs = packs
        self._held = b""
        self._is_open = False
        self._said: list[bytes] = []
        self.wire: Wire | None = None

    @property
    def harmed(self) -> bool:
        """Whether anything but the ordinary has ever been done to it."""
        return self.wire is None or self.wire.harmed

    def open(self, wire: Wire) -> "Socket":
        """Ask for the upgrade."""
        self.wire = wire
        more = "Sec-WebSocket-Extensions: permessage-deflate\r\n" if self._packs else ""
        wire.send(
            f"GET {self._path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: c2l4dGVlbiBieXRlcyE9PQ==\r\n{more}"
            "\r\n".encode()
        )
        return self

    def send(self, data: bytes) -> None:
        """Each line is a message."""
        lines = data.removesuffix(b"\n").split(b"\n")
        if self._is_open:
            self._frame(lines)
        else:
            self._said += lines

    def _frame(self, lines: list[bytes]) -> None:
        assert self.wire is not None
        self.wire.send(b"".join(masked(frames.TEXT, line) for line in lines))

    def hear(self, data: bytes) -> None:
        """Bytes of the house: first the answer to the upgrade, then frames."""
        self._held += data
        if not self._is_open:
            head, found, rest = self._held.partition(b"\r\n\r\n")
            if not found:
                return
            if not head.startswith(b"HTTP/1.1 101"):
                self.cut()
                return
            self._is_open, self._held = True, rest
            if self._said:
                self._frame(self._said)
        while (found_frame := taken(self._held)) is not None:
            first, payload, self._held = found_frame
            kind = first & 0x0F
            if kind == frames.TEXT:
                line = frames.unpacked(payload, 1 << 24) if first & 0x40 else payload
                self._client.hear(line + b"\n")
            elif kind == frames.PING and self.wire is not None:
                self.wire.send(masked(frames.PONG, payload))
            elif kind == frames.CLOSE and self.wire is not None:
                self.wire.send(masked(frames.CLOSE, payload))

    def hang_up(self) -> None:
        """The connection is gone."""
        self._client.hang_up()

    def cut(self) -> None:
        """The line breaks."""
        if self.wire is not None:
            self.wire.cut()

    def hold(self, seconds: float, *, out: bool = True, into: bool = True) -> None:
        """Nothing passes for a while."""
        if self.wire is not None:
            self.wire.hold(seconds, out=out, into=into)

    def vanish(self) -> None:
        """Nothing passes any more, and nobody knows."""
        if self.wire is not None:
            self.wire.vanish()


def masked(kind: int, payload: bytes) -> bytes:
    """A client's frame."""
    size = len(payload)
    head = bytes((0x80 | kind, 0x80 | size)) if size < 126 else bytes((0x80 | kind, 0xFE)) + size.to_bytes(2)
    return head + _MASK + frames.unmasked(payload, _MASK)


def taken(data: bytes) -> tuple[int, bytes, bytes] | None:
    """The first frame of the house: its first byte, its payload, and the rest; None while it is not there."""
    if len(data) < 2:
        return None
    size, at = data[1], 2
    if size > 125:
        at = 4 if size == 126 else 10
        size = int.from_bytes(data[2:at])
        if len(data) < at:
            return None
    return (data[0], data[at : at + size], data[at + size :]) if len(data) >= at + size else None


class Gone(Exception):
    """The call was ended by the house."""


class Remote:
    """One stream of remote calls at gRPC's own border: what the servicer is given, without grpc's core.

    It is also the `context` that the servicer sees. To the client it speaks the lines of the game's own
    protocol, whose messages have the same names.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        dice: Dice,
        weather: Weather,
        client: Client,
        address: str,
        trace: Callable[[bytes], None],
        home: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        self.name = client.name
        self._loop = loop
        # Where the house is, if that is not here.
        self._home = home or loop
        self._client: Client | None = client
        self._address = address
        self._trace = trace
        self._into = Way(loop, dice.fork(), weather, self._said, whole=True)
        self._out = Way(loop, dice.fork(), weather, self._told, whole=True)
        self._queue: asyncio.Queue[bytes] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None
        self.harmed = False

    def open(self, calls: Calls) -> "Remote":
        """Call `Play`."""
        self._task = self._home.create_task(self._play(calls))
        return self

    async def _play(self, calls: Calls) -> None:
        try:
            await calls._play(self._hear(), self)  # type: ignore[arg-type]
        except (Gone, Refused):
            pass
        except asyncio.CancelledError:
            self._loop.call_soon(self._lost)
            raise
        # What was written arrives, and then the end of the call.
        self._out.send(b"")

    def _lost(self) -> None:
        client, self._client = self._client, None
        self._into.cut()
        self._out.cut()
        if client is not None:
            client.hang_up()

    async def _hear(self) -> AsyncIterator[bytes]:
        while True:
            yield await self._queue.get()

    # What the servicer sees.

    def peer(self) -> str:
        """Where the call comes from."""
        return f"ipv4:{self._address}:1"

    def invocation_metadata(self) -> tuple[tuple[str, str], ...]:
        """Nothing."""
        return ()

    async def abort(self, status: Any, reason: str) -> None:
        """The house ends the call."""
        raise Gone(reason)

    async def write(self, data: bytes) -> None:
        """The house says something."""
        self._out.send(data)

    # What the client sees.

    def send(self, data: bytes) -> None:
        """Lines of the game's own protocol."""
        said = pb.ClientMessages()
        for line in data.splitlines():
            message = msgspec.json.decode(line)
            kind = message.pop("type")
            place = getattr(said.messages.add(), _SAID[kind])
            place.SetInParent()
            place.MergeFrom(getattr(pb, kind)(**message))
        self._into.send(said.SerializeToString())

    def _said(self, data: bytes | None) -> None:
        self._trace(b">" + (data or b"end"))
        self._at_home(self._queue.put_nowait, data or b"")

    def _told(self, data: bytes | None) -> None:
        self._trace(b"<" + (data or b"end"))
        if data is None:
            self._lost()
            return
        for told in pb.ServerMessages.FromString(data).messages:
            if self._client is not None:
                self._client.hear(line_of(told))

    def cut(self) -> None:
        """The client is gone: grpc cancels what it called."""
        if self._task is None or self._task.done():
            self._lost()
        else:
            self._at_home(self._task.cancel)

    def _at_home(self, call: Callable[..., object], *given: object) -> None:
        if self._home is self._loop:
            call(*given)
        else:
            self._home.call_soon(call, *given)

    def lose(self) -> None:
        """The house's process is gone."""
        self._loop.call_soon(self._lost)

    def hold(self, seconds: float, *, out: bool = True, into: bool = True) -> None:
        """Nothing passes for a while."""
        self.harmed = True
        if out:
            self._out.hold(seconds)
        if into:
            self._into.hold(seconds)

    def vanish(self) -> None:
        """Nothing passes any more, until the house finds out."""
        self.harmed = True
        self._into.cut()
        self._out.cut()
        self._loop.call_later(60.0, self.cut)


def line_of(told: Any) -> bytes:
    """A message of the stream as a line of the game's own protocol."""
    message = getattr(told, told.WhichOneof("message"))
    kind = message.DESCRIPTOR.name
    fields = MessageToDict(message, always_print_fields_with_no_presence=True)
    if kind == "LoginResponse":
        fields.setdefault("nickname", None)
    if "bookshelf" in fields:
        fields["bookshelf"]["rows"] = [row["tiles"] for row in fields["bookshelf"]["rows"]]
    return msgspec.json.encode({"type": kind, **fields}) + b"\n"
