"""What somebody has not been told of a match that is over: its records know."""

import structlog

from ludoteca import games
from ludoteca.core import JournalError, Notice, Seat
from ludoteca.core.notices import Gone, Happened, Over, Shown
from ludoteca.hall.chair import key_of
from ludoteca.journal.records import Closed, SatDown
from ludoteca.journal.replay import begin, execute

log = structlog.get_logger()


def missed(lines: list[bytes], token: str, since: int) -> list[Notice]:
    """What happened after record `since` with the eyes of the seat that this token is for: the end of the
    match, if it has ended, and that the table is gone."""
    told: list[Notice] = []
    reason = "the match is over, and the house has moved to another machine"
    key = key_of(token)
    seat: int | None = None
    try:
        match, _ = begin(lines, games.load)
        game = match.game
        for number, line in enumerate(lines, 1):
            began = match.state is None
            record, events = execute(match, line, number)
            if isinstance(record.input, SatDown) and record.input.key == key:
                seat = record.input.seat
            if isinstance(record.input, Closed):
                reason = record.input.reason
            if seat is None or number <= since or match.state is None:
                continue
            if began:
                told = [Shown(number, game.view(match.state, Seat(seat)))]
            elif events:
                seen = (game.seen(event, Seat(seat)) for event in events)
                told.append(Happened(number, tuple(event for event in seen if event is not None)))
        if seat is not None and match.outcome is not None:
            told.append(Over(match.outcome))
    except JournalError as error:
        # Nothing is kept of it, or it was set aside: what is wrong there is the operator's to know.
        log.warning("what was missed cannot be told", reason=str(error))
    return [*told, Gone(reason)]
