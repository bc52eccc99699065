"""Guests who call My Shelfie remotely: real turns, with messages made odd by their
descriptors, and raw HTTP/2."""

import asyncio
import contextlib
import random
from collections.abc import Callable
from typing import Any

import grpc
import grpc.aio
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from tests import people
from tests.fuzz.guests import RATES, Town
from tests.fuzz.mutate import Mutator
from tests.fuzz.watch import Person

from ludoteca.bench.players.shelfie import Plan
from ludoteca.games.shelfie.rpc import CONNECTION_KEY, SERVICE, pb

METHODS: dict[str, type[Message]] = {
    "Login": pb.LoginRequest,
    "NumPlayers": pb.NumPlayersResponse,
    "PickTile": pb.PickTileRequest,
    "UnpickTile": pb.UnpickTileRequest,
    "ConfirmPick": pb.ConfirmPickRequest,
    "ConfirmColumn": pb.ConfirmColumnRequest,
    "ConfirmOrder": pb.ConfirmOrderNotify,
    "Chat": pb.ChatMessage,
    "Pong": pb.PongMessage,
    "TestConnection": pb.ConnectRequest,
    "Connect": pb.ConnectRequest,
}
# The house has no business with these: they say that a handler broke down.
BROKEN = (grpc.StatusCode.UNKNOWN, grpc.StatusCode.INTERNAL)
DEADLINE_S = 5.0
_OPTIONS = [("grpc.use_local_subchannel_pool", 1)]
_INTS = (0, -1, 1, 2, 4, 5, 8, 9, 100, 2**31 - 1, -(2**31))


def scramble(mutator: Mutator, message: Message) -> bytes:
    """A message with one field that holds something odd, or bytes that are hardly one any more."""
    dice = mutator.dice
    fields: list[Any] = list(message.DESCRIPTOR.fields)
    data = message.SerializeToString()
    if not fields or dice.random() < 0.3:
        match dice.randrange(4):
            case 0:
                return mutator.garble(data)[:20_000]
            case 1:  # A field that nobody knows.
                return data + b"\xfa\x01\x03abc" * dice.choice((1, 1000))
            case 2:  # A string that is no UTF-8.
                return data + b"\x0a\x04\xff\xfe\x00\x80"
            case _:
                return dice.randbytes(dice.randrange(200))
    _set(dice, message, dice.choice(fields))
    return message.SerializeToString()


def _set(dice: random.Random, message: Any, field: FieldDescriptor) -> None:
    match field.type:
        case FieldDescriptor.TYPE_STRING:
            odd = dice.choice(("", "a" * 5000, "\0", "\u2028", "İ" * 30, "a\nb", "table-1", "Bot-Ada", " "))
            setattr(message, field.name, odd)
        case FieldDescriptor.TYPE_MESSAGE:
            inner = getattr(message, field.name)
            for one in inner.DESCRIPTOR.fields:
                _set(dice, inner, one)
        case FieldDescriptor.TYPE_ENUM:
            del getattr(message, field.name)[:]
            getattr(message, field.name).extend(
                dice.choice(_INTS) for _ in range(dice.choice((0, 1, 4, 1000)))
            )
        case _:
            setattr(message, field.name, dice.choice(_INTS))


class CallVisitor:
    """Comes again and again."""

    def __init__(self, town: Town, number: int) -> None:
        self._town = town
        self._dice = town.dice("calls", number)
        self._mutator = Mutator(self._dice)
        self._person = Person("", "calls")
        self._rate = 0.1
        self._channel: Any = None
        self._metadata: tuple[tuple[str, str], ...] = ()
        self._tiles: set[tuple[int, int]] = set()
        self._plan = Plan(self._dice)

    async def live(self) -> None:
        """For ever."""
        town = self._town
        while True:
            self._person = Person(town.name(), "calls")
            town.watch.people.append(self._person)
            self._rate = self._dice.choice(RATES)
            host, port = town.addresses["shelfie-rpc"]
            async with grpc.aio.insecure_channel(f"{host}:{port}", options=_OPTIONS) as self._channel:
                with contextlib.suppress(grpc.aio.AioRpcError, TimeoutError, asyncio.CancelledError):
                    async with asyncio.timeout(20):
                        await self._visit()
                self._cancelled()
            town.watch.people.remove(self._person)
            await asyncio.sleep(0.01)

    @staticmethod
    def _cancelled() -> None:
        """A stream that ends may look like a cancellation of ours; a real one goes on."""
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise asyncio.CancelledError

    async def _visit(self) -> None:
        async with self._town.doors["shelfie"]:
            self._metadata = ()
            data = await self._call("Connect", pb.ConnectRequest())
            identity = pb.Connection.FromString(data).id
            self._metadata = ((CONNECTION_KEY, identity),)
            self._town.watch.register(self._person, identity)
        stream = self._channel.unary_stream(f"/{SERVICE}/Notifications")(
            pb.Connection(id=identity).SerializeToString()
        )
        self._plan = Plan(self._dice)
        await self._call("Login", pb.LoginRequest(nickname=self._person.name))
        silences = 0
        while silences < 4:
            try:
                async with asyncio.timeout(0.3):
                    data = await stream.read()
            except TimeoutError:
                # A read that was cancelled ends the stream, and with it the connection: so nobody
                # goes on here.
                silences = 4
                await self._improvise()
                continue
            if data is grpc.aio.EOF:  # type: ignore[attr-defined]
                return
            await self._hear(pb.ServerMessage.FromString(data))
            if self._dice.random() < self._rate:
                await self._improvise()

    async def _hear(self, message: pb.ServerMessage) -> None:
        me = self._person.name
        match message.WhichOneof("message"):
            case "num_players_request":
                await self._call("NumPlayers", pb.NumPlayersResponse(numPlayers=2))
            case "ping":
                await self._call("Pong", pb.PongMessage())
            case "game_start" if message.game_start.nextPlayer == me:
                await self._turn(message.game_start.board)
            case "end_turn" if message.end_turn.nextPlayer == me != message.end_turn.player:
                await self._turn(message.end_turn.board)

    async def _turn(self, board: pb.Board) -> None:
        tiles = {(cell.row, cell.column) for cell in board.cells if cell.tile != pb.EMPTY}
        picked: list[Any] = []
        for row, column in self._plan.pick(tiles):
            data = await self._call(
                "PickTile", pb.PickTileRequest(position=pb.Position(row=row, column=column))
            )
            picked = list(pb.PickTileResponse.FromString(data).pickedTiles)
        await self._call("ConfirmPick", pb.ConfirmPickRequest())
        column = self._plan.column(len(picked))
        await self._call("ConfirmColumn", pb.ConfirmColumnRequest(columnNumber=column))
        await self._call("ConfirmOrder", pb.ConfirmOrderNotify(pickedTiles=picked))

    async def _improvise(self) -> None:
        """Call anything, with anybody's id."""
        method = self._dice.choice(list(METHODS))
        with contextlib.suppress(grpc.aio.AioRpcError):
            await self._send(method, scramble(self._mutator, METHODS[method]()))

    async def _call(self, method: str, message: Message) -> bytes:
        """A call of a turn; when it was made odd and refused, it is made again as it should be."""
        if self._dice.random() < self._rate:
            with contextlib.suppress(grpc.aio.AioRpcError):
                return await self._send(
                    method, scramble(self._mutator, type(message).FromString(message.SerializeToString()))
                )
        return await self._send(method, message.SerializeToString(), odd=False)

    async def _send(self, method: str, data: bytes, odd: bool = True) -> bytes:
        self._person.say(method.encode() + b" " + data)
        metadata = self._metadata
        if odd:
            self._town.watch.counts["odd: calls"] += 1
            metadata = self._dice.choice(
                (metadata, metadata, metadata, metadata * 2, (), ((CONNECTION_KEY, "x"),))
            )
        call: Callable[..., Any] = self._channel.unary_unary(f"/{SERVICE}/{method}")
        try:
            answer: bytes = await call(data, metadata=metadata, timeout=DEADLINE_S)
        except grpc.aio.AioRpcError as error:
            if error.code() in BROKEN:
                self._town.watch.fail(f"call {method}: {error.code()} {error.details()}")
            raise
        return answer


class FrameVisitor:
    """Speaks HTTP/2 badly to the listener of remote calls."""

    def __init__(self, town: Town) -> None:
        self._town = town
        self._dice = town.dice("frames")
        self._person = Person("frames", "frames")

    async def live(self) -> None:
        """For ever."""
        self._town.watch.people.append(self._person)
        while True:
            with contextlib.suppress(OSError, TimeoutError):
                line = await people.line(self._town.addresses["shelfie-rpc"], "127.1.254.1")
                try:
                    await self._talk(line)
                finally:
                    line.cut()
            await asyncio.sleep(0.1)

    async def _talk(self, line: people.Line) -> None:
        dice = self._dice
        data = dice.choice((b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n", b""))
        for _ in range(dice.randrange(20)):
            size = dice.choice((0, 5, 100, 16_384))
            head = (size if dice.random() < 0.9 else dice.randrange(1 << 24)).to_bytes(3, "big")
            stream = dice.choice((0, 1, 3, 2**31 - 1)).to_bytes(4, "big")
            data += head + bytes((dice.randrange(12), dice.randrange(256))) + stream + dice.randbytes(size)
        self._person.say(data)
        self._town.watch.counts["odd: frames"] += 1
        await line.raw(data)
        async with asyncio.timeout(0.2):
            await line.read()
