"""Positions written down as in `cases.json`, turned into states and compared with them."""

from typing import Any

from ludoteca.core import Dice, Refused, Seat
from ludoteca.games.eriantys import rules
from ludoteca.games.eriantys.actions import (
    Action,
    BuyCharacter,
    EndTurn,
    ForbidIsland,
    MoveToDining,
    MoveToIsland,
    PlayAssistant,
    ResolveIsland,
    ReturnColour,
    SeatFromCard,
    SendFromCard,
    SilenceColour,
    StopSwapping,
    SwapWithCard,
    SwapWithDining,
    TakeCloud,
    Walk,
)
from ludoteca.games.eriantys.characters import IN_FORCE, Board
from ludoteca.games.eriantys.data import CHARACTERS, COLOURS, NUMBERS
from ludoteca.games.eriantys.events import Event
from ludoteca.games.eriantys.state import Card, Group, School, State


def students(counts: dict[str, int] | None) -> list[int]:
    """A number for each colour."""
    return [(counts or {}).get(colour, 0) for colour in COLOURS]


def position(given: dict[str, Any], mode: str = "Basic") -> State:
    """The state of a position; what it leaves out is as the head of `cases.json` says."""
    players = given["players"]
    names = [player["nickname"] for player in players]
    numbers = NUMBERS[len(players)]
    towers = tuple(player["towerColor"] for player in players)
    order = tuple(Seat(names.index(name)) for name in given.get("turnOrder", names))
    state = State(
        dice=Dice(1),
        mode="Expert" if mode == "Expert" else "Basic",
        tower_colours=towers,
        towers=[player.get("towers", numbers.towers) for player in players],
        schools=[
            School(
                player.get("hand", list(range(1, 11)))[:],
                students(player.get("entrance")),
                students(player.get("dining")),
                player.get("assistant") or 0,
                player.get("coins", 1),
            )
            for player in players
        ],
        groups=[],
        mother_nature=given.get("motherNature", 0),
        clouds=[
            students(cloud) for cloud in given.get("clouds", [{"red": numbers.cloud_students}] * len(players))
        ],
        bag=students(given.get("bag", dict.fromkeys(COLOURS, 10))),
        professors=[
            Seat(names.index(given["professors"][colour])) if colour in given.get("professors", {}) else None
            for colour in COLOURS
        ],
        first=order[0],
        order=order,
        supply=given.get("coinSupply", 20 - len(players)) if mode == "Expert" else 0,
        round=1,
        phase=given.get("phase", "action"),
        turn=order.index(Seat(names.index(given.get("currentPlayer", names[0])))),
        moved=given.get("studentsMoved", 0),
        walked=given.get("motherNatureMoved", False),
        last_round=given.get("lastRound", False),
    )
    tile = 0
    for island in given.get("islands", [{}] * 12):
        size = island.get("size", 1)
        tower = towers.index(island["tower"]) if island.get("tower") else None
        tiles = tuple(range(tile, tile + size))
        state.groups.append(Group(tiles, students(island.get("students")), tower, island.get("noEntry", 0)))
        tile += size
    for card in given.get("characters", []):
        price = card.get("cost", CHARACTERS[card["id"]].price)
        held = students(card.get("students"))
        state.cards.append(
            Card(card["id"], price, held, card.get("noEntry", 0), card.get("coinOnCard", False))
        )
    rules.ask(state)
    return state


def action(given: dict[str, Any]) -> Action:
    """An action in the words of the seed's wire, as ours; written down here once
    more, apart from `wire.py`."""
    match given:
        case {"actionType": "PLAY_ASSISTANT", "value": value}:
            return PlayAssistant(value)
        case {"actionType": "MOVE_STUDENT_TO_ISLAND", "color": colour, "island": island}:
            return MoveToIsland(colour, island)
        case {"actionType": "MOVE_STUDENT_TO_DININGROOM", "color": colour}:
            return MoveToDining(colour)
        case {"actionType": "MOVE_MOTHER_NATURE", "steps": steps}:
            return Walk(steps)
        case {"actionType": "CHOOSE_CLOUD", "cloud": cloud}:
            return TakeCloud(cloud - 1)
        case {"actionType": "END"}:
            return EndTurn()
        case {"actionType": "CHOOSE_CHARACTER", "character": character}:
            return BuyCharacter(character)
        case {"actionType": "STUDENT_FROM_CARD_TO_ISLAND", "color": colour, "island": island}:
            return SendFromCard(colour, island)
        case {"actionType": "DOUBLE_INFLUENCE", "island": island}:
            return ResolveIsland(island)
        case {"actionType": "NO_INFLUENCE", "island": island}:
            return ForbidIsland(island)
        case {"stop": True}:
            return StopSwapping()
        case {"colorFromCard": taken, "colorFromEntrance": given_back}:
            return SwapWithCard(taken, given_back)
        case {"colorFromEntrance": seated, "colorFromDining": taken}:
            return SwapWithDining(seated, taken)
        case {"actionType": "COLOR_NO_INFLUENCE", "color": colour}:
            return SilenceColour(colour)
        case {"actionType": "STUDENT_FROM_CARD_TO_DINING", "color": colour}:
            return SeatFromCard(colour)
        case {"actionType": "STUDENT_FROM_DINING_TO_BAG", "color": colour}:
            return ReturnColour(colour)
    raise ValueError(f"no action: {given}")


def perform(state: State, names: list[str], given: dict[str, Any]) -> tuple[bool, list[Event]]:
    """Whether an action of a case was accepted, and what happened."""
    if given["actionType"] == "REFILL_CLOUDS":
        board = Board(state, IN_FORCE[0])
        state.clouds = [[0] * 5 for _ in state.clouds]
        rules.fill_clouds(board)
        return True, board.events
    seat = Seat(names.index(given["by"])) if "by" in given else state.seat
    try:
        return True, rules.apply(state, seat, action(given))
    except Refused:
        return False, []
