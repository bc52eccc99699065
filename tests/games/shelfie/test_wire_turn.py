"""The seed's protocol: a turn, from the first picked tile to its end."""

import pytest
from tests.games.shelfie.house import Client, House
from tests.games.shelfie.words import response, tile_at, tiles_on

# Picking


def test_a_selection_grows_and_shrinks_as_a_line():
    anna, _ = House().match("anna", "bruno")
    picked = response("PickTileResponse", valid=True, pickedTiles=["YELLOW"])
    assert anna.pick(5, 3) == picked
    assert anna.pick(5, 4)["pickedTiles"] == ["YELLOW"] * 2
    assert anna.pick(5, 2)["pickedTiles"] == ["YELLOW"] * 3
    middle = anna.unpick(5, 3)
    assert middle == response("UnpickTileResponse", pickedTiles=["YELLOW"] * 3, successful=False)
    assert anna.unpick(5, 2)["successful"]
    assert anna.unpick(5, 4)["successful"]
    assert anna.unpick(5, 3) == response("UnpickTileResponse", pickedTiles=[], successful=True)


def test_the_selection_is_told_in_the_order_of_picking():
    anna, _ = House().match("anna", "bruno")
    anna.pick(3, 5)
    assert anna.pick(3, 4)["pickedTiles"] == ["WHITE", "GREEN"]


@pytest.mark.parametrize(
    ("row", "column"), [(3, 4), (5, 4), (1, 3), (4, 4), (0, 0), (-1, 3), (9, 9), (5, 2**31 - 1)]
)
def test_a_tile_that_does_not_fit_the_selection_is_refused(row, column):
    anna, _ = House().match("anna", "bruno")
    anna.pick(3, 4)
    answer = anna.pick(row, column)
    assert answer == response("PickTileResponse", valid=False, pickedTiles=["GREEN"])


def test_what_was_not_picked_cannot_be_given_back():
    anna, _ = House().match("anna", "bruno")
    anna.pick(3, 4)
    assert anna.unpick(3, 5) == response("UnpickTileResponse", pickedTiles=["GREEN"], successful=False)


def test_nothing_is_confirmed_when_nothing_is_selected_and_only_the_asker_hears():
    anna, bruno = House().match("anna", "bruno")
    answer = anna.ask("ConfirmPickRequest")
    assert answer == response("ConfirmPickResponse", board=anna.start["board"], valid=False)
    assert bruno.take() == []


def test_a_confirmed_pick_is_shown_to_all():
    anna, bruno = House().match("anna", "bruno")
    anna.pick(3, 5)
    anna.pick(3, 4)
    answer = anna.ask("ConfirmPickRequest")
    assert answer["valid"]
    assert tile_at(answer["board"], 3, 4) == tile_at(answer["board"], 3, 5) == "EMPTY"
    assert tiles_on(answer["board"]) == 4
    assert bruno.take() == [answer]


def test_who_is_not_moving_is_refused_everything_and_changes_nothing():
    anna, bruno = House().match("anna", "bruno")
    board = anna.start["board"]
    assert bruno.pick(5, 3) == response("PickTileResponse", valid=False, pickedTiles=[])
    assert bruno.unpick(5, 3) == response("UnpickTileResponse", pickedTiles=[], successful=False)
    assert bruno.ask("ConfirmPickRequest") == response("ConfirmPickResponse", board=board, valid=False)
    refused = response("ConfirmColumnResponse", valid=False, needForSwap=False)
    assert bruno.ask("ConfirmColumnRequest", columnNumber=0) == refused
    bruno.tell("ConfirmOrderNotify", pickedTiles=["GREEN"])
    assert bruno.take() == []
    assert anna.take() == []
    assert anna.pick(5, 3)["valid"]


def test_before_the_match_everything_about_turns_is_refused():
    anna = House().login("anna")
    anna.take()
    assert anna.pick(5, 3) == response("PickTileResponse", valid=False, pickedTiles=[])
    assert anna.unpick(5, 3) == response("UnpickTileResponse", pickedTiles=[], successful=False)
    answer = anna.ask("ConfirmPickRequest")
    assert answer == response("ConfirmPickResponse", board={"cells": []}, valid=False)
    assert not anna.ask("ConfirmColumnRequest", columnNumber=0)["valid"]
    anna.tell("ConfirmOrderNotify", pickedTiles=["GREEN"])
    anna.tell("ChatMessage", player="anna", receiver=None, textMessage="hello?")
    assert anna.take() == []


# Column and order


def with_pair_in_hand() -> tuple[Client, Client]:
    anna, bruno = House().match("anna", "bruno")
    anna.pick(3, 4)
    anna.pick(3, 5)
    anna.tell("ConfirmPickRequest")
    anna.take(), bruno.take()
    return anna, bruno


def test_picking_is_over_once_the_pick_is_confirmed():
    anna, _ = with_pair_in_hand()
    hand = ["GREEN", "WHITE"]
    assert anna.pick(5, 3) == response("PickTileResponse", valid=False, pickedTiles=hand)
    assert anna.unpick(3, 4) == response("UnpickTileResponse", pickedTiles=hand, successful=False)
    assert not anna.ask("ConfirmPickRequest")["valid"]


@pytest.mark.parametrize("column", [5, -1, 99, 2**31 - 1])
def test_a_column_outside_the_bookshelf_is_refused(column):
    anna, _ = with_pair_in_hand()
    answer = anna.ask("ConfirmColumnRequest", columnNumber=column)
    assert answer == response("ConfirmColumnResponse", valid=False, needForSwap=False)
    assert anna.ask("ConfirmColumnRequest", columnNumber=0)["valid"]


def test_different_tiles_need_an_order_and_equal_ones_do_not():
    anna, _ = with_pair_in_hand()
    assert anna.ask("ConfirmColumnRequest", columnNumber=2)["needForSwap"]
    bob, _ = House().match("bob", "cleo")
    bob.pick(5, 3)
    bob.pick(5, 4)
    bob.ask("ConfirmPickRequest")
    answer = bob.ask("ConfirmColumnRequest", columnNumber=2)
    assert answer == response("ConfirmColumnResponse", valid=True, needForSwap=False)


def test_a_confirmed_column_stays():
    anna, _ = with_pair_in_hand()
    assert anna.ask("ConfirmColumnRequest", columnNumber=2)["valid"]
    assert not anna.ask("ConfirmColumnRequest", columnNumber=3)["valid"]
    anna.tell("ConfirmOrderNotify", pickedTiles=["GREEN", "WHITE"])
    assert anna.take()[0]["bookshelf"]["rows"][5][2] == "GREEN"


def test_an_order_before_the_column_is_ignored():
    anna, bruno = with_pair_in_hand()
    anna.tell("ConfirmOrderNotify", pickedTiles=["GREEN", "WHITE"])
    assert anna.take() == bruno.take() == []


@pytest.mark.parametrize(
    "forged",
    [
        [],
        ["GREEN"],
        ["GREEN", "GREEN"],
        ["GREEN", "WHITE", "WHITE"],
        ["PINK", "PINK"],
        ["GREEN", "WHITE", "EMPTY"],
        ["EMPTY", "EMPTY"],
    ],
)
def test_an_order_of_other_tiles_is_asked_for_again(forged):
    anna, bruno = with_pair_in_hand()
    anna.ask("ConfirmColumnRequest", columnNumber=2)
    again = response("ConfirmColumnResponse", valid=True, needForSwap=True)
    assert anna.ask("ConfirmOrderNotify", pickedTiles=forged) == again
    assert bruno.take() == []
    anna.tell("ConfirmOrderNotify", pickedTiles=["WHITE", "GREEN"])
    assert anna.kinds() == ["EndTurnNotify"]


def test_the_end_of_a_turn_is_shown_to_all_the_first_tile_lowest():
    anna, bruno = with_pair_in_hand()
    anna.ask("ConfirmColumnRequest", columnNumber=2)
    anna.tell("ConfirmOrderNotify", pickedTiles=["WHITE", "GREEN"])
    (ended,) = anna.take()
    assert bruno.take() == [ended]
    rows = ended.pop("bookshelf")["rows"]
    assert [row[2] for row in rows] == ["EMPTY"] * 4 + ["GREEN", "WHITE"]
    assert tiles_on(ended.pop("board")) == 4
    assert ended == response(
        "EndTurnNotify",
        commonGoalsTokens=[{"value": 8}, {"value": 8}],
        points=0,
        endGame=False,
        player="anna",
        nextPlayer="bruno",
    )


def test_the_board_is_already_refilled_when_the_turn_ends():
    house = House([".........", "...P.....", ".........", "....CB...", *["........."] * 5])
    anna, _ = house.match("anna", "bruno")
    anna.pick(3, 5)
    assert tiles_on(anna.ask("ConfirmPickRequest")["board"]) == 2
    anna.ask("ConfirmColumnRequest", columnNumber=0)
    anna.tell("ConfirmOrderNotify", pickedTiles=["WHITE"])
    assert tiles_on(anna.take()[0]["board"]) == 29


def test_confirming_twice_in_one_packet_takes_once():
    anna, bruno = House().match("anna", "bruno")
    anna.pick(5, 3)
    anna.send(b'{"type":"ConfirmPickRequest"}\n' * 2)
    assert [message["valid"] for message in anna.take()] == [True, False]
    assert len(bruno.take()) == 1
    anna.ask("ConfirmColumnRequest", columnNumber=0)
    anna.send(b'{"type":"ConfirmOrderNotify","pickedTiles":["YELLOW"]}\n' * 2)
    assert anna.kinds() == ["EndTurnNotify"]
