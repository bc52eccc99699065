"""The questions that are open at a table, and how long each may stay open."""

from collections.abc import Container, Iterator, Mapping

import msgspec

from ludoteca.core import Question, Refused
from ludoteca.core.notices import Hinted, Phase
from ludoteca.hall.guest import GuestId


class Pending(msgspec.Struct, eq=False):
    """An open question: the number it was asked under, and since when its clock runs (None: it does not).

    `hint` is what a bot would answer, once one has thought about it, and `wonders` who waits for that.
    """

    number: int
    question: Question
    since: float | None
    hint: Hinted | None = None
    wonders: GuestId | None = None


class Questions:
    """What is asked of whom. `move_s` is the time for a decision, 0 for as long as one likes."""

    __slots__ = ("_open", "move_s")

    def __init__(self, move_s: float) -> None:
        self.move_s = move_s
        self._open: dict[int, Pending] = {}

    def __iter__(self) -> Iterator[int]:
        """The seats that are asked."""
        return iter(self._open)

    def get(self, seat: int) -> Pending | None:
        """What this seat is asked."""
        return self._open.get(seat)

    def pose(
        self, questions: Mapping[int, Question], actor: int | None, number: int, now: float | None
    ) -> list[tuple[int, Pending]]:
        """Note what is asked after an input; the questions that are new, with their seats.

        A question that stands unchanged beside the actor's (several decide at once) keeps its
        number and clock.
        """
        before, self._open = self._open, {}
        fresh = []
        for seat, question in questions.items():
            pending = before.get(seat)
            if pending is None or seat == actor or pending.question != question:
                pending = Pending(number, question, now)
                fresh.append((seat, pending))
            self._open[seat] = pending
        return fresh

    def check(self, seat: int, at: int | None, phase: Phase) -> None:
        """Refuse what answers no question, or one that was answered before."""
        pending = self._open.get(seat)
        if pending is None:
            if phase != "playing":
                raise Refused("the match is not running", "phase")
            raise Refused("it is not your turn", "turn")
        if at is not None and at != pending.number:
            raise Refused("that question has been answered already", "stale")

    def numbers(self) -> dict[int, int]:
        """The numbers of the open questions, by seat."""
        return {seat: pending.number for seat, pending in self._open.items()}

    def resume(self, questions: Mapping[int, Question], numbers: Mapping[int, int]) -> None:
        """These were open under these numbers; no clock runs for them yet."""
        self._open = {seat: Pending(numbers[seat], question, None) for seat, question in questions.items()}

    def clear(self) -> None:
        """The match is over: nobody is asked any more."""
        self._open.clear()

    def wind(self, seat: int, now: float | None) -> None:
        """Let the clock of a seat run from now on, if it is asked; None stops it."""
        if seat in self._open:
            self._open[seat].since = now

    def give_back(self, lost_s: float, now: float, seats: Container[int]) -> None:
        """These could decide nothing for so long until now: clocks that run have stood still meanwhile."""
        for seat, pending in self._open.items():
            if pending.since is not None and seat in seats:
                pending.since = min(pending.since + lost_s, now)

    def left(self, seat: int, now: float) -> float:
        """How much of the time for this decision is left; less than a tenth of a second is no news."""
        since = self._open[seat].since
        return round(self.move_s - (now - since if since is not None else 0.0), 1)

    def ends(self) -> Iterator[tuple[int, float]]:
        """When the time of each seat runs out, where a clock runs."""
        if self.move_s:
            for seat, pending in self._open.items():
                if pending.since is not None:
                    yield seat, pending.since + self.move_s
