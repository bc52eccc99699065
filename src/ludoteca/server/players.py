"""Bots at work: they sit at tables like anybody and are asked like anybody; they think in processes of their own."""

import asyncio
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import structlog

from ludoteca import bots, games
from ludoteca.core import Dice, Notice, Seat
from ludoteca.core.notices import Asked
from ludoteca.core.requests import Act
from ludoteca.hall import Guest
from ludoteca.server.house import House

log = structlog.get_logger()

TROUBLE_PAUSE_S = 0.2


def think(name: str, level: str, state: Any, seat: int, seed: int, budget_s: float) -> Any:
    """Runs in a worker: what this bot does in this position."""
    end = time.monotonic() + budget_s
    return bots.choose(games.load(name), level, state, Seat(seat), Dice(seed), lambda: time.monotonic() < end)


def _end_with_parent(house: int) -> None:
    """A worker whose house was killed, perhaps before the worker began, would wait for work for ever."""

    def watch() -> None:
        while os.getppid() == house:
            time.sleep(1.0)
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


class Workshop:
    """The processes that bots think in, started when the first bot is asked something."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._pool: ProcessPoolExecutor | None = None
        self._thinking: set[asyncio.Task[None]] = set()

    def drive(self, guest: Guest) -> "BotPlayer":
        """The driver of one bot."""
        return BotPlayer(guest, self.answer)

    def answer(self, guest: Guest, number: int) -> None:
        """Think about the question asked under this number, and answer it."""
        if not self._house.closing:
            task = asyncio.get_running_loop().create_task(self._answer(guest, number))
            self._thinking.add(task)
            task.add_done_callback(self._thinking.discard)

    async def _answer(self, guest: Guest, number: int) -> None:
        imagined = self._house.hall.imagine(guest, number)
        if imagined is None:
            return
        game, state, seat, dice = imagined
        options = state.questions[seat].options
        budget_s = self._house.settings.bot_s
        try:
            if guest.bot == "random" or len(options) == 1:
                action = dice.choice(options)
            else:
                action = await self._think(game.name, guest.bot, state, seat, dice.below(1 << 63), budget_s)
        except asyncio.CancelledError:
            raise
        except Exception:
            # A bot that breaks down must not keep the others waiting: it goes on as a random player.
            log.exception("bot failed, playing at random", game=game.name, bot=guest.bot)
            action = dice.choice(options)
        while self._house.trouble and not self._house.closing:
            # Nobody's requests are taken while the journal cannot be written; people are not read, bots wait.
            await asyncio.sleep(TROUBLE_PAUSE_S)
        if not self._house.closing:
            self._house.metrics.bot_moves.labels(game.name).inc()
            self._house.submit(guest, [Act((action,), number)])

    async def _think(self, *arguments: Any) -> Any:
        if self._house.settings.bot_workers == 0:
            return await asyncio.to_thread(think, *arguments)
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                self._house.settings.bot_workers,
                get_context("spawn"),
                initializer=_end_with_parent,
                initargs=(os.getpid(),),
            )
        return await asyncio.get_running_loop().run_in_executor(self._pool, think, *arguments)

    def close(self) -> None:
        """Stop thinking."""
        for task in self._thinking:
            task.cancel()
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)


class BotPlayer:
    """The shell behind a bot's chair: it hears everything and cares about questions only."""

    __slots__ = ("_answer", "_guest", "_number")

    def __init__(self, guest: Guest, answer: Callable[[Guest, int], None]) -> None:
        self._guest = guest
        self._answer = answer
        self._number: int | None = None

    def deliver(self, notice: Notice) -> None:
        """Remember the newest question."""
        if isinstance(notice, Asked):
            self._number = notice.number

    def flush(self) -> None:
        """Answer it."""
        if self._number is not None:
            number, self._number = self._number, None
            self._answer(self._guest, number)

    def pause(self, paused: bool) -> None:
        """Bots wait by themselves."""

    def fail(self) -> None:
        """There is nothing to close behind a bot; it is asked again with the next question."""
