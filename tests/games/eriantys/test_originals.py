"""Programs in Java that speak as the original does, at the tables of a real house with everybody else."""

import random
from pathlib import Path

import pytest
from tests import rig
from tests.games.eriantys.test_play import alive
from tests.java.players import player

# Real sockets, processes or screens: left out of make check.
pytestmark = pytest.mark.slow


async def play_by_options(client: rig.Client, dice: random.Random) -> dict[str, object]:
    """Play through Ludoteca's own protocol; the message that ended the match."""
    while True:
        message = await client.message()
        assert message is not None
        if message["type"] == "question":
            await client.send(
                {"type": "act", "action": dice.choice(message["options"]), "at": message["number"]}
            )
        elif message["type"] == "over":
            return message


@pytest.mark.parametrize("mode", ["BASIC", "EXPERT"])
async def test_an_original_opens_a_game_and_plays_to_its_end_with_a_guest_of_ours_and_a_bot(
    tmp_path: Path, mode: str
) -> None:
    async with rig.house(tmp_path, "house", "eriantys", bot_s=0.02, bot_workers=0) as server:
        arguments = ("gianni", "friday", "3", mode, "7")
        async with player("eriantys", "Player", server.addresses["eriantys"], *arguments) as gianni:
            await gianni.until("AckTowerColor")
            ada = await rig.enter(server, "ada", options_max=1000)
            await ada.send({"type": "seek", "game": "eriantys"})
            await ada.until("seated")
            await ada.send({"type": "bot", "level": "random"})
            over = await play_by_options(ada, random.Random(3))
            assert await gianni.end() == 0, gianni.heard[-5:]
    kinds = {line for line in gianni.heard if line.startswith("does ")}
    assert {"does MOVE_STUDENT_TO_ISLAND", "does MOVE_MOTHER_NATURE", "does CHOOSE_CLOUD"} <= kinds
    assert ("does CHOOSE_CHARACTER" in kinds) == (mode == "EXPERT")
    assert gianni.heard.count("AskAssistantCard") > 1
    winners = over["winners"]
    assert isinstance(winners, list)
    assert (gianni.heard[-1] == "winner null") == (len(winners) != 1)


async def test_an_original_finds_a_game_in_the_list_and_is_missed_when_it_is_killed(tmp_path: Path) -> None:
    async with (
        rig.house(tmp_path, "eriantys") as server,
        alive(await rig.connect(server, "eriantys")) as ann,
    ):
        identity = (await ann.until("NotifyPlayerIdMessage"))["playerID"]
        info = {"gameName": "friday", "gameMode": "Expert", "numPlayers": 2}
        await ann.send({"type": "NewGameMessage", "playerID": identity, "gameInfo": info})
        await ann.until("AskNickname")
        await ann.send({"type": "SetNickname", "playerID": identity, "nickname": "ann"})
        await ann.until("AskTowerColor")
        await ann.send({"type": "SetTowerColor", "playerID": identity, "color": "black"})
        await ann.until("AckTowerColor")
        arguments = ("gianni", "friday", "0", "BASIC", "7")
        async with player("eriantys", "Player", server.addresses["eriantys"], *arguments) as gianni:
            await gianni.until("offered friday EXPERT 2")
            await gianni.until("GameStart")
            await ann.until("GameStart")
            gianni.kill()
            lost = await ann.until("ShowDisconnection")
    assert lost["disconnectedNickname"] == "gianni"
