"""Doors open before all tables are back: whoever needs one has it, and nobody else waits for it."""

import asyncio
import contextlib
import itertools
import shutil
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from structlog.testing import capture_logs
from tests import rig
from tests.hall.play import House as HallHouse
from tests.spoil import spoil

from ludoteca.core.notices import Seated
from ludoteca.core.requests import Act, Join, Open
from ludoteca.games.multisweeper.actions import Click
from ludoteca.hall.post import Entry
from ludoteca.server.journal_writer import JournalWriter
from ludoteca.server.schema import journal_in
from ludoteca.server.serve import Server

# Real processes, disks and clocks: left out of make check.
pytestmark = pytest.mark.slow

TABLES = 200
OPEN_MAX = {"tables_per_address_max": 1000, "rate_per_s": 1e6, "rate_burst": 1e6, "bot_workers": 0}


class Owner(NamedTuple):
    """Somebody who was playing when the house ended."""

    name: str
    table: str
    token: str


class Evening(NamedTuple):
    """A journal with matches that are being played, and who plays there."""

    folder: Path
    owners: list[Owner]

    def change(self, statement: str) -> None:
        """Do something to the file."""
        with contextlib.closing(sqlite3.connect(journal_in(self.folder))) as connection, connection:
            connection.execute(statement)


class _Keeping(HallHouse):
    """A hall that keeps what is to be stored."""

    def __init__(self) -> None:
        super().__init__()
        self.entries: list[Entry] = []

    def collect(self) -> None:
        self.entries += self.hall.post.entries
        super().collect()


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Evening:
    house, owners = _Keeping(), []
    for number in range(TABLES):
        anna, bruno = house.named(f"Anna{number}"), house.named(f"Bruno{number}")
        anna.ask(Open("multisweeper", 2))
        bruno.ask(Join(anna.guest.table))
        anna.ask(Act((Click(number % 9, 0),)))
        owners.append(Owner(f"Anna{number}", anna.guest.table, anna.last(Seated).token))
    folder = tmp_path_factory.mktemp("played")
    store = JournalWriter(folder, lambda _count: None, lambda _reason: None)
    store.append(house.entries)
    store.close()
    return Evening(folder, owners)


@pytest.fixture
def evening(played: Evening, tmp_path: Path) -> Evening:
    """The same, to be changed by one test."""
    shutil.copytree(played.folder, tmp_path / "house")
    return played._replace(folder=tmp_path / "house")


@contextlib.asynccontextmanager
async def sleepy(folder: Path, rest_s: float, turn_s: float = 1.0) -> AsyncIterator[Server]:
    """A house that brings nothing back before its doors are open, and waits so long before it goes on."""
    server = Server(rig.settings(folder, "house", "http", **OPEN_MAX))
    waking = server.house.waking
    waking.first_s, waking.at_once, waking.turn_s = 0.0, 1, turn_s
    waking.rest_s = lambda _took_s: rest_s
    await server.start()
    try:
        yield server
    finally:
        await server.stop()


def back(server: Server, why: str) -> int:
    found = server.house.metrics.registry.get_sample_value("ludoteca_tables_back_total", {"why": why})
    return int(found or 0)


async def returned(server: Server, owner: Owner) -> dict[str, Any]:
    client = await rig.connect(server, "house")
    await client.send({"type": "return", "token": owner.token})
    return await client.until(lambda message: message["type"] in ("view", "declined"))


async def test_doors_are_open_before_tables_are_back_and_then_all_come_back(evening: Evening) -> None:
    async with sleepy(evening.folder, 0.0) as server:
        waking = server.house.waking
        assert len(server.house.hall.tables) == TABLES
        async with asyncio.timeout(rig.PATIENCE_S):
            while len(waking):
                await asyncio.sleep(0.01)
        assert not any(table.asleep for table in server.house.hall.tables)
        assert (back(server, "start"), back(server, "meanwhile")) == (0, TABLES)


async def test_a_small_house_has_all_tables_back_when_its_doors_open(evening: Evening) -> None:
    gone = ", ".join(f"'{owner.table}'" for owner in evening.owners[3:])
    evening.change(f"UPDATE tables SET fate = 'over' WHERE id IN ({gone})")
    async with rig.house(evening.folder, "house", **OPEN_MAX) as server:
        assert (len(server.house.hall.tables), len(server.house.waking)) == (3, 0)
        assert back(server, "start") == 3


async def test_where_not_all_tables_would_be_back_in_time_the_doors_come_first(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ludoteca.server.waking.FIRST_MAX", TABLES - 1)
    server = Server(rig.settings(evening.folder, "house", **OPEN_MAX))
    server.house.waking.first_s = 60.0
    server.house.waking.rest_s = lambda _took_s: 60.0
    await server.start()
    assert (back(server, "start"), len(server.house.waking)) == (0, TABLES)
    await server.stop()


async def test_whoever_comes_back_before_the_table_does_is_shown_it(evening: Evening) -> None:
    async with sleepy(evening.folder, 3600.0) as server:
        last = evening.owners[-1]
        assert (await returned(server, last))["view"]["last"] == {
            "seat": 0,
            "column": (TABLES - 1) % 9,
            "row": 0,
        }
        watcher = await rig.connect(server, "house")
        await watcher.send({"type": "watch", "table": evening.owners[7].table})
        assert await watcher.until("view")
        assert back(server, "needed") == len(server.house.hall.tables) - len(server.house.waking) == 2


async def test_a_crowd_that_comes_back_at_once_does_not_keep_others_from_playing(evening: Evening) -> None:
    """Bad neighbours: as many as there are tables, in one moment, and one who asks for all of them."""
    async with sleepy(evening.folder, 3600.0, turn_s=0.0) as server:
        server.house.waking.rest_s = lambda _took_s: 0.0
        player = await rig.connect(server, "house")
        await player.send({"type": "return", "token": evening.owners[0].token})
        await player.until("view")
        many = evening.owners[1 : TABLES // 2]
        clients = [await rig.connect(server, "house") for _ in many]
        greedy = await rig.connect(server, "house")
        wanted = [{"type": "watch", "table": owner.table} for owner in evening.owners[TABLES // 2 :]]
        needed = [back(server, "needed")]
        for client, owner in zip(clients, many, strict=True):
            client.writer.write(b'{"type":"return","token":"%b"}\n' % owner.token.encode())
        await greedy.send(*wanted)
        while back(server, "needed") < TABLES:
            await player.send({"type": "ping"})
            await player.until("pong")
            needed.append(back(server, "needed"))
        most = max(later - earlier for earlier, later in itertools.pairwise(needed))
        assert most <= 20, "while one is answered, few tables of others are brought back"
        for client in clients:
            assert (await client.until(lambda told: told["type"] in ("view", "declined")))["type"] == "view"
        for _ in wanted:
            await greedy.until("view")


async def test_doors_are_open_before_tables_from_before_there_were_slips_are_back_and_those_have_slips_then(
    evening: Evening,
) -> None:
    evening.change("DELETE FROM slips")
    spoiled = evening.owners[4].table
    assert spoil(evening.folder, spoiled, lambda number, line: line[:40] if number == 3 else line)
    async with sleepy(evening.folder, 3600.0) as server:
        assert len(server.house.hall.tables) == len(server.house.waking) == TABLES - 1
        assert back(server, "start") == 0, "none was executed, and the damaged one set aside alone"
        assert (await returned(server, evening.owners[-1]))["type"] == "view"
        assert (await returned(server, evening.owners[4]))["code"] == "aside"
    with contextlib.closing(sqlite3.connect(journal_in(evening.folder))) as connection:
        assert connection.execute("SELECT count(*) FROM slips").fetchone() == (TABLES - 1,)


@pytest.mark.parametrize(
    "damage", ["zeroblob(40)", "X''", "substr(slip, 1, 50)", "(SELECT slip FROM slips LIMIT 1)"]
)
async def test_a_slip_that_is_damaged_or_another_tables_is_none(evening: Evening, damage: str) -> None:
    owner = evening.owners[3]
    evening.change(f"UPDATE slips SET slip = {damage} WHERE id = '{owner.table}'")
    async with sleepy(evening.folder, 3600.0) as server:
        assert back(server, "start") <= 1
        assert (await returned(server, owner))["type"] == "view"
        assert len(server.house.hall.tables) == TABLES


async def test_a_table_that_cannot_be_brought_back_is_set_aside_alone_whenever_that_is_found(
    evening: Evening,
) -> None:
    first, second = evening.owners[4], evening.owners[5]
    for owner in (first, second):
        assert spoil(evening.folder, owner.table, lambda number, line: line[:40] if number == 4 else line)
    async with sleepy(evening.folder, 0.0) as server:
        server.house.waking.rest_s = lambda _took_s: 3600.0
        assert (await returned(server, first))["code"] == "aside"
        assert len(server.house.hall.tables) >= TABLES - 2
    async with sleepy(evening.folder, 0.0) as server:
        async with asyncio.timeout(rig.PATIENCE_S):
            while len(server.house.waking):
                await asyncio.sleep(0.01)
        assert b'ludoteca_tables_aside{why="damaged"} 2.0' in server.house.metrics.page()
        assert len(server.house.hall.tables) == TABLES - 2
        assert (await returned(server, second))["code"] == "aside"
        assert (await returned(server, evening.owners[6]))["type"] == "view"


async def test_why_records_cannot_be_read_together_is_logged_and_traced_back_once(evening: Evening) -> None:
    evening.change("DELETE FROM snapshots")
    # Something that is no sheet at all, which nobody who reads it has expected.
    evening.change("UPDATE sheets SET lines = 42")
    with capture_logs() as lines:
        async with sleepy(evening.folder, 0.0) as server:
            async with asyncio.timeout(rig.PATIENCE_S):
                while len(server.house.waking):
                    await asyncio.sleep(0.01)
    told = [line for line in lines if line["event"] == "tables are read one by one"]
    assert len(told) > 1
    assert sum(line["tables"] for line in told) == TABLES
    assert [bool(line["exc_info"]) for line in told] == [True] + [False] * (len(told) - 1)


async def test_a_house_that_closes_while_tables_come_back_leaves_them_as_they_were(evening: Evening) -> None:
    async with sleepy(evening.folder, 3600.0) as server:
        assert (await returned(server, evening.owners[9]))["type"] == "view"
        assert len(server.house.waking)
    async with sleepy(evening.folder, 0.0) as server:
        assert len(server.house.hall.tables) == TABLES
        assert (await returned(server, evening.owners[9]))["type"] == "view"
