"""The promises of a game to the house, each a function that raises AssertionError where it is broken."""

import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import msgspec

from ludoteca import games
from ludoteca.core import Dice, Game, Outcome, Refused, Seat, Setup
from ludoteca.testing.bounds import unbounded
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

Promise = Callable[[Game], None]
PROMISES: list[Promise] = []
# More answers than this are not listed to anybody.
OPTIONS_MAX = 1_200
# What a question's explanation has at least: less is no sentence.
EXPLANATION_MIN = 40


def promise(check: Promise) -> Promise:
    """One more promise of every game."""
    PROMISES.append(check)
    return check


# Names


@promise
def its_name_can_stand_in_an_address(game: Game) -> None:
    assert games.NAME.fullmatch(game.name), game.name
    assert game.name not in games.RESERVED, game.name
    assert game.title.strip() == game.title != ""
    assert game.version >= 1


@promise
def it_is_the_game_of_its_package(game: Game) -> None:
    assert _home(game)


def _home(game: Game) -> str:
    """The package whose GAME this is, found from its rules."""
    module = game.start.__module__
    while module:
        if getattr(sys.modules.get(module), "GAME", None) is game:
            return module
        module = module.rpartition(".")[0]
    raise AssertionError(f"{game.name} is not the GAME of the package that its rules are in")


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


def check_outcome(outcome: Outcome, seats: int) -> None:
    assert msgspec.json.decode(msgspec.json.encode(outcome), type=Outcome) == outcome
    assert outcome.reason
    assert len(outcome.ranks) in (0, seats)
    assert all(1 <= rank <= seats + 1 for rank in outcome.ranks)
    if outcome.scores:
        *sources, total = outcome.scores
        assert total == "total"
        rows = [outcome.scores[source] for source in sources]
        assert all(len(row) == seats for row in outcome.scores.values())
        assert outcome.scores[total] == tuple(sum(column) for column in zip(*rows, strict=True))


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
        [sys.executable, "-c", REPLAY, _home(game)],
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
def no_option_is_refused(game: Game) -> None:
    dice = Dice(7)
    for setup in setups(game):
        for state in moments(game, setup, 40):
            for seat, question in state.questions.items():
                assert question.kind
                assert 1 <= len(question.choices) <= OPTIONS_MAX
                for action in some(question, dice, 5):
                    game.apply(state.clone(), seat, action)


@promise
def options_are_a_proper_sequence_without_repetition(game: Game) -> None:
    for setup in setups(game):
        for state in moments(game, setup, 6):
            for question in state.questions.values():
                options = list(question.choices)
                assert len(options) == len(question.choices)
                assert len({snapshot(option) for option in options}) == len(options)
                for index in (0, len(options) // 2, len(options) - 1, -1):
                    assert question.choices[index] == options[index]
                    assert options[index] in question.choices
                assert None not in question.choices


@promise
def nothing_but_the_options_is_accepted_and_a_refusal_changes_nothing(game: Game) -> None:
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
    _check_refusal(game.apply, copy, seat, action)
    assert snapshot(copy) == before, f"the refusal of {action} left a trace"


# Knowledge


@promise
def the_first_view_and_the_events_give_every_later_view(game: Game) -> None:
    for setup in setups(game):
        seats = watchers(setup)
        pictures: dict[Any, Any] = {}
        for turn in play(game, setup, 400):
            if turn.seat is None:
                pictures = {seat: game.view(turn.state, seat) for seat in seats}
                continue
            for seat in seats:
                pictures[seat] = _follow(game, pictures[seat], turn.events, seat)
                assert pictures[seat] == game.view(turn.state, seat), f"{seat} after {turn.action}"


def _follow(game: Game, picture: Any, events: list[Any], seat: Seat | None) -> Any:
    for event in events:
        seen = game.seen(event, seat)
        if seen is not None:
            before = snapshot(picture)
            later = game.update(picture, seen)
            assert snapshot(picture) == before, f"{event} changed the old view"
            picture = later
    return picture


@promise
def what_is_revealed_is_a_view_and_leaves_the_state_alone(game: Game) -> None:
    if game.reveal is None:
        return
    views = msgspec.json.Decoder(game.views)
    tells_more = False
    for setup in setups(game):
        for state in moments(game, setup, 12):
            before = snapshot(state)
            picture = game.reveal(state)
            assert views.decode(msgspec.json.encode(picture)) == picture
            assert snapshot(state) == before, "revealing changed the state"
            tells_more = tells_more or picture != game.view(state, None)
    assert tells_more, "a spectator sees as much: leave reveal out"


@promise
def a_redealt_state_looks_the_same_and_asks_the_same(game: Game) -> None:
    dice = Dice(10)
    for setup in setups(game):
        for state in moments(game, setup, 12):
            before = snapshot(state)
            for seat in watchers(setup):
                other = game.redeal(state, seat, dice)
                assert game.view(other, seat) == game.view(state, seat)
                assert set(other.questions) == set(state.questions)
                assert other.outcome == state.outcome
                if seat in state.questions:
                    assert other.questions[seat].kind == state.questions[seat].kind
                    assert list(other.questions[seat].choices) == list(state.questions[seat].choices)
            assert snapshot(state) == before, "redealing changed the true state"


@promise
def events_tell_a_seat_nothing_but_what_its_view_shows(game: Game) -> None:
    """The same action in two worlds that a seat cannot tell apart: equal views after it, so equal events."""
    dice = Dice(11)
    for setup in setups(game):
        for state in moments(game, setup, 12):
            for seat in watchers(setup):
                mine, other = state.clone(), game.redeal(state, seat, dice)
                actor, action = pick(state, dice)
                if action not in other.questions[actor].choices:
                    continue
                events = game.apply(mine, actor, action)
                others = game.apply(other, actor, action)
                if game.view(mine, seat) == game.view(other, seat):
                    assert [game.seen(e, seat) for e in events] == [game.seen(e, seat) for e in others]


@promise
def a_redealt_state_has_dice_of_its_own_and_can_be_played_to_the_end(game: Game) -> None:
    dice = Dice(12)
    for setup in default_setups(game):
        for state in moments(game, setup, 3):
            for seat in watchers(setup):
                other = game.redeal(state, seat, dice)
                if dice_in(state):
                    assert dice_in(other) != dice_in(state), "a bot could foresee the dice"
                for _ in range(3_000):
                    if not other.questions:
                        break
                    game.apply(other, *pick(other, dice))
                assert other.outcome is not None


# Absence


@promise
def leaving_and_rejoining_keep_every_picture_true(game: Game) -> None:
    for setup in setups(game):
        for state in moments(game, setup, 5):
            for leaver in range(setup.seats):
                _check_absence(game, setup, state.clone(), Seat(leaver))


def _check_absence(game: Game, setup: Setup, state: Any, leaver: Seat) -> None:
    pictures = {seat: game.view(state, seat) for seat in watchers(setup)}
    dice = Dice(13)
    for step in (game.leave, None, game.rejoin, None):
        if state.outcome is not None:
            check_outcome(state.outcome, setup.seats)
            assert not state.questions
            return
        if step is not None:
            events = step(state, leaver)
        elif state.questions:
            events = game.apply(state, *pick(state, dice))
        else:
            continue  # everybody the rules could ask is away
        for event in events:
            assert msgspec.json.decode(msgspec.json.encode(event), type=game.events) == event
        for seat in pictures:
            pictures[seat] = _follow(game, pictures[seat], events, seat)
            assert pictures[seat] == game.view(state, seat)


# Words and bots


@promise
def the_words_for_an_option_are_understood(game: Game) -> None:
    dice = Dice(14)
    for setup in setups(game):
        for state in moments(game, setup, 12):
            for question in state.questions.values():
                for action in some(question, dice, 12):
                    words = game.text.write(action)
                    assert game.text.read(words, question) == action, words
                _check_refusal(game.text.read, "no such words at all", question)


@promise
def a_game_can_be_told(game: Game) -> None:
    for setup in setups(game):
        names = [f"Player {seat}" for seat in range(setup.seats)]
        for turn in play(game, setup, 200):
            for seat in watchers(setup):
                told = [
                    game.text.tell(s, names) for e in turn.events if (s := game.seen(e, seat)) is not None
                ]
                assert all(isinstance(sentence, str) for sentence in told)
            if turn.number % 10 == 0 or not turn.state.questions:
                for seat in watchers(setup):
                    view = game.view(turn.state, seat)
                    assert game.text.draw(view, names).strip()
                    if seat in turn.state.questions:
                        assert game.text.ask(turn.state.questions[seat], view).strip()


@promise
def every_question_is_explained(game: Game) -> None:
    """A player who is asked anything can ask back what it means."""
    for setup in setups(game):
        for state in moments(game, setup, 12):
            for seat, question in state.questions.items():
                explained = game.text.explain(question, game.view(state, seat))
                assert len(explained) >= EXPLANATION_MIN, f"{question.kind}: {explained!r}"


@promise
def a_protocol_of_its_own_has_a_page(game: Game) -> None:
    if game.wire is not None and game.name in games.names():
        assert games.page(game.name), f"{_home(game)} has no PROTOCOL.md"


@promise
def every_bot_answers_with_an_option_even_without_time(game: Game) -> None:
    setup = default_setups(game)[0]
    for level, bot in game.bots.items():
        dice = Dice(15)
        for state in moments(game, setup, 4):
            for seat, question in state.questions.items():
                answer = bot(game, game.redeal(state, seat, dice), seat, dice, lambda: False)
                assert answer in question.choices, f"{level}: {answer}"


def _check_refusal(call: Callable[..., Any], *arguments: Any) -> None:
    reason = None
    try:
        call(*arguments)
    except Refused as refusal:
        reason = refusal.reason
    assert reason is not None, f"not refused: {arguments[-1]}"
    assert reason, "refused without a reason"
