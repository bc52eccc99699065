"""Princess: one student of the card is seated in the dining room."""

from ludoteca.games.eriantys.actions import Action, SeatFromCard
from ludoteca.games.eriantys.characters.board import Board, has_room
from ludoteca.games.eriantys.characters.character import Character, present
from ludoteca.games.eriantys.data import COLOUR_INDEX
from ludoteca.games.eriantys.events import StudentSeated
from ludoteca.games.eriantys.state import Card, State


class Princess(Character):
    """Seat one student of the card, with coin and professor as for any seating; refill the card."""

    def objection(self, state: State, card: Card) -> str:
        return "" if self.choices(state, card) else "no student of the card has a free seat"

    def choices(self, state: State, card: Card) -> list[Action]:
        dining = state.schools[state.seat].dining
        return [
            SeatFromCard(colour)
            for colour in present(card.students)
            if has_room(dining, COLOUR_INDEX[colour])
        ]

    def use(self, board: Board, card: Card, action: Action) -> bool:
        assert isinstance(action, SeatFromCard)
        colour = COLOUR_INDEX[action.colour]
        card.students[colour] -= 1
        board.events.append(StudentSeated(board.state.seat, action.colour, "card"))
        board.seat_student(board.state.seat, colour)
        board.refill(card)
        return True
