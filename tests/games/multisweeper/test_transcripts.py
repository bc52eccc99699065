"""Whole tournaments recorded at the original server come out line for line, however the
clients' bytes are cut."""

import asyncio
import json
from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests import rig
from tests.games.multisweeper.house import Client, House, rigged

from ludoteca import games
from ludoteca.games.multisweeper.data import Options
from ludoteca.server.serve import Server

FOLDER = Path(__file__).parent / "transcripts"
FILES = sorted(FOLDER.glob("*.jsonl"))


class Transcript:
    """A recording: who sent which line to whom; None stands for a closed connection."""

    def __init__(self, path: Path) -> None:
        self.steps = [json.loads(line) for line in path.read_text().splitlines()]
        started = [s["line"].split()[1:] for s in self.steps if (s["line"] or "").startswith("start ")]
        self.width, self.height, self.mines = map(int, started[0])
        self.seats = sum((s["line"] or "").startswith("name ") for s in self.steps)

    def layouts(self) -> list[int]:
        """The mines of every round, from its last board; of an unfinished one, from its numbers.

        In the one recording that was broken off, a single 1 is open: any mine beside it will do.
        """
        found: list[int] = []
        for step in self.steps:
            word, *cells = (step["line"] or "-").split()
            if word == "board_update" and "10" in cells:
                mines = sum(1 << index for index, cell in enumerate(cells) if cell == "10")
                if not found or found[-1] != mines:
                    found.append(mines)
        last = next(s["line"] for s in reversed(self.steps) if (s["line"] or "").startswith("board"))
        if "10" not in last.split():
            cells = last.split()[1:]
            assert cells.count("1") == 1
            assert set(cells) == {"1", "9"}
            near = cells.index("1") - 1
            far = [c for c in range(len(cells)) if c // self.width >= 2]
            found.append(1 << near | sum(1 << cell for cell in far[: self.mines - 1]))
        return found

    def options(self) -> Options:
        """What the original server would have agreed to."""
        return Options(
            width=self.width,
            height=self.height,
            mines=self.mines,
            spread="four",
            safe_first_click=False,
            pause_s=0,
        )


def whole(client: Client, line: bytes) -> None:
    client.send(line)


def byte_by_byte(client: Client, line: bytes) -> None:
    for byte in line:
        client.send(bytes([byte]))


def replay(transcript: Transcript, send: Callable[[Client, bytes], None]) -> None:
    house = House(transcript.seats, transcript.options(), transcript.layouts())
    clients: dict[str, Client] = {}
    inbox: dict[str, deque[str]] = defaultdict(deque)
    for step in transcript.steps:
        if step["from"] == "server":
            name = step["to"]
            if name not in clients:
                clients[name] = house.client()
            inbox[name].extend(clients[name].take())
            if step["line"] is None:
                assert not inbox[name]
                assert clients[name].closed
            else:
                assert inbox[name].popleft() == step["line"]
        else:
            send(clients[step["from"]], step["line"].encode() + b"\n")
    for name, client in clients.items():
        assert client.closed
        assert not inbox[name]
        assert client.take() == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
@pytest.mark.parametrize("send", [whole, byte_by_byte])
def test_a_recorded_tournament_comes_out_line_for_line(path, send):
    replay(Transcript(path), send)


def hands_in_one_packet(transcript: Transcript) -> Iterator[dict[str, str]]:
    """The recording as if every client had sent hello and name together."""
    hello = ""
    for step in transcript.steps:
        if step["line"] == "multisweeper client v1":
            hello = step["line"] + "\n"
        elif hello and step["from"] != "server":
            yield {**step, "line": hello + step["line"]}
            hello = ""
        else:
            yield step


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_both_lines_of_a_handshake_may_come_in_one_packet(path):
    transcript = Transcript(path)
    transcript.steps = list(hands_in_one_packet(transcript))
    replay(transcript, whole)


def test_every_line_may_be_split_at_every_byte():
    """The first transcript again and again, each time with all lines cut in two at another place."""
    transcript = Transcript(FOLDER / "two-players.jsonl")
    longest = max(len(s["line"] or "") for s in transcript.steps if s["from"] != "server")
    for place in range(1, longest + 1):

        def send(client: Client, line: bytes, place: int = place) -> None:
            client.send(line[:place])
            client.send(line[place:])

        replay(transcript, send)


async def replay_over_sockets(transcript: Transcript, server: Server, segment: int) -> None:
    """As `replay`, at a real server; clients write that many bytes at a time."""
    clients: dict[str, rig.Client] = {}
    for step in transcript.steps:
        if step["from"] == "server":
            name = step["to"]
            if name not in clients:
                clients[name] = await rig.connect(server, "multisweeper")
            assert await clients[name].line() == step["line"]
        else:
            data = step["line"].encode() + b"\n"
            for start in range(0, len(data), segment):
                await clients[step["from"]].send(data[start : start + segment])
                if segment < len(data):
                    await asyncio.sleep(0)
    for client in clients.values():
        assert await client.rest() == []
        await client.close()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
@pytest.mark.parametrize("segment", [1_000, 1])
async def test_a_recorded_tournament_comes_out_of_a_real_server(path, segment, tmp_path, monkeypatch):
    transcript = Transcript(path)
    game, load = rigged(transcript.layouts()), games.load
    monkeypatch.setattr(games, "load", lambda name: game if name == game.name else load(name))
    options = transcript.options()
    default = {f"multisweeper.{key}": getattr(options, key) for key in options.__struct_fields__}
    default["multisweeper.players"] = transcript.seats
    async with rig.house(tmp_path, "multisweeper", default=default) as server:
        await replay_over_sockets(transcript, server, segment)
