"""The process in which records are read and executed again: however long that takes, nobody
at the tables notices."""

import os
import traceback
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal

import msgspec
from msgspec.structs import replace

from ludoteca import bots, games
from ludoteca.core import Dice, JournalError, Refused, Seat
from ludoteca.core.notices import Advice
from ludoteca.journal import Replay, replay
from ludoteca.journal.decisive import decisive
from ludoteca.journal.records import Acted, decode, outward
from ludoteca.play import patience
from ludoteca.server import child, stories
from ludoteca.server.journal_reader import JournalReader

# What one answer may hold, before it is packed. The longest matches of the five games have a twentieth of it.
TELL_BYTES_MAX = 64 << 20
MEMORY_BYTES_MAX = 2 << 30
NICENESS = 10
# How often a bot may look whether to go on, when it is asked about the decisive move.
LOOKS, COMPARISONS = 40, 2

_encode = msgspec.json.Encoder().encode


class Wish(msgspec.Struct, frozen=True):
    """What is to be told of a table: its record as it is, its story as these eyes saw it, its decisive move.

    `head` and `tail` are put around it: JSON about the table that is not in its record.
    """

    folder: str
    table: str
    kind: Literal["record", "story", "decisive"]
    eyes: stories.Eyes = None
    head: bytes = b""
    tail: bytes = b""


class Told(msgspec.Struct, frozen=True):
    """The answer as gzip, with the number of records in it; or the `code` and `reason` why there is none.

    `error` is the traceback of a mistake of ours.
    """

    body: bytes = b""
    number: int = 0
    code: str = ""
    reason: str = ""
    error: str = ""


def tell(wish: Wish) -> Told:
    """Grant a wish."""
    try:
        lines = JournalReader(Path(wish.folder)).lines(wish.table)
        if wish.kind == "decisive":
            return Told(_packed(iter([_encode(_decisive(wish.table, lines))])), len(lines))
        parts = stories.tell(lines, wish.eyes) if wish.kind == "story" else _record(lines)
        return Told(_packed(_listed(wish, map(_encode, parts))), len(lines))
    except Refused as error:
        return Told(code=error.code, reason=error.reason)
    except MemoryError:
        return Told(code="busy", reason="this match is too long to be told")
    except Exception:
        return Told(error=traceback.format_exc())


def _record(lines: list[bytes]) -> Iterable[object]:
    try:
        return outward(decode(line)[0] for line in lines)
    except JournalError as error:
        raise stories.refusal(error) from None


def _decisive(table: str, lines: list[bytes]) -> object:
    try:
        told = decisive(table, lines, games.load)
        if told.moment is None:
            return told
        advice = _advised(replay(lines, games.load), told.moment.number)
        return replace(told, moment=replace(told.moment, advice=advice))
    except JournalError as error:
        raise stories.refusal(error) from None


def _advised(played: Replay, number: int) -> tuple[Advice, ...]:
    """What bots would have done in place of the record of this number; nothing where it was that."""
    place = next(place for place, step in enumerate(played.steps) if step.record.number == number)
    given, state = played.steps[place].record.input, played.steps[place - 1].state
    if not isinstance(given, Acted) or state is None or len(state.questions[Seat(given.seat)].choices) < 2:
        return ()
    game, seat, dice = played.game, Seat(given.seat), Dice(number)
    # Counted and not measured, so that everybody is told the same.
    imagined = game.redeal(state, seat, dice)
    advice = bots.advise(game, imagined, seat, dice, patience(LOOKS), patience(COMPARISONS))
    return () if _plain(advice[0].action) == _plain(given.actions[0]) else tuple(advice)


def _plain(action: object) -> bytes:
    """The same bytes for an action and for what was written down of it."""
    return msgspec.json.encode(action, order="deterministic")


def _listed(wish: Wish, parts: Iterator[bytes]) -> Iterator[bytes]:
    yield wish.head + b"["
    between = b""
    for part in parts:
        yield between + part
        between = b","
    yield b"]" + wish.tail


def _packed(parts: Iterator[bytes]) -> bytes:
    """Packed as it comes: a view a step repeats itself so much that all of it need never be there at once."""
    packer = zlib.compressobj(6, wbits=31)
    packed, size = [], 0
    for part in parts:
        size += len(part)
        if size > TELL_BYTES_MAX:
            raise Refused("this match is too long to be told", "busy")
        packed.append(packer.compress(part))
    return b"".join(packed) + packer.flush()


def main() -> None:
    """Run in a process of its own, which gives way to those who play."""
    if hasattr(os, "nice"):
        import resource

        os.nice(NICENESS)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES_MAX, MEMORY_BYTES_MAX))
    decoder, encoder = msgspec.msgpack.Decoder(Wish), msgspec.msgpack.Encoder()
    child.serve(lambda question: lambda: encoder.encode(tell(decoder.decode(question))))
