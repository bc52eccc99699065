"""Requests and notices: what is meant when nothing is said. Clients count on it, and so do old records."""

from typing import Any, get_args

import msgspec
import pytest
from tests.hall.play import House

from ludoteca.core.notices import Asked, Gone, Left, Notice, Said, Seated, Sitter, Stood, TableInfo, Trouble
from ludoteca.core.requests import (
    Act,
    AddBot,
    Beat,
    Continue,
    Decisive,
    Enter,
    Hint,
    Join,
    Leave,
    List,
    Look,
    Open,
    Ready,
    Rematch,
    Reply,
    Report,
    Request,
    Return,
    Say,
    Seek,
    Terms,
    Unlock,
    Unlook,
    WantedTerms,
    Watch,
    Why,
)
from ludoteca.games.multisweeper.actions import Click


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


LEAST: tuple[Request, ...] = (
    Reply(b""),
    Enter(""),
    Unlock(""),
    Report(""),
    Seek(""),
    Open(""),
    Join(""),
    Ready(),
    Watch(""),
    Return("", ""),
    AddBot(),
    Act(()),
    Hint(),
    Why(()),
    Decisive(""),
    Continue("", ""),
    Say(""),
    Leave(),
    Rematch(),
    List(),
    Look(),
    Unlook(),
    Beat(),
)
# What somebody might put where a name, a number or a game belongs.
ODD: tuple[Request, ...] = (
    Enter("x" * 100_000),
    Enter("\0\n\u202e"),
    Enter("Anna", distinct=False),
    Unlock("x" * 100_000, greet=True),
    Report("x" * 100_000, "\0\n\u202e"),
    Seek("nothing", Open("nothing")),
    Seek("shelfie", Open("santorini")),
    Seek("shelfie", preference="wish"),
    Open("shelfie", -1),
    Open("shelfie", 10**9),
    Open("shelfie", options={"nonsense": 1}),
    Open("shelfie", options=[1, 2]),
    Open("shelfie", label="x" * 100_000),
    Open("shelfie", preference=object()),
    Join("../../etc", "shelfie"),
    Join("t1", seat=-1),
    Join("t1", seat=10**9),
    Ready("wish"),
    Watch("t1", -5),
    Watch("t1", 10**18),
    Return("t1", "\0"),
    Return("", "token", 10**18),
    AddBot("grandmaster"),
    AddBot(seat=-1),
    Act((Click(1023, 1023),)),
    Act((Click(0, 0),) * 1000, at=-1),
    Hint(10**18),
    Why((Click(1023, 1023),), at=-1),
    Why((Click(1023, 1023), Click(0, 0))),
    Decisive("../../etc"),
    Continue("../../etc", "\0", "genius"),
    Say("x" * 100_000),
    Say("psst", to="nobody"),
    Leave("\0", name=True),
    List("nothing"),
    List(after="nowhere"),
    List(count=-1),
    List(count=10**18),
    List(label="x" * 100_000),
    List("nothing", "playing", "00-0", 1, "\0", mine=True),
    Look("nothing"),
    Look(table="../../etc"),
    Look("shelfie", "open", "nothing"),
)


def test_there_is_an_example_of_every_request() -> None:
    assert {kind.__name__ for kind in get_args(Request)} == {type(request).__name__ for request in LEAST}


@pytest.mark.parametrize("kind", get_args(Request), ids=lambda kind: kind.__name__)
def test_every_request_says_what_it_means(kind: type[msgspec.Struct]) -> None:
    assert kind.__doc__
    assert kind.__doc__.strip()
    assert kind.__struct_config__.tag == kind.__name__


@pytest.mark.parametrize(
    "request_",
    [request for request in (*LEAST, *ODD) if not isinstance(request, Reply)],
    ids=lambda request: repr(request)[:40],
)
@pytest.mark.parametrize("who", ["stranger", "guest", "sitting", "playing", "watching"])
def test_whoever_asks_for_whatever_the_hall_answers_and_stays_whole(request_: Request, who: str) -> None:
    """Conversations check what they can, yet the hall cannot rely on any one of them."""
    house = House()
    anna, bruno = house.named("Anna"), house.named("Bruno")
    anna.ask(Open("multisweeper", 2))
    if who in ("playing", "watching"):
        bruno.ask(Join(anna.guest.table))
    asker = {"stranger": house.guest(), "sitting": anna, "playing": anna}.get(who) or house.named("Carla")
    if who == "watching":
        asker.ask(Watch(anna.guest.table))
    before = len(house.hall.tables)
    asker.ask(request_)
    told = [notice for heard in house.heard.values() for notice in heard]
    assert not any(isinstance(notice, Gone) and notice.code == "crashed" for notice in told)
    assert len(house.hall.tables) <= before + 1
    # The house goes on for all others.
    dora = house.named("Dora")
    dora.ask(Open("multisweeper", 2))
    assert dora.last(Seated).seat == 0


@pytest.mark.parametrize("terms", [{"absence": "bot"}, {"private": True}, {"grace_s": 1}, {"move_s": 2.5}])
def test_terms_are_read_part_by_part(terms: dict[str, Any]) -> None:
    for kind in (Terms, WantedTerms):
        read = msgspec.convert(terms, kind)
        assert msgspec.to_builtins(read) == msgspec.to_builtins(kind()) | terms
