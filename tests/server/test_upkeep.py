"""What a house keeps, as hosts see it; copying, checking and pruning while people play; the day's curve."""

import asyncio
import contextlib
import os
import shutil
import sqlite3
from pathlib import Path

import aiohttp
import msgspec
import pytest
from tests import rig
from tests.server import journals
from tests.server.test_hosting import HOST, do, host_of, web
from tests.spoil import spoil

from ludoteca.core import Refused
from ludoteca.hall import acts
from ludoteca.server import backup, daybook, keeping
from ludoteca.server.journal_reader import JournalReader
from ludoteca.server.schema import journal_in
from ludoteca.server.serve import Server
from ludoteca.server.upkeep import Storage, Work

pytestmark = pytest.mark.slow


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    journals.write(tmp_path / "data")
    return tmp_path / "data"


async def storage(session: aiohttp.ClientSession, headers: dict[str, str]) -> Storage:
    async with session.get(f"{HOST}/storage", headers=headers) as answer:
        assert answer.status == 200, await answer.text()
        return msgspec.json.decode(await answer.read(), type=Storage)


async def over(server: Server, number: int) -> Work:
    """The work of this number, when it is over."""
    async with asyncio.timeout(rig.PATIENCE_S):
        while True:
            works = (await server.desk.upkeep.storage()).works
            if (found := next(one for one in works if one.number == number)).ended_ms:
                return found
            await asyncio.sleep(0.05)


async def test_a_host_copies_checks_and_prunes_while_people_play(folder: Path, tmp_path: Path) -> None:
    matches = keeping.old(folder, 1 << 62)
    with contextlib.closing(sqlite3.connect(journal_in(folder))) as connection, connection:
        connection.execute("UPDATE tables SET closed_ms = 1000 WHERE fate = 'over'")
    async with rig.house(folder, "http", "house", backups_keep=1) as server, web(server) as irene:
        host = await host_of(server)
        first = await storage(irene, host)
        assert (first.over, first.older["730"], first.lately["30"]) == (len(matches), len(matches), 0)
        assert first.size >= first.records_size > 0
        assert 0 < first.disk_free <= first.disk_size
        assert (first.copies, first.works, first.copies_folder) == ([], [], str(folder / "backups"))
        assert first.ways["http"] == "{}:{}".format(*server.addresses["http"])

        made = await over(server, (await do(irene, acts.Backup(), host))["number"])
        assert made.good, made.text
        assert (made.by, made.kind) == ("Irene", "backup")
        (copy,) = (await storage(irene, host)).copies
        assert copy.size == (folder / "backups" / copy.name).stat().st_size
        assert oct((folder / "backups").stat().st_mode & 0o777) == "0o700"
        assert backup.restore(folder / "backups" / copy.name, tmp_path / "again").tables > len(matches)
        # What is older than the newest goes, where only one is to stay.
        os.rename(folder / "backups" / copy.name, folder / "backups/ludoteca-20200101T000000Z.tar.gz")
        await over(server, (await do(irene, acts.Backup(), host))["number"])
        assert len((await storage(irene, host)).copies) == 1

        checked = await over(server, (await do(irene, acts.Verify(), host))["number"])
        assert checked.good, checked.text
        assert "tables verified" in checked.text

        ada = await rig.enter(server, "Zora")
        pruned = await over(server, (await do(irene, acts.Prune(365), host))["number"])
        assert pruned.good, pruned.text
        assert (await storage(irene, host)).over == 0
        assert keeping.old(folder, 1 << 62) == []
        await ada.send({"type": "ping"})
        await ada.until("pong")
        # All of it is in the log.
        did = [type(deed.did) for deed in server.house.hall.keeping.log if deed.by == "Irene"]
        assert did == [acts.Backup, acts.Backup, acts.Verify, acts.Prune]


async def test_damage_is_said_and_nobody_but_a_host_sees_or_does_anything(folder: Path) -> None:
    (first, *_) = keeping.old(folder, 1 << 62)
    assert spoil(folder, first, lambda number, line: line[:40] if number == 3 else line)
    async with rig.house(folder, "http") as server, web(server) as mallory:
        found = await over(server, (await server.desk.do("Irene", acts.Verify())).number)
        assert not found.good
        assert f"{first}: damaged" in found.text
        member = {"X-Ludoteca-Key": (await server.desk.do("Irene", acts.Give())).token}
        for headers in ({}, member):
            for path in ("storage", "day"):
                async with mallory.get(f"{HOST}/{path}", headers=headers) as answer:
                    assert answer.status == 401
            for act in (b'{"type":"backup"}', b'{"type":"prune","days":365}', b'{"type":"verify"}'):
                async with mallory.post(
                    f"{HOST}/acts", data=act, headers={**headers, "Content-Type": "application/json"}
                ) as answer:
                    assert answer.status == 401
        assert not (folder / "backups").exists()
        # A host cannot do away with what was done today, nor with numbers that make no sense.
        host = await host_of(server)
        for days in (0, -1, 29, 36501, 10**30, "x"):
            body = msgspec.json.encode({"type": "prune", "days": days})
            async with mallory.post(
                f"{HOST}/acts", data=body, headers={**host, "Content-Type": "application/json"}
            ) as answer:
                assert answer.status == 400


async def test_one_thing_is_done_at_a_time_and_what_fails_says_so(folder: Path, tmp_path: Path) -> None:
    target = tmp_path / "file"
    target.write_text("not a folder")
    async with rig.house(folder, "house", backups=str(target)) as server:
        first = await server.desk.do("Irene", acts.Verify())
        logged = server.house.hall.keeping.number
        with pytest.raises(Refused, match="something else"):
            await server.desk.do("Irene", acts.Backup())
        assert server.house.hall.keeping.number == logged
        assert (await over(server, first.number)).good
        failed = await over(server, (await server.desk.do("Irene", acts.Backup())).number)
        assert not failed.good
        assert str(target) in failed.text
    # A house that closes meanwhile waits for nothing, and leaves nothing half done.
    async with rig.house(folder, "house") as server:
        await server.desk.do("Irene", acts.Backup())
    assert not list((folder / "backups").glob("*.tar.gz"))
    assert len(JournalReader(folder).ids()) > 0
    shutil.rmtree(folder / "backups")


async def test_a_house_whose_journal_is_gone_says_so(tmp_path: Path) -> None:
    async with rig.house(tmp_path / "data", "house") as server:
        (tmp_path / "data").rename(tmp_path / "elsewhere")
        with pytest.raises(Refused, match="cannot be looked at"):
            await server.desk.upkeep.storage()
        (tmp_path / "data").mkdir()
        with pytest.raises(Refused, match="there is none"):
            await server.desk.upkeep.storage()
        assert list((tmp_path / "data").iterdir()) == []
        (tmp_path / "data").rmdir()
        (tmp_path / "elsewhere").rename(tmp_path / "data")
        # Where several machines keep the journal, what is here is a copy, and not to be changed.
        server.house.settings = msgspec.structs.replace(server.settings, cluster=["nats://127.0.0.1:4222"])
        with pytest.raises(Refused, match="several machines"):
            await server.desk.do("Irene", acts.Prune(365))


async def test_the_day_is_counted_in_steps_and_no_more_than_a_day_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with rig.house(tmp_path, "house", "http") as server, web(server) as irene:
        book = server.desk.daybook
        ada, bea = await rig.enter(server, "Ada"), await rig.enter(server, "Bea")
        await ada.send({"type": "open", "game": "multisweeper", "seats": 2})
        table = (await ada.until("seated"))["table"]["id"]
        await bea.send({"type": "sit", "table": table})
        await bea.until("view")
        book.look()
        await ada.until("question")
        await ada.send({"type": "act", "actions": [{"type": "Click", "column": 0, "row": 0}]})
        await ada.until("events")
        await bea.close()
        async with irene.get(f"{HOST}/day", headers=await host_of(server)) as answer:
            day = msgspec.json.decode(await answer.read(), type=daybook.Day)
        (step,) = day.steps
        assert (step.people, step.moves, day.memory > 0, day.disk_free > 0) == (2, 1, True, True)
        now = server.house.now()
        late = iter(now + 301 * number for number in range(1, 10_000))
        monkeypatch.setattr(server.house, "now", lambda: next(late))
        for _ in range(1000):
            book.look()
        steps = book.day().steps
        assert len(steps) == daybook.STEPS
        assert [one.at_ms for one in steps] == sorted(one.at_ms for one in steps)
        monkeypatch.undo()
