"""Players of Multisweeper's own, weakest first.

playful  as easy, but looks less often, and one time in three clicks anywhere
easy     sees what single numbers tell, when it looks, and now and then clicks anywhere
medium   knows the exact chance of a mine everywhere, and mostly takes the least
strong   always takes the least, and counts who will be left with nothing but mines, once it knows them all
master   counts so before, too: among good players most rounds end so; and guesses by what a click leaves to
         the next one
"""

from collections.abc import Callable, Mapping
from typing import Any

from ludoteca.core import Bot, Dice, Game, Seat, careless
from ludoteca.games.multisweeper.actions import Click
from ludoteca.games.multisweeper.bot.guess import guess
from ludoteca.games.multisweeper.bot.nim import Endgame
from ludoteca.games.multisweeper.rules import apply
from ludoteca.games.multisweeper.solver import Knowledge
from ludoteca.games.multisweeper.state import State, closed_cells

# How many layouts of unknown mines are looked at, how many clicks, and from how many layouts on
# they prove something.
LAYOUTS_MIN = 12
LAYOUTS_MAX = 60
CANDIDATES_MAX = 6
SORT_MIN = 4


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


def overlooking(bot: Bot, one_in: int) -> Bot:
    """The same bot, which one time in so many clicks anything but what single numbers show to be a mine."""
    anywhere = casual(1)

    def click(game: Game, state: State, seat: Seat, dice: Dice, more: Callable[[], bool]) -> Click:
        chosen: Click = (bot if dice.below(one_in) else anywhere)(game, state, seat, dice, more)
        return chosen

    return click


def safe(_game: Game, state: State, _seat: Seat, dice: Dice, _more: Callable[[], bool]) -> Click:
    """Click where a mine is least likely."""
    return _click(state, dice.choice(_safest(Knowledge(state).chances(dice))))


def strong(_game: Game, state: State, _seat: Seat, dice: Dice, _more: Callable[[], bool]) -> Click:
    """Click safely, and once all mines are known so that the others run out of safe clicks first."""
    knowledge = Knowledge(state)
    chances = knowledge.chances(dice)
    best = _safest(chances)
    if len(best) > 1 and len(state.order) == 2 and _is_decided(chances):
        best = _decisive(state, knowledge.sample(dice), best)
    return _click(state, dice.choice(best))


def master(_game: Game, state: State, _seat: Seat, dice: Dice, more: Callable[[], bool]) -> Click:
    """The same, and where nothing is certain leave the next one as little as possible."""
    knowledge = Knowledge(state)
    best = _outplaying(state, knowledge, dice, more)
    chances = knowledge.chances(dice)
    if 0.0 < chances[best[0]] < 1.0:
        return _click(state, guess(knowledge, chances, more, len(state.order)))
    return _click(state, dice.choice(best))


def _outplaying(state: State, knowledge: Knowledge, dice: Dice, more: Callable[[], bool]) -> list[int]:
    """The safest clicks; among certain ones those after which the others run out of them first."""
    chances = knowledge.chances(dice)
    best = _safest(chances)
    if chances[best[0]] == 0.0 and len(best) > 1:
        if len(state.order) > 2:
            best = _outlasting(state, knowledge, best, dice, more)
        elif _is_decided(chances):
            best = _decisive(state, knowledge.sample(dice), best)
        else:
            best = _promising(state, knowledge, best, dice, more)
    return best


def _safest(chances: dict[int, float]) -> list[int]:
    least = min(chances.values())
    return [cell for cell, chance in chances.items() if chance == least]


def _is_decided(chances: dict[int, float]) -> bool:
    return all(chance in (0.0, 1.0) for chance in chances.values())


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
    "playful": careless(casual(3), 1, 3),
    "easy": careless(casual(5), 1, 9),
    "medium": overlooking(safe, 5),
    "strong": strong,
    "master": master,
}
FORMER = {"safe": "medium"}
