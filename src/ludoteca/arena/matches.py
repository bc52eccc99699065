"""One match of an arena, in whichever process: by a time or a number of looks for each decision."""

import time
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from ludoteca import bots
from ludoteca.core import Dice, LocalError
from ludoteca.play import ACTIONS_MAX, LOOKS, Match, load, patience


class Pairing(msgspec.Struct, frozen=True):
    """Who plays whom, at which deal."""

    game: str
    levels: tuple[str, ...]
    seed: int
    # Processor seconds for a decision; 0: so many looks at the clock instead, which is the same everywhere.
    seconds: float = 0.0
    looks: int = LOOKS
    options: Mapping[str, Any] | None = None


class Played(msgspec.Struct, frozen=True):
    """How a match went: each seat's share of the win, decisions, and processor seconds by seat."""

    shares: tuple[float, ...]
    reason: str
    decisions: tuple[int, ...]
    seconds: tuple[float, ...]
    slowest_s: tuple[float, ...]


def play(pairing: Pairing) -> Played:
    """Play it to its end. Raises LocalError if there is none."""
    game = load(pairing.game)
    seats = len(pairing.levels)
    match: Match[Any, Any, Any, Any] = Match.new(game, seats, pairing.seed, pairing.options)
    dice = Dice(pairing.seed)
    decisions, seconds, slowest = [0] * seats, [0.0] * seats, [0.0] * seats
    for _ in range(ACTIONS_MAX):
        outcome = match.outcome
        if outcome is not None:
            winners = outcome.winners
            shares = tuple((seat in winners) / len(winners) if winners else 0.0 for seat in range(seats))
            return Played(shares, outcome.reason, tuple(decisions), tuple(seconds), tuple(slowest))
        seat = next(iter(match.asked))
        private = game.redeal(match.state, seat, dice)
        began = time.process_time()
        more = _budget(pairing.seconds) if pairing.seconds else patience(pairing.looks)
        action = bots.choose(game, pairing.levels[seat], private, seat, dice, more)
        spent = time.process_time() - began
        decisions[seat] += 1
        seconds[seat] += spent
        slowest[seat] = max(slowest[seat], spent)
        match.act(seat, action)
    raise LocalError(f"no end after {ACTIONS_MAX} actions")


def _budget(seconds: float) -> Callable[[], bool]:
    until = time.process_time() + seconds
    return lambda: time.process_time() < until
