"""Our client at servers that differ from ours."""

import random

import pytest

from ludoteca.games.multisweeper.client import Client


def in_a_round(lines: str) -> Client:
    client = Client("Ann")
    client.open(0.0)
    client.receive(b"multisweeper v1\n", 0.0)
    client.tick(1.0)
    client.receive(lines.encode(), 1.0)
    return client


# Names of the others only, which is how the seed can be read: "[P] number of players", then
# "the other players".
OTHERS = "num_players 3\nplayer Bob\nplayer Cleo\nstart 3 1 1\nturn_id_update 1\n"


@pytest.mark.parametrize(("code", "words"), [(1, "You are through to the next round."), (0, "You are out,")])
def test_a_round_of_three_is_not_the_final_though_only_two_others_are_named(code, words):
    client = in_a_round(f"{OTHERS}board_update 9 10 9\nend_condition {code}\n")
    assert client.news[-1].startswith(words)
    assert not client.over


def test_a_round_of_two_is_the_final_though_only_one_other_is_named():
    client = in_a_round("num_players 2\nplayer Bob\nstart 3 1 1\nturn_id_update 1\nend_condition 1\n")
    assert client.news[-1] == "You lose the final."
    assert client.over


def test_the_own_place_among_others_is_learned_with_the_first_turn():
    client = in_a_round(OTHERS)
    assert client.players == ("Bob", "Cleo", "Ann")
    client.receive(b"turn_id_update 2\nturn_start\n", 2.0)
    assert client.players == ("Bob", "Ann", "Cleo")
    assert client.mine == client.mover == 1
    client.receive(b"turn_id_update 3\nboard_update 1 9 9\n", 3.0)
    assert client.news[-1] == "Cleo opens 1 cell."
    client.receive(b"turn_id_update 5\nturn_start\n", 4.0)
    assert client.players == ("Bob", "Ann", "Cleo")


def test_who_looks_on_is_in_no_list_and_has_no_place():
    client = in_a_round("num_players 2\nplayer Bob\nplayer Cleo\nstart 3 1 1\nturn_id_update 1\n")
    assert client.players == ("Bob", "Cleo")
    assert client.mine is None


def test_numbers_without_end_and_crowds_of_names_do_no_harm():
    client = in_a_round("num_players " + "9" * 6000 + "\n" + "player Bob\n" * 5000 + "start 3 1 1\n")
    assert len(client.players) <= 101
    client.receive(b"turn_id_update 1\nboard_update 9 9 " + b"9" * 6000 + b"\n", 2.0)
    assert client.picture


@pytest.mark.parametrize("seed", range(20))
def test_a_client_survives_a_server_that_says_anything(seed):
    dice = random.Random(seed)
    words = (
        "num_players",
        "player",
        "start",
        "turn_id_update",
        "turn_start",
        "board_update",
        "end_condition",
    )
    client = in_a_round(OTHERS)
    for _ in range(300):
        numbers = [
            dice.choice(("0", "1", "2", "3", "9", "10", "11", "-1", "x", "99999999999")) for _ in range(4)
        ]
        line = " ".join((dice.choice(words), *numbers[: dice.randrange(5)]))
        client.receive(line.encode() + b"\n", 2.0)
        if client.answers and dice.random() < 0.5:
            client.answer(dice.choice(client.answers))
