"""The lobby over real sockets: lists in parts, and changes that come by themselves."""

import asyncio
import contextlib
import json
import re
import socket
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from tests import rig

from ludoteca.cli import house as command
from ludoteca.clients.address import parse
from ludoteca.core.requests import LISTED, LISTED_MAX
from ludoteca.server.serve import Server

# Real sockets, processes or screens: left out of make check.
pytestmark = pytest.mark.slow

GAME = "multisweeper"
OPEN = {"type": "open", "game": GAME, "seats": 2}
MANY = {
    "durability": "off",
    "tables_per_guest_max": 1000,
    "tables_per_address_max": 10_000,
    "connections_per_address_max": 2000,
}


@contextlib.asynccontextmanager
async def house(folder: Path, **more: Any) -> AsyncIterator[tuple[Server, aiohttp.ClientSession]]:
    async with rig.house(folder, "http", "house", **MANY, **more) as server:
        host, port = server.addresses["http"]
        async with aiohttp.ClientSession(f"http://{host}:{port}") as web:
            yield server, web


async def opened(server: Server, count: int, **more: Any) -> list[str]:
    """So many tables, each of somebody who has gone again and is waited for."""
    found = []
    for number in range(count):
        person = await rig.enter(server, f"P{number}")
        await person.send({**OPEN, **more})
        found.append((await person.until("seated"))["table"]["id"])
        await person.close()
    return found


async def get(web: aiohttp.ClientSession, path: str, **headers: str) -> tuple[int, Any, Any]:
    async with web.get(path, headers=headers) as answer:
        body = await answer.read()
        return answer.status, json.loads(body) if body else None, answer.headers


async def test_a_long_list_is_read_in_parts_and_says_where_it_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with house(tmp_path) as (server, web):
        tables = await opened(server, LISTED + 7)
        path, seen = "/api/v1/tables", []
        while path:
            status, found, headers = await get(web, path)
            assert status == 200
            assert len(found) <= LISTED
            seen += [one["id"] for one in found]
            link = re.fullmatch(r'<(.*)>; rel="next"', headers.get("Link", ""))
            path = f"/api/v1/tables{link[1]}" if link else ""
        assert seen == tables
        # The command follows it to the end.
        monkeypatch.setattr(command, "LISTED_MAX", 40)
        address = parse("{}:{}".format(*server.addresses["http"]))
        assert [info.id for info in await command._tables(address, GAME)] == tables
        assert (await command._status(address)).tables == {"open": len(tables)}
        _, found, headers = await get(web, f"/api/v1/tables?game={GAME}&show=open&count=3")
        assert [one["id"] for one in found] == tables[:3]
        assert f"game={GAME}&show=open&count=3&after=" in headers["Link"]
        assert (await get(web, "/api/v1/tables?show=playing"))[1] == []
        assert len((await get(web, "/api/v1/tables?count=99999999999999999999"))[1]) == len(tables)
        assert len((await get(web, "/api/v1/tables?count=0"))[1]) == 1
        # Odd places, kinds and numbers are refused, games that there are not have no tables.
        for odd in ("after=x", "after=%00", "after=" + "0" * 500, "show=mine", "count=-1", "count=1e3"):
            status, refused, _ = await get(web, f"/api/v1/tables?{odd}")
            assert (status, refused["error"]) == (400, "message"), odd
        assert (await get(web, "/api/v1/tables?game=nothing"))[:2] == (200, [])
        assert (await get(web, "/api/v1/lobby?game=nothing"))[0] == 404
        status, lobby, headers = await get(web, "/api/v1/lobby")
        assert (len(lobby["tables"]), lobby["counts"]["open"]) == (50, len(tables))
        assert (await get(web, "/api/v1/lobby", **{"If-None-Match": headers["ETag"]}))[0] == 304
        follow = f"/api/v1/tables?show=open&after={lobby['more']['open']}"
        assert [one["id"] for one in (await get(web, follow))[1]] == tables[50:]
        anna = await rig.enter(server, "Anna")
        await anna.send({"type": "list", "count": LISTED_MAX + 1}, {"type": "list", "after": "x"})
        for _ in range(2):
            assert (await anna.until("declined"))["code"] == "message"
        await anna.send({"type": "list", "show": "open", "count": 500}, {"type": "list", "label": "table-9"})
        assert len((await anna.until("tables"))["tables"]) == len(tables)
        assert [one["label"] for one in (await anna.until("tables"))["tables"]] == ["table-9"]


async def test_who_looks_hears_of_tables_that_come_and_go_and_says_nothing_for_it(tmp_path: Path) -> None:
    async with house(tmp_path, handshake_s=0.3) as (server, web), web.ws_connect("/ws") as page:
        lines = await rig.connect(server, "house")
        for looker in (page.send_json, lines.send):
            await looker({"type": "look"})
        assert json.loads(await page.receive_str())["tables"] == []
        assert (await lines.until("lobby"))["tables"] == []
        anna = await rig.enter(server, "Anna")
        await anna.send(OPEN)
        table = (await anna.until("seated"))["table"]["id"]
        for message in (json.loads(await page.receive_str()), await lines.until("changes")):
            assert [one["id"] for one in message["tables"]] == [table]
            assert message["counts"]["people"] == 1
        await anna.send({"type": "leave"})
        for message in (json.loads(await page.receive_str()), await lines.until("changes")):
            assert (message["tables"], message["gone"]) == ([], [table])
        # Longer than anybody may be silent who has not said who they are: they wait for others.
        await asyncio.sleep(0.7)
        await lines.send({"type": "unlook"}, {"type": "ping"})
        await lines.until("pong")
        # Looking away, they have to say who they are like everybody else.
        assert await lines.rest() == []
        await page.send_json({"type": "ping"})
        assert json.loads(await page.receive_str())["type"] == "pong"


async def test_matches_that_ended_are_still_seen_after_a_restart(tmp_path: Path) -> None:
    async with house(tmp_path, abandoned_s=0.1) as (server, web):
        anna = await rig.enter(server, "Anna")
        await anna.send({"type": "look"}, {"type": "open", "game": "renaissance", "seats": 1})
        await anna.until("seated")
        await anna.send({"type": "leave"})
        heard = await anna.until(lambda message: bool(message.get("finished")))
        (finished,) = heard["finished"]
        assert (await get(web, "/api/v1/matches"))[1] == [finished]
        assert (await get(web, "/api/v1/lobby"))[1]["finished"] == [finished]
    async with house(tmp_path) as (_, web):
        for path, count in (("", 1), ("?game=renaissance", 1), ("?game=santorini", 0)):
            assert (await get(web, f"/api/v1/lobby{path}"))[1]["finished"] == [finished] * count


async def test_who_looks_and_looks_away_in_a_loop_gets_little_for_it(tmp_path: Path) -> None:
    async with house(tmp_path, rate_burst=1e6, rate_per_s=1e6) as (server, _):
        await opened(server, 20)
        loop = await rig.connect(server, "house")
        ways = (
            '"game":"santorini"',
            '"show":"open"',
            '"show":"playing"',
            f'"game":"{GAME}"',
            '"table":"none"',
        )
        nonsense = ('"game":"chess"', '"show":"mine"', '"show":7', '"table":["x"]')
        lines = "".join(f'{{"type":"look",{way}}}\n{{"type":"unlook"}}\n' for way in ways)
        await loop.send((lines * 200).encode(), b'{"type":"ping"}\n')
        await loop.until("pong")
        pictures = [message for message in loop.heard if message["type"] == "lobby"]
        assert len(pictures) <= 10, "one picture a second, in however many ways one looks"
        lookers = server.house.hall.lookers
        assert not lookers.gazes
        assert not lookers._windows
        for odd in nonsense:
            await loop.send(f'{{"type":"look",{odd}}}\n')
            assert (await loop.until("declined"))["code"] in ("game", "message")


async def test_finished_matches_are_read_in_parts_and_once_for_everybody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with house(tmp_path) as (server, web):
        for number in range(5):
            anna, bruno = await rig.enter(server, f"A{number}"), await rig.enter(server, f"B{number}")
            await anna.send(OPEN)
            await bruno.send({"type": "sit", "table": (await anna.until("seated"))["table"]["id"]})
            await bruno.until("seated")
            await anna.send({"type": "leave"})
            await bruno.until("over")
        read, reads = server.house.archive.matches, 0

        def counted(*wanted: Any, **more: Any) -> list[bytes]:
            nonlocal reads
            reads += 1
            return read(*wanted, **more)

        monkeypatch.setattr(server.house.archive, "matches", counted)
        answers = await asyncio.gather(*(get(web, "/api/v1/matches") for _ in range(20)))
        assert reads == 1
        whole = [one["table"]["id"] for one in answers[0][1]]
        assert len(whole) == 5
        path, seen = "/api/v1/matches?count=2", []
        while path:
            _, found, headers = await get(web, path)
            seen += [one["table"]["id"] for one in found]
            link = re.fullmatch(r'<(.*)>; rel="next"', headers.get("Link", ""))
            path = f"/api/v1/matches{link[1]}" if link else ""
        assert seen == whole
        for odd in ("x", "-", "fffffffffffffff-a", "1-" + "a" * 65, "%00"):
            assert (await get(web, f"/api/v1/matches?after={odd}"))[0] == 400, odd
        for number in range(50):
            assert (await get(web, f"/api/v1/matches?game=nothing{number}"))[1] == []
        assert len(server.house.hall.lobby._lately) <= 2


async def test_who_looks_and_does_not_read_is_no_burden_and_later_sees_what_is(tmp_path: Path) -> None:
    async with house(tmp_path, outbox_bytes_max=200_000, rate_burst=1e6, rate_per_s=1e6) as (server, _):
        await opened(server, 20)
        deaf = await rig.connect(server, "house")
        await deaf.send({"type": "look"})
        await deaf.until("lobby")
        (looker,) = server.house.hall.lookers.gazes
        session: Any = server.house._shells[looker]
        # The system keeps little for them, so that it is the house that would have to.
        for transport in (session._link._transport, deaf.writer.transport):
            for buffer in (socket.SO_SNDBUF, socket.SO_RCVBUF):
                transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, buffer, 1 << 15)
        deaf.reader._transport.pause_reading()  # type: ignore[attr-defined]
        await deaf.send(b'{"type":"list"}\n' * 40)
        await rig.becomes(lambda: session._link.backlog() > 50_000)
        anna, reader = await rig.enter(server, "Anna"), await rig.connect(server, "house")
        await reader.send({"type": "look"})
        await reader.until("lobby")
        for _ in range(2):
            await anna.send(OPEN)
            await anna.until("seated")
            await reader.until("changes")
            await anna.send({"type": "leave"})
            await reader.until("changes")
        assert session._link.backlog() > 0
        await anna.send(OPEN)
        last = (await anna.until("seated"))["table"]["id"]
        deaf.reader._transport.resume_reading()  # type: ignore[attr-defined]
        heard = await deaf.until("lobby")
        assert heard["tables"][-1]["id"] == last
        kept = {message["type"] for message in deaf.heard}
        assert kept == {"tables", "lobby"}, "nothing is kept for who does not read but what they asked for"
        assert server.house.metrics.dropped.labels("slow")._value.get() == 0


async def test_a_thousand_who_look_and_one_who_plays(tmp_path: Path) -> None:
    async with house(tmp_path) as (server, _):
        crowd = await asyncio.gather(*(rig.connect(server, "house") for _ in range(1000)))
        await asyncio.gather(*(one.send({"type": "look"}) for one in crowd))
        await asyncio.gather(*(one.until("lobby") for one in crowd))
        anna = await rig.enter(server, "Anna")
        await anna.send(OPEN)
        table = (await anna.until("seated"))["table"]["id"]
        heard = await asyncio.gather(*(one.until("changes") for one in crowd))
        assert {one["id"] for message in heard for one in message["tables"]} == {table}
        lookers = server.house.hall.lookers
        assert len(lookers._windows) == 1
        server.house.measure()
        assert server.house.metrics.lookers._value.get() == 1000
        for one in crowd:
            one.cut()
        async with asyncio.timeout(rig.PATIENCE_S):
            while lookers.gazes:
                await asyncio.sleep(0.02)
        assert not lookers._windows
