"""The rules in the house: every card of the games has its full text on the page, in both languages."""

import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.contract.test_pages import rows_of
from tests.web.test_units import ROOT

from ludoteca import games

# The texts that are rows of the pages' tables: the head of each language, and whose texts they are.
Ids = Callable[[dict[str, Any]], Iterable[str]]
TABLES: dict[str, tuple[str, str, Ids]] = {
    "eriantys": ("| id |", "| id |", lambda cards: map(str, cards["characters"])),
    "shelfie": ("| id |", "| id |", lambda cards: map(str, cards["common_goals"])),
}


def text(game: str, language: str) -> str:
    if language == "en":
        return (ROOT / "docs" / "rules" / f"{game}.md").read_text()
    return (web(game) / "rules.it.md").read_text()


def web(game: str) -> Path:
    return ROOT / "src" / "ludoteca" / "games" / game / "web"


@pytest.mark.parametrize("game", TABLES)
def test_every_character_and_goal_of_the_data_has_a_row_in_both_languages(game: str):
    *heads, ids = TABLES[game]
    wanted = list(ids(msgspec.to_builtins(games.load(game).cards)))
    for language, head in zip(("en", "it"), heads, strict=True):
        rows = rows_of(text(game, language), head)
        assert [row[0] for row in rows] == wanted
        assert all(cell for row in rows for cell in row)


def test_every_god_of_the_data_has_a_row_in_both_languages():
    gods = list(games.load("santorini").cards["gods"])
    drawn = (web("santorini") / "gods.ts").read_text()
    assert [god for god in gods if f"\n  {god}: {{\n" not in drawn] == []
    names = [drawn.split(f"\n  {god}: {{\n")[1].split('it: "')[1].split('"')[0] for god in gods]
    for language, head, called in (("en", "| god |", gods), ("it", "| divinità |", names)):
        rows = rows_of(text("santorini", language), head)
        assert [row[0].split(" (")[0] for row in rows] == called
        assert all(row[1] for row in rows)


def test_the_personal_goals_that_the_page_draws_are_those_of_the_rules():
    drawn = json.loads((web("shelfie") / "facts.json").read_text())
    cards = json.loads(msgspec.json.encode(games.load("shelfie").cards))
    assert drawn["personal_goals"] == cards["personal_goals"]


@pytest.mark.parametrize("game", [game.name for game in games.load_all()])
def test_numbers_in_tables_are_the_same_in_both_languages(game: str):
    """A price, a count or a row that one language has and the other has not."""
    for one, other in zip(
        *(text(game, language).split("\n## ")[1:] for language in ("en", "it")), strict=True
    ):
        numbers = [sorted(re.findall(r"\d+", part)) for part in (one, other)]
        assert numbers[0] == numbers[1], one.splitlines()[0]


def test_the_rules_count_islands_as_the_board_and_the_log_do():
    for language, count in (("en", "1 to 12"), ("it", "da 1 a 12")):
        assert count in text("eriantys", language)
        assert " 0" not in re.sub(r"\d{2,}", "", text("eriantys", language).split("## ")[1])
