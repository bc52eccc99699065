"""What a god may change: the hooks that the rules call, each with the mortal rule as its default.

A god's file names only the hooks in which it differs. What concerns many spaces is asked once, and answered
with a set of them (bits, see data.py). No hook knows which other gods are at the table: what happens when two
meet follows from the rules asking all of them.
"""

from collections.abc import Callable

import msgspec

from ludoteca.games.santorini.data import EVERYWHERE, NEIGHBOURS, TOP
from ludoteca.games.santorini.events import Event
from ludoteca.games.santorini.state import State


class Step(msgspec.Struct, frozen=True):
    """What may come next in a turn: a move of these workers, a build of those, the end.

    `rise` and `drop` are the most levels that such a move may go up and down.
    """

    movers: tuple[int, ...] = ()
    builders: tuple[int, ...] = ()
    end: bool = False
    rise: int = 1
    drop: int = TOP


_WORKERS = tuple((worker,) for worker in range(6))

# Both workers of a seat, as bits.
BOTH = 3

# Made once, by seat or by worker.
PAIR: tuple[tuple[int, int], ...] = ((0, 1), (2, 3), (4, 5))
MOVE: tuple[Step, ...] = tuple(Step(movers=pair) for pair in PAIR)
MOVE_OR_BUILD: tuple[Step, ...] = tuple(Step(movers=pair, builders=pair) for pair in PAIR)
BUILD_WITH: tuple[Step, ...] = tuple(Step(builders=worker) for worker in _WORKERS)
MOVE_OR_BUILD_WITH: tuple[Step, ...] = tuple(Step(movers=worker, builders=worker) for worker in _WORKERS)
MAYBE_BUILD_WITH: tuple[Step, ...] = tuple(Step(builders=worker, end=True) for worker in _WORKERS)
DONE = Step(end=True)

# By `rise` and the level a worker stands on: to which level it may go up.
HIGHEST = tuple(tuple(min(TOP, level + rise) for level in range(TOP + 1)) for rise in (0, 1))


def plain(state: State) -> Step:
    """The mortal turn: a move, then a build by the worker that moved."""
    turn = state.turn
    if not turn.moves:
        return MOVE[state.seat]
    if not turn.builds:
        return BUILD_WITH[turn.mover]
    return DONE


def build_twice(state: State) -> Step:
    """The mortal turn, and perhaps a second build."""
    turn = state.turn
    return MAYBE_BUILD_WITH[turn.mover] if turn.builds == 1 else plain(state)


class God(msgspec.Struct, frozen=True, kw_only=True):
    """How one god differs. Spaces and workers are numbers as in data.py; `owner` is the god's seat."""

    name: str

    # Setup: whether the worker of `owner` may be placed on this space.
    places: Callable[[State, int, int], bool] | None = None

    # The owner's turn. What may come next:
    steps: Callable[[State], Step] = plain
    # which spaces are within reach of each space,
    neighbours: tuple[tuple[int, ...], ...] = NEIGHBOURS
    # to which spaces moves are allowed,
    treads: Callable[[State], int] | None = None
    # where a rival is forced to who stands in the way of a move from the first space to the second (None: the
    # way is blocked),
    shoves: Callable[[State, int, int], int | None] | None = None
    # on which spaces this worker may build (a dome, when the last is true),
    builds_on: Callable[[State, int, bool], int] | None = None
    # whether this worker may put a dome on any level,
    caps: Callable[[State, int], bool] | None = None
    # whether a worker may put a block under itself,
    lifts: bool = False
    # whether this worker's move between these spaces wins,
    wins: Callable[[State, int, int, int], bool] | None = None
    # what the start of the turn and each build bring about.
    begins: Callable[[State], Event] | None = None
    pays: Callable[[State], Event] | None = None

    # Rivals' turns. Which of the workers of `state.seat`, as bits, cannot move in the turn that begins,
    lulls: Callable[[State, int], int] | None = None
    # and which must end their movement as `demands` says;
    holds: Callable[[State, int], int] | None = None
    # to which spaces moves from this one are forbidden,
    stops: Callable[[State, int, int], int] | None = None
    # on which spaces building is forbidden (a dome, when the last is true),
    guards: Callable[[State, int, bool], int] | None = None
    # whether a move onto this space cannot win,
    denies: Callable[[State, int], bool] | None = None
    # which of the workers have not moved as this god wants them to, if that is possible at all (bits again),
    # to which spaces a worker must go for that, where its first move in the turn is the only one,
    # and whether this step, if it is taken now, leaves a way for them to do so later in the turn.
    demands: Callable[[State, int], int] | None = None
    wants: Callable[[State, int, int], int] = lambda _state, _owner, _worker: EVERYWHERE
    hopes: Callable[[Step], bool] = lambda _step: True

    # Anybody's turn: whether the island, after a build, is a victory for the owner.
    claims: Callable[[State], bool] | None = None
