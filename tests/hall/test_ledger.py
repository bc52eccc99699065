"""A table's book: what is written, what is told again to those who come back, and to whom."""

from typing import Any

import msgspec
import pytest
from tests.hall.play import a_table, playing

from ludoteca import games
from ludoteca.core import Seat
from ludoteca.core.notices import Happened, Said, Shown
from ludoteca.core.requests import Act
from ludoteca.games.multisweeper.actions import Click
from ludoteca.hall import GuestId, Post, Table
from ludoteca.hall.guest import Speaker
from ludoteca.hall.ledger import Ledger
from ludoteca.journal import Match, decode, verify
from ludoteca.journal.records import Acted, Spoke

ANNA, BRUNO = Speaker(GuestId(1), "Anna"), Speaker(GuestId(2), "Bruno")
KEY_A, KEY_B = "key of Anna", "key of Bruno"


def talkative(history_max: int = 256) -> Table:
    """Records 1 to 4 open, seat and start; 5 is a click, 6 a word to all, 7 one between the
    two, 8 a click."""
    table = playing(a_table(history_max=history_max), "Anna", "Bruno")
    table.act(GuestId(1), 0, Act((Click(0, 0),)), 1.0)
    table.say(ANNA, "hello", None, 2.0)
    table.say(ANNA, "psst", BRUNO, 3.0)
    table.act(GuestId(2), 1, Act((Click(1, 0),)), 4.0)
    return table


def since(table: Table, number: int, key: str = KEY_A, seat: int | None = 0) -> list[Any]:
    return list(table.ledger.since(number, key, None if seat is None else Seat(seat)))


def numbers(notices: list[Any]) -> list[tuple[str, int]]:
    return [(type(notice).__name__, notice.number) for notice in notices]


def test_records_are_numbered_and_words_counted() -> None:
    table = talkative()
    assert (table.ledger.number, table.ledger.spoken) == (8, 2)
    assert table.ledger.game is table.game


def test_each_record_is_written_with_its_number_time_and_table_and_executes_again() -> None:
    table = talkative()
    entries = table.post.entries
    assert [entry.number for entry in entries] == list(range(1, 9))
    assert {entry.table for entry in entries} == {"t1"}
    records = [decode(entry.line)[0] for entry in entries]
    assert [record.at_ms for record in records] == [0, 0, 0, 0, 1000, 2000, 3000, 4000]
    assert records[4].input == Acted(0, ({"type": "Click", "column": 0, "row": 0},))
    again = verify([entry.line for entry in entries], games.load)
    assert (again.digest, again.changed) == (table.match.digest, 0)


def test_only_what_decides_over_the_table_has_a_summary() -> None:
    table = talkative()
    assert [entry.fate for entry in table.post.entries] == ["live"] + [None] * 7
    opening = table.post.entries[0].summary
    assert opening is not None
    assert (opening.table.id, opening.outcome) == ("t1", None)
    assert {entry.summary for entry in table.post.entries[1:]} == {None}
    table.close("everybody left", 9.0)
    last = table.post.entries[-1]
    assert (last.fate, last.summary is not None and last.summary.closed_ms) == ("over", 9000)


@pytest.mark.parametrize(
    ("number", "told"),
    [
        (4, [("Happened", 5), ("Said", 6), ("Said", 7), ("Happened", 8)]),
        (5, [("Said", 6), ("Said", 7), ("Happened", 8)]),
        (7, [("Happened", 8)]),
        (8, []),
    ],
)
def test_whoever_says_what_they_know_hears_the_rest_once_and_in_order(
    number: int, told: list[tuple[str, int]]
) -> None:
    assert numbers(since(talkative(), number)) == told


@pytest.mark.parametrize("number", [0, -3, 9, 1 << 70])
def test_whoever_knows_nothing_or_nonsense_is_shown_all_and_told_the_words(number: int) -> None:
    heard = since(talkative(), number)
    assert numbers(heard) == [("Shown", 8), ("Said", 6), ("Said", 7)]
    assert heard[1:] == [Said(6, "Anna", "hello"), Said(7, "Anna", "psst", "Bruno")]


def test_a_history_that_has_run_over_is_not_told_with_a_gap() -> None:
    table = talkative(history_max=3)
    assert numbers(since(table, 5)) == [("Said", 6), ("Said", 7), ("Happened", 8)]
    assert numbers(since(table, 4)) == [("Shown", 8), ("Said", 6), ("Said", 7)]


def test_a_whisper_is_told_again_to_the_two_alone() -> None:
    table = talkative()
    for key, seat, hears in ((KEY_A, 0, True), (KEY_B, 1, True), ("", None, False), ("another", 1, False)):
        for number in (0, 4):
            assert (("Said", 7) in numbers(since(table, number, key, seat))) == hears


def test_what_is_shown_is_what_the_seat_may_know() -> None:
    table = playing(a_table(game="renaissance"), "Anna", "Bruno")
    (shown,) = since(table, 0)
    assert shown == Shown(table.ledger.number, table.game.view(table.match.state, Seat(0)))
    assert shown != since(table, 0, "", None)[0]


def secretive(event: str, seat: Seat | None) -> str | None:
    """An event that is a word of seat 0: others see stars, watchers nothing; "all" is for all."""
    if event == "all" or seat == 0:
        return event
    return None if seat is None else "***"


def test_events_are_told_as_each_may_know_them() -> None:
    game = msgspec.structs.replace(games.load("multisweeper"), seen=secretive)
    ledger = Ledger("t1", Match(game), Post(), 10)
    happened = Happened(3, ("all", "word", "all"))
    assert ledger.as_seen(happened, Seat(0)) is happened, "the same object is encoded once for many"
    assert ledger.as_seen(happened, Seat(1)) == Happened(3, ("all", "***", "all"))
    assert ledger.as_seen(happened, None) == Happened(3, ("all", "all"))


def test_what_tells_nothing_is_counted_but_not_kept() -> None:
    ledger = Ledger("t1", Match(games.load("multisweeper")), Post(), 10)
    ledger.count(())
    ledger.count(None)
    ledger.count(Spoke("Anna", "hello"))
    assert ledger.number == 3
    assert [number for number, _ in ledger.history] == [3]
