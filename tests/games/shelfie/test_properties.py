"""What must hold in every game: random games, looked at from outside the rules."""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludoteca.core import Dice, Seat, Setup
from ludoteca.games.shelfie import rules
from ludoteca.games.shelfie.actions import TakeTiles
from ludoteca.games.shelfie.data import GROUP_POINTS, TILES, TOKENS
from ludoteca.games.shelfie.events import Event, TokenTaken, TurnEnded
from ludoteca.games.shelfie.state import Options, State, group_points, wishes_of
from ludoteca.games.shelfie.view import redeal, view

EXAMPLES = settings(max_examples=25, deadline=None, derandomize=True)
seeds = st.integers(0, 2**63 - 1)
numbers_of_seats = st.sampled_from([2, 3, 4])


def walk(seats: int, seed: int, *, open_points: bool = True) -> Iterator[tuple[State, list[Event]]]:
    """A random game that prefers large takes, so that bags run out and rooms empty."""
    state, events = rules.start(Setup(seats, seed, Options(open_points)))
    dice = Dice(seed ^ 0x5E1F)
    yield state, events
    while state.outcome is None:
        ((seat, question),) = state.questions.items()
        choices = question.choices
        pick = max(dice.below(len(choices)), dice.below(len(choices)))
        yield state, rules.apply(state, seat, choices[pick])


@EXAMPLES
@given(seats=numbers_of_seats, seed=seeds)
def test_132_tiles_are_always_accounted_for(seats, seed):
    for state, _ in walk(seats, seed):
        tiles = Counter(state.bag)
        tiles.update(state.tabletop.hand)
        for grid in (state.tabletop.room, *state.tabletop.shelves):
            tiles.update(tile for row in grid for tile in row if tile)
        assert tiles == dict.fromkeys(TILES, 22)


@EXAMPLES
@given(seats=numbers_of_seats, seed=seeds)
def test_nothing_floats_in_a_bookshelf(seats, seed):
    for state, _ in walk(seats, seed):
        for shelf in state.tabletop.shelves:
            assert len(shelf) == 6
            for above, below in pairwise(shelf):
                assert all(under or not tile for tile, under in zip(above, below, strict=True))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_what_a_turn_changes_is_what_counting_anew_would_find(seats):
    for state, _ in walk(seats, 8 + seats):
        tabletop = state.tabletop
        assert tabletop.groups == tuple(map(group_points, tabletop.shelves))
        assert tabletop.goals == tuple(
            map(wishes_of, cast("tuple[int, ...]", tabletop.cards), tabletop.shelves)
        )
        if not tabletop.hand and state.outcome is None:
            known = state.clone()
            rules.survey(state)
            assert state == known


def legal_takes(state: State) -> set[tuple[tuple[int, int], ...]]:
    """All takes by the words of the rulebook, cell by cell."""
    tabletop = state.tabletop
    room = {(r, c) for r, row in enumerate(tabletop.room) for c, tile in enumerate(row) if tile}
    sides = [(0, 1), (0, -1), (1, 0), (-1, 0)]
    free = {(r, c) for r, c in room if any((r + down, c + right) not in room for down, right in sides)}
    space = max(6 - len(column) for column in tabletop.shelf(tabletop.turn or 0))
    lines = set()
    for row, column in free:
        for down, right in [(0, 1), (1, 0)]:
            for length in range(1, min(3, space) + 1):
                line = tuple((row + down * step, column + right * step) for step in range(length))
                if free.issuperset(line):
                    lines.add(line)
    return lines


@EXAMPLES
@given(seats=numbers_of_seats, seed=seeds)
def test_exactly_the_legal_takes_are_offered(seats, seed):
    for state, _ in walk(seats, seed):
        if state.outcome is None and not state.tabletop.hand:
            offered = [tuple(map(tuple, take.cells)) for take in state.choices if isinstance(take, TakeTiles)]
            assert len(offered) == len(set(offered))
            assert set(offered) == legal_takes(state)
            # The shortest first, then by where they begin, to the right before down.
            assert offered == sorted(offered, key=lambda line: (len(line), line[0], line[-1]))


@EXAMPLES
@given(seats=numbers_of_seats, seed=seeds)
def test_tokens_are_handed_out_once_and_in_order(seats, seed):
    taken: dict[int, list[TokenTaken]] = {}
    for _, events in walk(seats, seed):
        for event in events:
            if isinstance(event, TokenTaken):
                taken.setdefault(event.goal, []).append(event)
    for tokens in taken.values():
        assert tuple(token.value for token in tokens) == TOKENS[seats][: len(tokens)]
        assert len({token.seat for token in tokens}) == len(tokens)


@EXAMPLES
@given(seats=numbers_of_seats, seed=seeds, open_points=st.booleans())
def test_the_announced_points_are_what_the_table_shows(seats, seed, open_points):
    for state, events in walk(seats, seed, open_points=open_points):
        for event in events:
            if isinstance(event, TurnEnded) and event.next is not None:
                picture = view(state, Seat(event.seat))
                tokens = sum(common.taken[event.seat] for common in picture.commons)
                end = int(picture.filled == event.seat)
                wishes = (0, 1, 2, 4, 6, 9, 12)[sum(wish.met for wish in picture.wishes)]
                expected = tokens + end + picture.groups[event.seat] + (wishes if open_points else 0)
                assert event.points == expected


@EXAMPLES
@given(seats=numbers_of_seats, seed=seeds)
def test_everybody_has_the_same_number_of_turns(seats, seed):
    turns: Counter[int] = Counter()
    for _, events in walk(seats, seed):
        turns.update(event.seat for event in events if isinstance(event, TurnEnded))
    assert len(set(turns.values())) == 1


@EXAMPLES
@given(columns=st.lists(st.lists(st.sampled_from(TILES[:3]), max_size=6), min_size=5, max_size=5))
def test_group_points_agree_with_a_flood_fill_over_a_picture(columns):
    grid = {(c, h): tile for c, column in enumerate(columns) for h, tile in enumerate(column)}
    points = 0
    left = set(grid)
    while left:
        group, edge = set(), {next(iter(left))}
        while edge:
            group |= edge
            edge = {
                near
                for c, h in edge
                for near in ((c, h + 1), (c, h - 1), (c + 1, h), (c - 1, h))
                if grid.get(near) == grid[c, h]
            } - group
        left -= group
        points += GROUP_POINTS[min(len(group), 6)]
    assert group_points([tuple(column) for column in columns]) == points


@pytest.mark.parametrize("open_points", [True, False])
def test_a_redealt_table_has_other_secrets_and_keeps_the_own(open_points):
    state, _ = next(walk(3, 5, open_points=open_points))
    dealt = [redeal(state, Seat(1), Dice(seed)) for seed in range(30)]
    assert {other.tabletop.cards[1] for other in dealt} == {state.tabletop.cards[1]}
    assert len({other.tabletop.cards for other in dealt}) > 20
    assert len({tuple(other.bag) for other in dealt}) == 30
    assert all(Counter(other.bag) == Counter(state.bag) for other in dealt)
