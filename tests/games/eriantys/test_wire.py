"""The seed's protocol, message by message: the real hall and the real conversations, without sockets."""

import json
import re
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from tests.games.eriantys.boards import board
from tests.games.eriantys.house import Client, House, Visitor, play_on, types
from tests.games.eriantys.positions import lay
from tests.games.eriantys.raw_player import Message, RawPlayer
from tests.games.eriantys.test_cases import assert_part

from ludoteca.core import Seat
from ludoteca.core.requests import Enter, Join, Leave, Open
from ludoteca.games.eriantys.data import COLOURS
from ludoteca.games.eriantys.rules import Options, Preferences
from ludoteca.games.eriantys.state import CharacterCard
from ludoteca.games.eriantys.wire import Conversation, Settings
from ludoteca.games.eriantys.wire.messages import Board, ClientMessage, ServerMessage, WireAction
from ludoteca.games.eriantys.wire.words import translate

FRIDAY = {"gameName": "friday", "gameMode": "Basic", "numPlayers": 2}
NEW_FRIDAY = {"type": "NewGameMessage", "gameInfo": FRIDAY}
SELECT_FRIDAY = {"type": "SelectGameMessage", "gameName": "friday"}
LIST = {"type": "AskGameListMessage"}


@pytest.fixture
def house() -> House:
    return House()


def asked(clients: list[Client], seat: int) -> Client:
    """The client of a seat."""
    return next(client for client in clients if client.seat == seat)


def browser(house: House, name: str, *, seats: int = 2, label: str = "sunday") -> Visitor:
    """Somebody of Ludoteca's own protocol who opened a table and is ready."""
    return Visitor(house, Enter(name), Open("eriantys", seats, Options("Basic"), label=label))


def games_listed(client: Client) -> list[str]:
    client.say({"playerID": client.id, **LIST})
    (message,) = client.take()
    return [game["gameName"] for game in message["gameList"]]


# Lines


def test_every_client_has_an_id_of_its_own(house):
    assert Client(house).id != Client(house).id


@pytest.mark.parametrize(
    "line",
    [
        b"hello\n",
        b"[]\n",
        b'"Heartbeat"\n',
        b"{}\n",
        b'{"type":"Hearbeat"}\n',
        b'{"type":"AskGameListMessage"}\n',
        b'{"type":"AskGameListMessage","playerID":7}\n',
        b'{"type":"NewGameMessage","playerID":"x","gameInfo":{"gameName":"a","gameMode":"Basic"}}\n',
        b'{"type":"SetAction","nickname":"ann","action":{"actionType":"END","island":"3"}}\n',
        b'{"type":"\xff"}\n',
        b'{"type":"Heartbeat","more":"' + b"x" * 65536 + b'"}\n',
        b"x" * 70000,
    ],
)
def test_a_line_that_is_no_message_ends_the_connection(house, line):
    client = Client(house)
    client.send(line)
    assert client.closed
    assert client.take() == []


def test_unknown_fields_and_a_carriage_return_are_passed_over(house):
    client = Client(house)
    client.send(json.dumps({"playerID": client.id, "colour": 7, **LIST}).encode() + b"\r\n")
    assert types(client.take()) == ["GameListMessage"]


def test_a_message_may_come_in_pieces(house):
    client = Client(house)
    for byte in json.dumps({"playerID": client.id, **LIST}).encode() + b"\n":
        client.send(bytes([byte]))
    assert types(client.take()) == ["GameListMessage"]


def test_messages_with_somebody_elses_id_are_passed_over(house):
    client, other = Client(house), Client(house)
    assert client.ask({**LIST, "playerID": other.id}) == []
    assert not client.closed


@pytest.mark.parametrize(
    "message",
    [
        {"type": "SetNickname", "nickname": "ann"},
        {"type": "SetTowerColor", "color": "white"},
        {"type": "SetAssistantCard", "nickname": "ann", "assistantCard": {"value": 3}},
        {"type": "SetAction", "nickname": "ann", "action": {"actionType": "END"}},
    ],
)
def test_messages_of_a_later_stage_are_passed_over(house, message):
    assert Client(house).ask(message) == []


# The lobby


def test_setting_up_goes_step_by_step(house):
    ann = Client(house)
    assert ann.ask(NEW_FRIDAY) == ["AskNickname"]
    assert ann.ask({"type": "SetNickname", "nickname": "ann"}) == ["AskTowerColor"]
    assert ann.ask({"type": "SetTowerColor", "color": "white"}) == ["AckTowerColor"]
    bob = Client(house)
    assert bob.ask(LIST) == ["GameListMessage"]
    assert bob.ask(SELECT_FRIDAY) == ["AskNickname"]
    assert bob.ask({"type": "SetNickname", "nickname": "bob"}) == ["AskTowerColor"]
    bob.say({"type": "SetTowerColor", "playerID": bob.id, "color": "black"})
    both = [types(ann.take()), types(bob.take())]
    starter = house.state.tabletop.first
    expected = [["GameStart"], ["AckTowerColor", "GameStart"]]
    expected[starter].append("AskAssistantCard")
    assert both == expected


@pytest.mark.parametrize(
    "wrong",
    [
        {"gameName": "FRIDAY"},
        {"gameName": ""},
        {"gameName": "my game"},
        {"gameName": "a" * 13},
        {"gameMode": "basic"},
        {"numPlayers": 1},
        {"numPlayers": 4},
    ],
)
def test_a_game_that_cannot_be_opened_is_asked_for_again(house, wrong):
    Client(house).ask(NEW_FRIDAY)
    bob = Client(house)
    settings = {"gameName": "monday", "gameMode": "Expert", "numPlayers": 3}
    assert bob.ask({"type": "NewGameMessage", "gameInfo": {**settings, **wrong}}) == ["AskNewGameName"]
    assert bob.ask({"type": "NewGameMessage", "gameInfo": settings}) == ["AskNickname"]


def test_games_are_listed_while_they_have_a_free_seat_oldest_first(house):
    ann, bob, cal = Client(house), Client(house), Client(house)
    ann.ask(NEW_FRIDAY)
    bob.ask(
        {"type": "NewGameMessage", "gameInfo": {"gameName": "again", "gameMode": "Expert", "numPlayers": 3}}
    )
    cal.say({"playerID": cal.id, **LIST})
    assert cal.take() == [
        {
            "type": "GameListMessage",
            "gameList": [FRIDAY, {"gameName": "again", "gameMode": "Expert", "numPlayers": 3}],
        }
    ]
    Client(house).ask(SELECT_FRIDAY)
    assert games_listed(cal) == ["again"]


@pytest.mark.parametrize("name", ["friday", "nowhere", "", "a name that no game can have"])
def test_a_game_that_is_full_or_not_there_is_asked_for_again(house, name):
    Client(house).ask(NEW_FRIDAY)
    Client(house).ask(SELECT_FRIDAY)
    bob = Client(house)
    assert bob.ask({"type": "SelectGameMessage", "gameName": name}) == ["AskNewGameChoice"]
    assert bob.ask(LIST) == ["GameListMessage"]
    assert bob.ask({**NEW_FRIDAY, "gameInfo": {**FRIDAY, "gameName": "monday"}}) == ["AskNickname"]


def test_a_client_in_a_hurry_gets_its_list_and_its_seat(house):
    Client(house).ask(NEW_FRIDAY)
    bob = Client(house)
    bob.say({"playerID": bob.id, **LIST}, {"playerID": bob.id, **SELECT_FRIDAY})
    assert types(bob.take()) == ["GameListMessage", "AskNickname"]


def test_games_are_found_whatever_the_case_of_their_name(house):
    Client(house).ask(NEW_FRIDAY)
    assert Client(house).ask({"type": "SelectGameMessage", "gameName": "Friday"}) == ["AskNickname"]


def test_a_table_of_the_browser_is_in_the_list_and_can_be_selected(house):
    browser(house, "Mary Jane")
    bob = Client(house)
    assert games_listed(bob) == ["sunday"]
    assert bob.ask({"type": "SelectGameMessage", "gameName": "sunday"}) == ["AskNickname"]
    assert bob.ask({"type": "SetNickname", "nickname": "bob"}) == ["AskTowerColor"]
    bob.say({"type": "SetTowerColor", "playerID": bob.id, "color": "white"})
    start = bob.take()[1]
    names = {player["nickname"]: player["towerColor"] for player in start["game"]["players"]}
    assert names == {"Mary Jane": "black", "bob": "white"}


def test_a_game_of_this_protocol_can_be_joined_from_the_browser(house):
    ann = Client(house)
    ann.ask(NEW_FRIDAY)
    ann.ask({"type": "SetNickname", "nickname": "ann"})
    Visitor(house, Enter("Mary Jane"), Join("friday", "eriantys", preference=Preferences("white")))
    assert ann.ask({"type": "SetTowerColor", "color": "white"}) == ["AskTowerColor"]
    assert "GameStart" in ann.ask({"type": "SetTowerColor", "color": "black"})


def test_a_table_for_four_is_neither_listed_nor_open_to_this_protocol(house):
    browser(house, "Mary", seats=4)
    bob = Client(house)
    assert games_listed(bob) == []
    assert bob.ask({"type": "SelectGameMessage", "gameName": "sunday"}) == ["AskNewGameChoice"]
    house.wait(0.1)
    (table,) = house.hall.tables
    assert [chair is None for chair in table.chairs] == [False, True, True, True]
    assert bob.ask(NEW_FRIDAY) == ["AskNickname"]


# Nicknames and towers


@pytest.mark.parametrize("name", ["ann", "ANN", "", "b b", "a" * 13, "Bot-x", "a\tb"])
def test_a_nickname_that_is_taken_or_wrong_is_asked_for_again(house, name):
    ann, bob = Client(house), Client(house)
    ann.ask(NEW_FRIDAY)
    ann.ask({"type": "SetNickname", "nickname": "ann"})
    bob.ask(SELECT_FRIDAY)
    bob.say({"type": "SetNickname", "playerID": bob.id, "nickname": name})
    assert bob.take() == [{"type": "AskNickname", "isFirstRequest": False}]
    assert bob.ask({"type": "SetNickname", "nickname": "bob"}) == ["AskTowerColor"]


def test_towers_that_somebody_took_meanwhile_are_asked_for_again(house):
    ann, bob = Client(house), Client(house)
    ann.ask(NEW_FRIDAY)
    bob.ask(SELECT_FRIDAY)
    for client, name in ((ann, "ann"), (bob, "bob")):
        client.say({"type": "SetNickname", "playerID": client.id, "nickname": name})
        assert client.take() == [
            {"type": "AskTowerColor", "possibleColors": ["white", "black"], "isFirstRequest": True}
        ]
    assert ann.ask({"type": "SetTowerColor", "color": "white"}) == ["AckTowerColor"]
    bob.say({"type": "SetTowerColor", "playerID": bob.id, "color": "white"})
    assert bob.take() == [{"type": "AskTowerColor", "possibleColors": ["black"], "isFirstRequest": False}]
    assert "GameStart" in bob.ask({"type": "SetTowerColor", "color": "black"})


@pytest.mark.parametrize("colour", ["gray", "green", ""])
def test_two_players_have_white_and_black_towers_only(house, colour):
    ann = Client(house)
    ann.ask(NEW_FRIDAY)
    ann.ask({"type": "SetNickname", "nickname": "ann"})
    assert ann.ask({"type": "SetTowerColor", "color": colour}) == ["AskTowerColor"]


# The match


def test_everybody_gets_the_board_and_only_the_first_player_is_asked(house):
    clients = house.table_of("ann", "bob", "cal", mode="Expert")
    assert house.state.tabletop.round == 1
    # Ann and Bob were served before the last one sat down, so their messages are still to be taken.
    heard = [client.take() for client in clients[:2]]
    expected = board(house.state, "friday", ["ann", "bob", "cal"])
    for messages in heard:
        assert messages[0]["type"] == "GameStart"
        assert messages[0]["game"] == expected
        assert len(messages[0]["token"]) > 10


def start(house: House, *names: str, mode: str = "Basic") -> tuple[list[Client], Client, Client]:
    """A running game: all clients, the one who is asked, and one who is not."""
    clients = house.table_of(*names, mode=mode)
    for client in clients:
        client.take()
    current = asked(clients, house.state.tabletop.current)
    return clients, current, next(client for client in clients if client is not current)


def name_of(client: Client) -> str:
    return client.guest.name


def assistant(client: Client, value: int, name: str = "") -> None:
    card = {"value": value}
    client.say({"type": "SetAssistantCard", "nickname": name or name_of(client), "assistantCard": card})


def act(client: Client, kind: str, **parameters: Any) -> None:
    action = {"actionType": kind, **parameters}
    client.say({"type": "SetAction", "nickname": name_of(client), "action": action})


def test_a_forbidden_assistant_is_asked_for_again(house):
    _, first, second = start(house, "ann", "bob")
    assistant(first, 4)
    assert types(first.take()) == ["UpdateGameBoard"]
    update, question = second.take()
    assert (update["type"], question["type"]) == ("UpdateGameBoard", "AskAssistantCard")
    assert {"value": 4, "steps": 2} not in question["possibleCards"]
    for value in (4, 11, 0):
        assistant(second, value)
        assert second.take() == [question]
        assert first.take() == []
    assistant(second, 5)
    assert types(second.take()) == ["UpdateGameBoard"]
    assert types(first.take()) == ["UpdateGameBoard", "AskAction"]


def test_whoever_is_not_asked_is_passed_over(house):
    _, first, second = start(house, "ann", "bob")
    assistant(second, 4)
    assistant(first, 4, name=name_of(second))
    act(first, "END")
    assert first.take() == second.take() == []
    assert house.state.tabletop.round == 1
    assert all(player.assistant is None for player in house.state.tabletop.players)


def test_an_answer_sent_twice_counts_once(house):
    _, first, second = start(house, "ann", "bob")
    card = {"type": "SetAssistantCard", "nickname": name_of(first), "assistantCard": {"value": 4}}
    first.say(card, card)
    assert types(first.take()) == ["UpdateGameBoard"]
    assert types(second.take()) == ["UpdateGameBoard", "AskAssistantCard"]


def acting(house: House, mode: str = "Basic", value: int = 4) -> tuple[Client, Client]:
    """A game in which somebody was just asked for the first action; the other one waits."""
    _, first, second = start(house, "ann", "bob", mode=mode)
    assistant(first, value)
    assistant(second, value + 1)
    assert first.take()[-1]["type"] == "AskAction"
    second.take()
    return first, second


@pytest.mark.parametrize(
    ("kind", "parameters"),
    [
        ("MOVE_STUDENT_TO_ISLAND", {"color": "red", "island": 12}),
        ("MOVE_STUDENT_TO_ISLAND", {"color": "red", "island": -1}),
        ("MOVE_STUDENT_TO_ISLAND", {"color": "red"}),
        ("MOVE_STUDENT_TO_ISLAND", {"color": "purple", "island": 1}),
        ("MOVE_STUDENT_TO_DININGROOM", {}),
        ("MOVE_MOTHER_NATURE", {"steps": 1}),
        ("CHOOSE_CLOUD", {"cloud": 1}),
        ("CHOOSE_CHARACTER", {"character": 1}),
        ("STUDENT_FROM_CARD_TO_ENTRANCE", {"stop": True}),
        ("DOUBLE_INFLUENCE", {"island": 2**31 - 1}),
        ("END", {}),
        ("fly", {}),
    ],
)
def test_a_refused_action_changes_nothing_and_is_asked_again(house, kind, parameters):
    current, other = acting(house)
    before = house.state.clone()
    for _ in range(2):
        act(current, kind, **parameters)
        assert current.take() == [
            {
                "type": "AskAction",
                "possibleActions": ["MOVE_STUDENT_TO_ISLAND", "MOVE_STUDENT_TO_DININGROOM"],
                "isFirstRequest": False,
            }
        ]
    assert other.take() == []
    assert house.state == before


def test_after_a_refusal_the_next_question_is_a_first_one_again(house):
    current, _ = acting(house)
    act(current, "END")
    current.take()
    act(current, "MOVE_STUDENT_TO_DININGROOM", color=some_colour(house))
    update, question = current.take()
    assert update["type"] == "UpdateGameBoard"
    assert question["isFirstRequest"]


def entrance(house: House) -> tuple[int, ...]:
    counts: tuple[int, ...] = house.state.tabletop.player.entrance
    return counts


def test_the_kinds_of_a_turn_come_one_after_the_other(house):
    current, other = acting(house)
    offers = []
    for _ in range(3):
        act(current, "MOVE_STUDENT_TO_ISLAND", color=some_colour(house), island=3)
        offers.append(current.take()[-1]["possibleActions"])
    act(current, "MOVE_MOTHER_NATURE", steps=2)
    offers.append(current.take()[-1]["possibleActions"])
    students = ["MOVE_STUDENT_TO_ISLAND", "MOVE_STUDENT_TO_DININGROOM"]
    assert offers == [students, students, ["MOVE_MOTHER_NATURE"], ["CHOOSE_CLOUD"]]
    act(current, "CHOOSE_CLOUD", cloud=0)
    assert current.take()[-1]["isFirstRequest"] is False
    other.take()
    act(current, "CHOOSE_CLOUD", cloud=2)
    assert types(current.take()) == ["UpdateGameBoard"]
    update, question = other.take()
    assert update["gameInfo"]["currentPlayer"] == name_of(other)
    assert question["possibleActions"] == students


def test_characters_are_offered_in_the_expert_mode_until_one_is_bought(house):
    _, first, second = start(house, "ann", "bob", mode="Expert")
    assistant(first, 4)
    assistant(second, 5)
    assert first.take()[-1]["possibleActions"][-1] == "CHOOSE_CHARACTER"


def bring_to_the_end(house: House, current: Client, towers: list[int]) -> None:
    """Alter the true state so that nothing but a cloud is left to choose, in the last round."""
    players = {seat: {"towers": count} for seat, count in enumerate(towers)}
    order = (Seat(1 - current.seat), current.seat)
    lay(house.state, players, order=order, moved=3, walked=True, last_round=True)


@pytest.mark.parametrize(("towers", "winner"), [([3, 8], 0), ([8, 3], 1), ([4, 4], None)])
def test_the_end_names_the_winner_if_there_is_one_and_closes(house, towers, winner):
    current, other = acting(house)
    clients = sorted((current, other), key=lambda client: client.seat)
    names = [name_of(client) for client in clients]
    bring_to_the_end(house, current, towers)
    act(current, "CHOOSE_CLOUD", cloud=1)
    for client in clients:
        update, *_, last = client.take()
        assert update["gameInfo"]["phase"] == "ended"
        assert last == {"type": "ShowEndGame", "winnerNickname": None if winner is None else names[winner]}
        assert client.closed


def test_the_last_round_is_shown_once_when_its_actions_begin(house):
    _, first, second = start(house, "ann", "bob")
    lay(house.state, players={first.seat: {"hand": (4,)}})
    assistant(first, 4)
    assert types(first.take()) == ["UpdateGameBoard"]
    assert types(second.take()) == ["UpdateGameBoard", "AskAssistantCard"]
    assistant(second, 5)
    assert types(first.take()) == ["UpdateGameBoard", "ShowLastRound", "AskAction"]
    assert types(second.take()) == ["UpdateGameBoard", "ShowLastRound"]
    act(first, "MOVE_STUDENT_TO_ISLAND", color=some_colour(house), island=0)
    assert types(first.take()) == ["UpdateGameBoard", "AskAction"]


def some_colour(house: House) -> str:
    return next(colour for colour, count in zip(COLOURS, entrance(house), strict=True) if count)


def test_the_last_round_can_be_shown_in_the_midst_of_the_actions():
    house = House(seed=11)  # in which the Monk is in play
    current, other = acting(house, "Expert")
    _, *others = house.state.tabletop.characters
    monk = CharacterCard(1, 1, False, (4, 0, 0, 0, 0), None)
    lay(house.state, characters=(monk, *others), bag=(0, 0, 0, 0, 1))
    act(current, "CHOOSE_CHARACTER", character=1)
    assert current.take()[-1]["possibleActions"] == ["STUDENT_FROM_CARD_TO_ISLAND"]
    other.take()
    act(current, "STUDENT_FROM_CARD_TO_ISLAND", color="green", island=2)
    assert types(current.take()) == ["UpdateGameBoard", "ShowLastRound", "AskAction"]
    assert types(other.take()) == ["UpdateGameBoard", "ShowLastRound"]


@pytest.mark.parametrize("mode", ["Basic", "Expert"])
@pytest.mark.parametrize("seats", [2, 3])
def test_whole_games_can_be_played(seats, mode):
    house = House(seed=seats)
    game = {"gameName": "friday", "gameMode": mode, "numPlayers": seats}
    pairs = []
    for place, name in enumerate(("ann", "bob", "cal")[:seats]):
        client = Client(house)
        player = RawPlayer(name, game, opens=place == 0, seed=place, errs=0.1)
        for reply in player.answer({"type": "NotifyPlayerIdMessage", "playerID": client.id}):
            client.say(reply)
        pairs.append((client, player))
        play_on(pairs)
    for client, player in pairs:
        assert client.closed
        assert player.heard.count("ShowLastRound") <= 1
        assert player.heard[-1] == "ShowEndGame"
        assert player.boards == pairs[0][1].boards
    assert sum(player.errors for _, player in pairs) > 5


# Going and coming back


@pytest.mark.parametrize(
    ("says", "nickname"), [([], None), ([{"type": "SetNickname", "nickname": "bob"}], "bob")]
)
def test_whoever_is_lost_before_the_start_takes_the_game_along(house, says, nickname):
    ann, bob = Client(house), Client(house)
    ann.ask({**NEW_FRIDAY, "gameInfo": {**FRIDAY, "numPlayers": 3}})
    bob.ask(SELECT_FRIDAY)
    for message in says:
        bob.ask(message)
    bob.hang_up()
    assert ann.take() == [{"type": "ShowDisconnection", "disconnectedNickname": nickname}]
    assert ann.closed
    assert not list(house.hall.tables)


def test_whoever_is_lost_during_the_match_ends_it(house):
    clients, current, _other = start(house, "ann", "bob", "cal")
    name = name_of(current)
    current.hang_up()
    for client in clients:
        if client is not current:
            assert client.take() == [{"type": "ShowDisconnection", "disconnectedNickname": name}]
            assert client.closed


def test_whoever_never_joined_just_disappears(house):
    ann = Client(house)
    ann.ask(NEW_FRIDAY)
    Client(house).hang_up()
    assert ann.take() == []


def test_a_garbled_line_counts_as_a_disconnection(house):
    _, current, other = start(house, "ann", "bob")
    name = name_of(current)
    current.send(b"nonsense\n")
    assert current.closed
    assert other.take() == [{"type": "ShowDisconnection", "disconnectedNickname": name}]


def test_a_table_of_the_browser_waits_for_its_players(house):
    mary = browser(house, "Mary")
    bob = Client(house)
    bob.ask({"type": "SelectGameMessage", "gameName": "sunday"})
    mary.do(Leave())
    assert bob.take() == []
    assert not bob.closed


def waiting_match(house: House) -> tuple[Client, Client]:
    """A running match at a table that waits for the absent."""
    _clients, current, other = start(house, "ann", "bob")
    return current, other


def come_back(house: House, name: str, **more: str) -> Client:
    """A new connection that selects the game and names itself."""
    client = Client(house)
    assert games_listed(client) == ["friday"]
    assert client.ask(SELECT_FRIDAY) == ["AskNickname"]
    client.say({"type": "SetNickname", "playerID": client.id, "nickname": name, **more})
    return client


def test_a_lost_player_comes_back_by_name_and_is_asked_again():
    house = House(absence="wait")
    current, other = waiting_match(house)
    name, before = name_of(current), house.state.clone()
    current.hang_up()
    assert other.take() == []
    back = come_back(house, name.upper())
    picture, question = back.take()
    assert picture["type"] == "GameStart"
    assert picture["game"] == board(before, "friday", ["ann", "bob"])
    assert question["type"] == "AskAssistantCard"
    assistant(back, 7)
    assert types(other.take()) == ["UpdateGameBoard", "AskAssistantCard"]


def test_an_action_pending_on_return_is_asked_as_a_first_one():
    house = House(absence="wait")
    current, _ = acting(house)
    name = name_of(current)
    act(current, "END")
    current.hang_up()
    assert come_back(house, name).take()[-1]["isFirstRequest"]


def test_a_lost_player_comes_back_with_the_token_whatever_the_name():
    house = House(absence="wait")
    ann, _bob = house.table_of("ann", "bob")
    token = ann.take()[0]["token"]
    ann.hang_up()
    back = come_back(house, "somebody", token=token)
    assert types(back.take())[0] == "GameStart"
    assert back.seat == 0


@pytest.mark.parametrize(("name", "token"), [("bob", ""), ("eve", ""), ("ann", "not the token")])
def test_nobody_else_gets_the_seat(name, token):
    house = House(absence="wait")
    ann, _ = house.table_of("ann", "bob")
    ann.hang_up()
    eve = come_back(house, name, token=token)
    assert eve.take() == [{"type": "AskNickname", "isFirstRequest": False}]
    assert eve.ask({**NEW_FRIDAY, "gameInfo": {**FRIDAY, "gameName": "mine"}}) == ["AskNickname"]
    assert eve.ask({"type": "SetNickname", "nickname": "eve"}) == ["AskTowerColor"]


def test_whoever_names_a_waiting_seat_at_another_game_is_led_back():
    house = House(absence="wait")
    current, _ = waiting_match(house)
    name = name_of(current)
    current.hang_up()
    back = Client(house)
    back.ask({**NEW_FRIDAY, "gameInfo": {**FRIDAY, "gameName": "other"}})
    assert back.ask({"type": "SetNickname", "nickname": name}) == ["GameStart", "AskAssistantCard"]
    assert [table.label for table in house.hall.tables] == ["friday"]


def test_a_match_in_which_nobody_is_missing_is_full(house):
    start(house, "ann", "bob")
    eve = Client(house)
    assert games_listed(eve) == []
    assert eve.ask(SELECT_FRIDAY) == ["AskNewGameChoice"]


def test_whoever_returns_to_a_table_that_still_waits_is_acknowledged():
    house = House(absence="wait")
    ann = Client(house)
    ann.ask(NEW_FRIDAY)
    ann.ask({"type": "SetNickname", "nickname": "ann"})
    ann.ask({"type": "SetTowerColor", "color": "white"})
    Client(house).ask(SELECT_FRIDAY)
    ann.hang_up()
    assert types(come_back(house, "ann").take()) == ["AckTowerColor"]


# Heartbeats


def test_heartbeats_are_sent_twice_a_second(house):
    client = Client(house)
    beats = 0
    for _ in range(40):
        house.wait(0.1)
        client.say({"type": "Heartbeat"})
        beats += types(client.take(heartbeats=True)).count("Heartbeat")
    assert 7 <= beats <= 8


def test_two_seconds_of_silence_are_a_lost_connection(house):
    _, current, other = start(house, "ann", "bob")
    name = name_of(current)
    for _ in range(25):
        house.wait(0.1)
        if not other.closed:
            other.say({"type": "Heartbeat"})
    assert current.closed
    assert other.take() == [{"type": "ShowDisconnection", "disconnectedNickname": name}]


def test_silence_ends_when_its_alarm_goes_off_however_times_are_rounded():
    """(0.1 + 0.2 + 2) - (0.1 + 0.2) is less than 2: an alarm that does nothing would go off again at once."""
    conversation = Conversation(Settings(heartbeat_interval_s=0))
    conversation.greet(0.1 + 0.2)
    assert conversation.alarm is not None
    conversation.tick(conversation.alarm)
    assert conversation.closing


def test_half_a_line_is_no_sign_of_life(house):
    client = Client(house)
    for _ in range(25):
        house.wait(0.1)
        if not client.closed:
            client.send(b" ")
    assert client.closed


def test_nobody_is_dropped_because_the_house_slept(house):
    client = Client(house)
    house.wait(0.5)
    house.oversleep(10.0)
    client.say({"type": "Heartbeat"})
    house.wait(0.5)
    assert not client.closed


def test_times_can_be_turned_off(house):
    conversation = Conversation(Settings(heartbeat_interval_s=0, silence_s_max=0))
    conversation.greet(0.0)
    assert conversation.alarm is None


# The page

PAGE = Path(__file__).parents[3] / "src/ludoteca/games/eriantys/PROTOCOL.md"


def examples() -> list[Message]:
    """Every JSON object in a fenced block of the page that is a message."""
    found = []
    for block in re.findall(r"```json\n(.*?)```", PAGE.read_text(), re.DOTALL):
        position = 0
        while block[position:].strip():
            position += len(block[position:]) - len(block[position:].lstrip())
            value, position = json.JSONDecoder().raw_decode(block, position)
            found.append(value)
    return found


def as_json(record: Any) -> Any:
    return json.loads(msgspec.json.encode(record))


def test_every_example_of_the_page_is_a_message_and_every_message_has_an_example():
    seen = set()
    for example in examples():
        if "type" in example:
            seen.add(example["type"])
            again = as_json(msgspec.convert(example, ClientMessage | ServerMessage))
            assert_part(example, again, example["type"])
        elif "actionType" in example:
            assert translate(msgspec.convert(example, WireAction)) is not None
        else:
            assert as_json(msgspec.convert(example, Board)) == example
    known = {kind.__name__ for kind in (*get_args(ClientMessage), *get_args(ServerMessage))}
    assert seen == known
    assert len(known) == 22
