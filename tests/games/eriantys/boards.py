"""The board state that a state must look like on the wire, written down without the help
of `view` and `wire`."""

from typing import Any

from ludoteca.games.eriantys.data import COLOURS, STEPS
from ludoteca.games.eriantys.events import Students
from ludoteca.games.eriantys.state import State


def board(state: State, label: str, names: list[str]) -> dict[str, Any]:
    """Section "Board state" of the protocol page."""

    def counted(students: Students) -> dict[str, int]:
        return dict(zip(COLOURS, students, strict=True))

    def card(value: int | None) -> dict[str, int] | None:
        return {"value": value, "steps": STEPS[value]} if value else None

    tabletop = state.tabletop
    active = None
    if tabletop.active:
        active = {
            "id": tabletop.active.character,
            "player": names[tabletop.current],
            "swaps": tabletop.active.swaps if tabletop.active.character in (7, 10) else None,
            "color": tabletop.active.colour,
        }
    return {
        "gameName": label,
        "gameMode": tabletop.mode,
        "numPlayers": len(names),
        "round": tabletop.round,
        "phase": tabletop.phase,
        "firstPlayer": names[tabletop.first],
        "currentPlayer": names[tabletop.current],
        "turnOrder": [names[seat] for seat in tabletop.order],
        "lastRound": tabletop.last_round,
        "motherNature": tabletop.mother_nature,
        "islands": [
            {
                "id": place,
                "tiles": list(group.tiles),
                "size": len(group.tiles),
                "students": counted(group.students),
                "tower": group.tower,
                "noEntry": group.no_entry,
            }
            for place, group in enumerate(tabletop.islands)
        ],
        "clouds": [
            {"id": place + 1, "students": counted(cloud)} for place, cloud in enumerate(tabletop.clouds)
        ],
        "professors": {
            colour: None if seat is None else names[seat]
            for colour, seat in zip(COLOURS, tabletop.professors, strict=True)
        },
        "players": [
            {
                "nickname": name,
                "towerColor": school.tower,
                "towers": school.towers,
                "coins": school.coins,
                "entrance": counted(school.entrance),
                "diningRoom": counted(school.dining),
                "assistants": list(school.hand),
                "lastAssistant": card(school.assistant),
            }
            for name, school in zip(names, tabletop.players, strict=True)
        ],
        "bagCount": sum(tabletop.bag),
        "coinSupply": tabletop.supply,
        "characters": [
            {
                "id": one.character,
                "cost": one.price,
                "coinOnCard": one.coin,
                "students": None if one.students is None else counted(one.students),
                "noEntry": one.no_entry,
            }
            for one in tabletop.characters
        ],
        "activeCharacter": active,
    }
