"""Requests over HTTP at a gate, while halls come and go."""

import asyncio
from typing import Any

import pytest

from ludoteca.core import Refused
from ludoteca.server.cluster import inquiries
from ludoteca.server.cluster.inquiries import Inquiries
from ludoteca.server.cluster.words import Answer, Ask


class Asker:
    """The requests of a gate, and what the halls have been asked."""

    def __init__(self) -> None:
        self.said: list[Ask] = []
        self.inquiries = Inquiries(self.said.append, "one moment")

    def ask(self, *, reads: bool = True) -> "asyncio.Task[bytes]":
        return asyncio.create_task(self.inquiries.ask("1.2.3.4", b"GET /", reads=reads))

    async def asked(self) -> list[int]:
        """The numbers under which halls have been asked since."""
        for _ in range(10):
            await asyncio.sleep(0)
        numbers = [one.number for one in self.said]
        self.said.clear()
        return numbers

    def answer(self, number: int, *parts: bytes) -> None:
        for place, part in enumerate(parts, 1):
            self.inquiries.hear(Answer(number, part, more=place < len(parts)))


async def refused(task: "asyncio.Task[Any]") -> tuple[str, str]:
    with pytest.raises(Refused) as refusal:
        await task
    return refusal.value.reason, refusal.value.code


async def test_an_answer_is_put_together_from_its_parts() -> None:
    gate = Asker()
    gate.inquiries.resume()
    task = gate.ask()
    assert await gate.asked() == [1]
    gate.answer(1, b"HTTP", b"/1.1")
    assert await task == b"HTTP/1.1"
    gate.answer(1, b"late")
    assert not gate.inquiries._open


async def test_whoever_asks_while_there_is_no_hall_waits_for_one() -> None:
    gate = Asker()
    tasks = [gate.ask(), gate.ask(reads=False)]
    assert await gate.asked() == []
    gate.inquiries.resume()
    assert await gate.asked() == [1, 2]
    gate.answer(1, b"one")
    gate.answer(2, b"two")
    assert await asyncio.gather(*tasks) == [b"one", b"two"]


async def test_a_request_that_only_reads_is_asked_again_of_the_next_hall_and_others_are_not() -> None:
    gate = Asker()
    gate.inquiries.resume()
    reads, writes = gate.ask(), gate.ask(reads=False)
    assert await gate.asked() == [1, 2]
    gate.inquiries.lose()
    assert await refused(writes) == ("one moment", "trouble"), "the lost one may have done it"
    assert await gate.asked() == []
    gate.inquiries.resume()
    assert await gate.asked() == [3]
    gate.answer(1, b"of the lost one")
    gate.answer(3, b"here")
    assert await reads == b"here"


async def test_a_hall_that_is_silent_may_still_answer_what_it_has_been_asked() -> None:
    gate = Asker()
    gate.inquiries.resume()
    before = gate.ask()
    assert await gate.asked() == [1]
    gate.inquiries.hold()
    meanwhile = gate.ask()
    assert await gate.asked() == []
    gate.answer(1, b"after all")
    assert await before == b"after all"
    gate.inquiries.resume()
    assert await gate.asked() == [2]
    gate.answer(2, b"too")
    assert await meanwhile == b"too"


async def test_nobody_waits_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inquiries, "HELD_S", 0.01)
    monkeypatch.setattr(inquiries, "ANSWER_S", 0.05)
    gate = Asker()
    assert await refused(gate.ask()) == ("one moment", "trouble")
    gate.inquiries.resume()
    assert await refused(gate.ask()) == ("the hall does not answer", "busy")
    assert not gate.inquiries._open


async def test_a_gate_that_closes_waits_for_answers_and_asks_nothing_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(inquiries, "LAST_S", 0.05)
    gate = Asker()
    held = gate.ask()
    await gate.asked()
    gate.inquiries.resume()
    assert await gate.asked() == [1]
    never, unheard = gate.ask(), gate.ask(reads=False)
    assert await gate.asked() == [2, 3]
    closing = asyncio.create_task(gate.inquiries.close("closing"))
    await asyncio.sleep(0)
    late = gate.ask()
    gate.answer(1, b"in time")
    assert await held == b"in time"
    assert await refused(late) == ("closing", "trouble")
    await closing
    assert await refused(never) == ("closing", "trouble")
    assert (await refused(unheard))[1] == "trouble"
    assert await gate.asked() == []


async def test_a_gate_that_closes_without_a_hall_holds_nobody() -> None:
    gate = Asker()
    held = gate.ask()
    await gate.asked()
    await gate.inquiries.close("closing")
    assert await refused(held) == ("closing", "trouble")
