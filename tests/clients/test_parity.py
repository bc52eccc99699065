"""What the page can do, the terminal can too: terms of a table, hints, rules, invitations, several tables."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tests import rig
from tests.clients import stage
from textual.widgets import Input, Select

from ludoteca import games
from ludoteca.cli import main
from ludoteca.clients import invitation, saved
from ludoteca.clients.screens.lobby import LobbyScreen
from ludoteca.clients.screens.opening import OpeningScreen
from ludoteca.clients.screens.texts import TextPage
from ludoteca.clients.visit import Look, Play, Sit
from ludoteca.core import Refused
from ludoteca.core.requests import WantedTerms
from ludoteca.wire import messages as m

PLAIN = {"gods": "none"}


@pytest.mark.slow
async def test_a_table_is_opened_with_clock_absence_privacy_and_name(tmp_path: Path) -> None:
    async with rig.house(tmp_path / "house", "http", "house") as server:
        host, port = server.addresses["http"]
        async with stage.application(Look(), server=f"{host}:{port}") as (app, pilot):
            await stage.until(pilot, lambda: app.visit is not None and app.visit.link.connected)
            chosen: list[Play | None] = []
            form = OpeningScreen(games.load("santorini"), private=False)
            app.push_screen(form, chosen.append)
            await stage.until(pilot, lambda: form.is_mounted and form.query("#label"))
            form.query_one("#clock", Select).value = 60
            form.query_one("#absence", Select).value = "bot"
            form.query_one("#private", Select).value = True
            form.query_one("#label", Input).value = "friends"
            form.action_open()
            await stage.until(pilot, lambda: chosen)
            assert chosen[0] is not None
            app._open(chosen[0])
            await stage.at_table(app, pilot)
            (table,) = server.house.hall.tables
            assert (table.label, table.terms.private) == ("friends", True)
            assert (table.terms.move_s, table.terms.absence) == (60, "bot")


def test_the_same_is_said_on_the_command_line(monkeypatch: pytest.MonkeyPatch) -> None:
    wishes: list[Any] = []
    monkeypatch.setattr(
        "ludoteca.clients.commands._run", lambda server, name, wish, mode, key: wishes.append(wish)
    )

    def play(*arguments: str) -> str:
        return CliRunner().invoke(main, ["play", *arguments]).output

    house = ("--server", "play.example")
    play("santorini", *house, "--clock", "30", "--absence", "end", "--private", "--label", "us")
    assert wishes.pop() == Play(
        "santorini", None, terms=WantedTerms(move_s=30, absence="end", private=True), label="us"
    )
    play(*house, "--table", "https://play.example/table/df360f547f48")
    assert wishes.pop() == Sit("df360f547f48")
    play("santorini", "--clock", "30")
    assert wishes.pop().terms == WantedTerms(move_s=30)
    assert "name the house with --server" in play("santorini", "--private")
    assert "name the game" in play(*house, "--label", "us")
    assert "not in the range" in play("santorini", "--clock", "99999999")
    assert wishes == []


@pytest.mark.slow
async def test_a_hint_is_asked_for_and_told_in_the_words_of_the_game(tmp_path: Path) -> None:
    async with rig.house(tmp_path / "house", "house", bot_s=0.05, bot_workers=0) as server:
        host, port = server.addresses["house"]
        wish = Play("santorini", 1, "random", PLAIN)
        async with stage.application(wish, server=f"tcp://{host}:{port}") as (app, pilot):
            desk = (await stage.at_table(app, pilot)).desk
            await stage.until(pilot, lambda: desk.asking)
            await stage.quick_press(app, "f8")
            await stage.until(pilot, lambda: "would answer" in desk.lines[-1].text)
            words = desk.lines[-1].text.partition("would answer: ")[2]
            assert any(words in line.text and "%" in line.text for line in desk.lines)
            assert desk.prompt is not None
            assert words in desk.prompt.answers


def test_a_hint_against_people_is_refused_in_words() -> None:
    desk = stage.staged("santorini", steps=12)
    sent: list[Any] = []
    desk._send = lambda *messages: sent.extend(messages)
    desk.hint()
    assert sent == [m.Hint(2)]
    desk.hear(stage.over_the_wire(m.Declined("hint", "people", "hints are for matches against bots")))
    assert desk.lines[-1].text == "Not done: hints are for matches against bots."
    desk.answer(desk.prompt.answers[0] if desk.prompt else "")
    with pytest.raises(Refused, match="not your turn"):
        desk.hint()


def test_somebody_is_reported_to_the_host_from_the_table() -> None:
    desk = stage.staged("santorini")
    sent: list[Any] = []
    desk._send = lambda *messages: sent.extend(messages)
    with pytest.raises(Refused, match="about whom"):
        desk.report("", "")
    desk.report("Gulp", "rude")
    assert sent == [m.Report("Gulp", "rude")]
    desk.hear(stage.over_the_wire(m.Noted("Gulp")))
    assert desk.lines[-1].text == "Your report about Gulp is kept for the host."
    desk.hear(stage.over_the_wire(m.Announced("We close at ten.")))
    assert desk.lines[-1].text == "The host to all: We close at ten."


def test_what_somebody_says_is_not_shown_to_who_wants_it_so() -> None:
    desk = stage.staged("santorini")

    def said(name: str, text: str) -> None:
        desk.hear(stage.over_the_wire(m.Said(9, name, text, None)))

    with pytest.raises(Refused, match="say whom"):
        desk.mute("")
    desk.mute("gulp")
    assert desk.lines[-1].text == "You see nothing of what gulp says."
    said("Gulp", "you fool")
    said("Bo", "hello")
    assert [line.text for line in desk.lines if line.kind == "chat"] == ["Bo: hello"]
    desk.mute("Gulp")
    assert desk.lines[-1].text == "You see again what Gulp says."
    said("Gulp", "sorry")
    assert desk.lines[-1].text == "Gulp: sorry"


@pytest.mark.slow
async def test_the_rules_and_a_card_are_read_at_the_table() -> None:
    desk = stage.staged("santorini")
    async with stage.desk_screen(desk) as (app, pilot):
        await stage.quick_press(app, *"/rules", "enter")
        await stage.until(pilot, lambda: isinstance(app.screen, TextPage))
        await stage.shows(app, pilot, "The rules of Santorini")
        await pilot.press("escape")
        line = app.screen.query_one("#line", Input)
        line.value = "/rules apollo"
        await stage.quick_press(app, "enter")
        await stage.shows(app, pilot, "Apollo (god)")


@pytest.mark.slow
async def test_an_invitation_is_an_address_and_a_code(tmp_path: Path) -> None:
    async with rig.house(tmp_path / "house", "http", "house") as server:
        host, port = server.addresses["http"]
        async with stage.application(
            Play("santorini", None, seats=2), server=f"{host}:{port}", size=(80, 40)
        ) as (app, pilot):
            desk = (await stage.at_table(app, pilot)).desk
            (table,) = server.house.hall.tables
            assert desk.address == f"http://{host}:{port}/table/{table.id}"
            await stage.quick_press(app, *"/invite", "enter")
            await stage.shows(app, pilot, table.id)
            drawn = invitation.code(desk.address)
            assert drawn[3].strip() in stage.text_of(app)


def test_the_code_is_the_one_that_telephones_read() -> None:
    """Its corners are as the standard has them: seven modules of a finder, in three corners."""
    for ascii_only, light in ((False, False), (True, False), (True, True)):
        drawn = invitation.code(
            "http://127.0.0.1:8000/table/df360f547f48", ascii_only=ascii_only, light=light
        )
        assert len({len(row) for row in drawn}) == 1
    rows = invitation.code("http://127.0.0.1:8000/table/df360f547f48", ascii_only=True)
    cells = [[row[at : at + 2] == "##" for at in range(0, len(row), 2)] for row in rows]
    size = len(cells)
    quiet = invitation.QUIET
    for top, left in ((quiet, quiet), (quiet, size - quiet - 7), (size - quiet - 7, quiet)):
        finder = [cells[top + i][left : left + 7] for i in range(7)]
        assert finder[0] == finder[6] == [True] * 7
        assert finder[1] == finder[5] == [True, *[False] * 5, True]
        assert finder[3] == [True, False, True, True, True, False, True]
    assert not any(cells[0])


def test_nobody_is_invited_into_a_private_house() -> None:
    desk = stage.staged("santorini")
    assert desk.address == ""


@pytest.mark.slow
async def test_somebody_sits_at_two_tables_and_goes_from_one_to_the_other(tmp_path: Path) -> None:
    async with rig.house(tmp_path / "house", "http", "house", bot_workers=0, bot_s=0.02) as server:
        host, port = server.addresses["http"]
        wish = Play("multisweeper", 1, "random")
        async with stage.application(wish, server=f"{host}:{port}", size=(100, 30)) as (app, pilot):
            first = (await stage.at_table(app, pilot)).desk
            await stage.until(pilot, lambda: first.asking)
            # To the lobby, without getting up.
            await stage.quick_press(app, "f6")
            await stage.shows(app, pilot, "to open or find another table")
            await pilot.press("enter")
            await stage.until(pilot, lambda: isinstance(app.screen, LobbyScreen))
            await stage.until(pilot, lambda: app.visit is not None and app.visit.link.connected)
            assert app.visit is not None
            assert app.visit.link.name == "Ann"
            app._open(Play("shelfie", None, seats=2))
            second = (await stage.at_table(app, pilot)).desk
            assert len(server.house.hall.tables) == 2
            ben = await rig.enter(server, "Ben")
            await ben.send({"type": "sit", "table": second.id})  # type: ignore[attr-defined]
            await stage.until(pilot, lambda: second.phase == "playing")
            asked = asyncio.create_task(ben.until("question"))
            while not asked.done():
                await stage.until(pilot, lambda: second.asking or asked.done())
                if not asked.done():
                    await stage.answer_by_chance(app, pilot, second)
                    await asyncio.sleep(0.1)
            # Back to the first, which waited, connected all the time.
            await stage.quick_press(app, "f6")
            await stage.shows(app, pilot, "Multisweeper table-1: Ann, Bot-Ada, your turn")
            await pilot.press("enter")
            await stage.until(pilot, lambda: getattr(app.screen, "desk", None) is first)
            # Whoever is asked at a table that is not shown is called there.
            message = asked.result()
            while not second.asking:
                answer = {"type": "act", "action": message["options"][0], "at": message["number"]}
                await ben.send(answer)
                following = asyncio.create_task(ben.until("question"))
                await stage.until(pilot, lambda one=following: second.asking or one.done())  # type: ignore[misc]
                if following.done():
                    message = following.result()
                else:
                    following.cancel()
            await stage.until(
                pilot,
                lambda: any(
                    note.message.startswith("My Shelfie") and "it is your turn" in note.message
                    for note in app._notifications
                ),
            )
            # Still asked there. An answer by chance might end that match, and its seat would be gone.
            assert first.asking
            await ben.close()
        seats = [seat.name for seat in saved.load().seats]
        assert seats == ["Ann", "Ann"], "both can be come back to"


@pytest.mark.slow
async def test_a_match_that_somebody_left_is_played_on_against_a_bot(tmp_path: Path) -> None:
    async with rig.house(tmp_path / "house", "house", bot_s=0.05, bot_workers=0) as server:
        host, port = server.addresses["house"]
        async with stage.application(
            Play("santorini", None, "", PLAIN, seats=2), server=f"tcp://{host}:{port}"
        ) as (app, pilot):
            desk = (await stage.at_table(app, pilot)).desk
            bea = await rig.enter(server, "Bea")
            (table,) = server.house.hall.tables
            await bea.send({"type": "sit", "table": table.id})
            await stage.until(pilot, lambda: desk.asking)
            await bea.send({"type": "leave"})
            await stage.until(pilot, lambda: desk.phase == "over")
            await stage.shows(app, pilot, "/continue")
            await pilot.press(*"/continue easy", "enter")
            await stage.until(pilot, lambda: desk.phase == "playing" and desk.asking)
            assert [player.bot for player in desk.players] == ["", "easy"]
