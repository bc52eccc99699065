"""Every example of the page of Ludoteca's own protocol, acted by real games."""

import re
from typing import Any

from tests import rig
from tests.pages import Page
from tests.quiet import QuietClient, QuietHouse

from ludoteca import games
from ludoteca.cli.protocol import house_page
from ludoteca.core.notices import Advice, Foreseen, Trouble
from ludoteca.core.requests import Continue
from ludoteca.hall import Limits, acts
from ludoteca.hall.chair import key_of
from ludoteca.journal.decisive import decisive
from ludoteca.journal.sequel import broken_off
from ludoteca.server.settings import Settings
from ludoteca.wire.house import GARBLED_MAX, HouseConversation
from ludoteca.wire.lines import LINE_BYTES_MAX

GAME = "multisweeper"
SMALL = {"width": 4, "height": 1, "mines": 2}


class Person(QuietClient):
    """Somebody who speaks Ludoteca's own protocol."""

    def __init__(self, house: QuietHouse, name: str = "") -> None:
        super().__init__(house, "house", HouseConversation(games.load))
        if name:
            self.say({"type": "hello", "name": name})
            self.take()


def test_every_example_of_the_page_is_acted():
    page = Page("house", secrets=("id", "table", "token", "tokens", "opened_ms", "key"))
    house, anna = coming_in(page)
    bruno = finding_a_seat(page, house, anna)
    playing(page, house, anna, bruno)
    other_ways_to_a_seat(page)
    one_decision_of_several_actions(page)
    what_a_bot_would_do(page)
    why_not(page)
    what_decided_it(page)
    playing_on(page)
    against_the_clock(page)
    away_and_back(page)
    what_hosts_have_to_do_with(page)
    page.check()


def coming_in(page: Page) -> tuple[QuietHouse, Person]:
    house = QuietHouse(GAME)
    anna = Person(house)
    page.say(anna, "hello", "welcome")
    page.say(anna, "ping", "pong")
    other = Person(house)
    other.say({"type": "hello", "name": "anna"})
    page.hear(other)
    return house, anna


def finding_a_seat(page: Page, house: QuietHouse, anna: Person) -> Person:
    page.say(anna, "list", "tables")
    page.say(anna, "list", "tables")
    looking(page)
    seated = page.say(anna, "open", "seated")
    bruno = Person(house, "Bruno")
    page.say(bruno, "sit", "seated", table=seated["table"]["id"])
    page.say(Person(house), "hello", "welcome", tokens=[seated["token"]])
    return bruno


def looking(page: Page) -> None:
    house = QuietHouse(GAME)
    cleo, anna = Person(house), Person(house, "Anna")
    page.say(cleo, "look", "lobby")
    anna.say({"type": "open", "game": GAME, "seats": 2, "options": SMALL})
    house.wait(1)
    page.hear(cleo)
    house.wait(1)
    page.say(cleo, "look", "lobby")
    house.wait(1)
    page.say(cleo, "look", "lobby", table=house.table.id)
    page.say(cleo, "unlook", "")


def playing(page: Page, house: QuietHouse, anna: Person, bruno: Person) -> None:
    page.hear(anna)
    page.say(anna, "act", "events")
    page.hear(bruno)
    page.say(bruno, "options", "options")
    page.say(anna, "say", "said")
    # Whoever is asked hits a mine sooner or later.
    while house.table.match.running:
        ((seat, question),) = house.table.match.state.questions.items()
        (anna, bruno)[seat].act(question.choices[-1])
    page.hear(anna, bruno)
    page.say(anna, "rematch", "wanted")
    page.say(anna, "leave", "")


def other_ways_to_a_seat(page: Page) -> None:
    house = QuietHouse(GAME)
    anna, bruno, cleo = Person(house, "Anna"), Person(house, "Bruno"), Person(house, "Cleo")
    anna.say({"type": "open", "game": GAME, "seats": 3, "options": SMALL})
    page.say(bruno, "seek", "seated")
    page.hear(anna)
    bruno.say({"type": "leave"})
    page.hear(anna)
    page.say(anna, "bot", "sat")
    page.say(cleo, "watch", "seated", table=house.table.id)


def one_decision_of_several_actions(page: Page) -> None:
    house = QuietHouse("santorini")
    anna, bruno = Person(house, "Anna"), Person(house, "Bruno")
    anna.say({"type": "open", "game": "santorini", "seats": 2})
    bruno.say({"type": "seek", "game": "santorini"})
    page.say(anna, "act", "events")


def what_a_bot_would_do(page: Page) -> None:
    house = QuietHouse(GAME)
    anna = Person(house, "Anna")
    anna.say({"type": "open", "game": GAME, "seats": 2, "options": SMALL}, {"type": "bot"})
    anna.take()
    page.say(anna, "hint", "")
    ((guest, number),) = house.hall.post.wonders
    (question,) = house.table.match.state.questions.values()
    best = question.choices[2]
    why = {"en": "The numbers beside it prove it free.", "it": "I numeri accanto provano che è libera."}
    advice = Advice(best, 0.688, (Foreseen(0, best, "click 2 0"),), why)
    house.hall.hints.give(guest, house.table.id, number, "master", (best,), (advice,))
    house.carry_out()
    page.hear(anna)


def why_not(page: Page) -> None:
    _, anna, bruno = open_table()
    anna.say({"type": "act", "action": {"type": "Click", "column": 1, "row": 0}})
    for client in (anna, bruno):
        client.take()
    page.say(bruno, "why", "why")


def what_hosts_have_to_do_with(page: Page) -> None:
    house, anna, _ = open_table()
    anna.take()
    house.hall.do("Irene", acts.Say("We close at ten."), house.now)
    house.carry_out()
    page.say(anna, "report", "reported")
    key = house.hall.do("Irene", acts.Give(), house.now).token
    house.hall.do("Irene", acts.Door("invitation"), house.now)
    page.say(Person(house), "hello", "welcome", key=key)


def what_decided_it(page: Page) -> None:
    house, anna, bruno = open_table()
    table = house.table
    for client in (anna, bruno):
        client.take()
    while table.match.running:
        ((seat, question),) = table.match.state.questions.items()
        (anna, bruno)[seat].act(question.choices[-1])
    page.say(anna, "decisive", "", table=table.id)
    ((guest, request),) = house.hall.post.looks
    house.hall.post.letter(guest, decisive(request.table, house.records[table.id], games.load))
    house.carry_out()
    page.hear(anna)


def playing_on(page: Page) -> None:
    house, anna, bruno = open_table()
    table = house.table
    token = next(one["token"] for one in anna.take() if one["type"] == "seated")
    bruno.say({"type": "leave"})
    anna.take()
    page.say(anna, "continue", "", table=table.id, token=token)
    ((guest, request),) = house.hall.post.looks
    assert isinstance(request, Continue)
    position = broken_off(house.records[table.id], key_of(request.token), games.load)
    house.hall.play_on(guest, request, position, house.now)
    house.carry_out()
    assert [one["type"] for one in anna.take()].count("seated") == 1


def open_table(**terms: Any) -> tuple[QuietHouse, Person, Person]:
    house = QuietHouse(GAME)
    anna, bruno = Person(house, "Anna"), Person(house, "Bruno")
    anna.say({"type": "open", "game": GAME, "seats": 2, "options": SMALL, "terms": terms})
    bruno.say({"type": "seek", "game": GAME})
    return house, anna, bruno


def against_the_clock(page: Page) -> None:
    _, anna, bruno = open_table(move_s=30)
    page.hear(anna, bruno)


def away_and_back(page: Page) -> None:
    house, anna, bruno = open_table()
    token = next(message["token"] for message in anna.messages() if message["type"] == "seated")
    anna.hang_up()
    again = Person(house)
    page.say(again, "return", "welcome", token=token)
    page.hear(bruno)
    house.hall.announce(Trouble("disk I/O error"))
    house.hall.close("the house closes and will be back")
    house.carry_out()
    page.hear(bruno)


def rows(title: str) -> list[list[str]]:
    """The rows of the table under these words of the page, without the code marks."""
    text = house_page()
    table = text[text.index(title) :].split("\n\n")[0].splitlines()[2:]
    return [[cell.strip().replace("`", "") for cell in row.strip("|").split("|")] for row in table]


def test_players_levels_and_options_of_the_page_are_those_of_the_games():
    told = {
        game.name: (
            game.seats[0],
            game.seats[-1],
            list(game.bots),
            list(game.options.__struct_fields__),
        )
        for game in games.load_all()
    }
    for name, players, levels, options in rows("| game | players"):
        first, last = re.fullmatch(r"(\d) ?(?:to|,) (\d)", players).groups()  # type: ignore[union-attr]
        shown = (int(first), int(last), levels.split(", "), options.split(", ") if options else [])
        assert told.pop(name) == shown
    # Games that have nothing but this protocol are told by the house itself: /api/games.
    assert not set(told).intersection(rig.spoken())


def test_the_limits_of_the_page_are_those_of_a_house():
    settings, limits = Settings(), Limits()
    told = {row[0]: row[1] for row in rows("| what | how much")}

    def numbers(what: str) -> list[float]:
        return [float(number.replace(",", "")) for number in re.findall(r"[\d,]+\d|\d", told[what])]

    assert numbers("a line or message") == [settings.line_bytes_max] == [LINE_BYTES_MAX]
    assert numbers("messages of one connection") == [settings.rate_per_s, settings.rate_burst]
    assert numbers("messages of all connections of an address") == [
        settings.rate_per_address_per_s,
        settings.rate_per_address_burst,
    ]
    assert settings.handshake_s == 120, told["time to say hello"]
    assert numbers("a name, a table's label") == [limits.name_length_max, limits.label_length_max]
    assert numbers("chat") == [limits.text_length_max, limits.chat_burst, limits.chat_per_minute]
    assert limits.mute_s == 30
    assert numbers("tables of one connection that are not over") == [limits.tables_per_guest_max]
    assert settings.outbox_bytes_max == 1 << 20, told["what waits for you and is not read"]
    assert numbers("lines that are no message, in a row") == [GARBLED_MAX]
