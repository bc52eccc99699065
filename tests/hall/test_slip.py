"""What is known of a table before it is back: true, complete, and nothing when it is damaged."""

import pytest
from tests.hall.play import House, Person, a_table, sit

from ludoteca.core.notices import Seated
from ludoteca.core.requests import Act, AddBot, Join, Leave, Open, Say, Terms
from ludoteca.games.multisweeper.actions import Click
from ludoteca.hall.slip import Place, decode, encode, slip_from, slip_of

GAME = "multisweeper"


def written(person: Person) -> list[bytes]:
    """The slips of all that was written since the last time."""
    entries, letters = person.house.hall.post.take()
    person.house.hall.post.letters += letters
    return [entry.slip for entry in entries]


def asked(person: Person, *requests: object) -> list[bytes]:
    """What is noted while a request is carried out."""
    person.house.hall.handle(person.guest, requests, person.house.now)  # type: ignore[arg-type]
    noted = written(person)
    person.house.collect()
    return noted


def test_a_slip_is_read_as_it_was_written() -> None:
    table = a_table(terms=Terms(private=True, grace_s=7))
    sit(table, 1, "Bruno")
    slip = slip_of(table.course, table.opened_ms)
    assert slip.phase == "open"
    (place,) = slip.places
    assert isinstance(place, Place)
    assert (place.sat.seat, place.sat.name, place.came, place.left) == (1, "Bruno", 1, False)
    again = decode(encode(slip))
    assert again is not None
    assert (again.opened.id, again.opened.terms, again.phase) == (table.id, table.terms, "open")
    assert again.places[0].sat.key == place.sat.key


def test_a_slip_with_any_damaged_byte_is_none() -> None:
    table = a_table()
    sit(table, 0, "Anna")
    stored = encode(slip_of(table.course, 5))
    for at in range(len(stored)):
        assert decode(stored[:at] + bytes([stored[at] ^ 0x20]) + stored[at + 1 :]) is None, at
        assert decode(stored[:at]) is None
    assert decode(b"") is None


@pytest.mark.parametrize("body", [b"", b"\x80", b"\xc1", b"\x81\xa6opened\xc0"])
def test_what_is_whole_and_no_slip_is_none(body: bytes) -> None:
    from zlib import crc32

    assert decode(crc32(body).to_bytes(4) + body) is None


def test_a_chair_that_is_only_reserved_is_not_noted() -> None:
    table = a_table()
    sit(table, 0, "Anna")
    table.chair(0).ready = False
    assert slip_of(table.course, 5).places == ()


def test_who_sits_down_leaves_or_begins_is_noted_and_moves_and_words_are_not() -> None:
    house = House()
    anna, bruno, carla = house.named("Anna"), house.named("Bruno"), house.named("Carla")
    house.collect()
    opened = asked(anna, Open(GAME, 3))
    assert all(opened)
    table = anna.guest.table
    assert all(asked(bruno, Join(table)))
    before = decode(asked(bruno, Leave())[-1])
    assert before is not None
    assert [place.sat.name for place in before.places] == ["Anna"]
    assert all(asked(bruno, Join(table)))
    begun = decode(asked(carla, Join(table))[-1])
    assert begun is not None
    assert begun.phase == "playing"
    assert [(place.sat.name, place.came) for place in begun.places] == [
        ("Anna", 1),
        ("Bruno", 3),
        ("Carla", 4),
    ]
    assert asked(anna, Act((Click(0, 0),)), Say("good luck")) == [b"", b""]


def test_who_left_a_match_that_goes_on_is_noted() -> None:
    house = House()
    anna, bruno, carla = (house.named(name) for name in ("Anna", "Bruno", "Carla"))
    anna.ask(Open("renaissance", 3))
    bruno.ask(Join(anna.guest.table))
    carla.ask(Join(anna.guest.table))
    gone = decode(asked(anna, Leave())[-1])
    assert gone is not None
    assert [place.left for place in gone.places] == [True, False, False]
    assert [place.gave_up for place in gone.places] == [True, False, False]


def test_records_without_a_slip_say_who_sits_where_and_moves_and_words_are_not_even_read() -> None:
    """That they say the same as every slip that is written is looked at in all tests of the hall
    (`play.House.collect`)."""
    house = House()
    anna, bruno, carla = (house.named(name) for name in ("Anna", "Bruno", "Carla"))
    anna.ask(Open("renaissance", 3, terms=Terms(private=True)))
    bruno.ask(Join(anna.guest.table)).ask(Leave()).ask(Join(anna.guest.table))
    carla.ask(Join(anna.guest.table))
    anna.ask(Say('"input":{"type":"Acted"')).ask(Leave())
    (lines,) = house.lines.values()
    slip = slip_from(lines)
    assert slip is not None
    assert slip == decode(*house.slips.values())
    assert [(place.sat.name, place.came, place.left) for place in slip.places] == [
        ("Anna", 1, True),
        ("Bruno", 3, False),
        ("Carla", 4, False),
    ]
    assert slip_from([*lines, b'5d1f00c2 {"number":9,"at_ms":1,"input":{"type":"Acted"}}']) == slip


def test_records_that_do_not_say_who_sits_where_make_no_slip() -> None:
    house = House()
    anna, bruno = house.named("Anna"), house.named("Bruno")
    anna.ask(Open(GAME, 2))
    bruno.ask(Join(anna.guest.table))
    (lines,) = house.lines.values()
    assert slip_from(lines) is not None
    assert slip_from([]) is None
    assert slip_from(lines[1:]) is None, "who opened it is not known"
    for at in range(len(lines)):
        assert slip_from([*lines[:at], lines[at][:30], *lines[at + 1 :]]) is None, at
    anna.ask(Leave())
    (gone,) = (line for line in lines if b"WentAway" in line)
    assert slip_from([lines[0], gone]) is None, "somebody went who never sat down"
    bruno.ask(Leave(), Open(GAME, 2), Leave())
    opened, *_, closed = list(house.lines.values())[1]
    assert slip_from([opened]) is not None
    assert b"Closed" in closed
    assert slip_from([opened, closed]) is None


def test_a_record_of_another_table_seats_nobody() -> None:
    house = House()
    for name in ("Anna", "Bruno"):
        house.named(name).ask(Open(GAME, 2))
    own, others = house.lines.values()
    assert b"SatDown" in others[1]
    assert slip_from([own[0], others[1]]) is None, "it has the right number"
    assert slip_from([*own, others[1]]) is None, "it has another"


def test_a_table_that_is_over_needs_none() -> None:
    house = House()
    anna = house.named("Anna").ask(Open(GAME, 2, terms=Terms(absence="end")), AddBot("random"))
    assert anna.last(Seated)
    house.collect()
    assert asked(anna, Leave()) == [b""]
