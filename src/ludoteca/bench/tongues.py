"""What it costs to write what a match tells its players, in each tongue that its protocol has."""

import time
from collections.abc import Iterator
from typing import Any

from ludoteca import games
from ludoteca.bench.figures import Figure
from ludoteca.bench.playouts import ways
from ludoteca.core import Dice, Game
from ludoteca.core.game import Seat
from ludoteca.core.notices import Happened, Notice, Seated, Shown, Sitter, TableInfo
from ludoteca.core.requests import Terms

SECTION = "Tongues: server CPU to write what all at a table are told of one move (three players)"
NAMES = ("ada", "bruno", "carla")
# A board of Eriantys is the greatest thing that is said, in Java.
AIMS = {"eriantys": 100.0}


def figures(rounds: int) -> Iterator[Figure]:
    """Every game that is spoken in two tongues."""
    for game in games.load_all():
        wire = game.wire and game.protocol()
        if wire and wire.java is not None:
            lines, java = measure(game, rounds)
            yield Figure(
                SECTION, f"{game.name}, JSON lines", lines, "us CPU", note=f"best of {rounds} matches"
            )
            note = f"{java / lines:.0f} x the same in JSON lines"
            yield Figure(
                SECTION, f"{game.name}, Java objects", java, "us CPU", AIMS.get(game.name), note=note
            )


def measure(game: Game, rounds: int) -> tuple[float, float]:
    """Microseconds for what is told of a move in lines and in objects, each the least of so many matches."""
    wire = game.protocol()
    assert wire.java is not None
    found: dict[Any, list[float]] = {wire.converse: [], wire.java: []}
    for seed in range(rounds):
        notices = [*match(game, seed)]
        for begin, costs in found.items():
            conversation = begin(wire.settings())
            said = [messages for notice in notices if (messages := conversation.tell(notice, 0.0))]
            write = conversation.tongue.write
            began = time.process_time()
            for messages in said:
                write(messages)
            costs.append((time.process_time() - began) / len(said) * 1e6)
    lines, java = found.values()
    return min(lines), min(java)


def match(game: Game, seed: int) -> Iterator[Notice]:
    """What the first of three players is told of a random match."""
    *_, (_, options) = ways(game)
    setup = game.setup(len(NAMES), options=options, seed=seed)
    wishes = setup.preferences or (None,) * len(NAMES)
    chairs = tuple(
        Sitter(name, name, game.name, preference=wish) for name, wish in zip(NAMES, wishes, strict=True)
    )
    state, _ = game.start(setup)
    yield Seated(TableInfo("", game.name, "friday", "playing", chairs, options, Terms(), 0), 0)
    yield Shown(0, game.view(state, Seat(0)))
    dice = Dice(seed)
    number = 0
    while questions := state.questions:
        number += 1
        seat = next(iter(questions))
        events = game.apply(state, seat, dice.choice(questions[seat].choices))
        seen = tuple(event for event in (game.seen(event, Seat(0)) for event in events) if event is not None)
        yield Happened(number, seen)
