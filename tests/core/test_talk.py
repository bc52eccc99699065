"""What every conversation promises the shell that owns the socket, for every protocol there is."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludoteca import games
from ludoteca.core import Conversation, Refused, Request
from ludoteca.core.notices import Gone
from ludoteca.core.requests import Reply
from ludoteca.core.talk import Caller
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


def in_java() -> list[str]:
    return [name for name in games.names() if (wire := games.load(name).wire) and wire.java]


def converse_in_java(name: str) -> Conversation:
    wire = games.load(name).protocol()
    assert wire.java is not None
    conversation: Conversation = wire.java(wire.settings())
    return conversation


def heard(conversation: Conversation, pieces: list[bytes]) -> list[Request]:
    conversation.greet(0.0)
    return [request for piece in pieces for request in conversation.receive(piece, 0.0)]


# What people type, what programs send, and neither.
pieces = st.lists(
    st.one_of(
        st.binary(max_size=40),
        st.sampled_from([*NONSENSE, *LINES.values(), b'{"type":"hello"', b"\xac\xed\0\5", b"\xac\xed\0\5sr"]),
    ),
    max_size=6,
)


@pytest.mark.parametrize("protocol", protocols())
@settings(max_examples=40)
@given(said=pieces)
def test_whatever_is_said_is_heard_or_answered_and_nothing_after_the_end(
    protocol: str, said: list[bytes]
) -> None:
    conversation = converse(protocol)
    for request in heard(conversation, said):
        assert not isinstance(request, Reply) or request.data
    if conversation.closing:
        assert conversation.receive(LINES.get(protocol, b"{}\n"), 0.0) == []


@pytest.mark.parametrize("name", in_java())
@settings(max_examples=40)
@given(said=pieces)
def test_the_same_holds_for_who_speaks_in_java(name: str, said: list[bytes]) -> None:
    conversation = converse_in_java(name)
    heard(conversation, said)
    if conversation.closing:
        assert conversation.receive(b"\xac\xed\0\5", 0.0) == []


@pytest.mark.parametrize("protocol", protocols())
def test_who_has_not_even_said_hello_can_be_told_that_the_house_closes(protocol: str) -> None:
    conversation = converse(protocol)
    conversation.greet(0.0)
    told = conversation.send(Gone("the house closes"), 0.0)
    assert isinstance(told, bytes)
    assert told == b"" or told.endswith(b"\n")


@pytest.mark.parametrize("protocol", protocols())
def test_two_conversations_share_nothing(protocol: str) -> None:
    data = LINES.get(protocol, b'{"type":"hello"}\n')
    alone, disturbed, loud = converse(protocol), converse(protocol), converse(protocol)
    expected = shape(heard(alone, [data[:5], data[5:]]))
    disturbed.greet(0.0)
    heard(loud, [b"{" * 50])
    found = disturbed.receive(data[:5], 0.0)
    loud.receive(b"\n" + data, 0.0)
    found += disturbed.receive(data[5:], 0.0)
    assert shape(found) == expected


# The other side.


def callers() -> list[str]:
    return [name for name in protocols() if name != "house"]


@pytest.mark.parametrize("name", callers())
def test_a_caller_shows_nothing_before_it_has_heard_anything(name: str) -> None:
    caller: Caller = games.load_client(name)("Anna")
    caller.open(0.0)
    assert (caller.over, caller.sentence, caller.answers) == (False, "", ())
    assert (caller.players, caller.mover, caller.view) == ((), None, None)
    with pytest.raises(Refused) as refused:
        caller.answer("anything")
    assert refused.value.code == "turn"


@pytest.mark.parametrize("name", callers())
@settings(max_examples=40)
@given(said=pieces)
def test_a_caller_survives_any_server_and_is_over_when_that_hangs_up(name: str, said: list[bytes]) -> None:
    caller: Caller = games.load_client(name)("Anna")
    caller.open(0.0)
    for piece in said:
        caller.receive(piece, 0.0)
    caller.close()
    assert caller.over
    assert (caller.sentence, caller.answers) == ("", ())
    news = list(caller.news)
    caller.close()
    assert caller.news == news, "told once"
