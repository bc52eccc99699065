"""Every number that a client can send has bounds in its type: in Ludoteca's own protocol as in every game."""

import msgspec
import pytest

from ludoteca.testing.bounds import unbounded
from ludoteca.wire import messages


def test_every_number_of_our_own_protocol_has_bounds() -> None:
    assert unbounded(messages.FromClient) == []


@pytest.mark.parametrize("number", ["-1e308", "-1", "1e308", "1e400", "-1e400", "1e17"])
@pytest.mark.parametrize("field", ["grace_s", "move_s"])
def test_d2_no_absurd_time_is_an_agreement(field: str, number: str) -> None:
    line = b'{"type":"open","game":"santorini","terms":{"%s":%s}}' % (field.encode(), number.encode())
    with pytest.raises(msgspec.DecodeError):
        msgspec.json.decode(line, type=messages.FromClient)
