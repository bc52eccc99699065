"""The page's files over HTTP: packed, kept as long as they hold, and shown to whoever is sent a link."""

import gzip
import html
import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from tests import rig
from tests.server.test_http import site

from ludoteca.server import files, settings

ROOT = Path(__file__).parents[2]
FIRST_LOAD_BYTES_MAX = 70_000
WISHES = {"br": "br, gzip", "gzip": "gzip;q=0.5, br;q=0", "": "identity, br;q=0.000, gzip; q=0"}

pytestmark = pytest.mark.skipif(
    not (files.PAGE / "index.html").is_file(), reason="the page is not built: make test builds it"
)


def references() -> list[str]:
    """What the page loads before it shows anything."""
    index = (files.PAGE / "index.html").read_text()
    return re.findall(r'(?:src|href)="\./(assets/[^"]+)"', index)


def facts(page: str) -> dict[str, str]:
    """What the page says about itself to those who show a link to it."""
    found = re.findall(r'<meta property="(og:[^"]+)" content="([^"]*)" />', page)
    return {name: html.unescape(value) for name, value in found}


@pytest.mark.slow
@pytest.mark.parametrize("packing", WISHES)
async def test_every_file_comes_as_the_client_can_unpack_it_and_is_the_same(
    tmp_path: Path, packing: str
) -> None:
    async with site(tmp_path) as (_, web):
        for path in (*references(), "sw.js", "manifest.webmanifest"):
            plain = (files.PAGE / path).read_bytes()
            headers = {"Accept-Encoding": WISHES[packing]}
            async with web.get(f"/{path}", headers=headers, auto_decompress=False) as answer:
                body = await answer.read()
            expected = packing if (files.PAGE / f"{path}.gz").is_file() else ""
            assert answer.headers.get("Content-Encoding", "") == expected, path
            if expected:
                assert answer.headers["Vary"] == "Accept-Encoding"
                assert len(body) < len(plain)
            if expected == "gzip":
                body = gzip.decompress(body)
            # What was packed with brotli is unpacked by the browser, in tests/browser/test_app.py.
            assert body == plain or expected == "br", path


@pytest.mark.slow
async def test_what_is_named_by_its_content_is_kept_for_ever_and_everything_else_is_asked_for(
    tmp_path: Path,
) -> None:
    async with site(tmp_path) as (_, web):
        async with web.get(f"/{references()[0]}") as answer:
            assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        for path in ("/", "/table/nowhere", "/sw.js", "/manifest.webmanifest", "/icon.svg", "/preview.png"):
            tags = set()
            for wish in WISHES.values():
                headers = {"Accept-Encoding": wish}
                async with web.get(path, headers=headers, auto_decompress=False) as answer:
                    assert (answer.status, answer.headers["Cache-Control"]) == (200, "no-cache"), path
                    tag = answer.headers["ETag"]
                    tags.add((tag, answer.headers.get("Content-Encoding", "")))
                async with web.get(path, headers={**headers, "If-None-Match": tag}) as again:
                    assert (again.status, await again.read()) == (304, b""), path
                    assert again.headers["ETag"] == tag
                async with web.get(
                    path, headers={**headers, "If-None-Match": '"other"'}, auto_decompress=False
                ) as other:
                    assert other.status == 200
            assert len({tag for tag, _ in tags}) == len({packing for _, packing in tags}), (
                "a tag for each packing"
            )


@pytest.mark.slow
async def test_packed_files_are_no_pages_of_their_own(tmp_path: Path) -> None:
    async with site(tmp_path) as (_, web):
        for path in (f"{references()[0]}.gz", f"{references()[0]}.br", "index.html.gz", "sw.js.br"):
            async with web.get(f"/{path}") as answer:
                assert answer.status == 404, path


@pytest.mark.parametrize(
    ("wish", "taken"),
    [
        ("", False),
        ("gzip", True),
        ("GZIP ; q=1.0", True),
        ("x-gzip", False),
        ("gzip;q=0.", False),
        (",;q=,gzip", True),
    ],
)
def test_a_client_is_taken_at_its_word(wish: str, taken: bool) -> None:
    assert files.accepts({"Accept-Encoding": wish}, "gzip") is taken


@pytest.mark.slow
async def test_a_link_says_what_it_leads_to_under_the_name_that_it_was_asked_for(tmp_path: Path) -> None:
    async with site(tmp_path, hosts=["games.example"]) as (_, web):
        async with web.get("/", headers={"Host": "games.example:8080"}) as answer:
            found = facts(await answer.text())
        assert found["og:url"] == "http://games.example:8080/"
        assert found["og:image"] == "http://games.example:8080/preview.png"
        assert found["og:description"]
        headers = {"Host": "games.example", "X-Forwarded-Proto": "https"}
        async with web.get("/rules/santorini", headers=headers) as answer:
            assert facts(await answer.text())["og:image"] == "https://games.example/preview.png"
        async with web.get("/preview.png") as answer:
            assert answer.content_type == "image/png"


async def test_a_link_to_a_table_names_its_game_and_who_is_there(tmp_path: Path) -> None:
    async with site(tmp_path, "house") as (server, web):
        anna = await rig.enter(server, '<Anna> "&')
        terms = {"private": True}
        await anna.send({"type": "open", "game": "santorini", "seats": 3, "terms": terms})
        table = (await anna.until("seated"))["table"]["id"]
        async with web.get(f"/table/{table}") as answer:
            page = await answer.text()
        found = facts(page)
        assert "<Anna>" not in page
        assert found["og:title"] == "Santorini · Ludoteca"
        assert found["og:description"] == '<Anna> "& would like to play Santorini with you.'
        assert found["og:url"].endswith(f"/table/{table}")
        async with web.get("/table/nowhere") as answer:
            assert facts(await answer.text())["og:title"] == "Ludoteca"


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/club/games", "/club/games/"])
async def test_a_house_below_a_path_answers_there_and_to_proxies_that_cut_it_off(
    tmp_path: Path, path: str
) -> None:
    async with site(tmp_path, base_path=path) as (_, web):
        for base in ("/club/games", ""):
            async with web.get(f"{base}/table/nowhere") as answer:
                page = await answer.text()
            assert facts(page)["og:url"].endswith("/club/games/")
            assert facts(page)["og:image"].endswith("/club/games/preview.png")
            named = re.findall(r'(?:src|href)="([^"]*)"', page)
            assert {one for one in named if not one.startswith("/club/games/")} == set()
            assert len(named) > 5
            for one in named:
                async with web.get(one.removeprefix("/club/games") if not base else one) as answer:
                    assert answer.status == 200
            async with web.get(f"{base}/api/v1/openapi.json") as answer:
                assert (await answer.json())["servers"][0]["url"] == "/club/games"
                assert answer.headers["Access-Control-Allow-Origin"] == "*"
            async with web.get(f"{base}/api/v1/tables?game=santorini") as answer:
                assert await answer.json() == []
            async with web.ws_connect(f"{base}/ws") as socket:
                await socket.send_json({"type": "hello", "name": "Ann"})
                assert (await socket.receive_json())["type"] == "welcome"
        async with web.get("/club/games") as answer:
            assert "<html" in await answer.text()
        # The name of another house beside it is no path below this one.
        async with web.get("/club/games2/api/v1/tables") as answer:
            assert "<html" in await answer.text()
        async with web.get("/club/games/club/games/healthz") as answer:
            assert "<html" in await answer.text()


@pytest.mark.parametrize(
    "path", ["games", "/a//b", "/..", "/a/../b", "/a b", "/<b>", "/a?b", '/"', "/" + "a" * 300]
)
def test_what_is_no_path_is_refused_in_plain_words(path: str) -> None:
    with pytest.raises(settings.SettingsError, match="base_path cannot be"):
        settings.load(None, {}, {"base_path": path})


# What the page asks for or links to is below the house, wherever that is: `url("/rules/x")` says where.
ROOTED = re.compile(
    r"""(?:href|src|action)=["'{`]*/|(?:fetch|open|register|WebSocket)\(["'`]/"""
    r"""|location\.pathname [!=]==? [`"']"""
)


def test_no_part_of_the_page_believes_that_the_house_is_at_the_root() -> None:
    sources = [
        *(ROOT / "web/src").rglob("*"),
        *(ROOT / "src/ludoteca/games").glob("*/web/**/*"),
        ROOT / "web/sw.js",
    ]
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in sources
        if path.suffix in (".ts", ".svelte", ".js") and "node_modules" not in path.parts
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if ROOTED.search(line)
    ]
    assert found == []


async def test_no_name_that_a_house_is_called_by_becomes_markup(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "http", hosts=["*"]) as server:
        client = await rig.connect(server, "http")
        await client.send(b'GET / HTTP/1.1\r\nHost: a"><script>x\r\nConnection: close\r\n\r\n')
        page = "\n".join(await client.rest())
        assert "<script>x" not in page
        assert "&quot;&gt;&lt;script&gt;x/preview.png" in page


@pytest.mark.slow
async def test_the_names_of_a_house_are_not_kept_without_end(tmp_path: Path) -> None:
    async with site(tmp_path) as (_, web):
        for number in range(files.PREVIEWS_MAX + 8):
            async with web.get("/", headers={"Host": f"127.0.0.1:{number + 1}"}) as answer:
                assert answer.status == 200
    assert files._with_preview.cache_info().currsize <= files.PREVIEWS_MAX


def test_the_first_look_is_within_its_budget() -> None:
    sizes = {path: len((files.PAGE / f"{path}.gz").read_bytes()) for path in references() if is_packed(path)}
    assert sum(sizes.values()) + len((files.PAGE / "index.html").read_bytes()) <= FIRST_LOAD_BYTES_MAX, sizes


def is_packed(path: str) -> bool:
    """All but the smallest."""
    return (files.PAGE / f"{path}.gz").is_file() or len((files.PAGE / path).read_bytes()) > 1000


def test_the_app_can_be_installed() -> None:
    manifest = json.loads((files.PAGE / "manifest.webmanifest").read_text())
    # From where the manifest is, so that it holds below any path; without an id that is what names the app.
    assert manifest["start_url"] == manifest["scope"] == "./"
    assert "id" not in manifest
    assert manifest["display"] == "standalone"
    for icon in manifest["icons"]:
        picture = (files.PAGE / icon["src"]).read_bytes()
        if icon["type"] == "image/png":
            width, height = (int.from_bytes(picture[at : at + 4], "big") for at in (16, 20))
            assert icon["sizes"] == f"{width}x{height}"
    assert {"192x192", "512x512"} <= {icon["sizes"] for icon in manifest["icons"]}


@pytest.mark.slow
def test_the_wheel_has_the_page_packed_and_unpacked(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=300)
    (wheel,) = tmp_path.glob("*.whl")
    packed = set(zipfile.ZipFile(wheel).namelist())
    built = {
        path.relative_to(ROOT / "src").as_posix()
        for path in Path(str(files.PAGE)).rglob("*")
        if path.is_file()
    }
    assert built <= packed
    for name in ("sw.js", "sw.js.gz", "manifest.webmanifest", "icon-512.png", "preview.png", "index.html"):
        assert f"ludoteca/server/page/{name}" in packed
