"""Which move decided a match: the turn that the bots' opinion swung most by, towards the winner."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from ludoteca.core import Game, Outcome, Refused, Seat
from ludoteca.core.notices import Decided, Moment, Turning
from ludoteca.journal.records import Acted, Closed, Record, SatDown, decode
from ludoteca.journal.replay import Replay, begin, shown


class _Position(NamedTuple):
    """A step of the replay: the seat that decided (None: nobody), and how all stand after it (None: it is
    over)."""

    number: int
    seat: int | None
    standings: Sequence[float] | None


class _Move(NamedTuple):
    """What a seat decided, and how far the winner was ahead before and after it."""

    number: int
    step: int
    seat: int
    before: float
    after: float


def decisive(table: str, lines: list[bytes], load: Callable[[str], Game]) -> Decided:
    """The decisive move of a match that is over.

    Raises Refused where there is no such match, or it goes on, and JournalError.
    """
    if not lines:
        raise Refused("there is no finished match of that name", "gone")
    match, opened = begin(lines, load)
    positions = [_position(match.game, record, match.state) for record, _ in shown(match, lines)]
    if match.outcome is None and not isinstance(decode(lines[-1])[0].input, Closed):
        raise Refused("there is no finished match of that name", "gone")
    names = [""] * opened.seats
    for line in lines:
        given = decode(line)[0].input
        if isinstance(given, SatDown):
            names[given.seat] = given.name
    return Decided(table, _found(positions, match.outcome, names))


def moment_of(played: Replay) -> Moment | None:
    """The decisive move of a match that was executed already."""
    steps = [step for step in played.steps if step.state is not None]
    begun = (step for number, step in enumerate(steps) if step.events or not number)
    positions = [_position(played.game, step.record, step.state) for step in begun]
    return _found(positions, played.outcome, played.names)


def _position(game: Game, record: Record, state: Any) -> _Position:
    seat = record.input.seat if isinstance(record.input, Acted) else None
    # What ended the match is not judged: that it was worth everything is no news.
    judged = None if game.opinion is None or state.outcome is not None else game.opinion(state)
    return _Position(record.number, seat, judged)


def _found(positions: list[_Position], outcome: Outcome | None, names: Sequence[str]) -> Moment | None:
    if outcome is None or not outcome.ranks:
        return None
    moves = list(_moves(positions, outcome.winners))
    if not moves:
        return None
    move = _turning_point(moves)
    winner = outcome.winners[0] if outcome.winners else None
    code = _how(move, outcome.winners)
    filled = {"who": names[move.seat], "won": names[winner] if winner is not None else ""}
    words = {language: text.format_map(filled) for language, text in _WORDS[code].items()}
    return Moment(
        move.number, move.step, move.seat, winner, code, round(move.before, 3), round(move.after, 3), words
    )


def _moves(positions: list[_Position], winners: Sequence[Seat]) -> Iterable[_Move]:
    """Every decision, with the winner's lead before and after it."""
    before = 0.0
    for step, position in enumerate(positions):
        after = _lead(position.standings, winners) if position.standings and winners else before
        if position.seat is not None:
            yield _Move(position.number, step, position.seat, before, after)
        before = after


def _lead(standings: Sequence[float], winners: Sequence[Seat]) -> float:
    others = [worth for seat, worth in enumerate(standings) if seat not in winners]
    return float(standings[winners[0]] - max(others, default=0.0))


def _turning_point(moves: Iterable[_Move]) -> _Move:
    """The end of the turn that swung most: what one seat does in a row belongs together."""
    turns: list[_Move] = []
    for move in moves:
        if turns and turns[-1].seat == move.seat:
            move = move._replace(before=turns.pop().before)
        turns.append(move)
    # Of equal swings the last.
    return max(turns, key=lambda turn: (turn.after - turn.before, turn.step))


def _how(move: _Move, winners: Sequence[Seat]) -> Turning:
    if move.after <= move.before:
        return "end"
    if move.seat not in winners:
        return "gift"
    if move.after <= 0:
        return "closer"
    return "lead" if move.before <= 0 else "away"


_WORDS: dict[Turning, dict[str, str]] = {
    "lead": {
        "en": "{who} took the lead here: no other turn changed the match as much.",
        "it": "Qui {who} è in testa: nessun altro turno ha cambiato tanto la partita.",
    },
    "away": {
        "en": "{who} broke away here: no other turn changed the match as much.",
        "it": "Qui {who} prende il largo: nessun altro turno ha cambiato tanto la partita.",
    },
    "closer": {
        "en": "{who} came back into the match here: no other turn changed it as much.",
        "it": "Qui {who} rientra in partita: nessun altro turno l'ha cambiata tanto.",
    },
    "gift": {
        "en": "This turn of {who} helped {won}: no other changed the match as much.",
        "it": "Questo turno di {who} ha aiutato {won}: nessun altro ha cambiato tanto la partita.",
    },
    "end": {
        "en": "{who} made the last move, which decided it.",
        "it": "Ha deciso l'ultima mossa, di {who}.",
    },
}
