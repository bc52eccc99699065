"""One guest's failure stays one guest's: what breaks down over one connection, table or
alarm reaches no other."""

import asyncio
import contextlib
import json
import sqlite3
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest
import structlog
from tests import rig

from ludoteca.core.notices import Happened
from ludoteca.core.requests import WantedTerms
from ludoteca.server.schema import journal_in
from ludoteca.server.serve import Server
from ludoteca.server.timers import Timers

SWEEPER = {"type": "open", "game": "multisweeper", "seats": 2}


@contextlib.contextmanager
def log() -> Iterator[list[Any]]:
    """The log meanwhile; loggers that are in use already are replaced too."""
    with structlog.testing.capture_logs() as entries:
        yield entries


async def match(server: Server, *names: str, **opening: Any) -> list[rig.Client]:
    """People of Ludoteca's own protocol whose match of Multisweeper has begun."""
    people = [await rig.enter(server, name, options_max=1000) for name in names]
    await people[0].send({**SWEEPER, "seats": len(names), **opening})
    table = (await people[0].until("seated"))["table"]["id"]
    for person in people[1:]:
        await person.send({"type": "sit", "table": table})
    for person in people:
        await person.until("view")
    return people


async def play_on(players: list[rig.Client], moves: int = 6) -> None:
    """The honest go on: every move is told to all of them."""
    for player in players:
        await player.send({"type": "say", "text": "still here"})
        for hearer in players:
            await hearer.until("said")


def failures(server: Server, what: str) -> float:
    return float(server.house.metrics.failures.labels(what)._value.get())


async def test_d1_how_one_follows_changes_only_with_a_request_that_is_carried_out(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "house") as server:
        mallory, victim = await match(server, "Mallory", "Victim")
        others = await match(server, "Anna", "Bruno")
        question = await mallory.until("question")
        await mallory.send({"type": "hello", "name": "x", "follow": "views"})
        assert (await mallory.until("declined"))["code"] == "name"
        await mallory.send({"type": "act", "action": question["options"][0]})
        told = await mallory.until("events")
        assert "view" not in told
        await victim.until("events")
        await play_on(others)
        assert failures(server, "telling") == 0


async def test_who_watches_and_says_hello_again_is_shown_views_from_the_next_table_on(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "house") as server:
        anna, bruno = await match(server, "Anna", "Bruno")
        watcher = await rig.enter(server, "Carla")
        table = next(iter(server.house.hall.tables)).id
        await watcher.send({"type": "watch", "table": table})
        await watcher.until("view")
        await watcher.send({"type": "hello", "name": "Carlotta", "follow": "views"})
        await watcher.until("welcome")
        question = await anna.until("question")
        await anna.send({"type": "act", "action": question["options"][0]})
        assert "view" not in await watcher.until("events")
        await watcher.send({"type": "watch", "table": table, "since": 5})
        assert (await watcher.until("view"))["number"] > 0
        await bruno.send({"type": "act", "action": (await bruno.until("question"))["options"][0]})
        assert "view" in await watcher.until("events")


async def test_who_returns_and_follows_views_has_one_to_begin_with(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "house") as server:
        anna, bruno = await match(server, "Anna", "Bruno")
        token = next(message for message in anna.heard if message["type"] == "seated")["token"]
        anna.cut()
        await bruno.until("left")
        back = await rig.connect(server, "house")
        await back.send(
            {"type": "return", "token": token, "since": 4, "follow": "views", "options_max": 1000}
        )
        await back.until("view")
        await back.send({"type": "act", "action": (await back.until("question"))["options"][0]})
        assert "view" in await back.until("events")


async def test_a_seat_can_be_asked_for_by_whoever_sits_on_it(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "house") as server:
        anna, _ = await match(server, "Anna", "Bruno")
        token = next(message for message in anna.heard if message["type"] == "seated")["token"]
        await anna.send({"type": "return", "token": token})
        assert (await anna.until("seated"))["seat"] == 0
        assert (await anna.until("question"))["again"]


@pytest.mark.parametrize("step", ["tell", "_flush"])
async def test_d1_a_letter_that_cannot_be_told_ends_only_its_own_connection(
    tmp_path: Path, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with rig.house(tmp_path, "house") as server:
        victim, mallory = await match(server, "Victim", "Mallory")
        others = await match(server, "Anna", "Bruno")
        session: Any = next(
            server.house._shells[guest.id] for guest in server.house.hall.guests if guest.name == "Mallory"
        )
        true = getattr(type(session), step)

        def broken(self: Any, *given: Any) -> None:
            if self is session and (step == "_flush" or any(isinstance(one, Happened) for one in given[0])):
                raise KeyError("a bug of ours")
            true(self, *given)

        monkeypatch.setattr(type(session), step, broken)
        question = await victim.until("question")
        with log() as entries:
            # Both tables are told about in one round.
            await asyncio.gather(
                victim.send({"type": "act", "action": question["options"][0]}),
                others[0].send({"type": "act", "action": (await others[0].until("question"))["options"][0]}),
            )
            await victim.until("left")
            assert await mallory.rest() is not None
            await others[1].until("events")
            await play_on(others)
            await play_on([victim])
        traces = [entry for entry in entries if entry.get("exc_info")]
        assert len(traces) == 1
        assert traces[0]["name"] == "Mallory"


async def test_an_error_while_a_line_is_read_ends_only_its_own_connection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with rig.house(tmp_path, "house") as server:
        mallory, *others = [await rig.enter(server, name) for name in ("Mallory", "Anna", "Bruno")]
        session: Any = next(
            server.house._shells[guest.id] for guest in server.house.hall.guests if guest.name == "Mallory"
        )
        monkeypatch.setattr(session._conversation, "receive", lambda *_: 1 / 0)
        with log():
            await mallory.send({"type": "ping"})
            assert await mallory.rest() == []
        for other in others:
            await other.send({"type": "ping"})
            await other.until("pong")
        assert failures(server, "session") == 1
        assert len(server.house.hall.guests) == 2


# Time.


@pytest.mark.slow
async def test_d2_an_absurd_grace_is_declined_and_clocks_go_on(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "house") as server:
        mallory = await rig.enter(server, "Mallory")
        await mallory.send(
            b'{"type":"open","game":"santorini","seats":2,"terms":{"absence":"wait","grace_s":-1e308}}\n'
        )
        assert (await mallory.until("declined"))["code"] == "message"
        anna, bruno = await match(server, "Anna", "Bruno", terms={"absence": "wait", "grace_s": 0.2})
        anna.cut()
        assert (await bruno.until(lambda m: m["type"] == "left" and m["gone"]))["name"] == "Anna"


@pytest.mark.slow
async def test_d2_a_table_of_an_old_journal_with_an_absurd_grace_stops_no_clock(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "house") as server:
        # As recorded before there were bounds: no client can open such a table any more.
        mallory, victim = await match(server, "Mallory", "Victim")
        table = next(iter(server.house.hall.tables))
        for absurd in (-1e308, 1e308, float("inf"), float("-inf")):
            table.terms = WantedTerms(grace_s=absurd)
            mallory.cut()
            await asyncio.sleep(0.05)
        anna, bruno = await match(server, "Anna", "Bruno", terms={"absence": "wait", "grace_s": 0.2})
        anna.cut()
        await bruno.until(lambda m: m["type"] == "left" and m["gone"])
        await victim.close()


@pytest.mark.slow
async def test_one_alarm_that_fails_keeps_no_other_from_ringing() -> None:
    rung: list[str] = []
    errors: list[Exception] = []
    loop = asyncio.get_running_loop()
    timers = Timers(loop.time, errors.append)
    timers.at(loop.time(), lambda: rung.append("first"))
    timers.at(loop.time(), lambda: rung.append(1 / 0))  # type: ignore[arg-type]
    timers.at(loop.time(), lambda: rung.append("last"))
    with pytest.raises(ValueError, match="NaN"):
        timers.at(float("nan"), lambda: rung.append("never"))
    for absurd in (float("-inf"), -1e308):
        timers.at(absurd, lambda: rung.append("past"))
    for absurd in (float("inf"), 1e308):
        timers.at(absurd, lambda: rung.append("future"))
    await rig.becomes(lambda: len(rung) >= 4)
    assert sorted(rung) == ["first", "last", "past", "past"]
    assert [type(error) for error in errors] == [ZeroDivisionError]
    timers.stop()


# Bots and chairs.


async def test_d3_bots_that_find_no_chair_are_no_guests(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "house", connections_max=5, tables_max=5) as server:
        mallory = await rig.enter(server, "Mallory")
        await mallory.send({**SWEEPER, "seats": 3})
        for _ in range(60):
            await mallory.send({"type": "bot", "seat": 0})
            assert (await mallory.until("declined"))["code"] == "full"
        assert len(server.house.hall.guests) == 1
        await rig.enter(server, "Anna")


async def test_bots_take_no_room_from_people(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "house", connections_max=4, tables_max=2, bot_workers=0) as server:
        for name in ("Anna", "Bruno"):
            keen = await rig.enter(server, name)
            await keen.send({**SWEEPER, "seats": 8}, *[{"type": "bot", "level": "random"}] * 6)
            await keen.until("seated")
        await rig.enter(server, "Carla")


@pytest.mark.parametrize("seat", [2, 7, 63])
async def test_d13_a_bot_for_a_chair_that_does_not_exist_is_declined(tmp_path: Path, seat: int) -> None:
    async with rig.house(tmp_path, "house") as server:
        anna = await rig.enter(server, "Anna")
        await anna.send(SWEEPER, {"type": "bot", "seat": seat})
        assert (await anna.until("declined"))["code"] == "seat"
        bruno = await rig.enter(server, "Bruno")
        await bruno.send({"type": "seek", "game": "multisweeper"})
        await bruno.until("view")


# Floods.


@pytest.mark.slow
async def test_d4_a_packet_full_of_requests_is_carried_out_as_its_budget_allows(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "house", rate_per_s=100, rate_burst=50) as server:
        for number in range(30):
            opener = await rig.enter(server, f"P{number}")
            await opener.send(SWEEPER)
            await opener.until("seated")
        flood = await rig.enter(server, "Flood")
        before = asyncio.get_running_loop().time()
        await flood.send(b'{"type":"list"}\n' * 16_000)
        await asyncio.sleep(0.5)
        honest = await rig.enter(server, "Honest")
        for _ in range(20):
            await honest.send({"type": "ping"})
            await honest.until("pong")
        answered = sum(
            1
            for line in (await asyncio.wait_for(flood.reader.read(1 << 26), 5)).split(b"\n")
            if line.startswith(b'{"type":"tables"')
        )
        waited_s = asyncio.get_running_loop().time() - before
        # The burst, and what has come to it since; not sixteen thousand.
        assert answered < 50 + 100 * (waited_s + 1)
        assert server.house.metrics.held.labels("rate")._value.get() > 0


async def test_all_connections_of_an_address_share_a_budget(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "house", rate_per_address_per_s=20, rate_per_address_burst=40) as server:
        flood = [await rig.enter(server, f"F{number}") for number in range(10)]
        for one in flood:
            await one.send(b'{"type":"ping"}\n' * 100)
        await rig.becomes(lambda: server.house.metrics.held.labels("address")._value.get() > 0)
        # Another address is not concerned.
        host, port = server.addresses["house"]
        reader, writer = await asyncio.open_connection(host, port, local_addr=("127.0.0.2", 0))
        other = rig.Client(reader, writer)
        await other.send(*[{"type": "ping"}] * 30)
        for _ in range(30):
            await other.until("pong")
        await other.close()


@pytest.mark.slow
async def test_answers_come_in_the_order_of_the_lines_however_they_were_cut(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "house") as server:
        lines = [{"type": "hello", "name": "Anna"}, SWEEPER, {"type": "ping"}]
        lines += [
            {"type": "bot", "seat": 9},
            {"type": "ping"},
            {"type": "say", "text": "hi"},
            {"type": "ping"},
        ]
        data = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
        expected = ["welcome", "seated", "sat", "pong", "declined", "pong", "said", "pong"]
        for size in (len(data), 7, 1):
            client = await rig.connect(server, "house")
            for start in range(0, len(data), size):
                await client.send(data[start : start + size])
            heard = [(await client.message() or {})["type"] for _ in expected]
            assert heard == expected
            await client.send({"type": "leave"}, {"type": "ping"})
            await client.until("pong")
            await client.close()
            await asyncio.sleep(0.05)


@pytest.mark.slow
async def test_who_does_not_take_the_answers_is_not_answered_further(tmp_path: Path) -> None:
    async with rig.house(
        tmp_path, "house", rate_burst=1e6, rate_per_s=1e6, outbox_bytes_max=200_000
    ) as server:
        for number in range(20):
            opener = await rig.enter(server, f"P{number}")
            await opener.send(SWEEPER)
            await opener.until("seated")
        deaf = await rig.enter(server, "Deaf")
        deaf.reader._transport.pause_reading()  # type: ignore[attr-defined]
        await deaf.send(b'{"type":"list"}\n' * 5000)
        await rig.becomes(lambda: server.house.metrics.held.labels("backlog")._value.get() > 0)
        assert server.house.metrics.dropped.labels("slow")._value.get() == 0
        deaf.reader._transport.resume_reading()  # type: ignore[attr-defined]
        for _ in range(100):
            await deaf.until("tables")


@contextlib.asynccontextmanager
async def socket(server: Server) -> AsyncIterator[aiohttp.ClientWebSocketResponse]:
    host, port = server.addresses["http"]
    async with (
        aiohttp.ClientSession(f"http://{host}:{port}") as web,
        web.ws_connect("/ws") as opened,
    ):
        yield opened


@pytest.mark.slow
async def test_d12_a_websocket_that_was_slowed_down_is_read_again_after_trouble(tmp_path: Path) -> None:
    """Two had told it to wait, one after the other: the flood of its own messages, and the disk."""
    async with (
        rig.house(tmp_path, "house", "http", rate_per_s=0.5, rate_burst=5) as server,
        socket(server) as browser,
    ):
        await browser.send_json({"type": "hello", "name": "Anna"})
        await browser.receive_json(timeout=rig.PATIENCE_S)
        await browser.send_json(SWEEPER)
        for _ in range(2):
            await browser.receive_json(timeout=rig.PATIENCE_S)
        blocker = sqlite3.connect(journal_in(tmp_path), isolation_level=None)
        blocker.execute("BEGIN IMMEDIATE")
        for text in ("one", "two", "three", "four"):
            await browser.send_json({"type": "say", "text": text})
        assert (await browser.receive_json(timeout=10))["type"] == "trouble"
        await asyncio.sleep(1.5)
        blocker.execute("ROLLBACK")
        blocker.close()
        heard = [(await browser.receive_json(timeout=10))["type"] for _ in range(5)]
        assert heard == ["trouble", "said", "said", "said", "said"]
        await browser.send_json({"type": "ping"})
        assert (await browser.receive_json(timeout=rig.PATIENCE_S))["type"] == "pong"
