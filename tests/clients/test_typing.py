"""Typing ahead: what is typed faster than the house answers is taken line by line, none of it mixed up."""

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest
from tests.clients import stage
from tests.clients.terminal import PLAY, Terminal
from textual import events

from ludoteca.clients.desks.desk import SETTLE_S
from ludoteca.clients.widgets.line import Composer
from ludoteca.wire import messages as m

SWEEPER = [*PLAY, "multisweeper", "--level", "random", "--as", "Ann"]


@pytest.mark.slow
def test_lines_typed_at_once_are_taken_one_by_one(tmp_path: Path) -> None:
    terminal = Terminal(SWEEPER, tmp_path)
    try:
        terminal.until("Click one of")
        terminal.keys("/any", "Enter", "/who", "Enter")
        shown = terminal.until("At the table")
        assert "no command" not in shown
        terminal.keys("Escape")
        # The same with a slip of the finger in it, a word taken back, and a word completed.
        terminal.keys("/whx", "BSpace", "o", "Enter")
        terminal.until("At the table")
    finally:
        terminal.close()


def test_what_is_pasted_is_typed_line_by_line(tmp_path: Path) -> None:
    terminal = Terminal([*PLAY, "santorini", "--option", "gods=none", "--as", "Ann"], tmp_path)
    try:
        terminal.until("Choose who begins")
        terminal.paste("/any\n/any\nhalf a li")
        # Both were taken as answers, each to its own question, and the rest stays in the line.
        shown = terminal.until(r"> half a li *\n")
        assert "Not possible" not in shown
        terminal.until("Place worker|Choose your colour|Waiting")
    finally:
        terminal.close()


async def press(app: Any, *keys: str) -> None:
    """Send keys without a moment between them: all are in the queue before the first is handled."""
    for key in keys:
        event = events.Key("slash" if key == "/" else key, key if len(key) == 1 else None)
        event.set_sender(app)
        app._driver.send_message(event)


def sent_by(desk: Any) -> list[Any]:
    """What the desk sends from now on."""
    sent: list[Any] = []
    desk._send = lambda *messages: sent.extend(messages)
    return sent


@pytest.mark.slow
async def test_keys_that_edit_the_line_do_so_in_their_turn() -> None:
    desk = stage.staged("multisweeper")
    async with stage.desk_screen(desk) as (app, pilot):
        line = app.screen.query_one(Composer).line
        await press(app, *"/whx", "backspace", *"o yyy", "escape", *"zz")
        await stage.until(pilot, lambda: line.value.endswith("zz"))
        assert line.value == "/who zz"
        await press(app, "ctrl+u", *"'hi", "home", "delete", *"/say ")
        await stage.until(pilot, lambda: line.value.startswith("/say"))
        assert line.value == "/say hi"


@pytest.mark.slow
async def test_the_next_answer_is_kept_when_the_question_changes_after_our_own() -> None:
    desk = stage.staged("multisweeper")
    sent = sent_by(desk)
    async with stage.desk_screen(desk) as (app, pilot):
        assert desk.prompt is not None
        first, second = desk.prompt.answers[:2]
        options = desk._options
        await press(app, *first, "enter", *second)
        line = app.screen.query_one(Composer).line
        await stage.until(pilot, lambda: line.value == second)
        await pilot.pause(0.1)
        assert [type(one) for one in sent] == [m.Act]
        desk.hear(stage.over_the_wire(m.Question(9, "click", len(options), tuple(options))))
        await pilot.pause(0.1)
        assert line.value == second


@pytest.mark.slow
async def test_an_answer_typed_ahead_waits_for_its_question_as_long_as_the_link_is_slow() -> None:
    desk = stage.staged("multisweeper")
    sent = sent_by(desk)
    async with stage.desk_screen(desk) as (app, pilot):
        assert desk.prompt is not None
        first, second = desk.prompt.answers[:2]
        options = desk._options
        await press(app, *first, "enter", *second, "enter", *"/who", "enter")
        await asyncio.sleep(3 * SETTLE_S)
        assert len(sent) == 1, "the house has not answered yet"
        desk.hear(stage.over_the_wire(m.Events(8, ())))
        desk.hear(stage.over_the_wire(m.Question(9, "click", len(options), tuple(options))))
        await stage.until(pilot, lambda: len(sent) == 2)
        assert [one.at for one in sent] == [2, 9]
        await stage.shows(app, pilot, "At the table")


@pytest.mark.slow
async def test_when_it_is_anothers_turn_what_was_typed_ahead_is_refused_and_not_kept_for_later() -> None:
    desk = stage.staged("multisweeper")
    sent = sent_by(desk)
    async with stage.desk_screen(desk) as (app, pilot):
        assert desk.prompt is not None
        first, second = desk.prompt.answers[:2]
        options = desk._options
        await press(app, *first, "enter", *second, "enter")
        await stage.until(pilot, lambda: len(sent) == 1)
        desk.hear(stage.over_the_wire(m.Events(8, ())))
        await stage.until(pilot, lambda: desk.lines[-1].kind == "error")
        assert re.search("not your turn", desk.lines[-1].text)
        desk.hear(stage.over_the_wire(m.Question(9, "click", len(options), tuple(options))))
        await pilot.pause(2 * SETTLE_S)
        assert len(sent) == 1


@pytest.mark.slow
async def test_a_paste_without_end_is_cut() -> None:
    desk = stage.staged("multisweeper")
    async with stage.desk_screen(desk) as (app, pilot):
        line = app.screen.query_one(Composer).line
        line.post_message(events.Paste("'" + "x" * 1_000_000))
        await stage.until(pilot, lambda: line.value)
        assert len(line.value) <= 10_000
