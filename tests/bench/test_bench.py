"""The benchmarks run and count what they say; nothing here is timed."""

import os
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from ludoteca import games
from ludoteca.bench import bouts, compare, environments, moves, playouts, starts, storage, tongues, traffic
from ludoteca.bench.command import command
from ludoteca.bench.figures import Figure, line
from ludoteca.bench.journal import JournalReader, record_count, write_tables
from ludoteca.bench.processes import cpu_s, echo, house, rss_kib
from ludoteca.bench.traffic import yardstick
from ludoteca.journal import verify
from ludoteca.server.journal_writer import JournalWriter

# Servers and loads in processes of their own: not for make check.
pytestmark = [pytest.mark.timeout(600), pytest.mark.slow]


def test_an_aim_is_a_bound_from_above_or_from_below():
    assert Figure("", "", 3.9, "x", aim=4.0).met
    assert not Figure("", "", 4.1, "x", aim=4.0).met
    assert Figure("", "", 4.1, "x", aim=4.0, more_is_better=True).met
    assert Figure("", "", 4.1, "x").met is None


def test_what_could_not_be_measured_has_missed_its_aim():
    assert Figure("", "", None, "x", aim=4.0).met is False
    assert " - x" in line(Figure("", "", None, "x", aim=4.0))


def test_a_missed_aim_stands_out():
    assert "aim at most 4: NO" in line(Figure("", "a click", 5.25, "x", aim=4.0))


def test_starts_are_measured_with_compiled_modules_whatever_the_environment_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(starts, "_EVERYTHING", "import ludoteca.core.bounds")
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.delenv("PYTHONPYCACHEPREFIX", raising=False)
    before = dict(os.environ)
    with starts.installed():
        folder = Path(os.environ["PYTHONPYCACHEPREFIX"])
        assert list(folder.rglob("ludoteca/core/bounds.*.pyc"))
        assert "PYTHONDONTWRITEBYTECODE" not in os.environ
    assert dict(os.environ) == before
    assert not folder.exists()


def test_the_time_of_another_process_can_be_read():
    assert cpu_s(os.getpid()) > 0
    assert rss_kib(os.getpid()) > 1000


@pytest.mark.parametrize(("kind", "tables"), [("lines", 4), ("json", 4), ("socket", 4), ("durable", 2)])
async def test_every_bare_server_answers_once_for_each_message(
    kind: str, tables: int, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(traffic, "TABLES", 2)
    async with yardstick(kind, "/" if kind == "socket" else "") as one:
        spent = await one.measure()
    assert spent.moves == tables * traffic.ECHO_MOVES
    assert spent.cpu_s > 0


async def test_an_echo_server_ends_with_the_block():
    async with echo("lines") as server:
        process = server._process
    assert process.returncode is not None


@pytest.mark.parametrize("case", moves.cases(), ids=lambda case: case.name)
async def test_every_case_plays_and_all_hear_of_every_move(case: traffic.Case, tmp_path: Path):
    async with house(tmp_path, case.listener, **case.settings) as server:
        driver = case.driver(tmp_path)
        tables = [await driver.seat(server.addresses[case.listener]) for _ in range(3)]
        spent = await bouts.play(server, tables, 5)
        assert case.recorded or all(table.results == table.moves * 2 for table in tables)
        assert 3 <= spent.moves <= 15
        for table in tables:
            table.close()


@pytest.mark.parametrize(("listener", "records"), [("santorini", 1), ("shelfie", 2), ("shelfie-rpc", 2)])
async def test_what_counts_as_a_move_is_written_down(listener: str, records: int, tmp_path: Path):
    case = next(case for case in moves.cases() if case.listener == listener)
    async with house(tmp_path, listener) as server:
        driver = case.driver(tmp_path)
        tables = [await driver.seat(server.addresses[listener]) for _ in range(3)]
        before = record_count(tmp_path)
        spent = await bouts.play(server, tables, 12)
        assert record_count(tmp_path) - before == spent.moves * records
        for table in tables:
            table.close()


async def test_players_keep_the_names_they_were_given(tmp_path: Path):
    case = next(case for case in moves.cases() if case.listener == "renaissance")
    async with house(tmp_path, "renaissance") as server:
        table = await case.driver(tmp_path).seat(server.addresses["renaissance"])
        table.close()
    assert sorted(JournalReader(tmp_path).read()) == ["player1", "player2"]


def test_whatever_is_said_in_two_tongues_is_measured_in_both():
    found = {figure.name: figure.value for figure in tongues.figures(1)}
    assert set(found) == {
        f"{game}, {tongue}"
        for game in ("eriantys", "renaissance", "shelfie")
        for tongue in ("JSON lines", "Java objects")
    }
    assert all(found.values())


def test_written_tables_are_live_and_replay(tmp_path: Path):
    write_tables(tmp_path, ["multisweeper"], 3, 4)
    store = JournalWriter(tmp_path, lambda _count: None, lambda _reason: None)
    live = store.archive.live()
    matches = [verify(store.archive.lines(table), games.load) for table in live]
    store.close()
    assert len(live) == 3
    assert all(match.running and match.state.turn == 5 for match in matches)


def test_the_load_finds_its_matches_in_the_journal(tmp_path: Path):
    write_tables(tmp_path, ["multisweeper"], 2, 1)
    reader = JournalReader(tmp_path)
    assert sorted(reader.read()) == ["first 0", "first 1", "second 0", "second 1"]
    assert reader.read() == {}


@pytest.mark.parametrize("name", games.names())
def test_random_games_end(name: str):
    game = games.load(name)
    for _, options in playouts.ways(game):
        played = playouts.play(game, options, 2, seconds=0.0)
        assert played.games == 1
        assert played.options_max >= 1


def test_the_command_writes_its_figures(tmp_path: Path):
    file = tmp_path / "figures.json"
    result = CliRunner().invoke(command, ["--quick", "--only", "games", "--json", str(file)])
    assert result.exit_code == 0, result.output
    found = msgspec.json.decode(file.read_bytes(), type=list[Figure])
    rows = {figure.name.split(",")[0] for figure in found[1:]}
    # Beside ours, what the environments of others cost.
    assert {row for row in rows if not row.startswith("PettingZoo")} == set(games.names())
    assert found[0].name == compare.LOOP


def test_what_a_record_costs_and_lists_out_of_many_matches_are_measured() -> None:
    figures = [*storage.record_figures(100), *storage.list_figures(4000)]
    assert all(figure.value is not None for figure in figures)
    rare = next(figure for figure in figures if "rare" in figure.name)
    assert rare.note == "2 of 4,000 finished matches"


def test_environments_are_measured_beside_pettingzoos_own():
    names = [figure.name for figure in environments.figures(0.01) if figure.value]
    assert names == [*games.names(), "PettingZoo tic-tac-toe", "PettingZoo connect four"]
