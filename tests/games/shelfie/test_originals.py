"""Programs in Java that speak as the original does, at the tables of a real house with everybody else."""

import random
from pathlib import Path

import pytest
from tests import rig
from tests.games.shelfie.remote import play_by_lines, play_by_options
from tests.java.players import player

# Real sockets, processes or screens: left out of make check.
pytestmark = pytest.mark.slow


async def test_an_original_plays_to_the_end_with_a_guest_of_our_own_protocol_and_a_bot(
    tmp_path: Path,
) -> None:
    async with rig.house(tmp_path, "house", "shelfie", bot_s=0.02, bot_workers=0) as server:
        ada = await rig.enter(server, "ada", options_max=1000)
        await ada.send({"type": "open", "game": "shelfie", "seats": 3})
        await ada.until("seated")
        await ada.send({"type": "bot", "level": "random"})
        async with player("shelfie", "Tcp", server.addresses["shelfie"], "gianni", "3", "7") as gianni:
            own = await play_by_options(ada, random.Random(3))
            assert await gianni.end() == 0, gianni.heard
    turns = [line.split() for line in gianni.heard if line.startswith("EndTurnNotify")]
    events = [event for message in own if message["type"] == "events" for event in message["events"]]
    assert len(turns) == sum(event["type"] == "TurnEnded" for event in events)
    names = [turn[1] for turn in turns]
    assert len(set(names)) == 3
    totals = own[-1]["scores"]["total"]
    assert sorted(totals) == sorted(
        int({name: points for _, name, points in turns}[name]) for name in set(names)
    )
    kinds = {line.split()[0] for line in gianni.heard}
    assert {"UnpickTileResponse", "ConfirmColumnResponse", "GameResultNotify"} <= kinds
    assert "ChatMessage gianni: ciao a tutti \U0001f600" in gianni.heard
    assert any(message["type"] == "said" and "\U0001f600" in message["text"] for message in own)


async def test_an_original_that_is_killed_is_missed_by_a_client_of_lines(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "shelfie") as server:
        tina = await rig.connect(server, "shelfie")
        await tina.send({"type": "LoginRequest", "nickname": "tina"})
        await tina.until("NumPlayersRequest")
        await tina.send({"type": "NumPlayersResponse", "numPlayers": 2})
        async with player("shelfie", "Tcp", server.addresses["shelfie"], "gianni", "2", "7") as gianni:
            await gianni.until("GameStartNotify")
            gianni.kill()
            lost = await tina.until("PlayerDisconnectedNotify")
    assert lost["disconnectedPlayer"] == "gianni"


async def test_an_original_plays_by_remote_calls_to_the_end_with_a_client_of_lines(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "shelfie", "shelfie-rmi") as server:
        tina = await rig.connect(server, "shelfie")
        await tina.send({"type": "LoginRequest", "nickname": "tina"})
        await tina.until("NumPlayersRequest")
        await tina.send({"type": "NumPlayersResponse", "numPlayers": 2})
        await tina.until("LobbyInfoMessage")
        async with player("shelfie", "Rmi", server.addresses["shelfie-rmi"], "gianni", "2", "7") as gianni:
            lines = await play_by_lines(tina, "tina", random.Random(1))
            assert await gianni.end() == 0, gianni.heard
    assert lines[-1]["type"] == "GameResultNotify"
    turns = [f"EndTurnNotify {m['player']} {m['points']}" for m in lines if m["type"] == "EndTurnNotify"]
    assert [line for line in gianni.heard if line.startswith("EndTurnNotify")] == turns
