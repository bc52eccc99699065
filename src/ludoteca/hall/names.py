"""Nicknames: each one person's in the whole house, case kept, compared case-folded."""

from collections.abc import Callable
from typing import TypeVar

from ludoteca.core import Refused
from ludoteca.hall.guest import Guest
from ludoteca.hall.table import Table

# Bots are never registered; nobody else may look like one.
BOT_PREFIX = "Bot-"
# By this name what a host says to all is known where a protocol has nothing but chat for it.
HOST = "Host"
_BOT_NAMES = ("Ada", "Bea", "Ciro", "Dora", "Elio", "Fosca", "Gino", "Ida")

_Holder = TypeVar("_Holder")


class Names:
    """Who holds which name: guests who are here, or else tables that keep the seats of one who is not.

    Several at once are one person at several tables: the entrance lets nobody else in.
    """

    def __init__(self, length_max: int) -> None:
        self._length_max = length_max
        self._here: dict[str, list[Guest]] = {}
        self._kept: dict[str, list[Table]] = {}

    def check(self, name: str) -> None:
        """Refused when this can be nobody's name."""
        if not name.strip() or not name.isprintable():
            raise Refused("a name needs visible characters", "name")
        if len(name) > self._length_max:
            raise Refused(f"a name has at most {self._length_max} characters", "name")
        if name.casefold().startswith(BOT_PREFIX.casefold()):
            raise Refused(f"names that begin with {BOT_PREFIX} are for bots", "name")
        if name.strip().casefold() == HOST.casefold():
            raise Refused("this name is the host's", "name")

    def holder(self, name: str) -> Guest | Table | None:
        """Who has this name; a seat at a match that is over is nobody's any more."""
        key = name.casefold()
        for table in list(self._kept.get(key, ())):
            if table.phase == "over":
                self.forget(name, table)
        found = self._here.get(key) or self._kept.get(key)
        return found[0] if found else None

    def here(self, name: str) -> list[Guest]:
        """Those who are here under this name."""
        return self._here.get(name.casefold(), [])

    def kept(self, name: str) -> list[Table]:
        """The tables that keep a seat for this name."""
        return self._kept.get(name.casefold(), [])

    def hold(self, guest: Guest) -> None:
        """The guest is known by its name."""
        held = self._here.setdefault(guest.name.casefold(), [])
        if guest not in held:
            held.append(guest)

    def leave(self, guest: Guest) -> None:
        """The guest is not known by its name any more."""
        _take(self._here, guest.name.casefold(), guest)

    def keep(self, name: str, table: Table) -> None:
        """The name belongs to a seat at this table while nobody is there for it."""
        kept = self._kept.setdefault(name.casefold(), [])
        if table not in kept:
            kept.append(table)

    def forget(self, name: str, table: Table) -> None:
        """The seat is free, taken again, or its table is over."""
        _take(self._kept, name.casefold(), table)

    def variations(self, name: str, is_barred: Callable[[str], bool]) -> list[str]:
        """The name and others like it that are held or kept out of the house, and last the first that is
        free."""
        found = [name]
        while self.holder(found[-1]) is not None or is_barred(found[-1]):
            found.append(f"{name} {len(found) + 1}")
        return found


def _take(held: dict[str, list[_Holder]], key: str, one: _Holder) -> None:
    """Take one out, if it is there; a name that nothing is left of is not kept."""
    left = [other for other in held.get(key, ()) if other is not one]
    if left:
        held[key] = left
    else:
        held.pop(key, None)


def bot_name(table: Table) -> str:
    """A name for a bot that nobody at this table has."""
    present = {chair.name for _, chair in table.taken()}
    return next(name for name in (BOT_PREFIX + one for one in _BOT_NAMES) if name not in present)
