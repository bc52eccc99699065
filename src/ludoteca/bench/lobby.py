"""What the lobby costs with few tables and with very many: a list, a table that comes and goes, and telling
those who look. The hall and the conversations are real; there are no sockets."""

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import cast

import msgspec

from ludoteca import games
from ludoteca.bench.figures import Figure
from ludoteca.core import Dice, Notice
from ludoteca.core.requests import Enter, Leave, List, Look, Open, Terms
from ludoteca.hall import Guest, GuestId, Hall, Limits
from ludoteca.server.settings import GameDefaults, Settings
from ludoteca.wire.house import Copier, HouseConversation

SECTION = "The lobby: CPU, without sockets"
GAMES = ("multisweeper", "santorini")
# How much dearer anything may be with the most tables than with the fewest.
GROWTH_MAX = 1.5
TIMES = 50


class _House:
    """A hall with tables, each of somebody who waits there, and a copier that all conversations share."""

    def __init__(self) -> None:
        dice = Dice(7)
        limits = Limits(tables_max=200_000, guests_max=400_000)
        self.hall = Hall(games.load, GameDefaults(Settings()), lambda: dice.below(1 << 64), limits)
        self.now = 1_000_000.0
        self._copier = Copier()
        self._talks: dict[int, HouseConversation] = {}
        self._opened = 0

    def come(self, name: str = "") -> Guest:
        """Somebody comes in."""
        guest = self.hall.arrive("house")
        self._talks[guest.id] = HouseConversation(games.load, self._copier)
        if name:
            self.hall.handle(guest, [Enter(name)], self.now)
        return guest

    def fill(self, count: int) -> None:
        """Have so many tables."""
        while len(self.hall.tables) < count:
            self._opened += 1
            guest = self.come(f"P{self._opened}")
            self.hall.handle(guest, [Open(GAMES[self._opened % 2], 2, terms=Terms())], self.now)
            self.now += 0.01
        self.tell()

    def tell(self) -> int:
        """Write all letters; how many bytes that is."""
        _, letters = self.hall.post.take()
        # Nobody looks on, so there are no asides.
        plain = cast(list[tuple[GuestId, Notice]], letters)
        return sum(len(self._talks[guest].send(notice, self.now)) for guest, notice in plain)


def _us(call: Callable[[], object], times: int = TIMES) -> float:
    """What one call costs, of the better half of so many."""
    took = []
    for _ in range(times):
        began_s = time.process_time()
        call()
        took.append(time.process_time() - began_s)
    return sum(sorted(took)[: times // 2]) / (times // 2) * 1e6


def _list(house: _House, guest: Guest) -> int:
    house.hall.handle(guest, [List()], house.now)
    return house.tell()


def _come_and_go(house: _House, guest: Guest) -> None:
    house.hall.handle(guest, [Open("santorini", 2), Leave()], house.now)
    house.tell()


def _second(house: _House, guest: Guest, lookers: int) -> None:
    """A table comes, those who look are told; it goes, and they are told again."""
    for request in (Open("santorini", 2), Leave()):
        house.hall.handle(guest, [request], house.now)
        house.now += 1.0
        assert _told(house) >= lookers


def _told(house: _House) -> int:
    """How many are told, in as many turns as that takes."""
    count = 0
    while (alarm := house.hall.lookers.alarm()) is not None:
        house.now = max(house.now, alarm)
        house.hall.tick(house.now)
        count += len(house.hall.post.letters)
        house.tell()
    return count


def figures(sizes: tuple[int, ...], lookers: int) -> Iterator[Figure]:
    """The same with more and more tables."""
    house = _House()
    anna = house.come("Anna")
    first: dict[str, float] = {}
    for size in sizes:
        house.fill(size)
        size_bytes = _list(house, anna)
        before_us = _us(partial(_as_it_was, house), 6)
        rows = {
            "a list of a hundred": _us(partial(_list, house, anna)),
            "a table that opens and closes": _us(partial(_come_and_go, house, anna)),
        }
        for name, value in rows.items():
            least = first.setdefault(name, value)
            note = f"{value / least:.2f} of that with {sizes[0]:,}"
            if name.startswith("a list"):
                note += f"; {size_bytes / 1000:.0f} kB; every table built and encoded: {before_us:,.0f} us"
            aim = least * GROWTH_MAX if size > sizes[0] else None
            yield Figure(SECTION, f"{name}, {size:,} tables", value, "us CPU", aim, note=note)
    for _ in range(lookers):
        house.hall.handle(house.come(), [Look()], house.now)
    house.tell()
    house.now += 1.0
    _told(house)
    value = _us(partial(_second, house, anna, lookers), 10) / 2
    yield Figure(
        SECTION,
        f"one change told to {lookers:,}, {sizes[-1]:,} tables",
        value / 1e3,
        "ms CPU",
        note=f"{value / lookers:.2f} us for each; encoded once",
    )
    loop = house.come("Loop")
    value = _us(partial(_look_away_and_back, house, loop))
    yield Figure(SECTION, "looking away and back again, in a loop", value, "us CPU")


def _look_away_and_back(house: _House, guest: Guest) -> None:
    house.hall.handle(guest, [Look("santorini"), Look()], house.now)
    house.tell()


def _as_it_was(house: _House) -> bytes:
    """How a list was made before: of all tables, for everybody who asked."""
    public = [table for table in house.hall.tables if not table.terms.private]
    return msgspec.json.encode([table.info() for table in public])
