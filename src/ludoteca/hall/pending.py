"""The questions that are open at a table."""

from collections.abc import Mapping

from ludoteca.core import Question


class Pending:
    """An open question: the number it was asked under, and since when its clock runs (None: it does not)."""

    __slots__ = ("number", "question", "since")

    def __init__(self, number: int, question: Question, since: float | None) -> None:
        self.number = number
        self.question = question
        self.since = since


def pose(
    before: Mapping[int, Pending],
    questions: Mapping[int, Question],
    actor: int | None,
    number: int,
    now: float | None,
) -> tuple[dict[int, Pending], list[int]]:
    """What is asked of whom after an input, and the seats whose question is new.

    A question that stands unchanged beside the actor's (several decide at once) keeps its number and clock.
    """
    after: dict[int, Pending] = {}
    fresh = []
    for seat, question in questions.items():
        pending = before.get(seat)
        if pending is None or seat == actor or pending.question != question:
            pending = Pending(number, question, now)
            fresh.append(seat)
        after[seat] = pending
    return after, fresh
