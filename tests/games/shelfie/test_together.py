"""One table, four kinds of players: lines over TCP, remote calls, Ludoteca's own protocol, a bot."""

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.json_format import MessageToDict
from tests import rig
from tests.games.shelfie.remote import Remote, house, play_by_calls, play_by_lines, play_by_options
from tests.games.shelfie.scores import check_result

from ludoteca.games.shelfie.rpc import pb


async def four_at_a_table(server: Any) -> tuple[rig.Client, Remote, rig.Client]:
    """Tina (TCP) opens a table for four; Greta (gRPC), a bot and Ada (our own protocol) join her."""
    tina = await rig.connect(server, "shelfie")
    await tina.send({"type": "LoginRequest", "nickname": "tina"})
    await tina.until("NumPlayersRequest")
    await tina.send({"type": "NumPlayersResponse", "numPlayers": 4})
    await tina.until("LobbyInfoMessage")
    greta = await Remote(server).connect()
    assert (await greta.call("Login", pb.LoginRequest(nickname="greta"))).nickname == "greta"
    lobby = await greta.until("lobby_info")
    assert list(lobby.lobby) == ["tina", "greta"]
    ada = await rig.enter(server, "ada", options_max=1000)
    await ada.send({"type": "seek", "game": "shelfie"})
    await ada.until("seated")
    await ada.send({"type": "bot", "level": "medium"})
    return tina, greta, ada


@pytest.mark.slow
async def test_a_match_of_all_four_kinds_to_the_final_score(tmp_path: Path) -> None:
    async with house(tmp_path, "house", "shelfie", bot_s=0.05, bot_workers=0) as server:
        tina, greta, ada = await four_at_a_table(server)
        lines, calls, own = await asyncio.gather(
            play_by_lines(tina, "tina", random.Random(1)),
            play_by_calls(greta, "greta", random.Random(2)),
            play_by_options(ada, random.Random(3)),
        )
        await greta.close()
    start, result = (
        next(message for message in lines if message["type"] == kind)
        for kind in ("GameStartNotify", "GameResultNotify")
    )
    assert result == lines[-1]
    turns = [message for message in lines if message["type"] == "EndTurnNotify"]
    assert len(start["players"]) == 4
    over = own[-1]

    # What the stream said is what the lines said.
    streamed = [MessageToDict(message) for kind, message in calls if kind == "end_turn"]
    assert [turn.get("points", 0) for turn in streamed] == [turn["points"] for turn in turns]
    assert [turn["player"] for turn in streamed] == [turn["player"] for turn in turns]
    kind, final = calls[-1]
    assert kind == "game_result"
    assert dict(final.points) == result["points"]
    assert final.winner == result["winner"]

    # The score, recomputed from the shelves, with the cards that are turned up at the end.
    events = [event for message in own if message["type"] == "events" for event in message["events"]]
    (finished,) = [event for event in events if event["type"] == "Finished"]
    seats = seat_names(own, start["players"])
    cards = {seats[seat]: card for seat, card in enumerate(finished["cards"])}
    check_result(result, turns, start, cards)
    assert over["scores"]["total"] == [result["points"][seats[seat]] for seat in range(4)]
    assert over["winners"] == [seats.index(result["winner"])]


def seat_names(own: list[dict[str, Any]], order: list[str]) -> list[str]:
    """The players by seat, from the first turn that our own protocol told about."""
    first = next(m["view"]["first"] for m in own if m["type"] == "view")
    return [order[(seat - first) % len(order)] for seat in range(len(order))]


async def test_chat_public_and_private_reaches_all_kinds(tmp_path: Path) -> None:
    async with house(tmp_path, "house", "shelfie", bot_s=0.05, bot_workers=0) as server:
        tina, greta, ada = await four_at_a_table(server)
        await tina.until("GameStartNotify")
        await greta.until("game_start")
        await ada.until("view")

        await tina.send(
            {"type": "ChatMessage", "player": "x", "receiver": None, "textMessage": "from a line"}
        )
        assert (await tina.until("ChatMessage"))["textMessage"] == "from a line"
        heard = await greta.until("chat")
        assert (heard.player, heard.textMessage, heard.HasField("receiver")) == ("tina", "from a line", False)
        assert (await ada.until("said"))["text"] == "from a line"

        assert (await greta.call("Chat", pb.ChatMessage(player="greta", textMessage="from a call"))).accepted
        assert (await tina.until("ChatMessage"))["player"] == "greta"
        assert (await greta.until("chat")).textMessage == "from a call"
        assert (await ada.until("said"))["name"] == "greta"

        await ada.send({"type": "say", "text": "from the house"})
        assert (await tina.until("ChatMessage"))["player"] == "ada"
        assert (await greta.until("chat")).player == "ada"

        # Private, each to the next: only the receiver hears it, so the next thing all hear is public again.
        message = pb.ChatMessage(player="greta", receiver="tina", textMessage="psst tina")
        assert (await greta.call("Chat", message)).accepted
        private = await tina.until("ChatMessage")
        assert (private["player"], private["receiver"]) == ("greta", "tina")
        await tina.send(
            {"type": "ChatMessage", "player": "tina", "receiver": "ada", "textMessage": "psst ada"}
        )
        assert (await ada.until(lambda m: m["type"] == "said" and m["text"] != "from the house"))[
            "to"
        ] == "ada"
        await ada.send({"type": "say", "text": "psst greta", "to": "greta"})
        heard = await greta.until("chat")
        assert (heard.player, heard.receiver, heard.textMessage) == ("ada", "greta", "psst greta")
        nobody = pb.ChatMessage(player="greta", receiver="nobody", textMessage="psst")
        assert not (await greta.call("Chat", nobody)).accepted
        await greta.call("Chat", pb.ChatMessage(player="greta", textMessage="the end"))
        assert (await tina.until("ChatMessage"))["textMessage"] == "the end"
        await greta.close()


async def test_when_a_remote_player_is_lost_the_others_are_told(tmp_path: Path) -> None:
    async with house(tmp_path, "house", "shelfie", bot_s=0.05, bot_workers=0) as server:
        tina, greta, ada = await four_at_a_table(server)
        await tina.until("GameStartNotify")
        await greta.close()
        assert (await tina.until("PlayerDisconnectedNotify"))["disconnectedPlayer"] == "greta"
        assert await tina.message() is None, "the connection ends with the match"
        assert (await ada.until("over"))["ranks"] == []


async def test_when_a_player_of_lines_is_lost_the_remote_ones_are_told(tmp_path: Path) -> None:
    async with house(tmp_path, "house", "shelfie", bot_s=0.05, bot_workers=0) as server:
        tina, greta, _ = await four_at_a_table(server)
        await greta.until("game_start")
        tina.cut()
        assert (await greta.until("player_disconnected")).disconnectedPlayer == "tina"
        assert await greta.next() is None, "the stream ends with the match"
        await greta.close()
