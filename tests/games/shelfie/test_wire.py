"""The seed's protocol: every message, every check, its faults and limits, and what its page says."""

import json
import random
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.games.shelfie.house import Client, House
from tests.games.shelfie.scores import check_result

from ludoteca.core.notices import Clock, Declined, Gone, Trouble
from ludoteca.core.requests import Seek
from ludoteca.games.shelfie.data import PERSONAL_GOALS
from ludoteca.games.shelfie.state import Options
from ludoteca.games.shelfie.wire import Conversation, Settings
from ludoteca.games.shelfie.wire.messages import TILES_BY_WIRE, ClientMessage, ServerMessage
from ludoteca.wire.lines import LINE_BYTES_MAX

PAGE = Path(__file__).parents[3] / "docs" / "protocols" / "shelfie.md"


def response(kind: str, **fields: Any) -> dict[str, Any]:
    return {"type": kind, **fields}


def lobby(size: int, names: str, name: str, came: bool = True) -> dict[str, Any]:
    return response(
        "LobbyInfoMessage", sizeLobby=size, lobby=names.split(), newPlayerConnected=came, playerName=name
    )


def tile_at(board: dict[str, Any], row: int, column: int) -> str:
    (found,) = [cell["tile"] for cell in board["cells"] if (cell["row"], cell["column"]) == (row, column)]
    return str(found)


def tiles_on(board: dict[str, Any]) -> int:
    return sum(cell["tile"] != "EMPTY" for cell in board["cells"])


# Logging in and the lobby


def test_the_first_is_asked_for_the_number_and_the_match_starts_when_all_are_there():
    house = House()
    anna = house.login("anna")
    assert anna.take() == [response("LoginResponse", nickname="anna"), response("NumPlayersRequest")]
    anna.say("NumPlayersResponse", numPlayers=2)
    assert anna.take() == [lobby(2, "anna", "anna")]
    bruno = house.login("bruno")
    arrival = lobby(2, "anna bruno", "bruno")
    assert [m for m in anna.take() if m["type"] == "LobbyInfoMessage"] == [arrival]
    heard = bruno.take()
    assert heard[:2] == [response("LoginResponse", nickname="bruno"), arrival]
    assert [m["type"] for m in heard[2:]] == ["GameStartNotify"]


def test_the_number_is_asked_again_until_it_is_two_three_or_four():
    anna = House().login("anna")
    anna.take()
    for number in (1, 5, 0, -2, 10**30):
        assert anna.ask("NumPlayersResponse", numPlayers=number) == response("NumPlayersRequest")
    assert anna.ask("NumPlayersResponse", numPlayers=4) == lobby(4, "anna", "anna")
    anna.say("NumPlayersResponse", numPlayers=3)
    assert anna.take() == [], "the number is known, so another answer is ignored"


def test_a_name_that_is_taken_is_refused_whatever_its_case():
    house = House()
    house.login("anna")
    other = house.login("ANNA")
    assert other.take() == [response("LoginResponse", nickname=None)]
    assert other.ask("LoginRequest", nickname="bruno") == response("LoginResponse", nickname="bruno")


@pytest.mark.parametrize(
    "name", ["", " ", "an na", "a" * 21, "anna\n", "an\tna", "everyone", "Everyone", "a\u2028b", "\u00a0"]
)
def test_a_name_of_the_wrong_kind_is_refused(name):
    anna = House().client()
    assert anna.ask("LoginRequest", nickname=name) == response("LoginResponse", nickname=None)


def test_a_name_may_be_of_twenty_letters_of_any_script():
    anna = House().login("Åéñßλжあ" + "x" * 13)
    assert anna.take()[0]["nickname"] == "Åéñßλжあ" + "x" * 13


def test_a_second_login_is_refused():
    house = House()
    anna = house.login("anna")
    anna.take()
    assert anna.ask("LoginRequest", nickname="other") == response("LoginResponse", nickname=None)
    anna, _ = House().match("anna", "bruno")
    assert anna.ask("LoginRequest", nickname="other") == response("LoginResponse", nickname=None)


def test_who_logs_in_while_the_first_still_chooses_is_held_and_added_in_order():
    house = House()
    anna, bruno, carla = house.login("anna"), house.login("bruno"), house.login("carla")
    assert bruno.take() == [response("LoginResponse", nickname="bruno")]
    assert carla.kinds() == ["LoginResponse"]
    anna.say("NumPlayersResponse", numPlayers=4)
    assert anna.take()[2:] == [
        lobby(4, "anna", "anna"),
        lobby(4, "anna bruno", "bruno"),
        lobby(4, "anna bruno carla", "carla"),
    ]
    assert carla.take() == [lobby(4, "anna bruno carla", "carla")]


def test_when_the_one_who_chooses_leaves_the_next_is_asked():
    house = House()
    anna, bruno = house.login("anna"), house.login("bruno")
    bruno.take()
    anna.hang_up()
    assert bruno.take() == [response("NumPlayersRequest")]


def test_a_departure_is_told_and_the_wanted_number_stays():
    house = House()
    anna = house.login("anna")
    anna.say("NumPlayersResponse", numPlayers=3)
    bruno = house.login("bruno")
    bruno.take()
    anna.hang_up()
    assert bruno.take() == [lobby(3, "bruno", "anna", came=False)]
    carla = house.login("carla")
    assert carla.take()[1] == lobby(3, "bruno carla", "carla")


def test_a_lobby_that_empties_is_forgotten():
    house = House()
    anna = house.login("anna")
    anna.say("NumPlayersResponse", numPlayers=3)
    anna.hang_up()
    assert house.login("bruno").kinds() == ["LoginResponse", "NumPlayersRequest"]


def test_a_waiting_lobby_hears_nothing_of_other_matches():
    house = House()
    anna, bruno = house.match("anna", "bruno")
    carla = house.login("carla")
    carla.say("NumPlayersResponse", numPlayers=2)
    carla.take()
    bruno.hang_up()
    assert anna.kinds() == ["PlayerDisconnectedNotify"]
    assert carla.take() == []


def test_a_bot_is_a_player_like_any_other():
    house = House()
    anna = house.login("anna")
    anna.say("NumPlayersResponse", numPlayers=2)
    anna.take()
    anna.add_bot()
    arrived, started = anna.take()
    assert arrived["newPlayerConnected"]
    assert started["players"] == ["anna", arrived["playerName"]]


# The start


def test_the_start_shows_the_same_to_all_but_the_personal_goal_and_the_token():
    anna, bruno, carla = House().match("anna", "bruno", "carla")
    starts = [client.start for client in (anna, bruno, carla)]
    assert [start["personalGoal"]["id"] for start in starts] == [1, 2, 3]
    assert len({start["token"] for start in starts}) == 3
    for start in starts:
        del start["personalGoal"], start["token"]
    assert starts[0] == starts[1] == starts[2]
    assert starts[0]["players"] == ["anna", "bruno", "carla"]
    assert starts[0]["nextPlayer"] == "anna"
    assert starts[0]["commonGoals"] == [
        {"id": 3, "name": "Four groups of four"},
        {"id": 10, "name": "X of five"},
    ]
    assert starts[0]["commonGoalsTokens"] == [{"value": 8}, {"value": 8}]


def test_a_board_lists_every_space_and_nothing_about_the_bag():
    house = House(None)
    anna, _ = house.match("anna", "bruno")
    board = anna.start["board"]
    assert list(board) == ["cells"]
    places = [(cell["row"], cell["column"]) for cell in board["cells"]]
    assert len(places) == 29
    assert places == sorted(places)
    assert tiles_on(board) == 29


def test_a_personal_goal_is_spelled_out():
    anna, _ = House().match("anna", "bruno")
    goal = anna.start["personalGoal"]
    wanted = {
        ((place["row"], place["column"]), TILES_BY_WIRE[tile])
        for place, tile in zip(goal["positions"], goal["tiles"], strict=True)
    }
    assert wanted == {((cell.row, cell.column), tile) for cell, tile in PERSONAL_GOALS[1]}
    assert goal["rewards"] == {"1": 1, "2": 2, "3": 4, "4": 6, "5": 9, "6": 12}


def test_players_are_listed_in_turn_order():
    for _ in range(10):
        anna, *_ = House(None).match("anna", "bruno", "carla")
        players = anna.start["players"]
        assert players[0] == anna.start["nextPlayer"]
        circle = ["anna", "bruno", "carla"]
        turned = circle.index(players[0])
        assert players == circle[turned:] + circle[:turned]


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
    ("row", "column"), [(3, 4), (5, 4), (1, 3), (4, 4), (0, 0), (-1, 3), (9, 9), (5, 10**20)]
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
    bruno.say("ConfirmOrderNotify", pickedTiles=["GREEN"])
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
    anna.say("ConfirmOrderNotify", pickedTiles=["GREEN"])
    anna.say("ChatMessage", player="anna", receiver=None, textMessage="hello?")
    assert anna.take() == []


# Column and order


def with_pair_in_hand() -> tuple[Client, Client]:
    anna, bruno = House().match("anna", "bruno")
    anna.pick(3, 4)
    anna.pick(3, 5)
    anna.say("ConfirmPickRequest")
    anna.take(), bruno.take()
    return anna, bruno


def test_picking_is_over_once_the_pick_is_confirmed():
    anna, _ = with_pair_in_hand()
    hand = ["GREEN", "WHITE"]
    assert anna.pick(5, 3) == response("PickTileResponse", valid=False, pickedTiles=hand)
    assert anna.unpick(3, 4) == response("UnpickTileResponse", pickedTiles=hand, successful=False)
    assert not anna.ask("ConfirmPickRequest")["valid"]


@pytest.mark.parametrize("column", [5, -1, 99, 10**25])
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
    anna.say("ConfirmOrderNotify", pickedTiles=["GREEN", "WHITE"])
    assert anna.take()[0]["bookshelf"]["rows"][5][2] == "GREEN"


def test_an_order_before_the_column_is_ignored():
    anna, bruno = with_pair_in_hand()
    anna.say("ConfirmOrderNotify", pickedTiles=["GREEN", "WHITE"])
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
    anna.say("ConfirmOrderNotify", pickedTiles=["WHITE", "GREEN"])
    assert anna.kinds() == ["EndTurnNotify"]


def test_the_end_of_a_turn_is_shown_to_all_the_first_tile_lowest():
    anna, bruno = with_pair_in_hand()
    anna.ask("ConfirmColumnRequest", columnNumber=2)
    anna.say("ConfirmOrderNotify", pickedTiles=["WHITE", "GREEN"])
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
    anna.say("ConfirmOrderNotify", pickedTiles=["WHITE"])
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


# Whole matches


class Player:
    """A client that knows only the protocol: it tries tiles and columns until they are accepted."""

    def __init__(self, client: Client, dice: random.Random) -> None:
        self.client = client
        self.dice = dice
        self.name = ""
        self.board = client.start["board"]
        self.next = client.start["nextPlayer"]
        self.shelves: dict[str, list[list[str]]] = {}
        self.ended: list[dict[str, Any]] = []
        self.result: dict[str, Any] | None = None

    def listen(self) -> None:
        for message in self.client.take():
            match message["type"]:
                case "ConfirmPickResponse":
                    self.board = message["board"]
                case "EndTurnNotify":
                    self.board, self.next = message["board"], message["nextPlayer"]
                    self.shelves[message["player"]] = message["bookshelf"]["rows"]
                    self.ended.append(message)
                case "GameResultNotify":
                    self.result = message

    def move(self) -> None:
        self.listen()
        cells = [cell for cell in self.board["cells"] if cell["tile"] != "EMPTY"]
        self.dice.shuffle(cells)
        wanted, picked = self.dice.choice([1, 2, 3, 3]), []
        for _ in range(2):
            for cell in cells:
                if len(picked) < wanted:
                    picked = self.client.pick(cell["row"], cell["column"])["pickedTiles"]
        assert picked
        assert self.client.ask("ConfirmPickRequest")["valid"]
        columns = [
            column
            for column in range(5)
            if self.client.ask("ConfirmColumnRequest", columnNumber=column)["valid"]
        ]
        assert len(columns) == 1, "after a valid column there is no other"
        self.dice.shuffle(picked)
        self.client.say("ConfirmOrderNotify", pickedTiles=picked)


@pytest.mark.parametrize(
    ("seats", "seed", "is_open"), [(2, 1, True), (3, 2, True), (4, 3, True), (4, 4, False)]
)
def test_a_whole_match_to_its_result(seats, seed, is_open):
    names = ["anna", "bruno", "carla", "dario"][:seats]
    house = House(None, options=Options(open_points=is_open))
    clients = house.match(*names)
    players = {
        name: Player(client, random.Random(seed + 10)) for name, client in zip(names, clients, strict=True)
    }
    for _ in range(200):
        watcher = players[names[0]]
        watcher.listen()
        if watcher.result is not None:
            break
        players[watcher.next].move()
    heard = [player.ended for player in players.values()]
    for player in players.values():
        player.listen()
        assert player.client.closed
        assert player.ended == heard[0]
        assert player.result == players[names[0]].result
    result = players[names[0]].result
    assert result is not None
    cards = {name: player.client.start["personalGoal"]["id"] for name, player in players.items()}
    check_result(result, heard[0], clients[0].start, cards, is_open=is_open)


# Chat


def said(by: str, text: str, to: str | None = None) -> dict[str, Any]:
    return response("ChatMessage", player=by, receiver=to, textMessage=text)


@pytest.mark.parametrize("fields", [{"receiver": None}, {"receiver": ""}, {"receiver": "Everyone"}, {}])
def test_chat_without_a_receiver_goes_to_all_its_author_too(fields):
    anna, bruno = House().match("anna", "bruno")
    bruno.say("ChatMessage", player="bruno", textMessage="good luck", **fields)
    assert anna.take() == bruno.take() == [said("bruno", "good luck")]


def test_chat_to_one_player_reaches_nobody_else():
    anna, bruno, carla = House().match("anna", "bruno", "carla")
    anna.say("ChatMessage", player="anna", receiver="carla", textMessage="psst")
    assert carla.take() == [said("anna", "psst", "carla")]
    assert anna.take() == bruno.take() == []


def test_chat_to_nobody_in_the_match_is_dropped():
    house = House()
    anna, bruno = house.match("anna", "bruno")
    house.login("carla").take()
    for receiver in ("carla", "nobody", "everyone else"):
        anna.say("ChatMessage", player="anna", receiver=receiver, textMessage="psst")
    anna.say("ChatMessage", player="anna", receiver=None, textMessage="  ")
    assert anna.take() == bruno.take() == []


def test_nobody_speaks_under_another_name():
    anna, bruno = House().match("anna", "bruno")
    bruno.say("ChatMessage", player="anna", receiver=None, textMessage="I resign")
    assert anna.take() == [said("bruno", "I resign")]


# Heartbeat and disconnection


def test_pings_come_after_two_seconds_and_then_every_twenty():
    house = House()
    anna = house.client()
    house.wait(1.9)
    assert anna.take() == []
    house.wait(0.2)
    assert anna.take() == [response("PingMessage")]
    house.wait(19.8)
    assert anna.take() == []
    house.wait(0.2)
    assert anna.kinds() == ["PingMessage"]


def test_five_lost_pings_in_a_row_end_the_connection_and_the_match():
    house = House()
    anna, bruno = house.match("anna", "bruno")
    house.wait(2)
    for _ in range(5):
        bruno.say("PongMessage")
        assert not anna.closed
        house.wait(20)
    assert anna.closed
    assert house.now == 102.0
    assert anna.kinds() == ["PingMessage"] * 5
    assert bruno.take()[-1] == response("PlayerDisconnectedNotify", disconnectedPlayer="anna")
    assert bruno.closed


def test_an_answer_in_time_clears_the_count_of_lost_pings():
    house = House()
    anna = house.client()
    house.wait(2 + 4 * 20)
    anna.say("PongMessage")
    house.wait(20 + 4 * 20)
    assert not anna.closed
    house.wait(20)
    assert anna.closed


def test_the_times_can_be_set():
    house = House(settings=Settings(ping_first_s=0.5, ping_interval_s=1.0, pings_lost_max=2))
    anna = house.client()
    house.wait(2.4)
    assert anna.kinds() == ["PingMessage"] * 2
    house.wait(0.2)
    assert anna.closed


def test_a_lost_player_ends_the_match_for_all_and_no_other_match():
    house = House()
    anna, bruno, carla = house.match("anna", "bruno", "carla")
    dora, emil = house.match("dora", "emil")
    bruno.hang_up()
    for client in (anna, carla):
        assert client.take() == [response("PlayerDisconnectedNotify", disconnectedPlayer="bruno")]
        assert client.closed
    assert dora.take() == emil.take() == []
    assert dora.pick(5, 3)["valid"]
    assert house.login("bruno").take()[0] == response("LoginResponse", nickname="bruno"), "the name is free"


# Coming back


def test_after_a_restart_a_player_comes_back_by_name_and_finds_the_match_as_it_was():
    house = House()
    anna, bruno = house.match("anna", "bruno")
    anna.pick(3, 4)
    anna.pick(3, 5)
    anna.ask("ConfirmPickRequest")
    anna.ask("ConfirmColumnRequest", columnNumber=1)
    anna.say("ConfirmOrderNotify", pickedTiles=["GREEN", "WHITE"])
    (ended,) = anna.take()
    house.restart()
    bruno, anna = house.login("bruno"), house.login("anna")
    entered, start, *shelves = bruno.take()
    assert entered == response("LoginResponse", nickname="bruno")
    assert start["type"] == "GameStartNotify"
    assert start["board"] == ended["board"]
    assert start["nextPlayer"] == "bruno"
    assert start["personalGoal"]["id"] == 2
    assert [(s["player"], s["nextPlayer"]) for s in shelves] == [("bruno", "anna"), ("anna", "bruno")]
    assert shelves[1] == ended
    assert [message["type"] for message in anna.take()] == ["LoginResponse", "GameStartNotify"] + [
        "EndTurnNotify"
    ] * 2
    assert bruno.pick(5, 3)["valid"]


def test_whoever_comes_back_with_tiles_in_hand_is_led_to_the_choice_of_the_column():
    house = House()
    anna, _ = house.match("anna", "bruno")
    anna.pick(3, 4)
    anna.pick(3, 5)
    board = anna.ask("ConfirmPickRequest")["board"]
    house.restart()
    anna, bruno = house.login("anna"), house.login("bruno")
    assert bruno.kinds() == ["LoginResponse", "GameStartNotify"]
    assert anna.take()[2:] == [
        response("PickTileResponse", valid=True, pickedTiles=["GREEN", "WHITE"]),
        response("ConfirmPickResponse", board=board, valid=True),
    ]
    assert anna.ask("ConfirmColumnRequest", columnNumber=4)["needForSwap"]
    anna.say("ConfirmOrderNotify", pickedTiles=["WHITE", "GREEN"])
    assert anna.kinds() == ["EndTurnNotify"]


def test_a_seat_can_be_taken_again_with_its_token():
    house = House(absence="wait")
    anna, bruno = house.match("anna", "bruno")
    token = bruno.start["token"]
    bruno.hang_up()
    assert anna.take() == [], "the table waits, and the seed has no word for that"
    thief = house.client()
    refused = response("LoginResponse", nickname=None)
    assert thief.ask("LoginRequest", nickname="bruno", token="0" * 32) == refused
    again = house.client()
    again.say("LoginRequest", nickname="bruno", token=token)
    assert again.kinds() == ["LoginResponse", "GameStartNotify"]
    anna.pick(5, 3)
    anna.ask("ConfirmPickRequest")
    assert again.kinds() == ["ConfirmPickResponse"]


def test_an_open_lobby_comes_back_after_a_restart():
    house = House()
    anna = house.login("anna")
    anna.say("NumPlayersResponse", numPlayers=2)
    house.restart()
    anna = house.login("anna")
    assert anna.take() == [response("LoginResponse", nickname="anna"), lobby(2, "anna", "anna")]
    bruno = house.login("bruno")
    assert bruno.kinds()[-1] == anna.kinds()[-1] == "GameStartNotify"


# Faults


@pytest.mark.parametrize(
    "line",
    [
        b"hello",
        b"{",
        b"[]",
        b"7",
        b"null",
        b'"PongMessage"',
        b"{}",
        b'{"type":"Nonsense"}',
        b'{"type":7}',
        b'{"nickname":"anna"}',
        b'{"type":"PongMessage","x":"\xff"}',
        b"\xff\xfe",
        b"[" * 5000,
        b"GET / HTTP/1.1",
    ],
)
def test_a_line_that_is_no_message_of_the_protocol_closes_the_connection_and_only_that(line):
    house = House()
    anna, bruno = house.match("anna", "bruno")
    carla = house.client()
    carla.send(line + b'\n{"type":"LoginRequest","nickname":"carla"}\n')
    assert carla.kinds() == ["ErrorMessage"]
    assert carla.closed
    assert anna.take() == bruno.take() == []


@pytest.mark.parametrize(
    "line",
    [
        {"type": "LoginRequest"},
        {"type": "LoginRequest", "nickname": None},
        {"type": "LoginRequest", "nickname": 7},
        {"type": "NumPlayersResponse", "numPlayers": "2"},
        {"type": "NumPlayersResponse", "numPlayers": 2.5},
        {"type": "PickTileRequest"},
        {"type": "PickTileRequest", "position": {"row": 1}},
        {"type": "PickTileRequest", "position": [1, 2]},
        {"type": "ConfirmColumnRequest", "columnNumber": True},
        {"type": "ConfirmOrderNotify", "pickedTiles": ["RED"]},
        {"type": "ConfirmOrderNotify", "pickedTiles": "GREEN"},
        {"type": "ChatMessage", "player": "anna"},
        {"type": "PingMessage"},
        {"type": "EndTurnNotify"},
    ],
)
def test_a_message_with_a_wrong_field_is_answered_with_an_error_and_nothing_else_happens(line):
    anna, bruno = House().match("anna", "bruno")
    anna.send(json.dumps(line).encode() + b"\n")
    (error,) = anna.take()
    assert error["type"] == "ErrorMessage"
    assert error["message"]
    assert not anna.closed
    assert bruno.take() == []
    assert anna.pick(5, 3)["valid"]


def test_ten_wrong_messages_in_a_row_close_and_a_right_one_clears_the_count():
    anna = House().client()
    for _ in range(3):
        for _ in range(9):
            anna.say("LoginRequest")
        anna.say("PongMessage")
    assert not anna.closed
    for _ in range(10):
        assert not anna.closed
        anna.say("LoginRequest")
    assert anna.closed


def test_a_line_may_be_as_long_as_the_limit_and_no_longer():
    anna, bruno = House().match("anna", "bruno")
    frame = len(b'{"type":"PongMessage","x":""}')
    anna.send(b'{"type":"PongMessage","x":"' + b"y" * (LINE_BYTES_MAX - frame) + b'"}\n')
    assert not anna.closed
    anna.send(b'{"type":"PongMessage","x":"' + b"y" * LINE_BYTES_MAX)
    assert anna.closed
    assert bruno.kinds() == ["PlayerDisconnectedNotify"]


def test_unknown_keys_carriage_returns_empty_lines_and_any_order_of_keys_are_fine():
    anna = House().client()
    anna.send(b'\r\n\n{"nickname":"anna","colour":{"a":[1]},"type":"LoginRequest"}\r\n')
    assert anna.take()[0] == response("LoginResponse", nickname="anna")


def test_a_conversation_can_be_cut_anywhere():
    house = House()
    anna = house.client()
    for (
        byte
    ) in b'{"type":"LoginRequest","nickname":"\xc3\x85sa"}\n{"type":"NumPlayersResponse","numPlayers":2}\n':
        anna.send(bytes([byte]))
    assert anna.kinds() == ["LoginResponse", "NumPlayersRequest", "LobbyInfoMessage"]


def test_messages_of_random_bytes_never_reach_the_house():
    dice = random.Random(7)
    house = House()
    anna, bruno = house.match("anna", "bruno")
    for _ in range(200):
        stranger = house.client()
        stranger.send(dice.randbytes(dice.randrange(1, 200)) + b"\n")
        assert {message["type"] for message in stranger.take()} <= {"ErrorMessage"}
        stranger.hang_up()
    assert anna.take() == bruno.take() == []


# What the house says on its own


def test_who_is_sent_away_is_told_why():
    conversation = Conversation(Settings())
    (line,) = conversation.send(Gone("the house closes"), 0.0).splitlines()
    assert json.loads(line) == response("ErrorMessage", message="the house closes")
    assert conversation.closing


def test_a_house_without_room_says_so():
    conversation = Conversation(Settings())
    (line,) = conversation.send(Declined(Seek("shelfie"), "no room", "limit"), 0.0).splitlines()
    assert json.loads(line) == response("ErrorMessage", message="no room")
    assert conversation.closing


@pytest.mark.parametrize("notice", [Clock(0, 3.0), Trouble("the disk is full")])
def test_what_the_seed_has_no_word_for_is_not_said(notice):
    assert Conversation(Settings()).send(notice, 0.0) == b""


# The page


def examples(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(), re.DOTALL)


def test_every_example_of_the_page_is_a_message():
    lines = [line for block in examples("json") for line in block.splitlines() if line.strip()]
    shown = set()
    for line in lines:
        kind = json.loads(line)["type"]
        shown.add(kind)
        for union in (ClientMessage, ServerMessage):
            if kind in {member.__name__ for member in union.__args__}:  # type: ignore[attr-defined]
                message = msgspec.json.decode(line, type=union)
                assert json.loads(msgspec.json.encode(message)) == {**json.loads(line), **_optional(message)}
    assert shown == {member.__name__ for union in (ClientMessage, ServerMessage) for member in union.__args__}  # type: ignore[attr-defined]


def _optional(message: Any) -> dict[str, Any]:
    return {"token": message.token} if getattr(message, "token", "") is None else {}
