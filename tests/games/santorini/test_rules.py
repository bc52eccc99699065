"""The rules without gods, and the setup."""

import pytest
from tests.games.santorini.boards import blocks, cell, domes, from_text, moves, play, wins

from ludoteca.core import LocalError, Seat, Setup
from ludoteca.games.santorini import GAME
from ludoteca.games.santorini.actions import Action, ChooseColour, ChooseStart, OfferGod, Place, TakeGod
from ludoteca.games.santorini.data import CATALOGUES
from ludoteca.games.santorini.events import BrokenOff, Lost, TurnBegan, Won
from ludoteca.games.santorini.rules import apply, leave, start
from ludoteca.games.santorini.state import Options, Preferences, State

# Moving


def test_a_worker_moves_to_any_of_the_eight_spaces_around_it():
    state = from_text("..... / ..... / ..A.. / ..... / B...B", to_move="A")
    assert moves(state, "C3") == {"B2", "C2", "D2", "B3", "D3", "B4", "C4", "D4"}


def test_a_worker_may_not_climb_two_levels_but_drop_any_number():
    state = from_text("3A 2 1 / 0 3 . / . . B")
    assert moves(state, "A1") == {"B1", "A2", "B2"}
    state = from_text("0A 2 1 / 1 . . / . . B")
    assert moves(state, "A1") == {"A2", "B2"}


def test_a_worker_may_not_enter_a_dome_or_another_worker():
    state = from_text("A D . / A B . / . . .")
    assert moves(state, "A1") == set()
    assert moves(state, "A2") == {"A3", "B3"}


# Building


def test_the_worker_that_moved_builds_around_it():
    state = from_text("A . . A / . . . . / . . B B")
    play(state, "A1-B1")
    assert blocks(state) == {"A1", "C1", "A2", "B2", "C2"}
    assert blocks(state, "D1") == set()


def test_level_three_takes_a_dome_and_a_dome_takes_nothing():
    state = from_text("A 3 D / . 2 . / B . B")
    play(state, "A1-A2")
    assert domes(state) == {"B1"}
    assert blocks(state) == {"A1", "B2", "B3"}


def test_a_block_makes_a_tower_higher_by_one():
    state = from_text("A 1 . / . . . / B . B")
    play(state, "A1-A2", "A2+B1")
    assert state.towers[1] == 2


# Winning and losing


def test_moving_up_to_the_third_level_wins():
    state = from_text("3. 2A / .. .. / .. .B")
    assert wins(state, "B1-A1") == 0
    assert state.outcome is not None
    assert state.outcome.ranks == (1, 2)
    assert not state.questions


def test_walking_on_the_third_level_does_not_win():
    state = from_text("3. 3A / .. .. / .. .B")
    assert wins(state, "B1-A1") is None
    assert state.seat == 0


def test_who_cannot_move_has_lost():
    state = from_text("A . . / . 1 . / 1 2 2 / B 2 2", to_move="A")
    events = play(state, "A1-A2", "A2+A3")
    assert events[-2:] == [Lost(1, "cannot move"), Won(0, "nobody else could go on")]


def test_who_cannot_build_after_the_move_has_lost():
    # Limus lets nobody build beside him, not even on the space that was left.
    state = from_text("D D D / D . A / D D B", gods=["", "Limus"])
    events = play(state, "C2-B2")
    assert Lost(0, "cannot build") in events
    assert Won(1, "nobody else could go on") in events


def test_a_dome_is_a_build_that_saves_from_defeat():
    state = from_text("D D D / 3 2 3A / D D B", gods=["", "Limus"])
    events = play(state, "C2-B2")
    assert not any(isinstance(event, Lost) for event in events)
    assert domes(state) == {"A2", "C2"}


def test_with_three_players_the_loser_is_out_and_the_others_play_on():
    state = from_text("A 2 . C / 2 2 . C / . . . B / . . . B", to_move="C", gods=["", "", ""])
    events = play(state, "D1-C1", "C1+C2")
    assert events[-3:] == [TurnBegan(0, "play"), Lost(0, "cannot move"), TurnBegan(1, "play")]
    assert state.workers[0] == state.workers[1] == -1
    assert state.outcome is None
    play(state, "D3-C3", "C3+B3")
    assert state.seat == 2


def test_the_first_seat_may_be_the_one_that_is_out_and_nobody_gets_two_turns():
    """Defect 2 of the original: when the youngest was out, the next player had two turns in a row."""
    state = from_text("A 2 . C / 2 2 . C / . . . B / . . . B", to_move="C", gods=["", "", ""])
    play(state, "D1-C1", "C1+C2", "D3-C3", "C3+B3", "C1-D1", "D1+C1")
    assert state.seat == 1


def test_the_last_one_left_of_three_wins_and_the_order_of_losing_ranks_the_others():
    state = from_text("A 2 . C / 2 2 . C / D D D D / B D D D", to_move="C", gods=["", "", ""])
    events = play(state, "D1-C1", "C1+C2")
    assert [event for event in events if isinstance(event, Lost | Won)] == [
        Lost(0, "cannot move"),
        Lost(1, "cannot move"),
        Won(2, "nobody else could go on"),
    ]
    assert state.outcome is not None
    assert state.outcome.ranks == (3, 2, 1)


# Setup


def setup(*dates: str, gods: str = "core") -> State:
    preferences = tuple(Preferences(date) for date in dates)
    state, events = start(Setup(len(dates), 1, Options(gods), preferences))  # type: ignore[arg-type]
    assert events == [TurnBegan(state.order[0], state.phase)]
    return state


def options(state: State) -> list[object]:
    return list(state.questions[Seat(state.seat)].choices)


def test_the_youngest_is_the_challenger_and_ties_go_by_seat():
    assert setup("1990.01.02", "1998.04.11", "1985.05.05").order == (1, 0, 2)
    assert setup("1990.01.02", "1990.01.02").order == (0, 1)


def test_the_setup_goes_through_gods_start_colours_and_places():
    state = setup("1990.01.02", "1998.04.11", "1985.05.05")
    asked = []
    actions: list[Action] = [
        OfferGod("Pan"),
        OfferGod("Zeus"),
        OfferGod("Apollo"),
        TakeGod("Pan"),
        TakeGod("Apollo"),
        TakeGod("Zeus"),
        ChooseStart(2),
        ChooseColour("WHITE"),
        ChooseColour("MAGENTA"),
        ChooseColour("LIGHT_BLUE"),
        *(Place(cell(name)) for name in ("A1", "A2", "B1", "B2", "C1", "C2")),
    ]
    for action in actions:
        asked.append((state.seat, next(iter(state.questions.values())).kind))
        assert action in options(state)
        apply(state, Seat(state.seat), action)
    assert asked == [
        *[(1, "gods")] * 3,
        *[(0, "god"), (2, "god"), (1, "god")],
        (1, "start"),
        *[(2, "colour"), (1, "colour"), (0, "colour")],
        *[(2, "place")] * 2,
        *[(1, "place")] * 2,
        *[(0, "place")] * 2,
    ]
    assert state.gods == ("Pan", "Zeus", "Apollo")
    assert (state.phase, state.seat) == ("play", 2)


def test_without_gods_the_challenger_names_the_start_player_at_once():
    state = setup("1990.01.02", "1998.04.11", gods="none")
    assert (state.seat, state.phase) == (1, "start")
    assert options(state) == [ChooseStart(1), ChooseStart(0)]


def test_gods_for_two_are_not_offered_to_three():
    two, three = setup("", ""), setup("", "", "")
    assert len(options(two)) == 23
    assert len(options(three)) == 21
    assert OfferGod("Chronus") in options(two)
    assert OfferGod("Chronus") not in options(three)
    assert OfferGod("Aphrodite") not in options(three)


def test_the_original_catalogue_has_fourteen_gods_and_no_hermes():
    state = setup("", "", gods="original")
    assert len(options(state)) == 14
    assert OfferGod("Hermes") not in options(state)


@pytest.mark.parametrize(
    ("god", "shunned"),
    [("Aphrodite", "Urania"), ("Hades", "Pan"), ("Hypnus", "Terpsichore"), ("Limus", "Terpsichore")],
)
def test_gods_that_cannot_meet_are_not_offered_together(god, shunned):
    for first, second in ((god, shunned), (shunned, god)):
        state = setup("", "", gods="all")
        assert len(options(state)) == 26
        apply(state, Seat(0), OfferGod(first))
        assert OfferGod(second) not in options(state)
        assert OfferGod(first) not in options(state)


def test_the_core_holds_no_pair_that_cannot_meet():
    state = setup("", "")
    for god in CATALOGUES["core"]:
        trial = state.clone()
        apply(trial, Seat(0), OfferGod(god))
        assert len(options(trial)) == 22


def test_only_the_gods_on_the_table_can_be_taken():
    """Defect 4 of the original: any god of the catalogue could be chosen."""
    state = setup("", "")
    for god in ("Pan", "Atlas"):
        apply(state, Seat(0), OfferGod(god))
    assert options(state) == [TakeGod("Pan"), TakeGod("Atlas")]
    apply(state, Seat(1), TakeGod("Atlas"))
    assert options(state) == [TakeGod("Pan")]


def test_nobody_starts_on_an_occupied_space():
    state = setup("", "", gods="none")
    for action in (ChooseStart(0), ChooseColour("WHITE"), ChooseColour("MAGENTA"), Place(cell("C3"))):
        apply(state, Seat(state.seat), action)
    assert Place(cell("C3")) not in options(state)
    assert len(options(state)) == 24


def test_santorini_is_for_two_or_three():
    assert list(GAME.seats) == [2, 3]
    for seats in (1, 4):
        with pytest.raises(LocalError):
            GAME.setup(seats)


# Leaving


def test_a_player_who_leaves_breaks_the_match_off():
    state = from_text("A . / . B")
    assert leave(state, Seat(1)) == [BrokenOff(1)]
    assert state.outcome is not None
    assert state.outcome.ranks == ()


def test_a_player_who_is_out_may_leave():
    state = from_text("A . C / . . . / B . .", gods=["", "", ""], out=(False, True, False))
    assert leave(state, Seat(1)) == []
    assert state.outcome is None
