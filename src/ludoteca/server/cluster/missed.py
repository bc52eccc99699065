"""What somebody has not been told of a match that is over: its records know."""

from ludoteca import games
from ludoteca.core import JournalError, Notice, Seat
from ludoteca.core.notices import Gone, Happened, Over, Shown
from ludoteca.hall.chair import key_of
from ludoteca.journal.records import Closed, SatDown
from ludoteca.journal.replay import begin, execute


def missed(lines: list[bytes], token: str, since: int) -> tuple[str, list[Notice]]:
    """The name of whoever has this token, and what happened after record `since` with the eyes of that seat:
    the end of the match, if it has ended, and that the table is gone."""
    name, told = "", list[Notice]()
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
                seat, name = record.input.seat, record.input.name
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
        reason = str(error)
    return name, [*told, Gone(reason)]
