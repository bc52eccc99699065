"""The bounds of numbers that clients send."""

import msgspec
import pytest

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
