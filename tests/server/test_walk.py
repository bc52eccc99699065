"""How long the way of a line is. A function more on it is paid for with every move of the house."""

from pathlib import Path

import pytest
from tests.server.walk import Walk, all_walks

# Real sockets, processes or screens: left out of make check.
pytestmark = pytest.mark.slow

# On a busy machine an alarm of the house rings during every move.
BESIDES = 5


async def test_a_click_and_a_market_line_walk_no_further_than_they_must(tmp_path: Path) -> None:
    """Version 0.1 took 89 calls, 14 deep, for the click, and 147, 22 deep, for the line."""
    found = await all_walks(tmp_path)
    click = _shortest(found["multisweeper"], b"click")
    market = _shortest(found["renaissance"], b'"rowColumnSelection"')
    assert len(click.calls) <= 63 + BESIDES, click
    assert click.depth <= 13, click
    assert len(market.calls) <= 110 + BESIDES, market
    assert market.depth <= 19, market
    # The same click over Ludoteca's own protocol, which a table may ask a little more or less of.
    house = _shortest(found["a click"], b'"act"')
    assert len(house.calls) <= 70 + BESIDES, house
    assert house.depth <= 13, house
    # To the very end: both players see the click, and the other one the market when all is put away.
    assert [_writes(click), _writes(market), _writes(house)] == [2, 1, 2]
    # One more who looks on is told, and that is all: the view is made and encoded once, whoever follows it.
    ten, twenty = (_shortest(found[f"a move before {count}"], b"TakeGod") for count in (10, 20))
    assert _telling(twenty) - _telling(ten) <= 10 * 3, (ten, twenty)
    assert [_writes(ten), _writes(twenty)] == [12, 22]


def _telling(walk: Walk) -> int:
    """Calls on the way to guests; whatever else the house does now and then is none of theirs."""
    return sum(file in ("server/session.py", "wire/house.py", "server/tcp.py") for _, file, _ in walk.calls)


def _writes(walk: Walk) -> int:
    return [name for _, file, name in walk.calls if file == "server/tcp.py"].count("send")


def _shortest(walks: list[Walk], said: bytes) -> Walk:
    return min((walk for walk in walks if said in walk.line), key=lambda walk: len(walk.calls))
