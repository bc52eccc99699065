"""When a bot gives up: with no hope in some of its turns in a row, and never by a slip of one."""

import pytest

import ludoteca
from ludoteca import games
from ludoteca.bots.hope import NO_HOPE, Despair, hope
from ludoteca.core import Dice, Seat
from ludoteca.games.santorini import advice
from ludoteca.games.santorini.engine import find
from ludoteca.games.santorini.text import from_text

NONE, SOME = 0.0, NO_HOPE


def given_up(*looks: tuple[int, float | None]) -> list[bool]:
    despair = Despair()
    return [despair.grows(number, left) for number, left in looks]


def test_it_gives_up_in_the_third_turn_without_hope() -> None:
    assert given_up((4, NONE), (6, NONE), (8, NONE)) == [False, False, True]


def test_several_questions_of_one_turn_are_one_turn() -> None:
    assert not any(given_up((4, NONE), (5, NONE), (6, NONE), (7, NONE)))
    assert given_up((4, NONE), (5, NONE), (9, NONE), (10, NONE), (14, NONE))[-1]
    # One that needs no thought is not looked at, and keeps the turn together.
    assert not any(given_up((4, NONE), (5, None), (6, NONE), (7, None), (8, NONE)))


def test_a_blunder_of_the_other_brings_hope_back() -> None:
    assert given_up((4, NONE), (6, NONE), (8, SOME), (10, NONE), (12, NONE), (14, NONE))[-2:] == [False, True]


@pytest.mark.parametrize("name", games.names())
def test_nobody_despairs_as_a_match_begins(name: str) -> None:
    match = ludoteca.Match.new(name, 2, seed=3)
    dice = Dice(3)
    for _ in range(8):
        if not match.asked:
            break
        seat = next(iter(match.asked))
        found = hope(match.game, match.game.redeal(match.state, seat, dice), seat)
        assert found is None or NO_HOPE < found <= 1
        match.act(seat, dice.choice(match.asked[seat].choices))


@pytest.mark.skipif(find() is None, reason="wasmtime is not installed")
def test_a_lost_position_of_santorini_is_known_as_the_turn_begins_and_only_then() -> None:
    game = games.load("santorini")
    # Two ways up for the rival, far from both workers.
    state = from_text("A . . . . / A . . . . / . . . 3 . / . . . 2B . / . . . 3 B")
    (seat,) = state.questions
    found = hope(game, state, seat)
    assert found is not None
    assert found < 1e-9
    game.apply(state, seat, state.choices[0])
    assert hope(game, state, seat) is None


def test_without_the_engine_a_threat_that_can_be_parried_is_no_reason_to_give_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(advice, "find", lambda: None)
    # Two ways up for A, and Hestia builds twice.
    board = ". 1 . . . / . 3 2A 3 . / .A .B . . . / . 2 1B . . / . . . . ."
    state = from_text(board, "B", ["Apollo", "Hestia"])
    assert advice.chance(state, 1) < NO_HOPE
    (seat,) = state.questions
    found = hope(games.load("santorini"), state, seat)
    assert found is not None
    assert found > NO_HOPE
    lost = from_text("A . . . . / A . . . . / . . . 3 . / . . . 2B . / . . . 3 B")
    found = hope(games.load("santorini"), lost, Seat(0))
    assert found is not None
    assert found < NO_HOPE
