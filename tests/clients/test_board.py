"""Boards on the screen: they take the room there is, can be pointed at, and mark the last turn."""

import random
from functools import partial
from typing import Any

import pytest
from msgspec.structs import replace
from tests.clients import stage
from textual.geometry import Size
from textual.screen import Screen

from ludoteca import games
from ludoteca.clients.colours import paint_drawing
from ludoteca.clients.completion import about
from ludoteca.clients.desks.house import HouseTable
from ludoteca.clients.run import Mode
from ludoteca.clients.widgets.board import LARGE, Picture, largest
from ludoteca.clients.widgets.line import Composer
from ludoteca.core import Canvas, Dice, Game, Room, Setup, Sight
from ludoteca.core.drawing import clipped

# What a table's screen leaves of 80x24, of 120x40 with the log beside and below, and of 200x60.
ROOMS = (Room(0, 0), Room(91, 30), Room(117, 28), Room(171, 48))
LONG = ("Ann", "Benedict-the-Very-Long", "木村さんの長い名前", "Dan", "Eve", "Finn", "Gus", "Hal")


# What is meant.


def test_a_place_means_the_answers_that_name_it():
    answers = ["move B2 C3", "move B2 C2", "move D4 C3", "end"]
    assert about(answers, [("B2",)]) == ["move B2 C3", "move B2 C2"]
    assert about(answers, [("B2",), ("C3",)]) == ["move B2 C3"]
    assert about(answers, [("E5",)]) == []


def test_places_may_be_named_in_any_order():
    answers = ["take d4", "take d4 d5", "take d5"]
    assert about(answers, [("d5",), ("d4",)]) == ["take d4 d5"]


def test_a_place_named_twice_is_all():
    answers = ["take d4", "take d4 d5", "take c4 d4"]
    assert about(answers, [("d4",), ("d4",)]) == ["take d4"]
    assert about(["build B2 B2", "build B2 C3"], [("B2",), ("B2",)]) == ["build B2 B2"]


def test_words_of_a_place_belong_together():
    assert about(["click 3 4", "click 4 3", "click 13 4"], [("3 4",)]) == ["click 3 4"]


def test_a_place_may_have_several_names():
    assert about(["walk 2", "walk 3"], [("to 5", "walk 3")]) == ["walk 3"]


# What is drawn.


def test_wide_signs_move_nothing_else():
    canvas = Canvas()
    canvas.put(0, 0, "木村", "bold")
    canvas.put(0, 5, "|", "red")
    drawing = canvas.drawing()
    assert drawing.rows == ("木村 |",)
    assert [(stroke.start, stroke.end) for stroke in drawing.strokes] == [(0, 2), (3, 4)]


def test_nothing_on_a_board_steers_the_terminal():
    canvas = Canvas()
    canvas.put(0, 0, "A\x1b[2Jn\n\x07n")
    assert canvas.drawing().rows == ("A[2Jnn",)


def test_what_is_too_long_says_so():
    assert clipped("Benedict", 5) == "Bene…"
    assert clipped("木村さん", 5) == "木村…"


def sights(name, seats, seed=3):
    """Sights along a match at random, with the view of some steps before."""
    game = games.load(name)
    settled = game.settle(game.options(), seats)
    state, _ = game.start(Setup(seats, seed, settled, (game.preferences(),) * seats))
    dice, names = Dice(seed), LONG[:seats]
    before = None
    for step in range(3000):
        seat = step % seats
        if step % 17 == 0 or state.outcome is not None:
            view = game.view(state, seat)
            yield Sight(view, names, seat, before), state.questions.get(seat)
            before = None if seats == 1 else game.view(state, (step + 17) % seats)
        if state.outcome is not None:
            return
        mover, question = next(iter(state.questions.items()))
        game.apply(state, mover, dice.choice(question.choices))


@pytest.mark.slow
@pytest.mark.parametrize("name", games.names())
def test_boards_fit_their_room_whoever_plays(name):
    game = games.load(name)
    for seats in game.seats:
        for sight, _ in sights(name, seats):
            for room in ROOMS:
                drawing = game.text.board(sight, room)
                if drawing is None:
                    continue
                assert drawing.plain or drawing.fits(room), (seats, room, "\n".join(drawing.rows))
                for spot in drawing.spots:
                    assert 0 <= spot.row <= len(drawing.rows) - spot.height
                    assert drawing.plain or 0 <= spot.column <= drawing.columns - spot.width
                painted = paint_drawing(drawing, sight.names, game.text.inks)
                assert painted.plain.split("\n") == list(drawing.rows)


def rows_of(game: Game, sight: Sight, room: Room) -> tuple[str, ...]:
    drawing = game.text.board(sight, room)
    assert drawing is not None
    return drawing.rows


@pytest.mark.slow
@pytest.mark.parametrize("name", games.names())
@pytest.mark.parametrize("size", [(120, 40), (200, 60)], ids=lambda size: f"{size[0]}")
def test_a_large_screen_has_a_large_board_whoever_plays_and_whatever_lies_there(name, size):
    game = games.load(name)
    for seats in game.seats:
        for sight, _ in sights(name, seats):
            # Four rows of frame, and as many rows of choices as there can be.
            drawing = largest(partial(game.text.board, sight), Size(*size), 4 + min(8, size[1] // 6))
            assert drawing is not None
            assert not drawing.plain, seats


# Answers that are about no place of the board, by their first words.
ELSEWHERE = {
    "eriantys": {"end", "stop"},
    "santorini": {"offer", "take", "start", "colour", "end"},
    "renaissance": {"pay", "back", "end", "start", "use"},
}


@pytest.mark.slow
@pytest.mark.parametrize("name", games.names())
def test_every_answer_about_the_board_can_be_pointed_at(name):
    game = games.load(name)
    for seats in game.seats:
        for sight, question in sights(name, seats):
            for room in ROOMS[2:] if question is not None else ():
                drawing = game.text.board(sight, room)
                if drawing is None:
                    pytest.skip("one picture for all screens")
                for answer in {game.text.write(option) for option in question.choices}:
                    if answer.split()[0] not in ELSEWHERE.get(name, ()):
                        assert any(about([answer], [spot.words]) for spot in drawing.spots), answer


@pytest.mark.parametrize("name", games.names())
@pytest.mark.parametrize("room", ROOMS[2:], ids=lambda room: f"{room.columns}")
def test_a_board_without_colours_still_shows_the_last_turn(name, room):
    """Whatever changed is marked by signs, not by ink alone: with and without it the rows differ."""
    game = games.load(name)
    if game.text.board(next(sights(name, max(2, game.seats[0])))[0], room) is None:
        pytest.skip("one picture for all screens")
    differ = 0
    for sight, _ in sights(name, max(2, game.seats[0])):
        if sight.before is not None:
            unmarked = Sight(sight.view, sight.names, sight.seat)
            differ += rows_of(game, sight, room) != rows_of(game, unmarked, room)
    assert differ


# Pointing.


def overheard(desk: HouseTable) -> list[str]:
    """What is answered from now on, in place of sending it."""
    sent: list[str] = []
    vars(desk)["answer"] = sent.append
    return sent


def place_of(screen: Screen[Any], words: str) -> tuple[int, int]:
    picture = screen.query_one(Picture)
    spot = next(spot for spot in picture.spots if words in spot.words)
    return spot.column + spot.width // 2, spot.row + spot.height // 2


async def ready(app, pilot):
    """The screen once a click is taken at its word: the first moment of a question rests."""
    await stage.settled(app, pilot)
    screen = app.screen
    composer = screen.query_one(Composer)
    composer._rests_until = 0.0
    return screen, composer


@pytest.mark.slow
@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)], ids=lambda size: f"{size[0]}")
async def test_a_click_on_a_cell_opens_it(size):
    desk = stage.staged("multisweeper", steps=1)
    sent = overheard(desk)
    async with stage.desk_screen(desk, size=size) as (app, pilot):
        screen, _ = await ready(app, pilot)
        await pilot.click(Picture, offset=place_of(screen, "7 2"))
        await stage.until(pilot, lambda: sent)
        assert sent == ["click 7 2"]


@pytest.mark.slow
@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)], ids=lambda size: f"{size[0]}")
async def test_a_worker_is_pointed_at_and_then_where_it_goes(size):
    desk = stage.staged("santorini", steps=42)
    sent = overheard(desk)
    assert desk.prompt is not None
    answers = desk.prompt.answers
    verb, source, target = answers[0].split()
    assert verb == "move"
    async with stage.desk_screen(desk, size=size) as (app, pilot):
        screen, composer = await ready(app, pilot)
        await pilot.click(Picture, offset=place_of(screen, source))
        await stage.until(pilot, lambda: composer.line.value == f"move {source} ")
        assert not sent, "pointing at a worker moves nothing"
        await pilot.click(Picture, offset=place_of(screen, target))
        await stage.until(pilot, lambda: sent)
        assert sent == [answers[0]]


@pytest.mark.slow
async def test_a_click_that_means_nothing_answers_nothing():
    desk = stage.staged("multisweeper", steps=1)
    sent = overheard(desk)
    async with stage.desk_screen(desk, size=(120, 40)) as (app, pilot):
        screen, composer = await ready(app, pilot)
        assert not composer.point(("99 99",))
        opened = next(cell for cell, value in enumerate(desk.view.cells) if value < 9)
        at = place_of(screen, f"{opened % desk.view.width} {opened // desk.view.width}")
        await pilot.click(Picture, offset=at)
        await pilot.pause(0.1)
        assert not sent
        assert composer.line.value == ""


@pytest.mark.slow
async def test_a_click_in_the_first_moment_of_a_question_is_none():
    desk = stage.staged("multisweeper", steps=1)
    sent = overheard(desk)
    async with stage.desk_screen(desk, size=(120, 40)) as (app, pilot):
        await stage.settled(app, pilot)
        composer = app.screen.query_one(Composer)
        composer._rests_until = float("inf")
        await pilot.click(Picture, offset=place_of(app.screen, "7 2"))
        await pilot.pause(0.1)
        assert not sent


# The cursor.


@pytest.mark.slow
@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=lambda size: f"{size[0]}")
async def test_the_cursor_walks_over_the_cells_and_enter_opens_one(size):
    desk = stage.staged("multisweeper", steps=1)
    sent = overheard(desk)
    async with stage.desk_screen(desk, size=size) as (app, pilot):
        screen, composer = await ready(app, pilot)
        picture = screen.query_one(Picture)
        await pilot.press("right")
        assert composer.grid.marked == 1, "the arrows belong to the choices until the cursor is out"
        await pilot.press("f4")
        assert picture.cursor is not None
        start = picture.cursor.words[0]
        await pilot.press("right", "down")
        column, row = map(int, start.split())
        assert picture.cursor.words == (f"{column + 1} {row + 1}",)
        assert composer.grid.marked == 1
        await pilot.press("enter")
        await stage.until(pilot, lambda: sent)
        assert sent == [f"click {column + 1} {row + 1}"]
        await pilot.press("escape")
        assert picture.cursor is None


@pytest.mark.slow
async def test_who_types_has_the_keys_back():
    desk = stage.staged("multisweeper", steps=1)
    sent = overheard(desk)
    async with stage.desk_screen(desk, size=(120, 40)) as (app, pilot):
        screen, _ = await ready(app, pilot)
        await pilot.press("f4", "8", "space", "8", "enter")
        await stage.until(pilot, lambda: sent)
        assert sent == ["8 8"] or sent == ["click 8 8"]
        assert screen.query_one(Picture).cursor is not None


@pytest.mark.slow
async def test_shift_and_arrows_bring_the_cursor_out():
    desk = stage.staged("santorini", steps=42)
    async with stage.desk_screen(desk, size=(120, 40)) as (app, pilot):
        screen, _ = await ready(app, pilot)
        await pilot.press("shift+left")
        assert screen.query_one(Picture).cursor.words == ("C3",)
        await pilot.press("shift+left", "shift+left", "shift+left", "shift+up")
        assert screen.query_one(Picture).cursor.words == ("A2",)


# The last turn.


@pytest.mark.slow
async def test_what_the_others_did_is_marked_until_we_answer():
    desk = stage.staged("multisweeper", steps=1)
    async with stage.desk_screen(desk, size=(120, 40)) as (app, pilot):
        await stage.settled(app, pilot)
        assert "‹2›" in stage.text_of(app)
        assert "(3)" in stage.text_of(app)


@pytest.mark.slow
@pytest.mark.parametrize("size", [(100, 30), (120, 40), (200, 60)], ids=lambda size: f"{size[0]}")
async def test_a_large_screen_has_a_large_board_in_ascii_too(size):
    desk = stage.staged("santorini", steps=40)
    async with stage.desk_screen(desk, size=size, mode=Mode(colours="none", ascii=True)) as (app, pilot):
        await stage.settled(app, pilot)
        shown = stage.text_of(app)
        assert "?" not in shown
        assert shown.isascii()
        assert ("+-----" in shown) == (size != (100, 30))


@pytest.mark.slow
def test_no_sign_of_a_board_is_lost_in_ascii():
    for name in games.names():
        game = games.load(name)
        for seats in game.seats:
            names = [f"P{seat}" for seat in range(seats)]
            for sight, _ in sights(name, seats):
                for room in ROOMS:
                    drawing = game.text.board(Sight(sight.view, tuple(names), sight.seat, sight.before), room)
                    if drawing is not None:
                        painted = paint_drawing(drawing, names, ascii_only=True).plain
                        assert painted.isascii()
                        assert painted.count("?") == "\n".join(drawing.rows).count("?")
                        assert len(painted) == len("\n".join(drawing.rows))


def test_the_smallest_large_screen_is_larger_than_the_usual_one():
    assert LARGE.columns > 80
    assert LARGE.lines > 24


@pytest.mark.slow
def test_any_board_can_be_walked_from_any_place_to_any_other():
    dice = random.Random(1)
    for name in games.names():
        game = games.load(name)
        sight, _ = next(sights(name, game.seats[-1]))
        drawing = game.text.board(sight, ROOMS[2])
        if drawing is None or not drawing.spots:
            continue
        reached = {drawing.spots[0]}
        todo = list(reached)
        while todo:
            spot = todo.pop(dice.randrange(len(todo)))
            for across, down in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                following = drawing.near(spot, across, down)
                if following not in reached:
                    reached.add(following)
                    todo.append(following)
        assert reached == set(drawing.spots), name


@pytest.mark.slow
async def test_a_question_of_two_lines_hides_nothing_of_a_board_that_fits():
    desk = stage.staged("eriantys", steps=30)
    assert desk._asking is not None
    desk._asking = replace(desk._asking, sentence=f"{desk._asking.sentence} {'Or buy a character. ' * 3}")
    desk._refresh()
    async with stage.desk_screen(desk, size=(80, 24)) as (app, pilot):
        await stage.settled(app, pilot)
        shown = stage.text_of(app)
        assert shown.count("character.") == 3
        for row in desk.picture.split("\n"):
            assert row.rstrip() in shown


@pytest.mark.slow
@pytest.mark.parametrize("name", games.names())
def test_no_words_of_a_board_lie_on_others(name, monkeypatch):
    """A canvas takes what is put on it; whoever writes over a letter has miscounted."""
    put = Canvas.put

    def careful(canvas: Canvas, row: int, column: int, text: str, ink: str = "") -> int:
        line = canvas._cells[row] if row < len(canvas._cells) else []
        under = "".join(line[column : column + len(text)])
        clash = [sign for sign, over in zip(under, text, strict=False) if sign.isalnum() and sign != over]
        assert not clash, f"{text!r} on {under!r}"
        return put(canvas, row, column, text, ink)

    monkeypatch.setattr(Canvas, "put", careful)
    game = games.load(name)
    for seats in game.seats:
        for sight, _ in sights(name, seats):
            for room in ROOMS[1:]:
                game.text.board(sight, room)
