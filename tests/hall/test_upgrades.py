"""Another version of the rules: matches go on where they can, and are set aside, for a
while, where they cannot."""

from typing import Any

import msgspec
import pytest
from tests.hall.play import House, Person

from ludoteca import games
from ludoteca.core import Game, JournalError, Refused, Seat, Unplayable
from ludoteca.core.notices import Asked, Declined, Entered, Happened, Said, Seated, Shown
from ludoteca.core.requests import Act, AddBot, Enter, Join, Open, Return, Say, Seek, Watch
from ludoteca.games.multisweeper.actions import Click
from ludoteca.journal import decode, verify
from ludoteca.journal.records import RulesChanged

NAME = "multisweeper"
GAME = games.load(NAME)


def played(protocol: str = "house") -> tuple[House, list[str], list[Person]]:
    """A match of two with a few moves and a word; the tokens by seat."""
    house = House()
    anna, bruno = house.named("Anna", protocol), house.named("Bruno", protocol)
    anna.ask(Open(NAME, 2))
    bruno.ask(Join(anna.last(Seated).table.id))
    anna.ask(Act((Click(0, 0),)), Say("good luck"))
    bruno.ask(Act((next(iter(bruno.last(Asked).question.choices)),)))
    return house, [anna.last(Seated).token, bruno.last(Seated).token], [anna, bruno]


def with_rules(**changes: Any) -> Any:
    """How games are found in a version that has other rules."""
    changed = msgspec.structs.replace(GAME, **changes)
    return lambda name: changed if name == NAME else games.load(name)


def started(house: House, load: Any) -> House:
    """A house of another version, with the records of the first and what it adds to them."""
    again = House(load=load)
    again.now = house.now + 5
    again.lines = {table: list(lines) for table, lines in house.lines.items()}
    for table, lines in house.lines.items():
        try:
            again.hall.recover(lines, again.now)
        except JournalError as error:
            again.hall.tables.aside.add(table, lines, error)
    again.collect()
    return again


def inputs(house: House) -> list[Any]:
    """All inputs of the only table."""
    (lines,) = house.lines.values()
    return [decode(line)[0].input for line in lines]


class Loud(msgspec.Struct, frozen=True, tag=True):
    """An event that versions before did not have."""

    seat: int


def loud_apply(state: Any, seat: Seat, action: Any) -> list[Any]:
    return [*GAME.apply(state, seat, action), Loud(seat)]


def loud(version: int = 2) -> Any:
    """Rules that tell more."""
    return with_rules(
        version=version,
        apply=loud_apply,
        seen=lambda event, seat: event if isinstance(event, Loud) else GAME.seen(event, seat),
        update=lambda view, event: view if isinstance(event, Loud) else GAME.update(view, event),
    )


def refusing(*_: object) -> Any:
    raise Refused("corners are closed now")


def stumbling(*_: object) -> Any:
    raise KeyError("corner")


def gone(name: str) -> Game:
    raise Refused(f"there is no game {name!r}", "game")


def test_a_match_whose_events_have_another_shape_goes_on_and_says_so_in_its_record() -> None:
    house, tokens, _ = played()
    again = started(house, loud())
    assert inputs(again)[-1] == RulesChanged(2)
    bruno = again.guest().ask(Return("", tokens[1]))
    anna = again.guest().ask(Return("", tokens[0]))
    assert anna.last(Said).text == "good luck"
    anna.ask(Act((next(iter(anna.last(Asked).question.choices)),)))
    assert Loud(0) in bruno.last(Happened).events
    # Executed once more, also by the version before: every record is accounted for.
    (lines,) = again.lines.values()
    newer, older = verify(lines, loud()), verify(lines, games.load)
    assert (newer.version, newer.changed, newer.unexplained) == (2, 5, 0)
    assert older.changed > newer.changed
    assert older.unexplained == 0


def test_a_second_start_of_the_new_version_adds_nothing() -> None:
    house, _, _ = played()
    once = started(house, loud())
    twice = started(once, loud())
    assert twice.lines == once.lines


def test_going_back_is_written_down_as_well_and_the_match_goes_on() -> None:
    house, tokens, _ = played()
    back = started(started(house, loud()), games.load)
    assert inputs(back)[-2:] == [RulesChanged(2), RulesChanged(1)]
    assert back.guest().ask(Return("", tokens[0])).last(Asked).again


def test_numbers_already_told_are_not_told_again_after_an_upgrade() -> None:
    house, tokens, (anna, _) = played()
    again = started(house, loud())
    since = max(anna.last(Said).number, anna.last(Happened).number)
    back = again.guest().ask(Return("", tokens[0], since))
    assert back.count(Shown) == back.count(Happened) == back.count(Said) == 0
    assert back.last(Asked).number == anna.last(Asked).number


def test_changed_rules_that_keep_their_version_do_not_end_a_match() -> None:
    house, tokens, _ = played()
    again = started(house, loud(version=1))
    assert inputs(again) == inputs(house)
    (table,) = again.hall.tables
    assert table.match.unexplained == 5
    assert again.guest().ask(Return("", tokens[0])).last(Asked)


def test_an_open_table_goes_on_under_the_rules_of_its_start() -> None:
    house = House()
    anna = house.named("Anna").ask(Open(NAME, 2))
    again = started(house, loud())
    bruno = again.named("Bruno").ask(Join(anna.last(Seated).table.id))
    back = again.guest().ask(Return("", anna.last(Seated).token))
    assert back.last(Asked)
    assert bruno.last(Shown)
    assert verify(next(iter(again.lines.values())), loud()).changed == 0


@pytest.mark.parametrize(
    "load",
    [
        pytest.param(gone, id="the game is gone"),
        pytest.param(with_rules(version=2, apply=refusing), id="an input is refused"),
        pytest.param(with_rules(version=2, apply=stumbling), id="the rules raise"),
        pytest.param(with_rules(version=2, start=stumbling), id="the start raises"),
        pytest.param(with_rules(version=2, view=stumbling), id="the view raises"),
        pytest.param(with_rules(version=2, options=type(GAME.preferences())), id="options are gone"),
        pytest.param(with_rules(version=2, actions=Loud), id="actions have other names"),
        pytest.param(with_rules(version=2, plays_from=2), id="the new rules refuse older matches"),
    ],
)
def test_what_cannot_go_on_is_set_aside_and_served_again_by_a_version_that_can(load: Any) -> None:
    house, tokens, _ = played()
    again = started(house, load)
    assert not list(again.hall.tables)
    assert not again.hall.guests
    assert again.lines == house.lines, "nothing is written about it"
    refusal = again.guest().ask(Return("", tokens[0])).last(Declined)
    assert (refusal.code, "another version" in refusal.reason) == ("aside", True)
    (table,) = house.lines
    assert again.guest().ask(Watch(table)).last(Declined).code == "aside"
    assert again.guest().ask(Return("", "no such token")).last(Declined).code == "gone"
    assert started(again, games.load).guest().ask(Return("", tokens[0])).last(Asked).again


def test_nobody_is_left_behind_by_a_table_that_fails_while_its_bots_sit_down() -> None:
    house = House()
    house.named("Anna").ask(Open(NAME, 2), AddBot("random"))
    again = House(load=with_rules(view=stumbling))
    with pytest.raises(Unplayable, match="corner"):
        again.hall.recover(next(iter(house.lines.values())), again.now)
    assert not again.hall.guests
    assert not list(again.hall.tables)
    assert again.hall.post.take() == ([], [])


def test_who_returns_by_name_is_told_once_and_is_a_newcomer_then() -> None:
    house, _, _ = played(NAME)
    again = started(house, with_rules(version=2, apply=refusing))
    anna = again.guest(NAME).ask(Enter("ANNA"))
    assert (anna.last(Declined).code, anna.count(Entered)) == ("aside", 0)
    assert again.named("Anna").last(Entered).name == "Anna", (
        "a name means nothing in the house's own protocol"
    )
    assert again.guest(NAME).ask(Enter("Bruno", distinct=False)).last(Declined).code == "aside"
    bruno = again.guest(NAME).ask(Enter("Bruno"), Seek(NAME, Open(NAME, 2)))
    assert bruno.last(Seated).table.phase == "open"


def test_where_names_alone_give_no_seat_they_tell_of_none() -> None:
    house, _, _ = played(NAME)
    again = House(load=gone, return_by_name="never")
    ((table, lines),) = house.lines.items()
    again.hall.tables.aside.add(table, lines, Unplayable("gone"))
    assert again.guest(NAME).ask(Enter("Anna")).last(Entered).name == "Anna"


def test_nobody_from_elsewhere_is_told_in_the_place_of_the_one_who_sat_there() -> None:
    house = House()
    anna = house.named("Anna", NAME, "10.0.0.1").ask(Open(NAME, 2))
    house.named("Bruno", NAME, "10.0.0.2").ask(Join(anna.last(Seated).table.id))
    again = started(house, with_rules(version=2, plays_from=2))
    assert again.guest(NAME, "10.9.9.9").ask(Enter("Anna")).last(Entered).name == "Anna"
    assert again.guest(NAME, "10.0.0.1").ask(Enter("Anna")).last(Declined).code == "aside"


def test_a_new_option_and_a_new_default_leave_a_match_as_it_is() -> None:
    house, tokens, _ = played()
    weathered = msgspec.defstruct("Options", [("weather", str, "fair")], bases=(GAME.options,), frozen=True)
    again = started(house, with_rules(version=2, options=weathered))
    (table,) = again.hall.tables
    assert table.options.weather == "fair"
    assert table.options.mines == inputs(house)[0].options["mines"], (
        "as it was recorded, whatever is usual now"
    )
    assert table.match.changed == 0
    assert again.guest().ask(Return("", tokens[0])).last(Asked)
