"""Bad input costs only the sender: two honest players play a match to its end beside
every kind of nuisance."""

import asyncio
import contextlib
import gc
import json
import os
import random
import resource
import socket
import struct
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from tests import rig
from tests.server.evening import Evening, Newcomer, comes_in_by_the_seed
from tests.server.neighbours import KINDS

from ludoteca import games
from ludoteca.bench.processes import rss_kib
from ludoteca.server.serve import Server
from ludoteca.server.session import Session

# Real processes, disks and clocks: left out of make check.
pytestmark = pytest.mark.slow

OPTIONS = {"width": 8, "height": 8, "mines": 8, "pause_s": 0}


async def honest_match(server: Server) -> None:
    """Two players of the seed's protocol, from the first line to the last."""

    async def player(name: str, client: rig.Client) -> list[str]:
        dice = random.Random(name)
        heard: list[str] = []
        board = ["9"] * 64
        await client.send("multisweeper client v1", f"name {name}")
        while (line := await client.line()) is not None:
            heard.append(line)
            if line.startswith("board_update"):
                board = line.split(" ")[1:]
            elif line == "turn_start":
                cell = dice.choice([place for place, value in enumerate(board) if value == "9"])
                await client.send(f"click {cell % 8} {cell // 8}")
        return heard

    clients = [await rig.connect(server, "multisweeper") for _ in range(2)]
    first, second = await asyncio.gather(player("Ada", clients[0]), player("Bob", clients[1]))
    assert {first[-1], second[-1]} == {"end_condition 0", "end_condition 2"}


@asynccontextmanager
async def house(folder: Path, **more: object) -> AsyncIterator[Server]:
    defaults = {f"multisweeper.{key}": value for key, value in OPTIONS.items()}
    async with rig.house(folder, "house", "multisweeper", default=defaults, **more) as server:
        yield server


async def ended(client: rig.Client) -> None:
    """The house has closed this connection."""
    with contextlib.suppress(ConnectionError):
        while await asyncio.wait_for(client.reader.read(65536), rig.PATIENCE_S):
            pass


@pytest.mark.parametrize("listener", ["multisweeper", "house"])
async def test_an_endless_line_is_cut_off(tmp_path: Path, listener: str) -> None:
    async with house(tmp_path) as server:
        nuisance = await rig.connect(server, listener)
        await nuisance.send(b"x" * 200_000)
        await ended(nuisance)
        await honest_match(server)


async def test_an_operator_can_allow_shorter_lines_only(tmp_path: Path) -> None:
    async with house(tmp_path, line_bytes_max=1024) as server:
        for pieces in ([b"x" * 1025 + b"\n"], [b"x" * 600, b"x" * 600], [b"\n" * 5 + b"x" * 1025]):
            nuisance = await rig.connect(server, "house")
            for piece in pieces:
                await nuisance.send(piece)
                await asyncio.sleep(0.02)
            await ended(nuisance)
        polite = await rig.connect(server, "house")
        await polite.send(b'{"type":"ping"}\n' * 200)
        await polite.until("pong")
        await honest_match(server)


async def test_one_byte_segments_are_as_good_as_lines(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        slow = await rig.connect(server, "multisweeper")
        assert await slow.line() == "multisweeper v1"
        for byte in b"multisweeper client v1 ping\r\n":
            await slow.send(bytes([byte]))
            await asyncio.sleep(0)
        assert await slow.line() == "multisweeper pong"
        own = await rig.connect(server, "house")
        for byte in b'{"type":"hello","name":"Anna"}\n':
            await own.send(bytes([byte]))
            await asyncio.sleep(0)
        assert (await own.message() or {})["type"] == "welcome"


async def test_half_open_handshakes_hold_up_nobody_and_are_ended(tmp_path: Path) -> None:
    async with house(tmp_path, handshake_s=2) as server:
        silent = [await rig.connect(server, "multisweeper") for _ in range(20)]
        for client in silent[:10]:
            await client.send("multisweeper client v1")
        await honest_match(server)
        for client in silent:
            await ended(client)


async def test_who_waits_for_others_is_not_silent(tmp_path: Path) -> None:
    """Santorini asks for names when the table is full: the first one in is not thrown out while waiting."""
    async with rig.house(tmp_path, "santorini", handshake_s=1) as server:
        first = await rig.connect(server, "santorini")
        await first.until("askNumberOfPlayers")
        await first.send({"type": "setNumberOfPlayers", "numberOfPlayers": 2})
        await first.until("stateUpdate")
        await asyncio.sleep(2)
        second = await rig.connect(server, "santorini")
        await first.until("askNickAndDate")
        await second.until("askNickAndDate")


async def test_who_is_asked_and_says_nothing_is_shown_the_door(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "santorini", handshake_s=0.4) as server:
        chooser = await rig.connect(server, "santorini")
        await chooser.until("askNumberOfPlayers")
        waiting = await rig.connect(server, "santorini")
        await ended(chooser)
        await waiting.until("askNumberOfPlayers")


async def test_connections_from_one_address_are_limited(tmp_path: Path) -> None:
    async with house(tmp_path, connections_per_address_max=5) as server:
        kept = [await rig.connect(server, "multisweeper") for _ in range(5)]
        for client in kept:
            assert await client.line() == "multisweeper v1"
        await ended(await rig.connect(server, "multisweeper"))
        for client in kept[:2]:
            await client.close()
        await rig.becomes(lambda: sum(server._doorman._by_address.values()) == 3)
        await honest_match(server)


async def test_a_flood_is_slowed_down_and_others_play_on(tmp_path: Path) -> None:
    async with house(tmp_path, rate_per_s=50, rate_burst=50) as server:
        flood = await rig.enter(server, "Flood")
        await flood.send(b'{"type":"list"}\n' * 300)
        before = server.house.metrics.letters._value.get()
        await asyncio.sleep(0.3)
        await honest_match(server)
        answered = 0
        for _ in range(300):
            await flood.until("tables")
            answered += 1
        assert answered == 300
        assert server.house.metrics.letters._value.get() > before


async def test_a_reader_that_never_reads_is_dropped_and_memory_stays_flat(tmp_path: Path) -> None:
    async with house(tmp_path, outbox_bytes_max=65536, **rig.CHATTY) as server:
        deaf = await rig.enter(server, "Deaf")
        deaf.reader._transport.pause_reading()  # type: ignore[attr-defined]
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        talker = await rig.enter(server, "Talker")
        await deaf.send({"type": "open", "game": "multisweeper", "seats": 3, "terms": {"private": True}})
        await rig.becomes(lambda: server.house.hall.tables)
        tables = list(server.house.hall.tables)
        await talker.send({"type": "sit", "table": tables[0].id})
        await talker.until("seated")
        # More than kernel buffers and outbox hold together.
        for _ in range(400):
            await talker.send(*[{"type": "say", "text": "x" * 500}] * 50)
            for _ in range(50):
                await talker.until("said")
            if tables[0].chairs[0] is not None and tables[0].chairs[0].guest is None:
                break
        else:
            pytest.fail("the deaf reader was never dropped")
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000
        await honest_match(server)


async def test_nothing_is_kept_of_a_connection_that_has_ended_whatever_alarms_it_had_set(
    tmp_path: Path,
) -> None:
    async with rig.house(tmp_path, "shelfie", "renaissance", "santorini") as server:
        for listener in server.addresses:
            client = await rig.connect(server, listener)
            while not server.house.hall.guests:
                await asyncio.sleep(0.01)
            await client.send("{}")
            client.cut()
            while server.house.hall.guests:
                await asyncio.sleep(0.01)

        def kept() -> list[Session]:
            gc.collect()
            return [
                one for one in gc.get_objects() if isinstance(one, Session) and one._house is server.house
            ]

        await rig.becomes(lambda: not kept())


async def test_hanging_up_on_somebody_who_has_reset_the_line_is_no_failure(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        vanishing = socket.create_connection(server.addresses["house"])
        while not server.house.hall.guests:
            await asyncio.sleep(0.01)
        (guest,) = server.house.hall.guests
        vanishing.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        vanishing.close()
        # Before the loop has looked at the socket again.
        session: Any = server.house._shells[guest.id]
        session.finish()
        await rig.becomes(lambda: not server.house.hall.guests and not server._doorman._by_address)


@pytest.mark.parametrize("listener", ["multisweeper", "house"])
async def test_binary_garbage_ends_only_its_own_connection(tmp_path: Path, listener: str) -> None:
    dice = random.Random(3)
    async with house(tmp_path) as server:
        for _ in range(20):
            nuisance = await rig.connect(server, listener)
            await nuisance.send(
                dice.randbytes(5000).replace(b"\n", b"\0") + b"\n" + os.urandom(100) + b"\n" * 3
            )
            await nuisance.send(b"\xff\xfe\n" * 20)
            await ended(nuisance)
        await honest_match(server)
        await rig.becomes(lambda: not server.house.hall.guests)


async def test_deeply_nested_json_is_only_declined(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        own = await rig.enter(server, "Anna")
        await own.send(b'{"type":"act","action":' + b"[" * 20_000 + b"]" * 20_000 + b"}\n")
        assert (await own.until("declined"))["code"] == "message"
        await own.send({"type": "ping"})
        await own.until("pong")


async def test_a_name_with_a_live_connection_cannot_be_taken(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        anna = await rig.enter(server, "Anna")
        await anna.send({"type": "open", "game": "multisweeper", "seats": 2})
        seated = await anna.until("seated")
        thief = await rig.connect(server, "house")
        await thief.send({"type": "hello", "name": "anna"})
        assert (await thief.until("declined"))["code"] == "taken"
        await thief.send({"type": "return", "token": "0" * 32, "table": seated["table"]["id"]})
        assert (await thief.until("declined"))["code"] == "gone"
        anna.cut()
        await asyncio.sleep(0.1)
        await thief.send({"type": "hello", "name": "Anna"})
        assert (await thief.until("declined"))["code"] == "taken"
        owner = await rig.connect(server, "house")
        await owner.send({"type": "return", "token": seated["token"]})
        assert (await owner.until("seated"))["seat"] == 0


async def test_acting_for_another_seat_is_not_possible(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        anna, bruno = await rig.enter(server, "Anna"), await rig.enter(server, "Bruno")
        await anna.send({"type": "open", "game": "multisweeper", "seats": 2})
        await bruno.send({"type": "sit", "table": (await anna.until("seated"))["table"]["id"]})
        await bruno.until("view")
        await bruno.send({"type": "act", "action": {"type": "Click", "column": 0, "row": 0}})
        assert (await bruno.until("declined"))["code"] == "turn"
        await anna.until("question")
        await anna.send({"type": "act", "action": {"type": "Click", "column": "0", "row": None}})
        assert (await anna.until("declined"))["code"] == "message"


# Bad neighbours: every kind of them at once, beside ten honest tables.


class Neighbours:
    """The people of `neighbours.py`, in a process of their own."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def move_in(cls, house: rig.Process, sharing: tuple[str, ...]) -> "Neighbours":
        """Some may come from the address of honest people."""
        command = [sys.executable, "-m", "tests.server.neighbours", json.dumps(house.addresses), *sharing]
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, stderr=pipe)
        assert process.stdout is not None
        assert await asyncio.wait_for(process.stdout.readline(), rig.PATIENCE_S) == b"ready\n"
        return cls(process)

    def begin(self) -> None:
        """All at once."""
        assert self._process.stdin is not None
        self._process.stdin.write(b"begin\n")

    async def end(self) -> list[str]:
        """What they say of the house."""
        out, _ = await asyncio.wait_for(self._process.communicate(b"end\n"), rig.PATIENCE_S)
        *told, rounds = out.decode().splitlines()
        print(rounds)
        assert {name.partition(":")[0] for name in json.loads(rounds)} == set(KINDS)
        return told

    def kill(self) -> None:
        """At the latest now."""
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()


@asynccontextmanager
async def neighbourhood(folder: Path, *sharing: str) -> AsyncIterator[tuple[rig.Process, Neighbours]]:
    """A house with its usual limits in a process of its own, and neighbours who have not begun yet."""
    board = ("width=16", "height=16", "mines=4", "pause_s=0")
    listeners = ("http", "house", "metrics", *games.names(), "shelfie-rpc")
    # Whoever comes without a name is gone before the test is over, and whoever cannot choose is
    # not waited for.
    more = {"handshake_s": "10", "header_s": "5", "idle_s": "10", "choosing_s": "2"}
    defaults = tuple(f"multisweeper.{one}" for one in board)
    house = rig.Process(folder / "data", *listeners, defaults=defaults, **more)
    with (folder / "log").open("wb") as log:
        await house.start(stderr=log)
    neighbours = await Neighbours.move_in(house, sharing)
    try:
        yield house, neighbours
        assert await house.stop() == 0
    finally:
        neighbours.kill()
        await house.kill()
    logged = (folder / "log").read_text()
    assert "Traceback" not in logged, logged[-5000:]
    assert "error" not in logged, logged[-5000:]


async def abuse(house: rig.Process, neighbours: Neighbours) -> tuple[Evening, list[float], list[int]]:
    """An evening in bad company: its figures, the waits of somebody who plays a bot,
    and the house's memory."""
    evening = Evening(house, "wild")
    playing = asyncio.create_task(evening.play())
    begun = asyncio.create_task(evening.begun.wait())
    await asyncio.wait((playing, begun), return_when=asyncio.FIRST_COMPLETED)
    neighbours.begin()
    await asyncio.sleep(2.0)
    sizes_kib = [rss_kib(house.pid)]
    async with Newcomer(house, "newcomer") as newcomer:
        thoughts_s = await newcomer.play_a_bot(6)
    async with Newcomer(house, "another") as another:
        await another.sees_the_clock_run()
    assert await comes_in_by_the_seed(house) in ("askNumberOfPlayers", "stateUpdate")
    while not playing.done() or len(sizes_kib) < 20:
        await asyncio.sleep(0.3)
        sizes_kib.append(rss_kib(house.pid))
    await playing
    assert await neighbours.end() == []
    await nobody_is_left(house)
    return evening, thoughts_s, sizes_kib


async def nobody_is_left(house: rig.Process) -> None:
    """Once everybody has hung up the house counts nobody, and it has counted no accident."""
    host, port = house.addresses["metrics"]
    end = time.monotonic() + rig.PATIENCE_S
    async with aiohttp.ClientSession(f"http://{host}:{port}") as session:
        left = ["?"]
        while left:
            assert time.monotonic() < end, left
            async with session.get("/metrics") as answer:
                samples = [
                    line.rsplit(" ", 1) for line in (await answer.text()).splitlines() if line[0] != "#"
                ]
            left = [f"{name} {value}" for name, value in samples if float(value) and is_connection(name)]
            await asyncio.sleep(0.2)
    accidents = [name for name, value in samples if float(value) and ("crash" in name or "failures" in name)]
    assert not [name for name in accidents if "_created" not in name]


def is_connection(name: str) -> bool:
    """We ask through one ourselves."""
    return name.startswith("ludoteca_connections{") and "metrics" not in name


@pytest.mark.slow
async def test_ten_honest_tables_play_on_beside_every_kind_of_bad_neighbour(tmp_path: Path) -> None:
    assert len(KINDS) >= 20
    async with neighbourhood(tmp_path) as (house, neighbours):
        calm = Evening(house, "calm")
        await calm.play()
        before_kib = rss_kib(house.pid)
        wild, thoughts_s, sizes_kib = await abuse(house, neighbours)
        print(calm.figures(), wild.figures(), thoughts_s, before_kib, sizes_kib)
        # The neighbours take a good part of this machine too, and other tests the rest: what counts is that
        # nobody has to wait at the table for as long as a house does that can be held up.
        was, now = calm.figures(), wild.figures()
        assert now["ping p50"] < was["ping p50"] + 0.5
        assert now["ping p95"] < was["ping p95"] + 2.0
        assert now["wait p50"] < was["wait p50"] + 1.0
        assert now["wait p95"] < was["wait p95"] + 4.0
        # A bot thinks for half a second of processor time, of which others may want some.
        assert max(thoughts_s) < 30.0
        assert max(sizes_kib) - before_kib < 100_000
        assert sizes_kib[-1] - sizes_kib[len(sizes_kib) // 2] < 30_000


@pytest.mark.slow
async def test_honest_people_play_on_behind_one_address_with_some_who_are_not(tmp_path: Path) -> None:
    """A club: what an address may have is shared, but who plays already is not thrown out."""
    sharing = (
        *(
            "follows_views_while_seated",
            "seats_bots_on_taken_chairs",
            "sits_where_there_is_no_chair",
            "drips",
        ),
        *("whispers_and_renames", "answers_old_questions", "nests_deeply", "comes_and_goes", "sends_garbage"),
    )
    assert set(sharing) < set(KINDS)
    async with neighbourhood(tmp_path, *sharing) as (house, neighbours):
        evening, thoughts_s, _ = await abuse(house, neighbours)
        print(evening.figures(), thoughts_s)
        figures = evening.figures()
        assert figures["ping p95"] < 3.0
        assert figures["wait p95"] < 5.0
        assert max(thoughts_s) < 30.0
