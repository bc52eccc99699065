"""SIGHUP: a renewed certificate and a few settings are taken up while people play."""

import asyncio
import os
import signal
import ssl
from pathlib import Path

import aiohttp
import pytest
from tests import rig

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
            assert server.reload(changed) == ["connections_max"]
            assert server.settings.connections_max != 7
            async with web.get("/healthz", headers=headers) as answer:
                assert answer.status == 200


async def test_a_house_without_tls_does_not_begin_with_it_while_it_runs(tmp_path: Path) -> None:
    async with rig.house(tmp_path / "data", "house") as server:
        shown = rig.certificate(tmp_path)
        changed = rig.settings(tmp_path / "data", "house", tls_cert=str(shown))
        assert server.reload(changed) == ["tls_cert"]
        assert (await rig.enter(server, "Ann")) is not None


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
