"""A table's record told again, as one seat or a spectator may know it: for replays, and for whoever comes late."""

from typing import Any, Literal

import msgspec

from ludoteca import games
from ludoteca.core import Damaged, Game, JournalError, Refused, Seat
from ludoteca.journal.records import Acted
from ludoteca.journal.replay import Replay, replay

# Whose eyes: a seat's, a spectator's (None), or those that see all cards face up.
Eyes = Seat | Literal["all"] | None


class Step(msgspec.Struct, frozen=True):
    """What one record brought about, and the view after it. `seat` decided; None where nobody did."""

    number: int
    at_ms: int
    seat: int | None
    events: list[Any]
    view: Any


def tell(lines: list[bytes], eyes: Eyes) -> list[Step]:
    """The steps of a match from its start, with nothing in them that these eyes may not see.

    Executes the whole record again, so it is work for a thread. Refused when all is to be seen before the end, and when
    the record cannot be executed (any more).
    """
    told = _executed(lines)
    last = told.steps[-1].state
    if eyes == "all" and (last is None or last.outcome is None):
        raise Refused("the cards are turned up when the match is over", "secret")
    return [step for step in _steps(told, told.game, eyes) if step.view is not None]


def _executed(lines: list[bytes]) -> Replay:
    try:
        return replay(lines, games.load)
    except Damaged as error:
        raise Refused(f"the record of this match is damaged: {error}", "damaged") from error
    except JournalError as error:
        raise Refused(f"this match was played by rules of another version: {error}", "aside") from error


def _steps(told: Replay, game: Game, eyes: Eyes) -> list[Step]:
    found = []
    begun = False
    for step in told.steps:
        if step.state is None or (begun and not step.events):
            continue
        begun = True
        given = step.record.input
        found.append(
            Step(
                step.record.number,
                step.record.at_ms,
                given.seat if isinstance(given, Acted) else None,
                _events(game, step.events, eyes),
                _view(game, step.state, eyes),
            )
        )
    return found


def _events(game: Game, events: list[Any], eyes: Eyes) -> list[Any]:
    if eyes == "all":
        return events
    return [seen for event in events if (seen := game.seen(event, eyes)) is not None]


def _view(game: Game, state: Any, eyes: Eyes) -> Any:
    if eyes != "all":
        return game.view(state, eyes)
    return game.view(state, None) if game.reveal is None else game.reveal(state)
