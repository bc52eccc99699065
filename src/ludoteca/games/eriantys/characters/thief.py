"""Thief: everybody returns students of one colour to the bag."""

from ludoteca.games.eriantys.actions import Action, ReturnColour
from ludoteca.games.eriantys.characters.board import Board
from ludoteca.games.eriantys.characters.character import Character
from ludoteca.games.eriantys.data import COLOUR_INDEX, COLOURS
from ludoteca.games.eriantys.events import ColourReturned
from ludoteca.games.eriantys.state import Card, State

STUDENTS_MAX = 3


class Thief(Character):
    """Name a colour; every player returns three of it from the dining room, or all if fewer.

    That keeps the order of the tables, so no professor can move and none is checked.
    """

    def choices(self, state: State, card: Card) -> list[Action]:
        return [ReturnColour(colour) for colour in COLOURS]

    def use(self, board: Board, card: Card, action: Action) -> bool:
        assert isinstance(action, ReturnColour)
        state = board.state
        colour = COLOUR_INDEX[action.colour]
        returned = tuple(min(STUDENTS_MAX, school.dining[colour]) for school in state.schools)
        for school, count in zip(state.schools, returned, strict=True):
            school.dining[colour] -= count
        state.bag[colour] += sum(returned)
        board.events.append(ColourReturned(state.seat, action.colour, returned))
        return True
