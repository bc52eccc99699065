"""Frames of WebSocket: read whole, cut, fragmented, packed and broken; written; compared with RFC 6455."""

import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sockets import closing, frame, masked

from ludoteca.wire import frames
from ludoteca.wire.frames import BINARY, CLOSE, CONTINUATION, PING, PONG, TEXT, Broken, Frames

FRAGMENT = (CONTINUATION, b"")


def packed(payload: bytes, level: int = 9, bits: int = 15) -> bytes:
    """As a browser packs a message."""
    pack = zlib.compressobj(level, wbits=-bits)
    return (pack.compress(payload) + pack.flush(zlib.Z_SYNC_FLUSH)).removesuffix(b"\0\0\xff\xff")


def all_of(reader: Frames, *pieces: bytes) -> list[tuple[int, bytes]]:
    """What is in these bytes, which come one after the other."""
    found = []
    for piece in pieces:
        reader.feed(piece)
        while (one := reader.take()) is not None:
            found.append(one)
    return found


def code_of(data: bytes, bytes_max: int = 1000, *, may_pack: bool = False) -> int:
    """The reason for which these bytes end a connection; 0 for none."""
    try:
        all_of(Frames(bytes_max, may_pack=may_pack), data)
    except Broken as error:
        return error.code
    return 0


# Whole messages.


def test_the_examples_of_the_standard_are_read_and_written() -> None:
    """RFC 6455, 5.7."""
    hello = b"\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58"
    assert all_of(Frames(1000), hello) == [(TEXT, b"Hello")]
    assert frames.text(b"Hello") == b"\x81\x05Hello"
    assert frames.control(PONG, b"Hello") == b"\x8a\x05Hello"
    assert frames.frame(0x82, b"x" * 256)[:4] == b"\x82\x7e\x01\x00"
    assert frames.frame(0x82, b"x" * 65536)[:10] == b"\x82\x7f\0\0\0\0\0\x01\0\0"


@given(st.binary(max_size=300), st.binary(min_size=4, max_size=4))
def test_a_mask_is_taken_off_as_the_standard_says(payload: bytes, mask: bytes) -> None:
    assert frames.unmasked(payload, mask) == masked(payload, mask)


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 65535, 65536, 65537])
def test_messages_of_every_length_arrive(size: int) -> None:
    payload = bytes(number % 251 for number in range(size))
    assert all_of(Frames(1 << 20), frame(payload, 0x82)) == [(BINARY, payload)]
    # What we write is what a reader makes the same of, mask apart.
    written = frames.frame(0x82, payload)
    assert written == frame(payload, 0x82, mask=None)


def test_a_length_may_be_written_wider_than_needed() -> None:
    assert all_of(Frames(1000), frame(b"a", wide=2), frame(b"b", wide=8)) == [(TEXT, b"a"), (TEXT, b"b")]


@given(st.data())
def test_however_the_bytes_are_cut_the_messages_are_the_same(data: st.DataObject) -> None:
    texts = data.draw(st.lists(st.text(max_size=200), min_size=1, max_size=5))
    sent = b"".join(frame(text.encode()) + frame(b"?", 0x89) for text in texts)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(sent)), max_size=8)))
    pieces = [sent[start:end] for start, end in zip([0, *cuts], [*cuts, len(sent)], strict=True)]
    heard = all_of(Frames(1000), *pieces)
    assert heard == [one for text in texts for one in ((TEXT, text.encode()), (PING, b"?"))]


def test_nothing_is_left_when_all_is_taken() -> None:
    reader = Frames(1000)
    reader.feed(frame(b"one") + frame(b"two")[:-1])
    assert reader.take() == (TEXT, b"one")
    assert reader.waiting == len(frame(b"two")) - 1
    assert reader.take() is None
    reader.feed(frame(b"two")[-1:])
    assert reader.take() == (TEXT, b"two")
    assert reader.waiting == 0
    assert reader.take() is None


# Fragments.


def test_fragments_are_one_message() -> None:
    sent = frame(b"Ludo", 0x01), frame(b"", 0x00), frame(b"teca", 0x80), frame(b"!")
    assert all_of(Frames(1000), *sent) == [FRAGMENT, FRAGMENT, (TEXT, b"Ludoteca"), (TEXT, b"!")]


def test_control_frames_come_between_fragments_and_are_heard_at_once() -> None:
    sent = frame(b"Lu", 0x01), frame(b"?", 0x89), frame(b"", 0x8A), frame(b"do", 0x80), closing(1000)
    kinds = [kind for kind, _ in all_of(Frames(1000), *sent)]
    assert kinds == [CONTINUATION, PING, PONG, TEXT, CLOSE]


def test_a_character_may_be_cut_by_a_fragment() -> None:
    sun = "☀".encode()
    sent = frame(sun[:1], 0x01), frame(sun[1:2], 0x00), frame(sun[2:], 0x80)
    assert all_of(Frames(1000), *sent)[-1] == (TEXT, sun)


@pytest.mark.parametrize(
    "sent",
    [
        frame(b"x", 0x80),
        frame(b"x", 0x00),
        frame(b"x", 0x01) + frame(b"y", 0x81),
        frame(b"x", 0x01) + frame(b"y", 0x02),
        frame(b"x", 0x01) + frame(b"y", 0x80) + frame(b"z", 0x80),
    ],
    ids=["the end of none", "the middle of none", "a whole one within", "another within", "one end too many"],
)
def test_fragments_out_of_order_are_refused(sent: bytes) -> None:
    assert code_of(sent) == frames.PROTOCOL_ERROR


# What is wrong in a head.


@pytest.mark.parametrize("kind", [3, 4, 5, 6, 7, 11, 12, 13, 14, 15])
@pytest.mark.parametrize("flag", [0x80, 0x00])
def test_unknown_kinds_are_refused(kind: int, flag: int) -> None:
    assert code_of(frame(b"", flag | kind)) == frames.PROTOCOL_ERROR


@pytest.mark.parametrize("bits", [0x40, 0x20, 0x10, 0x70, 0x60])
@pytest.mark.parametrize("kind", [0x81, 0x82, 0x01, 0x89, 0x88])
def test_bits_of_extensions_that_nobody_agreed_on_are_refused(bits: int, kind: int) -> None:
    assert code_of(frame(b"", bits | kind)) == frames.PROTOCOL_ERROR
    # With packing, one bit means something, and only where a message begins.
    is_packing = bits == 0x40 and kind in (0x81, 0x82, 0x01)
    assert (code_of(frame(b"", bits | kind), may_pack=True) == 0) is is_packing


def test_packing_is_said_at_the_beginning_of_a_message_only() -> None:
    sent = frame(b"", 0x41) + frame(b"", 0xC0)
    assert code_of(sent, may_pack=True) == frames.PROTOCOL_ERROR


@pytest.mark.parametrize("first", [0x81, 0x82, 0x01, 0x88, 0x89, 0x8A])
def test_frames_without_a_mask_are_refused(first: int) -> None:
    assert code_of(frame(b"", first, mask=None)) == frames.PROTOCOL_ERROR


@pytest.mark.parametrize("kind", [0x8, 0x9, 0xA])
def test_control_frames_are_short_and_whole(kind: int) -> None:
    assert code_of(frame(b"x" * 125, 0x80 | kind)) == 0
    assert code_of(frame(b"x" * 126, 0x80 | kind)) == frames.PROTOCOL_ERROR
    assert code_of(frame(b"x", kind)) == frames.PROTOCOL_ERROR


def test_a_wrong_head_is_refused_before_the_rest_has_come() -> None:
    long = frame(b"x" * 2000)
    for size in (4, 8, 9, 1000):
        assert code_of(long[:size]) == frames.TOO_BIG
    assert code_of(bytes((0x83, 0xFF)) + b"\0" * 8) == frames.PROTOCOL_ERROR


# How long a message may be.


def test_a_message_may_have_the_limit_and_no_byte_more() -> None:
    assert code_of(frame(b"x" * 1000)) == 0
    assert code_of(frame(b"x" * 1001)) == frames.TOO_BIG


@pytest.mark.parametrize("size", [1 << 31, (1 << 63) - 1, 1 << 63, (1 << 64) - 1])
def test_nobody_waits_for_a_message_of_absurd_length(size: int) -> None:
    assert code_of(bytes((0x82, 0xFF)) + size.to_bytes(8, "big")) == frames.TOO_BIG


def test_fragments_together_may_not_be_longer_either() -> None:
    half = frame(b"x" * 500, 0x01) + frame(b"x" * 500, 0x00)
    assert code_of(half + frame(b"", 0x80)) == 0
    assert code_of(half + frame(b"x", 0x80)) == frames.TOO_BIG
    assert code_of(half + frame(b"x", 0x00)) == frames.TOO_BIG


# Text.


@pytest.mark.parametrize(
    "payload",
    [b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc0\xaf", "☀".encode()[:2], b"ok \x80"],
)
def test_a_text_is_utf_8(payload: bytes) -> None:
    assert code_of(frame(payload)) == frames.NOT_TEXT
    assert code_of(frame(payload[:1], 0x01) + frame(payload[1:], 0x80)) == frames.NOT_TEXT
    assert code_of(frame(packed(payload), 0xC1), may_pack=True) == frames.NOT_TEXT
    assert code_of(frame(payload, 0x82)) == 0


# Packed messages.


@given(st.binary(max_size=900), st.integers(1, 9), st.sampled_from([9, 12, 15]))
def test_what_was_packed_is_unpacked(payload: bytes, level: int, bits: int) -> None:
    reader = Frames(1000, may_pack=True)
    assert all_of(reader, frame(packed(payload, level, bits), 0xC2)) == [(BINARY, payload)]


def test_a_packed_message_may_come_in_fragments_and_between_plain_ones() -> None:
    data = packed(b"Ludoteca" * 50)
    sent = frame(b"a"), frame(data[:5], 0x41), frame(b"", 0x89), frame(data[5:], 0x80), frame(b"b")
    heard = all_of(Frames(1000, may_pack=True), *sent)
    assert heard == [(TEXT, b"a"), FRAGMENT, (PING, b""), (TEXT, b"Ludoteca" * 50), (TEXT, b"b")]


def test_a_bomb_is_put_out_before_it_goes_off() -> None:
    bomb = packed(b"\0" * (64 << 20))
    assert len(bomb) < 1 << 16, "64 MiB in one message"
    assert code_of(frame(bomb, 0xC2), 65536, may_pack=True) == frames.TOO_BIG
    with pytest.raises(Broken):
        frames.unpacked(packed(b"\0" * 1001), 1000)
    assert frames.unpacked(packed(b"\0" * 1000), 1000) == b"\0" * 1000


@pytest.mark.parametrize("payload", [b"\xff\xff\xff", b"\x07", b"garbage that was never packed"])
def test_a_packed_message_that_is_none_is_refused(payload: bytes) -> None:
    assert code_of(frame(payload, 0xC1), may_pack=True) == frames.PROTOCOL_ERROR


def test_what_comes_after_the_end_of_the_packing_is_no_message() -> None:
    """A stream may say that it ends: what stands behind that is nothing we would read."""
    pack = zlib.compressobj(wbits=-15)
    ended = pack.compress(b"a") + pack.flush()
    assert frames.unpacked(ended + b"\0" * 500, 1000) == b"a"


# What we write.


def test_long_texts_are_packed_where_that_saves_something() -> None:
    text = b'{"type":"click","cell":[3,4]}' * 100
    written = frames.text(text, pack_from=1024)
    assert written[0] == 0xC1
    assert len(written) < len(text) / 5
    assert frames.unpacked(written[4:] if written[1] == 126 else written[2:], len(text)) == text
    assert frames.text(text)[0] == 0x81
    assert frames.text(text, pack_from=len(text) + 1)[0] == 0x81
    # 126 bytes in which nothing repeats become no shorter.
    assert frames.text(bytes(range(126)), pack_from=1)[0] == 0x81


def test_what_several_are_told_is_packed_once() -> None:
    frames._packed.cache_clear()
    for _ in range(4):
        frames.text(bytes(b"the same board for all" * 100), pack_from=1024)
    assert frames._packed.cache_info()[:2] == (3, 1)


def test_lines_are_frames_of_their_own_whether_one_or_many_and_without_their_ends() -> None:
    assert frames.lines(b"one\n") == frames.text(b"one")
    assert frames.lines(b"one\ntwo\n") == frames.text(b"one") + frames.text(b"two")
    assert frames.lines(b"one\ntwo") == frames.text(b"one") + frames.text(b"two")
    long = b"x" * 2000
    assert frames.lines(long + b"\none\n", 1024) == frames.text(long, 1024) + frames.text(b"one")


@given(st.text(max_size=2000))
def test_what_we_write_a_reader_reads(text: str) -> None:
    reader = Frames(100_000, may_pack=True)
    written = frames.text(text.encode(), pack_from=200)
    size = {126: 2, 127: 8}.get(written[1], 0)
    as_client = frame(written[2 + size :], written[0])
    assert all_of(reader, as_client) == [(TEXT, text.encode())]


# Ends.


@pytest.mark.parametrize(
    "code", [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1014, 3000, 3999, 4999]
)
def test_an_end_is_answered_with_its_own_code(code: int) -> None:
    ((kind, payload),) = all_of(Frames(1000), closing(code, "☀ reason".encode()))
    assert (kind, frames.answer(payload)) == (CLOSE, code)
    assert frames.close(code) == b"\x88\x02" + code.to_bytes(2, "big")


def test_an_end_without_a_reason_is_answered_without_one() -> None:
    assert frames.answer(b"") == 0
    assert frames.close(0) == b"\x88\x00"


@pytest.mark.parametrize("code", [0, 1, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65535])
def test_an_end_for_a_reason_that_nobody_may_give_is_a_mistake(code: int) -> None:
    with pytest.raises(Broken) as caught:
        frames.answer(code.to_bytes(2, "big"))
    assert caught.value.code == frames.PROTOCOL_ERROR


def test_half_a_reason_is_a_mistake_and_one_that_is_no_text_too() -> None:
    for payload, code in ((b"\x03", frames.PROTOCOL_ERROR), (b"\x03\xe8\xff", frames.NOT_TEXT)):
        with pytest.raises(Broken) as caught:
            frames.answer(payload)
        assert caught.value.code == code


# Noise.


@given(st.binary(max_size=200), st.booleans())
def test_noise_is_a_message_or_a_mistake_and_nothing_else(noise: bytes, may_pack: bool) -> None:
    code = code_of(noise, 100, may_pack=may_pack)
    assert code in (0, frames.PROTOCOL_ERROR, frames.NOT_TEXT, frames.TOO_BIG)
