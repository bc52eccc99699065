"""Snapshots in a real house: taken while people play and when it closes, used at the next start, and never
believed."""

import asyncio
import contextlib
import sqlite3
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tests import rig
from tests.spoil import spoil

from ludoteca.cli import main as cli
from ludoteca.hall import Table
from ludoteca.hall.recovery import Recovery
from ludoteca.server import snapshots
from ludoteca.server.journal_reader import JournalReader
from ludoteca.server.schema import journal_in
from ludoteca.server.serve import Server

# Real disks and clocks: left out of make check.
pytestmark = pytest.mark.slow

NAMES = ("Anna", "Bruno")


def count(server: Server, what: str) -> int:
    return int(
        server.house.metrics.registry.get_sample_value("ludoteca_snapshots_total", {"what": what}) or 0
    )


async def play(server: Server, client: rig.Client, moves: int) -> None:
    """Open cells, so long as the match goes on."""
    for _ in range(moves):
        question = await client.until("question")
        await client.send({"type": "act", "at": question["number"], "action": question["options"][0]})
    await client.until("question")


async def seat(server: Server, name: str, moves: int) -> str:
    """Somebody who plays alone against time; the token."""
    client = await rig.enter(server, name, options_max=1000)
    await client.send({"type": "open", "game": "renaissance", "seats": 1})
    token: str = (await client.until("seated"))["token"]
    await play(server, client, moves)
    return token


async def back(server: Server, token: str) -> dict[str, Any]:
    client = await rig.connect(server, "house")
    await client.send({"type": "return", "token": token})
    shown = await client.until("view")
    question = await client.until("question")
    return {"view": shown["view"], "number": shown["number"], "at": question["number"]}


@contextlib.asynccontextmanager
async def house(folder: Path) -> Any:
    async with rig.house(folder, "house", bot_workers=0) as server:
        yield server


async def evening(folder: Path) -> dict[str, dict[str, Any]]:
    """Two matches, and how they stood when the house closed, by token."""
    async with house(folder) as server:
        tokens = [await seat(server, name, 4) for name in NAMES]
        stood = {token: await back(server, token) for token in tokens}
    return stood


def change(folder: Path, statement: str) -> int:
    with contextlib.closing(sqlite3.connect(journal_in(folder))) as connection, connection:
        return connection.execute(statement).rowcount


async def test_a_house_that_closed_brings_its_tables_back_without_executing_them(tmp_path: Path) -> None:
    stood = await evening(tmp_path)
    async with house(tmp_path) as server:
        assert (count(server, "used"), count(server, "ignored")) == (2, 0)
        assert {token: await back(server, token) for token in stood} == stood
        assert CliRunner().invoke(cli, ["verify", "--data", str(tmp_path)]).exit_code == 0


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE snapshots SET snapshot = zeroblob(400)",
        "UPDATE snapshots SET snapshot = x''",
        "UPDATE snapshots SET snapshot = substr(snapshot, 1, length(snapshot) - 1)",
        "UPDATE snapshots SET snapshot = 'text'",
        "DROP TABLE snapshots",
    ],
)
async def test_snapshots_that_somebody_damaged_are_ignored(tmp_path: Path, damage: str) -> None:
    stood = await evening(tmp_path)
    change(tmp_path, damage)
    async with house(tmp_path) as server:
        assert count(server, "used") == 0
        assert {token: await back(server, token) for token in stood} == stood


async def test_a_snapshot_of_another_table_is_ignored(tmp_path: Path) -> None:
    stood = await evening(tmp_path)
    change(tmp_path, "UPDATE snapshots SET snapshot = (SELECT snapshot FROM snapshots ORDER BY id LIMIT 1)")
    async with house(tmp_path) as server:
        assert (count(server, "used"), count(server, "ignored")) == (1, 1)
        assert {token: await back(server, token) for token in stood} == stood


async def test_a_match_ends_and_is_stored_also_where_snapshots_cannot_be(tmp_path: Path) -> None:
    stood = await evening(tmp_path)
    change(tmp_path, "DROP TABLE snapshots")
    async with house(tmp_path) as server:
        client = await rig.connect(server, "house")
        await client.send({"type": "return", "token": next(iter(stood))}, {"type": "leave"})
        await client.until("view")
        assert (await back(server, list(stood)[1])) == list(stood.values())[1]
        assert not server.house.trouble


async def test_a_record_that_was_damaged_before_the_snapshot_ends_no_match_and_is_found_by_verify(
    tmp_path: Path,
) -> None:
    stood = await evening(tmp_path)
    table = JournalReader(tmp_path).live()[0]
    assert spoil(tmp_path, table, lambda number, line: line[:40] if number == 2 else line, snapshots=True)
    async with house(tmp_path) as server:
        assert (count(server, "used"), count(server, "ignored")) == (2, 0)
        assert {token: await back(server, token) for token in stood} == stood
    said = CliRunner().invoke(cli, ["verify", "--data", str(tmp_path)])
    assert (said.exit_code, "damaged" in said.output) == (1, True)


async def test_a_table_that_cannot_be_taken_in_from_its_snapshot_comes_back_by_its_records(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What breaks down when the snapshot has been read already: nobody is set aside for a cache."""
    stood = await evening(tmp_path)
    take_in, tried = Recovery._take_in, Counter[str]()
    # How often a table cannot be taken in: once by its snapshot, and then not by its records either.
    fails = 1

    def at_first_not(self: Recovery, table: Table, now: float) -> Table:
        tried[table.id] += 1
        if tried[table.id] <= fails:
            raise RuntimeError("made up")
        return take_in(self, table, now)

    monkeypatch.setattr(Recovery, "_take_in", at_first_not)
    async with house(tmp_path) as server:
        assert (count(server, "used"), count(server, "ignored")) == (0, 2)
        assert {token: await back(server, token) for token in stood} == stood
    tried.clear()
    fails = 2
    async with house(tmp_path) as server:
        client = await rig.connect(server, "house")
        await client.send({"type": "return", "token": next(iter(stood))})
        # All of its records say who sits there, not the last alone.
        assert (await client.until("declined"))["code"] == "aside"


async def test_a_snapshot_of_records_that_are_not_there_any_more_is_ignored(tmp_path: Path) -> None:
    """As after a restored copy, or a crash that took the last records: the snapshot is of a future that was
    not."""
    stood = await evening(tmp_path)
    assert change(tmp_path, "DELETE FROM sheets WHERE number = (SELECT max(number) FROM sheets)") == 1
    change(tmp_path, "DELETE FROM bookmark")
    async with house(tmp_path) as server:
        assert (count(server, "used"), count(server, "ignored")) == (1, 1)
        found = {token: await back(server, token) for token in stood}
        assert sum(found[token] != stood[token] for token in stood) == 1


async def test_snapshots_of_other_code_are_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stood = await evening(tmp_path)
    monkeypatch.setattr(snapshots, "form_of", lambda _game: b"another form at all")
    async with house(tmp_path) as server:
        assert (count(server, "used"), count(server, "ignored")) == (0, 2)
        assert {token: await back(server, token) for token in stood} == stood
    async with house(tmp_path) as server:
        assert count(server, "used") == 2, "and then there are some of this code"


def test_the_form_of_a_games_snapshots_changes_with_its_code(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    file = tmp_path / "inner" / "rules.py"
    file.write_text("one")
    forms = set()
    for text in ("one", "other", "one"):
        file.write_text(text)
        snapshots._code_in.cache_clear()
        forms.add(snapshots._code_in(tmp_path))
    assert len(forms) == 2


async def test_snapshots_are_taken_while_people_play_and_a_crash_leaves_few_records_to_execute(
    tmp_path: Path,
) -> None:
    async with house(tmp_path) as server:
        server.house.snapshots.every = 3
        token = await seat(server, "Anna", 6)
        async with asyncio.timeout(rig.PATIENCE_S):
            while not server.house.archive.snapshots(server.house.archive.live()):
                await asyncio.sleep(0.05)
        stood = await back(server, token)
        # As if the power failed now: nothing is taken when it closes.
        server.house.snapshots.take_rest = lambda: None
    async with house(tmp_path) as server:
        assert count(server, "used") == 1
        assert await back(server, token) == stood


async def test_a_finished_match_leaves_no_snapshot(tmp_path: Path) -> None:
    stood = await evening(tmp_path)
    async with house(tmp_path) as server:
        client = await rig.connect(server, "house")
        await client.send({"type": "return", "token": next(iter(stood))}, {"type": "leave"})
        client = await rig.connect(server, "house")
        await client.send({"type": "return", "token": list(stood)[1]})
        await client.until("question")
        live = server.house.archive.live()
    assert set(JournalReader(tmp_path).snapshots(live)) <= set(JournalReader(tmp_path).live())


async def test_a_game_whose_state_cannot_be_stored_is_played_without_snapshots(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def hopeless(*_: object) -> bytes:
        raise TypeError("cannot pickle this")

    monkeypatch.setattr("ludoteca.hall.snapshot.take", hopeless)
    stood = await evening(tmp_path)
    monkeypatch.undo()
    async with house(tmp_path) as server:
        assert (count(server, "used"), count(server, "ignored")) == (0, 0)
        assert {token: await back(server, token) for token in stood} == stood


async def test_verify_asks_no_snapshot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    await evening(tmp_path)

    def never(*_: object) -> dict[str, bytes]:
        raise AssertionError("a snapshot was asked")

    monkeypatch.setattr(JournalReader, "snapshots", never)
    said = CliRunner().invoke(cli, ["verify", "--data", str(tmp_path)])
    assert (said.exit_code, "2 of 2" in said.output) == (0, True), said.output
