"""The protocol: login, setup, turns, errors, absence, the end, and every example of its page."""

import json
import random
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from tests.games.renaissance.house import Client, House, play_on, types
from tests.games.renaissance.positions import CASES, position
from tests.games.renaissance.raw_player import RawPlayer
from tests.quiet import QuietHouse

from ludoteca.core import Seat
from ludoteca.games.renaissance import rules
from ludoteca.games.renaissance.actions import Store, TakeLine
from ludoteca.games.renaissance.data import Stock
from ludoteca.games.renaissance.events import EMPTY, Depot
from ludoteca.games.renaissance.view import view
from ludoteca.games.renaissance.wire import Conversation, Settings, messages

PAGE = Path(__file__).parents[3] / "src/ludoteca/games/renaissance/PROTOCOL.md"


def login(client: Client, name: str) -> None:
    client.say({"type": "loginRequest", "username": name})


def keep_two(client: Client, name: str) -> None:
    (request,) = [m for m in client.take() if m["type"] == "leaderCardsRequest"]
    client.say({"type": "leaderCardsReply", "username": name, "leaderCards": request["leaderCards"][:2]})


def set_up(*names: str, **keywords: Any) -> tuple[House, list[Client]]:
    """A match whose setup is complete, the clients in turn order; nothing is left to be taken."""
    house = House(**keywords)
    clients = house.clients(*names)
    for client, name in zip(clients, names, strict=True):
        keep_two(client, name)
    order = [(house.state.tabletop.first + place) % len(names) for place in range(len(names))]
    clients = [clients[seat] for seat in order]
    for place, client in enumerate(clients):
        name = names[order[place]]
        layout = {"0": ["COINS"] if place else [], "1": ["STONES"] if place == 3 else [], "2": []}
        client.say({"type": "resourcesReply", "username": name, "warehouse": layout})
    for client in clients:
        client.take()
    return house, clients


def name_of(client: Client) -> str:
    return client.guest.name


def change(house: QuietHouse, client: Client, **fields: Any) -> None:
    """Give a player something, in the true state and in the picture that every conversation has."""
    state = house.state
    boards = list(state.tabletop.boards)
    boards[client.seat] = replace(boards[client.seat], **fields)
    state.tabletop = replace(state.tabletop, boards=tuple(boards))
    rules.ask(state)
    for other in house._shells():
        chronicle = other.conversation._chronicle
        hidden = list(chronicle.view.boards)
        hidden[client.seat] = replace(hidden[client.seat], **fields)
        chronicle.view = replace(chronicle.view, boards=tuple(hidden))


def choose(client: Client, action: str) -> None:
    client.say({"type": "actionReply", "action": action})
    assert client.take() == [{"type": "actionResponse", "action": action}]


# Ping


def test_the_first_ping_comes_at_once_and_then_every_two_seconds():
    client = Client(House())
    assert client._received == b'{"type":"ping"}\n'
    client.say({"type": "pong"})
    client.house.wait(2.0)
    assert client._received == b'{"type":"ping"}\n' * 2


def test_a_ping_that_is_not_answered_closes_the_connection():
    client = Client(House())
    client.house.wait(1.9)
    assert not client.closed
    client.house.wait(0.2)
    assert client.closed


def finished(house: House, name: str = "bianca") -> Client:
    """A client whose solo match is over."""
    (client,) = house.clients(name)
    player = RawPlayer(name, 3)
    play_on([(client, player)])
    assert player.scores is not None
    return client


def test_pings_stop_after_the_match():
    house = House()
    client = finished(house)
    house.wait(300.0)
    assert client._received == b""
    assert not client.closed


def test_who_says_nothing_for_ten_minutes_after_a_match_is_let_go():
    """There are no pings any more, so nobody else would notice a client that has vanished."""
    house = House()
    client = finished(house)
    house.wait(599.0)
    assert not client.closed
    house.wait(2.0)
    assert client.closed


# Login


@pytest.mark.parametrize(
    ("name", "reason"),
    [("abc", "LENGTH"), ("a" * 16, "LENGTH"), ("two words", "CHARACTERS"), ("tab\tbed", "CHARACTERS")],
)
def test_a_name_has_4_to_15_characters_and_no_blanks(name, reason):
    client = Client(House())
    login(client, name)
    refusal = {"type": "usernameResponse", "free": False, "username": None, "reason": reason}
    assert client.take() == [refusal]
    login(client, "bianca")
    assert client.take()[0] == {"type": "usernameResponse", "free": True, "username": "bianca"}


def test_a_name_in_use_is_refused_and_another_can_be_tried():
    house = House()
    first, second = Client(house), Client(house)
    login(first, "bianca")
    login(second, "Bianca")
    assert second.take() == [{"type": "usernameResponse", "free": False, "username": None, "reason": "TAKEN"}]
    login(second, "dario")
    assert types(second.take()) == ["usernameResponse"]


def test_the_first_is_asked_for_the_number_and_the_next_wait_for_the_answer():
    house = House()
    first, second, third = Client(house), Client(house), Client(house)
    for client, name in ((first, "bianca"), (second, "dario"), (third, "elena")):
        login(client, name)
    assert types(first.take()) == ["usernameResponse", "numberOfPlayersRequest"]
    assert types(second.take()) == types(third.take()) == ["usernameResponse"]
    first.say({"type": "numberOfPlayersReply", "number": 2})
    assert types(second.take()) == ["market", "devCardGrid", "players", "leaderCardsRequest"]
    assert types(third.take()) == ["numberOfPlayersRequest"]


@pytest.mark.parametrize("number", [0, 5, -1])
def test_a_bad_number_of_players_is_asked_again_without_an_error(number):
    client = Client(House())
    login(client, "bianca")
    client.take()
    client.say({"type": "numberOfPlayersReply", "number": number})
    assert client.take() == [{"type": "numberOfPlayersRequest", "max": 4}]


def test_when_the_one_who_chooses_leaves_the_next_is_asked():
    house = House()
    first, second = Client(house), Client(house)
    login(first, "bianca")
    login(second, "dario")
    first.hang_up()
    assert types(second.take()) == ["usernameResponse", "numberOfPlayersRequest"]


def test_who_answers_pings_but_not_the_question_holds_up_the_others_once_for_half_a_minute():
    house = House()
    idle, waiting = Client(house), Client(house)
    login(idle, "idle")
    login(waiting, "bianca")

    def beat(seconds: int) -> None:
        for _ in range(seconds):
            house.wait(1.0)
            for client in (idle, waiting):
                client.say({"type": "pong"})

    beat(29)
    assert types(waiting.take()) == ["usernameResponse"]
    beat(1)
    assert types(waiting.take()) == ["numberOfPlayersRequest"]
    waiting.say({"type": "numberOfPlayersReply", "number": 1})
    assert "players" in types(waiting.take())
    # The idler is still there, still first, and in nobody's way.
    for name in ("carlo", "dario"):
        newcomer = Client(house)
        login(newcomer, name)
        assert types(newcomer.take()) == ["usernameResponse", "numberOfPlayersRequest"]
        newcomer.say({"type": "numberOfPlayersReply", "number": 1})
        assert "players" in types(newcomer.take())
    assert not idle.closed
    idle.say({"type": "numberOfPlayersReply", "number": 1})
    assert "players" in types(idle.take())


def test_leaving_a_lobby_frees_the_seat_and_the_name():
    house = House()
    first, second = Client(house), Client(house)
    login(first, "bianca")
    first.say({"type": "numberOfPlayersReply", "number": 3})
    login(second, "dario")
    first.take()
    second.hang_up()
    assert first.take() == [{"type": "disconnection", "username": "dario"}]
    again = Client(house)
    login(again, "dario")
    assert again.take()[0] == {"type": "usernameResponse", "free": True, "username": "dario"}
    assert first.take() == []
    again.hang_up()
    assert first.take() == [{"type": "disconnection", "username": "dario"}], "said anew each time"


def test_a_lobby_that_waits_for_a_lost_player_hears_of_the_loss_once_and_of_the_return():
    house = House(absence="wait")
    first, second = Client(house), Client(house)
    login(first, "bianca")
    first.say({"type": "numberOfPlayersReply", "number": 3})
    login(second, "dario")
    first.take()
    second.hang_up()
    assert first.take() == [{"type": "disconnection", "username": "dario"}]
    back = Client(house)
    login(back, "dario")
    assert first.take() == [{"type": "reconnection", "username": "dario"}]
    back.hang_up()
    first.take()
    for _ in range(70):
        first.say({"type": "pong"})
        house.wait(2.0)
    assert house.table.chairs[1] is None, "the chair is free after the grace time"
    assert first.take() == []


# Broken input


@pytest.mark.parametrize(
    "line",
    [
        b"hello\n",
        b"[]\n",
        b"{}\n",
        b'{"type": "dance"}\n',
        b'{"type": "loginRequest"}\n',
        b'{"type": "loginRequest", "username": 7}\n',
        b"\xff\xfe\n",
        b"[" * 5_000 + b"\n",
        b'{"type": "usernameResponse", "free": true, "username": "bianca"}\n',
    ],
)
def test_a_line_that_is_no_message_gets_an_error_and_nothing_else(line):
    client = Client(House())
    client.send(line)
    (answer,) = client.take()
    assert (answer["type"], answer["error"]) == ("error", "INVALID_MESSAGE")
    login(client, "bianca")
    assert client.take()[0]["free"] is True


def test_messages_may_be_cut_anywhere_and_unknown_fields_are_ignored():
    client = Client(House())
    for byte in b'{"type": "loginRequest", "colour": "red", "username": "bianca"}\r\n':
        client.send(bytes([byte]))
    assert types(client.take()) == ["usernameResponse", "numberOfPlayersRequest"]


def test_a_line_without_end_closes_the_connection():
    client = Client(House())
    client.send(b"x" * 70_000)
    assert client.closed


@pytest.mark.parametrize("kind", ["actionReply", "leaderCardsReply", "endTurn", "numberOfPlayersReply"])
def test_messages_before_their_time_are_refused(kind):
    client = Client(House())
    fields: dict[str, dict[str, Any]] = {
        "actionReply": {"action": "ENDTURN"},
        "leaderCardsReply": {"username": "bianca", "leaderCards": []},
        "numberOfPlayersReply": {"number": 2},
    }
    client.say({"type": kind, **fields.get(kind, {})})
    assert client.take()[0]["error"] == "INVALID_MESSAGE"


def test_another_players_name_is_refused():
    _, (ann, _) = set_up("bianca", "dario")
    other = "dario" if name_of(ann) == "bianca" else "bianca"
    choose(ann, "MARKETACTION")
    ann.say({"type": "rowColumnSelection", "username": other, "index": 0, "row": True, "exchange": []})
    assert ann.take()[0]["error"] == "INVALID_MESSAGE"


# Setup


def test_the_setup_in_its_order():
    house = House()
    clients = house.clients("bianca", "dario")
    for client in clients:
        told = client.take()[-4:]
        assert types(told) == ["market", "devCardGrid", "players", "leaderCardsRequest"]
        names = ["bianca", "dario"]
        if house.state.tabletop.first:
            names.reverse()
        assert told[2]["players"] == names
        cards = told[3]["leaderCards"]
        client.say({"type": "leaderCardsReply", "username": name_of(client), "leaderCards": cards[2:]})
    first, second = clients if house.state.tabletop.first == 0 else reversed(clients)
    for client, number in ((first, 0), (second, 1)):
        told = client.take()
        assert types(told) == ["leaderCardsDone", "faithTrackUpdate", "resourcesRequest"]
        assert told[-1]["number"] == number
    second.say(
        {
            "type": "resourcesReply",
            "username": name_of(second),
            "warehouse": {"0": [], "1": ["SHIELDS"], "2": []},
        }
    )
    assert types(second.take()) == [
        "startingResourcesDone",
        "devCardGrid",
        "market",
        "setupUpdate",
        "startTurn",
    ]
    told = first.take()
    assert types(told) == ["devCardGrid", "market", "setupUpdate", "startTurn", "possibleActions"]
    update = told[2]
    assert update["leaderCards"][name_of(second)] == [None, None]
    assert None not in update["leaderCards"][name_of(first)]
    assert update["warehouses"][name_of(second)] == {"0": [], "1": ["SHIELDS"], "2": []}
    assert told[3] == {"type": "startTurn", "username": name_of(first)}
    assert told[4]["actions"] == [
        "PLAYLEADERCARD",
        "DISCARDLEADERCARD",
        "BUYDEVELOPMENTCARD",
        "USEPRODUCTION",
        "MARKETACTION",
    ]


@pytest.mark.parametrize("wrong", [[], ["L001"], ["L001", "L001"], ["L001", "L999"], "three"])
def test_a_wrong_choice_of_leaders_is_asked_again_with_all_four(wrong):
    house = House()
    (client, _) = house.clients("bianca", "dario")
    offer = client.take()[-1]
    chosen = offer["leaderCards"][:3] if wrong == "three" else wrong
    client.say({"type": "leaderCardsReply", "username": "bianca", "leaderCards": chosen})
    error, again = client.take()
    assert error["error"] == "STARTING_LEADER_CARD"
    assert again == offer


@pytest.mark.parametrize(
    "layout",
    [
        {"0": [], "1": [], "2": []},
        {"0": ["COINS"], "1": ["STONES"], "2": []},
        {"0": ["COINS", "COINS"], "1": [], "2": []},
        {"0": [], "1": [], "2": [], "3": ["COINS"]},
        {"top": ["COINS"]},
    ],
)
def test_a_wrong_choice_of_resources_is_asked_again(layout):
    house = House()
    clients = house.clients("bianca", "dario")
    for client in clients:
        keep_two(client, name_of(client))
    second = clients[1 - house.state.tabletop.first]
    second.take()
    second.say({"type": "resourcesReply", "username": name_of(second), "warehouse": layout})
    error, again = second.take()
    assert error["error"] == "STARTING_RESOURCES"
    assert again == {"type": "resourcesRequest", "number": 1}


# The request for nothing: one rule, before and after a loss


def leaders_kept(house: House, *names: str) -> list[Client]:
    """Clients in turn order who have kept their leaders and were asked for resources; that is taken."""
    clients = house.clients(*names)
    for client in clients:
        keep_two(client, name_of(client))
    first = house.state.tabletop.first
    for client in clients:
        assert types(client.take())[-1] == "resourcesRequest"
    return clients[first:] + clients[:first]


def nothing(client: Client, **warehouse: list[str]) -> dict[str, Any]:
    return {"type": "resourcesReply", "username": name_of(client), "warehouse": warehouse}


def test_the_first_player_may_take_no_resources():
    first, _ = leaders_kept(House(), "bianca", "dario")
    first.say({"type": "resourcesReply", "username": name_of(first), "warehouse": {"0": ["COINS"]}})
    error, again = first.take()
    assert error["error"] == "STARTING_RESOURCES"
    assert again == {"type": "resourcesRequest", "number": 0}


def test_nobody_waits_for_the_first_player_who_has_nothing_to_choose():
    first, second = leaders_kept(House(), "bianca", "dario")
    second.say({"type": "resourcesReply", "warehouse": {"0": ["COINS"]}})
    assert types(second.take())[-1] == "startTurn"
    assert types(first.take())[-1] == "possibleActions"
    # Early or late, the empty answer is welcome once.
    first.say(nothing(first))
    assert first.take() == [{"type": "startingResourcesDone"}]
    first.say(nothing(first))
    assert first.take()[0]["error"] == "INVALID_MESSAGE"


def test_the_empty_answer_is_welcome_before_the_others_have_chosen_too():
    first, second = leaders_kept(House(), "bianca", "dario")
    first.say({"type": "resourcesReply", "warehouse": {"0": [], "1": [], "2": []}})
    assert first.take() == [{"type": "startingResourcesDone"}]
    assert second.take() == []


def test_who_returns_with_nothing_to_choose_is_ready_whether_it_had_answered_or_not():
    for answered in (False, True):
        house = House()
        first, second = leaders_kept(house, "bianca", "dario")
        if answered:
            first.say(nothing(first))
        name = name_of(first)
        first.hang_up()
        back = Client(house)
        login(back, name)
        told = back.take()
        assert types(told) == ["players", "devCardGrid", "market", "reconnectionUpdate"]
        assert told[-1]["setupDone"] is True
        second.say({"type": "resourcesReply", "warehouse": {"0": ["COINS"]}})
        assert types(back.take())[-1] == "possibleActions"


def test_who_was_lost_before_keeping_leaders_is_asked_for_nothing_as_everybody_was():
    house = House()
    clients = house.clients("bianca", "dario")
    first = house.state.tabletop.first
    lost, other = clients[first], clients[1 - first]
    name = name_of(lost)
    lost.hang_up()
    keep_two(other, name_of(other))
    other.say({"type": "resourcesReply", "warehouse": {"0": ["COINS"]}})
    assert types(other.take())[-1] == "possibleActions"
    back = Client(house)
    login(back, name)
    keep_two(back, name)
    assert types(back.take()) == ["leaderCardsDone", "resourcesRequest", "setupUpdate"]
    back.say({"type": "resourcesReply", "warehouse": {}})
    assert back.take() == [{"type": "startingResourcesDone"}]
    assert types(other.take()) == ["reconnection", "setupUpdate"]


def test_a_loss_is_told_at_once_to_who_has_not_answered_the_request_for_nothing():
    first, second, third = leaders_kept(House(), "bianca", "dario", "elena")
    name = name_of(third)
    third.hang_up()
    assert first.take() == second.take() == [{"type": "disconnection", "username": name}]
    back = Client(first.house)
    login(back, name)
    assert first.take() == second.take() == [{"type": "reconnection", "username": name}]


# Turns


def test_acting_out_of_turn_is_refused():
    _, (_, ben) = set_up("bianca", "dario")
    ben.say({"type": "actionReply", "action": "MARKETACTION"})
    assert ben.take()[0]["error"] == "NOT_YOUR_TURN"


def test_parameters_need_their_action_and_the_mind_can_be_changed():
    _, (ann, _) = set_up("bianca", "dario")
    line = {"type": "rowColumnSelection", "username": name_of(ann), "index": 0, "row": True, "exchange": []}
    ann.say(line)
    assert [m.get("error") for m in ann.take()] == ["INVALID_ACTION", None]
    choose(ann, "USEPRODUCTION")
    ann.say(line)
    assert types(ann.take()) == ["error", "possibleActions"]
    choose(ann, "USEPRODUCTION")
    choose(ann, "MARKETACTION")
    ann.say(line)
    assert types(ann.take()) == ["resourcesManageRequest"]


def test_an_action_that_is_not_offered_is_refused():
    _, (ann, _) = set_up("bianca", "dario")
    ann.say({"type": "actionReply", "action": "ENDTURN"})
    assert types(ann.take()) == ["error", "possibleActions"]


def market(house: House, marbles: str, slide: str) -> None:
    """Lay the market, in the truth and in all pictures."""
    words = {"w": "white", "r": "red", "b": "blue", "y": "yellow", "g": "grey", "p": "purple"}
    laid = tuple(words[letter] for letter in marbles if letter != " ")
    house.state.tabletop = replace(house.state.tabletop, marbles=laid, slide=words[slide])
    for other in house._shells():
        chronicle = other.conversation._chronicle
        chronicle.view = replace(chronicle.view, marbles=laid, slide=words[slide])


def take_row(client: Client, index: int, exchange: list[str] | None = None) -> None:
    choose(client, "MARKETACTION")
    client.say(
        {
            "type": "rowColumnSelection",
            "username": name_of(client),
            "index": index,
            "row": True,
            "exchange": exchange or [],
        }
    )


def place(client: Client, layout: dict[str, list[str]], **more: Any) -> None:
    client.say({"type": "resourcesManageReply", "username": name_of(client), "warehouse": layout, **more})


def test_a_market_action_in_its_order():
    house, (ann, ben) = set_up("bianca", "dario")
    market(house, "rbby wwww ggpp", "y")
    change(house, ben, faith=6)
    take_row(ann, 0)
    assert ann.take() == [{"type": "resourcesManageRequest", "resources": ["SHIELDS", "SHIELDS", "COINS"]}]
    assert ben.take() == []
    place(ann, {"0": ["SHIELDS", "SHIELDS"]})
    assert [m.get("error") for m in ann.take()] == ["MANAGE_RESOURCES", None]
    ann.say({"type": "actionReply", "action": "ENDTURN"})
    assert [m.get("error") for m in ann.take()] == ["MANAGE_RESOURCES", None]
    place(ann, {"1": ["SHIELDS"]}, discard={"SHIELDS": 1})
    assert ann.take()[0]["error"] == "MANAGE_RESOURCES"
    place(ann, {"1": ["SHIELDS"]}, discard={"SHIELDS": 1, "COINS": 1})
    told = ann.take()
    assert types(told) == ["faithTrackUpdate", "faithTrackUpdate", "marketUpdate", "possibleActions"]
    red, gift, update, possible = told
    assert ben.take() == told[:-1]
    assert red["positions"] == {name_of(ann): 1, name_of(ben): 6}
    assert red["report"] is False
    assert gift["positions"] == {name_of(ann): 1, name_of(ben): 8}
    assert (gift["report"], gift["vaticanReport"], gift["activated"]) == (True, 8, [name_of(ben)])
    assert update["warehouse"] == {"0": [], "1": ["SHIELDS"], "2": []}
    assert (update["index"], update["row"]) == (0, True)
    assert update["marbles"][0] == ["BLUE", "BLUE", "YELLOW", "YELLOW"]
    assert update["freeMarble"] == "RED"
    assert possible["actions"] == ["PLAYLEADERCARD", "DISCARDLEADERCARD", "ENDTURN"]


def test_a_placement_that_a_bot_in_this_seat_has_begun_is_made_anew():
    house, (ann, _) = set_up("bianca", "dario")
    market(house, "rbby wwww ggpp", "y")
    take_row(ann, 0)
    ann.act(Store(2, "coins", 1))
    assert types(ann.take())[-1] == "resourcesManageRequest"
    place(ann, {"1": ["SHIELDS"]}, discard={"SHIELDS": 1, "COINS": 1})
    (update,) = [m for m in ann.take() if m["type"] == "marketUpdate"]
    assert update["warehouse"] == {"0": [], "1": ["SHIELDS"], "2": []}


def test_a_line_without_resources_leaves_nothing_to_place_and_nothing_is_asked():
    house, (ann, ben) = set_up("bianca", "dario")
    market(house, "wwwr ggpp bbyy", "w")
    change(house, ann, depots=(EMPTY, Depot("coins", 1), EMPTY))
    take_row(ann, 0)
    told = ann.take()
    assert types(told) == ["faithTrackUpdate", "marketUpdate", "possibleActions"]
    assert told[1]["warehouse"] == {"0": [], "1": ["COINS"], "2": []}
    assert ben.take() == told[:-1]
    # A client that answers nevertheless is told that nobody asked, whatever it would move.
    place(ann, {"0": ["COINS"], "1": [], "2": []})
    assert ann.take()[0]["error"] == "INVALID_MESSAGE"
    assert house.state.tabletop.boards[ann.seat].depots[1] == Depot("coins", 1)


@pytest.mark.parametrize("exchange", [[], ["SHIELDS", "SHIELDS"]])
def test_with_one_exchange_leader_the_choice_may_be_said_or_not(exchange):
    house, (ann, _) = set_up("bianca", "dario")
    market(house, "wwbg rwyy pbgw", "p")
    change(house, ann, played=("L010",))
    take_row(ann, 0, exchange)
    (request,) = ann.take()
    assert request["resources"] == ["SHIELDS", "SHIELDS", "SHIELDS", "STONES"]


def test_with_one_exchange_leader_another_resource_is_refused():
    house, (ann, _) = set_up("bianca", "dario")
    market(house, "wwbg rwyy pbgw", "p")
    change(house, ann, played=("L010",))
    take_row(ann, 0, ["COINS", "SHIELDS"])
    assert types(ann.take()) == ["error", "possibleActions"]


def test_a_purchase_is_told_to_all():
    house, (ann, ben) = set_up("bianca", "dario")
    change(house, ann, strongbox=Stock(9, 9, 9, 9))
    choose(ann, "BUYDEVELOPMENTCARD")
    pile = house.state.tabletop.grid[10]
    assert pile.card is not None
    cost = {
        m: c for m, c in zip(("COINS", "STONES", "SERVANTS", "SHIELDS"), _cost(pile.card), strict=True) if c
    }
    order = {"type": "buyDevelopmentCard", "username": name_of(ann), "color": "GREEN", "level": 1, "slot": 1}
    ann.say({**order, "payment": {"warehouse": cost}})
    error, possible = ann.take()
    assert (error["error"], possible["type"]) == ("INVALID_ACTION", "possibleActions")
    choose(ann, "BUYDEVELOPMENTCARD")
    ann.say({**order, "payment": {"strongbox": cost}})
    update, possible = ann.take()
    assert ben.take() == [update]
    assert (update["card"], update["nextCard"]) == (pile.card, house.state.tabletop.grid[10].card)
    assert (update["color"], update["level"], update["slot"]) == ("GREEN", 1, 1)
    assert "BUYDEVELOPMENTCARD" not in possible["actions"]


def _cost(card: str) -> Stock:
    from ludoteca.games.renaissance.data import CARDS

    return CARDS[card].cost


@pytest.mark.parametrize(("level", "slot"), [(0, 0), (4, 0), (1, 3), (1, -1), (2, 0)])
def test_a_purchase_that_cannot_be_meant_is_refused(level, slot):
    house, (ann, _) = set_up("bianca", "dario")
    change(house, ann, strongbox=Stock(9, 9, 9, 9))
    choose(ann, "BUYDEVELOPMENTCARD")
    order = {"type": "buyDevelopmentCard", "username": name_of(ann), "color": "GREEN", "level": level}
    ann.say({**order, "slot": slot, "payment": {"strongbox": {"COINS": 1}}})
    assert types(ann.take()) == ["error", "possibleActions"]


def produce(client: Client, **fields: Any) -> None:
    choose(client, "USEPRODUCTION")
    client.say({"type": "useProduction", "username": name_of(client), "payment": {}, **fields})


def test_a_production_is_told_with_its_faith():
    house, (ann, ben) = set_up("bianca", "dario")
    change(house, ann, strongbox=Stock(4, 0, 0, 0), slots=(("D001",), (), ()), played=("L005", "L016"))
    produce(
        ann,
        board=["COINS", "COINS", "STONES"],
        devSlots=[0],
        leaders=[0],
        leaderGain=["SHIELDS"],
        payment={"strongbox": {"COINS": 4}},
    )
    faith, update, _ = ann.take()
    assert ben.take() == [faith, update]
    assert faith["positions"][name_of(ann)] == 2
    assert update["strongbox"] == {"COINS": 0, "STONES": 1, "SERVANTS": 0, "SHIELDS": 1}


# As the seed has it: payments are lists, the basic power names only what it gains, and not every
# message a name


@pytest.mark.parametrize(
    "payment",
    [
        {"warehouse": {"COINS": 1}, "strongbox": {"COINS": 3}},
        {"warehouse": ["COINS"], "leaderDepots": [], "strongbox": ["COINS", "COINS", "COINS"]},
        {"warehouse": ["COINS"], "strongbox": {"COINS": 3}},
        [["COINS"], [], ["COINS", "COINS", "COINS"]],
    ],
)
@pytest.mark.parametrize("board", [["COINS", "COINS", "STONES"], ["STONES"]])
def test_a_payment_may_be_counted_or_listed_and_the_basic_power_may_name_only_its_gain(payment, board):
    house, (ann, _) = set_up("bianca", "dario")
    fields = {"strongbox": Stock(3, 0, 0, 0), "depots": (EMPTY, Depot("coins", 1), EMPTY)}
    change(house, ann, **fields, slots=(("D001",), (), ()), played=("L016",))
    choose(ann, "USEPRODUCTION")
    ann.say(
        {
            "type": "useProduction",
            "payment": payment,
            "board": board,
            "devSlots": [0],
            "leaders": [0],
            "leaderGain": ["SHIELDS"],
        }
    )
    update = ann.take()[1]
    assert update["strongbox"] == {"COINS": 0, "STONES": 1, "SERVANTS": 0, "SHIELDS": 1}
    assert update["warehouse"] == {"0": [], "1": [], "2": []}


@pytest.mark.parametrize(
    "fields",
    [
        # Which two resources were meant cannot be told: one too few, one too many, less than the slot needs.
        {"board": ["STONES"], "devSlots": [0], "payment": {"strongbox": ["COINS", "COINS"]}},
        {"board": ["STONES"], "payment": {"strongbox": ["COINS"] * 3}},
        {"board": ["STONES"], "payment": {"strongbox": []}},
        {"board": ["STONES"], "payment": [[], [], []]},
        {"board": ["STONES"], "devSlots": [1], "payment": {"strongbox": ["COINS", "COINS"]}},
        {"board": ["STONES"], "devSlots": [-1], "payment": {"strongbox": ["COINS", "COINS"]}},
        {"board": ["STONES"], "payment": {"strongbox": {"COINS": 5, "STONES": -3}}},
        {"board": ["STONES"], "payment": {"strongbox": {"COINS": 2**31 - 1}}},
    ],
)
def test_a_gain_whose_payment_is_not_clear_is_refused(fields):
    house, (ann, _) = set_up("bianca", "dario")
    change(house, ann, strongbox=Stock(4, 0, 0, 0), slots=(("D001",), (), ()))
    before = msgspec.json.encode(house.state)
    produce(ann, **fields)
    assert types(ann.take()) == ["error", "possibleActions"]
    assert msgspec.json.encode(house.state) == before


@pytest.mark.parametrize("payment", [[["COINS"], []], [["COINS"], [], [], []], ["COINS"], "COINS", None])
def test_a_payment_of_another_shape_is_no_message(payment):
    _, (ann, _) = set_up("bianca", "dario")
    choose(ann, "USEPRODUCTION")
    ann.say({"type": "useProduction", "payment": payment, "devSlots": [0]})
    assert ann.take()[0]["error"] == "INVALID_MESSAGE"


def test_a_match_can_be_set_up_and_played_without_a_name_in_any_message():
    house = House()
    (client,) = house.clients("bianca")
    offer = client.take()[-1]["leaderCards"]
    client.say({"type": "leaderCardsReply", "leaderCards": offer[:2]})
    client.say({"type": "resourcesReply", "warehouse": {}})
    client.take()
    market(house, "bbyy wwwr ggpp", "w")
    choose(client, "MARKETACTION")
    client.say({"type": "rowColumnSelection", "index": 0, "row": True})
    client.take()
    client.say({"type": "resourcesManageReply", "warehouse": {"1": ["COINS"] * 2, "2": ["SHIELDS"] * 2}})
    assert types(client.take()) == ["faithTrackUpdate", "marketUpdate", "possibleActions"]
    choose(client, "DISCARDLEADERCARD")
    client.say({"type": "discardLeaderCard", "leaderCard": offer[0]})
    assert types(client.take())[-1] == "possibleActions"


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"board": ["COINS", "COINS"]},
        {"devSlots": [1]},
        {"devSlots": [7]},
        {"leaders": [0], "leaderGain": ["COINS"], "payment": {"strongbox": {"COINS": 1}}},
        {"leaders": [0], "leaderGain": []},
        {"board": ["COINS", "COINS", "STONES"], "payment": {"strongbox": {"COINS": 1}}},
        {"board": ["COINS", "COINS", "STONES"], "payment": {"strongbox": {"COINS": -2}}},
    ],
)
def test_a_production_that_cannot_be_meant_is_refused(fields):
    house, (ann, _) = set_up("bianca", "dario")
    change(house, ann, strongbox=Stock(4, 0, 0, 0))
    before = msgspec.json.encode(house.state)
    produce(ann, **fields)
    assert types(ann.take()) == ["error", "possibleActions"]
    assert msgspec.json.encode(house.state) == before


def test_leaders_are_played_and_discarded():
    house, (ann, ben) = set_up("bianca", "dario")
    change(house, ann, strongbox=Stock(5, 0, 0, 0), hand=("L005", "L006"))
    choose(ann, "PLAYLEADERCARD")
    ann.say({"type": "playLeaderCard", "username": name_of(ann), "leaderCard": "L006"})
    assert types(ann.take()) == ["error", "possibleActions"]
    choose(ann, "PLAYLEADERCARD")
    ann.say({"type": "playLeaderCard", "username": name_of(ann), "leaderCard": "L005"})
    update, _ = ann.take()
    assert update["warehouse"] == {"0": [], "1": [], "2": [], "3": []}
    assert ben.take() == [update]
    choose(ann, "DISCARDLEADERCARD")
    ann.say({"type": "discardLeaderCard", "username": name_of(ann), "leaderCard": "L006"})
    faith, update, possible = ann.take()
    assert ben.take() == [faith, update]
    assert faith["positions"][name_of(ann)] == 1
    assert "PLAYLEADERCARD" not in possible["actions"]


def end_turn(client: Client) -> list[dict[str, Any]]:
    client.say({"type": "actionReply", "action": "ENDTURN"})
    return client.take()


def test_the_turn_passes_and_a_late_end_of_turn_is_ignored():
    house, (ann, ben) = set_up("bianca", "dario")
    market(house, "wwwr ggpp bbyy", "w")
    take_row(ann, 0)
    ann.take()
    ben.take()
    assert types(end_turn(ann)) == ["actionResponse", "startTurn"]
    told = ben.take()
    assert types(told) == ["startTurn", "possibleActions"]
    assert told[0]["username"] == name_of(ben)
    ann.say({"type": "endTurn"})
    assert ann.take() == []


def test_end_turn_alone_ends_the_turn_too():
    house, (ann, ben) = set_up("bianca", "dario")
    market(house, "wwwr ggpp bbyy", "w")
    take_row(ann, 0)
    ben.take()
    ann.say({"type": "endTurn"})
    assert types(ben.take()) == ["startTurn", "possibleActions"]


def test_lorenzo_answers_every_turn():
    house, (ann,) = set_up("bianca")
    market(house, "wwwg ggpp bbyy", "w")
    house.state.stack = ("T001", "T005")
    take_row(ann, 0)
    place(ann, {"0": ["STONES"]})
    ann.take()
    told = end_turn(ann)
    assert types(told) == [
        "actionResponse",
        "faithTrackUpdate",
        "lorenzoUpdate",
        "startTurn",
        "possibleActions",
    ]
    assert told[1]["blackCross"] == told[2]["position"] == 2
    assert told[2]["token"] == "T005"
    ann.say({"type": "endTurn"})
    assert ann.take() == []
    take_row(ann, 0)
    place(ann, {"0": ["STONES"]})
    ann.take()
    grid = house.state.tabletop.grid
    told = end_turn(ann)
    assert told[2]["message"] == "Lorenzo removes 2 green cards"
    assert told[2]["grid"][2][2] == house.state.tabletop.grid[10].card != grid[10].card


# Cases of the reference that are refused, with their error


REFUSED = [
    case
    for case in CASES
    if not case["expect"]["ok"] and case["action"]["do"] not in ("placeResources", "startingResources")
]
PLACED = [
    case for case in CASES if case["action"]["do"] == "placeResources" and len(case["given"]["players"]) > 1
]


def at_position(case: dict[str, Any], **fields: Any) -> tuple[House, list[Client]]:
    """Clients in turn order, with the state of a case put in the place of the real one."""
    names = [player["name"] * 4 for player in case["given"]["players"]]
    house, clients = set_up(*names)
    state = position(case["given"], **fields)
    table = house.table
    order = [client.seat for client in clients]
    boards = list(state.tabletop.boards)
    for seat, board in zip(order, state.tabletop.boards, strict=True):
        boards[seat] = board
    state.tabletop = replace(
        state.tabletop, boards=tuple(boards), first=order[0], current=order[state.tabletop.current]
    )
    rules.ask(state)
    table.match.state = state
    for client in clients:
        assert client.conversation._chronicle is not None
        client.conversation._chronicle.view = state.tabletop
    return house, clients


@pytest.mark.parametrize("case", REFUSED, ids=[case["id"] for case in REFUSED])
def test_a_refused_case_has_its_error(case):
    house, (client, *_) = at_position(case)
    kinds = {
        "takeFromMarket": ("MARKETACTION", "rowColumnSelection"),
        "buyDevelopmentCard": ("BUYDEVELOPMENTCARD", "buyDevelopmentCard"),
        "useProduction": ("USEPRODUCTION", "useProduction"),
        "playLeaderCard": ("PLAYLEADERCARD", "playLeaderCard"),
    }
    action, kind = kinds[case["action"]["do"]]
    fields = {key: value for key, value in case["action"].items() if key != "do"}
    if "card" in fields:
        fields["leaderCard"] = fields.pop("card")
    before = msgspec.json.encode(house.state)
    choose(client, action)
    client.say({"type": kind, "username": name_of(client), **fields})
    error, again = client.take()
    assert error["error"] == case["expect"]["error"]
    assert again["type"] == "possibleActions"
    assert msgspec.json.encode(house.state) == before


@pytest.mark.parametrize("case", PLACED, ids=[case["id"] for case in PLACED])
def test_a_placement_of_the_cases_is_accepted_or_refused(case):
    waiting = tuple(resource.lower() for resource in case["action"]["resources"])
    line = TakeLine("row", 0)
    house, clients = at_position(case, waiting=waiting, acted=True, line=line)
    client = clients[0]
    assert client.conversation._owed.question is not None
    client.conversation._owed.ask(house.state.questions[client.seat])
    place(client, case["action"]["warehouse"])
    told = client.take()
    if case["expect"]["ok"]:
        assert told[-2]["warehouse"] == case["action"]["warehouse"]
        players = [player["name"] for player in case["given"]["players"]]
        cells = told[-3]["positions"]
        faith = {name: cells[name_of(client)] for name, client in zip(players, clients, strict=True)}
        assert faith | case["expect"].get("faith", {}) == faith
    else:
        assert told[0]["error"] == case["expect"]["error"]
        assert len(told) == 2
        assert told[1] == {"type": "resourcesManageRequest", "resources": case["action"]["resources"]}


# Absence


def test_the_others_hear_of_an_absence_and_the_turn_passes():
    _, (ann, ben, cleo) = set_up("bianca", "dario", "elena")
    name = name_of(ann)
    ann.hang_up()
    for client in (ben, cleo):
        told = client.take()
        assert told[0] == {"type": "disconnection", "username": name}
        assert told[1] == {"type": "startTurn", "username": name_of(ben)}


def test_waiting_resources_of_an_absent_player_are_given_up():
    house, (ann, ben) = set_up("bianca", "dario")
    market(house, "rbby wwww ggpp", "y")
    take_row(ann, 0)
    name = name_of(ann)
    ann.hang_up()
    told = ben.take()
    assert types(told) == [
        "disconnection",
        "faithTrackUpdate",
        "faithTrackUpdate",
        "marketUpdate",
        "startTurn",
        "possibleActions",
    ]
    assert told[2]["positions"] == {name: 1, name_of(ben): 3}


def test_a_return_in_the_middle_of_a_match():
    house, (ann, ben) = set_up("bianca", "dario")
    change(house, ben, strongbox=Stock(1, 2, 0, 0), slots=(("D001", "D017"), (), ()), faith=9)
    name, hand = name_of(ben), list(house.state.tabletop.boards[ben.seat].hand)
    ben.hang_up()
    assert ann.take() == [{"type": "disconnection", "username": name}]
    back = Client(house)
    login(back, name)
    told = back.take()
    assert types(told) == ["players", "devCardGrid", "market", "reconnectionUpdate"]
    assert ann.take() == [{"type": "reconnection", "username": name}]
    update = told[3]
    assert update["username"] == name
    assert update["devCardSlots"][name] == {"0": ["D001", "D017"], "1": [], "2": []}
    assert update["topCards"] == {name: ["D017", None, None], name_of(ann): [None, None, None]}
    assert update["strongboxes"][name] == {"COINS": 1, "STONES": 2, "SERVANTS": 0, "SHIELDS": 0}
    assert update["leaderCards"] == hand
    assert update["cardsInHand"] == {name: 2, name_of(ann): 2}
    assert update["playersConnected"] == {name: True, name_of(ann): True}
    assert update["faithPositions"] == {name: 9, name_of(ann): 0}
    assert update["setupDone"] is True
    assert update["currentPlayer"] == name_of(ann)
    assert update["vaticanReports"] == {name: {}, name_of(ann): {}}


def test_a_return_with_the_token_of_the_seat():
    house = House()
    clients = house.clients("bianca", "dario")
    token = next(m for m in clients[1].take() if m["type"] == "players")["token"]
    assert token != next(m for m in clients[0].take() if m["type"] == "players")["token"]
    clients[1].hang_up()
    back = Client(house)
    back.say({"type": "loginRequest", "username": "dario", "token": "wrong"})
    assert back.take() == [{"type": "usernameResponse", "free": False, "username": None}]
    back.say({"type": "loginRequest", "username": "dario", "token": token})
    assert types(back.take())[0] == "players"


def test_the_setup_is_finished_after_the_return():
    house = House()
    clients = house.clients("bianca", "dario")
    first = house.state.tabletop.first
    offer = clients[1 - first].take()[-1]
    name = name_of(clients[1 - first])
    clients[1 - first].hang_up()
    ann = clients[first]
    keep_two(ann, name_of(ann))
    assert types(ann.take())[-2:] == ["startTurn", "possibleActions"]
    back = Client(house)
    login(back, name)
    told = back.take()
    assert types(told)[-2:] == ["reconnectionUpdate", "leaderCardsRequest"]
    assert told[-2]["setupDone"] is False
    assert told[-1] == offer
    back.say({"type": "leaderCardsReply", "username": name, "leaderCards": offer["leaderCards"][:2]})
    assert types(back.take()) == ["leaderCardsDone", "resourcesRequest"]
    back.say({"type": "resourcesReply", "username": name, "warehouse": {"0": ["COINS"]}})
    assert types(back.take()) == ["startingResourcesDone", "setupUpdate"]
    told = ann.take()
    assert types(told) == ["reconnection", "setupUpdate"]
    assert told[1]["warehouses"][name]["0"] == ["COINS"]
    assert told[1]["leaderCards"][name] == [None, None]


def test_the_first_to_return_to_a_deserted_match_has_the_turn():
    house, (ann, ben) = set_up("bianca", "dario")
    name = name_of(ben)
    ann.hang_up()
    ben.hang_up()
    back = Client(house)
    login(back, name)
    assert types(back.take())[-1] == "possibleActions"


def test_a_deserted_match_is_dropped_after_the_operators_time():
    house, clients = set_up("bianca", "dario")
    for client in clients:
        client.hang_up()
    house.now += house.hall.limits.deserted_s - 1
    house.hall.tick(house.now)
    back = Client(house)
    login(back, "bianca")
    assert types(back.take())[0] == "players"
    back.hang_up()
    house.now += house.hall.limits.deserted_s + 1
    house.hall.tick(house.now)
    late = Client(house)
    login(late, "bianca")
    assert types(late.take()) == ["usernameResponse", "numberOfPlayersRequest"]


def test_a_name_reserved_by_a_running_match_leads_back_to_it():
    house, (_, ben) = set_up("bianca", "dario")
    name = name_of(ben)
    login_again = Client(house)
    login(login_again, name)
    assert login_again.take()[0]["free"] is False
    ben.hang_up()
    login(login_again, name)
    assert types(login_again.take())[0] == "players"


def test_a_name_is_free_when_its_match_is_over():
    house = House()
    client = finished(house)
    other = Client(house)
    login(other, "bianca")
    assert types(other.take()) == ["usernameResponse", "numberOfPlayersRequest"]
    login(client, "bianca")
    assert client.take() == [{"type": "usernameResponse", "free": False, "username": None, "reason": "TAKEN"}]
    login(client, "dario")
    assert client.take() == [{"type": "usernameResponse", "free": True, "username": "dario"}]


# Whole games


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_raw_players_play_a_whole_match_and_then_another(seats):
    house = House(seed=100 + seats)
    names = ["bianca", "dario", "elena", "fabio"][:seats]
    players = [RawPlayer(name, seed, seats) for seed, name in enumerate(names)]
    pairs = [(Client(house), player) for player in players]
    for client, player in pairs:
        login(client, player.name)
    play_on(pairs)
    for player in players:
        assert player.errors == []
        assert player.scores is not None
        assert list(player.scores.values()) == sorted(player.scores.values(), reverse=True)
        assert set(player.scores) == set(names)
    for client, player in pairs:
        player.__init__(player.name, 50, seats)  # type: ignore[misc]
        login(client, player.name)
    play_on(pairs)
    assert all(player.scores is not None and player.errors == [] for player in players)


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_raw_players_come_and_go_and_the_match_still_ends(seats):
    house = House(seed=200 + seats)
    names = ["bianca", "dario", "elena", "fabio"][:seats]
    players = [RawPlayer(name, seed, seats) for seed, name in enumerate(names)]
    pairs = [(Client(house), player) for player in players]
    for client, player in pairs:
        login(client, player.name)
    for number in range(400):
        play_on(pairs, rounds=1 + number % 5)
        if any(player.scores for player in players):
            break
        leaver = number % seats
        pairs[leaver][0].hang_up()
        play_on(pairs, rounds=number % 3)
        if any(player.scores for player in players):
            break
        back = Client(house)
        login(back, names[leaver])
        pairs[leaver] = (back, players[leaver])
    assert any(player.scores for player in players)
    assert all(player.errors == [] for player in players)


def test_the_hands_of_others_never_go_over_the_line():
    house = House(seed=9)
    clients = house.clients("bianca", "dario")
    players = [RawPlayer("bianca", 1), RawPlayer("dario", 2)]
    hands: list[set[str]] = [set(), set()]
    heard: list[str] = ["", ""]
    public: set[str] = set()
    for _ in range(10_000):
        busy = False
        for number, (client, player) in enumerate(zip(clients, players, strict=True)):
            for message in client.take():
                text = json.dumps(message)
                if message["type"] in ("playLeaderCardUpdate", "discardLeaderCardUpdate"):
                    public.add(message["leaderCard"])
                if message["type"] == "leaderCardsRequest":
                    hands[number] = set(message["leaderCards"])
                heard[number] += text
                for reply in player.answer(message):
                    busy = True
                    client.say(reply)
        if not busy:
            break
    assert players[0].scores is not None
    for number in (0, 1):
        secrets = hands[1 - number] - public
        assert not [card for card in secrets if card in heard[number]]


def bent(message: dict[str, Any], dice: random.Random) -> dict[str, Any]:
    """The message with one thing changed; it may happen to be right."""
    wrong: dict[str, Any] = json.loads(json.dumps(message))
    holder, key = dice.choice([place for place in _places(wrong) if place[1] != "type"] or [(wrong, "extra")])
    holder[key] = dice.choice(
        [None, -1, 0, 1, 2, 3, 99, "", "COINS", "D001", "bianca", [], {}, ["COINS"], {"COINS": 1}, True]
    )
    return wrong


def _places(holder: Any) -> list[tuple[Any, Any]]:
    keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
    inner = [place for key in keys if isinstance(holder[key], dict | list) for place in _places(holder[key])]
    return [(holder, key) for key in keys] + inner


@pytest.mark.parametrize("seats", [1, 2, 3])
def test_a_refused_message_changes_nothing_at_all(seats):
    house = House(seed=300 + seats)
    names = ["bianca", "dario", "elena"][:seats]
    pairs = [(client, RawPlayer(name, 7)) for client, name in zip(house.clients(*names), names, strict=True)]
    dice = random.Random(seats)
    for client, _ in pairs:
        client._received = client._received.replace(b'{"type":"numberOfPlayersRequest","max":4}\n', b"")
    refused = 0
    for _ in range(5_000):
        busy = False
        for client, player in pairs:
            inbox = client.take()
            while inbox:
                for reply in player.answer(inbox.pop(0)):
                    busy = True
                    before = _everything(house)
                    client.say(bent(reply, dice))
                    answer = client.take()
                    if answer and answer[0]["type"] == "error":
                        refused += 1
                        assert _everything(house) == before
                        assert len(answer) <= 2
                        if len(answer) == 1:
                            client.say(reply)
                            answer += client.take()
                    inbox += answer
        if not busy:
            break
    assert all(player.scores is not None for _, player in pairs)
    assert refused > 20


def _everything(house: House) -> list[bytes]:
    """Every byte of what each seat and a spectator see; nothing once the match is over."""
    state = house.state
    return [msgspec.json.encode(view(state, seat)) for seat in (None, *map(Seat, range(len(state.asked))))]


# The page


def examples() -> list[str]:
    """Every JSON line in the fenced blocks of the protocol's page."""
    blocks = re.findall(r"```json\n(.*?)```", PAGE.read_text(), re.DOTALL)
    return [line for block in blocks for line in block.splitlines() if line.strip()]


def test_every_example_of_the_page_is_a_message():
    decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(messages.FromClient | messages.FromServer)
    found = {type(decoder.decode(line)).__name__ for line in examples()}
    wanted = {kind.__name__ for kind in (*messages.FromClient.__args__, *messages.FromServer.__args__)}
    assert found == wanted


def test_every_example_of_the_page_is_written_as_we_write_it():
    decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(messages.FromServer | messages.FromClient)
    for line in examples():
        message = decoder.decode(line)
        if isinstance(message, messages.FromServer):
            assert json.loads(msgspec.json.encode(message)) == json.loads(line)


def test_a_conversation_survives_notices_it_has_no_word_for():
    from ludoteca.core.notices import Clock, Said, Trouble, Wanted

    conversation = Conversation(Settings())
    for notice in (Said(1, "bianca", "hello"), Clock(0, 3.0), Wanted((0,)), Trouble("disk full")):
        assert conversation.send(notice, 0.0) == b""
