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
from ludoteca.clients.screens.replay import ReplayScreen
from ludoteca.clients.widgets.board import Picture
from ludoteca.journal import Replay, replay
from ludoteca.journal.records import Opened, decode
from ludoteca.server.journal_reader import JournalReader

# Real sockets, processes or screens: left out of make check.
pytestmark = pytest.mark.slow


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


async def test_a_replayed_board_is_whole_at_every_step_however_it_grew(tmp_path):
    """The picture once kept the size of its first step, and the lower part of a larger one was cut."""
    newest = sorted(corpora())[-1]
    unpacked(newest, tmp_path)
    archive = JournalReader(tmp_path)
    longest: dict[str, list[bytes]] = {}
    for table in archive.ids():
        lines = archive.lines(table)
        opened = decode(lines[0])[0].input
        assert isinstance(opened, Opened)
        name = opened.game
        if len(lines) > len(longest.get(name, ())):
            longest[name] = lines
    assert sorted(longest) == sorted(games.names())
    for lines in longest.values():
        played = replay(lines, games.load)
        for size in ((80, 24), (200, 60)):
            await is_whole(played, size)


async def is_whole(played: Replay, size: tuple[int, int]) -> None:
    """Walk through a match: at each stop all of its board is shown, if there is room for it."""
    app = ReplayApplication(played, 0, Mode(colours="256"))

    def missing() -> str:
        screen, shown = app.screen, stage.text_of(app)
        if not isinstance(screen, ReplayScreen):
            return "the screen"
        if f"step {screen.at + 1} of" not in shown:
            return f"step {screen.at + 1}"
        board = screen.query_one("#board")
        rows = str(screen.query_one(Picture).render()).split("\n")
        high = board.scrollable_content_region.height
        whole = size != (80, 24) or len(rows) <= high
        if whole and board.max_scroll_y:
            return f"{board.max_scroll_y} rows"
        # Eight long names do not fit into one line of 80; the board below them does.
        kept = (row.rstrip()[: size[0] - 10] for row in (rows if whole else rows[:high]))
        return next((row for row in kept if row not in shown), "")

    async with app.run_test(size=size) as pilot:
        for key in ("", "end", "left", "pageup", "home", "right"):
            await pilot.press(*[key] * bool(key))
            try:
                await stage.until(pilot, lambda: not missing())
            except TimeoutError:
                raise AssertionError(
                    f"{size}, {key}: not shown is {missing()!r}\n{stage.text_of(app)}"
                ) from None
