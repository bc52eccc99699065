"""What the house tells a connection, whatever protocol it speaks."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from ludoteca.core.requests import Show, Terms
from ludoteca.core.why import Reason

Phase = Literal["open", "playing", "over"]
# An action or an event of some game, told apart by its type.
GameRecord = Annotated[
    Any,
    Meta(
        description="an action or an event of the game's own, see the game's schema",
        extra_json_schema={"properties": {"type": {"type": "string"}}, "required": ["type"]},
    ),
]


class _Notice(msgspec.Struct, frozen=True, tag_field="type", tag=str.lower, gc=False):
    """Named as Ludoteca's own protocol names its messages: most notices are sent there as they are."""


class Sitter(msgspec.Struct, frozen=True):
    """Who sits on a chair.

    `name` is unique in the house; `given` is the name as it was typed; `protocol` is how the player came
    ("house", a game's name, "bot"). `ready` is false while name or preference are still asked for, and
    `here` while no connection stands behind the chair. `came` counts those who became ready at this table,
    from 1 (0: not yet).
    """

    name: str
    given: str
    protocol: str
    bot: str = ""
    ready: bool = True
    here: bool = True
    preference: Any = None
    came: int = 0


class TableInfo(msgspec.Struct, frozen=True):
    """A table as the hall lists it. `chairs` has one entry for each seat, None for a free one."""

    id: str
    game: str
    label: str
    phase: Phase
    chairs: tuple[Sitter | None, ...]
    options: Any
    terms: Terms
    opened_ms: int
    watchers: int = 0

    @property
    def names(self) -> tuple[str, ...]:
        """The players by seat, "" where a chair is free or not yet named."""
        return tuple(chair.name if chair else "" for chair in self.chairs)


class Listed(msgspec.Struct, frozen=True, gc=False):
    """A table as it is listed, and that as JSON: encoded once for all who are told of it."""

    info: TableInfo
    data: msgspec.Raw


class Counts(msgspec.Struct, frozen=True):
    """How many tables there are in each phase, and how many sit at them and are there.

    `house` is for hosts who look at the house: it is another one when there is something new to see.
    """

    open: int = 0
    playing: int = 0
    over: int = 0
    people: int = 0
    bots: int = 0
    house: int | msgspec.UnsetType = msgspec.UNSET


class Entered(_Notice, frozen=True):
    """You are known by this name."""

    name: str


class Opening(_Notice, frozen=True):
    """Nobody has opened a table that you could join, and it is yours to open one: answer with `Open`.

    Whoever seeks the same game after you waits for that table.
    """


class Seated(_Notice, frozen=True):
    """You have a seat (or, with None, watch). Sent on sitting down, on returning and for a rematch.

    `token` takes the seat again after a lost connection. In a running match `Shown` follows, and `Asked`
    when it is your turn. `hints` is how many you had in this match, with whatever client.
    """

    table: TableInfo
    seat: int | None
    token: str = ""
    hints: int = 0


class Sat(_Notice, frozen=True):
    """Somebody sat down, or a chair's name or readiness changed. Also sent to the one concerned."""

    seat: int
    sitter: Sitter


class Stood(_Notice, frozen=True):
    """Somebody left an open table: the chair is free again.

    With `back` they went back to a match that waited for them.
    """

    seat: int
    sitter: Sitter
    back: bool = False


class Shown(_Notice, frozen=True):
    """All that you may know, after record `number`: at the start of the match and on returning to it."""

    number: int
    view: Any


class Happened(_Notice, frozen=True):
    """What one input brought about, as you may know it; `number` counts the table's records."""

    number: int
    events: tuple[Any, ...]


class Asked(_Notice, frozen=True):
    """It is yours to decide.

    `again` after a declined answer or a return; `number` goes back with the answer.
    """

    number: int
    question: Any
    again: bool = False


class Foreseen(msgspec.Struct, frozen=True):
    """What a seat would do; `text` is that in the words of the terminal."""

    seat: int
    action: GameRecord
    text: str


class Advice(msgspec.Struct, frozen=True):
    """An answer as bots judge it: how likely it wins (0 to 1), how it would probably go on, and why, in words
    of each language ("en", "it")."""

    action: GameRecord
    chance: float
    line: tuple[Foreseen, ...]
    words: dict[str, str]


class Hinted(_Notice, frozen=True, tag="hint"):
    """What a bot of this level would answer to the question under this number.

    `advice` are the best answers it compared, that one first; none where there was nothing to compare.
    `hints` is how many questions of this match you had hints for.
    """

    number: int
    level: str
    actions: tuple[GameRecord, ...]
    advice: tuple[Advice, ...] = ()
    hints: int = 0


class Reasoned(_Notice, frozen=True, tag="why"):
    """Why what you asked about is no answer to the question under this number; null where it is one."""

    number: int
    reason: Reason | None


Turning = Literal["lead", "away", "closer", "gift", "end"]


class Moment(msgspec.Struct, frozen=True, omit_defaults=True):
    """The move that decided a match. `number` counts the table's records, `move` the steps of its replay.

    `code` says how: by `lead` the winner came ahead, by `away` broke away, by `closer` came closer; `gift`
    is a lead that another one's move gave away, `end` the last move of a match that nobody has an opinion on.
    `seat` made the move, `winner` gained by it (None: nobody won). `before` and `after` are the winner's lead
    in the opinion of the game's bots, in a measure of the game's own. `words` say it in each language.
    `advice` is what they would have answered, by what that seat knew; none where that is what was done.
    """

    number: int
    move: int
    seat: int
    winner: int | None
    code: Turning
    before: float
    after: float
    words: dict[str, str]
    advice: tuple[Advice, ...] = ()


class Decided(_Notice, frozen=True, tag="decisive"):
    """Which move decided the match of a table; null where it was broken off."""

    table: str
    moment: Moment | None


class Declined(_Notice, frozen=True):
    """Your request was not carried out, and nothing has changed.

    An `Asked` with `again` follows if one is open.
    """

    request: Any
    reason: str
    code: str


class Said(_Notice, frozen=True):
    """Somebody said something; `to` names the only listener, None is everybody."""

    number: int
    name: str
    text: str
    to: str | None = None


class Announced(_Notice, frozen=True):
    """A host says this to everybody in the house."""

    text: str


class Noted(_Notice, frozen=True, tag="reported"):
    """Your report about this person is kept for the host."""

    name: str


# Why somebody is not there: the connection is lost and the seat kept for a while, or for as long as the table
# is (all others are bots); a bot holds the chair; the player is out, by leaving or staying away, by breaking
# the protocol, or because the time for a decision ran out.
LeftCode = Literal["lost", "waits", "stand-in", "left", "broke", "time"]
# Why a table or the house closes: nobody is there any more, it broke down, its seat was taken through another
# connection, a host has closed the table or turned you out, or the house closes.
GoneCode = Literal["deserted", "crashed", "elsewhere", "host", "out", "closing"]


class Left(_Notice, frozen=True):
    """A player's connection is lost (`grace_s` says how long the seat is kept), or, with `gone`, given up.

    `code` is for programs, `reason` for people.
    """

    seat: int
    name: str
    grace_s: float = 0.0
    gone: bool = False
    reason: str = ""
    code: LeftCode = "lost"


class Returned(_Notice, frozen=True):
    """A player is back."""

    seat: int
    name: str


class Clock(_Notice, frozen=True):
    """The time left for a seat's decision, in seconds."""

    seat: int
    left_s: float


class Over(_Notice, frozen=True):
    """The match has ended."""

    outcome: Any


class Wanted(_Notice, frozen=True, omit_defaults=True):
    """These seats want a rematch. Those who looked on hear at last which `table` it is played at."""

    seats: tuple[int, ...]
    table: str = ""


class Tables(_Notice, frozen=True):
    """The tables asked for: those that wait for players first, then those that are being played at, each
    oldest first. With `more` the list goes on after that place."""

    tables: tuple[Listed, ...]
    more: str = ""


class Lobby(_Notice, frozen=True):
    """What there is to see where you look: the first tables of each phase, the matches that ended last, and
    by phase the place after which the list goes on."""

    game: str
    show: Show
    table: str
    tables: tuple[Listed, ...]
    finished: tuple[msgspec.Raw, ...]
    counts: Counts
    more: dict[str, str]


class Changes(_Notice, frozen=True):
    """What has changed there since you were told last: tables that are new or other than they were, those
    that are `gone` from what you see, and matches that ended, newest first."""

    tables: tuple[Listed, ...]
    gone: tuple[str, ...]
    finished: tuple[msgspec.Raw, ...]
    counts: Counts
    more: dict[str, str]


class Gone(_Notice, frozen=True):
    """The table, or the whole house, closes: `reason` says why. You have no seat any more.

    With `back` the house means to return (a restart): the seat is kept. `code` is for
    programs, `reason` for people.
    """

    reason: str
    back: bool = False
    code: GoneCode = "closing"


class Trouble(_Notice, frozen=True):
    """The house cannot store moves at the moment (or, with `over`, can again): nothing is
    lost, but all wait."""

    reason: str
    over: bool = False


Notice = (
    Entered
    | Opening
    | Seated
    | Sat
    | Stood
    | Shown
    | Happened
    | Asked
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
    | Tables
    | Lobby
    | Changes
    | Gone
    | Trouble
)
