"""`ludoteca connect`: the games' own protocols, spoken by our client to our server and to others like it."""

import asyncio
import subprocess
import sys

import pytest
from tests import rig

from ludoteca import games
from ludoteca.clients.address import Address
from ludoteca.clients.desks.seed import CallerDesk
from ludoteca.core import Refused, Room

# What a screen of 120x40 leaves, with the log below.
ROOM = Room(117, 28)
CONNECT = [sys.executable, "-m", "ludoteca.cli", "connect"]


async def play(desk: CallerDesk, host: str, port: int, prefer: str = "") -> None:
    """Play a match at random through a desk; where this answer is possible, give it."""
    news = asyncio.Event()
    desk.changed = news.set
    running = asyncio.create_task(desk.run(Address(host, port, lines=True)))
    async with asyncio.timeout(60):
        while not running.done() and desk.phase != "over":
            if desk.asking:
                assert desk.prompt is not None
                assert (desk.board(ROOM) is None) == (not desk.picture or not desk.inks)
                if prefer in desk.prompt.answers:
                    desk.answer(prefer)
                else:
                    desk.answer_by_chance()
                continue
            news.clear()
            waiting = asyncio.create_task(news.wait())
            await asyncio.wait({waiting, running}, return_when=asyncio.FIRST_COMPLETED)
            waiting.cancel()
        # Some servers hang up at the end, others leave that to the client.
        await asyncio.wait({running}, timeout=0.2)
        desk.leave()
        await running


def desk_of(name: str, nickname: str) -> CallerDesk:
    return CallerDesk(name, games.load_client(name)(nickname), games.load(name).text)


def texts(desk: CallerDesk) -> list[str]:
    return [line.text for line in desk.lines]


@pytest.mark.slow
async def test_multisweeper_plays_a_tournament_of_three_at_our_server(tmp_path):
    defaults = {"multisweeper.players": 3, "multisweeper.pause_s": 0}
    async with rig.house(tmp_path, "multisweeper", default=defaults) as server:
        host, port = server.addresses["multisweeper"]
        make = games.load_client("multisweeper")
        desks = [CallerDesk("Multisweeper", make(name)) for name in ("Ann", "Bén", "Cleo Due")]
        await asyncio.gather(*(play(desk, host, port) for desk in desks))
        ends = [text for desk in desks for text in texts(desk)]
        assert ends.count("You win the tournament.") == 1
        assert ends.count("You lose the final.") == 1
        assert ends.count("You are out, and look on from now on.") == 1
        assert ends.count("You are through to the next round.") == 2
        assert any("Round 2" in text for text in texts(desks[0]))
        assert [player.name for player in desks[0].players], "the nicknames came over the wire"


@pytest.mark.slow
async def test_multisweeper_follows_a_server_that_reads_packets_for_lines():
    """The first server: greeting, hello and name each in a packet of their own, one tournament, code 1
    for a lost final."""
    heard: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async def hear() -> None:
            heard.append(await reader.read(1000))

        writer.write(b"multisweeper v1\n")
        await hear()
        await hear()
        writer.write(b"num_players 2\nplayer Ann\nplayer Bob\nstart 2 1 1\nroulette_start 7 7 7\n")
        writer.write(b"turn_id_update 1\nturn_")
        await asyncio.sleep(0.01)
        writer.write(b"start\n")
        await hear()
        writer.write(b"board_update 10 9\nend_condition 1\n")
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    desk = CallerDesk("Multisweeper", games.load_client("multisweeper")("Änn"))
    await play(desk, "127.0.0.1", port)
    server.close()
    assert heard[:2] == [b"multisweeper client v1\n", b"name Ann\n"]
    assert heard[2] in (b"click 0 0\n", b"click 1 0\n")
    assert "You lose the final." in texts(desk)
    assert desk.phase == "over"
    with pytest.raises(Refused):
        desk.answer("click 1 0")


@pytest.mark.parametrize("said", [b"", b"multisweeper v1\n", b"multisweeper v1\nsudden_exit\n"])
async def test_multisweeper_survives_a_server_that_hangs_up(said):
    async def serve(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(said)
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    desk = CallerDesk("Multisweeper", games.load_client("multisweeper")("Ann"))
    await play(desk, "127.0.0.1", server.sockets[0].getsockname()[1])
    server.close()
    assert desk.phase == "over"
    assert any("hung up" in text or "ended the tournament" in text for text in texts(desk))


async def test_a_server_cannot_steer_the_terminal():
    async def serve(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"multisweeper v1\nnum_players 2\nplayer A\x1b[2Jnn\nplayer Bob\nstart 2 1 1\n")
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    desk = desk_of("multisweeper", "Ann")
    await play(desk, "127.0.0.1", server.sockets[0].getsockname()[1])
    server.close()
    board = desk.board(ROOM)
    assert board is not None
    assert not board.plain
    shown = [desk.picture, *board.rows, *texts(desk), *(player.name for player in desk.players)]
    assert desk.picture
    assert "\x1b" not in "".join(shown)


@pytest.mark.slow
async def test_two_processes_play_a_tournament_through_the_command_line(tmp_path):
    async with rig.house(tmp_path, "multisweeper", default={"multisweeper.players": 2}) as server:
        host, port = server.addresses["multisweeper"]

        async def player(name: str) -> str:
            process = await asyncio.create_subprocess_exec(
                *[*CONNECT, "multisweeper", f"{host}:{port}", "--linear", "--as", name],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
            )
            out, _ = await asyncio.wait_for(process.communicate(b"/any\n" * 100 + b"/quit\n"), 60)
            assert process.returncode == 0
            return out.decode()

        shown = await asyncio.gather(player("Ann"), player("Ben"))
    assert sum("You win the tournament." in text for text in shown) == 1
    assert sum("You lose the final." in text for text in shown) == 1


async def test_nobody_at_the_address_is_said_plainly():
    desk = CallerDesk("Multisweeper", games.load_client("multisweeper")("Ann"))
    await play(desk, "127.0.0.1", 9)
    assert any("nobody at 127.0.0.1:9" in text for text in texts(desk))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "players"),
    [
        ("santorini", 2),
        ("santorini", 3),
        ("shelfie", 2),
        ("shelfie", 4),
        ("renaissance", 1),
        ("renaissance", 3),
    ],
)
async def test_a_match_is_played_in_the_games_own_protocol(tmp_path, name, players):
    async with rig.house(tmp_path, name) as server:
        host, port = server.addresses[name]
        desks = [desk_of(name, nickname) for nickname in ("Ann", "Ann", "Cleo", "Dan")[:players]]
        await asyncio.gather(
            *(play(desk, host, port, prefer=f"{players} player{'s' * (players > 1)}") for desk in desks)
        )
    check_the_end(desks)


@pytest.mark.slow
@pytest.mark.parametrize(("mode", "players"), [("basic", 2), ("expert", 3)])
async def test_eriantys_is_played_in_its_own_protocol(tmp_path, mode, players):
    async with rig.house(tmp_path, "eriantys") as server:
        host, port = server.addresses["eriantys"]
        desks = [desk_of("eriantys", nickname) for nickname in ("Ann", "Ann", "Cleo")[:players]]
        opener = asyncio.create_task(play(desks[0], host, port, prefer=f"open {mode} for {players}"))
        while "Waiting for the others." not in texts(desks[0]):
            await asyncio.sleep(0.01)
        await asyncio.gather(opener, *(play(desk, host, port, prefer="join Ann-1") for desk in desks[1:]))
    check_the_end(desks)


def test_eriantys_does_not_offer_names_for_ever():
    client = games.load_client("eriantys")("Ann")
    client.receive(b'{"type":"NotifyPlayerIdMessage","playerID":"7"}\n', 0.0)
    client.receive(b'{"type":"AskNickname","isFirstRequest":true}\n', 0.0)
    said = [client.receive(b'{"type":"AskNickname","isFirstRequest":false}\n', 0.0) for _ in range(10)]
    assert [b"SetNickname" in one for one in said] == [True] * 9 + [False]
    assert b"AskGameListMessage" in said[-1]
    assert client.news[-1] == "That game takes none of our names."


def check_the_end(desks: list[CallerDesk]) -> None:
    ends = [text for desk in desks for text in texts(desk)]
    shared = [text for text in ends if text in ("A draw.", "Lorenzo wins.") or text.endswith(" won.")]
    assert ends.count("You win.") == 1 or shared
    assert {text for text in ends if text.startswith("The server says")} <= {
        "The server says: that name is taken"
    }
    assert all(desk.phase == "over" for desk in desks)
    assert not [text for text in ends if "makes no sense" in text or "hung up" in text]
