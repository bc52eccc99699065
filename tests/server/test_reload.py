"""SIGHUP: a renewed certificate and a few settings are taken up while people play."""

import asyncio
import os
import signal
import ssl
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from tests import rig

from ludoteca.core import Refused
from ludoteca.hall import acts
from ludoteca.server.settings import SettingsError

LISTENERS = ("http", "house", "shelfie-rpc")


@pytest.mark.slow
async def test_a_renewed_certificate_is_shown_and_nobody_loses_his_connection(tmp_path: Path) -> None:
    shown = rig.certificate(tmp_path)
    first = _public(shown)
    house = rig.Process(tmp_path / "data", *LISTENERS, tls_cert=str(shown))
    house.log_level = "info"
    await house.start(stderr=asyncio.subprocess.PIPE)
    try:
        trusting = ssl._create_unverified_context()
        host, port = house.addresses["house"]
        ann = rig.Client(*await asyncio.open_connection(host, port, ssl=trusting))
        await ann.send({"type": "hello", "name": "Ann"})
        await ann.until("welcome")
        assert {await _shown(house, name) for name in LISTENERS} == {first}

        rig.certificate(tmp_path)
        second = _public(shown)
        assert second != first
        assert await _hangup(house) == "reloaded"
        assert {await _shown(house, name) for name in LISTENERS} == {second}
        await ann.send({"type": "ping"})
        await ann.until("pong")

        # A key that belongs to another certificate: half a renewal must not take the house down.
        shown.write_text(first + shown.read_text().partition("-----END CERTIFICATE-----\n")[2])
        assert "not reloaded" in await _hangup(house)
        assert {await _shown(house, name) for name in LISTENERS} == {second}
        await ann.close()
    finally:
        await house.kill()


async def test_names_and_origins_are_reread_and_the_rest_waits_for_a_start(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "http") as server:
        _, port = server.addresses["http"]
        headers = {"Host": "games.example"}
        async with aiohttp.ClientSession(f"http://127.0.0.1:{port}") as web:
            async with web.get("/healthz", headers=headers) as answer:
                assert answer.status == 421
            changed = rig.settings(tmp_path, "http", hosts=["games.example"], connections_max=7)
            assert await server.reload(changed) == ["connections_max"]
            assert server.settings.connections_max != 7
            async with web.get("/healthz", headers=headers) as answer:
                assert answer.status == 200


@pytest.mark.slow
async def test_a_house_without_tls_does_not_begin_with_it_while_it_runs(tmp_path: Path) -> None:
    async with rig.house(tmp_path / "data", "house") as server:
        shown = rig.certificate(tmp_path)
        changed = rig.settings(tmp_path / "data", "house", tls_cert=str(shown))
        assert await server.reload(changed) == ["tls_cert"]
        assert (await rig.enter(server, "Ann")) is not None


@pytest.mark.slow
async def test_the_door_is_reread_and_holds_for_those_who_come_then(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "house", "multisweeper") as server:
        keeping = server.house.hall.keeping
        ada = await rig.enter(server, "Ada")

        async def reread(**said: Any) -> list[str]:
            return await server.reload(rig.settings(tmp_path, "house", "multisweeper", **said))

        async def stranger() -> str:
            bruno = await rig.connect(server, "house")
            await bruno.send({"type": "hello", "name": "Bruno"})
            return str((await bruno.message() or {}).get("type"))

        door = {"door": "password", "password": "lemon", "house_name": "the club", "exempt": ["multisweeper"]}
        assert await reread(**door) == []
        assert (keeping.door, keeping.pinned) == ("password", frozenset({"door", "password"}))
        assert await stranger() == "declined"
        # Nobody is turned out by it, and who comes by an exempt listener comes in.
        await ada.send({"type": "ping"})
        await ada.until("pong")
        assert server.house.role("multisweeper") == "member"
        with pytest.raises(Refused, match="settings"):
            await server.desk.do("Irene", acts.Door("open"))

        # Again, all the same: nothing new is noted, and keys that the password gave stay good.
        noted, key = len(keeping.log), await server.desk.enter("127.0.0.9", password="lemon")
        assert await reread(**door) == []
        assert (len(keeping.log), server.house.role("house", key)) == (noted, "member")
        assert await reread(**{**door, "password": "melon"}) == []
        assert server.house.role("house", key) == "guest"

        # What the settings say no more is as it was, and a host's to change.
        assert await reread() == []
        assert (keeping.door, keeping.pinned, server.house.role("multisweeper")) == (
            "password",
            frozenset(),
            "guest",
        )
        await server.desk.do("Irene", acts.Door("open"))
        assert await stranger() == "welcome"


async def test_what_cannot_be_leaves_the_door_as_it_was(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "house", hosts=["one.example"]) as server:
        for said in ({"door": "password"}, {"door": "invitation", "exempt": ["santa"]}):
            wrong = rig.settings(tmp_path, "house", hosts=["two.example"], **said)
            with pytest.raises(SettingsError):
                await server.reload(wrong)
            assert server.house.hall.keeping.door == "open"
            assert server.house.hall.keeping.pinned == frozenset()
            assert server.settings.hosts == ["one.example"]


@pytest.mark.slow
async def test_a_file_that_shuts_the_door_shuts_it_at_a_hangup(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text('names = ["Ada"]\n')
    house = rig.Process(tmp_path / "data", "house")
    house.log_level, house.config = "info", file
    await house.start(stderr=asyncio.subprocess.PIPE)
    try:
        assert await _door(house) == "welcome"
        file.write_text('door = "invitation"\n')
        assert await _hangup(house) == "reloaded"
        assert await _door(house) == "declined"
        file.write_text('door = "ajar"\n')
        assert await _hangup(house) == "not reloaded"
        # Two at once are done one after the other, and the last word holds.
        file.write_text('door = "open"\n')
        os.kill(house.pid, signal.SIGHUP)
        assert await _hangup(house) == "reloaded"
        assert await _door(house) == "welcome"
    finally:
        await house.kill()


async def _door(house: rig.Process) -> str:
    """What somebody hears who comes without a key."""
    ann = rig.Client(*await asyncio.open_connection(*house.addresses["house"]))
    await ann.send({"type": "hello", "name": "Ann"})
    heard = await ann.message() or {}
    await ann.close()
    return str(heard.get("type"))


def _public(file: Path) -> str:
    head, end, _ = file.read_text().partition("-----END CERTIFICATE-----\n")
    return head + end


async def _shown(house: rig.Process, listener: str) -> str:
    return await asyncio.to_thread(ssl.get_server_certificate, house.addresses[listener], timeout=10)


async def _hangup(house: rig.Process) -> str:
    """What the house says about a SIGHUP."""
    errors = house.errors
    os.kill(house.pid, signal.SIGHUP)
    async with asyncio.timeout(rig.PATIENCE_S):
        while b"reload" not in (line := await errors.readline()):
            assert line
    return "not reloaded" if b"not reloaded" in line else "reloaded"
