"""The board state that a state must look like on the wire, written down without the help
of `view` and `wire`."""

from typing import Any

from ludoteca.games.eriantys.data import CHARACTERS, COLOURS, STEPS
from ludoteca.games.eriantys.state import State


def board(state: State, label: str, names: list[str]) -> dict[str, Any]:
    """Section "Board state" of the protocol page."""

    def counted(students: list[int]) -> dict[str, int]:
        return dict(zip(COLOURS, students, strict=True))

    def card(value: int) -> dict[str, int] | None:
        return {"value": value, "steps": STEPS[value]} if value else None

    active = None
    if state.character:
        active = {
            "id": state.character,
            "player": names[state.seat],
            "swaps": state.swaps if state.character in (7, 10) else None,
            "color": None if state.silenced is None else COLOURS[state.silenced],
        }
    return {
        "gameName": label,
        "gameMode": state.mode,
        "numPlayers": len(names),
        "round": state.round,
        "phase": state.phase,
        "firstPlayer": names[state.first],
        "currentPlayer": names[state.seat],
        "turnOrder": [names[seat] for seat in state.order],
        "lastRound": state.last_round,
        "motherNature": state.mother_nature,
        "islands": [
            {
                "id": place,
                "tiles": list(group.tiles),
                "size": len(group.tiles),
                "students": counted(group.students),
                "tower": None if group.tower is None else state.tower_colours[group.tower],
                "noEntry": group.no_entry,
            }
            for place, group in enumerate(state.groups)
        ],
        "clouds": [{"id": place + 1, "students": counted(cloud)} for place, cloud in enumerate(state.clouds)],
        "professors": {
            colour: None if seat is None else names[seat]
            for colour, seat in zip(COLOURS, state.professors, strict=True)
        },
        "players": [
            {
                "nickname": name,
                "towerColor": state.tower_colours[seat],
                "towers": state.towers[seat],
                "coins": school.coins,
                "entrance": counted(school.entrance),
                "diningRoom": counted(school.dining),
                "assistants": school.hand,
                "lastAssistant": card(school.assistant),
            }
            for seat, (name, school) in enumerate(zip(names, state.schools, strict=True))
        ],
        "bagCount": sum(state.bag),
        "coinSupply": state.supply,
        "characters": [
            {
                "id": one.character,
                "cost": one.price,
                "coinOnCard": one.bought,
                "students": counted(one.students) if CHARACTERS[one.character].students else None,
                "noEntry": one.no_entry if one.character == 5 else None,
            }
            for one in state.cards
        ],
        "activeCharacter": active,
    }
