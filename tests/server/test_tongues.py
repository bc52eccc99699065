"""Java objects and lines at one port of a real house: greetings, counts, limits, and who abuses it."""

import asyncio
import contextlib
import time
from pathlib import Path
from typing import Any

import pytest
from tests import rig

from ludoteca.games.renaissance.wire.java.table import TABLE
from ludoteca.server.serve import Server
from ludoteca.wire.java import HEADER, Reader, Writer

TYPES = TABLE.types
GREETED = b'{"type":"ping"}\n'


class Original:
    """A client that sends Java objects."""

    def __init__(self, client: rig.Client) -> None:
        self.client = client
        self.writer = Writer(TABLE)
        self._reader = Reader(TABLE, message_bytes_max=65_536)
        self._data, self._at = b"", 0

    async def say(self, *records: Any) -> None:
        await self.client.send(b"".join(self.writer.message(record) for record in records))

    async def until(self, kind: str) -> Any:
        """Read to the first object of a class; pings are answered."""
        while True:
            while self._at < len(self._data) and (end := self._reader.feed(self._data, self._at)):
                self._at = end
                if type(self._reader.item) is TYPES.Ping:
                    await self.say(TYPES.Pong())
                if type(self._reader.item).__name__ == kind:
                    return self._reader.item
            async with asyncio.timeout(rig.PATIENCE_S):
                self._data, self._at = await self.client.reader.read(65_536), 0
            assert self._data, f"the connection ended before {kind}"


async def original(server: Server) -> Original:
    made = Original(await rig.connect(server, "renaissance"))
    await made.client.send(HEADER)
    return made


async def ended(client: rig.Client) -> bytes:
    """All that came before the house closed this connection."""
    data = b""
    with contextlib.suppress(ConnectionError):
        async with asyncio.timeout(rig.PATIENCE_S):
            while piece := await client.reader.read(65_536):
                data += piece
    return data


def counted(server: Server, listener: str) -> float:
    return float(server.house.metrics.connections.labels(listener)._value.get())


async def solo(made: Original, name: str) -> None:
    """Log in and sit down alone."""
    await made.say(TYPES.LoginMessage(name))
    await made.until("PlayerNumberRequest")
    await made.say(TYPES.PlayerNumberReply(1))
    await made.until("LeaderCardsRequest")


@pytest.mark.slow
async def test_the_first_byte_decides_and_who_is_silent_is_greeted_in_lines(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "renaissance") as server:
        java, quick, silent = [await rig.connect(server, "renaissance") for _ in range(3)]
        started = time.monotonic()
        await java.send(HEADER[:1])
        await quick.send({"type": "pong"})
        assert await java.reader.readexactly(4) == HEADER
        assert await quick.reader.readexactly(len(GREETED)) == GREETED
        spent = time.monotonic() - started
        assert await silent.reader.readexactly(len(GREETED)) == GREETED
        assert time.monotonic() - started >= 0.2 or spent >= 0.2
        assert counted(server, "renaissance-java") == 1
        assert counted(server, "renaissance") == 2
        await java.close()
        await quick.close()
        async with asyncio.timeout(rig.PATIENCE_S):
            while counted(server, "renaissance-java") or counted(server, "renaissance") != 1:
                await asyncio.sleep(0.01)


async def test_an_operator_can_turn_it_off(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "renaissance", java=False) as server:
        java = await rig.connect(server, "renaissance")
        assert await java.reader.readexactly(len(GREETED)) == GREETED
        await java.send(HEADER + b"\n")
        assert (await java.message() or {})["error"] == "INVALID_MESSAGE"
        assert counted(server, "renaissance-java") == 0


async def test_java_one_byte_at_a_time_is_as_good_as_in_one_piece(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "renaissance") as server:
        made = Original(await rig.connect(server, "renaissance"))
        for byte in HEADER + made.writer.message(TYPES.LoginMessage("anna")):
            await made.client.send(bytes([byte]))
            await asyncio.sleep(0)
        assert (await made.until("PlayerNumberRequest")).max == 4


async def test_another_build_is_refused_in_words_in_the_log(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with rig.house(tmp_path, "renaissance") as server:
        made = await original(server)
        login = made.writer.message(TYPES.LoginMessage("anna"))
        await made.client.send(login.replace(bytes.fromhex("5c5e58134d8cef37"), bytes(8)))
        await ended(made.client)
        assert server.house.metrics.refused.labels("unreadable")._value.get() == 1
    said = capsys.readouterr().out
    assert "LoginMessage is of another build: 0000000000000000, and not 5c5e58134d8cef37" in said


@pytest.mark.slow
@pytest.mark.parametrize(
    "data",
    [
        b"|" + b"\0\0\1\0\0\0\0\0",  # a text of a terabyte
        b"t\xff\xff" + b"a" * 65_535,
        b"sr\0\1" * 5000,
        b"\x79" * 100_000,
        bytes(1000),
        b"q\0\x7e\0\0",
    ],
)
async def test_what_is_no_stream_costs_its_sender_the_connection_and_nobody_else_anything(
    tmp_path: Path, data: bytes
) -> None:
    async with rig.house(tmp_path, "renaissance") as server:
        honest = await original(server)
        nuisance = await original(server)
        await nuisance.client.send(data)
        await ended(nuisance.client)
        await solo(honest, "anna")
        assert server.house.metrics.failures.labels("session")._value.get() == 0


@pytest.mark.slow
async def test_objects_are_paid_for_one_by_one(tmp_path: Path) -> None:
    """Six thousand of them in one packet wait like lines would, and who plays meanwhile does not."""
    async with rig.house(tmp_path, "renaissance", rate_per_s=50, rate_burst=20) as server:
        nuisance, honest = await original(server), await original(server)
        await nuisance.say(*[TYPES.Pong()] * 6000)
        started = time.monotonic()
        await solo(honest, "anna")
        assert time.monotonic() - started < 60.0, "six thousand take two minutes"
        assert server.house.metrics.held.labels("rate")._value.get() > 0


@pytest.mark.slow
async def test_an_operator_can_allow_smaller_objects_only(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "renaissance", line_bytes_max=1024) as server:
        made = await original(server)
        # Many small ones are none too long, without a line's end between them.
        await made.say(*[TYPES.Pong()] * 300)
        await solo(made, "anna")
        for pieces in ([2000], [600, 600]):
            nuisance = await original(server)
            data = nuisance.writer.message(TYPES.LoginMessage("x" * 1500))
            for size in pieces:
                await nuisance.client.send(data[:size])
                data = data[size:]
                await asyncio.sleep(0.02)
            await ended(nuisance.client)
        assert server.house.metrics.dropped.labels("line")._value.get() == 2
