"""Placing resources: depot by depot, so that every allowed arrangement can be reached and none gets stuck."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import permutations

from ludoteca.games.renaissance.actions import ChooseResource, Step, Store
from ludoteca.games.renaissance.cards.leaders import depot_resources
from ludoteca.games.renaissance.data import INDEX, LEADER_PLACES, ONE, PLACES, RESOURCES, Resource, Stock
from ludoteca.games.renaissance.events import EMPTY, Depot
from ludoteca.games.renaissance.state import Board, held

# The largest depot first: what it takes decides most. Those of leaders come last.
ORDER: tuple[int, ...] = (2, 1, 0, 3, 4)

_STORES: dict[tuple[int, str], tuple[Store, ...]] = {
    (depot, resource): tuple(Store(depot, resource, count) for count in range(1, places + 1))
    for depot, places in enumerate((*PLACES, LEADER_PLACES, LEADER_PLACES))
    for resource in RESOURCES
}
_LEAVES: tuple[Store, ...] = tuple(Store(depot) for depot in range(len(ORDER)))


# The same few pools and arrangements come again and again, in all matches.


def pool(board: Board, waiting: Iterable[Resource]) -> Stock:
    """All that can be placed: what the warehouse holds and what was taken."""
    return _pool(board.depots, tuple(waiting))


@lru_cache(maxsize=4096)
def _pool(depots: tuple[Depot, ...], waiting: tuple[Resource, ...]) -> Stock:
    counts = list(held(depots))
    for resource in waiting:
        counts[INDEX[resource]] += 1
    return Stock(*counts)


def store_choices(board: Board, waiting: Sequence[Resource], draft: Iterable[Step]) -> tuple[Store, ...]:
    """What the next depot can hold after the steps so far; nothing when the arrangement is complete.

    A depot into which nothing could go is passed over.
    """
    return _stores(_pool(board.depots, tuple(waiting)), depot_resources(board), tuple(draft))


@lru_cache(maxsize=16384)
def _stores(everything: Stock, leaders: tuple[Resource, ...], draft: tuple[Step, ...]) -> tuple[Store, ...]:
    counts = list(everything)
    asked = -1
    used = set[Resource]()
    for step in draft:
        if isinstance(step, Store):
            asked = ORDER.index(step.depot)
            if step.resource is not None:
                counts[INDEX[step.resource]] -= step.count
                if step.depot < len(PLACES):
                    used.add(step.resource)
    if not any(counts):
        return ()
    for depot in ORDER[asked + 1 :]:
        if depot < len(PLACES):
            candidates = [resource for resource in RESOURCES if resource not in used]
        elif depot - len(PLACES) < len(leaders):
            candidates = [leaders[depot - len(PLACES)]]
        else:
            break
        found = [
            store for resource in candidates for store in _STORES[depot, resource][: counts[INDEX[resource]]]
        ]
        if found:
            return (*found, _LEAVES[depot])
    return ()


def arranged(
    board: Board, waiting: Sequence[Resource], draft: Iterable[Step]
) -> tuple[tuple[Depot, ...], Stock]:
    """The depots after all steps, and what was given up."""
    depots = [EMPTY] * len(board.depots)
    rest = pool(board, waiting)
    for step in draft:
        if isinstance(step, Store) and step.resource is not None:
            depots[step.depot] = Depot(step.resource, step.count)
            for _ in range(step.count):
                rest = rest.minus(ONE[step.resource])
    return tuple(depots), rest


@lru_cache(maxsize=1024)  # There are 210 orders to compare, and the same few pools come again and again.
def _best_order(
    counts: tuple[int, ...], special: tuple[Resource, ...], standing: tuple[Resource | None, ...]
) -> tuple[Resource | None, ...]:
    """Which kind to keep in each basic depot."""
    spare = dict.fromkeys(RESOURCES, 0)
    for resource in special:
        spare[resource] += LEADER_PLACES

    def worth(order: tuple[Resource | None, ...]) -> tuple[int, int, int]:
        """What a kind for each basic depot would keep, with leaders' depots; how little it would move."""
        room = dict(zip(order, PLACES, strict=True))
        kept = [min(counts[INDEX[kind]], room.get(kind, 0) + spare[kind]) for kind in RESOURCES]
        stays = sum(here == kind for here, kind in zip(standing, order, strict=False) if here is not None)
        return sum(kept), stays, -sum(kind is not None for kind in order)

    return max(permutations((*RESOURCES, None, None, None), len(PLACES)), key=worth)


def proposed(board: Board, waiting: Sequence[Resource]) -> list[Store]:
    """The arrangement that keeps most and, among those, moves least: what nearly everybody wants."""
    special = depot_resources(board)
    standing = tuple([depot.resource if depot.count else None for depot in board.depots])
    best = _best_order(tuple(pool(board, waiting)), special, standing)
    draft: list[Store] = []
    while choices := store_choices(board, waiting, draft):
        depot = choices[0].depot
        wanted = best[depot] if depot < len(PLACES) else special[depot - len(PLACES)]
        fitting = [store for store in choices if store.resource == wanted and store.resource is not None]
        # As many as there is room for; the last choice leaves the depot empty.
        draft.append(fitting[-1] if fitting else choices[-1])
    return draft


def resource_choices(board: Board) -> list[ChooseResource]:
    """Where a starting resource can go: beside its own kind, or into an empty depot when it has none yet."""
    found = []
    for resource in RESOURCES:
        holder = next((place for place, depot in enumerate(board.depots) if depot.resource == resource), None)
        for place, room in enumerate(PLACES):
            depot = board.depots[place]
            fits = depot.resource is None if holder is None else place == holder
            if fits and depot.count < room:
                found.append(ChooseResource(resource, place))
    return found
