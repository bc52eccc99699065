"""Whole turns: what is played at once comes to what its steps come to."""

from collections.abc import Sequence
from typing import Any

import pytest

from ludoteca.core import Dice, Seat, Setup
from ludoteca.games.renaissance import rules
from ludoteca.games.renaissance.actions import Action, DiscardLeader, EndTurn, Pay, PlayLeader
from ludoteca.games.renaissance.bot.mind import MANY, Mind, Turn
from ludoteca.games.renaissance.bot.players import step
from ludoteca.games.renaissance.bot.playing import go_on, play, stores
from ludoteca.games.renaissance.cards.powers import drafted_powers
from ludoteca.games.renaissance.state import State


def begun(seats: int, seed: int) -> State:
    state, _ = rules.start(Setup(seats, seed, None))
    while state.tabletop.phase in ("leaders", "resources"):
        seat = next(iter(state.questions))
        rules.apply(state, seat, step(state, seat))
    return state


def in_steps(state: State, seat: Seat, turn: Turn) -> None:
    """The same turn as a person plays it, one answer after the other."""
    rules.apply(state, seat, turn.first)
    while (question := state.asked[seat]) is not None:
        choices: Sequence[Any] = question.choices
        answer: Action
        if question.kind == "place":
            answer = stores(state.tabletop.boards[seat], turn.kept)[choices[0].depot]
        elif question.kind in ("pay", "powers"):
            rest = [power for power in turn.powers if power not in drafted_powers(state.tabletop)]
            answer = rest[0] if rest else next(choice for choice in choices if isinstance(choice, Pay))
        else:
            assert question.kind == "end"
            kinds = PlayLeader | DiscardLeader if state.tabletop.last_round else PlayLeader
            wanted = sorted(
                [choice for choice in choices if isinstance(choice, kinds)],
                key=lambda choice: isinstance(choice, DiscardLeader),
            )
            answer = wanted[0] if wanted else EndTurn()
        rules.apply(state, seat, answer)
        if answer == EndTurn():
            return


@pytest.mark.parametrize(("seats", "seed"), [(2, 1), (2, 2), (3, 3), (4, 4)])
def test_a_whole_turn_is_what_its_steps_come_to(seats: int, seed: int) -> None:
    state, dice = begun(seats, seed), Dice(seed)
    met = set()
    while state.outcome is None:
        seat = Seat(state.tabletop.current)
        for choice in state.questions[seat].choices:
            if isinstance(choice, PlayLeader):
                rules.apply(state, seat, choice)
        turns = [turn for _, turn in Mind(state.tabletop, seat, MANY).turns()]
        for turn in [dice.choice(turns), dice.choice(turns)]:
            met.add(type(turn.first).__name__)
            at_once, by_steps = state.clone(), state.clone()
            play(at_once, seat, turn)
            in_steps(by_steps, seat, turn)
            assert at_once.tabletop == by_steps.tabletop
            assert (at_once.decks, at_once.outcome) == (by_steps.decks, by_steps.outcome)
        go_on(state, MANY)
        rules.ask(state)
    assert met >= {"TakeLine", "BuyCard", "UseSlot"}
