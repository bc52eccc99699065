"""The one call that needs least: everything a player says and hears on the stream of Play."""

import asyncio
import contextlib
import random
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
import pytest
from tests import rig
from tests.games.shelfie.remote import END, Remote, house, play_by_calls, play_by_lines

from ludoteca.games.shelfie.rpc import MyShelfieStub, pb, read_line, write_said, write_told
from ludoteca.games.shelfie.rpc.calls import StreamConversation
from ludoteca.games.shelfie.wire import Settings


def said(**message: Any) -> pb.ClientMessage:
    return pb.ClientMessage(**message)


def pick(row: int, column: int) -> pb.ClientMessage:
    return said(pick_tile=pb.PickTileRequest(position=pb.Position(row=row, column=column)))


class Streamer:
    """A player on the stream."""

    def __init__(self, server: Any, *metadata: tuple[str, str]) -> None:
        host, port = server.addresses["shelfie-rpc"]
        self.channel: Any = grpc.aio.insecure_channel(
            f"{host}:{port}", options=[("grpc.use_local_subchannel_pool", 1)]
        )
        self.play: Any = MyShelfieStub(self.channel).Play(metadata=metadata)
        self.bundles: list[list[str]] = []
        self._waiting: list[Any] = []
        self._count = 0

    async def say(self, *messages: pb.ClientMessage) -> None:
        """All of it in one message."""
        await self.play.write(pb.ClientMessages(messages=messages))

    async def next(self) -> tuple[str, Any] | None:
        """What was said next, but for pings; None at the end."""
        while True:
            while not self._waiting:
                async with asyncio.timeout(rig.PATIENCE_S):
                    told = await self.play.read()
                if told is END:
                    return None
                self._waiting = list(told.messages)
                self.bundles.append([str(one.WhichOneof("message")) for one in told.messages])
            message = self._waiting.pop(0)
            self._count += 1
            assert message.seq == self._count
            kind = str(message.WhichOneof("message"))
            if kind == "ping":
                await self.say(said(pong=pb.PongMessage()))
            else:
                return kind, getattr(message, kind)

    async def until(self, wanted: str) -> Any:
        while (found := await self.next()) is not None:
            if found[0] == wanted:
                return found[1]
        raise AssertionError(f"the stream ended before {wanted}: {self.bundles}")

    async def status(self) -> tuple[grpc.StatusCode, str]:
        """How it ended."""
        return await ended(self.play)


async def ended(play: Any) -> tuple[grpc.StatusCode, str]:
    with contextlib.suppress(grpc.aio.AioRpcError):
        while await play.read() is not END:
            pass
    return await play.code(), await play.details()


async def login(server: Any, name: str, players: int = 0) -> Streamer:
    streamer = Streamer(server)
    await streamer.say(said(login=pb.LoginRequest(nickname=name)))
    assert (await streamer.until("login")).nickname == name
    if players:
        await streamer.until("num_players_request")
        await streamer.say(said(num_players=pb.NumPlayersResponse(numPlayers=players)))
    return streamer


async def empty(server: Any) -> None:
    async with asyncio.timeout(rig.PATIENCE_S):
        while server.house.hall.guests:
            await asyncio.sleep(0.02)
    assert server.house.metrics.connections.labels("shelfie-rpc")._value.get() == 0


# Without a server.


def test_a_bundle_is_as_many_lines_and_many_notices_are_one_bundle() -> None:
    bundle = pb.ClientMessages(messages=[pick(1, 3), said(pong=pb.PongMessage()), pb.ClientMessage()])
    lines = write_said(bundle.SerializeToString()).splitlines()
    assert [line.partition(b" ")[0] for line in lines] == [b"PickTile", b"Pong", b"Nothing"]
    told = [pb.ServerMessage(seq=number, ping=pb.PingMessage()) for number in range(3)]
    told.append(pb.ServerMessage(seq=4, error=pb.ErrorMessage(message="x" * 300)))
    made = pb.ServerMessages.FromString(write_told([one.SerializeToString() for one in told]))
    assert list(made.messages) == told


def test_what_cannot_be_read_is_told_and_ten_times_in_a_row_is_the_end() -> None:
    conversation = StreamConversation(Settings())
    odd = [pb.ClientMessage(), said(pick_tile=pb.PickTileRequest())]
    for number in range(10):
        assert not conversation.closing, number
        bundle = pb.ClientMessages(messages=[odd[number % 2]]).SerializeToString()
        (reply,) = conversation.receive(write_said(bundle), 0.0)
        kind, _, data = read_line(reply.data.strip())  # type: ignore[union-attr]
        assert (kind, pb.ServerMessage.FromString(data).WhichOneof("message")) == ("notify", "error")
    assert conversation.closing


# With one.


async def test_a_whole_turn_is_one_message(tmp_path: Path) -> None:
    async with house(tmp_path, "shelfie") as server:
        players = {"anna": await login(server, "anna", players=2), "bruno": await login(server, "bruno")}
        starts = [await player.until("game_start") for player in players.values()]
        mover = players.pop(starts[0].nextPlayer)
        (other,) = players.values()
        tiles = {(cell.row, cell.column): cell.tile for cell in starts[0].board.cells}
        # With two players the corner at the top is always free.
        assert tiles[1, 3]
        await mover.say(
            pick(1, 3),
            said(confirm_pick=pb.ConfirmPickRequest()),
            said(confirm_column=pb.ConfirmColumnRequest(columnNumber=2)),
            said(confirm_order=pb.ConfirmOrderNotify(pickedTiles=[tiles[1, 3]])),
        )
        assert (await mover.until("pick_tile")).valid
        assert await other.until("confirm_pick") == await mover.until("confirm_pick")
        assert (await mover.until("confirm_column")).valid
        told = await mover.until("end_turn")
        assert (told.player, told.bookshelf.rows[5].tiles[2]) == (starts[0].nextPlayer, tiles[1, 3])
        assert await other.until("end_turn") == told
        for one in (mover, other):
            await one.channel.close()


async def play_in_bundles(streamer: Streamer, name: str, dice: random.Random) -> list[str]:
    """Play to the end, two messages for each turn; what was heard."""
    heard = []
    cells: list[Any] = []
    while (found := await streamer.next()) is not None:
        kind, message = found
        heard.append(kind)
        if kind in ("game_start", "end_turn") and message.nextPlayer == name:
            if kind == "end_turn" and message.player == name:
                continue  # The last turn of all.
            cells = [cell for cell in message.board.cells if cell.tile != pb.EMPTY]
            dice.shuffle(cells)
            await streamer.say(*(pick(cell.row, cell.column) for cell in cells))
            picked: list[Any] = []
            for _ in cells:
                picked = list((await streamer.until("pick_tile")).pickedTiles)
            await streamer.say(said(confirm_pick=pb.ConfirmPickRequest()))
            assert (await streamer.until("confirm_pick")).valid
            for column in range(5):
                await streamer.say(said(confirm_column=pb.ConfirmColumnRequest(columnNumber=column)))
                if (await streamer.until("confirm_column")).valid:
                    break
            await streamer.say(said(confirm_order=pb.ConfirmOrderNotify(pickedTiles=picked)))
    return heard


@pytest.mark.slow
async def test_a_match_of_a_stream_calls_and_lines(tmp_path: Path) -> None:
    async with house(tmp_path, "shelfie") as server:
        dice = random.Random(7)
        anna = await login(server, "anna", players=3)
        bruno = await Remote(server).connect()
        await bruno.call("Login", pb.LoginRequest(nickname="bruno"))
        carla = await rig.connect(server, "shelfie")
        await carla.send({"type": "LoginRequest", "nickname": "carla"})
        heard, calls, lines = await asyncio.gather(
            play_in_bundles(anna, "anna", dice),
            play_by_calls(bruno, "bruno", dice),
            play_by_lines(carla, "carla", dice),
        )
        turns = heard.count("end_turn")
        assert turns > 20
        assert [kind for kind, _ in calls].count("end_turn") == turns
        assert [line["type"] for line in lines].count("EndTurnNotify") == turns
        assert heard[-1] == "game_result"
        assert await anna.status() == (grpc.StatusCode.OK, "")
        assert any(len(bundle) > 1 for bundle in anna.bundles), "what comes together is sent together"
        await anna.channel.close()
        await bruno.close()


# By those who abuse it.


async def test_bytes_that_are_no_message_end_the_stream_with_a_status(tmp_path: Path) -> None:
    async with house(tmp_path, "shelfie") as server:
        anna = await login(server, "anna")
        raw = anna.channel.stream_stream("/ludoteca.shelfie.v1.MyShelfie/Play")()
        await raw.write(b"\xff\xff\xff")
        assert (await ended(raw))[0] == grpc.StatusCode.INVALID_ARGUMENT
        # Nobody else suffers for it.
        await anna.say(said(pong=pb.PongMessage()), said(num_players=pb.NumPlayersResponse(numPlayers=9)))
        await anna.until("num_players_request")
        await anna.channel.close()
        await empty(server)


async def test_a_flood_in_one_message_is_carried_out_slowly_and_others_play(tmp_path: Path) -> None:
    async with house(tmp_path, "shelfie", rate_per_s=50, rate_burst=20) as server:
        flooder = await login(server, "anna")
        await flooder.say(*[said(pong=pb.PongMessage())] * 7000)
        await flooder.say(said(num_players=pb.NumPlayersResponse(numPlayers=2)))
        neighbour = await login(server, "bruno")
        async with asyncio.timeout(rig.PATIENCE_S):
            while not server.house.metrics.held.labels("rate")._value.get():
                await asyncio.sleep(0.01)
        assert len(server.house.hall.tables) == 0, "the number comes after all of that"
        for streamer in (flooder, neighbour):
            streamer.play.cancel()
            await streamer.channel.close()
        await empty(server)


async def test_a_message_that_is_too_long_ends_its_stream(tmp_path: Path) -> None:
    async with house(tmp_path, "shelfie", line_bytes_max=2048) as server:
        anna = await login(server, "anna")
        await anna.say(*[said(pong=pb.PongMessage())] * 1000)
        assert (await anna.status())[0] == grpc.StatusCode.RESOURCE_EXHAUSTED
        await anna.channel.close()
        await empty(server)


async def test_whoever_ends_the_stream_in_any_way_has_left(tmp_path: Path) -> None:
    async with house(tmp_path, "shelfie") as server:
        for number in range(3):
            anna = await login(server, f"anna{number}", players=2)
            await anna.until("lobby_info")
            if number == 0:
                await anna.play.done_writing()
                assert (await anna.status())[0] == grpc.StatusCode.OK
            elif number == 1:
                anna.play.cancel()
            await anna.channel.close()
            await empty(server)


@pytest.mark.slow
async def test_who_never_reads_is_dropped_and_who_never_says_who_it_is_too(tmp_path: Path) -> None:
    async with house(tmp_path, "shelfie", outbox_bytes_max=1 << 16, handshake_s=0.5) as server:
        silent = Streamer(server)
        await silent.play.wait_for_connection()
        async with asyncio.timeout(rig.PATIENCE_S):
            while not server.house.hall.guests:
                await asyncio.sleep(0.01)
        await empty(server)
        deaf = await login(server, "deaf")
        # What the network takes is not in our hands; beyond that a bound holds.
        (connection,) = server._calls[0]._connections.values()
        connection.write(b"notify Notifications " + b"00" * (1 << 16) + b"\n")
        connection.write(b"notify Notifications " + b"00" * (1 << 16) + b"\n")
        await empty(server)
        assert server.house.metrics.dropped.labels("slow")._value.get() == 1
        for streamer in (silent, deaf):
            await streamer.channel.close()


async def test_streams_are_counted_by_address_as_the_proxy_says(tmp_path: Path) -> None:
    limits = {"trusted_proxies": ["127.0.0.1"], "connections_per_address_max": 1}
    async with house(tmp_path, "shelfie", **limits) as server:
        first = Streamer(server, ("x-forwarded-for", "203.0.113.7"))
        await first.say(said(login=pb.LoginRequest(nickname="anna")))
        await first.until("login")
        second = Streamer(server, ("x-forwarded-for", "203.0.113.7"))
        status, reason = await second.status()
        assert status == grpc.StatusCode.RESOURCE_EXHAUSTED
        assert "too many connections" in reason
        third = Streamer(server, ("x-forwarded-for", "203.0.113.8"))
        await third.say(said(login=pb.LoginRequest(nickname="carla")))
        await third.until("login")
        for streamer in (first, second, third):
            await streamer.channel.close()
        await empty(server)


async def test_a_house_that_closes_says_so_there_too(tmp_path: Path) -> None:
    async with house(tmp_path, "shelfie") as server:
        anna = await login(server, "anna")
        closing = asyncio.create_task(server.stop())
        assert (await anna.until("error")).message
        assert await anna.next() is None
        await closing
        await anna.channel.close()
