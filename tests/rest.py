"""Every answer of a house over REST, in any test, compared with the OpenAPI document.

`rig.house` watches what leaves the houses of a test and compares it when they are closed, so that nobody
waits for it while clocks run.
"""

import gzip
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, NamedTuple

import jsonschema
import pytest
from aiohttp import web

from ludoteca.server.answers import AnsweringHandler
from ludoteca.server.openapi import OLD_PREFIX, PREFIX, openapi

# For pages of this house alone.
OWN = ("/door", "/host", "/host/acts", "/host/storage", "/host/day")
REFUSAL = "#/components/responses/Refusal"


class Answer(NamedTuple):
    """What went out."""

    method: str
    path: str
    status: int
    headers: dict[str, str]
    body: bytes


@contextmanager
def watched() -> Iterator[None]:
    """Watch all houses of this process; they must have answered as the document says."""
    answers: set[tuple[Any, ...]] = set()
    finish = AnsweringHandler.finish_response

    async def finish_response(
        self: AnsweringHandler, request: web.BaseRequest, resp: web.StreamResponse, start_time: float | None
    ) -> tuple[web.StreamResponse, bool]:
        done = await finish(self, request, resp, start_time)
        sent = done[0]
        if isinstance(sent, web.Response) and isinstance(sent.body, bytes | None):
            headers = tuple((key.lower(), value) for key, value in sent.headers.items())
            answers.add((request.method, request.path, sent.status, headers, sent.body or b""))
        return done

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(AnsweringHandler, "finish_response", finish_response)
        yield
    for method, path, status, headers, body in answers:
        compare(Answer(method, path, status, dict(headers), body))


def compare(answer: Answer) -> None:
    """Raises AssertionError, or jsonschema's ValidationError, where an answer is not as the document says."""
    known = _operation(answer.path)
    if answer.method not in ("GET", "HEAD") or not (known or answer.path.startswith("/api/")):
        return
    where = f"{answer.status} of {answer.path}"
    if known is None:
        assert answer.status >= 400, where
    named = known["responses"].get(str(answer.status)) if known else {"$ref": REFUSAL}
    if named is None:
        # Methods and expectations are refused before anybody looks at the path, and what the operator listens
        # on has only its own.
        assert answer.status in (401, 404, 405, 417), where
        named = {"$ref": REFUSAL}
    response = _resolve(named)
    for name in response.get("headers", {}):
        assert name.lower() in answer.headers, f"{name} of {where}"
    if "content" not in response:
        assert answer.body == b"", where
    elif answer.method == "GET":
        assert answer.headers["content-type"].startswith("application/json"), where
        packed = answer.headers.get("content-encoding") == "gzip"
        shown = json.loads(gzip.decompress(answer.body) if packed else answer.body)
        validator(json.dumps(response["content"]["application/json"]["schema"])).validate(shown)
    if answer.path.endswith(OWN):
        assert "access-control-allow-origin" not in answer.headers, where
    elif answer.path.startswith("/api/"):
        assert answer.headers["access-control-allow-origin"] == "*", where
        assert "access-control-allow-credentials" not in answer.headers, where


@cache
def document() -> dict[str, Any]:
    """The document."""
    return openapi()


@cache
def validator(schema: str) -> Any:
    """What checks values of a schema of the document."""
    return jsonschema.Draft202012Validator({**json.loads(schema), "components": document()["components"]})


@cache
def _patterns() -> list[tuple[re.Pattern[str], dict[str, Any]]]:
    return [
        (re.compile(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(path))), item["get"])
        for path, item in document()["paths"].items()
        if "get" in item
    ]


def _operation(path: str) -> dict[str, Any] | None:
    """What the document says of a path; the old ones are those of the first version."""
    if path.startswith(OLD_PREFIX + "/") and not path.startswith(PREFIX + "/"):
        path = PREFIX + path.removeprefix(OLD_PREFIX)
    return next((item for pattern, item in _patterns() if pattern.fullmatch(path)), None)


def _resolve(part: dict[str, Any]) -> dict[str, Any]:
    if "$ref" not in part:
        return part
    found: Any = document()
    for key in part["$ref"].removeprefix("#/").split("/"):
        found = found[key]
    return dict(found)
