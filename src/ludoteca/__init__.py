"""Ludoteca: a house for networked board games, and its games as a library.

>>> import ludoteca
>>> match = ludoteca.Match.new("multisweeper", seats=2, seed=1)
>>> match.act(0, match.choices(0)[0])  # doctest: +ELLIPSIS
[...]
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ludoteca.core import (
        Dice,
        Game,
        JournalError,
        LocalError,
        LudotecaError,
        Outcome,
        Question,
        Refused,
        Seat,
    )
    from ludoteca.play import Duel, Match, Turn, duel, load, play_out, playthrough

# Where each name is found, so that it is imported by whoever uses it: the command line starts in a moment.
_HOMES = {
    **dict.fromkeys(("Duel", "Match", "Turn", "duel", "load", "play_out", "playthrough"), "ludoteca.play"),
    **dict.fromkeys(
        (
            "Dice",
            "Game",
            "JournalError",
            "LocalError",
            "LudotecaError",
            "Outcome",
            "Question",
            "Refused",
            "Seat",
        ),
        "ludoteca.core",
    ),
}

__all__ = [
    "Dice",
    "Duel",
    "Game",
    "JournalError",
    "LocalError",
    "LudotecaError",
    "Match",
    "Outcome",
    "Question",
    "Refused",
    "Seat",
    "Turn",
    "__version__",
    "duel",
    "load",
    "play_out",
    "playthrough",
]

__version__: str


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("ludoteca")
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
