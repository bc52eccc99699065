"""The protocol: tolerant reading, refusals, keep-alive, coming and going."""

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.games.santorini.house import Client, House

from ludoteca.core.requests import Enter, Open, Seek
from ludoteca.games.santorini.wire.messages import ClientMessage, ServerMessage

Message = dict[str, Any]
PAGE = Path(__file__).parents[3] / "src/ludoteca/games/santorini/PROTOCOL.md"


def at(name: str) -> Message:
    """A cell by its name, A1 to E5."""
    return {"i": int(name[1]) - 1, "j": "ABCDE".index(name[0])}


def types(messages: list[Message]) -> list[str]:
    return [message["type"] for message in messages]


def names(cells: list[Message]) -> set[str]:
    return {f"{'ABCDE'[cell['j']]}{cell['i'] + 1}" for cell in cells}


def lobby(house: House, seats: int = 2) -> list[Client]:
    """Clients who have been asked for their names."""
    first = house.client()
    first.say({"type": "setNumberOfPlayers", "numberOfPlayers": seats})
    clients = [first, *(house.client() for _ in range(seats - 1))]
    for client in clients:
        client.take()
    return clients


def cards(house: House, seats: int = 2) -> list[Client]:
    """Clients who have given their names; the first is the Challenger. Nothing is taken yet."""
    clients = lobby(house, seats)
    for name, client in zip(("anna", "bert", "cleo"), clients, strict=False):
        client.say({"type": "addPlayer", "name": name, "date": "1990.01.02"})
    return clients


def match(house: House, gods: list[str], places: list[list[str]]) -> list[Client]:
    """Clients in play: anna has the first god and begins, then bert, then cleo."""
    clients = cards(house, len(gods))
    anna = clients[0]
    anna.say({"type": "setMatchGodCards", "godCardNames": gods})
    for client, god in [*zip(clients[1:], gods[1:], strict=True), (anna, gods[0])]:
        client.say({"type": "setGodCard", "godCard": god})
    anna.say({"type": "setStartPlayer", "name": "anna"})
    for client, colour in zip(clients, ("MAGENTA", "LIGHT_BLUE", "WHITE"), strict=False):
        client.say({"type": "colorUpdate", "color": colour})
    for client, spaces in zip(clients, places, strict=True):
        client.say({"type": "buildersPlacement", "positions": [at(space) for space in spaces]})
    for client in clients:
        client.take()
    return clients


def move(source: str, target: str) -> Message:
    return {"type": "move", "src": at(source), "dst": at(target)}


def build(source: str, target: str, dome: bool = False) -> Message:
    return {"type": "build", "src": at(source), "dst": at(target), "buildDome": dome}


def step(word: str) -> Message:
    return {"type": "setStepChoice", "stepChoice": word}


PLACES = [["B2", "D4"], ["D2", "B4"]]

# Tolerant reading


@pytest.mark.parametrize(
    "line",
    [
        '{"type":"setNumberOfPlayers","numberOfPlayers":2}',
        '{"numberOfPlayers":"2",type:"setNumberOfPlayers"}',
        '{ type : "setNumberOfPlayers", numberOfPlayers : "2" }\r',
        '{"type":"setNumberOfPlayers","numberOfPlayers":2,"colour":"any","more":[1]}',
    ],
)
def test_the_number_is_understood_as_the_seed_and_the_original_write_it(line):
    client = House().client()
    client.take()
    client.say(line)
    assert client.take() == [{"type": "stateUpdate", "state": "SETUP_PLAYERS"}]


def test_a_line_may_come_in_pieces():
    client = House().client()
    client.take()
    for byte in b'{"type":"setNumberOfPlayers","numberOfPlayers":3}\n':
        client.send(bytes([byte]))
    assert types(client.take()) == ["stateUpdate"]


@pytest.mark.parametrize(
    "given",
    [
        {"godCardNames": ["Pan", "Atlas"]},
        {"godDescriptions": ["Pan", "Atlas"]},
        {"godDescriptions": {"Pan": "...", "Atlas": "..."}, "name": "anna"},
    ],
)
def test_the_gods_may_come_under_either_name_and_as_an_object(given):
    anna, bert = cards(House())
    anna.take()
    bert.take()
    anna.say({"type": "setMatchGodCards", **given})
    answer = anna.take()[0]
    assert answer == {
        "type": "setMatchGodCards",
        "godCardNames": ["Pan", "Atlas"],
        "godDescriptions": ["Pan", "Atlas"],
        "result": True,
    }
    assert types(bert.take()) == ["setMatchGodCards", "turnUpdate", "askGod"]


def test_cells_and_truth_may_be_strings():
    anna, bert = match(House(), ["Atlas", "Pan"], PLACES)
    anna.say('{"type":"move","src":{"i":"1","j":"1"},"dst":{"i":"0","j":"0"}}')
    assert types(anna.take()) == ["move", "possibleBuildDestinations"]
    anna.say('{"type":"build","src":{"i":"0","j":"0"},"dst":{"i":"0","j":"1"},"buildDome":"true"}')
    assert bert.take()[1]["buildDome"] is True


def test_a_name_in_a_message_is_not_believed():
    anna, bert = match(House(), ["Atlas", "Pan"], PLACES)
    bert.say({**move("B2", "A1"), "name": "anna"})
    assert types(bert.take()) == ["error"]
    anna.say({**move("B2", "A1"), "name": "bert"})
    assert anna.take()[0]["name"] == "anna"


def test_unknown_types_are_passed_over():
    client = House().client()
    client.take()
    client.say({"type": "dance"}, {"type": "setNumberOfPlayers", "numberOfPlayers": 2})
    assert types(client.take()) == ["stateUpdate"]


@pytest.mark.parametrize(
    "line",
    [
        "hello",
        "{",
        "[1, 2]",
        "7",
        "{}",
        '{"type": 5}',
        '{"type":"setNumberOfPlayers"}',
        '{"type":"setNumberOfPlayers","numberOfPlayers":"many"}',
        '{"type":"move","src":{"i":0},"dst":{"i":0,"j":0}}',
        '{"type":"build","src":{"i":0,"j":0},"dst":{"i":0,"j":1}}',
        '{"type":"addPlayer","name":"anna"}',
        '{"type":"addPlayer","name":["anna"],"date":"1990.01.02"}',
        "[" * 5000,
        '{"type":"addPlayer","name":"\ud800","date":"1990.01.02"}',
    ],
)
def test_what_is_no_message_is_an_error_and_nothing_else(line):
    client = House().client()
    client.take()
    client.send(line.encode("utf-8", "surrogatepass") + b"\n")
    assert types(client.take()) == ["error"]
    client.say({"type": "setNumberOfPlayers", "numberOfPlayers": 2})
    assert types(client.take()) == ["stateUpdate"]


def test_a_line_without_end_closes_the_connection():
    client = House().client()
    client.send(b"x" * 70_000)
    assert types(client.take())[-1] == "error"
    assert client.closed


# The lobby


def test_a_wrong_number_is_refused_and_asked_for_again():
    client = House().client()
    client.take()
    for number in (1, 4, -2):
        client.say({"type": "setNumberOfPlayers", "numberOfPlayers": number})
        assert types(client.take()) == ["errorNumber", "askNumberOfPlayers"]


def test_newcomers_wait_while_the_first_is_choosing_and_are_seated_then():
    house = House()
    first, second, third = house.client(), house.client(), house.client()
    assert types(first.take()) == ["askNumberOfPlayers"]
    assert second.take() == third.take() == []
    first.say({"type": "setNumberOfPlayers", "numberOfPlayers": 2})
    assert types(first.take()) == ["stateUpdate", "askNickAndDate"]
    assert types(second.take()) == ["stateUpdate", "askNickAndDate"]
    assert types(third.take()) == ["askNumberOfPlayers"]


def test_the_next_is_asked_when_the_first_leaves_without_an_answer():
    house = House()
    first, second = house.client(), house.client()
    first.hang_up()
    assert types(second.take()) == ["askNumberOfPlayers"]


def test_several_games_are_played_at_once():
    house = House()
    tables = [match(house, ["Pan", "Atlas"], PLACES)]
    first = house.client()
    assert types(first.take()) == ["askNumberOfPlayers"]
    first.say({"type": "setNumberOfPlayers", "numberOfPlayers": 2})
    second = house.client()
    for name, client in (("dora", first), ("emil", second)):
        client.say({"type": "addPlayer", "name": name, "date": "1990.01.02"})
    assert types(first.take())[-1] == "chooseMatchGodCards"
    anna, bert = tables[0]
    anna.say(move("B2", "A1"))
    assert types(anna.take()) == ["move", "possibleBuildDestinations"]
    assert types(bert.take()) == ["move"]
    assert types(second.take())[-1] == "turnUpdate"


@pytest.mark.parametrize(
    "date", ["1998.13.40", "1999.02.29", "1998-04-11", "98.4.11", "", "2999.01.01", "١٩٩٨.٠٤.١١"]
)
def test_a_date_that_does_not_exist_is_refused(date):
    anna, bert = lobby(House())
    anna.say({"type": "addPlayer", "name": "anna", "date": date})
    error, added = anna.take()
    assert error["type"] == "error"
    assert added == {"type": "playerAdded", "name": "anna", "result": False}
    assert bert.take() == []
    anna.say({"type": "addPlayer", "name": "anna", "date": "2000.02.29"})
    assert anna.take()[0]["result"] is True


def test_every_leap_day_is_a_birthday():
    """Defect 8 of the original: only in years divisible by 400."""
    anna, _ = lobby(House())
    anna.say({"type": "addPlayer", "name": "anna", "date": "1996.02.29"})
    assert anna.take()[0]["result"] is True


def test_a_taken_or_empty_name_is_refused():
    anna, bert = lobby(House())
    anna.say({"type": "addPlayer", "name": "anna", "date": "1990.01.02"})
    anna.take()
    bert.take()
    for name in ("anna", "ANNA", "", "  ", "x" * 100):
        bert.say({"type": "addPlayer", "name": name, "date": "1990.01.02"})
        error, added = bert.take()
        assert error["type"] == "error"
        assert added == {"type": "playerAdded", "name": name, "result": False}
    assert anna.take() == []
    bert.say({"type": "addPlayer", "name": "bert", "date": "1990.01.02"})
    assert bert.take()[0]["result"] is True


def test_a_name_may_be_given_before_all_have_come():
    house = House()
    client = house.client()
    client.say({"type": "addPlayer", "name": "anna", "date": "1990.01.02"})
    assert types(client.take()) == ["askNumberOfPlayers"]
    client.say({"type": "setNumberOfPlayers", "numberOfPlayers": 2})
    assert types(client.take()) == ["stateUpdate", "playerAdded"]
    other = house.client()
    assert types(other.take()) == ["stateUpdate", "playerAdded", "askNickAndDate"]
    assert client.take() == []
    other.say({"type": "addPlayer", "name": "bert", "date": "1995.01.02"})
    assert types(other.take())[-1] == "chooseMatchGodCards"


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_of_equal_birth_dates_who_registered_first_comes_first(order):
    clients = lobby(House(), 3)
    names = ("anna", "bert", "cleo")
    for seat in order:
        clients[seat].say({"type": "addPlayer", "name": names[seat], "date": "1990.01.02"})
    first = names[order[0]]
    assert {"type": "turnUpdate", "name": first} in clients[0].take()
    clients[order[0]].say({"type": "setMatchGodCards", "godCardNames": ["Pan", "Atlas", "Zeus"]})
    assert {"type": "turnUpdate", "name": names[order[1]]} in clients[0].take()


def test_a_second_name_is_refused_without_harm():
    anna, bert = lobby(House())
    for name in ("anna", "ann"):
        anna.say({"type": "addPlayer", "name": name, "date": "1990.01.02"})
    assert types(anna.take()) == ["playerAdded", "error"]
    assert bert.take() == [{"type": "playerAdded", "name": "anna", "result": True}]


def test_a_bot_at_the_table_is_a_player_like_others():
    house = House()
    client = house.client()
    client.say({"type": "setNumberOfPlayers", "numberOfPlayers": 2})
    client.take()
    client.add_bot()
    added, asked = client.take()
    assert added["type"] == "playerAdded"
    assert added["name"].startswith("Bot-")
    assert asked["type"] == "askNickAndDate"


# The setup


def test_without_gods_the_challenger_is_asked_who_begins():
    anna, bert = cards(House(gods="none"))
    assert types(anna.take())[-3:] == ["stateUpdate", "turnUpdate", "chooseStartPlayer"]
    anna.say({"type": "setStartPlayer", "name": "bert"})
    assert types(bert.take())[-3:] == ["setStartPlayer", "stateUpdate", "askColor"]


@pytest.mark.parametrize(
    "gods", [["Pan"], ["Pan", "Pan"], ["Pan", "Nobody"], ["Pan", "Atlas", "Zeus"], [], ["Pan", "Hades"]]
)
def test_a_wrong_choice_of_gods_is_refused_and_asked_for_again(gods):
    anna, bert = cards(House(gods="all"))
    anna.take()
    bert.take()
    anna.say({"type": "setMatchGodCards", "godCardNames": gods})
    refused, again = anna.take()
    assert refused == {
        "type": "setMatchGodCards",
        "godCardNames": gods,
        "godDescriptions": gods,
        "result": False,
    }
    assert again["type"] == "chooseMatchGodCards"
    assert len(again["godDescriptions"]) == 26
    assert bert.take() == []
    anna.say({"type": "setMatchGodCards", "godCardNames": ["Pan", "Zeus"]})
    assert anna.take()[0]["result"] is True


def test_setup_questions_are_asked_again_after_a_wrong_answer():
    anna, bert = cards(House())
    anna.say({"type": "setMatchGodCards", "godCardNames": ["Pan", "Atlas"]})
    bert.take()
    bert.say({"type": "setGodCard", "godCard": "Zeus"})
    assert types(bert.take()) == ["error", "godCardAssigned", "askGod"]
    bert.say({"type": "setGodCard", "godCard": "Pan"})
    anna.take()
    anna.say({"type": "setGodCard", "godCard": "Pan"})
    assert types(anna.take()) == ["error", "godCardAssigned", "askGod"]
    anna.say({"type": "setGodCard", "godCard": "Atlas"})
    assert types(anna.take()) == ["godCardAssigned", "turnUpdate", "chooseStartPlayer"]
    anna.say({"type": "setStartPlayer", "name": "nobody"})
    assert types(anna.take()) == ["setStartPlayer", "chooseStartPlayer"]
    anna.say({"type": "setStartPlayer", "name": "anna"})
    assert types(anna.take()) == ["setStartPlayer", "stateUpdate", "askColor"]
    anna.say({"type": "colorUpdate", "color": "GREEN"})
    assert types(anna.take()) == ["colorUpdate", "askColor"]
    anna.say({"type": "colorUpdate", "color": "WHITE"})
    bert.take()
    bert.say({"type": "colorUpdate", "color": "WHITE"})
    assert types(bert.take()) == ["error", "colorUpdate", "askColor"]
    bert.say({"type": "colorUpdate", "color": "MAGENTA"})
    anna.take()
    for places in (["A1", "A1"], ["A1"], ["A1", "A2", "A3"], []):
        anna.say({"type": "buildersPlacement", "positions": [at(place) for place in places]})
        assert types(anna.take()) == ["buildersPlacement", "askBuilders"]
    anna.say({"type": "buildersPlacement", "positions": [{"i": 0, "j": 5}, {"i": -1, "j": 0}]})
    refused, again = anna.take()
    assert refused["result"] is False
    assert again == {"type": "askBuilders"}


def test_the_start_player_is_not_named_before_the_gods_are_chosen():
    """Defect 5 of the original: that skipped the phase."""
    anna, _bert = cards(House())
    anna.say({"type": "setMatchGodCards", "godCardNames": ["Pan", "Atlas"]})
    anna.take()
    anna.say({"type": "setStartPlayer", "name": "anna"})
    assert types(anna.take()) == ["error"]


# Play


def test_an_illegal_move_or_build_comes_back_with_result_false():
    anna, bert = match(House(), ["Pan", "Atlas"], PLACES)
    for wrong in (
        move("B2", "B2"),
        move("B2", "E5"),
        move("D2", "D1"),
        {**move("B2", "A1"), "dst": {"i": -1, "j": 9}},
    ):
        anna.say(wrong)
        assert anna.take() == [{**wrong, "name": "anna", "result": False}]
    anna.say(move("B2", "A1"))
    assert types(anna.take()) == ["move", "possibleBuildDestinations"]
    anna.say(build("A1", "B1", True))
    assert anna.take()[0]["result"] is False
    anna.say(build("D4", "D5"))
    error, refused = anna.take()
    assert error["type"] == "error"
    assert refused["result"] is False
    assert types(bert.take()) == ["move"]


def test_the_wrong_player_and_the_wrong_step_are_told_so():
    anna, bert = match(House(), ["Prometheus", "Atlas"], PLACES)
    assert anna.last[-1] == {"type": "askStep", "possibleSteps": ["MOVE", "BUILD"]}
    bert.say(move("D2", "E1"))
    assert types(bert.take()) == ["error"]
    anna.say(move("B2", "A1"))
    assert types(anna.take()) == ["error"]
    anna.say(step("MOVE"))
    answer, lists = anna.take()
    assert answer == {"type": "setStepChoice", "name": "anna", "stepChoice": "MOVE", "result": True}
    assert lists["type"] == "possibleMoveDestinations"
    anna.say(build("B2", "A1"))
    assert types(anna.take()) == ["error"]
    anna.say(step("BUILD"))
    assert types(anna.take()) == ["error"]
    anna.say(move("B2", "A1"))
    assert types(anna.take()) == ["move", "possibleBuildDestinations"]


@pytest.mark.parametrize("word", ["END", "DANCE", "build", ""])
def test_a_step_that_is_not_offered_is_refused_and_asked_for_again(word):
    """Defect 6 of the original: END was accepted everywhere, and steps that were not offered."""
    anna, _ = match(House(), ["Prometheus", "Atlas"], PLACES)
    anna.say(step(word))
    error, refused, again = anna.take()
    assert error["type"] == "error"
    assert refused == {"type": "setStepChoice", "name": "anna", "stepChoice": word, "result": False}
    assert again == {"type": "askStep", "possibleSteps": ["MOVE", "BUILD"]}


def test_a_refused_early_build_of_prometheus_changes_nothing():
    """Defect 10 of the original."""
    anna, _ = match(House(), ["Prometheus", "Atlas"], PLACES)
    anna.say(step("BUILD"))
    anna.take()
    anna.say(build("B2", "E5"))
    assert anna.take()[0]["result"] is False
    anna.say(build("B2", "B1"))
    assert types(anna.take()) == ["build", "possibleMoveDestinations"]


def test_the_end_of_a_turn_is_not_answered_but_followed_by_the_next():
    anna, bert = match(House(), ["Demeter", "Atlas"], PLACES)
    anna.say(move("B2", "A1"))
    anna.take()
    anna.say(build("A1", "B1"))
    assert anna.take()[-1] == {"type": "askStep", "possibleSteps": ["BUILD", "END"]}
    bert.take()
    anna.say(step("END"))
    assert anna.take() == [{"type": "turnUpdate", "name": "bert"}]
    assert types(bert.take()) == ["turnUpdate", "possibleMoveDestinations"]


def test_lists_are_always_two_for_moves_and_four_for_builds():
    anna, _ = match(House(), ["Atlas", "Pan"], PLACES)
    assert len(anna.last[-1]["possibleDst"]) == 2
    anna.say(move("B2", "A1"))
    lists = anna.take()[-1]["possibleDst"]
    assert [names(cells) for cells in lists] == [{"B1", "A2", "B2"}, set(), {"B1", "A2", "B2"}, set()]


# Builders that change within a turn: section 3.5


def test_hermes_is_told_his_turn_again_before_every_choice_of_a_builder():
    anna, bert = match(House(), ["Hermes", "Pan"], PLACES)
    assert anna.last[-1] == {"type": "askStep", "possibleSteps": ["MOVE", "BUILD"]}
    anna.say(step("MOVE"))
    assert types(anna.take()) == ["setStepChoice", "possibleMoveDestinations"]
    anna.say(move("B2", "B1"))
    assert types(anna.take()) == ["move", "askStep"]
    anna.say(step("MOVE"))
    _answer, turn, lists = anna.take()
    assert turn == {"type": "turnUpdate", "name": "anna"}
    assert all(lists["possibleDst"])
    anna.say(move("D4", "D5"))
    anna.take()
    anna.say(step("BUILD"))
    assert types(anna.take()) == ["setStepChoice", "turnUpdate", "possibleBuildDestinations"]
    assert "turnUpdate" not in types(bert.take())


def test_poseidon_builds_with_the_other_builder_after_a_turn_update():
    anna, _ = match(House(), ["Poseidon", "Pan"], PLACES)
    anna.say(move("B2", "B1"))
    assert types(anna.take()) == ["move", "possibleBuildDestinations"]
    anna.say(build("B1", "A1"))
    assert anna.take()[-1] == {"type": "askStep", "possibleSteps": ["BUILD", "END"]}
    anna.say(step("BUILD"))
    _answer, turn, lists = anna.take()
    assert turn["type"] == "turnUpdate"
    assert [bool(cells) for cells in lists["possibleDst"]] == [False, True, False, False]
    anna.say(build("D4", "E5"))
    anna.take()
    anna.say(step("BUILD"))
    # The builder is the same as before, so there is nothing to ask anew.
    assert types(anna.take()) == ["setStepChoice", "possibleBuildDestinations"]


def test_selene_has_two_builders_to_choose_from_when_the_second_moved():
    anna, _ = match(House(), ["Selene", "Pan"], PLACES)
    anna.say(move("D4", "D5"))
    _moved, turn, lists = anna.take()
    assert turn == {"type": "turnUpdate", "name": "anna"}
    assert [bool(cells) for cells in lists["possibleDst"]] == [False, True, True, False]


def test_terpsichore_moves_and_builds_with_both_builders():
    anna, _ = match(House(gods="all"), ["Terpsichore", "Pan"], PLACES)
    anna.say(move("B2", "B1"))
    _moved, turn, lists = anna.take()
    assert turn["type"] == "turnUpdate"
    assert [bool(cells) for cells in lists["possibleDst"]] == [False, True]
    anna.say(move("D4", "D5"))
    assert types(anna.take()) == ["move", "turnUpdate", "possibleBuildDestinations"]
    anna.say(build("D5", "E5"))
    assert types(anna.take()) == ["build", "turnUpdate", "possibleBuildDestinations"]


def test_morpheus_is_asked_while_he_has_tokens():
    anna, bert = match(House(), ["Morpheus", "Pan"], PLACES)
    anna.say(move("B2", "B1"))
    assert anna.take()[-1] == {"type": "askStep", "possibleSteps": ["BUILD", "END"]}
    anna.say(step("BUILD"))
    anna.take()
    anna.say(build("B1", "A1"))
    assert types(anna.take()) == ["build", "turnUpdate"]
    assert types(bert.take())[-1] == "possibleMoveDestinations"


def test_a_push_is_told_before_the_move():
    anna, bert = match(House(), ["Minotaur", "Pan"], [["B2", "A5"], ["C2", "E5"]])
    bert.take()
    anna.say(move("B2", "C2"))
    assert bert.take() == [
        {"type": "builderPushed", "name": "bert", "src": at("C2"), "dst": at("D2")},
        {**move("B2", "C2"), "name": "anna", "result": True},
    ]


# Keep-alive


def test_a_ping_comes_after_two_seconds_and_two_seconds_after_every_pong():
    house = House()
    client = house.client()
    client.take()
    house.wait(1.75)
    assert client.take(pings=True) == []
    house.wait(0.25)
    assert client.take(pings=True) == [{"type": "ping"}]
    house.wait(5)
    assert client.take(pings=True) == []
    client.say({"type": "pong"})
    house.wait(2)
    assert client.take(pings=True) == [{"type": "ping"}]


def test_who_never_answered_a_ping_is_not_dropped_for_silence():
    house = House()
    anna, bert = lobby(house)
    house.wait(60)
    assert not anna.closed
    assert not bert.closed


def test_who_answered_pings_is_dropped_after_ten_seconds_of_silence():
    house = House()
    anna, bert = match(house, ["Pan", "Atlas"], PLACES)
    house.wait(2)
    anna.say({"type": "pong"})
    house.wait(9.75)
    assert not anna.closed
    house.wait(0.25)
    assert anna.closed
    assert types(bert.take()) == ["playerDisconnected", "disconnect"]


def test_any_line_is_a_sign_of_life():
    house = House()
    anna, _bert = match(house, ["Pan", "Atlas"], PLACES)
    anna.say({"type": "pong"})
    for _ in range(4):
        house.wait(6)
        anna.say({"type": "dance"})
    assert not anna.closed


# Coming and going


def test_after_the_end_the_client_closes_or_is_closed():
    house = House()
    anna, bert = match(house, ["Pan", "Atlas"], PLACES)
    bert.say({"type": "disconnect"})
    assert bert.closed
    assert types(anna.take()) == ["playerDisconnected", "disconnect"]
    house.wait(9.75)
    assert not anna.closed
    house.wait(0.25)
    assert anna.closed
    # One who says anything is closed at once.
    anna, bert = match(house, ["Pan", "Atlas"], PLACES)
    bert.hang_up()
    anna.take()
    anna.say({"type": "pong"})
    assert anna.closed


@pytest.mark.parametrize("named", [False, True])
def test_an_unnamed_client_who_leaves_a_full_lobby_breaks_it_up(named):
    house = House()
    anna, bert = lobby(house)
    if named:
        anna.say({"type": "addPlayer", "name": "anna", "date": "1990.01.02"})
        anna.take()
    bert.hang_up()
    assert anna.take() == [{"type": "disconnect"}]
    # The lobby is gone with them: whoever comes is the first.
    assert types(house.client().take()) == ["askNumberOfPlayers"]


def test_an_unnamed_client_who_leaves_a_full_lobby_of_three_sends_both_others_home():
    house = House()
    anna, bert, cleo = lobby(house, 3)
    bert.say({"type": "addPlayer", "name": "bert", "date": "1990.01.02"})
    for client in (anna, bert):
        client.take()
    cleo.hang_up()
    assert anna.take() == bert.take() == [{"type": "disconnect"}]


def test_a_lobby_that_breaks_up_is_left_by_all():
    house = House()
    anna, bert, cleo = lobby(house, 3)
    bert.say({"type": "addPlayer", "name": "bert", "date": "1990.01.02"})
    bert.hang_up()
    for client in (anna, cleo):
        assert types(client.take())[-2:] == ["playerDisconnected", "disconnect"]
    assert types(house.client().take()) == ["askNumberOfPlayers"]


def lose_unheard(house: House, client: Client) -> None:
    """A connection is lost, and the others have not heard of it yet: records are written before words."""
    client.closed = True
    house.hall.depart(client.guest, house.now)


@pytest.mark.parametrize("named", [False, True])
def test_who_comes_before_all_have_heard_of_a_departure_does_not_sit_down_in_that_lobby(named):
    house = House()
    anna, bert, cleo = lobby(house, 3)
    if named:
        bert.say({"type": "addPlayer", "name": "bert", "date": "1990.01.02"})
    anna.say({"type": "addPlayer", "name": "anna", "date": "1990.01.02"})
    for client in (anna, cleo):
        client.take()
    lose_unheard(house, bert)
    newcomer = house.client()
    assert types(newcomer.take()) == ["askNumberOfPlayers"]
    gone = [{"type": "playerDisconnected", "name": "bert"}] if named else []
    for client in (anna, cleo):
        assert client.take() == [*gone, {"type": "disconnect"}]


def test_no_match_begins_in_a_lobby_that_breaks_up():
    """A player of our own protocol is ready at once, and would start a match with people
    who are about to go."""
    house = House()
    anna, bert = lobby(house)
    anna.say({"type": "addPlayer", "name": "anna", "date": "1990.01.02"})
    anna.take()
    lose_unheard(house, bert)
    carl = house.hall.arrive("house")
    house.hall.handle(carl, [Enter("carl"), Seek("santorini", Open("santorini", 2))], house.now)
    house.carry_out()
    assert anna.take() == [{"type": "disconnect"}]
    table = house.hall.tables.find(carl.table)
    assert (table.phase, table.info().names) == ("open", ("carl", ""))


def test_the_house_says_why_it_closes():
    house = House()
    anna, _ = match(house, ["Pan", "Atlas"], PLACES)
    house.hall.close("back in a minute")
    house.carry_out()
    assert anna.take() == [{"type": "error", "description": "back in a minute"}, {"type": "disconnect"}]


# Returning


def middle(house: House) -> list[Client]:
    """A match in which something has been built."""
    clients = match(house, ["Atlas", "Pan"], PLACES)
    anna, bert = clients
    anna.say(move("B2", "A1"))
    anna.say(build("A1", "B1", True))
    bert.say(move("D2", "E1"))
    bert.say(build("E1", "E2"))
    for client in clients:
        client.take()
    return clients


def told_on_return() -> list[Message]:
    state = [
        {"type": "stateUpdate", "state": name}
        for name in ("SETUP_CARDS", "SETUP_COLOR", "SETUP_BUILDERS", "GAME")
    ]
    return [
        {"type": "playerAdded", "name": "anna", "result": True},
        {"type": "playerAdded", "name": "bert", "result": True},
        state[0],
        {
            "type": "setMatchGodCards",
            "godCardNames": ["Atlas", "Pan"],
            "godDescriptions": ["Atlas", "Pan"],
            "result": True,
        },
        {"type": "godCardAssigned", "name": "anna", "godCard": "Atlas", "result": True},
        {"type": "godCardAssigned", "name": "bert", "godCard": "Pan", "result": True},
        {"type": "setStartPlayer", "name": "anna", "result": True},
        state[1],
        {"type": "colorUpdate", "name": "anna", "color": "MAGENTA", "result": True},
        {"type": "colorUpdate", "name": "bert", "color": "LIGHT_BLUE", "result": True},
        state[2],
        {"type": "buildersPlacement", "name": "anna", "positions": [at("A1"), at("D4")], "result": True},
        {"type": "buildersPlacement", "name": "bert", "positions": [at("E1"), at("B4")], "result": True},
        state[3],
        {**build("A1", "B1", True), "name": "anna", "result": True},
        {**build("A1", "E2"), "name": "anna", "result": True},
        {"type": "turnUpdate", "name": "anna"},
    ]


def test_a_player_comes_back_by_name_into_the_running_match():
    house = House(absence="wait")
    anna, bert = middle(house)
    anna.hang_up()
    assert bert.take() == []
    again = house.client()
    assert types(again.take()) == ["askNumberOfPlayers"]
    again.say({"type": "addPlayer", "name": "anna", "date": "1990.01.02"})
    told = again.take()
    assert told[:-1] == told_on_return()
    assert told[-1]["type"] == "possibleMoveDestinations"
    again.say(move("A1", "A2"))
    assert types(bert.take()) == ["move"]


def test_a_player_comes_back_with_the_token_that_came_with_the_name():
    house = House(absence="wait")
    anna, bert = lobby(house)
    for name, client in (("anna", anna), ("bert", bert)):
        client.say({"type": "addPlayer", "name": name, "date": "1990.01.02"})
    token = next(
        message["token"] for message in bert.take() if message.get("name") == "bert" and "token" in message
    )
    assert all("token" not in message for message in anna.take() if message.get("name") == "bert")
    bert.hang_up()
    again = house.client()
    again.take()
    again.say({"type": "addPlayer", "name": "bert", "date": "1990.01.02", "token": "0" * 32})
    assert types(again.take()) == ["error", "playerAdded"]
    again.say({"type": "addPlayer", "name": "bert", "date": "1990.01.02", "token": token})
    assert types(again.take()) == ["playerAdded", "playerAdded", "stateUpdate", "turnUpdate"]


def test_players_who_meet_in_a_lobby_are_led_back_to_their_match():
    """As clients of the original do after a restart: they are asked for a number and then for their names."""
    house = House(absence="wait")
    for client in middle(house):
        client.hang_up()
    anna, bert = lobby(house)
    anna.say({"type": "addPlayer", "name": "anna", "date": "1990.01.02"})
    assert types(anna.take())[-1] == "possibleMoveDestinations"
    assert bert.take() == []
    bert.say({"type": "addPlayer", "name": "bert", "date": "1990.01.02"})
    assert bert.take() == told_on_return()
    anna.say(move("A1", "A2"))
    assert types(bert.take()) == ["move"]


def test_who_goes_back_to_a_match_does_not_break_up_the_lobby_of_others():
    """Also from a lobby that is not full yet, and newcomers take the chair."""
    house = House(absence="wait")
    for client in middle(house):
        client.hang_up()
    first = house.client()
    first.say({"type": "setNumberOfPlayers", "numberOfPlayers": 3})
    anna = house.client()
    first.take()
    anna.say({"type": "addPlayer", "name": "anna", "date": "1990.01.02"})
    assert types(anna.take())[-1] == "possibleMoveDestinations"
    assert first.take() == []
    second, third = house.client(), house.client()
    assert types(first.take()) == ["askNickAndDate"]
    assert types(second.take()) == types(third.take()) == ["stateUpdate", "askNickAndDate"]


# The page


def examples() -> list[tuple[str, Message]]:
    text = PAGE.read_text()
    return [
        (kind, json.loads(line))
        for kind, body in re.findall(r"```json (client|server)\n(.*?)```", text, re.S)
        for line in body.strip().splitlines()
    ]


def test_every_message_of_the_page_is_one_of_ours_and_every_one_of_ours_is_on_the_page():
    unions = {"client": ClientMessage, "server": ServerMessage}
    seen: dict[str, set[type]] = {"client": set(), "server": set()}
    for kind, message in examples():
        decoded = msgspec.convert(message, unions[kind])
        seen[kind].add(type(decoded))
        if kind == "server":
            assert json.loads(msgspec.json.encode(decoded)) == message
    for kind, union in unions.items():
        assert seen[kind] == set(union.__args__)
