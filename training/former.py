"""Bots of today against those of a former version, with the same processor time for a decision.

    git worktree add ../before 1e7818b
    python -m training.former renaissance --source ../before/src --matches 200 --seconds 0.03 --results done

plays every deal from both sides, and goes on where it was stopped, by what the file of results holds. Each
version thinks in a process of its own, with its own sources and rules: both are told every action, deal what
a seat does not know anew by themselves, and must come to the same end. What both used is told, so that
`--former-seconds` can make it equal.
"""

import math
import os
import subprocess
import sys
import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import msgspec

# Only what a former version has, too.
from ludoteca import bots
from ludoteca.core import Dice, Seat, Setup
from ludoteca.games import load

TODAY = str(Path(__file__).parents[1] / "src")


def serve(name: str, level: str, seconds: float) -> None:
    """Follow one match after the other, and say what a bot would do, until nothing more comes."""
    game, state = load(name), None
    for line in sys.stdin.buffer:
        given = msgspec.json.decode(line)
        if "deal" in given:
            options = game.settle(game.options(), given["seats"])
            wishes = (game.preferences(),) * given["seats"]
            state, _ = game.start(Setup(given["seats"], given["deal"], options, wishes))
        elif "action" in given:
            game.apply(state, Seat(given["seat"]), msgspec.convert(given["action"], game.actions))
        else:
            dice, seat = Dice(given["chance"]), Seat(given["seat"])
            private = game.redeal(state, seat, dice)
            began = time.process_time()
            action = bots.choose(game, level, private, seat, dice, _budget(seconds))
            say({"action": action, "seconds": time.process_time() - began})
            continue
        assert state is not None
        outcome = state.outcome
        say({"asked": list(state.questions), "ranks": outcome and outcome.ranks})


def _budget(seconds: float) -> Any:
    until = time.process_time() + seconds
    return lambda: time.process_time() < until


def say(answer: Any) -> None:
    """Answer whoever asked."""
    sys.stdout.buffer.write(msgspec.json.encode(answer) + b"\n")
    sys.stdout.buffer.flush()


class Player:
    """A bot of some version, in its own process."""

    def __init__(self, source: str, name: str, level: str, seconds: float) -> None:
        self._process = subprocess.Popen(
            [sys.executable, __file__, name, "--serve", level, "--seconds", str(seconds)],
            env={**os.environ, "PYTHONPATH": source},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self.seconds, self.decisions = 0.0, 0

    def told(self, message: Any) -> Any:
        """What it answers."""
        given, said = self._process.stdin, self._process.stdout
        assert given is not None
        assert said is not None
        given.write(msgspec.json.encode(message) + b"\n")
        given.flush()
        return msgspec.json.decode(said.readline())

    def thought(self, seat: int, chance: int) -> Any:
        """What it does, and counts for."""
        answer = self.told({"seat": seat, "chance": chance})
        self.seconds += answer["seconds"]
        self.decisions += 1
        return answer["action"]


class Played(msgspec.Struct, frozen=True):
    """A match: from which side today's bot played which deal, its part of the win, and what both used."""

    deal: int
    side: int
    share: float
    decisions: tuple[int, int]
    seconds: tuple[float, float]


def matched(deal: int, side: int, today: Player, former: Player) -> Played:
    """One match."""
    both = (today, former)
    for player in both:
        player.seconds, player.decisions = 0.0, 0
    shares = play(deal, both if side == 0 else both[::-1])
    return Played(
        deal, side, shares[side], (today.decisions, former.decisions), (today.seconds, former.seconds)
    )


def play(deal: int, players: tuple[Player, ...]) -> list[float]:
    """One match of these as they sit: what part of the win each got."""
    chances = Dice(deal)
    begun = {"deal": deal, "seats": len(players)}
    stands = [player.told(begun) for player in players]
    while True:
        if any(stand != stands[0] for stand in stands):
            raise RuntimeError(f"the rules have changed: {stands}")
        ranks, asked = stands[0]["ranks"], stands[0]["asked"]
        if ranks:
            return [(rank == 1) / ranks.count(1) for rank in ranks]
        seat = asked[0]
        done = {"seat": seat, "action": players[seat].thought(seat, chances.below(1 << 63))}
        stands = [player.told(done) for player in players]


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--source", help="the folder src of the former version")
    parser.add_argument("--level", default="master", help="who plays today")
    parser.add_argument("--former", default="strong", help="who plays for the former version")
    parser.add_argument("--matches", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=0.03)
    parser.add_argument("--former-seconds", type=float, help="where it is to be another time")
    parser.add_argument("--seed", type=int, default=20001)
    parser.add_argument("--results", type=Path, help="each match is written here, and not played again")
    parser.add_argument("--serve", help="for the process of a version")
    given = parser.parse_args()
    if given.serve:
        serve(given.game, given.serve, given.seconds)
        return
    today = Player(TODAY, given.game, given.level, given.seconds)
    former = Player(given.source, given.game, given.former, given.former_seconds or given.seconds)
    done = [msgspec.json.decode(line, type=Played) for line in _lines(given.results)]
    for number in range(len(done), given.matches):
        done.append(matched(given.seed + number // 2, number % 2, today, former))
        if given.results:
            with given.results.open("ab") as file:
                file.write(msgspec.json.encode(done[-1]) + b"\n")
        print(told(done), flush=True)


def _lines(path: Path | None) -> list[bytes]:
    return path.read_bytes().splitlines() if path is not None and path.exists() else []


def told(done: list[Played]) -> str:
    """What came out so far."""
    won, count = sum(one.share for one in done), len(done)
    mean = won / count
    error = 1.96 * math.sqrt(mean * (1 - mean) / count)
    used = [sum(one.seconds[side] for one in done) for side in (0, 1)]
    each = [1000 * used[side] / sum(one.decisions[side] for one in done) for side in (0, 1)]
    return (
        f"deal {done[-1].deal}: {won:g} of {count}, {100 * mean:.1f} % ± {100 * error:.1f}; "
        f"today {used[0]:.1f} s, {each[0]:.2f} ms for a decision; before {used[1]:.1f} s, {each[1]:.2f} ms"
    )


if __name__ == "__main__":
    main()
