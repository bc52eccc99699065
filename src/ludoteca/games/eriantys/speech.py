"""The islands and the schools in sentences, for who hears them."""

from collections.abc import Sequence

from ludoteca.games.eriantys.data import CHARACTERS, COLOURS, STEPS
from ludoteca.games.eriantys.events import Students
from ludoteca.games.eriantys.state import Island
from ludoteca.games.eriantys.view import View


def speak(view: View, names: Sequence[str]) -> list[str]:
    """The islands in their ring, the clouds, the characters, then each school."""
    lines = [f"Round {view.round}, {view.phase}{', the last round' if view.last_round else ''}."]
    for place, island in enumerate(view.islands):
        nature = ", mother nature is here" if place == view.mother_nature else ""
        lines.append(f"Island {place + 1}: {_island(island)}{nature}.")
    lines += [f"Cloud {place + 1}: {_students(cloud)}." for place, cloud in enumerate(view.clouds)]
    for card in view.characters:
        things = f", with {_students(card.students)}" if card.students is not None else ""
        lines.append(
            f"Character {card.character}, {CHARACTERS[card.character].name}, costs {card.price}{things}."
        )
    for seat, player in enumerate(view.players):
        professors = [colour for colour, owner in zip(COLOURS, view.professors, strict=True) if owner == seat]
        played = player.assistant
        turn = f", plays {played}, {STEPS[played]} steps" if played else ""
        coins = f", {player.coins} coins" if view.mode == "Expert" else ""
        lines += [
            f"{names[seat]}: {player.towers} {player.tower} towers to build{coins}{turn}.",
            f"  Professors: {', '.join(professors) or 'none'}.",
            f"  Entrance: {_students(player.entrance)}. Dining room: {_students(player.dining)}.",
            f"  Assistants in hand: {', '.join(map(str, player.hand)) or 'none'}.",
        ]
    return lines


def _island(island: Island) -> str:
    size = len(island.tiles)
    parts = [f"{size} islands in one" if size > 1 else "", _students(island.students)]
    parts += [f"{size} {island.tower} tower{'s' * (size > 1)}" if island.tower else ""]
    parts += [f"{island.no_entry} no entry" if island.no_entry else ""]
    return ", ".join(part for part in parts if part)


def _students(students: Students) -> str:
    held = [f"{count} {colour}" for colour, count in zip(COLOURS, students, strict=True) if count]
    return ", ".join(held) or "no students"
