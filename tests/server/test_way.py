"""The hall's side of a gate: what is said there, and with which round."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from tests import rig

from ludoteca.core import Request
from ludoteca.core.notices import Seated
from ludoteca.core.requests import Enter, Join, Open, Return
from ludoteca.server.cluster import words
from ludoteca.server.cluster.courier import Courier
from ludoteca.server.cluster.line import Head, Line, split
from ludoteca.server.cluster.node import Node
from ludoteca.server.cluster.placing import Placing
from ludoteca.server.cluster.reception import Reception
from ludoteca.server.cluster.way import Way
from ludoteca.server.cluster.words import Come, Go, Tell, Want


class Gate:
    """The other end of a way, and the courier between them: what it is told, message by message."""

    def __init__(self, name: str = "line") -> None:
        self.line = Line(name, "gate")
        self.hall: Callable[[bytes], None]
        self.heard: list[tuple[Head, list[Any]]] = []
        self.has_left = False

    async def hear(self, _subject: str, call: Callable[[bytes], None]) -> None:
        """The hall is there."""
        self.hall = call

    async def overhear(self, _subject: str) -> None:
        """It is not any more."""
        self.hall = lambda _data: None

    def send(self, subject: str, data: bytes) -> None:
        """The hall says something."""
        if subject != "gate":
            self.has_left = self.has_left or words.decode_here(data).leaves
            return
        assert not self.has_left
        head, items = split(data)
        heard = [words.decode_hall(item) for item in self.line.receive(head, items)]
        self.heard.append((head, heard))

    def say(self, *said: words.FromGate) -> int:
        """Say these; the number of the message."""
        self.line.send([words.encode(word) for word in said])
        for message in self.line.messages:
            self.hall(message)
        self.line.messages.clear()
        return self.line.sent

    async def until(self, condition: Callable[[Head, list[Any]], bool]) -> tuple[Head, list[Any]]:
        """The first message of which this is so."""
        found = lambda: [one for one in self.heard if condition(*one)]  # noqa: E731
        await rig.becomes(found)
        return found()[0]

    async def answer(self, *said: words.FromGate) -> list[Any]:
        """All that comes of this."""
        start, number = len(self.heard), self.say(*said)
        await self.until(lambda head, _: head.told >= number)
        return [word for _, heard in self.heard[start:] for word in heard]


def want(guest: int, *requests: Request) -> Want:
    return Want(guest, requests)


async def test_who_is_sent_to_a_room_hears_of_it_no_later_than_that_all_was_told(tmp_path: Path) -> None:
    """Somebody of Masters of Renaissance in evening 6071 had come back: that all was told arrived, where they
    are to go did not before that hall was lost, and nobody wanted it any more."""
    async with rig.house(tmp_path, "house") as server:
        house = server.house
        rooms = SimpleNamespace(tables=lambda: 0, begin=lambda: None)
        given = list[tuple[str, str, str]]()
        node = SimpleNamespace(
            name="node.run", here="node", rooms=rooms, give=lambda *give: given.append(give)
        )
        placing = Placing(house, cast(Node, node))
        placing.look({"other.run": 0})
        gate = Gate()
        way = Way(house, cast(Courier, gate), "line", "gate")
        gate.hall = lambda data: way.receive(data, cast(Any, None))
        come = [Come(number, "house", "192.0.2.1", "house ") for number in (1, 2, 3)]
        told = await gate.answer(*come, want(1, Enter("Anna"), Open("multisweeper", 2)))
        (table,) = house.hall.tables
        notices = [
            words.read(one, table.game) for word in told if isinstance(word, Tell) for one in word.notices
        ]
        token = next(notice.token for notice in notices if isinstance(notice, Seated) and notice.token)
        await gate.answer(want(2, Enter("Bruno"), Join(table.id)))
        assert given == [(table.id, "other.run", "node")]
        gate.say(words.Left(1))
        number = gate.say(want(3, Return(table.id, token)))
        head, heard = await gate.until(lambda head, _: head.told >= number)
        assert [word for word in heard if isinstance(word, Go)] == [
            Go(3, "other.run", Return(table.id, token), table.id)
        ]
        assert head.sent == gate.line.heard, "nothing of it is on its way"
        house.halls = None


async def test_a_hall_that_leaves_tells_before_what_it_has_done(tmp_path: Path) -> None:
    """A soak with real nodes: who sat down while the hall was handed over was cut off by the next one, since
    nobody had told them their token."""
    async with rig.house(tmp_path, "house") as server:
        gate = Gate()
        reception = Reception(server.house, cast(Courier, gate), "house", 1, cast(Any, None))
        await reception.open()
        gate.say(Come(1, "house", "192.0.2.1", "house "), want(1, Enter("Anna"), Open("multisweeper", 2)))
        await reception.close()
        assert gate.has_left
        told = [word for _, heard in gate.heard for word in heard if isinstance(word, Tell)]
        (table,) = server.house.hall.tables
        notices = [words.read(one, table.game) for word in told for one in word.notices]
        assert [notice.seat for notice in notices if isinstance(notice, Seated)] == [0]


async def test_a_match_is_played_where_its_people_are_unless_that_has_many_more(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "house") as server:
        house = server.house
        rooms = SimpleNamespace(tables=lambda: 40, begin=lambda: None)
        given = list[str]()
        node = SimpleNamespace(
            name="node.run", here="node", rooms=rooms, give=lambda _table, to, _of: given.append(to)
        )
        placing = Placing(house, cast(Node, node))
        far, near = Gate("far.run.1"), Gate("near.run.2")
        for gate in (far, near):
            way = Way(house, cast(Courier, gate), gate.line.name, "gate")
            gate.hall = partial(way.receive, answer=cast(Any, None))
        guests = iter(range(1, 20))

        async def begins(first: Gate, second: Gate) -> None:
            known = set(house.hall.tables)
            one, other = next(guests), next(guests)
            come = Come(one, "house", "192.0.2.1", "house ")
            await first.answer(come, want(one, Enter(f"Guest {one}"), Open("multisweeper", 2)))
            (table,) = set(house.hall.tables) - known
            come = Come(other, "house", "192.0.2.1", "house ")
            await second.answer(come, want(other, Enter(f"Guest {other}"), Join(table.id)))

        placing.look({"far.run": 24, "near.run": 26})
        await begins(near, near)
        assert given == ["near.run"], "about as few"
        placing.look({"far.run": 24, "near.run": 28})
        await begins(near, near)
        assert given[1:] == ["far.run"]
        placing.look({"far.run": 24, "near.run": 24})
        await begins(near, far)
        assert given[2] in ("near.run", "far.run")
        house.halls = None
