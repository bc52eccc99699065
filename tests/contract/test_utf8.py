"""A line that is not UTF-8 is refused in every protocol of JSON lines, wherever in it the wrong bytes are."""

from typing import Any

import pytest

from ludoteca import games
from ludoteca.core.requests import Reply
from ludoteca.wire.house import HouseConversation

# A line of each protocol that asks for something, with a place for a key that nobody knows.
LINES = {
    "eriantys": b'{"type":"Heartbeat"%b}',
    "house": b'{"type":"hello","name":"anna"%b}',
    "renaissance": b'{"type":"loginRequest","username":"anna"%b}',
    "santorini": b'{"type":"addPlayer","name":"anna","date":"1990.01.02"%b}',
    "shelfie": b'{"type":"LoginRequest","nickname":"anna"%b}',
}
WRONG = [
    b',"x":"\xff\xfe"',
    b',"\xc3":1',
    b',"x":{"y":["\xe2\x82"]}',
    # An overlong slash, half a pair of surrogates, and beyond the last character.
    b',"x":"\xc0\xaf"',
    b',"x":"\xed\xa0\x80"',
    b',"x":"\xf4\x90\x80\x80"',
]


def conversation(protocol: str) -> Any:
    if protocol == "house":
        return HouseConversation(games.load)
    game = games.load(protocol)
    wire = game.protocol()
    talk: Any = wire.converse(wire.settings())
    talk.greet(0.0)
    return talk


def said(protocol: str, line: bytes) -> tuple[list[Any], bool]:
    """What the house is asked for, and whether the connection ends."""
    talk = conversation(protocol)
    requests = talk.receive(line + b"\n", 0.0)
    return [request for request in requests if not isinstance(request, Reply)], talk.closing


def test_every_protocol_of_json_lines_is_here():
    spoken = {game.name for game in games.load_all() if game.wire and game.wire.messages}
    assert set(LINES) == {"house", *spoken}


@pytest.mark.parametrize("protocol", LINES)
def test_unknown_keys_of_any_script_are_passed_over(protocol):
    requests, closing = said(protocol, LINES[protocol] % ',"ключ":"日本語 🎲"'.encode())
    assert requests
    assert not closing


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("protocol", LINES)
def test_a_line_that_is_not_utf_8_is_treated_as_one_that_is_no_json(protocol, wrong):
    assert said(protocol, LINES[protocol] % wrong) == said(protocol, b"\xff\xfe") == said(protocol, b"hello")
    assert said(protocol, LINES[protocol] % wrong)[0] == []
