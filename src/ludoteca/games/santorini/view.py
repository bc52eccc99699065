"""What may be known: everything, by everybody. The view is the picture that a client draws."""

from typing import TypeVar, assert_never

import msgspec

from ludoteca.core import Dice, Seat
from ludoteca.games.santorini.data import CELLS, DOMED, NOWHERE, SIDE, Cell, Colour, Phase
from ludoteca.games.santorini.events import (
    BrokenOff,
    Built,
    ColourChosen,
    Event,
    GodOffered,
    GodTaken,
    Lost,
    Moved,
    Placed,
    Pushed,
    StartChosen,
    TokensCounted,
    TurnBegan,
    Won,
)
from ludoteca.games.santorini.state import State, replaced

_T = TypeVar("_T")


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
    rows = [state.towers[row : row + SIDE] for row in range(0, len(state.towers), SIDE)]
    winners = state.result.winners if state.result is not None else ()
    return View(
        phase=state.phase,
        seat=state.seat,
        order=state.order,
        start=state.start,
        offered=state.offered,
        gods=state.gods,
        colours=state.colours,
        levels=tuple(tuple(tower % DOMED for tower in row) for row in rows),
        domes=tuple(tuple(tower >= DOMED for tower in row) for row in rows),
        workers=tuple(
            Worker(worker >> 1, 1 + (worker & 1), CELLS[space].i, CELLS[space].j)
            for worker, space in enumerate(state.workers)
            if space != NOWHERE
        ),
        out=state.out,
        tokens=state.tokens,
        winner=winners[0] if winners else None,
    )


def redeal(state: State, seat: Seat | None, dice: Dice) -> State:  # noqa: ARG001
    """There is nothing hidden that could be otherwise."""
    return state.clone()


def update(view: View, event: Event) -> View:
    """The picture after an event."""
    match event:
        case Moved(seat=seat, number=number, target=target) | Pushed(seat=seat, number=number, target=target):
            return _put(view, seat, number, target)
        case Built(target=target, dome=dome):
            return _raise(view, target, dome)
        case TurnBegan(seat=seat, phase=phase):
            return msgspec.structs.replace(view, seat=seat, phase=phase)
        case GodOffered(god=god):
            return msgspec.structs.replace(view, offered=(*view.offered, god))
        case GodTaken(seat=seat, god=god):
            return msgspec.structs.replace(view, gods=replaced(view.gods, seat, god))
        case StartChosen(seat=seat):
            return msgspec.structs.replace(view, start=seat)
        case ColourChosen(seat=seat, colour=colour):
            return msgspec.structs.replace(view, colours=replaced(view.colours, seat, colour))
        case Placed(seat=seat, number=number, cell=cell):
            return _put(view, seat, number, cell)
        case TokensCounted(seat=seat, tokens=tokens):
            return msgspec.structs.replace(view, tokens=replaced(view.tokens, seat, tokens))
        case Lost(seat=seat):
            return msgspec.structs.replace(
                view,
                out=replaced(view.out, seat, True),
                workers=tuple(worker for worker in view.workers if worker.seat != seat),
            )
        case Won(seat=seat):
            return msgspec.structs.replace(view, phase="over", winner=seat)
        case BrokenOff():
            return msgspec.structs.replace(view, phase="over")
    assert_never(event)


def _put(view: View, seat: int, number: int, cell: Cell) -> View:
    moved = Worker(seat, number, cell.i, cell.j)
    for place, worker in enumerate(view.workers):
        if worker.seat == seat and worker.number == number:
            return msgspec.structs.replace(view, workers=replaced(view.workers, place, moved))
    workers = sorted([*view.workers, moved], key=lambda worker: (worker.seat, worker.number))
    return msgspec.structs.replace(view, workers=tuple(workers))


def _raise(view: View, cell: Cell, dome: bool) -> View:
    if dome:
        return msgspec.structs.replace(view, domes=_in_grid(view.domes, cell, True))
    return msgspec.structs.replace(view, levels=_in_grid(view.levels, cell, view.levels[cell.i][cell.j] + 1))


def _in_grid(grid: tuple[tuple[_T, ...], ...], cell: Cell, item: _T) -> tuple[tuple[_T, ...], ...]:
    return replaced(grid, cell.i, replaced(grid[cell.i], cell.j, item))
