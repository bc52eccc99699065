"""Whatever is said to a conversation, and whenever: the game's own client understands every answer, whoever
is asked hears of it, and nobody decides for anybody else.

`make soak ARGS="--only machines"` looks for longer, and elsewhere every time.
"""

from typing import Any

import pytest
from hypothesis import Phase, settings
from hypothesis.stateful import run_state_machine_as_test
from tests import rig
from tests.hall.test_machine import SAME
from tests.wire.machine import machine

from ludoteca.core.notices import Asked
from ludoteca.games.renaissance.wire import conversation as renaissance
from ludoteca.games.santorini.wire import conversation as santorini

QUICK = settings(SAME, max_examples=6, stateful_step_count=12)


@pytest.mark.slow
@pytest.mark.parametrize("protocol", rig.spoken())
def test_no_order_of_words_confuses_a_conversation(protocol: str) -> None:
    run_state_machine_as_test(machine(protocol), settings=QUICK)


def what_is_held_back_is_forgotten(patch: pytest.MonkeyPatch) -> None:
    release = santorini.Conversation._release
    patch.setattr(santorini.Conversation, "_release", lambda self, now: release(self, now)[:0])


def some_questions_are_not_told(patch: pytest.MonkeyPatch) -> None:
    send = renaissance.Conversation.send

    def forgetful(self: Any, notice: Any, now: float) -> bytes:
        return b"" if isinstance(notice, Asked) and notice.number % 7 == 0 else send(self, notice, now)

    patch.setattr(renaissance.Conversation, "send", forgetful)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("protocol", "plant"),
    [
        ("santorini", what_is_held_back_is_forgotten),
        ("renaissance", some_questions_are_not_told),
    ],
)
def test_a_planted_bug_is_found(protocol: str, plant: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    quick = settings(QUICK, max_examples=100, phases=[Phase.generate])
    with pytest.raises(AssertionError):
        run_state_machine_as_test(machine(protocol), settings=quick)
