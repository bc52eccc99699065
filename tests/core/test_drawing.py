"""Pictures for screens: signs keep their columns whatever is written, and one can point at every place."""

from unicodedata import combining

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludoteca.core.drawing import (
    DOUBLE,
    Canvas,
    Drawing,
    Room,
    Sight,
    Spot,
    Stroke,
    clipped,
    sign_width,
    text_width,
)

# Narrow, wide, none at all, and what would steer a terminal.
SIGNS = "ab-漢字ｗ🎲\u0301\u200b\x1b\n\t\0"
texts = st.text(st.one_of(st.sampled_from(SIGNS), st.characters(exclude_categories=["Cs"])), max_size=12)


def shown(canvas: Canvas) -> str:
    """What is on it, without the blanks at the ends of lines."""
    return "\n".join(row.rstrip() for row in canvas.drawing().rows)


def picture(text: str) -> str:
    """A picture written with a bar before each line, so that one sees where it begins."""
    return "\n".join(line.strip()[1:].rstrip() for line in text.strip().split("\n"))


# How wide signs are.


@pytest.mark.parametrize(
    ("sign", "width"),
    [
        ("a", 1),
        (" ", 1),
        ("é", 1),
        ("│", 1),
        ("♟", 1),
        ("漢", 2),  # wide
        ("ｗ", 2),  # full width
        ("🎲", 2),
        ("ｱ", 1),  # half width
        ("\u0301", 0),  # laid over the sign before it
        ("\u200b", 0),
        ("\x1b", 0),
        ("\n", 0),
        ("\t", 0),
        ("\x7f", 0),
        ("\u202e", 0),  # turns the rest of the line around
        ("\xa0", 0),
    ],
)
def test_a_sign_takes_none_one_or_two_columns(sign: str, width: int) -> None:
    assert sign_width(sign) == width
    assert text_width(f"{sign}a{sign}") == 2 * width + 1


def test_no_text_takes_no_columns() -> None:
    assert text_width("") == 0


@given(st.characters(exclude_categories=["Cs"]))
def test_a_sign_that_could_steer_the_terminal_is_never_drawn(sign: str) -> None:
    canvas = Canvas()
    canvas.put(0, 0, f"a{sign}b")
    (row,) = canvas.drawing().rows
    assert row.isprintable()
    assert not any(map(combining, row))
    assert text_width(row) == 2 + sign_width(sign)


# Texts that are too long.


@pytest.mark.parametrize(
    ("text", "columns", "shown"),
    [
        ("Anna", 5, "Anna"),
        ("Anna", 4, "Anna"),
        ("Anna", 3, "An…"),
        ("Anna", 2, "A…"),
        ("Anna", 1, "…"),
        ("Anna", 0, ""),
        ("Anna", -3, ""),
        ("", 0, ""),
        ("漢字", 4, "漢字"),
        ("漢字", 3, "漢…"),
        ("漢字", 2, "…"),
        ("漢字", 1, "…"),
        ("a漢字", 4, "a漢…"),
        ("a漢字", 3, "a…"),
    ],
)
def test_a_text_is_cut_where_its_room_ends(text: str, columns: int, shown: str) -> None:
    assert clipped(text, columns) == shown


@given(texts, st.integers(-3, 20))
def test_a_cut_text_never_takes_more_room_and_begins_as_the_whole_one(text: str, columns: int) -> None:
    cut = clipped(text, columns)
    assert text_width(cut) <= max(columns, 0)
    if text_width(text) <= columns:
        assert cut == text
    elif columns > 0:
        assert cut.endswith("…")
        assert text.startswith(cut[:-1])
        # One sign more would not have fitted before the ellipsis.
        assert text_width(text[: len(cut)]) > columns - 1
    else:
        assert cut == ""


# Writing.


def test_a_canvas_is_empty_until_something_is_put_and_grows_as_far_as_that() -> None:
    canvas = Canvas()
    assert (canvas.lines, canvas.columns) == (0, 0)
    assert canvas.drawing() == Drawing((), (), (), 0, False)
    assert canvas.put(2, 3, "ab") == 5, "the column after it"
    assert (canvas.lines, canvas.columns) == (3, 5)
    assert canvas.drawing().rows == (" " * 5, " " * 5, "   ab")
    assert canvas.put(0, 1, "漢") == 3, "a wide sign takes two"
    assert canvas.drawing().rows[0] == " 漢  "


def test_a_text_begins_a_canvas_and_its_last_line_break_is_no_line() -> None:
    assert Canvas("ab\n\nc\n").drawing().rows == ("ab", "  ", "c ")
    assert Canvas("ab\n").drawing() == Canvas("ab").drawing()
    assert Canvas("").lines == 0
    assert Canvas("\n").drawing().rows == ("",)


def test_what_is_put_later_lies_above_and_leaves_the_rest() -> None:
    canvas = Canvas("abcdef")
    canvas.put(0, 2, "XY")
    assert canvas.drawing().rows == ("abXYef",)
    canvas.put(0, 5, "Z!")
    assert canvas.drawing().rows == ("abXYeZ!",)


@pytest.mark.parametrize(
    ("column", "text", "row"),
    [
        (0, "x", "x 字"),  # the left half of a wide sign
        (1, "x", " x字"),  # its right half
        (1, "xy", " xy "),
        (1, "あ", " あ "),  # the halves of two
        (2, "x", "漢x "),
        (3, "x", "漢 x"),
        (3, "あ", "漢 あ"),
        (0, "あ", "あ字"),
    ],
)
def test_half_of_a_wide_sign_that_is_written_over_is_gone_and_the_other_half_blank(
    column: int, text: str, row: str
) -> None:
    canvas = Canvas("漢字")
    canvas.put(0, column, text)
    assert canvas.drawing().rows == (row,)


marks = st.tuples(
    st.integers(0, 1),
    st.integers(0, 6),
    st.text(st.sampled_from(SIGNS), max_size=4),
    st.sampled_from(["", "red"]),
)


@given(st.lists(marks, max_size=12))
def test_whatever_is_put_over_whatever_all_rows_are_as_wide_as_the_picture(
    put: list[tuple[int, int, str, str]],
) -> None:
    """Else a frame right of a name would stand out of its line."""
    canvas = Canvas()
    for row, column, text, ink in put:
        assert canvas.put(row, column, text, ink) == column + text_width(text)
    drawing = canvas.drawing()
    assert {text_width(row) for row in drawing.rows} <= {drawing.columns}
    for stroke in drawing.strokes:
        assert 0 <= stroke.start <= stroke.end <= len(drawing.rows[stroke.row])


@given(st.lists(marks, min_size=1, max_size=8))
def test_what_was_put_last_is_there_as_it_was_put(put: list[tuple[int, int, str, str]]) -> None:
    canvas = Canvas()
    for row, column, text, ink in put:
        canvas.put(row, column, text, ink)
    row, column, text, _ = put[-1]
    visible = "".join(sign for sign in text if sign_width(sign))
    drawn = canvas.drawing().rows[row]
    at = [text_width(drawn[:place]) for place in range(len(drawn) + 1)]
    if visible:
        start = at.index(column)
        assert drawn[start : start + len(visible)] == visible


def test_ink_is_counted_in_signs_though_places_are_counted_in_columns() -> None:
    canvas = Canvas()
    canvas.put(0, 0, "漢字")
    canvas.put(0, 4, "ab", "red")
    canvas.ink(0, 2, 3, "bold")
    assert canvas.drawing().strokes == (Stroke(0, 2, 4, "red"), Stroke(0, 1, 3, "bold"))


def test_no_ink_no_stroke_and_nothing_written_none_either() -> None:
    canvas = Canvas()
    canvas.put(0, 0, "ab")
    canvas.put(0, 0, "", "red")
    canvas.put(0, 0, "\x1b", "red")
    canvas.put(1, 0, "", "red")
    canvas.ink(1, 0, 3, "red")
    assert canvas.drawing().strokes == ()


# Frames.


def test_a_box_is_a_frame_around_what_is_there() -> None:
    canvas = Canvas("....\n....\n....")
    canvas.box(0, 0, 4, 3, "red")
    assert shown(canvas) == "┌──┐\n│..│\n└──┘"
    assert {stroke.ink for stroke in canvas.drawing().strokes} == {"red"}
    canvas.box(1, 1, 5, 4, lines=DOUBLE)
    assert shown(canvas) == "┌──┐\n│╔═══╗\n└║─┘ ║\n ║   ║\n ╚═══╝"


def test_the_smallest_box_is_four_corners() -> None:
    canvas = Canvas()
    canvas.box(1, 2, 2, 2)
    assert shown(canvas) == "\n  ┌┐\n  └┘"
    assert canvas.drawing().strokes == ()


def test_cells_of_a_grid_share_their_lines() -> None:
    canvas = Canvas()
    canvas.grid(1, 2, (3, 1), [[1, 1], [1, 1]], "red")
    assert shown(canvas) == picture(
        """|
           |  ┌───┬───┐
           |  │   │   │
           |  ├───┼───┤
           |  │   │   │
           |  └───┴───┘"""
    )
    assert {stroke.ink for stroke in canvas.drawing().strokes} == {"red"}


def test_a_grid_has_no_lines_where_it_has_no_cells() -> None:
    canvas = Canvas()
    canvas.grid(0, 0, (1, 2), [[0, 1, 0], ["x", None, True], [False, 1, 0]])
    assert shown(canvas) == picture(
        """|  ┌─┐
           |  │ │
           |  │ │
           |┌─┼─┼─┐
           |│ │ │ │
           |│ │ │ │
           |└─┼─┼─┘
           |  │ │
           |  │ │
           |  └─┘"""
    )


def test_a_grid_of_nothing_is_nothing() -> None:
    nothings: tuple[list[list[int]], ...] = ([], [[]], [[0, 0], [0, 0]])
    for cells in nothings:
        canvas = Canvas()
        canvas.grid(0, 0, (2, 2), cells)
        assert (canvas.lines, canvas.columns) == (0, 0)


def test_the_corners_of_a_grid_say_which_cells_meet_there() -> None:
    def corner(*cells: int) -> str:
        canvas = Canvas()
        canvas.grid(0, 0, (1, 1), [cells[:2], cells[2:]])
        rows = canvas.drawing().rows
        return rows[2][2] if len(rows) > 2 and len(rows[2]) > 2 else ""

    assert [corner(*cells) for cells in ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))] == list(
        "┘└┐┌"
    )
    assert [corner(*cells) for cells in ((1, 1, 0, 0), (0, 0, 1, 1), (1, 0, 1, 0), (0, 1, 0, 1))] == list(
        "┴┬┤├"
    )
    assert corner(1, 0, 0, 1) == corner(0, 1, 1, 0) == corner(1, 1, 1, 1) == corner(1, 1, 1, 0) == "┼"


@given(
    st.lists(st.lists(st.booleans(), min_size=3, max_size=3), min_size=1, max_size=4),
    st.integers(1, 3),
    st.integers(1, 2),
)
def test_every_cell_of_a_grid_has_a_frame_and_nothing_else_is_drawn(
    cells: list[list[bool]], width: int, height: int
) -> None:
    canvas = Canvas()
    canvas.grid(0, 0, (width, height), cells)
    rows = canvas.drawing().rows
    drawn = {(y, x) for y, row in enumerate(rows) for x, sign in enumerate(row) if sign != " "}
    framed = {
        (i * (height + 1) + y, j * (width + 1) + x)
        for i, line in enumerate(cells)
        for j, cell in enumerate(line)
        if cell
        for y in range(height + 2)
        for x in range(width + 2)
        if y in (0, height + 1) or x in (0, width + 1)
    }
    assert drawn == framed


# The finished picture.


def test_rows_reach_as_far_as_places_do_so_that_a_cursor_can_be_seen_there() -> None:
    canvas = Canvas("ab\nc")
    canvas.spot(1, 3, 4, 1, "place", "1")
    drawing = canvas.drawing()
    assert drawing.columns == 7
    assert drawing.rows == ("ab     ", "c      ")
    assert drawing.spots == (Spot(1, 3, 4, 1, ("place", "1")),)
    assert not drawing.plain
    plain = canvas.drawing(plain=True)
    assert (plain.columns, plain.rows, plain.plain) == (2, ("ab", "c "), True), "a game's own text stays"
    assert plain.spots == drawing.spots


@pytest.mark.parametrize(
    ("room", "fits"), [((4, 2), True), ((5, 3), True), ((3, 2), False), ((4, 1), False), ((0, 0), False)]
)
def test_a_picture_fits_where_both_its_width_and_its_height_do(room: tuple[int, int], fits: bool) -> None:
    assert Canvas("abcd\nef").drawing().fits(Room(*room)) is fits


def test_a_screen_that_is_too_low_gets_the_picture_without_its_empty_rows() -> None:
    canvas = Canvas("\nab\n\n\ncd\n   \n")
    canvas.ink(1, 0, 2, "red")
    canvas.ink(4, 0, 1, "bold")
    canvas.ink(5, 0, 2, "underline")
    canvas.spot(4, 0, 2, 1, "cd")
    canvas.spot(2, 0, 2, 1, "nowhere")
    low = canvas.drawing().without_blanks()
    assert low.rows == ("ab ", "cd ")
    assert low.strokes == (Stroke(0, 0, 2, "red"), Stroke(1, 0, 1, "bold"))
    assert low.spots == (Spot(1, 0, 2, 1, ("cd",)),)
    assert low.columns == 3
    assert low.without_blanks() == low


def test_a_sight_is_a_spectators_unless_a_seat_is_named() -> None:
    assert Sight("view", ("Anna", "Bruno")) == Sight("view", ("Anna", "Bruno"), None, None)


# Pointing.


def test_a_place_covers_its_first_row_and_column_and_not_the_one_after_its_last() -> None:
    spot = Spot(2, 5, 3, 2, ("here",))
    covered = {(row, column) for row in range(8) for column in range(12) if spot.covers(row, column)}
    assert covered == {(2, 5), (2, 6), (2, 7), (3, 5), (3, 6), (3, 7)}


def test_of_places_that_lie_on_each_other_the_last_is_meant() -> None:
    canvas = Canvas("......")
    canvas.spot(0, 0, 6, 1, "island")
    canvas.spot(0, 2, 2, 1, "student")
    drawing = canvas.drawing()
    island, student = drawing.spots
    assert [drawing.spot_at(0, column) for column in range(7)] == [
        island,
        island,
        student,
        student,
        island,
        island,
        None,
    ]
    assert drawing.spot_at(1, 0) is None
    assert Drawing(()).spot_at(0, 0) is None


LEFT, RIGHT, UP, DOWN = (-1, 0), (1, 0), (0, -1), (0, 1)


def board(rows: int, columns: int, width: int = 4, height: int = 2) -> Drawing:
    canvas = Canvas()
    for row in range(rows):
        for column in range(columns):
            canvas.spot(row * height, column * width, width, height, f"{row},{column}")
    return canvas.drawing()


@given(st.integers(0, 3), st.integers(0, 4), st.sampled_from([LEFT, RIGHT, UP, DOWN]))
def test_on_a_board_of_cells_an_arrow_leads_to_the_cell_beside_and_stops_at_the_edge(
    row: int, column: int, arrow: tuple[int, int]
) -> None:
    drawing = board(4, 5)
    across, down = arrow
    there = max(0, min(3, row + down)), max(0, min(4, column + across))
    found = drawing.near(drawing.spots[row * 5 + column], across, down)
    assert found.words == (f"{there[0]},{there[1]}",)


places = st.builds(
    Spot, st.integers(0, 20), st.integers(0, 60), st.integers(1, 9), st.integers(1, 4), st.just(("x",))
)


@given(st.lists(places, min_size=1, max_size=8), st.sampled_from([LEFT, RIGHT, UP, DOWN]))
def test_an_arrow_never_leads_back_and_an_edge_is_where_nothing_lies_ahead(
    spots: list[Spot], arrow: tuple[int, int]
) -> None:
    drawing = Drawing((), spots=tuple(spots))
    across, down = arrow

    def ahead(one: Spot, other: Spot) -> float:
        x = (other.column + other.width / 2) - (one.column + one.width / 2)
        y = (other.row + other.height / 2) - (one.row + one.height / 2)
        return x * across + y * down

    for spot in spots:
        found = drawing.near(spot, across, down)
        if found == spot:
            assert all(ahead(spot, other) <= 0 for other in spots)
        else:
            assert ahead(spot, found) > 0


def test_what_lies_straight_on_is_meant_before_what_is_nearer_but_aside() -> None:
    here = Spot(10, 20, 2, 1, ("here",))
    straight = Spot(10, 40, 2, 1, ("straight",))
    aside = Spot(14, 24, 2, 1, ("aside",))
    drawing = Drawing((), spots=(aside, straight, here))
    assert drawing.near(here, *RIGHT) is straight
    assert drawing.near(here, *DOWN) is aside
    assert drawing.near(here, *LEFT) is here
    assert drawing.near(here, *UP) is here
    # A column counts half as much as a row: four rows down and ten columns aside is further than eight rows.
    low = Drawing((), spots=(Spot(14, 30, 2, 1, ("wide",)), Spot(18, 20, 2, 1, ("low",)), here))
    assert low.near(here, *DOWN).words == ("low",)
