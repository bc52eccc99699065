"""Open questions: which are new, and whose clock runs on."""

from ludoteca.core import Question
from ludoteca.hall.pending import Pending, pose

ONE, OTHER = Question("move", (1, 2)), Question("move", (3,))


def test_a_question_to_somebody_who_was_asked_nothing_is_new() -> None:
    after, fresh = pose({}, {0: ONE}, None, 7, 10.0)
    assert fresh == [0]
    assert (after[0].number, after[0].question, after[0].since) == (7, ONE, 10.0)


def test_what_stands_unchanged_keeps_its_number_and_its_clock() -> None:
    before = {0: Pending(3, ONE, 5.0), 1: Pending(3, ONE, 5.0)}
    after, fresh = pose(before, {0: ONE, 1: Question("move", (1, 2))}, 0, 8, 12.0)
    assert fresh == [0], "whoever has just answered is asked anew, even the same"
    assert (after[0].number, after[0].since) == (8, 12.0)
    assert after[1] is before[1]


def test_a_question_that_changed_is_new() -> None:
    after, fresh = pose({1: Pending(3, ONE, 5.0)}, {1: OTHER}, 0, 8, 12.0)
    assert fresh == [1]
    assert (after[1].number, after[1].question, after[1].since) == (8, OTHER, 12.0)


def test_what_is_not_asked_any_more_is_gone() -> None:
    before = {0: Pending(3, ONE, 5.0), 1: Pending(3, ONE, 5.0)}
    after, fresh = pose(before, {1: ONE}, 0, 8, 12.0)
    assert list(after) == [1]
    assert fresh == []


def test_after_a_restart_no_clock_runs() -> None:
    after, _ = pose({}, {0: ONE}, None, 7, None)
    assert after[0].since is None
