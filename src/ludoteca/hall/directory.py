"""Where tables and seats are found: by id, by label, by token, or simply the next one with a free chair.

A private table is found by its id alone: its label is not looked up, taken from others, or counted.
"""

import heapq
import re
from collections.abc import Callable, Container, Iterable, Iterator

from ludoteca.core import Refused
from ludoteca.hall.aside import Aside
from ludoteca.hall.chair import key_of
from ludoteca.hall.lobby import Lobby
from ludoteca.hall.table import Table


def never(table: str) -> None:
    """`bring_back`, where no table is expected."""
    raise AssertionError(f"nobody expects {table}")


class Directory:
    """All tables of the house; `lobby` has those that everybody may know of in order, `aside` are those that
    the house keeps but cannot serve.

    Tables that are not back after a restart are among them: whoever finds one here finds it back. So are
    those that another hall has, and these stay there.
    """

    def __init__(
        self, label_length_max: int, lobby: Lobby, bring_back: Callable[[str], None] = never
    ) -> None:
        self.lobby = lobby
        self.aside = Aside()
        self._bring_back = bring_back
        self._label_length_max = label_length_max
        self._tables: dict[str, Table] = {}
        # The table of an id: the dictionary's own way, which every move asks.
        self.get: Callable[[str], Table | None] = self._tables.get
        self._seats: dict[str, tuple[Table, int]] = {}
        self._labels: dict[str, dict[str, Table]] = {}
        # The numbers of each game's tables that have no other name.
        self._numbers: dict[str, _Numbers] = {}
        # Whose budget a table is on: the tables of each address, the address of each table, and the tables
        # that came back after a restart and whose address has not asked for another since.
        self._by_address: dict[str, dict[str, Table]] = {}
        self._address_of: dict[str, str] = {}
        self._unclaimed: dict[str, Table] = {}

    def __len__(self) -> int:
        return len(self._tables)

    def __iter__(self) -> Iterator[Table]:
        return iter(self._tables.values())

    def __contains__(self, table: Table) -> bool:
        return table.id in self._tables

    def find(self, name: str, game: str = "") -> Table:
        """A table by its id or, with the game, a public one by its label. Raises Refused."""
        table = self._tables.get(name)
        if table is None and game:
            table = self._labels.get(game, {}).get(name.casefold())
        if table is None:
            self.aside.ask_table(name)
            raise Refused("there is no such table", "gone")
        if table.asleep and not table.elsewhere:
            self.wake(table)
            return self.find(table.id)
        return table

    def wake(self, table: Table) -> None:
        """Have a table brought back that sleeps; if it cannot be, it is set aside and not found here any
        more."""
        self._bring_back(table.id)
        assert self._tables.get(table.id) is not table or not table.asleep, "it is back, or it is gone"

    def called(self, label: str, game: str = "") -> list[Table]:
        """The public tables of this name, of one game or of all: at most one of each."""
        labels = self._labels.values() if not game else (self._labels.get(game, {}),)
        return [found[key] for found in labels if (key := label.casefold()) in found]

    def with_free_chair(self, game: str, name: str = "") -> Table | None:
        """The oldest open public table of a game with a free chair, and with somebody there to play with:
        not oneself, who may be at other tables under this name.

        Else whoever opens tables and goes would have all others sit down there alone. After a restart nobody
        is there, and nobody answers for a table yet: then its people are waited for.
        """
        for table in self.lobby.tables(game, "open"):
            if (
                table.phase == "open"
                and table.free_seat() is not None
                and (table.attended() or not table.owner)
                and not table.course.seats(name)
            ):
                if table.asleep:
                    self.wake(table)
                    return self.with_free_chair(game, name)
                return table
        return None

    def add(self, table: Table) -> None:
        """A table was opened or recovered."""
        self._tables[table.id] = table
        if table.owner:
            self.charge(table, table.owner)
        else:
            self._unclaimed[table.id] = table
        if not table.terms.private:
            self._labels.setdefault(table.game.name, {})[table.label.casefold()] = table
        self.lobby.add(table)
        for seat, chair in table.taken():
            self._seats[chair.key] = (table, seat)

    def remove(self, table: Table) -> None:
        """A table is over."""
        self._tables.pop(table.id, None)
        self._unclaimed.pop(table.id, None)
        address = self._address_of.pop(table.id, "")
        theirs = self._by_address.get(address, {})
        theirs.pop(table.id, None)
        if not theirs:
            self._by_address.pop(address, None)
        if not table.terms.private:
            self._labels[table.game.name].pop(table.label.casefold(), None)
            self._numbers_of(table.game.name).give_back(table.label)
        self.lobby.remove(table)
        for _, chair in table.taken():
            self._seats.pop(chair.key, None)

    def charge(self, table: Table, address: str) -> None:
        """A table is on the budget of this address, if it is on nobody's yet."""
        if address and table.id not in self._address_of:
            self._unclaimed.pop(table.id, None)
            self._address_of[table.id] = address
            self._by_address.setdefault(address, {})[table.id] = table

    def unclaimed(self) -> list[Table]:
        """Tables on nobody's budget."""
        return list(self._unclaimed.values())

    def unfinished(self, address: str) -> int:
        """How many tables that are not over are on the budget of an address."""
        return sum(table.phase != "over" for table in self._by_address.get(address, {}).values())

    def has_spent(self, address: str, most: int) -> bool:
        """Whether so many tables that are not over are on the budget of an address. They are looked at only
        where there are so many at all: a thousand rematches a minute at ten thousand tables ask this."""
        return len(self._by_address.get(address, ())) >= most and self.unfinished(address) >= most

    def seat(self, key: str, table: Table, seat: int) -> None:
        """Whoever has the token behind this key owns the seat."""
        self._seats[key] = (table, seat)

    def unseat(self, key: str) -> None:
        """Nobody does any more."""
        self._seats.pop(key, None)

    def owned(self, token: str) -> tuple[Table, int]:
        """The seat that a token gives a right to. Raises Refused."""
        key = key_of(token)
        found = self._seats.get(key)
        if found is None:
            self.aside.ask_seat(key)
            raise Refused("there is no such seat (any more)", "gone")
        if found[0].asleep and not found[0].elsewhere:
            self.wake(found[0])
            return self.owned(token)
        return found

    def seats_of(self, tokens: Iterable[str]) -> Iterator[tuple[Table, int]]:
        """The seats that these tokens give a right to, as far as there are such."""
        for token in tokens:
            found = self._seats.get(key_of(token))
            if found is not None:
                yield found

    def label(self, game: str, wanted: str, *, private: bool) -> str:
        """A label for a new table: the wanted one, or the next number. Raises Refused.

        Private tables stand outside: nobody learns of them by a name that is taken or a number left out.
        """
        taken = self._labels.setdefault(game, {})
        if wanted:
            if len(wanted) > self._label_length_max or not wanted.isprintable() or " " in wanted:
                raise Refused(
                    f"a table's name has 1 to {self._label_length_max} characters, no blanks", "label"
                )
            if wanted.casefold() in taken and not private:
                raise Refused("there is a table of that name", "taken")
            return wanted
        if private:
            return "private"
        return self._numbers_of(game).label(taken)

    def _numbers_of(self, game: str) -> "_Numbers":
        return self._numbers.setdefault(game, _Numbers())


class _Numbers:
    """The numbers of tables that have no other name: always the lowest that is free, without trying all."""

    def __init__(self) -> None:
        self._next = 1
        # Those below the next one that are free again.
        self._free: list[int] = []
        self._is_free: set[int] = set()

    def label(self, taken: Container[str]) -> str:
        """A name for a new table that none of these has."""
        while True:
            if self._free:
                number = heapq.heappop(self._free)
                self._is_free.discard(number)
            else:
                number, self._next = self._next, self._next + 1
            if f"table-{number}" not in taken:
                return f"table-{number}"

    def give_back(self, label: str) -> None:
        """A table of this name is gone. Whoever called one so on purpose gives nothing back that was never
        given."""
        given = re.fullmatch(r"table-([0-9]{1,9})", label.casefold(), re.ASCII)
        number = int(given[1]) if given else 0
        if 0 < number < self._next and number not in self._is_free:
            heapq.heappush(self._free, number)
            self._is_free.add(number)
