"""Positions written as text: tiles are the letters of the terminal (C B G F T P), a dot is an empty place."""

from collections.abc import Sequence

from ludoteca.core import Setup
from ludoteca.games.shelfie import rules
from ludoteca.games.shelfie.data import TILES, Tile
from ludoteca.games.shelfie.state import Options, Shelf, State
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


def room(rows: Sequence[str], letters: dict[str, Tile] = BY_LETTER) -> list[Tile | None]:
    """A living room of nine rows; # and . are both without a tile."""
    return [letters.get(letter) for row in rows for letter in row]


def position(
    seats: int = 2,
    *,
    room_tiles: list[Tile | None] | None = None,
    shelves: Sequence[Shelf] = (),
    commons: tuple[int, int] = (1, 2),
    bag: int | None = None,
    seed: int = 1,
    options: Options | None = None,
) -> State:
    """A match in which seat 0 began and is to move, with what is given put in the place of chance."""
    state, _ = rules.start(Setup(seats, seed, options or Options()))
    state.first = state.turn = 0
    state.commons = commons
    state.cards = tuple(range(1, seats + 1))
    if room_tiles is not None:
        state.room = list(room_tiles)
    for seat, given in enumerate(shelves):
        state.shelves[seat] = list(given)
    if bag is not None:
        state.bag = [TILES[number % 6] for number in range(bag)]
    rules.ask(state)
    return state
