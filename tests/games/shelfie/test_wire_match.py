"""The seed's protocol: whole matches, chat, heartbeat and disconnection."""

import random
from typing import Any

import pytest
from tests.games.shelfie.house import Client, House
from tests.games.shelfie.scores import check_result
from tests.games.shelfie.words import response, said

from ludoteca.games.shelfie.state import Options
from ludoteca.games.shelfie.wire import Settings

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
        wanted = self.dice.choice([1, 2, 3, 3])
        picked: list[str] = []
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
        self.client.tell("ConfirmOrderNotify", pickedTiles=picked)


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


@pytest.mark.parametrize("fields", [{"receiver": None}, {"receiver": ""}, {"receiver": "Everyone"}, {}])
def test_chat_without_a_receiver_goes_to_all_its_author_too(fields):
    anna, bruno = House().match("anna", "bruno")
    bruno.tell("ChatMessage", player="bruno", textMessage="good luck", **fields)
    assert anna.take() == bruno.take() == [said("bruno", "good luck")]


def test_chat_to_one_player_reaches_nobody_else():
    anna, bruno, carla = House().match("anna", "bruno", "carla")
    anna.tell("ChatMessage", player="anna", receiver="carla", textMessage="psst")
    assert carla.take() == [said("anna", "psst", "carla")]
    assert anna.take() == bruno.take() == []


def test_chat_to_nobody_in_the_match_is_dropped():
    house = House()
    anna, bruno = house.match("anna", "bruno")
    house.login("carla").take()
    for receiver in ("carla", "nobody", "everyone else"):
        anna.tell("ChatMessage", player="anna", receiver=receiver, textMessage="psst")
    anna.tell("ChatMessage", player="anna", receiver=None, textMessage="  ")
    assert anna.take() == bruno.take() == []


def test_nobody_speaks_under_another_name():
    anna, bruno = House().match("anna", "bruno")
    bruno.tell("ChatMessage", player="anna", receiver=None, textMessage="I resign")
    assert anna.take() == [said("bruno", "I resign")]


def test_a_bot_that_breaks_down_says_so_in_the_chat_and_nothing_else_is_told():
    house = House()
    anna = house.login("anna")
    anna.tell("NumPlayersResponse", numPlayers=2)
    anna.add_bot("strong")
    anna.take()
    (bot,) = [guest for guest in house.hall.guests if guest.bot]
    house.hall.change_bot(bot, "medium", "I broke down.", house.now)
    house.carry_out()
    assert anna.take() == [said(bot.name, "I broke down.")]


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
        bruno.tell("PongMessage")
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
    anna.tell("PongMessage")
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


def test_whoever_thinks_too_long_is_told_why_it_is_over():
    house = House(move_s=60.0)
    anna, bruno = house.match("anna", "bruno")
    for _ in range(4):
        house.wait(20)
        for client in (anna, bruno):
            if not client.closed:
                client.tell("PongMessage")
    assert anna.kinds()[-1] == "ErrorMessage"
    assert bruno.kinds()[-1] == "PlayerDisconnectedNotify"
    assert anna.closed
    assert bruno.closed


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
