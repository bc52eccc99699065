"""Words for the tests: boards are drawn as text, spaces are named A1 to E5."""

from typing import Any

from ludoteca.core import Seat
from ludoteca.games.santorini.actions import Build, Finish, Move
from ludoteca.games.santorini.data import Cell
from ludoteca.games.santorini.events import Won
from ludoteca.games.santorini.rules import apply
from ludoteca.games.santorini.state import State
from ludoteca.games.santorini.text import from_text, name_of

__all__ = ["blocks", "can_end", "cell", "domes", "from_text", "moves", "play", "wins"]


def cell(name: str) -> Cell:
    return Cell(int(name[1]) - 1, "ABCDE".index(name[0]))


def moves(state: State, source: str | None = None) -> set[str]:
    """Where the worker on `source` (or any worker) may go now."""
    return {
        name_of(option.target)
        for option in state.choices
        if isinstance(option, Move) and source in (None, name_of(option.source))
    }


def _builds(state: State, dome: bool, source: str | None) -> set[str]:
    return {
        name_of(option.target)
        for option in state.choices
        if isinstance(option, Build) and option.dome == dome and source in (None, name_of(option.source))
    }


def blocks(state: State, source: str | None = None) -> set[str]:
    """Where a block may be put now."""
    return _builds(state, False, source)


def domes(state: State, source: str | None = None) -> set[str]:
    """Where a dome may be put now."""
    return _builds(state, True, source)


def can_end(state: State) -> bool:
    return Finish() in state.choices


def play(state: State, *lines: str) -> list[Any]:
    """Play "B2-C3" (move), "B2+C3" (block), "B2^C3" (dome) or "end" for whoever is to decide; all events."""
    events: list[Any] = []
    for line in lines:
        action: Any = Finish()
        if line != "end":
            source, target = cell(line[:2]), cell(line[3:])
            kinds = {"-": Move(source, target), "+": Build(source, target), "^": Build(source, target, True)}
            action = kinds[line[2]]
        events += apply(state, Seat(state.seat), action)
    return events


def wins(state: State, line: str) -> int | None:
    """Who has won after this action."""
    events = play(state, line)
    return next((event.seat for event in events if isinstance(event, Won)), None)
