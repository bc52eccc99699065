"""The ways to a chair: what is refused, what is the default, and what is left behind when it goes wrong."""

import pytest
from tests.hall.play import House, Person

from ludoteca.core import Refused
from ludoteca.core.notices import Declined, Left, Opening, Over, Sat, Seated, Shown, Stood, Wanted
from ludoteca.core.requests import (
    Absence,
    AddBot,
    Enter,
    Join,
    Leave,
    Open,
    Ready,
    Rematch,
    Request,
    Seek,
    Terms,
    Watch,
)
from ludoteca.hall import Limits
from ludoteca.hall.seating import typed
from ludoteca.journal import decode
from ludoteca.journal.records import Started

GAME = "multisweeper"


@pytest.fixture
def house() -> House:
    return House()


def declined(person: Person, *requests: Request) -> tuple[str, str]:
    """The code and the sentence of what is refused last."""
    before = person.count(Declined)
    person.ask(*requests)
    assert person.count(Declined) == before + 1
    notice = person.last(Declined)
    return notice.code, notice.reason


# Opening.


def test_what_is_left_out_is_the_operators_choice_for_seeds_and_the_usual_for_our_own(house: House) -> None:
    seed = house.named("Anna", GAME).ask(Open(GAME)).last(Seated).table
    assert len(seed.chairs) == 2
    assert seed.terms == Terms(absence="end")
    own = house.named("Bruno").ask(Open(GAME)).last(Seated).table
    assert own.terms == Terms()
    assert own.options == seed.options
    assert (seed.label, own.label) == ("table-1", "table-2")
    asked = house.named("Carla", GAME).ask(Open(GAME, terms=Terms(grace_s=7))).last(Seated).table
    assert asked.terms == Terms(grace_s=7)


@pytest.mark.parametrize("seats", [1, 99, -1])
def test_a_game_is_for_so_many_and_says_how_many(house: House, seats: int) -> None:
    code, reason = declined(house.named("Anna"), Open(GAME, seats))
    assert code == "seats"
    assert reason.startswith("Multisweeper is for 2 to ")
    assert len(house.hall.tables) == 0


def test_who_sits_at_a_table_opens_no_other_and_joins_no_other(house: House) -> None:
    other = house.named("Bruno").ask(Open(GAME, 3)).last(Seated).table.id
    anna = house.named("Anna").ask(Open(GAME, 3), Open(GAME, 3), Seek(GAME))
    assert len(house.hall.tables) == 2
    assert anna.count(Seated) == 1
    assert declined(anna, Join(other))[0] == "seated"
    assert declined(anna, Watch(other))[0] == "seated"


def test_the_id_of_a_public_table_is_short_and_of_a_private_one_long(house: House) -> None:
    public = house.named("Anna").ask(Open(GAME)).last(Seated).table.id
    private = house.named("Bruno").ask(Open(GAME, terms=Terms(private=True))).last(Seated).table.id
    assert (len(public), len(private)) == (12, 32)


def test_a_house_that_closes_opens_nothing_more(house: House) -> None:
    anna = house.named("Anna")
    house.hall.close("back soon")
    assert declined(anna, Open(GAME))[0] == "limit"


def test_the_last_table_that_there_is_room_for_is_opened(house: House) -> None:
    house = House(Limits(tables_max=2, tables_per_guest_max=5))
    for name in ("Anna", "Bruno"):
        assert house.named(name).ask(Open(GAME)).count(Seated) == 1
    assert declined(house.named("Carla"), Open(GAME))[0] == "limit"


# Joining.


def test_a_chair_can_be_chosen_and_must_exist_and_be_free(house: House) -> None:
    table = house.named("Anna").ask(Open(GAME, 3)).last(Seated).table.id
    bruno = house.named("Bruno")
    assert declined(bruno, Join(table, seat=3))[0] == "seat"
    assert declined(bruno, Join(table, seat=-1))[0] == "seat"
    assert declined(bruno, Join(table, seat=0))[0] == "full"
    assert bruno.ask(Join(table, seat=2)).last(Seated).seat == 2
    assert house.named("Carla").ask(Join(table)).last(Seated).seat == 1
    assert declined(house.named("Dora"), Join(table))[0] == "playing"


def test_who_sits_down_elsewhere_leaves_what_they_watched_and_the_line_they_stood_in(house: House) -> None:
    watched = house.named("Anna").ask(Open(GAME, 2)).last(Seated).table.id
    table = house.named("Bruno").ask(Open("santorini", 2)).last(Seated).table.id
    carla = house.named("Carla").ask(Watch(watched))
    assert house.hall.tables.find(watched).info().watchers == 1
    carla.ask(Join(table))
    assert house.hall.tables.find(watched).info().watchers == 0
    chooser = house.guest("shelfie").ask(Seek("shelfie"))
    dora = house.named("Dora", "shelfie").ask(Seek("shelfie"))
    dora.ask(Join(watched))
    chooser.hang_up()
    assert dora.count(Opening) == 0


def test_a_reserved_chair_is_taken_by_a_name_and_readiness(house: House) -> None:
    raw = house.guest(GAME).ask(Open(GAME, 2))
    assert not raw.last(Sat).sitter.ready
    assert declined(raw, Ready())[1] == "enter with a name first"
    raw.ask(Enter("Anna"))
    assert (raw.last(Sat).sitter.name, raw.last(Sat).sitter.ready) == ("Anna", False)
    bruno = house.named("Bruno").ask(Seek(GAME))
    assert bruno.count(Shown) == 0
    raw.ask(Ready())
    assert bruno.count(Shown) == raw.count(Shown) == 1
    assert declined(raw, Ready())[1] == "the match has begun"
    assert declined(house.named("Carla"), Ready())[0] == "seat"
    # Both became ready, in the other order than they sat down.
    started = [chair.came for _, chair in raw.table.taken()]
    assert started == [2, 1]


def test_a_wish_is_understood_or_declined(house: House) -> None:
    game = house.hall._load("eriantys")
    white = game.preferences(tower="white")
    assert typed(None, game.preferences, white) is white
    assert typed(white, game.preferences, None) is white
    assert typed({"tower": "white"}, game.preferences, None) == white
    with pytest.raises(Refused) as refused:
        typed({"tower": 7}, game.preferences, None)
    assert refused.value.code == "options"
    raw = house.named("Anna").ask(Open("eriantys", 2))
    other = house.guest("eriantys").ask(Join(raw.last(Seated).table.id), Enter("Bruno"))
    assert declined(other, Ready({"tower": 7}))[0] == "options"


def test_who_leaves_an_open_table_frees_the_chair_and_the_token(house: House) -> None:
    anna = house.named("Anna").ask(Open(GAME, 3))
    bruno = house.named("Bruno").ask(Seek(GAME))
    token = bruno.last(Seated).token
    bruno.ask(Leave())
    assert anna.last(Stood).seat == 1
    assert not anna.last(Stood).back
    with pytest.raises(Refused):
        house.hall.tables.owned(token)
    assert bruno.guest.table == ""


def test_who_leaves_a_match_that_is_over_ends_nothing_more(house: House) -> None:
    anna, bruno = house.named("Anna").ask(Open(GAME, 2)), house.named("Bruno").ask(Seek(GAME))
    anna.ask(Leave())
    assert bruno.count(Over) == 1
    lefts = bruno.count(Left)
    table = bruno.table
    bruno.ask(Leave())
    assert bruno.count(Left) == lefts
    assert table not in house.hall.tables


# Bots.


def test_a_bot_needs_a_place_and_a_level_and_somebody_who_sits_there(house: House) -> None:
    anna = house.named("Anna")
    assert declined(anna, AddBot())[0] == "seat"
    table = anna.ask(Open(GAME, 3)).last(Seated).table.id
    watcher = house.named("Wanda").ask(Watch(table))
    assert declined(watcher, AddBot())[0] == "seat"
    people = len(house.hall.guests)
    assert declined(anna, AddBot("random", 3))[0] == "seat"
    assert declined(anna, AddBot("random", -1))[0] == "seat"
    assert declined(anna, AddBot("random", 0))[0] == "full"
    assert declined(anna, AddBot("clever"))[0] == "bot"
    assert len(house.hall.guests) == people, "a bot that gets no chair has no business in the house"
    anna.ask(AddBot(seat=2))
    assert (anna.last(Sat).seat, anna.last(Sat).sitter.bot) == (2, "master")
    anna.ask(AddBot("random"))
    assert declined(anna, AddBot())[0] == "playing"


def test_a_bot_may_be_asked_for_by_a_name_it_had_once(house: House) -> None:
    anna = house.named("Anna").ask(Open(GAME, 3), AddBot("safe"))
    assert anna.last(Sat).sitter.bot == "medium"


def test_at_a_table_full_of_the_unready_there_is_no_chair_for_a_bot(house: House) -> None:
    anna = house.named("Anna").ask(Open(GAME, 2))
    house.guest(GAME).ask(Join(anna.last(Seated).table.id))
    assert declined(anna, AddBot())[1] == "there is no free chair"


# Rematches.


def test_a_rematch_is_for_matches_that_are_over(house: House) -> None:
    anna = house.named("Anna")
    assert declined(anna, Rematch())[0] == "phase"
    assert declined(anna, Open(GAME, 2), Rematch())[0] == "phase"


def test_a_rematch_has_the_same_seats_terms_options_and_bots(house: House) -> None:
    terms = Terms(move_s=5, grace_s=9)
    anna = house.named("Anna").ask(Open(GAME, 3, {"width": 5, "height": 5, "mines": 3}, terms))
    anna.ask(AddBot("random", 1))
    bruno = house.named("Bruno").ask(Seek(GAME))
    old = anna.last(Seated).table
    house.wait(6)
    assert anna.count(Over) == 1
    bruno.ask(Rematch())
    assert anna.last(Wanted).seats == (2,)
    assert anna.last(Seated).table.id == old.id
    anna.ask(Rematch())
    fresh = anna.last(Seated).table
    assert fresh.id != old.id
    assert (fresh.terms, fresh.options.width, fresh.options.mines) == (terms, 5, 3)
    assert [anna.guest.seat, bruno.guest.seat] == [0, 2]
    assert [chair.bot for _, chair in anna.table.taken()] == ["", "random", ""]
    assert anna.table.phase == "playing"


# Seeking.


def test_who_seeks_again_while_choosing_stays_the_chooser(house: House) -> None:
    first, second = house.guest(GAME).ask(Seek(GAME)), house.guest(GAME).ask(Seek(GAME))
    first.ask(Seek(GAME))
    assert not house.hall.waits(first.guest)
    assert house.hall.waits(second.guest)
    first.ask(Open(GAME, 3))
    assert second.count(Seated) == 1


def test_a_line_for_another_game_is_not_held_up(house: House) -> None:
    house.guest(GAME).ask(Seek(GAME))
    other = house.guest("santorini").ask(Seek("santorini"))
    assert other.count(Opening) == 1


def test_those_who_wait_fill_the_chairs_and_the_next_one_chooses(house: House) -> None:
    first, *others = [house.named(f"Nr{number}", GAME).ask(Seek(GAME)) for number in range(5)]
    first.ask(Open(GAME, 3))
    assert [one.count(Seated) for one in others] == [1, 1, 0, 0]
    assert [one.count(Opening) for one in others] == [0, 0, 1, 0]


# Lobbies that break up.


def lobby(house: House, game: str, absence: Absence) -> list[Person]:
    """Three chairs, taken by two of the game's protocol, one of them without a name, and one of ours."""
    anna = house.named("Anna", game).ask(Open(game, 3, terms=Terms(absence)))
    bruno = house.guest(game).ask(Join(anna.table.id))
    carla = house.named("Carla").ask(Join(anna.table.id))
    return [anna, bruno, carla]


@pytest.mark.parametrize("leave", [True, False])
def test_where_a_protocol_says_so_its_people_leave_a_lobby_together(house: House, leave: bool) -> None:
    anna, bruno, carla = lobby(house, "santorini", "end")
    table = carla.table
    watcher = house.named("Dario").ask(Watch(table.id))
    if leave:
        anna.ask(Leave())
    else:
        anna.hang_up()
    assert bruno.guest.table == ""
    assert [one.seat for one in bruno.heard if isinstance(one, Stood)] == [0], "told once, of the first"
    # Of all others everybody is told as usual, and they stay.
    for person in (carla, watcher):
        assert [one.seat for one in person.heard if isinstance(one, Stood)] == [0, 1]
    assert carla.table is table
    assert table.info().names == ("", "", "Carla")
    newcomer = house.named("Elena", "santorini").ask(Seek("santorini"))
    assert newcomer.table is table


@pytest.mark.parametrize(
    ("game", "absence", "stays"),
    [
        ("santorini", "wait", False),
        ("santorini", "bot", False),
        ("eriantys", "end", False),
        ("eriantys", "wait", True),
        ("shelfie", "end", True),
        ("renaissance", "end", True),
    ],
)
def test_which_lobbies_break_up_is_for_protocol_and_terms_to_say(
    house: House, game: str, absence: Absence, stays: bool
) -> None:
    anna, bruno, carla = lobby(house, game, absence)
    anna.ask(Leave())
    assert bool(bruno.guest.table) is stays
    assert carla.table.phase == "open"


def test_a_lobby_that_only_a_player_of_our_own_protocol_leaves_breaks_up_as_well(house: House) -> None:
    anna, bruno, carla = lobby(house, "santorini", "end")
    carla.ask(Leave())
    assert (anna.guest.table, bruno.guest.table) == ("", "")
    assert len(house.hall.tables) == 0


def test_who_has_a_name_is_ready_on_sitting_down_and_who_has_none_is_not(house: House) -> None:
    named = house.named("Anna").ask(Open(GAME, 3)).last(Seated)
    assert named.table.chairs[0].ready
    unnamed = house.guest(GAME).ask(Join(named.table.id)).last(Seated)
    assert [chair and chair.ready for chair in unnamed.table.chairs] == [True, False, None]


def test_every_match_has_a_seed_of_its_own_of_63_bits(house: House) -> None:
    """Journals and other programs keep it as a signed number."""
    seeds = []
    for name in ("Anna", "Bruno", "Carla", "Dora", "Elsa", "Fabio"):
        person = house.named(name).ask(Open(GAME, 2), AddBot("random"))
        started = [decode(line)[0].input for line in house.lines[person.guest.table]]
        seeds += [given.seed for given in started if isinstance(given, Started)]
    assert len(set(seeds)) == 6
    assert all(0 <= seed < 2**63 for seed in seeds)
    assert max(seeds) >= 2**60, "all of its bits are used"
