"""Every example of the protocol's page, acted by the real game."""

from tests.games.shelfie.house import Client, House
from tests.pages import Page


def test_every_example_of_the_page_is_acted():
    page = Page("shelfie")
    faults(page)
    house, anna, bruno = met(page)
    a_turn(page, house, anna, bruno)
    to_the_end(page, house, anna, bruno)
    lost_and_back(page)
    page.check()


def faults(page: Page) -> None:
    client = Client(House(rows=None))
    client.say({"type": "LoginRequest"})
    page.hear(client)


def met(page: Page) -> tuple[House, Client, Client]:
    house = House(rows=None)
    anna = Client(house)
    page.say(anna, "LoginRequest", "NumPlayersRequest")
    page.say(anna, "NumPlayersResponse", "LobbyInfoMessage")
    other = Client(house)
    other.tell("LoginRequest", nickname="anna")
    page.hear(other)
    other.hang_up()
    bruno = house.login("bruno")
    house.wait(2.0)
    page.say(anna, "PongMessage", "")
    page.hear(anna, bruno)
    return house, anna, bruno


def a_turn(page: Page, house: House, anna: Client, bruno: Client) -> None:
    mover = (anna, bruno)[house.state.tabletop.turn]
    page.say(mover, "PickTileRequest", "PickTileResponse")
    page.say(mover, "UnpickTileRequest", "UnpickTileResponse")
    mover.pick(1, 3)
    page.say(mover, "ConfirmPickRequest", "ConfirmPickResponse")
    page.say(mover, "ConfirmColumnRequest", "ConfirmColumnResponse")
    page.say(mover, "ConfirmOrderNotify", "EndTurnNotify")
    page.hear(bruno)
    page.say(anna, "ChatMessage", "")
    (said,) = page.hear(bruno)
    assert said["textMessage"] == "good luck"


def to_the_end(page: Page, house: House, anna: Client, bruno: Client) -> None:
    table = house.table
    while table.match.running:
        ((seat, question),) = table.match.state.questions.items()
        (anna, bruno)[seat].act(question.choices[0])
    page.hear(anna, bruno)


def lost_and_back(page: Page) -> None:
    house = House(rows=None)
    anna, bruno = house.match("anna", "bruno")
    bruno.hang_up()
    page.hear(anna)
    house = House(rows=None, absence="wait")
    anna, bruno = house.match("anna", "bruno")
    token = anna.start["token"]
    anna.hang_up()
    again = Client(house)
    page.say(again, "LoginRequest", "GameStartNotify", token=token)
