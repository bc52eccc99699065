"""A real journal, damaged in every way that can be thought of: what is left is whole again, and what was lost
is said."""

import contextlib
import random
import shutil
import sqlite3
import stat
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner
from tests import rig
from tests.server import journals

from ludoteca.cli import main
from ludoteca.core import Damaged
from ludoteca.hall import acts
from ludoteca.hall.acts import Deed
from ludoteca.hall.keeping import Keeping
from ludoteca.server import sheets
from ludoteca.server.journal_reader import JournalReader
from ludoteca.server.repair import repair
from ludoteca.server.schema import StoreError, journal_in


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, list[bytes]]]:
    folder = tmp_path_factory.mktemp("original")
    return folder, journals.write(folder)


@pytest.fixture
def folder(original: tuple[Path, dict[str, list[bytes]]], tmp_path: Path) -> Path:
    shutil.copytree(original[0], tmp_path / "data")
    return tmp_path / "data"


@pytest.fixture
def tables(original: tuple[Path, dict[str, list[bytes]]]) -> dict[str, list[bytes]]:
    return original[1]


def change(folder: Path, *statements: tuple[str, tuple[object, ...]]) -> None:
    with contextlib.closing(sqlite3.connect(journal_in(folder))) as connection, connection:
        for statement, values in statements:
            connection.execute(statement, values)


def on_lines(folder: Path, table: str, alter: Callable[[list[bytes]], list[bytes]]) -> None:
    """Do something to a table's lines on one of its sheets."""
    with contextlib.closing(sqlite3.connect(journal_in(folder))) as connection, connection:
        rows = connection.execute("SELECT number, lines FROM sheets ORDER BY number").fetchall()
        theirs = [(number, sheet) for number, sheet in rows if sheets.lines_on(sheet, table)]
        number, sheet = theirs[len(theirs) // 2]
        lines = sheet.split(b"\n")
        mine = [line for line in lines if line.startswith(table.encode() + b" ")]
        after = [line for line in lines if line not in mine] + alter(mine)
        connection.execute("UPDATE sheets SET lines = ? WHERE number = ?", (b"\n".join(after), number))


def sound(folder: Path, tables: dict[str, list[bytes]], *lost: str) -> None:
    """All is well but for what is lost, with SQLite and with every table."""
    reader = JournalReader(folder)
    assert {table: reader.lines(table) for table in reader.ids()} == {
        table: lines for table, lines in tables.items() if table not in lost
    }
    with contextlib.closing(sqlite3.connect(journal_in(folder))) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    done = CliRunner().invoke(main, ["verify", "--data", str(folder)])
    assert done.exit_code == 0, done.output


DAMAGE: dict[str, Callable[[list[bytes]], list[bytes]]] = {
    "a flipped bit": lambda lines: [lines[0][:-5] + bytes([lines[0][-5] ^ 4]) + lines[0][-4:], *lines[1:]],
    "a line cut off": lambda lines: [lines[0][: len(lines[0]) // 2], *lines[1:]],
    "a line gone": lambda lines: lines[1:],
    "a line twice": lambda lines: [lines[0], *lines],
    "noughts": lambda lines: [lines[0].split(b" ")[0] + b" " + bytes(len(lines[0])), *lines[1:]],
    "another number": lambda lines: [
        b" ".join([lines[0].split(b" ", 2)[0], b"999", lines[0].split(b" ", 2)[2]])
    ],
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", DAMAGE)
def test_one_damaged_line_costs_its_table_alone_and_it_is_said_whose_match_it_was(
    folder: Path, tables: dict[str, list[bytes]], kind: str
) -> None:
    reader = JournalReader(folder)
    over = next(table for table in tables if reader.summary(table) and len(tables[table]) > 12)
    running = next(table for table in tables if not reader.summary(table) and len(tables[table]) > 12)
    lost = set()
    for table in (over, running):
        on_lines(folder, table, DAMAGE[kind])
        if JournalReader(folder).lines(table) != tables[table]:
            lost.add(table)
    done = CliRunner().invoke(main, ["verify", "--data", str(folder), "--repair"])
    assert done.exit_code == 0, done.output
    sound(folder, tables, *lost)
    for table in lost:
        said = next(line for line in done.output.splitlines() if line.startswith(f"{table}: damaged"))
        assert f"The {'finished' if table == over else 'running'} match of " in said
        kept = folder / "aside" / f"{table}.lines"
        assert f"aside/{table}.lines" in said
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600
        # All that could be read is there.
        there = set(kept.read_bytes().split(b"\n"))
        assert sum(line in there for line in tables[table]) >= len(tables[table]) - 2
    assert (
        f"{len(lost)} tables or deeds of hosts were lost" in done.output
        if lost
        else "nothing was lost" in done.output
    )


def test_what_is_whole_is_left_as_it_is(folder: Path, tables: dict[str, list[bytes]]) -> None:
    said: list[str] = []
    assert repair(folder, said.append) == 0
    assert said == []
    sound(folder, tables)
    assert not (folder / "aside").exists()


def test_a_missing_sheet_costs_the_tables_on_it(folder: Path, tables: dict[str, list[bytes]]) -> None:
    with contextlib.closing(sqlite3.connect(journal_in(folder))) as connection:
        number, sheet = connection.execute("SELECT number, lines FROM sheets WHERE number = 150").fetchone()
    lost = {line.table for line in sheets.lines_on(sheet)}
    change(folder, ("DELETE FROM sheets WHERE number = ?", (number,)))
    assert repair(folder, lambda _: None) == len(lost) > 0
    sound(folder, tables, *lost)


@pytest.mark.parametrize("summary", [b"", b"{}", b'{"table":', bytes(50), b"[" * 5000])
def test_an_entry_that_cannot_be_read_is_made_again(
    folder: Path, tables: dict[str, list[bytes]], summary: bytes
) -> None:
    over = next(table for table in tables if JournalReader(folder).summary(table))
    before = journals.summary(folder, over)
    change(folder, ("UPDATE tables SET summary = ? WHERE id = ?", (summary, over)))
    said: list[str] = []
    assert repair(folder, said.append) == 0
    assert said == [f"{over}: its entry was damaged, and was made again from its records"]
    assert journals.summary(folder, over).outcome == before.outcome
    sound(folder, tables)


def test_a_bookmark_that_cannot_be_read_is_none(folder: Path, tables: dict[str, list[bytes]]) -> None:
    change(folder, ("UPDATE bookmark SET lasts = ?", (b"\xc1",)))
    assert repair(folder, lambda _: None) == 0
    sound(folder, tables)


@pytest.mark.slow
def test_pages_that_sqlite_cannot_read_cost_what_was_on_them(
    folder: Path, tables: dict[str, list[bytes]]
) -> None:
    """Eight journals, each with some pages of noise: something is always left, nothing left is wrong."""
    whole = journal_in(folder).read_bytes()
    dice = random.Random(20)
    size = 4096
    kept_in_all = 0
    for number in range(8):
        path = folder / str(number)
        path.mkdir()
        spoiled = bytearray(whole)
        for _ in range(dice.choice((1, 1, 2, 8))):
            page = dice.randrange(1, len(whole) // size)  # Not the first: see below.
            spoiled[page * size : (page + 1) * size] = dice.choice((dice.randbytes(size), bytes(size)))
        journal_in(path).write_bytes(spoiled)
        said: list[str] = []
        repair(path, said.append)
        reader = JournalReader(path)
        found = {table: reader.lines(table) for table in reader.ids()}
        # What is there is what was there, and the journal is one again. Only of a running match the end may
        # be missing, and that is said.
        for table, lines in found.items():
            if lines != tables[table]:
                assert reader.summary(table) is None
                assert lines == tables[table][: len(lines)]
                sentences = (
                    f"{table}: its records {len(lines) + 1} to {len(tables[table])} are lost",
                    f"{table}: its entry was lost, and was made again from its {len(lines)} records; if",
                    "the bookmark cannot be read",
                )
                assert any(one.startswith(sentences) for one in said)
        sound(path, {**tables, **found}, *(set(tables) - set(found)))
        kept_in_all += len(found)
        for table in set(tables) - set(found):
            assert any(line.startswith(f"{table}: ") for line in said) or any(
                "could be read" in s for s in said
            )
        if any("damaged file is kept" in line for line in said):
            assert list(path.glob("ludoteca.sqlite3.damaged-*"))
    assert kept_in_all > 4 * len(tables)


@pytest.mark.slow
async def test_deeds_of_hosts_that_cannot_be_read_are_set_aside_and_it_is_said_what_to_look_at(
    folder: Path, tables: dict[str, list[bytes]]
) -> None:
    lines = [msgspec.json.encode(Deed(number, 1, "Irene", acts.Say(f"{number}"))) for number in range(1, 6)]
    change(folder, *(("INSERT INTO deeds VALUES (?, ?)", row) for row in enumerate(lines, 1)))
    said: list[str] = []
    assert (repair(folder, said.append), said) == (0, [])
    for number, bad in ((2, b"{"), (4, lines[0]), (5, 7)):
        change(folder, ("UPDATE deeds SET line = ? WHERE number = ?", (bad, number)))
    with pytest.raises(Damaged, match="deed 2"):
        Keeping().load(JournalReader(folder).deeds())
    assert repair(folder, said.append) == 3
    assert [line.partition(" in the log")[0] for line in said] == ["deed 2", "deed 4", "deed 5"]
    assert (folder / "aside/deeds.lines").read_bytes() == b"{\n" + lines[0] + b"\n\n"
    async with rig.house(folder, "house") as server:
        assert [deed.number for deed in server.house.hall.keeping.log] == [1, 3]


def test_deeds_outlive_pages_that_sqlite_cannot_read(folder: Path, tables: dict[str, list[bytes]]) -> None:
    lines = [msgspec.json.encode(Deed(number, 1, "Irene", acts.Say("x" * 300))) for number in range(1, 41)]
    change(folder, *(("INSERT INTO deeds VALUES (?, ?)", row) for row in enumerate(lines, 1)))
    data = bytearray(journal_in(folder).read_bytes())
    at = data.index(lines[19]) // 4096 * 4096
    data[at : at + 4096] = bytes(4096)
    journal_in(folder).write_bytes(data)
    said: list[str] = []
    assert repair(folder, said.append) > 0
    kept = JournalReader(folder).deeds()
    assert 20 < len(kept) < 40
    assert kept == [line for line in lines if line in kept]
    lost = {line.split()[1] for line in said if line.startswith("deed ")}
    assert lost == {str(number) for number, line in enumerate(lines, 1) if line not in kept}
    sound(folder, tables)


@pytest.mark.slow
async def test_a_house_opens_on_what_is_left(folder: Path, tables: dict[str, list[bytes]]) -> None:
    data = bytearray(journal_in(folder).read_bytes())
    middle = len(data) // 8192 * 4096
    data[middle : middle + 4096] = bytes(4096)
    journal_in(folder).write_bytes(data)
    done = CliRunner().invoke(main, ["verify", "--data", str(folder), "--repair"])
    assert done.exit_code == 0, done.output
    running = JournalReader(folder).live()
    async with rig.house(folder, "house") as server:
        assert len(server.house.hall.tables) == len(running)
        with pytest.raises(StoreError, match="another house is running"):
            repair(folder, print)


@pytest.mark.parametrize("data", [b"", b"not SQLite at all" * 300, None])
def test_what_is_no_journal_is_left_alone_and_a_copy_is_advised(folder: Path, data: bytes | None) -> None:
    path = journal_in(folder)
    spoiled = bytes(4096) + path.read_bytes()[4096:] if data is None else data
    path.write_bytes(spoiled)
    with pytest.raises(StoreError, match="ludoteca restore"):
        repair(folder, print)
    assert path.read_bytes() == spoiled
    with pytest.raises(StoreError, match="no journal"):
        repair(folder / "none", print)
