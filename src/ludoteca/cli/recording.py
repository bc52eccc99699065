"""`ludoteca protocol --record`: stands before a server and writes down what is said there, and when."""

import asyncio
import contextlib
import json
import time
from pathlib import Path
from typing import IO

LINE_BYTES_MAX = 1 << 22


class Recorder:
    """Passes lines on, as they come, and writes a line of JSON for each:

    {"at": 0.0123, "from": "client1", "to": "server", "line": "..."}

    Clients are numbered in the order in which they come; `at` counts seconds from the first. `line` is null
    where the sender hung up. Bytes that are no text are shown as � and passed on as they are.
    """

    def __init__(self, host: str, port: int, file: IO[str]) -> None:
        self._address = (host, port)
        self._file = file
        self._began: float | None = None
        self._clients = 0
        self._tasks: set[asyncio.Task[None]] = set()

    async def listen(self, host: str, port: int) -> asyncio.Server:
        """Begin to take clients."""
        return await asyncio.start_server(self._meet, host, port, limit=LINE_BYTES_MAX)

    async def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._clients += 1
        client = f"client{self._clients}"
        try:
            back, there = await asyncio.open_connection(*self._address, limit=LINE_BYTES_MAX)
        except OSError:
            self._write("server", client, None)
            writer.close()
            return
        for who, whom, source, target in (
            (client, "server", reader, there),
            ("server", client, back, writer),
        ):
            task = asyncio.create_task(self._carry(who, whom, source, target))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _carry(
        self, who: str, whom: str, source: asyncio.StreamReader, target: asyncio.StreamWriter
    ) -> None:
        with contextlib.suppress(OSError, ValueError):
            # A line without its end is one, too, if nothing follows it.
            while line := await source.readline():
                self._write(who, whom, line)
                target.write(line)
                await target.drain()
        self._write(who, whom, None)
        with contextlib.suppress(OSError):
            target.close()

    def _write(self, who: str, whom: str, line: bytes | None) -> None:
        now = time.monotonic()
        self._began = now if self._began is None else self._began
        text = None if line is None else line.decode(errors="replace").rstrip("\r\n")
        record = {"at": round(now - self._began, 6), "from": who, "to": whom, "line": text}
        # Written at once: what was said before a crash is what one wants to see.
        self._file.write(json.dumps(record, ensure_ascii=False) + "\n")
        self._file.flush()

    async def close(self) -> None:
        """Hang up on everybody."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


async def record(path: Path, target: tuple[str, int], listen: tuple[str, int]) -> None:
    """Record until cancelled; prints where clients are to connect."""
    with path.open("w", encoding="utf-8") as file:
        recorder = Recorder(*target, file)
        server = await recorder.listen(*listen)
        host, port = server.sockets[0].getsockname()[:2]
        print(f"listening {host}:{port}", flush=True)
        try:
            await server.serve_forever()
        finally:
            server.close()
            await recorder.close()
