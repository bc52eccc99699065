"""Tables that the house keeps but cannot serve: damaged, or played by rules that this version does not have.

Nothing about them is decided for good: each start tries them again. What is known of their seats is read without executing
anything, so that whoever comes back hears why there is no match.
"""

from typing import NoReturn

from ludoteca.core import Refused, Unplayable
from ludoteca.journal.records import sitters

CODE = "aside"
_DAMAGED = "the record of this match is damaged; it is kept, ask whoever runs this house"
_UNPLAYABLE = "this match was played by rules of another version; it is kept, ask whoever runs this house"


class Aside:
    """All tables that are set aside, found by id, by seat, or by the name of a sitter."""

    def __init__(self) -> None:
        self._tables: dict[str, str] = {}
        self._keys: dict[str, str] = {}
        self._names: dict[tuple[str, str], str] = {}

    def __len__(self) -> int:
        return len(self._tables)

    def add(self, table: str, lines: list[bytes], error: Exception) -> None:
        """Keep a table that cannot be served because of this error."""
        reason = _UNPLAYABLE if isinstance(error, Unplayable) else _DAMAGED
        self._tables[table] = reason
        for sitter in sitters(lines):
            self._keys[str(sitter.get("key"))] = reason
            self._names[str(sitter.get("protocol")), str(sitter.get("name")).casefold()] = reason

    def ask_table(self, table: str) -> None:
        """Refused when the table is here."""
        if table in self._tables:
            self._refuse(self._tables[table])

    def ask_seat(self, key: str) -> None:
        """Refused when the seat of this key's token is at a table here."""
        if key in self._keys:
            self._refuse(self._keys[key])

    def ask_name(self, protocol: str, name: str) -> None:
        """Refused, once, for the name of a sitter whose protocol knows no tokens; who comes again is a newcomer."""
        reason = self._names.pop((protocol, name.casefold()), None)
        if reason is not None:
            self._refuse(reason)

    @staticmethod
    def _refuse(reason: str) -> NoReturn:
        raise Refused(reason, CODE)
