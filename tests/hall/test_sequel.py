"""Playing on what was broken off: from where it stood, by those who sat there, at a table like all others."""

import pytest
from tests.hall.play import House, Person

from ludoteca import games
from ludoteca.core import Refused, Seat
from ludoteca.core.notices import Asked, Declined, Over, Seated, Shown
from ludoteca.core.requests import Act, AddBot, Continue, Join, Leave, Open, Terms
from ludoteca.hall import Limits
from ludoteca.hall.chair import key_of
from ludoteca.journal.sequel import Position, broken_off

WAIT = Terms(absence="wait")


def played(house: House, game: str, moves: int, terms: Terms = WAIT) -> tuple[Person, Person]:
    """Two people who have made some moves."""
    anna = house.named("Anna").ask(Open(game, 2, terms=terms))
    bruno = house.named("Bruno").ask(Join(anna.guest.table))
    people = (anna, bruno)
    for _ in range(moves):
        seat, question = next(iter(anna.table.match.questions.items()))
        people[seat].ask(Act((question.choices[len(question.choices) // 2],)))
    return anna, bruno


def position_of(person: Person, table: str) -> Position:
    """What the shell finds for the token that this person was given."""
    token = next(one.token for one in person.heard if isinstance(one, Seated) and one.token)
    return broken_off(person.house.lines[table], key_of(token), games.load)


def play_on(person: Person, position: Position, level: str = "") -> None:
    house = person.house
    house.hall.play_on(person.guest, Continue("", "", level), position, house.now)
    house.collect()


@pytest.mark.parametrize("game", ["eriantys", "multisweeper", "santorini", "shelfie"])
def test_a_match_goes_on_from_where_it_stood_with_a_bot_in_the_place_of_who_left(game: str) -> None:
    house = House()
    moves = 2 if game == "multisweeper" else 9
    anna, bruno = played(house, game, moves)
    old, seat = anna.table, Seat(anna.guest.seat or 0)
    stood, questions = old.game.view(old.match.state, seat), old.match.questions
    bruno.ask(Leave())
    assert anna.last(Over).outcome.ranks == ()
    play_on(anna, position_of(anna, old.id), "random")
    fresh = anna.table
    assert fresh.id != old.id
    assert (anna.guest.seat, fresh.chair(1 - seat).bot) == (seat, "random")
    assert anna.last(Shown).view == stood
    assert fresh.match.questions == questions
    assert len({one.token for one in anna.heard if isinstance(one, Seated)}) == 2, "a seat of its own"
    # It is in the journal like any other: after a crash it is there again.
    again = House()
    back = again.hall.recover(house.lines[fresh.id], again.now)
    assert back.game.view(back.match.state, seat) == stood
    assert house.fates[fresh.id] == "live"


def test_those_who_were_away_when_the_table_was_given_up_are_back_in_their_match() -> None:
    house = House(Limits(abandoned_s=60, deserted_s=600))
    anna, bruno = played(house, "renaissance", 8, Terms(absence="end"))
    table = anna.table
    bruno.ask(Leave())
    anna.ask(Leave())
    house.wait(700)
    assert house.fates[table.id] == "over"
    cleo = house.named("Cleo")
    cleo.heard.extend(one for one in anna.heard if isinstance(one, Seated))
    play_on(cleo, position_of(cleo, table.id))
    assert all(board.here for board in cleo.table.match.state.tabletop.boards)
    assert cleo.table.phase == "playing"


def test_what_goes_on_or_was_played_to_its_end_or_is_nobodys_is_not_played_on() -> None:
    house = House()
    anna, bruno = played(house, "multisweeper", 1)
    table, lines = anna.table, house.lines[anna.table.id]
    for key, code in ((key_of("guess"), "gone"), ("", "gone"), (table.chair(0).key, "phase")):
        with pytest.raises(Refused) as refused:
            broken_off(lines, key, games.load)
        assert refused.value.code == code
    while table.match.running:
        seat, question = next(iter(table.match.questions.items()))
        (anna, bruno)[seat].ask(Act((question.choices[0],)))
    with pytest.raises(Refused, match="to its end"):
        broken_off(house.lines[table.id], table.chair(0).key, games.load)
    with pytest.raises(Refused):
        broken_off([], table.chair(0).key, games.load)


def test_a_bots_key_opens_nothing() -> None:
    house = House()
    anna = house.named("Anna").ask(Open("santorini", 2), AddBot("random"))
    table = anna.table
    with pytest.raises(Refused, match="of yours"):
        broken_off(house.lines[table.id], table.chair(1).key, games.load)


def test_it_is_kept_for_a_week_and_no_longer_and_only_for_who_has_no_other_seat() -> None:
    house = House(Limits(tables_per_address_max=1))
    anna, bruno = played(house, "santorini", 5)
    bruno.ask(Leave())
    position = position_of(anna, anna.guest.table)
    for level, code in (("genius", "bot"), ("random", "")):
        before = anna.count(Declined)
        play_on(anna, position, level)
        assert (anna.last(Declined).code if anna.count(Declined) > before else "") == code
    play_on(anna, position)
    assert anna.last(Declined).code == "seated", "one match at a time on one line"
    # Tables that are not over are counted by address, as for everybody who opens one.
    cleo = house.named("Cleo", address="1.2.3.4")
    play_on(cleo, position)
    tables = len(house.hall.tables)
    dora = house.named("Dora", address="1.2.3.4")
    play_on(dora, position)
    assert dora.last(Declined).code == "limit"
    assert len(house.hall.tables) == tables
    cleo.ask(Leave())
    house.now += 7 * 24 * 3600 + 1
    play_on(cleo, position)
    assert cleo.last(Declined).code == "gone"


def test_what_was_private_stays_private() -> None:
    house = House()
    anna, bruno = played(house, "santorini", 5, Terms(absence="wait", private=True))
    bruno.ask(Leave())
    play_on(anna, position_of(anna, anna.guest.table))
    assert anna.table.terms.private
    assert len(anna.table.id) == 32
    assert not house.hall.lobby.page().tables
    assert anna.count(Asked)
