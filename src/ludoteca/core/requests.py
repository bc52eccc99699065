"""What a connection can want from the house, whatever protocol it speaks."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

Absence = Literal["end", "wait", "bot"]
# Which tables to list: all, those that wait for players, or those that are being played at.
Show = Literal["all", "open", "playing"]
# So many tables are listed at once, and so many where nothing else is wanted.
LISTED_MAX, LISTED = 500, 100


class _Request(msgspec.Struct, frozen=True, tag=True, gc=False):
    pass


class Terms(msgspec.Struct, frozen=True):
    """What a table agrees on beside the game's own options.

    `absence` says what happens when a player's connection is lost: "end" applies the game's rule for a lost
    player at once (most seeds end the match; Renaissance skips the absent), "wait" does so after `grace_s`
    seconds, "bot" lets a bot hold the chair. `move_s` limits the time for one decision, 0 means no limit;
    who exceeds it counts as having left.
    """

    absence: Absence = "wait"
    grace_s: float = 120.0
    move_s: float = 0.0
    private: bool = False


class WantedTerms(Terms, frozen=True):
    """Terms as a client may ask for them, within bounds.

    Records keep plain terms, so that those of old tables are read.
    """

    grace_s: Annotated[float, Meta(ge=0, le=30 * 24 * 3600)] = 120.0
    move_s: Annotated[float, Meta(ge=0, le=30 * 24 * 3600)] = 0.0


class Reply(_Request, frozen=True):
    """Send these bytes straight back. It asks the house for nothing: a conversation answers so what needs no
    house, and keeps its place among the requests around it."""

    data: bytes


class Enter(_Request, frozen=True):
    """Be known by this nickname. A seat left under it by the same protocol is taken again.

    With `distinct` false the name does not identify anybody on the wire (Multisweeper): when it is taken, the
    house keeps the guest under a variation of it ("Ada 2"), and the name as given stays what that wire shows.
    A name that is taken is given to who holds it already, which the token of a seat under it shows.
    """

    name: str
    distinct: bool = True
    tokens: tuple[str, ...] = ()


class Unlock(_Request, frozen=True):
    """Show the key that this house gave me: I may come in where not everybody may.

    With `greet` I say no name, and want to hear that I am in.
    """

    key: str
    greet: bool = False


class Report(_Request, frozen=True):
    """Tell the host about a person at my table."""

    name: str
    text: str = ""


class Seek(_Request, frozen=True):
    """Sit down at the oldest open public table of this game, wherever it was opened.

    When there is none: with `otherwise`, open that; without, the guest is told `Opening` and must `Open` one.
    While somebody is choosing, later seekers wait and are seated when the table is open.
    """

    game: str
    otherwise: "Open | None" = None
    preference: Any = None


class Open(_Request, frozen=True):
    """Open a table and sit down at it. `seats` 0 means the operator's default; `label` is its public name."""

    game: str
    seats: int = 0
    options: Any = None
    terms: Terms | None = None
    label: str = ""
    preference: Any = None


class Join(_Request, frozen=True):
    """Sit down at this table; a free chair is chosen when none is named.

    `table` is its id or, when `game` is given, the label of a table of that game.
    """

    table: str
    game: str = ""
    seat: int | None = None
    preference: Any = None


class Ready(_Request, frozen=True):
    """My seat is complete: named, and with this preference. The match starts when all seats are ready."""

    preference: Any = None


class Watch(_Request, frozen=True):
    """Look on at a table without a seat, from record number `since` on."""

    table: str
    since: int = 0


class Return(_Request, frozen=True):
    """Take my seat again with its token; whatever happened after record number `since` is told again."""

    table: str
    token: str
    since: int = 0


class AddBot(_Request, frozen=True):
    """Seat a bot at the table I sit at; `level` names one of the game's bots, "" the strongest."""

    level: str = ""
    seat: int | None = None


class Act(_Request, frozen=True):
    """Answer the pending question; several actions are one decision, taken whole or not at all.

    `at` is the number the question came with: an answer to an older question is declined as stale.
    """

    actions: tuple[Any, ...]
    at: int | None = None


class Hint(_Request, frozen=True):
    """Have a bot say what it would do in my place; only where all others are bots."""

    at: int | None = None


class Why(_Request, frozen=True):
    """Say why the last of these actions, which would be one decision, is not legal."""

    actions: tuple[Any, ...]
    at: int | None = None


class Decisive(_Request, frozen=True):
    """Say which move decided a match that is over."""

    table: str


class Continue(_Request, frozen=True):
    """Play on a match that was broken off, from where it stood, with bots in the others' places.

    `token` is that of the seat I had; `level` is that of bots in the place of people, "" the strongest.
    """

    table: str
    token: str
    level: str = ""


class Say(_Request, frozen=True):
    """Say something to everybody at the table, or to one of its players."""

    text: str
    to: str | None = None


class Leave(_Request, frozen=True):
    """Give up the seat for good, with the consequences that the rules have; or stop watching.

    `reason` is told to the others when it is not a matter of course ("it broke the protocol"). With `name`
    the nickname is given up, too: the connection stays, and may enter anew.
    """

    reason: str = ""
    name: bool = False


class Rematch(_Request, frozen=True):
    """Play again with the same people; the new table opens when all who are still here agree."""


class List(_Request, frozen=True):
    """Tell me `count` of the tables, of one game or of all, from the place `after` on.

    With `label` only those of this name, with `mine` only those where I have a seat.
    """

    game: str = ""
    show: Show = "all"
    after: str = ""
    count: int = LISTED
    label: str = ""
    mine: bool = False


class Look(_Request, frozen=True):
    """Tell me what there is in the lobby, or of one table, and from now on what changes there; or, to a host,
    that something has changed in the house."""

    game: str = ""
    show: Show = "all"
    table: str = ""
    house: bool = False


class Unlook(_Request, frozen=True):
    """That is enough."""


class Beat(_Request, frozen=True):
    """Nothing but a sign of life, from somebody who is still looking around."""


Request = (
    Reply
    | Unlock
    | Enter
    | Seek
    | Open
    | Join
    | Ready
    | Watch
    | Return
    | AddBot
    | Act
    | Hint
    | Why
    | Decisive
    | Continue
    | Say
    | Report
    | Leave
    | Rematch
    | List
    | Look
    | Unlook
    | Beat
)
