"""The steward: hosts' acts as they take effect, what is written down, and what a host may see."""

import msgspec
import pytest
from tests.hall.play import House, Person

from ludoteca.core import Refused
from ludoteca.core import requests as wanted
from ludoteca.core.notices import Announced, Declined, Gone, Left, Noted, Said, Seated, Shown
from ludoteca.hall import acts, steward
from ludoteca.hall.keeping import Keeping


def pair(house: House, game: str = "santorini", **more: str) -> tuple[Person, Person]:
    """Ada and Bea at a table of two."""
    ada, bea = house.named("Ada", address="192.0.2.1"), house.named("Bea", address="192.0.2.2")
    ada.ask(wanted.Open(game, seats=2))
    bea.ask(wanted.Join(ada.table.id))
    return ada, bea


def do(house: House, act: acts.Act, address: str = "") -> acts.Done:
    done = house.hall.do("Irene", act, house.now, address)
    house.collect()
    return done


def codes(person: Person) -> list[str]:
    return [one.code for one in person.heard if isinstance(one, Declined)]


def outs(house: House) -> list[str]:
    return [guest.name for guest in house.hall.post.outs]


def logged(house: House) -> list[acts.Deed]:
    """What a restart would find."""
    return [msgspec.json.decode(line, type=acts.Deed) for line in house.lines.get("", [])]


def test_every_act_is_in_the_log_that_is_stored_with_who_did_it_and_when() -> None:
    house = House()
    ada, _ = pair(house)
    sent: list[acts.Act] = [
        acts.Say("hello"),
        acts.Mute("Bea"),
        acts.Close(ada.table.id, "enough"),
        acts.Drain(),
        acts.Resume(),
        acts.Door(guests="watch"),
        acts.Ban("Gulp"),
        acts.Lift(7),
    ]
    for act in sent:
        do(house, act)
    assert [deed.did for deed in logged(house)] == sent
    assert {deed.by for deed in logged(house)} == {"Irene"}
    assert {deed.at_ms for deed in logged(house)} == {int(house.now * 1000)}
    shown = house.hall.steward.house(house.now).log
    assert [deed.number for deed in shown] == [8, 7, 6, 5, 4, 3, 2, 1]
    fresh = Keeping()
    fresh.load(house.lines[""])
    assert fresh.guests == "watch"
    assert fresh.barred(house.now) == house.hall.keeping.barred(house.now)


def test_what_is_refused_is_not_in_the_log() -> None:
    house = House()
    for act in (acts.Close("nowhere"), acts.Lift(1), acts.Ban(address="nowhere"), acts.Settle(1)):
        with pytest.raises(Refused):
            do(house, act)
    assert logged(house) == []


# Tables.


def test_a_closed_table_is_broken_off_written_down_and_everybody_is_told() -> None:
    house = House()
    ada, bea = pair(house)
    watcher = house.guest().ask(wanted.Watch(ada.table.id))
    table = ada.table.id
    do(house, acts.Close(table, "the club closes"))
    for person in (ada, bea, watcher):
        gone = person.last(Gone)
        assert (gone.code, gone.reason) == ("host", "a host has closed this table: the club closes")
        assert person.guest.table == ""
    assert house.fates[table] == "over"
    assert b"Closed" in house.lines[table][-1]
    assert len(house.hall.tables) == 0
    # They are still in the house, under their names, and may go on.
    ada.ask(wanted.Open("santorini", seats=2))
    assert ada.last(Seated).seat == 0


def test_an_open_table_that_is_closed_leaves_no_record() -> None:
    house = House()
    ada = house.named("Ada").ask(wanted.Open("santorini", seats=2))
    table = ada.table.id
    do(house, acts.Close(table))
    assert house.fates[table] == "forgotten"


def test_a_drained_house_takes_no_new_tables_and_lets_matches_go_on() -> None:
    house = House()
    ada, bea = pair(house)
    do(house, acts.Drain())
    carlo = house.named("Carlo")
    for request in (wanted.Open("santorini", seats=2), wanted.Seek("santorini", wanted.Open("santorini"))):
        carlo.ask(request)
        assert carlo.last(Declined).code == "drain"
    ada.ask(wanted.Say("we go on"))
    assert bea.last(Said).text == "we go on"
    assert ada.table.phase == "playing"
    do(house, acts.Resume())
    assert carlo.ask(wanted.Open("santorini", seats=2)).last(Seated).seat == 0


# People.


def sweeper(house: House, address: str, protocol: str = "multisweeper") -> Person:
    """Somebody who says Ada; where that is no reason to be refused, the house may call them otherwise."""
    return house.guest(protocol, address).ask(wanted.Enter("Ada", distinct=protocol != "multisweeper"))


@pytest.mark.parametrize("act", [acts.Ban("Ada 2"), acts.Out("ada 2")])
def test_a_ban_on_a_name_that_the_house_gave_holds_for_the_name_that_was_said(act: acts.Act) -> None:
    house = House()
    ada, second = sweeper(house, "192.0.2.1"), sweeper(house, "192.0.2.2")
    assert second.guest.name == "Ada 2"
    do(house, act)
    assert house.hall.post.outs == [second.guest]
    house.hall.post.outs.clear()
    second.hang_up()
    # Whether the house would call them Ada or something else: it is the same person.
    assert sweeper(house, "192.0.2.2").last(Declined).code == "banned"
    ada.hang_up()
    assert sweeper(house, "192.0.2.2").last(Declined).code == "banned"
    fresh = Keeping()
    fresh.load(house.lines[""])
    assert fresh.ban_on("", house.now, "Ada", acts.Came("ADA", "multisweeper", "192.0.2.2")) is not None


def test_strangers_are_not_hit_by_a_ban_on_a_name_that_the_house_gave() -> None:
    house = House()
    ada, second = sweeper(house, "192.0.2.1"), sweeper(house, "192.0.2.2")
    do(house, acts.Ban("Ada 2"))
    second.hang_up()
    # The first Ada stays, and so does who comes from elsewhere; nobody is given a name that is barred.
    third = sweeper(house, "192.0.2.3")
    assert (ada.guest.name, third.guest.name) == ("Ada", "Ada 3")
    do(house, acts.Ban("Gulp"))
    assert house.hall.post.outs == [second.guest]
    third.hang_up()
    ada.hang_up()
    # Somebody at the same address who comes in another way is somebody else.
    for address, protocol in (("192.0.2.1", "multisweeper"), ("192.0.2.2", "house")):
        back = sweeper(house, address, protocol)
        assert codes(back) == []
        back.hang_up()
    # Who only says the name that was given is kept out, as from every banned name.
    other = house.guest("house", "192.0.2.9").ask(wanted.Enter("Ada 2"))
    assert codes(other) == ["banned"]
    do(house, acts.Lift(1))
    assert codes(sweeper(house, "192.0.2.2")) == []


def test_a_mute_on_a_name_that_the_house_gave_lasts_when_the_house_gives_another() -> None:
    house = House()
    ada, second = sweeper(house, "192.0.2.1"), sweeper(house, "192.0.2.2")
    do(house, acts.Mute("Ada 2"))
    for person in (second, ada):
        person.hang_up()
    back = sweeper(house, "192.0.2.2").ask(wanted.Open("multisweeper", 2))
    assert back.guest.name == "Ada"
    assert back.ask(wanted.Say("boo")).last(Declined).code == "muted"
    stranger = sweeper(house, "192.0.2.3").ask(wanted.Join(back.table.id), wanted.Say("hello"))
    assert (stranger.guest.name, codes(stranger)) == ("Ada 3", [])
    people = house.hall.steward.house(house.now).people
    assert {one.name: one.muted for one in people} == {"Ada": True, "Ada 3": False}


def test_how_somebody_came_is_what_the_house_knows_and_not_what_a_host_says() -> None:
    house = House()
    sweeper(house, "192.0.2.1")
    lie = acts.Came("Bea", "house", "192.0.2.9")
    do(house, acts.Ban("Ada", came=(lie,) * 1000))
    assert logged(house)[-1].did == acts.Ban("Ada")


def test_who_is_turned_out_hears_why_and_the_name_stays_out_for_a_while() -> None:
    house = House()
    ada, bea = pair(house)
    do(house, acts.Out("ADA", 600, "calm down"))
    assert ada.last(Gone) == Gone("calm down", code="out")
    assert outs(house) == ["Ada"]
    # The shell closes the connection: the seat is kept or not as after any lost connection.
    ada.hang_up()
    assert bea.last(Left).grace_s == 120.0
    again = house.guest().ask(wanted.Return("", ada.last(Seated).token))
    assert again.last(Declined).code == "banned"
    house.wait(601)
    assert again.ask(wanted.Enter("Ada")).guest.name == "Ada"


def test_a_ban_turns_out_everybody_it_is_about_and_no_bot() -> None:
    house = House()
    ada, bea = pair(house)
    bea.ask(wanted.Leave(), wanted.Open("santorini", seats=2), wanted.AddBot())
    do(house, acts.Ban(address="192.0.2.0/24"))
    assert sorted(outs(house)) == ["Ada", "Bea"]
    assert {person.last(Gone).code for person in (ada, bea)} == {"out"}


def test_a_host_cannot_ban_the_own_address() -> None:
    house = House()
    for banned, own in (("192.0.2.0/24", "192.0.2.9"), ("2001:db8::5", "2001:db8::/64")):
        with pytest.raises(Refused, match="yourself"):
            do(house, acts.Ban(address=banned), own)
    do(house, acts.Ban(address="192.0.2.0/24"), "192.0.3.9")


def test_what_is_said_to_all_is_heard_by_all_as_their_protocol_can() -> None:
    house = House()
    ada, _ = pair(house)
    lobby, seed = house.guest(), house.guest("santorini")
    do(house, acts.Say("We close at ten."))
    assert ada.last(Announced).text == lobby.last(Announced).text == "We close at ten."
    assert seed.last(Said) == Said(0, "Host", "We close at ten.")
    assert lobby.count(Said) == 0
    # And nobody else speaks as the host.
    for name in ("Host", "HOST", " host "):
        assert house.guest().ask(wanted.Enter(name)).last(Declined).code == "name"


def test_who_stands_at_the_door_does_not_hear_what_is_said_inside() -> None:
    house = House()
    ada, stranger = house.named("Ada"), house.guest()
    do(house, acts.Door("invitation"))
    do(house, acts.Say("The key is under the mat."))
    assert ada.count(Announced) == 1
    assert stranger.heard == []
    do(house, acts.Door(guests="watch"))
    do(house, acts.Say("Hello, all."))
    assert stranger.last(Announced).text == "Hello, all."


# Invitations.


def test_an_invitation_is_taken_once_and_neither_token_is_kept() -> None:
    house = House()
    made = do(house, acts.Invite("the club", uses=1))
    taken = house.hall.steward.admit(made.token, "Ada", house.now)
    house.collect()
    assert house.hall.keeping.role(taken.token, house.now) == "member"
    with pytest.raises(Refused, match="used"):
        house.hall.steward.admit(made.token, "Mallory", house.now)
    stored = b"".join(house.lines[""]) + msgspec.json.encode(house.hall.steward.house(house.now))
    assert len(made.token) == len(taken.token) == 32
    assert made.token.encode() not in stored
    assert taken.token.encode() not in stored


def test_a_host_link_makes_one_host_and_a_given_key_is_what_it_says() -> None:
    house = House()
    link = do(house, acts.Invite("Irene", "host", 1, 60))
    key = house.hall.steward.admit(link.token, "whoever", house.now)
    found = house.hall.keeping.key(key.token, house.now)
    assert found is not None
    assert (found.role, found.label) == ("host", "Irene")
    with pytest.raises(Refused):
        house.hall.steward.admit(link.token, "again", house.now)
    bot = do(house, acts.Give("my bot"))
    assert house.hall.keeping.role(bot.token, house.now) == "member"


def test_a_password_hash_and_a_digest_are_shown_to_nobody() -> None:
    house = House()
    do(house, acts.Door("password", password="scrypt$14$8$1$salt$secret"))
    do(house, acts.Invite())
    shown = msgspec.json.encode(house.hall.steward.house(house.now))
    assert b"secret" not in shown
    assert b'"password":"set"' in shown
    assert b'"digest":""' in shown


# What a host sees.


@pytest.mark.parametrize("game", ["renaissance", "eriantys", "shelfie", "santorini", "multisweeper"])
def test_a_host_sees_of_a_running_match_what_the_public_list_says_and_not_a_card_more(game: str) -> None:
    house = House()
    ada, bea = pair(house, game)
    ada.ask(wanted.Say("psst", to="Bea"))
    shown = house.hall.steward.house(house.now)
    assert shown.tables == [ada.table.info()]
    assert [(one.name, one.game, one.seat) for one in shown.people] == [("Ada", game, 0), ("Bea", game, 1)]
    text = msgspec.json.encode(shown).decode()
    assert "psst" not in text
    for person in (ada, bea):
        view = msgspec.to_builtins(person.last(Shown).view)
        assert view
        assert msgspec.json.encode(view).decode() not in text
    keys = set(msgspec.to_builtins(shown.tables[0]))
    public = {"id", "game", "label", "phase", "chairs", "options", "terms", "opened_ms", "watchers"}
    assert keys == public


def test_of_very_many_the_first_are_shown_and_all_are_counted() -> None:
    house = House()
    for number in range(steward.SHOWN_MAX + 5):
        house.guest(address=f"10.0.0.{number}")
    shown = house.hall.steward.house(house.now)
    assert (len(shown.people), shown.people_count, shown.bots_count) == (steward.SHOWN_MAX, 505, 0)


# Reports.


def test_a_report_comes_with_the_last_lines_that_the_reporter_heard() -> None:
    house = House()
    ada, bea = pair(house)
    carla = house.named("Carla").ask(wanted.Watch(ada.table.id))
    bea.ask(wanted.Say("hello all"))
    bea.ask(wanted.Say("you fool", to="Ada"))
    bea.ask(wanted.Say("not for Ada", to="Carla"))
    ada.ask(wanted.Report("bea", "rude\x07"))
    assert ada.last(Noted).name == "bea"
    (report,) = house.hall.steward.house(house.now).reports
    assert (report.name, report.about, report.text) == ("Ada", "Bea", "rude")
    assert [line.text for line in report.lines] == ["hello all", "you fool"]
    assert carla.count(Noted) == bea.count(Noted) == 0
    assert not any("rude" in repr(notice) for notice in bea.heard + carla.heard)
    do(house, acts.Settle(report.id))
    assert house.hall.steward.house(house.now).reports == []


def test_only_the_last_lines_go_with_it() -> None:
    house = House()
    ada, bea = pair(house)
    for number in range(steward.LINES_MAX + 8):
        house.wait(10)
        bea.ask(wanted.Say(f"line {number}"))
    ada.ask(wanted.Report("Bea"))
    (report,) = house.hall.steward.house(house.now).reports
    assert [line.text for line in report.lines] == [f"line {number}" for number in range(8, 20)]


@pytest.mark.parametrize("about", ["Nobody", "Ada", "", "Bot-Ada"])
def test_who_is_not_there_cannot_be_reported_nor_oneself(about: str) -> None:
    house = House()
    ada, _ = pair(house)
    ada.ask(wanted.Report(about, "boo"))
    assert ada.last(Declined).code == "name"


def test_who_sits_nowhere_reports_nobody() -> None:
    assert House().named("Ada").ask(wanted.Report("Bea")).last(Declined).code == "seat"


def test_thousands_of_reports_from_one_address_are_five() -> None:
    house = House()
    ada, bea = pair(house)
    for _ in range(3000):
        ada.ask(wanted.Report("Bea", "again"))
    assert ada.last(Declined).code == "rate"
    assert len(house.hall.steward.house(house.now).reports) == steward.REPORTS_BURST
    bea.ask(wanted.Report("Ada", "she floods"))
    assert bea.last(Noted).name == "Ada"
    house.wait(601)
    assert ada.ask(wanted.Report("Bea", "once more")).last(Noted).name == "Bea"
