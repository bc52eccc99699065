"""Who was not told how a match ended hears it from its records."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests import rig

from ludoteca.core.notices import Gone, Happened, Over, Shown
from ludoteca.server.cluster.missed import missed


@pytest.mark.slow
async def test_the_end_that_nobody_heard_is_told_as_it_would_have_been(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "house", bot_workers=0, bot_s=0.01) as server:
        anna = await rig.enter(server, "Anna", options_max=1000)
        await anna.send({"type": "open", "game": "santorini", "seats": 2}, {"type": "bot", "level": "random"})
        seated = await anna.until("seated")
        for _ in range(6):
            question = await anna.until("question")
            await anna.send({"type": "act", "action": question["options"][0], "at": question["number"]})
        await anna.send({"type": "leave"})
        await anna.send({"type": "ping"})
        await anna.until("pong")
        lines = server.house.archive.lines(seated["table"]["id"])
    told = {message["number"]: message["events"] for message in anna.heard if message["type"] == "events"}
    assert len(told) >= 6
    half = sorted(told)[len(told) // 2]
    found = missed(lines, seated["token"], half)
    happened = {one.number: plain(one.events) for one in found if isinstance(one, Happened)}
    assert {number: events for number, events in happened.items() if number in told} == {
        number: events for number, events in told.items() if number > half
    }
    assert [type(one) for one in found[-2:]] == [Over, Gone]
    whole = missed(lines, seated["token"], 0)
    assert isinstance(whole[0], Shown)
    assert [type(one) for one in missed(lines, seated["token"], len(lines))] == [Over, Gone]


@pytest.mark.parametrize("lines", [[], [b"nonsense"]])
def test_of_a_table_that_nobody_has_a_record_of_it_is_told_that_it_is_gone(lines: list[bytes]) -> None:
    (told,) = missed(lines, "token", 3)
    assert isinstance(told, Gone)
    assert "record" not in told.reason


def plain(events: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(events))
