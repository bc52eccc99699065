"""Players of Multisweeper's own, weakest first.

easy    sees what single numbers tell, when it looks, and otherwise clicks anywhere
safe    knows the exact chance of a mine everywhere, and takes the least
master  also counts who will be left with nothing but mines: among good players most rounds end so

The end of a round is a game without chance. Once the mines are known, whoever makes the last safe click wins
(among two), so it is a sum of heaps as in Nim: a number that borders no closed opening is a heap of one; an
opening can be taken whole, or one of its border numbers at a time. `Endgame` gives the value of that sum.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from ludoteca.core import Bot, Dice, Game, Seat
from ludoteca.games.multisweeper.actions import Click
from ludoteca.games.multisweeper.data import CLOSED
from ludoteca.games.multisweeper.rules import apply
from ludoteca.games.multisweeper.solver import Knowledge
from ludoteca.games.multisweeper.state import State, board, closed_cells

# How many layouts of unknown mines are looked at, how many clicks, and from how many layouts on
# they prove something.
LAYOUTS_MIN = 12
LAYOUTS_MAX = 60
CANDIDATES_MAX = 6
SORT_MIN = 4
# Working out a tangle takes time and memory in proportion to two to the power of its parts.
TANGLE_MAX = 10

# Openings that hang together by shared border numbers: each opening is a bit. A border number is known by the
# openings it borders (a set of bits). Two numbers alike cancel out, so only odd classes matter.
Tangle = tuple[int, frozenset[int]]


@lru_cache(maxsize=65_536)
def grundy(openings: int, odd: frozenset[int]) -> int:
    """The Nim value of openings (bits) and of the classes of border numbers of which an odd number is closed.

    Classes with an even number, above none, add only moves that can be answered in kind. A tangle too
    large to be worked out is guessed at by the number of its parts; that happens on large boards,
    long before their end.
    """
    if not openings:
        return 0
    if openings.bit_count() + len(odd) > TANGLE_MAX:
        return (openings.bit_count() + len(odd)) & 1
    reached = {grundy(openings, odd - {one}) for one in odd}
    left = openings
    while left:
        opening = left & -left
        left ^= opening
        reached.add(grundy(openings ^ opening, frozenset(one for one in odd if not one & opening)))
    value = 0
    while value in reached:
        value += 1
    return value


class Endgame:
    """A board whose mines are known: what every safe click makes of it."""

    def __init__(self, state: State, mines: int) -> None:
        options = state.options
        geometry = board(options.width, options.height)
        masks = geometry.masks
        near = geometry.around if options.spread == "eight" else geometry.beside
        safe = [cell for cell in closed_cells(state.cells) if not mines >> cell & 1]
        # Which opening a closed 0 belongs to, and which openings a closed number borders.
        self.opening: dict[int, int] = {}
        self.borders: dict[int, int] = {}
        zeros = {cell for cell in safe if not mines & masks[cell]}
        openings = 0
        for seed in zeros:
            if seed not in self.opening:
                mark = 1 << openings
                openings += 1
                self.opening[seed] = mark
                reached = [seed]
                for cell in reached:
                    for target in near[cell]:
                        if target in zeros:
                            if target not in self.opening:
                                self.opening[target] = mark
                                reached.append(target)
                        else:
                            self.borders[target] = self.borders.get(target, 0) | mark
        self.borders = {c: marks for c, marks in self.borders.items() if state.cells[c] == CLOSED}
        self.lone = [cell for cell in safe if cell not in self.opening and cell not in self.borders]
        self.safe = safe
        odd: set[int] = set()
        for marks in self.borders.values():
            odd ^= {marks}
        self.parts = _tangles(openings, odd, set(self.borders.values()))
        self.values = [grundy(*part) for part in self.parts]
        self.total = len(self.lone) & 1
        for value in self.values:
            self.total ^= value

    def after(self, cell: int) -> int:
        """The value of what is left when this safe cell has been clicked."""
        mark = self.opening.get(cell)
        marks = self.borders.get(cell)
        if mark is None and marks is None:
            return self.total ^ 1
        touched = mark or marks or 0
        place = next(i for i, (openings, _) in enumerate(self.parts) if openings & touched)
        openings, odd = self.parts[place]
        if mark is not None:
            left = grundy(openings ^ mark, frozenset(one for one in odd if not one & mark))
        else:
            left = grundy(openings, odd ^ {marks})
        return self.total ^ self.values[place] ^ left

    def clicks(self, order: list[int]) -> int:
        """How many clicks it takes to open all safe cells, if they are clicked in this
        order unless open already."""
        count, opened = 0, 0
        clicked: set[int] = set()
        for cell in order:
            mark = self.opening.get(cell, 0)
            if cell not in clicked and not (mark or self.borders.get(cell, 0)) & opened:
                clicked.add(cell)
                opened |= mark
                count += 1
        return count


def _tangles(openings: int, odd: set[int], links: set[int]) -> list[Tangle]:
    """Split openings into those that hang together."""
    parts: list[int] = [1 << number for number in range(openings)]
    for link in links:
        joined = link
        apart = []
        for part in parts:
            if part & link:
                joined |= part
            else:
                apart.append(part)
        parts = [*apart, joined]
    return [(part, frozenset(one for one in odd if one & part)) for part in parts]


def casual(overlooks_one_in: int) -> Bot:
    """Click what single numbers show to be free, or else anywhere but on what they show to be a mine.

    A beginner does not always look: without that it would be nearly as good as the next
    level on small boards.
    """

    def click(_game: Game, state: State, _seat: Seat, dice: Dice, _more: Callable[[], bool]) -> Click:
        knowledge = Knowledge(state)
        closed = closed_cells(state.cells)
        free = [cell for cell in closed if knowledge.safe >> cell & 1]
        hopeful = [cell for cell in closed if not knowledge.mined >> cell & 1]
        looks = dice.below(overlooks_one_in) > 0
        return _click(state, dice.choice((free if looks else []) or hopeful or closed))

    return click


def safe(_game: Game, state: State, _seat: Seat, dice: Dice, _more: Callable[[], bool]) -> Click:
    """Click where a mine is least likely."""
    chances = Knowledge(state).chances(dice)
    least = min(chances.values())
    return _click(state, dice.choice([cell for cell, chance in chances.items() if chance == least]))


def master(_game: Game, state: State, _seat: Seat, dice: Dice, more: Callable[[], bool]) -> Click:
    """Click safely, and so that the others run out of safe clicks first."""
    knowledge = Knowledge(state)
    chances = knowledge.chances(dice)
    least = min(chances.values())
    best = [cell for cell, chance in chances.items() if chance == least]
    if least == 0.0 and len(best) > 1:
        if len(state.order) > 2:
            best = _outlasting(state, knowledge, best, dice, more)
        elif all(chance in (0.0, 1.0) for chance in chances.values()):
            best = _decisive(state, knowledge.sample(dice), best)
        else:
            best = _promising(state, knowledge, best, dice, more)
    return _click(state, dice.choice(best))


def _decisive(state: State, mines: int, cells: list[int]) -> list[int]:
    """With all mines known: the clicks that win; if there are none, those that the
    opponent can answer worst."""
    endgame = Endgame(state, mines)
    winning = [cell for cell in cells if endgame.after(cell) == 0]
    if winning:
        return winning
    mistakes = {}
    for cell in cells:
        later = Endgame(_after(state, cell, mines), mines)
        mistakes[cell] = sum(later.after(reply) != 0 for reply in later.safe) / max(1, len(later.safe))
    return _best(mistakes)


def _promising(
    state: State, knowledge: Knowledge, cells: list[int], dice: Dice, more: Callable[[], bool]
) -> list[int]:
    """With some mines unknown: lay them at random, many times, and look two clicks ahead.

    The opponent will know no more than what the first click shows, so the layouts are sorted by that, and one
    reply must do for all of a sort.
    """
    layouts: list[int] = []
    while len(layouts) < LAYOUTS_MAX and (len(layouts) < LAYOUTS_MIN or more()):
        layouts.append(knowledge.sample(dice))
    endgames = [Endgame(state, mines) for mines in layouts]
    hopes = {cell: sum(endgame.after(cell) == 0 for endgame in endgames) for cell in cells}
    leading = sorted(cells, key=lambda cell: -hopes[cell])[:CANDIDATES_MAX]
    certain = sum(1 << cell for cell in cells)
    values: dict[int, tuple[float, int]] = {}
    for cell in leading:
        if values and not more():
            break
        sorts: dict[bytes, list[tuple[State, int]]] = {}
        for mines in layouts:
            later = _after(state, cell, mines)
            sorts.setdefault(bytes(later.cells), []).append((later, mines))
        lost = sum(len(sort) * _reply(sort, certain) for sort in sorts.values())
        # Among equals, what looks best at once.
        values[cell] = (round(1 - lost / len(layouts), 9), hopes[cell])
    return _best(values)


def _reply(sort: list[tuple[State, int]], certain: int) -> float:
    """How likely the opponent wins by its best reply, on boards that look alike but hide different mines."""
    mined = 0
    for _, mines in sort:
        mined |= mines
    later = sort[0][0]
    closed = closed_cells(later.cells)
    # A few layouts prove little: then only what was certain before counts as such.
    replies = [c for c in closed if not mined >> c & 1 and (len(sort) >= SORT_MIN or certain >> c & 1)]
    if not replies:
        risk = min(sum(mines >> cell & 1 for _, mines in sort) for cell in closed) / len(sort)
        return (1 - risk) / 2
    endgames = [Endgame(later, mines) for _, mines in sort]
    return max(sum(endgame.after(reply) == 0 for endgame in endgames) for reply in replies) / len(sort)


def _outlasting(
    state: State, knowledge: Knowledge, cells: list[int], dice: Dice, more: Callable[[], bool]
) -> list[int]:
    """Among several: after which clicks a random rest of the round most often ends on somebody else."""
    players = len(state.order)
    kept = dict.fromkeys(cells, 0)
    for done in range(LAYOUTS_MAX):
        if done >= LAYOUTS_MIN and not more():
            break
        endgame = Endgame(state, knowledge.sample(dice))
        for cell in cells:
            order = endgame.safe[:]
            dice.shuffle(order)
            kept[cell] += endgame.clicks([cell, *order]) % players != 0
    return _best(kept)


def _after(state: State, cell: int, mines: int) -> State:
    """The board after a click, if the mines lie so."""
    later = state.clone()
    later.mines = mines
    apply(later, later.order[(later.turn - 1) % len(later.order)], _click(state, cell))
    return later


def _best(values: dict[int, Any]) -> list[int]:
    highest = max(values.values())
    return [cell for cell, value in values.items() if value == highest]


def _click(state: State, cell: int) -> Click:
    row, column = divmod(cell, state.options.width)
    return Click(column, row)


BOTS: Mapping[str, Bot] = {
    "playful": casual(2),
    "easy": casual(6),
    "medium": safe,
    "strong": master,
    "master": master,
}
FORMER = {"safe": "medium"}
