"""Mushroom seller: one colour gives no influence."""

from ludoteca.games.eriantys.actions import Action, SilenceColour
from ludoteca.games.eriantys.characters.board import Board
from ludoteca.games.eriantys.characters.character import Character
from ludoteca.games.eriantys.data import COLOUR_INDEX, COLOURS
from ludoteca.games.eriantys.events import ColourSilenced
from ludoteca.games.eriantys.state import Card, State


class MushroomSeller(Character):
    """Name a colour; its students count for nobody this turn."""

    only_before_walk = True

    def choices(self, state: State, card: Card) -> list[Action]:
        return [SilenceColour(colour) for colour in COLOURS]

    def use(self, board: Board, card: Card, action: Action) -> bool:
        assert isinstance(action, SilenceColour)
        board.state.silenced = COLOUR_INDEX[action.colour]
        board.events.append(ColourSilenced(board.state.seat, action.colour))
        return True
