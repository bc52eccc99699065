"""A slip: what the house must know of a table before it is back after a restart, to list it and to know whose
names and seats it keeps.

It is written with each record that changes it, which no move does. The records decide: one that cannot be
read is none, and what it says is compared when the table is back.
"""

from typing import NamedTuple
from zlib import crc32

import msgspec

from ludoteca.core import JournalError
from ludoteca.core.notices import Phase
from ludoteca.hall.chair import Chair
from ludoteca.hall.course import Course
from ludoteca.journal.records import CameBack, Closed, Opened, SatDown, Started, StoodUp, WentAway, is_astray
from ludoteca.journal.records import decode as decode_record

_SUM_BYTES = 4
# Most records are moves, which change nothing here: these need not even be read. No text of a player can look
# like this, because quotation marks within one are written otherwise.
_MOVE = b'"input":{"type":"Acted"'


class Place(NamedTuple):
    """A taken chair: its record, the how-manieth it was, and whether its player is gone (for good)."""

    sat: SatDown
    came: int
    left: bool
    gave_up: bool


class Slip(msgspec.Struct, frozen=True):
    """`came` counts those who became ready."""

    opened: Opened
    opened_ms: int
    phase: Phase
    came: int
    places: tuple[Place, ...]

    def lay(self, course: Course) -> None:
        """Put on a table what is known of it."""
        course.phase, course.came = self.phase, self.came
        for sat, came, left, gave_up in self.places:
            chair = course.chairs[sat.seat] = Chair(sat.protocol, sat.key, sat.bot)
            chair.take(sat)
            chair.came, chair.left, chair.gave_up = came, left, gave_up


def slip_of(course: Course, opened_ms: int) -> Slip:
    """What lasts of a table at this moment, apart from its match."""
    places = (
        # A chair that was given up without the rules being told is not, for those who come after a restart.
        Place(chair.record(seat), chair.came, chair.left, chair.left and chair.gave_up)
        for seat, chair in course.taken()
        if chair.ready
    )
    return Slip(course.opened, opened_ms, course.phase, course.came, tuple(places))


def slip_from(lines: list[bytes]) -> Slip | None:
    """The slip of a table that was written without one, from all its records, of which none is executed; None
    where they do not say what it must be."""
    opened: Opened | None = None
    phase: Phase = "open"
    opened_ms = came = 0
    places: dict[int, Place] = {}
    try:
        for number, line in enumerate(lines, 1):
            if _MOVE in line:
                continue
            record = decode_record(line)[0]
            match record.input:
                case Opened() as opened:
                    opened_ms = record.at_ms
                case Started():
                    phase = "playing"
                case SatDown() if is_astray(lines, number):
                    return None
                case SatDown(seat=seat) as sat:
                    if seat not in places:
                        came += 1
                        places[seat] = Place(sat, came, left=False, gave_up=False)
                    places[seat] = places[seat]._replace(sat=sat)
                case StoodUp(seat=seat):
                    places.pop(seat, None)
                case WentAway(seat=seat, for_good=for_good):
                    places[seat] = places[seat]._replace(left=True, gave_up=for_good)
                case CameBack(seat=seat):
                    places[seat] = places[seat]._replace(left=False, gave_up=False)
                case Closed():
                    return None
    except (JournalError, KeyError):
        return None
    if opened is None:
        return None
    return Slip(opened, opened_ms, phase, came, tuple(places[seat] for seat in sorted(places)))


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Slip).decode


def encode(slip: Slip) -> bytes:
    """A slip as it is stored."""
    body = _encode(slip)
    return crc32(body).to_bytes(_SUM_BYTES) + body


def decode(stored: bytes) -> Slip | None:
    """A slip as it was stored; None for anything else."""
    body = stored[_SUM_BYTES:]
    if crc32(body).to_bytes(_SUM_BYTES) != stored[:_SUM_BYTES]:
        return None
    try:
        return _decode(body)
    except msgspec.DecodeError:
        return None
