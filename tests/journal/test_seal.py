"""What is written beside an input."""

from types import SimpleNamespace

from ludoteca.core import Outcome
from ludoteca.journal.seal import CHAIN_BYTES, CHAIN_START, NOTHING_TOLD, chain, combined, told

RUNNING = SimpleNamespace(outcome=None)
WON, LOST = (SimpleNamespace(outcome=Outcome(ranks, "")) for ranks in ((1, 2), (2, 1)))


def test_the_chain_covers_every_record_and_their_order() -> None:
    one, two = chain(CHAIN_START, b"one"), chain(CHAIN_START, b"two")
    assert len(one) == CHAIN_BYTES == len(CHAIN_START) == 8
    assert len({one, two, chain(one, b"two"), chain(two, b"one"), chain(one, b"one")}) == 5


def test_the_digests_are_pinned_so_that_old_records_are_read() -> None:
    assert chain(CHAIN_START, b"body").hex() == "4db043ea092bab02"
    assert combined(CHAIN_START, b"body", ["event"]).hex() == "9373941ec530bfb7"
    assert told(["event"], RUNNING).hex() == "c213f058"
    assert told(["event"], WON).hex() == "6ba38e26"


def test_no_events_are_nothing_told_whatever_the_state() -> None:
    assert told([], None) == told([], WON) == NOTHING_TOLD == bytes(4)


def test_what_came_out_covers_every_event_their_order_and_the_end() -> None:
    sums = {
        told(["a"], RUNNING),
        told(["b"], RUNNING),
        told(["a", "b"], RUNNING),
        told(["b", "a"], RUNNING),
        told(["a"], WON),
        told(["a"], LOST),
    }
    assert len(sums) == 6
    assert {len(one) for one in sums} == {4}


def test_old_digests_cover_both_in_one() -> None:
    assert combined(CHAIN_START, b"body", []) == chain(CHAIN_START, b"body")
    assert combined(CHAIN_START, b"body", ["a"]) != combined(CHAIN_START, b"body", ["b"])
