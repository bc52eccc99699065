"""The hall: names, tokens, matching, presence, chat, clocks, rematches."""

import pytest
from tests.hall.play import House, Person, pair

from ludoteca import games
from ludoteca.core import Outcome
from ludoteca.core.notices import (
    Asked,
    Clock,
    Declined,
    Entered,
    Gone,
    Happened,
    Left,
    Opening,
    Over,
    Returned,
    Said,
    Sat,
    Seated,
    Shown,
    Stood,
    Tables,
    Wanted,
)
from ludoteca.core.requests import (
    Act,
    AddBot,
    Enter,
    Join,
    Leave,
    List,
    Open,
    Rematch,
    Request,
    Return,
    Say,
    Seek,
    Terms,
    Watch,
)
from ludoteca.games.multisweeper.actions import Click
from ludoteca.hall import Limits
from ludoteca.journal import replay

GAME = "multisweeper"


@pytest.fixture
def house() -> House:
    return House()


def click(person: Person, column: int = 0, row: int = 0) -> None:
    person.ask(Act((Click(column, row),)))


# Names.


def test_a_name_is_unique_whatever_its_case(house: House) -> None:
    house.named("Anna")
    other = house.named("ANNA")
    assert other.last(Declined).code == "taken"


def test_a_name_is_free_again_when_its_guest_leaves(house: House) -> None:
    house.named("Anna").hang_up()
    assert house.named("Anna").last(Entered).name == "Anna"


@pytest.mark.parametrize("name", ["", "   ", "a" * 33, "a\tb", "Bot-Ada"])
def test_some_names_are_nobodys(house: House, name: str) -> None:
    assert house.named(name).last(Declined).code == "name"


def test_where_names_identify_nobody_a_taken_one_is_varied(house: House) -> None:
    house.named("Anna")
    second = house.guest(GAME).ask(Enter("Anna", distinct=False))
    assert second.last(Entered).name == "Anna 2"
    assert second.guest.given == "Anna"


def test_in_our_own_protocol_a_seat_needs_a_name(house: House) -> None:
    table = house.named("Anna").ask(Open(GAME, 2)).last(Seated).table.id
    stranger = house.guest()
    for request in (Open(GAME, 2), Join(table), Seek(GAME)):
        assert stranger.ask(request).last(Declined).code == "name"
    assert len(house.hall.tables) == 1


# Finding a table.


def test_a_seeker_sits_down_at_the_oldest_open_table_of_any_protocol(house: House) -> None:
    anna = house.named("Anna").ask(Open(GAME, 3))
    house.named("Bruno").ask(Open(GAME, 3))
    carla = house.named("Carla", GAME).ask(Seek(GAME))
    assert carla.last(Seated).table.id == anna.last(Seated).table.id
    assert carla.last(Seated).seat == 1


def test_the_first_seeker_chooses_and_later_ones_wait(house: House) -> None:
    first, second = house.guest("santorini"), house.guest("santorini")
    first.ask(Seek(GAME))
    second.ask(Seek(GAME))
    assert first.count(Opening) == 1
    assert second.heard == []
    first.ask(Open(GAME, 2))
    assert second.last(Seated).table.id == first.last(Seated).table.id


def test_when_the_chooser_leaves_the_next_one_chooses(house: House) -> None:
    first, second = house.guest(GAME).ask(Seek(GAME)), house.guest(GAME).ask(Seek(GAME))
    first.hang_up()
    assert second.count(Opening) == 1


@pytest.mark.parametrize("turns_to", ["a table to watch", "nothing"])
def test_when_the_chooser_turns_to_something_else_the_next_one_chooses(house: House, turns_to: str) -> None:
    other = house.named("Anna").ask(Open("santorini", 2)).last(Seated).table.id
    first, second = house.named("Bruno", GAME).ask(Seek(GAME)), house.guest(GAME).ask(Seek(GAME))
    first.ask(Watch(other) if turns_to == "a table to watch" else Leave())
    assert second.count(Opening) == 1


def test_nobody_is_seated_at_a_table_whose_people_have_gone(house: House) -> None:
    trap = house.named("Mallory", address="9.9.9.9").ask(Open(GAME, 2, terms=Terms(grace_s=3600)))
    trap.hang_up()
    anna = house.named("Anna", GAME).ask(Seek(GAME))
    assert anna.count(Opening) == 1
    anna.ask(Open(GAME, 2))
    bruno = house.named("Bruno", GAME).ask(Seek(GAME))
    assert bruno.last(Seated).table.id == anna.last(Seated).table.id != trap.last(Seated).table.id


def test_a_senseless_wish_is_declined_at_once_and_opens_no_table(house: House) -> None:
    wish = {"birth_date": "yesterday"}
    mallory = house.named("Mallory").ask(Open("santorini", 2, preference=wish))
    assert mallory.last(Declined).code == "options"
    assert len(house.hall.tables) == 0
    chooser = house.guest("santorini").ask(Seek("santorini"))
    mallory.ask(Seek("santorini", preference=wish))
    assert mallory.count(Declined) == 2
    anna = house.guest("santorini").ask(Seek("santorini"))
    chooser.hang_up()
    assert anna.count(Opening) == 1


def test_who_waits_behind_somebody_who_never_chooses_gets_what_they_wanted_instead(house: House) -> None:
    """Our own protocol is never asked what to open: it has said so already."""
    chooser = house.guest(GAME).ask(Seek(GAME))
    own = house.named("Olga").ask(Seek(GAME, Open(GAME, 2)))
    raw = house.named("Rolf", GAME).ask(Seek(GAME))
    assert own.count(Seated) == raw.count(Seated) == 0
    chooser.hang_up()
    assert own.last(Seated).table.id == raw.last(Seated).table.id
    assert raw.count(Opening) == 0


def test_nobody_stands_in_two_lines(house: House) -> None:
    for game in (GAME, "santorini"):
        house.guest(game).ask(Seek(game))
    wanderer = house.named("Wanda").ask(Seek(GAME, Open(GAME, 2)), Seek("santorini", Open("santorini", 2)))
    assert house.hall.waits(wanderer.guest)
    wanderer.hang_up()
    assert all(
        not line or wanderer.guest not in line for line in house.hall._seating._seekers._lines.values()
    )


def test_a_private_table_is_found_only_by_its_id(house: House) -> None:
    anna = house.named("Anna").ask(Open(GAME, 2, terms=Terms(private=True)))
    bruno = house.named("Bruno").ask(List(), Seek(GAME))
    assert bruno.last(Tables).tables == ()
    assert bruno.count(Opening) == 1
    bruno.ask(Join(anna.last(Seated).table.id))
    assert bruno.last(Seated).seat == 1


def test_labels_are_unique_within_a_game_and_find_the_table(house: House) -> None:
    house.named("Anna").ask(Open(GAME, 3, label="friday"))
    bruno = house.named("Bruno").ask(Open(GAME, 2, label="FRIDAY"))
    assert bruno.last(Declined).code == "taken"
    bruno.ask(Join("Friday", game=GAME))
    assert bruno.last(Seated).table.label == "friday"


@pytest.mark.parametrize("label", ["two words", "x" * 13, "tab\t"])
def test_labels_are_short_words(house: House, label: str) -> None:
    assert house.named("Anna").ask(Open(GAME, 2, label=label)).last(Declined).code == "label"


def test_an_unnamed_guest_reserves_a_chair_and_does_not_start_the_match(house: House) -> None:
    anna = house.guest("santorini").ask(Open(GAME, 2))
    bruno = house.named("Bruno").ask(Seek(GAME))
    assert bruno.count(Shown) == 0
    assert anna.last(Seated).table.chairs[0].ready is False
    assert not any(b'"SatDown","seat":0' in line for line in house.lines[anna.last(Seated).table.id])


def test_the_number_of_tables_is_limited() -> None:
    house = House(Limits(tables_max=1))
    house.named("Anna").ask(Open(GAME, 2))
    assert house.named("Bruno").ask(Open(GAME, 2)).last(Declined).code == "limit"


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        (Open("chess", 2), "game"),
        (Open(GAME, 1), "seats"),
        (Open(GAME, 2, options={"mines": "many"}), "options"),
        (Join("nowhere"), "gone"),
        (Watch("nowhere"), "gone"),
        (Act((Click(0, 0),)), "seat"),
        (Say("hello"), "seat"),
        (Rematch(), "phase"),
        (AddBot(), "seat"),
        (Return("", "no token"), "gone"),
    ],
)
def test_what_cannot_be_done_is_declined_with_a_code(house: House, request_: Request, code: str) -> None:
    assert house.named("Anna").ask(request_).last(Declined).code == code


def test_an_open_table_that_everybody_left_is_forgotten(house: House) -> None:
    anna = house.named("Anna").ask(Open(GAME, 2))
    table = anna.last(Seated).table.id
    anna.ask(Leave())
    assert len(house.hall.tables) == 0
    assert house.fates[table] == "forgotten"


# Playing.


def test_the_match_starts_when_all_chairs_are_taken(house: House) -> None:
    anna, bruno = pair(house)
    assert anna.last(Shown).view == bruno.last(Shown).view
    assert anna.last(Asked).question.kind == "click"
    assert bruno.count(Asked) == 0


def test_everybody_hears_what_happened_and_the_next_is_asked(house: House) -> None:
    anna, bruno = pair(house)
    click(anna)
    assert anna.last(Happened) == bruno.last(Happened)
    assert bruno.last(Asked).number == anna.last(Happened).number


def test_a_refused_action_is_declined_and_asked_again(house: House) -> None:
    anna, _ = pair(house)
    click(anna, 99, 99)
    assert isinstance(anna.heard[-2], Declined)
    assert anna.last(Asked).again


def test_nobody_acts_out_of_turn(house: House) -> None:
    _, bruno = pair(house)
    click(bruno)
    assert bruno.last(Declined).code == "turn"


def test_an_answer_to_an_older_question_is_stale(house: House) -> None:
    anna, bruno = pair(house)
    number = anna.last(Asked).number
    click(anna)
    closed = next(iter(bruno.last(Asked).question.choices))
    bruno.ask(Act((closed,), at=number))
    assert bruno.last(Declined).code == "stale"


# Presence.


def test_a_waiting_table_keeps_the_seat_for_the_grace_time(house: House) -> None:
    anna, bruno = pair(house, Terms(absence="wait", grace_s=30))
    token = anna.last(Seated).token
    anna.hang_up()
    assert bruno.last(Left) == Left(0, "Anna", 30)
    house.wait(29)
    again = house.guest().ask(Return("", token))
    assert bruno.last(Returned).name == "Anna"
    assert again.last(Shown).view.width == 9
    assert again.last(Asked).again


def test_after_the_grace_time_the_rules_decide(house: House) -> None:
    anna, bruno = pair(house, Terms(absence="wait", grace_s=30))
    anna.hang_up()
    house.wait(31)
    assert bruno.last(Left).gone
    assert bruno.last(Over).outcome.ranks == ()


def test_a_table_of_a_seed_ends_at_once_with_a_lost_player(house: House) -> None:
    anna, bruno = pair(house, Terms(absence="end"))
    anna.hang_up()
    assert bruno.last(Over).outcome.ranks == ()


def test_where_the_table_wants_it_a_bot_holds_the_chair(house: House) -> None:
    anna, bruno = pair(house, Terms(absence="bot", grace_s=5))
    token = anna.last(Seated).token
    anna.hang_up()
    house.wait(6)
    stand_ins = [guest for guest in house.hall.guests if guest.bot]
    assert len(stand_ins) == 1
    assert house.hall.asked(stand_ins[0], house.heard[stand_ins[0].id][-1].number) is not None
    house.guest().ask(Return("", token))
    assert not [guest for guest in house.hall.guests if guest.bot]
    assert bruno.count(Over) == 0


def test_another_bot_goes_on_in_the_chair_of_one_that_broke_down(house: House) -> None:
    anna = house.named("Anna").ask(Open(GAME, 2), AddBot("master"))
    (bot,) = [guest for guest in house.hall.guests if guest.bot]
    house.hall.change_bot(bot, "safe", "I broke down.", house.now)
    house.collect()
    assert anna.last(Sat).sitter.bot == bot.bot == "safe"
    assert (anna.last(Said).name, anna.last(Said).text) == (bot.name, "I broke down.")
    assert anna.count(Over) == anna.count(Left) == 0


def test_a_bot_that_gives_up_says_so_and_the_match_is_won(house: House) -> None:
    anna = house.named("Anna").ask(Open(GAME, 2), AddBot("master"))
    wanda = house.named("Wanda").ask(Watch(anna.table.id))
    (bot,) = [guest for guest in house.hall.guests if guest.bot]
    asked = anna.count(Asked)
    house.hall.resign(bot, "It is yours.", house.now)
    house.collect()
    for person in (anna, wanda):
        assert (person.last(Said).name, person.last(Said).text) == (bot.name, "It is yours.")
        assert person.last(Over).outcome == Outcome((1, 2), "the other gave up")
    assert (anna.count(Asked), anna.count(Left)) == (asked, 0)
    click(anna)
    assert anna.last(Declined).code == "phase"
    assert house.fates[anna.table.id] == "over"
    assert replay(house.lines[anna.table.id], games.load).outcome == Outcome((1, 2), "the other gave up")
    before = anna.table.id
    anna.ask(Rematch())
    assert anna.table.id != before
    assert anna.table.phase == "playing"


def test_a_stand_in_that_breaks_down_speaks_for_itself_only(house: House) -> None:
    anna, bruno = pair(house, Terms(absence="bot", grace_s=5))
    anna.hang_up()
    house.wait(6)
    (bot,) = [guest for guest in house.hall.guests if guest.bot]
    house.hall.change_bot(bot, "random", "I broke down.", house.now)
    house.collect()
    assert bruno.last(Said).name == bot.name != "Anna"
    assert bot.bot == "random"
    assert bruno.table.chair(0).bot == "", "the chair is still Anna's"


def test_whoever_returns_hears_what_was_missed_once_and_in_order(house: House) -> None:
    anna, bruno = pair(house)
    token = bruno.last(Seated).token
    click(anna)
    since = bruno.last(Happened).number
    bruno.hang_up()
    anna.ask(Say("where are you"), Say("come back"))
    again = house.guest().ask(Return("", token, since))
    assert [notice.text for notice in again.heard if isinstance(notice, Said)] == [
        "where are you",
        "come back",
    ]
    assert again.count(Shown) == 0
    assert again.last(Asked).again


def test_a_token_is_worth_more_than_a_connection_that_may_be_dead(house: House) -> None:
    anna, _ = pair(house)
    again = house.guest().ask(Return("", anna.last(Seated).token))
    assert anna.count(Gone) == 1
    assert again.last(Asked).again
    click(again)
    assert again.count(Happened) == 1


def test_a_seat_of_another_protocol_is_not_given_away_for_a_name(house: House) -> None:
    anna, _ = pair(house)
    anna.hang_up()
    thief = house.named("Anna", GAME)
    assert thief.last(Declined).code == "taken"


def test_a_seat_of_a_protocol_without_tokens_is_given_back_for_the_name(house: House) -> None:
    anna = house.named("Anna", GAME).ask(Open(GAME, 2, terms=Terms(absence="wait")))
    house.named("Bruno", GAME).ask(Seek(GAME))
    anna.hang_up()
    again = house.named("Anna", GAME)
    assert again.last(Seated).seat == 0
    assert again.last(Asked).again


def test_the_name_of_a_seat_at_an_ended_match_is_free(house: House) -> None:
    anna = house.named("Anna", GAME).ask(Open(GAME, 2, terms=Terms(absence="end")))
    bruno = house.named("Bruno").ask(Seek(GAME))
    anna.hang_up()
    assert bruno.count(Over) == 1
    again = house.named("Anna", GAME).ask(Seek(GAME))
    assert again.count(Seated) == 0
    assert again.count(Opening) == 1


def test_an_operator_can_require_tokens_from_all() -> None:
    house = House(return_by_name="never")
    anna = house.named("Anna", GAME).ask(Open(GAME, 2, terms=Terms(absence="wait")))
    house.named("Bruno", GAME).ask(Seek(GAME))
    anna.hang_up()
    assert house.named("Anna", GAME).last(Declined).code == "taken"


def test_in_an_open_table_a_lost_chair_is_kept_for_the_grace_time_and_then_freed(house: House) -> None:
    anna = house.named("Anna").ask(Open(GAME, 3, terms=Terms(grace_s=10)))
    bruno = house.named("Bruno").ask(Seek(GAME))
    anna.hang_up()
    assert bruno.count(Stood) == 0
    house.wait(11)
    assert bruno.last(Stood).seat == 0


def test_a_chair_that_was_freed_is_not_taken_back_from_who_sits_there_now(house: House) -> None:
    anna = house.named("Anna").ask(Open(GAME, 3, terms=Terms(grace_s=10)))
    bruno = house.named("Bruno").ask(Seek(GAME))
    token = anna.last(Seated).token
    anna.hang_up()
    house.wait(11)
    assert house.guest().ask(Return("", token)).last(Declined).code == "gone"
    carla = house.named("Carla").ask(Join(bruno.last(Seated).table.id, seat=0))
    thief = house.guest().ask(Return("", token))
    assert thief.last(Declined).code == "gone"
    assert carla.guest.seat == 0
    assert not house.hall.post.crashes
    # And the name is free, for the table has nothing of Anna's any more.
    assert house.named("Anna").count(Declined) == 0


def test_a_deserted_match_is_dropped_after_the_operators_time() -> None:
    house = House(Limits(deserted_s=60))
    anna, bruno = pair(house, Terms(grace_s=600))
    table = anna.last(Seated).table.id
    anna.hang_up()
    bruno.hang_up()
    house.wait(61)
    assert len(house.hall.tables) == 0
    assert house.fates[table] == "over"


# Watching, chat, clocks, rematches, bots.


def test_a_watcher_sees_the_match_and_may_chat(house: House) -> None:
    anna, bruno = pair(house)
    watcher = house.named("Wanda").ask(Watch(anna.last(Seated).table.id))
    assert watcher.last(Seated).seat is None
    click(anna)
    assert watcher.last(Happened) == bruno.last(Happened)
    watcher.ask(Say("nice"))
    assert anna.last(Said).name == "Wanda"
    watcher.ask(Act((Click(0, 0),)))
    assert watcher.last(Declined).code == "seat"


def test_who_thinks_longer_than_the_clock_allows_is_gone(house: House) -> None:
    anna, bruno = pair(house, Terms(move_s=20))
    assert bruno.last(Clock) == Clock(0, 20)
    house.wait(19)
    assert bruno.count(Over) == 0
    house.wait(2)
    assert bruno.last(Left).gone
    assert anna.count(Over) == 1


def test_a_rematch_opens_when_all_who_are_here_agree(house: House) -> None:
    anna, bruno = pair(house)
    bruno.ask(Leave())
    assert anna.count(Over) == 1
    anna.ask(Rematch())
    assert anna.last(Wanted).seats == (0,)
    assert anna.last(Seated).table.phase == "open"
    carla = house.named("Carla").ask(Seek(GAME))
    assert carla.count(Shown) == 1


def test_both_agree_to_a_rematch_and_keep_their_seats(house: House) -> None:
    anna, bruno = pair(house, Terms(move_s=5))
    house.wait(6)
    anna.ask(Rematch())
    assert bruno.last(Wanted).seats == (0,)
    bruno.ask(Rematch())
    assert anna.last(Seated).seat == 0
    assert bruno.last(Seated).seat == 1
    assert anna.last(Asked).again is False


def test_who_looks_on_is_told_where_the_rematch_is_played_and_nobody_else_is(house: House) -> None:
    anna, bruno = pair(house, Terms(move_s=5))
    first = anna.last(Seated).table.id
    carla = house.named("Carla").ask(Watch(first))
    house.wait(6)
    anna.ask(Rematch())
    assert carla.last(Wanted) == Wanted((0,))
    bruno.ask(Rematch())
    assert carla.last(Wanted) == Wanted((0, 1), anna.last(Seated).table.id)
    assert anna.last(Wanted).table == ""
    carla.ask(Watch(carla.last(Wanted).table))
    assert carla.last(Seated).table.id == anna.last(Seated).table.id != first


def test_bots_are_sitters_with_a_level(house: House) -> None:
    anna = house.named("Anna").ask(Open(GAME, 2), AddBot("random"))
    bot = anna.last(Sat).sitter
    assert (bot.protocol, bot.bot) == ("bot", "random")
    assert anna.count(Asked) == 1
    assert house.named("Bruno").ask(Open(GAME, 2), AddBot("clever")).last(Declined).code == "bot"


def test_a_crash_at_one_table_does_not_reach_another(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    anna, bruno = pair(house)
    carla, dario = house.named("Carla"), house.named("Dario")
    carla.ask(Open(GAME, 2))
    dario.ask(Join(carla.last(Seated).table.id))
    anna.table.match.state = None  # As a bug in a game's rules would leave it.
    click(anna)
    assert "broke down" in bruno.last(Gone).reason
    assert len(house.hall.post.crashes) == 1
    click(carla)
    assert dario.count(Happened) == 1


@pytest.mark.parametrize(
    "wish", [Open(GAME, 2), Seek(GAME), Join("anywhere")], ids=lambda wish: type(wish).__name__
)
def test_whoever_has_a_seat_is_told_so_when_asking_for_another(house: House, wish: Request) -> None:
    anna = house.named("Anna").ask(Open(GAME, 3))
    anna.ask(wish)
    assert anna.last(Declined).code == "seated"
    assert anna.count(Seated) == 1
