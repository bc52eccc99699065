"""Whole games over real sockets: raw clients, clients of Ludoteca's own protocol and
bots, kills and restarts."""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from tests import rig
from tests.games.eriantys.boards import board
from tests.games.eriantys.raw_player import Message, RawPlayer

from ludoteca import games
from ludoteca.games.eriantys.data import Mode
from ludoteca.games.eriantys.state import State
from ludoteca.journal.records import Acted, Started
from ludoteca.journal.replay import replay
from ludoteca.server.journal_reader import JournalReader

# Real sockets, processes or screens: left out of make check.
pytestmark = pytest.mark.slow

HEARTBEAT_S = 0.4


@contextlib.asynccontextmanager
async def alive(client: rig.Client) -> AsyncIterator[rig.Client]:
    """A client that sends heartbeats while it is used."""

    async def beat() -> None:
        with contextlib.suppress(ConnectionError):
            while not client.writer.is_closing():
                await client.send({"type": "Heartbeat"})
                await asyncio.sleep(HEARTBEAT_S)

    beating = asyncio.create_task(beat())
    try:
        yield client
    finally:
        beating.cancel()
        await client.close()


async def play(server: Any, player: RawPlayer) -> None:
    """Answer everything until the connection ends."""
    async with alive(await rig.connect(server, "eriantys")) as client:
        with contextlib.suppress(ConnectionError):
            while (message := await client.message()) is not None:
                await client.send(*player.answer(message))


def game(mode: Mode, seats: int) -> Message:
    return {"gameName": "friday", "gameMode": mode, "numPlayers": seats}


async def opened(player: RawPlayer) -> None:
    """Wait until somebody's game is there to be found."""
    while "AskNickname" not in player.heard:
        await asyncio.sleep(0.01)


def recorded(folder: Path) -> tuple[list[State], list[str]]:
    """Every state of the only match, from its start, played again from the journal; and the players."""
    archive = JournalReader(folder)
    (table,) = archive.ids()
    again = replay(archive.lines(table), games.load)
    states = [step.state for step in again.steps if isinstance(step.record.input, Started | Acted)]
    return states, list(again.names)


@pytest.mark.parametrize("mode", ["Basic", "Expert"])
@pytest.mark.parametrize("seats", [2, 3])
async def test_raw_clients_play_a_whole_game_and_every_board_is_as_the_rules_say(tmp_path, seats, mode):
    names = ("ann", "bob", "cal")[:seats]
    players = [
        RawPlayer(name, game(mode, seats), opens=place == 0, seed=10 * seats + place, errs=0.05)
        for place, name in enumerate(names)
    ]
    async with rig.house(tmp_path, "eriantys") as server:
        first = asyncio.create_task(play(server, players[0]))
        await opened(players[0])
        await asyncio.gather(first, *(play(server, player) for player in players[1:]))
    states, seated = recorded(tmp_path)
    expected = [board(state, "friday", seated) for state in states]
    for player in players:
        assert player.boards == expected
        assert player.heard[-1] == "ShowEndGame"
    outcome = states[-1].outcome
    assert outcome is not None
    winner = seated[outcome.winners[0]] if len(outcome.winners) == 1 else None
    assert [player.winner for player in players] == [winner] * seats
    assert sum(player.errors for player in players) > 0


async def house_player(client: rig.Client, seed: int) -> Message:
    """A client of Ludoteca's own protocol that plays at random; what it is told at the end."""
    dice = random.Random(seed)
    while True:
        message = await client.until(lambda message: message["type"] in ("question", "over"))
        if message["type"] == "over":
            return message
        await client.send({"type": "act", "action": dice.choice(message["options"]), "at": message["number"]})


async def test_a_raw_client_a_client_of_our_own_and_a_bot_play_expert_together(tmp_path):
    async with rig.house(tmp_path, "eriantys", "house", bot_s=0.02) as server:
        mary = await rig.enter(server, "Mary Jane", options_max=100)
        options = {"mode": "Expert"}
        await mary.send(
            {"type": "open", "game": "eriantys", "seats": 3, "options": options, "label": "friday"}
        )
        await mary.send({"type": "bot", "level": "easy"})
        await mary.until("sat")
        raw = RawPlayer("ann", game("Expert", 3), seed=5, errs=0.05)
        over, _ = await asyncio.gather(house_player(mary, 6), play(server, raw))
        await mary.close()
    states, names = recorded(tmp_path)
    assert raw.boards == [board(state, "friday", names) for state in states]
    assert raw.heard[-1] == "ShowEndGame"
    assert states[-1].outcome
    assert tuple(over["ranks"]) == states[-1].outcome.ranks
    assert sorted(names)[1:] == ["Mary Jane", "ann"]


async def test_a_silent_client_is_lost_and_the_game_with_it(tmp_path):
    times = {"eriantys.heartbeat_interval_s": 0.1, "eriantys.silence_s_max": 0.5}
    async with rig.house(tmp_path, "eriantys", default=times) as server:
        ann = RawPlayer("ann", game("Basic", 2), opens=True)
        waiting = asyncio.create_task(play(server, ann))
        await opened(ann)
        bob = await rig.connect(server, "eriantys")
        player = RawPlayer("bob", game("Basic", 2))
        while "GameStart" not in player.heard:
            message = await bob.message()
            assert message is not None
            await bob.send(*player.answer(message))
        await asyncio.wait_for(waiting, 10)
        assert ann.heard[-1] == "ShowDisconnection"
        await bob.close()


@pytest.mark.parametrize("ending", ["kill", "stop"])
async def test_a_house_that_was_restarted_leads_raw_clients_back_into_their_game(tmp_path, ending):
    """In the middle of a game, by kill -9 or in good order: both come back by name and play it to its end."""
    ann = RawPlayer("ann", game("Expert", 2), opens=True, seed=1)
    bob = RawPlayer("bob", game("Expert", 2), seed=2)
    async with rig.process(tmp_path, "eriantys") as server:
        first = asyncio.create_task(play(server, ann))
        await opened(ann)
        second = asyncio.create_task(play(server, bob))
        while len(ann.boards) < 40:
            await asyncio.sleep(0.01)
        await (server.kill() if ending == "kill" else server.stop())
        await asyncio.gather(first, second)
        before = [ann.boards[-1], bob.boards[-1]]
        ann.opens = bob.opens = False
        ann.token = bob.token = ""
        ann.heard.clear()
        await server.start()
        await asyncio.gather(play(server, ann), play(server, bob))
    states, names = recorded(tmp_path)
    boards = [board(state, "friday", names) for state in states]
    assert all(seen in boards for seen in [*before, *ann.boards, *bob.boards])
    assert ann.heard.index("GameStart") < ann.heard.index("UpdateGameBoard")
    assert ann.heard[-1] == "ShowEndGame"
    assert ann.boards[-1] == bob.boards[-1] == boards[-1]


async def test_a_client_that_beats_may_look_around_for_as_long_as_it_likes(tmp_path):
    """The seed's heartbeat is there to keep the connection alive; who does nothing else is not in the way."""
    async with rig.house(tmp_path, "eriantys", handshake_s=0.4) as server:
        ann = await rig.connect(server, "eriantys")
        player_id = (await ann.until("NotifyPlayerIdMessage"))["playerID"]
        for _ in range(20):
            await ann.send({"type": "Heartbeat"})
            await asyncio.sleep(0.1)
        await ann.send({"type": "AskGameListMessage", "playerID": player_id})
        assert (await ann.until("GameListMessage"))["gameList"] == []
        await ann.close()


async def test_who_sits_at_a_full_table_must_say_a_name_in_time_heartbeats_or_not(tmp_path):
    async with rig.house(tmp_path, "eriantys", handshake_s=0.2) as server:
        ann = RawPlayer("ann", game("Basic", 2), opens=True)
        waiting = asyncio.create_task(play(server, ann))
        await opened(ann)
        async with alive(await rig.connect(server, "eriantys")) as bob:
            player_id = (await bob.until("NotifyPlayerIdMessage"))["playerID"]
            await bob.send({"type": "SelectGameMessage", "playerID": player_id, "gameName": "friday"})
            await bob.until("AskNickname")
            await asyncio.wait_for(waiting, 10)
        assert ann.heard[-1] == "ShowDisconnection"
