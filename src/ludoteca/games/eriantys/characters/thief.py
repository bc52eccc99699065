"""Thief: everybody returns students of one colour to the bag."""

from ludoteca.games.eriantys.actions import Action, ReturnColour
from ludoteca.games.eriantys.characters.board import Board
from ludoteca.games.eriantys.characters.character import Character
from ludoteca.games.eriantys.data import COLOUR_INDEX, COLOURS
from ludoteca.games.eriantys.events import ColourReturned
from ludoteca.games.eriantys.state import CharacterCard, Tabletop

STUDENTS_MAX = 3


class Thief(Character):
    """Name a colour; every player returns three of it from the dining room, or all if fewer.

    That keeps the order of the tables, so no professor can move and none is checked.
    """

    def choices(self, tabletop: Tabletop, card: CharacterCard) -> list[Action]:
        return [ReturnColour(colour) for colour in COLOURS]

    def use(self, board: Board, card: CharacterCard, action: Action) -> bool:
        assert isinstance(action, ReturnColour)
        colour = COLOUR_INDEX[action.colour]
        returned = tuple(min(STUDENTS_MAX, player.dining[colour]) for player in board.tabletop.players)
        board.tell(ColourReturned(board.tabletop.current, action.colour, returned))
        return True
