"""What can happen in Eriantys. All of it is public: only the order of the bag is hidden.

Students are counted in tuples of five, in the order of `data.COLOURS`; islands and clouds from 0.
"""

from typing import Literal

import msgspec

from ludoteca.core import Seat
from ludoteca.games.eriantys.data import Colour, Tower

Students = tuple[int, int, int, int, int]
Origin = Literal["entrance", "card"]


class _Event(msgspec.Struct, frozen=True, tag=True, gc=False):
    pass


class RoundBegan(_Event, frozen=True):
    """A planning phase begins; the assistants of the last round are put away, and `first` plays first."""

    round: int
    first: Seat


class CloudsFilled(_Event, frozen=True):
    """Students were drawn for the clouds; `short` when the bag did not fill them all."""

    clouds: tuple[Students, ...]
    short: bool


class AssistantPlayed(_Event, frozen=True):
    """A player played an assistant."""

    seat: Seat
    value: int


class OrderFixed(_Event, frozen=True):
    """All assistants are played; the action turns follow in this order."""

    order: tuple[Seat, ...]


class TurnBegan(_Event, frozen=True):
    """It is this player's turn, in the planning or the action phase."""

    seat: Seat


class StudentSent(_Event, frozen=True):
    """A student went to an island."""

    seat: Seat
    colour: Colour
    island: int
    origin: Origin


class StudentSeated(_Event, frozen=True):
    """A student was seated in the player's dining room."""

    seat: Seat
    colour: Colour
    origin: Origin


class CoinEarned(_Event, frozen=True):
    """A student on a coin seat brought a coin of the supply."""

    seat: Seat


class ProfessorTaken(_Event, frozen=True):
    """A player took control of a professor."""

    seat: Seat
    colour: Colour


class MotherNatureWalked(_Event, frozen=True):
    """Mother nature walked and stopped on an island."""

    seat: Seat
    steps: int
    island: int


class InfluenceCounted(_Event, frozen=True):
    """The influence on an island was worked out, one number for each team."""

    island: int
    influence: tuple[int, ...]


class NoEntryLifted(_Event, frozen=True):
    """A no-entry tile stopped the resolution and went back to the Herbalist."""

    island: int


class IslandConquered(_Event, frozen=True):
    """`built` towers of this colour now stand on an island; `returned` of the former owner's went home."""

    island: int
    tower: Tower
    built: int
    former: Tower | None
    returned: int


class IslandsJoined(_Event, frozen=True):
    """Two neighbouring groups became one: the second, which follows clockwise, was added to the first.

    The islands are numbered as before the joining; the new group has the lower of the two numbers.
    """

    first: int
    second: int


class CloudTaken(_Event, frozen=True):
    """A player took the students of a cloud into the entrance."""

    seat: Seat
    cloud: int


class CharacterBought(_Event, frozen=True):
    """A player paid for a character; for the first buyer one of the coins stays on the card.

    With `choosing` the character asks for something before the turn goes on.
    """

    seat: Seat
    character: int
    price: int
    choosing: bool


class CardRefilled(_Event, frozen=True):
    """A student was drawn from the bag onto a character card."""

    character: int
    colour: Colour


class NoEntryPlaced(_Event, frozen=True):
    """A no-entry tile was put on an island."""

    seat: Seat
    island: int


class CardSwapped(_Event, frozen=True):
    """A player took a student of the card and gave one of the entrance."""

    seat: Seat
    taken: Colour
    given: Colour


class DiningSwapped(_Event, frozen=True):
    """A player seated a student of the entrance and took one of the dining room."""

    seat: Seat
    seated: Colour
    taken: Colour


class ColourSilenced(_Event, frozen=True):
    """Students of this colour give no influence this turn."""

    seat: Seat
    colour: Colour


class ColourReturned(_Event, frozen=True):
    """Every player returned so many students of this colour to the bag."""

    seat: Seat
    colour: Colour
    returned: tuple[int, ...]


class CharacterDone(_Event, frozen=True):
    """What a bought character asked for is settled, and the turn goes on."""

    seat: Seat
    character: int


class LastRoundAnnounced(_Event, frozen=True):
    """The game ends with this round."""

    reason: Literal["bag", "assistants"]


class GameEnded(_Event, frozen=True):
    """The game is over; one rank for each seat."""

    ranks: tuple[int, ...]
    reason: str


class BrokenOff(_Event, frozen=True):
    """A player left for good, and the match with them."""

    seat: Seat


Event = (
    RoundBegan
    | CloudsFilled
    | AssistantPlayed
    | OrderFixed
    | TurnBegan
    | StudentSent
    | StudentSeated
    | CoinEarned
    | ProfessorTaken
    | MotherNatureWalked
    | InfluenceCounted
    | NoEntryLifted
    | IslandConquered
    | IslandsJoined
    | CloudTaken
    | CharacterBought
    | CardRefilled
    | NoEntryPlaced
    | CardSwapped
    | DiningSwapped
    | ColourSilenced
    | ColourReturned
    | CharacterDone
    | LastRoundAnnounced
    | GameEnded
    | BrokenOff
)
