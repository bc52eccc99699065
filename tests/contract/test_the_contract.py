"""The contract tests notice a game that breaks its promises: one that keeps them is broken in many ways."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from ludoteca import games, testing
from ludoteca.core import Dice, Game, Outcome, Question, Refused, Seat, Setup
from ludoteca.games.multisweeper.state import State
from ludoteca.testing import contract, knowledge
from ludoteca.testing.promises import check_outcome

SOUND = games.load("multisweeper")
replace = msgspec.structs.replace


class Sloppy(State):
    """A state whose copies share the board with it."""

    def clone(self) -> "Sloppy":
        return msgspec.structs.replace(self, dice=self.dice.clone())


def sloppy_start(setup: Setup) -> tuple[Sloppy, list[Any]]:
    state, events = SOUND.start(setup)
    return Sloppy(**{field: getattr(state, field) for field in state.__struct_fields__}), events


def forgetful_start() -> Callable[[Setup], Any]:
    """Every match differs from the one before, whatever its seed."""
    dice = Dice(1)
    return lambda setup: SOUND.start(replace(setup, seed=dice.below(1 << 60)))


def lenient(state: Any, seat: Seat, action: Any) -> list[Any]:
    """Clicks on open cells pass the turn."""
    cell = action.row * state.options.width + action.column
    asked = seat in state.questions and cell < len(state.cells) and action.column < state.options.width
    if asked and state.cells[cell] != 9:
        state.turn += 1
        return []
    return SOUND.apply(state, seat, action)


def strict(state: Any, seat: Seat, action: Any) -> list[Any]:
    """The last column is refused."""
    if action.column == state.options.width - 1:
        raise Refused("not there")
    return SOUND.apply(state, seat, action)


def secretive(state: Any, seat: Seat, action: Any) -> list[Any]:
    """Who clicked last is nobody's business."""
    events = SOUND.apply(state, seat, action)
    state.last = None
    return events


def hasty(state: Any, seat: Seat, action: Any) -> list[Any]:
    """The dice are thrown before it is known whether the action is allowed."""
    state.dice.below(6)
    return SOUND.apply(state, seat, action)


def anybody(state: Any, _seat: Seat, action: Any) -> list[Any]:
    """Whoever clicks first is on turn."""
    return SOUND.apply(state, state.mover, action)


def telltale(event: Any, _seat: Seat | None) -> Any:
    """An event that shows an object's address, which is nothing a player may know."""
    return replace(event, column=id(event)) if hasattr(event, "column") else event


def stale(view: Any, event: Any) -> Any:
    """A picture that misses who is on turn."""
    return replace(SOUND.update(view, event), turn=1)


def careless(state: Any, seat: Seat | None, dice: Dice) -> Any:
    """The true dice stay in the cup."""
    return replace(SOUND.redeal(state, seat, dice), dice=state.dice.clone())


def blind(state: Any, seat: Seat | None, dice: Dice) -> Any:
    """Redealing forgets what is open."""
    other = SOUND.redeal(state, seat, dice)
    other.cells = bytearray([9]) * len(other.cells)
    return other


def silent_leave(state: Any, seat: Seat) -> list[Any]:
    SOUND.leave(state, seat)
    return []


def endless(state: Any, seat: Seat, action: Any) -> list[Any]:
    """A mine does nothing."""
    cell = action.row * state.options.width + action.column
    if seat in state.questions and action in state.questions[seat].choices and state.mines >> cell & 1:
        return []
    return SOUND.apply(state, seat, action)


def misread(words: str, question: Question) -> Any:
    action = SOUND.text.read(words, question)
    return replace(action, row=action.column, column=action.row)


def taciturn(question: Question, _view: Any) -> str:
    return question.kind


class Boundless(msgspec.Struct, frozen=True):
    """Options with a number of any size."""

    columns: int = 9


class Sum(msgspec.Struct, frozen=True):
    """A view that cannot be read back from its JSON."""

    cells: Any


BROKEN: list[tuple[str, Callable[[Game], None], Game]] = [
    (
        "forgetful",
        contract.the_same_seed_and_inputs_give_the_same_events_and_state,
        replace(SOUND, start=forgetful_start()),
    ),
    (
        "lenient",
        contract.nothing_but_the_choices_is_accepted_and_a_refusal_changes_nothing,
        replace(SOUND, apply=lenient),
    ),
    (
        "hasty",
        contract.nothing_but_the_choices_is_accepted_and_a_refusal_changes_nothing,
        replace(SOUND, apply=hasty),
    ),
    ("secretive", knowledge.the_events_make_the_true_picture, replace(SOUND, apply=secretive)),
    ("strict", contract.no_choice_is_refused, replace(SOUND, apply=strict)),
    ("anybody", contract.who_is_not_asked_may_not_act, replace(SOUND, apply=anybody)),
    ("telltale", knowledge.events_tell_a_seat_nothing_but_what_its_view_shows, replace(SOUND, seen=telltale)),
    ("stale", knowledge.the_first_view_and_the_events_give_every_later_view, replace(SOUND, update=stale)),
    (
        "careless",
        knowledge.a_redealt_state_has_dice_of_its_own_and_can_be_played_to_the_end,
        replace(SOUND, redeal=careless),
    ),
    ("blind", knowledge.a_redealt_state_looks_the_same_and_asks_the_same, replace(SOUND, redeal=blind)),
    ("silent", knowledge.leaving_and_rejoining_keep_every_picture_true, replace(SOUND, leave=silent_leave)),
    ("endless", contract.random_games_end, replace(SOUND, apply=endless)),
    (
        "misread",
        knowledge.the_words_for_a_choice_are_understood,
        replace(SOUND, text=replace(SOUND.text, read=misread)),
    ),
    ("unreadable", contract.every_record_round_trips, replace(SOUND, views=Sum)),
    ("sloppy", contract.a_clone_is_independent, replace(SOUND, start=sloppy_start)),
    (
        "taciturn",
        knowledge.every_question_is_explained,
        replace(SOUND, text=replace(SOUND.text, explain=taciturn)),
    ),
    ("boundless", contract.every_number_that_a_client_can_send_has_bounds, replace(SOUND, options=Boundless)),
    ("homeless", contract.it_is_the_game_of_its_package, replace(SOUND)),
    ("misnamed", contract.its_name_can_stand_in_an_address, replace(SOUND, name="Minesweeper 2")),
    ("pretender", contract.its_name_can_stand_in_an_address, replace(SOUND, name="house")),
]


@pytest.mark.parametrize(("check", "broken"), [case[1:] for case in BROKEN], ids=[case[0] for case in BROKEN])
def test_a_broken_promise_is_noticed(check, broken):
    with pytest.raises((AssertionError, Refused, msgspec.ValidationError)):
        check(broken)


def test_an_outcome_must_add_up():
    check_outcome(Outcome((1, 2), "so", {"tiles": (3, 1), "total": (3, 1)}), 2)
    for wrong in (
        Outcome((1,), "too few ranks"),
        Outcome((0, 1), "nobody is better than first"),
        Outcome((1, 2), ""),
        Outcome((1, 2), "no total", {"tiles": (3, 1)}),
        Outcome((1, 2), "a wrong total", {"tiles": (3, 1), "total": (4, 1)}),
    ):
        with pytest.raises(AssertionError):
            check_outcome(wrong, 2)


def test_the_check_of_a_whole_game_names_the_promise_that_is_broken():
    with pytest.raises(
        AssertionError, match="Multisweeper breaks a promise: its name can stand in an address"
    ):
        testing.check(replace(SOUND, name="house"))
