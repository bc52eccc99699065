"""What speaks for tiles and columns: goals, groups, wishes, and what a rival would have liked."""

from collections.abc import Callable, Iterator
from itertools import permutations

from ludoteca.core.advice import Adviser, Words, likely, say
from ludoteca.games.shelfie.actions import Action, FillColumn, TakeTiles
from ludoteca.games.shelfie.bot.judge import Judge
from ludoteca.games.shelfie.bot.players import far_sighted, opinion
from ludoteca.games.shelfie.data import SHELF_COLUMNS, SHELF_ROWS, Tile
from ludoteca.games.shelfie.goals import COMMON, in_place
from ludoteca.games.shelfie.state import Shelf, State, group_points, groups

# One tile and several, in both languages.
_NAMES: dict[Tile, tuple[str, str, str, str]] = {
    "cat": ("cat", "cats", "gatto", "gatti"),
    "book": ("book", "books", "libro", "libri"),
    "game": ("game", "games", "gioco", "giochi"),
    "frame": ("frame", "frames", "cornice", "cornici"),
    "trophy": ("trophy", "trophies", "trofeo", "trofei"),
    "plant": ("plant", "plants", "pianta", "piante"),
}
# So many points ahead, as the bots expect them, and what it is worth to be in turn: both by how matches of
# equals ended (training/chances.py).
EVEN = 5.0
TURN = 1.3
# A group that is worth keeping from a rival.
RIVAL_GROUP = 2


def chance(state: State, seat: int) -> float:
    """How likely this seat comes out ahead."""
    prospects = opinion(state)
    if state.tabletop.turn is not None:
        prospects[state.tabletop.turn] += TURN
    mine = prospects.pop(seat)
    return likely(mine - max(prospects), EVEN)


def explain(state: State, seat: int, action: Action) -> Words:
    """What speaks for an answer."""
    shelf = state.tabletop.shelf(seat)
    if isinstance(action, FillColumn):
        reasons = [*_filled(state, seat, shelf, _with(shelf, action))]
    else:
        taken = _tiles(state, action)
        best = _best(shelf, taken, Judge(state.tabletop, seat).worth)[1]
        reasons = [*_filled(state, seat, shelf, best), *_denied(state, seat, action)]
    return say(*reasons or [("leaves room for what is still to come", "lascia posto per ciò che verrà")])


def _tiles(state: State, take: TakeTiles) -> tuple[Tile, ...]:
    tiles = (state.tabletop.room[cell.row][cell.column] for cell in take.cells)
    return tuple(tile for tile in tiles if tile is not None)


def _with(shelf: Shelf, fill: FillColumn) -> Shelf:
    after = shelf.copy()
    after[fill.column] = (*after[fill.column], *fill.tiles)
    return after


def _filled(state: State, seat: int, before: Shelf, after: Shelf) -> Iterator[tuple[str, str]]:
    """What a bookshelf gains."""
    tabletop = state.tabletop
    goals = [one.tokens[0] for one in tabletop.commons if not one.taken[seat] and COMMON[one.id](after)]
    if len(goals) == 1:
        yield f"completes a common goal for {goals[0]} points", f"completa un obiettivo da {goals[0]} punti"
    elif goals:
        yield (
            f"completes both common goals for {sum(goals)} points",
            f"completa due obiettivi: {sum(goals)} punti",
        )
    if all(len(column) == SHELF_ROWS for column in after) and tabletop.filled is None:
        yield "fills your bookshelf first", "riempie per prima la tua libreria"
    card = tabletop.cards[seat]
    if card is not None and (met := in_place(card, after) - in_place(card, before)) > 0:
        if met == 1:
            yield (
                "puts a tile where your own goal wants it",
                "mette una tessera dove la vuole il tuo obiettivo",
            )
        else:
            yield f"meets {met} cells of your own goal", f"soddisfa {met} caselle del tuo obiettivo"
    gained = group_points(after) - group_points(before)
    if gained > 0:
        points, punti = ("1 point", "1 punto") if gained == 1 else (f"{gained} points", f"{gained} punti")
        yield f"makes groups worth {points} more", f"dà ai gruppi {punti} in più"
    elif (pair := _grown(before, after)) is not None:
        tile, size = pair
        _, many, _, molti = _NAMES[tile]
        yield f"brings {size} {many} together", f"mette insieme {size} {molti}"


def _grown(before: Shelf, after: Shelf) -> tuple[Tile, int] | None:
    """The largest group that is new."""
    old = groups(before)
    new = [group for group in groups(after) if group[1] > 1 and group not in old]
    return max(new, key=lambda group: group[1], default=None)


def _denied(state: State, seat: int, take: TakeTiles) -> Iterator[tuple[str, str]]:
    """Whether these were the last that a rival could take for a group of its own."""
    open_tiles = {
        cell: tile
        for choice in state.choices
        if isinstance(choice, TakeTiles) and len(choice.cells) == 1
        for cell, tile in zip(choice.cells, _tiles(state, choice), strict=True)
    }
    for tile in dict.fromkeys(_tiles(state, take)):
        if any(other == tile for cell, other in open_tiles.items() if cell not in take.cells):
            continue
        for rival in range(len(state.tabletop.shelves)):
            if rival == seat:
                continue
            sizes = [size for kind, size in groups(state.tabletop.shelf(rival)) if kind == tile]
            if RIVAL_GROUP <= max(sizes, default=0) < 6:
                one, _, uno, _ = _NAMES[tile]
                yield (
                    f"takes the last {one} your rival needs",
                    f"prende l'ultima tessera ({uno}) che serve al rivale",
                )
                break


def glance(state: State, seat: int) -> dict[Action, float]:
    """What bookshelf each answer can lead to."""
    worth, shelf = Judge(state.tabletop, seat).worth, state.tabletop.shelf(seat)
    known: dict[tuple[Tile, ...], float] = {}
    marks: dict[Action, float] = {}
    for choice in state.choices:
        if isinstance(choice, FillColumn):
            marks[choice] = worth(_with(shelf, choice))
            continue
        taken = tuple(sorted(_tiles(state, choice)))
        if taken not in known:
            known[taken] = _best(shelf, taken, worth)[0]
        marks[choice] = known[taken]
    return marks


def _best(shelf: Shelf, tiles: tuple[Tile, ...], worth: Callable[[Shelf], float]) -> tuple[float, Shelf]:
    """The best bookshelf that these tiles can make of one, and what it is worth."""
    columns = [column for column in range(SHELF_COLUMNS) if len(shelf[column]) + len(tiles) <= SHELF_ROWS]
    orders = sorted(set(permutations(tiles)))
    made = (_with(shelf, FillColumn(column, order)) for column in columns for order in orders)
    return max(((worth(one), one) for one in made), key=lambda pair: pair[0])


ADVICE = Adviser(explain, chance, far_sighted, glance)
