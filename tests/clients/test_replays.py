"""Matches that were played: from a data folder and from a house on the network."""

import pytest
from tests import rig
from tests.clients import stage
from tests.journal.corpus.write import corpora, unpacked

from ludoteca import games
from ludoteca.clients import replays
from ludoteca.clients.address import Address
from ludoteca.clients.app import ReplayApplication
from ludoteca.clients.replays import RecordsError
from ludoteca.clients.run import Mode
from ludoteca.clients.widgets.board import Picture
from ludoteca.journal import Replay, replay
from ludoteca.server.journal_reader import JournalReader


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
        await pilot.press("a")
        await stage.shows(app, pilot, "might answer:")
        await stage.shows(app, pilot, "%")
        await pilot.press("end", "s")
        await stage.shows(app, pilot, "seen as Ben")
        await pilot.press("q")
    assert app.return_code == 0


@pytest.mark.slow
@pytest.mark.parametrize("size", [(80, 24), (200, 60)], ids=lambda size: f"{size[0]}")
async def test_a_replayed_board_is_whole_at_every_step_however_it_grew(tmp_path, size):
    """The picture once kept the size of its first step, and the lower part of a larger one was cut."""
    newest = sorted(corpora())[-1]
    unpacked(newest, tmp_path)
    archive = JournalReader(tmp_path)
    longest: dict[str, Replay] = {}
    for table in archive.ids():
        played = replay(archive.lines(table), games.load)
        known = longest.get(played.game.name)
        if known is None or len(played.steps) > len(known.steps):
            longest[played.game.name] = played
    assert sorted(longest) == sorted(games.names())
    for played in longest.values():
        app = ReplayApplication(played, 0, Mode(colours="256"))
        async with app.run_test(size=size) as pilot:
            await stage.settled(app, pilot)
            for key in ("end", "left", "pageup", "home", "right"):
                await pilot.press(key)
                await stage.settled(app, pilot)
                board = app.screen.query_one("#board")
                shown = stage.text_of(app)
                rows = str(app.screen.query_one(Picture).render()).split("\n")
                high = board.scrollable_content_region.height
                whole = size != (80, 24) or len(rows) <= high
                assert board.max_scroll_y == 0 or not whole, shown
                for row in rows if whole else rows[:high]:
                    # Eight long names do not fit into one line of 80; the board below them does.
                    assert row.rstrip()[: size[0] - 10] in shown
