"""Jester: up to three students of the card are swapped with the entrance."""

from ludoteca.games.eriantys.actions import Action, StopSwapping, SwapWithCard
from ludoteca.games.eriantys.characters.board import Board
from ludoteca.games.eriantys.characters.character import Character, present
from ludoteca.games.eriantys.events import CardSwapped
from ludoteca.games.eriantys.state import CharacterCard, Tabletop

PAIRS_MAX = 3


class Jester(Character):
    """Swap pair by pair; the buyer may stop at any time."""

    def objection(self, tabletop: Tabletop, card: CharacterCard) -> str:
        if not any(card.held):
            return "there is no student on the card"
        return "" if any(tabletop.player.entrance) else "your entrance is empty"

    def choices(self, tabletop: Tabletop, card: CharacterCard) -> list[Action]:
        entrance = present(tabletop.player.entrance)
        pairs = [SwapWithCard(taken, given) for taken in present(card.held) for given in entrance]
        return [*pairs, StopSwapping()]

    def use(self, board: Board, card: CharacterCard, action: Action) -> bool:
        if isinstance(action, StopSwapping):
            return True
        assert isinstance(action, SwapWithCard)
        tabletop = board.tell(CardSwapped(board.tabletop.current, action.taken, action.given))
        return tabletop.swaps == PAIRS_MAX
