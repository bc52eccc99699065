"""The seed's protocol: faults and limits, what the house says on its own, and what its page says."""

import json
import random
import re
from pathlib import Path

import msgspec
import pytest
from tests.games.shelfie.house import House
from tests.games.shelfie.words import response

from ludoteca.core.notices import Clock, Declined, Gone, Trouble
from ludoteca.core.requests import Seek
from ludoteca.games.shelfie.wire import Conversation, Settings
from ludoteca.games.shelfie.wire.messages import ClientMessage, ServerMessage
from ludoteca.wire.lines import LINE_BYTES_MAX

PAGE = Path(__file__).parents[3] / "src/ludoteca/games/shelfie/PROTOCOL.md"


# Faults


@pytest.mark.parametrize(
    "line",
    [
        b"hello",
        b"{",
        b"[]",
        b"7",
        b"null",
        b'"PongMessage"',
        b"{}",
        b'{"type":"Nonsense"}',
        b'{"type":7}',
        b'{"nickname":"anna"}',
        b'{"type":"PongMessage","x":"\xff"}',
        b"\xff\xfe",
        b"[" * 5000,
        b"GET / HTTP/1.1",
    ],
)
def test_a_line_that_is_no_message_of_the_protocol_closes_the_connection_and_only_that(line):
    house = House()
    anna, bruno = house.match("anna", "bruno")
    carla = house.client()
    carla.send(line + b'\n{"type":"LoginRequest","nickname":"carla"}\n')
    assert carla.kinds() == ["ErrorMessage"]
    assert carla.closed
    assert anna.take() == bruno.take() == []


@pytest.mark.parametrize(
    "line",
    [
        {"type": "LoginRequest"},
        {"type": "LoginRequest", "nickname": None},
        {"type": "LoginRequest", "nickname": 7},
        {"type": "NumPlayersResponse", "numPlayers": "2"},
        {"type": "NumPlayersResponse", "numPlayers": 2.5},
        {"type": "PickTileRequest"},
        {"type": "PickTileRequest", "position": {"row": 1}},
        {"type": "PickTileRequest", "position": [1, 2]},
        {"type": "ConfirmColumnRequest", "columnNumber": True},
        {"type": "ConfirmOrderNotify", "pickedTiles": ["RED"]},
        {"type": "ConfirmOrderNotify", "pickedTiles": "GREEN"},
        {"type": "ChatMessage", "player": "anna"},
        {"type": "PingMessage"},
        {"type": "EndTurnNotify"},
    ],
)
def test_a_message_with_a_wrong_field_is_answered_with_an_error_and_nothing_else_happens(line):
    anna, bruno = House().match("anna", "bruno")
    anna.send(json.dumps(line).encode() + b"\n")
    (error,) = anna.take()
    assert error["type"] == "ErrorMessage"
    assert error["message"]
    assert not anna.closed
    assert bruno.take() == []
    assert anna.pick(5, 3)["valid"]


def test_ten_wrong_messages_in_a_row_close_and_a_right_one_clears_the_count():
    anna = House().client()
    for _ in range(3):
        for _ in range(9):
            anna.tell("LoginRequest")
        anna.tell("PongMessage")
    assert not anna.closed
    for _ in range(10):
        assert not anna.closed
        anna.tell("LoginRequest")
    assert anna.closed


def test_a_line_may_be_as_long_as_the_limit_and_no_longer():
    anna, bruno = House().match("anna", "bruno")
    frame = len(b'{"type":"PongMessage","x":""}')
    anna.send(b'{"type":"PongMessage","x":"' + b"y" * (LINE_BYTES_MAX - frame) + b'"}\n')
    assert not anna.closed
    anna.send(b'{"type":"PongMessage","x":"' + b"y" * LINE_BYTES_MAX)
    assert anna.closed
    assert bruno.kinds() == ["PlayerDisconnectedNotify"]


def test_unknown_keys_carriage_returns_empty_lines_and_any_order_of_keys_are_fine():
    anna = House().client()
    anna.send(b'\r\n\n{"nickname":"anna","colour":{"a":[1]},"type":"LoginRequest"}\r\n')
    assert anna.take()[0] == response("LoginResponse", nickname="anna")


def test_a_conversation_can_be_cut_anywhere():
    house = House()
    anna = house.client()
    for (
        byte
    ) in b'{"type":"LoginRequest","nickname":"\xc3\x85sa"}\n{"type":"NumPlayersResponse","numPlayers":2}\n':
        anna.send(bytes([byte]))
    assert anna.kinds() == ["LoginResponse", "NumPlayersRequest", "LobbyInfoMessage"]


def test_messages_of_random_bytes_never_reach_the_house():
    dice = random.Random(7)
    house = House()
    anna, bruno = house.match("anna", "bruno")
    for _ in range(200):
        stranger = house.client()
        stranger.send(dice.randbytes(dice.randrange(1, 200)) + b"\n")
        assert {message["type"] for message in stranger.take()} <= {"ErrorMessage"}
        stranger.hang_up()
    assert anna.take() == bruno.take() == []


# What the house says on its own


def test_who_is_sent_away_is_told_why():
    conversation = Conversation(Settings())
    (line,) = conversation.send(Gone("the house closes"), 0.0).splitlines()
    assert json.loads(line) == response("ErrorMessage", message="the house closes")
    assert conversation.closing


def test_a_house_without_room_says_so():
    conversation = Conversation(Settings())
    (line,) = conversation.send(Declined(Seek("shelfie"), "no room", "limit"), 0.0).splitlines()
    assert json.loads(line) == response("ErrorMessage", message="no room")
    assert conversation.closing


@pytest.mark.parametrize("notice", [Clock(0, 3.0), Trouble("the disk is full")])
def test_what_the_seed_has_no_word_for_is_not_said(notice):
    assert Conversation(Settings()).send(notice, 0.0) == b""


# The page


def examples(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(), re.DOTALL)


def test_every_example_of_the_page_is_a_message():
    lines = [line for block in examples("json") for line in block.splitlines() if line.strip()]
    shown = set()
    for line in lines:
        kind = json.loads(line)["type"]
        shown.add(kind)
        for union in (ClientMessage, ServerMessage):
            if kind in {member.__name__ for member in union.__args__}:
                message = msgspec.json.decode(line, type=union)
                assert json.loads(msgspec.json.encode(message)) == json.loads(line)
    assert shown == {member.__name__ for union in (ClientMessage, ServerMessage) for member in union.__args__}
