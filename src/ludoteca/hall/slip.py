"""A slip: what the house must know of a table before it is back after a restart, to list it and to know whose
names and seats it keeps.

It is written with each record that changes it, which no move does. The records decide: one that cannot be
read is none, and what it says is compared when the table is back.
"""

from typing import NamedTuple
from zlib import crc32

import msgspec

from ludoteca.core.notices import Phase
from ludoteca.hall.chair import Chair
from ludoteca.hall.course import Course
from ludoteca.journal.records import Opened, SatDown

_SUM_BYTES = 4


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
