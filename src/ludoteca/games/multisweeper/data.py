"""Facts of Multisweeper: what can be agreed about a table, the suggested boards, what a cell can show."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

# What a cell shows, as on the wire: 0 to 8 open, with that many mines around it; and
CLOSED = 9
MINE = 10  # only on the last board of a round

# Boards by number of players: up to so many, width, height, mines (decision A15).
SUGGESTED = ((2, 9, 9, 10), (4, 16, 16, 40), (8, 30, 16, 99))

# A board_update must fit one network packet, because a client that reads packets loses a longer one.
BOARD_LINE_BYTES_MAX = 1_400


def board_line_bytes(width: int, height: int, mines: int) -> int:
    """The greatest length of a board_update line: its word, a blank and a digit for each cell, the tens."""
    return 13 + 2 * width * height + mines


class Options(msgspec.Struct, frozen=True):
    """What the players of a table agree on."""

    width: Annotated[
        int, Meta(ge=0, le=690, description="columns; 0: as suggested for the number of players")
    ] = 0
    height: Annotated[
        int, Meta(ge=0, le=690, description="rows; 0: as suggested for the number of players")
    ] = 0
    mines: Annotated[int, Meta(ge=0, le=690, description="mines; 0: as suggested for the board")] = 0
    spread: Annotated[
        Literal["eight", "four"],
        Meta(description="how many neighbours an opened 0 opens; the original server knew four"),
    ] = "eight"
    safe_first_click: Annotated[
        bool, Meta(description="the first click of a round never hits: the mine moves elsewhere")
    ] = True
    lost_player: Annotated[
        Literal["abort", "forfeit"],
        Meta(description="whoever leaves ends the tournament for all, or only loses the round"),
    ] = "abort"
    rotate_start: Annotated[bool, Meta(description="every round is begun by the next player in order")] = (
        False
    )
    pause_s: Annotated[
        float,
        Meta(
            ge=0, le=60, description="seconds in which clients of the line protocol can look at a lost board"
        ),
    ] = 2.0
    final_loser: Annotated[
        Literal[0, 1],
        Meta(description="end_condition of who loses the final, on the line protocol"),
    ] = 0
