"""Buckets and budgets, and whoever wants more than there is in them."""

import pytest

from ludoteca.core import Refused
from ludoteca.hall.budget import Bucket, Budget, Spent


def drink(bucket: Bucket, now: float) -> int:
    """Take all there is; how much that was."""
    taken = 0
    while bucket.wait_s(now) == 0:
        bucket.spend()
        taken += 1
        assert taken < 1000
    return taken


def test_a_bucket_gives_its_burst_at_once_and_then_what_flows_in() -> None:
    bucket = Bucket(2.0, 3, 100.0)
    assert drink(bucket, 100.0) == 3
    assert bucket.wait_s(100.0) == 0.5
    assert bucket.wait_s(100.25) == 0.25
    assert drink(bucket, 100.5) == 1
    assert drink(bucket, 102.0) == 3
    assert bucket.wait_s(102.75) == 0, "one and a half is enough for one"


def test_a_bucket_never_holds_more_than_its_burst() -> None:
    bucket = Bucket(10.0, 3, 0.0)
    assert drink(bucket, 3600.0) == 3


def test_a_bucket_that_is_less_than_one_holds_one() -> None:
    bucket = Bucket(0.5, 0.0, 0.0)
    assert drink(bucket, 0.0) == 1
    assert bucket.wait_s(0.0) == 2.0
    assert drink(bucket, 2.0) == 1


def test_asking_takes_nothing() -> None:
    bucket = Bucket(1.0, 1, 0.0)
    assert [bucket.wait_s(0.0) for _ in range(5)] == [0.0] * 5


def test_a_bucket_is_full_again_when_all_has_flown_back() -> None:
    bucket = Bucket(1.0, 2, 0.0)
    assert bucket.full(0.0)
    bucket.spend()
    bucket.spend()
    assert not bucket.full(1.9)
    assert bucket.full(2.0)


def test_everybody_has_a_budget_of_their_own() -> None:
    budget = Budget(1.0, 2)
    assert [budget.spend("greedy", 0.0) for _ in range(4)] == [0.0, 0.0, 1.0, 1.0]
    assert budget.spend("modest", 0.0) == 0.0
    assert budget.spend("greedy", 1.0) == 0.0
    assert budget.spend("greedy", 1.0) == 1.0


def test_strangers_who_come_once_are_forgotten_and_the_greedy_are_not() -> None:
    budget = Budget(1.0, 10, kept_max=4)
    for _ in range(10):
        budget.spend("greedy", 0.0)
    for number in range(3):
        budget.spend(f"stranger {number}", 0.0)
    assert len(budget) == 4
    budget.spend("newcomer", 2.0)
    assert len(budget) == 2, "those whose budget is whole again go"
    assert budget.spend("greedy", 2.0) == 0.0
    assert budget.spend("greedy", 2.0) == 0.0
    assert budget.spend("greedy", 2.0) == 1.0


def test_nobody_is_forgotten_while_there_is_room() -> None:
    budget = Budget(1.0, 1, kept_max=4)
    for number in range(4):
        budget.spend(str(number), float(number * 100))
    assert len(budget) == 4


def test_a_crowd_that_spends_all_it_has_does_not_fill_the_memory() -> None:
    """Those who came first go, and get a new budget for it: better than a house without memory."""
    budget = Budget(0.001, 1, kept_max=10)
    for number in range(10):
        budget.spend(str(number), 0.0)
    budget.spend("one too many", 0.0)
    assert len(budget) == 6, "half of them stay, and the newcomer"
    assert budget.spend("9", 0.0) > 0
    assert budget.spend("5", 0.0) > 0
    assert budget.spend("4", 0.0) == 0


def test_spent_is_a_refusal_that_knows_which_budget_and_how_long() -> None:
    with pytest.raises(Refused) as refused:
        raise Spent("too much", "rate", "chat", 2.5)
    assert isinstance(refused.value, Spent)
    assert (refused.value.reason, refused.value.code) == ("too much", "rate")
    assert (refused.value.budget, refused.value.wait_s) == ("chat", 2.5)
    assert Spent("", "limit", "tables").wait_s == 0
