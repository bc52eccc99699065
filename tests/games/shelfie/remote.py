"""Players for tests with real sockets: a house with remote calls, and clients that play
by the protocol alone."""

import contextlib
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import grpc.aio
from google.protobuf.json_format import MessageToDict
from tests import rig

from ludoteca.games.shelfie.rpc import CONNECTION_KEY, MyShelfieStub, pb
from ludoteca.server.serve import Server

# What reading a stream gives after its last message; the stubs of grpc do not know it.
END: Any = grpc.aio.EOF  # type: ignore[attr-defined]


def house(folder: Path, *listeners: str, **more: Any) -> contextlib.AbstractAsyncContextManager[Server]:
    """A house in this process that also serves remote calls."""
    return rig.house(folder, "shelfie-rpc", *listeners, **more)


class Addressed(Protocol):
    """Whatever knows where a house listens."""

    addresses: dict[str, tuple[str, int]]


class Remote:
    """A connection that makes calls. `seen` are the messages of the stream so far, as dictionaries."""

    def __init__(self, server: Addressed) -> None:
        host, port = server.addresses["shelfie-rpc"]
        self.channel: Any = grpc.aio.insecure_channel(f"{host}:{port}")
        self.stub: Any = MyShelfieStub(self.channel)
        self.metadata: tuple[tuple[str, str], ...] = ()
        self.stream: Any = None
        self.seen: list[dict[str, Any]] = []
        # Told the bytes of each of them.
        self.heard: Callable[[bytes], None] = lambda _data: None

    async def connect(self) -> "Remote":
        """Get an id and open the stream."""
        connection = await self.stub.Connect(pb.ConnectRequest())
        self.metadata = ((CONNECTION_KEY, connection.id),)
        self.stream = self.stub.Notifications(connection)
        return self

    async def call(self, method: str, request: Any, timeout_s: float = 20.0) -> Any:
        """One unary call."""
        return await getattr(self.stub, method)(request, metadata=self.metadata, timeout=timeout_s)

    async def next(self) -> tuple[str, Any] | None:
        """The next message of the stream that is no ping: its kind and itself. None at the end."""
        while True:
            message = await self.stream.read()
            if message is END:
                return None
            assert message.seq == len(self.seen) + 1
            self.seen.append(MessageToDict(message))
            self.heard(message.SerializeToString())
            kind = message.WhichOneof("message")
            if kind == "ping":
                # The house may have ended the connection already, with its last messages still to be read.
                with contextlib.suppress(grpc.aio.AioRpcError):
                    await self.call("Pong", pb.PongMessage())
            else:
                return kind, getattr(message, kind)

    async def until(self, wanted: str) -> Any:
        """Read the stream up to the first message of this kind."""
        while (found := await self.next()) is not None:
            if found[0] == wanted:
                return found[1]
        raise AssertionError(f"the stream ended before {wanted}: {self.seen[-3:]}")

    async def close(self) -> None:
        """Hang up."""
        await self.channel.close()


async def play_by_calls(remote: Remote, name: str, dice: random.Random) -> list[tuple[str, Any]]:
    """Play to the end; everything the stream said."""
    heard = []
    while (found := await remote.next()) is not None:
        kind, message = found
        heard.append(found)
        if kind in ("game_start", "end_turn") and message.nextPlayer == name:
            if kind == "end_turn" and message.player == name:
                continue  # The last turn of all.
            picked: list[pb.Tile] = []
            cells = [cell for cell in message.board.cells if cell.tile != pb.EMPTY]
            dice.shuffle(cells)
            for cell in cells:
                request = pb.PickTileRequest(position=pb.Position(row=cell.row, column=cell.column))
                picked = list((await remote.call("PickTile", request)).pickedTiles)
            assert (await remote.call("ConfirmPick", pb.ConfirmPickRequest())).valid
            for column in range(5):
                chosen = pb.ConfirmColumnRequest(columnNumber=column)
                if (await remote.call("ConfirmColumn", chosen)).valid:
                    break
            dice.shuffle(picked)
            ended = await remote.call("ConfirmOrder", pb.ConfirmOrderNotify(pickedTiles=picked))
            assert ended.accepted
    return heard


async def play_briefly(remote: Remote, name: str, dice: random.Random) -> list[tuple[str, Any]]:
    """The same with two tiles a turn and no tries: a handful of calls, for machines that
    have others to serve."""
    heard = []
    space = [6] * 5
    while (found := await remote.next()) is not None:
        kind, message = found
        heard.append(found)
        if kind not in ("game_start", "end_turn") or message.nextPlayer != name:
            continue
        if kind == "end_turn" and message.player == name:
            continue  # The last turn of all.
        tiles = {(cell.row, cell.column) for cell in message.board.cells if cell.tile != pb.EMPTY}
        free = {place for place in tiles if not tiles.issuperset(_around(place))}
        first = dice.choice(sorted(free))
        places = [first, *[place for place in _around(first) if place in free]][: min(2, max(space))]
        for row, column in places:
            request = pb.PickTileRequest(position=pb.Position(row=row, column=column))
            picked = (await remote.call("PickTile", request)).pickedTiles
        assert (await remote.call("ConfirmPick", pb.ConfirmPickRequest())).valid
        column = next(column for column, left in enumerate(space) if left >= len(places))
        space[column] -= len(places)
        assert (await remote.call("ConfirmColumn", pb.ConfirmColumnRequest(columnNumber=column))).valid
        assert (await remote.call("ConfirmOrder", pb.ConfirmOrderNotify(pickedTiles=picked))).accepted
    return heard


def _around(place: tuple[int, int]) -> list[tuple[int, int]]:
    row, column = place
    return [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]


async def play_by_lines(client: rig.Client, name: str, dice: random.Random) -> list[dict[str, Any]]:
    """Play to the end of the connection; all messages."""
    heard: list[dict[str, Any]] = []

    async def ask(kind: str, answer: str, **fields: Any) -> dict[str, Any]:
        await client.send({"type": kind, **fields})
        while True:
            message = await client.message()
            assert message is not None
            if message["type"] == answer:
                return message
            heard.append(message)

    while (message := await client.message()) is not None:
        heard.append(message)
        if message["type"] == "PingMessage":
            await client.send({"type": "PongMessage"})
        if message["type"] in ("GameStartNotify", "EndTurnNotify") and message["nextPlayer"] == name:
            if message.get("player") == name:
                continue
            picked: list[str] = []
            cells = [cell for cell in message["board"]["cells"] if cell["tile"] != "EMPTY"]
            dice.shuffle(cells)
            for cell in cells:
                place = {"row": cell["row"], "column": cell["column"]}
                picked = (await ask("PickTileRequest", "PickTileResponse", position=place))["pickedTiles"]
            assert (await ask("ConfirmPickRequest", "ConfirmPickResponse"))["valid"]
            for column in range(5):
                answer = await ask("ConfirmColumnRequest", "ConfirmColumnResponse", columnNumber=column)
                if answer["valid"]:
                    break
            dice.shuffle(picked)
            await client.send({"type": "ConfirmOrderNotify", "pickedTiles": picked})
    return heard


async def play_by_options(client: rig.Client, dice: random.Random) -> list[dict[str, Any]]:
    """Play through Ludoteca's own protocol, choosing among the offered options; all messages
    up to the end."""
    while True:
        message = await client.message()
        assert message is not None
        if message["type"] == "question":
            await client.send(
                {"type": "act", "action": dice.choice(message["options"]), "at": message["number"]}
            )
        elif message["type"] == "over":
            return client.heard
