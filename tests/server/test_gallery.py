"""Those who look on: told after those who play, everything, once and in order, and holding up nobody."""

import asyncio
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from tests import rig
from tests.simulation.run import simulate

from ludoteca.core import Notice
from ludoteca.core.notices import Declined, Happened
from ludoteca.core.requests import List
from ludoteca.hall import GuestId, company
from ludoteca.hall.post import Aside, Letter, Post
from ludoteca.server import gallery
from ludoteca.server.gallery import Gallery
from ludoteca.server.journal_writer import JournalWriter
from ludoteca.server.schema import journal_in
from ludoteca.server.session import Session

PLAYERS = [GuestId(number) for number in range(2)]
AUDIENCE = [GuestId(number) for number in range(100, 400)]


class Hall:
    """A gallery, and what was told in which order."""

    def __init__(self) -> None:
        self.told: list[tuple[int, list[Notice]]] = []
        self.post = Post()
        self.gallery = Gallery(lambda told: self.told.extend(told.items()))

    def send(self, *letters: Letter) -> None:
        """A round, as the house tells it."""
        self.post.asides = sum(isinstance(notice, Aside) for _, notice in letters)
        self.gallery.expect(self.post)
        for guest, notice in self.gallery.sort(list(letters)):
            self.told.append((guest, [notice]))

    def move(self, number: int) -> None:
        """Everybody is told of it, those who look on first."""
        happened = Happened(number, ())
        self.send(aside(happened, AUDIENCE), *((guest, happened) for guest in PLAYERS))

    def heard(self, guest: int) -> list[Notice]:
        return [notice for one, notices in self.told if one == guest for notice in notices]

    async def swept(self) -> None:
        while self.gallery.waiting:
            await asyncio.sleep(0.001)
        assert not self.gallery.is_needed


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gallery, "GATHER_S", 0.001)


def aside(notice: Notice, guests: list[GuestId]) -> Letter:
    return None, Aside(notice, tuple(guests))


def moves(*numbers: int) -> list[Notice]:
    return [Happened(number, ()) for number in numbers]


async def test_who_plays_is_told_with_the_round_and_an_audience_slice_by_slice_behind() -> None:
    hall = Hall()
    hall.move(1)
    assert [guest for guest, _ in hall.told] == list(PLAYERS)
    hall.gallery._sweep()
    assert [guest for guest, _ in hall.told] == [*PLAYERS, *AUDIENCE[: gallery.SLICE]]
    await hall.swept()
    assert [guest for guest, _ in hall.told] == [*PLAYERS, *AUDIENCE]


async def test_an_audience_hears_every_move_once_in_order_and_in_one_piece() -> None:
    hall = Hall()
    for number in (1, 2, 3):
        hall.move(number)
    await hall.swept()
    hall.move(4)
    await hall.swept()
    for guest in AUDIENCE:
        assert hall.heard(guest) == moves(1, 2, 3, 4)
    assert [len(told) for guest, told in hall.told if guest == AUDIENCE[-1]] == [3, 1]


async def test_an_answer_does_not_wait_nor_overtakes_what_came_before_it() -> None:
    hall, last, declined = Hall(), AUDIENCE[-1], Declined(List(), "no", "no")
    first = AUDIENCE[0]
    hall.move(1)
    hall.send((last, declined))
    assert hall.heard(last) == [*moves(1), declined]
    hall.send(aside(Happened(2, ()), [last]), (last, declined), aside(Happened(3, ()), [first, last]))
    assert hall.heard(last) == [*moves(1), declined, *moves(2), declined]
    await hall.swept()
    assert hall.heard(last) == [*moves(1), declined, *moves(2), declined, *moves(3)]
    assert hall.heard(first) == moves(1, 3)
    assert hall.heard(AUDIENCE[1]) == moves(1)


async def test_what_waits_can_be_told_now_to_one_or_to_all() -> None:
    hall = Hall()
    hall.move(1)
    hall.gallery.hurry((GuestId(AUDIENCE[-1]), GuestId(7)))
    assert [guest for guest, _ in hall.told] == [*PLAYERS, AUDIENCE[-1]]
    hall.gallery.hurry()
    assert [guest for guest, _ in hall.told] == [*PLAYERS, AUDIENCE[-1], *AUDIENCE[:-1]]
    # The sweep that was on its way finds nothing to do, and the next audience another one.
    await asyncio.sleep(0.01)
    hall.move(2)
    await hall.swept()
    assert hall.heard(AUDIENCE[0]) == moves(1, 2)


async def test_nobody_waits_where_rounds_are_counted() -> None:
    hall = Hall()
    hall.gallery.is_open = False
    hall.move(1)
    assert [guest for guest, _ in hall.told] == [*AUDIENCE, *PLAYERS]
    assert not hall.gallery.is_needed


@pytest.mark.slow
async def test_players_of_all_tables_of_a_commit_are_told_before_anybody_who_looks_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[str] = []
    tell = Session.tell

    def noting(self: Session, notices: list[Notice], now: float) -> None:
        if any(isinstance(notice, Happened) for notice in notices):
            order.append(self.guest.name)
        tell(self, notices, now)

    async with rig.house(tmp_path, "house") as server:
        house, writer = server.house, server.house.store
        assert isinstance(writer, JournalWriter)
        monkeypatch.setattr(company, "AUDIENCE_MIN", 3)
        tables = [await _table(server, names) for names in (("Anna", "Bruno"), ("Carla", "Dora"))]
        lookers = [await rig.enter(server, f"Looker{number}", follow="views") for number in range(8)]
        for number, looker in enumerate(lookers):
            await looker.send({"type": "watch", "table": tables[number % 2][0]})
            await looker.until("view")
        monkeypatch.setattr(Session, "tell", noting)
        blocker = sqlite3.connect(journal_in(tmp_path), isolation_level=None)
        blocker.execute("BEGIN IMMEDIATE")
        # The writer has its hands full with a word, so both moves are stored together.
        await tables[0][2].send({"type": "say", "text": "now"})
        await rig.becomes(lambda: house._appended == house._stored + 1 and not writer._pending)
        for _, mover, _ in tables:
            await mover.send({"type": "act", "action": {"type": "Click", "column": 0, "row": 0}})
        await rig.becomes(lambda: house._appended == house._stored + 3)
        blocker.execute("ROLLBACK")
        blocker.close()
        for looker in lookers:
            assert (await looker.until("events"))["view"]["turn"] == 2
        assert set(order[:4]) == {"Anna", "Bruno", "Carla", "Dora"}
        assert sorted(order[4:]) == [f"Looker{number}" for number in range(8)]


@pytest.mark.slow
async def test_who_is_shown_out_and_who_is_there_at_the_end_hear_all_that_waited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(company, "AUDIENCE_MIN", 1)
    monkeypatch.setattr(gallery, "GATHER_S", 3600.0)
    async with rig.house(tmp_path, "house") as server:
        house = server.house
        table, mover, _ = await _table(server, ("Anna", "Bruno"))
        lookers = [await rig.enter(server, f"Looker{number}") for number in range(3)]
        for looker in lookers:
            await looker.send({"type": "watch", "table": table})
            await looker.until("view")
        await mover.send({"type": "act", "action": {"type": "Click", "column": 0, "row": 0}})
        await rig.becomes(lambda: len(house.gallery.waiting) == 3)
        guest = next(one for one in house.hall.guests if one.name == "Looker0")
        house.hall.post.outs.append(guest)
        house.dispatch()
        await lookers[0].until("events")
        assert await lookers[0].rest() == []
        assert len(house.gallery.waiting) == 2
        # Whoever asks for something is told first what was waiting.
        await lookers[1].send({"type": "list"})
        kinds = [(await lookers[1].message() or {})["type"] for _ in range(2)]
        assert kinds == ["events", "tables"]
    assert (await lookers[2].until("events"))["number"]


@pytest.mark.slow
def test_evenings_in_which_all_who_look_on_are_told_aside_keep_every_promise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    waited, hurry = 0, Gallery.hurry

    def counting(self: Gallery, guests: Iterable[GuestId] | None = None) -> None:
        nonlocal waited
        waited += len(self.waiting)
        hurry(self, guests)

    monkeypatch.setattr(company, "AUDIENCE_MIN", 0)
    monkeypatch.setattr(Gallery, "hurry", counting)
    for seed in range(3):
        simulate(seed, "santorini")
    assert waited


async def _table(server: Any, names: tuple[str, str]) -> tuple[str, rig.Client, rig.Client]:
    """A table of Multisweeper: its name, who is on turn, and who is not."""
    first, second = [await rig.enter(server, name) for name in names]
    await first.send({"type": "open", "game": "multisweeper", "seats": 2})
    table = (await first.until("seated"))["table"]["id"]
    await second.send({"type": "sit", "table": table})
    await first.until("view")
    await second.until("view")
    await rig.becomes(lambda: list(server.house.hall.tables.find(table).asked))
    (seat,) = server.house.hall.tables.find(table).asked
    return (table, first, second) if seat == 0 else (table, second, first)
