"""The island and the god cards: facts only.

A space is a number from 0 to 24, row by row, wherever speed matters; `Cell` is the same space for people and
programs outside (row i, column j, both from 0).
"""

from typing import Any, Literal, get_args

import msgspec

from ludoteca.core.bounds import Given

SIDE = 5
SPACES = SIDE * SIDE

# A tower is its number of blocks, 0 to 3; a dome on top adds DOMED, so a domed tower is higher than any step.
TOP = 3
DOMED = 8

# Worker 1 of seat s is number 2 * s, worker 2 is 2 * s + 1. A worker that has left the island stands here:
NOWHERE = -1

# In order: the Challenger offers gods; each takes one; the Challenger names who begins;
# colours; workers; play.
Phase = Literal["gods", "god", "start", "colour", "place", "play", "over"]

Colour = Literal["MAGENTA", "LIGHT_BLUE", "WHITE"]
COLOURS: tuple[Colour, ...] = get_args(Colour)


class Cell(msgspec.Struct, frozen=True):
    """A space: row i from the top, column j from the left, both from 0."""

    i: Given
    j: Given


CELLS: tuple[Cell, ...] = tuple(Cell(i, j) for i in range(SIDE) for j in range(SIDE))
NUMBERS: dict[Cell, int] = {cell: number for number, cell in enumerate(CELLS)}

EDGE = frozenset(n for n, c in enumerate(CELLS) if c.i in (0, SIDE - 1) or c.j in (0, SIDE - 1))

_AROUND = tuple((i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0))

NEIGHBOURS: tuple[tuple[int, ...], ...] = tuple(
    tuple(NUMBERS[near] for i, j in _AROUND if (near := Cell(cell.i + i, cell.j + j)) in NUMBERS)
    for cell in CELLS
)
# The island of Urania, whose opposite shores touch.
ROUND: tuple[tuple[int, ...], ...] = tuple(
    tuple(sorted(NUMBERS[Cell((cell.i + i) % SIDE, (cell.j + j) % SIDE)] for i, j in _AROUND))
    for cell in CELLS
)
NEAR: tuple[frozenset[int], ...] = tuple(frozenset(cells) for cells in NEIGHBOURS)

# A set of spaces is kept as the bits of one integer. BITS[NOWHERE] is nothing, as the last of the tuple.
BITS: tuple[int, ...] = (*(1 << space for space in range(SPACES)), 0)
EVERYWHERE = (1 << SPACES) - 1
EDGES = sum(BITS[space] for space in EDGE)
# What lies around each space, and around nowhere.
AROUND: tuple[int, ...] = (*(sum(BITS[near] for near in spaces) for spaces in NEIGHBOURS), 0)

# BEYOND[source, target]: the next space on the same line, for neighbours; missing where the island ends.
BEYOND: dict[tuple[int, int], int] = {
    (NUMBERS[cell], NUMBERS[Cell(cell.i + i, cell.j + j)]): NUMBERS[beyond]
    for cell in CELLS
    for i, j in _AROUND
    if (beyond := Cell(cell.i + 2 * i, cell.j + 2 * j)) in NUMBERS
}


class Card(msgspec.Struct, frozen=True):
    """A god card: its text, the most players it is meant for, and the gods it cannot meet."""

    text: str
    seats_max: int = 3
    shuns: tuple[str, ...] = ()


CARDS: dict[str, Card] = {
    "Apollo": Card(
        "May step onto a neighbouring rival builder's space; that builder is placed where yours came from."
    ),
    "Artemis": Card(
        "May move the same builder a second time, but the second move cannot return to the space where the "
        "turn began."
    ),
    "Athena": Card(
        "If one of your builders went up during your latest turn, rival builders cannot go up until your next "
        "turn."
    ),
    "Atlas": Card("May place a dome on any level instead of a block."),
    "Demeter": Card("May build a second time, on a different space."),
    "Hephaestus": Card("May add one more block, never a dome, on top of the block just built."),
    "Hermes": Card(
        "As long as nobody goes up or down, both builders may take any number of level steps, none included, "
        "then either of them builds."
    ),
    "Minotaur": Card(
        "May step onto a neighbouring rival builder's space if that builder can be shoved one space straight "
        "on, to a free space of any height."
    ),
    "Pan": Card("Also wins when a builder steps down by two levels or more.", shuns=("Hades",)),
    "Prometheus": Card("May build before moving as well as after; then that builder cannot go up this turn."),
    "Aphrodite": Card(
        "A rival builder that begins its owner's turn next to one of your builders must end its movement next "
        "to one of your builders.",
        seats_max=2,
        shuns=("Urania",),
    ),
    "Chronus": Card(
        "Also wins as soon as five complete towers stand on the board, whoever finished them.", seats_max=2
    ),
    "Eros": Card(
        "Builders start on opposite edges. Also wins by moving a builder next to the other one with both on "
        "level 1 (with three players: both on any one same level)."
    ),
    "Hera": Card("A rival cannot win by moving onto an edge space."),
    "Hestia": Card("May build a second time, not on an edge space; the same space is allowed."),
    "Hypnus": Card(
        "If one builder of the player about to move stands strictly higher than that player's other builder, "
        "the higher one cannot move.",
        shuns=("Terpsichore",),
    ),
    "Limus": Card(
        "Rival builders cannot build next to your builders, except for the dome that completes a three-level "
        "tower.",
        shuns=("Terpsichore",),
    ),
    "Morpheus": Card(
        "Gains one token each turn and, instead of the normal build, spends any number of tokens to build that "
        "many times."
    ),
    "Persephone": Card(
        "If a rival is able to go up with some builder this turn, at least one of their moves must go up."
    ),
    "Poseidon": Card("The builder that stayed put, when on the ground, gets up to three extra builds."),
    "Selene": Card(
        "The marked builder (the first one placed) may place a dome on any level, whichever builder moved."
    ),
    "Triton": Card("Each time the builder arrives on an edge space it may move again."),
    "Zeus": Card("May build a block under the builder itself, up to level 3."),
    "Hades": Card("Rival builders cannot go down.", shuns=("Pan",)),
    "Terpsichore": Card("Both builders must move, then both must build.", shuns=("Hypnus", "Limus")),
    "Urania": Card(
        "Opposite edges and corners count as neighbours when moving and building.", shuns=("Aphrodite",)
    ),
}

Catalogue = Literal["core", "none", "original", "all"]

_OPTIONAL = ("Hades", "Terpsichore", "Urania")

CATALOGUES: dict[Catalogue, tuple[str, ...]] = {
    "core": tuple(name for name in CARDS if name not in _OPTIONAL),
    "none": (),
    # The fourteen for which the first graphical client has pictures.
    "original": (
        "Apollo",
        "Artemis",
        "Athena",
        "Atlas",
        "Demeter",
        "Hephaestus",
        "Minotaur",
        "Pan",
        "Prometheus",
        "Chronus",
        "Hestia",
        "Limus",
        "Triton",
        "Zeus",
    ),
    "all": tuple(CARDS),
}

TOWERS_FOR_CHRONUS = 5
EXTRA_BUILDS_OF_POSEIDON = 3

# What is printed on the cards, for programs elsewhere.
PRINTED: dict[str, Any] = {
    "gods": {name: msgspec.to_builtins(card) for name, card in CARDS.items()},
    "catalogues": CATALOGUES,
}
