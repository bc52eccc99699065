"""Chance that replays: the same everywhere, for ever."""

from collections import Counter
from collections.abc import Callable

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludoteca.core import Dice

states = st.integers(0, 2**64 - 1)


def test_the_sequence_is_pinned_so_that_old_matches_replay() -> None:
    dice = Dice(42)
    assert [dice.below(1000) for _ in range(8)] == [741, 159, 278, 344, 38, 868, 218, 800]


def test_all_numbers_come_up_about_equally_often() -> None:
    dice = Dice(1)
    counts = Counter(dice.below(6) for _ in range(60_000))
    assert set(counts) == set(range(6))
    assert all(9_600 < count < 10_400 for count in counts.values())


def test_a_shuffle_keeps_every_item_and_reaches_every_order() -> None:
    dice = Dice(2)
    orders = set()
    for _ in range(500):
        items = [1, 2, 3, 4]
        dice.shuffle(items)
        orders.add(tuple(items))
    assert len(orders) == 24


def test_a_sample_has_no_item_twice_and_leaves_the_pool_alone() -> None:
    dice = Dice(3)
    pool = tuple(range(10))
    for count in range(11):
        assert len(set(dice.sample(pool, count))) == count


def test_a_clone_falls_the_same_way_and_a_fork_its_own() -> None:
    dice = Dice(4)
    clone, fork = dice.clone(), dice.clone().fork()
    assert [dice.below(100) for _ in range(5)] == [clone.below(100) for _ in range(5)]
    assert fork.state != dice.state


def test_shuffles_choices_samples_and_forks_are_pinned_too() -> None:
    dice, items = Dice(7), list(range(8))
    dice.shuffle(items)
    assert items == [7, 4, 6, 1, 2, 5, 0, 3]
    assert dice.choice("abcdef") == "b"
    assert dice.sample(range(20), 4) == [2, 8, 3, 19]
    assert dice.fork().state == 16934472341843718990
    assert dice.state == 635340061525167384


def test_the_smallest_and_the_greatest_bounds_and_states() -> None:
    assert Dice(0).below(1) == 0
    assert Dice(5).below(1 << 64) == 7134611160154358618
    assert Dice((1 << 64) - 1).below(10) == 8, "the state runs over, and stays within 64 bits"


@given(states, st.integers(1, 2**64))
def test_a_number_is_always_below_its_bound_and_the_state_within_64_bits(state: int, bound: int) -> None:
    dice = Dice(state)
    for _ in range(3):
        assert 0 <= dice.below(bound) < bound
        assert 0 <= dice.state < 2**64


@given(states)
def test_no_throw_leaves_the_dice_where_they_were(state: int) -> None:
    """Each throw moves the state by the same odd step, so that it comes back only after 2**64 throws."""
    dice = Dice(state)
    dice.below(6)
    assert (dice.state - state) % 2**64 == 0x9E3779B97F4A7C15


@given(states, st.lists(st.integers(), max_size=12), st.data())
def test_shuffles_and_samples_lose_nothing_and_make_nothing_up(
    state: int, items: list[int], data: st.DataObject
) -> None:
    shuffled = list(items)
    Dice(state).shuffle(shuffled)
    assert Counter(shuffled) == Counter(items)
    count = data.draw(st.integers(0, len(items)))
    before = list(items)
    drawn = Dice(state).sample(items, count)
    assert len(drawn) == count
    assert Counter(drawn) <= Counter(items)
    assert items == before


@given(states, st.integers(1, 9))
def test_a_sample_of_all_is_an_order_of_all(state: int, size: int) -> None:
    assert sorted(Dice(state).sample(range(size), size)) == list(range(size))


@given(states)
def test_the_same_state_falls_the_same_way_after_it_was_stored(state: int) -> None:
    dice = Dice(state)
    read = msgspec.json.decode(msgspec.json.encode(dice), type=Dice)
    assert [read.below(52) for _ in range(4)] == [dice.below(52) for _ in range(4)]
    assert read == dice


def test_a_clone_does_not_move_its_original() -> None:
    dice = Dice(11)
    clone = dice.clone()
    clone.below(6)
    assert dice.state == 11
    forked = dice.fork()
    moved = dice.state
    forked.below(6)
    assert dice.state == moved != 11


def test_two_forks_of_the_same_dice_differ() -> None:
    dice = Dice(12)
    one, other = dice.fork(), dice.fork()
    assert [one.below(1000) for _ in range(4)] != [other.below(1000) for _ in range(4)]


@pytest.mark.parametrize("size", [0, 1])
def test_where_there_is_nothing_to_order_no_die_is_thrown(size: int) -> None:
    dice = Dice(13)
    dice.shuffle(list(range(size)))
    assert dice.sample(range(5), 0) == []
    assert dice.state == 13


@pytest.mark.parametrize(
    "throw", [lambda dice: dice.choice([]), lambda dice: dice.sample([1, 2], 3)], ids=["choice", "sample"]
)
def test_what_is_not_there_cannot_be_drawn(throw: Callable[[Dice], object]) -> None:
    with pytest.raises(IndexError):
        throw(Dice(14))


def test_every_place_of_a_shuffle_is_as_likely_for_every_item() -> None:
    dice = Dice(15)
    seen: Counter[tuple[int, int]] = Counter()
    for _ in range(6_000):
        items = [0, 1, 2, 3, 4, 5]
        dice.shuffle(items)
        seen.update(enumerate(items))
    assert len(seen) == 36
    assert all(850 < count < 1_150 for count in seen.values())


def test_every_item_is_as_likely_in_every_place_of_a_sample() -> None:
    dice = Dice(16)
    seen: Counter[tuple[int, int]] = Counter()
    for _ in range(6_000):
        seen.update(enumerate(dice.sample(range(6), 2)))
    assert len(seen) == 12
    assert all(850 < count < 1_150 for count in seen.values())


@given(states, st.integers(0, 150))
def test_many_throws_at_once_fall_as_one_after_the_other(state: int, count: int) -> None:
    together, alone = Dice(state), Dice(state)
    assert together.throws(count) == tuple(alone.below(1 << 64) for _ in range(count))
    assert together == alone


@given(states, st.integers(0, 60))
def test_a_shuffle_falls_as_throws_one_after_the_other_would_have_it(state: int, count: int) -> None:
    """As journals of earlier versions have it, which threw for each place by itself."""
    together, alone = Dice(state), Dice(state)
    items, others = list(range(count)), list(range(count))
    together.shuffle(items)
    for last in range(count - 1, 0, -1):
        place = alone.below(last + 1)
        others[last], others[place] = others[place], others[last]
    assert items == others
    assert together == alone


@given(states, st.integers(0, 60), st.integers(0, 60))
def test_a_sample_falls_as_throws_one_after_the_other_would_have_it(
    state: int, size: int, count: int
) -> None:
    count = min(count, size)
    together, alone = Dice(state), Dice(state)
    pool = list(range(size))
    for place in range(count):
        other = place + alone.below(size - place)
        pool[place], pool[other] = pool[other], pool[place]
    assert together.sample(range(size), count) == pool[:count]
    assert together == alone
