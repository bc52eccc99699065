"""Who may know what: everybody sees the same board, and nobody the mines before a round is over."""

from typing import assert_never

import msgspec

from ludoteca.core import Dice, Seat
from ludoteca.games.multisweeper.data import CLOSED, MINE
from ludoteca.games.multisweeper.events import (
    BrokenOff,
    Eliminated,
    Event,
    Exploded,
    Forfeited,
    Opened,
    RoundBegun,
    Won,
)
from ludoteca.games.multisweeper.solver import Knowledge
from ludoteca.games.multisweeper.state import Last, Lost, Out, State


class View(msgspec.Struct, frozen=True, gc=False):
    """What everybody may know.

    `cells` row by row: 0 to 8 open with that many mines around, 9 closed, 10 a mine (on the last board only,
    and when looking back with all mines shown).
    `order` are the players still in, as they take turns; `turn` counts from 1 in each round; `mover` is on
    turn, None when the tournament is over; `last` is the latest click of this round, `lost` the last board of
    the round before; `mines` is their number.
    """

    width: int
    height: int
    mines: int
    cells: tuple[int, ...]
    order: tuple[Seat, ...]
    turn: int
    mover: Seat | None
    round: int
    out: tuple[Out, ...]
    last: Last | None
    lost: Lost | None


def view(state: State, _seat: Seat | None) -> View:
    """The board and the tournament so far, the same for all."""
    options = state.options
    return View(
        options.width,
        options.height,
        options.mines,
        tuple(state.cells),
        state.order,
        state.turn,
        state.mover,
        state.round,
        state.out,
        state.last,
        state.lost,
    )


def update(view: View, event: Event) -> View:
    """The view after an event."""
    match event:
        case Opened(seat, column, row, opened):
            cells = list(view.cells)
            for cell, number in opened:
                cells[cell] = number
            order = view.order
            return View(
                view.width,
                view.height,
                view.mines,
                tuple(cells),
                order,
                view.turn + 1,
                order[view.turn % len(order)],
                view.round,
                view.out,
                Last(seat, column, row),
                view.lost,
            )
        case Exploded(seat, column, row, mines):
            return _with(view, cells=_mined(view, mines), last=Last(seat, column, row))
        case Forfeited(_, mines):
            return _with(view, cells=_mined(view, mines), last=None)
        case Eliminated(loser, number):
            order = tuple(seat for seat in view.order if seat != loser)
            return _with(view, order=order, out=(*view.out, Out(loser, number)))
        case RoundBegun(number, order):
            return _with(
                view,
                cells=(CLOSED,) * len(view.cells),
                order=order,
                turn=1,
                mover=order[0],
                round=number,
                last=None,
                lost=Lost(view.cells, view.last),
            )
        case Won() | BrokenOff():
            return _with(view, mover=None)
        case _:
            assert_never(event)


def reveal(state: State) -> View:
    """The board with its mines."""
    mines = tuple(cell for cell in range(len(state.cells)) if state.mines >> cell & 1)
    picture = view(state, None)
    return _with(picture, cells=_mined(picture, mines))


_with = msgspec.structs.replace


def _mined(view: View, mines: tuple[int, ...]) -> tuple[int, ...]:
    cells = list(view.cells)
    for cell in mines:
        cells[cell] = MINE
    return tuple(cells)


def redeal(state: State, _seat: Seat | None, dice: Dice) -> State:
    """The same board over mines laid anew: any layout that fits the numbers, all equally likely."""
    other = state.clone()
    other.dice = dice.fork()
    if MINE not in state.cells:
        other.mines = Knowledge(state).sample(dice)
    return other
