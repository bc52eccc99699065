"""What tests of a real house need: a server in this process or in its own, raw line clients, house clients.

async with rig.house(tmp_path, "santorini") as server:
    ada = await rig.connect(server, "santorini")
    await ada.send({"type": "pong"})
    message = await ada.until("askNumberOfPlayers")
"""

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import Any

from tests import rest
from tests.needs import openssl

from ludoteca import games
from ludoteca.server import rpc
from ludoteca.server.serve import Server
from ludoteca.server.settings import Settings

PATIENCE_S = 20.0
# For tests that need somebody who never stops talking.
CHATTY = {
    "rate_per_s": 1e6,
    "rate_burst": 1e6,
    "chat_burst": 1e6,
    "chat_per_minute": 1e6,
    "chat_per_address_per_minute": 1e6,
    "chat_per_table_max": 1_000_000,
}


def spoken() -> tuple[str, ...]:
    """The games that have a protocol of their own."""
    return tuple(game.name for game in games.load_all() if game.wire is not None)


def settings(folder: Path, *listeners: str, **more: Any) -> Settings:
    """A house on free ports of this machine; with no listeners named, all of them."""
    names = listeners or ("http", "house", *spoken(), *rpc.listeners())
    return Settings(data=str(folder), only=list(names), port=dict.fromkeys(names, 0), **more)


@contextlib.asynccontextmanager
async def house(folder: Path, *listeners: str, **more: Any) -> AsyncIterator[Server]:
    """A house in this process and event loop; whatever it answers over REST is compared with its OpenAPI."""
    server = Server(settings(folder, *listeners, **more))
    with rest.watched():
        await server.start()
        try:
            yield server
        finally:
            await server.stop()


def certificate(folder: Path, name: str = "localhost") -> Path:
    """A certificate for this name with its key, made now."""
    file, key = folder / "house.pem", folder / "key.pem"
    command = [openssl(), "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1"]
    command += [
        "-subj",
        f"/CN={name}",
        "-addext",
        f"subjectAltName=DNS:{name}",
        "-keyout",
        str(key),
        "-out",
        str(file),
    ]
    subprocess.run(command, check=True, capture_output=True)
    file.write_text(file.read_text() + key.read_text())
    return file


class Client:
    """A raw client: lines out, lines in. Dictionaries are sent as JSON."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self.heard: list[Any] = []

    async def send(self, *messages: bytes | str | dict[str, Any]) -> None:
        """Send messages, all in one packet where TCP allows."""
        data = b""
        for message in messages:
            if isinstance(message, dict):
                message = json.dumps(message)
            data += message.encode() + b"\n" if isinstance(message, str) else message
        self.writer.write(data)
        await self.writer.drain()

    async def line(self, patience_s: float = PATIENCE_S) -> str | None:
        """The next line, None at the end of the connection."""
        # Not wait_for: in Python 3.11 it may swallow a cancellation that comes together with the line.
        async with asyncio.timeout(patience_s):
            data = await self.reader.readline()
        return data.decode().rstrip("\n") if data else None

    async def message(self, patience_s: float = PATIENCE_S) -> dict[str, Any] | None:
        """The next line as JSON, None at the end."""
        line = await self.line(patience_s)
        message = json.loads(line) if line is not None else None
        self.heard.append(message)
        return message

    async def until(
        self, wanted: str | Callable[[dict[str, Any]], bool], field: str = "type"
    ) -> dict[str, Any]:
        """Read JSON messages up to the first of this type (or that satisfies the function)."""
        while True:
            message = await self.message()
            assert message is not None, f"connection ended before {wanted}; heard {self.heard[-5:]}"
            if message.get(field) == wanted if isinstance(wanted, str) else wanted(message):
                return message

    async def rest(self) -> list[str]:
        """All lines up to the end of the connection."""
        lines = []
        while (line := await self.line()) is not None:
            lines.append(line)
        return lines

    async def close(self) -> None:
        """Hang up."""
        self.writer.close()
        with contextlib.suppress(ConnectionError):
            await self.writer.wait_closed()

    def cut(self) -> None:
        """Hang up without a word, as a crashed client does."""
        self.writer.transport.abort()


async def connect(server: "Server | Process", listener: str, address: str = "") -> Client:
    """A raw client of one listener; from another `address` of this machine, 127.0.0.2 and so on,
    if one is given."""
    host, port = server.addresses[listener]
    local = (address, 0) if address else None
    return Client(*await asyncio.open_connection(host, port, limit=1 << 22, local_addr=local))


async def enter(server: "Server | Process", name: str, address: str = "", **hello: Any) -> Client:
    """A client of Ludoteca's own protocol that has said hello."""
    client = await connect(server, "house", address)
    await client.send({"type": "hello", "name": name, **hello})
    await client.until("welcome")
    return client


async def becomes(condition: Callable[[], Any]) -> None:
    """Wait until something is so."""
    async with asyncio.timeout(PATIENCE_S):
        while not condition():
            await asyncio.sleep(0.01)


class Process:
    """A house in a process of its own, to be killed and started again on the same ports and data."""

    log_level = "warning"
    config: Path | None = None
    program: Sequence[str] = (sys.executable, "-m", "ludoteca.cli")
    # How long it may take to start and to end, a second or, among many others, many.
    patience_s = 3 * PATIENCE_S

    def __init__(self, folder: Path, *listeners: str, defaults: tuple[str, ...] = (), **more: str) -> None:
        self.folder = folder
        self.listeners = listeners
        self.defaults = defaults
        self.more = more
        self.addresses: dict[str, tuple[str, int]] = {}
        self._process: asyncio.subprocess.Process | None = None

    async def start(self, **keywords: Any) -> "Process":
        """Start, and wait until it is ready; after the first time on the same ports as before."""
        ports = {name: self.addresses.get(name, ("", 0))[1] for name in self.listeners}
        command = [*self.program, "serve", "--data", str(self.folder)]
        command += ["--only", ",".join(self.listeners), "--log-level", self.log_level]
        for name, port in ports.items():
            command += ["--port", f"{name}={port}"]
        for default in self.defaults:
            command += ["--default", default]
        if self.config is not None:
            command += ["--config", str(self.config)]
        for key, value in self.more.items():
            command += ["--set", f"{key}={value}"]
        self._process = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE, **keywords)
        assert self._process.stdout is not None
        while True:
            line = (await asyncio.wait_for(self._process.stdout.readline(), self.patience_s)).decode().strip()
            assert line, "the house did not start"
            if line == "ready":
                return self
            _, name, address = line.split()
            host, _, number = address.rpartition(":")
            self.addresses[name] = (host, int(number))

    @property
    def pid(self) -> int:
        """The process that runs now."""
        assert self._process is not None
        return self._process.pid

    @property
    def errors(self) -> asyncio.StreamReader:
        """What it logs, when started with `stderr=PIPE`."""
        assert self._process is not None
        assert self._process.stderr is not None
        return self._process.stderr

    async def kill(self) -> None:
        """kill -9."""
        await self._end(signal.SIGKILL)

    async def stop(self) -> int:
        """Ask it to stop; its exit code."""
        return await self._end(signal.SIGTERM)

    async def _end(self, number: signal.Signals) -> int:
        assert self._process is not None
        if self._process.returncode is None:
            # It may have died by itself, and the loop does not know yet.
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._process.pid, number)
        return await asyncio.wait_for(self._process.wait(), self.patience_s)


@contextlib.asynccontextmanager
async def process(
    folder: Path, *listeners: str, defaults: tuple[str, ...] = (), **more: str
) -> AsyncIterator[Process]:
    """A house in a process of its own; killed at the end if it still runs."""
    started = await Process(folder, *listeners, defaults=defaults, **more).start()
    try:
        yield started
    finally:
        await started.kill()


def workers_below(pid: int) -> list[int]:
    """The processes that bots think in, among the children of a house and their children."""
    found = []
    for child in map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            if b"ludoteca.server.worker" in Path(f"/proc/{child}/cmdline").read_bytes():
                found.append(child)
            found += workers_below(child)
    return found
