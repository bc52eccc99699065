"""The rules of a Multisweeper tournament: minesweeper in turns, each round knocks out who clicks a mine.

Decisions are numbered as in the README of this folder.
"""

from functools import lru_cache

import msgspec

from ludoteca.core import Dice, LocalError, Outcome, Refused, Seat, Setup
from ludoteca.games.multisweeper import events
from ludoteca.games.multisweeper.actions import Action
from ludoteca.games.multisweeper.data import (
    BOARD_LINE_BYTES_MAX,
    CLOSED,
    SUGGESTED,
    Options,
    board_line_bytes,
)
from ludoteca.games.multisweeper.events import Event
from ludoteca.games.multisweeper.state import CHANGES, State, board, cells_of, closed_bits, numbers


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
    order = tuple(map(Seat, range(setup.seats)))
    state = State(
        cells=bytearray([CLOSED]) * (options.width * options.height),
        order=order,
        turn=1,
        mover=order[0],
        round=1,
        out=(),
        last=None,
        lost=None,
        options=options,
        dice=Dice(setup.seed),
    )
    _lay_mines(state)
    return state, [events.RoundBegun(1, order)]


def apply(state: State, seat: Seat, action: Action) -> list[Event]:
    """Click a cell: it opens, or the round is lost."""
    if state.outcome is not None:
        raise Refused("the tournament is over", "over")
    if state.mover != seat:
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
    log: list[Event] = []
    if state.mines >> cell & 1:
        _tell(state, log, events.Exploded(seat, column, row, cells_of(state.mines)))
        _eliminate(state, log, seat)
    else:
        _tell(state, log, events.Opened(seat, column, row, opened(state, cell)))
    return log


def leave(state: State, seat: Seat) -> list[Event]:
    """A player is gone for good (A10); one who is out already disturbs nobody (A21)."""
    if state.outcome is not None or seat not in state.order:
        return []
    log: list[Event] = []
    if state.options.lost_player == "forfeit":
        _tell(state, log, events.Forfeited(seat, cells_of(state.mines)))
        _eliminate(state, log, seat)
    else:
        _tell(state, log, events.BrokenOff(seat))
        state.outcome = Outcome((), "a player left")
    return log


def _tell(state: State, log: list[Event], event: Event) -> None:
    """Let an event happen."""
    # As `happen` does it, without a hop: bots play millions of moves.
    CHANGES[type(event)](state, event)
    log.append(event)


def _lay_mines(state: State) -> None:
    options = state.options
    state.mines = sum(state.dice.sample(board(options.width, options.height).bits, options.mines))


def _clear(state: State, cell: int) -> None:
    """A12: a mine under the first click of a round moves to a random free cell.

    All boards without a mine there stay equally likely, so knowing of the move tells nothing.
    """
    if state.mines >> cell & 1:
        free = cells_of(state.mines ^ (1 << len(state.cells)) - 1)
        state.mines ^= 1 << cell | 1 << state.dice.choice(free)


def opened(state: State, cell: int) -> tuple[tuple[int, int], ...]:
    """What opening a free cell opens: from every 0, its neighbours (A13); without recursion, for large
    boards (A26)."""
    options, mines = state.options, state.mines
    geometry = board(options.width, options.height)
    number = (mines & geometry.masks[cell]).bit_count()
    if number:
        return ((cell, number),)
    shown = numbers(mines, options.width, options.height)
    near = geometry.masks if options.spread == "eight" else geometry.beside_masks
    closed = closed_bits(state.cells) ^ geometry.bits[cell]
    found = [cell]
    # The list grows while it is walked: what a 0 opens is looked at in its turn.
    for source in found:
        if not shown[source] and (targets := near[source] & closed):
            closed ^= targets
            found += _near_cells(targets)
    return tuple([(target, shown[target]) for target in found])


# There are few sets around a cell.
_near_cells = lru_cache(maxsize=1 << 15)(cells_of)


def _eliminate(state: State, log: list[Event], loser: Seat) -> None:
    """The round is over: the last one left has won, otherwise the next round begins."""
    order = state.order
    if state.options.rotate_start:
        order = (*order[1:], order[0])
    _tell(state, log, events.Eliminated(loser, state.round))
    if len(state.order) == 1:
        _tell(state, log, events.Won(state.order[0]))
        state.outcome = Outcome(_ranks(state), "everybody else has lost a round")
        return
    _tell(state, log, events.RoundBegun(state.round + 1, tuple(seat for seat in order if seat != loser)))
    _lay_mines(state)


def _ranks(state: State) -> tuple[int, ...]:
    """The winner is first, the loser of the final second, and so on."""
    ranks = [1] * (len(state.out) + 1)
    for rank, out in enumerate(reversed(state.out), 2):
        ranks[out.seat] = rank
    return tuple(ranks)
