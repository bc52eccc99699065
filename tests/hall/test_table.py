"""One table: presence, clocks and preferences, where a slip would go unnoticed for long."""

from tests.hall.play import House, Person, a_table, letters, pair, playing, sit

from ludoteca.core.notices import (
    Asked,
    Clock,
    Declined,
    Gone,
    Happened,
    Over,
    Returned,
    Said,
    Seated,
    Shown,
)
from ludoteca.core.requests import Act, Join, Leave, Open, Return, Say, Terms, Watch
from ludoteca.games.multisweeper.actions import Click
from ludoteca.hall import GuestId, Limits, away
from ludoteca.journal import decode
from ludoteca.journal.records import Started

GAME = "multisweeper"


def token(person: Person) -> str:
    return next(notice.token for notice in person.heard if isinstance(notice, Seated) and notice.token)


def test_a_clock_begins_anew_for_a_player_who_was_away() -> None:
    """Survivor of `come_back`: `asked.since = now`."""
    house = House()
    anna, _ = pair(house, Terms(move_s=30, grace_s=100))
    house.wait(20)
    anna.hang_up()
    house.wait(9)
    back = house.guest().ask(Return("", token(anna)))
    assert back.last(Clock).left_s == 30
    house.wait(25)
    assert not back.count(Over)
    house.wait(6)
    assert back.count(Over)


def test_who_had_gone_before_a_restart_gets_no_grace_time_after_it() -> None:
    """Survivor of `recover`: `away_since` only for those who had not left."""
    house = House()
    people = [house.named(name) for name in ("Anna", "Bruno", "Carla")]
    people[0].ask(Open("renaissance", 3, terms=Terms(grace_s=60)))
    for person in people[1:]:
        person.ask(Join(people[0].last(Seated).table.id))
    people[2].ask(Leave())
    again = House()
    (lines,) = house.lines.values()
    table = again.hall.recover(lines, again.now)
    assert [chair.away_since for _, chair in table.taken()] == [again.now, again.now, None]


def test_two_players_cannot_sit_down_with_the_same_wish() -> None:
    """Survivor of `_seat`: `table.agree(seat, wish)`."""
    house = House()
    anna, bruno = house.named("Anna"), house.named("Bruno")
    anna.ask(Open("eriantys", 2, preference={"tower": "white"}))
    table = anna.last(Seated).table.id
    bruno.ask(Join(table, preference={"tower": "white"}))
    assert bruno.last(Declined).code
    assert not bruno.count(Seated)
    bruno.ask(Join(table, preference={"tower": "black"}))
    assert bruno.last(Shown)


def test_whoever_returns_hears_every_record_once_also_when_the_history_has_just_run_over() -> None:
    """Survivor of `_remembers`: `number + 1`."""
    for gap in range(1, 7):
        house = House(Limits(history_max=4))
        anna, bruno = pair(house)
        for number in range(10):
            anna.ask(Say(f"word {number}"))
        newest = anna.last(Said).number
        bruno.hang_up()
        back = house.guest().ask(Return("", token(bruno), since=newest - gap))
        told = [notice.number for notice in back.heard if isinstance(notice, Said)]
        if back.count(Shown):
            assert gap > 4
        else:
            assert told == list(range(newest - gap + 1, newest + 1))
            assert gap <= 4


def test_words_for_one_are_told_to_nobody_who_returns_or_starts_to_watch() -> None:
    """Survivor of `since`: `entry.to is None or name in (...)`."""
    house = House()
    people = [house.named(name) for name in ("Anna", "Bruno", "Carla")]
    people[0].ask(Open(GAME, 3))
    for person in people[1:]:
        person.ask(Join(people[0].last(Seated).table.id))
    anna, bruno, carla = people
    anna.ask(Say("psst", to="Bruno"), Say("hello"))
    carla.hang_up()
    for who, hears in ((carla, ["hello"]), (bruno, ["psst", "hello"])):
        who.hang_up()
        back = house.guest().ask(Return("", token(who), since=1))
        assert [notice.text for notice in back.heard if isinstance(notice, Said)] == hears
    watcher = house.named("Dora").ask(Watch(anna.last(Seated).table.id))
    assert [notice.text for notice in watcher.heard if isinstance(notice, Said)] == ["hello"]


def test_whoever_returns_to_a_match_that_went_on_hears_it_as_it_happened() -> None:
    house = House()
    anna, bruno = pair(house)
    bruno.hang_up()
    anna.ask(Act((Click(0, 0),)))
    happened = anna.last(Happened)
    back = house.guest().ask(Return("", token(bruno), since=happened.number - 1))
    assert back.last(Happened) == happened
    assert anna.last(Returned).name == "Bruno"


def test_why_a_table_closes_is_said_by_a_code() -> None:
    house = House(Limits(deserted_s=60))
    anna, _ = pair(house)
    elsewhere = house.guest().ask(Return("", token(anna)))
    assert anna.last(Gone).code == "elsewhere"
    elsewhere.table.match.state = None
    elsewhere.ask(Act((Click(0, 0),)))
    assert elsewhere.last(Gone).code == "crashed"
    house.hall.close("back soon")
    house.collect()
    assert (elsewhere.last(Gone).code, elsewhere.last(Gone).back) == ("closing", True)


# A table by itself: clocks and graces to the second.


def test_at_the_start_everybody_is_shown_the_table_and_the_first_is_asked() -> None:
    table = a_table()
    sit(table, 0, "Anna")
    sit(table, 1, "Bruno")
    table.watch(GuestId(9), 0)
    table.post.take()
    table.start(5, 1.0)
    told = letters(table)
    assert [guest for guest, notice in told if isinstance(notice, Shown)] == [1, 2, 9]
    assert [guest for guest, notice in told if isinstance(notice, Asked)] == [1]
    assert not any(isinstance(notice, Clock) for _, notice in told)


def test_who_is_asked_what_they_have_answered_is_told_so_and_asked_again() -> None:
    table = playing(a_table(), "Anna", "Bruno")
    pending = table.asked.get(0)
    assert pending is not None
    number = pending.number
    table.post.take()
    table.act(GuestId(1), 0, Act((Click(0, 0),), number + 1), 1.0)
    (_, declined), (_, asked) = letters(table)
    assert declined.code == "stale"
    assert (asked.number, asked.again) == (number, True)
    table.act(GuestId(2), 1, Act((Click(0, 0),)), 1.0)
    ((guest, declined),) = letters(table)
    assert (guest, declined.code) == (2, "turn")


def test_whoever_asks_for_the_seat_they_sit_on_is_shown_how_things_stand() -> None:
    table = playing(a_table(), "Anna", "Bruno")
    table.post.take()
    table.show_again(GuestId(1), 0, 0)
    told = letters(table)
    assert {guest for guest, _ in told} == {1}
    assert [type(notice).__name__ for _, notice in told] == ["Entered", "Seated", "Shown", "Asked"]
    assert told[-1][1].again
    waiting = a_table("t2")
    sit(waiting, 0, "Anna")
    waiting.post.take()
    waiting.show_again(GuestId(1), 0, 0)
    assert [type(notice).__name__ for _, notice in letters(waiting)] == ["Entered", "Seated"]


def test_whoever_returns_to_a_match_that_is_over_hears_how_it_ended() -> None:
    table = playing(a_table(), "Anna", "Bruno")
    away.depart(table, 0, "", 1.0)
    assert table.phase == "over"
    table.post.take()
    table.watch(GuestId(9), 0)
    assert isinstance(letters(table)[-1][1], Over)
    table.come_back(GuestId(1), 0, 0, 2.0)
    assert [notice for guest, notice in letters(table) if guest == 1][-1].outcome == table.match.outcome
    assert list(table.asked) == []


def test_all_who_are_here_must_want_a_rematch() -> None:
    table = a_table(seats=3)
    for seat, name in enumerate(("Anna", "Bruno")):
        sit(table, seat, name)
    sit(table, 2, "Bot-Ada", bot="random")
    table.start(5, 0.0)
    table.close("over", 1.0)
    table.post.take()
    assert not table.want_rematch(1)
    assert not table.want_rematch(1)
    assert table.want_rematch(0)
    assert letters(table)[-1][1].seats == (0, 1)


def test_a_match_is_abandoned_when_all_people_gave_it_up() -> None:
    table = a_table(seats=3)
    for seat, name in enumerate(("Anna", "Bruno")):
        sit(table, seat, name)
    sit(table, 2, "Bot-Ada", bot="random")
    table.start(5, 0.0)
    assert not table.abandoned()
    table.chair(0).gave_up = True
    assert not table.abandoned()
    table.chair(1).gave_up = True
    assert table.abandoned()


def test_the_list_tells_when_a_table_was_opened_and_how_many_look_on() -> None:
    house = House()
    anna = house.named("Anna").ask(Open(GAME, 2))
    house.named("Wanda").ask(Watch(anna.table.id))
    info = anna.table.info()
    assert (info.opened_ms, info.watchers) == (1_000_000_000, 1)
    again = House()
    (lines,) = house.lines.values()
    assert again.hall.recover(lines, 2_000_000.0).info().opened_ms == 1_000_000_000


def test_seats_are_numbered_in_the_order_of_arrival_for_the_rules() -> None:
    table = a_table(seats=3)
    for seat, name in ((2, "Carla"), (0, "Anna"), (1, "Bruno")):
        sit(table, seat, name)
    table.start(5, 0.0)
    started = decode(table.post.entries[-1].line)[0].input
    assert isinstance(started, Started)
    assert (started.order, started.seed, started.seats) == ((2, 0, 1), 5, 3)


def test_an_origin_is_noted_once() -> None:
    table = playing(a_table(), "Anna", "Bruno")
    number = table.ledger.number
    table.claim(0, "", 1.0)
    assert table.ledger.number == number
    table.claim(0, "here", 1.0)
    table.claim(0, "there", 1.0)
    assert (table.ledger.number, table.chair(0).origin) == (number + 1, "here")


def test_bots_are_woken_by_the_first_who_comes_and_by_nobody_after() -> None:
    table = a_table()
    sit(table, 0, "Bot-Ada", bot="random")
    sit(table, 1, "Bruno")
    table.start(5, 0.0)
    away.lost(table, 1, 1.0)
    table.post.take()
    table.watch(GuestId(9), 0)
    assert [guest for guest, notice in letters(table) if isinstance(notice, Asked)] == [1]
    table.watch(GuestId(10), 0)
    table.come_back(GuestId(2), 1, 0, 3.0)
    assert not [guest for guest, notice in letters(table) if isinstance(notice, Asked)]


def test_who_had_left_and_comes_back_is_told_what_happens_from_then_on() -> None:
    house = House()
    people = [house.named(name) for name in ("Anna", "Bruno", "Carla")]
    people[0].ask(Open("renaissance", 3, terms=Terms(absence="end")))
    for person in people[1:]:
        person.ask(Join(people[0].last(Seated).table.id))
    people[2].ask(Leave())
    back = house.guest().ask(Return("", token(people[2])))
    assert people[0].last(Returned).name == "Carla"
    assert back.count(Happened) == 0, "the whole picture is told instead"
    assert back.last(Shown).number == people[0].table.ledger.number
    heard = back.count(Happened)
    asked = max(people[:2], key=lambda person: person.last(Asked).number if person.count(Asked) else -1)
    asked.ask(Act((asked.last(Asked).question.choices[0],)))
    assert back.count(Happened) == heard + 1
    assert people[0].table.chair(2).guest == back.guest.id
