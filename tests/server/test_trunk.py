"""A gate's line to one hall: which of its rounds have been told."""

from typing import cast

from ludoteca.server.cluster.courier import Courier
from ludoteca.server.cluster.line import MESSAGE_BYTES_MAX, Line, split
from ludoteca.server.cluster.trunk import Trunk


class Bag:
    """A courier that carries nothing."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []

    def send(self, _subject: str, data: bytes) -> None:
        self.sent.append(data)


class Pair:
    """A gate and a hall; what the hall says arrives when a test wants it to."""

    def __init__(self) -> None:
        self.bag = Bag()
        self.gate = Trunk("", "line", "hall", "gate", cast(Courier, self.bag))
        self.hall = Line("line")

    def want(self, number: int) -> None:
        """The gate says something in this round, and the hall hears it."""
        self.gate.put(b"wanted")
        assert self.gate.flush(number)
        for message in self.bag.sent:
            self.hall.receive(*split(message))
        self.bag.sent.clear()

    def said(self) -> list[bytes]:
        """What the hall has to say."""
        messages, self.hall.messages = self.hall.messages, []
        return messages

    def hear(self, message: bytes) -> tuple[list[bytes], int]:
        """The gate hears a message: what it says, and the round that has been told."""
        head, items = split(message)
        return self.gate.receive(head, items), self.gate.told(head)


def test_a_round_has_not_been_told_while_what_came_of_it_is_lost() -> None:
    pair = Pair()
    pair.want(7)
    pair.hall.told = 1
    pair.hall.send([b"what came of it"])
    (lost,) = pair.said()
    pair.hall.beat()
    (beat,) = pair.said()
    assert pair.hear(beat) == ([], 0), "it is told that all was told, and nothing was"
    assert pair.gate.waits_for() == 7
    assert pair.hear(lost) == ([b"what came of it"], 7)
    assert pair.gate.waits_for() is None


def test_a_round_has_been_told_with_the_last_of_several_messages() -> None:
    pair = Pair()
    pair.want(7)
    pair.hall.told = 1
    items = [b"x" * (MESSAGE_BYTES_MAX - 1), b"y" * 2, b"z" * MESSAGE_BYTES_MAX]
    pair.hall.send(items)
    heard = [pair.hear(message) for message in pair.said()]
    assert [rounds for _, rounds in heard] == [0] * (len(heard) - 1) + [7]
    assert [item for found, _ in heard for item in found] == items
    assert len(heard) > 1
    pair.want(8)
    pair.hall.told = 2
    pair.hall.beat()
    (beat,) = pair.said()
    assert pair.hear(beat) == ([], 8)
