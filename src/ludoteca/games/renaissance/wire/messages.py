"""The messages of the protocol: JSON objects whose `type` is the name of the record."""

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from ludoteca.core.bounds import Given

Resource = Literal["COINS", "STONES", "SERVANTS", "SHIELDS"]
Marble = Literal["WHITE", "RED", "BLUE", "YELLOW", "GREY", "PURPLE"]
Colour = Literal["PURPLE", "YELLOW", "GREEN", "BLUE"]
ActionName = Literal[
    "PLAYLEADERCARD",
    "DISCARDLEADERCARD",
    "BUYDEVELOPMENTCARD",
    "USEPRODUCTION",
    "MARKETACTION",
    "ENDTURN",
]
ErrorName = Literal[
    "STARTING_LEADER_CARD",
    "STARTING_RESOURCES",
    "STARTING_MANAGE_RESOURCES",
    "INVALID_ACTION",
    "MANAGE_RESOURCES",
    "NOT_YOUR_TURN",
    "INVALID_MESSAGE",
]

# By depot, "0" to "4"; by resource; rows of card ids or marbles.
Warehouse = dict[str, list[Resource]]
Counts = dict[Resource, Given]
Grid = list[list[str | None]]
Marbles = list[list[Marble]]


class _Message(
    msgspec.Struct,
    frozen=True,
    tag_field="type",
    tag=lambda name: name[0].lower() + name[1:],
    rename="camel",
):
    pass


# The seed has lists of resources where we count them; either is understood.
Taken = Counts | list[Resource]


class Payment(msgspec.Struct, frozen=True, rename="camel"):
    """Resources by the kind of container they come from."""

    warehouse: Taken = {}
    leader_depots: Taken = {}
    strongbox: Taken = {}


# The same as three lists in a row.
PaymentLists = tuple[list[Resource], list[Resource], list[Resource]]


class _FromPlayer(_Message, frozen=True, kw_only=True):
    """What a player at a table says.

    The seed names the player in some of these messages: it can only be the own name.
    """

    username: str | UnsetType = UNSET


# Connection and login.


class Ping(_Message, frozen=True):
    """Are you there?"""


class Pong(_Message, frozen=True):
    """Yes."""


class LoginRequest(_Message, frozen=True, omit_defaults=True):
    """The client's name; the token of an earlier seat takes that seat again."""

    username: str
    token: str = ""


class UsernameResponse(_Message, frozen=True):
    """Whether the name can be used."""

    free: bool
    username: str | None
    reason: Literal["TAKEN", "LENGTH", "CHARACTERS"] | UnsetType = UNSET


class NumberOfPlayersRequest(_Message, frozen=True):
    """You are the first: for how many is the game?"""

    max: int


class NumberOfPlayersReply(_Message, frozen=True):
    """For so many."""

    number: Given


class Error(_Message, frozen=True):
    """What was wrong; the detail is for people."""

    error: ErrorName
    detail: str


class Disconnection(_Message, frozen=True):
    """A player is absent."""

    username: str


class Reconnection(_Message, frozen=True):
    """A player is back."""

    username: str


# Setup.


class Players(_Message, frozen=True):
    """The players in turn order; the token is the receiver's own, to return with."""

    players: list[str]
    token: str | UnsetType = UNSET


class Market(_Message, frozen=True):
    """The market."""

    marbles: Marbles
    free_marble: Marble


class DevCardGrid(_Message, frozen=True):
    """The development cards, level 3 first."""

    grid: Grid


class LeaderCardsRequest(_Message, frozen=True):
    """Keep two of these."""

    leader_cards: list[str]


class LeaderCardsReply(_FromPlayer, frozen=True):
    """The two kept."""

    leader_cards: list[str]


class LeaderCardsDone(_Message, frozen=True):
    """Your leaders are noted."""


class ResourcesRequest(_Message, frozen=True):
    """Choose so many resources."""

    number: Given


class ResourcesReply(_FromPlayer, frozen=True):
    """The resources chosen, in depots."""

    warehouse: Warehouse


class StartingResourcesDone(_Message, frozen=True):
    """Your resources are noted."""


class SetupUpdate(_Message, frozen=True):
    """The setup of all; the leaders of others are null."""

    leader_cards: dict[str, list[str | None]]
    warehouses: dict[str, Warehouse]
    faith_positions: dict[str, int]


# Turns and actions.


class StartTurn(_Message, frozen=True):
    """A player's turn begins."""

    username: str


class PossibleActions(_Message, frozen=True):
    """It is your turn; these actions are open."""

    actions: list[ActionName]


class ActionReply(_Message, frozen=True):
    """The action chosen."""

    action: ActionName


class ActionResponse(_Message, frozen=True):
    """Go on with this action."""

    action: ActionName


class PlayLeaderCard(_FromPlayer, frozen=True):
    """Parameters: the leader to play."""

    leader_card: str


class DiscardLeaderCard(_FromPlayer, frozen=True):
    """Parameters: the leader to discard."""

    leader_card: str


class BuyDevelopmentCard(_FromPlayer, frozen=True):
    """Parameters: the deck, the slot and the payment."""

    color: Colour
    level: Given
    slot: Given
    payment: Payment | PaymentLists


class UseProduction(_FromPlayer, frozen=True):
    """Parameters: the powers used and the payment for all of them."""

    payment: Payment | PaymentLists
    board: list[Resource] = []
    dev_slots: list[Given] = []
    leaders: list[Given] = []
    leader_gain: list[Resource] = []


class RowColumnSelection(_FromPlayer, frozen=True):
    """Parameters: a line of the market."""

    index: Given
    row: bool
    exchange: list[Resource] = []


class ResourcesManageRequest(_Message, frozen=True):
    """Place these."""

    resources: list[Resource]


class ResourcesManageReply(_FromPlayer, frozen=True):
    """The warehouse after placing; what is missing is discarded."""

    warehouse: Warehouse
    discard: Counts | None = None


class EndTurn(_Message, frozen=True):
    """The same as the action ENDTURN."""


# Updates.


class FaithTrackUpdate(_Message, frozen=True):
    """The faith track after an event, with at most one report."""

    report: bool
    vatican_report: int
    activated: list[str]
    positions: dict[str, int]
    black_cross: int | None


class PlayLeaderCardUpdate(_Message, frozen=True):
    """A leader was played."""

    username: str
    leader_card: str
    warehouse: Warehouse


class DiscardLeaderCardUpdate(_Message, frozen=True):
    """A leader was discarded."""

    username: str
    leader_card: str


class BuyDevelopmentCardUpdate(_Message, frozen=True):
    """A card was bought; the next one of its deck lies open now."""

    username: str
    card: str
    next_card: str | None
    color: Colour
    level: Given
    slot: Given
    warehouse: Warehouse
    strongbox: Counts


class UseProductionUpdate(_Message, frozen=True):
    """A production took place."""

    username: str
    warehouse: Warehouse
    strongbox: Counts


class MarketUpdate(_Message, frozen=True):
    """A line was taken and placed."""

    username: str
    index: Given
    row: bool
    marbles: Marbles
    free_marble: Marble
    warehouse: Warehouse


class LorenzoUpdate(_Message, frozen=True):
    """Lorenzo turned a token."""

    position: int
    grid: Grid
    message: str
    token: str


# Reconnection and end.


class ReconnectionUpdate(_Message, frozen=True):
    """All that a returning player may know."""

    username: str
    dev_card_slots: dict[str, dict[str, list[str]]]
    # The seed has one card for each slot, the open one.
    top_cards: dict[str, list[str | None]]
    faith_positions: dict[str, int]
    leader_cards_played: dict[str, list[str]]
    leader_cards: list[str | None]
    strongboxes: dict[str, Counts]
    warehouses: dict[str, Warehouse]
    cards_in_hand: dict[str, int]
    players_connected: dict[str, bool]
    vatican_reports: dict[str, dict[str, bool]]
    setup_done: bool
    black_cross: int | None
    last_round: bool
    current_player: str | None


class EndGame(_Message, frozen=True):
    """The last round has begun."""


class FinalScore(_Message, frozen=True):
    """The points, from high to low, and who won."""

    scores: dict[str, int]
    lorenzo_won: bool
    winners: list[str]


Parameters = PlayLeaderCard | DiscardLeaderCard | BuyDevelopmentCard | UseProduction | RowColumnSelection
# What belongs to a match.
Play = LeaderCardsReply | ResourcesReply | ActionReply | Parameters | ResourcesManageReply | EndTurn
FromClient = Pong | LoginRequest | NumberOfPlayersReply | Play
FromServer = (
    Ping
    | UsernameResponse
    | NumberOfPlayersRequest
    | Error
    | Disconnection
    | Reconnection
    | Players
    | Market
    | DevCardGrid
    | LeaderCardsRequest
    | LeaderCardsDone
    | ResourcesRequest
    | StartingResourcesDone
    | SetupUpdate
    | StartTurn
    | PossibleActions
    | ActionResponse
    | ResourcesManageRequest
    | FaithTrackUpdate
    | PlayLeaderCardUpdate
    | DiscardLeaderCardUpdate
    | BuyDevelopmentCardUpdate
    | UseProductionUpdate
    | MarketUpdate
    | LorenzoUpdate
    | ReconnectionUpdate
    | EndGame
    | FinalScore
)
