"""A match that is over as a file, carried from house to house: a line about it, then its records as any
journal has them, but for what is nobody else's business (whispers, hashes of tokens and addresses).

    {"ludoteca":"match","form":1,"table":"3fa94c21d07e","game":"santorini","records":57,"digest":"0f63..."}
    5d1f00c2 0f63d1c29b10b6a7 8c1e02d4 {"number":1,"at_ms":1767225600000,"input":{"type":"Opened",...}}

Whoever takes one in trusts nothing in it: it is executed by the rules, and every word of it has the bounds
that it would have had if it had been said here.
"""

import re
from collections.abc import Callable, Iterable
from hashlib import blake2b
from typing import Any, Literal, NamedTuple

import msgspec

from ludoteca.core import Game, LudotecaError, Refused
from ludoteca.core.errors import JournalError
from ludoteca.core.notices import TableInfo
from ludoteca.hall.course import Course
from ludoteca.hall.limits import Limits
from ludoteca.hall.post import Fate, Post, Summary
from ludoteca.journal.match import whole
from ludoteca.journal.records import (
    Closed,
    Input,
    Opened,
    SatDown,
    Spoke,
    Started,
    WentAway,
    damage,
    decode,
    encode,
    encode_body,
    outward,
)
from ludoteca.journal.records import unpack as unpack_line
from ludoteca.journal.replay import begin, execute
from ludoteca.journal.seal import CHAIN_BYTES, CHAIN_START, chain, told

FORM = 1
BYTES_MAX = 16 << 20
RECORDS_MAX = 50_000
RECORD_BYTES_MAX = 1 << 16
HEAD_BYTES_MAX = 4096
# An id is part of addresses and of lines on a sheet.
ID = re.compile(r"[0-9A-Za-z_-]{1,64}")
# How much later than ours another house's clock may be.
AHEAD_MS = 24 * 3600 * 1000
# What stands behind a name that somebody else has: "Ada 2".
_VARIED = 8


class ParcelError(LudotecaError):
    """No match can be packed or taken in; the text says why."""


class Head(msgspec.Struct, frozen=True):
    """The first line."""

    ludoteca: Literal["match"]
    form: int
    table: str
    game: str
    records: int
    digest: str


class Retraced(NamedTuple):
    """A record that was executed from its beginning to its end."""

    course: Course
    summary: Summary
    fate: Fate

    @property
    def changed(self) -> int:
        """The first record that comes out otherwise than it did; 0: all are as they were."""
        return self.course.match.changed


def pack(lines: list[bytes], load: Callable[[str], Game]) -> bytes:
    """A table's record as such a file. Raises ParcelError, JournalError."""
    match, opened = begin(lines, load)
    kept: list[bytes] = []
    digest, closed = CHAIN_START, False
    for number, line in enumerate(lines, 1):
        record, events = execute(match, line, number)
        closed = closed or isinstance(record.input, Closed)
        outcome = unpack_line(line)[1][CHAIN_BYTES:]
        if not outcome:
            # From before rules had versions: what came out was part of the digest, which will be another.
            if match.changed == number:
                raise ParcelError(
                    f"record {number} is from before rules had versions, and they have changed since"
                )
            outcome = told(events, match.state)
        for one in outward([record]):
            body = encode_body(msgspec.structs.replace(one, number=len(kept) + 1))
            digest = chain(digest, body)
            kept.append(encode(body, digest + outcome))
    if match.state is None or (match.running and not closed):
        raise ParcelError("it is not over")
    content = b"".join(line + b"\n" for line in kept)
    head = Head("match", FORM, opened.id, opened.game, len(kept), _digest(content))
    return msgspec.json.encode(head) + b"\n" + content


def unpack(
    data: bytes, load: Callable[[str], Game], now_ms: int, limits: Limits | None = None
) -> tuple[list[bytes], Retraced]:
    """The records in such a file, and what they come to. Raises ParcelError."""
    if len(data) > BYTES_MAX:
        raise ParcelError(f"it is larger than the {BYTES_MAX >> 20} MiB that any match could have")
    first, _, content = data.partition(b"\n")
    try:
        head = msgspec.json.decode(first[:HEAD_BYTES_MAX], type=Head)
    except (msgspec.DecodeError, RecursionError):
        raise ParcelError("it is no match that `ludoteca export` has written") from None
    if head.form != FORM:
        raise ParcelError(f"it has form {head.form}, and this version knows {FORM}: take a newer one")
    if head.digest != _digest(content):
        raise ParcelError("it is damaged: its content is not what was written")
    lines = content.split(b"\n")[:-1]
    if not 0 < len(lines) <= RECORDS_MAX or len(lines) != head.records:
        raise ParcelError(f"it says that it has {head.records} records, of at most {RECORDS_MAX}")
    if max(map(len, lines)) > RECORD_BYTES_MAX:
        raise ParcelError("it has a record that is longer than any that a house writes")
    try:
        if found := damage(lines):
            raise found
        _look_at(lines, load, now_ms, limits or Limits())
        result = retrace(lines, load)
    except (JournalError, Refused, msgspec.ValidationError) as error:
        raise ParcelError(str(error)) from None
    except RecursionError:
        raise ParcelError("something in it is nested more deeply than anything that a house writes") from None
    match = result.course.match
    if result.fate != "over":
        raise ParcelError("the match in it is not over")
    if match.unexplained:
        raise ParcelError(
            f"record {match.unexplained} comes out otherwise under the very rules that it names"
        )
    if (head.table, head.game) != (result.summary.table.id, match.game.name):
        raise ParcelError("its first line is about another match")
    return lines, result


def retrace(lines: list[bytes], load: Callable[[str], Game]) -> Retraced:
    """Execute a record with all that is known of its table: who sat there, and how it ended.

    Raises JournalError.
    """
    match, opened = begin(lines, load)
    # Nothing is written down, and nobody comes back: neither post nor history is needed.
    course = Course(match, opened, Post(), 1)
    opened_ms = closed_ms = 0
    for number, line in enumerate(lines, 1):
        record, _ = execute(match, line, number, course.perform)
        opened_ms = opened_ms or record.at_ms
        if course.phase == "over" and not closed_ms:
            closed_ms = record.at_ms
    chairs = tuple(chair.sitter() if chair else None for chair in course.chairs)
    info = TableInfo(
        opened.id, opened.game, opened.label, course.phase, chairs, opened.options, opened.terms, opened_ms
    )
    fate: Fate = "live" if course.phase != "over" else "over" if match.state is not None else "forgotten"
    return Retraced(course, Summary(info, match.outcome, closed_ms), fate)


def _digest(content: bytes) -> str:
    return blake2b(content, digest_size=16).hexdigest()


def _look_at(lines: Iterable[bytes], load: Callable[[str], Game], now_ms: int, limits: Limits) -> None:
    """Whether all that a record says could have been said at a table here. Raises ParcelError, Refused."""
    opened: Opened | None = None
    before_ms = 1
    for number, line in enumerate(lines, 1):
        record = decode(line)[0]
        if not before_ms <= record.at_ms <= now_ms + AHEAD_MS:
            raise ParcelError(f"record {number} was written before the one before it, or will be")
        before_ms, given = record.at_ms, record.input
        if isinstance(given, Opened):
            if opened is not None or ID.fullmatch(given.id) is None:
                raise ParcelError("its table is opened twice, or has no name that a table can have")
            opened = given
            try:
                game = load(given.game)
            except Exception:
                raise ParcelError(f"there is no game {given.game[:40]!r} here") from None
            _settle(game, given.options, given.seats)
        elif opened is None:
            raise ParcelError("its first record does not open a table")
        elif isinstance(given, Started):
            if given.seats != opened.seats:
                raise ParcelError("its match has more or fewer seats than its table")
            _settle(game, given.options, given.seats)
        for what, text, length_max in _words(given, limits):
            if len(text) > length_max or not text.isprintable():
                raise ParcelError(f"record {number}: {what} is longer than it can be, or cannot be printed")
        seat = getattr(given, "seat", 0)
        if not 0 <= seat < opened.seats:
            raise ParcelError(f"record {number}: there is no seat {seat}")


def _settle(game: Game, options: Any, seats: int) -> None:
    """Refused when no table can be opened so."""
    if seats not in game.seats:
        raise ParcelError(f"{game.title} is not for {seats}")
    game.settle(whole(options, game.options), seats)


def _words(given: Input, limits: Limits) -> Iterable[tuple[str, str, int]]:
    """All that people wrote, with how long it may be."""
    name_max = limits.name_length_max + _VARIED
    match given:
        case Opened():
            yield "a table's name", given.label, limits.label_length_max
        case SatDown():
            yield "a name", given.name, name_max
            yield "a name", given.given, name_max
            yield "a protocol", given.protocol, 64
            yield "a bot", given.bot, 64
        case Spoke():
            yield "a name", given.name, name_max
            yield "what was said", given.text, limits.text_length_max
        case WentAway(reason=reason) | Closed(reason=reason):
            yield "a reason", reason, limits.text_length_max
        case _:
            pass
