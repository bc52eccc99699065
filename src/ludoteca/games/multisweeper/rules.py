"""The rules of a Multisweeper tournament: minesweeper in turns, each round knocks out who clicks a mine.

Decisions are numbered as in the README of this folder.
"""

import msgspec

from ludoteca.core import Dice, LocalError, Outcome, Refused, Seat, Setup
from ludoteca.games.multisweeper.actions import Action
from ludoteca.games.multisweeper.data import (
    BOARD_LINE_BYTES_MAX,
    CLOSED,
    MINE,
    SUGGESTED,
    Options,
    board_line_bytes,
)
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
from ludoteca.games.multisweeper.state import Last, Lost, Out, State, board


def settle(options: Options, seats: int) -> Options:
    """The options with the board suggested for so many players where none is named; Refused
    if it cannot be."""
    wide, high, many = next(row[1:] for row in SUGGESTED if seats <= row[0])
    width, height = options.width or wide, options.height or high
    # An unusual board is mined as densely as the suggested one.
    mines = options.mines or max(1, width * height * many // (wide * high))
    if mines >= width * height:
        raise Refused(f"{mines} mines leave no free cell on {width} by {height}", "options")
    if board_line_bytes(width, height, mines) > BOARD_LINE_BYTES_MAX:
        raise Refused(
            f"a board of {width} by {height} with {mines} mines is too large for one packet", "options"
        )
    return msgspec.structs.replace(options, width=width, height=height, mines=mines)


def start(setup: Setup) -> tuple[State, list[Event]]:
    """A tournament with everybody in, in the order of the seats (A14)."""
    options: Options = setup.options
    if not options.width * options.height * options.mines:
        raise LocalError("a match begins with settled options: Game.setup settles them")
    cells = bytearray([CLOSED]) * (options.width * options.height)
    state = State(options, Dice(setup.seed), tuple(map(Seat, range(setup.seats))), cells)
    _lay_mines(state)
    return state, [RoundBegun(state.round, state.order)]


def apply(state: State, seat: Seat, action: Action) -> list[Event]:
    """Click a cell: it opens, or the round is lost."""
    if state.outcome is not None:
        raise Refused("the tournament is over", "over")
    order = state.order
    if order[(state.turn - 1) % len(order)] != seat:
        raise Refused("it is not your turn", "turn")
    options = state.options
    column, row = action.column, action.row
    if not (0 <= column < options.width and 0 <= row < options.height):
        raise Refused(f"column {column}, row {row} is outside the board", "outside")
    cell = row * options.width + column
    # A5: a click on an open cell would be a free pass, with which two stubborn players never finish.
    if state.cells[cell] != CLOSED:
        raise Refused(f"column {column}, row {row} is open already", "open")
    if state.turn == 1 and options.safe_first_click:
        _clear(state, cell)
    state.last = Last(seat, column, row)
    if state.mines >> cell & 1:
        return [Exploded(seat, column, row, _reveal(state)), *_eliminate(state, seat)]
    opened = _open(state, cell)
    state.turn += 1
    return [Opened(seat, column, row, opened)]


def leave(state: State, seat: Seat) -> list[Event]:
    """A player is gone for good (A10); one who is out already disturbs nobody (A21)."""
    if state.outcome is not None or seat not in state.order:
        return []
    if state.options.lost_player == "forfeit":
        state.last = None
        return [Forfeited(seat, _reveal(state)), *_eliminate(state, seat)]
    state.outcome = Outcome((), "a player left")
    return [BrokenOff(seat)]


def _lay_mines(state: State) -> None:
    state.mines = 0
    for cell in state.dice.sample(range(len(state.cells)), state.options.mines):
        state.mines |= 1 << cell


def _clear(state: State, cell: int) -> None:
    """A12: a mine under the first click of a round moves to a random free cell.

    All boards without a mine there stay equally likely, so knowing of the move tells nothing.
    """
    if state.mines >> cell & 1:
        free = [other for other in range(len(state.cells)) if not state.mines >> other & 1]
        state.mines ^= 1 << cell | 1 << state.dice.choice(free)


def _open(state: State, cell: int) -> tuple[tuple[int, int], ...]:
    """Open a free cell and, from every 0, its neighbours (A13); without recursion, for large boards (A26)."""
    cells, mines, options = state.cells, state.mines, state.options
    geometry = board(options.width, options.height)
    masks = geometry.masks
    number = cells[cell] = (mines & masks[cell]).bit_count()
    if number:
        return ((cell, number),)
    near = geometry.around if options.spread == "eight" else geometry.beside
    opened = [(cell, 0)]
    # The list grows while it is walked: what a 0 opens is looked at in its turn.
    for source, value in opened:
        if value == 0:
            for target in near[source]:
                if cells[target] == CLOSED:
                    cells[target] = number = (mines & masks[target]).bit_count()
                    opened.append((target, number))
    return tuple(opened)


def _reveal(state: State) -> tuple[int, ...]:
    """Show all mines; other closed cells stay closed (A19)."""
    mines = tuple(cell for cell in range(len(state.cells)) if state.mines >> cell & 1)
    for cell in mines:
        state.cells[cell] = MINE
    return mines


def _eliminate(state: State, loser: Seat) -> list[Event]:
    """The round is over: the last one left has won, otherwise the next round begins."""
    order = state.order
    if state.options.rotate_start:
        order = (*order[1:], order[0])
    state.order = tuple(seat for seat in order if seat != loser)
    state.out = (*state.out, Out(loser, state.round))
    events: list[Event] = [Eliminated(loser, state.round)]
    if len(state.order) == 1:
        state.outcome = Outcome(_ranks(state), "everybody else has lost a round")
        return [*events, Won(state.order[0])]
    state.lost = Lost(tuple(state.cells), state.last)
    state.round += 1
    state.turn = 1
    state.last = None
    state.cells = bytearray([CLOSED]) * len(state.cells)
    _lay_mines(state)
    return [*events, RoundBegun(state.round, state.order)]


def _ranks(state: State) -> tuple[int, ...]:
    """The winner is first, the loser of the final second, and so on."""
    best_first = [*state.order, *(out.seat for out in reversed(state.out))]
    return tuple(best_first.index(Seat(seat)) + 1 for seat in range(len(best_first)))
