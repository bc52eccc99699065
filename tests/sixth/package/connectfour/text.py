"""Connect Four in words and characters."""

import re
from collections.abc import Sequence
from typing import assert_never

from connectfour.actions import Action, Drop
from connectfour.data import COLUMNS, ROWS
from connectfour.events import Dropped, Event, Filled, Won
from connectfour.state import Tabletop
from ludoteca.core import Question, Refused

SIGNS = "XO"
INKS = ((r"(?<=[| ])X(?= )", "bright red"), (r"(?<=[| ])O(?= )", "bright yellow"))
_WORDS = re.compile(r"\s*(?:drop\s+)?([1-9])\s*", re.ASCII | re.IGNORECASE)


def draw(tabletop: Tabletop, names: Sequence[str]) -> str:
    """The grid, its columns numbered, and whose discs are which."""
    lines = [
        f"{'>' if seat == tabletop.turn else ' '} {SIGNS[seat]}  {name}" for seat, name in enumerate(names)
    ]
    lines += ["", "  " + " ".join(str(column + 1) for column in range(COLUMNS))]
    for row in reversed(range(ROWS)):
        cells = [SIGNS[discs[row]] if row < len(discs) else "." for discs in tabletop.columns]
        lines.append(f"| {' '.join(cells)} |")
    return "\n".join(lines) + "\n"


def tell(event: Event, names: Sequence[str]) -> str:
    """One sentence about an event."""
    match event:
        case Dropped(seat, column):
            return f"{names[seat]} drops a disc into column {column + 1}."
        case Won(seat, ()):
            return f"{names[1 - seat]} leaves: {names[seat]} wins."
        case Won(seat, line):
            return f"{names[seat]} has four in a line, from column {line[0][0] + 1}, and wins."
        case Filled():
            return "The grid is full: nobody has won."
        case _:
            assert_never(event)


def ask(question: Question[Action], _tabletop: Tabletop) -> str:
    """What is wanted."""
    return f"Drop a disc into a column: {', '.join(str(drop.column + 1) for drop in question.choices)}."


def explain(_question: Question[Action], _tabletop: Tabletop) -> str:
    """What the rules say about a disc."""
    return (
        "A disc falls to the lowest free cell of its column. Whoever first has four discs side by side in a "
        "row, a column or a diagonal wins; when the grid is full before that, nobody does."
    )


def write(action: Action) -> str:
    """The words for a disc."""
    return f"drop {action.column + 1}"


def read(words: str, question: Question[Action]) -> Action:
    """The disc that is meant. Raises Refused."""
    found = _WORDS.fullmatch(words)
    for action in question.choices:
        if found and action == Drop(int(found[1]) - 1):
            return action
    raise Refused(f"not understood; for example: {write(question.choices[0])}", "words")
