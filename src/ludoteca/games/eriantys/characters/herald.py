"""Herald: any island is resolved, and mother nature stays where she is."""

from ludoteca.games.eriantys.actions import Action, ResolveIsland
from ludoteca.games.eriantys.characters.board import Board
from ludoteca.games.eriantys.characters.character import Character
from ludoteca.games.eriantys.state import CharacterCard, Tabletop


class Herald(Character):
    """Resolve any group as if mother nature had stopped there, no-entry tiles included."""

    def choices(self, tabletop: Tabletop, card: CharacterCard) -> list[Action]:
        return [ResolveIsland(island) for island in range(len(tabletop.islands))]

    def use(self, board: Board, card: CharacterCard, action: Action) -> bool:
        assert isinstance(action, ResolveIsland)
        board.resolve(action.island)
        return True
