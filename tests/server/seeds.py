"""Players of the five games' own protocols over real sockets, as `ludoteca connect` speaks
them, from any address."""

import asyncio
import contextlib
import json
from collections.abc import Callable
from typing import Any

from tests import rig

from ludoteca import games
from ludoteca.core.talk import Caller
from ludoteca.server.serve import Server

HERE, ELSEWHERE = "127.0.0.1", "127.0.0.2"


class Seed:
    """One player of one game.

    Until the match begins the questions answer themselves: join, or open for two.
    """

    def __init__(self, game: str, name: str, address: str = HERE) -> None:
        self.caller: Caller = games.load_client(game)(name)
        self.heard = b""
        self._game = game
        self._address = address
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def connect(self, server: Server | rig.Process) -> "Seed":
        """Come in and say who we are."""
        host, port = server.addresses[self._game]
        reader, self._writer = await asyncio.open_connection(host, port, local_addr=(self._address, 0))
        self._writer.write(self.caller.open(self._now()))
        self._task = asyncio.create_task(self._run(reader))
        return self

    @staticmethod
    def _now() -> float:
        return asyncio.get_running_loop().time()

    async def _run(self, reader: asyncio.StreamReader) -> None:
        caller = self.caller
        while True:
            pause = None if caller.alarm is None else max(0.0, caller.alarm - self._now())
            try:
                async with asyncio.timeout(pause):
                    data = await reader.read(1 << 16)
            except TimeoutError:
                self.send(caller.tick(self._now()))
                continue
            except ConnectionError:
                data = b""
            if not data:
                caller.close()
                self._changed.set()
                return
            self.heard += data
            self.send(caller.receive(data, self._now()))
            if caller.sentence and not caller.picture:
                self.send(caller.answer(_first_choice(caller.answers)))
            self._changed.set()

    def send(self, data: bytes) -> None:
        """Say something."""
        assert self._writer is not None
        if data and not self._writer.is_closing():
            self._writer.write(data)

    def say(self, message: dict[str, Any]) -> None:
        """Send a message of one's own."""
        self.send(json.dumps(message).encode() + b"\n")

    async def until(self, happened: Callable[["Seed"], Any]) -> "Seed":
        """Wait until something is so."""
        async with asyncio.timeout(rig.PATIENCE_S):
            while not happened(self):
                self._changed.clear()
                await self._changed.wait()
        return self

    async def quiet(self, seconds: float = 0.4) -> "Seed":
        """Wait until the house has had nothing to say for a while, or has been talking for long enough."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(4 * seconds):
                while not self.caller.over:
                    self._changed.clear()
                    async with asyncio.timeout(seconds):
                        await self._changed.wait()
        return self

    async def close(self) -> None:
        """Hang up."""
        if self._task is not None:
            self._task.cancel()
        if self._writer is not None:
            self._writer.close()
            with contextlib.suppress(ConnectionError):
                await self._writer.wait_closed()


def _first_choice(answers: tuple[str, ...]) -> str:
    """Join what there is, else open for two; where neither is asked, whatever comes first."""
    for answer in answers:
        if answer.startswith("join") or "2" in answer.split():
            return answer
    return answers[0]
