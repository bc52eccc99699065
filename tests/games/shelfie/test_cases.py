"""The rule cases, collected from rulebooks and disagreements: one test each, by kind."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.games.shelfie.boards import BY_COLOUR, lay, position, room, rows_of, shelf

from ludoteca.core import Refused, Seat
from ludoteca.games.shelfie import rules
from ludoteca.games.shelfie.actions import FillColumn, TakeTiles
from ludoteca.games.shelfie.data import TOKENS, Cell
from ludoteca.games.shelfie.events import RoomRefilled, ShelfFilled, TokenTaken
from ludoteca.games.shelfie.goals import COMMON, in_place, personal_points
from ludoteca.games.shelfie.state import Shelf, State, group_points, groups
from ludoteca.games.shelfie.view import view
from ludoteca.games.shelfie.wire.draft import Draft
from ludoteca.games.shelfie.wire.messages import TILES_BY_WIRE

CASES = json.loads((Path(__file__).parent / "cases.json").read_text())["cases"]
EMPTY: Shelf = [()] * 5


def cases_of(kind: str) -> Callable[[Any], Any]:
    found = [case for case in CASES if case["kind"] == kind]
    assert found
    return pytest.mark.parametrize("case", found, ids=[case["id"] for case in found])


def cell_of(place: dict[str, int]) -> Cell:
    return Cell(place["row"], place["column"])


def state_of(case: dict[str, Any]) -> State:
    shelves = [shelf(case["bookshelf"], BY_COLOUR)] if "bookshelf" in case else []
    return position(case.get("players", 2), room_tiles=room(case["board"], BY_COLOUR), shelves=shelves)


def test_every_kind_of_case_has_a_test():
    tested = {name.removeprefix("test_case_") for name in globals() if name.startswith("test_case_")}
    assert {case["kind"] for case in CASES} == tested


@cases_of("pick")
def test_case_pick(case):
    state = state_of(case)
    take = TakeTiles(tuple(sorted(map(cell_of, case["positions"]))))
    assert (take in state.questions[Seat(0)].choices) == case["expect"]["legal"]
    if case["expect"]["legal"]:
        rules.apply(state, Seat(0), take)
        assert len(state.tabletop.hand) == len(take.cells)
    else:
        with pytest.raises(Refused) as refused:
            rules.apply(state, Seat(0), take)
        assert refused.value.code == case["expect"]["reason"]


@cases_of("column")
def test_case_column(case):
    state = position(shelves=[shelf(case["bookshelf"], BY_COLOUR)])
    lay(state, hand=("cat",) * case["tiles"])
    draft = Draft(1, state.questions[Seat(0)])
    assert draft.choose_column(case["columnNumber"]) == case["expect"]["valid"]


@cases_of("insert")
def test_case_insert(case):
    state = position(shelves=[shelf(case["bookshelf"], BY_COLOUR)])
    tiles = tuple(TILES_BY_WIRE[name] for name in case["pickedTiles"])
    lay(state, hand=tiles)
    rules.apply(state, Seat(0), FillColumn(case["columnNumber"], tiles))
    assert rows_of(state.tabletop.shelf(0), BY_COLOUR) == case["expect"]["bookshelf"]


@cases_of("need_for_swap")
def test_case_need_for_swap(case):
    state = position()
    lay(state, hand=tuple(TILES_BY_WIRE[name] for name in case["pickedTiles"]))
    orders = {option.tiles for option in state.questions[Seat(0)].choices if isinstance(option, FillColumn)}
    assert (len(orders) > 1) == case["expect"]["needForSwap"]


@cases_of("unpick")
def test_case_unpick(case):
    state = state_of(case)
    draft = Draft(1, state.questions[Seat(0)])
    for place in case["picked"]:
        assert draft.pick(cell_of(place))
    assert draft.unpick(cell_of(case["position"])) == case["expect"]["successful"]
    picture = view(state, Seat(0)).room
    left = [picture[cell.row][cell.column] for cell in draft.cells]
    assert left == [TILES_BY_WIRE[name] for name in case["expect"]["pickedTiles"]]


@cases_of("common_goal")
def test_case_common_goal(case):
    assert COMMON[case["goal"]](shelf(case["bookshelf"], BY_COLOUR)) == case["expect"]["achieved"]


@cases_of("personal_goal")
def test_case_personal_goal(case):
    tiles = shelf(case["bookshelf"], BY_COLOUR)
    assert in_place(case["card"], tiles) == case["expect"]["matches"]
    assert personal_points(case["card"], tiles) == case["expect"]["points"]


@cases_of("adjacency")
def test_case_adjacency(case):
    tiles = shelf(case["bookshelf"], BY_COLOUR)
    scoring = sorted((tile, size) for tile, size in groups(tiles) if size >= 3)
    expected = [(TILES_BY_WIRE[group["tile"]], group["size"]) for group in case["expect"]["scoring_groups"]]
    assert scoring == sorted(expected)
    assert group_points(tiles) == case["expect"]["points"]


def refill_by_a_turn(state: State) -> RoomRefilled | None:
    """End a turn without touching the living room; what came from the bag, if anything."""
    lay(state, hand=("cat",))
    events = rules.apply(state, Seat(0), FillColumn(0, ("cat",)))
    return next((event for event in events if isinstance(event, RoomRefilled)), None)


@cases_of("refill_needed")
def test_case_refill_needed(case):
    assert (refill_by_a_turn(state_of(case)) is not None) == case["expect"]["refill"]


@cases_of("refill_result")
def test_case_refill_result(case):
    state = position(case["players"], room_tiles=room(case["board"], BY_COLOUR), bag=case["bag"])
    refilled = refill_by_a_turn(state)
    expect = case["expect"]
    for kept in expect["kept"]:
        assert state.tabletop.room[kept["row"]][kept["column"]] == TILES_BY_WIRE[kept["tile"]]
    assert len(state.bag) == expect["bag_after"]
    assert sum(tile is not None for row in state.tabletop.room for tile in row) == expect["tiles_on_board"]
    if expect["drawn"]:
        assert refilled is not None
        assert len(refilled.tiles) == expect["drawn"]
        assert refilled.cells[-1] == cell_of(expect["filled_last"])
        assert list(refilled.cells) == sorted(refilled.cells)
    else:
        assert refilled is None


def reach_goal(state: State, seat: int) -> int:
    """One turn of this seat after which four corners are of one type; the token it took, 0 for none."""
    corners = shelf(["....P", "C...C", "B...B", "G...G", "F...F", "P...P"])
    lay(state, {seat: corners}, turn=seat, hand=("plant",))
    events = rules.apply(state, Seat(seat), FillColumn(0, ("plant",)))
    return sum(event.value for event in events if isinstance(event, TokenTaken))


@cases_of("tokens")
def test_case_tokens(case):
    state = position(case["players"], goals=(8, 1))
    seats = {name: seat for seat, name in enumerate("ABCD")}
    assert [reach_goal(state, seats[name]) for name in case["achievers"]] == case["expect"]["values"]
    left = state.tabletop.commons[0].tokens
    assert (left[0] if left else 0) == case["expect"]["top_after"]
    assert len(left) == len(TOKENS[case["players"]]) - len(set(case["achievers"]))


FULL_BUT_ONE = shelf([".CBGF", *["CBGFT", "BGFTP"] * 2, "CBGFT"])


@cases_of("end_game")
def test_case_end_game(case):
    order = case["order"]
    fillers = case["filled_in_this_order"]
    shelves = [FULL_BUT_ONE if name in fillers else EMPTY for name in order]
    state = position(len(order), shelves=shelves)
    lay(state, turn=order.index(fillers[0]))
    end_tokens, played = [], []  # single tiles are the first options, so nobody else fills up
    while state.outcome is None:
        (seat,) = state.questions
        played.append(order[seat])
        rules.apply(state, seat, state.choices[0])
        events = rules.apply(state, seat, state.choices[0])
        end_tokens += [order[event.seat] for event in events if isinstance(event, ShelfFilled)]
    assert played[1:] == case["expect"]["still_to_play"]
    assert played[-1] == case["expect"]["ends_after"]
    assert end_tokens == [case["expect"]["end_token"]]


@cases_of("final_score")
def test_case_final_score(case):
    parts = [case["parts"][name] for name in case["order"]]
    rows = {source: tuple(part[source] for part in parts) for source in parts[0]}
    outcome = rules.result(rows, first=0)
    assert dict(zip(case["order"], outcome.scores["total"], strict=True)) == case["expect"]["points"]
    assert [case["order"][seat] for seat in outcome.winners] == [case["expect"]["winner"]]


@pytest.mark.parametrize("first", range(4))
def test_of_tied_players_the_one_furthest_from_the_first_wins_wherever_the_first_sits(first):
    """Survivor of `result`: `(seat - first) % seats`."""
    outcome = rules.result({"adjacent": (8, 8, 8, 8)}, first)
    assert outcome.winners == ((first + 3) % 4,)
    assert [outcome.ranks[(first + step) % 4] for step in range(4)] == [4, 3, 2, 1]
