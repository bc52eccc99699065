"""Positions written as data, in the format of cases.json, and what is asked of them."""

import json
from pathlib import Path
from typing import Any

from ludoteca.core import Dice
from ludoteca.games.renaissance import rules
from ludoteca.games.renaissance.data import CARDS, COLOURS, INDEX, LEVELS, Stock
from ludoteca.games.renaissance.events import EMPTY, Depot
from ludoteca.games.renaissance.state import Board, Pile, State, Tabletop

FOLDER = Path(__file__).parent
CASES: list[dict[str, Any]] = json.loads((FOLDER / "cases.json").read_text())["cases"]
FACTS: dict[str, Any] = json.loads((FOLDER / "facts.json").read_text())

_MARKET = [
    ["PURPLE", "BLUE", "PURPLE", "WHITE"],
    ["WHITE", "RED", "WHITE", "GREY"],
    ["WHITE", "GREY", "YELLOW", "YELLOW"],
]


def stock(counts: dict[str, int]) -> Stock:
    numbers = [0, 0, 0, 0]
    for resource, count in counts.items():
        numbers[INDEX[resource.lower()]] = count
    return Stock(*numbers)


def _depots(player: dict[str, Any]) -> tuple[Depot, ...]:
    extra = sum(1 for leader in player.get("played", ()) if leader in ("L005", "L006", "L007", "L008"))
    depots = [EMPTY] * (3 + extra)
    for key, held in player.get("warehouse", {}).items():
        if held:
            depots[int(key)] = Depot(held[0].lower(), len(held))
    return tuple(depots)


def position(given: dict[str, Any], **fields: Any) -> State:
    """The state of a position, in the middle of its current player's turn."""
    players = given["players"]
    names = [player["name"] for player in players]
    decks: list[tuple[str, ...]] = [()] * 12
    for key, cards in given.get("decks", {}).items():
        colour, level = key.split("-")
        decks[LEVELS.index(int(level)) * 4 + COLOURS.index(colour.lower())] = tuple(reversed(cards))
    market = given.get("market", {"marbles": _MARKET, "freeMarble": "BLUE"})
    boards = tuple(
        Board(
            dealt=tuple(player.get("hand", ())),
            kept=True,
            hand=tuple(player.get("hand", ())),
            played=tuple(player.get("played", ())),
            faith=player.get("faith", 0),
            tiles=tuple(player.get("tiles", ("down", "down", "down"))),
            depots=_depots(player),
            strongbox=stock(player.get("strongbox", {})),
            slots=tuple(tuple(slot) for slot in player.get("slots", ((), (), ()))),
            here=player.get("connected", True),
        )
        for player in players
    )
    reports = given.get("reports", sum(tile != "down" for tile in boards[0].tiles))
    solo = len(players) == 1
    settings: dict[str, Any] = {
        "first": 0,
        "boards": boards,
        "marbles": tuple(marble.lower() for row in market["marbles"] for marble in row),
        "slide": market["freeMarble"].lower(),
        "grid": tuple(Pile(deck[-1] if deck else None, len(deck)) for deck in decks),
        "phase": "turns",
        "current": names.index(given.get("current", names[0])),
        "reports": reports,
        "last_round": given.get("lastRound", False),
        "cross": given.get("blackCross", 0) if solo else None,
    }
    state = State(
        Tabletop(**{**settings, **fields}), decks, ("T005",) if solo else (), Dice(1), rules.TAKE_BACKS
    )
    rules.ask(state)
    return state


def full_decks() -> dict[str, list[str]]:
    """All cards, in the order of their numbers."""
    decks: dict[str, list[str]] = {}
    for card, facts in CARDS.items():
        decks.setdefault(f"{facts.colour.upper()}-{facts.level}", []).append(card)
    return decks
