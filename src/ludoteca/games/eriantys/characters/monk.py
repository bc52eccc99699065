"""Monk: one student of the card goes to any island."""

from ludoteca.games.eriantys.actions import Action, SendFromCard
from ludoteca.games.eriantys.characters.board import Board
from ludoteca.games.eriantys.characters.character import Character, present
from ludoteca.games.eriantys.data import COLOUR_INDEX
from ludoteca.games.eriantys.events import StudentSent
from ludoteca.games.eriantys.state import Card, State


class Monk(Character):
    """Take one student from the card to any island; refill the card from the bag."""

    def objection(self, state: State, card: Card) -> str:
        return "" if any(card.students) else "there is no student on the card"

    def choices(self, state: State, card: Card) -> list[Action]:
        islands = range(len(state.groups))
        return [SendFromCard(colour, island) for colour in present(card.students) for island in islands]

    def use(self, board: Board, card: Card, action: Action) -> bool:
        assert isinstance(action, SendFromCard)
        colour = COLOUR_INDEX[action.colour]
        card.students[colour] -= 1
        board.state.groups[action.island].students[colour] += 1
        board.events.append(StudentSent(board.state.seat, action.colour, action.island, "card"))
        board.refill(card)
        return True
