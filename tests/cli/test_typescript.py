"""The TypeScript of the records: read back and held against what is really sent."""

import json
import re
from typing import Any, Literal, NamedTuple

import msgspec
import pytest

from ludoteca import Match, games
from ludoteca.cli import typescript
from ludoteca.core import Dice, LocalError, Seat
from ludoteca.wire import messages

MOVES = 120


def interfaces(text: str) -> dict[str, dict[str, str]]:
    """The fields of each interface with their types, by name; those that may be missing end in `?`."""
    found = re.findall(r"export interface (\w+) \{(.*?)\}$", text, re.M | re.S)
    return {name: dict(re.findall(r"^  (\w+\??): (.*);$", body, re.M)) for name, body in found}


def members(text: str, union: str) -> set[str]:
    """The names joined in a union."""
    found = re.search(rf"export type {union} =(.*?);", text, re.S)
    assert found
    return set(re.findall(r"\w+", found[1]))


def test_what_a_client_sends_may_leave_out_what_has_a_default() -> None:
    shapes = interfaces(typescript.house())
    assert shapes["Open"]["game"] == "string"
    assert shapes["Open"]["terms?"] == "WantedTerms | null"
    assert shapes["WantedTerms"]["grace_s?"] == "number"
    assert shapes["Act"]["actions?"] == "GameRecord[]"


def test_what_the_house_sends_is_complete_but_for_what_it_leaves_out_itself() -> None:
    shapes = interfaces(typescript.house())
    assert shapes["Left"]["code"] == "LeftCode"
    assert shapes["Terms"]["grace_s"] == "number"
    assert (shapes["Question"]["options?"], shapes["Question"]["again"]) == ("GameRecord[]", "boolean")
    assert shapes["Events"]["view?"] == "OfGame"


@pytest.mark.parametrize("union", ["FromClient", "FromServer"])
def test_every_message_is_in_its_union_under_its_type(union: str) -> None:
    text = typescript.house()
    kinds = getattr(messages, union).__args__
    assert members(text, union) == {kind.__name__ for kind in kinds}
    for kind in kinds:
        assert interfaces(text)[kind.__name__]["type"] == json.dumps(kind.__struct_config__.tag)


@pytest.mark.parametrize("name", games.names())
def test_the_records_of_a_match_have_the_fields_that_are_written_down(name: str) -> None:
    text = typescript.game(games.load(name))
    shapes = interfaces(text)
    match, dice = Match.new(name, seed=3), Dice(5)
    sent: list[Any] = list(match.history[0].events)
    for _ in range(MOVES):
        if match.outcome is not None:
            break
        seat = min(match.asked)
        action = dice.choice(match.choices(seat))
        sent += [action, *match.act(seat, action)]
    for record in json.loads(msgspec.json.encode(sent)):
        assert set(record) == set(shapes[record["type"]])
        assert shapes[record["type"]]["type"] == json.dumps(record["type"])
    for view in (match.view(Seat(0)), match.view(None)):
        assert set(json.loads(msgspec.json.encode(view))) == set(shapes[type(view).__name__])


class Spot(NamedTuple):
    """A place."""

    row: int
    column: int


Shade = Literal["dark", "light"]


class Leaf(msgspec.Struct, frozen=True, tag=True):
    """What may be None."""

    spots: tuple[Spot, ...]
    shade: Shade | None
    corners: tuple[tuple[int, str], ...]
    weights: dict[str, float]
    odd: list[int | None]


Twig = msgspec.defstruct("Leaf", [("other", int)])


def test_names_nesting_and_nothing_are_kept() -> None:
    text = typescript.file("Trees.", {"Leaf": Leaf})
    assert interfaces(text)["Leaf"] == {
        "type": '"Leaf"',
        "spots": "Spot[]",
        "shade": "Shade | null",
        "corners": "[number, string][]",
        "weights": "Record<string, number>",
        "odd": "(number | null)[]",
    }
    assert "/** A place. */\nexport type Spot = [row: number, column: number];" in text
    assert 'export type Shade = "dark" | "light";' in text
    assert "/** What may be null. */\nexport interface Leaf" in text


def test_two_records_of_one_name_are_refused_rather_than_mixed_up() -> None:
    with pytest.raises(LocalError, match="two different records are called Leaf"):
        typescript.file("Trees.", {"Leaf": Leaf, "Twig": Twig})


def test_what_json_has_no_word_for_is_refused() -> None:
    with pytest.raises(LocalError, match="no TypeScript for"):
        typescript.file("Bytes.", {"Raw": bytes})
