"""Rules of My Shelfie that the collected cases do not reach."""

import pytest
from msgspec.structs import replace
from tests.games.shelfie.boards import lay, position, room, rows_of, shelf

from ludoteca.core import Refused, Seat, Setup
from ludoteca.games.shelfie import GAME, rules
from ludoteca.games.shelfie.actions import FillColumn, TakeTiles
from ludoteca.games.shelfie.data import COMMON_GOALS, PERSONAL_GOALS, SPACES, TILES, Cell
from ludoteca.games.shelfie.events import (
    BrokenOff,
    ColumnFilled,
    Finished,
    RoomRefilled,
    ShelfFilled,
    TilesTaken,
    TokenTaken,
    TurnEnded,
)
from ludoteca.games.shelfie.goals import COMMON, LEAST_TILES
from ludoteca.games.shelfie.state import Options

A, B, C = Seat(0), Seat(1), Seat(2)

TWO_APART = ["." * 9] * 3 + ["..CB.....", "." * 9, ".G......."] + ["." * 9] * 3


@pytest.mark.parametrize(("seats", "count"), [(2, 29), (3, 37), (4, 45)])
def test_the_living_room_has_more_spaces_for_more_players_and_looks_the_same_upside_down(seats, count):
    spaces = set(SPACES[seats])
    assert len(spaces) == count
    assert {Cell(8 - cell.row, 8 - cell.column) for cell in spaces} == spaces


def test_every_personal_goal_wants_each_type_once_in_a_cell_of_its_own():
    assert len(PERSONAL_GOALS) == 12
    for cells in PERSONAL_GOALS.values():
        assert sorted(tile for _, tile in cells) == sorted(TILES)
        assert len({cell for cell, _ in cells}) == 6
        assert all(0 <= cell.row < 6 and 0 <= cell.column < 5 for cell, _ in cells)


def pictures(goal: int) -> tuple[list[str], list[str]]:
    """The bookshelves drawn in the docstring of a common goal: one that shows it, one that does not."""
    lines = [line.split() for line in (COMMON[goal].__doc__ or "").splitlines()]
    rows = [line for line in lines if len(line) == 2 and all(len(word) == 5 for word in line)]
    return [row[0] for row in rows], [row[1] for row in rows]


@pytest.mark.parametrize("goal", COMMON_GOALS)
def test_the_pictures_of_a_common_goal_are_true(goal):
    shown, not_shown = pictures(goal)
    assert len(shown) == 6
    assert COMMON[goal](shelf(shown))
    assert not COMMON[goal](shelf(not_shown))


@pytest.mark.parametrize("goal", COMMON_GOALS)
def test_an_empty_bookshelf_shows_no_common_goal(goal):
    assert not COMMON[goal](shelf(["....."] * 6))


# The smallest bookshelves that show each goal.
SMALLEST = {
    1: ["CCBB.", "CCBB."],
    2: ["CP...", "BT...", "GF...", "FG...", "TB...", "PC..."],
    3: ["CCCC.", "BBBB.", "GGGG.", "FFFF."],
    4: ["P....", "P....", "CBGFT", "CBGFT"],
    5: ["CCB..", "CBB..", "BGB..", "BCF..", "GBF..", "GGP.."],
    6: ["CBGFT", "BGFTP"],
    7: ["CCBBG", "CCCCC", "FFTTP", "BGBGB"],
    8: ["P...P", "B...G", "B...G", "C...F", "C...F", "P...P"],
    9: ["GGGG.", "GGGG."],
    10: ["F.F..", "BFG..", "FPF.."],
    11: ["T....", "BT...", "CBT..", "FCBT.", "GFCBT"],
    12: ["T....", "BT...", "CBT..", "FCBG.", "GFCBT"],
}


@pytest.mark.parametrize("goal", COMMON_GOALS)
def test_the_fewest_tiles_that_show_a_common_goal_are_enough_and_one_less_is_not(goal):
    smallest = shelf(SMALLEST[goal])
    assert sum(map(len, smallest)) == LEAST_TILES[goal]
    assert COMMON[goal](smallest)
    for column, stack in enumerate(smallest):
        if stack:
            less = [*smallest[:column], stack[:-1], *smallest[column + 1 :]]
            assert not COMMON[goal](less)
            # The last tile that is missing brings the token.
            state = position(shelves=[less], goals=(goal, 1 if goal > 1 else 2))
            lay(state, hand=stack[-1:])
            events = rules.apply(state, A, FillColumn(column, stack[-1:]))
            assert TokenTaken(0, goal, 8) in events


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_match_starts_with_a_full_room_and_different_goals(seats):
    firsts = set()
    for seed in range(40):
        state, _ = rules.start(Setup(seats, seed, Options()))
        tabletop = state.tabletop
        assert all(tabletop.room[cell.row][cell.column] for cell in SPACES[seats])
        assert len({common.id for common in tabletop.commons}) == 2
        assert len(set(tabletop.cards)) == seats
        assert list(state.questions) == [tabletop.first]
        firsts.add(tabletop.first)
    assert firsts == set(range(seats))


def test_taking_empties_the_cells_and_then_a_column_is_asked_for():
    state = position(room_tiles=room(TWO_APART))
    events = rules.apply(state, A, TakeTiles((Cell(3, 2), Cell(3, 3))))
    assert events == [TilesTaken(0, (Cell(3, 2), Cell(3, 3)), ("cat", "book"))]
    assert state.tabletop.room[3][2] is None
    question = state.questions[A]
    assert question.kind == "fill"
    assert FillColumn(4, ("book", "cat")) in question.choices
    assert len(question.choices) == 10


def test_tiles_of_one_type_have_one_order():
    state = position()
    lay(state, hand=("cat", "cat", "book"))
    assert len(state.questions[A].choices) == 5 * 3


@pytest.mark.parametrize(
    ("action", "code"),
    [
        (FillColumn(5, ("cat", "book")), "column"),
        (FillColumn(-1, ("cat", "book")), "column"),
        (FillColumn(0, ("cat", "book")), "column"),
        (FillColumn(1, ("cat", "cat")), "order"),
        (FillColumn(1, ("cat",)), "order"),
        (FillColumn(1, ("cat", "book", "book")), "order"),
        (TakeTiles((Cell(5, 1),)), "hand"),
    ],
)
def test_nothing_but_the_tiles_in_hand_goes_into_a_column_with_space(action, code):
    state = position(room_tiles=room(TWO_APART), shelves=[shelf(["....."] + ["C...."] * 5)])
    rules.apply(state, A, TakeTiles((Cell(3, 2), Cell(3, 3))))
    with pytest.raises(Refused) as refused:
        rules.apply(state, A, action)
    assert refused.value.code == code
    assert state.tabletop.hand == ("cat", "book")


def test_a_column_cannot_be_filled_before_tiles_were_taken():
    with pytest.raises(Refused, match="first take"):
        rules.apply(position(), A, FillColumn(0, ("cat",)))


def test_only_the_player_to_move_may_act():
    state = position(room_tiles=room(TWO_APART))
    with pytest.raises(Refused) as refused:
        rules.apply(state, B, TakeTiles((Cell(5, 1),)))
    assert refused.value.code == "turn"


def test_the_room_is_filled_up_when_no_two_tiles_touch_and_the_next_player_finds_it_full():
    state = position(room_tiles=room(TWO_APART))
    rules.apply(state, A, TakeTiles((Cell(3, 2),)))
    filled, refilled, ended = rules.apply(state, A, FillColumn(2, ("cat",)))
    assert filled == ColumnFilled(0, 2, ("cat",))
    assert isinstance(refilled, RoomRefilled)
    assert len(refilled.tiles) == 27
    assert state.tabletop.room[3][3] == "book"
    assert ended == TurnEnded(0, 0, 1)
    assert state.tabletop.turn == 1


def test_both_common_goals_can_be_reached_in_one_turn_and_each_only_once():
    state = position(3, goals=(8, 9), shelves=[shelf(["P....", "P...P", "P...P", "P...G", "P...G", "P...P"])])
    lay(state, hand=("plant",))
    events = rules.apply(state, A, FillColumn(4, ("plant",)))
    assert [event for event in events if isinstance(event, TokenTaken)] == [
        TokenTaken(0, 8, 8),
        TokenTaken(0, 9, 8),
    ]
    assert [common.tokens for common in state.tabletop.commons] == [(6, 4), (6, 4)]
    lay(state, turn=0, hand=("cat",))
    assert not any(isinstance(event, TokenTaken) for event in rules.apply(state, A, FillColumn(1, ("cat",))))


ALMOST_FULL = shelf([".CBGF", "CBGFT", "BGFTP", "CBGFT", "BGFTP", "CBGFT"])


def fill_up(state, seat):
    lay(state, turn=seat, hand=("cat",))
    return rules.apply(state, Seat(seat), FillColumn(0, ("cat",)))


def test_the_last_round_ends_before_the_first_player_whoever_began():
    state = position(3, shelves=[shelf(["....."]), ALMOST_FULL, shelf(["....."])])
    lay(state, first=2)
    events = fill_up(state, 1)
    assert ShelfFilled(1) in events
    assert isinstance(events[-1], Finished), "seat 2 began, so seat 1 is the last of the round"
    assert state.questions == {}


def test_nothing_comes_into_the_room_after_the_last_turn():
    state = position(2, room_tiles=room(["." * 9] * 9), shelves=[shelf(["....."]), ALMOST_FULL])
    events = fill_up(state, 1)
    assert not any(isinstance(event, RoomRefilled) for event in events)
    assert events[-2] == TurnEnded(1, state.tabletop.points[1], None)


def test_a_result_is_broken_down_by_source():
    state = position(2, shelves=[shelf(["CCC.."]), ALMOST_FULL])
    one, other = state.tabletop.commons
    lay(state, commons=(replace(one, taken=(8, 0)), replace(other, taken=(0, 4))))
    fill_up(state, 1)
    assert state.outcome is not None
    scores = state.outcome.scores
    assert scores["common goals"] == (8, 4)
    assert scores["first full shelf"] == (0, 1)
    assert scores["groups"][0] == 2
    assert scores["total"] == tuple(
        sum(row[seat] for name, row in scores.items() if name != "total") for seat in (0, 1)
    )
    assert state.tabletop.points == (scores["total"])


def test_points_include_the_personal_goal_unless_it_is_to_stay_hidden():
    # Card 1 wants a trophy at the bottom of the middle column.
    for is_open, points in ((True, 1), (False, 0)):
        state = position(options=Options(open_points=is_open))
        lay(state, hand=("trophy",))
        *_, ended = rules.apply(state, A, FillColumn(2, ("trophy",)))
        assert ended == TurnEnded(0, points, 1)


def test_hidden_personal_goals_count_at_the_end():
    state = position(2, shelves=[shelf(["..T.."]), ALMOST_FULL], options=Options(open_points=False))
    events = fill_up(state, 1)
    ended, finished = events[-2:]
    assert isinstance(ended, TurnEnded)
    assert isinstance(finished, Finished)
    scores = finished.outcome.scores
    assert ended.points == scores["total"][1] - scores["personal goal"][1]
    assert scores["personal goal"][0] == 1
    assert finished.cards == (1, 2)


def test_a_player_who_leaves_ends_the_match_without_a_winner():
    state = position(3)
    events = rules.leave(state, C)
    assert state.outcome is not None
    assert events == [BrokenOff(2, state.outcome)]
    assert state.outcome.ranks == ()
    assert state.questions == {}
    assert rules.leave(state, A) == []
    assert GAME.rejoin(state, C) == []


def test_a_shelf_can_be_written_and_read():
    rows = ["G....", "CC...", "BB.T.", "PPFTC", "GGFTC", "BCFTC"]
    assert rows_of(shelf(rows)) == rows


# Every no of a take has its word.

CORNER = [
    "...CB....",
    "...GF....",
    "...T.....",
    "...P.....",
    "...C.....",
    "...B.....",
    "." * 9,
    "." * 9,
    "." * 9,
]


def word(state, *cells: tuple[int, int]) -> str:
    with pytest.raises(Refused) as refused:
        rules.apply(state, A, TakeTiles(tuple(Cell(*cell) for cell in cells)))
    return refused.value.code


@pytest.mark.parametrize(
    ("cells", "code"),
    [
        ([], "count"),
        ([(1, 3), (2, 3), (3, 3), (4, 3)], "count"),
        ([(1, 3), (1, 3)], "duplicate"),
        ([(0, 0)], "off_board"),
        ([(9, 9)], "off_board"),
        ([(-1, 3)], "off_board"),
        ([(6, 4)], "empty_cell"),
        ([(1, 3), (3, 3)], "not_adjacent"),
        ([(1, 4), (2, 3)], "not_in_line"),
        ([(2, 3), (1, 3)], "order"),
        ([(3, 3), (1, 3), (2, 3)], "order"),
    ],
)
def test_a_take_that_cannot_be_has_the_word_for_why(cells, code):
    state = position(room_tiles=room(CORNER))
    assert word(state, *cells) == code


def test_as_many_tiles_are_taken_as_the_roomiest_column_holds_and_no_more():
    tall = shelf(["C....", "CCCCC", "BBBBB", "CCCCC", "BBBBB"])
    state = position(room_tiles=room(CORNER), shelves=[tall])
    assert TakeTiles((Cell(1, 3), Cell(2, 3))) in state.questions[A].choices
    assert word(state, (2, 3), (1, 3)) == "order", "there is space for two, if one says them as one reads"
    assert word(state, (1, 3), (2, 3), (3, 3)) == "no_column_fits"
