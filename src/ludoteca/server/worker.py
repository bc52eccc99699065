"""The program that bots think in: thoughts come in on standard input, answers go out on standard output.

It is started by `workers`, ends with the house (its input ends then), and can be killed at any time.
"""

import os
import pickle
import sys
import threading
import time
import traceback
from queue import SimpleQueue
from typing import Any, BinaryIO

import msgspec

from ludoteca import bots, games
from ludoteca.core import Dice, Seat

SIZE_BYTES = 4


class Thought(msgspec.Struct, frozen=True):
    """A question put to a bot, and how long it may think: processor time, and at most so long by the wall clock."""

    game: str
    level: str
    state: Any
    seat: int
    seed: int
    cpu_s: float
    wall_s: float


class Answer(msgspec.Struct, frozen=True):
    """What came of a thought: an action, or the traceback in `error`. `cut` says that the wall clock ended it."""

    action: Any
    error: str
    cpu_s: float
    cut: bool = False


class Budget:
    """The time of one thought. A busy machine costs waiting first, and strength only when that takes too long."""

    def __init__(self, cpu_s: float, wall_s: float) -> None:
        self._began = time.thread_time()
        self._cpu_end = self._began + cpu_s
        self._wall_end = time.monotonic() + wall_s
        self.cut = False

    def more(self) -> bool:
        """Whether there is time left."""
        if time.thread_time() >= self._cpu_end:
            return False
        self.cut = time.monotonic() >= self._wall_end
        return not self.cut

    def used_s(self) -> float:
        """The processor time so far."""
        return time.thread_time() - self._began


def think(thought: Thought) -> Answer:
    """Answer a question. What the seat cannot know is dealt anew before the bot sees the state."""
    budget = Budget(thought.cpu_s, thought.wall_s)
    action, error = None, ""
    try:
        game, seat, dice = games.load(thought.game), Seat(thought.seat), Dice(thought.seed)
        imagined = game.redeal(thought.state, seat, dice)
        action = bots.choose(game, thought.level, imagined, seat, dice, budget.more)
    except Exception:
        error = traceback.format_exc()
    return Answer(action, error, budget.used_s(), budget.cut)


def frame(data: bytes) -> bytes:
    """Bytes as they travel: their length before them."""
    return len(data).to_bytes(SIZE_BYTES, "big") + data


def _listen(source: BinaryIO, thoughts: "SimpleQueue[bytes]") -> None:
    """Take in thoughts; without a house there is nobody to think for, not even about this one."""
    while size := source.read(SIZE_BYTES):
        thoughts.put(source.read(int.from_bytes(size, "big")))
    os._exit(0)


def main() -> None:
    """Answer thoughts until the house ends. An empty frame says that the thinking itself begins."""
    # Whatever a bot prints must not be taken for an answer.
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    thoughts: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_listen, args=(sys.stdin.buffer, thoughts), daemon=True).start()
    while True:
        thought: Thought = pickle.loads(thoughts.get())
        games.load(thought.game)
        out.write(frame(b""))
        out.flush()
        out.write(frame(pickle.dumps(think(thought))))
        out.flush()
