"""Remote calls as a conversation: the same messages as on the wire, as protobuf, without any I/O.

Between this module and the server a call is a line like any other, so that the limits of lines and of
their rate hold for calls too: `METHOD HEX` on the way in; on the way out `answer METHOD HEX` (what a unary
call returns), `fault METHOD HEX` (a call that cannot be understood; the text in UTF-8) and `notify
Notifications HEX` (for the stream). HEX is the message in hexadecimal, and answers to one method come in
the order of its calls.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, Literal, NamedTuple

import msgspec
from google.protobuf.message import DecodeError, Message

from ludoteca.core.notices import Declined, Notice, Said, Seated
from ludoteca.core.requests import Act, Open, Reply, Request, Say
from ludoteca.games.shelfie.rpc import shelfie_pb2 as pb
from ludoteca.games.shelfie.wire import Conversation, Settings, messages
from ludoteca.games.shelfie.wire.messages import WIRE_TILES, WireTile
from ludoteca.wire.jsonl import JsonLines

Kind = Literal["answer", "fault", "notify"]

STREAM = "Notifications"
# The metadata that says which connection a call belongs to.
CONNECTION_KEY = "shelfie-connection"


class Call(NamedTuple):
    """What a client asked for, and the call that waits for the answer."""

    method: str
    message: messages.ClientMessage


_TILES: dict[int, WireTile] = {pb.Tile.Value(name): name for name in WIRE_TILES.values()}


def _tiles(numbers: Sequence[int]) -> tuple[WireTile, ...]:
    unknown = [number for number in numbers if number not in _TILES]
    if unknown:
        raise msgspec.ValidationError(f"there is no tile {unknown[0]}")
    return tuple(_TILES[number] for number in numbers)


def _position(request: Any) -> messages.Position:
    if not request.HasField("position"):
        raise msgspec.ValidationError("the position is missing")
    return messages.Position(request.position.row, request.position.column)


def _optional(request: Any, field: str) -> str | None:
    return getattr(request, field) if request.HasField(field) else None


# By method: the message it takes, and how to read that.
_READ: dict[str, tuple[type[Message], Callable[[Any], messages.ClientMessage]]] = {
    "Login": (pb.LoginRequest, lambda m: messages.LoginRequest(m.nickname, _optional(m, "token"))),
    "NumPlayers": (pb.NumPlayersResponse, lambda m: messages.NumPlayersResponse(m.numPlayers)),
    "PickTile": (pb.PickTileRequest, lambda m: messages.PickTileRequest(_position(m))),
    "UnpickTile": (pb.UnpickTileRequest, lambda m: messages.UnpickTileRequest(_position(m))),
    "ConfirmPick": (pb.ConfirmPickRequest, lambda _: messages.ConfirmPickRequest()),
    "ConfirmColumn": (pb.ConfirmColumnRequest, lambda m: messages.ConfirmColumnRequest(m.columnNumber)),
    "ConfirmOrder": (pb.ConfirmOrderNotify, lambda m: messages.ConfirmOrderNotify(_tiles(m.pickedTiles))),
    "Chat": (
        pb.ChatMessage,
        lambda m: messages.ChatMessage(
            player=m.player, receiver=_optional(m, "receiver"), text_message=m.textMessage
        ),
    ),
    "Pong": (pb.PongMessage, lambda _: messages.PongMessage()),
}
UNARY = tuple(_READ)
# The same on the stream of Play, by place in ClientMessage.
_SAID = {
    "login": "Login",
    "num_players": "NumPlayers",
    "pick_tile": "PickTile",
    "unpick_tile": "UnpickTile",
    "confirm_pick": "ConfirmPick",
    "confirm_column": "ConfirmColumn",
    "confirm_order": "ConfirmOrder",
    "chat": "Chat",
    "pong": "Pong",
}

# By message: the call that it answers, if one is waiting.
_ANSWERS: dict[type[msgspec.Struct], str] = {
    messages.LoginResponse: "Login",
    messages.PickTileResponse: "PickTile",
    messages.UnpickTileResponse: "UnpickTile",
    messages.ConfirmPickResponse: "ConfirmPick",
    messages.ConfirmColumnResponse: "ConfirmColumn",
}
# By message: its place in ServerMessage.
_NOTICES: dict[type[msgspec.Struct], str] = {
    messages.NumPlayersRequest: "num_players_request",
    messages.LobbyInfoMessage: "lobby_info",
    messages.GameStartNotify: "game_start",
    messages.ConfirmPickResponse: "confirm_pick",
    messages.ConfirmColumnResponse: "confirm_column",
    messages.EndTurnNotify: "end_turn",
    messages.GameResultNotify: "game_result",
    messages.PlayerDisconnectedNotify: "player_disconnected",
    messages.ChatMessage: "chat",
    messages.PingMessage: "ping",
    messages.ErrorMessage: "error",
    messages.PickTileResponse: "pick_tile",
    messages.LoginResponse: "login",
    messages.UnpickTileResponse: "unpick_tile",
}


def to_protobuf(message: Any) -> Any:
    """A message of the wire as its namesake in protobuf.

    Fields have the same names; two are shaped otherwise.
    """
    fields = msgspec.to_builtins(message)
    kind = fields.pop("type")
    if "bookshelf" in fields:
        fields["bookshelf"]["rows"] = [{"tiles": row} for row in fields["bookshelf"]["rows"]]
    if "personalGoal" in fields:
        goal = fields["personalGoal"]
        goal["rewards"] = {int(count): points for count, points in goal["rewards"].items()}
    return getattr(pb, kind)(**fields)


def write_call(method: str, data: bytes) -> bytes:
    """A call as a line."""
    return b"%s %s\n" % (method.encode(), data.hex().encode())


def write_said(data: bytes) -> bytes:
    """Messages that came on the stream of Play as lines of as many calls. Raises msgspec.DecodeError."""
    try:
        said = pb.ClientMessages.FromString(data).messages
    except DecodeError as error:
        raise msgspec.DecodeError(str(error)) from None
    lines = []
    for one in said:
        place = one.WhichOneof("message")
        # Nothing in it, or something of a later version.
        body = getattr(one, place).SerializeToString() if place else b""
        lines.append(write_call(_SAID[place] if place else "Nothing", body))
    return b"".join(lines)


def write_told(told: Iterable[bytes]) -> bytes:
    """Several ServerMessage as one ServerMessages: each is a field of the number 1, with its length."""
    return b"".join(b"\x0a%b%b" % (_varint(len(one)), one) for one in told)


def _varint(number: int) -> bytes:
    found = bytearray()
    while number > 0x7F:
        found.append(number & 0x7F | 0x80)
        number >>= 7
    found.append(number)
    return bytes(found)


def read_line(line: bytes) -> tuple[Kind, str, bytes]:
    """What a line of the conversation is: an answer, a fault or something for the stream."""
    kind, method, data = line.decode().split(" ")
    return kind, method, bytes.fromhex(data)  # type: ignore[return-value]


def _write(kind: Kind, method: str, data: bytes) -> bytes:
    return b"%s %s %s\n" % (kind.encode(), method.encode(), data.hex().encode())


def _read_call(line: bytes) -> Call:
    """A line from the server's shell as the call it stands for. Raises msgspec.ValidationError."""
    method, _, data = line.decode().partition(" ")
    if method not in _READ:
        raise msgspec.ValidationError("a message with nothing in it that is known here")
    kind, read = _READ[method]
    try:
        return Call(method, read(kind.FromString(bytes.fromhex(data))))
    except (DecodeError, ValueError) as error:
        raise msgspec.ValidationError(str(error)) from None


def _notice(message: Any) -> bytes:
    """A ServerMessage without its number."""
    return pb.ServerMessage(**{_NOTICES[type(message)]: to_protobuf(message)}).SerializeToString()


# What all at a table are told in the same words, each in a conversation of its own.
_SHARED = (messages.EndTurnNotify, messages.ConfirmPickResponse)
_shared_notice = lru_cache(maxsize=64)(_notice)


class Calls(JsonLines):
    """The tongue of remote calls. `name` tells the client's nickname.

    gRPC has streams of its own, but the house knows connections that carry lines. So the server's shell
    writes each call as a line of text (its protobuf in hexadecimal) and reads each answer from one: calls
    get the limits, the order and the wall against crashes that every other connection has, and there is one
    conversation for both ways to play. It costs some microseconds beside grpcio's milliseconds.

    Where a call waits for a message, that is its answer; all others go to the stream.
    """

    __slots__ = ("_name", "_sequence", "waiting")

    def __init__(self, name: Callable[[], str]) -> None:
        super().__init__(_read_call)
        self._name = name
        self._sequence = 0
        # How many calls of each method wait for their answer.
        self.waiting: Counter[str] = Counter()

    def write(self, messages: list[Any]) -> bytes:
        """Messages of the server."""
        return b"".join(map(self._line, messages))

    def _line(self, message: Any) -> bytes:
        method = _ANSWERS.get(type(message), "")
        if self.waiting[method]:
            self.waiting[method] -= 1
            return _write("answer", method, to_protobuf(message).SerializeToString())
        self._sequence += 1
        notice = _shared_notice(message) if type(message) in _SHARED else _notice(message)
        # Two messages of protobuf, one after the other, are one that has the fields of both.
        line = _write("notify", STREAM, pb.ServerMessage(seq=self._sequence).SerializeToString() + notice)
        if isinstance(message, messages.EndTurnNotify) and message.player == self._name():
            line += self.acknowledge("ConfirmOrder", True)
        return line

    def acknowledge(self, method: str, accepted: bool) -> bytes:
        """The answer to a call that has no response of its own, if one is waiting."""
        if not self.waiting[method]:
            return b""
        self.waiting[method] -= 1
        return _write("answer", method, pb.Ack(accepted=accepted).SerializeToString())


class RemoteConversation(Conversation):
    """The conversation of the wire with a client that makes calls."""

    def __init__(self, settings: Settings) -> None:
        self._calls = Calls(lambda: self._name)
        super().__init__(settings, self._calls)

    def garbled(self, line: bytes, reason: str, _now: float) -> list[Request]:
        """The call fails; too many such calls end the connection."""
        self._faults += 1
        self.closing = self.closing or self._faults >= self._settings.faults_max
        method = line.decode().partition(" ")[0]
        return [Reply(_write("fault", method, reason.encode()))]

    def hear(self, call: Any, now: float) -> list[Request]:
        """What a call asks for. Calls without a response of their own are acknowledged, some only later."""
        self._calls.waiting[call.method] += 1
        requests = super().hear(call.message, now)
        is_pending = any(isinstance(request, Act | Open | Say) for request in requests)
        if call.method in ("NumPlayers", "ConfirmOrder", "Chat") and not is_pending:
            requests.append(Reply(self._calls.acknowledge(call.method, False)))
        if call.method == "Pong":
            requests.append(Reply(self._calls.acknowledge(call.method, True)))
        return requests

    def send(self, notice: Notice, now: float) -> bytes:
        """The lines for a notice, and the acknowledgement of the call that brought it about."""
        return super().send(notice, now) + self._acknowledgement(notice)

    def _acknowledgement(self, notice: Notice) -> bytes:
        match notice:
            case Seated():
                return self._calls.acknowledge("NumPlayers", True)
            case Declined(request=Open()):
                return self._calls.acknowledge("NumPlayers", False)
            case Said(name=name) if name == self._name:
                return self._calls.acknowledge("Chat", True)
            case Declined(request=Say()):
                return self._calls.acknowledge("Chat", False)
            case Declined(request=Act()):
                return self._calls.acknowledge("ConfirmOrder", False)
            case _:
                return b""


class StreamConversation(Conversation):
    """The same with a client that says and hears everything on the stream of Play.

    No call ever waits, so all goes to the stream: it is the wire's own conversation in protobuf.
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings, Calls(lambda: self._name))

    def garbled(self, _line: bytes, reason: str, _now: float) -> list[Request]:
        """It is told, and forgiven a few times."""
        self._faults += 1
        self.closing = self.closing or self._faults >= self._settings.faults_max
        return [self.reply(messages.ErrorMessage(reason))]

    def hear(self, call: Any, now: float) -> list[Request]:
        """What a message asks for."""
        return super().hear(call.message, now)
