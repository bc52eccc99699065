"""A table of the house as a desk: what its messages make of it."""

import time
from typing import Any

import msgspec
import pytest
from tests.clients import stage

from ludoteca import games
from ludoteca.clients.desks.desk import describe
from ludoteca.clients.desks.house import HouseTable
from ludoteca.clients.link import Lost, Restored
from ludoteca.core import Refused, Seat
from ludoteca.core.notices import Sitter, TableInfo
from ludoteca.core.requests import Terms
from ludoteca.core.why import Attempt, why_not
from ludoteca.wire import messages as m


def heard(desk, message):
    desk.hear(stage.over_the_wire(message))


def test_a_clock_runs_for_whoever_is_asked():
    desk = stage.staged("santorini", steps=20)
    heard(desk, m.Clock(0, 30.0))
    until = desk.players[0].until
    assert until is not None
    assert 25 < until - time.monotonic() <= 30
    assert desk.players[1].until is None


@pytest.mark.slow
@pytest.mark.parametrize("name", games.names())
def test_what_is_typed_and_not_legal_is_answered_with_the_reason(name):
    tried = 0
    for steps in (*range(2, 12), 14, 30):
        desk = stage.staged(name, steps=steps)
        if desk.seat is None or desk._asked is None or desk.game.why is None:
            continue
        legal = {desk.game.text.write(choice) for choice in desk._asked.choices}
        for action, *more in desk.game.why.tempting(desk.view, desk.seat, desk._asked):
            words = desk.game.text.write(action)
            if more or words in legal:
                continue
            attempt = Attempt(desk.view, desk.seat, desk._asked, (action,), desk.names)
            with pytest.raises(Refused) as refused:
                desk.answer(words)
            reason = why_not(desk.game.why, attempt)
            assert reason is not None
            assert refused.value.reason == reason.words["en"]
            tried += 1
    assert tried


def test_a_broken_off_match_is_offered_to_be_played_on_and_no_other():
    said: list[Any] = []
    desk = stage.staged("santorini", steps=20)
    desk._send = said.append
    with pytest.raises(Refused, match="broken off"):
        desk.play_on("")
    heard(desk, m.Over((), (), "a player left", {}))
    assert desk.prompt is not None
    assert desk.prompt.answers[0] == "/continue"
    desk.play_on("easy")
    assert said == [m.Continue(desk.id, "", "easy")]
    heard(desk, m.Over((1, 2), (0,), "they won", {}))
    assert "/continue" not in desk.prompt.answers


def test_what_the_game_proposes_is_the_first_answer_and_sent_whole():
    for steps in range(2, 60):
        desk = stage.staged("renaissance", steps=steps)
        if desk._asked is not None and desk._asked.kind == "place" and not desk.view.draft:
            break
    assert desk._asked is not None
    proposal = tuple(desk.game.proposals["place"](desk.view, Seat(desk.seat or 0)))
    said: list[Any] = []
    desk._send = said.append
    heard(desk, m.Question(99, "place", len(desk._options), tuple(desk._options), False, proposal))
    assert desk.prompt is not None
    assert desk.prompt.answers[0] == "as proposed"
    assert desk.game.text.write(proposal[0]) in desk.prompt.sentence
    # Anything else is still an answer.
    first = msgspec.convert(desk._options[0], desk.game.actions)
    assert desk.prompt.answers[1] == desk.game.text.write(first)
    desk.answer("As proposed")
    (act,) = said
    assert (act.at, len(act.actions)) == (99, len(proposal))


def test_people_come_go_and_return():
    desk = stage.staged("shelfie", steps=4)
    heard(desk, m.Left(1, "Ben", 60.0, False, ""))
    assert describe(desk.players)[1] == "Ben (away)"
    heard(desk, m.Returned(1, "Ben"))
    assert describe(desk.players)[1] == "Ben"
    heard(desk, m.Left(1, "Ben", 0.0, True, "a bot holds the chair"))
    assert desk.lines[-1].text == "Ben has left: a bot holds the chair."
    heard(desk, m.Said(9, "Ben", "bye", "Ann"))
    assert desk.lines[-1].text == "Ben to Ann: bye"


def test_an_open_table_offers_bots_unless_they_are_on_their_way():
    desk = stage.staged("santorini", steps=0)
    desk.phase, desk.chairs[1] = "open", None
    desk.expect_bots(1)
    assert desk.prompt is None
    desk.expect_bots(0)
    assert desk.prompt is not None
    assert desk.prompt.answers[-2:] == ("/bot random", "/leave")
    desk.expect_bots(1)
    heard(desk, m.Sat(1, Sitter("Bot-Ada", "Bot-Ada", "bot", "random")))
    assert (desk.bots_coming, desk.players[1].bot) == (0, "random")


def test_a_watcher_keeps_the_board_when_the_connection_is_back():
    desk = stage.staged("multisweeper", steps=6)
    info = TableInfo(desk.id, "multisweeper", "table-1", "playing", tuple(desk.chairs), {}, Terms(), 0)
    watcher = HouseTable(stage.over_the_wire(m.Seated(info, None)), lambda *_: None)
    heard(watcher, m.View(4, desk.view))
    before = watcher.picture
    assert before
    watcher.hear(Lost("gone"))
    watcher.hear(Restored())
    # The house was asked for what happened since record 4: it sends no view.
    heard(watcher, m.Seated(info, None))
    assert watcher.picture == before
    column = desk.view.cells.index(9) % desk.view.width
    row = desk.view.cells.index(9) // desk.view.width
    heard(watcher, m.Events(5, ({"type": "Opened", "seat": 0, "column": column, "row": row, "cells": []},)))
    assert watcher.lines[-1].kind == "event"


def test_a_refused_answer_leaves_the_question_and_says_why():
    desk = stage.staged("santorini", steps=20)
    with pytest.raises(Refused, match="for example"):
        desk.answer("fly")
    assert desk.asking
    answer = desk.prompt.answers[0] if desk.prompt else ""
    desk.answer(answer)
    assert not desk.asking
    with pytest.raises(Refused, match="not your turn"):
        desk.answer(answer)
    heard(desk, m.Declined("act", "stale", "that question has been answered already"))
    assert desk.lines[-1].text == "Not possible: that question has been answered already."


def test_a_lost_connection_is_said_once():
    desk = stage.staged("santorini", steps=20)
    for _ in range(3):
        desk.hear(Lost("no route"))
    assert [line.text for line in desk.lines].count("The connection is lost (no route); trying again.") == 1
    with pytest.raises(Refused, match="no connection"):
        desk.leave()
    desk.hear(Restored())
    assert not desk.lost


def test_the_end_lists_points_by_name():
    desk = stage.staged("shelfie", seats=2, steps=10_000)
    head, columns, *rows = desk.ending()
    assert "most points" in head
    assert columns.split()[-1] == "total"
    assert [row.split()[0] for row in rows] == ["Ann", "Ben"]
    with pytest.raises(Refused, match="over"):
        desk.answer("take d4")


def test_options_that_did_not_fit_are_asked_for_in_parts():
    sent: list[object] = []
    desk = stage.staged("santorini", steps=20)
    desk._send = lambda *messages: sent.extend(messages)
    assert desk.prompt is not None
    everything = tuple(desk._options)
    heard(desk, m.Question(3, "move", len(everything)))
    assert sent == [m.Options(0)]
    assert desk.prompt is None
    heard(desk, m.OptionList(3, 0, len(everything), everything[:2]))
    heard(desk, m.OptionList(3, 2, len(everything), everything[2:]))
    assert sent == [m.Options(0), m.Options(2)]
    assert desk.asking
