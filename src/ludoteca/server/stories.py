"""A table's record told again, as one seat or a spectator may know it: for replays, and
for whoever comes late."""

from collections.abc import Iterator
from typing import Any, Literal

import msgspec

from ludoteca import games
from ludoteca.core import Damaged, Game, JournalError, Refused, Seat
from ludoteca.core.notices import GameRecord
from ludoteca.journal.records import Acted
from ludoteca.journal.replay import begin, shown

# Whose eyes: a seat's, a spectator's (None), or those that see all cards face up.
Eyes = Seat | Literal["all"] | None


class Step(msgspec.Struct, frozen=True):
    """What one record brought about, and the view after it. `seat` decided; None where nobody did."""

    number: int
    at_ms: int
    seat: int | None
    events: list[GameRecord]
    view: Any


def tell(lines: list[bytes], eyes: Eyes) -> Iterator[Step]:
    """The steps of a match from its start, with nothing in them that these eyes may not see.

    Executes the record again as it goes: a step is to be used before the next one is asked for, since the
    game may show parts of its own state. Refused, perhaps only in the end, when all is to be seen before the
    match is over, and when the record cannot be executed (any more).
    """
    try:
        match, _ = begin(lines, games.load)
        for record, events in shown(match, lines):
            given = record.input
            view = _view(match.game, match.state, eyes)
            if view is not None:
                actor = given.seat if isinstance(given, Acted) else None
                yield Step(record.number, record.at_ms, actor, _events(match.game, events, eyes), view)
        if eyes == "all" and match.outcome is None:
            raise Refused("the cards are turned up when the match is over", "secret")
    except JournalError as error:
        raise refusal(error) from error


def refusal(error: JournalError) -> Refused:
    """Why a match cannot be shown."""
    if isinstance(error, Damaged):
        return Refused(f"the record of this match is damaged: {error}", "damaged")
    return Refused(f"this match was played by rules of another version: {error}", "aside")


def _events(game: Game, events: list[Any], eyes: Eyes) -> list[Any]:
    if eyes == "all":
        return events
    return [seen for event in events if (seen := game.seen(event, eyes)) is not None]


def _view(game: Game, state: Any, eyes: Eyes) -> Any:
    if eyes != "all":
        return game.view(state, eyes)
    return game.view(state, None) if game.reveal is None else game.reveal(state)
