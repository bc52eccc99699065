"""Monk: one student of the card goes to any island."""

from ludoteca.games.eriantys.actions import Action, SendFromCard
from ludoteca.games.eriantys.characters.board import Board
from ludoteca.games.eriantys.characters.character import Character, present
from ludoteca.games.eriantys.events import StudentSent
from ludoteca.games.eriantys.state import CharacterCard, Tabletop


class Monk(Character):
    """Take one student from the card to any island; refill the card from the bag."""

    def objection(self, tabletop: Tabletop, card: CharacterCard) -> str:
        return "" if any(card.held) else "there is no student on the card"

    def choices(self, tabletop: Tabletop, card: CharacterCard) -> list[Action]:
        islands = range(len(tabletop.islands))
        return [SendFromCard(colour, island) for colour in present(card.held) for island in islands]

    def use(self, board: Board, card: CharacterCard, action: Action) -> bool:
        assert isinstance(action, SendFromCard)
        board.tell(StudentSent(board.tabletop.current, action.colour, action.island, "card"))
        board.refill(card.character)
        return True
