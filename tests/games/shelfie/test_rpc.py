"""Remote calls: what each call returns, what goes to the stream, which status faults have, and the stubs."""

import asyncio
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import grpc
import pytest
from tests import rig
from tests.games.shelfie.remote import END, Remote, house

from ludoteca.core import RemoteError
from ludoteca.games.shelfie import rpc as package
from ludoteca.games.shelfie.rpc import Client, pb, read_line, write_call
from ludoteca.games.shelfie.rpc.calls import RemoteConversation, to_protobuf
from ludoteca.games.shelfie.wire import Settings, messages
from ludoteca.server import caller, rpc

PAGE = Path(__file__).parents[3] / "src/ludoteca/games/shelfie/PROTOCOL.md"
SOURCES = Path(package.__file__).parents[4]
PROTO = "ludoteca/games/shelfie/rpc/shelfie.proto"


@pytest.mark.slow
def test_the_committed_stubs_are_those_of_the_proto(tmp_path: Path) -> None:
    outputs = [f"--{kind}_out={tmp_path}" for kind in ("python", "pyi", "grpc_python")]
    command = [sys.executable, "-m", "grpc_tools.protoc", "-I", ".", *outputs, PROTO]
    subprocess.run(command, cwd=SOURCES, check=True)
    made = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*.py*"))
    assert [path.name for path in made] == ["shelfie_pb2.py", "shelfie_pb2.pyi", "shelfie_pb2_grpc.py"]
    for path in made:
        assert (SOURCES / path).read_text() == (tmp_path / path).read_text(), "run protoc as the page says"


def test_the_service_offers_a_call_for_every_request() -> None:
    methods = set(pb.DESCRIPTOR.services_by_name["MyShelfie"].methods_by_name)
    assert methods == {*package.UNARY, package.CONNECT, package.TEST, package.STREAM, package.PLAY}


def test_every_message_has_a_namesake_with_the_same_fields() -> None:
    for union in (messages.ClientMessage, messages.ServerMessage):
        for member in union.__args__:
            fields = {field.name for field in getattr(pb, member.__name__).DESCRIPTOR.fields}
            assert fields == set(member.__struct_encode_fields__), member


@pytest.mark.slow
def test_the_command_line_does_not_load_grpc() -> None:
    code = "import sys, ludoteca.cli, ludoteca.games as g; g.load('shelfie'); print('grpc' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "False\n"


# The conversation, without a server


def lines(conversation: RemoteConversation, method: str, request: Any) -> list[tuple[str, str, bytes]]:
    replies = conversation.receive(write_call(method, request.SerializeToString()), 0.0)
    return [read_line(line) for reply in replies for line in reply.data.splitlines()]  # type: ignore[union-attr]


def test_a_call_at_the_wrong_moment_gets_its_negative_answer() -> None:
    conversation = RemoteConversation(Settings())
    (answer,) = lines(conversation, "PickTile", pb.PickTileRequest(position=pb.Position()))
    assert answer == ("answer", "PickTile", pb.PickTileResponse().SerializeToString())
    for method, request in (
        ("NumPlayers", pb.NumPlayersResponse(numPlayers=2)),
        ("ConfirmOrder", pb.ConfirmOrderNotify(pickedTiles=[pb.GREEN])),
        ("Chat", pb.ChatMessage(textMessage="hello?")),
    ):
        assert lines(conversation, method, request) == [("answer", method, b"")], "not accepted"


def test_a_call_that_cannot_be_read_fails_and_ten_in_a_row_end_the_connection() -> None:
    conversation = RemoteConversation(Settings())
    for _ in range(10):
        assert not conversation.closing
        ((kind, method, reason),) = lines(conversation, "PickTile", pb.PickTileRequest())
        assert (kind, method) == ("fault", "PickTile")
        assert reason == b"the position is missing"
    assert conversation.closing


def test_unknown_tiles_and_broken_bytes_are_faults() -> None:
    conversation = RemoteConversation(Settings())
    forged = pb.ConfirmOrderNotify(pickedTiles=[99])  # type: ignore[list-item]
    assert lines(conversation, "ConfirmOrder", forged) == [("fault", "ConfirmOrder", b"there is no tile 99")]
    (reply,) = conversation.receive(write_call("Login", b"\xff\xff"), 0.0)
    assert reply.data.startswith(b"fault Login ")  # type: ignore[union-attr]


def test_a_ping_goes_to_the_stream_and_its_pong_is_acknowledged() -> None:
    conversation = RemoteConversation(Settings())
    conversation.greet(0.0)
    (reply,) = conversation.tick(2.0)
    kind, _, data = read_line(reply.data.strip())  # type: ignore[union-attr]
    assert kind == "notify"
    assert pb.ServerMessage.FromString(data) == pb.ServerMessage(seq=1, ping=pb.PingMessage())
    acknowledged = pb.Ack(accepted=True).SerializeToString()
    assert lines(conversation, "Pong", pb.PongMessage()) == [("answer", "Pong", acknowledged)]
    conversation.tick(22.0)
    assert conversation._pulse.lost == 0


def test_bookshelves_and_rewards_have_their_own_shape() -> None:
    shelf = messages.Bookshelf((("GREEN", "EMPTY", "EMPTY", "EMPTY", "PINK"),))
    turn = messages.EndTurnNotify(messages.Board(()), shelf, (messages.Token(8),), 3, True, "anna", "bruno")
    made = to_protobuf(turn)
    assert list(made.bookshelf.rows[0].tiles) == [pb.GREEN, 0, 0, 0, pb.PINK]
    assert (made.points, made.endGame, made.player) == (3, True, "anna")
    goal = messages.personal_goal_of(1)
    board = messages.Board((messages.BoardCell(1, 3, "WHITE"),))
    start = messages.GameStartNotify(board, (), (), goal, ("anna",), "anna", "secret")
    made = to_protobuf(start)
    assert dict(made.personalGoal.rewards) == {1: 1, 2: 2, 3: 4, 4: 6, 5: 9, 6: 12}
    assert made.board.cells[0].tile == pb.WHITE


# The server


async def status_of(call: Any) -> grpc.StatusCode:
    with pytest.raises(grpc.aio.AioRpcError) as failed:
        await call
    return failed.value.code()


@pytest.mark.slow
async def test_calls_without_a_known_connection_are_unauthenticated(tmp_path: Path) -> None:
    async with house(tmp_path, "shelfie") as server:
        stranger = Remote(server)
        login = pb.LoginRequest(nickname="anna")
        assert await status_of(stranger.call("Login", login)) == grpc.StatusCode.UNAUTHENTICATED
        stranger.metadata = (("shelfie-connection", "made-up"),)
        assert await status_of(stranger.call("Login", login)) == grpc.StatusCode.UNAUTHENTICATED
        stream = stranger.stub.Notifications(pb.Connection(id="made-up"))
        assert await status_of(stream.read()) == grpc.StatusCode.UNAUTHENTICATED
        assert not (await stranger.call("TestConnection", pb.ConnectRequest())).accepted
        stranger.metadata = ()
        assert (await stranger.call("TestConnection", pb.ConnectRequest())).accepted
        await stranger.close()


@pytest.mark.slow
async def test_faults_have_a_status_and_leave_the_connection_standing(tmp_path: Path) -> None:
    async with house(tmp_path, "shelfie") as server:
        anna = await Remote(server).connect()
        bad = anna.call("PickTile", pb.PickTileRequest())
        assert await status_of(bad) == grpc.StatusCode.INVALID_ARGUMENT
        raw = anna.channel.unary_unary("/ludoteca.shelfie.v1.MyShelfie/Login")
        assert await status_of(raw(b"\xff\xff", metadata=anna.metadata)) == grpc.StatusCode.INVALID_ARGUMENT
        huge = pb.LoginRequest(nickname="x" * 100_000)
        assert await status_of(anna.call("Login", huge)) == grpc.StatusCode.RESOURCE_EXHAUSTED
        long = pb.LoginRequest(nickname="x" * 32_700)
        assert not (await anna.call("Login", long)).HasField("nickname"), "as long as a message may be"
        assert (await anna.call("Login", pb.LoginRequest(nickname="anna"))).nickname == "anna"
        assert (await anna.call("TestConnection", pb.ConnectRequest())).accepted
        await anna.close()


@pytest.mark.slow
async def test_a_connection_has_one_stream_and_ends_with_it(tmp_path: Path) -> None:
    async with house(tmp_path, "shelfie") as server:
        anna = await Remote(server).connect()
        await anna.call("Login", pb.LoginRequest(nickname="anna"))
        second = anna.stub.Notifications(pb.Connection(), metadata=anna.metadata)
        assert await status_of(second.read()) == grpc.StatusCode.ALREADY_EXISTS
        anna.stream.cancel()
        for _ in range(100):
            if not (await anna.call("TestConnection", pb.ConnectRequest())).accepted:
                break
            await asyncio.sleep(0.02)
        pick = anna.call("PickTile", pb.PickTileRequest(position=pb.Position()))
        assert await status_of(pick) == grpc.StatusCode.UNAUTHENTICATED
        again = await Remote(server).connect()
        assert (await again.call("Login", pb.LoginRequest(nickname="anna"))).nickname == "anna", (
            "the name is free"
        )
        await anna.close()
        await again.close()


@pytest.mark.slow
async def test_a_login_that_is_refused_has_no_name(tmp_path: Path) -> None:
    async with house(tmp_path, "shelfie") as server:
        anna, other = await Remote(server).connect(), await Remote(server).connect()
        await anna.call("Login", pb.LoginRequest(nickname="anna"))
        answer = await other.call("Login", pb.LoginRequest(nickname="Anna"))
        assert not answer.HasField("nickname")
        await anna.close()
        await other.close()


@pytest.mark.slow
async def test_the_number_is_acknowledged_or_asked_again(tmp_path: Path) -> None:
    async with house(tmp_path, "shelfie") as server:
        anna = await Remote(server).connect()
        await anna.call("Login", pb.LoginRequest(nickname="anna"))
        await anna.until("num_players_request")
        assert not (await anna.call("NumPlayers", pb.NumPlayersResponse(numPlayers=7))).accepted
        await anna.until("num_players_request")
        assert (await anna.call("NumPlayers", pb.NumPlayersResponse(numPlayers=3))).accepted
        assert (await anna.until("lobby_info")).sizeLobby == 3
        assert not (await anna.call("NumPlayers", pb.NumPlayersResponse(numPlayers=2))).accepted
        await anna.close()


async def two_in_a_match(server: Any) -> tuple[Remote, Remote, Any]:
    """The player to move, the other one, and the start."""
    remotes = {}
    for name in ("anna", "bruno"):
        remotes[name] = await Remote(server).connect()
        await remotes[name].call("Login", pb.LoginRequest(nickname=name))
        if name == "anna":
            await remotes[name].until("num_players_request")
            await remotes[name].call("NumPlayers", pb.NumPlayersResponse(numPlayers=2))
    start = await remotes["anna"].until("game_start")
    await remotes["bruno"].until("game_start")
    other = next(name for name in remotes if name != start.nextPlayer)
    return remotes[start.nextPlayer], remotes[other], start


def at(row: int, column: int) -> pb.Position:
    return pb.Position(row=row, column=column)


@pytest.mark.slow
async def test_a_turn_by_calls_and_what_the_other_player_hears(tmp_path: Path) -> None:
    async with house(tmp_path, "shelfie") as server:
        mover, other, start = await two_in_a_match(server)
        # With two players the corner at the top is always free.
        picked = await mover.call("PickTile", pb.PickTileRequest(position=at(1, 3)))
        tile = start.board.cells[0].tile
        assert (picked.valid, list(picked.pickedTiles)) == (True, [tile])
        assert not (await other.call("PickTile", pb.PickTileRequest(position=at(1, 3)))).valid
        unpicked = await mover.call("UnpickTile", pb.UnpickTileRequest(position=at(1, 3)))
        assert (unpicked.successful, list(unpicked.pickedTiles)) == (True, [])
        assert not (await mover.call("ConfirmPick", pb.ConfirmPickRequest())).valid
        await mover.call("PickTile", pb.PickTileRequest(position=at(1, 3)))
        confirmed = await mover.call("ConfirmPick", pb.ConfirmPickRequest())
        assert confirmed.valid
        assert confirmed.board.cells[0].tile == pb.EMPTY
        assert await other.until("confirm_pick") == confirmed
        column = await mover.call("ConfirmColumn", pb.ConfirmColumnRequest(columnNumber=2))
        assert (column.valid, column.needForSwap) == (True, False)
        forged = await mover.call("ConfirmOrder", pb.ConfirmOrderNotify(pickedTiles=[tile, tile]))
        assert not forged.accepted
        again = await mover.until("confirm_column")
        assert (again.valid, again.needForSwap) == (True, True)
        assert (await mover.call("ConfirmOrder", pb.ConfirmOrderNotify(pickedTiles=[tile]))).accepted
        ended = await mover.until("end_turn")
        assert await other.until("end_turn") == ended
        assert ended.bookshelf.rows[5].tiles[2] == tile
        await mover.close()
        await other.close()


@pytest.mark.slow
async def test_calls_in_flight_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caller, "CALLS_PER_CONNECTION_MAX", 3)
    async with house(tmp_path, "shelfie") as server:
        anna = await Remote(server).connect()
        await anna.call("Login", pb.LoginRequest(nickname="anna"))
        # While the journal is in trouble no call is taken, so they wait.
        server.house._on_trouble("the disk is full")
        waiting = [asyncio.create_task(anna.call("Pong", pb.PongMessage())) for _ in range(3)]
        await asyncio.sleep(0.2)
        assert await status_of(anna.call("Pong", pb.PongMessage())) == grpc.StatusCode.RESOURCE_EXHAUSTED
        server.house._on_trouble("")
        assert all([(await call).accepted for call in waiting])
        await anna.close()


@pytest.mark.slow
async def test_a_call_that_is_not_answered_in_time_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rpc, "CALL_S", 0.1)
    async with house(tmp_path, "shelfie") as server:
        anna = await Remote(server).connect()
        server.house._on_trouble("the disk is full")
        late = anna.call("Pong", pb.PongMessage())
        assert await status_of(late) == grpc.StatusCode.DEADLINE_EXCEEDED
        server.house._on_trouble("")
        assert (await anna.call("Pong", pb.PongMessage())).accepted
        await anna.close()


@pytest.mark.slow
async def test_many_calls_at_once_are_all_answered(tmp_path: Path) -> None:
    async with house(tmp_path, "shelfie") as server:
        mover, other, _ = await two_in_a_match(server)
        calls = [mover.call("PickTile", pb.PickTileRequest(position=at(1, 3))) for _ in range(50)]
        answers = await asyncio.gather(*calls)
        assert sum(answer.valid for answer in answers) == 1, "a tile is selected once"
        await mover.close()
        await other.close()


@pytest.mark.slow
async def test_a_client_that_reads_nothing_is_cut_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(caller, "MESSAGES_BEFORE_STREAM_MAX", 5)
    async with house(tmp_path, "shelfie") as server:
        deaf = Remote(server)
        connection = await deaf.stub.Connect(pb.ConnectRequest())
        deaf.metadata = (("shelfie-connection", connection.id),)
        await deaf.call("Login", pb.LoginRequest(nickname="deaf"))
        for _ in range(5):
            await deaf.call("NumPlayers", pb.NumPlayersResponse(numPlayers=9))
        assert not (await deaf.call("TestConnection", pb.ConnectRequest())).accepted
        await deaf.close()


@pytest.mark.slow
async def test_five_lost_pings_end_a_remote_connection_and_its_match_only(tmp_path: Path) -> None:
    times = {"shelfie.ping_first_s": 0.05, "shelfie.ping_interval_s": 0.4}
    async with house(tmp_path, "shelfie", default=times) as server:
        mover, other, _ = await two_in_a_match(server)
        lost = mover.stream  # nobody reads it, so nobody answers
        assert (await other.until("player_disconnected")).disconnectedPlayer
        assert await other.next() is None
        while (message := await lost.read()) is not END:
            assert message.WhichOneof("message") == "ping"
        await mover.close()
        await other.close()


@pytest.mark.slow
async def test_d20_a_client_that_never_reads_its_stream_does_not_stay(tmp_path: Path) -> None:
    async with house(tmp_path, "shelfie", handshake_s=0.5) as server:
        key = package.CONNECTION_KEY
        for name in ("anna", "bruno"):
            client = Remote(server)
            identity = (await client.stub.Connect(pb.ConnectRequest())).id
            await client.stub.Login(pb.LoginRequest(nickname=name), metadata=((key, identity),))
            assert server.house.hall.guests
            async with asyncio.timeout(rig.PATIENCE_S):
                while server.house.hall.guests:
                    await asyncio.sleep(0.02)
            await client.close()
        assert server.house.metrics.connections.labels("shelfie-rpc")._value.get() == 0


@pytest.mark.slow
async def test_d20_a_trusted_proxy_says_who_calls_and_nobody_else_does(tmp_path: Path) -> None:
    for proxies, expected in ((["127.0.0.1"], "203.0.113.7"), ([], "127.0.0.1")):
        limits = {"trusted_proxies": proxies, "connections_per_address_max": 1}
        async with house(tmp_path, "shelfie", **limits) as server:
            client = Remote(server)
            told = (("x-forwarded-for", "6.6.6.6, 203.0.113.7"),)
            await client.stub.Connect(pb.ConnectRequest(), metadata=told)
            assert [guest.address for guest in server.house.hall.guests] == [expected]
            with pytest.raises(grpc.aio.AioRpcError, match="too many connections"):
                await client.stub.Connect(pb.ConnectRequest(), metadata=told)
            await client.close()


@pytest.mark.slow
async def test_d20_a_silent_connection_to_the_remote_calls_is_ended(tmp_path: Path) -> None:
    async with house(tmp_path, "shelfie", header_s=0.5) as server:
        silent = await rig.connect(server, "shelfie-rpc")
        while await asyncio.wait_for(silent.reader.read(1000), 10):
            pass


@pytest.mark.slow
async def test_a_house_that_closes_says_so_on_the_stream(tmp_path: Path) -> None:
    async with house(tmp_path, "shelfie") as server:
        anna = await Remote(server).connect()
        await anna.call("Login", pb.LoginRequest(nickname="anna"))
        await anna.until("num_players_request")
        closing = asyncio.create_task(server.stop())
        assert (await anna.until("error")).message
        assert await anna.next() is None
        await closing
        await anna.close()


@pytest.mark.slow
async def test_a_taken_port_is_an_error(tmp_path: Path) -> None:
    async with house(tmp_path, "shelfie") as server:
        port = server.addresses["shelfie-rpc"][1]
        with pytest.raises(OSError, match=r"port|bind|Failed"):
            await rpc.listen(server.house, server._doorman, "shelfie-rpc", "127.0.0.1", port)


def test_only_games_with_calls_offer_them() -> None:
    assert rpc.listeners() == {"shelfie-rpc": "shelfie"}
    assert rpc.load("shelfie").PORT == 11501


@pytest.mark.slow
async def test_a_player_of_calls_comes_back_to_a_killed_server(tmp_path: Path) -> None:
    async with rig.process(tmp_path, "shelfie-rpc") as server:
        mover, other, start = await two_in_a_match(server)
        picked = await mover.call("PickTile", pb.PickTileRequest(position=at(1, 3)))
        board = (await mover.call("ConfirmPick", pb.ConfirmPickRequest())).board
        await server.kill()
        await mover.close()
        await other.close()
        await server.start()
        again = await Remote(server).connect()
        entered = await again.call("Login", pb.LoginRequest(nickname=start.nextPlayer))
        assert entered.nickname == start.nextPlayer
        assert (await again.until("game_start")).board == board
        assert (await again.until("pick_tile")).pickedTiles == picked.pickedTiles
        assert (await again.call("ConfirmColumn", pb.ConfirmColumnRequest(columnNumber=0))).valid
        order = pb.ConfirmOrderNotify(pickedTiles=picked.pickedTiles)
        assert (await again.call("ConfirmOrder", order)).accepted
        await again.close()


# The published client


@pytest.mark.slow
async def test_the_ten_lines_of_the_page_play_a_match(tmp_path: Path) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    async with house(tmp_path, "shelfie") as server:
        host, port = server.addresses["shelfie-rpc"]
        runs = []
        for name in ("anna", "bruno"):
            path = tmp_path / f"{name}.py"
            path.write_text(
                program.replace("127.0.0.1:11501", f"{host}:{port}").replace('"anna"', f'"{name}"')
            )
            pipe = asyncio.subprocess.PIPE
            runs.append(await asyncio.create_subprocess_exec(sys.executable, path, stdout=pipe, stderr=pipe))
        printed = [await asyncio.wait_for(run.communicate(), 60) for run in runs]
    assert printed[0] == printed[1]
    assert printed[0] in [(f"{name} wins\n".encode(), b"") for name in ("anna", "bruno")]


@pytest.mark.slow
async def test_the_client_chats_unpicks_and_reports_a_refused_name(tmp_path: Path) -> None:
    async with house(tmp_path, "shelfie") as server:
        host, port = server.addresses["shelfie-rpc"]
        tina = await rig.connect(server, "shelfie")
        await tina.send({"type": "LoginRequest", "nickname": "tina"})
        await tina.until("NumPlayersRequest")
        await tina.send({"type": "NumPlayersResponse", "numPlayers": 2})
        await asyncio.to_thread(use_client, f"{host}:{port}")
        assert (await tina.until("ChatMessage"))["textMessage"] == "hello"
        assert (await tina.until("PlayerDisconnectedNotify"))["disconnectedPlayer"] == "greta"


def use_client(address: str) -> None:
    with pytest.raises(RemoteError, match="refused"):
        Client(grpc.insecure_channel(address), "tina")
    greta = Client(grpc.insecure_channel(address), "greta")
    next(message for message in greta.news() if message.HasField("game_start"))
    assert not greta.unpick(1, 3).successful
    assert greta.chat("hello")
    assert not greta.chat("hello", receiver="nobody")
    greta.close()
