"""Minstrel: up to two students are swapped between entrance and dining room."""

from ludoteca.games.eriantys.actions import Action, StopSwapping, SwapWithDining
from ludoteca.games.eriantys.characters.board import Board
from ludoteca.games.eriantys.characters.character import Character, has_room, present
from ludoteca.games.eriantys.events import DiningSwapped
from ludoteca.games.eriantys.state import CharacterCard, Tabletop

PAIRS_MAX = 2


class Minstrel(Character):
    """Swap pair by pair; the seated student leaves first, so a full table can be swapped out of."""

    def objection(self, tabletop: Tabletop, card: CharacterCard) -> str:
        player = tabletop.player
        if not any(player.entrance):
            return "your entrance is empty"
        return "" if any(player.dining) else "your dining room is empty"

    def choices(self, tabletop: Tabletop, card: CharacterCard) -> list[Action]:
        player = tabletop.player
        pairs = [
            SwapWithDining(seated, taken)
            for seated in present(player.entrance)
            for taken in present(player.dining)
            if seated == taken or has_room(player, seated)
        ]
        return [*pairs, StopSwapping()]

    def use(self, board: Board, card: CharacterCard, action: Action) -> bool:
        if isinstance(action, StopSwapping):
            return True
        assert isinstance(action, SwapWithDining)
        seat = board.tabletop.current
        tabletop = board.tell(DiningSwapped(seat, action.seated, action.taken))
        # A pair of equal colours is legal and changes nothing: the seat pays no coin for it.
        if action.seated != action.taken:
            board.check_seat(seat, action.seated)
            board.check_professor(action.taken)
        return tabletop.swaps == PAIRS_MAX
