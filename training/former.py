"""Bots of today against those of a former version, with the same processor time for a decision.

    git worktree add ../before d644b7e
    python -m training.former renaissance --source ../before/src --matches 200 --seconds 0.03

plays every deal from both sides. The former version thinks in a process of its own, with its own sources (its
states must still be read there, else take a later commit), and what both used is told.
"""

import math
import os
import pickle
import subprocess
import sys
import time
from argparse import ArgumentParser
from typing import Any

from ludoteca import bots
from ludoteca.core import Dice, Seat
from ludoteca.play import Match, load


def think(name: str, level: str, seconds: float, thought: tuple[Any, Seat, int]) -> tuple[Any, float]:
    """What a bot answers to a state, seat and chance, and the seconds that it took."""
    state, seat, chance = thought
    began = time.process_time()
    until = began + seconds
    game, more = load(name), lambda: time.process_time() < until
    action = bots.choose(game, level, state, seat, Dice(chance), more)
    return action, time.process_time() - began


def serve(name: str, level: str, seconds: float) -> None:
    """Answer whatever comes, until nothing more does."""
    given, said = sys.stdin.buffer, sys.stdout.buffer
    while True:
        try:
            thought = pickle.load(given)
        except EOFError:
            return
        pickle.dump(think(name, level, seconds, thought), said)
        said.flush()


class Former:
    """A bot of a former version, in its own process."""

    def __init__(self, source: str, name: str, level: str, seconds: float) -> None:
        self._process = subprocess.Popen(
            [sys.executable, __file__, name, "--serve", level, "--seconds", str(seconds)],
            env={**os.environ, "PYTHONPATH": source},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def __call__(self, thought: tuple[Any, Seat, int]) -> tuple[Any, float]:
        given, said = self._process.stdin, self._process.stdout
        assert given is not None
        assert said is not None
        pickle.dump(thought, given)
        given.flush()
        answer: tuple[Any, float] = pickle.load(said)
        return answer


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--source", help="the folder src of the former version")
    parser.add_argument("--level", default="master", help="who plays today")
    parser.add_argument("--former", default="strong", help="who plays for the former version")
    parser.add_argument("--matches", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=0.03)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--serve", help="for the process of the former version")
    given = parser.parse_args()
    if given.serve:
        serve(given.game, given.serve, given.seconds)
        return
    former = Former(given.source, given.game, given.former, given.seconds)
    won, used, decisions = 0.0, [0.0, 0.0], [0, 0]
    for number in range(given.matches):
        deal, side = given.seed + number // 2, number % 2
        match: Match[Any, Any, Any, Any] = Match.new(load(given.game), 2, deal)
        dice = Dice(deal)
        while match.outcome is None:
            seat = next(iter(match.asked))
            thought = (match.game.redeal(match.state, seat, dice), seat, dice.below(1 << 63))
            today = seat == side
            action, seconds = (
                think(given.game, given.level, given.seconds, thought) if today else former(thought)
            )
            used[today] += seconds
            decisions[today] += 1
            match.act(seat, action)
        winners = match.outcome.winners
        won += (side in winners) / len(winners)
        share, count = won / (number + 1), number + 1
        error = 1.96 * math.sqrt(share * (1 - share) / count)
        print(
            f"{won:g} of {count}, {100 * share:.1f} % ± {100 * error:.1f}; for a decision "
            f"{1000 * used[1] / max(1, decisions[1]):.1f} ms today, "
            f"{1000 * used[0] / max(1, decisions[0]):.1f} ms before",
            flush=True,
        )


if __name__ == "__main__":
    main()
