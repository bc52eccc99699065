"""A house of one's own: the real one, inside this process, reachable from this machine only."""

import asyncio
import contextlib
import importlib
import os
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

from ludoteca.clients.address import Address

BOT_S = 0.7
NOT_KEPT = "Another private house of yours is open: what is played in this one is not kept when you quit."


def folder() -> Path:
    """Where private matches are kept, so that they can be continued and replayed."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "ludoteca" / "private"


@contextlib.asynccontextmanager
async def private_house(*, data: Path | None = None) -> AsyncIterator[tuple[Address, str]]:
    """Open a house on a free port and close it at the end; with what its player should know about it.

    Raises StoreError when matches cannot be kept, for any reason but a house of the same person beside it.
    """
    # The house takes longer to import than a screen: the first picture need not wait for it.
    await asyncio.to_thread(importlib.import_module, "ludoteca.server.serve")
    from ludoteca.server import logs
    from ludoteca.server.lock import HouseRunning
    from ludoteca.server.serve import Server
    from ludoteca.server.settings import Settings

    logs.configure("console", "error")

    def make(where: str) -> Server:
        return Server(
            Settings(
                data=where,
                only=["house"],
                port={"house": 0},
                bot_s=BOT_S,
                # Bots take turns, so one process for all of them is enough, and keeps the screen quick.
                bot_workers=1,
                # One person's evening: a power cut may cost the last move, and every move is quicker.
                durability="normal",
            )
        )

    note = ""
    with contextlib.ExitStack() as stack:
        try:
            server = make(str(data or folder()))
        except HouseRunning:
            note = NOT_KEPT
            server = make(stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True)))
        await server.start()
        try:
            host, port = server.addresses["house"]
            yield Address(host, port, lines=True), note
        finally:
            await server.stop("the private house closes")
