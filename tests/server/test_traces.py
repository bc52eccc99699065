"""Traces, metrics and log lines: a collector of our own gets spans, each request has a name, and nothing says
who it was."""

import asyncio
import contextlib
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import structlog
from aiohttp import web
from tests import rig
from tests.server.test_http import site

from ludoteca.server import traces as tracing
from ludoteca.server.latency import BOUNDS, Latencies
from ludoteca.server.metrics import Metrics
from ludoteca.server.traces import Traces

BOT = {"type": "bot", "level": "random"}


class Receiver:
    """Takes OTLP over HTTP, as a collector does."""

    def __init__(self) -> None:
        self.bodies: list[dict[str, Any]] = []
        self.status = 200
        self.url = ""

    @property
    def spans(self) -> list[dict[str, Any]]:
        return [
            span
            for body in self.bodies
            for resource in body["resourceSpans"]
            for scope in resource["scopeSpans"]
            for span in scope["spans"]
        ]

    async def take(self, request: web.Request) -> web.Response:
        assert request.content_type == "application/json"
        self.bodies.append(await request.json())
        return web.json_response({}, status=self.status)


@contextlib.asynccontextmanager
async def receiver() -> AsyncIterator[Receiver]:
    taken = Receiver()
    app = web.Application()
    app.add_routes([web.post("/v1/traces", taken.take)])
    runner = web.AppRunner(app)
    await runner.setup()
    try:
        place = web.TCPSite(runner, "127.0.0.1", 0)
        await place.start()
        taken.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        yield taken
    finally:
        await runner.cleanup()


def facts(span: dict[str, Any]) -> dict[str, Any]:
    return {one["key"]: next(iter(one["value"].values())) for one in span["attributes"]}


@pytest.mark.slow
async def test_requests_moves_commits_and_thoughts_reach_a_collector_and_name_nobody(tmp_path: Path) -> None:
    async with receiver() as taken:
        more: dict[str, Any] = {"traces": taken.url, "bot_workers": 0, "bot_s": 0.01}
        async with site(tmp_path, "house", **more) as (server, http):
            parent = "00-" + "a" * 32 + "-" + "b" * 16 + "-01"
            async with http.get("/api/v1/tables", headers={"traceparent": parent}) as answer:
                assert answer.status == 200
            async with http.get("/api/v1/matches/secret-table") as answer:
                assert answer.status == 404
            ann = await rig.enter(server, "Annamaria")
            await ann.send({"type": "open", "game": "santorini", "seats": 2, "terms": {"private": True}}, BOT)
            table = (await ann.until("seated"))["table"]["id"]
            question = await ann.until("question")
            await ann.send({"type": "act", "action": question["options"][0], "at": question["number"]})
            await ann.until("events")
            await ann.close()
        spans = taken.spans
    names = {span["name"] for span in spans}
    assert {"GET /api/v1/tables", "GET /api/v1/matches/{id}", "store", "move"} <= names
    move = next(span for span in spans if span["name"] == "move")
    assert facts(move) == {"ludoteca.game": "santorini", "ludoteca.protocol": "house"}
    for span in spans:
        assert re.fullmatch("[0-9a-f]{32}", span["traceId"])
        assert re.fullmatch("[0-9a-f]{16}", span["spanId"])
        assert int(span["startTimeUnixNano"]) <= int(span["endTimeUnixNano"])
        # A stranger does not join our traces: nobody trusts this one.
        assert "parentSpanId" not in span
    told = json.dumps(taken.bodies)
    assert not [secret for secret in ("Annamaria", table, "secret-table", "127.0.0.1") if secret in told]


@pytest.mark.slow
async def test_a_trusted_proxy_continues_its_trace_and_names_its_requests(tmp_path: Path) -> None:
    async with receiver() as taken:
        more: dict[str, Any] = {"traces": taken.url, "trusted_proxies": ["127.0.0.1"]}
        async with site(tmp_path, **more) as (_, http):
            parent = "00-" + "a" * 32 + "-" + "b" * 16 + "-01"
            headers = {"traceparent": parent, "X-Request-Id": "from-nginx.1", "X-Forwarded-For": "10.0.0.1"}
            async with http.get("/healthz", headers=headers) as answer:
                assert answer.headers["X-Request-Id"] == "from-nginx.1"
            for bad in ("a b", "<script>", "x" * 65, ""):
                async with http.get("/healthz", headers={"X-Request-Id": bad}) as answer:
                    assert re.fullmatch("[0-9a-f]{16}", answer.headers["X-Request-Id"])
            async with http.get("/healthz", headers={"traceparent": "00-zz-" + "1" * 500}) as answer:
                assert answer.status == 200
    assert (taken.spans[0]["traceId"], taken.spans[0]["parentSpanId"]) == ("a" * 32, "b" * 16)
    assert all("parentSpanId" not in span for span in taken.spans[1:])


@pytest.mark.slow
async def test_a_collector_that_is_gone_or_says_no_is_nobodys_trouble(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tracing, "PAUSE_S", 0.02)
    monkeypatch.setattr(tracing, "SPANS_MAX", 10)
    async with receiver() as taken:
        taken.status = 503
        metrics = Metrics()
        spans = Traces(taken.url, 1.0, metrics)
        for _ in range(3):
            spans.span("x", 1, 2, {})
            await asyncio.sleep(0.1)
        # More than there is room for: the rest is dropped at once.
        for _ in range(50):
            spans.span("x", 1, 2, {})
        assert len(spans._spans) <= 10
        await spans.close()
    assert metrics.spans_dropped._value.get() == 53
    gone = Traces("http://127.0.0.1:1", 1.0, metrics)
    gone.span("x", 1, 2, {})
    await gone.close()
    said = capfd.readouterr()
    assert (said.out + said.err).count("traces cannot be sent") == 2


async def test_a_share_of_all_is_traced() -> None:
    async with receiver() as taken:
        spans = Traces(taken.url, 0.25, Metrics())
        for _ in range(100):
            spans.span("x", 1, 2, {"n": 1, "t": "a", "f": 0.5})
        await spans.close()
        assert len(taken.spans) == 25
        assert facts(taken.spans[0]) == {"n": "1", "t": "a", "f": 0.5}


async def test_nothing_is_traced_unless_it_is_asked_for(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "house") as server:
        assert server.house.traces is None


def test_latencies_are_a_histogram_that_adds_up() -> None:
    latencies = Latencies()
    row = latencies.row("santorini", "house")
    assert latencies.row("santorini", "house") is row
    from bisect import bisect_left

    for took in (0.0005, 0.001, 0.003, 100.0):
        row[bisect_left(BOUNDS, took)] += 1
        row[-1] += took
    (family,) = latencies.collect()
    values = {
        (sample.name.removeprefix("ludoteca_move_seconds"), sample.labels.get("le", "")): sample.value
        for sample in family.samples
    }
    assert values["_bucket", "0.001"] == 2
    assert values["_bucket", "0.005"] == 3
    assert values["_bucket", "10.0"] == 3
    assert values["_bucket", "+Inf"] == values["_count", ""] == 4
    assert values["_sum", ""] == pytest.approx(100.0045)


@pytest.mark.slow
async def test_moves_requests_and_refusals_are_counted_by_what_they_were(tmp_path: Path) -> None:
    more: dict[str, Any] = {"bot_workers": 0, "bot_s": 0.01, "metrics_token": "t"}
    async with site(tmp_path, "house", **more) as (server, http):
        ann = await rig.enter(server, "Ann")
        await ann.send({"type": "open", "game": "santorini", "seats": 2}, BOT)
        await ann.until("seated")
        question = await ann.until("question")
        await ann.send({"type": "act", "action": question["options"][0], "at": question["number"]})
        await ann.until("events")
        await ann.send({"type": "sit", "table": "nowhere"})
        await ann.until("declined")
        async with http.get("/api/v1/matches/none") as answer:
            assert answer.status == 404
        async with http.get("/metrics", headers={"Authorization": "Bearer t"}) as answer:
            page = await answer.text()
    assert 'ludoteca_move_seconds_count{game="santorini",protocol="house"} 1.0' in page
    assert 'ludoteca_http_seconds_count{route="/api/v1/matches/{id}",status="404"} 1.0' in page
    assert re.search(r'ludoteca_declined_total\{code="\w+"\} 1.0', page)
    assert re.search(r"ludoteca_journal_bytes [1-9]", page)
    assert re.search(r"ludoteca_disk_free_bytes [1-9]", page)
    assert "ludoteca_bots 1.0" in page
    assert "ludoteca_unstored_records 0.0" in page


@pytest.mark.slow
async def test_lines_about_a_request_or_connection_have_its_id(tmp_path: Path) -> None:
    with structlog.testing.capture_logs(processors=[structlog.contextvars.merge_contextvars]) as lines:
        async with site(tmp_path, "house", tables_max=1) as (server, http):
            async with http.get("/table/very-private-id") as answer:
                named = answer.headers["X-Request-Id"]
            async with http.ws_connect("/ws") as socket:
                await socket.send_json({"type": "hello", "name": "Ann"})
                await socket.receive_json()
            await rig.enter(server, "Bob")
    by_event: dict[str, list[dict[str, Any]]] = {}
    for line in lines:
        by_event.setdefault(str(line["event"]), []).append(dict(line))
    assert named in {line["request"] for line in by_event["request"]}
    opened = by_event["connection opened"]
    assert all(line["connection"] for line in opened)
    assert [bool(line.get("request")) for line in opened] == [True, False]
    assert len({line["connection"] for line in opened}) == 2
    assert "very-private-id" not in str(lines)
