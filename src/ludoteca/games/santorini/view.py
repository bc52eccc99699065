"""What may be known: everything, by everybody. The view is the picture that a client draws."""

from functools import cache

import msgspec

from ludoteca.core import Dice, Seat
from ludoteca.games.santorini.data import CELLS, DOMED, NOWHERE, SIDE, SPACES, Colour, Phase
from ludoteca.games.santorini.events import Built, Event, Lost, Moved, Placed, Pushed
from ludoteca.games.santorini.state import State, Tabletop, happen


class Worker(msgspec.Struct, frozen=True):
    """A worker on the island, number 1 or 2 of its seat."""

    seat: int
    number: int
    i: int
    j: int


class View(msgspec.Struct, frozen=True):
    """The table.

    `seat` decides now; lists of gods, colours, `out` and tokens have one entry for each seat.
    """

    phase: Phase
    seat: int
    order: tuple[int, ...]
    start: int
    offered: tuple[str, ...]
    gods: tuple[str, ...]
    colours: tuple[Colour | None, ...]
    levels: tuple[tuple[int, ...], ...]
    domes: tuple[tuple[bool, ...], ...]
    workers: tuple[Worker, ...]
    out: tuple[bool, ...]
    tokens: tuple[int, ...]
    winner: int | None


def view(state: State, seat: Seat | None) -> View:  # noqa: ARG001
    """The same picture for every seat and every spectator."""
    levels, domes = _rows(state)
    return View(
        phase=state.phase,
        seat=state.seat,
        order=state.order,
        start=state.start,
        offered=state.offered,
        gods=state.gods,
        colours=state.colours,
        levels=levels,
        domes=domes,
        workers=_workers(state),
        out=state.out,
        tokens=state.tokens,
        winner=state.winner,
    )


def update(picture: View, event: Event) -> View:
    """The picture after an event. Of towers and workers only what it touches is laid out and drawn again."""
    kind = type(event)
    builds, moves = kind is Built, kind in _MOVING
    tabletop = Tabletop(
        picture.order,
        picture.phase,
        picture.seat,
        picture.start,
        picture.offered,
        picture.gods,
        picture.colours,
        _towers(picture) if builds else (),
        _spaces(picture) if moves else (),
        picture.out,
        picture.tokens,
        picture.winner,
    )
    happen(tabletop, event)
    levels, domes = _rows(tabletop) if builds else (picture.levels, picture.domes)
    return View(
        tabletop.phase,
        tabletop.seat,
        tabletop.order,
        tabletop.start,
        tabletop.offered,
        tabletop.gods,
        tabletop.colours,
        levels,
        domes,
        _workers(tabletop) if moves else picture.workers,
        tabletop.out,
        tabletop.tokens,
        tabletop.winner,
    )


def redeal(state: State, seat: Seat | None, dice: Dice) -> State:  # noqa: ARG001
    """There is nothing hidden that could be otherwise."""
    return state.clone()


# A tabletop and its picture are two ways to write the same down: numbers for those who search, rows and cells
# for those who look.

_WORKERS = tuple(
    tuple(Worker(worker >> 1, 1 + (worker & 1), cell.i, cell.j) for cell in CELLS) for worker in range(6)
)


# Events that touch workers.
_MOVING = frozenset((Placed, Moved, Pushed, Lost))


def _rows(tabletop: Tabletop) -> tuple[tuple[tuple[int, ...], ...], tuple[tuple[bool, ...], ...]]:
    """Levels and domes."""
    towers = tabletop.towers
    rows = [_row(towers[start : start + SIDE]) for start in range(0, SPACES, SIDE)]
    return tuple([levels for levels, _ in rows]), tuple([domes for _, domes in rows])


@cache
def _row(towers: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[bool, ...]]:
    return tuple(tower % DOMED for tower in towers), tuple(tower >= DOMED for tower in towers)


def _workers(tabletop: Tabletop) -> tuple[Worker, ...]:
    return tuple(
        [_WORKERS[worker][space] for worker, space in enumerate(tabletop.workers) if space != NOWHERE]
    )


def _towers(picture: View) -> tuple[int, ...]:
    towers: tuple[int, ...] = ()
    for levels, domes in zip(picture.levels, picture.domes, strict=True):
        towers += _row_of(levels, domes)
    return towers


@cache
def _row_of(levels: tuple[int, ...], domes: tuple[bool, ...]) -> tuple[int, ...]:
    return tuple(level + DOMED * dome for level, dome in zip(levels, domes, strict=True))


def _spaces(picture: View) -> tuple[int, ...]:
    """Where all workers stand, by number."""
    workers = [NOWHERE] * (2 * len(picture.order))
    for worker in picture.workers:
        workers[2 * worker.seat + worker.number - 1] = worker.i * SIDE + worker.j
    return tuple(workers)
