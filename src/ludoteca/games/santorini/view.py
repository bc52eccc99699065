"""What may be known: everything, by everybody. The view is the picture that a client draws."""

from functools import cache

import msgspec

from ludoteca.core import Dice, Seat
from ludoteca.games.santorini.data import CELLS, DOMED, NOWHERE, SIDE, SPACES, Colour, Phase
from ludoteca.games.santorini.events import Event
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
    return _drawn(state)


def update(picture: View, event: Event) -> View:
    """The picture after an event."""
    tabletop = _laid(picture)
    happen(tabletop, event)
    return _drawn(tabletop)


def redeal(state: State, seat: Seat | None, dice: Dice) -> State:  # noqa: ARG001
    """There is nothing hidden that could be otherwise."""
    return state.clone()


# A tabletop and its picture are two ways to write the same down: numbers for those who search, rows and cells
# for those who look.

_WORKERS = tuple(
    tuple(Worker(worker >> 1, 1 + (worker & 1), cell.i, cell.j) for cell in CELLS) for worker in range(6)
)


def _drawn(tabletop: Tabletop) -> View:
    towers = tabletop.towers
    rows = [_row(towers[start : start + SIDE]) for start in range(0, SPACES, SIDE)]
    return View(
        phase=tabletop.phase,
        seat=tabletop.seat,
        order=tabletop.order,
        start=tabletop.start,
        offered=tabletop.offered,
        gods=tabletop.gods,
        colours=tabletop.colours,
        levels=tuple([levels for levels, _ in rows]),
        domes=tuple([domes for _, domes in rows]),
        workers=tuple(
            [_WORKERS[worker][space] for worker, space in enumerate(tabletop.workers) if space != NOWHERE]
        ),
        out=tabletop.out,
        tokens=tabletop.tokens,
        winner=tabletop.winner,
    )


@cache
def _row(towers: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[bool, ...]]:
    return tuple(tower % DOMED for tower in towers), tuple(tower >= DOMED for tower in towers)


@cache
def _towers(levels: tuple[int, ...], domes: tuple[bool, ...]) -> tuple[int, ...]:
    return tuple(level + DOMED * dome for level, dome in zip(levels, domes, strict=True))


def _laid(picture: View) -> Tabletop:
    towers: tuple[int, ...] = ()
    for levels, domes in zip(picture.levels, picture.domes, strict=True):
        towers += _towers(levels, domes)
    workers = [NOWHERE] * (2 * len(picture.order))
    for worker in picture.workers:
        workers[2 * worker.seat + worker.number - 1] = worker.i * SIDE + worker.j
    return Tabletop(
        order=picture.order,
        phase=picture.phase,
        seat=picture.seat,
        start=picture.start,
        offered=picture.offered,
        gods=picture.gods,
        colours=picture.colours,
        towers=towers,
        workers=tuple(workers),
        out=picture.out,
        tokens=picture.tokens,
        winner=picture.winner,
    )
