"""Copies of a house: made while people play, looked through, and never over anything that is there."""

import asyncio
import os
import sqlite3
import stat
import tarfile
from pathlib import Path

import pytest
from tests import rig

from ludoteca.core import Refused
from ludoteca.server.backup import BackupError, backup, restore
from ludoteca.server.journal_reader import JournalReader
from ludoteca.server.schema import StoreError, journal_in
from ludoteca.server.serve import Server


async def play(server: Server, name: str = "Ann") -> str:
    """A table with somebody at it and a bot; its id."""
    ann = await rig.enter(server, name)
    await ann.send({"type": "open", "game": "multisweeper", "seats": 2, "bots": 1})
    table: str = (await ann.until("seated"))["table"]["id"]
    await ann.close()
    return table


async def test_a_copy_of_a_running_house_is_what_was_acknowledged_and_plays_on_elsewhere(
    tmp_path: Path,
) -> None:
    async with rig.house(tmp_path / "data", "house") as server:
        table = await play(server)
        made, about = await asyncio.to_thread(backup, tmp_path / "data", tmp_path / "copy.tar.gz")
        later = await play(server, "Bob")
    assert (made, about.tables, about.damaged) == (tmp_path / "copy.tar.gz", 1, ())
    assert stat.S_IMODE(made.stat().st_mode) == 0o600
    restore(made, tmp_path / "elsewhere")
    assert (
        JournalReader(tmp_path / "elsewhere").lines(table)
        == JournalReader(tmp_path / "data").lines(table)[: about.records]
    )
    async with rig.house(tmp_path / "elsewhere", "house") as server:
        assert server.house.hall.tables.find(table).id == table
        with pytest.raises(Refused, match="no such table"):
            server.house.hall.tables.find(later)
    # Seats are given back for a name by the secret, which therefore came along.
    assert (tmp_path / "elsewhere/house.secret").read_bytes() == (tmp_path / "data/house.secret").read_bytes()


async def test_a_folder_gets_dated_copies_of_which_the_newest_stay(tmp_path: Path) -> None:
    async with rig.house(tmp_path / "data", "house") as server:
        await play(server)
    copies = tmp_path / "copies"
    copies.mkdir()
    others = copies / "mine.tar.gz"
    others.touch()
    for day in (1, 2, 3):
        (copies / f"ludoteca-2020010{day}T000000Z.tar.gz").touch()
    made, _ = backup(tmp_path / "data", copies, keep=2)
    assert sorted(path.name for path in copies.iterdir()) == [
        "ludoteca-20200103T000000Z.tar.gz",
        made.name,
        "mine.tar.gz",
    ]


async def test_nothing_is_written_over_and_nothing_is_left_behind(tmp_path: Path) -> None:
    async with rig.house(tmp_path / "data", "house") as server:
        await play(server)
    made, _ = backup(tmp_path / "data", tmp_path / "copy.tar.gz")
    before = made.read_bytes()
    with pytest.raises(BackupError, match="there already"):
        backup(tmp_path / "data", made)
    journal = journal_in(tmp_path / "data").read_bytes()
    with pytest.raises(BackupError, match="there already"):
        restore(made, tmp_path / "data")
    assert (made.read_bytes(), journal_in(tmp_path / "data").read_bytes()) == (before, journal)
    with pytest.raises(BackupError, match="nothing can be written"):
        backup(tmp_path / "data", tmp_path / "nowhere/copy.tar.gz")
    with pytest.raises(StoreError, match="there is no journal"):
        backup(tmp_path / "empty", tmp_path / "other.tar.gz")
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {"data", "copy.tar.gz"}
    assert not [path for path in (tmp_path / "data").iterdir() if path.name.startswith(".ludoteca")]


async def test_a_copy_that_was_changed_is_refused_and_leaves_no_journal(tmp_path: Path) -> None:
    async with rig.house(tmp_path / "data", "house") as server:
        await play(server)
    made, _ = backup(tmp_path / "data", tmp_path / "copy.tar.gz")
    good = made.read_bytes()
    for bad in (good[: len(good) // 2], b"", b"no copy at all", good[:-200] + bytes(200)):
        made.write_bytes(bad)
        with pytest.raises(BackupError):
            restore(made, tmp_path / "elsewhere")
        assert list((tmp_path / "elsewhere").iterdir()) == []
    # A journal that was exchanged within the copy.
    made.write_bytes(good)
    inside = tmp_path / "inside"
    with tarfile.open(made) as archive:
        archive.extractall(inside, filter="data")
    with sqlite3.connect(inside / "ludoteca.sqlite3") as connection:
        connection.execute("DELETE FROM tables")
    with tarfile.open(tmp_path / "forged.tar.gz", "w:gz") as archive:
        for name in ("about.json", "ludoteca.sqlite3"):
            archive.add(inside / name, name)
    with pytest.raises(BackupError, match="not the one that was copied"):
        restore(tmp_path / "forged.tar.gz", tmp_path / "elsewhere")


def test_a_copy_writes_nowhere_but_into_its_folder(tmp_path: Path) -> None:
    """A tar file can name any path; who restores a stranger's must not be robbed by it."""
    (tmp_path / "evil").write_text("x")
    for name in ("../evil", "/etc/evil", "house.secret/../../evil"):
        with tarfile.open(tmp_path / "evil.tar.gz", "w:gz") as archive:
            archive.add(tmp_path / "evil", name)
        with pytest.raises(BackupError, match="no copy of a house"):
            restore(tmp_path / "evil.tar.gz", tmp_path / "data")
    link = tarfile.TarInfo("house.secret")
    link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
    with tarfile.open(tmp_path / "link.tar.gz", "w:gz") as archive:
        archive.addfile(link)
    with pytest.raises(BackupError, match="no copy of a house"):
        restore(tmp_path / "link.tar.gz", tmp_path / "data")
    assert os.listdir(tmp_path / "data") == []
