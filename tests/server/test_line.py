"""What nodes say to each other arrives once and in order, whatever is lost below, doubled or late."""

import random

import pytest

from ludoteca.server.cluster.line import MESSAGE_BYTES_MAX, Line, Overrun, split


class Between:
    """Two ends, and a way that loses and doubles what it carries."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.ends = Line("gate", "back"), Line("gate")
        self.heard: tuple[list[bytes], list[bytes]] = [], []

    def carry(self, loss: float) -> None:
        """Bring what has been sent to the other side, some of it."""
        for place, end in enumerate(self.ends):
            messages, end.messages = end.messages, []
            for message in messages:
                for _ in range(self.dice.choice((1, 1, 2))):
                    if self.dice.random() >= loss:
                        head, items = split(message)
                        self.heard[1 - place].extend(self.ends[1 - place].receive(head, items))


@pytest.mark.parametrize("seed", range(20))
def test_whatever_is_lost_and_doubled_all_is_heard_once_and_in_order(seed: int) -> None:
    way, said = Between(seed), ([], [])  # type: ignore[var-annotated]
    for number in range(300):
        place = way.dice.randrange(2)
        items = [b"%d of %d" % (one, number) for one in range(way.dice.randrange(1, 4))]
        said[place].extend(items)
        way.ends[place].send(items)
        if not number % 5:
            way.carry(0.3)
    for _ in range(200):
        for end in way.ends:
            end.beat()
        way.carry(0.3)
    assert way.heard == (said[1], said[0])


def test_what_is_too_much_for_one_message_comes_in_several() -> None:
    way = Between(1)
    items = [bytes([number + 65]) * (MESSAGE_BYTES_MAX // 3) for number in range(7)]
    way.ends[0].send(items)
    assert len(way.ends[0].messages) == 4
    assert all(len(message) < MESSAGE_BYTES_MAX + 1000 for message in way.ends[0].messages)
    way.carry(0)
    assert way.heard[1] == items


def test_a_message_without_items_is_heard_as_one() -> None:
    line, other = Line("gate"), Line("gate")
    line.send([])
    line.send([b"1"])
    head, items = split(line.messages[0])
    assert (other.receive(head, items), other.heard) == ([], 1)
    assert other.receive(*split(line.messages[1])) == [b"1"]


def test_who_never_says_what_was_heard_is_given_up() -> None:
    deaf = Line("gate", bytes_max=10_000)
    for _ in range(30):
        deaf.send([b"x" * 200])
    with pytest.raises(Overrun):
        deaf.send([b"x" * 10_000])
    hearing, other = Line("gate", bytes_max=10_000), Line("gate")
    for _ in range(100):
        hearing.send([b"x" * 200])
        messages, hearing.messages = hearing.messages, []
        for message in messages:
            other.receive(*split(message))
        other.beat()
        hearing.receive(*split(other.messages.pop()))


def test_what_is_missing_is_asked_for_once_until_it_is_time_to_ask_again() -> None:
    line, other = Line("gate"), Line("gate")
    for number in range(5):
        line.send([b"%d" % number])
    for message in line.messages[1:]:
        assert other.receive(*split(message)) == []
    assert [split(message)[0].again for message in other.messages] == [True]
    other.beat()
    other.receive(*split(line.messages[1]))
    assert [split(message)[0].again for message in other.messages] == [True, False, True]
