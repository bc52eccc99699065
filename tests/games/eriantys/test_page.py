"""Every example of the protocol's page, acted by the real game."""

from typing import Any

import msgspec
import pytest
from tests.games.eriantys.house import Client
from tests.games.eriantys.positions import lay
from tests.pages import Page, objects
from tests.quiet import QuietHouse

from ludoteca import games
from ludoteca.core import Game, Seat, Setup
from ludoteca.games.eriantys.state import CharacterCard, State

# The characters of which an action is the second part.
CHARACTERS = {
    "STUDENT_FROM_CARD_TO_ISLAND": 1,
    "DOUBLE_INFLUENCE": 3,
    "NO_INFLUENCE": 5,
    "STUDENT_FROM_CARD_TO_ENTRANCE": 7,
    "COLOR_NO_INFLUENCE": 9,
    "STUDENT_FROM_ENTRANCE_TO_DINING": 10,
    "STUDENT_FROM_CARD_TO_DINING": 11,
    "STUDENT_FROM_DINING_TO_BAG": 12,
}


class House(QuietHouse):
    """A house in which the first chair begins.

    With a character, it is there, with some students of every colour and coins.
    """

    def __init__(self, character: int = 0, absence: Any = "end") -> None:
        super().__init__("eriantys", load=lambda _: dealt(character), absence=absence)


def dealt(character: int) -> Game:
    game = games.load("eriantys")

    def start(setup: Setup) -> tuple[State, list[Any]]:
        state, events = game.start(setup)
        lay(state, first=Seat(0), current=Seat(0), order=(Seat(0), Seat(1)))
        if character:
            rich = {"entrance": (2, 2, 1, 1, 1), "dining": (1, 1, 1, 1, 1), "coins": 3}
            students = (1, 1, 1, 1, 2) if character == 7 else (1, 0, 1, 1, 1)
            held = students if character in (1, 7, 11) else None
            cards = (
                CharacterCard(character, 1, False, held, 4 if character == 5 else None),
                CharacterCard(8, 2, False, None, None),
            )
            lay(state, players={0: rich, 1: rich}, characters=cards)
        return state, events

    return msgspec.structs.replace(game, start=start)


def test_every_example_of_the_page_is_acted():
    page = Page("eriantys", secrets=("token", "playerID"))
    a_round_begins(page, *met(page))
    to_the_end(page)
    lost_and_back(page)
    page.check()


def met(page: Page) -> tuple[Client, Client]:
    house = House()
    ann, bob = Client(house), Client(house)
    page.note([{"type": "NotifyPlayerIdMessage", "playerID": ann.id}])
    page.say(ann, "Heartbeat", "")
    page.say(ann, "NewGameMessage", "AskNickname", playerID=ann.id)
    info = {"gameName": "friday", "gameMode": "Basic", "numPlayers": 2}
    bob.say({"type": "NewGameMessage", "playerID": bob.id, "gameInfo": info})
    bob.say({"type": "SelectGameMessage", "playerID": bob.id, "gameName": "monday"})
    page.say(bob, "AskGameListMessage", "GameListMessage", playerID=bob.id)
    page.say(bob, "SelectGameMessage", "AskNickname", playerID=bob.id)
    page.say(bob, "SetNickname", "AskTowerColor", playerID=bob.id)
    page.say(bob, "SetTowerColor", "AckTowerColor", playerID=bob.id)
    ann.ask({"type": "SetNickname", "nickname": "ann"})
    ann.say({"type": "SetTowerColor", "playerID": ann.id, "color": "white"})
    page.hear(bob)
    start = next(message for message in page.hear(ann) if message["type"] == "GameStart")
    assert [one for _, one in objects("eriantys") if "islands" in one] == [start["game"]]
    return ann, bob


def a_round_begins(page: Page, ann: Client, bob: Client) -> None:
    page.say(ann, "SetAssistantCard", "UpdateGameBoard")
    bob.say({"type": "SetAssistantCard", "nickname": "bob", "assistantCard": {"value": 7}})
    page.hear(ann, bob)
    page.say(ann, "SetAction", "UpdateGameBoard")


def to_the_end(page: Page) -> None:
    """Ann plays her last assistant; then nothing but a cloud is left to choose."""
    house = House()
    ann, bob = table(house)
    lay(house.state, players={0: {"hand": (4,)}})
    for client, name, value in ((ann, "ann", 4), (bob, "bob", 5)):
        client.say({"type": "SetAssistantCard", "nickname": name, "assistantCard": {"value": value}})
    page.hear(ann, bob)
    players = {0: {"towers": 3}, 1: {"towers": 8}}
    lay(house.state, players, order=(Seat(1), Seat(0)), current=Seat(0), moved=3, walked=True)
    ann.say({"type": "SetAction", "nickname": "ann", "action": {"actionType": "CHOOSE_CLOUD", "cloud": 1}})
    page.hear(ann, bob)


def table(house: House) -> tuple[Client, Client]:
    """Ann and bob, whose game has begun."""
    clients: list[Client] = []
    for name, tower in (("ann", "white"), ("bob", "black")):
        client = Client(house)
        info = {"gameName": "friday", "gameMode": "Expert", "numPlayers": 2}
        opening = {"type": "NewGameMessage", "gameInfo": info}
        client.ask({"type": "SelectGameMessage", "gameName": "friday"} if clients else opening)
        client.ask({"type": "SetNickname", "nickname": name})
        client.say({"type": "SetTowerColor", "playerID": client.id, "color": tower})
        clients.append(client)
    return clients[0], clients[1]


def lost_and_back(page: Page) -> None:
    ann, bob = table(House())
    bob.hang_up()
    page.hear(ann)
    house = House(absence="wait")
    ann, bob = table(house)
    token = bob.conversation._place.token
    bob.hang_up()
    again = Client(house)
    again.ask({"type": "SelectGameMessage", "gameName": "friday"})
    page.say(again, "SetNickname", "GameStart", playerID=again.id, token=token)


ACTIONS = [one for _, one in objects("eriantys") if "actionType" in one]


@pytest.mark.parametrize("action", ACTIONS, ids=[" ".join(map(str, one.values())) for one in ACTIONS])
def test_every_action_of_the_page_is_acted(action):
    house = House(CHARACTERS.get(action["actionType"], 1))
    ann, bob = table(house)
    for client, name, value in ((ann, "ann", 4), (bob, "bob", 5)):
        client.say({"type": "SetAssistantCard", "nickname": name, "assistantCard": {"value": value}})

    def act(**fields: Any) -> list[str]:
        ann.take()
        ann.say({"type": "SetAction", "nickname": "ann", "action": fields})
        return [message["type"] for message in ann.take() if message.get("isFirstRequest") is not False]

    if action["actionType"] in CHARACTERS:
        assert act(actionType="CHOOSE_CHARACTER", character=CHARACTERS[action["actionType"]])
    if action["actionType"] in ("MOVE_MOTHER_NATURE", "CHOOSE_CLOUD", "END"):
        for colour in ("green", "red", "yellow"):
            assert act(actionType="MOVE_STUDENT_TO_DININGROOM", color=colour)
    if action["actionType"] in ("CHOOSE_CLOUD", "END"):
        lay(house.state, clouds_short=action["actionType"] == "END")
        assert act(actionType="MOVE_MOTHER_NATURE", steps=1)
    assert "UpdateGameBoard" in act(**action)
    assert len(ACTIONS) == 16
