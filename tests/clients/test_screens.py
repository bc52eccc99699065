"""The screens as a person uses them: chat, other sizes, a lost connection, the lobby, watching, replaying."""

import asyncio

import pytest
from tests import rig
from tests.clients import stage
from textual.widgets import Input, Select

from ludoteca import games
from ludoteca.clients.app import Application
from ludoteca.clients.commands import wish_to_play
from ludoteca.clients.run import Mode
from ludoteca.clients.screens.lobby import LobbyScreen
from ludoteca.clients.screens.opening import OpeningScreen
from ludoteca.clients.screens.replay import ReplayScreen
from ludoteca.clients.screens.table import TableScreen
from ludoteca.clients.screens.texts import TextPage
from ludoteca.clients.visit import Look, Play, Watch
from ludoteca.clients.widgets.line import Composer
from ludoteca.hall import lookers

# Whole screens take their time: not for make check.
pytestmark = pytest.mark.slow

SMALL = ("width=4", "height=4", "mines=3")


async def test_an_answer_can_be_typed_chosen_by_letter_and_clicked():
    async with stage.application(wish_to_play("santorini", level="random")) as (app, pilot):
        screen = await stage.at_table(app, pilot)
        desk, composer = screen.desk, screen.query_one(Composer)
        await stage.until(pilot, lambda: desk.asking)
        first = desk.prompt
        assert first is not None
        answer = first.answers[3]
        await pilot.press(*answer.split()[-1][:4].lower())
        # Letters narrow the choices.
        await stage.until(
            pilot, lambda: composer.grid.choice is not None and composer.grid.choice.text == answer
        )
        await pilot.press("escape")
        await stage.until(pilot, lambda: composer.line.value == "")
        for key in answer.lower():
            await pilot.press("space" if key == " " else key)
        await pilot.press("enter")
        await stage.until(pilot, lambda: desk.prompt is not first and desk.asking)
        second = desk.prompt
        for _ in range(50):
            # The grid is drawn anew for the second question; a click before that meets nothing.
            await pilot.click(composer.grid, offset=(1 + len(composer.grid._lead()), 0))
            await pilot.pause(0.1)
            if desk.prompt is not second:
                break
        assert desk.prompt is not second


async def test_words_that_are_no_answer_are_explained_and_the_question_stays():
    async with stage.application(wish_to_play("santorini", level="random")) as (app, pilot):
        screen = await stage.at_table(app, pilot)
        await stage.until(pilot, lambda: screen.desk.asking)
        await pilot.press(*"fly", "enter")
        await stage.until(pilot, lambda: screen.desk.lines[-1].kind == "error")
        assert screen.desk.asking
        await pilot.press("f1")
        await stage.until(pilot, lambda: isinstance(app.screen, TextPage))
        await stage.shows(app, pilot, "You are the Challenger")
        await pilot.press("escape")
        await stage.until(pilot, lambda: isinstance(app.screen, TableScreen))


async def test_people_at_one_table_talk_and_play(tmp_path):
    async with rig.house(tmp_path / "house", "http", "house") as server:
        host, port = server.addresses["http"]
        ben = await rig.enter(server, "Ben")
        await ben.send({"type": "open", "game": "santorini", "seats": 2})
        await ben.until("seated")
        async with stage.application(wish_to_play("santorini", private=False), server=f"{host}:{port}") as (
            app,
            pilot,
        ):
            screen = await stage.at_table(app, pilot)
            await ben.until("sat")
            await pilot.press("f3", *"hello", "enter")
            said = await ben.until("said")
            assert (said["name"], said["text"]) == ("Ann", "hello")
            await ben.send({"type": "say", "text": "good luck"})
            await stage.until(pilot, lambda: "Ben: good luck" in [line.text for line in screen.desk.lines])
            await stage.shows(app, pilot, "Ben: good luck")
            # After one line the keys are for the game again.
            await stage.until(pilot, lambda: not screen.query_one(Composer).talking)
        await ben.close()


@pytest.mark.parametrize("lines", [True, False], ids=["tcp", "websocket"])
async def test_a_lost_connection_is_restored_and_the_match_goes_on(tmp_path, lines):
    async with rig.house(tmp_path / "house", "http", "house") as server:
        host, port = server.addresses["house" if lines else "http"]
        address = f"{'tcp' if lines else 'http'}://{host}:{port}"
        wish = wish_to_play("santorini", bots=1, level="random", private=False)
        async with stage.application(wish, server=address) as (app, pilot):
            screen = await stage.at_table(app, pilot)
            desk = screen.desk
            await stage.until(pilot, lambda: desk.asking)
            await pilot.press(*"/any", "enter")
            await stage.until(pilot, lambda: desk.asking)
            picture = desk.picture
            assert app.visit is not None
            assert app.visit.link._pipe is not None
            await app.visit.link._pipe.close()
            await stage.until(pilot, lambda: desk.lost)
            await stage.shows(app, pilot, "Connection lost")
            await stage.until(pilot, lambda: not desk.lost and desk.asking)
            assert desk.picture == picture
            await stage.until(pilot, lambda: "Connection lost" not in stage.text_of(app))
            for _ in range(3):
                await stage.answer_by_chance(app, pilot, desk)
                await stage.until(pilot, lambda: desk.asking)


async def test_a_restarted_house_is_come_back_to(tmp_path):
    async with rig.process(tmp_path / "house", "house") as server:
        host, port = server.addresses["house"]
        wish = wish_to_play("shelfie", bots=1, level="random", private=False)
        async with stage.application(wish, server=f"tcp://{host}:{port}") as (app, pilot):
            desk = (await stage.at_table(app, pilot)).desk
            await stage.until(pilot, lambda: desk.asking)
            picture = desk.picture
            await server.kill()
            await stage.until(pilot, lambda: desk.lost)
            await server.start()
            await stage.until(pilot, lambda: not desk.lost and desk.asking)
            assert desk.picture == picture


async def test_the_screen_follows_the_size_of_the_terminal():
    desk = stage.staged("shelfie", steps=20)
    async with stage.desk_screen(desk) as (app, pilot):
        middle = app.screen.query_one("#middle")
        assert middle.has_class("below"), "at 80 columns the log is below the wide board"
        await pilot.resize_terminal(120, 40)
        await stage.until(pilot, lambda: not middle.has_class("below"))
        await stage.until(pilot, lambda: max(map(len, stage.text_of(app).split("\n"))) > 80)
        await pilot.resize_terminal(60, 16)
        # The question is never squeezed out.
        assert desk.prompt is not None
        await stage.shows(app, pilot, desk.prompt.sentence[:30])


async def test_ascii_terminals_get_ascii_only():
    desk = stage.staged("renaissance", steps=40)
    async with stage.desk_screen(desk, mode=Mode(ascii=True, colours="16")) as (app, pilot):
        assert app.theme == "ansi-dark"
        for page in ("escape", "f1"):
            await pilot.press(page)
            await pilot.pause()
            shown = stage.text_of(app)
            assert shown.isascii(), [sign for sign in shown if not sign.isascii()]


async def test_a_terminal_without_colours_gets_none():
    desk = stage.staged("santorini", steps=20)
    async with stage.desk_screen(desk, mode=Mode(colours="none")) as (app, _):
        assert app.no_color
        strips = app.screen._compositor.render_strips()
        assert strips


async def test_a_table_is_opened_in_the_lobby_with_its_options():
    async with stage.application(Look()) as (app, pilot):
        await stage.until(pilot, lambda: app.visit is not None and not app.visit.lost)
        assert isinstance(app.screen, LobbyScreen)
        assert "Santorini" in stage.text_of(app)
        await pilot.press(*["down"] * games.names().index("multisweeper"), "enter")
        await stage.until(pilot, lambda: isinstance(app.screen, OpeningScreen))
        await pilot.pause()
        app.screen.query_one("#level", Select).value = "random"
        app.screen.query_one("#option-width", Input).value = "5"
        app.screen.query_one("#option-mines", Input).value = "99"
        await pilot.press("ctrl+o")
        assert isinstance(app.screen, OpeningScreen), "nonsense is explained, not opened"
        app.screen.query_one("#option-mines", Input).value = "4"
        await pilot.press("ctrl+o")
        screen = await stage.at_table(app, pilot)
        await stage.until(pilot, lambda: screen.desk.asking or screen.desk.phase == "over")
        assert screen.desk.picture.startswith("5 by 9, 4 mines")


async def test_a_finished_match_is_replayed_from_the_lobby():
    async with stage.application(wish_to_play("multisweeper", level="random", options=SMALL)) as (app, pilot):
        desk = (await stage.at_table(app, pilot)).desk
        await stage.play_out(app, pilot, desk)
        await pilot.press(*"/leave", "enter")
        await stage.until(pilot, lambda: isinstance(app.screen, LobbyScreen))
        await stage.until(pilot, lambda: "Finished matches" in stage.text_of(app))
        await pilot.press("end", "enter")
        await stage.until(pilot, lambda: isinstance(app.screen, ReplayScreen))
        replay = app.screen
        assert isinstance(replay, ReplayScreen)
        await stage.shows(app, pilot, "step 1 of")
        await pilot.press("end")
        await stage.shows(app, pilot, f"step {len(replay.steps)} of {len(replay.steps)}")
        await pilot.press("left", "right", "s", "s")
        await stage.shows(app, pilot, f"step {len(replay.steps)} of {len(replay.steps)}, seen as Bot-Ada")
        # Nobody has an opinion on Multisweeper: the last click decided it.
        await pilot.press("home", "d")
        await stage.shows(app, pilot, "which decided it")
        await pilot.press("escape")
        await stage.until(pilot, lambda: isinstance(app.screen, LobbyScreen))


async def test_an_unfinished_private_match_waits_for_its_player():
    async with stage.application(wish_to_play("santorini", level="random")) as (app, pilot):
        desk = (await stage.at_table(app, pilot)).desk
        await stage.until(pilot, lambda: desk.asking)
        await pilot.press(*"/any", "enter")
        await stage.until(pilot, lambda: desk.asking)
        picture = desk.picture
    async with stage.application(wish_to_play("santorini", level="random")) as (app, pilot):
        desk = (await stage.at_table(app, pilot)).desk
        await stage.until(pilot, lambda: desk.asking)
        assert desk.picture == picture
        assert any("not finished" in line.text for line in desk.lines)
    async with stage.application(wish_to_play("santorini", level="random", new=True)) as (app, pilot):
        desk = (await stage.at_table(app, pilot)).desk
        await stage.until(pilot, lambda: desk.asking)
        assert desk.players[0].name == "Ann", "the seat at the old match shows that the name is ours"
        await pilot.press(*"/leave", "enter")
        await stage.until(pilot, lambda: "Your table waits for you" in stage.text_of(app))
        await pilot.press("home", "enter")
        desk = (await stage.at_table(app, pilot)).desk
        await stage.until(pilot, lambda: desk.asking)
        assert (desk.players[0].name, desk.picture) == ("Ann", picture)


async def test_somebody_watches_a_table(tmp_path):
    async with rig.house(tmp_path / "house", "http", "house") as server:
        host, port = server.addresses["http"]
        ben = await rig.enter(server, "Ben")
        await ben.send({"type": "open", "game": "multisweeper", "seats": 2})
        seated = (await ben.until("seated"))["table"]
        table = seated["label"]
        # Somebody who does nothing: a bot might end the match while we look on.
        cleo = await rig.enter(server, "Cleo")
        await cleo.send({"type": "sit", "table": seated["id"]})
        asked = await ben.until("question")
        async with stage.application(Watch(table), server=f"{host}:{port}") as (app, pilot):
            desk = (await stage.at_table(app, pilot)).desk
            await stage.until(pilot, lambda: desk.picture)
            before = desk.picture
            await ben.send(
                {"type": "act", "action": {"type": "Click", "column": 4, "row": 4}, "at": asked["number"]}
            )
            await stage.until(pilot, lambda: desk.picture != before)
            assert not desk.asking
            await pilot.press(*"3 3".replace(" ", ""), "enter")
            await stage.until(pilot, lambda: desk.lines[-1].kind == "error")
            assert "watch" in desk.lines[-1].text
        await ben.close()
        await cleo.close()


async def test_the_lobby_changes_by_itself_and_one_finds_ones_own_seat_among_many(tmp_path, monkeypatch):
    monkeypatch.setattr(lookers, "SEEN_MAX", 2)
    async with rig.house(tmp_path / "house", "http", "house") as server:
        host, port = server.addresses["http"]
        people = [await rig.enter(server, name) for name in ("Ben", "Cleo")]
        for person in people:
            await person.send({"type": "open", "game": "santorini", "seats": 2})
            await person.until("seated")
        async with stage.application(Play("multisweeper"), server=f"{host}:{port}") as (app, pilot):
            await stage.at_table(app, pilot)
        async with stage.application(Look(), server=f"{host}:{port}") as (app, pilot):
            # The house shows two tables, and ours is the third.
            await stage.shows(app, pilot, "Your table waits for you")
            await stage.shows(app, pilot, "Cleo, free")
            gazes = dict(server.house.hall.lookers.gazes)
            assert len(gazes) == 1
            await people[1].send({"type": "leave"})
            await stage.until(pilot, lambda: "Cleo" not in stage.text_of(app))
            await people[1].send({"type": "open", "game": "santorini", "seats": 2, "label": "again"})
            await people[0].send({"type": "leave"})
            await stage.shows(app, pilot, "again, open: Cleo, free")
            # It looked once, and was told the rest.
            assert server.house.hall.lookers.gazes == gazes


async def test_a_taken_name_is_asked_for_again(tmp_path):
    async with rig.house(tmp_path / "house", "http", "house") as server:
        host, port = server.addresses["http"]
        ann = await rig.enter(server, "Ann")
        async with stage.application(Look(), server=f"{host}:{port}") as (app, pilot):
            await stage.until(pilot, lambda: type(app.screen).__name__ == "NamingScreen")
            await pilot.press("end", *"ie", "enter")
            assert app.visit is not None
            link = app.visit.link
            await stage.until(pilot, lambda: isinstance(app.screen, LobbyScreen) and link.connected)
            assert link.name == "Annie"
        await ann.close()


async def test_a_house_that_is_not_there_is_waited_for():
    async with stage.application(Look(), server="127.0.0.1:9") as (app, pilot):
        await stage.until(pilot, lambda: "no connection" in stage.text_of(app))
        assert isinstance(app, Application)
        assert not isinstance(app.screen, TableScreen)
        await asyncio.sleep(0)
