"""WebSockets by those who abuse them: every way to break the framing over raw connections, floods, bombs,
slow readers, half-closed ones, TLS, proxies, and the end of the house."""

import asyncio
import json
import ssl
import zlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from tests import rig, sockets
from tests.sockets import closing, frame

from ludoteca.server.serve import Server
from ludoteca.server.websocket import SocketLink, Sockets
from ludoteca.wire import frames

PING = b'{"type":"ping"}'
PONG = {"type": "pong"}
DEFLATE = "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits"


def packed(payload: bytes) -> bytes:
    """As a browser packs a message."""
    pack = zlib.compressobj(wbits=-15)
    return (pack.compress(payload) + pack.flush(zlib.Z_SYNC_FLUSH)).removesuffix(b"\0\0\xff\xff")


def unpacked(heard: sockets.Heard) -> dict[str, Any]:
    """The message in a frame of the house, packed or not."""
    data = heard.payload
    if heard.first == 0xC1:
        data = zlib.decompressobj(-15).decompress(data + b"\0\0\xff\xff")
    message: dict[str, Any] = json.loads(data)
    return message


def count(server: Server, name: str, label: str) -> float:
    """How often something was counted."""
    counter: Any = getattr(server.house.metrics, name)
    found: float = counter.labels(label)._value.get()
    return found


async def gone(server: Server) -> None:
    """Nobody is here any more, and nobody is counted."""
    async with asyncio.timeout(rig.PATIENCE_S):
        while server._doorman._inside or server._site.sockets._open or server._doorman._by_address:
            await asyncio.sleep(0.01)
    assert not list(server.house._shells)


# What is right.

RIGHT = {
    "whole": [frame(PING)],
    "binary": [frame(PING, 0x82)],
    "byte by byte": [bytes((byte,)) for byte in frame(PING)],
    "fragments": [frame(PING[:3], 0x01), frame(b"", 0x00), frame(PING[3:], 0x80)],
    "a mask of zeros": [frame(PING, mask=b"\0\0\0\0")],
    "a wide length": [frame(PING, wide=8)],
    "spaces up to the limit": [frame(PING + b" " * (65536 - len(PING)))],
}


@pytest.mark.slow
async def test_a_message_arrives_however_it_is_sent(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "http") as server:
        for name, pieces in RIGHT.items():
            raw = await sockets.connect(server)
            for piece in pieces:
                await raw.send(piece)
                await asyncio.sleep(0)
            heard = await raw.hear()
            assert heard is not None, name
            assert (heard.first, json.loads(heard.payload)) == (0x81, PONG), name
            await raw.send(closing(1000))
            assert await raw.end() == 1000, name
        await gone(server)


@pytest.mark.slow
async def test_what_was_sent_with_the_request_is_not_lost(tmp_path: Path) -> None:
    """Also when it is so much that nobody read on meanwhile."""
    async with rig.house(tmp_path, "http", **rig.CHATTY, rate_per_address_per_s=1e6) as server:
        many = 6000
        raw = await sockets.connect(server, early=frame(PING) * many)
        for _ in range(many):
            heard = await raw.hear()
            assert heard is not None
            assert json.loads(heard.payload) == PONG
        await raw.send(frame(PING))
        assert await raw.hear() == (0x81, b'{"type":"pong"}')


@pytest.mark.slow
async def test_control_frames_are_answered_between_fragments(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "http") as server:
        raw = await sockets.connect(server)
        await raw.send(frame(PING[:3], 0x01), frame(b"are you there", 0x89), frame(b"unasked", 0x8A))
        assert await raw.hear() == (0x8A, b"are you there")
        await raw.send(frame(PING[3:], 0x80))
        heard = await raw.hear()
        assert heard is not None
        assert json.loads(heard.payload) == PONG


@pytest.mark.slow
async def test_lines_of_a_game_are_messages_one_by_one(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "http") as server:
        raw = await sockets.connect(server, "/ws/multisweeper")
        heard = await raw.hear()
        assert heard is not None
        assert heard.payload.startswith(b"multisweeper v1")
        # A message with two lines is two lines.
        await raw.send(frame(b"multisweeper client v1\nname Ada"))
        other = await sockets.connect(server, "/ws/multisweeper")
        await other.hear()
        await other.send(frame(b"multisweeper client v1"), frame(b"name Bob"))
        lines: list[bytes] = []
        while not lines or not lines[-1].startswith(b"turn"):
            heard = await raw.hear()
            assert heard is not None
            lines.append(heard.payload)
        assert all(b"\n" not in line for line in lines)
        assert len(lines) > 3


# What is wrong: RFC 6455 says with which code.

WRONG: dict[str, tuple[list[bytes], int]] = {
    "no mask": ([frame(PING, mask=None)], 1002),
    "unknown kind": ([frame(PING, 0x83)], 1002),
    "unknown control": ([frame(b"", 0x8B)], 1002),
    "reserved bit": ([frame(PING, 0xC1)], 1002),
    "long ping": ([frame(b"x" * 126, 0x89)], 1002),
    "cut ping": ([frame(b"x", 0x09)], 1002),
    "continuation of nothing": ([frame(PING, 0x80)], 1002),
    "message within a message": ([frame(b"x", 0x01), frame(PING)], 1002),
    "not utf-8": ([frame(b"\xff\xfe")], 1007),
    "not utf-8 in fragments": ([frame(b"\xe2", 0x01), frame(b"\x28", 0x80)], 1007),
    "too big": ([frame(b"x" * 65537)], 1009),
    "too big, only said so": ([b"\x81\xff" + (1 << 62).to_bytes(8, "big")], 1009),
    "too big in fragments": ([frame(b"x" * 65000, 0x01), frame(b"x" * 537, 0x80)], 1009),
    "an end of one byte": ([frame(b"\x03", 0x88)], 1002),
    "an end for no reason": ([closing(1005)], 1002),
    "an end in no text": ([closing(1000, b"\xff")], 1007),
    "HTTP": ([b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"], 1002),
    "good, then bad": ([frame(PING), frame(b"", 0x8F), frame(PING)], 1002),
}


@pytest.mark.slow
async def test_whoever_breaks_the_framing_hears_why_and_is_gone(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "http") as server:

        async def breaking(pieces: list[bytes]) -> int:
            raw = await sockets.connect(server)
            await raw.send(*pieces)
            return await raw.end()

        codes = await asyncio.gather(*(breaking(pieces) for pieces, _ in WRONG.values()))
        assert dict(zip(WRONG, codes, strict=True)) == {name: code for name, (_, code) in WRONG.items()}
        await gone(server)
        big = sum(code == 1009 for _, code in WRONG.values())
        assert count(server, "dropped", "line") == big
        assert count(server, "refused", "unreadable") == len(WRONG) - big
        # Nothing of it was a mistake of ours.
        assert not [
            sample
            for family in server.house.metrics.failures.collect()
            for sample in family.samples
            if sample.value
        ]


@pytest.mark.parametrize("code", [1000, 1001, 3000, 4999])
async def test_an_end_is_answered_and_nothing_after_it_is_heard(tmp_path: Path, code: int) -> None:
    async with rig.house(tmp_path, "http") as server:
        raw = await sockets.connect(server)
        await raw.send(closing(code, b"bye"), frame(PING))
        assert await raw.end() == code
        await gone(server)


@pytest.mark.slow
async def test_a_shorter_limit_of_the_operator_holds_here_too(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "http", line_bytes_max=1024) as server:
        raw = await sockets.connect(server, "/ws", DEFLATE)
        await raw.send(frame(PING + b" " * (1024 - len(PING))))
        heard = await raw.hear()
        assert heard is not None
        assert json.loads(heard.payload) == PONG
        await raw.send(frame(packed(b" " * 1025), 0xC1))
        assert await raw.end() == 1009


# Floods.


@pytest.mark.slow
async def test_a_flood_of_control_frames_and_fragments_is_read_slowly_and_others_play(tmp_path: Path) -> None:
    """Each of these costs as much as a message, so each is paid for like one."""
    async with rig.house(tmp_path, "http", rate_per_s=100, rate_burst=50) as server:
        for piece in (frame(b"", 0x89), frame(b"", 0x8A), frame(b"", 0x00)):
            flooder = await sockets.connect(server)
            await flooder.send(frame(b"", 0x01), piece * 20_000)
            neighbour = await sockets.connect(server)
            held = count(server, "held", "rate")
            for _ in range(5):
                await neighbour.send(frame(PING))
                async with asyncio.timeout(rig.PATIENCE_S):
                    await neighbour.hear()
            async with asyncio.timeout(rig.PATIENCE_S):
                while count(server, "held", "rate") <= held:
                    await asyncio.sleep(0.01)
            (link,) = [link for link in server._site.sockets._open if link._is_waiting]
            assert link._frames is not None
            assert link._frames.waiting > 50_000, "most of it has not even been looked at"
            assert link._transport is not None
            assert not link._transport.is_reading()
            link._transport.abort()
            neighbour.client.cut()


@pytest.mark.slow
async def test_bombs_in_a_row_are_unpacked_one_by_one(tmp_path: Path) -> None:
    """A packet of 60 KiB holds a thousand messages of 64 KiB each: no more of them than may be
    carried out is made."""
    bomb = frame(packed(b'{"type":"ping"}' + b" " * 65000), 0xC1)
    many = 1000
    async with rig.house(tmp_path, "http", rate_per_s=50, rate_burst=10) as server:
        raw = await sockets.connect(server, "/ws", DEFLATE)
        assert b"server_no_context_takeover; client_no_context_takeover\r\n" in raw.head
        await raw.send(bomb * many)
        for _ in range(10):
            assert await raw.hear() == (0x81, b'{"type":"pong"}')
        (link,) = server._site.sockets._open
        assert link._frames is not None
        assert link._session is not None
        assert link._frames.waiting > 500 * len(bomb)
        assert len(link._session._held) <= 65_537
        raw.client.cut()


@pytest.mark.slow
async def test_who_asks_and_never_reads_is_slowed_down(
    tmp_path: Path,
) -> None:
    limits = {"outbox_bytes_max": 1 << 16, **rig.CHATTY, "rate_per_address_per_s": 1e6}
    async with rig.house(tmp_path, "http", "house", **limits) as server:
        deaf = await sockets.connect(server)
        deaf.client.writer.transport.pause_reading()  # type: ignore[attr-defined]
        flood = frame(b"x" * 125, 0x89) * 2000

        async def ask() -> None:
            while True:
                await deaf.send(flood)

        asking = asyncio.create_task(ask())
        async with asyncio.timeout(rig.PATIENCE_S):
            while not count(server, "held", "backlog"):
                await asyncio.sleep(0.01)
        asking.cancel()
        assert count(server, "dropped", "slow") == 0
        deaf.client.cut()
        await gone(server)


# Packing.


@pytest.mark.slow
async def test_a_client_that_offers_it_gets_long_messages_packed_and_short_ones_plain(tmp_path: Path) -> None:
    heard: dict[str, list[sockets.Heard]] = {}
    async with rig.house(tmp_path, "http", "house") as server:
        for offer in ("", DEFLATE):
            hello = json.dumps({"type": "hello", "name": f"Ada{len(offer)}", "options_max": 1000}).encode()
            raw = await sockets.connect(server, "/ws", *([offer] if offer else []))
            await raw.send(frame(packed(hello), 0xC1) if offer else frame(hello))
            await raw.send(frame(b'{"type":"open","game":"multisweeper","seats":2}'))
            found = heard[offer] = []
            while not found or unpacked(found[-1])["type"] != "question":
                one = await raw.hear()
                assert one is not None
                found.append(one)
                message = unpacked(one)
                if message["type"] == "seated":
                    bob = await rig.enter(server, f"Bob{len(offer)}")
                    await bob.send({"type": "sit", "table": message["table"]["id"]})
            raw.client.cut()
        assert all(one.first == 0x81 for one in heard[""])
        assert any(len(one.payload) > 1024 for one in heard[""])
        for one in heard[DEFLATE]:
            size = len(json.dumps(unpacked(one), separators=(",", ":"), ensure_ascii=False).encode())
            assert (one.first == 0xC1) is (size >= 1024), unpacked(one)
        plain, less = (sum(len(one.payload) for one in heard[offer]) for offer in ("", DEFLATE))
        assert less < plain / 2


async def test_an_audience_is_sent_the_same_frames_which_are_made_once_for_all_who_agreed_on_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said, made, sent = b'{"type":"said"}\n' * 200 + b"%d\n", list[bytes](), list[bytes]()
    real = frames.lines

    def lines(data: bytes, pack_from: int) -> bytes:
        made.append(data)
        return real(data, pack_from)

    monkeypatch.setattr(frames, "lines", lines)
    monkeypatch.setattr(SocketLink, "send", lambda _link, data: sent.append(data))
    async with rig.house(tmp_path, "house") as server:
        ticket: Any = None
        plain = [SocketLink(server.house, ticket, Sockets(), packs=False) for _ in range(3)]
        packing = [SocketLink(server.house, ticket, Sockets(), packs=True) for _ in range(2)]
        first, second = said % 1 + b"x" * 2000 + b"\n", said % 2 + b"x" * 2000 + b"\n"
        for data in (first, second):
            for link in (*plain, *packing):
                link.write(data)
    assert made == [first, first, second, second]
    for part, data in ((sent[:5], first), (sent[5:], second)):
        assert part[0] is part[1] is part[2]
        assert part[3] is part[4]
        assert part[0] == real(data)
        assert len(part[3]) < len(part[0])


@pytest.mark.slow
async def test_an_operator_may_do_without_packing(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "http", pack_bytes_min=0) as server:
        raw = await sockets.connect(server, "/ws", DEFLATE)
        assert b"permessage-deflate" not in raw.head
        await raw.send(frame(packed(PING), 0xC1))
        assert await raw.end() == 1002


# Ends.


@pytest.mark.slow
async def test_when_the_house_closes_all_hear_that_it_goes_away(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "http") as server:
        raws = [await sockets.connect(server) for _ in range(3)]
        deaf = await sockets.connect(server)
        deaf.client.writer.transport.pause_reading()  # type: ignore[attr-defined]
        await raws[0].send(frame(b'{"type":"hello","name":"Ada"}'))
        await raws[0].hear()
        stopping = asyncio.create_task(server.stop())

        async def polite(raw: sockets.Raw) -> int:
            while (heard := await raw.hear()) is not None:
                if heard.first == 0x88:
                    await raw.send(closing(heard.code))
                    assert await raw.hear() is None
                    return heard.code
            return 0

        assert await asyncio.gather(*map(polite, raws)) == [1001, 1001, 1001]
        async with asyncio.timeout(rig.PATIENCE_S):
            await stopping


@pytest.mark.slow
async def test_a_full_house_says_try_again_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with rig.house(tmp_path, "http") as server:
        from ludoteca.core import Refused

        def full(*_: object, **__: object) -> None:
            raise Refused("the house is full", "limit")

        monkeypatch.setattr(server.house.hall, "arrive", full)
        raw = await sockets.connect(server)
        assert await raw.end() == 1013
        await gone(server)


@pytest.mark.slow
async def test_whoever_hangs_up_in_any_way_is_gone(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "http") as server:
        for half in (b"", frame(PING)[:4], frame(PING[:3], 0x01)):
            raw = await sockets.connect(server)
            await raw.send(half)
            raw.client.writer.write_eof()
            assert await raw.end() == 0
            raw = await sockets.connect(server)
            await raw.send(half)
            raw.client.cut()
        await gone(server)


@pytest.mark.slow
async def test_who_hears_the_end_and_does_not_answer_is_cut_off(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "http", handshake_s=0.2) as server:
        raw = await sockets.connect(server)
        async with asyncio.timeout(rig.PATIENCE_S):
            assert await raw.end() == 1000
        await gone(server)
        assert count(server, "dropped", "handshake") == 1


async def test_a_request_that_is_no_upgrade_is_answered_by_http_and_the_next_one_too(tmp_path: Path) -> None:
    """The connection was not handed over: it goes on as it was."""
    async with rig.house(tmp_path, "http") as server:
        client = await rig.connect(server, "http")
        host, port = server.addresses["http"]
        head = (
            f"GET /ws HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        )
        key = "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n"
        for more in (f"{key}\r\n", "Connection: Upgrade\r\n\r\n", f"{key}Connection: close, x\r\n\r\n"):
            await client.send((head + more).encode())
            answer = await client.reader.readuntil(b"\r\n\r\n")
            assert answer.startswith(b"HTTP/1.1 400 "), answer
            size = int(answer.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
            await client.reader.readexactly(size)


@pytest.mark.slow
async def test_of_two_requests_in_one_packet_the_one_that_asks_gets_the_socket(tmp_path: Path) -> None:
    """The first has all but `Connection: Upgrade`; the second is whole, and its first message comes along."""
    async with rig.house(tmp_path, "http") as server:
        client = await rig.connect(server, "http")
        host, port = server.addresses["http"]
        head = (
            f"GET /ws HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        )
        head += "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n"
        await client.send(f"{head}\r\n{head}Connection: Upgrade\r\n\r\n".encode() + frame(PING))
        answers = await client.reader.readuntil(b"}HTTP/1.1 101 ")
        assert answers.startswith(b"HTTP/1.1 400 ")
        await client.reader.readuntil(b"\r\n\r\n")
        assert await sockets.Raw(client).hear() == (0x81, b'{"type":"pong"}')


# TLS, proxies, metrics, and what is left behind.


@pytest.fixture(scope="module")
def pem(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return rig.certificate(tmp_path_factory.mktemp("tls"))


@pytest.fixture
async def secure(tmp_path: Path, pem: Path) -> AsyncIterator[Server]:
    async with rig.house(tmp_path, "http", tls_cert=str(pem), tls_key=str(pem)) as server:
        yield server


@pytest.mark.slow
async def test_with_tls_it_is_the_same(secure: Server, pem: Path) -> None:
    trust = ssl.create_default_context(cafile=str(pem))
    host, port = secure.addresses["http"]
    trust.check_hostname = False
    async with aiohttp.ClientSession() as web:
        socket = await web.ws_connect(f"https://{host}:{port}/ws", ssl=trust, compress=15)
        await socket.send_str('{"type":"ping","note":"' + "x" * 5000 + '"}')
        assert (await socket.receive_json(timeout=rig.PATIENCE_S))["type"] in ("pong", "refused")
        await socket.send_json({"type": "ping"})
        assert (await socket.receive_json(timeout=rig.PATIENCE_S)) == PONG
        await socket.close()
        assert socket.close_code == 1000
    await gone(secure)


async def test_behind_a_proxy_each_counts_as_long_as_the_socket_stands(tmp_path: Path) -> None:
    more = {"trusted_proxies": ["127.0.0.1"], "connections_per_address_max": 2}
    async with rig.house(tmp_path, "http", **more) as server:
        behind = "X-Forwarded-For: 192.0.2.7"
        first, second = [await sockets.connect(server, "/ws", behind) for _ in range(2)]
        assert server._doorman._by_address == {"192.0.2.7": 2}
        with pytest.raises(AssertionError, match="429"):
            await sockets.connect(server, "/ws", behind)
        other = await sockets.connect(server, "/ws", "X-Forwarded-For: 192.0.2.8")
        await first.send(closing(1000))
        assert await first.end() == 1000
        again = await sockets.connect(server, "/ws", behind)
        assert server.house.metrics.connections.labels("http")._value.get() >= 3
        for raw in (second, again, other):
            raw.client.cut()


@pytest.mark.slow
async def test_nothing_of_http_is_left_behind_a_socket(tmp_path: Path) -> None:
    """No task, no handler, no timer: what aiohttp had for the connection is gone when the
    next turn of the loop is."""
    import gc

    from ludoteca.server.gate import TimedHandler

    async with rig.house(tmp_path, "http") as server:
        before = len(asyncio.all_tasks())
        raws = [await sockets.connect(server) for _ in range(20)]
        await rig.becomes(lambda: len(asyncio.all_tasks()) <= before)
        gc.collect()
        here = [one for one in gc.get_objects() if type(one) is TimedHandler]
        assert not [one for one in here if one._house is server.house]
        for raw in raws:
            raw.client.cut()
        await gone(server)
