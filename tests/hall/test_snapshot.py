"""Snapshots: the same table without executing all again, and nothing when anything is wrong with them."""

import pickle
from hashlib import blake2b
from typing import Any

import pytest
from tests.hall.play import House, Person

from ludoteca import games
from ludoteca.core import Damaged, Seat
from ludoteca.core.notices import Happened, Said, Seated, Shown
from ludoteca.core.requests import Act, Join, Open, Return, Say
from ludoteca.hall import Table
from ludoteca.hall.snapshot import DIGEST_BYTES, EVENTS_MAX, read, take

FORM = b"f" * 16


def played(game: str, moves: int) -> tuple[House, Person, Person]:
    """Two in the middle of a match."""
    house = House()
    anna, bruno = house.named("Anna"), house.named("Bruno")
    anna.ask(Open(game, 2))
    bruno.ask(Join(anna.guest.table))
    anna.ask(Say("good luck"))
    bruno.ask(Say("only for you", "Anna"))
    play(anna, bruno, moves)
    return house, anna, bruno


def play(anna: Person, bruno: Person, moves: int) -> None:
    """Whoever is asked takes what comes first, unless it ends the match."""
    table = anna.table
    for _ in range(moves):
        seat, question = next(iter(table.match.state.questions.items()))
        for action in question.choices:
            trial = table.match.state.clone()
            table.game.apply(trial, Seat(seat), action)
            if trial.outcome is None:
                (anna, bruno)[seat].ask(Act((action,)))
                break


def resumed(house: House, table: Table, stored: bytes, at: int) -> Table | None:
    """The table in another house, from what was stored after record `at`."""
    snapshot = read(stored, FORM)
    assert snapshot is not None
    return House().take_over(House()).hall.resume(snapshot, house.lines[table.id][at - 1 :], house.now)


def facts(table: Table) -> list[Any]:
    """All that lasts of a table."""
    return [
        table.match.state,
        table.match.digest,
        table.match.version,
        table.ledger.number,
        table.ledger.spoken,
        table.asked.numbers(),
        [chair and chair.record(seat) for seat, chair in enumerate(table.chairs)],
        table.course.came,
        table.phase,
        table.opened_ms,
    ]


@pytest.mark.parametrize("game", games.names())
def test_a_table_is_the_same_from_a_snapshot_and_plays_on_the_same(game: str) -> None:
    house, anna, bruno = played(game, 6)
    table = anna.table
    stored, at = take(table, FORM), table.ledger.number
    again = resumed(house, table, stored, at)
    assert again is not None
    assert facts(again) == facts(table)
    assert list(again.ledger.history) == list(table.ledger.history)
    play(anna, bruno, 6)
    later = resumed(house, table, stored, at)
    assert later is not None
    assert facts(later) == facts(table), "what was played since is executed, and comes out the same"
    assert not later.match.changed
    executed = House().hall.recover(house.lines[table.id], house.now)
    assert facts(executed) == facts(later)


def test_any_damaged_byte_another_form_or_half_of_it_makes_a_snapshot_none() -> None:
    _, anna, _ = played("multisweeper", 2)
    stored = take(anna.table, FORM)
    assert read(stored, FORM) is not None
    for at in range(0, len(stored), 3):
        assert read(stored[:at] + bytes([stored[at] ^ 4]) + stored[at + 1 :], FORM) is None, at
        assert read(stored[:at], FORM) is None
    assert read(stored, b"g" * 16) is None
    assert read(b"", FORM) is None


def sealed(body: bytes) -> bytes:
    return FORM + blake2b(body, digest_size=DIGEST_BYTES, key=FORM).digest() + body


class _Order:
    """What somebody would like to have done when a snapshot is read."""

    done = False

    def __reduce__(self) -> Any:
        return (setattr, (_Order, "done", True))


@pytest.mark.parametrize("what", [(_Order(),), (_Order,), (print,), (eval,)])
def test_a_snapshot_of_somebody_who_knows_the_form_gives_no_orders(what: Any) -> None:
    assert read(sealed(pickle.dumps(what)), FORM) is None
    assert not _Order.done, "nothing was called"


@pytest.mark.parametrize("body", [b"", b"nonsense", pickle.dumps(()), pickle.dumps(7)])
def test_what_is_whole_and_no_snapshot_is_none(body: bytes) -> None:
    assert read(sealed(body), FORM) is None


def test_a_snapshot_that_does_not_fit_the_records_is_not_used() -> None:
    house, anna, bruno = played("santorini", 3)
    table = anna.table
    stored, at = take(table, FORM), table.ledger.number
    assert resumed(house, table, stored, at - 1) is None, "another record stands there"
    play(anna, bruno, 2)
    lines = house.lines[table.id]
    kept = lines[at]
    lines[at] = lines[at][:-1]
    assert resumed(house, table, stored, at) is None, "what follows is damaged: all records are asked"
    with pytest.raises(Damaged):
        House().hall.recover(lines, house.now)
    lines[at] = kept
    other, carla, _ = played("santorini", 3)
    carla.ask(Say("something else"))
    other.lines[carla.guest.table] = lines
    assert resumed(other, carla.table, take(carla.table, FORM), carla.table.ledger.number) is None


def test_who_missed_more_than_a_snapshot_keeps_is_shown_all_and_hears_all_that_was_said() -> None:
    house, anna, bruno = played("santorini", 20)
    table = anna.table
    snapshot = read(take(table, FORM), FORM)
    assert snapshot is not None
    assert len(snapshot.history) == EVENTS_MAX + 2
    again = House()
    assert again.hall.resume(snapshot, house.lines[table.id][-1:], again.now) is not None
    token, last = anna.last(Seated).token, table.ledger.number
    back = again.guest().ask(Return("", token, since=last - EVENTS_MAX))
    assert (back.count(Shown), back.count(Happened)) == (0, EVENTS_MAX)
    far = again.guest().ask(Return("", token, since=last - EVENTS_MAX - 1))
    assert (far.count(Shown), far.count(Happened)) == (1, 0)
    assert [said.text for said in far.heard if isinstance(said, Said)] == ["good luck", "only for you"]
    other = again.guest().ask(Return("", bruno.last(Seated).token, since=last))
    assert other.count(Shown) == other.count(Happened) == other.count(Said) == 0


def test_a_snapshot_of_what_came_from_a_snapshot_knows_what_is_missing() -> None:
    house, anna, _ = played("santorini", 20)
    table = anna.table
    once = resumed(house, table, take(table, FORM), table.ledger.number)
    assert once is not None
    first, second = read(take(table, FORM), FORM), read(take(once, FORM), FORM)
    assert first is not None
    assert second is not None
    assert first.forgotten == second.forgotten > 0
    assert first.history == second.history
