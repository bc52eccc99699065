"""A connection that the house makes to a client of remote calls, when it does not come about."""

import asyncio
import gc
from typing import Any

import pytest

from ludoteca.server.callback import Callback

# Real sockets, processes or screens: left out of make check.
pytestmark = pytest.mark.slow


class Ticket:
    """Counts who has left."""

    def leave(self) -> None:
        """Out of the house."""


class Owner:
    """Waits for nothing."""

    def returned(self, callback: Callback) -> None:
        """No call was made."""

    def lost(self, callback: Callback) -> None:
        """It never stood."""


async def test_who_gives_up_while_a_connection_is_made_leaves_no_failure_behind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The client is there when the house has no use for it any more: nobody asks what became of it."""
    failures: list[dict[str, Any]] = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _loop, context: failures.append(context))
    client = await asyncio.start_server(lambda _reader, _writer: None, "127.0.0.1", 0)
    connect = loop.create_connection

    async def too_late(*given: Any) -> Any:
        await connect(*given)
        raise asyncio.CancelledError

    monkeypatch.setattr(loop, "create_connection", too_late)
    try:
        host, port = client.sockets[0].getsockname()
        with pytest.raises(asyncio.CancelledError):
            await Callback.open(Ticket(), host, port, Owner())  # type: ignore[arg-type]
        for _ in range(20):
            await asyncio.sleep(0.005)
        gc.collect()
        await asyncio.sleep(0)
    finally:
        client.close()
    assert failures == []
