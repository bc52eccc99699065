"""Privacy over real sockets: what strangers look for through every way in, and do not find."""

import asyncio
import json
import sqlite3
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from tests import rig
from tests.games.shelfie.remote import Remote
from tests.server.seeds import ELSEWHERE, HERE, Seed

from ludoteca.clients.replays import stored_matches
from ludoteca.games.shelfie.rpc import pb
from ludoteca.server.schema import journal_in
from ludoteca.server.serve import Server

# Real processes, disks and clocks: left out of make check.
pytestmark = pytest.mark.slow

PRIVATE = {"private": True}
SECRET = "the mine is in the corner"


async def get(server: Server, path: str, token: str = "") -> tuple[int, str]:
    host, port = server.addresses["http"]
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with (
        aiohttp.ClientSession(f"http://{host}:{port}") as web,
        web.get(path, headers=headers) as answer,
    ):
        return answer.status, await answer.text()


async def opened(
    server: Server, name: str, game: str = "multisweeper", **more: Any
) -> tuple[rig.Client, Any]:
    """Somebody of Ludoteca's own protocol at a table for two, and what was told about the seat."""
    client = await rig.enter(server, name, options_max=1000)
    await client.send({"type": "open", "game": game, "seats": 2, **more})
    return client, await client.until("seated")


async def joined(server: Server, name: str, table: str) -> tuple[rig.Client, Any]:
    client = await rig.enter(server, name, options_max=1000)
    await client.send({"type": "sit", "table": table})
    return client, await client.until("seated")


# Matches that are over.


async def finished(server: Server, **more: Any) -> str:
    """A match of two who whispered, broken off; its id."""
    anna, seated = await opened(server, "Anna", **more)
    table: str = seated["table"]["id"]
    bruno, _ = await joined(server, "Bruno", table)
    await anna.send({"type": "say", "text": "good luck"}, {"type": "say", "text": SECRET, "to": "Bruno"})
    await bruno.until(lambda one: one.get("text") == SECRET)
    await bruno.send({"type": "leave"})
    await anna.until("over")
    await anna.send({"type": "leave"})
    await asyncio.gather(anna.close(), bruno.close())
    async with asyncio.timeout(rig.PATIENCE_S):
        while (await get(server, f"/api/matches/{table}"))[0] == 404:
            await asyncio.sleep(0.02)
    return table


async def test_d10_a_private_match_stays_private_when_it_is_over(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "http", "house") as server:
        public = await finished(server)
        private = await finished(server, terms=PRIVATE)
        for path in ("/api/matches", "/api/matches?game=multisweeper", "/api/matches?count=1", "/api/tables"):
            assert private not in (await get(server, path))[1]
        # The newest is private: the page of one is still filled.
        assert public in (await get(server, "/api/matches?count=1"))[1]
        # Whoever was given the link looks back at it.
        for path in ("", "/record", "/replay", "/replay?seat=all"):
            assert (await get(server, f"/api/matches/{private}{path}"))[0] == 200
            assert (await get(server, f"/api/matches/{private[:-1]}{path}"))[0] == 404
    # The operator's own command lists everything.
    assert {match.id for match in stored_matches(tmp_path)} == {public, private}


@pytest.mark.parametrize("terms", [{}, PRIVATE])
async def test_d10_whispers_are_in_no_record_and_no_replay(tmp_path: Path, terms: dict[str, Any]) -> None:
    async with rig.house(tmp_path, "http", "house") as server:
        table = await finished(server, terms=terms)
        assert SECRET in b"".join(server.house.archive.lines(table)).decode()
        _, record = await get(server, f"/api/matches/{table}/record")
        assert "good luck" in record
        for path in ("", "/record", "/replay", "/replay?seat=0", "/replay?seat=1", "/replay?seat=all"):
            status, text = await get(server, f"/api/matches/{table}{path}")
            assert (status, SECRET in text) == (200, False), path


async def test_d10_the_story_of_a_running_match_tells_no_whispers(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "http", "house") as server:
        anna, seated = await opened(server, "Anna")
        table = seated["table"]["id"]
        bruno, theirs = await joined(server, "Bruno", table)
        await anna.send({"type": "say", "text": SECRET, "to": "Bruno"})
        await bruno.until("said")
        for token in ("", seated["token"], theirs["token"]):
            status, story = await get(server, f"/api/tables/{table}/story", token)
            assert (status, SECRET in story) == (200, False)


async def test_d10_whispers_in_the_seeds_own_chat_stay_out_of_the_record_too(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "http", "shelfie") as server:
        anna, bruno = await Seed("shelfie", "Anna").connect(server), Seed("shelfie", "Bruno")
        await anna.until(lambda one: b"LobbyInfoMessage" in one.heard)
        await bruno.connect(server)
        await anna.until(lambda one: one.caller.picture)
        anna.say({"type": "ChatMessage", "player": "Anna", "receiver": "Bruno", "textMessage": SECRET})
        await bruno.until(lambda one: SECRET.encode() in one.heard)
        (table,) = server.house.hall.tables
        await bruno.close()
        await anna.until(lambda one: one.caller.over)
        async with asyncio.timeout(rig.PATIENCE_S):
            while (await get(server, f"/api/matches/{table.id}/record"))[0] == 404:
                await asyncio.sleep(0.02)
        assert SECRET not in (await get(server, f"/api/matches/{table.id}/record"))[1]
        await anna.close()


# Tables that nobody was invited to.


async def strangers(server: Server, game: str, names: list[str]) -> str:
    """Everything that strangers are told who try all ways into a table of this game."""
    eve = await Seed(game, "Evelyn").connect(server)
    await eve.quiet()
    told = eve.heard.decode()
    await eve.close()
    wanda = await rig.enter(server, "Wanda")
    await wanda.send({"type": "list"}, {"type": "list", "game": game})
    for name in names:
        for kind in ("sit", "watch"):
            await wanda.send({"type": kind, "table": name})
            assert (await wanda.until("declined"))["code"] == "gone"
    await wanda.send({"type": "seek", "game": game})
    await wanda.until("seated")
    told += json.dumps(wanda.heard)
    await wanda.close()
    for path in ("tables", f"tables?game={game}", "matches", *(f"tables/{name}" for name in names)):
        told += (await get(server, f"/api/{path}"))[1]
    return told + server.house.metrics.page().decode()


@pytest.mark.parametrize("game", rig.spoken())
async def test_d11_strangers_do_not_find_a_private_table_through_any_protocol(
    tmp_path: Path, game: str
) -> None:
    async with rig.house(tmp_path, "http", "house", game) as server:
        anna, seated = await opened(server, "Anna", game, terms=PRIVATE, label="hideout")
        bruno, unnamed = await opened(server, "Bruno", game, terms=PRIVATE)
        names = ["table-1", "table-2", "private", "hideout", unnamed["table"]["label"]]
        told = await strangers(server, game, names)
        for secret in (seated["table"]["id"], unnamed["table"]["id"], "Anna", "Bruno", "hideout"):
            assert secret not in told
        # The seeker's table is the only public one, and is numbered so.
        assert "table-1" in told
        assert "table-3" not in told
        for one in (seated, unnamed):
            table = server.house.hall.tables.get(one["table"]["id"])
            assert table is not None
            assert table.info().names.count("") == 1
        # Whoever has the link is welcome.
        await joined(server, "Carla", seated["table"]["id"])
        await anna.until("view")
        await asyncio.gather(anna.close(), bruno.close())


async def test_d11_remote_callers_do_not_find_a_private_table(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "house", "shelfie-rpc") as server:
        anna, seated = await opened(server, "Anna", "shelfie", terms=PRIVATE)
        eve = await Remote(server).connect()
        await eve.call("Login", pb.LoginRequest(nickname="Eve"))
        await eve.until("num_players_request")
        assert "Anna" not in json.dumps(eve.seen)
        table = server.house.hall.tables.get(seated["table"]["id"])
        assert table is not None
        assert table.info().names == ("Anna", "")
        await eve.close()
        await anna.close()


async def test_d11_an_eriantys_client_selects_a_private_game_by_its_id_and_no_other_way(
    tmp_path: Path,
) -> None:
    async with rig.house(tmp_path, "house", "eriantys") as server:
        anna, seated = await opened(server, "Anna", "eriantys", terms=PRIVATE, label="hideout")
        mallory = await rig.connect(server, "eriantys")
        player = (await mallory.until("NotifyPlayerIdMessage"))["playerID"]
        for name in ("table-1", "hideout", "private"):
            await mallory.send({"type": "SelectGameMessage", "playerID": player, "gameName": name})
            await mallory.until("AskNewGameChoice")
        # Nor is the name refused for a game of one's own.
        info = {"gameName": "hideout", "gameMode": "Basic", "numPlayers": 2}
        await mallory.send({"type": "NewGameMessage", "playerID": player, "gameInfo": info})
        await mallory.until("AskNickname")
        assert "AskNewGameName" not in [message["type"] for message in mallory.heard]
        friend = await rig.connect(server, "eriantys")
        player = (await friend.until("NotifyPlayerIdMessage"))["playerID"]
        await friend.send(
            {"type": "SelectGameMessage", "playerID": player, "gameName": seated["table"]["id"]}
        )
        await friend.until("AskNickname")
        await asyncio.gather(anna.close(), mallory.close(), friend.close())


# Whispers.


async def test_d18_a_whisper_is_not_told_to_the_next_of_that_name(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "house") as server:
        anna, seated = await opened(server, "Anna")
        table = seated["table"]["id"]
        bruno, _ = await joined(server, "Bruno", table)
        heard = []
        for _ in range(2):
            zoe = await rig.enter(server, "Zoe")
            await zoe.send({"type": "watch", "table": table}, {"type": "list"})
            await zoe.until("tables")
            heard.append([message.get("text") for message in zoe.heard])
            if len(heard) == 1:
                await anna.send({"type": "say", "text": SECRET, "to": "Zoe"})
                await zoe.until("said")
            await zoe.close()
            async with asyncio.timeout(rig.PATIENCE_S):
                while any(guest.name == "Zoe" for guest in server.house.hall.guests):
                    await asyncio.sleep(0.01)
        assert SECRET not in heard[1]
        await asyncio.gather(anna.close(), bruno.close())


# Seats of protocols without tokens.


async def at_table(server: Server, game: str) -> tuple[Seed, Seed]:
    """Anna and Bruno play through the game's own protocol."""
    anna = await Seed(game, "Anna").connect(server)
    await anna.quiet()
    bruno = await Seed(game, "Bruno").connect(server)
    for one in (anna, bruno):
        await one.until(lambda one: one.caller.picture)
    return anna, bruno


def empty_chairs(server: Server) -> int:
    """At the oldest table of all."""
    return sum(chair.guest is None for _, chair in next(iter(server.house.hall.tables)).taken())


@pytest.mark.parametrize("game", rig.spoken())
async def test_d14_a_stranger_does_not_get_a_seat_by_its_owners_name(tmp_path: Path, game: str) -> None:
    async with rig.house(tmp_path, game) as server:
        people = await at_table(server, game)
    for one in people:
        await one.close()
    async with rig.house(tmp_path, game) as server:
        assert empty_chairs(server) == 2
        # Two, since Santorini asks for names only when a table is full.
        thieves = [await Seed(game, name, ELSEWHERE).connect(server) for name in ("Anna", "Bruno")]
        for thief in thieves:
            await thief.quiet()
        assert empty_chairs(server) == 2
        owners = [await Seed(game, name, HERE).connect(server) for name in ("Anna", "Bruno")]
        for owner in owners:
            await owner.until(lambda one: one.caller.picture)
        assert empty_chairs(server) == 0
        for one in thieves + owners:
            await one.close()


@pytest.mark.parametrize("more", [{"return_by_name": "never"}, {"require_tokens": True}])
async def test_d14_an_operator_can_refuse_names_altogether(tmp_path: Path, more: dict[str, Any]) -> None:
    async with rig.house(tmp_path, "multisweeper", **more) as server:
        people = await at_table(server, "multisweeper")
    for one in people:
        await one.close()
    async with rig.house(tmp_path, "multisweeper", **more) as server:
        anna = await (await Seed("multisweeper", "Anna").connect(server)).quiet()
        assert (anna.caller.picture, empty_chairs(server)) == ("", 2)
        await anna.close()


async def test_d14_an_operator_can_believe_everybody(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "multisweeper") as server:
        people = await at_table(server, "multisweeper")
    for one in people:
        await one.close()
    async with rig.house(tmp_path, "multisweeper", return_by_name="anyone") as server:
        anna = await Seed("multisweeper", "Anna", ELSEWHERE).connect(server)
        await anna.until(lambda one: one.caller.picture)
        await anna.close()


async def test_d14_the_seat_of_a_remote_caller_is_safe_too(tmp_path: Path) -> None:
    async def login(server: Server) -> Remote:
        remote = await Remote(server).connect()
        await remote.call("Login", pb.LoginRequest(nickname="Anna"))
        return remote

    async with rig.house(tmp_path, "shelfie", "shelfie-rpc") as server:
        anna = await login(server)
        await anna.until("num_players_request")
        await anna.call("NumPlayers", pb.NumPlayersResponse(numPlayers=2))
        bruno = await Seed("shelfie", "Bruno").connect(server)
        await anna.until("game_start")
    await anna.close()
    await bruno.close()
    async with rig.house(tmp_path, "shelfie", "shelfie-rpc") as server:
        thief = await (await Seed("shelfie", "Anna", ELSEWHERE).connect(server)).quiet()
        assert (thief.caller.picture, empty_chairs(server)) == ("", 2)
        anna = await login(server)
        await anna.until("game_start")
        await anna.close()
        await thief.close()


async def test_the_secret_of_a_house_is_for_nobody_else_and_stays(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "house"):
        secret = (tmp_path / "house.secret").read_bytes()
        assert len(secret) == 32
        assert (tmp_path / "house.secret").stat().st_mode & 0o777 == 0o600
    async with rig.house(tmp_path, "house"):
        assert (tmp_path / "house.secret").read_bytes() == secret
    (tmp_path / "house.secret").write_bytes(b"torn")
    async with rig.house(tmp_path, "house"):
        assert len((tmp_path / "house.secret").read_bytes()) == 32


# What is not durable yet.


async def test_d21_the_lists_of_tables_show_only_what_is_durable(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "http", "house") as server:
        anna, seated = await opened(server, "Anna")
        table = seated["table"]["id"]
        bruno = await rig.enter(server, "Bruno")
        blocker = sqlite3.connect(journal_in(tmp_path), isolation_level=None)
        blocker.execute("BEGIN IMMEDIATE")
        await bruno.send({"type": "sit", "table": table})
        async with asyncio.timeout(rig.PATIENCE_S):
            while server.house.hall.tables.find(table).phase == "open":
                await asyncio.sleep(0.01)
        paths = ("/api/tables", f"/api/tables/{table}", f"/api/tables/{table}/story")
        asking = [asyncio.create_task(get(server, path)) for path in paths]
        _, waiting = await asyncio.wait(asking, timeout=0.3)
        assert len(waiting) == 3
        blocker.execute("ROLLBACK")
        for answer in asking:
            status, text = await answer
            assert (status, "Bruno" in text, '"playing"' in text) == (200, True, True)
        blocker.execute("BEGIN IMMEDIATE")
        await anna.send({"type": "leave"})
        async with asyncio.timeout(rig.PATIENCE_S):
            while not server.house.trouble:
                await asyncio.sleep(0.01)
        for path in paths:
            assert (await get(server, path))[0] == 503
        blocker.execute("ROLLBACK")
        blocker.close()
        await bruno.until("over")
        assert '"over"' in (await get(server, "/api/tables"))[1]
        await asyncio.gather(anna.close(), bruno.close())
