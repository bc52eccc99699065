"""The rule cases: a position, a list of actions, and what must hold afterwards."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.games.eriantys.positions import perform, position, students

from ludoteca.games.eriantys.data import COLOURS
from ludoteca.games.eriantys.events import InfluenceCounted, Students
from ludoteca.games.eriantys.state import State
from ludoteca.games.eriantys.wire.words import offered

CASES = json.loads(Path(__file__).with_name("cases.json").read_text())["cases"]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_the_case_holds(case: dict[str, Any]) -> None:
    names = [player["nickname"] for player in case["position"]["players"]]
    state = position(case["position"], case["mode"])
    accepted, influence = [], None
    for given in case["actions"]:
        before = state.clone()
        done, events = perform(state, names, given)
        accepted.append(done)
        if not done:
            assert state == before
        for event in events:
            if isinstance(event, InfluenceCounted):
                influence = dict(zip(names, event.influence, strict=True))
    expected = case["expect"]
    assert accepted == expected.get("accepted", [True] * len(accepted))
    found = describe(state, names) | {"influence": influence}
    for key, value in expected.items():
        if key != "accepted":
            assert_part(value, found[key], key)


def assert_part(expected: Any, found: Any, where: str) -> None:
    """Only the members that are named are compared."""
    if isinstance(expected, dict):
        for key, value in expected.items():
            assert_part(value, found[key], f"{where}.{key}")
    else:
        assert found == expected, where


def describe(state: State, names: list[str]) -> dict[str, Any]:
    """A state in the words of the cases."""

    def counted(counts: Students) -> dict[str, int]:
        return dict(zip(COLOURS, counts, strict=True))

    tabletop = state.tabletop
    winners = state.outcome.winners if state.outcome else ()
    return {
        "islands": {
            str(place): {
                "tower": group.tower,
                "size": len(group.tiles),
                "students": counted(group.students),
                "noEntry": group.no_entry,
            }
            for place, group in enumerate(tabletop.islands)
        },
        "islandCount": len(tabletop.islands),
        "motherNature": tabletop.mother_nature,
        "players": {
            name: {
                "towers": school.towers,
                "coins": school.coins,
                "entrance": counted(school.entrance),
                "dining": counted(school.dining),
            }
            for name, school in zip(names, tabletop.players, strict=True)
        },
        "professors": {
            colour: None if seat is None else names[seat]
            for colour, seat in zip(COLOURS, tabletop.professors, strict=True)
        },
        "characters": {
            str(card.character): {
                "cost": card.price,
                "coinOnCard": card.coin,
                "students": counted(card.held),
                "studentsTotal": sum(card.held),
                "noEntry": card.no_entry,
            }
            for card in tabletop.characters
        },
        "coinSupply": tabletop.supply,
        "bag": counted(tabletop.bag),
        "bagTotal": sum(tabletop.bag),
        "cloudSizes": [sum(cloud) for cloud in tabletop.clouds],
        "cloudStepSkipped": tabletop.clouds_short,
        "phase": tabletop.phase,
        "turnOrder": [names[seat] for seat in tabletop.order],
        "currentPlayer": names[tabletop.current],
        "lastRound": tabletop.last_round,
        "ended": state.outcome is not None,
        "winner": names[winners[0]] if len(winners) == 1 else None,
        "possibleActions": offered(state.kind, tabletop),
    }


def test_positions_are_read_as_they_are_written() -> None:
    given = {
        "players": [{"nickname": "ann", "towerColor": "white"}, {"nickname": "bob", "towerColor": "black"}]
    }
    state = position(given)
    assert msgspec.json.encode(state)
    assert students({"red": 2}) == (0, 2, 0, 0, 0)
    assert [len(group.tiles) for group in state.tabletop.islands] == [1] * 12
