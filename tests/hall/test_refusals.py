"""Every no of the hall: a word for programs, a sentence for people, and nothing that has changed."""

from collections.abc import Callable

import pytest
from tests.hall.play import House, Person

from ludoteca.core.notices import Declined, Seated, Stood
from ludoteca.core.requests import (
    Act,
    AddBot,
    Enter,
    Hint,
    Join,
    Leave,
    Open,
    Ready,
    Rematch,
    Request,
    Return,
    Say,
    Terms,
    Watch,
)
from ludoteca.games.multisweeper.actions import Click
from ludoteca.hall import Limits

GAME = "multisweeper"


class Evening:
    """Anna waits at a table, Bruno and Carla play at another; Dora has a name and no table, a stranger none.

    Elsa plays alone against a bot.
    """

    def __init__(self) -> None:
        self.house = House(Limits(text_length_max=20, tables_per_guest_max=2))
        self.anna, self.bruno, self.carla, self.dora, self.elsa = map(
            self.house.named, ("Anna", "Bruno", "Carla", "Dora", "Elsa")
        )
        self.stranger = self.house.guest()
        self.waiting = self.anna.ask(Open(GAME, 3, label="waiting")).last(Seated).table.id
        self.running = self.bruno.ask(Open(GAME, 2)).last(Seated).table.id
        self.carla.ask(Join(self.running))
        self.elsa.ask(Open(GAME, 2), AddBot("random"))


NOES: list[tuple[str, Callable[[Evening], Request], str, str]] = [
    # Coming in.
    ("stranger", lambda _: Enter("anna"), "taken", "that name is taken"),
    ("stranger", lambda _: Enter(" \t"), "name", "a name needs visible characters"),
    ("stranger", lambda _: Enter("x" * 999), "name", "a name has at most "),
    ("stranger", lambda _: Open(GAME), "name", "say hello with a name first"),
    ("stranger", lambda evening: Join(evening.waiting), "name", "say hello with a name first"),
    ("bruno", lambda _: Enter("Bea"), "name", "you have a name already"),
    # Tables and chairs.
    ("dora", lambda _: Open("chess"), "game", "there is no game 'chess'"),
    ("dora", lambda _: Open(GAME, 99), "seats", "Multisweeper is for 2 to "),
    ("dora", lambda _: Open(GAME, options={"mines": "many"}), "options", "Expected `int`, got `str`"),
    ("dora", lambda _: Open(GAME, options={"width": 2, "height": 2, "mines": 4}), "options", "4 mines leave"),
    ("dora", lambda _: Open(GAME, label="a b"), "label", "a table's name has 1 to "),
    ("dora", lambda _: Open(GAME, label="Waiting"), "taken", "there is a table of that name"),
    ("dora", lambda _: Join("nowhere"), "gone", "there is no such table"),
    ("dora", lambda evening: Join(evening.running), "playing", "that match has begun"),
    ("dora", lambda evening: Join(evening.waiting, seat=3), "seat", "there is no such chair"),
    ("dora", lambda evening: Join(evening.waiting, seat=0), "full", "that chair is taken"),
    ("dora", lambda _: Watch("nowhere"), "gone", "there is no such table"),
    ("dora", lambda _: Return("", "no token"), "gone", "there is no such seat (any more)"),
    ("dora", lambda _: Ready(), "seat", "you sit at no table"),
    ("bruno", lambda _: Ready(), "phase", "the match has begun"),
    ("bruno", lambda _: Open(GAME), "seated", "you have a seat already"),
    ("bruno", lambda evening: Join(evening.waiting), "seated", "you have a seat already"),
    ("bruno", lambda evening: Watch(evening.waiting), "seated", "you have a seat already"),
    # Bots and rematches.
    ("dora", lambda _: AddBot(), "seat", "you sit at no table"),
    ("bruno", lambda _: AddBot(), "playing", "the match has begun"),
    ("anna", lambda _: AddBot(seat=3), "seat", "there is no such chair"),
    ("anna", lambda _: AddBot(seat=-1), "seat", "there is no such chair"),
    ("anna", lambda _: AddBot(seat=0), "full", "that chair is taken"),
    ("anna", lambda _: AddBot("genius"), "bot", "there is no bot 'genius' for this game"),
    ("dora", lambda _: Rematch(), "phase", "the match is not over"),
    ("anna", lambda _: Rematch(), "phase", "the match is not over"),
    ("bruno", lambda _: Rematch(), "phase", "the match is not over"),
    # Playing.
    ("dora", lambda _: Act((Click(0, 0),)), "seat", "you sit at no table"),
    ("anna", lambda _: Act((Click(0, 0),)), "phase", "the match is not running"),
    ("carla", lambda _: Act((Click(0, 0),)), "turn", "it is not your turn"),
    ("bruno", lambda _: Act((Click(0, 0),), at=0), "stale", "that question has been answered already"),
    ("bruno", lambda _: Act((Click(1000, 0),)), "outside", ""),
    ("dora", lambda _: Hint(), "seat", "you sit at no table"),
    ("bruno", lambda _: Hint(), "people", "hints are for matches against bots"),
    # Talking.
    ("dora", lambda _: Say("hello"), "seat", "chat is for those at a table, under a name"),
    ("bruno", lambda _: Say("\n\t\0"), "text", "there is nothing in it"),
    ("bruno", lambda _: Say("hello", "Anna"), "name", "there is nobody of that name here"),
]


@pytest.mark.parametrize(
    ("who", "ask", "code", "reason"), NOES, ids=[f"{no[0]}-{no[2]}-{at}" for at, no in enumerate(NOES)]
)
def test_a_no_has_a_word_for_programs_and_a_sentence_for_people_and_changes_nothing(
    who: str, ask: Callable[[Evening], Request], code: str, reason: str
) -> None:
    evening = Evening()
    person: Person = getattr(evening, who)
    request = ask(evening)
    heard = {id: len(told) for id, told in evening.house.heard.items()}
    written = {table: len(lines) for table, lines in evening.house.lines.items()}
    guests = len(evening.house.hall.guests)
    person.ask(request)
    no = person.last(Declined)
    assert (no.request, no.code) == (request, code)
    assert no.reason.startswith(reason)
    # Nothing was written, nobody else heard of it, and no bot stays behind that has no chair.
    assert {table: len(lines) for table, lines in evening.house.lines.items()} == written
    heard.setdefault(person.guest.id, 0)
    others = {id: len(told) for id, told in evening.house.heard.items() if id != person.guest.id}
    assert others == {id: count for id, count in heard.items() if id != person.guest.id}
    assert len(evening.house.hall.guests) == guests


def test_who_has_too_many_tables_or_finds_no_room_is_told_so() -> None:
    evening = Evening()
    assert evening.anna.ask(Leave()).guest.seat is None
    for _ in range(2):
        evening.anna.ask(Open(GAME, 2, terms=Terms(absence="bot")), AddBot("random"), Leave())
    evening.anna.ask(Open(GAME, 2))
    no = evening.anna.last(Declined)
    assert (no.code, no.reason) == ("limit", "you have too many tables that are not over")
    full = House(Limits(tables_max=0))
    no = full.named("Anna").ask(Open(GAME, 2)).last(Declined)
    assert (no.code, no.reason) == ("limit", "there is no room for another table")


def test_a_house_that_closes_says_so_to_who_would_open_a_table() -> None:
    evening = Evening()
    evening.house.hall.close("back soon")
    no = evening.dora.ask(Open(GAME, 2)).last(Declined)
    assert (no.code, no.reason) == ("limit", "the house is closing")


def test_who_answers_under_another_name_does_not_get_the_seat() -> None:
    evening = Evening()
    token = evening.anna.last(Seated).token
    no = evening.dora.ask(Return("", token)).last(Declined)
    assert (no.code, no.reason) == ("name", "you came in under another name")
    assert evening.anna.guest.table == evening.waiting


def test_who_goes_back_to_a_match_is_said_to_have_gone_back_and_who_just_goes_is_not() -> None:
    evening = Evening()
    token = evening.bruno.last(Seated).token
    evening.bruno.hang_up()
    again = evening.house.named("Bea").ask(Join(evening.waiting))
    assert evening.anna.count(Stood) == 0
    again.ask(Leave())
    assert not evening.anna.last(Stood).back
    late = evening.house.guest("multisweeper")
    late.ask(Join(evening.waiting))
    late.ask(Return("", token))
    assert evening.anna.last(Stood).back
    assert late.guest.table == evening.running
