"""After a restart: the same table, from its records alone."""

import itertools

import pytest
from msgspec.structs import replace
from tests.hall.play import House, Person

from ludoteca.core import Damaged, JournalError, Seat
from ludoteca.core.notices import (
    Asked,
    Clock,
    Declined,
    Entered,
    Gone,
    Happened,
    Over,
    Said,
    Seated,
    Shown,
    Tables,
)
from ludoteca.core.requests import (
    Act,
    AddBot,
    Enter,
    Join,
    Leave,
    List,
    Open,
    Ready,
    Return,
    Say,
    Seek,
    Terms,
    Watch,
)
from ludoteca.games.multisweeper.actions import Click
from ludoteca.hall.slip import decode as decode_slip
from ludoteca.hall.slip import encode as encode_slip

GAME = "multisweeper"
# Whatever comes after a restart is the same whenever a table comes back.
pytestmark = pytest.mark.usefixtures("sleepy")


def played(terms: Terms | None = None) -> tuple[House, Person, Person]:
    """A match of two with a few moves and a word."""
    house = House()
    anna, bruno = house.named("Anna"), house.named("Bruno")
    anna.ask(Open(GAME, 2, terms=terms))
    bruno.ask(Join(anna.last(Seated).table.id))
    anna.ask(Act((Click(0, 0),)), Say("good luck"))
    return house, anna, bruno


def restarted(house: House) -> House:
    """Another house that has only the records of the first."""
    again = House()
    again.now = house.now + 5
    return again.take_over(house)


def test_players_return_with_their_tokens_and_play_on() -> None:
    house, _anna, bruno = played()
    again = restarted(house)
    carla = again.guest().ask(Return("", bruno.last(Seated).token))
    assert carla.last(Shown).view == bruno.table.ledger.shown(Seat(1)).view
    assert carla.last(Asked) == Asked(bruno.last(Asked).number, carla.last(Asked).question, again=True)
    assert carla.last(Said).text == "good luck"
    carla.ask(Act((next(iter(carla.last(Asked).question.choices)),), at=bruno.last(Asked).number))
    assert carla.count(Happened) == 1


def test_events_keep_their_numbers_so_that_nothing_is_told_twice() -> None:
    house, anna, _bruno = played()
    again = restarted(house)
    since = anna.last(Said).number
    back = again.guest().ask(Return("", anna.last(Seated).token, since))
    assert back.count(Shown) == back.count(Happened) == back.count(Said) == 0


def test_who_came_before_whom_is_known_after_a_restart() -> None:
    """Also when a chair changed hands, and when somebody became ready twice."""
    house = House()
    anna, bruno, carla = house.named("Anna"), house.named("Bruno"), house.named("Carla")
    anna.ask(Open(GAME, 4))
    table = anna.last(Seated).table.id
    bruno.ask(Join(table, seat=3))
    anna.ask(Leave())
    carla.ask(Join(table, seat=0))
    bruno.ask(Ready())

    def came(person: Person) -> dict[str, int]:
        return {sitter.name: sitter.came for sitter in person.table.info().chairs if sitter}

    assert came(carla) == {"Carla": 3, "Bruno": 2}
    again = restarted(house)
    back = again.guest().ask(Return("", carla.last(Seated).token))
    assert came(back) == {"Carla": 3, "Bruno": 2}
    dora = again.named("Dora").ask(Join(table))
    assert came(dora)["Dora"] == 4


def test_a_table_that_ends_with_a_lost_player_waits_after_a_restart() -> None:
    house, anna, _ = played(Terms(absence="end", grace_s=60))
    again = restarted(house)
    again.wait(59)
    back = again.guest().ask(Return("", anna.last(Seated).token))
    assert back.count(Over) == 0
    again.wait(2)
    assert back.last(Over).outcome.ranks == ()


def test_clocks_do_not_run_while_the_house_is_down() -> None:
    house, _anna, bruno = played(Terms(move_s=30))
    house.now += 25
    again = restarted(house)
    again.wait(20)
    back = again.guest().ask(Return("", bruno.last(Seated).token))
    assert back.last(Clock).left_s == 30


def test_bots_sit_down_again_by_themselves_and_are_asked() -> None:
    house = House()
    anna = house.named("Anna").ask(Open(GAME, 2), AddBot("random"), Act((Click(0, 0),)))
    again = restarted(house)
    bots = [guest for guest in again.hall.guests if guest.bot]
    assert len(bots) == 1
    again.guest().ask(Return("", anna.last(Seated).token))
    assert isinstance(again.heard[bots[0].id][-1], Asked)
    assert again.hall.asked(bots[0], again.heard[bots[0].id][-1].number) is not None
    assert anna.last(Seated).table.id in {table.id for table in again.hall.tables}


def test_a_bot_that_took_another_s_place_sits_there_again() -> None:
    house = House()
    anna = house.named("Anna").ask(Open(GAME, 2), AddBot("master"), Act((Click(0, 0),)))
    (bot,) = [guest for guest in house.hall.guests if guest.bot]
    house.hall.change_bot(bot, "safe", "I broke down.", house.now)
    house.collect()
    again = restarted(house)
    (bot,) = [guest for guest in again.hall.guests if guest.bot]
    assert bot.bot == "safe"
    back = again.guest().ask(Return("", anna.last(Seated).token))
    assert back.last(Said).text == "I broke down."
    assert again.hall.asked(bot, again.heard[bot.id][-1].number) is not None


def test_an_open_table_is_still_open_and_its_chair_is_kept() -> None:
    house = House()
    anna = house.named("Anna").ask(Open(GAME, 2))
    again = restarted(house)
    bruno = again.named("Bruno").ask(Seek(GAME))
    assert bruno.last(Seated).table.id == anna.last(Seated).table.id
    back = again.guest().ask(Return("", anna.last(Seated).token))
    assert back.last(Asked).number == bruno.last(Shown).number


def test_raw_clients_return_by_name() -> None:
    house = House()
    anna = house.named("Anna", GAME).ask(Open(GAME, 2))
    house.named("Bruno", GAME).ask(Seek(GAME))
    again = restarted(house)
    back = again.guest(GAME).ask(Enter("Anna"))
    assert back.last(Seated).seat == 0
    assert back.last(Asked).again
    assert anna.last(Asked).number == back.last(Asked).number


def test_two_of_the_same_name_both_return_to_their_seats() -> None:
    house = House()
    for _ in range(2):
        house.guest(GAME).ask(Enter("Ada", distinct=False), Seek(GAME, otherwise=Open(GAME, 2)))
    again = restarted(house)
    seats = [
        again.guest(GAME)
        .ask(Enter("Ada", distinct=False), Seek(GAME, otherwise=Open(GAME, 2)))
        .last(Seated)
        .seat
        for _ in range(2)
    ]
    assert seats == [0, 1]
    assert len(again.hall.tables) == 1


def test_a_damaged_record_is_found_and_leaves_the_hall_untouched() -> None:
    house, _, _ = played()
    (lines,) = house.lines.values()
    for place in (len(lines) - 1, 2):
        damaged = list(lines)
        damaged[place] = damaged[place].replace(b'"type"', b'"tYpe"')
        fresh = House()
        with pytest.raises(JournalError):
            fresh.hall.recover(damaged, 0.0)
        assert len(fresh.hall.tables) == 0
        assert not fresh.hall.guests


def test_a_missing_or_exchanged_record_is_found() -> None:
    house, _, _ = played()
    (lines,) = house.lines.values()
    for wrong in (lines[:2] + lines[3:], [*lines[:-2], lines[-1], lines[-2]], lines[1:]):
        with pytest.raises(JournalError):
            House().hall.recover(wrong, 0.0)


def test_records_that_lie_where_those_of_another_table_belong_harm_only_the_table_they_replace() -> None:
    """Found by the simulation (misdirected writes): the other table was there twice, and what the false one
    wrote could not be stored, for nobody."""
    house, _, _ = played()
    (true, lines), again = *house.lines.items(), House().take_over(house)
    known = again.hall.tables.get(true)
    for misdirected in (lines[:1], lines[:3], [lines[0], lines[0]]):
        with pytest.raises(Damaged, match="another table"):
            again.hall.recover(misdirected, again.now, "another")
    assert again.hall.tables.get(true) is known is not None
    again.collect()
    assert len(again.lines[true]) == len(lines), "nothing was written in its name"


def test_a_table_is_answered_for_by_its_opener_and_after_a_restart_by_who_came_back_first() -> None:
    house = House()
    anna = house.named("Anna", address="10.0.0.1").ask(Open(GAME, 2))
    bruno = house.named("Bruno", address="10.0.0.2").ask(Seek(GAME))
    assert [table.owner for table in house.hall.tables] == ["10.0.0.1"]
    again = restarted(house)
    assert [table.owner for table in again.hall.tables] == [""]
    again.guest(address="10.0.0.3").ask(Return("", bruno.last(Seated).token))
    again.guest(address="10.0.0.1").ask(Return("", anna.last(Seated).token))
    assert [table.owner for table in again.hall.tables] == ["10.0.0.3"]


def test_a_match_that_broke_down_is_kept_and_played_on_after_the_next_start() -> None:
    """A mistake in the rules that shows on one move does not end the match: nothing of
    it was written down."""
    house, anna, bruno = played()
    token = anna.last(Seated).token
    anna.table.match.state = None
    bruno.ask(Act((Click(1, 1),)))
    assert anna.last(Gone).code == "crashed"
    assert not house.fates or set(house.fates.values()) == {"live"}
    refused = house.guest().ask(Return("", token)).last(Declined)
    assert (refused.code, "tried again" in refused.reason) == ("aside", True)
    again = restarted(house)
    back = again.guest().ask(Return("", token))
    assert back.last(Shown)
    assert len(again.hall.tables) == 1


def test_an_open_table_remembers_the_wish_of_who_waits_there() -> None:
    house = House()
    anna = house.named("Anna").ask(Open("eriantys", 2, preference={"tower": "white"}))
    again = restarted(house)
    again.guest().ask(Return("", anna.last(Seated).token))
    table = anna.last(Seated).table.id
    bruno = again.named("Bruno").ask(Join(table, preference={"tower": "white"}))
    assert bruno.last(Declined).code
    assert bruno.ask(Join(table, preference={"tower": "black"})).last(Shown)


# Tables that are not back yet.


def expecting(house: House) -> House:
    """Another house that knows of the tables of the first, and has none of them back."""
    again = House()
    again.sleepy = True
    again.take_over(house)
    assert all(table.asleep for table in again.hall.tables)
    return again


def test_a_table_is_listed_before_it_is_back_as_afterwards() -> None:
    house, anna, _bruno = played()
    house.named("Carla").ask(Open(GAME, 3, label="mine"), AddBot("random"))
    again = expecting(house)
    before = [one.info for one in again.named("Dario").ask(List()).last(Tables).tables]
    assert [table.phase for table in before] == ["open", "playing"]
    assert [chair and chair.here for chair in before[0].chairs] == [False, True, None]
    assert all(table.asleep for table in again.hall.tables), "a look at the list wakes nobody"
    for table in before:
        again.hall.tables.find(table.id)
    assert [one.info for one in again.named("Elsa").ask(List()).last(Tables).tables] == before
    assert anna.table.match.digest == again.hall.tables.find(anna.guest.table).match.digest


def test_names_labels_and_budgets_are_taken_before_a_table_is_back() -> None:
    house, _anna, _bruno = played()
    house.named("Carla").ask(Open(GAME, 3, label="mine"))
    again = expecting(house)
    assert again.guest().ask(Enter("anna", distinct=True)).last(Declined).code == "taken"
    dario = again.named("Dario").ask(Open(GAME, 2, label="mine"))
    assert dario.last(Declined).code == "taken"
    assert dario.ask(Open(GAME, 2)).last(Seated).table.label not in ("table-1", "mine")
    assert sum(table.asleep for table in again.hall.tables) == 2


def test_whoever_needs_a_table_has_it_back_alone() -> None:
    house, _anna, bruno = played()
    carla = house.named("Carla").ask(Open(GAME, 3))
    for need in (
        lambda again: again.guest().ask(Return("", bruno.last(Seated).token)),
        lambda again: again.guest().ask(Watch(bruno.guest.table)),
        lambda again: again.named("Dario").ask(Join(bruno.guest.table)),
        lambda again: again.named("Dario").ask(Seek(GAME)),
    ):
        again = expecting(house)
        need(again)
        assert [table.asleep for table in again.hall.tables] in ([False, True], [True, False])
    again = expecting(house)
    assert again.named("Dario").ask(Seek(GAME)).last(Seated).table.id == carla.guest.table
    again.wait(again.hall.tables.find(bruno.guest.table).terms.grace_s + 1)
    assert not any(table.asleep for table in again.hall.tables), "its clock needs it, too"


def test_whoever_comes_back_by_name_wakes_the_next_seat_when_the_first_is_set_aside() -> None:
    """Two tables keep a seat for one name, as after misdirected writes, and both sleep."""
    tables = []
    again = House()
    before = House()
    for first in (1, 1000):
        house = House(numbers=itertools.count(first))
        anna = house.named("Anna", GAME).ask(Open(GAME, 2))
        house.named("Bruno").ask(Join(anna.guest.table))
        tables.append(anna.guest.table)
        before.lines |= house.lines
        before.slips |= house.slips
    again.sleepy = True
    again.take_over(before)
    again.lines[tables[0]] = [b"of which nobody can read anything"]
    assert again.guest(GAME).ask(Enter("Anna")).last(Seated).table.id == tables[1]


def test_a_table_that_nobody_sat_down_at_is_gone_as_soon_as_it_is_back() -> None:
    house = House()
    house.guest(GAME).ask(Open(GAME, 2))
    assert len(house.hall.tables) == 1
    again = House().take_over(house)
    assert not list(again.hall.tables)
    assert not again.hall.floor.news


def test_a_grace_time_runs_from_the_start_and_not_from_when_a_table_is_back() -> None:
    house, anna, _bruno = played(Terms(absence="wait", grace_s=60))
    again = expecting(house)
    again.wait(50)
    watcher = again.guest().ask(Watch(anna.guest.table))
    assert not watcher.count(Over)
    again.wait(11)
    assert watcher.count(Over) == 1


def test_whoever_is_away_is_waited_for_anew_by_each_hall() -> None:
    # It cannot be known who is away only because the hall before was lost.
    house, anna, bruno = played(Terms(absence="wait", grace_s=60))
    anna.hang_up()
    house.wait(50)
    again = restarted(house)
    watcher = again.guest().ask(Return("", bruno.last(Seated).token))
    again.wait(50)
    assert not watcher.count(Over)
    again.wait(11)
    assert watcher.count(Over) == 1


def test_the_records_decide_when_a_slip_says_something_else() -> None:
    house, anna, bruno = played()
    (table,) = house.slips
    slip = decode_slip(house.slips[table])
    assert slip is not None
    first = slip.places[0]
    wrong = replace(first.sat, name="Zoe", key=bruno.last(Seated).token)
    house.slips[table] = encode_slip(replace(slip, places=(first._replace(sat=wrong), *slip.places[1:])))
    again = expecting(house)
    back = again.guest().ask(Watch(table))
    assert [chair and chair.name for chair in back.last(Seated).table.chairs] == ["Anna", "Bruno"]
    assert again.guest().ask(Return("", anna.last(Seated).token)).last(Entered).name == "Anna"
    assert again.guest().ask(Enter("Zoe", distinct=True)).last(Entered).name == "Zoe"
    assert len(again.hall.tables) == 1


def test_a_table_that_cannot_be_brought_back_is_set_aside_when_somebody_needs_it() -> None:
    house, anna, bruno = played()
    house.lines[anna.guest.table][-1] = house.lines[anna.guest.table][-1][:-1]
    again = expecting(house)
    for need in (Watch(anna.guest.table), Return("", bruno.last(Seated).token), Join(anna.guest.table)):
        assert again.named("Dario").ask(need).last(Declined).code == "aside"
    assert len(again.hall.tables) == 0
    assert again.guest().ask(Enter("Anna", distinct=True)).last(Entered).name == "Anna", "as after any start"


def test_who_comes_back_by_name_to_a_table_that_cannot_be_brought_back_is_told_so() -> None:
    house = House(return_by_name="anyone")
    anna = house.named("Anna", GAME).ask(Open(GAME, 2, terms=Terms(absence="wait")))
    house.named("Bruno").ask(Join(anna.guest.table))
    lines = house.lines[anna.guest.table]
    lines[-1] = lines[-1][:-1]
    again = House(return_by_name="anyone")
    again.sleepy = True
    again.take_over(house)
    assert again.guest(GAME).ask(Enter("Anna")).last(Declined).code == "aside"
    assert again.guest(GAME).ask(Enter("Anna")).last(Entered).name == "Anna"


def test_what_a_slip_says_and_nobody_understands_any_more_is_brought_back_at_once() -> None:
    house, anna, _bruno = played()
    slip = decode_slip(house.slips[anna.guest.table])
    assert slip is not None
    unknown = replace(slip.opened, game="chess")
    assert not House().hall.expect(replace(slip, opened=unknown), 0.0)
    strange = replace(slip.opened, options={"tiles": 7})
    assert not House().hall.expect(replace(slip, opened=strange), 0.0)
    assert not House().hall.expect(replace(slip, phase="open", places=()), 0.0), "nobody sits there"
