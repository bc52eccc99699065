"""Looking after a journal: old matches go and others come in, also while people play; the rest stays."""

import asyncio
import contextlib
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner
from tests import rig
from tests.server import journals

from ludoteca import games
from ludoteca.cli import main
from ludoteca.hall import acts, parcel
from ludoteca.server import keeping, sheets
from ludoteca.server.journal_reader import JournalReader
from ludoteca.server.lock import HouseRunning
from ludoteca.server.schema import StoreError, journal_in

# Real sockets, processes or screens: left out of make check.
pytestmark = pytest.mark.slow


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    journals.write(tmp_path / "data")
    return tmp_path / "data"


def finished(folder: Path) -> list[str]:
    return keeping.old(folder, 1 << 62)


def command(*words: object) -> tuple[int, str]:
    done = CliRunner().invoke(main, [str(word) for word in words])
    return done.exit_code, done.output


async def test_the_log_of_what_hosts_did_is_pruned_beside_a_house_and_what_holds_stays(
    folder: Path, tmp_path: Path
) -> None:
    async with rig.house(folder, "house") as server:
        numbers = [
            (await server.desk.do("Irene", act)).number
            for act in (acts.Say("hello"), acts.Ban("Gulp"), acts.Mute("Bea"), acts.Say("bye"), acts.Lift(3))
        ]
        before = JournalReader(folder).deeds()
        # A game is named, or nothing is that old: the log is nobody's business.
        for words in (("--older-than", "1h"), ("--older-than", "0h", "--game", "santorini")):
            assert "log" not in command("prune", "--data", folder, *words)[1].split(";")[0]
        assert JournalReader(folder).deeds() == before
        await asyncio.sleep(0.002)
        assert "and 3 lines of the log" in command("prune", "--data", folder, "--older-than", "0h")[1]
        left = [msgspec.json.decode(line)["number"] for line in JournalReader(folder).deeds()]
        assert left == [numbers[1], numbers[-1]]
        # The house goes on and gives numbers that nobody had.
        assert (await server.desk.do("Irene", acts.Say("again"))).number == numbers[-1] + 1
    # A weeded line is no loss, neither for `verify --repair` nor for a copy.
    code, said = command("verify", "--repair", "--data", folder)
    assert (code, "nothing was lost" in said) == (0, True)
    copy = tmp_path / "copy.tar.gz"
    assert command("backup", copy, "--data", folder)[0] == 0
    assert command("restore", copy, "--data", tmp_path / "again")[0] == 0
    async with rig.house(tmp_path / "again", "house") as server:
        kept = server.house.hall.keeping
        assert [one.name for one in kept.barred(server.house.now())] == ["Gulp"]
        assert (await server.desk.do("Irene", acts.Say("here"))).number == numbers[-1] + 2


@contextlib.contextmanager
def looking(folder: Path) -> Iterator[sqlite3.Connection]:
    with contextlib.closing(sqlite3.connect(journal_in(folder))) as connection:
        yield connection


def test_old_matches_go_and_everything_else_stays_as_it_was(folder: Path) -> None:
    before = {table: JournalReader(folder).lines(table) for table in JournalReader(folder).ids()}
    over = finished(folder)
    gone, kept = over[: len(over) // 2], over[len(over) // 2 :]
    removed = keeping.prune(folder, gone)
    reader = JournalReader(folder)
    assert removed.matches == len(gone)
    assert removed.records == sum(len(before[table]) for table in gone)
    assert removed.size >= sum(len(line) for table in gone for line in before[table])
    assert {table: reader.lines(table) for table in reader.ids()} == {
        table: lines for table, lines in before.items() if table not in gone
    }
    assert finished(folder) == kept
    with looking(folder) as connection:
        rest = b"\n".join(row[0] for row in connection.execute("SELECT lines FROM sheets"))
        assert not any(table.encode() + b" " in rest for table in gone)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_the_file_shrinks_when_no_house_is_there_and_numbers_of_sheets_are_not_given_twice(
    folder: Path,
) -> None:
    with looking(folder) as connection:
        (last,) = connection.execute("SELECT max(number) FROM sheets").fetchone()
    size = journal_in(folder).stat().st_size
    code, said = command("prune", "--older-than", "0h", "--dry-run", "--data", folder)
    assert (code, said) == (0, f"{len(finished(folder))} finished matches would be removed\n")
    code, said = command("prune", "--older-than", "0h", "--data", folder)
    assert code == 0
    assert "finished matches removed" in said
    assert "less" in said
    assert journal_in(folder).stat().st_size < size
    assert finished(folder) == []
    with looking(folder) as connection:
        assert connection.execute("SELECT max(number) FROM sheets").fetchone() == (last,)


def test_only_what_is_old_enough_and_of_this_game_goes(folder: Path) -> None:
    code, said = command("prune", "--older-than", "99999w", "--data", folder)
    assert (code, said.split(",")[0]) == (0, "0 finished matches removed")
    of_santorini = keeping.old(folder, 1 << 62, "santorini")
    assert 0 < len(of_santorini) < len(finished(folder))
    command("prune", "--older-than", "0h", "--game", "santorini", "--data", folder)
    assert not set(of_santorini) & set(JournalReader(folder).ids())
    assert finished(folder)
    for age in ("", "-1d", "1", "d", "1y", "1" * 50 + "d", "٣d"):
        code, said = command("prune", "--older-than", age, "--data", folder)
        assert (code, "is no age" in said) == (2, True)


async def test_a_house_is_played_at_while_matches_come_and_go(folder: Path, tmp_path: Path) -> None:
    over = finished(folder)
    files = tmp_path / "files"
    assert command("export", "--all", "--to", files, "--data", folder)[0] == 0
    async with rig.house(folder, "house", "http") as server:
        served = len(server.house.hall.tables)
        assert served
        ann = await rig.enter(server, "Ann")
        await ann.send({"type": "open", "game": "santorini", "seats": 2, "bots": 1})
        table = (await ann.until("seated"))["table"]["id"]

        async def chatter() -> None:
            for number in range(9):
                await ann.send({"type": "say", "text": f"word {number}"})
                await ann.until("said")

        chatting = asyncio.create_task(chatter())
        said = await asyncio.to_thread(command, "prune", "--older-than", "0h", "--data", folder)
        assert said[0] == 0
        assert "the house is running and uses the room again" in said[1]
        said = await asyncio.to_thread(command, "import", *files.iterdir(), "--data", folder)
        assert said[0] == 0, said
        await chatting
        assert not server.house.trouble
        with pytest.raises(HouseRunning):
            keeping.shrink(folder)
        # The house shows what came in, without a restart.
        assert server.house.archive.summary(over[0]) is not None
        await ann.close()
    reader = JournalReader(folder)
    assert sorted(finished(folder)) == sorted(over)
    texts = b"".join(reader.lines(table))
    assert all(f"word {number}".encode() in texts for number in range(9))
    async with rig.house(folder, "house") as server:
        assert len(server.house.hall.tables) == served + 1
    assert command("verify", "--data", folder)[0] == 0


def test_a_match_goes_to_another_house_and_is_the_same_there(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    journals.write(tmp_path / "there")
    keeping.prune(tmp_path / "there", finished(tmp_path / "there"))
    match = finished(folder)[0]
    code, said = command("export", match, "--to", tmp_path, "--data", folder)
    file = tmp_path / f"{match}.ludoteca"
    assert (code, said) == (0, f"{file}\n")
    code, said = command("import", file, "--data", tmp_path / "there")
    assert (code, "taken in" in said) == (0, True)
    assert "is here already" in command("import", file, "--data", tmp_path / "there")[1]
    assert "is here already" in command("import", file, "--data", folder)[1]
    here, there = (command("replay", match, "--data", place)[1] for place in (folder, tmp_path / "there"))
    assert here == there
    assert len(here) > 1000
    assert command("verify", "--data", tmp_path / "there")[0] == 0
    # Not over anything, and nothing that still goes on or never was.
    assert "is not written over" in command("export", match, "--to", tmp_path, "--data", folder)[1]
    running = next(iter(set(JournalReader(folder).ids()) - set(finished(folder))))
    for name in (running, "none", "../x", ""):
        code, said = command("export", name, "--to", tmp_path, "--data", folder)
        assert (code, "no finished match" in said) == (1, True)


def test_what_is_no_match_is_refused_and_the_others_are_taken_in(folder: Path, tmp_path: Path) -> None:
    match = finished(folder)[0]
    command("export", match, "--to", tmp_path, "--data", folder)
    file = tmp_path / f"{match}.ludoteca"
    good = file.read_bytes()
    keeping.prune(folder, [match])
    bad = {
        "empty": b"",
        "picture": b"\x89PNG" + bytes(100),
        "cut": good[: len(good) // 2],
        "changed": good.replace(b'"seat":0', b'"seat":1', 1),
    }
    for name, data in bad.items():
        (tmp_path / name).write_bytes(data)
    names = [tmp_path / name for name in bad]
    code, said = command("import", *names, "/dev/zero", tmp_path / "none", file, "--data", folder)
    assert code == 1
    assert said.count("taken in") == 1
    assert "larger than" in said
    assert "No such file" in said
    assert said.count("\n") == len(bad) + 3
    assert JournalReader(folder).summary(match) is not None


def test_another_table_of_the_same_name_is_not_written_over(folder: Path) -> None:
    one, other = finished(folder)[:2]
    lines, match = parcel.unpack(
        parcel.pack(JournalReader(folder).lines(one), games.load), games.load, int(time.time() * 1000)
    )
    table = msgspec.structs.replace(match.summary.table, id=other)
    renamed = match._replace(summary=msgspec.structs.replace(match.summary, table=table))
    before = JournalReader(folder).lines(other)
    with pytest.raises(StoreError, match="another table"):
        keeping.take_in(folder, lines, renamed)
    assert JournalReader(folder).lines(other) == before


async def test_what_can_be_played_at_is_not_dropped_and_what_cannot_is(folder: Path) -> None:
    reader = JournalReader(folder)
    running = [table for table in reader.ids() if reader.summary(table) is None]
    assert "can be played at" in command("drop", running[0], "--data", folder)[1]
    assert "there is no table" in command("drop", "none", "--data", folder)[1]
    over = finished(folder)[0]
    assert "dropped" in command("drop", over, "--data", folder)[1]
    with looking(folder) as connection, connection:
        for number, sheet in connection.execute("SELECT number, lines FROM sheets").fetchall():
            spoiled = b"\n".join(
                line[:-3] + b"XXX" if line.startswith(running[1].encode()) else line
                for line in sheet.split(b"\n")
            )
            connection.execute("UPDATE sheets SET lines = ? WHERE number = ?", (spoiled, number))
    async with rig.house(folder, "house"):
        said = await asyncio.to_thread(command, "drop", running[1], "--data", folder)
        assert (said[0], "another house is running" in said[1]) == (1, True)
    code, said_ = command("drop", running[1], "--data", folder)
    assert (code, said_.split(",")[0]) == (0, f"{running[1]} dropped")
    assert running[1] not in JournalReader(folder).ids()
    assert running[1] not in JournalReader(folder).slips()
    with looking(folder) as connection:
        assert not any(
            sheets.lines_on(row[0], running[1]) for row in connection.execute("SELECT lines FROM sheets")
        )
    async with rig.house(folder, "house") as server:
        assert len(server.house.hall.tables) == len(running) - 1


def test_a_record_that_lies_where_another_tables_belongs_does_not_verify(folder: Path) -> None:
    """Each record of it is whole and follows the one before; only it is not this table's."""
    table, lines = finished(folder)[0], JournalReader(folder).lines(finished(folder)[0])
    with contextlib.closing(sqlite3.connect(journal_in(folder))) as connection, connection:
        connection.execute(
            "INSERT INTO tables (id, game, fate, opened_ms, closed_ms, summary)"
            " SELECT '0123456789ab', game, 'live', opened_ms, 0, summary FROM tables WHERE id = ?",
            (table,),
        )
        connection.executemany(
            "INSERT INTO records (table_id, number, line) VALUES ('0123456789ab', ?, ?)",
            list(enumerate(lines, 1)),
        )
    code, said = command("verify", "--data", folder)
    assert code == 1
    assert f"0123456789ab: damaged: its first record is that of table {table}" in said
    assert f"{table}:" not in said


def test_a_journal_of_an_older_form_is_left_alone(tmp_path: Path) -> None:
    with contextlib.closing(sqlite3.connect(journal_in(tmp_path))) as connection, connection:
        connection.execute("PRAGMA user_version = 2")
        connection.execute("CREATE TABLE tables (id TEXT)")
    code, said = command("prune", "--older-than", "1h", "--data", tmp_path)
    assert (code, "start the house once" in said) == (1, True)
    assert "there is no journal" in command("prune", "--older-than", "1h", "--data", tmp_path / "none")[1]
