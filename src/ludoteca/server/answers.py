"""How HTTP answers when it does not serve: one JSON form for every refusal, whoever says no.

{"error": "gone", "reason": "there is no such table"}

`error` is one word for programs, as in Ludoteca's own protocol; `reason` is for people. What the parser
cannot read and what breaks in a handler takes the same form. The world's mistakes are worth a line in the log
at debug; ours are counted and logged with their traceback.
"""

import math
import re
import secrets
from collections.abc import Callable, Mapping
from hashlib import blake2b
from typing import Any

import msgspec
import structlog
from aiohttp import web
from aiohttp.http import RawRequestMessage
from multidict import CIMultiDict, CIMultiDictProxy

from ludoteca.core import Refused
from ludoteca.hall.budget import Spent
from ludoteca.server.front import Front
from ludoteca.server.settings import Settings

log = structlog.get_logger()

REASON_LENGTH_MAX = 300
# What a request is called in the log and in its answer, and where it comes from, as the doorman counts it.
REQUEST_ID = web.RequestKey("request_id", str)
ADDRESS = web.RequestKey("address", str)
_IDS = re.compile(r"[0-9A-Za-z._-]{1,64}")
READING = ("GET", "HEAD")

# What is not among these is not there.
_STATUS = {
    "message": 400,
    "seat": 400,
    "token": 401,
    "door": 401,
    "banned": 403,
    "invitation": 403,
    "origin": 403,
    "password": 403,
    "secret": 403,
    # There, but not to be had from this version of the house.
    "aside": 409,
    "damaged": 409,
    # Hosts' acts that make no sense as things are.
    "address": 400,
    "name": 400,
    "settings": 409,
    "host": 421,
    "limit": 429,
    "rate": 429,
    "busy": 503,
    "trouble": 503,
}
_CODE = {400: "message", 403: "origin", 404: "gone", 405: "method", 413: "size", 417: "expect", 429: "limit"}


class Refusal(msgspec.Struct, frozen=True):
    """Why not: `error` is one word for programs, `reason` a sentence for people."""

    error: str
    reason: str


def headers(settings: Settings, request: web.BaseRequest | None = None) -> dict[str, str]:
    """On every response, from the page's to a malformed request's; None where nothing was read at all."""
    found = {
        # WebAssembly is compiled from files of the house itself: text is still never run.
        "Content-Security-Policy": "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; "
        "img-src 'self' data:; "
        "object-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
    }
    if settings.tls_cert and settings.hsts_s:
        found["Strict-Transport-Security"] = f"max-age={settings.hsts_s}"
    if request is not None and (known := request.get(REQUEST_ID)) is not None:
        found["X-Request-Id"] = known
    if request is not None and _is_public(request):
        # Pages of other sites may read what anybody may; never with what a browser knows of a visitor, and
        # `*` does not go together with credentials. Nothing that is read changes anything.
        found["Access-Control-Allow-Origin"] = "*"
        found["Access-Control-Expose-Headers"] = "ETag, Link, Retry-After, X-Request-Id"
    return found


def _is_public(request: web.BaseRequest) -> bool:
    """What anybody may ask for. What is there for hosts, and at the door, is for this house's page alone."""
    path = request.path
    own = path.endswith("/door") or "/host" in path
    return path.startswith("/api/") and request.method in READING and not own


def preflight() -> web.Response:
    """To a browser that asks whether a page of another site may ask. Not on its list: a seat's token."""
    return web.Response(
        status=204,
        headers={
            "Access-Control-Allow-Origin": "*",
            "Access-Control-Allow-Methods": ", ".join(READING),
            "Access-Control-Allow-Headers": "If-None-Match",
            "Access-Control-Max-Age": "86400",
        },
    )


def request_id(given: Mapping[str, str], *, trusted: bool) -> str:
    """The name of a request: the one that a proxy of ours gave it, or a new one."""
    told = given.get("X-Request-Id", "") if trusted else ""
    return told if _IDS.fullmatch(told) else secrets.token_hex(8)


def status_of(error: Refused | web.HTTPException) -> int:
    """How this is answered."""
    return error.status if isinstance(error, web.HTTPException) else _STATUS.get(error.code, 404)


def tag_of(body: bytes) -> str:
    """Another one for everything else."""
    return blake2b(body, digest_size=16).hexdigest()


def tagged(
    request: web.BaseRequest, body: bytes, about: Mapping[str, str] | None = None, tag: str = ""
) -> web.Response:
    """JSON that a client may keep, if it asks each time whether it still holds; 304 when it does.

    `tag` is that of the body, where it is known already.
    """
    tag = tag or tag_of(body)
    found = {"ETag": f'"{tag}"', "Cache-Control": "no-cache", **(about or {})}
    # `*` is whatever you have, which is never what a client that reads means; it counts as the standard says.
    if any(known.value in (tag, "*") for known in request.if_none_match or ()):
        return web.Response(status=304, headers=found)
    return web.Response(body=body, content_type="application/json", headers=found)


def refusal(error: Refused) -> web.Response:
    """A refusal of the house."""
    answer = form(status_of(error), error.code, error.reason)
    if answer.status == 401:
        answer.headers["WWW-Authenticate"] = "Bearer"
    if isinstance(error, Spent):
        answer.headers["Retry-After"] = str(math.ceil(error.wait_s))
    return answer


def form(status: int, code: str, reason: str) -> web.Response:
    """The one form. What is quoted in a reason may be bytes that are no text."""
    told = reason[:REASON_LENGTH_MAX].encode(errors="replace").decode()
    body = msgspec.json.encode(Refusal(code, told))
    return web.Response(
        status=status, body=body, content_type="application/json", headers={"Cache-Control": "no-store"}
    )


def _rephrased(error: web.HTTPException) -> web.Response:
    """A refusal of aiohttp's own: no such route, no such method, no such expectation."""
    reason = (error.text or error.reason).removeprefix(f"{error.status}: ")
    answer = form(error.status, _CODE.get(error.status, "refused"), " ".join(reason.split()))
    if allowed := error.headers.get("Allow"):
        answer.headers["Allow"] = allowed
    return answer


def in_letters(make: Callable[..., web.BaseRequest]) -> Callable[..., web.BaseRequest]:
    """A maker of requests whose headers are ASCII, with ? for everything else.

    aiohttp gives bytes that are no text as halves of characters, which break whatever encodes
    them again, itself included.
    """

    def made(message: RawRequestMessage, *more: Any) -> web.BaseRequest:
        if not all(value.isascii() for value in message.headers.values()):
            plain = [
                (name, value.encode("ascii", "replace").decode()) for name, value in message.headers.items()
            ]
            message = message._replace(headers=CIMultiDictProxy(CIMultiDict(plain)))
        return make(message, *more)

    return made


def below(base: str, make: Callable[..., web.BaseRequest]) -> Callable[..., web.BaseRequest]:
    """A maker of requests whose paths begin behind `base`, whether or not a proxy has cut it off already."""

    def made(message: RawRequestMessage, *more: Any) -> web.BaseRequest:
        path = message.url.raw_path
        if path == base or path.startswith(f"{base}/"):
            url = message.url.with_path(path[len(base) :] or "/", encoded=True, keep_query=True)
            message = message._replace(url=url, path=url.raw_path_qs)
        return make(message, *more)

    return made if base else make


class AnsweringHandler(web.RequestHandler):
    """aiohttp's handler of one connection, which answers and logs as the house does."""

    __slots__ = ("_house", "is_handed_over")

    def __init__(self, house: Front, manager: web.Server, **more: Any) -> None:
        super().__init__(manager, access_log=None, **more)  # type: ignore[arg-type]
        self._house = house
        # Whether the connection goes on as something else: nobody waits for an answer then.
        self.is_handed_over = False

    async def finish_response(
        self, request: web.BaseRequest, resp: web.StreamResponse, start_time: float | None
    ) -> tuple[web.StreamResponse, bool]:
        """Every response passes here on its way out."""
        if self.is_handed_over:
            return resp, True
        if isinstance(resp, web.HTTPException) and resp.status >= 400:
            resp = _rephrased(resp)
        return await super().finish_response(request, resp, start_time)

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """A request that cannot be read (their mistake), one that is refused, or a
        handler that broke (ours)."""
        if request.writer.output_size > 0 or self.is_handed_over:
            self._note(exc)
            # Too late for an answer; aiohttp takes this for a peer that is gone, and hangs up.
            raise ConnectionResetError
        if isinstance(exc, UnicodeEncodeError) and "Expect" in request.headers:
            # aiohttp cannot even say what it does not expect when that is no text.
            status, message = 417, "unknown Expect"
        if isinstance(exc, Refused):
            answer = refusal(exc)
        elif status < 500:
            # Up to the colon: behind it the parser shows the bytes it stumbled over.
            reason = (message or "").partition(":")[0]
            log.debug("malformed request", address=request.remote, reason=reason)
            answer = form(status, "message", f"this request cannot be read: {reason or 'it is no HTTP'}")
            answer.force_close()
        else:
            self._note(exc)
            answer = form(status, "crash", "something broke in the house; it has been noted")
            answer.force_close()
        # No route, so nobody else dresses it; and aiohttp names itself where nothing is said.
        answer.headers.update(headers(self._house.settings, request), Server="")
        return answer

    def log_exception(self, *args: Any, **kw: Any) -> None:
        """What reached aiohttp's outermost guard; it hangs up by itself."""
        self._note(kw.get("exc_info"))

    def _note(self, error: BaseException | None) -> None:
        """A body that is none or a peer that is gone is the world's; everything else is a mistake of ours."""
        if isinstance(error, (Refused, web.RequestPayloadError, ConnectionError)):
            log.debug("request given up", reason=repr(error)[:REASON_LENGTH_MAX])
        else:
            self._house.metrics.failures.labels("http").inc()
            log.error("request failed", exc_info=error)


def json_answer(value: object, status: int = 200) -> web.Response:
    """Something as JSON."""
    return web.Response(body=msgspec.json.encode(value), status=status, content_type="application/json")


def bearer(request: web.Request) -> str:
    """The token that came along, "" for none."""
    return request.headers.get("Authorization", "").removeprefix("Bearer ")
