"""What can happen.

An event says all that it changes openly, so that a view can follow from event to event.
"""

from typing import Literal

import msgspec

from ludoteca.core import Outcome
from ludoteca.games.renaissance.actions import Line, Pay, Power, Step
from ludoteca.games.renaissance.data import Resource, Stock


class Depot(msgspec.Struct, frozen=True, gc=False, cache_hash=True):
    """What lies in a depot; an empty one has no resource."""

    resource: Resource | None = None
    count: int = 0


EMPTY = Depot()


class _Event(msgspec.Struct, frozen=True, tag=True, gc=False):
    pass


class LeadersKept(_Event, frozen=True):
    """A player kept two leaders; the others see only that it happened (None for each card)."""

    seat: int
    cards: tuple[str | None, ...]


class ResourcesOpened(_Event, frozen=True):
    """Everybody at the table has kept leaders: starting resources are chosen now."""


class ResourceChosen(_Event, frozen=True):
    """A player took a starting resource."""

    seat: int
    resource: Resource
    depot: int


class TurnBegan(_Event, frozen=True):
    """A player's turn; the first one ends the setup."""

    seat: int


class Drafted(_Event, frozen=True):
    """A step of a decision that is not complete yet: nothing has been moved or paid."""

    seat: int
    step: Step


class TakenBack(_Event, frozen=True):
    """The steps of the incomplete decision do not count."""

    seat: int


class LineTaken(_Event, frozen=True):
    """A player took a line of marbles, and the slide marble was pushed in.

    `taken` are the resources in reading order: they wait to be placed.
    """

    seat: int
    line: Line
    index: int
    taken: tuple[Resource, ...]


class WarehouseArranged(_Event, frozen=True):
    """The waiting resources were placed; what found no place was given up."""

    seat: int
    depots: tuple[Depot, ...]
    discarded: Stock


class CardBought(_Event, frozen=True):
    """A player bought a card; `following` is the card that now lies on top of its deck."""

    seat: int
    card: str
    slot: int
    payment: Pay
    following: str | None


class Produced(_Event, frozen=True):
    """A player paid for some powers and put what they gave into the strongbox; the
    faith follows by itself."""

    seat: int
    powers: tuple[Power, ...]
    payment: Pay
    gained: Stock
    faith: int


class LeaderPlayed(_Event, frozen=True):
    """A leader came into play."""

    seat: int
    leader: str


class LeaderDiscarded(_Event, frozen=True):
    """A leader was discarded from a hand."""

    seat: int
    leader: str


class FaithMoved(_Event, frozen=True):
    """Markers moved, all at once: the cells of all seats, and of the black cross in the solo game."""

    cells: tuple[int, ...]
    cross: int | None


class ReportHeld(_Event, frozen=True):
    """A Vatican report (0 to 2) took place; `kept` says whose tile was turned up."""

    report: int
    kept: tuple[bool, ...]


class LastRoundBegan(_Event, frozen=True):
    """The end is in sight: the round is played to its end."""

    seat: int
    reason: Literal["cards", "faith"]


class TokenTurned(_Event, frozen=True):
    """Lorenzo turned a token.

    `removed` are cards taken off the grid, `following` what then lies on their deck.
    """

    token: str
    removed: tuple[str, ...] = ()
    following: tuple[str | None, ...] = ()


class Departed(_Event, frozen=True):
    """A player is absent: turns are skipped from now on, an incomplete decision does not count."""

    seat: int


class Rejoined(_Event, frozen=True):
    """An absent player is back."""

    seat: int


class Finished(_Event, frozen=True):
    """The match is over."""

    outcome: Outcome


Event = (
    LeadersKept
    | ResourcesOpened
    | ResourceChosen
    | TurnBegan
    | Drafted
    | TakenBack
    | LineTaken
    | WarehouseArranged
    | CardBought
    | Produced
    | LeaderPlayed
    | LeaderDiscarded
    | FaithMoved
    | ReportHeld
    | LastRoundBegan
    | TokenTurned
    | Departed
    | Rejoined
    | Finished
)
