"""Playing on over the wire: with the token of the seat, once more after a kill, and not without end."""

from pathlib import Path
from typing import Any

import pytest
from tests import rig

from ludoteca.server.serve import Server

# Real files and clocks: left out of make check.
pytestmark = pytest.mark.slow


async def broken_off(server: Server, **terms: Any) -> tuple[rig.Client, dict[str, Any], dict[str, Any]]:
    """Ada, whose rival left after her first move: her client, her seat and what she saw last."""
    ada, bea = await rig.enter(server, "Ada"), await rig.enter(server, "Bea")
    await ada.send({"type": "open", "game": "santorini", "options": {"gods": "none"}, "terms": terms})
    seated = await ada.until("seated")
    await bea.send({"type": "sit", "table": seated["table"]["id"]})
    for client in (ada, bea):
        view = await client.until("view")
    question = await ada.until("question")
    await ada.send({"type": "act", "action": question["options"][0], "at": question["number"]})
    await ada.until("events")
    await bea.send({"type": "leave"})
    assert (await ada.until("over"))["ranks"] == []
    return ada, seated, view


async def test_a_broken_off_match_is_played_on_with_the_token_of_the_seat_and_survives_a_restart(
    tmp_path: Path,
) -> None:
    async with rig.house(tmp_path, "house") as server:
        ada, seated, _ = await broken_off(server, private=True)
        table = seated["table"]["id"]
        mallory = await rig.enter(server, "Mallory")
        for wish in ({"token": "0" * 32}, {"token": ""}, {"token": seated["token"], "table": "nowhere"}):
            await mallory.send({"type": "continue", "table": table, **wish})
            assert (await mallory.until("declined"))["code"] == "gone"
        await ada.send({"type": "continue", "table": table, "token": seated["token"], "level": "easy"})
        again = await ada.until("seated")
        assert again["table"]["id"] != table
        assert again["table"]["terms"]["private"]
        # She has chosen who begins already.
        assert (await ada.until("view"))["view"]["phase"] == "colour"
    async with rig.house(tmp_path, "house") as server:
        back = await rig.connect(server, "house")
        await back.send({"type": "return", "token": again["token"]})
        assert (await back.until("view"))["view"]["phase"] in ("colour", "place", "play")


async def test_who_plays_on_all_the_time_is_told_to_wait(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "house") as server:
        ada, seated, _ = await broken_off(server)
        wish = {"type": "continue", "table": seated["table"]["id"], "token": seated["token"]}
        await ada.send(*[wish] * 12)
        codes = [(await ada.until("declined"))["code"] for _ in range(11)]
        assert codes.count("rate") == 6, "six a minute, of which one got a seat"
        assert set(codes) == {"seated", "rate"}
