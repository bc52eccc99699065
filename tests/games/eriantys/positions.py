"""Positions written down as in `cases.json`, turned into states and compared with them."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

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
from ludoteca.games.eriantys.data import CHARACTERS, COLOURS, NUMBERS, Mode
from ludoteca.games.eriantys.events import Event, Students
from ludoteca.games.eriantys.state import (
    NOBODY,
    CharacterCard,
    Island,
    Player,
    State,
    Tabletop,
    counted,
)


def students(counts: dict[str, int] | None) -> Students:
    """A number for each colour."""
    return counted((counts or {}).get(colour, 0) for colour in COLOURS)


def lay(state: State, players: Mapping[int, Mapping[str, Any]] | None = None, **changes: Any) -> None:
    """Change what lies on the table, and of some players by their seats; the question is asked anew."""
    seated = list(state.tabletop.players)
    for seat, more in (players or {}).items():
        seated[seat] = replace(seated[seat], **more)
    state.tabletop = replace(state.tabletop, players=tuple(seated), **changes)
    rules.ask(state)


def position(given: dict[str, Any], mode: Mode = "Basic") -> State:
    """The state of a position; what it leaves out is as the head of `cases.json` says."""
    players = given["players"]
    names = [player["nickname"] for player in players]
    numbers = NUMBERS[len(players)]
    order = tuple(Seat(names.index(name)) for name in given.get("turnOrder", names))
    full = [{"red": numbers.cloud_students}] * len(players)
    tabletop = Tabletop(
        mode=mode,
        round=1,
        phase=given.get("phase", "action"),
        first=order[0],
        current=Seat(names.index(given.get("currentPlayer", names[0]))),
        order=order,
        moved=given.get("studentsMoved", 0),
        walked=given.get("motherNatureMoved", False),
        last_round=given.get("lastRound", False),
        clouds_short=False,
        mother_nature=given.get("motherNature", 0),
        islands=islands(given.get("islands", [{}] * 12)),
        clouds=tuple(students(cloud) for cloud in given.get("clouds", full)),
        professors=tuple(
            Seat(names.index(given["professors"][colour])) if colour in given.get("professors", {}) else None
            for colour in COLOURS
        ),
        players=tuple(
            Player(
                tower=player["towerColor"],
                towers=player.get("towers", numbers.towers),
                coins=player.get("coins", 1),
                hand=tuple(player.get("hand", range(1, 11))),
                assistant=player.get("assistant"),
                entrance=students(player.get("entrance")),
                dining=students(player.get("dining")),
            )
            for player in players
        ),
        bag=students(given.get("bag", dict.fromkeys(COLOURS, 10))),
        supply=given.get("coinSupply", 20 - len(players)) if mode == "Expert" else 0,
        characters=tuple(map(card, given.get("characters", []))),
        active=None,
    )
    state = State(tabletop, Dice(1))
    rules.ask(state)
    return state


def islands(given: list[dict[str, Any]]) -> tuple[Island, ...]:
    found: list[Island] = []
    tile = 0
    for island in given:
        tiles = tuple(range(tile, tile + island.get("size", 1)))
        lying = students(island.get("students"))
        found.append(Island(tiles, lying, island.get("tower"), island.get("noEntry", 0)))
        tile += len(tiles)
    return tuple(found)


def card(given: dict[str, Any]) -> CharacterCard:
    facts = CHARACTERS[given["id"]]
    return CharacterCard(
        given["id"],
        given.get("cost", facts.price),
        given.get("coinOnCard", False),
        students(given.get("students")) if facts.students else None,
        given.get("noEntry", 0) if facts.no_entry else None,
    )


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
        lay(state, clouds=(NOBODY,) * len(names))
        board = Board(state, IN_FORCE[0])
        rules.fill_clouds(board)
        return True, board.events
    seat = Seat(names.index(given["by"])) if "by" in given else state.tabletop.current
    try:
        return True, rules.apply(state, seat, action(given))
    except Refused:
        return False, []
