"""What nodes say that they have stored, and those who follow keep until it is its turn."""

import asyncio

import pytest

from ludoteca.server.cluster import aloud
from ludoteca.server.cluster.aloud import Ahead
from ludoteca.server.cluster.stream import Message, Read


def said(end: int, *pages: bytes) -> bytes:
    return aloud.aloud([Message("house.t.a", page, 0) for page in pages], end)


def read(number: int, page: bytes) -> Read:
    return Read(number, "house.t.a", page)


def test_what_was_said_comes_in_the_order_of_the_stream_and_once() -> None:
    ahead = Ahead()
    ahead.hear(said(7, b"six", b"seven"))
    assert ahead.take(3) == [], "what comes between is not known"
    assert ahead, "something is missing"
    ahead.hear(said(5, b"four", b"five"))
    ahead.hear(said(5, b"four", b"five"))
    assert ahead.take(3) == [read(4, b"four"), read(5, b"five"), read(6, b"six"), read(7, b"seven")]
    assert not ahead
    ahead.hear(said(7, b"six", b"seven"))
    assert ahead.take(7) == []
    assert not ahead, "what is known is forgotten"


def test_of_what_is_known_in_part_the_rest_is_read() -> None:
    ahead = Ahead()
    ahead.hear(said(5, b"four", b"five"))
    assert ahead.take(4) == []
    assert not ahead


def test_no_more_is_kept_than_may_be_and_what_is_too_large_is_not_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert said(1, bytes(aloud.ALOUD_BYTES_MAX + 1)) == b""
    monkeypatch.setattr(aloud, "AHEAD_BYTES_MAX", 10)
    ahead = Ahead()
    for number in (2, 3, 4):
        ahead.hear(said(number, bytes(6)))
    assert ahead.take(1) == [read(2, bytes(6)), read(3, bytes(6))]
    ahead.hear(said(4, bytes(6)))
    assert ahead.take(3) == [read(4, bytes(6))], "there is room again"


async def test_whoever_waits_goes_on_when_more_was_said_or_nobody_says_anything() -> None:
    ahead = Ahead()
    assert not await ahead.more(0)
    assert not await ahead.more(0.001)
    asyncio.get_running_loop().call_soon(ahead.hear, said(4, b"four"))
    assert await ahead.more(60)
    assert not await ahead.more(0), "that was it"
