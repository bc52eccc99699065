"""The documentation as the house serves it, at /docs: whole, under the house's policy, and below any path."""

import re
import tempfile
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from tests.server.test_http import site

from ludoteca.server import files

SITE = Path(str(files.SITE))
NAMED = re.compile(r'(?:href|src|action)="([^"]*)"')
IDS = re.compile(r'\bid="([^"]*)"')
built = pytest.mark.skipif(not (SITE / "index.html").is_file(), reason="not built: make site builds it")


@pytest.fixture
def no_site() -> Iterator[None]:
    """A house that was built without it."""
    with tempfile.TemporaryDirectory() as folder:
        former, files.SITE = files.SITE, Path(folder) / "none"
        for one in (files._files, files._versions):
            one.cache_clear()
        try:
            yield
        finally:
            files.SITE = former
            for one in (files._files, files._versions):
                one.cache_clear()


@built
@pytest.mark.parametrize("base", ["", "/club/games"])
async def test_the_documentation_is_read_at_docs_below_any_path(tmp_path: Path, base: str) -> None:
    async with site(tmp_path, base_path=base) as (_, web):
        async with web.get(f"{base}/docs") as answer:
            assert (answer.status, answer.url.path) == (200, f"{base}/docs/")
            page = await answer.text()
        assert "default-src 'self'" in answer.headers["Content-Security-Policy"]
        assert "<title>Ludoteca" in page
        for path in ("hosting.html", "protocols/rest.html", "protocols/messages.html", "_static/site.css"):
            async with web.get(f"{base}/docs/{path}", headers={"Accept-Encoding": "gzip"}) as answer:
                assert answer.status == 200
                assert answer.headers["ETag"]
                assert answer.headers["Content-Encoding"] == "gzip"
        for path in ("nothing.html", "nothing", "../page/index.html", "index.html.gz", "hosting"):
            async with web.get(f"{base}/docs/{path}", headers={"Accept": "*/*"}) as answer:
                assert (answer.status, path) in ((404, path), (200, "../page/index.html"))


@pytest.mark.slow
async def test_a_house_without_its_documentation_says_so(tmp_path: Path, no_site: None) -> None:
    async with site(tmp_path) as (_, web):
        for path in ("/docs", "/docs/", "/docs/hosting.html"):
            async with web.get(path) as answer:
                assert answer.status == 404
                assert "built without its documentation" in (await answer.json())["reason"]


@built
def test_every_page_obeys_the_policy_and_every_link_in_it_leads_somewhere() -> None:
    pages = {path: path.read_text() for path in SITE.rglob("*.html")}
    assert len(pages) > 40
    ids = {path: {unescape(one) for one in IDS.findall(text)} for path, text in pages.items()}
    for path, text in pages.items():
        assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)|javascript:", text), path
        for target in map(unescape, NAMED.findall(text)):
            if target.startswith(("http://", "https://")):
                assert "<script" not in text.partition(target)[0][-80:]
                continue
            parts = urlsplit(target)
            meant = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            assert meant.is_file(), f"{path.relative_to(SITE)}: {target}"
            if parts.fragment and meant.suffix == ".html" and parts.fragment not in ids[meant]:
                assert parts.fragment == "content" or f'id="{parts.fragment}"' in pages[meant], target


@built
def test_the_interfaces_are_told_message_by_message() -> None:
    rest = (SITE / "protocols/rest.html").read_text()
    messages = (SITE / "protocols/messages.html").read_text()
    assert "/api/v1/matches/{id}/replay" in rest
    assert 'id="refusal"' in rest
    assert all(f'id="{name}"' in messages for name in ("hello", "act", "question", "welcome"))
