"""Positions written as text: tiles are the letters of the terminal (C B G F T P), a dot is an empty place."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from ludoteca.core import Setup
from ludoteca.games.shelfie import rules
from ludoteca.games.shelfie.data import COMMON_GOALS, TILES, Tile
from ludoteca.games.shelfie.state import Common, Grid, Options, Shelf, State, group_points, wishes_of
from ludoteca.games.shelfie.text import LETTERS
from ludoteca.games.shelfie.wire.messages import TILES_BY_WIRE

BY_LETTER: dict[str, Tile] = {letter: tile for tile, letter in LETTERS.items()}
# The cases speak of colours, as the wire does.
BY_COLOUR: dict[str, Tile] = {name[0]: tile for name, tile in TILES_BY_WIRE.items()}


def shelf(rows: Sequence[str], letters: dict[str, Tile] = BY_LETTER) -> Shelf:
    """A bookshelf of six rows, top first, or of its lowest rows only. Nothing may float."""
    columns = []
    for marks in zip(*reversed(rows), strict=True):
        tiles = "".join(marks).rstrip(".")
        assert "." not in tiles, "a tile floats"
        columns.append(tuple(letters[letter] for letter in tiles))
    return columns


def rows_of(shelf: Shelf, letters: dict[str, Tile] = BY_LETTER) -> list[str]:
    """A bookshelf as six rows, top first."""
    names = {tile: letter for letter, tile in letters.items()}
    columns = [[names[tile] for tile in column] + ["."] * (6 - len(column)) for column in shelf]
    return ["".join(row) for row in zip(*columns, strict=True)][::-1]


def grid(shelf: Shelf) -> Grid:
    """A bookshelf as it is drawn."""
    heights = reversed(range(6))
    return tuple(tuple(c[height] if height < len(c) else None for c in shelf) for height in heights)


def room(rows: Sequence[str], letters: dict[str, Tile] = BY_LETTER) -> Grid:
    """A living room of nine rows; # and . are both without a tile."""
    return tuple(tuple(letters.get(letter) for letter in row) for row in rows)


def lay(state: State, shelves: Mapping[int, Shelf] | None = None, **changes: Any) -> None:
    """Change what lies on the table, and some bookshelves by seat; the question is asked anew."""
    tabletop = replace(state.tabletop, **changes)
    grids = list(tabletop.shelves)
    for seat, given in (shelves or {}).items():
        grids[seat] = grid(given)
    assert None not in tabletop.cards
    state.tabletop = replace(
        tabletop,
        shelves=tuple(grids),
        groups=tuple(map(group_points, grids)),
        goals=tuple(wishes_of(card or 0, given) for card, given in zip(tabletop.cards, grids, strict=True)),
    )
    rules.survey(state)


def commons(state: State, *goals: int) -> tuple[Common, ...]:
    """Other common goals, of which nobody has a token yet."""
    first = state.tabletop.commons[0]
    return tuple(replace(first, id=goal, name=COMMON_GOALS[goal]) for goal in goals)


def position(
    seats: int = 2,
    *,
    room_tiles: Grid | None = None,
    shelves: Sequence[Shelf] = (),
    goals: tuple[int, int] = (1, 2),
    bag: int | None = None,
    seed: int = 1,
    options: Options | None = None,
) -> State:
    """A match in which seat 0 began and is to move, with what is given put in the place of chance."""
    state, _ = rules.start(Setup(seats, seed, options or Options()))
    if bag is not None:
        state.bag = [TILES[number % 6] for number in range(bag)]
    lay(
        state,
        dict(enumerate(shelves)),
        first=0,
        turn=0,
        commons=commons(state, *goals),
        cards=tuple(range(1, seats + 1)),
        room=room_tiles or state.tabletop.room,
    )
    return state
