"""The game in words: the picture, the sentences, the commands."""

import pytest
from msgspec.structs import replace
from tests.games.shelfie.boards import lay, position, room, shelf
from tests.games.shelfie.house import ROOM

from ludoteca.core import Question, Refused, Seat
from ludoteca.games.shelfie import rules, text
from ludoteca.games.shelfie.actions import FillColumn, TakeTiles
from ludoteca.games.shelfie.data import Cell
from ludoteca.games.shelfie.events import BrokenOff, ColumnFilled, ShelfFilled, TilesTaken
from ludoteca.games.shelfie.view import view

NAMES = ["Ann", "Ben", "Cleo", "Dora"]


def test_a_picture_shows_room_goals_and_shelves_within_eighty_columns():
    state = position(
        3, room_tiles=room(ROOM), shelves=[shelf(["C....", "BT..."]), shelf(["GGGGG"])], goals=(1, 12)
    )
    one, other = state.tabletop.commons
    lay(state, hand=("cat", "cat", "plant"), commons=(replace(one, taken=(0, 8, 0)), other), filled=2)
    picture = text.draw(view(state, Seat(0)), ["Ann", "Benedict-the-Very-Long", "Cleo"])
    assert max(map(len, picture.splitlines())) <= 80
    assert picture.splitlines() == [
        "    1 2 3 4 5 6 7 8 9",
        "  a       .             Two 2x2 squares (tokens: 8 6 4)",
        "  b       P .             Benedict-the-Very-Long 8",
        "  c     . . . . .       Staircase (tokens: 8 6 4)",
        "  d     . . C B . . .",
        "  e   . . . . . . .     Your own goal, small letters on your shelf: 0 of 6",
        "  f . . G G G . .       Cleo filled a bookshelf first: last round",
        "  g     . . . . .       In hand: 2 cats and 1 plant",
        "  h         . .",
        "  i           .",
        "",
        "> Ann             Benedict-the    Cleo",
        "  p . f . .       . . . . .       . . . . .",
        "  . . . . c       . . . . .       . . . . .",
        "  . . . b .       . . . . .       . . . . .",
        "  . g . . .       . . . . .       . . . . .",
        "  C . . . .       . . . . .       . . . . .",
        "  B T t . .       G G G G G       . . . . .",
        "  1 2 3 4 5       1 2 3 4 5       1 2 3 4 5",
        "  0 points        0 points        0 points",
    ]


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (TilesTaken(0, (Cell(3, 4), Cell(3, 5)), ("cat", "book")), "Ann takes 1 cat and 1 book from d5 d6."),
        (ColumnFilled(1, 4, ("cat", "plant")), "Ben puts a cat then a plant into column 5."),
        (ShelfFilled(0), "Ann is the first to fill a bookshelf and takes 1 point. The last round begins."),
    ],
)
def test_events_are_told_in_a_sentence(event, sentence):
    assert text.tell(event, NAMES) == sentence


def test_a_broken_off_match_is_told():
    state = position()
    (event,) = rules.leave(state, Seat(1))
    assert isinstance(event, BrokenOff)
    assert text.tell(event, NAMES) == "Ben left, which ends the match."


def test_tiles_are_counted_in_words():
    assert text.count(("trophy",)) == "1 trophy"
    assert text.count(("cat", "trophy", "cat")) == "2 cats and 1 trophy"
    assert text.count(("plant", "cat", "book")) == "1 cat, 1 book and 1 plant"


def take_question() -> Question:
    return position(room_tiles=room(ROOM)).questions[Seat(0)]


@pytest.mark.parametrize("words", ["take d5 d6", "d5 d6", "D6 d5", "  TAKE d6 d5 "])
def test_cells_may_be_named_in_any_order_with_or_without_the_verb(words):
    assert text.read(words, take_question()) == TakeTiles((Cell(3, 4), Cell(3, 5)))


@pytest.mark.parametrize("words", ["", "take", "d0", "j5", "d5 d7", "e5", "d5d6", "fill 3 C"])
def test_words_that_are_no_take_are_refused(words):
    with pytest.raises(Refused):
        text.read(words, take_question())


def fill_question(*hand: str) -> Question:
    state = position()
    lay(state, hand=hand)
    return state.questions[Seat(0)]


def test_a_column_is_named_with_the_tiles_from_the_lowest_up():
    question = fill_question("cat", "book")
    assert text.read("fill 3 B C", question) == FillColumn(2, ("book", "cat"))
    assert text.read("3bc", question) == FillColumn(2, ("book", "cat"))


def test_tiles_of_one_type_need_not_be_named():
    assert text.read("fill 3", fill_question("cat", "cat")) == FillColumn(2, ("cat", "cat"))


@pytest.mark.parametrize("words", ["", "fill", "fill 6 C B", "fill 3", "fill 3 C", "fill 3 C X", "take d4"])
def test_words_that_are_no_fill_are_refused(words):
    with pytest.raises(Refused):
        text.read(words, fill_question("cat", "book"))


def test_a_question_comes_with_an_example_that_is_understood():
    for question in (take_question(), fill_question("cat", "book")):
        asked = text.ask(question, view(position(), Seat(0)))
        assert text.read(asked.partition(": ")[2], question) == question.choices[0]
