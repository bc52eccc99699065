"""Bots: they see wins and dangers, answer at once when they must, and the strong one
beats the general search."""

import pytest
from tests.games.santorini.boards import cell, from_text, play

from ludoteca import bots, games
from ludoteca.core import Dice, Seat, Setup
from ludoteca.games.santorini.actions import Build, Move, TakeGod
from ludoteca.games.santorini.advice import explain
from ludoteca.games.santorini.bot import ENGINES_STRENGTH, Search, can_win_now, worth
from ludoteca.games.santorini.data import CARDS
from ludoteca.games.santorini.rules import apply
from ludoteca.games.santorini.state import Options, State

GAME = games.load("santorini")


def looks(count: int):
    """A clock that can be looked at this often."""
    left = iter(range(count))
    return lambda: next(left, None) is not None


def answer(level: str, state: State, count: int = 200, dice: Dice | None = None):
    seat = Seat(state.seat)
    choice = GAME.bots[level](GAME, state.clone(), seat, dice or Dice(7), looks(count))
    assert choice in state.choices
    return choice


@pytest.mark.parametrize("level", GAME.bots)
def test_a_win_is_taken(level):
    state = from_text(". . . . . / . 2A 3 . . / . 1 2 . . / . . . B . / A . . . B")
    for seed in range(8):
        assert answer(level, state, dice=Dice(seed)) == Move(cell("B2"), cell("C2"))


def test_the_strongest_knows_every_god_and_takes_the_one_it_wins_with():
    assert set(ENGINES_STRENGTH) == set(CARDS)
    state = State.empty(Options(), (0, 1))
    state.phase, state.offered = "god", ("Morpheus", "Athena")
    state.choices = (TakeGod("Morpheus"), TakeGod("Athena"))
    assert answer("master", state) == TakeGod("Athena")


def test_the_strongest_as_challenger_offers_gods_about_as_strong_as_each_other_and_begins():
    for seed in range(5):
        state, _ = GAME.start(Setup(2, 1, Options()))
        challenger, dice = state.seat, Dice(seed)
        while state.phase != "colour":
            apply(state, Seat(state.seat), answer("master", state, dice=dice))
        one, other = (ENGINES_STRENGTH[god] for god in state.offered)
        assert min(one, other) > -50
        assert abs(one - other) <= 25
        assert state.start == challenger


@pytest.mark.parametrize("level", ["medium", "strong"])
def test_the_only_defence_is_found(level):
    """B threatens to go up to D3; A must reach it with a dome."""
    state = from_text(". . . . . / . A . . . / . . . 3 2B / . . . . . / A . . . B")
    first = answer(level, state)
    assert isinstance(first, Move)
    apply(state, Seat(0), first)
    assert answer(level, state) == Build(first.target, cell("D3"), True)


@pytest.mark.slow
def test_the_medium_bot_slips_now_and_then_and_the_strong_one_never():
    state = from_text(". . . . . / . A . . . / . . . 3 2B / . . . . . / A . . . B")
    near = {cell(name) for name in ("C2", "C3", "C4", "D2", "D4", "E2", "E4")}
    parried = {
        level: sum(answer(level, state, dice=Dice(seed)).target in near for seed in range(40))
        for level in ("medium", "strong")
    }
    assert 30 <= parried["medium"] < parried["strong"] == 40


def test_a_win_in_two_turns_is_seen():
    """Beside the third level, and nobody near enough to put a dome on it."""
    state = from_text("2A 2 3 . . / . . . . . / . . . . . / . . . . . / A . . B B")
    assert Search(0, looks(5_000), 3).best(state, Dice(1)) == Move(cell("A1"), cell("B1"))


@pytest.mark.parametrize("level", GAME.bots)
def test_every_question_of_the_setup_is_answered(level):
    for seats, gods in ((2, "core"), (3, "all"), (2, "none")):
        state, _ = GAME.start(Setup(seats, 1, Options(gods)))  # type: ignore[arg-type]
        while state.phase != "play":
            apply(state, Seat(state.seat), answer(level, state))


@pytest.mark.parametrize(
    ("god", "board", "move", "words"),
    [
        ("Pan", "2A . . . . / . . . . . / . . . . . / . . . . . / A . . B B", "A1-B1", "Pan comes down"),
        ("Eros", "1A 1 1A . . / . . . . . / . . . . . / . . . . . / . . . B B", "A1-B1", "workers meet"),
        ("Pan", "2A 3 . . . / . . . . . / . . . . . / . . . . . / A . . B B", "A1-B1", "Wins at once."),
    ],
)
def test_a_gods_own_way_to_win_is_named(god, board, move, words):
    state = from_text(board, gods=(god, "Hermes"))
    action = Move(cell(move[:2]), cell(move[3:]))
    assert words in explain(state, 0, action)["en"]


@pytest.mark.parametrize(
    ("level", "rival", "words"),
    [
        (0, ". .", "Makes C3 a step for you (level 1)."),
        (0, "B .", "Makes C3 a step for you and for your rival (level 1)."),
        (1, "1B .", "Gives your rival a step on C3 (level 2)."),
        (1, "B .", "Keeps C3 out of your rival's reach."),
        (1, ". B", "Builds C3 up for later (level 2)."),
    ],
)
def test_of_a_tower_is_said_for_whom_it_is_a_step(level, rival, words):
    others = "B B" if rival == ". ." else ". B"
    state = from_text(f". . . . . / . A . . . / . . {level} {rival} / . . . . . / A . . {others}")
    apply(state, Seat(0), Move(cell("B2"), cell("C2")))
    assert explain(state, 0, Build(cell("C2"), cell("C3")))["en"] == words


def test_a_strong_god_is_preferred():
    state, _ = GAME.start(Setup(2, 1, Options()))
    for god in ("Hera", "Prometheus"):
        apply(state, Seat(0), next(choice for choice in state.choices if getattr(choice, "god", "") == god))
    assert answer("strong", state).god == "Prometheus"


@pytest.mark.parametrize("god", CARDS)
def test_the_strong_bot_plays_under_every_god_within_its_time(god):
    """A search that never looks at the clock would not end here."""
    rival = "Hera" if god != "Hera" else "Pan"
    state = from_text("1 . 2 . . / . 1A . 1B . / . 2 2 1 . / . 1B . A . / 1 . 2 . 1", gods=[god, rival])
    for _ in range(8):
        if state.outcome is not None:
            return
        apply(state, Seat(state.seat), answer("strong", state, 20))


def test_three_players_are_played_against():
    state = from_text("1 . 2 . . / . 1A . 1B . / C 2 2 1 C / . 1B . A . / 1 . 2 . 1", gods=["", "", ""])
    for _ in range(12):
        if state.outcome is None:
            apply(state, Seat(state.seat), answer("strong", state, 20))


def test_higher_is_better_and_a_denied_win_is_none():
    low = from_text("..... / .A.B. / ..... / .B.A. / .....")
    high = from_text(". . . . . / . 1A . B . / . . . . . / . B . A . / . . . . .")
    assert worth(low, 0) == 0
    assert worth(high, 0) > 0 > worth(high, 1)
    edge = "3 2A . . . / . . . . . / . . . . . / . . . . . / . . . . B"
    assert can_win_now(from_text(edge))
    assert not can_win_now(from_text(edge, gods=["", "Hera"]))


@pytest.mark.parametrize("level", GAME.bots)
def test_a_bot_does_not_walk_to_and_fro_for_ever(level):
    """Beside Limus, Triton can build only from C1 on; Hermes finds all his level steps alike."""
    for board, gods in (
        ("A . . . . / D B D D D", ["Triton", "Limus"]),
        ("..... / .A.B. / ..... / .B.A. / .....", ["Hermes", "Hera"]),
    ):
        state, dice = from_text(board, gods=gods), Dice(1)
        for _ in range(20):
            if state.seat == 0:
                apply(state, Seat(0), answer(level, state, 30, dice))
        assert state.seat == 1


def test_no_time_at_all_is_enough_for_an_answer():
    state = from_text("..... / .A.B. / ..... / .B.A. / .....", gods=["Hermes", "Triton"])
    for level in GAME.bots:
        answer(level, state, 0)
    play(state, "B2-C2")
    for level in GAME.bots:
        answer(level, state, 0)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("gods", [None, ("Artemis", "Demeter"), ("Hermes", "Athena")])
def test_the_strong_bot_beats_the_general_search(gods):
    """About as much work for both: a trial of the search costs as much as some eighty positions."""
    wins = 0
    for number in range(4):
        strong = number % 2
        state = from_text("..... / .A.B. / ..... / .B.A. / .....", gods=gods)
        dice = Dice(number)
        while state.outcome is None:
            seat = Seat(state.seat)
            level, count = ("strong", 100) if seat == strong else ("search", 40)
            apply(state, seat, bots.choose(GAME, level, state.clone(), seat, dice, looks(count)))
        wins += state.outcome.ranks[strong] == 1
    assert wins >= 3
