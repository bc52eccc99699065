"""The porter: who may come in, what those may do who have no key, and who is kept out."""

from typing import Any

import pytest
from tests.hall.play import House, Person

from ludoteca.core import Refused
from ludoteca.core import requests as wanted
from ludoteca.core.notices import Changes, Declined, Entered, Seated, Tables
from ludoteca.hall import acts
from ludoteca.hall.acts import Role
from ludoteca.hall.chair import key_of

SANTORINI = wanted.Open("santorini", seats=2)


def closed(**door: Any) -> House:
    house = House()
    house.hall.keeping.add("Irene", acts.Door(**{"door": "password", "password": "hash", **door}), house.now)
    house.hall.keeping.add("", acts.Admitted("Ada", "member", 600, key_of("key"), 1), house.now)
    return house


def codes(person: Person) -> list[str]:
    return [notice.code for notice in person.heard if isinstance(notice, Declined)]


@pytest.mark.parametrize(
    "request_",
    [
        wanted.Enter("Ada"),
        SANTORINI,
        wanted.Seek("santorini"),
        wanted.Join("t1"),
        wanted.Watch("t1"),
        wanted.List(),
        wanted.Look(),
        wanted.Decisive("t1"),
        wanted.Continue("t1", "token"),
        wanted.Say("hello"),
        wanted.Report("Gulp"),
        wanted.AddBot(),
        wanted.Rematch(),
    ],
    ids=lambda request: type(request).__name__,
)
def test_without_a_key_nothing_is_to_be_had_in_a_closed_house(request_: wanted.Request) -> None:
    house = closed()
    stranger = house.guest().ask(request_)
    assert codes(stranger) == ["door"]
    assert len(house.hall.tables) == 0


def test_a_key_opens_everything_and_stays_good_while_it_lasts() -> None:
    house = closed()
    ada = house.guest().ask(wanted.Unlock("key"), wanted.Enter("Ada"), SANTORINI)
    assert codes(ada) == []
    assert ada.last(Seated).seat == 0
    assert ada.guest.role == "member"
    house.wait(601)
    assert codes(house.guest().ask(wanted.Unlock("key"))) == ["door"]


def test_a_wrong_key_says_no_and_what_comes_with_it_is_not_done() -> None:
    house = House()
    mallory = house.guest().ask(wanted.Unlock("guess"), wanted.Enter("Mallory"))
    assert codes(mallory) == ["door"]
    assert mallory.guest.name == ""
    assert mallory.guest.role == "guest"
    # In a house that is open to all, nobody needs one.
    assert mallory.ask(wanted.Enter("Mallory")).last(Entered).name == "Mallory"


def test_who_shows_a_key_without_a_name_hears_that_it_is_good() -> None:
    assert closed().guest().ask(wanted.Unlock("key", greet=True)).last(Entered).name == ""


def test_guests_who_may_look_on_may_do_nothing_else() -> None:
    house = closed(guests="watch")
    ada = house.guest().ask(wanted.Unlock("key"), wanted.Enter("Ada"), SANTORINI)
    stranger = house.guest().ask(wanted.Enter("Gina"), wanted.List(), wanted.Watch(ada.table.id))
    assert codes(stranger) == []
    assert stranger.last(Tables).tables[0].info.id == ada.table.id
    assert codes(stranger.ask(wanted.Look(), wanted.Unlook())) == []
    for request in (SANTORINI, wanted.Join(ada.table.id), wanted.Seek("santorini"), wanted.Say("hi")):
        stranger.ask(request)
    assert codes(stranger) == ["door"] * 4


def test_when_the_door_is_shut_who_looked_is_told_no_more_unless_let_in_or_seated() -> None:
    house = House()
    stranger, ada, bea = house.guest().ask(wanted.Look()), house.guest(), house.named("Bea")
    bea.ask(SANTORINI, wanted.Look(table=bea.guest.table))
    house.hall.keeping.add("", acts.Admitted("Ada", "member", 600, key_of("key"), 1), house.now)
    ada.ask(wanted.Unlock("key"), wanted.Look())
    house.wait(1)
    told = stranger.count(Changes)
    house.hall.keeping.add("Irene", acts.Door("invitation"), house.now)
    ada.ask(wanted.Enter("Ada"), SANTORINI)
    house.guest().ask(wanted.Watch(bea.guest.table))
    house.wait(1)
    assert set(house.hall.lookers.gazes) == {ada.guest.id, bea.guest.id}
    assert (stranger.count(Changes), ada.count(Changes), bea.count(Changes)) == (told, 1, 1)


def test_nobody_here_is_turned_out_by_closing_the_door_and_a_seat_is_still_its_owners() -> None:
    house = House()
    ada, bea = house.named("Ada"), house.named("Bea")
    ada.ask(SANTORINI)
    bea.ask(wanted.Join(ada.table.id))
    token = ada.last(Seated).token
    house.hall.keeping.add("Irene", acts.Door("invitation"), house.now)
    bea.ask(wanted.Say("still here"))
    ada.hang_up()
    back = house.guest().ask(wanted.Return("", token))
    back.ask(wanted.Say("me too"))
    assert codes(bea) + codes(back) == []
    # But what they begin next needs a key.
    bea.ask(wanted.Leave(), SANTORINI)
    assert codes(bea) == ["door"]


@pytest.mark.parametrize("role", ["member", "host"])
def test_members_and_hosts_come_in_alike(role: Role) -> None:
    house = closed()
    person = house.guest()
    person.guest.role = role
    assert codes(person.ask(wanted.Enter("Ada"), SANTORINI)) == []


# Protocols that cannot carry a key.


def test_a_seed_without_a_list_of_names_is_shown_out_at_once() -> None:
    house = closed()
    seed = house.guest("multisweeper").ask(wanted.Enter("Ada", distinct=False))
    assert codes(seed) == ["door"]
    assert house.hall.post.outs == [seed.guest]


def test_a_listed_name_comes_in_by_a_seed_and_another_does_not() -> None:
    house = closed(names=("Ada",))
    ada = house.guest("multisweeper").ask(
        wanted.Enter("ada", distinct=False), wanted.Seek("multisweeper", wanted.Open("multisweeper"))
    )
    assert codes(ada) == []
    assert ada.last(Seated).seat == 0
    bea = house.guest("multisweeper").ask(wanted.Enter("Bea", distinct=False))
    assert codes(bea) == ["door"]
    assert house.hall.post.outs == [bea.guest]


def test_where_the_name_comes_last_it_decides_all_the_same() -> None:
    """Santorini's protocol seeks a table before it asks who somebody is."""
    house = closed(names=("Ada",))
    for name, refused in (("Ada", []), ("Mallory", ["door"])):
        seed = house.guest("santorini").ask(wanted.Open("santorini", seats=2))
        assert seed.guest.seat == 0
        assert codes(seed.ask(wanted.Enter(name))) == refused
        assert (seed.guest in house.hall.post.outs) is bool(refused)


def test_a_listed_name_is_worth_nothing_where_a_key_can_be_shown() -> None:
    assert codes(closed(names=("Ada",)).guest().ask(wanted.Enter("Ada"))) == ["door"]


# Bans and mutes.


def test_a_banned_name_is_refused_with_the_reason_and_the_time() -> None:
    house = House()
    house.hall.keeping.add("Irene", acts.Ban("Gulp", seconds=7200, reason="insults"), house.now)
    gulp = house.guest().ask(wanted.Enter("GULP"))
    told = gulp.last(Declined)
    assert (told.code, told.reason) == ("banned", "you are kept out of this house for 2 h: insults")
    house.wait(7201)
    assert gulp.ask(wanted.Enter("GULP")).last(Entered).name == "GULP"


def test_a_token_does_not_help_a_banned_name() -> None:
    house = House()
    gulp, ada = house.named("Gulp"), house.named("Ada")
    gulp.ask(SANTORINI)
    ada.ask(wanted.Join(gulp.table.id))
    token = gulp.last(Seated).token
    gulp.hang_up()
    house.hall.keeping.add("Irene", acts.Ban("Gulp"), house.now)
    assert codes(house.guest().ask(wanted.Return("", token))) == ["banned"]


def test_a_banned_address_does_not_come_in() -> None:
    house = House()
    house.hall.keeping.add("Irene", acts.Ban(address="192.0.2.0/24", seconds=60), house.now)
    with pytest.raises(Refused, match="for 1 min") as refused:
        house.hall.porter.arrive("192.0.2.9", house.now)
    assert refused.value.code == "banned"
    house.hall.porter.arrive("192.0.3.9", house.now)
    house.hall.porter.arrive("192.0.2.9", house.now + 60)


@pytest.mark.parametrize(
    ("seconds", "words"), [(0, "for good"), (1, "for 1 min"), (7199, "for 120 min"), (172800, "for 2 days")]
)
def test_how_long_is_said_in_words(seconds: int, words: str) -> None:
    house = House()
    ada = house.named("Ada").ask(SANTORINI)
    house.hall.keeping.add("Irene", acts.Mute("Ada", seconds), house.now)
    told = ada.ask(wanted.Say("hello")).last(Declined)
    assert (told.code, told.reason) == ("muted", f"you are muted {words}")


def test_who_is_muted_is_not_heard_and_plays_on() -> None:
    house = House()
    ada, bea = house.named("Ada").ask(SANTORINI), house.named("Bea")
    bea.ask(wanted.Join(ada.table.id))
    house.hall.keeping.add("Irene", acts.Mute("ada", 60), house.now)
    ada.ask(wanted.Say("boo"))
    ada.ask(wanted.Say("boo", to="Bea"))
    assert codes(ada) == ["muted", "muted"]
    assert not any("boo" in repr(notice) for notice in bea.heard)
    house.wait(61)
    ada.ask(wanted.Say("sorry"))
    assert any("sorry" in repr(notice) for notice in bea.heard)
