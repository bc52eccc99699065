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


# Byte by byte.


def test_what_is_said_is_what_javas_specification_says() -> None:
    assert rmi.HELLO == b"JRMI\0\2\x4b"
    assert rmi.welcome("10.0.0.7", 40_000) == b"\x4e\0\x0810.0.0.7\0\0\x9c\x40"
    assert rmi.introduction("10.0.0.7") == b"\0\x0810.0.0.7\0\0\0\0"
    assert rmi.PROBE_ANSWER == b"\x53"
    assert rmi.identity(5) == bytes(7) + b"\5" + bytes(14)
    assert rmi.returned(TABLE) == b"\x51" + HEADER + b"w\x0f\1" + bytes(14)
    assert rmi.returned(TABLE, "ciao", None) == rmi.returned(TABLE) + b"t\0\4ciaop"
    head = TARGET + b"\xff" * 4 + METHOD.to_bytes(8, "big")
    assert rmi.call(TARGET, METHOD, b"p") == b"\x50" + HEADER + b"w\x22" + head + b"p"


def test_the_objects_that_every_registry_has_are_known_by_their_numbers() -> None:
    assert rmi.identity(0) == rmi.REGISTRY
    assert rmi.identity(2) == rmi.LEASES
    assert (rmi.LOOKUP[0], rmi.DIRTY[0], rmi.CLEAN[0], rmi.METHOD) == (2, 1, 0, -1)
    assert (rmi.LOOKUP[1], rmi.DIRTY[1], rmi.CLEAN[1]) == (
        0x44154DC9D4E63BDF,
        0xF6B6898D8BF28643,
        0xF6B6898D8BF28643,
    )


def begun() -> rmi.Callers:
    callers = rmi.Callers(TABLE, METHODS)
    callers.feed(rmi.HELLO + rmi.introduction("client.example"))
    return callers


def registry_call(operation: tuple[int, int], *arguments: object) -> bytes:
    writer = Writer(TABLE, annotated=True)
    head = rmi.REGISTRY + operation[0].to_bytes(4, "big") + operation[1].to_bytes(8, "big")
    return b"\x50" + HEADER + Writer.block(head) + b"".join(map(writer.message, arguments))


@pytest.mark.parametrize(
    ("operation", "arguments"),
    [(rmi.LOOKUP, ["hall"]), (rmi.DIRTY, [None, "b", "c"]), (rmi.CLEAN, [None, "b", "c", "d"])],
    ids=["lookup", "dirty", "clean"],
)
def test_a_registry_is_asked_with_so_many_arguments_and_no_fewer(
    operation: tuple[int, int], arguments: list[object]
) -> None:
    data = registry_call(operation, *arguments)
    callers = begun()
    said = [callers.feed(data[at : at + 1]) for at in range(len(data))]
    assert [each for each in said[:-1] if each] == [], "complete with its last byte, not before"
    (call,) = said[-1]
    assert isinstance(call, rmi.Call)
    assert (call.target, call.operation, call.method) == (rmi.REGISTRY, *operation)
    assert call.arguments == arguments
    assert data.endswith(call.raw)
    # The next message begins right behind it.
    assert names(callers.feed(b"\x52")) == ["Probed"]


def test_a_method_without_arguments_is_complete_with_its_head() -> None:
    callers = begun()
    data = rmi.call(TARGET, 0x835EC3840BD82E19, b"")
    assert callers.feed(data[:-1]) == []
    assert names(callers.feed(data[-1:] + b"\x52")) == ["Call", "Probed"]


def test_a_method_with_the_highest_bit_goes_there_and_back() -> None:
    for method in (0, 1, 2**63 - 1, 2**63, 2**64 - 1):
        callers = rmi.Callers(TABLE, {method: 0})
        callers.feed(rmi.HELLO + rmi.introduction("x"))
        (call,) = callers.feed(rmi.call(TARGET, method, b""))
        assert isinstance(call, rmi.Call)
        assert call.method == method


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (rmi.call(TARGET, METHOD + 1, b""), "no method -1 0c4845aded119609"),
        (registry_call((3, rmi.LOOKUP[1])), "no method 3 44154dc9d4e63bdf"),
        (registry_call((2, 1)), "no method 2 0000000000000001"),
        (b"\x50" + HEADER + Writer.block(bytes(33)), "a call of nothing"),
        (b"\x50" + HEADER + Writer.block(bytes(35)), "a call of nothing"),
        (b"\x50" + HEADER + b"p", "a call of nothing"),
        (b"\x50\0\0\0\0", "no Java stream"),
        (b"\x51", "no message of remote calls begins with 0x51"),
        (b"\x00", "no message of remote calls begins with 0x00"),
    ],
)
def test_what_nobody_can_call_is_refused_in_words(data: bytes, why: str) -> None:
    with pytest.raises(Unreadable, match=why):
        begun().feed(data)


def test_an_acknowledgement_is_passed_over_whole() -> None:
    callers = begun()
    assert callers.feed(b"\x54" + bytes(13)) == []
    assert callers.feed(b"\x52") == [], "that was its last byte"
    assert names(callers.feed(b"\x52")) == ["Probed"]
    assert names(callers.feed(b"\x54" + bytes(14) + b"\x52\x52")) == ["Probed", "Probed"]


@pytest.mark.parametrize("wrong", [b"JRMJ", b"GET / HTTP/1.1", b"JRMI\0\1", b"JRMI\0\2\x4c", b"\xac\xed"])
def test_who_greets_otherwise_is_refused_with_the_first_wrong_byte(wrong: bytes) -> None:
    right = next(at for at, byte in enumerate(wrong) if wrong[at] != rmi.HELLO[at])
    callers = rmi.Callers(TABLE, METHODS)
    for at in range(right):
        assert callers.feed(wrong[at : at + 1]) == []
    with pytest.raises(Unreadable, match="no greeting"):
        callers.feed(wrong[right : right + 1])


@pytest.mark.parametrize(("size", "taken"), [(0, True), (255, True), (256, False), (65_535, False)])
def test_the_name_of_a_machine_has_255_bytes_at_most(size: int, taken: bool) -> None:
    callers = rmi.Callers(TABLE, METHODS)
    data = size.to_bytes(2, "big") + b"x" * size + bytes(4)
    welcome = b"\x4e" + data
    if taken:
        assert names(callers.feed(rmi.HELLO + data + b"\x52")) == ["Greeted", "Probed"]
        assert rmi.welcomed(welcome) == len(welcome)
        return
    with pytest.raises(Unreadable, match="a name that is too long"):
        callers.feed(rmi.HELLO + data)
    with pytest.raises(Unreadable, match="a name that is too long"):
        rmi.welcomed(welcome)


def test_who_hears_nothing_waits() -> None:
    assert rmi.welcomed(b"") == 0
    assert rmi.welcomed(b"\x4e\0") == 0


@given(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=40),
    st.integers(0, 65_535),
    st.integers(-(2**63), 2**63 - 1),
)
def test_a_stub_says_where_its_object_is(host: str, port: int, number: int) -> None:
    reference = rmi.Reference(host, port, rmi.identity(number))
    stub = rmi.stub(TABLE, "x.Client", reference)
    assert stub.interfaces == ("x.Client",)
    assert rmi.reference_of(TABLE, stub) == reference


def test_a_stub_of_a_kind_that_nobody_knows_is_named_as_far_as_it_is_short() -> None:
    stub = rmi.stub(TABLE, "x.Client", HERE)
    stub.handler.extra = [b"\0\x64" + b"k" * 100 + b"\0\0" + bytes(27)]
    with pytest.raises(Unreadable) as raised:
        rmi.reference_of(TABLE, stub)
    assert str(raised.value) == "a remote object of a kind that nobody knows: " + "k" * 40
    stub.handler.extra = [b"\0\x0aUnicastRef"]
    with pytest.raises(Unreadable, match="half a text"):
        rmi.reference_of(TABLE, stub)


def test_an_answer_is_an_answer_from_its_first_eight_bytes() -> None:
    done = rmi.returned(TABLE)
    assert rmi.is_done(done[:8])
    assert not rmi.is_done(done[:7])
    assert not rmi.is_done(b"")
    for at in range(8):
        assert not rmi.is_done(done[:at] + bytes([done[at] ^ 1]) + done[at + 1 :])
