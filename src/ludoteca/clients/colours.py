"""Colours for pictures made of text: the players' names, and what a game asks to be coloured."""

import re
from collections.abc import Sequence
from functools import lru_cache

from rich.text import Text

from ludoteca.clients.ascii import plain
from ludoteca.clients.desks.desk import Line
from ludoteca.core import Drawing

# By seat; the sixteen colours of terminals, chosen to differ in brightness too.
SEATS = (
    "bright_cyan",
    "bright_yellow",
    "bright_magenta",
    "bright_green",
    "cyan",
    "yellow",
    "magenta",
    "green",
)
_LINES = {"event": "", "chat": "bold", "note": "dim", "error": "bold red"}


@lru_cache(maxsize=256)
def _pattern(expression: str) -> re.Pattern[str]:
    return re.compile(expression, re.MULTILINE)


def colour_of(seat: int, hues: Sequence[str] = ()) -> str:
    """The colour of a seat: the game's, where it has given one."""
    own = hues[seat] if seat < len(hues) else ""
    return own.replace(" ", "_") or SEATS[seat % len(SEATS)]


def paint(
    picture: str,
    names: Sequence[str],
    inks: Sequence[tuple[str, str]] = (),
    *,
    hues: Sequence[str] = (),
    ascii_only: bool = False,
) -> Text:
    """A picture with its colours. Signs that ASCII lacks become others of the same width."""
    text = Text(_same_width(picture) if ascii_only else picture, no_wrap=True)
    for expression, colour in inks:
        text.highlight_regex(_pattern(expression), colour.replace(" ", "_"))
    _paint_names(text, names, hues)
    return text


def paint_drawing(
    drawing: Drawing,
    names: Sequence[str],
    inks: Sequence[tuple[str, str]] = (),
    *,
    hues: Sequence[str] = (),
    ascii_only: bool = False,
) -> Text:
    """A drawing with its colours."""
    inks = inks if drawing.plain else ()
    text = paint("\n".join(drawing.rows), names, inks, hues=hues, ascii_only=ascii_only)
    starts = [0]
    for row in drawing.rows:
        starts.append(starts[-1] + len(row) + 1)
    for stroke in drawing.strokes:
        start = starts[stroke.row]
        for ink in stroke.ink.split(","):
            text.stylize(ink.strip().replace(" ", "_"), start + stroke.start, start + stroke.end)
    return text


def _paint_names(text: Text, names: Sequence[str], hues: Sequence[str]) -> None:
    for seat, name in enumerate(names):
        if name:
            text.highlight_regex(
                _pattern(rf"(?<!\w){re.escape(name)}(?!\w)"), f"bold {colour_of(seat, hues)}"
            )


def paint_line(
    line: Line, names: Sequence[str], *, hues: Sequence[str] = (), ascii_only: bool = False
) -> Text:
    """A line of the log."""
    text = Text(plain(line.text) if ascii_only else line.text, style=_LINES[line.kind])
    _paint_names(text, names, hues)
    return text


def _same_width(picture: str) -> str:
    return "".join(sign if sign.isascii() else plain(sign)[:1] for sign in picture)
