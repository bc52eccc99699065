"""The messages of Ludoteca's own protocol. Their types are the validator, the encoder and the JSON Schema."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from ludoteca.core import Outcome

# What a client is told just as the hall tells it has one record for both.
from ludoteca.core.notices import Announced as Announced
from ludoteca.core.notices import Clock as Clock
from ludoteca.core.notices import Counts, GameRecord, TableInfo
from ludoteca.core.notices import Decided as Decided
from ludoteca.core.notices import Gone as Gone
from ludoteca.core.notices import Hinted as Hinted
from ludoteca.core.notices import Left as Left
from ludoteca.core.notices import Noted as Noted
from ludoteca.core.notices import Reasoned as Reasoned
from ludoteca.core.notices import Returned as Returned
from ludoteca.core.notices import Said as Said
from ludoteca.core.notices import Sat as Sat
from ludoteca.core.notices import Seated as Seated
from ludoteca.core.notices import Trouble as Trouble
from ludoteca.core.notices import Wanted as Wanted
from ludoteca.core.requests import LISTED, LISTED_MAX, Show, WantedTerms

PROTOCOL_VERSION = 1

Name = Annotated[str, Meta(min_length=1, max_length=64)]
Number = Annotated[int, Meta(ge=0, le=2**53)]
SeatNumber = Annotated[int, Meta(ge=0, le=63)]
# Whoever sits at more tables shows some of them.
TOKENS_MAX = 16
Token = Annotated[str, Meta(max_length=64)]
# A record of the game's own; its shape is in the schema of that game.
OfGame = Annotated[Any, Meta(description="a record of the game's own, see the game's schema")]


class _FromClient(msgspec.Struct, frozen=True, tag_field="type", tag=str.lower, forbid_unknown_fields=False):
    pass


class _FromServer(msgspec.Struct, frozen=True, tag_field="type", tag=str.lower):
    pass


# From the client.


class Hello(_FromClient, frozen=True):
    """Say who you are; first of all. `follow` "views" adds the whole view to every message of events, for
    clients that do not want to follow the events themselves; questions with more than `options_max` options
    come without the list. `tokens` are those of seats that you hold under this name: they show that it is
    yours, for another table beside them. `key` is what this house gave you, where not everybody may come
    in."""

    name: Name = ""
    follow: Literal["events", "views"] = "events"
    options_max: Annotated[int, Meta(ge=0, le=1000)] = 64
    tokens: Annotated[tuple[Token, ...], Meta(max_length=TOKENS_MAX)] = ()
    key: Token = ""


class List(_FromClient, frozen=True):
    """Ask for the public tables, of one game or of all: those that wait for players first, then those being
    played at, each oldest first. `show` takes one kind alone, `label` those of this name, `mine` those
    where somebody of my name has a seat, private ones too. `after` is the `more` of the list before."""

    game: Annotated[str, Meta(max_length=64)] = ""
    show: Show = "all"
    after: Annotated[str, Meta(max_length=64)] = ""
    count: Annotated[int, Meta(ge=1, le=LISTED_MAX)] = LISTED
    label: Annotated[str, Meta(max_length=64)] = ""
    mine: bool = False


class Look(_FromClient, frozen=True):
    """Look at the lobby, at one game's part of it, or at one table: you are told what there is and, until
    `unlook`, at most once a second what has changed. Whoever looks again looks elsewhere. With `house` a host
    is told when there is something new to ask for over REST (`counts.house`), and of no table."""

    game: Annotated[str, Meta(max_length=64)] = ""
    show: Show = "all"
    table: Annotated[str, Meta(max_length=64)] = ""
    house: bool = False


class Unlook(_FromClient, frozen=True):
    """Look no more."""


class Open(_FromClient, frozen=True):
    """Open a table and sit down at it. What is left out is the game's default."""

    game: str
    seats: Annotated[int, Meta(ge=0, le=64)] = 0
    options: OfGame = None
    terms: WantedTerms | None = None
    label: Annotated[str, Meta(max_length=64)] = ""
    preference: OfGame = None


class Seek(_FromClient, frozen=True):
    """Sit down at the oldest open public table of a game; a new one is opened when there is none."""

    game: str
    preference: OfGame = None


class Sit(_FromClient, frozen=True):
    """Sit down at a table."""

    table: str
    seat: SeatNumber | None = None
    preference: OfGame = None


class Bot(_FromClient, frozen=True):
    """Seat a bot at my table; `level` is one that the game lists, "" the strongest."""

    level: str = ""
    seat: SeatNumber | None = None


class Watch(_FromClient, frozen=True):
    """Look on at a table; with `since`, only what happened after that number is told."""

    table: str
    since: Number = 0


class Return(_FromClient, frozen=True):
    """Take my seat again, in place of hello.

    What happened after number `since` follows, once and in order.
    """

    token: str
    table: str = ""
    since: Number = 0
    follow: Literal["events", "views"] = "events"
    options_max: Annotated[int, Meta(ge=0, le=1000)] = 64


class Act(_FromClient, frozen=True):
    """Answer the pending question: one action, or several that are one decision. `at` is the
    question's number; an answer to an older question is declined as stale, so that sending again after
    a lost connection is safe."""

    action: OfGame = None
    actions: Annotated[list[GameRecord], Meta(max_length=64)] = []
    at: Number | None = None


class Hint(_FromClient, frozen=True):
    """Ask what the game's strongest bot would answer to the pending question, or to the one numbered `at`;
    only where all others are bots."""

    at: Number | None = None


class Why(_FromClient, frozen=True):
    """Ask why an action is not legal; or the last of several that would be one decision."""

    action: OfGame = None
    actions: Annotated[list[GameRecord], Meta(max_length=16)] = []
    at: Number | None = None


class Decisive(_FromClient, frozen=True):
    """Ask which move decided a match that is over."""

    table: Name


class Continue(_FromClient, frozen=True):
    """Play on a match that was broken off less than a week ago, at a new table, with bots in the others'
    places; `token` is that of your seat there, `level` that of the bots, "" the strongest."""

    table: Name
    token: Annotated[str, Meta(max_length=64)]
    level: str = ""


class Options(_FromClient, frozen=True):
    """Ask for a part of the pending question's options, when they were too many to be sent."""

    start: Number = 0
    count: Annotated[int, Meta(ge=1, le=1000)] = 1000


class Say(_FromClient, frozen=True):
    """Say something to all at the table, or to the player called `to`."""

    text: Annotated[str, Meta(max_length=2000)]
    to: str | None = None


class Report(_FromClient, frozen=True):
    """Tell the host about a person at your table, who does not hear of it; the last lines that you have heard
    there go with it."""

    name: Name
    text: Annotated[str, Meta(max_length=500)] = ""


class Leave(_FromClient, frozen=True):
    """Get up from the table for good."""


class Rematch(_FromClient, frozen=True):
    """Play again with the same people."""


class Ping(_FromClient, frozen=True):
    """Answered by pong, for clients that want to know whether the line stands."""


FromClient = (
    Hello
    | List
    | Look
    | Unlook
    | Open
    | Seek
    | Sit
    | Bot
    | Watch
    | Return
    | Act
    | Hint
    | Why
    | Decisive
    | Continue
    | Options
    | Say
    | Report
    | Leave
    | Rematch
    | Ping
)


# From the server.


class Welcome(_FromServer, frozen=True):
    """You are in, under this name."""

    name: str
    protocol: int = PROTOCOL_VERSION


class Tables(_FromServer, frozen=True, omit_defaults=True):
    """The tables asked for; with `more`, the list goes on after that place."""

    tables: tuple[TableInfo, ...]
    more: str = ""


class Finished(msgspec.Struct, frozen=True):
    """A match that is over; no `outcome` where the table was given up."""

    table: TableInfo
    outcome: Outcome | None
    closed_ms: int


More = Annotated[
    dict[str, str],
    Meta(
        description="by phase, the place after which a list goes on, where there are more tables than shown"
    ),
]


class Lobby(_FromServer, frozen=True):
    """What there is to see where you look, in place of all that you were told before: the first 50 tables of
    each phase and the eight matches that ended last. `counts` are of all tables of that game."""

    game: str
    show: Show
    table: str
    tables: tuple[TableInfo, ...]
    finished: tuple[Finished, ...]
    counts: Counts
    more: More


class Changes(_FromServer, frozen=True):
    """What has changed where you look: `tables` are new or other than they were, those that are `gone` are
    not to be seen any more, `finished` matches ended since, newest first."""

    tables: tuple[TableInfo, ...]
    gone: tuple[str, ...]
    finished: tuple[Finished, ...]
    counts: Counts
    more: More


class Stood(_FromServer, frozen=True):
    """A chair is free again."""

    seat: int
    name: str


Hues = Annotated[
    tuple[str, ...],
    Meta(
        description="by seat, the colour that the game gives to a player's pieces, one of the sixteen of "
        'terminals ("red", "bright blue"), empty for none yet; left out where the game gives none'
    ),
]


class View(_FromServer, frozen=True):
    """All you may know, as of this number."""

    number: int
    view: OfGame
    hues: Hues | msgspec.UnsetType = msgspec.UNSET


class Events(_FromServer, frozen=True):
    """What happened, as you may know it; with the view after it for those who follow views."""

    number: int
    events: tuple[GameRecord, ...]
    view: OfGame | msgspec.UnsetType = msgspec.UNSET
    hues: Hues | msgspec.UnsetType = msgspec.UNSET


class Question(_FromServer, frozen=True):
    """It is yours to decide. `options` is left out when there are more than you wanted to be sent.
    `proposal`, where there is one, is a whole decision that most would take: send it back as `actions`, or
    decide otherwise."""

    number: int
    kind: str
    count: int
    options: tuple[GameRecord, ...] | msgspec.UnsetType = msgspec.UNSET
    again: bool = False
    proposal: tuple[GameRecord, ...] | msgspec.UnsetType = msgspec.UNSET


class OptionList(_FromServer, frozen=True, tag="options"):
    """A part of the pending question's options."""

    number: int
    start: int
    count: int
    options: tuple[GameRecord, ...]


class Declined(_FromServer, frozen=True):
    """A request was not carried out, and nothing has changed. `code` is for programs, `reason` for people."""

    request: str
    code: str
    reason: str


class Over(_FromServer, frozen=True):
    """The match has ended. `ranks` by seat, 1 for winners, empty when it was broken off."""

    ranks: tuple[int, ...]
    winners: tuple[int, ...]
    reason: str
    scores: dict[str, tuple[int, ...]]


class Pong(_FromServer, frozen=True):
    """The answer to ping."""


FromServer = (
    Welcome
    | Tables
    | Lobby
    | Changes
    | Seated
    | Sat
    | Stood
    | View
    | Events
    | Question
    | OptionList
    | Hinted
    | Reasoned
    | Decided
    | Declined
    | Said
    | Announced
    | Noted
    | Left
    | Returned
    | Clock
    | Over
    | Wanted
    | Gone
    | Trouble
    | Pong
)
