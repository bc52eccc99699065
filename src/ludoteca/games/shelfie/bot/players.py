"""Players of My Shelfie: what a bookshelf is worth before it is full, and how to choose by that.

A turn is judged by the bookshelf it leaves: by the points it has ("easy", and "medium" every other time), or
by groups and goals it is on the way to ("strong"). The master, and "strong" one time in three, tries the best
few turns in worlds it cannot tell from the true one and looks one round ahead.
"""

from collections.abc import Callable, Sequence

from ludoteca.core import Bot, Dice, Game, Seat, careless, wavering
from ludoteca.games.shelfie.actions import Action, FillColumn, TakeTiles
from ludoteca.games.shelfie.bot.judge import BY_HAND, Judge
from ludoteca.games.shelfie.bot.search import best_turn
from ludoteca.games.shelfie.data import FIRST_FULL_SHELF_POINTS, Tile
from ludoteca.games.shelfie.goals import COMMON, personal_points
from ludoteca.games.shelfie.rules import apply
from ludoteca.games.shelfie.state import Shelf, State, group_points

# In how many worlds the strong one looks ahead: as many as it has time for even where a house is busy.
STRONG_WORLDS = 4


def best_fills(state: State, worth: Callable[[Shelf], float]) -> list[tuple[float, Action]]:
    """Every way to put the hand away with the worth of the bookshelf it makes, the best first."""
    (seat,) = state.questions
    return _fills(state.tabletop.shelf(seat), state.choices, worth)


def _fills(
    shelf: Shelf, fills: Sequence[Action], worth: Callable[[Shelf], float]
) -> list[tuple[float, Action]]:
    found: list[tuple[float, Action]] = []
    for fill in fills:
        assert isinstance(fill, FillColumn)
        after = shelf.copy()
        after[fill.column] += fill.tiles
        found.append((worth(after), fill))
    found.sort(key=_first, reverse=True)
    return found


def best_takes(state: State, worth: Callable[[Shelf], float]) -> list[tuple[float, Action]]:
    """Every way to take tiles, with the worth of the bookshelf that it can lead to, the best first."""
    (seat,) = state.questions
    shelf = state.tabletop.shelf(seat)
    known: dict[tuple[Tile, ...], float] = {}
    found: list[tuple[float, Action]] = []
    for take in state.choices:
        assert isinstance(take, TakeTiles)
        after = state.clone()
        apply(after, seat, take)
        hand = tuple(sorted(after.tabletop.hand))
        if hand not in known:
            known[hand] = _fills(shelf, after.choices, worth)[0][0]
        found.append((known[hand], take))
    found.sort(key=_first, reverse=True)
    return found


def _first(pair: tuple[float, Action]) -> float:
    return pair[0]


def _choose(state: State, worth: Callable[[Shelf], float]) -> Action:
    ranked = best_fills(state, worth) if state.tabletop.hand else best_takes(state, worth)
    return ranked[0][1]


def greedy(_game: Game, state: State, seat: Seat, _dice: Dice, _more: Callable[[], bool]) -> Action:
    """Take the most points at once, and think of nothing later."""
    card = state.tabletop.cards[seat]
    assert card is not None
    goals = [common.id for common in state.tabletop.commons if not common.taken[seat]]

    def points(shelf: Shelf) -> float:
        tokens = 8 * sum(COMMON[goal](shelf) for goal in goals)
        return group_points(shelf) + personal_points(card, shelf) + tokens

    return _choose(state, points)


def far_sighted(_game: Game, state: State, seat: Seat, _dice: Dice, _more: Callable[[], bool]) -> Action:
    """Build towards goals and groups."""
    return _choose(state, Judge(state.tabletop, seat).worth)


def look_ahead(_game: Game, state: State, seat: Seat, dice: Dice, more: Callable[[], bool]) -> Action:
    """Whole turns by the same judgement, and how the next round goes after them in a few worlds."""
    return best_turn(state, seat, dice, more, BY_HAND, STRONG_WORLDS)


def master(_game: Game, state: State, seat: Seat, dice: Dice, more: Callable[[], bool]) -> Action:
    """Whole turns, by what was learned, in as many worlds as there is time for."""
    return best_turn(state, seat, dice, more)


def _prospect(state: State, seat: int) -> float:
    if state.outcome is not None:
        return float(state.outcome.scores["total"][seat])
    won = state.tabletop.tokens(seat) + FIRST_FULL_SHELF_POINTS * (state.tabletop.filled == seat)
    return won + Judge(state.tabletop, seat).worth(state.tabletop.shelf(seat))


def opinion(state: State) -> list[float]:
    """About the points that all will have, by where their bookshelves lead."""
    return [_prospect(state, owner) for owner in range(len(state.tabletop.shelves))]


BOTS: dict[str, Bot] = {
    "playful": careless(greedy, 1, 3),
    "easy": greedy,
    "medium": wavering(far_sighted, greedy, 1, 2),
    "strong": wavering(look_ahead, far_sighted, 2, 3),
    "master": master,
}
