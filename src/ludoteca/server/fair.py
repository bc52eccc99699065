"""A fair line: who comes next when many wait for few workers, so that nobody can crowd the others out.

Start-time fair queueing, twice: among addresses, and among the tables of each. Whoever has used least comes
next; a newcomer begins where the one who was served last stands, so that nobody gains by having been away,
and nobody who has been here for long must wait until a newcomer has had as much.
"""

from collections import Counter, deque
from collections.abc import Iterable
from typing import Generic, NamedTuple, TypeVar

Item = TypeVar("Item")
Key = TypeVar("Key")

# Begun work costs at least this, so that those who begin at the same time take turns.
COST_S_MIN = 0.001
# How many are remembered who have had more than others and have nothing waiting now.
REMEMBERED_MAX = 1000


class Shares:
    """How much each of several has used of what they share."""

    def __init__(self) -> None:
        self._used: dict[str, float] = {}
        self._away: dict[str, float] = {}
        self._served = 0.0

    def enter(self, key: str) -> None:
        """Somebody has something waiting."""
        before = self._used.get(key) or self._away.pop(key, 0.0)
        self._used[key] = max(before, self._served)

    def first(self, keys: Iterable[str]) -> str:
        """Who of these has used least: the one served next."""
        key = min(keys, key=self._used.__getitem__)
        self._served = max(self._served, self._used[key])
        return key

    def charge(self, key: str, used: float) -> None:
        """Somebody has used so much."""
        self._used[key] += used

    def leave(self, key: str) -> None:
        """Somebody has nothing waiting or at work any more."""
        used = self._used.pop(key)
        if used > self._served:
            self._away[key] = used
            if len(self._away) > REMEMBERED_MAX:
                del self._away[next(iter(self._away))]


class Place(NamedTuple):
    """Whose item it is.

    A lower rank always comes first; an address that nobody knows ("") is one for each table.
    """

    rank: int
    address: str
    table: str


class Line(Generic[Item]):
    """Items that wait for a worker. One address has at most `at_once_max` at work, whatever waits behind."""

    def __init__(self, ranks: int, at_once_max: int) -> None:
        self.at_once_max = at_once_max
        # By rank, by address, by table.
        self._waiting: list[dict[str, dict[str, deque[Item]]]] = [{} for _ in range(ranks)]
        self._addresses = Shares()
        self._tables: dict[str, Shares] = {}
        # How many items each table, and each address, has waiting or at work; how many of an address
        # are at work.
        self._of_table: Counter[tuple[str, str]] = Counter()
        self._of_address: Counter[str] = Counter()
        self._at_work: Counter[str] = Counter()
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def push(self, place: Place, item: Item) -> None:
        """An item waits behind the others of its table."""
        rank, address, table = place.rank, place.address or place.table, place.table
        self._addresses.enter(address)
        self._tables.setdefault(address, Shares()).enter(table)
        self._waiting[rank].setdefault(address, {}).setdefault(table, deque()).append(item)
        self._of_address[address] += 1
        self._of_table[address, table] += 1
        self._length += 1

    def pop(self) -> tuple[Place, Item] | None:
        """The next item, whose work begins now; None when nothing waits that may begin."""
        for rank, waiting in enumerate(self._waiting):
            able = [address for address in waiting if self._at_work[address] < self.at_once_max]
            if able:
                return self._take(rank, self._addresses.first(able))
        return None

    def _take(self, rank: int, address: str) -> tuple[Place, Item]:
        tables = self._waiting[rank][address]
        table = self._tables[address].first(tables)
        item = tables[table].popleft()
        if not tables[table]:
            del tables[table]
        if not tables:
            del self._waiting[rank][address]
        self._length -= 1
        self._at_work[address] += 1
        self._charge(address, table, COST_S_MIN)
        return Place(rank, address, table), item

    def done(self, place: Place, seconds: float) -> None:
        """The work on an item has ended, and took so much. `place` is what `pop` said."""
        address, table = place.address, place.table
        self._charge(address, table, max(0.0, seconds - COST_S_MIN))
        _one_less(self._at_work, address)
        if _one_less(self._of_table, (address, table)):
            self._tables[address].leave(table)
        if _one_less(self._of_address, address):
            self._addresses.leave(address)
            del self._tables[address]

    def _charge(self, address: str, table: str, seconds: float) -> None:
        self._addresses.charge(address, seconds)
        self._tables[address].charge(table, seconds)


def _one_less(counts: Counter[Key], key: Key) -> bool:
    """Count down; whether that was the last."""
    counts[key] -= 1
    if counts[key]:
        return False
    del counts[key]
    return True
