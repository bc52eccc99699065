"""The same no in every game: one word for programs, and a state that is as it was."""

from typing import Any

import pytest

from ludoteca import games
from ludoteca.core import Dice, Refused, Seat

EVERY = pytest.mark.parametrize("name", games.names())


def refusal(name: str, state: Any, seat: int, action: Any) -> tuple[str, str]:
    before = state.clone()
    with pytest.raises(Refused) as refused:
        games.load(name).apply(state, Seat(seat), action)
    assert state == before
    return refused.value.code, refused.value.reason


def played(name: str, moves: int) -> tuple[Any, int, Any]:
    """A match after so many moves by chance, or at its end; and the last of them."""
    game, dice = games.load(name), Dice(4)
    state, _ = game.start(game.setup(2, seed=4))
    seat, action = Seat(0), None
    while state.questions and (moves > 0 or len(state.questions) > 1):
        seat = min(state.questions)
        action = dice.choice(state.questions[seat].choices)
        game.apply(state, seat, action)
        moves -= 1
    return state, seat, action


@EVERY
@pytest.mark.parametrize("moves", [0, 1])
def test_who_is_not_asked_is_told_whose_turn_it_is_not(name: str, moves: int) -> None:
    state, _, _ = played(name, moves)
    ((asked, question),) = state.questions.items()
    code, reason = refusal(name, state, 1 - asked, question.choices[0])
    assert code == "turn"
    assert "turn" in reason
    assert " " in reason, "a sentence for people"


@EVERY
def test_when_it_is_over_nobody_does_anything_more(name: str) -> None:
    state, seat, late = played(name, 100_000)
    assert state.outcome is not None
    for who in (seat, 1 - seat):
        code, reason = refusal(name, state, who, late)
        assert code == "over"
        assert "over" in reason
        assert " " in reason, "a sentence for people"
    before = state.clone()
    assert games.load(name).leave(state, Seat(0)) == [], "nor does it matter who leaves now"
    assert state == before
