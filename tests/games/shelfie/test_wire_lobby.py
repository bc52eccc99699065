"""The seed's protocol: logging in, the lobby, the start of a match, and coming back to one."""

import pytest
from tests.games.shelfie.house import House
from tests.games.shelfie.words import lobby, response, tiles_on

from ludoteca.games.shelfie.data import PERSONAL_GOALS
from ludoteca.games.shelfie.wire.messages import TILES_BY_WIRE

# Logging in and the lobby


def test_the_first_is_asked_for_the_number_and_the_match_starts_when_all_are_there():
    house = House()
    anna = house.login("anna")
    assert anna.take() == [response("LoginResponse", nickname="anna"), response("NumPlayersRequest")]
    anna.tell("NumPlayersResponse", numPlayers=2)
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
    for number in (1, 5, 0, -2, 2**31 - 1):
        assert anna.ask("NumPlayersResponse", numPlayers=number) == response("NumPlayersRequest")
    assert anna.ask("NumPlayersResponse", numPlayers=4) == lobby(4, "anna", "anna")
    anna.tell("NumPlayersResponse", numPlayers=3)
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
    anna.tell("NumPlayersResponse", numPlayers=4)
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


def test_who_answers_pings_but_not_the_question_holds_up_the_others_once_for_half_a_minute():
    house = House()
    idlers = [house.login(f"idle{number}") for number in range(3)]
    anna = house.login("anna")
    for _ in range(30):
        assert "NumPlayersRequest" not in anna.kinds()
        house.wait(1.0)
        for client in (*idlers, anna):
            client.tell("PongMessage")
    assert anna.kinds() == ["NumPlayersRequest"]
    anna.tell("NumPlayersResponse", numPlayers=2)
    assert "GameStartNotify" in anna.kinds()
    # Two of those who never chose are still there, one of them first in line.
    assert [client.closed for client in idlers] == [False] * 3
    assert house.login("bruno").kinds() == ["LoginResponse", "NumPlayersRequest"]


def test_a_departure_is_told_and_the_wanted_number_stays():
    house = House()
    anna = house.login("anna")
    anna.tell("NumPlayersResponse", numPlayers=3)
    bruno = house.login("bruno")
    bruno.take()
    anna.hang_up()
    assert bruno.take() == [lobby(3, "bruno", "anna", came=False)]
    carla = house.login("carla")
    assert carla.take()[1] == lobby(3, "bruno carla", "carla")


def test_the_lobby_is_in_order_of_arrival_for_everybody():
    """A chair that became free is taken by the next to come, who is the last to have come all the same."""
    house = House()
    anna, bruno = house.login("anna"), house.login("bruno")
    anna.tell("NumPlayersResponse", numPlayers=4)
    anna.hang_up()
    elsa = house.login("elsa")
    assert elsa.take()[-1] == lobby(4, "bruno elsa", "elsa")
    gino = house.login("gino")
    bruno.take()
    assert gino.take()[-1] == elsa.take()[-1] == lobby(4, "bruno elsa gino", "gino")


def test_the_lobby_is_in_order_of_arrival_after_a_restart_too():
    house = House()
    anna = house.login("anna")
    anna.tell("NumPlayersResponse", numPlayers=4)
    house.login("bruno")
    house.login("carla")
    anna.hang_up()
    house.login("dora")
    house.restart()
    for name in ("carla", "dora", "bruno"):
        assert house.login(name).take()[-1] == lobby(4, "bruno carla dora", name)


def test_a_lobby_that_empties_is_forgotten():
    house = House()
    anna = house.login("anna")
    anna.tell("NumPlayersResponse", numPlayers=3)
    anna.hang_up()
    assert house.login("bruno").kinds() == ["LoginResponse", "NumPlayersRequest"]


def test_a_waiting_lobby_hears_nothing_of_other_matches():
    house = House()
    anna, bruno = house.match("anna", "bruno")
    carla = house.login("carla")
    carla.tell("NumPlayersResponse", numPlayers=2)
    carla.take()
    bruno.hang_up()
    assert anna.kinds() == ["PlayerDisconnectedNotify"]
    assert carla.take() == []


def test_a_bot_is_a_player_like_any_other():
    house = House()
    anna = house.login("anna")
    anna.tell("NumPlayersResponse", numPlayers=2)
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


# Coming back


def test_after_a_restart_a_player_comes_back_by_name_and_finds_the_match_as_it_was():
    house = House()
    anna, bruno = house.match("anna", "bruno")
    anna.pick(3, 4)
    anna.pick(3, 5)
    anna.ask("ConfirmPickRequest")
    anna.ask("ConfirmColumnRequest", columnNumber=1)
    anna.tell("ConfirmOrderNotify", pickedTiles=["GREEN", "WHITE"])
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
    anna.tell("ConfirmOrderNotify", pickedTiles=["WHITE", "GREEN"])
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
    again.tell("LoginRequest", nickname="bruno", token=token)
    assert again.kinds() == ["LoginResponse", "GameStartNotify"]
    anna.pick(5, 3)
    anna.ask("ConfirmPickRequest")
    assert again.kinds() == ["ConfirmPickResponse"]


def test_an_open_lobby_comes_back_after_a_restart():
    house = House()
    anna = house.login("anna")
    anna.tell("NumPlayersResponse", numPlayers=2)
    house.restart()
    anna = house.login("anna")
    assert anna.take() == [response("LoginResponse", nickname="anna"), lobby(2, "anna", "anna")]
    bruno = house.login("bruno")
    assert bruno.kinds()[-1] == anna.kinds()[-1] == "GameStartNotify"
