"""Herbalist: a no-entry tile on any island."""

from ludoteca.games.eriantys.actions import Action, ForbidIsland
from ludoteca.games.eriantys.characters.board import Board
from ludoteca.games.eriantys.characters.character import Character
from ludoteca.games.eriantys.events import NoEntryPlaced
from ludoteca.games.eriantys.state import Card, State


class Herbalist(Character):
    """Put one of the tiles on any group, also on one that has a tile already."""

    def objection(self, state: State, card: Card) -> str:
        return "" if card.no_entry else "there is no tile on the card"

    def choices(self, state: State, card: Card) -> list[Action]:
        return [ForbidIsland(island) for island in range(len(state.groups))]

    def use(self, board: Board, card: Card, action: Action) -> bool:
        assert isinstance(action, ForbidIsland)
        card.no_entry -= 1
        board.state.groups[action.island].no_entry += 1
        board.events.append(NoEntryPlaced(board.state.seat, action.island))
        return True
