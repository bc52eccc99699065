"""A snapshot: a table as it was after one of its records, so that those before it need not be executed again.

It is a cache. One that is damaged, was made by other code, or does not fit the table's records is none, and
then all of them are executed.
"""

import io
import pickle
import sys
from collections.abc import Callable
from enum import Enum
from hashlib import blake2b
from typing import Any, NamedTuple

import msgspec

from ludoteca.core import Damaged, Game
from ludoteca.hall.ledger import Told
from ludoteca.hall.slip import Slip, slip_of
from ludoteca.hall.table import Table
from ludoteca.journal.records import decode
from ludoteca.journal.replay import empty, execute
from ludoteca.journal.seal import CHAIN_BYTES

DIGEST_BYTES = 16
# What is told to those who come back is kept from so many records with events; of chat, all that is at hand.
EVENTS_MAX = 16
# What games' states are made of, beside the games' own types.
_PLAIN = {"bytearray": bytearray, "frozenset": frozenset, "set": set}


class Snapshot(NamedTuple):
    """What lasts of a table, after record `number`; `digest` is the chain's up to there.

    `asked` has the numbers that open questions were asked under, by seat. The events of records up to
    `forgotten` are not among the history.
    """

    slip: Slip
    number: int
    digest: bytes
    version: int
    changed: int
    unexplained: int
    spoken: int
    forgotten: int
    asked: dict[int, int]
    history: list[tuple[int, Told]]
    state: Any


def take(table: Table, form: bytes) -> bytes:
    """A table as it is now, to be stored; `form` is a digest of all code that has to be the same when it is
    read. Raises an error of any kind where the game's state cannot be stored."""
    match, ledger = table.match, table.ledger
    forgotten, history = ledger.excerpt(EVENTS_MAX)
    body = pickle.dumps(
        tuple(
            Snapshot(
                slip_of(table.course, table.opened_ms),
                ledger.number,
                match.digest,
                match.version,
                match.changed,
                match.unexplained,
                ledger.spoken,
                forgotten,
                table.asked.numbers(),
                history,
                match.state,
            )
        ),
        protocol=5,
    )
    return form + blake2b(body, digest_size=DIGEST_BYTES, key=form).digest() + body


def read(stored: bytes, form: bytes) -> Snapshot | None:
    """What was stored under this form; None for anything else."""
    head = len(form) + DIGEST_BYTES
    body = stored[head:]
    if stored[:head] != form + blake2b(body, digest_size=DIGEST_BYTES, key=form).digest():
        return None
    try:
        return Snapshot(*unpickled(body))
    except Exception:
        # A game's own types may do anything with what they are given.
        return None


def resume(
    snapshot: Snapshot,
    lines: list[bytes],
    load: Callable[[str], Game],
    place: Callable[[Any, Any, int], Table],
) -> Table:
    """A table from its snapshot and its records from that one on. Raises an error of any kind when they do
    not go together."""
    slip = snapshot.slip
    record, _, seal = decode(lines[0])
    if record.number != snapshot.number or seal[:CHAIN_BYTES] != snapshot.digest:
        raise Damaged("the snapshot is of another record")
    match = empty(slip.opened, load)
    match.state, match.digest, match.version = snapshot.state, snapshot.digest, snapshot.version
    match.changed, match.unexplained = snapshot.changed, snapshot.unexplained
    table = place(match, slip.opened, slip.opened_ms)
    slip.lay(table.course)
    table.ledger.resume(snapshot.number, snapshot.spoken, snapshot.forgotten, snapshot.history)
    if match.state is not None:
        table.asked.resume(match.state.questions, snapshot.asked)
    for number, line in enumerate(lines[1:], snapshot.number + 1):
        record, _ = execute(match, line, number, table.perform)
        table.restore(record)
    return table


def unpickled(data: bytes) -> Any:
    """What was pickled elsewhere, if it is made of records and plain values alone. Raises an error of any
    kind."""
    return _Unpickler(io.BytesIO(data)).load()


class _Unpickler(pickle.Unpickler):
    """Makes nothing but records and plain values: a file is no place to take orders from."""

    def find_class(self, module: str, name: str) -> Any:
        """A type by its name. Raises UnpicklingError."""
        if module == "builtins" and name in _PLAIN:
            return _PLAIN[name]
        if (module, name) == ("msgspec._core", "rebuild"):
            return super().find_class(module, name)
        found = _FOUND.get((module, name))
        if found is None:
            found = getattr(sys.modules.get(module), name, None)
            if not isinstance(found, type) or not issubclass(found, (msgspec.Struct, Enum, tuple)):
                raise pickle.UnpicklingError(f"{module}.{name} is no record")
            _FOUND[module, name] = found
        return found


_FOUND: dict[tuple[str, str], Any] = {}
