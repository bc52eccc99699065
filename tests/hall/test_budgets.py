"""Tables have budgets, by guest and by address; tables that everybody left for good do not stay."""

import pytest
from tests.hall.play import House, Person

from ludoteca.core.notices import Declined, Opening, Seated, Tables
from ludoteca.core.requests import (
    LISTED,
    AddBot,
    Join,
    Leave,
    List,
    Open,
    Rematch,
    Return,
    Seek,
    Terms,
    Watch,
)
from ludoteca.hall import Limits
from ludoteca.journal.records import Opened, decode, outward

GAME = "multisweeper"
SOLO = "renaissance"
HERE, THERE = "192.0.2.1", "192.0.2.2"


def open_and_leave(person: Person, game: str = SOLO) -> Person:
    """A solo match that its only player gives up."""
    return person.ask(Open(game, 1), Leave())


def budgets(house: House) -> list[str]:
    """Which budgets were used up so far."""
    return [refusal.budget for _, refusal in house.hall.post.refusals]


def against_bots(person: Person, terms: Terms | None = None) -> Person:
    return person.ask(Open(GAME, 3, terms=terms), AddBot("random"), AddBot("random"))


# Tables.


def test_d5_a_solo_match_that_was_given_up_counts_until_it_is_gone_and_that_is_soon() -> None:
    house = House(Limits(tables_per_guest_max=5, abandoned_s=60))
    anna = house.named("Anna", address=HERE)
    for _ in range(50):
        open_and_leave(anna)
    assert len(house.hall.tables) == 5
    assert anna.last(Declined).code == "limit"
    assert budgets(house) == ["tables_guest"] * 45
    house.wait(59)
    assert len(house.hall.tables) == 5
    house.wait(2)
    assert len(house.hall.tables) == 0
    open_and_leave(anna)
    assert len(house.hall.tables) == 1


def test_d5_an_address_has_so_many_tables_whoever_comes_from_there_and_goes() -> None:
    house = House(Limits(tables_per_address_max=20))
    for number in range(100):
        against_bots(house.named(f"Anna{number}", address=HERE)).hang_up()
    assert len(house.hall.tables) == 20
    assert set(budgets(house)) == {"tables_address"}
    honest = house.named("Bruno", address=THERE).ask(Open(GAME, 2))
    assert honest.count(Seated) == 1
    again = house.named("Carla", address=HERE).ask(Open(GAME, 2))
    assert again.last(Declined).code == "limit"
    # Sitting down at somebody else's table is always possible.
    assert again.ask(Join(honest.last(Seated).table.id)).count(Seated) == 1


def test_matches_that_are_over_count_no_more_even_while_people_still_sit_there() -> None:
    house = House(Limits(tables_per_address_max=1, tables_per_guest_max=1))
    anna = house.named("Anna", address=HERE).ask(Open(GAME, 2))
    bruno = house.named("Bruno", address=HERE).ask(Seek(GAME))
    assert bruno.ask(Open(GAME, 2)).last(Declined).code == "seated"  # Who sits at a table opens none.
    bruno.ask(Leave())
    (old,) = house.hall.tables
    assert old.phase == "over"
    anna.ask(Rematch())
    assert [table.phase for table in house.hall.tables] == ["open"]
    assert anna.count(Declined) == 0
    house.named("Carla", address=HERE).ask(Open(GAME, 2)).last(Declined)


def test_who_cannot_open_a_table_does_not_hold_up_those_who_wait_for_one() -> None:
    house = House(Limits(tables_per_address_max=1))
    house.named("Dora", address=HERE).ask(Open("shelfie", 2))
    chooser = house.named("Anna", SOLO, HERE).ask(Seek(SOLO))
    waiting = house.named("Bruno", SOLO, THERE).ask(Seek(SOLO))
    assert (chooser.count(Opening), waiting.count(Opening)) == (1, 0)
    chooser.ask(Open(SOLO, 2))
    assert chooser.last(Declined).code == "limit"
    assert waiting.count(Opening) == 1


def test_who_never_chooses_keeps_the_others_waiting_for_a_moment_only() -> None:
    house = House(Limits(choosing_s=30))
    idlers = [house.named(f"Idle{number}", SOLO, HERE).ask(Seek(SOLO)) for number in range(10)]
    honest = [house.named(name, SOLO, THERE).ask(Seek(SOLO)) for name in ("Anna", "Bruno")]
    assert [one.count(Opening) for one in (*idlers, *honest)] == [1] + [0] * 11
    assert house.hall.alarm() == house.now + 30
    house.wait(29)
    assert honest[0].count(Opening) == 0
    house.wait(1)
    assert [one.count(Opening) for one in (*idlers, *honest)] == [1] * 12
    assert house.hall.alarm() is None
    # Who comes now need not wait at all; who may open a table without being asked does so.
    late = house.named("Carla", SOLO, THERE).ask(Seek(SOLO))
    assert late.count(Opening) == 1
    anna = honest[0].ask(Open(SOLO, 4))
    assert anna.count(Seated) == 1
    assert all(chair is not None for chair in anna.last(Seated).table.chairs[:1])


def test_who_never_chooses_makes_nobody_wait_a_second_time() -> None:
    """A table that is full at once leaves the idler first in line, but without the privilege."""
    house = House(Limits(choosing_s=30))
    idle = house.named("Idle", SOLO, HERE).ask(Seek(SOLO))
    anna = house.named("Anna", SOLO, THERE).ask(Seek(SOLO))
    house.wait(30)
    anna.ask(Open(SOLO, 1))
    assert anna.count(Seated) == 1
    for name in ("Bruno", "Carla"):
        late = house.named(name, SOLO, THERE).ask(Seek(SOLO))
        assert late.count(Opening) == 1
        late.ask(Open(SOLO, 1))
        assert late.count(Seated) == 1
    assert idle.count(Opening) == 1
    assert house.hall.alarm() is None


def test_a_line_that_has_ended_is_forgotten_and_the_next_chooser_has_the_usual_time() -> None:
    house = House(Limits(choosing_s=30))
    idle = house.named("Idle", SOLO, HERE).ask(Seek(SOLO))
    anna = house.named("Anna", SOLO, THERE).ask(Seek(SOLO))
    house.wait(30)
    anna.ask(Open(SOLO, 1))
    idle.hang_up()
    bruno = house.named("Bruno", SOLO, THERE).ask(Seek(SOLO))
    carla = house.named("Carla", SOLO, HERE).ask(Seek(SOLO))
    assert (bruno.count(Opening), carla.count(Opening)) == (1, 0)
    house.wait(30)
    assert carla.count(Opening) == 1


def test_those_who_need_not_be_asked_open_a_table_when_nobody_chooses() -> None:
    house = House(Limits(choosing_s=30))
    idle = house.named("Idle", SOLO, HERE).ask(Seek(SOLO))
    waiting = [
        house.named(name, address=THERE).ask(Seek(SOLO, Open(SOLO, 2, terms=Terms())))
        for name in ("Anna", "Bruno")
    ]
    assert [one.count(Seated) for one in waiting] == [0, 0]
    house.wait(30)
    # The first in line is the first to be seated at it, chosen or not.
    assert [one.count(Seated) for one in (idle, *waiting)] == [1, 1, 1]
    assert len(house.hall.tables) == 2


def test_asking_again_does_not_make_the_others_wait_longer() -> None:
    house = House(Limits(choosing_s=30))
    idle = house.named("Idle", SOLO).ask(Seek(SOLO))
    waiting = house.named("Anna", SOLO).ask(Seek(SOLO))
    for _ in range(3):
        house.wait(10)
        idle.ask(Seek(SOLO))
    assert waiting.count(Opening) == 1


def test_who_chooses_in_time_is_hurried_by_nobody() -> None:
    house = House(Limits(choosing_s=30))
    chooser = house.named("Anna", SOLO).ask(Seek(SOLO))
    assert house.hall.alarm() is None
    house.wait(100)
    waiting = house.named("Bruno", SOLO).ask(Seek(SOLO))
    assert house.hall.alarm() == house.now + 30
    house.wait(20)
    chooser.ask(Open(SOLO, 2))
    assert (waiting.count(Opening), waiting.count(Seated)) == (0, 1)


def test_a_match_against_bots_that_merely_lost_its_person_is_kept_and_one_that_was_left_is_not() -> None:
    house = House(Limits(abandoned_s=60, deserted_s=6000))
    against_bots(house.named("Anna")).hang_up()
    against_bots(house.named("Bruno"), Terms(absence="bot")).ask(Leave())
    assert len(house.hall.tables) == 2
    house.wait(61)
    assert [[chair.name for _, chair in table.taken() if not chair.bot] for table in house.hall.tables] == [
        ["Anna"]
    ]
    house.wait(6000)
    assert len(house.hall.tables) == 0


def test_who_thinks_better_of_it_in_time_has_the_match_again() -> None:
    house = House(Limits(abandoned_s=60))
    anna = against_bots(house.named("Anna"), Terms(absence="bot"))
    token = anna.last(Seated).token
    anna.ask(Leave())
    house.wait(50)
    back = house.guest().ask(Return("", token))
    house.wait(100)
    assert len(house.hall.tables) == 1
    # Lost without a word it waits for as long as any other.
    back.hang_up()
    house.wait(100)
    assert len(house.hall.tables) == 1


def test_a_match_that_one_of_two_people_left_waits_for_the_other() -> None:
    house = House(Limits(abandoned_s=60, deserted_s=6000))
    terms = Terms(absence="bot", grace_s=10)
    anna = house.named("Anna").ask(Open(GAME, 3, terms=terms))
    bruno = house.named("Bruno").ask(Join(anna.last(Seated).table.id))
    anna.ask(AddBot("random"), Leave())
    bruno.hang_up()
    house.wait(100)
    assert len(house.hall.tables) == 1


def test_a_match_is_not_ended_under_the_eyes_of_those_who_watch() -> None:
    house = House(Limits(abandoned_s=60))
    anna = against_bots(house.named("Anna"))
    wanda = house.named("Wanda").ask(Watch(anna.last(Seated).table.id))
    anna.ask(Leave())
    house.wait(100)
    assert len(house.hall.tables) == 1
    wanda.ask(Leave())
    house.wait(61)
    assert len(house.hall.tables) == 0


@pytest.mark.usefixtures("sleepy")
def test_a_restart_does_not_make_a_given_up_match_wait_for_a_week() -> None:
    house = House(Limits(abandoned_s=60))
    open_and_leave(house.named("Anna"))
    again = House(Limits(abandoned_s=60)).take_over(house)
    assert len(again.hall.tables) == 1
    again.wait(61)
    assert len(again.hall.tables) == 0


def restarted(house: House, **limits: int) -> House:
    again = House(Limits(**limits), secret=b"the same")
    for _ in house.lines:
        again.named("Somebody").ask(
            Open(GAME, 2), Leave()
        ).hang_up()  # New tables get other numbers than the old ones.
    return again.take_over(house)


@pytest.mark.usefixtures("sleepy")
def test_d5_a_restart_does_not_clear_the_account_of_an_address() -> None:
    house = House(secret=b"the same")
    for number in range(5):
        against_bots(house.named(f"Anna{number}", address=HERE)).hang_up()
    other = against_bots(house.named("Bruno", address=THERE))
    again = restarted(house, tables_per_address_max=5)
    greedy = again.named("Anna", address=HERE).ask(Open(GAME, 2))
    assert greedy.last(Declined).code == "limit"
    # Whoever comes back to another's table does not pay for it, and whoever has few may have more.
    back = again.guest(address=HERE).ask(Return("", other.last(Seated).token), Leave())
    assert back.count(Seated) == 1
    assert again.named("Carla", address=THERE).ask(Open(GAME, 2)).count(Seated) == 1
    # When one of them ends there is room for another.
    again.hall.tables.find(next(iter(again.hall.tables)).id).close("over for a test", again.now)
    assert greedy.ask(Open(GAME, 2)).count(Seated) == 1


def test_addresses_cannot_be_read_from_a_record_or_compared_between_tables() -> None:
    house = House(secret=b"the same")
    for number in range(2):
        house.named(f"Anna{number}", address=HERE).ask(Open(GAME, 2))
    opened = [decode(lines[0])[0].input for lines in house.lines.values()]
    origins = {given.origin for given in opened if isinstance(given, Opened)}
    assert len(origins) == 2
    assert all(len(origin) == 32 for origin in origins)
    told = outward(decode(lines[0])[0] for lines in house.lines.values())
    assert {record.input.origin for record in told if isinstance(record.input, Opened)} == {""}


@pytest.mark.usefixtures("sleepy")
def test_a_table_of_which_nobody_knows_who_opened_it_is_on_the_budget_of_who_comes_back_first() -> None:
    house = House()
    anna = against_bots(house.named("Anna"))
    again = restarted(house, tables_per_address_max=1)
    again.guest(address=HERE).ask(Return("", anna.last(Seated).token))
    assert again.named("Carla", address=HERE).ask(Open(GAME, 2)).last(Declined).code == "limit"
    assert again.named("Dora", address=THERE).ask(Open(GAME, 2)).count(Seated) == 1


def test_a_list_of_very_many_tables_is_cut_and_shows_where_one_can_sit_down() -> None:
    house = House(Limits(tables_per_guest_max=10_000))
    for number in range(LISTED + 20):
        house.now += 0.001
        house.named(f"P{number}").ask(Open("multisweeper", 2), AddBot("random"))
    house.named("Late").ask(Open("multisweeper", 2))
    told = [one.info for one in house.guest().ask(List()).last(Tables).tables]
    assert len(told) == LISTED
    assert told[0].phase == "open"
    assert told[1].chairs[0] is not None
    assert told[1].chairs[0].name == "P0"
