"""Nicknames: unique over the whole house, case kept, compared case-folded."""

from ludoteca.core import Refused
from ludoteca.hall.guest import Guest
from ludoteca.hall.table import Table

# Bots are never registered; nobody else may look like one.
BOT_PREFIX = "Bot-"
_BOT_NAMES = ("Ada", "Bea", "Ciro", "Dora", "Elio", "Fosca", "Gino", "Ida")


class Names:
    """Who holds which name: a guest who is here, or a table that keeps the seat of one who is not."""

    def __init__(self, length_max: int) -> None:
        self._length_max = length_max
        self._holders: dict[str, Guest | Table] = {}

    def check(self, name: str) -> None:
        """Refused when this can be nobody's name."""
        if not name.strip() or not name.isprintable():
            raise Refused("a name needs visible characters", "name")
        if len(name) > self._length_max:
            raise Refused(f"a name has at most {self._length_max} characters", "name")
        if name.casefold().startswith(BOT_PREFIX.casefold()):
            raise Refused(f"names that begin with {BOT_PREFIX} are for bots", "name")

    def holder(self, name: str) -> Guest | Table | None:
        """Who has this name."""
        return self._holders.get(name.casefold())

    def hold(self, name: str, holder: Guest | Table) -> None:
        """From now on this name belongs to `holder`."""
        self._holders[name.casefold()] = holder

    def release(self, name: str, holder: Guest | Table) -> None:
        """The name is free again, if it was this holder's."""
        if name and self._holders.get(name.casefold()) is holder:
            del self._holders[name.casefold()]

    def variation(self, name: str) -> str:
        """The name itself, or the first free one like it."""
        number = 1
        varied = name
        while self.holder(varied) is not None:
            number += 1
            varied = f"{name} {number}"
        return varied


def bot_name(table: Table) -> str:
    """A name for a bot that nobody at this table has."""
    present = {chair.name for _, chair in table.taken()}
    return next(name for name in (BOT_PREFIX + one for one in _BOT_NAMES) if name not in present)
