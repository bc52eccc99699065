"""What is written down about a table, and the format of one record.

A record is one line: a checksum of the rest, the running digest after it, and the input as JSON, so that a
damaged byte, a changed order and a changed rule all show up, and a person can read it:

    5d1f00c2 0f63d1c29b10b6a7 {"number":3,"at_ms":1767225600000,"input":{"type":"Acted",...}}

Only inputs are kept. What they brought about follows by executing them again (see `match`).
"""

from collections.abc import Iterable
from typing import Any
from zlib import crc32

import msgspec

from ludoteca.core import JournalError
from ludoteca.core.requests import Terms


class _Input(msgspec.Struct, frozen=True, tag=True):
    pass


class Opened(_Input, frozen=True):
    """The table was opened; always its first record."""

    id: str
    game: str
    label: str
    seats: int
    options: Any
    terms: Terms


class SatDown(_Input, frozen=True):
    """A chair was taken, or what is known of its sitter changed. `key` is the hash of the seat token."""

    seat: int
    name: str
    given: str
    protocol: str
    key: str
    bot: str = ""
    preference: Any = None


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
    """A player is gone as far as the rules are concerned."""

    seat: int
    reason: str = ""


class CameBack(_Input, frozen=True):
    """A player who had gone takes part again."""

    seat: int


class Spoke(_Input, frozen=True):
    """Somebody said something to all, or to one: a whisper.

    `between` are the seats of the two, as far as they had any. A whisper is theirs and not their names', which
    others may have later; records of version 0.1 do not have it, and there the names of that moment must do.
    """

    name: str
    text: str
    to: str | None = None
    between: tuple[int, ...] | None = None


class Closed(_Input, frozen=True):
    """The table was given up before its end."""

    reason: str


Input = Opened | SatDown | StoodUp | Started | Acted | WentAway | CameBack | Spoke | Closed


class Record(msgspec.Struct, frozen=True):
    """One input of a table: the `number`-th, from 1."""

    number: int
    at_ms: int
    input: Input


def is_whisper(given: Input) -> bool:
    """Whether this was for two people only."""
    return isinstance(given, Spoke) and given.to is not None


def outward(records: Iterable[Record]) -> list[Record]:
    """Records as they may leave the house: nobody needs the hash of a seat token, and whispers stay with their two."""
    told = []
    for record in records:
        given = record.input
        if isinstance(given, SatDown):
            record = msgspec.structs.replace(record, input=msgspec.structs.replace(given, key=""))
        if not is_whisper(given):
            told.append(record)
    return told


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Record).decode
_PREFIX = 8 + 1 + 16 + 1


def encode(body: bytes, digest: bytes) -> bytes:
    """A record as it is stored. `body` is `encode_body(record)`."""
    rest = digest.hex().encode() + b" " + body
    return b"%08x %b" % (crc32(rest), rest)


def encode_body(record: Record) -> bytes:
    """The part of a record that the digest covers."""
    return _encode(record)


def decode(line: bytes) -> tuple[Record, bytes, bytes]:
    """A stored record with its body and its digest. Raises JournalError when it is damaged."""
    checksum, _, rest = line.partition(b" ")
    try:
        if int(checksum, 16) != crc32(rest) or len(checksum) != 8:
            raise JournalError("a record's checksum does not fit")
        digest, body = bytes.fromhex(rest[:16].decode()), rest[17:]
        return _decode(body), body, digest
    except (ValueError, msgspec.DecodeError) as error:
        raise JournalError(f"a record cannot be read: {error}") from None
