"""Chance that replays: the same everywhere, for ever."""

from collections import Counter

from ludoteca.core import Dice


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
