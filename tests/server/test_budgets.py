"""What one address and one guest may have, tried by those who want more.

Each limit names itself when it refuses.
"""

import asyncio
import contextlib
import os
import resource
import socket
import ssl
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from tests import rig

from ludoteca.hall.budget import Budget
from ludoteca.hall.lobby import Page
from ludoteca.server.serve import Server

# Real processes, disks and clocks: left out of make check.
pytestmark = pytest.mark.slow

HALF = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "
WHOLE = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


def count(server: Server, name: str, **labels: str) -> float:
    """A number of the house's own metrics."""
    return server.house.metrics.registry.get_sample_value(name, labels) or 0.0


def refused(server: Server, reason: str) -> float:
    return count(server, "ludoteca_refused_total", reason=reason)


async def is_ended(client: rig.Client, patience_s: float = rig.PATIENCE_S) -> bool:
    """Whether the house closes this connection in time."""
    with contextlib.suppress(ConnectionError, TimeoutError):
        async with asyncio.timeout(patience_s):
            while await client.reader.read(65536):
                pass
            return True
        return False
    return client.reader.at_eof() or client.reader.exception() is not None


async def is_true(condition: Any, patience_s: float = rig.PATIENCE_S) -> bool:
    """Whether something becomes true in time."""
    end = asyncio.get_running_loop().time() + patience_s
    while not condition():
        if asyncio.get_running_loop().time() > end:
            return False
        await asyncio.sleep(0.01)
    return True


@contextlib.asynccontextmanager
async def browser(server: Server) -> AsyncIterator[aiohttp.ClientSession]:
    host, port = server.addresses["http"]
    async with aiohttp.ClientSession(f"http://{host}:{port}") as session:
        yield session


# Connections.


async def test_d9_half_requests_and_silent_connections_are_ended(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "http", header_s=0.3, idle_s=60) as server:
        clients = [await rig.connect(server, "http") for _ in range(40)]
        for client in clients[:30]:
            # The first may have been ended before the last has come.
            with contextlib.suppress(ConnectionError):
                await client.send(HALF)
        for client in clients:
            assert await is_ended(client)
        assert count(server, "ludoteca_dropped_total", why="header") == 40
        assert count(server, "ludoteca_connections", listener="http") == 0


async def test_d9_a_request_that_trickles_in_is_ended_all_the_same(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "http", header_s=0.5, idle_s=60) as server:
        slow = await rig.connect(server, "http")
        ended = asyncio.create_task(is_ended(slow))
        for byte in HALF * 4:
            if ended.done():
                break
            with contextlib.suppress(ConnectionError):
                await slow.send(bytes([byte]))
            await asyncio.sleep(0.05)
        assert ended.done()
        assert await ended


async def test_a_connection_that_has_had_its_answer_is_kept_for_a_while_and_no_longer(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "http", header_s=0.1, idle_s=2) as server:
        client = await rig.connect(server, "http")
        # Longer than a request may take, and far shorter than one may be silent between two.
        for pause_s in (0.2, 0.2, 0.0):
            await client.send(WHOLE)
            assert (await client.reader.readuntil(b'"reason":""}')).startswith(b"HTTP/1.1 200")
            await asyncio.sleep(pause_s)
        assert await is_ended(client)
        assert count(server, "ludoteca_dropped_total", why="idle") == 1


async def test_an_answer_that_nobody_takes_is_not_kept(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "http", header_s=5, idle_s=0.5) as server:
        # Small windows, so that the kernel does not take it all.
        deaf = socket.socket()
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.connect(server.addresses["http"])
        deaf.setblocking(False)
        await asyncio.get_running_loop().sock_sendall(
            deaf, b"GET /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 200
        )
        assert await is_true(lambda: count(server, "ludoteca_connections", listener="http") == 0)
        deaf.close()


async def test_d9_plain_requests_count_like_any_other_connection(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "http", "house", connections_per_address_max=3) as server:
        silent = [await rig.connect(server, "http") for _ in range(2)]
        line = await rig.enter(server, "Anna")
        away = await rig.connect(server, "http")
        await away.send(WHOLE)
        assert (await away.line() or "").startswith("HTTP/1.1 429")
        assert await is_ended(await rig.connect(server, "house"))
        assert refused(server, "address") == 2
        silent[0].cut()
        assert await is_true(lambda: count(server, "ludoteca_connections", listener="http") == 1)
        async with browser(server) as web, web.ws_connect("/ws") as socket:
            # The WebSocket is the connection that it came by, not another one.
            await socket.send_json({"type": "ping"})
            assert (await socket.receive_json())["type"] == "pong"
            with pytest.raises(aiohttp.ClientResponseError, match="429"):
                await web.ws_connect("/ws")
        await line.send({"type": "ping"})
        await line.until("pong")


async def test_the_house_has_a_greatest_number_of_connections(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "house", connections_max=2) as server:
        kept = [await rig.enter(server, name) for name in ("Anna", "Bruno")]
        assert await is_ended(await rig.connect(server, "house"))
        assert refused(server, "full") == 1
        await kept[0].close()
        assert await is_true(lambda: count(server, "ludoteca_connections", listener="house") == 1)
        await rig.enter(server, "Carla")


async def test_turning_many_away_costs_no_line_of_the_log_each(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    async with rig.house(tmp_path, "house", connections_per_address_max=1) as server:
        anna = await rig.enter(server, "Anna")
        for _ in range(200):
            (await rig.connect(server, "house")).cut()
        assert await is_true(lambda: refused(server, "address") == 200)
        await anna.send({"type": "ping"})
        await anna.until("pong")
    out, err = capfd.readouterr()
    assert (out + err).count("too many connections from this address") == 1


async def test_a_silent_tls_handshake_is_counted_and_ended(tmp_path: Path) -> None:
    certificate = rig.certificate(tmp_path)
    more: dict[str, Any] = {"tls_cert": str(certificate), "header_s": 2.0, "connections_per_address_max": 5}
    async with rig.house(tmp_path, "house", "http", **more) as server:
        silent = [await rig.connect(server, name) for name in ("house", "http", "house", "http", "house")]
        assert await is_true(lambda: count(server, "ludoteca_connections", listener="house") == 3)
        assert await is_ended(await rig.connect(server, "house"))
        assert refused(server, "address") == 1
        for client in silent:
            assert await is_ended(client)
        assert count(server, "ludoteca_dropped_total", why="header") == 5
        trusting = ssl.create_default_context(cafile=str(certificate))
        host, port = server.addresses["house"]
        anna = rig.Client(
            *await asyncio.open_connection(host, port, ssl=trusting, server_hostname="localhost")
        )
        await anna.send({"type": "hello", "name": "Anna"})
        await anna.until("welcome")
        await anna.close()


async def test_out_of_descriptors_those_inside_play_on_and_newcomers_wait(tmp_path: Path) -> None:
    async with rig.process(tmp_path, "house") as server:
        anna = await rig.enter(server, "Anna")
        before = resource.prlimit(server.pid, resource.RLIMIT_NOFILE)
        in_use = len(os.listdir(f"/proc/{server.pid}/fd"))
        resource.prlimit(server.pid, resource.RLIMIT_NOFILE, (in_use + 3, before[1]))
        newcomers = [await rig.connect(server, "house") for _ in range(20)]
        for number, client in enumerate(newcomers):
            await client.send({"type": "hello", "name": f"Guest{number}"})
        with pytest.raises(TimeoutError):
            await newcomers[-1].message(1.5)
        await anna.send({"type": "ping"})
        await anna.until("pong")
        resource.prlimit(server.pid, resource.RLIMIT_NOFILE, before)
        for client in newcomers:
            await client.until("welcome")


async def test_a_flood_of_requests_is_told_to_come_back_later(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "http", requests_per_s=0.01, requests_burst=20) as server:
        async with browser(server) as web:
            answers = []
            for _ in range(25):
                async with web.get("/api/tables") as answer:
                    answers.append((answer.status, await answer.json(), answer.headers.get("Retry-After")))
        assert [status for status, _, _ in answers] == [200] * 20 + [429] * 5
        assert answers[-1][1]["error"] == "rate"
        # As long as one more takes to come about, less what has passed meanwhile.
        assert 1 <= int(answers[-1][2] or "0") <= 100
        assert refused(server, "requests") == 5


# Buckets.


def test_a_budget_refills_steadily_and_says_when_to_come_back() -> None:
    budget = Budget(per_s=2.0, burst=3.0)
    assert [budget.spend("a", 10.0) for _ in range(4)] == [0.0, 0.0, 0.0, 0.5]
    assert budget.spend("b", 10.0) == 0.0
    assert budget.spend("a", 10.25) == 0.25
    assert budget.spend("a", 10.5) == 0.0
    assert [budget.spend("a", 99.0) for _ in range(4)] == [0.0, 0.0, 0.0, 0.5]


def test_a_budget_does_not_grow_with_the_number_of_strangers() -> None:
    budget = Budget(per_s=0.001, burst=2.0, kept_max=100)
    for stranger in range(10_000):
        assert budget.spend(str(stranger), stranger * 0.001) == 0.0
    assert len(budget) <= 100


# Tables and chat, over sockets.


async def test_d5_one_address_cannot_take_all_tables(tmp_path: Path) -> None:
    more: dict[str, Any] = {"tables_per_address_max": 30, "tables_max": 100, "durability": "off"}
    async with rig.house(
        tmp_path, "house", trusted_proxies=["127.0.0.1"], proxy_protocol=True, **more
    ) as server:

        async def come(address: str, name: str) -> rig.Client:
            client = await rig.connect(server, "house")
            await client.send(f"PROXY TCP4 {address} 192.0.2.80 40000 8001\r\n".encode())
            await client.send({"type": "hello", "name": name})
            await client.until("welcome")
            return client

        declined = 0
        for number in range(60):
            greedy = await come("203.0.113.6", f"Greedy{number}")
            await greedy.send({"type": "open", "game": "santorini", "seats": 2}, {"type": "bot"})
            answer = await greedy.until(lambda one: one["type"] in ("view", "declined"))
            declined += answer["type"] == "declined"
            greedy.cut()
        assert len(server.house.hall.tables) == 30
        assert refused(server, "tables_address") == declined == 30
        anna = await come("203.0.113.7", "Anna")
        await anna.send({"type": "open", "game": "santorini", "seats": 2})
        await anna.until("seated")


async def test_d5_solo_matches_that_are_left_at_once_do_not_pile_up(tmp_path: Path) -> None:
    async with rig.house(
        tmp_path, "house", abandoned_s=1.0, tables_per_guest_max=4, durability="off"
    ) as server:
        greedy = await rig.enter(server, "Greedy")
        for _ in range(40):
            await greedy.send({"type": "open", "game": "renaissance", "seats": 1}, {"type": "leave"})
        await greedy.until(lambda one: one["type"] == "declined" and one["code"] == "limit")
        assert len(server.house.hall.tables) <= 4
        assert await is_true(lambda: not server.house.hall.tables)
        await greedy.send({"type": "open", "game": "renaissance", "seats": 2})
        await greedy.until("seated")


async def test_chat_is_limited_through_every_protocol_that_carries_it(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "house", "shelfie", "http", chat_burst=3, chat_per_minute=1) as server:
        anna = await rig.enter(server, "anna")
        await anna.send({"type": "open", "game": "shelfie", "seats": 3})
        table = (await anna.until("seated"))["table"]["id"]
        async with browser(server) as web, web.ws_connect("/ws") as carla:
            bruno = await rig.connect(server, "shelfie")
            await bruno.send({"type": "LoginRequest", "nickname": "bruno"})
            await anna.until("sat")
            await carla.send_json({"type": "hello", "name": "carla"})
            await carla.send_json({"type": "sit", "table": table})
            await bruno.until("GameStartNotify")
            await anna.send(*[{"type": "say", "text": f"anna {n}"} for n in range(9)])
            said = {"type": "ChatMessage", "player": "bruno", "receiver": None}
            await bruno.send(*[{**said, "textMessage": f"bruno {number}"} for number in range(9)])
            for number in range(9):
                await carla.send_json({"type": "say", "text": f"carla {number}"})
            assert await is_true(lambda: refused(server, "chat") == 18)
            assert (await anna.until("declined"))["code"] == "rate"
            # Somebody silent so far is heard by all, after what was let through and nothing else.
            wanda = await rig.enter(server, "wanda")
            await wanda.send({"type": "watch", "table": table}, {"type": "say", "text": "enough"})
            await anna.until(lambda one: one["type"] == "said" and one["name"] == "wanda")
            heard = [one["text"] for one in anna.heard if one["type"] == "said"]
            assert sorted(heard) == sorted(
                ["enough", *(f"{name} {n}" for name in ("anna", "bruno", "carla") for n in range(3))]
            )


async def test_d5_the_account_of_an_address_survives_a_restart(tmp_path: Path) -> None:
    for start in range(2):
        async with rig.house(tmp_path, "house", tables_per_address_max=3) as server:
            assert len(server.house.hall.tables) == 3 * start
            for number in range(5):
                greedy = await rig.enter(server, f"Greedy{start}{number}")
                await greedy.send({"type": "open", "game": "santorini", "seats": 2}, {"type": "bot"})
                await greedy.until(lambda one: one["type"] in ("view", "declined"))
            assert len(server.house.hall.tables) == 3
            assert refused(server, "tables_address") == (5 if start else 2)


async def test_a_list_of_tables_is_not_made_anew_for_everybody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with rig.house(tmp_path, "http", "house", durability="off") as server, browser(server) as web:
        lobby, made = server.house.hall.lobby, 0
        page = lobby.page

        def counted(*wanted: Any) -> Page:
            nonlocal made
            made += 1
            return page(*wanted)

        monkeypatch.setattr(lobby, "page", counted)

        async def tables(game: str = "") -> list[dict[str, Any]]:
            async with web.get("/api/tables", params={"game": game}) as answer:
                found: list[dict[str, Any]] = await answer.json()
                return found

        assert await asyncio.gather(*(tables() for _ in range(50))) == [[]] * 50
        assert made == 1
        assert await tables("no such game") == []
        anna = await rig.enter(server, "Anna")
        await anna.send({"type": "open", "game": "santorini", "seats": 2})
        await anna.until("seated")
        for _ in range(50):
            assert len(await tables("santorini")) == len(await tables()) == 1
        assert made == 3
