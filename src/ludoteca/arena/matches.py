"""One match of an arena, in whichever process: by a time or a number of looks for each decision."""

import asyncio
import time
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from ludoteca import bots
from ludoteca.arena.records import packed
from ludoteca.bots.hope import Despair, hope
from ludoteca.core import Dice, Outcome
from ludoteca.play import ACTIONS_MAX, LOOKS, Match, load, patience

# How long a program may take for a decision, by the clock on the wall.
PATIENCE_S = 30.0


class Pairing(msgspec.Struct, frozen=True):
    """Who plays whom, at which deal."""

    game: str
    levels: tuple[str, ...]
    seed: int
    # Processor seconds for a decision; 0: so many looks at the clock instead, which is the same everywhere.
    seconds: float = 0.0
    looks: int = LOOKS
    options: Mapping[str, Any] | None = None
    # Those of the levels that are programs of others, with their command lines.
    programs: Mapping[str, str] = {}
    patience_s: float = PATIENCE_S
    # After so many decisions a match counts half to both.
    decisions_max: int = ACTIONS_MAX
    # Whether a bot has lost when it has had no hope for some turns.
    adjudicated: bool = False


class Played(msgspec.Struct, frozen=True):
    """How a match went: each seat's share of the win, decisions, and seconds by seat, of the processor for
    bots and on the wall for programs; and the match itself, as a file."""

    shares: tuple[float, ...]
    reason: str
    decisions: tuple[int, ...]
    seconds: tuple[float, ...]
    slowest_s: tuple[float, ...]
    record: bytes


def play(pairing: Pairing) -> Played:
    """Play it to its end, or until it is broken off."""
    if any(level in pairing.programs for level in pairing.levels):
        from ludoteca.arena.programs import play_in_a_house

        return asyncio.run(play_in_a_house(pairing))
    game = load(pairing.game)
    seats = len(pairing.levels)
    match: Match[Any, Any, Any, Any] = Match.new(game, seats, pairing.seed, pairing.options)
    dice, clocks, despair = Dice(pairing.seed), Clocks(seats), [Despair() for _ in range(seats)]
    given_up: Outcome | None = None
    for number in range(pairing.decisions_max):
        if match.outcome is not None:
            break
        seat = next(iter(match.asked))
        private = game.redeal(match.state, seat, dice)
        if pairing.adjudicated and despair[seat].grows(number, hope(game, private, seat)):
            given_up = lost_by(seat, f"{pairing.levels[seat]} has no hope left")
            break
        began = time.process_time()
        action = bots.choose(game, pairing.levels[seat], private, seat, dice, budget(pairing))
        clocks.count(seat, time.process_time() - began)
        match.act(seat, action)
    outcome = match.outcome or given_up or Outcome((), too_long(pairing))
    decisions = [(turn.seat, (turn.action,)) for turn in match.history if turn.seat is not None]
    record = packed(name_of(pairing), game, match.setup, pairing.levels, decisions, outcome)
    return clocks.played(shares(outcome, seats), outcome.reason, record)


class Clocks:
    """How many decisions each seat made, and in which time."""

    def __init__(self, seats: int) -> None:
        self.decisions, self.seconds, self.slowest_s = [0] * seats, [0.0] * seats, [0.0] * seats

    def count(self, seat: int, spent_s: float) -> None:
        """A decision was made."""
        self.decisions[seat] += 1
        self.seconds[seat] += spent_s
        self.slowest_s[seat] = max(self.slowest_s[seat], spent_s)

    def played(self, shares: tuple[float, ...], reason: str, record: bytes) -> Played:
        """The match, with these clocks."""
        times = (tuple(self.decisions), tuple(self.seconds), tuple(self.slowest_s))
        return Played(shares, reason, *times, record)


def lost_by(loser: int, reason: str) -> Outcome:
    """The end of a match of two that one of them has lost, whatever the rules would say."""
    return Outcome((2, 1) if loser == 0 else (1, 2), reason)


def shares(outcome: Outcome, seats: int) -> tuple[float, ...]:
    """Each seat's part of the win; all none, where nobody won."""
    winners = outcome.winners
    return tuple((seat in winners) / len(winners) if winners else 0.0 for seat in range(seats))


def too_long(pairing: Pairing) -> str:
    """Why a match was broken off that nobody lost."""
    return f"no end after {pairing.decisions_max} decisions"


def name_of(pairing: Pairing) -> str:
    """The name under which a match is kept."""
    first, second = ("".join(sign for sign in level if sign.isalnum()) for level in pairing.levels)
    return f"{pairing.game}-{first[:16]}-{second[:16]}-{pairing.seed}"


def budget(pairing: Pairing) -> Callable[[], bool]:
    """How long a bot may think about a decision."""
    if not pairing.seconds:
        return patience(pairing.looks)
    until = time.process_time() + pairing.seconds
    return lambda: time.process_time() < until
