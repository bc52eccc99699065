"""The promises of a game about who knows what, about absence, and about its words and bots."""

import sys
from copy import copy
from typing import Any

import msgspec

from ludoteca import games
from ludoteca.core import LEVELS, Dice, Game, Seat, Setup
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
    watchers,
)

# What a question's explanation has at least: less is no sentence.
EXPLANATION_MIN = 40


COLOURS = frozenset(["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"])


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
def the_events_make_the_true_picture(game: Game) -> None:
    """The state's own tabletop is what `happen` makes of the events, none of them hidden: the rules change
    nothing behind the players' backs. Games without such a function have nothing to show here."""
    module = sys.modules.get(f"{game.start.__module__.rpartition('.')[0]}.state")
    happen = getattr(module, "happen", None)
    if happen is None:
        return
    for setup in setups(game):
        picture: Any = None
        for turn in play(game, setup, 400):
            if turn.seat is None:
                picture = _tabletop(module, turn.state)
                continue
            for event in turn.events:
                # A tabletop may be changed in place or made anew.
                picture = happen(picture, event) or picture
            assert picture == _tabletop(module, turn.state), f"after {turn.action}"


def _tabletop(module: Any, state: Any) -> Any:
    """What lies on the table: the state has it, or is one itself."""
    if hasattr(state, "tabletop"):
        return state.tabletop
    kind = module.Tabletop
    return kind(*(copy(getattr(state, field)) for field in kind.__struct_fields__))


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
def the_words_for_a_choice_are_understood(game: Game) -> None:
    dice = Dice(14)
    for setup in setups(game):
        for state in moments(game, setup, 12):
            for question in state.questions.values():
                for action in some(question, dice, 12):
                    words = game.text.write(action)
                    assert game.text.read(words, question) == action, words
                check_refusal(game.text.read, "no such words at all", question)


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
def colours_of_players_are_those_that_terminals_have(game: Game) -> None:
    for setup in setups(game):
        for state in moments(game, setup, 5):
            hues = game.text.hues(game.view(state, None))
            assert len(hues) in (0, setup.seats)
            assert all(not hue or hue.removeprefix("bright ") in COLOURS for hue in hues), hues


@promise
def a_protocol_of_its_own_has_a_page(game: Game) -> None:
    if game.wire is not None and game.name in games.names():
        assert games.page(game.name), f"{home(game)} has no PROTOCOL.md"


@promise
def bots_go_by_the_levels_of_the_house_weakest_first(game: Game) -> None:
    assert tuple(game.bots) == tuple(level for level in LEVELS if level in game.bots), tuple(game.bots)
    assert not game.former_bots.keys() & game.bots.keys()
    assert {*game.former_bots.values()} <= game.bots.keys()


@promise
def every_bot_answers_with_a_choice_even_without_time(game: Game) -> None:
    setup = default_setups(game)[0]
    for level, bot in game.bots.items():
        dice = Dice(15)
        for state in moments(game, setup, 4):
            for seat, question in state.questions.items():
                answer = bot(game, game.redeal(state, seat, dice), seat, dice, lambda: False)
                assert answer in question.choices, f"{level}: {answer}"
