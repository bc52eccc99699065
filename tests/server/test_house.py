"""The house at work: what is told, and when."""

import asyncio
import sqlite3
from pathlib import Path

import pytest
from tests import rig

from ludoteca.server.schema import journal_in


async def test_letters_without_records_wait_behind_the_records_they_may_tell_about(tmp_path: Path) -> None:
    """Decision 0003, and a survivor of `_send`: a list must not overtake the disk and show what
    may yet be lost."""
    async with rig.house(tmp_path, "house") as server:
        anna, bruno = [await rig.enter(server, name) for name in ("Anna", "Bruno")]
        blocker = sqlite3.connect(journal_in(tmp_path), isolation_level=None)
        blocker.execute("BEGIN IMMEDIATE")
        await anna.send({"type": "open", "game": "multisweeper", "seats": 2})
        while not server.house.hall.tables:
            await asyncio.sleep(0.01)
        await bruno.send({"type": "list"})
        with pytest.raises(TimeoutError):
            await bruno.message(patience_s=0.4)
        blocker.execute("ROLLBACK")
        blocker.close()
        (listed,) = (await bruno.until("tables"))["tables"]
        assert listed["id"] == (await anna.until("seated"))["table"]["id"]


async def test_what_concerns_no_record_is_told_at_once(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "house") as server:
        bruno = await rig.enter(server, "Bruno")
        blocker = sqlite3.connect(journal_in(tmp_path), isolation_level=None)
        blocker.execute("BEGIN IMMEDIATE")
        await bruno.send({"type": "list"})
        assert (await bruno.until("tables"))["tables"] == []
        blocker.close()


async def test_rounds_are_told_in_order_and_callers_go_on_after_theirs(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "house") as server:
        house, called = server.house, []
        later = house.round + 1
        house.after(later, lambda: called.append("later"))
        house.after(house.round, lambda: called.append("now"))
        house.dispatch()
        await rig.becomes(lambda: called)
        assert called == ["now"]
        house.dispatch()
        await rig.becomes(lambda: len(called) > 1)
        assert called == ["now", "later"]
        assert house.told == later


async def test_an_alarm_that_is_days_away_is_set_once_however_often_others_ring_before_it(
    tmp_path: Path,
) -> None:
    """Found by the simulation: every earlier alarm set it once more, and all of them would ring at once."""
    async with rig.house(tmp_path, "house") as server:
        house, rung = server.house, list[float]()
        far = house.now() + 86_400.0
        due = {far}

        def tick(now: float) -> None:
            rung.append(now)
            due.intersection_update({far})

        house.hall.alarm = lambda: min(due)  # type: ignore[method-assign]
        house.hall.tick = tick  # type: ignore[method-assign]
        for number in range(1, 6):
            due.add(house.now())
            house.dispatch()
            while len(rung) < number:
                await asyncio.sleep(0.01)
        await asyncio.sleep(0.05)
        waiting = [call for calls in house.timers._slots.values() for call in calls]
        assert waiting.count(house._tick) == 1
