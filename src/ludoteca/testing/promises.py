"""The list of promises, and what several of them look at."""

import sys
from collections.abc import Callable
from typing import Any

import msgspec

from ludoteca.core import Game, Outcome, Refused

Promise = Callable[[Game], None]
PROMISES: list[Promise] = []


def promise(check: Promise) -> Promise:
    """One more promise of every game."""
    PROMISES.append(check)
    return check


def home(game: Game) -> str:
    """The package whose GAME this is, found from its rules."""
    module = game.start.__module__
    while module:
        if getattr(sys.modules.get(module), "GAME", None) is game:
            return module
        module = module.rpartition(".")[0]
    raise AssertionError(f"{game.name} is not the GAME of the package that its rules are in")


def check_outcome(outcome: Outcome, seats: int) -> None:
    assert msgspec.json.decode(msgspec.json.encode(outcome), type=Outcome) == outcome
    assert outcome.reason
    assert len(outcome.ranks) in (0, seats)
    assert all(1 <= rank <= seats + 1 for rank in outcome.ranks)
    if outcome.scores:
        *sources, total = outcome.scores
        assert total == "total"
        rows = [outcome.scores[source] for source in sources]
        assert all(len(row) == seats for row in outcome.scores.values())
        assert outcome.scores[total] == tuple(sum(column) for column in zip(*rows, strict=True))


def check_refusal(call: Callable[..., Any], *arguments: Any) -> None:
    reason = None
    try:
        call(*arguments)
    except Refused as refusal:
        reason = refusal.reason
    assert reason is not None, f"not refused: {arguments[-1]}"
    assert reason, "refused without a reason"
