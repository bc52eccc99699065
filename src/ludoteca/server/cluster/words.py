"""What gates and the hall say to each other, as JSON lines.

Requests and notices are those of `core`. What in them is a game's own (actions, events, views, options) comes
as plain JSON and is understood here again as the game's types, which both sides know.
"""

from functools import cache
from types import GenericAlias
from typing import Any

import msgspec

from ludoteca import games
from ludoteca.core import Game, Notice, Outcome, Question, Request
from ludoteca.core.converting import convert
from ludoteca.core.notices import (
    Asked,
    Declined,
    Happened,
    Listed,
    Over,
    Sat,
    Seated,
    Shown,
    Sitter,
    Stood,
    TableInfo,
    Tables,
)
from ludoteca.core.requests import Act, Hint, Leave, Rematch, Say, Why


class _Word(msgspec.Struct, frozen=True, tag=True, omit_defaults=True, gc=False):
    pass


# From a gate.


class Join(_Word, frozen=True):
    """Here is a gate: always the first, and later where there is nothing else to say."""


class Come(_Word, frozen=True):
    """Somebody has come in by this listener, and shows this key. Whoever was with another hall before wants
    to be where they were: by `wants` or, after `since`, by the `token` of a seat at a `table`; at the desk
    with the name of the room `where` that table is, and the seat there. With `there` it is said when all of
    it has been told."""

    guest: int
    protocol: str
    address: str
    claim: str
    wants: tuple[Request, ...] = ()
    name: str = ""
    table: str = ""
    token: str = ""
    since: int = 0
    where: str = ""
    there: bool = False
    seat: int | None = None


class Want(_Word, frozen=True):
    """A guest wants this."""

    guest: int
    requests: tuple[Request, ...]


class Left(_Word, frozen=True):
    """A guest's connection has ended."""

    guest: int


class Rose(_Word, frozen=True):
    """At this table, which is in a room, the match is over; or a guest is there no more, `named` so that the
    own name is given up as well; or the room has `declined` to take a guest in, who is `called` as before.
    """

    guest: int
    table: str
    over: bool = False
    named: bool = False
    declined: bool = False
    called: str = ""


class Ask(_Word, frozen=True):
    """A request over HTTP from this address, whole."""

    number: int
    address: str
    data: bytes


# From the hall.


class Tell(_Word, frozen=True):
    """A guest is told this; `waits` is whether it waits for other people, where it has no name."""

    guest: int
    notices: tuple[msgspec.Raw, ...]
    waits: bool = False


class Pause(_Word, frozen=True):
    """Take in no more requests of a guest, or go on to."""

    guest: int
    paused: bool


class Finish(_Word, frozen=True):
    """Nothing more is said to a guest."""

    guest: int


class Go(_Word, frozen=True):
    """A guest's table is in this room now, or where the desk is (""); or that hall is to do this, at this
    table."""

    guest: int
    where: str
    want: Request | None = None
    table: str = ""


class There(_Word, frozen=True):
    """A guest who came has been told all that there is."""

    guest: int


class Missed(_Word, frozen=True):
    """A guest wanted this of a table that is not here (any more): nothing was done. Without requests it is so
    for all that has not been told of: the table was lost."""

    guest: int
    requests: tuple[Request, ...]


class Answer(_Word, frozen=True):
    """A part of the answer over HTTP."""

    number: int
    data: bytes
    more: bool = False


class Here(msgspec.Struct, frozen=True):
    """Who has the hall, said again and again: since which epoch, and where to speak to it. `leaves`: it has
    it no more. `trouble` is why it cannot store what people do."""

    epoch: int
    subject: str
    leaves: bool = False
    trouble: str = ""


FromGate = Join | Come | Want | Left | Rose | Ask
FromHall = Tell | Pause | Finish | Go | There | Missed | Answer

# What is wanted of a table, and therefore of the hall that has its match.
AT_TABLE = (Act, Hint, Leave, Rematch, Say, Why)


def hall_subject(name: str, which: int | str) -> str:
    """Where a hall is spoken to: that of the desk by its epoch, a room by the life of its node."""
    return f"ludoteca-hall.{name}.{which}"


encode = msgspec.json.Encoder().encode
decode_gate = msgspec.json.Decoder(FromGate).decode
decode_hall = msgspec.json.Decoder(FromHall).decode
decode_here = msgspec.json.Decoder(Here).decode
_decode_notice: Any = msgspec.json.Decoder(Notice).decode


@cache
def _several(kind: Any) -> Any:
    return GenericAlias(tuple, (kind, ...))


def wanted(request: Request, game: Game | None) -> Request:
    """A request with the actions of the game that its guest is at."""
    if game is not None and isinstance(request, Act | Why):
        actions = convert(request.actions, _several(game.actions))
        return msgspec.structs.replace(request, actions=actions)
    return request


def written(notice: Notice) -> bytes:
    """A notice on its way to a gate."""
    if isinstance(notice, Asked):
        # Choices may be anything that can be counted and looked at.
        question = Question(notice.question.kind, tuple(notice.question.choices))
        notice = Asked(notice.number, question, notice.again)
    return encode(notice)


def read(data: msgspec.Raw, game: Game | None) -> Notice:
    """A notice as the hall meant it, to somebody who is at a table of this game."""
    notice: Notice = _decode_notice(data)
    match notice:
        case Happened(number, events) if game is not None:
            return Happened(number, convert(events, _several(game.events)))
        case Asked(number, question, again) if game is not None:
            choices = convert(question["choices"], _several(game.actions))
            return Asked(number, Question(question["kind"], choices), again)
        case Shown(number, view) if game is not None:
            return Shown(number, convert(view, game.views))
        case Seated():
            return msgspec.structs.replace(notice, table=_table(notice.table))
        case Sat(seat, sitter) if game is not None:
            return Sat(seat, _sitter(sitter, game))
        case Stood(seat, sitter, back) if game is not None:
            return Stood(seat, _sitter(sitter, game), back)
        case Tables():
            tables = tuple(Listed(_table(one.info), one.data) for one in notice.tables)
            return Tables(tables, notice.more)
        case Over(outcome):
            return Over(convert(outcome, Outcome))
        case Declined(request, reason, code):
            meant = wanted(convert(request, Request), game)
            return Declined(meant, reason, code)
        case _:
            return notice


def _table(table: TableInfo) -> TableInfo:
    game = games.load(table.game)
    chairs = tuple(None if chair is None else _sitter(chair, game) for chair in table.chairs)
    options = convert(table.options, game.options)
    return msgspec.structs.replace(table, chairs=chairs, options=options)


def _sitter(sitter: Sitter, game: Game) -> Sitter:
    if sitter.preference is None:
        return sitter
    return msgspec.structs.replace(sitter, preference=convert(sitter.preference, game.preferences))
