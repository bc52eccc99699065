"""Whatever people, time and crashes do to a hall, in any order: what they were told is what was written.

`make soak ARGS="--only machines"` looks for longer, and elsewhere every time.
"""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test
from tests.hall.machine import HallMachine

from ludoteca.core import Seat
from ludoteca.hall.desk import Desk
from ludoteca.hall.entrance import Entrance
from ludoteca.hall.guest import Guest
from ludoteca.hall.ledger import Ledger
from ludoteca.hall.names import Names
from ludoteca.hall.questions import Questions
from ludoteca.hall.table import Table

# The same every time: what is found by chance is found by `make soak`.
SAME = settings(
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=25,
    stateful_step_count=25,
    suppress_health_check=list(HealthCheck),
)


def test_no_order_of_events_makes_a_hall_say_what_is_not_so() -> None:
    run_state_machine_as_test(HallMachine, settings=SAME)


Plant = Callable[[pytest.MonkeyPatch], None]


def names_of_the_absent_are_free(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Names, "keep", lambda self, name, table: None)


def bots_without_a_chair_stay(patch: pytest.MonkeyPatch) -> None:
    dismiss = Desk.dismiss
    patch.setattr(Desk, "dismiss", lambda self, guest: None if guest.bot else dismiss(self, guest))


def old_questions_are_answered(patch: pytest.MonkeyPatch) -> None:
    check = Questions.check
    patch.setattr(Questions, "check", lambda self, seat, at, phase: check(self, seat, None, phase))


def what_was_told_is_told_again(patch: pytest.MonkeyPatch) -> None:
    since = Ledger.since
    patch.setattr(Ledger, "since", lambda self, number, key, seat: since(self, max(1, number - 3), key, seat))


def something_that_was_missed_is_left_out(patch: pytest.MonkeyPatch) -> None:
    since = Ledger.since

    def told(self: Ledger, number: int, key: str, seat: Seat | None) -> Any:
        missed = list(since(self, number, key, seat))
        return missed if len(missed) < 2 else missed[1:]

    patch.setattr(Ledger, "since", told)


def a_chair_is_given_twice(patch: pytest.MonkeyPatch) -> None:
    def take_again(self: Entrance, guest: Guest, token: str, since: int, now: float) -> None:
        table, seat = self._tables.owned(token)
        self._return_to(guest, table, seat, since, now)

    patch.setattr(Entrance, "take_again", take_again)


def everybody_hears_whispers(patch: pytest.MonkeyPatch) -> None:
    def say(self: Table, author: Any, text: str, to: Any, now: float) -> None:
        from ludoteca.core.notices import Said
        from ludoteca.journal.records import Spoke

        self.keep(Spoke(author.name, text, to and to.name), now)
        self.company.tell(Said(self.ledger.number, author.name, text, to and to.name))

    patch.setattr(Table, "say", say)


# Quickly found; the others take longer, and are tried by `make soak`.
QUICKLY = (
    names_of_the_absent_are_free,
    bots_without_a_chair_stay,
    old_questions_are_answered,
    a_chair_is_given_twice,
)
SLOWLY = (what_was_told_is_told_again, something_that_was_missed_is_left_out, everybody_hears_whispers)


@pytest.mark.parametrize("plant", QUICKLY, ids=lambda plant: plant.__name__)
def test_a_planted_bug_is_found(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    with pytest.raises(AssertionError):
        run_state_machine_as_test(
            HallMachine, settings=settings(SAME, max_examples=300, phases=[Phase.generate])
        )
