"""Mushroom seller: one colour gives no influence."""

from ludoteca.games.eriantys.actions import Action, SilenceColour
from ludoteca.games.eriantys.characters.board import Board
from ludoteca.games.eriantys.characters.character import Character
from ludoteca.games.eriantys.data import COLOURS
from ludoteca.games.eriantys.events import ColourSilenced
from ludoteca.games.eriantys.state import CharacterCard, Tabletop


class MushroomSeller(Character):
    """Name a colour; its students count for nobody this turn."""

    only_before_walk = True

    def choices(self, tabletop: Tabletop, card: CharacterCard) -> list[Action]:
        return [SilenceColour(colour) for colour in COLOURS]

    def use(self, board: Board, card: CharacterCard, action: Action) -> bool:
        assert isinstance(action, SilenceColour)
        board.tell(ColourSilenced(board.tabletop.current, action.colour))
        return True
