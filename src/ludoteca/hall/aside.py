"""Tables that the house keeps but cannot serve: damaged, or played by rules that this version does not have.

Nothing about them is decided for good: each start tries them again. What is known of their seats is read
without executing anything, so that whoever comes back hears why there is no match.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple, NoReturn

from ludoteca.core import Refused, Unplayable
from ludoteca.hall.chair import Chair
from ludoteca.journal.records import sitters

CODE = "aside"
_DAMAGED = "the record of this match is damaged; it is kept, ask whoever runs this house"
_UNPLAYABLE = "this match was played by rules of another version; it is kept, ask whoever runs this house"

_FELL = "this table broke down; it is kept, and tried again when the house is next started"


class _Sitter(NamedTuple):
    table: str
    origin: str
    reason: str


class Aside:
    """All tables that are set aside, found by id, by seat, or by the name of a sitter."""

    def __init__(self) -> None:
        self._tables: dict[str, str] = {}
        self._keys: dict[str, str] = {}
        # The sitters of this protocol and name as given, which several may share.
        self._names: dict[tuple[str, str], list[_Sitter]] = {}

    def __len__(self) -> int:
        return len(self._tables)

    def __contains__(self, table: str) -> bool:
        return table in self._tables

    def add(self, table: str, lines: list[bytes], error: Exception) -> None:
        """Keep a table that cannot be served because of this error."""
        reason = _UNPLAYABLE if isinstance(error, Unplayable) else _DAMAGED
        self._tables[table] = reason
        for sitter in sitters(lines):
            told = _Sitter(table, str(sitter.get("origin", "")), reason)
            self._note(str(sitter.get("key")), str(sitter.get("protocol")), str(sitter.get("given")), told)

    def keep(self, table: str, chairs: Iterable[Chair]) -> None:
        """Keep a table that broke down while it was played at."""
        self._tables[table] = _FELL
        for chair in chairs:
            self._note(chair.key, chair.protocol, chair.given, _Sitter(table, chair.origin, _FELL))

    def _note(self, key: str, protocol: str, given: str, sitter: _Sitter) -> None:
        self._keys[key] = sitter.reason
        self._names.setdefault((protocol, given.casefold()), []).append(sitter)

    def ask_table(self, table: str) -> None:
        """Refused when the table is here."""
        if table in self._tables:
            self._refuse(self._tables[table])

    def ask_seat(self, key: str) -> None:
        """Refused when the seat of this key's token is at a table here."""
        if key in self._keys:
            self._refuse(self._keys[key])

    def ask_name(self, protocol: str, name: str, may_own: Callable[[str, str], bool]) -> None:
        """Refused, once, for the name of a sitter whose protocol knows no tokens; who comes
        again is a newcomer.

        `may_own(table, origin)` says whether it may be theirs: nobody is told in another's place.
        """
        sitters = self._names.get((protocol, name.casefold()), [])
        for sitter in sitters:
            if may_own(sitter.table, sitter.origin):
                sitters.remove(sitter)
                self._refuse(sitter.reason)

    @staticmethod
    def _refuse(reason: str) -> NoReturn:
        raise Refused(reason, CODE)
