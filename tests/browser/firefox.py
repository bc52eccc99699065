"""A thin client of WebDriver BiDi, which Firefox speaks over a WebSocket without any driver.

async with firefox.started(tmp_path) as browser:
    tab = await browser.open("http://127.0.0.1:8000/", (1366, 650))
    title = await tab.evaluate("() => document.title")
"""

import asyncio
import contextlib
import itertools
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
from tests import needs

PATIENCE_S = 60.0
ANSWER_BYTES_MAX = 1 << 24
LISTENING = b"WebDriver BiDi listening on "
# Nothing but the page may go into the network, move, or ask.
PREFERENCES = {
    "app.normandy.enabled": False,
    "browser.aboutwelcome.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "extensions.getAddons.cache.enabled": False,
    "intl.accept_languages": "en-GB",
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "http://127.0.0.1:9",
    "toolkit.telemetry.enabled": False,
    "ui.prefersReducedMotion": 1,
}


class Browser:
    """One Firefox: commands go out with a number, answers come back with it, errors of pages are kept."""

    def __init__(self, line: aiohttp.ClientWebSocketResponse) -> None:
        self.complaints: list[str] = []
        self._line = line
        self._numbers = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[Any]] = {}

    async def send(self, method: str, **params: Any) -> Any:
        """One command; its result."""
        number = next(self._numbers)
        answer = self._waiting[number] = asyncio.get_running_loop().create_future()
        await self._line.send_str(json.dumps({"id": number, "method": method, "params": params}))
        async with asyncio.timeout(PATIENCE_S):
            return await answer

    async def listen(self) -> None:
        """Read for ever: answers for those who wait, and what pages complain about."""
        async for message in self._line:
            heard = json.loads(message.data)
            if heard["type"] == "event":
                entry = heard["params"]
                if heard["method"] == "log.entryAdded" and entry["level"] == "error":
                    self.complaints.append(f"{entry['type']}: {entry['text']}")
                continue
            answer = self._waiting.pop(heard["id"])
            if heard["type"] == "error":
                answer.set_exception(RuntimeError(f"{heard['error']}: {heard['message']}"))
            elif not answer.done():
                answer.set_result(heard["result"])

    async def open(self, address: str, size: tuple[int, int]) -> "Tab":
        """A tab of a person who was never here, with the page loaded."""
        person = (await self.send("browser.createUserContext"))["userContext"]
        made = await self.send("browsingContext.create", type="tab", userContext=person)
        tab = Tab(self, made["context"])
        viewport = {"width": size[0], "height": size[1]}
        await self.send("browsingContext.setViewport", context=tab.context, viewport=viewport)
        await self.send("browsingContext.navigate", context=tab.context, url=address, wait="complete")
        return tab


class Tab:
    """One page; `evaluate` is Playwright's, for functions."""

    def __init__(self, browser: Browser, context: str) -> None:
        self.context = context
        self._browser = browser

    async def evaluate(self, function: str, *arguments: Any) -> Any:
        """Call a function of the page with plain values; what it returns comes back as JSON."""
        given = ", ".join(map(json.dumps, arguments))
        called = await self._browser.send(
            "script.callFunction",
            functionDeclaration=f"async () => JSON.stringify(await ({function})({given}) ?? null)",
            awaitPromise=True,
            target={"context": self.context},
        )
        if called["type"] == "exception":
            raise RuntimeError(called["exceptionDetails"]["text"])
        return json.loads(called["result"]["value"])

    async def press(self, x: float, y: float) -> None:
        """A real click there."""
        moves = [
            {"type": "pointerMove", "x": round(x), "y": round(y)},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
            {"type": "pointerMove", "x": 1, "y": 1},
        ]
        mouse = {"type": "pointer", "id": "mouse", "actions": moves}
        await self._browser.send("input.performActions", context=self.context, actions=[mouse])

    async def close(self) -> None:
        """Away with it."""
        await self._browser.send("browsingContext.close", context=self.context)


@contextlib.asynccontextmanager
async def started(folder: Path) -> AsyncIterator[Browser]:
    """A Firefox without a window, and with nothing of anybody's in it."""
    program = needs.firefox()
    lines = (f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in PREFERENCES.items())
    (folder / "user.js").write_text("".join(lines))
    process = await asyncio.create_subprocess_exec(
        *(program, "--headless", "--no-remote", "--remote-debugging-port", "0", "--profile", str(folder)),
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        assert process.stderr is not None
        async with asyncio.timeout(PATIENCE_S):
            while not (line := await process.stderr.readline()).startswith(LISTENING):
                assert line, "Firefox ended before it listened"
        address = line.removeprefix(LISTENING).decode().strip()
        # Nobody reads what it says from here on, but it must be able to say it.
        drain = asyncio.create_task(_drain(process.stderr))
        async with (
            aiohttp.ClientSession() as session,
            session.ws_connect(f"{address}/session", max_msg_size=ANSWER_BYTES_MAX) as line_to,
        ):
            browser = Browser(line_to)
            listening = asyncio.create_task(browser.listen())
            await browser.send("session.new", capabilities={})
            await browser.send("session.subscribe", events=["log.entryAdded"])
            yield browser
            await browser.send("browser.close")
            listening.cancel()
        drain.cancel()
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def _drain(stream: asyncio.StreamReader) -> None:
    while await stream.read(1 << 16):
        pass
