"""Who plays the matches of a corpus: clients of every protocol over real sockets, that choose at random
and can be stopped."""

import asyncio
import contextlib
import random
import re
import time
from collections.abc import Callable
from typing import Any

import grpc.aio
from tests import rig

from ludoteca import games
from ludoteca.server import rpc

PATIENCE_S = 30.0


class Player:
    """Somebody at a table.

    `moves` is how many decisions they may still make; the rest of the time they listen.
    """

    def __init__(self, name: str, dice: random.Random) -> None:
        self.name = name
        self.dice = dice
        self.moves = 0
        self.made = 0
        self.begun = False
        self.over = False
        self.game = ""
        self.token = ""
        self.table = ""
        self.seat: int | None = None
        self._task: asyncio.Task[None] | None = None
        self._changed = asyncio.Event()

    def changed(self) -> None:
        """Something may be as somebody waits for."""
        self._changed.set()

    async def until(self, true: Callable[[], object], what: str = "") -> None:
        """Wait for something about this player."""
        end = time.monotonic() + PATIENCE_S
        while not true():
            if self._task is not None and self._task.done() and not self._task.cancelled():
                self._task.result()
            assert time.monotonic() < end, f"{self.name} waits in vain {what}: {self}"
            self._changed.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), 0.2)

    async def until_begun(self) -> None:
        """Wait for the match to begin."""
        await self.until(lambda: self.begun, "for the match to begin")

    async def until_over(self) -> None:
        """Wait for its end."""
        await self.until(lambda: self.over, "for the end")

    async def until_made(self, moves: int) -> None:
        """Wait for so many decisions, or the end."""
        await self.until(lambda: self.over or self.made >= moves, "for a move")

    @property
    def listens(self) -> bool:
        """Whether the connection still stands."""
        return self._task is not None and not self._task.done()

    def listen(self) -> None:
        """Begin to hear and to answer."""
        self._task = asyncio.create_task(self.run())

    async def run(self) -> None:
        """Hear and answer until the end."""
        raise NotImplementedError

    async def close(self) -> None:
        """Stop listening."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])


class HousePlayer(Player):
    """A player of Ludoteca's own protocol."""

    client: rig.Client

    async def enter(self, server: Any) -> "HousePlayer":
        """Come in under the name, or with the token of a seat."""
        self.client = await rig.connect(server, "house")
        if self.token:
            await self.client.send({"type": "return", "token": self.token, "options_max": 1000})
        else:
            await self.client.send({"type": "hello", "name": self.name, "options_max": 1000})
        self.question: dict[str, Any] | None = None
        self.heard: list[str] = []
        self.listen()
        await self.until(lambda: "welcome" in self.heard)
        return self

    async def say(self, **message: Any) -> None:
        """Send a message."""
        await self.client.send(message)

    async def sit(self, **message: Any) -> None:
        """Send a message that leads to a seat."""
        before = self.heard.count("seated")
        await self.client.send(message)
        await self.until(lambda: self.heard.count("seated") > before, f"for a seat after {message}")

    async def settled(self) -> None:
        """Wait until everything that was said so far has been answered."""
        before = self.heard.count("pong")
        await self.say(type="ping")
        await self.until(lambda: self.heard.count("pong") > before, "for an answer")

    async def go_on(self) -> None:
        """Answer the pending question if there are moves left."""
        question = self.question
        if question is None or self.moves <= 0:
            return
        self.question, self.moves, self.made = None, self.moves - 1, self.made + 1
        if "options" not in question:
            await self.say(type="options", start=self.dice.randrange(question["count"]), count=1)
            return
        await self.say(type="act", action=self.dice.choice(question["options"]), at=question["number"])

    async def run(self) -> None:
        while (message := await self.client.message(PATIENCE_S * 10)) is not None:
            kind = message["type"]
            self.heard.append(kind)
            if kind == "question":
                self.question = message
                await self.go_on()
            elif kind == "options":
                await self.say(type="act", action=message["options"][0], at=message["number"])
            elif kind == "seated":
                self.token = message["token"] or self.token
                self.table, self.seat, self.over = message["table"]["id"], message["seat"], False
                self.question = None
            elif kind in ("over", "gone"):
                self.over, self.question = True, None
            elif kind == "declined":
                raise AssertionError(f"{self.name}: {message}")
            self.changed()

    async def close(self) -> None:
        await super().close()
        self.client.cut()


class SeedPlayer(Player):
    """A player of a game's own protocol, with the game's own client.

    Before there is a board, answers are about the table.
    """

    def __init__(self, game: str, name: str, dice: random.Random, seats: int, opens: bool) -> None:
        super().__init__(name, dice)
        self.game = game
        self.said: list[str] = []
        self._caller = games.load_client(game)(name)
        number = rf"\b{seats}\b"
        self._wanted = [number] if opens else [r"^join\b", r"^look again$", number]

    def __repr__(self) -> str:
        return f"{self.game}: {self._caller.sentence!r} {self._caller.answers[:5]} {self.said[-3:]}"

    async def enter(self, server: Any) -> "SeedPlayer":
        """Connect."""
        self.client = await rig.connect(server, self.game)
        self.listen()
        return self

    async def run(self) -> None:
        reader, caller = self.client.reader, self._caller
        self.client.writer.write(caller.open(time.monotonic()))
        reading = asyncio.ensure_future(reader.read(1 << 16))
        try:
            while True:
                self._answer()
                alarm = caller.alarm
                wait = 0.1 if alarm is None else min(0.1, max(0.0, alarm - time.monotonic()))
                done, _ = await asyncio.wait([reading], timeout=wait)
                if done:
                    data = reading.result()
                    if not data:
                        break
                    self.client.writer.write(caller.receive(data, time.monotonic()))
                    reading = asyncio.ensure_future(reader.read(1 << 16))
                elif caller.alarm is not None and caller.alarm <= time.monotonic():
                    self.client.writer.write(caller.tick(time.monotonic()))
                self.begun = bool(caller.picture)
                self.over = caller.over
                self.changed()
        finally:
            reading.cancel()
        self.over = True
        self.changed()

    def _answer(self) -> None:
        caller = self._caller
        self.said += caller.news
        caller.news.clear()
        while caller.answers and not caller.over and (not self.begun or self.moves > 0):
            data = caller.answer(self.dice.choice(self._sensible()))
            if data:
                self.made += self.begun
                self.moves -= self.begun
                self.client.writer.write(data)

    def _sensible(self) -> list[str]:
        answers = list(self._caller.answers)
        if self.begun:
            return answers
        fitting = ([a for a in answers if re.search(word, a)] for word in self._wanted)
        return next((found for found in fitting if found), answers)

    async def close(self) -> None:
        await super().close()
        self.client.cut()


class RemotePlayer(Player):
    """A player of My Shelfie through remote calls."""

    def __init__(self, name: str, dice: random.Random, seats: int) -> None:
        super().__init__(name, dice)
        self.seats = seats
        self.errors: list[str] = []
        self._service: Any = rpc.load("shelfie")

    async def enter(self, server: Any) -> "RemotePlayer":
        """Connect and log in."""
        pb = self._service.pb
        host, port = server.addresses["shelfie-rpc"]
        self.channel: Any = grpc.aio.insecure_channel(
            f"{host}:{port}", options=[("grpc.use_local_subchannel_pool", 1)]
        )
        self._stub: Any = self._service.MyShelfieStub(self.channel)
        connection = await self._stub.Connect(pb.ConnectRequest())
        self._metadata = ((self._service.CONNECTION_KEY, connection.id),)
        self._stream = self._stub.Notifications(connection)
        self.listen()
        assert (await self._call("Login", pb.LoginRequest(nickname=self.name))).HasField("nickname")
        return self

    async def _call(self, method: str, request: Any) -> Any:
        return await getattr(self._stub, method)(request, metadata=self._metadata, timeout=PATIENCE_S)

    async def run(self) -> None:
        pb = self._service.pb
        async for message in self._stream:
            kind = message.WhichOneof("message")
            if kind == "num_players_request":
                await self._call("NumPlayers", pb.NumPlayersResponse(numPlayers=self.seats))
            elif kind == "ping":
                await self._call("Pong", pb.PongMessage())
            elif kind in ("game_start", "end_turn"):
                self.begun = True
                told = getattr(message, kind)
                last = kind == "end_turn" and told.player == self.name
                if told.nextPlayer == self.name and not last and self.moves > 0:
                    self.moves, self.made = self.moves - 1, self.made + 1
                    await self._turn(told.board.cells)
            elif kind == "game_result":
                self.over = True
            elif kind == "error":
                self.errors.append(message.error.message)
            self.changed()
        self.over = True
        self.changed()

    async def _turn(self, cells: Any) -> None:
        pb = self._service.pb
        picked: list[int] = []
        left = [cell for cell in cells if cell.tile != pb.EMPTY]
        self.dice.shuffle(left)
        for cell in left:
            request = pb.PickTileRequest(position=pb.Position(row=cell.row, column=cell.column))
            picked = list((await self._call("PickTile", request)).pickedTiles)
        await self._call("ConfirmPick", pb.ConfirmPickRequest())
        for column in range(5):
            chosen = pb.ConfirmColumnRequest(columnNumber=column)
            if (await self._call("ConfirmColumn", chosen)).valid:
                break
        await self._call("ConfirmOrder", pb.ConfirmOrderNotify(pickedTiles=picked))

    async def close(self) -> None:
        await super().close()
        await self.channel.close()
