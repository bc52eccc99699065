"""What is written down about a table, and the format of one record.

A record is one line: a checksum of the rest, the digest that chains all records so far, a checksum of what
came out, and the input as JSON, so that a damaged byte, a changed order and a changed rule all show up, and a
person can read it:

    5d1f00c2 0f63d1c29b10b6a7 8c1e02d4 {"number":3,"at_ms":1767225600000,"input":{"type":"Acted",...}}

Lines from before rules had versions lack the third part; their digest covers what came out, too (see `seal`).
Only inputs are kept. What they brought about follows by executing them again (see `match`).
"""

from collections.abc import Callable, Iterable
from typing import Any
from zlib import crc32

import msgspec

from ludoteca.core import Damaged, Unplayable
from ludoteca.core.requests import Terms
from ludoteca.journal.seal import CHAIN_BYTES, CHAIN_START, chain


class _Input(msgspec.Struct, frozen=True, tag=True, gc=False):
    pass


class Opened(_Input, frozen=True):
    """The table was opened; always its first record. `version` is that of the rules, 0 before they had one.

    `origin` is a hash of the address it was opened from, as in `SatDown`; "" where that is not known.
    """

    id: str
    game: str
    label: str
    seats: int
    options: Any
    terms: Terms
    version: int = 0
    origin: str = ""


class SatDown(_Input, frozen=True):
    """A chair was taken, or what is known of its sitter changed. `key` is the hash of the seat token.

    `origin` is a hash of the address that the chair was taken from, which only this house can make; "" where
    it does not matter (the player has a token) or is not known (older records).
    """

    seat: int
    name: str
    given: str
    protocol: str
    key: str
    bot: str = ""
    preference: Any = None
    origin: str = ""


class StoodUp(_Input, frozen=True):
    """A chair of an open table became free."""

    seat: int


class Started(_Input, frozen=True):
    """The match began: all that decides it. `order` is empty in records that are older than the field."""

    seats: int
    seed: int
    options: Any
    preferences: tuple[Any, ...]
    order: tuple[int, ...] = ()


class Acted(_Input, frozen=True):
    """A seat decided; several actions are one decision."""

    seat: int
    actions: tuple[Any, ...]


class WentAway(_Input, frozen=True):
    """A player is gone as far as the rules are concerned; `for_good` when that was the player's own word."""

    seat: int
    reason: str = ""
    for_good: bool = False


class CameBack(_Input, frozen=True):
    """A player who had gone takes part again."""

    seat: int


class Spoke(_Input, frozen=True):
    """Somebody said something to all, or to one: a whisper.

    `between` are the seats of the two, as far as they had any. A whisper is theirs and not their names',
    which others may have later; older records do not have it, and there the names of that moment must do.
    """

    name: str
    text: str
    to: str | None = None
    between: tuple[int, ...] | None = None


class RulesChanged(_Input, frozen=True):
    """The house was started with other rules, which execute all before this; what follows
    is played by them."""

    version: int


class Closed(_Input, frozen=True, omit_defaults=True):
    """The table was closed before its match had ended by the rules: everybody had left, nobody came back in
    time; or one of two gave up what it could not win, and then `ranks` say who has won."""

    reason: str
    ranks: tuple[int, ...] = ()


Input = Opened | SatDown | StoodUp | Started | Acted | WentAway | CameBack | Spoke | RulesChanged | Closed


class Record(msgspec.Struct, frozen=True, gc=False):
    """One input of a table: the `number`-th, from 1."""

    number: int
    at_ms: int
    input: Input


def is_whisper(given: Input) -> bool:
    """Whether this was for two people only."""
    return isinstance(given, Spoke) and given.to is not None


def outward(records: Iterable[Record]) -> list[Record]:
    """Records as they may leave the house: nobody needs the hashes in them, and whispers
    stay with their two."""
    told = []
    for record in records:
        given = record.input
        if isinstance(given, SatDown):
            record = msgspec.structs.replace(record, input=msgspec.structs.replace(given, key="", origin=""))
        elif isinstance(given, Opened):
            record = msgspec.structs.replace(record, input=msgspec.structs.replace(given, origin=""))
        if not is_whisper(given):
            told.append(record)
    return told


# The part of a record that says what went in.
encode_body: Callable[[Record], bytes] = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Record).decode


def encode(body: bytes, seal: bytes) -> bytes:
    """A record as it is stored.

    `body` is `encode_body(record)`, `seal` what the match makes of it (see `seal`).
    """
    # Formatted as bytes: as text it took twice as long, and every move passes here.
    rest = seal.hex(" ", -CHAIN_BYTES).encode() + b" " + body
    return b"%08x " % crc32(rest) + rest


def unpack(line: bytes) -> tuple[bytes, bytes]:
    """The body of a stored record and its seal. Raises Damaged."""
    checksum, _, rest = line.partition(b" ")
    try:
        if int(checksum, 16) != crc32(rest) or len(checksum) != 8:
            raise Damaged("a record's checksum does not fit")
        # Two parts of a seal, each with a blank behind it, or the one of old records.
        length = 26 if rest[17:18] != b"{" else 17
        return rest[length:], bytes.fromhex(rest[:length].decode())
    except ValueError as error:
        raise Damaged(f"a record cannot be read: {error}") from None


def decode(line: bytes) -> tuple[Record, bytes, bytes]:
    """A stored record with its body and its seal. Raises JournalError."""
    body, seal = unpack(line)
    try:
        return _decode(body), body, seal
    except msgspec.ValidationError as error:
        raise Unplayable(f"a record is of a kind that this version does not know: {error}") from None
    except msgspec.DecodeError as error:
        raise Damaged(f"a record cannot be read: {error}") from None


def sitters(lines: list[bytes]) -> list[dict[str, Any]]:
    """Who sat down and did not get up again, as far as that can be read without any rules,
    whatever version wrote it."""
    chairs: dict[Any, dict[str, Any]] = {}
    for number, line in enumerate(lines, 1):
        try:
            given = msgspec.json.decode(unpack(line)[0], type=_Loose).input
        except (Damaged, msgspec.DecodeError):
            continue
        if given.get("type") == "SatDown":
            if not is_astray(lines, number):
                chairs[given.get("seat")] = given
        elif given.get("type") == "StoodUp":
            chairs.pop(given.get("seat"), None)
    return list(chairs.values())


def is_astray(lines: list[bytes], number: int) -> bool:
    """Whether the record that lies here was written to another place, as far as this and the one before it
    tell: who sat down there must keep their seat, whatever becomes of this table. Raises Damaged."""
    body, seal = unpack(lines[number - 1])
    if msgspec.json.decode(body, type=_Loose).number != number:
        return True
    try:
        before = unpack(lines[number - 2])[1][:CHAIN_BYTES] if number > 1 else CHAIN_START
    except Damaged:
        return False
    return len(seal) > CHAIN_BYTES and chain(before, body) != seal[:CHAIN_BYTES]


def damage(lines: list[bytes], table: str = "") -> Damaged | None:
    """What shows that a record is not what was written, looked for without any rules;
    None when nothing does. `table` is where they lie, and so whose they must be."""
    before = CHAIN_START
    try:
        for number, line in enumerate(lines, 1):
            body, seal = unpack(line)
            found = msgspec.json.decode(body, type=_Loose)
            if found.number != number:
                raise Damaged(f"record {found.number} stands where {number} belongs")
            if number == 1 and table and found.input.get("id") != table:
                raise Damaged(f"its first record is that of table {found.input.get('id')}")
            if len(seal) > CHAIN_BYTES and chain(before, body) != seal[:CHAIN_BYTES]:
                raise Damaged(f"record {number} does not follow the one before it")
            before = seal[:CHAIN_BYTES]
    except msgspec.DecodeError as error:
        return Damaged(f"a record cannot be read: {error}")
    except Damaged as error:
        return error
    return None


class _Loose(msgspec.Struct):
    number: int
    input: dict[str, Any]
