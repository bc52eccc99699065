"""Traces for whoever collects them, off unless an address is set: spans of requests, moves, commits and
thoughts, sent as OpenTelemetry's JSON over HTTP (docs/decisions/0023).

A span says what took how long and nothing about who: no names, no addresses, no ids of tables, which are
invitations.
"""

import asyncio
import contextlib
import random
import re
from collections.abc import Mapping
from typing import Any

import aiohttp
import structlog

from ludoteca import __version__
from ludoteca.server.metrics import Metrics

log = structlog.get_logger()

PATH = "/v1/traces"
# What waits to be sent, how often it is, and how long whoever takes it may need.
SPANS_MAX = 4096
PAUSE_S = 2.0
SEND_S = 10.0
_SERVER, _INTERNAL = 2, 1
_PARENT = re.compile(r"00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}")

Value = str | int | float
Facts = Mapping[str, Value]


class Traces:
    """Gathers spans and sends them, in the event loop of the house; what is too much is dropped and counted.

    `share` is the part of everything that is traced at all.
    """

    def __init__(self, address: str, share: float, metrics: Metrics) -> None:
        self._url = address.rstrip("/") + PATH
        self._share = share
        self._metrics = metrics
        self._spans: list[dict[str, Any]] = []
        self._due = 0.0
        self._failing = False
        self._closing = asyncio.Event()
        self._task = asyncio.get_running_loop().create_task(self._send_for_ever())

    def span(
        self,
        name: str,
        start_s: float,
        end_s: float,
        facts: Facts,
        *,
        parent: str = "",
        failed: bool = False,
        served: bool = False,
    ) -> None:
        """Something took from one moment to another. `parent` is a traceparent header, if one came along."""
        self._due += self._share
        if self._due < 1:
            return
        self._due -= 1
        if len(self._spans) >= SPANS_MAX:
            self._metrics.spans_dropped.inc()
            return
        found = _PARENT.fullmatch(parent)
        made: dict[str, Any] = {
            "traceId": found[1] if found else f"{random.getrandbits(128) or 1:032x}",
            "spanId": f"{random.getrandbits(64) or 1:016x}",
            "name": name,
            "kind": _SERVER if served else _INTERNAL,
            "startTimeUnixNano": str(int(start_s * 1e9)),
            "endTimeUnixNano": str(int(end_s * 1e9)),
            "attributes": [{"key": key, "value": _value(value)} for key, value in facts.items()],
            "status": {"code": 2} if failed else {},
        }
        if found:
            made["parentSpanId"] = found[2]
        self._spans.append(made)

    async def _send_for_ever(self) -> None:
        async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(SEND_S)) as web:
            while not self._closing.is_set():
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(PAUSE_S):
                        await self._closing.wait()
                await self._send(web)
            await self._send(web)

    async def _send(self, web: aiohttp.ClientSession) -> None:
        """One letter with all there is; what cannot be delivered is dropped, for the next may be."""
        if not self._spans:
            return
        spans, self._spans = self._spans, []
        body = {
            "resourceSpans": [
                {
                    "resource": {
                        "attributes": [
                            _named("service.name", "ludoteca"),
                            _named("service.version", __version__),
                        ]
                    },
                    "scopeSpans": [{"scope": {"name": "ludoteca"}, "spans": spans}],
                }
            ]
        }
        try:
            async with web.post(self._url, json=body) as answer:
                trouble = "" if answer.status < 300 else f"it answers {answer.status}"
        except (aiohttp.ClientError, OSError, TimeoutError) as error:
            trouble = str(error) or type(error).__name__
        if trouble:
            self._metrics.spans_dropped.inc(len(spans))
        if trouble and not self._failing:
            log.warning("traces cannot be sent", to=self._url, reason=trouble)
        self._failing = bool(trouble)

    async def close(self) -> None:
        """Send what is left and stop."""
        self._closing.set()
        await self._task


def _value(value: Value) -> dict[str, Value]:
    if isinstance(value, str):
        return {"stringValue": value}
    return {"intValue": str(value)} if isinstance(value, int) else {"doubleValue": value}


def _named(key: str, value: str) -> dict[str, Any]:
    return {"key": key, "value": _value(value)}


def parent_of(headers: Mapping[str, str], *, trusted: bool) -> str:
    """The traceparent that came along, from a proxy of ours alone: strangers do not join our traces."""
    return headers.get("traceparent", "")[:64] if trusted else ""
