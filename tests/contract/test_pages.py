"""The pages of the rules say what the games do: every table on them is compared with the games' own facts."""

import re
from importlib import import_module
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from tests import rig

from ludoteca import games
from ludoteca.games.eriantys.data import CHARACTERS, NUMBERS
from ludoteca.games.renaissance.data import CELL_POINTS
from ludoteca.games.santorini.data import CARDS
from ludoteca.games.shelfie.data import COMMON_GOALS, GROUP_POINTS, PERSONAL_POINTS, ROOM

DOCS = Path(__file__).parents[2] / "docs"


def page(name: str) -> str:
    return (DOCS / "rules" / f"{name}.md").read_text()


def rows(name: str, head: str) -> list[list[str]]:
    return rows_of(page(name), head)


def rows_of(text: str, head: str) -> list[list[str]]:
    table = text[text.index(head) :].split("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in table]


@pytest.mark.parametrize("game", rig.spoken())
def test_every_protocol_leads_to_its_rules_and_every_page_of_rules_back(game):
    protocol = games.page(game)
    assert protocol is not None
    assert f"/docs/rules/{game}.md" in protocol
    assert f"/games/{game}/PROTOCOL.md" in page(game)
    if games.load(game).cards:
        assert f"/api/v1/games/{game}/cards" in protocol
        assert f"/api/v1/games/{game}/cards" in page(game)


def word_for(message: type) -> str:
    """What a message is called on the line."""
    kind: Any = message
    return str(kind.__struct_config__.tag or kind.form)


def sayable(wire: Any) -> tuple[type, ...]:
    """All that clients of a protocol can say."""
    return get_args(wire.MESSAGES[0] if hasattr(wire, "MESSAGES") else wire.LINES)


@pytest.mark.parametrize("game", rig.spoken())
def test_what_a_client_may_say_when_is_the_same_on_the_page_and_in_the_code(game):
    wire: Any = import_module(f"ludoteca.games.{game}.wire")
    protocol = games.page(game)
    assert protocol is not None
    words = [word_for(message) for message in sayable(wire)]
    expected = [
        [stage.value, ", ".join(f"`{word}`" for word in words if word in map(word_for, said)) or "nothing"]
        for stage, said in wire.EXPECTED.items()
    ]
    assert rows_of(protocol, "| a client that |") == expected


@pytest.mark.parametrize("game", rig.spoken())
def test_every_stage_has_its_row_and_every_message_its_time(game):
    wire: Any = import_module(f"ludoteca.games.{game}.wire")
    stages: Any = type(next(iter(wire.EXPECTED)))
    assert list(wire.EXPECTED) == list(stages)
    assert wire.ALWAYS.union(*wire.EXPECTED.values()) == set(sayable(wire))
    assert not wire.ALWAYS & set().union(*wire.EXPECTED.values())


ROOT = DOCS.parent
PAGES = [ROOT / "README.md", *DOCS.rglob("*.md"), *ROOT.glob("src/ludoteca/games/*/*.md")]


@pytest.mark.parametrize("path", PAGES, ids=[str(path.relative_to(ROOT)) for path in PAGES])
def test_every_link_of_a_page_leads_somewhere(path):
    for link in re.findall(r"\]\(([^)#\s]+)", path.read_text()):
        assert link.startswith("https://") or (path.parent / link).exists(), link


def test_santorini_has_a_row_for_every_god():
    told = {row[0].split(" (")[0]: row[0] for row in rows("santorini", "| god |")}
    assert list(told) == list(CARDS)
    assert {god for god, words in told.items() if "two players" in words} == {
        god for god, card in CARDS.items() if card.seats_max == 2
    }
    pairs = {frozenset((god, other)) for god, card in CARDS.items() for other in card.shuns}
    (sentence,) = re.findall(r"Not together: (.*?)\.", page("santorini"))
    assert {frozenset(pair.split(" and ")) for pair in sentence.split(", ")} == pairs


def test_eriantys_has_the_numbers_and_the_characters_of_the_game():
    for players, row in zip(NUMBERS, rows("eriantys", "| players |"), strict=True):
        numbers = NUMBERS[players]
        shown = [int(re.findall(r"\d+", cell)[0]) for cell in row]
        cloud, moves, entrance, towers = (
            numbers.cloud_students,
            numbers.moves,
            numbers.entrance,
            numbers.towers,
        )
        assert shown == [players, players, cloud, moves, entrance, towers]
    told = {int(row[0]): (int(row[1]), row[2]) for row in rows("eriantys", "| id |")}
    assert told == {number: (card.price, card.name) for number, card in CHARACTERS.items()}


def test_my_shelfie_has_the_room_the_goals_and_the_points_of_the_game():
    drawn = tuple(
        line.replace(" ", "") for line in re.findall(r"^    ([.234 ]{17})$", page("shelfie"), re.MULTILINE)
    )
    assert drawn == ROOM
    assert [int(row[0]) for row in rows("shelfie", "| id |")] == list(COMMON_GOALS)
    personal = re.findall(r"0 to 6 of them: ([\d, ]+) points", page("shelfie"))[0]
    assert tuple(int(points) for points in personal.split(", ")) == PERSONAL_POINTS
    groups = re.findall(r"(\d) (?:tiles|or more) (\d)", page("shelfie"))
    assert {int(size): int(points) for size, points in groups} == {
        size: points for size, points in enumerate(GROUP_POINTS) if points
    }


def test_renaissance_has_the_bonus_cells_of_the_track():
    (told,) = re.findall(r"bonus cell of the track \(([^)]+)\)", page("renaissance").replace("\n", " "))
    bonus = [tuple(map(int, pair.split(": "))) for pair in told.split(", ")]
    steps = [
        (cell, points)
        for cell, points in enumerate(CELL_POINTS)
        if points != (CELL_POINTS[cell - 1] if cell else 0)
    ]
    assert bonus == steps


def test_the_operators_page_has_every_setting_of_every_protocol():
    text = (DOCS / "hosting.md").read_text()
    table = text[text.index("| `eriantys.heartbeat_interval_s`") :].split("\n\n")[0].splitlines()
    told: dict[str, str] = {}
    for row in table:
        keys, _, defaults = (cell.strip() for cell in row.strip("|").split("|"))
        told |= dict(zip(keys.replace("`", "").split(", "), defaults.split(", "), strict=True))
    known = {
        f"{game.name}.{key}": str(value)
        for game in games.load_all()
        if game.wire is not None
        for key, value in msgspec.structs.asdict(game.wire.settings()).items()
    }
    assert told == known
