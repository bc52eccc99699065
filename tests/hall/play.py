"""A hall without sockets: guests as test helpers, time as a number."""

import itertools
from collections.abc import Callable, Iterator
from typing import Any, cast

from msgspec.structs import replace

from ludoteca import games
from ludoteca.core import Dice, Game, JournalError
from ludoteca.core.notices import Seated
from ludoteca.core.requests import Join, Open, Request, Terms
from ludoteca.hall import Defaults, Guest, GuestId, Hall, Limits, Post, Table
from ludoteca.hall.chair import Chair
from ludoteca.hall.slip import decode as decode_slip
from ludoteca.hall.slip import slip_from
from ludoteca.journal import Match
from ludoteca.journal.records import Opened


class Known(dict[str, Defaults]):
    """The games' own defaults, as tables of newcomers get them."""

    def __missing__(self, name: str) -> Defaults:
        game = games.load(name)
        return Defaults(
            max(2, game.seats[0]),
            game.options(),
            Terms(absence="end"),
            game.wire.settings() if game.wire else None,
        )


class House:
    """A hall with a clock, whose letters are put into each guest's `heard`.

    A `sleepy` one brings the tables of another back only when somebody needs them.
    """

    sleepy = False

    def __init__(
        self,
        limits: Limits | None = None,
        load: Callable[[str], Game] = games.load,
        numbers: Iterator[int] | None = None,
        **more: Any,
    ) -> None:
        self.numbers = numbers or itertools.count(1)
        dice = Dice(7)
        self.now = 1_000_000.0
        entropy = lambda: dice.below(1 << 64) << 40 | next(self.numbers)  # noqa: E731
        self.hall = Hall(load, Known(), entropy, limits, bring_back=self.bring_back, **more)
        self.heard: dict[GuestId, list[Any]] = {}
        self.lines: dict[str, list[bytes]] = {}
        self.fates: dict[str, str] = {}
        self.slips: dict[str, bytes] = {}

    def guest(self, protocol: str = "house", address: str = "") -> "Person":
        """Somebody comes in."""
        return Person(self, self.hall.arrive(protocol, address=address))

    def named(self, name: str, protocol: str = "house", address: str = "") -> "Person":
        """Somebody comes in and says who they are."""
        from ludoteca.core.requests import Enter

        person = self.guest(protocol, address)
        person.ask(Enter(name))
        return person

    def collect(self) -> None:
        """Deliver the post."""
        entries, letters = self.hall.post.take()
        for guest, notice in letters:
            assert guest is not None, "nobody here has an audience that is told aside"
            self.heard.setdefault(guest, []).append(notice)
        for entry in entries:
            self.lines.setdefault(entry.table, []).append(entry.line)
            if entry.fate:
                self.fates[entry.table] = entry.fate
            if entry.slip:
                self.slips[entry.table] = entry.slip
                if entry.number == len(self.lines[entry.table]):
                    made, written = slip_from(self.lines[entry.table]), decode_slip(entry.slip)
                    assert made is not None
                    assert written is not None
                    # New options have their defaults on the slip already.
                    assert replace(made, opened=written.opened) == written, "the records say the same"

    def take_over(self, before: "House") -> "House":
        """Have the tables of a house that has ended."""
        self.lines = {table: [*lines] for table, lines in before.lines.items()}
        self.slips = dict(before.slips)
        for table, lines in before.lines.items():
            slip = decode_slip(self.slips[table])
            assert slip is not None
            if not (self.sleepy and self.hall.expect(slip, self.now)):
                self.hall.recover(lines, self.now)
        self.collect()
        return self

    def bring_back(self, table: str) -> None:
        """Somebody needs a table that is not back yet."""
        try:
            self.hall.recover(self.lines[table], self.now)
        except JournalError as error:
            self.hall.set_aside(table, self.lines[table], error)

    def wait(self, seconds: float) -> None:
        """Time passes."""
        self.now += seconds
        self.hall.tick(self.now)
        self.collect()


class Person:
    """One guest, and what the house told them."""

    def __init__(self, house: House, guest: Guest) -> None:
        self.house = house
        self.guest = guest

    def ask(self, *requests: Request) -> "Person":
        """Make requests."""
        self.house.hall.handle(self.guest, requests, self.house.now)
        self.house.collect()
        return self

    def hang_up(self) -> None:
        """The connection is lost."""
        self.house.hall.depart(self.guest, self.house.now)
        self.house.collect()

    @property
    def table(self) -> Table:
        """The table this person is at."""
        return self.house.hall.tables.find(self.guest.table)

    @property
    def heard(self) -> list[Any]:
        """Everything so far."""
        return self.house.heard.setdefault(self.guest.id, [])

    def last(self, kind: type) -> Any:
        """The newest notice of this kind."""
        found = [notice for notice in self.heard if isinstance(notice, kind)]
        assert found, f"no {kind.__name__} among {self.heard}"
        return found[-1]

    def count(self, kind: type) -> int:
        """How many notices of this kind came."""
        return sum(isinstance(notice, kind) for notice in self.heard)


def pair(house: House, terms: Terms | None = None) -> tuple[Person, Person]:
    """Two people of Ludoteca's own protocol whose match of Multisweeper has begun."""
    anna, bruno = house.named("Anna"), house.named("Bruno")
    anna.ask(Open("multisweeper", 2, terms=terms))
    bruno.ask(Join(anna.last(Seated).table.id))
    return anna, bruno


def a_table(
    id: str = "t1",
    seats: int = 2,
    *,
    game: str = "multisweeper",
    label: str = "",
    terms: Terms | None = None,
    post: Post | None = None,
    history_max: int = 256,
) -> Table:
    """A table by itself, opened just now and known to no hall."""
    known = games.load(game)
    options = known.settle(known.options(), seats)
    opened = Opened(id, game, label or id, seats, options, terms or Terms(), known.version)
    stand_in = lambda _table, seat: GuestId(900 + seat)  # noqa: E731
    table = Table(Match(known), opened, 0, post or Post(), stand_in, history_max)
    table.open(opened, 0.0)
    return table


def sit(table: Table, seat: int, name: str, guest: int = 0, *, bot: str = "", ready: bool = True) -> Chair:
    """Somebody sits down there; a guest whose id is the seat's number and one, unless it is named."""
    chair = Chair("bot" if bot else "house", f"key of {name}", bot)
    chair.name = chair.given = name
    table.sit(GuestId(guest or seat + 1), seat, chair)
    if ready:
        table.ready(seat, table.game.preferences(), 0.0)
    return chair


def playing(table: Table, *names: str) -> Table:
    """The same table once these have sat down and begun."""
    for seat, name in enumerate(names):
        sit(table, seat, name)
    table.start(5, 0.0)
    return table


def letters(table: Table) -> list[tuple[int, Any]]:
    """What a table by itself has told since the last time, and whom."""
    told = cast(list[tuple[int, Any]], table.post.take()[1])
    return [(int(guest), notice) for guest, notice in told]
