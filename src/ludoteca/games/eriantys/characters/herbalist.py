"""Herbalist: a no-entry tile on any island."""

from ludoteca.games.eriantys.actions import Action, ForbidIsland
from ludoteca.games.eriantys.characters.board import Board
from ludoteca.games.eriantys.characters.character import Character
from ludoteca.games.eriantys.events import NoEntryPlaced
from ludoteca.games.eriantys.state import CharacterCard, Tabletop


class Herbalist(Character):
    """Put one of the tiles on any group, also on one that has a tile already."""

    def objection(self, tabletop: Tabletop, card: CharacterCard) -> str:
        return "" if card.no_entry else "there is no tile on the card"

    def choices(self, tabletop: Tabletop, card: CharacterCard) -> list[Action]:
        return [ForbidIsland(island) for island in range(len(tabletop.islands))]

    def use(self, board: Board, card: CharacterCard, action: Action) -> bool:
        assert isinstance(action, ForbidIsland)
        board.tell(NoEntryPlaced(board.tabletop.current, action.island))
        return True
