"""Minstrel: up to two students are swapped between entrance and dining room."""

from ludoteca.games.eriantys.actions import Action, StopSwapping, SwapWithDining
from ludoteca.games.eriantys.characters.board import Board, has_room
from ludoteca.games.eriantys.characters.character import Character, present
from ludoteca.games.eriantys.data import COLOUR_INDEX
from ludoteca.games.eriantys.events import DiningSwapped
from ludoteca.games.eriantys.state import Card, State

PAIRS_MAX = 2


class Minstrel(Character):
    """Swap pair by pair; the seated student leaves first, so a full table can be swapped out of."""

    def objection(self, state: State, card: Card) -> str:
        school = state.schools[state.seat]
        if not any(school.entrance):
            return "your entrance is empty"
        return "" if any(school.dining) else "your dining room is empty"

    def choices(self, state: State, card: Card) -> list[Action]:
        school = state.schools[state.seat]
        pairs = [
            SwapWithDining(seated, taken)
            for seated in present(school.entrance)
            for taken in present(school.dining)
            if seated == taken or has_room(school.dining, COLOUR_INDEX[seated])
        ]
        return [*pairs, StopSwapping()]

    def use(self, board: Board, card: Card, action: Action) -> bool:
        if isinstance(action, StopSwapping):
            return True
        assert isinstance(action, SwapWithDining)
        state = board.state
        school = state.schools[state.seat]
        seated, taken = COLOUR_INDEX[action.seated], COLOUR_INDEX[action.taken]
        board.events.append(DiningSwapped(state.seat, action.seated, action.taken))
        # A pair of equal colours is legal and changes nothing: the seat pays no coin for it.
        if seated != taken:
            school.entrance[seated] -= 1
            school.dining[taken] -= 1
            school.entrance[taken] += 1
            board.seat_student(state.seat, seated)
            board.check_professor(taken)
        state.swaps += 1
        return state.swaps == PAIRS_MAX
