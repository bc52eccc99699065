"""Stories over REST: a match told again, with nothing in it that the listener may not know."""

import asyncio
import json
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from tests import rig
from tests.journal.test_decisive import played

from ludoteca import games
from ludoteca.core import Refused
from ludoteca.core.notices import Decided
from ludoteca.journal import replay
from ludoteca.journal.records import Acted
from ludoteca.server import stories, storyteller
from ludoteca.server.serve import Server


async def get(server: Server, path: str, token: str = "") -> tuple[int, Any]:
    host, port = server.addresses["http"]
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with (
        aiohttp.ClientSession(f"http://{host}:{port}") as web,
        web.get(path, headers=headers) as answer,
    ):
        return answer.status, json.loads(await answer.text())


async def opened(server: Server, game: str, bots: int = 1) -> tuple[rig.Client, str, str]:
    """Ada at a table with bots: her client, the table's id, her token."""
    ada = await rig.enter(server, "Ada", options_max=1000)
    await ada.send({"type": "open", "game": game, "seats": bots + 1})
    seated = await ada.until("seated")
    await ada.send(*[{"type": "bot", "level": "random"}] * bots)
    await ada.until("view")
    return ada, seated["table"]["id"], seated["token"]


@pytest.mark.slow
async def test_a_running_match_is_told_to_a_seat_with_its_secrets_and_to_others_without(
    tmp_path: Path,
) -> None:
    async with rig.house(tmp_path, "http", "house") as server:
        _, table, token = await opened(server, "shelfie")
        _, own = await get(server, f"/api/tables/{table}/story", token)
        _, public = await get(server, f"/api/tables/{table}/story", "wrong")
        assert (own["seat"], public["seat"]) == (0, None)
        assert own["steps"][0]["view"]["cards"][0] is not None
        assert all(set(step["view"]["cards"]) == {None} for step in public["steps"])
        # The bot may have moved between the two requests, so the later story can be longer.
        numbers = [step["number"] for step in own["steps"]]
        assert [step["number"] for step in public["steps"]][: len(numbers)] == numbers


async def test_a_table_answers_by_its_id_and_is_gone_afterwards(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "http", "house") as server:
        _, table, _ = await opened(server, "shelfie")
        assert (await get(server, f"/api/tables/{table}"))[1]["phase"] == "playing"
        assert (await get(server, "/api/tables/none"))[0] == 404
        assert (await get(server, "/api/tables/none/story"))[0] == 404


@pytest.mark.slow
async def test_a_finished_match_is_replayed_with_anybodys_eyes_and_a_running_one_with_nobodys(
    tmp_path: Path,
) -> None:
    async with rig.house(tmp_path, "http", "house") as server:
        ada, table, _ = await opened(server, "multisweeper")
        assert (await get(server, f"/api/matches/{table}/replay"))[0] == 404
        while True:
            message = await ada.until(lambda one: one["type"] in ("question", "over"))
            if message["type"] == "over":
                break
            await ada.send({"type": "act", "action": message["options"][0], "at": message["number"]})
        _, story = await get(server, f"/api/matches/{table}/replay?seat=1")
        assert story["seat"] == 1
        assert story["outcome"]["ranks"]
        assert len(story["steps"]) > 1
        assert story["steps"][-1]["view"]["mover"] is None
        assert (await get(server, f"/api/matches/{table}/replay?seat=9"))[0] == 400


@pytest.mark.slow
async def test_all_cards_are_turned_up_when_the_match_is_over_and_not_before(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "http", "house") as server:
        ada, table, _ = await opened(server, "shelfie")
        assert (await get(server, f"/api/matches/{table}/replay?seat=all"))[0] == 404
        _, running = await get(server, f"/api/tables/{table}/story?seat=all")
        assert set(running["steps"][-1]["view"]["cards"]) == {None}
        # A match that is broken off shows nobody's goal by itself.
        await ada.send({"type": "leave"})
        async with asyncio.timeout(10):
            while (await get(server, f"/api/matches/{table}/replay"))[0] == 404:
                await asyncio.sleep(0.02)
        _, public = await get(server, f"/api/matches/{table}/replay")
        _, everything = await get(server, f"/api/matches/{table}/replay?seat=all")
        assert everything["seat"] is None
        assert all(set(step["view"]["cards"]) == {None} for step in public["steps"])
        for step in everything["steps"]:
            assert None not in step["view"]["cards"]
            assert [len(goal) for goal in step["view"]["goals"]] == [6, 6]


async def test_a_record_that_has_no_end_is_not_told_with_all_cards_up(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "http", "house") as server:
        _, table, _ = await opened(server, "shelfie")
        lines = server.house.archive.lines(table)
    with pytest.raises(Refused):
        list(stories.tell(lines, "all"))


async def test_the_house_says_which_games_have_something_to_reveal(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "http") as server:
        _, games = await get(server, "/api/games")
        reveals = {game["name"] for game in games if game["reveals"]}
        assert reveals == {"multisweeper", "renaissance", "shelfie"}


@pytest.mark.slow
async def test_what_decided_a_match_is_told_over_the_protocol_and_over_rest_alike_once_it_is_over(
    tmp_path: Path,
) -> None:
    async with rig.house(tmp_path, "http", "house", stories_burst=6, stories_per_minute=0.001) as server:
        ada, table, _ = await opened(server, "multisweeper")
        message = await ada.until("question")
        # What goes on has not been decided, and the id of a table is asked for as it stands.
        assert (await get(server, f"/api/v1/matches/{table}/decisive"))[0] == 404
        await ada.send(*({"type": "decisive", "table": asked} for asked in (table, "../" + table)))
        for _ in range(2):
            declined = await ada.until("declined")
            assert (declined["request"], declined["code"]) == ("decisive", "gone")
        while message["type"] == "question":
            await ada.send({"type": "act", "action": message["options"][0], "at": message["number"]})
            message = await ada.until(lambda one: one["type"] in ("question", "over"))
        await ada.send({"type": "leave"})
        # Whoever knows the id may ask, and sits nowhere.
        bea = await rig.enter(server, "Bea")
        await bea.send({"type": "decisive", "table": table})
        told = await bea.until("decisive")
        status, rest = await get(server, f"/api/v1/matches/{table}/decisive")
        assert (status, rest) == (200, told)
        _, story = await get(server, f"/api/matches/{table}/replay")
        moment = told["moment"]
        assert story["steps"][moment["move"]]["number"] == moment["number"]
        # It costs what replays cost, and from the same purse.
        await bea.send(*[{"type": "decisive", "table": table}] * 3)
        assert (await bea.until("declined"))["code"] == "rate"
        assert (await get(server, f"/api/matches/{table}/replay"))[0] == 429


@pytest.mark.parametrize("name", games.names())
def test_with_the_decisive_move_comes_what_bots_would_have_done_instead(name: str) -> None:
    game = games.load(name)
    lines = played(game, ("random", "random"))
    told = storyteller._decisive("t1", lines)
    assert isinstance(told, Decided)
    assert told.moment is not None
    steps = replay(lines, games.load).steps
    place = next(at for at, step in enumerate(steps) if step.record.number == told.moment.number)
    given = steps[place].record.input
    assert isinstance(given, Acted)
    question = steps[place - 1].state.questions[told.moment.seat]
    for one in told.moment.advice:
        assert one.action in question.choices
        assert one.words["it"]
    if told.moment.advice:
        assert storyteller._plain(told.moment.advice[0].action) != storyteller._plain(given.actions[0])
    assert storyteller._decisive("t1", lines) == told, "everybody is told the same"
