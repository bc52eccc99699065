"""An upgrade and going back, with real processes: a changed copy of the package serves the journal
of the present one."""

import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from tests import rest, rig
from tests.journal.corpus.players import RemotePlayer, SeedPlayer
from tests.journal.corpus.write import corpora, unpacked

import ludoteca
from ludoteca import games
from ludoteca.journal import decode
from ludoteca.journal.records import RulesChanged, sitters
from ludoteca.server.journal_reader import JournalReader

CORPUS = next(corpora())
STAYS, NOW = "santorini", games.load("santorini").version
GOES = ("eriantys", "multisweeper", "renaissance", "shelfie")


def command(*arguments: str, typed: str = "", **more: Any) -> subprocess.CompletedProcess[str]:
    """A command of the present version, unless the environment says otherwise."""
    line = [sys.executable, "-m", "ludoteca.cli", *arguments]
    return subprocess.run(line, input=typed, capture_output=True, text=True, timeout=60, check=False, **more)


class Version:
    """A copy of the package, to be changed with a text editor, as versions are."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        package = Path(ludoteca.__file__).parent
        shutil.copytree(
            package, folder / "ludoteca", ignore=shutil.ignore_patterns("page", "web", "__pycache__")
        )

    def edit(self, path: str, before: str, after: str) -> None:
        """Replace what stands once in a file of a game."""
        file = self.folder / "ludoteca" / "games" / path
        text = file.read_text()
        assert text.count(before) == 1, f"{before!r} does not stand once in {path}"
        file.write_text(text.replace(before, after))

    def begin_apply(self, game: str, statement: str) -> None:
        """Let the rules of a game begin every move with this."""
        file = self.folder / "ludoteca" / "games" / game / "rules.py"
        head, found, rest = file.read_text().partition(
            "def apply(state: State, seat: Seat, action: Action) -> list[Event]:\n"
        )
        docstring, _, body = rest.partition("\n")
        assert found
        assert docstring.strip().startswith('"""')
        file.write_text(f"{head}{found}{docstring}\n    {statement}\n{body}")

    @property
    def environment(self) -> dict[str, str]:
        """What makes a process run this version."""
        return {**os.environ, "PYTHONPATH": str(self.folder)}

    def run(self, *arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
        """A command of this version."""
        return command(*arguments, typed=typed, env=self.environment)


@pytest.fixture
def newer(tmp_path: Path) -> Version:
    """The next version: one game plays on, one changed an option, one is gone, one refuses, one stumbles."""
    version = Version(tmp_path / "newer")
    version.edit("santorini/__init__.py", f"    version={NOW},", f"    version={NOW + 1},")
    version.edit(
        "santorini/events.py",
        "    seat: int\n    number: int\n    cell: Cell\n",
        '    seat: int\n    number: int\n    cell: Cell\n    manner: str = "gently"\n',
    )
    version.edit(
        "santorini/events.py",
        "    seat: int\n    phase: Phase\n",
        "    seat: int\n    phase: Phase\n    bell: bool = True\n",
    )
    version.edit("santorini/state.py", '] = "core"', '] = "none"')
    version.edit("multisweeper/data.py", "    lost_player: Annotated[", "    when_lost: Annotated[")
    version.edit("multisweeper/rules.py", "state.options.lost_player", "state.options.when_lost")
    shutil.rmtree(version.folder / "ludoteca" / "games" / "eriantys")
    version.begin_apply("shelfie", 'raise Refused("tiles are sold out")')
    version.begin_apply("renaissance", 'raise KeyError("marble")')
    return version


class Table:
    """A running match of the corpus, between people of Ludoteca's own protocol."""

    def __init__(self, entry: dict[str, Any]) -> None:
        self.id: str = entry["table"]
        self.game: str = entry["game"]
        self.tokens: list[str] = list(entry["tokens"].values())

    async def claim(self, server: Any) -> list[tuple[rig.Client, list[dict[str, Any]]]]:
        """Everybody returns; the connections, and what each was told."""
        found = []
        for token in self.tokens:
            client = await rig.connect(server, "house")
            await client.send({"type": "return", "token": token, "options_max": 1000}, {"type": "ping"})
            await client.until("pong")
            found.append((client, client.heard))
        return found

    async def move(self, server: Any) -> list[dict[str, Any]]:
        """Everybody returns, and whoever is asked decides; the events that this brings about."""
        for client, heard in await self.claim(server):
            assert [m for m in heard if m["type"] == "seated"], heard
            for question in [m for m in heard if m["type"] == "question"]:
                action = random.Random(self.id).choice(question["options"])
                await client.send({"type": "act", "action": action, "at": question["number"]})
                events: list[dict[str, Any]] = (await client.until("events"))["events"]
                return events
        raise AssertionError("nobody is asked anything")

    async def move_until(self, server: Any, kind: str) -> dict[str, Any]:
        """Go on until such an event comes about; the event."""
        for _ in range(20):
            for event in await self.move(server):
                if event["type"] == kind:
                    return event
        raise AssertionError(f"there is no {kind}")

    def inputs(self, folder: Path) -> list[Any]:
        """What the journal says."""
        return [decode(line)[0].input for line in JournalReader(folder).lines(self.id)]


def prepared(folder: Path) -> tuple[dict[str, Table], Callable[[str, str], str]]:
    """A journal of the corpus; by game a match that goes on, and how to find another table
    by game and way."""
    index = unpacked(CORPUS, folder)
    ways = {(entry["game"], entry["way"]): entry for entry in index}
    # So many that no move ends the match.
    playing = {
        game: Table(ways[game, f"{games.load(game).seats[-1]} people, running"]) for game in games.names()
    }
    return playing, lambda game, way: str(ways[game, way]["table"])


async def get(server: Any, path: str) -> tuple[int, Any]:
    """What the REST interface answers; `rig` compares it only where the house is in this process."""
    host, port = server.addresses["http"]
    async with aiohttp.ClientSession() as session, session.get(f"http://{host}:{port}{path}") as response:
        # The client has unpacked the body.
        headers = {key.lower(): value for key, value in response.headers.items() if key != "Content-Encoding"}
        body = await response.read()
    rest.compare(rest.Answer("GET", path.partition("?")[0], response.status, headers, body))
    return response.status, json.loads(body)


@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_d8_an_upgrade_keeps_the_matches_it_can_and_going_back_brings_the_others(
    tmp_path: Path, newer: Version
) -> None:
    data = tmp_path / "data"
    playing, table_of = prepared(data)
    house = rig.Process(data, "house", "http")
    # The present version takes up what 0.1.0 wrote, and goes on writing.
    await house.start()
    for table in playing.values():
        assert await table.move(house)
    await house.kill()
    before = {game: table.inputs(data) for game, table in playing.items()}

    # The next one starts, whatever it cannot play.
    house.addresses.clear()  # Any port will do, and the old one may be taken by now.
    await house.start(env=newer.environment)
    turn = await playing[STAYS].move_until(house, "TurnBegan")
    assert turn["bell"] is True
    assert playing[STAYS].inputs(data)[len(before[STAYS])] == RulesChanged(NOW + 1)
    for game in GOES:
        for _, heard in await playing[game].claim(house):
            (refusal,) = [m for m in heard if m["type"] == "declined"]
            assert (refusal["code"], "another version" in refusal["reason"]) == ("aside", True)
        assert playing[game].inputs(data) == before[game]
    status, listed = await get(house, "/api/tables")
    assert status == 200
    assert {table["game"] for table in listed if table["phase"] == "playing"} == {STAYS}
    await check_what_can_be_read(house, table_of)
    verified = newer.run("verify", "--data", str(data))
    assert verified.returncode == 0, verified.stdout + verified.stderr
    for place, words in (
        (playing["eriantys"].id, "set aside: its game cannot be loaded: there is no game 'eriantys'"),
        (playing["multisweeper"].id, "set aside: 'lost_player' means nothing in these rules"),
        (playing["shelfie"].id, "tiles are sold out"),
        (playing["renaissance"].id, "cannot be executed by these rules: 'marble'"),
        (playing[STAYS].id, f"comes out otherwise since rules of version {NOW + 1}"),
    ):
        assert any(line.startswith(place) and words in line for line in verified.stdout.splitlines()), words
    await house.kill()

    # Back to the present version: all of them go on where they were.
    house.addresses.clear()
    await house.start()
    for game, table in playing.items():
        assert await table.move(house), game
    assert [given for given in playing[STAYS].inputs(data) if isinstance(given, RulesChanged)] == [
        RulesChanged(NOW),
        RulesChanged(NOW + 1),
        RulesChanged(NOW),
    ]
    assert await house.stop() == 0
    done = command("verify", "--data", str(data))
    assert (done.returncode, "damaged" in done.stdout) == (0, False), done.stdout


async def check_what_can_be_read(house: Any, table_of: Callable[[str, str], str]) -> None:
    """Finished matches under rules that cannot execute them: their records can be read, their
    replays say why not."""
    for game in GOES:
        finished = table_of(game, "2 people, finished")
        status, records = await get(house, f"/api/matches/{finished}/record")
        assert (status, records[0]["input"]["type"]) == (200, "Opened")
        status, answer = await get(house, f"/api/matches/{finished}/replay")
        assert (status, answer["error"]) == (409, "aside"), answer
        assert "another version" in answer["reason"]
        status, answer = await get(house, f"/api/tables/{table_of(game, '2 people, running')}")
        assert (status, answer["error"]) == (409, "aside")
        status, answer = await get(house, f"/api/matches/{table_of(game, '2 people, running')}/record")
        assert (status, answer["error"]) == (409, "aside"), (
            "what is hidden in a match that may go on stays so"
        )
    status, told = await get(house, f"/api/matches/{table_of(STAYS, '2 people, finished')}/replay")
    assert status == 200
    assert told["steps"]
    status, listed = await get(house, "/api/matches?count=200")
    assert status == 200
    assert {match["table"]["game"] for match in listed} == set(games.names())


@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_d8_rules_that_forgot_to_say_that_they_changed_end_no_match(tmp_path: Path) -> None:
    data = tmp_path / "data"
    playing, _ = prepared(data)
    house = rig.Process(data, "house")
    await house.start()
    await playing[STAYS].move_until(house, "TurnBegan")
    await house.stop()
    careless = Version(tmp_path / "careless")
    careless.edit(
        "santorini/events.py",
        "    seat: int\n    phase: Phase\n",
        "    seat: int\n    phase: Phase\n    bell: bool = True\n",
    )
    house.addresses.clear()
    await house.start(env=careless.environment)
    assert await playing[STAYS].move(house)
    await house.stop()
    assert sum(isinstance(given, RulesChanged) for given in playing[STAYS].inputs(data)) == 1
    verified = careless.run("verify", "--data", str(data))
    assert verified.returncode == 1
    assert f"{playing[STAYS].id}: different: record" in verified.stdout
    assert "damaged" not in verified.stdout


@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_d8_who_returns_by_name_is_told_in_every_protocol_and_can_play_anew(tmp_path: Path) -> None:
    data = tmp_path / "data"
    _, table_of = prepared(data)
    younger = Version(tmp_path / "younger")
    for game in games.names():
        younger.edit(f"{game}/__init__.py", "    version=", "    plays_from=1,\n    version=")
    house = rig.Process(data, *games.names(), "shelfie-rpc", "http")
    await house.start(env=younger.environment, stderr=subprocess.DEVNULL)
    try:
        for game in games.names():
            way = (
                "own protocol, two of the same name"
                if game == "multisweeper"
                else "own protocol, 2 people, running"
            )
            names = [str(one["given"]) for one in sitters(JournalReader(data).lines(table_of(game, way)))]
            await come_by_name(house, game, names)
        lines = JournalReader(data).lines(table_of("shelfie", "remote calls, running"))
        await come_by_call(house, str(sitters(lines)[0]["name"]))
    finally:
        await house.kill()


async def come_by_name(house: Any, game: str, names: list[str]) -> None:
    """Two come back under their names: they hear what their protocol has words for, and may begin anew."""
    dice = random.Random(1)
    players = [SeedPlayer(game, name, dice, 2, place == 0) for place, name in enumerate(names)]
    for player in players:
        await player.enter(house)
        if game == "multisweeper":
            # It has no words at all: the line ends, and whoever comes again is a newcomer.
            await player.until_over()
            assert not player.begun
    if game == "multisweeper":
        players = [SeedPlayer(game, name, dice, 2, place == 0) for place, name in enumerate(names)]
        for player in players:
            await player.enter(house)
    for player in players:
        await player.until_begun()
        said = any("another version" in line for line in player.said)
        assert said == (game in ("renaissance", "santorini", "shelfie")), player.said
        await player.close()


async def come_by_call(house: Any, name: str) -> None:
    """The same through remote calls: the login fails, the stream says why."""
    player = RemotePlayer(name, random.Random(1), 2)
    with pytest.raises(AssertionError):
        await player.enter(house)
    await player.until(lambda: player.errors, "to hear why")
    assert "another version" in player.errors[0]
    await player.close()


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_terminal_says_why_a_match_does_not_go_on_and_keeps_its_seat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    play = ("play", "santorini", "--linear", "--level", "random", "--as", "Ann")
    begun = command(*play, typed="offer pan\n/any\n/any\n")
    assert "Ann puts Pan on the table" in begun.stdout, begun.stderr
    younger = Version(tmp_path / "younger")
    younger.edit(
        "santorini/__init__.py", f"    version={NOW},", f"    version={NOW + 1},\n    plays_from={NOW + 1},"
    )
    refused = younger.run(*play, typed="/leave\n/quit\n")
    assert "This match was played by rules of another version" in refused.stdout, refused.stderr
    assert "Pan" not in refused.stdout.partition("another version")[2].partition("/leave")[0]
    back = command(*play)
    assert "You are back at a match that was not finished" in back.stdout
    assert "Pan" in back.stdout


@pytest.mark.slow
def test_a_match_of_other_rules_is_replayed_with_a_word_about_it_or_not_at_all(tmp_path: Path) -> None:
    data = tmp_path / "data"
    _, table_of = prepared(data)
    newer = Version(tmp_path / "newer")
    newer.edit("santorini/__init__.py", f"    version={NOW},", f"    version={NOW + 1},")
    newer.edit(
        "santorini/events.py",
        "    seat: int\n    phase: Phase\n",
        "    seat: int\n    phase: Phase\n    bell: bool = True\n",
    )
    newer.begin_apply("shelfie", 'raise Refused("tiles are sold out")')
    shown = newer.run("replay", table_of("santorini", "2 people, finished"), "--data", str(data))
    assert shown.returncode == 0, shown.stderr
    assert "Since then the rules have changed: from record" in shown.stderr
    refused = newer.run("replay", table_of("shelfie", "2 people, finished"), "--data", str(data))
    assert refused.returncode == 1
    (line,) = refused.stderr.strip().splitlines()
    assert line.endswith("cannot be executed by these rules: tiles are sold out")
