"""REST: its OpenAPI document, its versions, what clients may keep, and what pages of other sites may read."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import jsonschema
import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator
from tests import rest, rig
from tests.server.test_http import site
from tests.server.test_stopping import ludoteca

from ludoteca.server.openapi import openapi
from ludoteca.server.serve import Server

ELSEWHERE = {"Origin": "https://elsewhere.example"}


@contextlib.asynccontextmanager
async def played(folder: Path) -> AsyncIterator[tuple[Server, aiohttp.ClientSession, str, str]]:
    """A house with a match that is over and one that is being played; their ids."""
    async with site(folder, "house") as (server, web):
        tables = []
        for number in range(2):
            ada, bruno = await rig.enter(server, f"Ada{number}"), await rig.enter(server, f"Bruno{number}")
            await ada.send({"type": "open", "game": "multisweeper", "seats": 2})
            tables.append((await ada.until("seated"))["table"]["id"])
            await bruno.send({"type": "sit", "table": tables[-1]})
            await bruno.until("view")
            if number == 0:
                await ada.send({"type": "leave"})
                await bruno.until("over")
                await bruno.send({"type": "leave"})
        async with asyncio.timeout(rig.PATIENCE_S):
            while (await web.get(f"/api/v1/matches/{tables[0]}")).status != 200:
                await asyncio.sleep(0.02)
        yield server, web, tables[0], tables[1]


def paths(over: str, running: str) -> list[str]:
    """Every path of the document, filled in."""
    found = []
    for path in openapi()["paths"]:
        if path.endswith(rest.OWN):
            continue  # tests/server/test_hosting.py
        table = running if "/tables/" in path else over
        found.append(path.replace("{id}", table).replace("{game}", "santorini"))
    return found


@pytest.mark.slow
def test_the_openapi_document_passes_the_validator() -> None:
    OpenAPIV31SpecValidator(openapi()).validate()


@pytest.mark.slow
def test_the_command_line_prints_the_document_for_the_house_alone() -> None:
    assert json.loads(ludoteca("protocol", "house", "--openapi").stdout) == openapi()
    refused = ludoteca("protocol", "santorini", "--openapi")
    assert (refused.returncode, "OpenAPI" in refused.stderr) == (1, True)


@pytest.mark.slow
async def test_the_document_has_every_path_that_is_served_and_no_other(tmp_path: Path) -> None:
    async with site(tmp_path) as (server, _):
        (app,) = (runner.app for runner in server._runners if "/ws" in _served(runner.app))
        shown = {
            path for path, item in openapi()["paths"].items() if path.startswith("/api/v1") and "get" in item
        }
        assert {path for path in _served(app) if path.startswith("/api/v1")} == shown
        old = {path.replace("/api/v1", "/api") for path in shown}
        assert {path for path in _served(app) if path.startswith("/api/") and "/v1" not in path} >= old


def _served(app: Any) -> set[str]:
    return {route.resource.canonical for route in app.router.routes() if route.method == "GET"}


@pytest.mark.slow
async def test_every_path_answers_as_the_document_says_and_the_old_ones_the_same(tmp_path: Path) -> None:
    async with played(tmp_path) as (_, web, over, running):
        for path in paths(over, running):
            async with web.get(path) as answer:
                assert answer.status == 200, path
                body = await answer.read()
            async with web.get(path.replace("/api/v1", "/api")) as answer:
                assert (answer.status, await answer.read()) == (200, body), path


@pytest.mark.slow
async def test_what_has_not_changed_is_not_sent_again(tmp_path: Path) -> None:
    async with played(tmp_path) as (_, web, over, running):
        tagged = [path for path in paths(over, running) if "/tables/" not in path and path != "/healthz"]
        assert len(tagged) == 10
        for path in tagged:
            tags = set()
            for encoding in ("gzip", "identity"):
                headers = {"Accept-Encoding": encoding}
                async with web.get(path, headers=headers) as answer:
                    tag = answer.headers["ETag"]
                    assert answer.headers["Cache-Control"] == "no-cache"
                    assert await answer.read()
                tags.add(tag)
                for known in (tag, f'"x", W/{tag}', "*"):
                    async with web.get(path, headers={**headers, "If-None-Match": known}) as answer:
                        assert (answer.status, await answer.read(), answer.headers["ETag"]) == (304, b"", tag)
                async with web.head(path, headers=headers) as answer:
                    assert (answer.status, answer.headers["ETag"]) == (200, tag)
                for other in ('"x"', tag.strip('"'), '"', ",,,,", "W/", '"' * 4000, '"x",' * 1500):
                    async with web.get(path, headers={**headers, "If-None-Match": other}) as answer:
                        assert answer.status == 200, other
            # What is packed and what is not are two things, which no cache may take for each other.
            assert len(tags) == (2 if path.endswith(("record", "replay", "decisive")) else 1), path


async def test_a_list_that_changed_has_another_tag(tmp_path: Path) -> None:
    async with site(tmp_path, "house") as (server, web):
        async with web.get("/api/v1/tables") as answer:
            before = answer.headers["ETag"]
        ada = await rig.enter(server, "Ada")
        await ada.send({"type": "open", "game": "santorini", "seats": 2})
        await ada.until("seated")
        async with asyncio.timeout(rig.PATIENCE_S):
            while True:
                async with web.get("/api/v1/tables", headers={"If-None-Match": before}) as answer:
                    if answer.status == 200 and await answer.json():
                        break
                await asyncio.sleep(0.02)


@pytest.mark.slow
async def test_a_story_that_goes_on_is_kept_by_nobody(tmp_path: Path) -> None:
    async with played(tmp_path) as (_, web, _over, running):
        for path in (f"/api/v1/tables/{running}", f"/api/v1/tables/{running}/story"):
            async with web.get(path, headers={"If-None-Match": "*"}) as answer:
                assert (answer.status, answer.headers["Cache-Control"]) == (200, "no-store")
                assert "ETag" not in answer.headers


@pytest.mark.slow
async def test_pages_of_other_sites_may_read_and_nothing_else(tmp_path: Path) -> None:
    async with played(tmp_path) as (_, web, over, running):
        for path in (
            *paths(over, running),
            "/api/v1/none",
            "/api/v1/matches/none",
            "/api/v1/matches?count=x",
        ):
            for method in ("GET", "HEAD"):
                async with web.request(method, path, headers=ELSEWHERE) as answer:
                    allowed = answer.headers.get("Access-Control-Allow-Origin")
                    assert allowed == ("*" if path.startswith("/api/") else None), path
            for method in ("POST", "PUT", "DELETE", "PATCH"):
                async with web.request(method, path, headers=ELSEWHERE) as answer:
                    assert answer.status == 405
                    assert not _permissions(answer)
        for path in ("/", "/healthz", "/metrics"):
            async with web.get(path, headers=ELSEWHERE) as answer:
                assert not _permissions(answer), path


def _permissions(answer: aiohttp.ClientResponse) -> list[str]:
    return [name for name in answer.headers if name.lower().startswith("access-control-")]


async def test_a_page_of_another_site_may_not_send_a_token_nor_credentials(tmp_path: Path) -> None:
    asks = {
        **ELSEWHERE,
        "Access-Control-Request-Method": "DELETE",
        "Access-Control-Request-Headers": "authorization, if-none-match",
        "Access-Control-Request-Private-Network": "true",
    }
    async with site(tmp_path) as (_, web):
        async with web.options("/api/v1/tables/x/story", headers=asks) as answer:
            assert answer.status == 204
            assert {name: answer.headers[name] for name in _permissions(answer)} == {
                "Access-Control-Allow-Origin": "*",
                "Access-Control-Allow-Methods": "GET, HEAD",
                "Access-Control-Allow-Headers": "If-None-Match",
                "Access-Control-Max-Age": "86400",
            }
        for path in ("/", "/healthz", "/ws", "/metrics"):
            async with web.options(path, headers=asks) as answer:
                assert (answer.status, _permissions(answer)) == (405, []), path


@pytest.mark.slow
async def test_a_page_of_another_site_that_reads_may_still_not_play(tmp_path: Path) -> None:
    async with site(tmp_path) as (_, web):
        async with web.get("/api/v1/tables", headers=ELSEWHERE) as answer:
            assert answer.status == 200
        for game in ("", *(f"/{name}" for name in rig.spoken())):
            with pytest.raises(aiohttp.WSServerHandshakeError, match="403"):
                await web.ws_connect(f"/ws{game}", headers=ELSEWHERE)


async def test_a_name_that_is_not_the_houses_is_refused_to_readers_too(tmp_path: Path) -> None:
    named = {**ELSEWHERE, "Host": "evil.example"}
    async with site(tmp_path) as (_, web), web.get("/api/v1/tables", headers=named) as answer:
        assert (answer.status, (await answer.json())["error"]) == (421, "host")


@pytest.mark.parametrize(
    ("status", "body", "headers"),
    [
        (200, b'[{"id":"x"}]', {"etag": '"x"'}),
        (200, b"[]", {}),
        (200, b"{}", {"etag": '"x"'}),
        (304, b"[]", {"etag": '"x"'}),
        (429, b'{"error":"rate"}', {}),
        (302, b"", {}),
        (200, b"[]", {"etag": '"x"', "access-control-allow-credentials": "true"}),
    ],
)
def test_what_compares_answers_notices_a_wrong_one(status: int, body: bytes, headers: dict[str, str]) -> None:
    known = {"content-type": "application/json", "access-control-allow-origin": "*"}
    right = rest.Answer("GET", "/api/tables", 200, known | {"etag": '"x"'}, b"[]")
    rest.compare(right)
    with pytest.raises((AssertionError, jsonschema.ValidationError)):
        rest.compare(right._replace(status=status, body=body, headers=known | headers))
