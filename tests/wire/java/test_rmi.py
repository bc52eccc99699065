"""The wire protocol of Java's remote calls: cut anywhere, and by those who make it up."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludoteca.wire.java import HEADER, Table, Unreadable, Writer, rmi

TABLE = Table(rows=rmi.ROWS)
METHOD = 0x0C4845ADED119608
METHODS = {METHOD: 1, 0x835EC3840BD82E19: 0}
TARGET = rmi.identity(2**61 + 5)
HERE = rmi.Reference("127.0.0.1", 1099, TARGET)


def argument(value: object) -> bytes:
    return Writer(TABLE, annotated=True).message(value)


TALK = (
    rmi.HELLO
    + rmi.introduction("client.example")
    + rmi.call(TARGET, METHOD, argument("ciao"))
    + b"\x54"
    + bytes(14)
    + b"\x52"
    + rmi.call(TARGET, METHOD, argument(rmi.stub(TABLE, "x.Client", HERE)))
    + rmi.call(TARGET, 0x835EC3840BD82E19, b"")
)


def heard(pieces: list[bytes]) -> list[rmi.Said]:
    callers = rmi.Callers(TABLE, METHODS)
    return [said for piece in pieces for said in callers.feed(piece)]


def names(said: list[rmi.Said]) -> list[str]:
    return [type(each).__name__ for each in said]


def test_a_caller_greets_calls_acknowledges_and_probes() -> None:
    said = heard([TALK])
    assert names(said) == ["Greeted", "Call", "Probed", "Call", "Call"]
    first, second, third = (each for each in said if isinstance(each, rmi.Call))
    assert first == rmi.Call(TARGET, rmi.METHOD, METHOD, ["ciao"], argument("ciao"))
    assert rmi.reference_of(TABLE, second.arguments[0]) == HERE
    assert third == rmi.Call(TARGET, rmi.METHOD, 0x835EC3840BD82E19, [], b"")


@given(st.lists(st.integers(0, len(TALK)), max_size=8))
def test_however_it_is_cut_the_same_is_heard(places: list[int]) -> None:
    cuts = sorted({0, *places, len(TALK)})
    said = heard([TALK[start:end] for start, end in pairwise(cuts)])
    assert names(said) == ["Greeted", "Call", "Probed", "Call", "Call"]
    assert [each.raw for each in said if isinstance(each, rmi.Call)] == [
        each.raw for each in heard([TALK]) if isinstance(each, rmi.Call)
    ]


def test_byte_by_byte_too() -> None:
    assert len(heard([TALK[at : at + 1] for at in range(len(TALK))])) == 5


@given(st.integers(0, len(TALK) - 1), st.binary(max_size=12), st.integers(0, 12))
def test_whatever_is_made_up_is_heard_or_refused(place: int, data: bytes, skipped: int) -> None:
    made_up = TALK[:place] + data + TALK[place + skipped :]
    try:
        said = heard([made_up])
        for each in said:
            if isinstance(each, rmi.Call):
                rmi.reference_of(TABLE, each.arguments[0] if each.arguments else None)
    except Unreadable:
        pass


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\0",
        b"\0\x0aUnicastRef",
        b"\0\x0bUnicastRef2\0\0\0\0\0\0",
        b"\0\x0aUnicastRef\xff\xff",
        b"\0\x0aUnicastRef\0\4host\0\0\4\1" + bytes(22),
    ],
)
def test_a_stub_of_another_kind_is_refused(data: bytes) -> None:
    stub = rmi.stub(TABLE, "x.Client", HERE)
    stub.handler.extra = [data]
    with pytest.raises(Unreadable):
        rmi.reference_of(TABLE, stub)


@pytest.mark.parametrize("value", [None, "text", 7, [], {}, rmi.stub(TABLE, "x.Client", HERE).handler])
def test_what_is_no_stub_is_refused(value: object) -> None:
    with pytest.raises(Unreadable):
        rmi.reference_of(TABLE, value)


def test_the_answer_to_our_greeting_may_come_in_pieces_and_has_a_bound() -> None:
    welcome = rmi.welcome("192.0.2.7", 40_000)
    assert [rmi.welcomed(welcome[:end]) for end in range(1, len(welcome))] == [0] * (len(welcome) - 1)
    assert rmi.welcomed(welcome + b"more") == len(welcome)
    with pytest.raises(Unreadable):
        rmi.welcomed(b"\x4f")
    with pytest.raises(Unreadable):
        rmi.welcomed(b"\x4e\xff\xff")


def test_a_call_is_done_only_when_it_returned_as_it_should() -> None:
    done = rmi.returned(TABLE)
    assert len(done) == rmi.VOID_BYTES
    assert rmi.is_done(done)
    assert not rmi.is_done(done.replace(b"\x77\x0f\x01", b"\x77\x0f\x02"))
    assert not rmi.is_done(b"\x51" + HEADER)
