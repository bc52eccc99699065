"""Whole matches by raw clients: in the hall with all gods, and over real sockets with
bots, kills and restarts."""

import asyncio
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from tests import rig
from tests.games.santorini.house import House
from tests.games.santorini.raw_player import RawPlayer

from ludoteca.games.santorini.data import CARDS, DOMED

NAMES = ("anna", "bert", "cleo")


def play_in_the_hall(gods: list[str], seed: int) -> list[RawPlayer]:
    """Raw players with these gods, to the end; their boards are then the one of the table."""
    house = House(gods="all")
    players = [
        RawPlayer(name, "1990.01.02", players=len(gods), gods=gods, seed=seed + number)
        for number, name in enumerate(NAMES[: len(gods)])
    ]
    clients = [house.client() for _ in players]
    table: Any = None
    for _ in range(2_000):
        heard = [client.take() for client in clients]
        for player, client, messages in zip(players, clients, heard, strict=True):
            answers = [answer for message in messages if (answer := player.answer(message)) is not None]
            if answers and not client.closed:
                assert len(answers) == 1, answers
                client.say(answers[0])
        table = house.hall.desk.table_of(clients[0].guest) or table
        if all(player.winner for player in players):
            for player in players:
                check_the_picture(player, table.match.state)
            return players
    raise AssertionError(f"the match of {gods} has no end")


def check_the_picture(player: RawPlayer, state: Any) -> None:
    for space, tower in enumerate(state.towers):
        dome = 10 if tower >= DOMED else 0
        assert player.board.get(divmod(space, 5), 0) == tower % DOMED + dome


def test_raw_clients_play_with_every_god():
    for number, god in enumerate(CARDS):
        other = next(
            name
            for name in list(CARDS)[number * 7 % 20 :] + list(CARDS)
            if name != god and name not in CARDS[god].shuns
        )
        first, second = play_in_the_hall([god, other], number)
        assert first.winner == second.winner
        assert first.board == second.board


@pytest.mark.slow
def test_raw_clients_play_with_every_pair():
    for number, (god, other) in enumerate(combinations(CARDS, 2)):
        if other not in CARDS[god].shuns:
            play_in_the_hall([god, other], number)


def test_three_raw_clients_play_and_hear_of_losses():
    losses = []
    for seed, gods in enumerate(
        (["Atlas", "Limus", "Hermes"], ["Apollo", "Zeus", "Eros"], ["Limus", "Hera", "Hypnus"])
    ):
        players = play_in_the_hall(gods, seed * 10)
        losses += players[0].lost
        assert players[0].board == players[1].board == players[2].board
    assert losses


# Over sockets


async def talk(player: RawPlayer, client: rig.Client, until: str = "endGame") -> None:
    """Play until a message of this type has come."""
    while (message := await client.message()) is not None:
        answer = player.answer(message)
        if message["type"] == until:
            return
        if answer is not None:
            await client.send(answer)
    raise AssertionError(f"the connection of {player.name} ended before {until}")


async def test_two_raw_clients_and_a_bot_play_a_match_of_three_over_tcp(tmp_path: Path) -> None:
    """The third chair belongs to somebody who leaves it to a bot."""
    async with rig.house(tmp_path, "santorini", "house", bot_s=0.02) as server:
        host = await rig.enter(server, "Mary")
        terms = {"absence": "bot", "grace_s": 0.1}
        await host.send({"type": "open", "game": "santorini", "seats": 3, "terms": terms})
        await host.until("seated")
        gods = ["Atlas", "Demeter", "Hermes"]
        players = [
            RawPlayer(name, "2001.05.06", gods=gods, seed=5, pushes=False) for name in ("anna", "bert")
        ]
        clients = [await rig.connect(server, "santorini") for _ in players]
        matches = [
            asyncio.create_task(talk(player, client)) for player, client in zip(players, clients, strict=True)
        ]
        await host.until("view")
        await host.send({"type": "leave"})
        await asyncio.wait_for(asyncio.gather(*matches), 60)
        assert players[0].winner == players[1].winner
        assert players[0].winner in ("anna", "bert", "Mary")
        assert players[0].board == players[1].board
        for client in (*clients, host):
            await client.close()


@pytest.mark.slow
async def test_a_match_survives_the_death_of_the_server(tmp_path: Path) -> None:
    """kill -9 in the middle: the raw clients come back by name, as the protocol leads them, and play on."""
    async with rig.process(tmp_path, "santorini") as server:
        players = [
            RawPlayer(name, "1990.01.02", gods=["Atlas", "Demeter"], seed=number)
            for number, name in enumerate(("anna", "bert"))
        ]
        clients = [await rig.connect(server, "santorini") for _ in players]
        matches = [asyncio.create_task(talk(p, c, "build")) for p, c in zip(players, clients, strict=True)]
        await asyncio.wait_for(asyncio.gather(*matches), 30)
        await server.kill()
        for client in clients:
            client.cut()
        await server.start()
        for player in players:
            player.board.clear()
        clients = [await rig.connect(server, "santorini") for _ in players]
        matches = [asyncio.create_task(talk(p, c)) for p, c in zip(players, clients, strict=True)]
        await asyncio.wait_for(asyncio.gather(*matches), 60)
        assert players[0].winner == players[1].winner
        assert players[0].winner in ("anna", "bert")
        assert players[0].board == players[1].board
        for client in clients:
            await client.close()
