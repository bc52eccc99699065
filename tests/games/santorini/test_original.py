"""The original programs at our table, and our client at theirs: stand-ins with the
weaknesses that were seen."""

import asyncio
import json
import random
from pathlib import Path
from typing import Any

import pytest
from tests import rig
from tests.games.santorini.house import House
from tests.games.santorini.original_client import BUSY_S, OriginalClient
from tests.games.santorini.raw_player import RawPlayer
from tests.games.santorini.test_wire import PLACES, build, match, move, step, types

from ludoteca.games.santorini.client import Client
from ludoteca.games.santorini.wire.conversation import Settings

# Real processes, disks and clocks: left out of make check.
pytestmark = pytest.mark.slow

# Enough for a client that is as slow as the stand-in, and far less than anybody notices.
BREATH_S = 0.05


# The original client freezes when a question comes before it has noted that it waits.


@pytest.mark.parametrize("gods", [["Prometheus", "Hermes"], ["Artemis", "Morpheus", "Triton"]])
async def test_original_clients_do_not_freeze_over_the_lists_that_follow_their_answers(
    gods: list[str], tmp_path: Path
) -> None:
    """Gods that are asked for steps all the time."""
    async with rig.house(tmp_path, "santorini", default={"santorini.ping_s": 0.02}) as server:
        clients = [
            OriginalClient(
                RawPlayer(name, "1990.01.02", players=len(gods), gods=gods, seed=number),
                await rig.connect(server, "santorini"),
            )
            for number, name in enumerate(("anna", "bert", "cleo")[: len(gods)])
        ]
        async with asyncio.timeout(60):
            await asyncio.gather(*(client.play(answers=20) for client in clients))
    assert max(client.answers for client in clients) == 20


def test_what_follows_an_answer_waits_for_a_client_that_answers_pings():
    house = House()
    anna, bert = match(house, ["Prometheus", "Atlas"], PLACES)
    anna.say({"type": "pong"})
    anna.say(step("BUILD"))
    assert anna.take() == []
    house.wait(BREATH_S - 0.01)
    assert anna.take() == []
    house.wait(0.01)
    assert types(anna.take()) == ["setStepChoice", "possibleBuildDestinations"]
    anna.say(build("B2", "B1"))
    assert anna.take() == []
    assert types(bert.take()) == ["build"], "nobody else waits"
    house.wait(BREATH_S)
    assert types(anna.take()) == ["build", "possibleMoveDestinations"]


def test_nothing_waits_for_a_client_that_knows_no_pings():
    anna, _ = match(House(), ["Prometheus", "Atlas"], PLACES)
    anna.say(step("BUILD"))
    assert types(anna.take()) == ["setStepChoice", "possibleBuildDestinations"]


def test_what_waits_keeps_its_order_and_a_pong_holds_nothing_back():
    house = House()
    anna, bert = match(house, ["Prometheus", "Atlas"], PLACES)
    anna.say({"type": "pong"})
    anna.say(step("DANCE"), "garbage", step("MOVE"))
    assert anna.take() == []
    house.wait(BREATH_S / 2)
    anna.say(move("B2", "A1"))
    house.wait(BREATH_S / 2)
    # What follows the move has a breath of its own.
    assert types(anna.take()) == [
        "error",
        "setStepChoice",
        "askStep",
        "error",
        "setStepChoice",
        "possibleMoveDestinations",
    ]
    house.wait(BREATH_S / 2)
    assert types(anna.take()) == ["move", "possibleBuildDestinations"]
    anna.say(build("A1", "A2"))
    house.wait(BREATH_S)
    anna.take()
    anna.say({"type": "pong"})
    bert.say(move("D2", "E1"))
    assert types(anna.take()) == ["move"]


def test_a_client_that_never_stops_talking_hears_everything_a_breath_later():
    """It would otherwise push its own answers before it for ever, and the house would keep them."""
    house = House()
    anna, _ = match(house, ["Prometheus", "Atlas"], PLACES)
    anna.say({"type": "pong"})
    heard = 0
    for _ in range(200):
        anna.say("garbage")
        house.wait(0.01)
        heard += len(anna.take())
    assert heard >= 200 - BREATH_S / 0.01 - 1


@pytest.mark.parametrize("last", [{"type": "pong"}, {"type": "disconnect"}, "x" * 70_000])
def test_what_waits_is_sent_before_the_connection_ends(last):
    house = House(absence="wait")
    anna, _bert = match(house, ["Prometheus", "Atlas"], PLACES)
    anna.say({"type": "pong"})
    anna.say(step("MOVE"))
    if last == {"type": "pong"}:
        house.hall.close("back in a minute")
        house.carry_out()
    anna.say(last)
    assert anna.closed
    assert types(anna.take())[:2] == ["setStepChoice", "possibleMoveDestinations"]


def test_the_breath_is_longer_than_the_stand_in_needs():
    assert Settings().breath_s == BREATH_S > 2 * BUSY_S


# Our client at the original server, which offers builders that may not act and does not ask again.


class OriginalServer:
    """A stand-in for the original server around ours: it fills the lists of both builders, and says
    nothing after a no."""

    def __init__(self, house: House) -> None:
        self._client = house.client()
        self._refused = False
        self._workers: dict[str, list[Any]] = {}

    def exchange(self, data: bytes) -> bytes:
        """Bytes of the client in, bytes of the server out."""
        if data:
            self._client.send(data)
        said = b""
        for message in self._client.take():
            if self._refused and message["type"] in ("askColor", "chooseStartPlayer", "askStep"):
                self._refused = False
                continue
            self._refused = message.get("result") is False
            self._follow(message)
            said += json.dumps(message).encode() + b"\n"
        return said

    def _follow(self, message: dict[str, Any]) -> None:
        match message:
            case {"type": "buildersPlacement", "name": "Ann", "positions": positions}:
                self._workers = {"Ann": list(positions)}
            case {"type": "move", "name": "Ann", "src": source, "dst": target, "result": True}:
                workers = self._workers["Ann"]
                workers[workers.index(source)] = target
            case {"type": "possibleBuildDestinations", "possibleDst": lists}:
                for number in (0, 1):
                    lists[number] = lists[number] or _around(self._workers["Ann"][number])


def _around(cell: dict[str, int]) -> list[dict[str, int]]:
    return [
        {"i": i, "j": j}
        for i in range(cell["i"] - 1, cell["i"] + 2)
        for j in range(cell["j"] - 1, cell["j"] + 2)
        if (i, j) != (cell["i"], cell["j"]) and 0 <= i < 5 and 0 <= j < 5
    ]


class Bert(RawPlayer):
    """Plays raw, and leaves the first god to Ann."""

    def answer(self, message: dict[str, Any]) -> dict[str, Any] | None:
        """As a raw player does."""
        if message["type"] == "askGod":
            return {"type": "setGodCard", "godCard": list(message["godDescriptions"])[-1]}
        return super().answer(message)


class Table:
    """Ann with our client at the stand-in, against bert, who plays raw."""

    def __init__(self, gods: list[str]) -> None:
        house = House()
        self.ann = Client("Ann")
        self._server = OriginalServer(house)
        self._bert = house.client()
        self._mind = Bert("bert", "1980.01.02", gods=gods, seed=3)
        self.ann.open(0.0)
        self._pass(b"")

    def answer(self, words: str) -> None:
        """Ann answers; bert answers whatever he is asked."""
        self._pass(self.ann.answer(words))

    def _pass(self, data: bytes) -> None:
        while True:
            said = self._server.exchange(data)
            data = self.ann.receive(said, 0.0)
            answers = [answer for one in self._bert.take() if (answer := self._mind.answer(one)) is not None]
            if not self._bert.closed:
                self._bert.say(*answers)
            if not data and not said and not answers:
                return

    def set_up(self, *gods: str) -> None:
        """Ann is the younger: she decides."""
        for words in ("2 players", *(f"offer {god}" for god in gods), f"take {gods[0]}", "start Ann"):
            self.answer(words)
        for words in ("colour white", "place b2", "place d4"):
            self.answer(words)


def test_our_client_offers_only_the_builder_in_use_whatever_the_lists_say():
    table = Table(["Demeter", "Pan"])
    table.set_up("Demeter", "Pan")
    move_one = next(words for words in table.ann.answers if words.startswith("move B2"))
    table.answer(move_one)
    here = move_one.split()[-1]
    assert table.ann.sentence == "Build."
    assert {words.split()[1] for words in table.ann.answers} == {here}
    table.answer(table.ann.answers[0])
    table.answer("build")
    assert {words.split()[1] for words in table.ann.answers} == {here}


def test_our_client_forgets_the_builder_with_every_turn_update():
    table = Table(["Atlas", "Pan"])
    table.set_up("Atlas", "Pan")
    for _ in range(3):
        assert {words.split()[0] for words in table.ann.answers} == {"move"}
        assert len({words.split()[1] for words in table.ann.answers}) == 2
        table.answer(table.ann.answers[0])
        table.answer(table.ann.answers[0])


def test_our_client_offers_the_other_builder_where_only_that_one_can_act():
    """Servers that tell no turn again, as the seed has it, still mean it."""
    table = Table(["Atlas", "Pan"])
    table.set_up("Atlas", "Pan")
    table.answer(next(words for words in table.ann.answers if words.startswith("move B2")))
    cells = [[], [{"i": 4, "j": 4}], [], []]
    lists = {"type": "possibleBuildDestinations", "possibleDst": cells}
    table.ann.receive(json.dumps(lists).encode() + b"\n", 0.0)
    assert table.ann.answers == ("build D4 E5",)


@pytest.mark.parametrize(
    "refusal",
    [
        {"type": "move", "name": "Ann", "src": {"i": 0, "j": 0}, "dst": {"i": 0, "j": 0}, "result": False},
        {
            "type": "build",
            "name": "Ann",
            "src": {"i": 0, "j": 0},
            "dst": {"i": 0, "j": 0},
            "buildDome": False,
            "result": False,
        },
        {"type": "colorUpdate", "name": "Ann", "color": "WHITE", "result": False},
        {"type": "setStartPlayer", "name": "Ann", "result": False},
        {"type": "setStepChoice", "name": "Ann", "stepChoice": "MOVE", "result": False},
        {"type": "godCardAssigned", "name": "Ann", "godCard": "Pan", "result": False},
        {"type": "setMatchGodCards", "godDescriptions": ["Pan"], "result": False},
        {"type": "buildersPlacement", "name": "Ann", "positions": [], "result": False},
    ],
    ids=lambda refusal: refusal["type"],
)
def test_our_client_puts_the_question_again_after_a_refusal(refusal):
    table = Table(["Prometheus", "Pan"])
    table.set_up("Prometheus", "Pan")
    sentence, answers = table.ann.sentence, table.ann.answers
    assert table.ann.answer("move")
    assert table.ann.sentence == ""
    table.ann.receive(json.dumps(refusal).encode() + b"\n", 0.0)
    assert (table.ann.sentence, table.ann.answers) == (sentence, answers)
    assert table.ann.news[-1] == "The server did not accept that."


def test_a_refusal_after_a_new_question_does_not_bring_the_old_one_back():
    table = Table(["Prometheus", "Pan"])
    table.set_up("Prometheus", "Pan")
    table.answer("build")
    sentence = table.ann.sentence
    refusal = {"type": "setStepChoice", "name": "Ann", "stepChoice": "MOVE", "result": False}
    table.ann.receive(json.dumps(refusal).encode() + b"\n", 0.0)
    assert table.ann.sentence == sentence == "Build."


@pytest.mark.parametrize("gods", [["Prometheus", "Artemis"], ["Hermes", "Pan"], ["Triton", "Atlas"]])
def test_our_client_plays_whole_matches_at_the_stand_in(gods):
    table = Table(gods)
    table.set_up(*gods)
    chance = random.Random(1)
    for _ in range(1000):
        if table.ann.over:
            return
        assert table.ann.answers, "our client is stuck"
        table.answer(chance.choice(table.ann.answers))
    raise AssertionError("the match has no end")
