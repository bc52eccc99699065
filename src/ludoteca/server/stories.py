"""A table's record told again, as one seat or a spectator may know it: for replays, and for whoever comes late."""

from typing import Any

import msgspec

from ludoteca import games
from ludoteca.core import Game, Seat
from ludoteca.journal.records import Acted
from ludoteca.journal.replay import Replay, replay


class Step(msgspec.Struct, frozen=True):
    """What one record brought about, and the view after it. `seat` decided; None where nobody did."""

    number: int
    at_ms: int
    seat: int | None
    events: list[Any]
    view: Any


def tell(lines: list[bytes], seat: Seat | None) -> list[Step]:
    """The steps of a match from its start, with nothing in them that this seat may not know.

    Executes the whole record again, so it is work for a thread.
    """
    told = replay(lines, games.load)
    return [step for step in _steps(told, told.game, seat) if step.view is not None]


def _steps(told: Replay, game: Game, seat: Seat | None) -> list[Step]:
    found = []
    begun = False
    for step in told.steps:
        if step.state is None or (begun and not step.events):
            continue
        begun = True
        given = step.record.input
        seen = (game.seen(event, seat) for event in step.events)
        found.append(
            Step(
                step.record.number,
                step.record.at_ms,
                given.seat if isinstance(given, Acted) else None,
                [event for event in seen if event is not None],
                game.view(step.state, seat),
            )
        )
    return found
