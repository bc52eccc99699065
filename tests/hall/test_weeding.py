"""What the log can do without: whatever goes, what is known about who may do what is the same."""

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludoteca.core import Damaged
from ludoteca.hall import acts
from ludoteca.hall.chair import key_of
from ludoteca.hall.keeping import Keeping
from ludoteca.hall.weeding import needless

TOKENS = [f"{number:032x}" for number in range(4)]
BEGIN_S, STEP_S = 1_000_000, 100
NUMBERS, TIMES = st.integers(1, 30), st.sampled_from([0, 50, 500, 5000])
FACTS = st.one_of(
    st.builds(acts.Say, st.just("hello")),
    st.builds(acts.Ban, st.sampled_from(["Ada", "Bea"]), seconds=TIMES),
    st.builds(acts.Ban, address=st.sampled_from(["192.0.2.1", "192.0.2.0/24"]), seconds=TIMES),
    st.builds(acts.Out, st.just("Ada"), seconds=TIMES),
    st.builds(acts.Mute, st.sampled_from(["Ada", "Bea"]), seconds=TIMES),
    st.builds(acts.Lift, NUMBERS),
    st.builds(acts.Close, st.just("t1")),
    st.builds(acts.Drain, st.sampled_from(["wait", "stop"])),
    st.just(acts.Resume()),
    st.builds(
        acts.Door,
        st.sampled_from([None, "open", "invitation"]),
        st.sampled_from([None, "out", "watch"]),
        st.sampled_from([None, "hash1", "hash2"]),
        st.sampled_from([None, (), ("Ada",)]),
    ),
    st.builds(
        acts.Invited,
        st.just(""),
        st.just("member"),
        st.integers(0, 2),
        TIMES,
        st.sampled_from([key_of(token) for token in TOKENS]),
    ),
    st.builds(
        acts.Admitted,
        st.just(""),
        st.sampled_from(["member", "host"]),
        TIMES,
        st.sampled_from([key_of(token) for token in TOKENS]),
        st.integers(0, 30),
    ),
    st.builds(acts.Withdraw, NUMBERS),
    st.builds(acts.Settle, NUMBERS),
    st.builds(acts.Reported, *(st.just(text) for text in ("Ada", "Bea", "t1", "santorini", "rude"))),
)


def log_of(facts: list[tuple[str, Any]]) -> list[bytes]:
    house = Keeping()
    return [
        msgspec.json.encode(house.add(by, fact, BEGIN_S + STEP_S * index))
        for index, (by, fact) in enumerate(facts)
    ]


def known(lines: list[bytes], now: float) -> tuple[Any, ...]:
    """All that anybody can ask a house that has read this log."""
    house = Keeping()
    house.load(lines)
    door = (house.door, house.guests, house.password, house.names, house.drained)
    keys = [house.key(token, now) for token in TOKENS]
    lists = (house.barred(now), house.invitations(now), house.keys(now), house.reports())
    bans = [house.ban_on(address, now, name) for address in ("", "192.0.2.1") for name in ("", "Ada", "Bea")]
    next_number = house.add("Irene", acts.Resume(), now).number
    return door, keys, lists, bans, [house.mute_on(name, now) for name in ("Ada", "Bea")], next_number


def without(lines: list[bytes], gone: set[int]) -> list[bytes]:
    return [line for line in lines if msgspec.json.decode(line, type=acts.Deed).number not in gone]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["", "Irene"]), FACTS), max_size=30), st.integers(0, 40))
def test_nothing_that_anybody_can_ask_is_answered_otherwise_now_or_later(
    facts: list[tuple[str, Any]], before: int
) -> None:
    lines = log_of(facts)
    now = BEGIN_S + STEP_S * len(facts)
    gone = needless(lines, (BEGIN_S + STEP_S * before) * 1000, now)
    for later in (now, now + 60, now + 600, now + 10_000):
        assert known(without(lines, gone), later) == known(lines, later)
    # What is younger stays; and what has gone need not be looked at again.
    assert all(number <= before for number in gone)
    assert needless(without(lines, gone), (BEGIN_S + STEP_S * before) * 1000, now) == set()


def test_what_is_over_goes_and_what_holds_stays_however_old_it_is() -> None:
    digest = key_of(TOKENS[0])
    lines = log_of(
        [
            ("Irene", acts.Ban("Gulp")),
            ("Irene", acts.Ban("Bea", seconds=60)),
            ("Irene", acts.Say("hello")),
            ("Irene", acts.Door("password", password="old")),
            ("", acts.Admitted("Ada", "member", 0, digest)),
            ("Irene", acts.Door(password="new")),
            ("Irene", acts.Invited("club", "member", 2, 0, key_of(TOKENS[1]))),
            ("", acts.Admitted("Bea", "member", 1, key_of(TOKENS[2]), 7)),
            ("", acts.Reported("Ada", "Bea", "t1", "santorini", "rude")),
            ("Irene", acts.Drain()),
            ("Irene", acts.Resume()),
            ("Irene", acts.Say("bye")),
        ]
    )
    # Bea's ban has ended, the password's first key with it; the first password is no more, but the door is.
    assert needless(lines, 1 << 62, BEGIN_S + 100_000) == {2, 3, 5, 10}


def test_of_an_empty_log_nothing_goes_and_one_that_cannot_be_read_is_left_alone() -> None:
    assert needless([], 1 << 62, BEGIN_S) == set()
    with pytest.raises(Damaged):
        needless([b"{"], 1 << 62, BEGIN_S)
