"""Values become records as msgspec makes them, and what is wrong is said in its words."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from ludoteca import games
from ludoteca.core.converting import convert

WRONG: list[Any] = [
    None,
    5,
    [],
    {},
    "Click",
    {"type": "Nothing"},
    {"type": 3},
    {"type": ["Click"]},
    {"column": 1},
    {"type": "Click", "column": "1", "row": 2},
    {"type": "PutTiles", "column": 1.5},
    {"type": "MoveStudent", "student": {"a": []}},
    # A text that looks like the place of the fault.
    {"type": " - at `$.held`"},
]


def outcome(make: Callable[[Any, Any], Any], given: Any, kind: Any) -> Any:
    """What comes of it: a record, or the complaint."""
    try:
        return make(given, kind)
    except msgspec.ValidationError as error:
        return str(error)


@pytest.mark.parametrize("name", games.names())
def test_every_action_and_every_complaint_is_what_msgspec_makes_of_it(name: str) -> None:
    kind = games.load(name).actions
    one = kind.__args__ if hasattr(kind, "__args__") else (kind,)
    hollow = [
        {"type": struct.__struct_config__.tag, **dict.fromkeys(struct.__struct_fields__, value)}
        for struct in one
        for value in (0, "red", None, [[1, 2]], {"held": 1})
    ]
    for given in [*WRONG, *hollow, *(struct.__struct_config__.tag for struct in one)]:
        assert outcome(convert, given, kind) == outcome(msgspec.convert, given, kind)


def test_a_record_of_the_type_already_stays_the_very_same() -> None:
    class Step(msgspec.Struct, tag=True):
        to: int

    class Wait(msgspec.Struct, tag=True):
        pass

    step = Step(3)
    assert convert(step, Step | Wait) is step
    assert convert(7, int) == 7
