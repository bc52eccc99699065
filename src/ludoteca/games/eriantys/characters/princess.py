"""Princess: one student of the card is seated in the dining room."""

from ludoteca.games.eriantys.actions import Action, SeatFromCard
from ludoteca.games.eriantys.characters.board import Board
from ludoteca.games.eriantys.characters.character import Character, has_room, present
from ludoteca.games.eriantys.events import StudentSeated
from ludoteca.games.eriantys.state import CharacterCard, Tabletop


class Princess(Character):
    """Seat one student of the card, with coin and professor as for any seating; refill the card."""

    def objection(self, tabletop: Tabletop, card: CharacterCard) -> str:
        return "" if self.choices(tabletop, card) else "no student of the card has a free seat"

    def choices(self, tabletop: Tabletop, card: CharacterCard) -> list[Action]:
        return [SeatFromCard(colour) for colour in present(card.held) if has_room(tabletop.player, colour)]

    def use(self, board: Board, card: CharacterCard, action: Action) -> bool:
        assert isinstance(action, SeatFromCard)
        seat = board.tabletop.current
        board.tell(StudentSeated(seat, action.colour, "card"))
        board.check_seat(seat, action.colour)
        board.refill(card.character)
        return True
