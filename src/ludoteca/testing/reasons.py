"""The promises of a game to those who decide: a reason for all that is not possible, and for nothing else;
proposals that can be taken as they are."""

from typing import Any

from ludoteca.core import Dice, Game, Refused, Seat
from ludoteca.core.why import NOT_NOW, Attempt, why_not
from ludoteca.testing.promises import promise
from ludoteca.testing.walks import moments, setups, some, suspects

MOMENTS = 12
SUSPECTS = 30


@promise
def what_a_board_offers_is_legal_or_has_a_reason(game: Game) -> None:
    if game.why is None:
        return
    for setup in setups(game):
        names = [f"P{seat}" for seat in range(setup.seats)]
        for state in moments(game, setup, MOMENTS):
            for seat, question in state.questions.items():
                view = game.view(state, seat)
                for actions in game.why.tempting(view, seat, question):
                    found = why_not(game.why, Attempt(view, seat, question, actions, names))
                    assert (found is None) == _is_legal(game, state, seat, actions), (actions, found)
                    # Every language has words of its own, and says more than that it is not possible.
                    assert found is None or (found != NOT_NOW and all(found.words.values())), actions
                    assert found is None or found.words["en"] != found.words["it"], found


@promise
def no_question_about_a_reason_breaks_anything_or_tells_what_is_hidden(game: Game) -> None:
    dice = Dice(7)
    for setup in setups(game)[:3]:
        names = [""] * setup.seats
        states = moments(game, setup, MOMENTS)
        asked_ever = [question for state in states for question in state.questions.values()]
        pool = [action for question in asked_ever for action in some(question, dice, 5)]
        for state in states:
            for seat, question in state.questions.items():
                asked: list[tuple[Any, ...]]
                asked = [(action,) for action in suspects(game, question, pool, dice, SUSPECTS)]
                asked += [(first, bent) for first in question.choices[:3] for (bent, *_) in asked[:10]]
                other = game.redeal(state, seat, dice)
                for actions in asked:
                    told = [
                        why_not(
                            game.why, Attempt(game.view(one, seat), seat, one.questions[seat], actions, names)
                        )
                        for one in (state, other)
                    ]
                    assert told[0] == told[1], "what was dealt otherwise gives another reason"


def _is_legal(game: Game, state: Any, seat: Seat, actions: tuple[Any, ...]) -> bool:
    trial = state.clone()
    try:
        for action in actions:
            game.apply(trial, seat, action)
    except Refused:
        return False
    return True


@promise
def what_is_proposed_is_a_whole_decision(game: Game) -> None:
    for setup in setups(game) if game.proposals else ():
        for state in moments(game, setup, 10 * MOMENTS):
            for seat, question in state.questions.items():
                if question.kind in game.proposals:
                    actions = tuple(game.proposals[question.kind](game.view(state, seat), seat))
                    assert not actions or _is_legal(game, state, seat, actions), actions
