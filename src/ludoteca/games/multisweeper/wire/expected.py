"""The lines of a client, and when it may say which, as data."""

import re
from enum import StrEnum
from typing import ClassVar

import msgspec

NAME_LENGTH_MAX = 32
# A11: the windowed client of the original shows names as HTML and finds these words anywhere in a line.
NAME_NEVER = ("<", ">", "&", "multisweeper v1", "num_players")

# More than one blank and leading zeros are tolerated, and the CR that Lines takes away; nothing else is.
_CLICK = re.compile(rb"click +0*([0-9]{1,4}) +0*([0-9]{1,4})")


class Hello(msgspec.Struct, frozen=True):
    """I want to play."""

    form: ClassVar[str] = "multisweeper client v1"


class PingHello(msgspec.Struct, frozen=True):
    """Are you there?"""

    form: ClassVar[str] = "multisweeper client v1 ping"


class Name(msgspec.Struct, frozen=True):
    """I am called so."""

    form: ClassVar[str] = "name NICKNAME"
    name: str


class ClickLine(msgspec.Struct, frozen=True):
    """I open this cell, which may not be on the board."""

    form: ClassVar[str] = "click X Y"
    column: int
    row: int


Line = Hello | PingHello | Name | ClickLine


class Stage(StrEnum):
    """Where a client stands; the words are those of the protocol's page."""

    GREETED = "was greeted"
    NAMELESS = "has said hello"
    WAITING = "waits for others, or for its turn"
    ON_TURN = "is on turn"
    SPECTATOR = "is out, and looks on"
    CLOSED = "was told the end"


ALWAYS: set[type] = set()
EXPECTED: dict[Stage, set[type]] = {
    Stage.GREETED: {Hello, PingHello},
    Stage.NAMELESS: {Name},
    Stage.WAITING: set(),
    Stage.ON_TURN: {ClickLine},
    Stage.SPECTATOR: set(),
    Stage.CLOSED: set(),
}

_HELLO, _PING = Hello.form.encode(), PingHello.form.encode()


def read(line: bytes) -> Line | None:
    """What a client says; None when it is no line of this protocol."""
    # The most frequent first.
    click = _CLICK.fullmatch(line)
    if click is not None:
        return ClickLine(int(click[1]), int(click[2]))
    if line == _HELLO:
        return Hello()
    if line == _PING:
        return PingHello()
    name = _name_in(line)
    return Name(name) if name else None


def _name_in(line: bytes) -> str:
    """The nickname in a name line, blanks and all; "" when it is none, or not one we can
    show to everybody (A11)."""
    try:
        text = line.decode()
    except UnicodeDecodeError:
        return ""
    name = text.removeprefix("name ")
    if name == text or not name.strip() or len(name) > NAME_LENGTH_MAX or not name.isprintable():
        return ""
    return "" if any(never in name for never in NAME_NEVER) else name
