"""What a player can choose. A large decision is a chain of small steps, of which the last completes it."""

from typing import Literal

import msgspec

from ludoteca.core.bounds import Small
from ludoteca.games.renaissance.data import NOTHING, Resource, Stock

Line = Literal["row", "column"]


class _Action(msgspec.Struct, frozen=True, tag=True, gc=False, cache_hash=True):
    pass


class KeepLeaders(_Action, frozen=True):
    """Setup: keep these two of the four leaders dealt, named in the order in which they were dealt."""

    first: str
    second: str


class ChooseResource(_Action, frozen=True):
    """Setup: take one starting resource and put it into a basic depot (0 to 2, from the top)."""

    resource: Resource
    depot: Small


class TakeLine(_Action, frozen=True):
    """Take a row (0 to 2, from the top) or a column (0 to 3, from the left) of the market.

    `exchange` names a resource for each white marble, in reading order, with two exchange leaders in play;
    with one or none it is empty.
    """

    line: Line
    index: Small
    exchange: tuple[Resource, ...] = ()


class Store(_Action, frozen=True):
    """Placing: what this depot shall hold, of everything stored and taken. An empty depot has no resource.

    The depots are asked from the largest to the smallest, then those of leaders. What is in none of them at
    the end is given up.
    """

    depot: Small
    resource: Resource | None = None
    count: Small = 0


class BuyCard(_Action, frozen=True):
    """Choose a development card that lies on top of its deck, and a slot for it; a `Pay` completes it."""

    card: str
    slot: Small


class UseBasic(_Action, frozen=True):
    """Produce with the basic power: two resources, in the order of RESOURCES, for one."""

    spend: tuple[Resource, Resource]
    gain: Resource


class UseSlot(_Action, frozen=True):
    """Produce with the top card of a slot."""

    slot: Small


class UseLeader(_Action, frozen=True):
    """Produce with a leader in play: one resource of choice, and faith."""

    leader: str
    gain: Resource


class Pay(_Action, frozen=True):
    """Pay for the card or for all powers chosen: from the basic depots, the leaders'
    depots, the strongbox."""

    warehouse: Stock = NOTHING
    leaders: Stock = NOTHING
    strongbox: Stock = NOTHING


class TakeBack(_Action, frozen=True):
    """Undo the steps of the decision that is not complete yet."""


class PlayLeader(_Action, frozen=True):
    """Put a leader into play whose requirement is met."""

    leader: str


class DiscardLeader(_Action, frozen=True):
    """Discard a leader from the hand for one faith."""

    leader: str


class EndTurn(_Action, frozen=True):
    """The turn is over."""


Power = UseBasic | UseSlot | UseLeader
# A step that leaves the decision incomplete.
Step = Store | BuyCard | UseBasic | UseSlot | UseLeader

Action = (
    KeepLeaders
    | ChooseResource
    | TakeLine
    | Store
    | BuyCard
    | UseBasic
    | UseSlot
    | UseLeader
    | Pay
    | TakeBack
    | PlayLeader
    | DiscardLeader
    | EndTurn
)
