"""Requests and notices: what is meant when nothing is said. Clients count on it, and so do old records."""

import msgspec
import pytest

from ludoteca.core.notices import Asked, Gone, Left, Notice, Said, Seated, Sitter, Stood, TableInfo, Trouble
from ludoteca.core.requests import (
    Act,
    AddBot,
    Enter,
    Join,
    Leave,
    List,
    Open,
    Ready,
    Request,
    Return,
    Say,
    Seek,
    Terms,
    WantedTerms,
    Watch,
)


@pytest.mark.parametrize("kind", [Terms, WantedTerms])
def test_who_agrees_on_nothing_waits_two_minutes_has_no_clock_and_is_public(kind: type[Terms]) -> None:
    assert kind() == kind("wait", 120.0, 0.0, False)


def test_requests_that_say_the_least() -> None:
    assert Enter("Anna").distinct
    assert Seek("shelfie") == Seek("shelfie", None, None)
    assert Open("shelfie") == Open("shelfie", 0, None, None, "", None)
    assert Join("t1") == Join("t1", "", None, None)
    assert Ready() == Ready(None)
    assert Watch("t1").since == Return("t1", "token").since == 0
    assert AddBot() == AddBot("", None)
    assert Act(()).at is None
    assert Say("hello").to is None
    assert Leave() == Leave("", False)
    assert List().game == ""


SITTER = Sitter("Anna", "Anna", "house")
TABLE = TableInfo("t1", "shelfie", "table-1", "open", (SITTER, None), None, Terms(), 0)


def test_notices_that_say_the_least() -> None:
    assert Sitter("Anna", "Anna", "house") == Sitter("Anna", "Anna", "house", "", True, True, None, 0)
    assert TABLE.watchers == 0
    assert Seated(TABLE, None).token == ""
    assert not Stood(0, SITTER).back
    assert not Asked(1, None).again
    assert Said(1, "Anna", "hello").to is None
    assert Left(0, "Anna") == Left(0, "Anna", 0.0, False, "", "lost")
    assert Gone("closing") == Gone("closing", False, "closing")
    assert not Trouble("the disk is full").over


def test_a_table_knows_its_players_by_seat() -> None:
    unnamed = msgspec.structs.replace(SITTER, name="")
    table = msgspec.structs.replace(TABLE, chairs=(None, SITTER, unnamed))
    assert table.names == ("", "Anna", "")


@pytest.mark.parametrize("union", [Request, Notice])
def test_what_is_said_cannot_be_changed_on_its_way(union: object) -> None:
    """One object goes to many, and into more than one place."""
    kinds = union.__args__  # type: ignore[attr-defined]
    assert len(kinds) > 10
    assert all(kind.__struct_config__.frozen for kind in kinds)
