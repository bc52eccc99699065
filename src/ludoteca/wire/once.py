"""Made once for all who are told the same: the connections of a table hear of a move one after the other."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Once(Generic[T]):
    """A function without effects that remembers its last answer.

    It is given again to whoever asks about the very same object, and for the rest about what is equal to what
    was asked before.
    """

    __slots__ = ("_last", "_make")

    def __init__(self, make: Callable[..., T]) -> None:
        self._make = make
        self._last: tuple[Any, tuple[Any, ...], T] | None = None

    def __call__(self, one: Any, *others: Any) -> T:
        last = self._last
        if last is not None and last[0] is one and last[1] == others:
            return last[2]
        made = self._make(one, *others)
        self._last = one, others, made
        return made
