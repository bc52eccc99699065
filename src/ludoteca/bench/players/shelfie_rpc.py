"""Plays My Shelfie through remote calls: the same turns as over its lines, each of them some
four or five calls."""

import asyncio
import random
from collections.abc import AsyncIterable, AsyncIterator
from pathlib import Path
from typing import Any

import grpc.aio
from google.protobuf.message import Message

from ludoteca.bench.bouts import Table
from ludoteca.bench.links import Link
from ludoteca.bench.players.shelfie import MOVES, Place, Plan
from ludoteca.bench.processes import BenchError
from ludoteca.server import rpc

__all__ = ["MOVES", "Driver", "StreamDriver"]

DEADLINE_S = 20.0
# What the game offers to those who call it; nobody outside a game's folder imports it by name.
_service: Any = rpc.load("shelfie")
pb = _service.pb
# Else all channels of a process to one address share one connection.
_CHANNEL = [("grpc.use_local_subchannel_pool", 1)]


class CallLink:
    """A channel with what runs on it."""

    def __init__(self, address: tuple[str, int]) -> None:
        self.channel: Any = grpc.aio.insecure_channel("{}:{}".format(*address), options=_CHANNEL)
        self.tasks: set[asyncio.Task[None]] = set()
        self.open = True

    def send(self, line: bytes) -> None:
        """There are no lines."""
        raise NotImplementedError

    def run(self, work: Any) -> None:
        """Do something as long as the channel stands."""
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: "asyncio.Task[None]") -> None:
        self.tasks.discard(task)
        if not task.cancelled() and self.open:
            # A failure shows itself as a bout that stands still, and here why it does.
            task.result()

    def close(self) -> None:
        """Hang up."""
        if self.open:
            self.open = False
            for task in self.tasks:
                task.cancel()
            self.run(self.channel.close())


class RemotePlayer:
    """One seat."""

    link: Link

    def __init__(self, table: Table, name: str, dice: random.Random, address: tuple[str, int]) -> None:
        self._table = table
        self._name = name
        self._plan = Plan(dice)
        self._tiles: set[Place] = set()
        self._calls = CallLink(address)
        self.link = self._calls
        self._stub: Any = _service.MyShelfieStub(self._calls.channel)
        self._metadata: tuple[tuple[str, str], ...] = ()
        loop = asyncio.get_running_loop()
        self.seated: asyncio.Future[None] = loop.create_future()
        self.begun: asyncio.Future[None] = loop.create_future()

    async def enter(self) -> None:
        """Connect, open the stream, say the name."""
        connection = await self._stub.Connect(pb.ConnectRequest(), timeout=DEADLINE_S)
        self._metadata = ((_service.CONNECTION_KEY, connection.id),)
        self._calls.run(self._listen(self._stub.Notifications(connection)))
        if not (await self._call("Login", pb.LoginRequest(nickname=self._name))).HasField("nickname"):
            raise BenchError(f"the name {self._name} was refused")

    async def _call(self, method: str, request: Message) -> Any:
        return await getattr(self._stub, method)(request, metadata=self._metadata, timeout=DEADLINE_S)

    async def _listen(self, stream: AsyncIterable[Any]) -> None:
        async for message in stream:
            match message.WhichOneof("message"):
                case "end_turn":
                    self._table.results += 1
                    self._turn(message.end_turn, message.end_turn.player)
                case "game_start":
                    self.begun.set_result(None)
                    self._turn(message.game_start, "")
                case "num_players_request":
                    await self._call("NumPlayers", pb.NumPlayersResponse(numPlayers=2))
                case "lobby_info" if not self.seated.done():
                    self.seated.set_result(None)
                case "ping":
                    await self._call("Pong", pb.PongMessage())
                case "game_result":
                    self._table.over = True

    def _turn(self, message: Any, player: str) -> None:
        """Somebody's turn begins. The last of all names its player again."""
        if message.nextPlayer == self._name != player:
            cells = message.board.cells
            self._tiles = {(cell.row, cell.column) for cell in cells if cell.tile != pb.EMPTY}
            self._table.on_turn(self)

    def move(self) -> None:
        """Play a turn."""
        self._calls.run(self._play())

    async def _play(self) -> None:
        picked: list[int] = []
        for row, column in self._plan.pick(self._tiles):
            request = pb.PickTileRequest(position=pb.Position(row=row, column=column))
            picked = list((await self._call("PickTile", request)).pickedTiles)
        await self._call("ConfirmPick", pb.ConfirmPickRequest())
        column = self._plan.column(len(picked))
        await self._call("ConfirmColumn", pb.ConfirmColumnRequest(columnNumber=column))
        await self._call("ConfirmOrder", pb.ConfirmOrderNotify(pickedTiles=picked))


class StreamPlayer(RemotePlayer):
    """The same on the stream of Play: a turn is one message."""

    async def enter(self) -> None:
        """Open the stream, say the name."""
        self._play_call = self._stub.Play(wait_for_ready=True)
        self._outbox: asyncio.Queue[Message] = asyncio.Queue()
        self._calls.run(self._write())
        self._say(pb.ClientMessage(login=pb.LoginRequest(nickname=self._name)))
        self._calls.run(self._listen(self._told()))

    async def _told(self) -> AsyncIterator[Any]:
        async for told in self._play_call:
            for message in told.messages:
                yield message

    def _say(self, *said: Message) -> None:
        self._outbox.put_nowait(pb.ClientMessages(messages=said))

    async def _write(self) -> None:
        """One after the other: a stream bears no two writers."""
        while True:
            await self._play_call.write(await self._outbox.get())

    async def _call(self, method: str, request: Message) -> Any:
        """What the house asks for by itself is answered on the stream, too."""
        place = {"NumPlayers": "num_players", "Pong": "pong"}[method]
        self._say(pb.ClientMessage(**{place: request}))

    def _turn(self, message: Any, player: str) -> None:
        self._colours = {(cell.row, cell.column): cell.tile for cell in message.board.cells}
        super()._turn(message, player)

    def move(self) -> None:
        """Play a turn."""
        places = self._plan.pick(self._tiles)
        picks = [pb.PickTileRequest(position=pb.Position(row=row, column=column)) for row, column in places]
        order = pb.ConfirmOrderNotify(pickedTiles=[self._colours[place] for place in places])
        column = pb.ConfirmColumnRequest(columnNumber=self._plan.column(len(places)))
        self._say(
            *(pb.ClientMessage(pick_tile=one) for one in picks),
            pb.ClientMessage(confirm_pick=pb.ConfirmPickRequest()),
            pb.ClientMessage(confirm_column=column),
            pb.ClientMessage(confirm_order=order),
        )


class Driver:
    """Tables of two."""

    player: type[RemotePlayer] = RemotePlayer

    def __init__(self, _data: Path) -> None:
        self._dice = random.Random(1)
        self._count = 0

    async def seat(self, address: tuple[str, int]) -> Table:
        """A table with two players."""
        table = Table()
        players = []
        for _ in range(2):
            self._count += 1
            player = self.player(table, f"player{self._count}", self._dice, address)
            await player.enter()
            await asyncio.wait_for(player.seated, DEADLINE_S)
            players.append(player)
        table.players.extend(players)
        for player in players:
            await asyncio.wait_for(player.begun, DEADLINE_S)
        return table


class StreamDriver(Driver):
    """The same over the one call that needs least."""

    player = StreamPlayer
