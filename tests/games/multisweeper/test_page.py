"""The lines of the protocol's page beside its tournament (see test_wire), each heard in a real one."""

from tests.games.multisweeper.boards import layout
from tests.games.multisweeper.house import Client, House
from tests.games.multisweeper.test_wire import EXAMPLE, PAGE

from ludoteca.games.multisweeper.data import Options

LINE = "*..*"


def house(seats: int, absence: str = "end") -> House:
    options = Options(width=4, height=1, mines=2, safe_first_click=False)
    return House(seats, options, [layout(LINE)] * seats, absence)


def blocks() -> list[list[str]]:
    return [text.splitlines() for text in EXAMPLE.findall(PAGE.read_text()) if not text.startswith("S>")]


def test_every_line_that_the_server_may_say_is_heard_in_a_tournament_of_three():
    shown = set(blocks()[0])
    heard: set[str] = set()
    room = house(3)
    pinging = room.client()
    pinging.say("multisweeper client v1 ping")
    heard.update(pinging.take())
    clients = room.clients("Ada", "Bob Stone", "Cleo")
    for client, line in zip(clients, ("click 1 0", "click 2 0", "click 0 0"), strict=True):
        client.say(line)
        heard.update(*(one.take() for one in clients))
    clients[0].hang_up()
    heard.update(*(one.take() for one in clients))
    assert shown - heard == {"board_update 10 1 9 10"}
    heard.update(lost_on_the_second_turn())
    assert shown <= heard


def lost_on_the_second_turn() -> list[str]:
    ada, bob, _ = room = house(3).clients("Ada", "Bob Stone", "Cleo")
    ada.say("click 1 0")
    bob.say("click 0 0")
    return [line for client in room for line in client.take()]


def test_who_comes_back_is_led_into_the_round_as_the_page_shows_it():
    room = house(2, absence="wait")
    ada, bob = room.clients("Ada", "Bob")
    ada.say("click 1 0")
    bob.hang_up()
    again = Client(room)
    again.say("multisweeper client v1", "name Bob")
    assert again.take() == blocks()[1]
