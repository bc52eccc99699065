"""Layouts of mines counted exactly, group by group, and drawn or listed.

All that the groups still to come need to know is what is left of each number, and how many mines lie so far.
So the work grows with how many numbers are open at once, and not with the number of layouts.
"""

from collections.abc import Iterator
from functools import cached_property
from itertools import combinations
from math import comb

from ludoteca.core import Dice

# What may be left of one number fits so many bits (0 to 8).
_BITS = 4
_LOW = (1 << _BITS) - 1
# A component that would need more counting steps than this is not counted as a whole, but strip by strip.
STEPS_MAX = 20_000

# A component that is asked for its chances more often than this works them out for every number of mines.
OFTEN = 3

# So many mines lie among these cells (a set of bits).
Constraint = tuple[int, int]


class TooWide(Exception):
    """A component would take too long to count exactly."""


class Group:
    """Closed cells that touch the same numbers; `touches` are the places of those
    numbers in the component."""

    __slots__ = ("cells", "size", "step", "touches")

    def __init__(self, cells: list[int], touches: tuple[int, ...]) -> None:
        self.cells = cells
        self.size = len(cells)
        self.touches = touches
        # Adding this to a key (see Component) lays one mine into the group.
        self.step = 0


class Component:
    """Groups linked by numbers, and the count of their layouts.

    A key packs what is left of every number, and above them the mines laid so far, into one integer.
    `layers[i]` says in how many ways the first i groups can lead to each key.
    """

    def __init__(self, numbers: list[int], groups: list[Group], steps_max: int) -> None:
        self.groups = _in_good_order(groups)
        self.mines_at = _BITS * len(numbers)
        self.limits: list[list[tuple[int, int]]] = []
        self._weights: dict[int, list[dict[int, int]]] = {}
        self._by_total: dict[int, list[int]] = {}
        self._asked = 0
        room = [0] * len(numbers)
        for group in self.groups:
            group.step = (1 << self.mines_at) - sum(1 << _BITS * place for place in group.touches)
            for place in group.touches:
                room[place] += group.size
        for group in self.groups:
            for place in group.touches:
                room[place] -= group.size
            self.limits.append([(_BITS * place, room[place]) for place in group.touches])
        start = sum(number << _BITS * place for place, number in enumerate(numbers))
        self.layers: list[dict[int, int]] = [{start: 1}]
        self._count(steps_max)

    def _count(self, steps_max: int) -> None:
        steps = 0
        for index, group in enumerate(self.groups):
            layer: dict[int, int] = {}
            ways = [comb(group.size, mines) for mines in range(group.size + 1)]
            for key, count in self.layers[index].items():
                for mines in self._choices(index, key):
                    after = key + mines * group.step
                    layer[after] = layer.get(after, 0) + count * ways[mines]
            steps += len(layer)
            if steps > steps_max:
                raise TooWide
            self.layers.append(layer)

    def _choices(self, index: int, key: int) -> range:
        """How many mines the group may hold, so that no number is overrun or left short."""
        least, most = 0, self.groups[index].size
        for shift, room in self.limits[index]:
            left = key >> shift & _LOW
            if left < most:
                most = left
            if left - room > least:
                least = left - room
        return range(least, most + 1)

    @cached_property
    def by_mines(self) -> dict[int, int]:
        """The number of layouts for each number of mines."""
        return {key >> self.mines_at: count for key, count in self.layers[-1].items()}

    def _weigh(self, outside: dict[int, int]) -> list[dict[int, int]]:
        """Layer by layer, what every key is worth: the ways to go on, times the worth of the mines
        laid at the end."""
        weights = [{key: outside.get(key >> self.mines_at, 0) for key in self.layers[-1]}]
        for index in reversed(range(len(self.groups))):
            group, later = self.groups[index], weights[-1]
            ways = [comb(group.size, mines) for mines in range(group.size + 1)]
            layer = {}
            for key in self.layers[index]:
                weight = 0
                for mines in self._choices(index, key):
                    weight += ways[mines] * later.get(key + mines * group.step, 0)
                layer[key] = weight
            weights.append(layer)
        return weights[::-1]

    def chances(self, outside: dict[int, int]) -> Iterator[tuple[Group, float]]:
        """The chance of a mine in each cell of every group, when so many mines in here are
        worth so much outside."""
        self._asked += 1
        if self._asked <= OFTEN:
            weights = self._weigh(outside)
            ((_, total),) = weights[0].items()
            yield from ((group, share / total) for group, share in self._shares(weights))
            return
        if not self._by_total:
            # Asked so often it pays to know them for each number of mines by itself.
            for held in self.by_mines:
                self._by_total[held] = [share for _, share in self._shares(self._weigh({held: 1}))]
        total = sum(ways * outside.get(held, 0) for held, ways in self.by_mines.items())
        for index, group in enumerate(self.groups):
            share = sum(outside.get(held, 0) * shares[index] for held, shares in self._by_total.items())
            yield group, share / total

    def _shares(self, weights: list[dict[int, int]]) -> Iterator[tuple[Group, int]]:
        """How much of all weight there is with a mine in a cell of each group."""
        for index, group in enumerate(self.groups):
            share, later = 0, weights[index + 1]
            for key, count in self.layers[index].items():
                for mines in self._choices(index, key):
                    if mines:
                        weight = later.get(key + mines * group.step, 0)
                        share += count * comb(group.size - 1, mines - 1) * weight
            yield group, share

    def layouts(self, total: int) -> Iterator[int]:
        """All layouts of so many mines, as bits."""
        weights = self._weights_of(total)
        ((start, _),) = self.layers[0].items()

        def laid(index: int, key: int) -> Iterator[int]:
            if index == len(self.groups):
                yield 0
                return
            group = self.groups[index]
            for mines in self._choices(index, key):
                after = key + mines * group.step
                if weights[index + 1].get(after):
                    for chosen in combinations(group.cells, mines):
                        bits = sum(1 << cell for cell in chosen)
                        yield from (bits | rest for rest in laid(index + 1, after))

        return laid(0, start)

    def _weights_of(self, total: int) -> list[dict[int, int]]:
        weights = self._weights.get(total)
        if weights is None:
            weights = self._weights[total] = self._weigh({total: 1})
        return weights

    def draw(self, total: int, dice: Dice) -> int:
        """A random layout of so many mines, as bits."""
        weights = self._weights_of(total)
        ((key, _),) = self.layers[0].items()
        bits = 0
        for index, group in enumerate(self.groups):
            later = weights[index + 1]
            choices = self._choices(index, key)
            chosen = [comb(group.size, mines) * later.get(key + mines * group.step, 0) for mines in choices]
            mines = choices[_weighted(chosen, dice)]
            for cell in dice.sample(group.cells, mines):
                bits |= 1 << cell
            key += mines * group.step
        return bits


def _weighted(weights: list[int], dice: Dice) -> int:
    """A place in the list, with a chance in proportion to its weight."""
    at = dice.below(sum(weights))
    for place, weight in enumerate(weights):
        at -= weight
        if at < 0:
            return place
    raise AssertionError("the weights add up to nothing")


def _in_good_order(groups: list[Group]) -> list[Group]:
    """So that few numbers are begun and not yet finished at any time: always the group
    that begins the fewest."""
    by_number: dict[int, list[Group]] = {}
    for group in groups:
        for place in group.touches:
            by_number.setdefault(place, []).append(group)
    left = {place: len(members) for place, members in by_number.items()}
    begun: set[int] = set()
    waiting = {id(group): group for group in groups}
    near: dict[int, Group] = {}
    ordered = []
    while waiting:
        candidates = near or waiting

        def cost(group: Group) -> tuple[int, int]:
            return sum(place not in begun for place in group.touches) - sum(
                left[place] == 1 for place in group.touches
            ), group.cells[0]

        chosen = min(candidates.values(), key=cost)
        del waiting[id(chosen)]
        near.pop(id(chosen), None)
        ordered.append(chosen)
        for place in chosen.touches:
            left[place] -= 1
            if place not in begun:
                begun.add(place)
                near.update((id(group), group) for group in by_number[place] if id(group) in waiting)
    return ordered


# Components by their constraints: most are the same in all that a click may show.
Known = dict[frozenset[Constraint], Component]


class Count:
    """The layouts of some closed cells under constraints, counted exactly: components
    and the sea together."""

    def __init__(
        self, constraints: list[Constraint], closed: int, mines: int, known: Known | None = None
    ) -> None:
        self.mines = mines
        self.components = list(_components(constraints, {} if known is None else known))
        for cells, _ in constraints:
            closed &= ~cells
        self._sea = closed
        # rests[i] says in how many ways the components from the i-th on can hold so many mines.
        self.rests: list[dict[int, int]] = [{0: 1}]
        for component in reversed(self.components):
            self.rests.insert(0, _product(component.by_mines, self.rests[0]))

    @cached_property
    def sea(self) -> list[int]:
        """The cells that touch no number."""
        return cells_of(self._sea)

    def _at_sea(self, ways: dict[int, int], mines: int) -> int:
        """The ways in which components (as `ways` says) and the sea hold so many mines together."""
        size = self._sea.bit_count()
        return sum(count * comb(size, mines - held) for held, count in ways.items() if held <= mines)

    @cached_property
    def total(self) -> int:
        """How many layouts there are."""
        return self._at_sea(self.rests[0], self.mines)

    def layouts(self) -> Iterator[int]:
        """All of them, as bits; for when there are few."""
        return self._laid(0, self.mines)

    def _laid(self, place: int, left: int) -> Iterator[int]:
        if place == len(self.components):
            if left <= len(self.sea):
                for chosen in combinations(self.sea, left):
                    yield sum(1 << cell for cell in chosen)
            return
        component, rest = self.components[place], self.rests[place + 1]
        for held in component.by_mines:
            if held <= left and self._at_sea(rest, left - held):
                others = list(self._laid(place + 1, left - held))
                for bits in component.layouts(held):
                    yield from (bits | other for other in others)

    def chances(self) -> dict[int, float]:
        """The chance of a mine for each cell."""
        found = {}
        for cells, chance in self._chances():
            found.update(dict.fromkeys(self.sea if cells is None else cells, chance))
        return found

    def least(self) -> float:
        """The chance of a mine in the safest cell; 0 where there is none."""
        return min((chance for _, chance in self._chances()), default=0.0)

    def _chances(self) -> Iterator[tuple[list[int] | None, float]]:
        """Cells that are alike, None for the sea, with the chance of a mine in each."""
        before = {0: 1}
        for component, rest in zip(self.components, self.rests[1:], strict=True):
            by_mines = component.by_mines
            others = _product(before, rest)
            outside = {held: self._at_sea(others, self.mines - held) for held in by_mines}
            for group, chance in component.chances(outside):
                yield group.cells, chance
            before = _product(before, by_mines)
        if size := self._sea.bit_count():
            ways = {
                held: count * comb(size, self.mines - held)
                for held, count in before.items()
                if held <= self.mines
            }
            expected = sum(way * (self.mines - held) for held, way in ways.items())
            yield None, expected / (sum(ways.values()) * size)

    def sample(self, dice: Dice) -> int:
        """One of the layouts, as bits, each equally likely."""
        bits, left = 0, self.mines
        for component, rest in zip(self.components, self.rests[1:], strict=True):
            by_mines = component.by_mines
            amounts = [held for held in by_mines if held <= left]
            weights = [by_mines[held] * self._at_sea(rest, left - held) for held in amounts]
            held = amounts[_weighted(weights, dice)]
            bits |= component.draw(held, dice)
            left -= held
        for cell in dice.sample(self.sea, left):
            bits |= 1 << cell
        return bits


def _product(one: dict[int, int], other: dict[int, int]) -> dict[int, int]:
    product: dict[int, int] = {}
    for mines, count in one.items():
        for more, times in other.items():
            product[mines + more] = product.get(mines + more, 0) + count * times
    return product


def _components(constraints: list[Constraint], known: Known) -> Iterator[Component]:
    """The constraints and the groups under them, sorted into what hangs together; `known` are those that were
    counted before."""
    waiting = list(constraints)
    while waiting:
        linked = [waiting.pop()]
        reach = linked[0][0]
        grown = True
        while grown:
            touching = [constraint for constraint in waiting if constraint[0] & reach]
            waiting = [constraint for constraint in waiting if not constraint[0] & reach]
            linked += touching
            for cells, _ in touching:
                reach |= cells
            grown = bool(touching)
        key = frozenset(linked)
        component = known.get(key)
        if component is None:
            component = known[key] = _component(linked, reach)
        yield component


def _component(linked: list[Constraint], reach: int) -> Component:
    groups: dict[tuple[int, ...], list[int]] = {}
    for cell in cells_of(reach):
        touches = tuple(place for place, (cells, _) in enumerate(linked) if cells >> cell & 1)
        groups.setdefault(touches, []).append(cell)
    return Component(
        [mines for _, mines in linked],
        [Group(members, touches) for touches, members in groups.items()],
        STEPS_MAX,
    )


def cells_of(bits: int) -> list[int]:
    """The numbers of the set bits."""
    found = []
    while bits:
        low = bits & -bits
        found.append(low.bit_length() - 1)
        bits ^= low
    return found
