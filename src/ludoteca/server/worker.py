"""The program that bots think in: a child of the house that is asked thoughts."""

import pickle
import time
import traceback
from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec

from ludoteca import bots, games
from ludoteca.bots.hope import hope
from ludoteca.core import Dice, Seat
from ludoteca.core.notices import Advice
from ludoteca.server import child

# The part of the time for advice in which the bot looks for the best answer; then it compares.
CHOOSING = 0.7


class Thought(msgspec.Struct, frozen=True):
    """A question put to a bot, and how long it may think: processor time, and at most so long
    by the wall clock. With `advice` it also says what other answers it compared, and why."""

    game: str
    level: str
    state: Any
    seat: int
    seed: int
    cpu_s: float
    wall_s: float
    advice: bool = False
    # Whether to say how much hope there is, too.
    hope: bool = False


class Answer(msgspec.Struct, frozen=True):
    """What came of a thought: an action, or the traceback in `error`.

    `cut` says that the wall clock ended it.
    """

    action: Any
    error: str
    cpu_s: float
    cut: bool = False
    advice: tuple[Advice, ...] = ()
    hope: float | None = None


class Budget:
    """The time of one thought.

    A busy machine costs waiting first, and strength only when that takes too long.
    """

    def __init__(self, cpu_s: float, wall_s: float) -> None:
        self._began = time.thread_time()
        self._cpu_end = self._began + cpu_s
        self._wall_end = time.monotonic() + wall_s
        self.cut = False

    def more(self, part: float = 1.0) -> bool:
        """Whether there is time left, of all of it or of the first part."""
        if time.thread_time() >= self._began + part * (self._cpu_end - self._began):
            return False
        self.cut = time.monotonic() >= self._wall_end
        return not self.cut

    def used_s(self) -> float:
        """The processor time so far."""
        return time.thread_time() - self._began


def think(thought: Thought) -> Answer:
    """Answer a question. What the seat cannot know is dealt anew before the bot sees the state."""
    budget = Budget(thought.cpu_s, thought.wall_s)
    action, error, left = None, "", None
    advice: tuple[Advice, ...] = ()
    try:
        game, seat, dice = games.load(thought.game), Seat(thought.seat), Dice(thought.seed)
        imagined = game.redeal(thought.state, seat, dice)
        if thought.advice:
            first = partial(budget.more, CHOOSING)
            advice = tuple(bots.advise(game, imagined, seat, dice, first, budget.more, thought.level))
            action = advice[0].action
        else:
            left = hope(game, imagined, seat) if thought.hope else None
            action = bots.choose(game, thought.level, imagined, seat, dice, budget.more)
    except Exception:
        error = traceback.format_exc()
    return Answer(action, error, budget.used_s(), budget.cut, advice, left)


def _prepare(question: bytes) -> Callable[[], bytes]:
    thought: Thought = pickle.loads(question)
    games.load(thought.game)
    return lambda: pickle.dumps(think(thought))


def main() -> None:
    """Answer thoughts until the house ends."""
    child.serve(_prepare)
