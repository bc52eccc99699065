"""What a player of Eriantys can choose. Islands and clouds are counted from 0."""

import msgspec

from ludoteca.core.bounds import Small
from ludoteca.games.eriantys.data import Colour


class _Action(msgspec.Struct, frozen=True, tag=True, gc=False):
    pass


class PlayAssistant(_Action, frozen=True):
    """Play this assistant, face up."""

    value: Small


class MoveToIsland(_Action, frozen=True):
    """Send a student of the entrance to an island."""

    colour: Colour
    island: Small


class MoveToDining(_Action, frozen=True):
    """Seat a student of the entrance in the dining room."""

    colour: Colour


class Walk(_Action, frozen=True):
    """Walk mother nature clockwise; a group of islands is one step."""

    steps: Small


class TakeCloud(_Action, frozen=True):
    """Take the students of a cloud into the entrance, which ends the turn."""

    cloud: Small


class EndTurn(_Action, frozen=True):
    """End the turn in a round without clouds to choose from."""


class BuyCharacter(_Action, frozen=True):
    """Pay for a character; what it needs to know is asked next."""

    character: Small


class SendFromCard(_Action, frozen=True):
    """Monk: send a student of the card to an island."""

    colour: Colour
    island: Small


class ResolveIsland(_Action, frozen=True):
    """Herald: resolve this island."""

    island: Small


class ForbidIsland(_Action, frozen=True):
    """Herbalist: put a no-entry tile on this island."""

    island: Small


class SwapWithCard(_Action, frozen=True):
    """Jester: take a student of the card and give one of the entrance for it."""

    taken: Colour
    given: Colour


class SilenceColour(_Action, frozen=True):
    """Mushroom seller: students of this colour give no influence this turn."""

    colour: Colour


class SwapWithDining(_Action, frozen=True):
    """Minstrel: seat a student of the entrance and take one of the dining room for it."""

    seated: Colour
    taken: Colour


class SeatFromCard(_Action, frozen=True):
    """Princess: seat a student of the card in the dining room."""

    colour: Colour


class ReturnColour(_Action, frozen=True):
    """Thief: everybody returns up to three students of this colour to the bag."""

    colour: Colour


class StopSwapping(_Action, frozen=True):
    """Jester and Minstrel: no further pair."""


Action = (
    PlayAssistant
    | MoveToIsland
    | MoveToDining
    | Walk
    | TakeCloud
    | EndTurn
    | BuyCharacter
    | SendFromCard
    | ResolveIsland
    | ForbidIsland
    | SwapWithCard
    | SilenceColour
    | SwapWithDining
    | SeatFromCard
    | ReturnColour
    | StopSwapping
)
