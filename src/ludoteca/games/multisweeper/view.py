"""Who may know what: everybody sees the same board, and nobody the mines before a round is over."""

import msgspec

from ludoteca.core import Dice, Seat
from ludoteca.games.multisweeper.data import MINE, Options
from ludoteca.games.multisweeper.events import BrokenOff, Eliminated, Event, Won
from ludoteca.games.multisweeper.solver import Knowledge
from ludoteca.games.multisweeper.state import Last, Lost, Out, State, Tabletop, cells_of, happen, show_mines


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
    return _drawn(state, tuple(state.cells), state.options)


# Events that leave the board as it is: it need not be laid out for them.
_BESIDE = frozenset((Eliminated, Won, BrokenOff))


def update(picture: View, event: Event) -> View:
    """The view after an event."""
    is_beside = type(event) in _BESIDE
    cells = [] if is_beside else list(picture.cells)
    tabletop = Tabletop(
        cells,
        picture.order,
        picture.turn,
        picture.mover,
        picture.round,
        picture.out,
        picture.last,
        picture.lost,
    )
    happen(tabletop, event)
    return _drawn(tabletop, picture.cells if is_beside else tuple(cells), picture)


def reveal(state: State) -> View:
    """The board with its mines."""
    shown = state.clone()
    show_mines(shown.cells, cells_of(state.mines))
    return view(shown, None)


def _drawn(tabletop: Tabletop, cells: tuple[int, ...], board: Options | View) -> View:
    return View(
        board.width,
        board.height,
        board.mines,
        cells,
        tabletop.order,
        tabletop.turn,
        tabletop.mover,
        tabletop.round,
        tabletop.out,
        tabletop.last,
        tabletop.lost,
    )


def redeal(state: State, _seat: Seat | None, dice: Dice) -> State:
    """The same board over mines laid anew: any layout that fits the numbers, all equally likely."""
    other = state.clone()
    other.dice = dice.fork()
    if MINE not in state.cells:
        other.mines = Knowledge(state).sample(dice)
    return other
