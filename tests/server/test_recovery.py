"""Starting again: every table that was live comes back, and a damaged one is set aside alone."""

import asyncio
import contextlib
import sqlite3
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests import rig
from tests.disk import Disk
from tests.hall.play import House as HallHouse
from tests.spoil import Change, spoil

from ludoteca.core.requests import Open
from ludoteca.hall.post import Entry, Summary
from ludoteca.server.house import House
from ludoteca.server.journal_reader import JournalReader
from ludoteca.server.schema import journal_in
from ludoteca.server.settings import Settings
from ludoteca.server.world import World


async def open_tables(folder: Path, names: list[str]) -> dict[str, dict[str, str]]:
    """A table for each name, with a match against a bot; table and token by name."""
    seats = {}
    async with rig.house(folder, "house", bot_workers=0) as server:
        for name in names:
            client = await rig.enter(server, name, options_max=1000)
            await client.send(
                {"type": "open", "game": "multisweeper", "seats": 2}, {"type": "bot", "level": "random"}
            )
            seated = await client.until("seated")
            await client.until("question")
            seats[name] = {"table": seated["table"]["id"], "token": seated["token"]}
    return seats


async def back(server: object, token: str) -> dict[str, object]:
    client = await rig.connect(server, "house")  # type: ignore[arg-type]
    await client.send({"type": "return", "token": token})
    return await client.until(lambda message: message["type"] in ("question", "declined"))


@pytest.mark.parametrize("damage", ["a cut", "a flipped bit", "a missing record"])
async def test_a_damaged_table_is_set_aside_alone(tmp_path: Path, damage: str) -> None:
    seats = await open_tables(tmp_path, ["Anna", "Bruno", "Carla"])
    broken = seats["Bruno"]["table"]
    change: Change = {
        "a cut": lambda number, line: line[:40] if number == 3 else line,
        "a flipped bit": lambda _, line: line.replace(b"seed", b"sEed"),
        "a missing record": lambda number, line: None if number == 3 else line,
    }[damage]
    assert spoil(tmp_path, broken, change) == 1
    async with rig.house(tmp_path, "house", bot_workers=0) as server:
        assert {table.id for table in server.house.hall.tables} == {
            seats["Anna"]["table"],
            seats["Carla"]["table"],
        }
        assert (await back(server, seats["Anna"]["token"]))["type"] == "question"
        refusal = await back(server, seats["Bruno"]["token"])
        assert (refusal["code"], "damaged" in str(refusal["reason"])) == ("aside", True)
        assert (await back(server, seats["Carla"]["token"]))["again"] is True
        assert server.house.archive.lines(broken), "the damaged record is kept for a look"
        assert b'ludoteca_tables_aside{why="damaged"} 1.0' in server.house.metrics.page()


@pytest.mark.slow
async def test_d8_a_table_that_cannot_even_be_read_does_not_keep_the_house_from_starting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seats = await open_tables(tmp_path, ["Anna", "Bruno"])
    records = JournalReader.records

    def torn(archive: JournalReader, tables: Sequence[str]) -> dict[str, list[bytes]]:
        if seats["Bruno"]["table"] in tables:
            raise sqlite3.DatabaseError("database disk image is malformed")
        return records(archive, tables)

    monkeypatch.setattr(JournalReader, "records", torn)
    async with rig.house(tmp_path, "house", bot_workers=0) as server:
        assert (await back(server, seats["Anna"]["token"]))["type"] == "question"
        assert b'ludoteca_tables_aside{why="damaged"} 1.0' in server.house.metrics.page()
    monkeypatch.undo()
    async with rig.house(tmp_path, "house", bot_workers=0) as server:
        assert (await back(server, seats["Bruno"]["token"]))["type"] == "question", "it was never given up"


async def test_a_finished_match_with_a_damaged_summary_does_not_keep_the_house_from_starting(
    tmp_path: Path,
) -> None:
    seats = await open_tables(tmp_path, ["Anna"])
    with contextlib.closing(sqlite3.connect(journal_in(tmp_path))) as connection, connection:
        connection.execute(
            "INSERT INTO tables (id, game, fate, opened_ms, closed_ms, summary)"
            " VALUES ('x', 'santorini', 'over', 1, 2, x'7b7d'), ('y', 'santorini', 'over', 1, 2, x'ff')"
        )
    async with rig.house(tmp_path, "house", bot_workers=0) as server:
        assert (await back(server, seats["Anna"]["token"]))["type"] == "question"


async def test_finished_matches_stay_readable_and_are_not_played_on(tmp_path: Path) -> None:
    seats = await open_tables(tmp_path, ["Anna"])
    async with rig.house(tmp_path, "house", bot_workers=0) as server:
        client = await rig.connect(server, "house")
        await client.send({"type": "return", "token": seats["Anna"]["token"]}, {"type": "leave"})
        for _ in range(100):
            if server.house.archive.summary(seats["Anna"]["table"]):
                break
            await client.send({"type": "ping"})
            await client.until("pong")
    async with rig.house(tmp_path, "house", bot_workers=0) as server:
        assert not list(server.house.hall.tables)
        assert len(server.house.archive.matches()) == 1


async def test_a_table_that_nobody_had_sat_down_at_yet_is_closed_and_not_set_aside() -> None:
    """The house crashed between the record that opened it and the one that somebody sat
    down (seen in simulation)."""
    before = HallHouse()
    before.named("Anna").ask(Open("multisweeper", 2))
    ((table, lines),) = before.lines.items()
    info = before.hall.tables.find(table).info()
    disk = Disk(lambda pause_s, call: asyncio.get_running_loop().call_later(pause_s, call))
    assert not disk.write([Entry(table, 1, lines[0], "live", Summary(info))])
    nobody = lambda *guest: pytest.fail(f"no bot sits here: {guest}")  # noqa: E731
    house = House(Settings(), nobody, nobody, nobody, World(keep=disk.keep))
    house.recover()
    await house.close("good night")
    assert house.metrics.registry.get_sample_value("ludoteca_tables_aside", {"why": "rules"}) is None
    assert disk.ids() == []
