"""What is told to several is made once; what only looks like it is not."""

from typing import Any

from ludoteca.wire.once import Once


class Counted:
    """A function that counts how often it was needed."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, one: list[int], *others: Any) -> tuple[Any, ...]:
        self.calls += 1
        return sum(one), *others


def test_who_asks_about_the_very_same_gets_the_very_same() -> None:
    made = Counted()
    once = Once(made)
    events = [1, 2]
    first = once(events, "friday", ["ada", "bob"])
    assert first == (3, "friday", ["ada", "bob"])
    assert once(events, "friday", ["ada", "bob"]) is first
    assert made.calls == 1


def test_an_equal_object_is_another_one() -> None:
    """Two moves may look alike; what came before them may not."""
    made = Counted()
    once = Once(made)
    assert once([1]) == once([1]) == (1,)
    assert made.calls == 2


def test_whoever_saw_something_else_before_sees_something_else_now() -> None:
    made = Counted()
    once = Once(made)
    events = [1]
    assert once(events, "friday") == (1, "friday")
    assert once(events, "monday") == (1, "monday")
    assert once(events) == (1,)
    assert made.calls == 3


def test_only_the_last_is_remembered() -> None:
    made = Counted()
    once = Once(made)
    one, other = [1], [2]
    once(one)
    once(other)
    once(one)
    assert made.calls == 3


def test_what_could_not_be_made_is_not_remembered() -> None:
    once = Once(lambda numbers: 1 // len(numbers))
    numbers: list[int] = []
    for _ in range(2):
        try:
            once(numbers)
        except ZeroDivisionError:
            continue
        raise AssertionError("it was made of nothing")
    numbers.append(1)
    assert once(numbers) == 1
