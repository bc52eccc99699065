"""Nicknames: unique over the whole house, case kept, compared case-folded."""

from ludoteca.core import Refused
from ludoteca.hall.guest import Guest
from ludoteca.hall.table import Table

# Bots are never registered; nobody else may look like one.
BOT_PREFIX = "Bot-"
_BOT_NAMES = ("Ada", "Bea", "Ciro", "Dora", "Elio", "Fosca", "Gino", "Ida")


class Names:
    """Who holds which name: a guest who is here, or else a table that keeps the seat of one who is not."""

    def __init__(self, length_max: int) -> None:
        self._length_max = length_max
        self._here: dict[str, Guest] = {}
        self._kept: dict[str, Table] = {}

    def check(self, name: str) -> None:
        """Refused when this can be nobody's name."""
        if not name.strip() or not name.isprintable():
            raise Refused("a name needs visible characters", "name")
        if len(name) > self._length_max:
            raise Refused(f"a name has at most {self._length_max} characters", "name")
        if name.casefold().startswith(BOT_PREFIX.casefold()):
            raise Refused(f"names that begin with {BOT_PREFIX} are for bots", "name")

    def holder(self, name: str) -> Guest | Table | None:
        """Who has this name; a seat at a match that is over is nobody's any more."""
        key = name.casefold()
        table = self._kept.get(key)
        if table is not None and table.phase == "over":
            del self._kept[key]
            table = None
        return self._here.get(key) or table

    def hold(self, guest: Guest) -> None:
        """The guest is known by its name."""
        self._here[guest.name.casefold()] = guest

    def leave(self, guest: Guest) -> None:
        """The guest is not known by its name any more."""
        key = guest.name.casefold()
        if self._here.get(key) is guest:
            del self._here[key]

    def keep(self, name: str, table: Table) -> None:
        """The name belongs to a seat at this table while nobody is there for it."""
        self._kept[name.casefold()] = table

    def forget(self, name: str, table: Table) -> None:
        """The seat is free, taken again, or its table is over."""
        key = name.casefold()
        if self._kept.get(key) is table:
            del self._kept[key]

    def variations(self, name: str) -> list[str]:
        """The name and others like it that are held, and last the first that is free."""
        found = [name]
        while self.holder(found[-1]) is not None:
            found.append(f"{name} {len(found) + 1}")
        return found


def bot_name(table: Table) -> str:
    """A name for a bot that nobody at this table has."""
    present = {chair.name for _, chair in table.taken()}
    return next(name for name in (BOT_PREFIX + one for one in _BOT_NAMES) if name not in present)
