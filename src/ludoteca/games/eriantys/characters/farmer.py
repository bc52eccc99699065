"""Farmer: this turn a tie is enough to take a professor."""

from ludoteca.games.eriantys.characters.board import Board
from ludoteca.games.eriantys.characters.character import Character
from ludoteca.games.eriantys.data import COLOURS


class Farmer(Character):
    """Takes every professor on a tie, at once and after each seating; what was taken is kept."""

    wins_ties = True

    def bought(self, board: Board) -> None:
        for colour in COLOURS:
            board.check_professor(colour)
