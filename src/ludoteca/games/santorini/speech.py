"""The island in sentences, for who hears it: only what stands somewhere is told."""

from collections.abc import Sequence

from ludoteca.games.santorini.data import SIDE, Cell
from ludoteca.games.santorini.text import colour_name, name_of
from ludoteca.games.santorini.view import View


def speak(view: View, names: Sequence[str]) -> list[str]:
    """Who plays what, and every space that is not bare ground."""
    lines = []
    for seat in view.order:
        colour, god = view.colours[seat], view.gods[seat]
        facts = [f"as {god}" if god else "", colour_name(colour) if colour else ""]
        facts += ["is out" if view.out[seat] else ""]
        facts += [f"{view.tokens[seat]} tokens" if view.tokens[seat] else ""]
        known = ", ".join(fact for fact in facts if fact)
        lines.append(f"{names[seat]}{f', {known}' if known else ''}.")
    standing = {Cell(worker.i, worker.j): worker for worker in view.workers}
    for cell in (Cell(i, j) for i in range(SIDE) for j in range(SIDE)):
        level, dome, worker = view.levels[cell.i][cell.j], view.domes[cell.i][cell.j], standing.get(cell)
        facts = [f"level {level}" if level else "", "a dome" if dome else ""]
        facts += [f"{names[worker.seat]}'s worker {worker.number}" if worker else ""]
        if any(facts):
            lines.append(f"{name_of(cell)}: {', '.join(fact for fact in facts if fact)}.")
    return [*lines, "All other spaces are empty ground."]
