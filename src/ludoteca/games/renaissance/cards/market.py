"""What the lines of the market give."""

from collections.abc import Sequence
from itertools import product

from ludoteca.games.renaissance.actions import TakeLine
from ludoteca.games.renaissance.cards.leaders import exchanges
from ludoteca.games.renaissance.data import COLUMNS, GIVES, ROWS, Resource
from ludoteca.games.renaissance.state import Board, Tabletop, line_of

LINES = tuple(
    [TakeLine("row", index) for index in range(ROWS)]
    + [TakeLine("column", index) for index in range(COLUMNS)]
)


def line_choices(tabletop: Tabletop, board: Board) -> tuple[TakeLine, ...]:
    """Every line, with every way to exchange its white marbles when two leaders offer a choice."""
    choices = exchanges(board)
    if len(choices) < 2:
        return LINES
    found = []
    for line in LINES:
        places = line_of(line.line, line.index)
        whites = sum(1 for place in places if tabletop.marbles[place] == "white")
        found += [TakeLine(line.line, line.index, chosen) for chosen in product(choices, repeat=whites)]
    return tuple(found)


def harvest(tabletop: Tabletop, board: Board, take: TakeLine) -> tuple[tuple[Resource, ...], int]:
    """The resources of a line in reading order, and its faith."""
    choices: Sequence[Resource] = exchanges(board)
    chosen = iter(take.exchange)
    taken: list[Resource] = []
    faith = 0
    for place in line_of(take.line, take.index):
        marble = tabletop.marbles[place]
        if marble == "red":
            faith += 1
        elif marble != "white":
            taken.append(GIVES[marble])
        elif choices:
            taken.append(choices[0] if len(choices) == 1 else next(chosen))
    return tuple(taken), faith
