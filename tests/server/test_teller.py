"""Records, replays and stories: told in a process of their own, once, to those who do not
ask for too much."""

import asyncio
import contextlib
import json
import os
import resource
import signal
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from tests import rig

from ludoteca import games
from ludoteca.core.requests import Say
from ludoteca.journal.replay import replay
from ludoteca.server import child, storyteller, teller
from ludoteca.server.serve import Server

# Real processes, disks and clocks: left out of make check.
pytestmark = pytest.mark.slow


def refused(server: Server, reason: str) -> float:
    return server.house.metrics.registry.get_sample_value("ludoteca_refused_total", {"reason": reason}) or 0.0


def tellers(pid: int) -> list[int]:
    """The storytellers that a house in this process has started and not lost; other tests may have left other
    children there."""
    found = []
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            for number in path.read_text().split():
                if b"ludoteca.server.storyteller" in Path(f"/proc/{number}/cmdline").read_bytes():
                    found.append(int(number))
    return found


def is_alive(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


@contextlib.asynccontextmanager
async def site(folder: Path, **more: Any) -> AsyncIterator[tuple[Server, aiohttp.ClientSession]]:
    async with rig.house(folder, "http", "house", bot_workers=0, **more) as server:
        host, port = server.addresses["http"]
        async with aiohttp.ClientSession(f"http://{host}:{port}") as web:
            yield server, web


async def get(web: aiohttp.ClientSession, path: str, **headers: str) -> tuple[int, Any, str | None]:
    """Status, content, and when to try again."""
    named = {key.replace("_", "-"): text for key, text in headers.items()}
    async with web.get(path, headers=named) as answer:
        return answer.status, json.loads(await answer.read()), answer.headers.get("Retry-After")


async def seated(server: Server, name: str = "Ada", game: str = "multisweeper") -> tuple[rig.Client, str]:
    """Somebody at a table with a bot, and the table's id. It is theirs to decide."""
    ada = await rig.enter(server, name, options_max=1000)
    await ada.send({"type": "open", "game": game, "seats": 2}, {"type": "bot", "level": "random"})
    table = (await ada.until("seated"))["table"]["id"]
    await ada.until("view")
    return ada, table


async def finished(server: Server, web: aiohttp.ClientSession, name: str = "Ada") -> str:
    """A match that is over and in the journal."""
    ada, table = await seated(server, name)
    await ada.send({"type": "leave"})
    async with asyncio.timeout(rig.PATIENCE_S):
        while (await get(web, f"/api/matches/{table}"))[0] != 200:
            await asyncio.sleep(0.02)
    return table


def chatter(server: Server, table: str, lines: int) -> None:
    """Somebody at this table never stops talking."""
    found = server.house.hall.tables.get(table)
    assert found is not None
    number = found.chair(0).guest
    assert number is not None
    guest = server.house.hall.desk.guest(number)
    assert guest is not None
    for line in range(lines):
        server.house.submit(guest, [Say(f"{line} " + "x" * 100)], server.house.now())


# Cost.


async def test_d7_a_story_costs_the_others_nothing_however_much_was_said(tmp_path: Path) -> None:
    async with site(tmp_path, durability="off", **rig.CHATTY) as (server, web):
        _ada, table = await seated(server, game="renaissance")
        chatter(server, table, 10_000)
        while len(server.house.archive.lines(table)) < 10_000:
            await asyncio.sleep(0.05)
        other = await rig.enter(server, "Other")
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        asking: list[asyncio.Task[tuple[int, Any, str | None]]] = []
        worst_s = 0.0
        async with asyncio.timeout(60):
            while len(asking) < 12 or not all(task.done() for task in asking):
                if len(asking) < 12:
                    # Nothing that was told before is true now.
                    chatter(server, table, 1)
                    asking.append(asyncio.create_task(get(web, f"/api/tables/{table}/story")))
                began = time.monotonic()
                await other.send({"type": "ping"})
                await other.until("pong")
                worst_s = max(worst_s, time.monotonic() - began)
                await asyncio.sleep(0.02)
        answers = [await task for task in asking]
        assert [status for status, _, _ in answers] == [200] * 12
        assert len(answers[0][1]["steps"]) < 10
        # What is told stops nobody; a busy machine does, for a moment.
        assert worst_s < 2.0
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 60_000


async def test_d7_chat_does_not_multiply_what_is_kept_of_a_replay(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "house", bot_workers=0, **rig.CHATTY) as server:
        _, table = await seated(server)
        chatter(server, table, 500)
        async with asyncio.timeout(rig.PATIENCE_S):
            while len(lines := server.house.archive.lines(table)) < 500:
                await asyncio.sleep(0.02)
        told = replay(lines, games.load)
        assert len(told.steps) > 500
        assert len({id(step.state) for step in told.steps}) < 10


async def test_what_was_told_is_kept_while_it_is_true_and_while_there_is_room(tmp_path: Path) -> None:
    async with site(tmp_path, stories_bytes_max=20_000) as (server, web):
        kept = server._teller._kept
        ada, table = await seated(server, game="santorini")
        story = (await get(web, f"/api/tables/{table}/story"))[1]
        (first,) = kept.values()
        assert (await get(web, f"/api/tables/{table}/story"))[1] == story
        assert [*kept.values()] == [first]
        await ada.send({"type": "say", "text": "one more record"})
        await ada.until("said")
        assert (await get(web, f"/api/tables/{table}/story"))[1]["steps"] == story["steps"]
        (second,) = kept.values()
        assert second.number == first.number + 1
        for number in range(30):
            match = await finished(server, web, f"Bob{number}")
            for eyes in ("", "0", "1"):
                assert (await get(web, f"/api/matches/{match}/replay?seat={eyes}"))[0] == 200
            assert sum(len(told.body) for told in kept.values()) == server._teller._kept_bytes <= 20_000
        assert kept


async def test_clients_that_cannot_unpack_get_it_plain(tmp_path: Path) -> None:
    async with site(tmp_path) as (server, web):
        match = await finished(server, web)
        for path in ("record", "replay"):
            packed = await get(web, f"/api/matches/{match}/{path}")
            plain = await get(web, f"/api/matches/{match}/{path}", Accept_Encoding="identity")
            assert packed == plain
            assert packed[0] == 200


# Limits.


async def test_an_address_that_asks_for_too_much_is_told_to_come_back(tmp_path: Path) -> None:
    async with site(tmp_path, stories_burst=3, stories_per_minute=1) as (server, web):
        match = await finished(server, web)
        answers = [await get(web, f"/api/matches/{match}/record") for _ in range(5)]
        assert [status for status, _, _ in answers] == [200, 200, 200, 429, 429]
        assert answers[-1][1]["error"] == "rate"
        assert 1 <= int(answers[-1][2] or "0") <= 60
        assert refused(server, "stories") == 2


async def test_a_full_line_refuses_and_addresses_take_turns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    everybody_is_there = asyncio.Event()
    tell = child.Child.ask

    async def in_a_moment(self: child.Child, data: bytes, patience_s: float) -> bytes:
        await everybody_is_there.wait()
        return await tell(self, data, patience_s)

    monkeypatch.setattr(child.Child, "ask", in_a_moment)
    more: dict[str, Any] = {"stories_waiting_max": 8, "trusted_proxies": ["127.0.0.1"]}
    async with site(tmp_path, **more) as (server, web):
        matches = [await finished(server, web, f"Ada{number}") for number in range(12)]
        order: list[str] = []

        async def ask(match: str, address: str) -> int:
            status, said, retry = await get(web, f"/api/matches/{match}/replay", X_Forwarded_For=address)
            if status == 200:
                order.append(address)
            else:
                assert (status, said["error"], retry) == (503, "busy", "5")
            return status

        greedy = [asyncio.create_task(ask(match, "203.0.113.6")) for match in matches]
        line = server._teller
        await rig.becomes(lambda: len(line._open) + sum(one.done() for one in greedy) == len(greedy))
        assert {one.result() for one in greedy if one.done()} == {503}
        # One is being told and half of the line is theirs; there is room for others.
        assert 4 <= len(line._open) <= 5
        newcomer = asyncio.create_task(ask(matches[-1], "203.0.113.7"))
        await rig.becomes(lambda: "203.0.113.7" in line._waiting)
        everybody_is_there.set()
        assert await newcomer == 200
        statuses = sorted([await task for task in greedy])
        assert 4 <= statuses.count(200) <= 5
        assert order.index("203.0.113.7") <= 2, "the newcomer does not wait for all who came before"
        assert refused(server, "busy") == statuses.count(503)


async def test_those_who_wish_for_the_same_are_told_once(tmp_path: Path) -> None:
    async with site(tmp_path, stories_waiting_max=1) as (server, web):
        match = await finished(server, web)
        answers = await asyncio.gather(*(get(web, f"/api/matches/{match}/replay") for _ in range(20)))
        assert [status for status, _, _ in answers] == [200] * 20


def test_what_is_too_long_is_not_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storyteller, "TELL_BYTES_MAX", 100)

    async def play() -> str:
        async with rig.house(tmp_path, "house", bot_workers=0) as server:
            return (await seated(server))[1]

    table = asyncio.run(play())
    told = storyteller.tell(storyteller.Wish(str(tmp_path), table, "story"))
    assert (told.code, told.body) == ("busy", b"")
    monkeypatch.undo()
    assert storyteller.tell(storyteller.Wish(str(tmp_path), table, "story")).body


# Processes.


async def test_a_process_that_is_lost_before_it_begins_costs_no_answer_and_one_that_hangs_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with site(tmp_path) as (server, web):
        first, second = [await finished(server, web, name) for name in ("Ada", "Bob")]
        assert (await get(web, f"/api/matches/{first}/record"))[0] == 200
        (pid,) = tellers(os.getpid())
        os.kill(pid, signal.SIGSTOP)
        asking = asyncio.create_task(get(web, f"/api/matches/{second}/record"))
        await asyncio.sleep(0.2)
        os.kill(pid, signal.SIGKILL)
        assert (await asking)[0] == 200
        # One that never answers is ended.
        (pid,) = tellers(os.getpid())
        monkeypatch.setattr(teller, "TELL_S_MAX", 0.3)
        monkeypatch.setattr(child, "START_S_MAX", 0.5)
        os.kill(pid, signal.SIGSTOP)
        assert (await get(web, f"/api/matches/{second}/replay"))[0] == 503
        assert not is_alive(pid)
        monkeypatch.undo()
        assert (await get(web, f"/api/matches/{second}/replay"))[0] == 200


async def test_a_process_that_nobody_asks_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(teller, "REST_S", 0.2)
    async with site(tmp_path) as (server, web):
        match = await finished(server, web)
        for path in ("record", "replay"):
            assert (await get(web, f"/api/matches/{match}/{path}"))[0] == 200
            async with asyncio.timeout(rig.PATIENCE_S):
                while tellers(os.getpid()):
                    await asyncio.sleep(0.02)


async def test_the_processes_end_with_the_house_also_when_it_is_killed(tmp_path: Path) -> None:
    for how in ("stop", "kill"):
        async with rig.process(tmp_path, "http", "house") as server:
            host, port = server.addresses["http"]
            anna = await rig.enter(server, f"Anna-{how}")
            await anna.send({"type": "open", "game": "renaissance", "seats": 1})
            table = (await anna.until("seated"))["table"]["id"]
            await anna.until("view")
            async with aiohttp.ClientSession(f"http://{host}:{port}") as web:
                assert (await get(web, f"/api/tables/{table}/story"))[0] == 200
            ours = tellers(server.pid)
            assert ours
            await getattr(server, how)()
            async with asyncio.timeout(rig.PATIENCE_S):
                while any(is_alive(pid) for pid in ours):
                    await asyncio.sleep(0.02)
