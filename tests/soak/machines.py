"""The machines of hall and conversations, for as long as there is time and elsewhere every time; and whether
they find what is planted."""

import time
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, seed, settings
from hypothesis.stateful import RuleBasedStateMachine, get_state_machine_test
from tests.hall.machine import HallMachine
from tests.hall.test_machine import QUICKLY, SLOWLY
from tests.hall.test_machine import test_a_planted_bug_is_found as find
from tests.wire.machine import machine

from ludoteca import games


def machines(number: int, seconds: float, tell: Callable[[str], None]) -> tuple[int, list[str]]:
    """Run them for so long; how many runs there were, and what was found."""
    kinds: list[type[RuleBasedStateMachine]] = [
        HallMachine,
        *(machine(name) for name in games.names() if games.load(name).wire is not None),
    ]
    end, count = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        kind = kinds[count % len(kinds)]
        wanted = settings(
            max_examples=40,
            stateful_step_count=40,
            database=None,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        )
        tell(f"{kind.__name__}, seed {number + count}")
        try:
            seed(number + count)(get_state_machine_test(kind, settings=wanted))()
        except Exception as error:
            told = "\n".join(getattr(error, "__notes__", ()))
            return count, [f"{kind.__name__}, seed {number + count}: {error}\n{told}"]
        count += 1
    return count, []


def planted(tell: Callable[[str], None]) -> list[str]:
    """Which of the planted bugs the machine of the hall does not find."""
    missed = []
    for plant in (*QUICKLY, *SLOWLY):
        tell(f"planted: {plant.__name__}")
        patch = pytest.MonkeyPatch()
        try:
            find(plant, patch)
        except pytest.fail.Exception:
            missed.append(f"not found: {plant.__name__}")
        finally:
            patch.undo()
    return missed
