"""Java's remote calls, and those who abuse them."""

import asyncio
import gc
import time
from pathlib import Path
from typing import Any

import pytest
from tests import rig
from tests.games.shelfie import caller
from tests.games.shelfie.caller import TYPES, Client, connect, head

from ludoteca.games.shelfie import rmi as shelfie
from ludoteca.server import handler as remote
from ludoteca.server.doors import ports
from ludoteca.server.rmi import Caller
from ludoteca.server.serve import Server
from ludoteca.server.settings import Settings
from ludoteca.wire.java import HEADER, Writer, rmi

ENDED = (asyncio.IncompleteReadError, ConnectionError)


def house(folder: Path, **more: Any) -> Any:
    return rig.house(folder, "shelfie", "shelfie-rmi", **more)


async def playing(server: Server) -> tuple[Client, rig.Client]:
    """A client of remote calls and one of lines in a match."""
    tina = await rig.connect(server, "shelfie")
    await tina.send({"type": "LoginRequest", "nickname": "tina"})
    await tina.until("NumPlayersRequest")
    await tina.send({"type": "NumPlayersResponse", "numPlayers": 2})
    gianni = await (await Client().listen()).come(server)
    await gianni.say("LoginRequest", nickname="gianni")
    await gianni.until("GameStartNotify")
    await tina.until("GameStartNotify")
    return gianni, tina


async def settled(is_so: Any) -> None:
    """Wait until something is so."""
    async with asyncio.timeout(10):
        while not is_so():
            await asyncio.sleep(0.02)


def dropped(server: Server, why: str) -> float:
    value: float = server.house.metrics.dropped.labels(why)._value.get()
    return value


def test_the_listener_is_there_only_when_it_is_asked_for(tmp_path: Path) -> None:
    assert "shelfie-rmi" not in ports(Settings(data=str(tmp_path)))
    assert ports(Settings(data=str(tmp_path), port={"shelfie-rmi": 1099}))["shelfie-rmi"] == 1099
    assert ports(Settings(data=str(tmp_path), only=["shelfie-rmi"])) == {"shelfie-rmi": None}


@pytest.mark.slow
async def test_calls_of_both_sides_play_and_chat(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        gianni, tina = await playing(server)
        await gianni.say("ChatMessage", player="", receiver=None, textMessage="ciao")
        assert (await tina.until("ChatMessage"))["textMessage"] == "ciao"
        await gianni.until("ChatMessage")
        await gianni.line.call(gianni.handler, rmi.METHOD, shelfie.TEST)
        gianni.line.writer.write(b"\x52")
        assert await gianni.line.take(1) == b"\x53"


@pytest.mark.slow
async def test_a_client_that_vanishes_is_missed_at_once(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        gianni, tina = await playing(server)
        gianni.leave()
        lost = await tina.until("PlayerDisconnectedNotify")
        assert lost["disconnectedPlayer"] == "gianni"


@pytest.mark.slow
async def test_a_callback_that_hangs_holds_up_nobody_else_and_is_given_up_in_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote, "ORDER_S", 0.01)
    async with house(tmp_path) as server:
        bad = await (await Client().listen()).come(server)
        bad.hangs = True
        await bad.say("LoginRequest", nickname="bad")
        tina = await rig.connect(server, "shelfie")
        with pytest.raises(ENDED):  # noqa: PT012
            for _ in range(3 * remote.CALLS_MAX):
                await bad.say("NumPlayersResponse", numPlayers=99)
                before = time.monotonic()
                await tina.send({"type": "PickTileRequest", "position": {"row": 1, "column": 1}})
                await tina.until("PickTileResponse")
                assert time.monotonic() - before < 10.0
                await asyncio.sleep(0.05)
        assert dropped(server, "slow") == 1
        assert bad.called <= remote.CALLS_MAX
        # The name is free again.
        await tina.send({"type": "LoginRequest", "nickname": "bad"})
        assert (await tina.until("LoginResponse"))["nickname"] == "bad"


@pytest.mark.slow
async def test_a_call_of_ours_that_lasts_does_not_keep_the_next_one_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote, "ORDER_S", 0.01)
    async with house(tmp_path) as server:
        gianni, tina = await playing(server)
        gianni.hangs = True
        await tina.send({"type": "ChatMessage", "player": "", "textMessage": "one"})
        await gianni.until("ChatMessage")
        gianni.hangs = False
        await tina.send({"type": "ChatMessage", "player": "", "textMessage": "two"})
        await gianni.until("ChatMessage")


@pytest.mark.slow
async def test_only_the_address_that_called_is_called_whatever_the_stub_says(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        victim = await Client().listen("127.0.0.2")
        bad = Client()
        await bad.come(server, host="127.0.0.2", port=victim.port)
        with pytest.raises(ENDED):  # noqa: PT012
            for _ in range(100):
                await bad.say("LoginRequest", nickname="bad")
                await asyncio.sleep(0.05)
        assert victim.called == 0
        # A wrong name does no harm to who can be called where it is.
        good = await (await Client().listen()).come(server, host="192.0.2.1")
        await good.say("LoginRequest", nickname="good")
        await good.until("LoginResponse")


@pytest.mark.slow
async def test_a_handler_belongs_to_the_address_that_got_it(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        gianni = await (await Client().listen()).come(server)
        thief = await (await connect(server, "127.0.0.2")).greet()
        with pytest.raises(ENDED):
            await thief.call(gianni.handler, rmi.METHOD, shelfie.TEST)
        await gianni.line.call(gianni.handler, rmi.METHOD, shelfie.TEST)


@pytest.mark.slow
@pytest.mark.parametrize("port", [0, 22, 1023, 65_536, -1])
async def test_a_client_cannot_be_called_at_any_port(tmp_path: Path, port: int) -> None:
    async with house(tmp_path) as server:
        client = Client()
        client.port = port
        with pytest.raises(ENDED):
            await client.come(server)


@pytest.mark.slow
async def test_a_client_registers_once_and_says_nothing_before(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        gianni = await (await Client().listen()).come(server)
        with pytest.raises(ENDED):
            await gianni.line.call(gianni.handler, rmi.METHOD, shelfie.REGISTER, stub(gianni.port))
        line = await (await connect(server)).greet()
        handler = await new_handler(line)
        with pytest.raises(ENDED):
            await line.call(handler, rmi.METHOD, shelfie.RECEIVE, TYPES.LoginRequest(nickname="x"))


def stub(port: int) -> Any:
    return rmi.stub(shelfie.TABLE, "x.Client", rmi.Reference("127.0.0.1", port, caller.MINE))


async def new_handler(line: caller.Connection) -> bytes:
    await line.call(rmi.REGISTRY, *rmi.LOOKUP, shelfie.NAME)
    listener = rmi.reference_of(shelfie.TABLE, await line.value())
    await line.call(listener.target, rmi.METHOD, shelfie.GET_HANDLER)
    return rmi.reference_of(shelfie.TABLE, await line.value()).target


HUGE = 2**31 - 1


@pytest.mark.parametrize(
    "data",
    [
        b"GET / HTTP/1.1\r\n\r\n",
        rmi.HELLO[:4] + b"\0\1\x4b",
        rmi.HELLO[:6] + b"\x4c",
        rmi.HELLO + b"\xff\xff" + b"x" * 300,
        rmi.HELLO + rmi.introduction("x") + b"\x00",
        rmi.HELLO + rmi.introduction("x") + b"\x50" + b"x" * 8,
        rmi.HELLO + rmi.introduction("x") + b"\x50" + HEADER + b"\x7a" + HUGE.to_bytes(4, "big"),
        rmi.HELLO + rmi.introduction("x") + b"\x50" + HEADER + Writer.block(b"x" * 33),
        rmi.HELLO + rmi.introduction("x") + head(rmi.REGISTRY, 0, rmi.LOOKUP[1]),
        rmi.HELLO + rmi.introduction("x") + head(rmi.REGISTRY, *rmi.LOOKUP) + b"t\0\4evil",
        rmi.HELLO + rmi.introduction("x") + head(rmi.REGISTRY, *rmi.LOOKUP) + b"|" + HUGE.to_bytes(8, "big"),
        rmi.HELLO + rmi.introduction("x") + head(rmi.REGISTRY, *rmi.LOOKUP) + b"t\xff\xff" + b"x" * 70_000,
        rmi.HELLO + rmi.introduction("x") + head(rmi.REGISTRY, rmi.METHOD, shelfie.TEST),
        rmi.HELLO
        + rmi.introduction("x")
        + head(rmi.LEASES, *rmi.DIRTY)
        + b"p"
        + Writer.block(bytes(8))
        + b"p",
        rmi.HELLO + rmi.introduction("x") + 2 * head(rmi.identity(5), rmi.METHOD, shelfie.TEST),
    ],
)
async def test_what_makes_no_sense_ends_the_connection_and_no_other(tmp_path: Path, data: bytes) -> None:
    async with house(tmp_path) as server:
        good = await (await connect(server)).greet()
        bad = await connect(server)
        bad.writer.write(data)
        async with asyncio.timeout(10):
            with pytest.raises(ENDED):  # noqa: PT012
                while True:
                    await bad.take(1)
        await good.call(rmi.REGISTRY, *rmi.LOOKUP, shelfie.NAME)


@pytest.mark.slow
async def test_an_oversized_message_ends_its_connection(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        gianni, tina = await playing(server)
        with pytest.raises(ENDED):
            await gianni.say("ChatMessage", player="", receiver=None, textMessage="x" * 9000)
        # The client itself is still there, and may call again.
        gianni.line = await (await connect(server)).greet()
        await gianni.say("ChatMessage", player="", receiver=None, textMessage="ciao")
        await tina.until("ChatMessage")


@pytest.mark.slow
async def test_a_message_that_is_none_ends_the_client(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        gianni, tina = await playing(server)
        await gianni.say("GameResultNotify")
        await tina.until("PlayerDisconnectedNotify")


@pytest.mark.slow
async def test_a_call_that_fails_over_there_ends_the_client(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        gianni, tina = await playing(server)
        gianni.fails = True
        await tina.send({"type": "ChatMessage", "player": "", "textMessage": "one"})
        await tina.until("PlayerDisconnectedNotify")


# Leases.


async def hold(line: caller.Connection, *numbers: int) -> Any:
    """Ask for a lease of objects; what is granted."""
    described = b"sr\0\x15java.rmi.server.ObjID\xa7\x5e\xfa\x12\x8d\xdc\xe5\x5c\2\0\2J\0\6objNumL\0\5space"
    described += b"t\0\x15Ljava/rmi/server/UID;pxp"
    data = b"ur\0\x18[Ljava.rmi.server.ObjID;" + bytes(8) + b"\2\0\0pxp" + len(numbers).to_bytes(4, "big")
    # Handles: the array's class 0, the array 1, the class of ids 2, its field's type 3.
    for place, number in enumerate(numbers):
        data += described if place == 0 else b"sq\0~\0\2"
        data += number.to_bytes(8, "big") + b"p"
    lease = b"sr\0\x12java.rmi.dgc.Lease\xb0\xb5\xe2\x66\x0c\x4a\xdc\x34\2\0\2J\0\5valueL\0\4vmid"
    lease += b"t\0\x13Ljava/rmi/dgc/VMID;pxp" + (2**62).to_bytes(8, "big") + b"p"
    line.writer.write(head(rmi.LEASES, *rmi.DIRTY) + data + Writer.block(bytes(8)) + lease)
    await line.take(rmi.VOID_BYTES)
    return await line.value()


@pytest.mark.slow
async def test_many_leases_keep_nothing_in_the_house(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        line = await (await connect(server)).greet()
        (remotes,) = server._remotes
        for number in range(50):
            lease = await hold(line, *range(number, number + 200))
            assert lease.value == 600_000, "nobody gets more than ten minutes"
        assert remotes._handlers == {}
        # More than a message may hold.
        with pytest.raises(ENDED):
            await hold(line, *range(2000))


@pytest.mark.slow
async def test_who_does_not_renew_a_lease_is_gone_and_who_does_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote, "LEASE_S", 0.6)
    async with house(tmp_path, handshake_s=0.3) as server:
        (remotes,) = server._remotes
        keen = await (await Client().listen()).come(server)
        await keen.say("LoginRequest", nickname="keen")
        lazy = await (await Client().listen()).come(server)
        await lazy.say("LoginRequest", nickname="lazy")
        other = await (await connect(server, "127.0.0.2")).greet()
        for _ in range(8):
            await hold(keen.line, int.from_bytes(keen.handler[:8], "big"))
            # Nobody renews for another address.
            await hold(other, int.from_bytes(lazy.handler[:8], "big"))
            await asyncio.sleep(0.2)
        assert list(remotes._handlers) == [keen.handler]
        assert dropped(server, "lease") == 1


@pytest.mark.slow
async def test_who_gets_a_handler_and_does_not_register_is_let_go(tmp_path: Path) -> None:
    async with house(tmp_path, handshake_s=0.3) as server:
        (remotes,) = server._remotes
        line = await (await connect(server)).greet()
        await new_handler(line)
        assert len(remotes._handlers) == 1
        await settled(lambda: not remotes._handlers)
        assert dropped(server, "handshake") == 1


@pytest.mark.slow
async def test_handlers_and_callbacks_count_as_connections_of_their_address(tmp_path: Path) -> None:
    async with house(tmp_path, connections_per_address_max=10) as server:
        (remotes,) = server._remotes
        line = await (await connect(server)).greet()
        with pytest.raises(ENDED):  # noqa: PT012
            for _ in range(20):
                await new_handler(line)
        assert len(remotes._handlers) == 9
        remotes.stop()
        await settled(lambda: not server._doorman._by_address)


@pytest.mark.slow
async def test_what_says_nothing_or_calls_nobody_is_cut_off(tmp_path: Path) -> None:
    async with house(tmp_path, header_s=0.3, idle_s=0.5) as server:
        silent = await connect(server)
        idle = await (await connect(server)).greet()
        assert await silent.ended()
        assert await idle.ended()
        assert dropped(server, "header") == dropped(server, "idle") == 1


@pytest.mark.slow
async def test_a_proxy_cannot_be_called_back(tmp_path: Path) -> None:
    async with house(tmp_path, trusted_proxies=["127.0.0.1"]) as server:
        line = await (await connect(server)).greet()
        with pytest.raises(ENDED):
            await new_handler(line)


@pytest.mark.slow
async def test_probes_by_the_ten_thousand_are_paid_for_and_hold_up_nobody(tmp_path: Path) -> None:
    async with house(tmp_path, rate_per_address_per_s=2000, rate_per_address_burst=100) as server:
        bad = await (await connect(server, "127.0.0.2")).greet()
        good = await (await connect(server)).greet()
        began = time.monotonic()
        bad.writer.write(b"\x52" * 60_000)
        await asyncio.sleep(0.1)
        for _ in range(10):
            before = time.monotonic()
            await good.call(rmi.REGISTRY, *rmi.LOOKUP, shelfie.NAME)
            await good.value()
            assert time.monotonic() - before < 10.0
        answered = len(await bad.reader.read(60_000))
        # The burst, and what has come to it since.
        assert 100 <= answered < 100 + 2000 * (time.monotonic() - began + 1)


@pytest.mark.slow
async def test_who_was_lost_comes_back_under_the_name_to_a_table_that_waits(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "house", "shelfie-rmi") as server:
        ada = await rig.enter(server, "ada")
        terms = {"absence": "wait", "grace_s": 60}
        await ada.send({"type": "open", "game": "shelfie", "seats": 2, "terms": terms})
        await ada.until("seated")
        gianni = await (await Client().listen()).come(server)
        await gianni.say("LoginRequest", nickname="gianni")
        await gianni.until("GameStartNotify")
        gianni.leave()
        await ada.until("left")
        again = await (await Client().listen()).come(server)
        await again.say("LoginRequest", nickname="gianni")
        await again.until("GameStartNotify")
        await ada.until("returned")


async def test_another_build_is_refused_in_words_in_the_log(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with house(tmp_path) as server:
        gianni = await (await Client().listen()).come(server)
        message = Writer(shelfie.TABLE, annotated=True).message(TYPES.LoginRequest(nickname="gianni"))
        other = message.replace(bytes.fromhex("e76c6e5a1da239cd"), bytes.fromhex("e76c6e5a1da239ce"))
        gianni.line.writer.write(head(gianni.handler, rmi.METHOD, shelfie.RECEIVE) + other)
        assert await gianni.line.ended()
    told = capsys.readouterr().out
    assert "LoginRequest is of another build: e76c6e5a1da239ce" in told


@pytest.mark.slow
async def test_nothing_is_kept_of_those_who_have_left(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        for _ in range(5):
            client = await (await Client().listen()).come(server)
            await client.say("GameResultNotify")
            await settled(lambda: not server._remotes[0]._handlers)
            client.line.writer.close()
        await asyncio.sleep(0.1)
        gc.collect()
        left = [each for each in gc.get_objects() if isinstance(each, remote.Handler | Caller)]
        assert left == []


@pytest.mark.slow
async def test_a_full_house_keeps_nobody_waiting_at_the_door(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        server.house.hall.desk._guests_max = 0
        client = await Client().listen()
        with pytest.raises(ENDED):
            await client.come(server)
        assert server._remotes[0]._handlers == {}
