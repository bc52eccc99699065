"""HTTP: health, metrics, REST, and the same conversations over WebSocket."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import msgspec
import pytest
from tests import rig

from ludoteca import games
from ludoteca.server.serve import Server


@asynccontextmanager
async def site(
    folder: Path, *listeners: str, **more: Any
) -> AsyncIterator[tuple[Server, aiohttp.ClientSession]]:
    async with rig.house(folder, "http", *listeners, **more) as server:
        host, port = server.addresses["http"]
        async with aiohttp.ClientSession(f"http://{host}:{port}") as session:
            yield server, session


async def until(socket: aiohttp.ClientWebSocketResponse, kind: str) -> dict[str, Any]:
    while True:
        message: dict[str, Any] = json.loads(await asyncio.wait_for(socket.receive_str(), 10))
        if message["type"] == kind:
            return message


@pytest.mark.slow
async def test_health_and_metrics_answer(tmp_path: Path) -> None:
    async with site(tmp_path, "multisweeper", metrics_token="token") as (server, web):
        async with web.get("/healthz") as answer:
            assert (answer.status, (await answer.json())["status"]) == (200, "ok")
        client = await rig.connect(server, "multisweeper")
        await client.line()
        async with web.get("/metrics", headers={"Authorization": "Bearer token"}) as answer:
            page = await answer.text()
        assert 'ludoteca_connections{listener="multisweeper"} 1.0' in page
        assert "ludoteca_commit_wait_seconds" in page
        for for_s, wanted in ((60.0, (503, "leaving")), (0.0, (200, "ok"))):
            server.house.leave(for_s)
            async with web.get("/healthz") as answer:
                assert (answer.status, (await answer.json())["status"]) == wanted


@pytest.mark.slow
async def test_a_match_by_websocket_and_its_record_afterwards(tmp_path: Path) -> None:
    async with site(tmp_path) as (_, web):
        async with web.ws_connect("/ws") as anna, web.ws_connect("/ws/multisweeper") as bob:
            await anna.send_json({"type": "hello", "name": "Anna", "follow": "views", "options_max": 1000})
            await anna.send_json(
                {"type": "open", "game": "multisweeper", "seats": 2, "options": {"mines": 70}}
            )
            table = (await until(anna, "seated"))["table"]["id"]
            async with web.get("/api/tables") as answer:
                assert [one["id"] for one in await answer.json()] == [table]
            async with web.get(f"/api/matches/{table}/record") as answer:
                assert answer.status == 404
            assert await bob.receive_str() == "multisweeper v1"
            await bob.send_str("multisweeper client v1")
            await bob.send_str("name Bob")
            board = ["9"] * 81
            over = None
            while over is None:
                message = json.loads(await asyncio.wait_for(anna.receive_str(), 10))
                if message["type"] == "question":
                    await anna.send_json(
                        {"type": "act", "action": message["options"][0], "at": message["number"]}
                    )
                elif message["type"] == "events":
                    board = message["view"]["cells"]
                    if message["view"]["mover"] == 1:
                        cell = board.index(9)
                        await bob.send_str(f"click {cell % 9} {cell // 9}")
                elif message["type"] == "over":
                    over = message
            await anna.send_json({"type": "leave"})
        assert sorted(over["ranks"]) == [1, 2]
        for _ in range(100):
            async with web.get("/api/matches", params={"game": "multisweeper"}) as answer:
                matches = await answer.json()
            if matches:
                break
            await asyncio.sleep(0.02)
        assert matches[0]["outcome"]["ranks"] == over["ranks"]
        async with web.get(f"/api/matches/{table}") as answer:
            assert (await answer.json())["table"]["id"] == table
        async with web.get(f"/api/matches/{table}/record") as answer:
            record = await answer.json()
        assert [one["number"] for one in record] == list(range(1, len(record) + 1))
        assert record[0]["input"]["type"] == "Opened"
        assert {one["input"]["key"] for one in record if one["input"]["type"] == "SatDown"} == {""}


async def test_games_are_described_with_the_schemas_of_their_options(tmp_path: Path) -> None:
    async with site(tmp_path) as (_, web), web.get("/api/games") as answer:
        found = {game["name"]: game for game in await answer.json()}
    assert found["multisweeper"]["seats"] == {"min": 2, "max": 8}
    assert "master" in found["multisweeper"]["bots"]
    assert "$defs" in found["multisweeper"]["options"] or "properties" in found["multisweeper"]["options"]


async def test_what_is_printed_on_cards_is_there_for_every_game(tmp_path: Path) -> None:
    async with site(tmp_path) as (_, web):
        for game in games.load_all():
            async with web.get(f"/api/games/{game.name}/cards") as answer:
                assert answer.status == 200
                assert await answer.json() == json.loads(msgspec.json.encode(game.cards))
        async with web.get("/api/games/renaissance/cards") as answer:
            cards = await answer.json()
        assert cards["development_cards"]["D001"] == {
            "colour": "green",
            "level": 1,
            "points": 1,
            "cost": {"shields": 2},
            "takes": {"coins": 1},
            "gives": {},
            "faith": 1,
        }
        assert (len(cards["development_cards"]), len(cards["leader_cards"]), len(cards["tokens"])) == (
            48,
            16,
            7,
        )
        async with web.get("/api/games/chess/cards") as answer:
            assert (answer.status, (await answer.json())["error"]) == (404, "game")


@pytest.mark.parametrize(
    ("origin", "more", "allowed"),
    [
        (None, {}, True),
        ("same", {}, True),
        ("http://elsewhere.example", {}, False),
        ("http://elsewhere.example", {"origin": ["http://elsewhere.example"]}, True),
        ("http://elsewhere.example", {"origin": ["*"]}, True),
    ],
)
async def test_pages_of_other_sites_may_not_play(
    tmp_path: Path, origin: str | None, more: dict[str, Any], allowed: bool
) -> None:
    async with site(tmp_path, **more) as (server, web):
        if origin == "same":
            origin = "http://{}:{}".format(*server.addresses["http"])
        headers = {"Origin": origin} if origin else {}
        if not allowed:
            with pytest.raises(aiohttp.WSServerHandshakeError, match="403"):
                await web.ws_connect("/ws", headers=headers)
            return
        async with web.ws_connect("/ws", headers=headers) as socket:
            await socket.send_json({"type": "ping"})
            await until(socket, "pong")


async def test_what_is_not_there_is_not_there(tmp_path: Path) -> None:
    async with site(tmp_path) as (_, web):
        for path in ("/api/nothing", "/ws/chess", "/assets/nothing.js", "/api/matches/none"):
            async with web.get(path) as answer:
                assert answer.status == 404, path


@pytest.mark.slow
async def test_pages_keep_to_themselves(tmp_path: Path) -> None:
    async with site(tmp_path) as (_, web), web.get("/") as answer:
        assert answer.status == 200
        assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
        assert "script-src 'unsafe" not in answer.headers["Content-Security-Policy"]


@pytest.mark.slow
async def test_a_socket_that_never_reads_is_dropped(tmp_path: Path) -> None:
    async with site(tmp_path, "house", outbox_bytes_max=65536, **rig.CHATTY) as (server, web):
        deaf = await web.ws_connect("/ws")
        await deaf.send_json({"type": "hello", "name": "Deaf"})
        await deaf.send_json({"type": "open", "game": "multisweeper", "seats": 3, "terms": {"grace_s": 60}})
        table = (await until(deaf, "seated"))["table"]["id"]
        deaf._conn.transport.pause_reading()  # type: ignore[union-attr]
        talker = await rig.enter(server, "Talker")
        await talker.send({"type": "sit", "table": table})
        for _ in range(400):
            await talker.send(*[{"type": "say", "text": "x" * 500}] * 50)
            for _ in range(50):
                await talker.until("said")
            if any(message["type"] == "left" for message in talker.heard):
                break
        else:
            pytest.fail("the deaf reader was never dropped")


@pytest.mark.parametrize("path", ["/healthz", "/api/none", "/ws"])
async def test_an_expectation_that_is_no_text_is_refused(tmp_path: Path, path: str) -> None:
    async with rig.house(tmp_path, "http") as server:
        client = await rig.connect(server, "http")
        host, port = server.addresses["http"]
        head = f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nExpect: ".encode()
        await client.send(head + b"a \xff\r\n\r\n")
        assert (await client.line() or "").startswith("HTTP/1.1 417 ")
        failures = server.house.metrics.failures.collect()
        assert not [sample for family in failures for sample in family.samples if sample.value]
