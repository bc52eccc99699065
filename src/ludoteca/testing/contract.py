"""The promises of a game to the house, each a function that raises AssertionError where it is broken."""

import pickle
import subprocess
import sys
from typing import Any

import msgspec

from ludoteca import games
from ludoteca.core import Dice, Game, Seat
from ludoteca.testing.bounds import unbounded
from ludoteca.testing.promises import check_outcome, check_refusal, home, promise
from ludoteca.testing.walks import (
    default_setups,
    dice_in,
    moments,
    pick,
    play,
    setups,
    snapshot,
    some,
    suspects,
    union_members,
    watchers,
)

# More answers than this are not listed to anybody.
CHOICES_MAX = 1_200


# Names


@promise
def its_name_can_stand_in_an_address(game: Game) -> None:
    assert games.NAME.fullmatch(game.name), game.name
    assert game.name not in games.RESERVED, game.name
    assert game.title.strip() == game.title != ""
    assert game.version >= 1


@promise
def it_is_the_game_of_its_package(game: Game) -> None:
    assert home(game)


# Options, preferences, records


@promise
def default_options_suit_every_number_of_seats(game: Game) -> None:
    assert len(game.seats) > 0
    for seats in game.seats:
        settled = game.settle(game.options(), seats)
        assert isinstance(settled, game.options)
        assert game.settle(settled, seats) == settled


@promise
def default_and_unknown_preferences_agree(game: Game) -> None:
    for seats in game.seats:
        game.agree([game.preferences()] * seats)
        game.agree([None] * seats)


@promise
def a_match_starts_without_any_preferences(game: Game) -> None:
    for setup in default_setups(game):
        state, _ = game.start(msgspec.structs.replace(setup, preferences=()))
        assert state.questions


@promise
def every_record_type_has_a_schema_and_a_tag(game: Game) -> None:
    for union in (game.actions, game.events):
        for member in union_members(union):
            assert member.__struct_config__.frozen, member
            assert member.__struct_config__.tag == member.__name__
    for kind in (game.actions, game.events, game.views, game.options, game.preferences):
        assert msgspec.json.schema(kind)


@promise
def every_number_that_a_client_can_send_has_bounds(game: Game) -> None:
    for kind in (
        game.actions,
        game.options,
        game.preferences,
        *((game.wire and game.wire.messages) or ())[:1],
    ):
        assert not [*unbounded(kind)], f"without bounds: {', '.join(unbounded(kind))}"


@promise
def every_setup_round_trips(game: Game) -> None:
    for setup in setups(game):
        options = msgspec.json.decode(msgspec.json.encode(setup.options), type=game.options)
        assert options == setup.options
        for preference in setup.preferences:
            assert msgspec.json.decode(msgspec.json.encode(preference), type=game.preferences) == preference
        assert pickle.loads(pickle.dumps(setup)) == setup


@promise
def every_record_round_trips(game: Game) -> None:
    actions = msgspec.json.Decoder(game.actions)
    events = msgspec.json.Decoder(game.events)
    views = msgspec.json.Decoder(game.views)
    for setup in setups(game):
        for turn in play(game, setup, 300):
            if turn.action is not None:
                assert actions.decode(msgspec.json.encode(turn.action)) == turn.action
                assert pickle.loads(pickle.dumps(turn.action)) == turn.action
            for event in turn.events:
                for seen in [event, *(game.seen(event, seat) for seat in watchers(setup))]:
                    assert seen is None or events.decode(msgspec.json.encode(seen)) == seen
                assert pickle.loads(pickle.dumps(event)) == event
            if turn.number % 5 == 0:
                for seat in watchers(setup):
                    view = game.view(turn.state, seat)
                    assert views.decode(msgspec.json.encode(view)) == view
                    assert pickle.loads(pickle.dumps(view)) == view


@promise
def a_state_pickles_and_plays_on_alike(game: Game) -> None:
    for setup in default_setups(game):
        for state in moments(game, setup, 8):
            copy = pickle.loads(pickle.dumps(state))
            assert snapshot(copy) == snapshot(state)
            seat, action = pick(state, Dice(3))
            assert game.apply(copy, seat, action) == game.apply(state, seat, action)
            assert snapshot(copy) == snapshot(state)


# Playing


@promise
def random_games_end(game: Game) -> None:
    for setup in setups(game):
        state: Any = None
        for turn in play(game, setup):
            state = turn.state
            assert (state.outcome is None) == bool(state.questions)
        assert state.outcome is not None, "the game goes on and on"
        check_outcome(state.outcome, setup.seats)


@promise
def the_same_seed_and_inputs_give_the_same_events_and_state(game: Game) -> None:
    for setup in setups(game):
        replayed: Any = None
        for turn in play(game, setup):
            if turn.seat is None:
                replayed, events = game.start(setup)
            else:
                events = game.apply(replayed, turn.seat, turn.action)
            assert events == turn.events
            if turn.number % 10 == 0 or not turn.state.questions:
                assert snapshot(replayed) == snapshot(turn.state)


@promise
def another_seed_gives_another_match(game: Game) -> None:
    """Unless there is no chance in the game at all: then no dice lie in its state."""
    setup = default_setups(game)[0]
    state, _ = game.start(setup)
    other, _ = game.start(msgspec.structs.replace(setup, seed=setup.seed + 1))
    assert not dice_in(state) or snapshot(state) != snapshot(other)


REPLAY = """
import importlib, sys
from ludoteca.testing.walks import default_setups, play, snapshot
game = importlib.import_module(sys.argv[1]).GAME
for turn in play(game, default_setups(game)[-1], 200):
    last = turn
sys.stdout.buffer.write(snapshot(last.state) + snapshot(last.events))
"""


@promise
def a_match_does_not_depend_on_the_process_that_plays_it(game: Game) -> None:
    """The order of a set of words differs from process to process; no rule may depend on it."""
    run = subprocess.run(
        [sys.executable, "-c", REPLAY, home(game)],
        env={"PYTHONHASHSEED": "4242", "PYTHONPATH": ":".join(path for path in sys.path if path)},
        capture_output=True,
        check=True,
    )
    last = list(play(game, default_setups(game)[-1], 200))[-1]
    assert run.stdout == snapshot(last.state) + snapshot(last.events)


@promise
def a_clone_is_independent(game: Game) -> None:
    for setup in setups(game):
        for state in moments(game, setup, 10):
            before, copy = snapshot(state), state.clone()
            assert snapshot(copy) == before
            dice = Dice(5)
            for _ in range(6):
                if copy.questions:
                    game.apply(copy, *pick(copy, dice))
            assert snapshot(state) == before
            original = state.clone()
            game.apply(state, *pick(state, Dice(6)))
            assert snapshot(original) == before


# Questions


@promise
def no_choice_is_refused(game: Game) -> None:
    dice = Dice(7)
    for setup in setups(game):
        for state in moments(game, setup, 40):
            for seat, question in state.questions.items():
                assert question.kind
                assert 1 <= len(question.choices) <= CHOICES_MAX
                for action in some(question, dice, 5):
                    game.apply(state.clone(), seat, action)


@promise
def choices_are_a_proper_sequence_without_repetition(game: Game) -> None:
    for setup in setups(game):
        for state in moments(game, setup, 6):
            for question in state.questions.values():
                choices = list(question.choices)
                assert len(choices) == len(question.choices)
                assert len({snapshot(choice) for choice in choices}) == len(choices)
                for index in (0, len(choices) // 2, len(choices) - 1, -1):
                    assert question.choices[index] == choices[index]
                    assert choices[index] in question.choices
                assert None not in question.choices


@promise
def nothing_but_the_choices_is_accepted_and_a_refusal_changes_nothing(game: Game) -> None:
    dice = Dice(8)
    for setup in setups(game):
        states = moments(game, setup, 40)
        pool = [action for state in states for q in state.questions.values() for action in some(q, dice, 8)]
        for state in states:
            before = snapshot(state)
            for seat, question in state.questions.items():
                for action in suspects(game, question, pool, dice, 24):
                    _check_refused(game, state, seat, action)
            assert snapshot(state) == before


@promise
def who_is_not_asked_may_not_act(game: Game) -> None:
    for setup in setups(game):
        for state in moments(game, setup, 20):
            before = snapshot(state)
            _, action = pick(state, Dice(9))
            for seat in set(range(setup.seats)) - set(state.questions):
                _check_refused(game, state, Seat(seat), action)
            assert snapshot(state) == before


@promise
def nothing_is_accepted_after_the_end(game: Game) -> None:
    for setup in default_setups(game):
        last: Any = None
        for turn in play(game, setup):
            last = turn
        for seat in range(setup.seats):
            _check_refused(game, last.state, Seat(seat), last.action)


def _check_refused(game: Game, state: Any, seat: Seat, action: Any) -> None:
    """Refused with a reason, and the state is as it was (a copy is tried, so that one fault shows once)."""
    copy = state.clone()
    before = snapshot(copy)
    check_refusal(game.apply, copy, seat, action)
    assert snapshot(copy) == before, f"the refusal of {action} left a trace"
