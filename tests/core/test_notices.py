"""What the house tells: every notice can be written and read, says what it is, and is never changed."""

from typing import Any, get_args

import msgspec
import pytest

from ludoteca.core import notices as told
from ludoteca.core.requests import Terms

ANNA = told.Sitter("Anna", "anna", "house", came=1)
TABLE = told.TableInfo("t1", "santorini", "1", "open", (ANNA, None), {}, Terms(), 5)
EXAMPLES: tuple[told.Notice, ...] = (
    told.Entered("Anna"),
    told.Opening(),
    told.Seated(TABLE, 0, "token"),
    told.Sat(0, ANNA),
    told.Stood(0, ANNA, back=True),
    told.Shown(3, {"a": 1}),
    told.Happened(3, ("event",)),
    told.Asked(3, {"kind": "move"}, again=True),
    told.Declined({"type": "Act"}, "not now", "turn"),
    told.Said(3, "Anna", "hi", "Bruno"),
    told.Left(0, "Anna", 9.5, False, "", "waits"),
    told.Returned(0, "Anna"),
    told.Clock(0, 9.5),
    told.Over({"ranks": [1, 2]}),
    told.Wanted((0, 1)),
    told.Tables((TABLE,)),
    told.Gone("the house closes", True, "closing"),
    told.Trouble("the disk is full"),
)
KINDS: tuple[type[msgspec.Struct], ...] = get_args(told.Notice)


def kind_of(notice: object) -> str:
    return type(notice).__name__


def test_there_is_an_example_of_every_notice() -> None:
    shown = {type(notice) for notice in EXAMPLES}
    # A hint holds what the game's own types say, and has its tests beside the hall's.
    assert {kind.__name__ for kind in KINDS if kind not in shown} <= {"Hinted"}


@pytest.mark.parametrize("notice", EXAMPLES, ids=kind_of)
def test_a_notice_is_read_as_it_was_written(notice: told.Notice) -> None:
    data = msgspec.json.encode(notice)
    read = msgspec.json.decode(data, type=type(notice))
    assert msgspec.json.encode(read) == data
    assert msgspec.json.decode(data)["type"] == kind_of(notice).lower()


def test_no_two_notices_are_called_the_same() -> None:
    names = [kind.__struct_config__.tag for kind in KINDS]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("notice", EXAMPLES, ids=kind_of)
def test_nobody_who_is_told_can_change_what_the_next_is_told(notice: Any) -> None:
    for field in notice.__struct_fields__:
        with pytest.raises(AttributeError):
            setattr(notice, field, None)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_notice_says_what_it_means(kind: type[msgspec.Struct]) -> None:
    assert kind.__doc__
    assert kind.__doc__.strip()


def test_a_table_names_its_players_by_seat_and_leaves_free_chairs_empty() -> None:
    assert TABLE.names == ("Anna", "")
    assert msgspec.structs.replace(TABLE, chairs=(None, None)).names == ("", "")


@pytest.mark.parametrize(
    ("notice", "field", "wrong"),
    [
        (told.Left(0, "Anna"), "code", "asleep"),
        (told.Gone("why"), "code", "asleep"),
        (TABLE, "phase", "paused"),
    ],
)
def test_a_code_that_no_program_knows_is_not_read(notice: Any, field: str, wrong: str) -> None:
    plain = msgspec.to_builtins(notice) | {field: wrong}
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(plain, type(notice))
