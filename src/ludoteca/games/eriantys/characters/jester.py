"""Jester: up to three students of the card are swapped with the entrance."""

from ludoteca.games.eriantys.actions import Action, StopSwapping, SwapWithCard
from ludoteca.games.eriantys.characters.board import Board
from ludoteca.games.eriantys.characters.character import Character, present
from ludoteca.games.eriantys.data import COLOUR_INDEX
from ludoteca.games.eriantys.events import CardSwapped
from ludoteca.games.eriantys.state import Card, State

PAIRS_MAX = 3


class Jester(Character):
    """Swap pair by pair; the buyer may stop at any time."""

    def objection(self, state: State, card: Card) -> str:
        if not any(card.students):
            return "there is no student on the card"
        return "" if any(state.schools[state.seat].entrance) else "your entrance is empty"

    def choices(self, state: State, card: Card) -> list[Action]:
        entrance = present(state.schools[state.seat].entrance)
        pairs = [SwapWithCard(taken, given) for taken in present(card.students) for given in entrance]
        return [*pairs, StopSwapping()]

    def use(self, board: Board, card: Card, action: Action) -> bool:
        if isinstance(action, StopSwapping):
            return True
        assert isinstance(action, SwapWithCard)
        state = board.state
        entrance = state.schools[state.seat].entrance
        taken, given = COLOUR_INDEX[action.taken], COLOUR_INDEX[action.given]
        card.students[taken] -= 1
        entrance[taken] += 1
        entrance[given] -= 1
        card.students[given] += 1
        state.swaps += 1
        board.events.append(CardSwapped(state.seat, action.taken, action.given))
        return state.swaps == PAIRS_MAX
