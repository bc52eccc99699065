"""The promises of a game to those who learn to play it: every answer has one number, and what is seen as
numbers is what may be seen."""

from typing import Any

from ludoteca.core import Dice, Game, Seat
from ludoteca.core.vocabulary import Vocabulary
from ludoteca.testing.promises import promise
from ludoteca.testing.walks import moments, setups

MOMENTS = 12
TURNS = 300


@promise
def every_answer_has_exactly_one_number(game: Game) -> None:
    if game.vocabulary is None:
        return
    for setup in setups(game):
        vocabulary = Vocabulary(game.vocabulary(setup.options, setup.seats))
        dice = Dice(setup.seed)
        state, _ = game.start(setup)
        for _ in range(TURNS):
            if not state.questions:
                break
            for question in state.questions.values():
                _check(vocabulary, question, dice)
            seat = dice.choice(sorted(state.questions))
            game.apply(state, seat, dice.choice(state.questions[seat].choices))


def _check(vocabulary: Vocabulary, question: Any, dice: Dice) -> None:
    numbers = vocabulary.numbers(question)
    assert len(set(numbers)) == len(numbers) == len(question.choices), "two answers have the same number"
    place = dice.below(len(numbers))
    assert vocabulary.action(question, numbers[place]) == question.choices[place]


@promise
def what_is_seen_as_numbers_has_one_length_and_nothing_hidden_in_it(game: Game) -> None:
    if game.tensor is None:
        return
    dice = Dice(13)
    for setup in setups(game):
        lengths, pictures = set(), set()
        for state in moments(game, setup, MOMENTS):
            for seat in map(Seat, range(setup.seats)):
                told = game.tensor(game.view(state, seat), seat)
                other = game.redeal(state, seat, dice)
                assert game.tensor(game.view(other, seat), seat) == told, "what was dealt otherwise shows"
                lengths.add(len(told))
                pictures.add(told)
        assert len(lengths) == 1, lengths
        assert len(pictures) > 1, "it is always the same picture"
