"""Streams that were damaged, cut, doubled and made up: each is read or refused, soon, and that is all."""

import random
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludoteca.games.renaissance.wire import Settings, java
from ludoteca.games.renaissance.wire.java.table import TABLE
from ludoteca.wire.java import HEADER, Proxy, Reader, Unreadable, Writer
from ludoteca.wire.tongue import Garbled

TYPES = TABLE.types
COINS = TYPES.Resource["COINS"]
# What is damaged: what an original sends, and what it never does.
SOUND = [
    TYPES.LoginMessage("anna"),
    TYPES.UseProductionParameters([COINS] * 3, {}, [0, 2], [1], [COINS], {COINS: 1}, "anna", {COINS: 2}),
    TYPES.ResourcesManageReply({COINS: 1}, {0: [], 1: [COINS], 2: [COINS, COINS]}),
    TYPES.DevCardGrid([["D001", None], []]),
    Proxy(("a.Face",), [1, 2.5, True, 2**40]),
]
# Bytes that mean something somewhere.
TELLING = [*range(0x70, 0x80), 0, 1, 2, 3, 0x12, 0xFF, 0x7E]


def stream() -> bytes:
    writer = Writer(TABLE)
    return b"".join(writer.message(each) for each in SOUND)


def damaged(dice: random.Random) -> bytes:
    data = bytearray(stream())
    for _ in range(dice.randint(1, 6)):
        at = dice.randrange(len(data))
        match dice.randrange(5):
            case 0:
                data[at] = dice.choice(TELLING)
            case 1:
                data[at] ^= 1 << dice.randrange(8)
            case 2:
                del data[at : at + dice.randint(1, 40)]
            case 3:
                data[at:at] = data[at : at + dice.randint(1, 200)]
            case _:
                data[at:at] = bytes(dice.choices(TELLING, k=dice.randint(1, 30)))
        data = data or bytearray(b"p")
    return bytes(data)


def drain(reader: Reader, data: bytes) -> list[Any]:
    found, at = [], 0
    while at < len(data):
        at = reader.feed(data, at)
        if not at:
            break
        found.append(reader.item)
    return found


@pytest.mark.parametrize("seed", range(4))
def test_a_damaged_stream_is_read_or_refused_and_bounds_hold(seed: int) -> None:
    dice = random.Random(seed)
    refused = 0
    for _ in range(250):
        data = HEADER + damaged(dice)
        reader = Reader(TABLE)
        started = time.process_time()
        try:
            drain(reader, data)
        except Unreadable:
            refused += 1
        assert time.process_time() - started < 2
        assert len(reader._buffer) <= 4096
        assert len(reader._kept) <= 4096
    assert refused > 150


@pytest.mark.parametrize("seed", range(2))
def test_a_damaged_stream_means_the_same_however_it_is_cut(seed: int) -> None:
    dice = random.Random(seed)
    for _ in range(60):
        data = HEADER + damaged(dice)
        whole = list(java.Original(Settings()).tongue.read(data))
        pieces, at = java.Original(Settings()).tongue, 0
        heard: list[Any] = []
        while at < len(data):
            size = dice.choice((1, 1, 2, 7, 100))
            # As the shell does it: cut first, then read.
            end = pieces.cut(data[at : at + size], 0)
            heard += pieces.read(data[at : at + (end or size)])
            at += end or size
        assert _without_tail(heard) == _without_tail(whole)


def _without_tail(heard: list[Any]) -> list[Any]:
    """Up to what ends the conversation: nobody listens after that."""
    for place, message in enumerate(heard):
        if isinstance(message, Garbled) and message.last:
            return heard[: place + 1]
    return heard


@settings(deadline=None)
@given(st.binary(max_size=200))
def test_whatever_comes_is_read_or_refused(data: bytes) -> None:
    conversation = java.Original(Settings())
    conversation.greet(0.0)
    conversation.receive(HEADER + data, 0.0)
