"""What the house knows about who may do what: bans, mutes, invitations, keys, reports, and their end."""

import time

import msgspec
import pytest

from ludoteca.core import Damaged, Refused
from ludoteca.hall import acts, keeping
from ludoteca.hall.chair import key_of
from ludoteca.hall.keeping import Keeping, covers, fold, network_of

NOW = 1_000_000.0
GULP = acts.Ban("Gulp")


def kept(*facts: acts.Fact, by: str = "Irene") -> Keeping:
    house = Keeping()
    for fact in facts:
        house.add(by, fact, NOW)
    return house


def again(house: Keeping) -> Keeping:
    """The same after a restart."""
    fresh = Keeping()
    fresh.load(msgspec.json.encode(deed) for deed in house.log)
    return fresh


def code(house: Keeping, act: acts.Act | acts.Reported) -> str:
    with pytest.raises(Refused) as refused:
        house.check(act, NOW)
    return refused.value.code


# Names.


@pytest.mark.parametrize("name", ["Gulp", "gulp", "GULP", " Gulp ", "\uff27\uff55\uff4c\uff50", "\tGulp"])
def test_a_banned_name_stays_out_in_every_dress(name: str) -> None:
    assert kept(GULP).ban_on("", NOW, name) is not None


@pytest.mark.parametrize("name", ["Gul", "Gulpo", "Bruno", "", " "])
def test_others_are_not_kept_out_by_it(name: str) -> None:
    assert kept(GULP).ban_on("", NOW, name) is None


@pytest.mark.parametrize(
    "name", ["'; DROP TABLE deeds", "Ünïcödé", "名前", "😀", "a\u202eb", "<script>", "%00", "ẞ"]
)
def test_odd_characters_are_names_like_others(name: str) -> None:
    house = kept(acts.Ban(name))
    assert house.ban_on("", NOW, name) is not None
    assert again(house).ban_on("", NOW, name.upper().lower()) is not None
    assert house.ban_on("", NOW, "Bruno") is None


def test_folding_twice_changes_nothing() -> None:
    for name in ("ẞtraße", "İstanbul", "\ufb01n", "A  B"):
        assert fold(fold(name)) == fold(name)


# Addresses.


@pytest.mark.parametrize(
    ("banned", "address", "hit"),
    [
        ("192.0.2.7", "192.0.2.7", True),
        (" 192.0.2.7 ", "192.0.2.7", True),
        ("192.0.2.7", "192.0.2.8", False),
        ("192.0.2.0/24", "192.0.2.200", True),
        ("192.0.2.9/24", "192.0.2.200", True),
        ("192.0.2.0/24", "192.0.3.1", False),
        ("2001:db8::1", "2001:db8::/64", True),
        ("2001:db8::1/128", "2001:db8::/64", True),
        ("2001:db8:0:1::1", "2001:db8::/64", False),
        ("2001:db8::/32", "2001:db8:0:1::/64", True),
        ("2001:db8::/32", "192.0.2.7", False),
        ("::ffff:192.0.2.7", "192.0.2.7", True),
        ("192.0.2.0/24", "", False),
        ("192.0.2.0/24", "unix", False),
    ],
)
def test_a_ban_by_address_hits_who_comes_from_there_and_nobody_else(
    banned: str, address: str, hit: bool
) -> None:
    assert (kept(acts.Ban(address=banned)).ban_on(address, NOW, "Ada") is not None) is hit
    assert covers(banned, address) is hit


@pytest.mark.parametrize(
    "text",
    ["", "gulp", "192.0.2", "192.0.2.300", "0.0.0.0/0", "10.0.0.0/7", "::/0", "2001::/15", "1/2/3", "/8"],
)
def test_what_is_no_address_or_half_the_world_is_not_banned(text: str) -> None:
    with pytest.raises(Refused) as refused:
        network_of(text)
    assert refused.value.code == "address"


def test_a_ban_is_of_one_thing() -> None:
    assert code(Keeping(), acts.Ban()) == "message"
    assert code(Keeping(), acts.Ban("Gulp", "192.0.2.7")) == "message"
    assert code(Keeping(), acts.Ban(" \t")) == "message"
    assert code(Keeping(), acts.Mute("\u2003")) == "name"


# Time.


def test_a_ban_ends_at_its_time_and_one_for_good_does_not() -> None:
    house = kept(acts.Ban("Gulp", seconds=60), acts.Ban("Gulo"))
    assert house.ban_on("", NOW + 59, "Gulp") is not None
    assert house.ban_on("", NOW + 60, "Gulp") is None
    assert house.ban_on("", NOW + 1e9, "Gulo") is not None
    assert [one.name for one in house.barred(NOW + 61)] == ["Gulo"]


def test_of_several_bans_the_longest_counts_and_lifting_one_leaves_the_others() -> None:
    house = kept(GULP, acts.Out("Gulp", 60), acts.Ban("Gulp", seconds=5))
    assert house.ban_on("", NOW + 100, "Gulp") is not None
    house.add("Irene", acts.Lift(1), NOW)
    found = house.ban_on("", NOW + 30, "Gulp")
    assert found is not None
    assert found.id == 2
    assert house.ban_on("", NOW + 100, "Gulp") is None


def test_somebody_turned_out_for_no_time_may_come_back_at_once() -> None:
    assert kept(acts.Out("Gulp", 0)).ban_on("", NOW, "Gulp") is None


def test_tries_are_counted() -> None:
    house = kept(GULP, acts.Ban(address="192.0.2.7"))
    for _ in range(3):
        found = house.ban_on("192.0.2.7", NOW, "Bruno")
        assert found is not None
        house.tried(found)
    assert [one.tries for one in house.barred(NOW)] == [3, 0]


def test_a_mute_is_no_ban_and_a_ban_no_mute() -> None:
    house = kept(acts.Mute("Gulp", 60), acts.Ban("Gulo"))
    assert house.ban_on("", NOW, "Gulp") is None
    assert house.mute_on("Gulo", NOW) is None
    assert house.mute_on("gulp", NOW + 59) is not None
    assert house.mute_on("gulp", NOW + 60) is None


# Invitations and keys.


def invited(uses: int = 1, seconds: int = 60) -> Keeping:
    return kept(acts.Invited("the club", "member", uses, seconds, key_of("token")))


def admit(house: Keeping, token: str, via: int = 0, by: str = "") -> None:
    house.add(by, acts.Admitted("Ada", "member", 600, key_of(token), via), NOW)


def test_an_invitation_is_good_for_its_uses_and_its_time() -> None:
    house = invited(uses=2)
    for number in range(2):
        admit(house, f"key{number}", house.invitation("token", NOW).id)
    assert [house.role(f"key{number}", NOW) for number in range(3)] == ["member", "member", None]
    with pytest.raises(Refused, match="used") as refused:
        house.invitation("token", NOW)
    assert refused.value.code == "invitation"
    with pytest.raises(Refused, match="not good"):
        invited().invitation("token", NOW + 60)
    with pytest.raises(Refused, match="not good"):
        invited().invitation("other", NOW)
    assert house.invitations(NOW) == []


def test_an_invitation_without_a_number_is_good_for_any() -> None:
    house = invited(uses=0)
    for number in range(20):
        admit(house, f"key{number}", house.invitation("token", NOW).id)
    assert house.invitations(NOW)[0].used == 20


def test_a_used_invitation_is_used_after_a_restart() -> None:
    house = invited()
    lines = [msgspec.json.encode(deed) for deed in house.log]
    lines.append(
        msgspec.json.encode(house.add("", acts.Admitted("Ada", "member", 600, key_of("key"), 1), NOW))
    )
    fresh = Keeping()
    fresh.load(lines)
    assert fresh.role("key", NOW) == "member"
    with pytest.raises(Refused, match="used"):
        fresh.invitation("token", NOW)


def test_who_came_by_a_withdrawn_invitation_stays_and_a_withdrawn_key_is_worth_nothing() -> None:
    house = invited()
    admit(house, "key", 1)
    house.add("Irene", acts.Withdraw(1), NOW)
    assert house.role("key", NOW) == "member"
    house.add("Irene", acts.Withdraw(2), NOW)
    assert house.role("key", NOW) is None
    assert code(house, acts.Withdraw(2)) == "gone"


def test_a_key_ends_and_nothing_is_no_key() -> None:
    house = Keeping()
    admit(house, "key")
    assert house.role("key", NOW + 599) == "member"
    assert house.role("key", NOW + 600) is None
    assert house.role("", NOW) is None


def test_a_new_password_ends_the_keys_that_the_old_one_gave_and_no_others() -> None:
    house = invited()
    admit(house, "by password")
    admit(house, "by invitation", 1)
    admit(house, "by hand", by="Irene")
    house.add("Irene", acts.Door(password="new"), NOW)
    roles = [house.role(token, NOW) for token in ("by password", "by invitation", "by hand")]
    assert roles == [None, "member", "member"]


def test_of_keys_hosts_see_those_of_hosts_and_those_that_they_gave() -> None:
    house = Keeping()
    admit(house, "member")
    admit(house, "given", by="Irene")
    house.add("", acts.Admitted("Irene", "host", 600, key_of("host"), 0), NOW)
    assert [key.id for key in house.keys(NOW)] == [3, 2]


# The door.


def test_a_door_with_a_password_wants_one() -> None:
    assert code(Keeping(), acts.Door("password")) == "password"
    kept(acts.Door(password="hash")).check(acts.Door("password"), NOW)


def test_what_the_settings_say_no_host_changes() -> None:
    house = Keeping()
    house.pinned = frozenset({"door"})
    assert code(house, acts.Door("open")) == "settings"
    house.check(acts.Door(guests="watch"), NOW)


def test_the_list_of_names_is_compared_like_bans() -> None:
    house = kept(acts.Door(names=("Ada", "  ", "BEA")))
    assert [house.listed(name) for name in ("ada", "bea", "Carlo", "", " ")] == [
        True,
        True,
        False,
        False,
        False,
    ]
    house.add("Irene", acts.Door("invitation"), NOW)
    assert house.listed("Ada")
    house.add("Irene", acts.Door(names=()), NOW)
    assert not house.listed("Ada")


def test_draining_for_a_restart_is_over_with_it_and_plain_draining_is_not() -> None:
    house = kept(acts.Drain("stop"))
    assert house.drained == "stop"
    assert again(house).drained is None
    assert again(kept(acts.Drain("wait"))).drained == "wait"
    assert again(kept(acts.Drain("wait"), acts.Resume())).drained is None


# The log.


def test_everything_is_the_same_after_a_restart() -> None:
    house = kept(
        GULP,
        acts.Ban(address="192.0.2.0/24", seconds=60),
        acts.Mute("Magpie", 60),
        acts.Door("invitation", "watch", "hash", ("Ada",)),
        acts.Invited("the club", "member", 5, 60, "d"),
        acts.Reported("Ada", "Gulp", "t1", "santorini", "rude"),
        acts.Lift(1),
    )
    fresh = again(house)
    for name in ("door", "guests", "password", "names", "drained"):
        assert getattr(fresh, name) == getattr(house, name)
    assert fresh.barred(NOW) == house.barred(NOW)
    assert fresh.invitations(NOW) == house.invitations(NOW)
    assert fresh.reports() == house.reports()
    assert fresh.add("Irene", acts.Resume(), NOW).number == 8


def test_a_house_that_cannot_read_its_log_does_not_open() -> None:
    with pytest.raises(Damaged, match="deed 1"):
        Keeping().load([b'{"number":1,"at_ms":0,"by":"","did":{"type":"teleport"}}'])


def test_the_log_tells_what_hosts_did_and_who_became_one_but_not_who_came_in() -> None:
    house = kept(GULP)
    admit(house, "member")
    house.add("", acts.Admitted("Irene", "host", 600, "d", 0), NOW)
    house.add("", acts.Reported("Ada", "Gulp", "t1", "santorini", "rude"), NOW)
    assert [deed.number for deed in house.log] == [1, 3]


# Bounds.


def test_nobody_can_fill_the_house_with_reports() -> None:
    house = Keeping()
    report = acts.Reported("Ada", "Gulp", "t1", "santorini", "rude")
    for _ in range(keeping.REPORTS_MAX):
        house.check(report, NOW)
        house.add("", report, NOW)
    assert code(house, report) == "limit"
    house.add("Irene", acts.Settle(1), NOW)
    house.check(report, NOW)
    assert code(house, acts.Settle(1)) == "gone"


def test_there_is_an_end_of_bans_and_those_that_have_ended_make_room() -> None:
    house = Keeping()
    for number in range(keeping.BARRED_MAX):
        house.add("Irene", acts.Ban(f"name {number}", seconds=60), NOW)
    assert code(house, GULP) == "limit"
    began = time.process_time()
    house.check(GULP, NOW + 61)
    house.add("Irene", GULP, NOW + 61)
    assert time.process_time() - began < 5
    assert len(house.barred(NOW + 61)) == 1


def test_there_is_an_end_of_invitations_and_of_keys() -> None:
    house = Keeping()
    for number in range(keeping.INVITATIONS_MAX):
        house.add("Irene", acts.Invited("", "member", 1, 60, f"d{number}"), NOW)
    assert code(house, acts.Invite()) == "limit"
    for number in range(keeping.KEYS_MAX + 1):
        house.add("", acts.Admitted("", "member", 600, f"k{number}", 0), NOW)
    assert len(house._keys) == keeping.KEYS_MAX
    assert "k0" not in house._keys


def test_a_stranger_is_looked_up_quickly_among_very_many_bans() -> None:
    house = Keeping()
    for number in range(4000):
        house.add("Irene", acts.Ban(address=f"10.{number // 250}.{number % 250}.1"), NOW)
    began = time.process_time()
    for _ in range(1000):
        assert house.ban_on("192.0.2.7", NOW, "Bruno") is None
    assert time.process_time() - began < 2
