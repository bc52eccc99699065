"""What may be known: everything, by everybody. The view is the picture that a client draws."""

from copy import copy
from functools import cache

import msgspec

from ludoteca.core import Dice, Seat
from ludoteca.games.santorini.data import CELLS, DOMED, NOWHERE, SIDE, SPACES
from ludoteca.games.santorini.events import Event
from ludoteca.games.santorini.state import State, Table, happen, replaced


class Worker(msgspec.Struct, frozen=True):
    """A worker on the island, number 1 or 2 of its seat."""

    seat: int
    number: int
    i: int
    j: int


class View(Table, gc=False):
    """The table as a client draws it. `seat` decides now."""

    levels: tuple[tuple[int, ...], ...]
    domes: tuple[tuple[bool, ...], ...]
    # By seat and number.
    workers: tuple[Worker, ...]

    def stand(self, worker: int, space: int) -> None:
        workers = list(self.workers)
        place = 0
        while place < len(workers) and _number(workers[place]) < worker:
            place += 1
        was_there = place < len(workers) and _number(workers[place]) == worker
        workers[place : place + was_there] = [_WORKERS[worker][space]] if space != NOWHERE else []
        self.workers = tuple(workers)

    def grow(self, space: int, dome: bool) -> None:
        row, column = divmod(space, SIDE)
        if dome:
            self.domes = replaced(self.domes, row, replaced(self.domes[row], column, True))
        else:
            levels = self.levels[row]
            self.levels = replaced(self.levels, row, replaced(levels, column, levels[column] + 1))


def view(state: State, seat: Seat | None) -> View:  # noqa: ARG001
    """The same picture for every seat and every spectator."""
    rows = [_row(bytes(state.towers[start : start + SIDE])) for start in range(0, SPACES, SIDE)]
    return View(
        phase=state.phase,
        seat=state.seat,
        order=state.order,
        start=state.start,
        offered=state.offered,
        gods=state.gods,
        colours=state.colours,
        out=state.out,
        tokens=state.tokens,
        winner=state.winner,
        levels=tuple([levels for levels, _ in rows]),
        domes=tuple([domes for _, domes in rows]),
        workers=tuple(
            [_WORKERS[worker][space] for worker, space in enumerate(state.workers) if space != NOWHERE]
        ),
    )


def update(picture: View, event: Event) -> View:
    """The picture after an event."""
    later = copy(picture)
    happen(later, event)
    return later


def redeal(state: State, seat: Seat | None, dice: Dice) -> State:  # noqa: ARG001
    """There is nothing hidden that could be otherwise."""
    return state.clone()


@cache
def _row(towers: bytes) -> tuple[tuple[int, ...], tuple[bool, ...]]:
    """Levels and domes."""
    return tuple(tower % DOMED for tower in towers), tuple(tower >= DOMED for tower in towers)


_WORKERS = tuple(
    tuple(Worker(worker >> 1, 1 + (worker & 1), cell.i, cell.j) for cell in CELLS) for worker in range(6)
)


def _number(worker: Worker) -> int:
    return 2 * worker.seat + worker.number - 1
