"""A gate alone, with a hall that the test plays: who waits for what, and who is told."""

import asyncio
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from ludoteca.core import Notice
from ludoteca.core.notices import Entered, Happened, Seated, TableInfo, Trouble
from ludoteca.core.requests import Act, Enter, Open, Terms
from ludoteca.server.cluster import words
from ludoteca.server.cluster.line import Line, split
from ludoteca.server.cluster.lodge import AWAY, Lodge
from ludoteca.server.cluster.words import Come, Finish, Here, Join, Pause, Tell, Want
from ludoteca.server.settings import Settings


class Carried:
    """A courier that only keeps what it is given."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, bytes]] = []
        self.heard: dict[str, Callable[[bytes], None]] = {}

    async def hear(self, subject: str, call: Callable[[bytes], None], *, shared: bool = False) -> None:
        self.heard[subject] = call

    async def overhear(self, subject: str) -> None:
        del self.heard[subject]

    def send(self, subject: str, data: bytes) -> None:
        self.sent.append((subject, data))


class Client:
    """A session that writes down what becomes of it."""

    def __init__(self) -> None:
        self.told: list[Notice] = []
        self.is_paused = self.is_finished = False

    def tell(self, notices: list[Notice], now: float) -> None:
        self.told += notices

    def pause(self, paused: bool) -> None:
        self.is_paused = paused

    def is_behind(self) -> bool:
        return False

    def fail(self) -> None:
        raise AssertionError

    def finish(self) -> None:
        self.is_finished = True


class Hall:
    """The other end of the gate's line."""

    def __init__(self, courier: Carried, lodge: Lodge, epoch: int) -> None:
        self._courier, self._lodge = courier, lodge
        self.epoch = epoch
        self.line = Line("")
        self.back = ""

    def say_here(self, **more: Any) -> None:
        self._courier.heard["ludoteca-here.ludoteca"](
            words.encode(Here(self.epoch, f"hall.{self.epoch}", **more))
        )

    async def hear(self) -> list[Any]:
        """What the gate has said since."""
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        sent, self._courier.sent = self._courier.sent, []
        heard: list[Any] = []
        for subject, data in sent:
            if subject == f"hall.{self.epoch}":
                head, items = split(data)
                if head.number == 1:
                    self.line, self.back = Line(head.line), head.back
                heard += [words.decode_gate(item) for item in self.line.receive(head, items)]
        return heard

    def say(self, *said: Any, told: bool = True) -> None:
        """Say these; with `told`, that all which was heard has been carried out."""
        if told:
            self.line.told = self.line.heard
        self.line.send([words.encode(word) for word in said])
        for message in self.line.messages:
            self._courier.heard[self.back](message)
        self.line.messages.clear()


def tell(guest: int, *notices: Notice) -> Tell:
    return Tell(guest, tuple(msgspec.Raw(words.written(notice)) for notice in notices))


@pytest.fixture
async def gate() -> Any:
    courier = Carried()
    lodge = Lodge(Settings(), courier, "node.run")  # type: ignore[arg-type]
    await lodge.open()
    yield courier, lodge
    await lodge.close("over")


async def test_who_comes_before_there_is_a_hall_waits_for_it(gate: Any) -> None:
    courier, lodge = gate
    anna = Client()
    guest = lodge.arrive("house", anna, "1.2.3.4", lodge.role("house", "key"))
    assert anna.is_paused
    mark = lodge.round
    lodge.submit(guest, [Enter("Anna")], 0.0)
    hall = Hall(courier, lodge, 1)
    hall.say_here()
    first, came = await hall.hear()
    assert (first, came) == (Join(), Come(1, "house", "1.2.3.4", "house key"))
    hall.say()
    assert not anna.is_paused
    assert lodge.told < mark, "what was wanted has not been told yet"
    assert (await hall.hear())[0] == Want(1, (Enter("Anna"),))
    hall.say(tell(1, Entered("Anna")))
    assert (anna.told, guest.name) == ([Entered("Anna")], "Anna")
    assert lodge.told >= mark
    assert not lodge.trouble


async def test_trouble_of_one_hall_ends_with_the_next(gate: Any) -> None:
    courier, lodge = gate
    anna, first, second = Client(), Hall(courier, lodge, 1), Hall(courier, lodge, 2)
    first.say_here()
    await first.hear()
    first.say()
    lodge.arrive("house", anna, "")
    await first.hear()
    first.say(tell(1, Trouble("the disk is full")), Pause(1, paused=True))
    first.say_here(trouble="the disk is full")
    assert (anna.is_paused, lodge.trouble) == (True, "the disk is full")
    second.say_here()
    assert lodge.trouble == AWAY
    await second.hear()
    first.say_here(trouble="another one has taken over")
    second.say()
    assert (anna.is_paused, lodge.trouble) == (False, "")
    assert [notice.over for notice in anna.told if isinstance(notice, Trouble)] == [False, True]


async def test_a_hall_that_follows_another_at_once_is_nobodys_trouble(gate: Any) -> None:
    courier, lodge = gate
    anna, first, second = Client(), Hall(courier, lodge, 1), Hall(courier, lodge, 2)
    first.say_here()
    await first.hear()
    first.say()
    guest = lodge.arrive("house", anna, "")
    info = TableInfo("t1", "multisweeper", "t", "playing", (), {}, Terms(), 0)
    await first.hear()
    first.say(tell(1, Entered("Anna"), Seated(info, 0, "token"), Happened(5, ())))
    lodge.submit(guest, [Act((), 5)], 0.0)
    mark = lodge.round
    await first.hear()
    second.say_here()
    assert anna.is_paused, "what is said meanwhile would be said to nobody"
    _, came = await second.hear()
    assert (came.table, came.token, came.since, came.name) == ("t1", "token", 5, "Anna")
    second.say(tell(1, Entered("Anna"), Seated(info, 0), Happened(6, ())))
    assert anna.told[3:] == [Happened(6, ())]
    assert not anna.is_paused
    assert await second.hear() == [Join()], "the answer was taken"
    second.say()
    assert lodge.told >= mark - 1, "and nobody waits for it any more"
    first.say(tell(1, Happened(7, ())))
    assert anna.told[-1] == Happened(6, ()), "who was deposed is not heard"


async def test_who_is_not_welcome_any_more_is_seen_off(gate: Any) -> None:
    courier, lodge = gate
    anna, bruno, first, second = Client(), Client(), Hall(courier, lodge, 1), Hall(courier, lodge, 2)
    first.say_here()
    await first.hear()
    first.say()
    for client in (anna, bruno):
        lodge.arrive("house", client, "")
    await first.hear()
    first.say(tell(1, Entered("Anna")), tell(2, Entered("Bruno")))
    second.say_here()
    await second.hear()
    declined = msgspec.json.encode(
        {"type": "declined", "request": Enter("Anna"), "reason": "that name is taken", "code": "taken"}
    )
    second.say(Tell(1, (msgspec.Raw(declined),)), Finish(2))
    assert (anna.is_finished, bruno.is_finished) == (True, True)
    assert anna.told[-1].back  # type: ignore[union-attr]


async def test_sitting_down_that_nobody_heard_of_is_wanted_again_after_a_match(gate: Any) -> None:
    courier, lodge = gate
    anna, first, second = Client(), Hall(courier, lodge, 1), Hall(courier, lodge, 2)
    first.say_here()
    await first.hear()
    first.say()
    guest = lodge.arrive("house", anna, "")
    info = TableInfo("t1", "multisweeper", "t", "playing", (), {}, Terms(), 0)
    over = b'{"type":"over","outcome":{"ranks":[1],"reason":"so"}}'
    await first.hear()
    first.say(tell(1, Entered("Anna"), Seated(info, 0, "token")), Tell(1, (msgspec.Raw(over),)))
    lodge.submit(guest, [Open("santorini")], 0.0)
    await first.hear()
    second.say_here()
    await second.hear()
    gone = b'{"type":"gone","reason":"moved"}'
    second.say(Tell(1, (msgspec.Raw(over), msgspec.Raw(gone))), tell(1, Entered("Anna")))
    assert await second.hear() == [Want(1, (Open("santorini"),)), Join()]


async def test_a_hall_that_was_silent_and_speaks_again_is_nobodys_trouble_any_more(
    gate: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody can ask for anything meanwhile, so nothing that is answered says that it is over."""
    courier, lodge = gate
    anna, hall = Client(), Hall(courier, lodge, 1)
    lodge.arrive("house", anna, "")
    hall.say_here()
    await hall.hear()
    hall.say()
    await hall.hear()
    hall.say()
    assert not anna.is_paused
    monkeypatch.setattr("ludoteca.server.cluster.lodge.BEAT_S", 0.001)
    async with asyncio.timeout(20):
        while not lodge.trouble:
            await asyncio.sleep(0.001)
    assert anna.is_paused
    await hall.hear()
    hall.line.beat()
    courier.heard[hall.back](hall.line.messages.pop())
    assert not anna.is_paused
    assert not lodge.trouble
    assert anna.told == [Trouble(AWAY), Trouble("the tables are back", over=True)]
