"""Every example of the protocol's page, acted by the real game."""

from tests.games.santorini.house import Client, House
from tests.games.santorini.test_wire import at, match, move
from tests.pages import Page

from ludoteca.games.santorini.data import DOMED, NUMBERS, TOP, Cell


def test_every_example_of_the_page_is_acted():
    page = Page("santorini", shortened=("godDescriptions",))
    pinged(page)
    clients = set_up(page)
    play(page, *clients)
    come_back(page)
    one_of_three_is_out_and_another_wins(page)
    page.check()


def pinged(page: Page) -> None:
    house = House()
    client = Client(house)
    house.wait(2.0)
    page.hear(client)
    page.say(client, "pong", "")


def set_up(page: Page) -> tuple[House, Client, Client]:
    """From the number of players to the builders; bert is the younger."""
    house = House()
    anna = Client(house)
    anna.say({"type": "setNumberOfPlayers", "numberOfPlayers": 7})
    page.say(anna, "setNumberOfPlayers", "stateUpdate")
    bert = Client(house)
    page.say(anna, "addPlayer", "playerAdded")
    bert.say({"type": "addPlayer", "name": "bert", "date": "1995.02.30"})
    bert.say({"type": "addPlayer", "name": "bert", "date": "1995.02.03"})
    page.say(bert, "setMatchGodCards", "setMatchGodCards")
    page.say(anna, "setGodCard", "godCardAssigned")
    bert.say({"type": "setGodCard", "godCard": "Prometheus"})
    page.say(bert, "setStartPlayer", "setStartPlayer")
    anna.say({"type": "colorUpdate", "color": "WHITE"})
    page.say(bert, "colorUpdate", "colorUpdate")
    page.say(anna, "buildersPlacement", "buildersPlacement")
    bert.say({"type": "buildersPlacement", "positions": [at("B1"), at("A5")]})
    page.hear(anna, bert)
    return house, anna, bert


def rig(house: House, **levels: int) -> None:
    """Put towers onto the island."""
    for name, level in levels.items():
        house.state.towers[NUMBERS[Cell(**at(name))]] = level
    house.state.survey()


def play(page: Page, house: House, anna: Client, bert: Client) -> None:
    """Anna (Apollo) changes places with a builder of bert's and builds; bert (Prometheus) builds first."""
    rig(house, B2=TOP)
    page.say(anna, "move", "move")
    page.say(anna, "build", "build")
    page.say(bert, "setStepChoice", "setStepChoice")
    anna.say(move("E5", "D5"))
    page.hear(anna, bert)
    page.say(anna, "disconnect", "")
    assert anna.closed
    page.hear(bert)


def come_back(page: Page) -> None:
    house = House(absence="wait")
    anna, _ = match(house, ["Apollo", "Pan"], [["A1", "E5"], ["B1", "A5"]])
    token = anna.conversation._place.token
    anna.hang_up()
    again = Client(house)
    again.take()
    page.say(again, "addPlayer", "possibleMoveDestinations", token=token)


def one_of_three_is_out_and_another_wins(page: Page) -> None:
    house = House()
    anna, bert, cleo = match(house, ["Apollo", "Pan", "Atlas"], [["A1", "E5"], ["C3", "A5"], ["E1", "C1"]])
    anna.say(move("A1", "A2"))
    anna.say({"type": "build", "src": at("A2"), "dst": at("A1"), "buildDome": False})
    bert.say(move("A5", "A4"))
    bert.say({"type": "build", "src": at("A4"), "dst": at("A5"), "buildDome": False})
    walls = dict.fromkeys(["B1", "B2", "B3", "A3", "A1", "D4", "D5", "E4"], DOMED)
    rig(house, **walls, C3=TOP - 1, C4=TOP)
    cleo.say(move("E1", "E2"))
    cleo.say({"type": "build", "src": at("E2"), "dst": at("E1"), "buildDome": False})
    page.hear(anna, bert, cleo)
    bert.say(move("C3", "C4"))
    page.hear(anna, bert, cleo)
