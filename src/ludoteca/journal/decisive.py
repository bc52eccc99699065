"""Which move decided a match: the turn that the bots' opinion swung most by, towards the winner."""

from collections.abc import Callable
from typing import NamedTuple

from ludoteca.core import Game, Outcome, Refused, Seat
from ludoteca.core.notices import Decided, Moment, Turning
from ludoteca.journal.match import Match
from ludoteca.journal.records import Acted, Closed, SatDown, decode
from ludoteca.journal.replay import begin, shown


class _Move(NamedTuple):
    """A step of the replay that a seat decided, and how far the winner was ahead before and after it."""

    number: int
    step: int
    seat: int
    before: float
    after: float


def decisive(table: str, lines: list[bytes], load: Callable[[str], Game]) -> Decided:
    """The decisive move of a match that is over.

    It is executed twice: how to judge its positions is known when it is known who won. Raises Refused where
    there is no such match, or it goes on, and JournalError.
    """
    if not lines:
        raise Refused("there is no finished match of that name", "gone")
    match, _ = begin(lines, load)
    moves = [
        _Move(record.number, step, record.input.seat, 0.0, 0.0)
        for step, (record, _) in enumerate(shown(match, lines))
        if isinstance(record.input, Acted)
    ]
    outcome = match.outcome
    if outcome is None and not isinstance(decode(lines[-1])[0].input, Closed):
        raise Refused("there is no finished match of that name", "gone")
    if outcome is None or not outcome.ranks or not moves:
        return Decided(table, None)
    move = moves[-1]
    if outcome.winners and match.game.opinion is not None:
        move = _turning_point(_judged(begin(lines, load)[0], lines, outcome.winners[0]))
    return Decided(table, _moment(move, outcome, _names(lines)))


def _how(move: _Move, winners: tuple[Seat, ...]) -> Turning:
    if move.after <= move.before:
        return "end"
    if move.seat not in winners:
        return "gift"
    if move.after <= 0:
        return "closer"
    return "lead" if move.before <= 0 else "away"


def _names(lines: list[bytes]) -> dict[int, str]:
    """The players by seat, as the last who sat there was called."""
    sat = (decode(line)[0].input for line in lines)
    return {given.seat: given.name for given in sat if isinstance(given, SatDown)}


def _judged(match: Match, lines: list[bytes], hero: Seat) -> list[_Move]:
    """Every decision with what the bots think of the position before and after it.

    What ended the match is not judged: that it was worth everything is no news.
    """
    opinion = match.game.opinion
    assert opinion is not None
    found: list[_Move] = []
    before = 0.0
    for step, (record, _) in enumerate(shown(match, lines)):
        after = before if match.outcome is not None else float(opinion(match.state, hero))
        if isinstance(record.input, Acted):
            found.append(_Move(record.number, step, record.input.seat, before, after))
        before = after
    return found


def _turning_point(moves: list[_Move]) -> _Move:
    """The last step of the turn that swung most: what one seat does in a row belongs together."""
    turns: list[_Move] = []
    for move in moves:
        if turns and turns[-1].seat == move.seat:
            move = move._replace(before=turns.pop().before)
        turns.append(move)
    # Of equal swings the last.
    return max(turns, key=lambda turn: (turn.after - turn.before, turn.step))


def _moment(move: _Move, outcome: Outcome, names: dict[int, str]) -> Moment:
    code = _how(move, outcome.winners)
    winner = outcome.winners[0] if outcome.winners else None
    who, won = names.get(move.seat, ""), names.get(winner, "") if winner is not None else ""
    english, italian = _WORDS[code]
    words = {"en": english.format(who=who, won=won), "it": italian.format(who=who, won=won)}
    return Moment(
        move.number, move.step, move.seat, winner, code, round(move.before, 3), round(move.after, 3), words
    )


_WORDS: dict[Turning, tuple[str, str]] = {
    "lead": (
        "{who} took the lead here: no other turn changed the match as much.",
        "Qui {who} è passato in testa: nessun altro turno ha cambiato tanto la partita.",
    ),
    "away": (
        "{who} broke away here: no other turn changed the match as much.",
        "Qui {who} ha preso il largo: nessun altro turno ha cambiato tanto la partita.",
    ),
    "closer": (
        "{who} came back into the match here: no other turn changed it as much.",
        "Qui {who} è tornato in partita: nessun altro turno l'ha cambiata tanto.",
    ),
    "gift": (
        "This turn of {who} helped {won} most: no other changed the match as much.",
        "Questo turno di {who} ha aiutato {won} più di ogni altro.",
    ),
    "end": ("{who} made the last move, which decided it.", "Ha deciso l'ultima mossa, di {who}."),
}
