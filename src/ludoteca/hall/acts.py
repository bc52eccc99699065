"""What a host can do, as records: the page, REST and `ludoteca admin` send the same ones. And what the log of
the house keeps of it, which is also all that it knows about bans, invitations, keys and reports."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

Role = Literal["guest", "member", "host"]
DoorKind = Literal["open", "password", "invitation"]
# What those without a key may do where the door is not open.
Guests = Literal["out", "watch"]
# No new tables: until somebody says otherwise, or until nobody plays, and then the house ends.
Drained = Literal["wait", "stop"]

Text = Annotated[str, Meta(min_length=1, max_length=500)]
Reason = Annotated[str, Meta(max_length=200)]
Label = Annotated[str, Meta(max_length=64)]
Id = Annotated[int, Meta(ge=1, le=2**53)]
# How long something holds; 0 is for good.
Seconds = Annotated[int, Meta(ge=0, le=10 * 366 * 24 * 3600)]
HOUR_S, DAY_S = 3600, 24 * 3600


class _Act(msgspec.Struct, frozen=True, tag_field="type", tag=str.lower, forbid_unknown_fields=True):
    pass


class Came(msgspec.Struct, frozen=True):
    """How somebody came in whom the house calls otherwise, since another one had the name."""

    name: str
    protocol: str
    address: str


class Say(_Act, frozen=True):
    """Say something to everybody."""

    text: Text


class Mute(_Act, frozen=True):
    """Nobody hears this person at any table. `came` is added by the house, here and below."""

    name: Annotated[str, Meta(min_length=1, max_length=64)]
    seconds: Seconds = HOUR_S
    reason: Reason = ""
    came: tuple[Came, ...] = ()


class Out(_Act, frozen=True):
    """Turn somebody out: the connection is closed, and the name stays out for a while."""

    name: Annotated[str, Meta(min_length=1, max_length=64)]
    seconds: Seconds = 600
    reason: Reason = ""
    came: tuple[Came, ...] = ()


class Ban(_Act, frozen=True):
    """Keep a name, or an address or network, out of the house."""

    name: Label = ""
    address: Annotated[str, Meta(max_length=64)] = ""
    seconds: Seconds = 0
    reason: Reason = ""
    came: tuple[Came, ...] = ()


class Lift(_Act, frozen=True):
    """Let in again, or hear again: `id` is that of the ban or mute."""

    id: Id


class Close(_Act, frozen=True):
    """Close a table; a match is broken off."""

    table: Annotated[str, Meta(max_length=64)]
    reason: Reason = ""


class Drain(_Act, frozen=True):
    """No new tables."""

    then: Drained = "wait"


class Resume(_Act, frozen=True):
    """New tables again."""


class Door(_Act, frozen=True):
    """Change who may come in; what is null stays as it is.

    `password` is the house's: the shell hands it on as a hash. `names` may come in by protocols that cannot
    carry a key.
    """

    door: DoorKind | None = None
    guests: Guests | None = None
    password: Annotated[str, Meta(max_length=200)] | None = None
    names: Annotated[tuple[Label, ...], Meta(max_length=1000)] | None = None


class Invite(_Act, frozen=True):
    """Make a link by which so many (0: any number) come in, each with a key of their own from then on."""

    label: Label = ""
    role: Literal["member", "host"] = "member"
    uses: Annotated[int, Meta(ge=0, le=10_000)] = 1
    seconds: Seconds = 7 * DAY_S


class Give(_Act, frozen=True):
    """Make a key, for a program that cannot follow a link."""

    label: Label = ""
    role: Literal["member", "host"] = "member"
    seconds: Seconds = 365 * DAY_S


class Withdraw(_Act, frozen=True):
    """An invitation or a key is worth nothing any more."""

    id: Id


class Settle(_Act, frozen=True):
    """A report has been seen to."""

    id: Id


class Backup(_Act, frozen=True):
    """Make a copy of the house, in the folder for copies."""


class Verify(_Act, frozen=True):
    """Execute every stored match again and compare it with what was written down."""


class Prune(_Act, frozen=True):
    """Remove finished matches, and what nobody needs of the log, that are older than so many days: not less
    than a month, so that no host can do away with what was done today."""

    days: Annotated[int, Meta(ge=30, le=36500)]


# What takes a while and is done beside the house.
Work = Backup | Verify | Prune

Act = Say | Mute | Out | Ban | Lift | Close | Drain | Resume | Door | Invite | Give | Withdraw | Settle | Work


class Invited(_Act, frozen=True):
    """An invitation was made; of its token only the digest is kept."""

    label: str
    role: Literal["member", "host"]
    uses: int
    seconds: int
    digest: str


class Admitted(_Act, frozen=True):
    """Somebody was given a key, by a host, for an invitation (`via` is its id), or for the password."""

    label: str
    role: Literal["member", "host"]
    seconds: int
    digest: str
    via: int = 0


class Line(msgspec.Struct, frozen=True):
    """What somebody said at a table, publicly or to the one who reports it."""

    name: str
    text: str


class Reported(_Act, frozen=True):
    """Somebody complained about a person at the same table; `lines` are the last that the former heard."""

    name: str
    about: str
    table: str
    game: str
    text: str
    lines: tuple[Line, ...] = ()


# What the log keeps: an act as it was sent, unless it has something in it that nobody may read again.
Fact = (
    Say
    | Mute
    | Out
    | Ban
    | Lift
    | Close
    | Drain
    | Resume
    | Door
    | Invited
    | Admitted
    | Withdraw
    | Settle
    | Reported
    | Work
)


class Deed(msgspec.Struct, frozen=True):
    """One line of the log: `by` is who did it, "" the house itself or a player."""

    number: int
    at_ms: int
    by: str
    did: Fact


class Done(msgspec.Struct, frozen=True):
    """An act was carried out and is in the log under this number, which is the id of what it made.

    `token` is that of an invitation or key: it is told once.
    """

    number: int
    token: str = ""
