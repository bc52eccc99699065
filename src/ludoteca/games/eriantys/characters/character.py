"""What a character may change: the hooks that the twelve cards fill in, each saying only how it differs."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ludoteca.games.eriantys.actions import Action
from ludoteca.games.eriantys.data import COLOUR_INDEX, COLOURS, DINING_SEATS, Colour
from ludoteca.games.eriantys.events import Students
from ludoteca.games.eriantys.state import CharacterCard, Player, Tabletop

if TYPE_CHECKING:
    from ludoteca.games.eriantys.characters.board import Board


class Character:
    """A character that changes nothing. The attributes hold from the purchase to the end of the turn."""

    # What mother nature may walk beyond the assistant's steps.
    extra_steps = 0
    # What the buyer has beyond the usual influence.
    extra_influence = 0
    # Whether the buyer takes professors on a tie.
    wins_ties = False
    # Whether towers give influence.
    towers_count = True
    # Whether it would be wasted once mother nature has walked.
    only_before_walk = False

    def objection(self, tabletop: Tabletop, card: CharacterCard) -> str:
        """Why the player in turn may not buy this card although there are coins enough; ""
        if nothing is wrong."""
        if self.only_before_walk and tabletop.walked:
            return "mother nature has already walked"
        return ""

    def bought(self, board: "Board") -> None:
        """What happens at once when the price is paid."""

    def choices(self, tabletop: Tabletop, card: CharacterCard) -> Sequence[Action]:
        """What the buyer may choose; nothing for a character that only changes the turn."""
        return ()

    def use(self, board: "Board", card: CharacterCard, action: Action) -> bool:
        """Carry out a choice; tells whether that was the last one."""
        raise NotImplementedError


def present(students: Students) -> list[Colour]:
    """The colours of which there is at least one student."""
    return [colour for colour, count in zip(COLOURS, students, strict=True) if count]


def has_room(player: Player, colour: Colour) -> bool:
    """Whether a table of the dining room has a free seat."""
    return player.dining[COLOUR_INDEX[colour]] < DINING_SEATS
