"""Players of Connect Four's own.

easy    takes a win and stops one, and otherwise plays anywhere
strong  looks ahead as far as there is time

Discs are bits: a column has seven, the highest of which stays empty, so that no line runs on
into the next column.
"""

from collections.abc import Callable

from connectfour.actions import Action, Drop
from connectfour.data import COLUMNS, ROWS
from connectfour.state import State, Tabletop
from ludoteca.core import Bot, Dice, Game, Seat

HEIGHT = ROWS + 1
# From the middle outwards: columns through which more lines run are tried first.
ORDER = sorted(range(COLUMNS), key=lambda column: abs(column - COLUMNS // 2))
FULL = sum(((1 << ROWS) - 1) << column * HEIGHT for column in range(COLUMNS))
# Positions between two looks at the clock.
PATIENCE = 200


class OutOfTime(Exception):
    """The search was broken off."""


def discs(tabletop: Tabletop, seat: Seat) -> int:
    """A player's discs as bits."""
    return sum(
        1 << column * HEIGHT + row
        for column, stack in enumerate(tabletop.columns)
        for row, owner in enumerate(stack)
        if owner == seat
    )


def has_four(mine: int) -> bool:
    """Whether four of these discs lie in a line."""
    for step in (1, HEIGHT, HEIGHT - 1, HEIGHT + 1):
        pairs = mine & (mine >> step)
        if pairs & (pairs >> 2 * step):
            return True
    return False


def _after(mine: int, taken: int, column: int) -> int:
    """A player's discs with one more; the same ones when the column is full."""
    # Adding one at the bottom of a column carries up to its lowest free cell.
    return mine | (taken + (1 << column * HEIGHT)) & ~taken & ((1 << ROWS) - 1) << column * HEIGHT


class Search:
    """Looking ahead from one position, deeper and deeper."""

    def __init__(self, more: Callable[[], bool]) -> None:
        self._more = more
        self._nodes = 0

    def value(self, mine: int, theirs: int, depth: int, least: int, most: int) -> int:
        """What the player on turn can reach: positive a win, the sooner the more. Raises OutOfTime."""
        self._nodes += 1
        if self._nodes % PATIENCE == 0 and not self._more():
            raise OutOfTime
        taken = mine | theirs
        if taken == FULL or not depth:
            return 0
        for column in ORDER:
            after = _after(mine, taken, column)
            if after == mine:
                continue
            reached = depth if has_four(after) else -self.value(theirs, after, depth - 1, -most, -least)
            least = max(least, reached)
            if least >= most:
                break
        return least


def strong(_game: Game, state: State, seat: Seat, dice: Dice, more: Callable[[], bool]) -> Action:
    """The column that the deepest search finished in time likes best."""
    mine, theirs = discs(state.tabletop, seat), discs(state.tabletop, Seat(1 - seat))
    left = COLUMNS * ROWS - (mine | theirs).bit_count()
    search = Search(more)
    best = easy(_game, state, seat, dice, more)
    try:
        for depth in range(2, left + 1):
            scored = [
                (_worth(search, mine, theirs, column, depth), column) for column in _open(mine | theirs)
            ]
            best = Drop(max(scored, key=lambda one: (one[0], -ORDER.index(one[1])))[1])
    except OutOfTime:
        pass
    return best


def _worth(search: Search, mine: int, theirs: int, column: int, depth: int) -> int:
    after = _after(mine, mine | theirs, column)
    return depth if has_four(after) else -search.value(theirs, after, depth - 1, -depth, depth)


def _open(taken: int) -> list[int]:
    return [column for column in ORDER if _after(0, taken, column)]


def easy(_game: Game, state: State, seat: Seat, dice: Dice, _more: Callable[[], bool]) -> Action:
    """A win if there is one, else in the way of the other's, else anywhere."""
    mine, theirs = discs(state.tabletop, seat), discs(state.tabletop, Seat(1 - seat))
    for owner in (mine, theirs):
        for column in _open(mine | theirs):
            if has_four(_after(owner, mine | theirs, column)):
                return Drop(column)
    return dice.choice(state.questions[seat].choices)


def lefty(_game: Game, state: State, seat: Seat, _dice: Dice, _more: Callable[[], bool]) -> Action:
    """Always the leftmost column: a bot that another package could bring."""
    return state.questions[seat].choices[0]


BOTS: dict[str, Bot[State, Action]] = {"easy": easy, "strong": strong}
