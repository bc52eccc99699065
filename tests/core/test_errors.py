"""The family of errors: our mistake, theirs, and a no."""

import re

import pytest

from ludoteca import core
from ludoteca.core import (
    Damaged,
    JournalError,
    LocalError,
    LudotecaError,
    Refused,
    RemoteError,
    Unplayable,
    errors,
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


@pytest.mark.parametrize("kind", [RemoteError, LocalError, JournalError, Damaged, Unplayable])
def test_an_error_says_what_it_was_told_to_say(kind: type[LudotecaError]) -> None:
    with pytest.raises(kind, match="half a line") as raised:
        raise kind("half a line")
    assert raised.value.args == ("half a line",)


def test_who_catches_the_family_catches_nothing_of_pythons_own() -> None:
    """Nobody who means ours may swallow a bug, and nobody who means Python's may swallow a no."""
    for foreign in (ValueError, LookupError, TypeError, OSError, AssertionError, ArithmeticError):
        assert not issubclass(foreign, LudotecaError)
        for kind in (Refused, RemoteError, LocalError, JournalError, Damaged, Unplayable):
            assert not issubclass(kind, foreign)


def test_the_docstring_draws_the_whole_family() -> None:
    assert errors.__doc__ is not None
    drawn = re.findall(r"^ *(\w+)(?: {2,}|$)", errors.__doc__, re.MULTILINE)
    family = {name for name, kind in vars(errors).items() if isinstance(kind, type)}
    assert set(drawn) == family


def test_what_stands_at_the_top_of_core_is_all_there_and_in_order() -> None:
    # Constants first, as the formatter has it.
    assert sorted(core.__all__, key=lambda name: (not name.isupper(), name)) == core.__all__
    for name in core.__all__:
        assert hasattr(core, name), name
    assert {name for name, kind in vars(errors).items() if isinstance(kind, type)} <= set(core.__all__)
