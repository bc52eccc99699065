"""The bounds of numbers that clients send."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludoteca.core.bounds import Given, Small
from ludoteca.core.requests import Terms, WantedTerms

MONTH_S = 30 * 24 * 3600


@pytest.mark.parametrize(
    ("kind", "least", "most"), [(Small, 0, 1023), (Given, -2_147_483_648, 2_147_483_647)]
)
def test_the_last_that_is_taken_and_the_first_that_is_not(kind: object, least: int, most: int) -> None:
    decoder = msgspec.json.Decoder(kind)
    for number in (least, most):
        assert decoder.decode(str(number)) == number
    for number in (least - 1, most + 1, 1 << 70):
        with pytest.raises(msgspec.ValidationError):
            decoder.decode(str(number))


@pytest.mark.parametrize("field", ["grace_s", "move_s"])
def test_times_that_a_client_wants_are_within_a_month(field: str) -> None:
    for seconds in (0, 0.5, MONTH_S):
        assert getattr(msgspec.convert({field: seconds}, WantedTerms), field) == seconds
    for seconds in (-0.1, MONTH_S + 1, 1e300):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert({field: seconds}, WantedTerms)


def test_records_of_old_tables_may_say_more_than_a_client_may() -> None:
    assert msgspec.convert({"grace_s": MONTH_S * 12}, Terms).grace_s == MONTH_S * 12


BOUNDS: list[tuple[Any, int, int]] = [(Small, 0, 1023), (Given, -(2**31), 2**31 - 1)]


@pytest.mark.parametrize(("kind", "least", "most"), BOUNDS)
@given(number=st.one_of(st.integers(), st.integers(-2, 1025), st.integers(-(2**31) - 2, 2**31 + 2)))
def test_a_number_is_taken_exactly_when_it_lies_within(kind: Any, least: int, most: int, number: int) -> None:
    try:
        assert msgspec.json.decode(str(number), type=kind) == number
        taken = True
    except msgspec.DecodeError:
        taken = False
    assert taken == (least <= number <= most)


@pytest.mark.parametrize("kind", [Small, Given])
@pytest.mark.parametrize(
    "said",
    [
        "true",
        "null",
        '"5"',
        "5.5",
        "1e400",
        "NaN",
        "Infinity",
        "-Infinity",
        "[5]",
        "{}",
        "05",
        "0x5",
        "--5",
        "",
    ],
)
def test_what_is_no_whole_number_is_none(kind: Any, said: str) -> None:
    with pytest.raises(msgspec.DecodeError):
        msgspec.json.decode(said, type=kind)


@pytest.mark.parametrize("kind", [Small, Given])
def test_a_number_of_a_million_digits_is_refused_at_once(kind: Any) -> None:
    with pytest.raises(msgspec.DecodeError):
        msgspec.json.decode(b"9" * 1_000_000, type=kind)


@pytest.mark.parametrize("field", ["grace_s", "move_s"])
@pytest.mark.parametrize("seconds", [float("nan"), float("inf"), float("-inf"), -0.0001, "60", True, None])
def test_a_time_that_never_comes_is_no_time(field: str, seconds: Any) -> None:
    """A clock that is compared with such a number would never, or always, have run out."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({field: seconds}, WantedTerms)


@pytest.mark.parametrize("absence", ["", "never", "END", None, 1, ["end"]])
def test_there_are_three_answers_to_absence_and_no_fourth(absence: Any) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"absence": absence}, WantedTerms)
    assert [msgspec.convert({"absence": one}, WantedTerms).absence for one in ("end", "wait", "bot")] == [
        "end",
        "wait",
        "bot",
    ]
