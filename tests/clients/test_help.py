"""The help of the moment: every question of every game is explained, and pictures keep
their text under colours."""

import pytest

from ludoteca import games
from ludoteca.clients.colours import paint
from ludoteca.core import Dice, Setup


@pytest.mark.parametrize("name", games.names())
def test_every_question_of_a_match_is_explained(name):
    game = games.load(name)
    seats = max(2, game.seats[0])
    settled = game.settle(game.options(), seats)
    state, _ = game.start(Setup(seats, 11, settled, (game.preferences(),) * seats))
    dice, kinds = Dice(11), set()
    while state.outcome is None:
        seat, question = next(iter(state.questions.items()))
        if question.kind not in kinds:
            kinds.add(question.kind)
            view = game.view(state, seat)
            assert game.text.explain is not None
            assert len(game.text.explain(question, view)) > 40
            picture = game.text.draw(view, [f"Player{number}" for number in range(seats)])
            painted = paint(picture, ["Player0", "Player1"], game.text.inks)
            assert painted.plain == picture
            assert painted.spans, "something is coloured"
        game.apply(state, seat, dice.choice(question.choices))
    assert kinds
