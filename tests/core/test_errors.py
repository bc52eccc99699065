"""The family of errors: our mistake, theirs, and a no."""

import pytest

from ludoteca.core import (
    Damaged,
    JournalError,
    LocalError,
    LudotecaError,
    Refused,
    RemoteError,
    Unplayable,
)


def test_a_refusal_has_a_sentence_for_people_and_a_word_for_programs() -> None:
    refused = Refused("it is not your turn", "turn")
    assert str(refused) == refused.reason == "it is not your turn"
    assert refused.code == "turn"
    assert Refused("no").code == "illegal"


@pytest.mark.parametrize("kind", [Refused, RemoteError, LocalError, JournalError, Damaged, Unplayable])
def test_every_error_of_ours_is_one_of_the_family(kind: type[Exception]) -> None:
    assert issubclass(kind, LudotecaError)


def test_whoever_expects_one_kind_does_not_swallow_another() -> None:
    """A bug of ours must not look like a rule that said no, nor a damaged record like one of other rules."""
    apart = (Refused, RemoteError, LocalError, JournalError)
    for one in apart:
        assert [issubclass(one, other) for other in apart] == [one is other for other in apart]
    assert issubclass(Damaged, JournalError)
    assert issubclass(Unplayable, JournalError)
    assert not issubclass(Damaged, Unplayable)
    assert not issubclass(Unplayable, Damaged)
