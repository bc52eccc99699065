"""What every conversation promises the shell that owns the socket, for every protocol there is."""

from typing import Any

import pytest

from ludoteca import games
from ludoteca.core import Conversation, Request
from ludoteca.core.requests import Reply
from ludoteca.wire.house import HouseConversation

LINES = {
    "house": b'{"type":"hello","name":"Anna"}\n{"type":"seek","game":"santorini"}\n{"type":"ping"}\n',
    "multisweeper": b"multisweeper client v1\nname Anna\nclick 1 1\n",
}
NONSENSE = (b"{}\n", b"[]\n", b"\n", b"\xff\xfe\n", b'{"type":1}\n', b"name\n", b"{" * 300 + b"\n")


def protocols() -> list[str]:
    return ["house", *(name for name in games.names() if games.load(name).wire is not None)]


def converse(protocol: str) -> Conversation:
    if protocol == "house":
        return HouseConversation(games.load)
    wire = games.load(protocol).protocol()
    conversation: Conversation = wire.converse(wire.settings())
    return conversation


def shape(requests: list[Request]) -> list[Any]:
    """Requests, with the bytes of replies that stand beside each other put together."""
    told: list[Any] = []
    for request in requests:
        if isinstance(request, Reply) and told and isinstance(told[-1], bytes):
            told[-1] += request.data
        else:
            told.append(request.data if isinstance(request, Reply) else request)
    return told


@pytest.mark.parametrize("protocol", protocols())
def test_a_new_conversation_is_open_and_greets_without_being_asked_again(protocol: str) -> None:
    conversation = converse(protocol)
    assert not conversation.closing
    conversation.greet(0.0)
    assert not conversation.closing
    assert conversation.alarm is None or conversation.alarm > 0.0


@pytest.mark.parametrize("protocol", protocols())
@pytest.mark.parametrize("size", [1, 2, 3, 7, 64])
def test_what_is_heard_does_not_depend_on_how_the_bytes_were_cut(protocol: str, size: int) -> None:
    data = LINES.get(protocol, b'{"type":"hello"}\n{"nonsense":1}\n') + b"".join(NONSENSE[:2])
    whole, cut = converse(protocol), converse(protocol)
    whole.greet(0.0)
    cut.greet(0.0)
    at_once = [request for line in data.splitlines(keepends=True) for request in whole.receive(line, 0.0)]
    in_pieces: list[Request] = []
    for start in range(0, len(data), size):
        in_pieces += cut.receive(data[start : start + size], 0.0)
    assert shape(in_pieces) == shape(at_once)
    assert cut.closing == whole.closing


@pytest.mark.parametrize("protocol", protocols())
@pytest.mark.parametrize("line", NONSENSE, ids=repr)
def test_nonsense_is_answered_or_ends_the_conversation_and_never_breaks_it(
    protocol: str, line: bytes
) -> None:
    conversation = converse(protocol)
    conversation.greet(0.0)
    for _ in range(20):
        if conversation.closing:
            break
        for request in conversation.receive(line, 0.0):
            assert not isinstance(request, Reply) or request.data


@pytest.mark.parametrize("protocol", protocols())
def test_an_alarm_that_goes_off_sets_the_next_one_later(protocol: str) -> None:
    conversation = converse(protocol)
    conversation.greet(0.0)
    for _ in range(50):
        alarm = conversation.alarm
        if alarm is None or conversation.closing:
            return
        conversation.tick(alarm)
        assert conversation.closing or conversation.alarm is None or conversation.alarm > alarm
