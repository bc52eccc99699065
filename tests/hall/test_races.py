"""Races at limits: whatever order the requests of several people come in, exactly one of them wins.

Every interleaving of what each of them does is tried, from the same beginning: the hall is told one thing
after the other, so these are all the orders that there are.
"""

from collections.abc import Callable, Iterator

import pytest
from tests.hall.play import House, Person

from ludoteca.core.notices import Declined, Gone, Seated
from ludoteca.core.requests import AddBot, Enter, Join, Leave, Open, Rematch, Return, Seek, Terms
from ludoteca.hall import Limits

Step = Callable[[], object]


def interleavings(lists: list[int]) -> Iterator[tuple[int, ...]]:
    """Every order in which so many steps of each of several people can come."""
    if not any(lists):
        yield ()
    for who, left in enumerate(lists):
        if left:
            rest = [count - (one == who) for one, count in enumerate(lists)]
            yield from ((who, *order) for order in interleavings(rest))


class Race:
    """What a race begins with: a house, and a table of Anna's."""

    def __init__(self, *, seats: int = 2, absence: str = "wait") -> None:
        self.house = House(Limits(deserted_s=100))
        self.anna = self.house.named("Anna")
        self.anna.ask(Open("multisweeper", seats, terms=Terms(absence, 50)))  # type: ignore[arg-type]
        self.table = self.anna.guest.table
        # Whoever runs.
        self.people: list[Person] = []

    def sitting(self) -> list[str]:
        """Who sits at it, by name."""
        return [chair.name for _, chair in self.house.hall.tables.find(self.table).taken()]

    def whole(self) -> None:
        """Guests and chairs agree."""
        hall = self.house.hall
        assert not hall.post.crashes
        for table in hall.tables:
            for seat, chair in table.taken():
                guest = hall.desk.guest(chair.guest) if chair.guest is not None else None
                assert chair.guest is None or guest is not None, "a ghost"
                assert guest is None or (guest.table, guest.seat) == (table.id, seat)
        for guest in hall.guests:
            at = hall.tables.get(guest.table)
            assert at is None or guest.seat is None or at.chair(guest.seat).guest == guest.id


Begin = Callable[[], tuple[Race, list[list[Step]]]]


def every_order(begin: Begin, check: Callable[[Race], None]) -> int:
    """Let all that people do happen in every order, from the beginning each time; how many there are."""
    count = 0
    for order in interleavings([len(steps) for steps in begin()[1]]):
        race, people = begin()
        for who in order:
            people[who].pop(0)()
        check(race)
        count += 1
    return count


def test_of_two_who_come_for_the_last_chair_one_sits_there() -> None:
    def begin() -> tuple[Race, list[list[Step]]]:
        race = Race()
        race.people = [race.house.guest(), race.house.guest(), race.anna]
        bruno, carla, _ = race.people
        return race, [
            [lambda: bruno.ask(Enter("Bruno")), lambda: bruno.ask(Join(race.table))],
            [
                lambda: carla.ask(Enter("Carla")),
                lambda: carla.ask(Seek("multisweeper", Open("multisweeper", 2))),
            ],
            [lambda: race.anna.ask(AddBot("random"))],
        ]

    def check(race: Race) -> None:
        race.whole()
        assert len(race.sitting()) == 2
        assert race.sitting()[0] == "Anna"
        bruno, carla, anna = race.people
        refused = bruno.count(Declined), anna.count(Declined)
        # Carla finds another table where this one is full.
        assert carla.count(Seated) == 1
        at_annas = [one for one in (bruno, carla) if one.guest.table == race.table]
        assert len(at_annas) + (refused[1] == 0) == 1, refused
        assert (bruno.guest.table == race.table) == (refused[0] == 0)

    assert every_order(begin, check) == 30


def test_of_two_who_say_one_name_one_has_it() -> None:
    def begin() -> tuple[Race, list[list[Step]]]:
        race = Race()
        race.people = [race.house.guest(), race.house.guest()]
        first, second = race.people
        return race, [
            [lambda: first.ask(Enter("Bruno")), lambda: first.ask(Join(race.table)), first.hang_up],
            [lambda: second.ask(Enter("bruno")), lambda: second.ask(Join(race.table))],
        ]

    def check(race: Race) -> None:
        race.whole()
        assert [name.casefold() for name in race.sitting()].count("bruno") <= 1
        holders = [one for one in race.house.hall.guests if one.name.casefold() == "bruno"]
        kept = race.house.hall.names.kept("bruno")
        assert len(holders) + len(kept) == 1

    assert every_order(begin, check) == 10


def test_of_two_connections_with_one_token_the_last_has_the_seat() -> None:
    def begin() -> tuple[Race, list[list[Step]]]:
        race = Race()
        token = race.anna.last(Seated).token
        race.house.named("Bruno").ask(Join(race.table))
        race.people = [race.anna, race.house.guest(), race.house.guest()]
        _, second, third = race.people
        return race, [
            [race.anna.hang_up],
            [lambda: second.ask(Return(race.table, token)), second.hang_up],
            [lambda: third.ask(Return(race.table, token))],
        ]

    def check(race: Race) -> None:
        race.whole()
        _, second, third = race.people
        chair = race.house.hall.tables.find(race.table).chair(0)
        assert chair.guest in (third.guest.id, None)
        if chair.guest is None:
            assert third.count(Gone) == 1, "whoever lost the seat heard of it"
        assert not [one for one in (second, third) if one.count(Declined)], "a token is good at any time"

    assert every_order(begin, check) == 12


@pytest.mark.parametrize("absence", ["wait", "end"])
def test_who_leaves_while_others_sit_down_leaves_nobody_between_two_chairs(absence: str) -> None:
    def begin() -> tuple[Race, list[list[Step]]]:
        race = Race(seats=3, absence=absence)
        race.people = [race.house.named("Bruno"), race.house.named("Carla")]
        bruno, carla = race.people
        return race, [
            [lambda: race.anna.ask(Leave()), lambda: race.anna.ask(Join(race.table))],
            [lambda: bruno.ask(Join(race.table)), lambda: bruno.ask(Leave())],
            [lambda: carla.ask(Join(race.table)), carla.hang_up],
        ]

    def check(race: Race) -> None:
        hall = race.house.hall
        race.whole()
        table = hall.tables.get(race.table)
        sitting = race.sitting() if table is not None else []
        assert len(set(sitting)) == len(sitting)
        race.house.wait(60)
        race.whole()
        for person in (race.anna, *race.people):
            if hall.desk.has(person.guest):
                person.hang_up()
        race.house.wait(500)
        race.house.wait(500)
        assert not len(hall.tables)
        assert not list(hall.guests)
        assert not {**hall.names._here, **hall.names._kept}

    assert every_order(begin, check) == 90


def test_a_rematch_that_one_wants_while_the_other_leaves_seats_each_of_them_once() -> None:
    def begin() -> tuple[Race, list[list[Step]]]:
        race = Race()
        bruno = race.house.named("Bruno")
        bruno.ask(Join(race.table))
        bruno.ask(Leave())
        table = race.house.hall.tables.find(race.table)
        assert table.phase == "over"
        carla = race.house.named("Carla")
        race.people = [race.anna, bruno, carla]
        return race, [
            [lambda: race.anna.ask(Rematch()), lambda: race.anna.ask(Leave())],
            [lambda: bruno.ask(Seek("multisweeper", Open("multisweeper", 2)))],
            [lambda: carla.ask(Seek("multisweeper", Open("multisweeper", 2)))],
        ]

    def check(race: Race) -> None:
        race.whole()
        seats = [(one.guest.table, one.guest.seat) for one in race.people if one.guest.table]
        assert len(set(seats)) == len(seats), "two on one chair"

    assert every_order(begin, check) == 12
