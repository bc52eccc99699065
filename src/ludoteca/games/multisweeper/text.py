"""Multisweeper in words and characters, for terminals, playthroughs and logs."""

import re
from collections.abc import Sequence
from typing import assert_never

from ludoteca.core import Question, Refused
from ludoteca.games.multisweeper import events
from ludoteca.games.multisweeper.actions import Action, Click
from ludoteca.games.multisweeper.events import Event
from ludoteca.games.multisweeper.view import View

_SIGNS = " 12345678.*"
_WORDS = re.compile(r"\s*(?:click\s+)?(\d{1,4})\s*[\s,]\s*(\d{1,4})\s*", re.ASCII | re.IGNORECASE)


def draw(view: View, names: Sequence[str]) -> str:
    """The board with its columns and rows numbered, and who is on turn and who is out."""
    lines = [_heading(view, names)]
    margin = margin_of(view)
    for power in (10, 1):
        if view.width > power or power == 1:
            digits = [str(c // power % 10) if c >= power or power == 1 else " " for c in range(view.width)]
            lines.append(" " * margin + " ".join(digits))
    for row in range(view.height):
        cells = view.cells[row * view.width : (row + 1) * view.width]
        lines.append(f"{row:>{margin - 1}} " + " ".join(_SIGNS[cell] for cell in cells).rstrip())
    lines += [f"Round {out.round}: {names[out.seat]} is out." for out in view.out]
    return "\n".join(lines) + "\n"


def margin_of(view: View) -> int:
    """The columns before the first cell, for the numbers of the rows."""
    return len(str(view.height - 1)) + 1


def _heading(view: View, names: Sequence[str]) -> str:
    shape = f"{view.width} by {view.height}, {view.mines} mines"
    if view.mover is None:
        return f"{shape}, round {view.round}: the tournament is over."
    players = ", ".join(f"[{names[seat]}]" if seat == view.mover else names[seat] for seat in view.order)
    return f"{shape}, round {view.round}, turn {view.turn}: {players}"


def tell(event: Event, names: Sequence[str]) -> str:
    """One sentence about an event."""
    match event:
        case events.RoundBegun(number, order):
            return f"Round {number} begins: {', '.join(names[seat] for seat in order)}."
        case events.Opened(seat, column, row, ((_, number),)):
            return f"{names[seat]} clicks {column}, {row}: a {number}."
        case events.Opened(seat, column, row, cells):
            return f"{names[seat]} clicks {column}, {row} and opens {len(cells)} cells."
        case events.Exploded(seat, column, row):
            return f"{names[seat]} clicks {column}, {row}: a mine!"
        case events.Forfeited(seat):
            return f"{names[seat]} leaves and loses the round."
        case events.Eliminated(seat, number):
            return f"{names[seat]} is out in round {number}."
        case events.Won(seat):
            return f"{names[seat]} wins the tournament."
        case events.BrokenOff(seat):
            return f"{names[seat]} leaves: the tournament is broken off."
        case _:
            assert_never(event)


def ask(question: Question, _view: View) -> str:
    """What is wanted."""
    return f"Click one of the {len(question.choices)} closed cells: column, then row."


def explain(_question: Question, view: View) -> str:
    """What the rules say about a click."""
    rivals = "The other player wins" if len(view.order) == 2 else "The others go on to the next round"
    return (
        "A number counts the mines among the up to eight cells around it. A cell without any opens its "
        f"neighbours too. Whoever clicks a mine is out. {rivals}. When only mines are left, somebody must "
        "still click."
    )


# Closed cells step back, so that the numbers stand out; mines do not.
INKS = ((r"(?<= )\.(?= |$)", "bright black"), (r"(?<= )\*(?= |$)", "bright red"))


def write(action: Action) -> str:
    """The words for a click."""
    return f"click {action.column} {action.row}"


def read(words: str, question: Question) -> Action:
    """A click from words such as "click 3 4" or "3,4"."""
    match = _WORDS.fullmatch(words)
    if match is None:
        raise Refused('say a column and a row, such as "3 4"', "words")
    click = Click(int(match[1]), int(match[2]))
    if click not in question.choices:
        raise Refused(f"column {click.column}, row {click.row} is no closed cell", "illegal")
    return click
