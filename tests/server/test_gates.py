"""Every node serves everybody: people at the doors of several machines play at the same tables, and stay
where they are when the machine that has the hall is lost."""

import asyncio
from collections.abc import Awaitable
from pathlib import Path
from typing import Any, TypeVar

import aiohttp
import msgspec
import pytest
from tests import jet, rig
from tests.server.evening import THINK_S, Evening
from tests.server.faults import cluster, empty, rooms
from tests.server.nodes import House, Node

from ludoteca.server import rpc
from ludoteca.server.cluster import words
from ludoteca.server.cluster.line import Head, split
from ludoteca.server.cluster.stream import connect
from ludoteca.server.settings import Settings

_Result = TypeVar("_Result")

LISTENERS = ("http", "house", *rig.spoken(), *rpc.listeners())
# Real processes, disks and clocks: left out of make check.
pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


# Signs of life are a matter of other tests: here this process may be the one that is late.
PATIENT = ("eriantys.silence_s_max=60", "renaissance.ping_interval_s=60", "santorini.silence_s=60")


class Calm(Evening):
    """An evening on which nobody counts how long anything takes, and which lasts as long as it must."""

    async def _ping(self) -> None:
        await asyncio.Event().wait()

    def take_time(self, times: float) -> None:
        """From now on people think so many times as long as else."""
        for what, pace in self.pace.items():
            pace.think_s = times * THINK_S[what.split(" ")[0]]


async def test_all_games_go_on_through_all_ways_in_while_nodes_and_servers_are_lost(tmp_path: Path) -> None:
    """Ten tables by all protocols, divided among four nodes, and their people at the doors of two of those.
    Nobody comes back by themselves: who is cut off, told something twice or not at all, ends no match."""
    with jet.Servers(tmp_path, 3) as servers:
        async with House(tmp_path, servers, 4, *LISTENERS, defaults=PATIENT) as house:
            first = await house.turn()
            spare = next(node for node in house.nodes if node is not first)
            for node in (first, spare):
                house.send_nobody_to(node)
            await rooms(servers, 4)
            evening = Calm(house, "gate")  # type: ignore[arg-type]
            playing = asyncio.create_task(evening.play())
            try:
                await unless_over(playing, evening.begun.wait())
                evening.take_time(20)
                async with asyncio.timeout(60):
                    # Tables are divided, and now and then nodes say how many they have.
                    while not (await rooms(servers, 4))[spare.name]:
                        await asyncio.sleep(0.2)
                await spare.kill()
                await unless_over(playing, empty(servers, spare.name))
                await spare.start()
                await first.kill()
                second = await unless_over(playing, house.turn(first))
                await first.start()
                await cluster(servers, "drain", second.name)
                third = await unless_over(playing, house.turn(second))
                servers.kill(0)
                evening.take_time(0.5)
                async with asyncio.timeout(240):
                    await playing
                assert (await house.turn()) is third
            finally:
                playing.cancel()
                await asyncio.gather(playing, return_exceptions=True)
            for node in house.nodes:
                assert await node.stop() == 0


async def unless_over(playing: "asyncio.Task[None]", waiting: Awaitable[_Result]) -> _Result:
    """Wait for something while people play."""
    task = asyncio.ensure_future(waiting)
    await asyncio.wait({task, playing}, return_when=asyncio.FIRST_COMPLETED)
    if playing.done():
        task.cancel()
        playing.result()
        pytest.fail("the evening was over too early")
    return task.result()


ASKED = (
    ("GET", "/api/v1/tables", b""),
    ("GET", "/api/v1/lobby?game=multisweeper", b""),
    ("GET", "/api/v1/matches?count=3", b""),
    ("GET", "/api/v1/tables/nothing", b""),
    ("GET", "/api/v1/nothing", b""),
    ("GET", "/api/matches?count=none", b""),
    ("GET", "/api/v1/door", b""),
    ("POST", "/api/v1/door", b'{"password": "guess"}'),
    ("POST", "/api/v1/door", b"{"),
    ("POST", "/api/v1/host/acts", b'{"type": "Say", "text": "I am the host"}'),
    ("DELETE", "/api/v1/door", b""),
    ("GET", "/api/v1/games", b""),
    ("GET", "/healthz", b""),
)


async def test_one_house_behind_two_doors_and_a_bad_neighbour_between_them(tmp_path: Path) -> None:
    with jet.Servers(tmp_path, 1) as servers:
        async with House(tmp_path, servers, 2, "house", "http") as house:
            hall = await house.turn()
            (other,) = (node for node in house.nodes if node is not hall)
            anna, bruno = await rig.connect(hall, "house"), await rig.connect(other, "house")
            for client, name in ((anna, "Anna"), (bruno, "Bruno")):
                await client.send({"type": "hello", "name": name, "options_max": 1000})
                assert (await client.until("welcome"))["name"] == name

            # Names, the lobby and tables are one.
            thief = await rig.connect(other, "house")
            await thief.send({"type": "hello", "name": "Anna"})
            assert (await thief.until("declined"))["code"] == "taken"
            await bruno.send({"type": "look"})
            assert (await bruno.until("lobby"))["tables"] == []
            terms = {"grace_s": 600}
            await anna.send({"type": "open", "game": "multisweeper", "seats": 2, "terms": terms})
            table = (await anna.until("seated"))["table"]["id"]
            assert [one["id"] for one in (await bruno.until("changes"))["tables"]] == [table]

            # So is what is asked over HTTP, whatever it is.
            found = [await _answers(node, table) for node in (hall, other)]
            assert found[0] == found[1]
            assert [status for status, _ in found[0]][:7] == [200, 200, 200, 404, 404, 400, 200]

            await bruno.send({"type": "sit", "table": table})
            await bruno.until("view")
            await _be_a_bad_neighbour(servers)
            await move(anna, bruno)

            # A gate that sleeps is given up, and brings its people back.
            other.pause()
            assert (await anna.until("left"))["name"] == "Bruno"
            other.go_on()
            assert (await anna.until("returned"))["name"] == "Bruno"
            await move(anna, bruno)
            seen = [message["number"] for message in bruno.heard if message["type"] == "events"]
            assert seen == sorted(set(seen)), "nothing is told twice"

            # While the hall moves whoever asks over HTTP waits, and is answered.
            enough = asyncio.Event()
            asking = asyncio.create_task(_ask_on(other, enough))
            await cluster(servers, "drain", hall.name)
            assert await house.turn(hall) is other
            enough.set()
            assert await asking == {200}


async def _ask_on(node: Node, enough: asyncio.Event) -> set[int]:
    """Ask for the tables again and again, until that is enough; all that was answered."""
    host, port = node.addresses["http"]
    found = set[int]()
    async with aiohttp.ClientSession(f"http://{host}:{port}") as session:
        while not enough.is_set():
            async with session.get("/api/v1/tables") as answer:
                found.add(answer.status)
            await asyncio.sleep(0.02)
    return found


async def move(*clients: rig.Client) -> None:
    """Whoever has been asked last and not answered yet answers, and all hear of it."""
    while not (asked := [client for client in clients if _question(client) is not None]):
        reading = [asyncio.create_task(client.message()) for client in clients]
        await asyncio.wait(reading, return_when=asyncio.FIRST_COMPLETED)
        for task in reading:
            task.cancel()
        await asyncio.gather(*reading, return_exceptions=True)
    question = _question(asked[0])
    assert question is not None
    number = question["number"]
    await asked[0].send({"type": "act", "action": question["options"][0], "at": number})
    for one in clients:
        await one.until(lambda message: message["type"] == "events" and message["number"] > number)


def _question(client: rig.Client) -> dict[str, Any] | None:
    """What is asked of somebody, as far as was heard."""
    said = [message for message in client.heard if message["type"] in ("question", "events")]
    return said[-1] if said and said[-1]["type"] == "question" else None


async def _answers(node: Node, table: str) -> list[tuple[int, bytes]]:
    """What a node answers, but for what is its own: its ports."""
    host, port = node.addresses["http"]
    found = []
    async with aiohttp.ClientSession(f"http://{host}:{port}") as session:
        for method, path, body in (
            *ASKED,
            ("GET", f"/api/v1/tables/{table}", b""),
            ("GET", f"/table/{table}", b""),
        ):
            async with session.request(method, path, data=body or None) as answer:
                text = (await answer.read()).replace(str(port).encode(), b"PORT")
                assert answer.headers["X-Content-Type-Options"] == "nosniff"
                found.append((answer.status, b"" if "/games" in path else text))
    assert b"would like to play" in found[-1][1], "a link to a table says who waits there"
    return found


async def _be_a_bad_neighbour(servers: jet.Servers) -> None:
    """Somebody who may speak to the servers says nonsense wherever nodes listen."""
    client = await connect(Settings(), servers.settings("evening")["cluster"])
    try:
        heard = await client.subscribe("ludoteca-here.evening")
        hall = words.decode_here((await heard.next_msg(timeout=rig.PATIENCE_S)).data)
        spoken = await client.subscribe(hall.subject)
        head, _ = split((await spoken.next_msg(timeout=rig.PATIENCE_S)).data)
        lost = Head("nobody.1.1", number=5, sent=5, back=client.new_inbox())
        answered = await client.subscribe(lost.back)
        for subject in (hall.subject, head.back, "ludoteca-here.evening"):
            for nonsense in (
                b"",
                b"\xff\xfe",
                b"{}",
                b"[1]",
                b'{"line":1}',
                b"\n\n",
                msgspec.json.encode(lost),
            ):
                await client.publish(subject, nonsense)
            new = msgspec.structs.replace(lost, line=f"new.{subject}", number=1)
            words_of = (
                b"{}",
                b'{"type":"Come"}',
                b'{"type":"Want","guest":1,"requests":[]}',
                b'{"type":"New"}',
            )
            await client.publish(subject, b"\n".join((msgspec.json.encode(new), *words_of)))
        over, _ = split((await answered.next_msg(timeout=rig.PATIENCE_S)).data)
        assert over.over, "who speaks of what nobody knows is told so"
    finally:
        await client.close()
