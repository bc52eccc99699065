"""Matches that were played: from a data folder and from a house on the network."""

import pytest
from tests import rig
from tests.clients import stage

from ludoteca.clients import replays
from ludoteca.clients.address import Address
from ludoteca.clients.app import ReplayApplication
from ludoteca.clients.replays import RecordsError
from ludoteca.clients.run import Mode


async def test_a_match_comes_out_the_same_from_the_folder_and_from_the_house(tmp_path):
    async with rig.house(tmp_path, "http", "house") as server:
        ben = await rig.enter(server, "Ben")
        await ben.send({"type": "open", "game": "santorini", "seats": 2}, {"type": "bot", "level": "random"})
        table = (await ben.until("seated"))["table"]["id"]
        for _ in range(200):
            message = await ben.until(lambda one: one["type"] in ("question", "over"))
            if message["type"] == "over":
                break
            action = message["options"][len(message["options"]) // 2]
            await ben.send({"type": "act", "action": action, "at": message["number"]})
        else:
            raise AssertionError("this match does not end")
        address = Address(*server.addresses["http"])
        listed = await replays.house_matches(address)
        assert [match.id for match in listed] == [table]
        assert "Ben" in listed[0].line
        far = await replays.house_replay(address, table)
        with pytest.raises(RecordsError, match="no finished match"):
            await replays.house_replay(address, "nothing")
        with pytest.raises(RecordsError):
            await replays.house_replay(Address("127.0.0.1", 8001, lines=True), table)
    assert replays.stored_matches(tmp_path) == listed
    assert replays.stored_matches(tmp_path / "nowhere") == ()
    near = replays.stored_replay(tmp_path, table)
    assert [step.state for step in far.steps] == [step.state for step in near.steps]
    assert far.names == near.names == ("Ben", "Bot-Ada")

    app = ReplayApplication(near, None, Mode(colours="256"))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("right", "right", "left")
        await stage.shows(app, pilot, "step 2 of")
        await pilot.press("end", "s")
        await stage.shows(app, pilot, "seen as Ben")
        await pilot.press("q")
    assert app.return_code == 0
