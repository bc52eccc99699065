"""Herald: any island is resolved, and mother nature stays where she is."""

from ludoteca.games.eriantys.actions import Action, ResolveIsland
from ludoteca.games.eriantys.characters.board import Board
from ludoteca.games.eriantys.characters.character import Character
from ludoteca.games.eriantys.state import Card, State


class Herald(Character):
    """Resolve any group as if mother nature had stopped there, no-entry tiles included."""

    def choices(self, state: State, card: Card) -> list[Action]:
        return [ResolveIsland(island) for island in range(len(state.groups))]

    def use(self, board: Board, card: Card, action: Action) -> bool:
        assert isinstance(action, ResolveIsland)
        board.resolve(action.island)
        return True
