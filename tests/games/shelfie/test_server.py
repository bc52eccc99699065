"""The seed's protocol over real sockets: hostile clients beside a match, lost pings, a killed server."""

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest
from tests import rig
from tests.games.shelfie.remote import play_by_lines

# Real sockets, processes or screens: left out of make check.
pytestmark = pytest.mark.slow


async def login(server: Any, name: str, players: int = 0) -> rig.Client:
    client = await rig.connect(server, "shelfie")
    await client.send({"type": "LoginRequest", "nickname": name})
    await client.until("LoginResponse")
    if players:
        await client.until("NumPlayersRequest")
        await client.send({"type": "NumPlayersResponse", "numPlayers": players})
        await client.until("LobbyInfoMessage")
    return client


HOSTILE = [
    b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    b"\x00\xff" * 500 + b"\n",
    b"{" * 70_000,
    b'{"type":"ConfirmOrderNotify","pickedTiles":["GREEN"]}\n' * 300,
    b'{"type":"PickTileRequest","position":{"row":1,"column":3}}\n' * 300,
    b'{"type":"LoginRequest","nickname":7}\n' * 20,
    b'{"type":"LoginRequest","nickname":"anna"}\n{"type":"ConfirmPickRequest"}\n',
    b'{"type":"NumPlayersResponse","numPlayers":-1}\n{"type":"ChatMessage","player":"anna","textMessage":"hi"}\n',
    b'{"type":"PongMessage"',
    b"",
]


async def test_hostile_clients_do_not_disturb_a_match(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "shelfie") as server:
        anna = await login(server, "anna", players=2)
        bruno = await login(server, "bruno")
        playing = asyncio.gather(
            play_by_lines(anna, "anna", random.Random(1)), play_by_lines(bruno, "bruno", random.Random(2))
        )
        for data in HOSTILE * 3:
            hostile = await rig.connect(server, "shelfie")
            await hostile.send(data)
            await asyncio.sleep(0.01)
            hostile.cut()
        heard, other = await playing
    assert heard[-1]["type"] == other[-1]["type"] == "GameResultNotify"
    assert heard[-1] == other[-1]
    strangers = {"ErrorMessage", "ChatMessage", "PlayerDisconnectedNotify"}
    assert strangers.isdisjoint(message["type"] for message in heard + other)


async def test_lost_pings_end_one_match_and_no_other(tmp_path: Path) -> None:
    times = {"shelfie.ping_first_s": 0.05, "shelfie.ping_interval_s": 0.15}
    async with rig.house(tmp_path, "shelfie", default=times) as server:
        anna = await login(server, "anna", players=2)
        mute = await login(server, "mute")
        carla = await login(server, "carla", players=2)
        dario = await login(server, "dario")
        playing = asyncio.gather(
            play_by_lines(carla, "carla", random.Random(1)), play_by_lines(dario, "dario", random.Random(2))
        )
        while True:
            message = await anna.message()
            assert message is not None
            if message["type"] == "PingMessage":
                await anna.send({"type": "PongMessage"})
            if message["type"] == "PlayerDisconnectedNotify":
                break
        assert message["disconnectedPlayer"] == "mute"
        assert await anna.message() is None
        assert sum("PingMessage" in line for line in await mute.rest()) == 5
        heard, _ = await playing
    assert heard[-1]["type"] == "GameResultNotify"


async def test_a_killed_server_loses_no_confirmed_pick(tmp_path: Path) -> None:
    async with rig.process(tmp_path, "shelfie") as server:
        anna = await login(server, "anna", players=2)
        bruno = await login(server, "bruno")
        start = await anna.until("GameStartNotify")
        clients = {"anna": anna, "bruno": bruno}
        mover = start["nextPlayer"]
        await clients[mover].send({"type": "PickTileRequest", "position": {"row": 1, "column": 3}})
        picked = (await clients[mover].until("PickTileResponse"))["pickedTiles"]
        await clients[mover].send({"type": "ConfirmPickRequest"})
        board = (await clients[mover].until("ConfirmPickResponse"))["board"]
        await server.kill()
        await server.start()
        clients = {name: await login(server, name) for name in ("bruno", "anna")}
        again = {name: await client.until("GameStartNotify") for name, client in clients.items()}
        assert again["anna"]["board"] == again["bruno"]["board"] == board
        assert again["anna"]["personalGoal"] == start["personalGoal"]
        assert (await clients[mover].until("PickTileResponse"))["pickedTiles"] == picked
        await clients[mover].send({"type": "ConfirmColumnRequest", "columnNumber": 0})
        assert (await clients[mover].until("ConfirmColumnResponse"))["valid"]
        await clients[mover].send({"type": "ConfirmOrderNotify", "pickedTiles": picked})
        ended = [await client.until("EndTurnNotify") for client in clients.values()]
        assert ended[0] == ended[1]
        assert ended[0]["bookshelf"]["rows"][5][0] == picked[0]
