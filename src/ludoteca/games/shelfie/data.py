"""The facts of My Shelfie: tiles, living room, bookshelf, goals and points."""

from typing import Any, Literal, NamedTuple

Tile = Literal["cat", "book", "game", "frame", "trophy", "plant"]


class Cell(NamedTuple):
    """A space of the living room or of a bookshelf, counted from the top left."""

    row: int
    column: int


TILES: tuple[Tile, ...] = ("cat", "book", "game", "frame", "trophy", "plant")
TILES_PER_TYPE = 22
PLURALS: dict[Tile, str] = {
    "cat": "cats",
    "book": "books",
    "game": "games",
    "frame": "frames",
    "trophy": "trophies",
    "plant": "plants",
}

SEATS = range(2, 5)

ROOM_ROWS = ROOM_COLUMNS = 9
# The number of players from which on a space is used; a dot is a place without a space.
ROOM = (
    "...34....",
    "...224...",
    "..32223..",
    ".42222223",
    "422222224",
    "32222224.",
    "..32223..",
    "...422...",
    "....43...",
)

# The number of players from which on each cell is used (the dots printed there), by number of players; 0 for no
# space at all, and for those of more players than are playing.
ROOM_MASKS = {
    seats: tuple(tuple(int(dot) if "2" <= dot <= str(seats) else 0 for dot in row) for row in ROOM)
    for seats in SEATS
}
# The spaces in use by number of players, in reading order.
SPACES = {
    seats: tuple(Cell(row, column) for row, dots in enumerate(mask) for column, dot in enumerate(dots) if dot)
    for seats, mask in ROOM_MASKS.items()
}

SHELF_ROWS = 6
SHELF_COLUMNS = 5

TAKE_MAX = 3

# By number of players, the highest on top and first.
TOKENS: dict[int, tuple[int, ...]] = {2: (8, 4), 3: (8, 6, 4), 4: (8, 6, 4, 2)}
FIRST_FULL_SHELF_POINTS = 1

COMMON_GOALS_PER_MATCH = 2
COMMON_GOALS: dict[int, str] = {
    1: "Two 2x2 squares",
    2: "Two columns of six different types",
    3: "Four groups of four",
    4: "Six groups of two",
    5: "Three columns of at most three types",
    6: "Two rows of five different types",
    7: "Four rows of at most three types",
    8: "Four corners",
    9: "Eight of a kind",
    10: "X of five",
    11: "Diagonal of five",
    12: "Staircase",
}

# Points by the number of tiles in place.
PERSONAL_POINTS = (0, 1, 2, 4, 6, 9, 12)
PERSONAL_GOALS: dict[int, tuple[tuple[Cell, Tile], ...]] = {
    1: (
        (Cell(0, 0), "plant"),
        (Cell(0, 2), "frame"),
        (Cell(1, 4), "cat"),
        (Cell(2, 3), "book"),
        (Cell(3, 1), "game"),
        (Cell(5, 2), "trophy"),
    ),
    2: (
        (Cell(1, 1), "plant"),
        (Cell(2, 0), "cat"),
        (Cell(2, 2), "game"),
        (Cell(3, 4), "book"),
        (Cell(4, 3), "trophy"),
        (Cell(5, 4), "frame"),
    ),
    3: (
        (Cell(1, 0), "frame"),
        (Cell(1, 3), "game"),
        (Cell(2, 2), "plant"),
        (Cell(3, 1), "cat"),
        (Cell(3, 4), "trophy"),
        (Cell(5, 0), "book"),
    ),
    4: (
        (Cell(0, 4), "game"),
        (Cell(2, 0), "trophy"),
        (Cell(2, 2), "frame"),
        (Cell(3, 3), "plant"),
        (Cell(4, 1), "book"),
        (Cell(4, 2), "cat"),
    ),
    5: (
        (Cell(1, 1), "trophy"),
        (Cell(3, 1), "frame"),
        (Cell(3, 2), "book"),
        (Cell(4, 4), "plant"),
        (Cell(5, 0), "game"),
        (Cell(5, 3), "cat"),
    ),
    6: (
        (Cell(0, 2), "trophy"),
        (Cell(0, 4), "cat"),
        (Cell(2, 3), "book"),
        (Cell(4, 1), "game"),
        (Cell(4, 3), "frame"),
        (Cell(5, 0), "plant"),
    ),
    7: (
        (Cell(0, 0), "cat"),
        (Cell(1, 3), "frame"),
        (Cell(2, 1), "plant"),
        (Cell(3, 0), "trophy"),
        (Cell(4, 4), "game"),
        (Cell(5, 2), "book"),
    ),
    8: (
        (Cell(0, 4), "frame"),
        (Cell(1, 1), "cat"),
        (Cell(2, 2), "trophy"),
        (Cell(3, 0), "plant"),
        (Cell(4, 3), "book"),
        (Cell(5, 3), "game"),
    ),
    9: (
        (Cell(0, 2), "game"),
        (Cell(2, 2), "cat"),
        (Cell(3, 4), "book"),
        (Cell(4, 1), "trophy"),
        (Cell(4, 4), "plant"),
        (Cell(5, 0), "frame"),
    ),
    10: (
        (Cell(0, 4), "trophy"),
        (Cell(1, 1), "game"),
        (Cell(2, 0), "book"),
        (Cell(3, 3), "cat"),
        (Cell(4, 1), "frame"),
        (Cell(5, 3), "plant"),
    ),
    11: (
        (Cell(0, 2), "plant"),
        (Cell(1, 1), "book"),
        (Cell(2, 0), "game"),
        (Cell(3, 2), "frame"),
        (Cell(4, 4), "cat"),
        (Cell(5, 3), "trophy"),
    ),
    12: (
        (Cell(0, 2), "book"),
        (Cell(1, 1), "plant"),
        (Cell(2, 2), "frame"),
        (Cell(3, 3), "trophy"),
        (Cell(4, 4), "game"),
        (Cell(5, 0), "cat"),
    ),
}

# Points by the size of a group; larger ones count as the last.
GROUP_POINTS = (0, 0, 0, 2, 3, 5, 8)

# What is printed on cards and boards, for programs elsewhere. The numbers of the room are the players from
# which on a space is used.
PRINTED: dict[str, Any] = {
    "tiles": dict.fromkeys(TILES, TILES_PER_TYPE),
    "room": ROOM,
    "bookshelf": {"rows": SHELF_ROWS, "columns": SHELF_COLUMNS},
    "common_goals": COMMON_GOALS,
    "tokens": TOKENS,
    "personal_goals": {
        number: [{"row": cell.row, "column": cell.column, "tile": tile} for cell, tile in goal]
        for number, goal in PERSONAL_GOALS.items()
    },
    "personal_points": PERSONAL_POINTS,
    "group_points": GROUP_POINTS,
    "first_full_bookshelf": FIRST_FULL_SHELF_POINTS,
}
