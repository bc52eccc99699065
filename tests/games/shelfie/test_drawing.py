"""My Shelfie on a screen: the little pictures tell the truth, tiles and columns can be pointed at."""

from collections.abc import Sequence
from itertools import product

import pytest
from tests.clients import stage
from tests.clients.test_board import overheard, place_of, ready

from ludoteca.clients.widgets.board import Picture
from ludoteca.core import Room, Setup, Sight
from ludoteca.games.shelfie import GAME
from ludoteca.games.shelfie.data import COMMON_GOALS, SHELF_COLUMNS, SHELF_ROWS, TILES, Tile
from ludoteca.games.shelfie.drawing import PICTURES
from ludoteca.games.shelfie.goals import SHOWN
from ludoteca.games.shelfie.state import Kinds, bit

# The tiles that the signs of a picture may stand for.
MEANINGS: dict[str, Tile] = {
    **dict(zip("#o^+x%", TILES, strict=True)),
    **dict(zip("123456", TILES, strict=True)),
    "s": "cat",
}


def shelf_of(picture: Sequence[str]) -> Kinds:
    """A bookshelf with the tiles of a picture, and in its gaps such as match nothing."""
    kinds, others = dict.fromkeys(TILES, 0), []
    for column in range(SHELF_COLUMNS):
        signs = "".join(row[column] for row in reversed(picture)).rstrip(".")
        for height, sign in enumerate(signs):
            if sign in MEANINGS:
                kinds[MEANINGS[sign]] |= bit(column, height)
            else:
                others.append(bit(column, height))
    return (*kinds.values(), *others)


@pytest.mark.parametrize("goal", COMMON_GOALS)
def test_a_little_picture_reaches_its_goal(goal):
    picture = PICTURES[goal]
    assert (len(picture), {len(row) for row in picture}) == (SHELF_ROWS, {SHELF_COLUMNS})
    assert SHOWN[goal](shelf_of(picture))


@pytest.mark.parametrize("goal", [1, 3, 4, 8, 9, 10, 11])
def test_a_little_picture_of_a_shape_shows_no_tile_too_many(goal):
    picture = PICTURES[goal]
    for row, column in product(range(SHELF_ROWS), range(SHELF_COLUMNS)):
        if picture[row][column] != ".":
            less = [[*line] for line in picture]
            less[row][column] = "?"
            assert not SHOWN[goal](shelf_of(["".join(line) for line in less]))


@pytest.mark.slow
@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)], ids=lambda size: f"{size[0]}")
async def test_tiles_are_pointed_at_and_the_last_one_twice(size):
    desk = stage.staged("shelfie", steps=22)
    sent = overheard(desk)
    async with stage.desk_screen(desk, size=size) as (app, pilot):
        screen, composer = await ready(app, pilot)
        await pilot.click(Picture, offset=place_of(screen, "e5"))
        await stage.until(pilot, lambda: composer.line.value.startswith("take"))
        assert not sent
        await pilot.click(Picture, offset=place_of(screen, "e4"))
        await pilot.pause(0.1)
        if not sent:
            await pilot.click(Picture, offset=place_of(screen, "e4"))
        await stage.until(pilot, lambda: sent)
        assert sent == ["take e4 e5"]


def test_a_column_is_a_whole_answer_where_the_tiles_have_one_order():
    state, _ = GAME.start(Setup(2, 5, GAME.settle(GAME.options(), 2), (GAME.preferences(),) * 2))
    seat, question = next(iter(state.questions.items()))
    GAME.apply(state, seat, question.choices[0])
    drawing = GAME.text.board(Sight(GAME.view(state, seat), ("Ann", "Ben"), seat), Room(171, 48))
    assert drawing is not None
    answers = {GAME.text.write(option) for option in state.questions[seat].choices}
    columns = [spot.words[0] for spot in drawing.spots if spot.words[0].startswith("fill")]
    assert set(columns) == answers
