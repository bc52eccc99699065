"""Every example of the protocol's page, acted by the real game: the cards are dealt as the
page tells the story."""

from typing import Any

import msgspec
from msgspec.structs import replace
from tests.games.renaissance.house import Client
from tests.games.renaissance.test_wire import change, choose, login
from tests.pages import Page
from tests.quiet import QuietHouse

from ludoteca import games
from ludoteca.core import Game, Setup
from ludoteca.games.renaissance import rules
from ludoteca.games.renaissance.data import Stock
from ludoteca.games.renaissance.events import EMPTY, Depot
from ludoteca.games.renaissance.state import Pile, State

MARBLES = (
    "white",
    "blue",
    "grey",
    "purple",
    "red",
    "white",
    "yellow",
    "grey",
    "blue",
    "white",
    "purple",
    "yellow",
)
TOPS = ("D034", "D044", "D037", "D047", "D022", "D032", "D025", "D019", "D014", "D008", "D001", "D003")
DEALT = (("L002", "L007", "L012", "L013"), ("L004", "L005", "L009", "L010"))


def dealt() -> Game:
    """The game, but the first chair holds the inkwell, and market, grid and leaders are those of the page."""
    game = games.load("renaissance")

    def start(setup: Setup) -> tuple[State, list[Any]]:
        state, events = game.start(setup)
        # The card that follows D001 is shown, too.
        state.decks = [
            tuple(sorted(deck, key=lambda card: (card == top, card == "D009")))
            for deck, top in zip(state.decks, TOPS, strict=True)
        ]
        boards = tuple(
            replace(board, dealt=cards, due=place, faith=0)
            for place, (board, cards) in enumerate(zip(state.tabletop.boards, DEALT, strict=False))
        )
        grid = tuple(Pile(deck[-1], len(deck)) for deck in state.decks)
        state.tabletop = replace(
            state.tabletop, first=0, current=0, boards=boards, marbles=MARBLES, slide="white", grid=grid
        )
        rules.ask(state)
        return state, events

    return msgspec.structs.replace(game, start=start)


class House(QuietHouse):
    """A house whose cards lie as the page tells it."""

    def __init__(self) -> None:
        super().__init__("renaissance", load=lambda _: dealt())


def test_every_example_of_the_page_is_acted():
    page = Page("renaissance")
    a_match_begins(page)
    leaders(page)
    buying(page)
    producing(page)
    discarding(page)
    alone(page)
    away_and_back(page)
    the_end(page)
    page.check()


def a_match_begins(page: Page) -> None:
    house = House()
    bianca = Client(house)
    page.hear(bianca)
    page.say(bianca, "pong", "")
    page.say(bianca, "loginRequest", "numberOfPlayersRequest")
    other = Client(house)
    login(other, "bianca")
    page.hear(other)
    page.say(bianca, "numberOfPlayersReply", "")
    login(other, "dario")
    page.hear(bianca, other)
    page.say(bianca, "leaderCardsReply", "leaderCardsDone")
    other.say({"type": "leaderCardsReply", "leaderCards": ["L004", "L010"]})
    page.hear(other)
    page.say(other, "resourcesReply", "startingResourcesDone")
    page.say(bianca, "actionReply", "actionResponse")
    page.say(bianca, "rowColumnSelection", "resourcesManageRequest")
    page.say(bianca, "resourcesManageReply", "marketUpdate")
    page.say(bianca, "endTurn", "startTurn")


def match() -> tuple[House, Client, Client]:
    """A match whose first turn has begun."""
    house = House()
    bianca, dario = Client(house), Client(house)
    login(bianca, "bianca")
    bianca.say({"type": "numberOfPlayersReply", "number": 2})
    login(dario, "dario")
    bianca.say({"type": "leaderCardsReply", "leaderCards": ["L007", "L013"]})
    dario.say({"type": "leaderCardsReply", "leaderCards": ["L004", "L010"]})
    dario.say({"type": "resourcesReply", "warehouse": {"0": ["STONES"]}})
    bianca.take()
    dario.take()
    return house, bianca, dario


def lay(house: House, **fields: Any) -> None:
    """Change the table, in the truth and in every picture of it."""
    house.state.tabletop = replace(house.state.tabletop, **fields)
    for client in house._shells():
        chronicle = client.conversation._chronicle
        chronicle.view = replace(chronicle.view, **fields)


def leaders(page: Page) -> None:
    house, bianca, dario = match()
    change(house, bianca, strongbox=Stock(servants=5), faith=7)
    change(house, dario, faith=3)
    choose(bianca, "PLAYLEADERCARD")
    page.say(bianca, "playLeaderCard", "playLeaderCardUpdate")
    choose(bianca, "DISCARDLEADERCARD")
    page.say(bianca, "discardLeaderCard", "discardLeaderCardUpdate")


def buying(page: Page) -> None:
    house, bianca, _ = match()
    change(house, bianca, depots=(Depot("shields", 1), EMPTY, EMPTY), strongbox=Stock(shields=1))
    choose(bianca, "BUYDEVELOPMENTCARD")
    bianca.say({"type": "buyDevelopmentCard", "color": "GREEN", "level": 2, "slot": 0, "payment": {}})
    page.hear(bianca)
    choose(bianca, "BUYDEVELOPMENTCARD")
    page.say(bianca, "buyDevelopmentCard", "buyDevelopmentCardUpdate")


def producing(page: Page) -> None:
    house, bianca, _ = match()
    change(
        house,
        bianca,
        depots=(EMPTY, Depot("coins", 2), EMPTY),
        strongbox=Stock(shields=2),
        slots=(("D001",), (), ()),
        played=("L013",),
    )
    choose(bianca, "USEPRODUCTION")
    page.say(bianca, "useProduction", "useProductionUpdate")


def discarding(page: Page) -> None:
    _, bianca, _ = match()
    choose(bianca, "MARKETACTION")
    bianca.say({"type": "rowColumnSelection", "index": 2, "row": True})
    page.say(bianca, "resourcesManageReply", "marketUpdate")


def alone(page: Page) -> None:
    house = House()
    bianca = Client(house)
    login(bianca, "bianca")
    bianca.say({"type": "numberOfPlayersReply", "number": 1})
    bianca.say({"type": "leaderCardsReply", "leaderCards": ["L007", "L013"]})
    house.state.stack = ("T007", "T005")
    lay(house, cross=2)
    bianca.take()
    choose(bianca, "MARKETACTION")
    bianca.say({"type": "rowColumnSelection", "index": 2, "row": True})
    bianca.say(
        {"type": "resourcesManageReply", "warehouse": {"0": ["SHIELDS"], "1": ["SERVANTS"], "2": ["COINS"]}}
    )
    bianca.say({"type": "endTurn"})
    page.hear(bianca)


def away_and_back(page: Page) -> None:
    for by_token in (False, True):
        house, bianca, dario = match()
        change(
            house,
            bianca,
            slots=(("D001",), (), ()),
            played=("L007",),
            hand=(),
            depots=(EMPTY,) * 4,
            strongbox=Stock(stones=1, servants=1),
            faith=8,
            tiles=("up", "down", "down"),
        )
        change(house, dario, faith=3, tiles=("lost", "down", "down"))
        lay(house, reports=1)
        token = dario.conversation._chair.token
        dario.hang_up()
        page.hear(bianca)
        back = Client(house)
        if by_token:
            page.say(back, "loginRequest", "reconnectionUpdate", token=token)
        else:
            login(back, "dario")
            page.hear(bianca, back)


def the_end(page: Page) -> None:
    house, bianca, dario = match()
    change(house, bianca, faith=23, slots=(("D001", "D017", "D033"), ("D002", "D018"), ()))
    choose(bianca, "DISCARDLEADERCARD")
    bianca.say({"type": "discardLeaderCard", "leaderCard": "L013"})
    for client in (bianca, dario):
        client.say({"type": "actionReply", "action": "MARKETACTION"})
        client.say({"type": "rowColumnSelection", "index": 2, "row": True})
        client.say({"type": "resourcesManageReply", "warehouse": {}})
        client.say({"type": "endTurn"})
    page.hear(bianca, dario)
