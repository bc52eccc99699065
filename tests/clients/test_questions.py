"""What a question is about is on the screen, in colours that agree with the words."""

import gzip
from pathlib import Path

import pytest
from tests.clients import stage

from ludoteca.clients.app import ReplayApplication
from ludoteca.clients.colours import colour_of
from ludoteca.clients.completion import about_choice, place_of
from ludoteca.clients.replays import stored_matches, stored_replay
from ludoteca.clients.run import Mode
from ludoteca.clients.screens.table import TableScreen
from ludoteca.clients.widgets.board import Picture
from ludoteca.server.schema import journal_in

CORPUS = Path(__file__).parents[1] / "journal" / "corpus" / "0.2.0" / "journal.sqlite3.gz"


@pytest.mark.slow
async def test_the_leaders_one_is_asked_about_are_on_a_small_screen() -> None:
    desk = stage.staged("renaissance", seats=3)
    assert desk.prompt is not None
    leaders = {word for answer in desk.prompt.answers for word in answer.split()[1:]}
    assert len(leaders) == 4
    async with stage.desk_screen(desk) as (app, pilot):
        await stage.until(pilot, lambda: all(f"in hand {one} " in stage.text_of(app) for one in leaders))
        # And the one that is marked is told beside the question, wherever the board stands.
        await stage.shows(app, pilot, "leaders. L")
        await pilot.press("pageup", "pageup", "pageup", "pageup")
        await stage.shows(app, pilot, "more rows")
        assert f"in hand {max(leaders)} " not in stage.text_of(app), "who scrolls is not scrolled back"
        await pilot.press("right")
        second = sorted(leaders)[1]
        await stage.shows(app, pilot, f"leaders. {second} ")


def test_what_is_told_about_a_choice_is_its_own_line() -> None:
    explained = "Two stay.\nL004 cards cost less\nApollo: May step."
    assert about_choice(explained, "keep L004") == "L004 cards cost less"
    assert about_choice(explained, "offer apollo") == "Apollo: May step."
    assert about_choice(explained, "keep L009") == ""
    assert about_choice("", "keep") == ""
    assert about_choice("Take one, two or three tiles.", "take d4") == "", "a sentence is about no choice"


def test_the_rows_about_a_question_are_those_with_its_codes_or_our_own() -> None:
    rows = ("market", "Ben", "Ann", "  in hand L004", "  in hand L008")
    assert place_of(rows, ("keep L004 L008",), ["Ann"]) == (3, 4)
    assert place_of(rows, ("take row",), ["Ann"]) == (2, 2)
    assert place_of(rows, (), []) == (0, 0)


@pytest.mark.slow
async def test_names_have_the_colours_that_their_players_took() -> None:
    """ "Ann takes magenta" and her workers are not cyan."""
    desk = stage.staged("santorini", steps=20)
    seats = {desk.view.colours[seat]: desk.hues[seat] for seat in range(2)}
    assert len(set(seats.values())) == 2
    for size in ((80, 24), (120, 40)):
        async with stage.desk_screen(desk, size=size) as (app, pilot):
            await stage.settled(app, pilot)
            screen = app.screen
            assert isinstance(screen, TableScreen)
            for seat, name in enumerate(desk.names):
                wanted = colour_of(seat, desk.hues)
                assert wanted == desk.hues[seat].replace(" ", "_")
                assert wanted in screen._player(seat, desk.players[seat])[1]
                logged = [text for line, text in screen._painted if name in line.text]
                assert any(wanted in str(span.style) for text in logged for span in text.spans)
                painted = screen.query_one(Picture)._painted
                styles = {str(span.style) for span in painted.spans}
                assert any(wanted in style for style in styles)


def test_a_seat_without_a_colour_of_the_game_has_its_own() -> None:
    assert colour_of(1) == colour_of(1, ("", ""))
    assert colour_of(0, ("bright magenta",)) == "bright_magenta"


@pytest.mark.slow
async def test_a_replay_shows_the_whole_board_also_when_it_has_grown(tmp_path: Path) -> None:
    """The pane kept the size of its first picture, and cut a whole player off."""
    journal_in(tmp_path).write_bytes(gzip.decompress(CORPUS.read_bytes()))
    match = next(one for one in stored_matches(tmp_path) if one.table.game == "eriantys")
    played = stored_replay(tmp_path, match.id)
    app = ReplayApplication(played, None, Mode(colours="256"))
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("end")
        picture = app.screen.query_one(Picture)
        await stage.settled(app, pilot)
        rows = [row.rstrip() for row in picture._painted.plain.split("\n")]
        shown = stage.text_of(app)
        for row in rows:
            assert row.strip() in shown
