"""A chair: what is written down of it, what everybody may know, and what is kept of tokens and addresses."""

from ludoteca.core.notices import Sitter
from ludoteca.hall import GuestId
from ludoteca.hall.chair import Chair, key_of, origin_of
from ludoteca.journal.records import SatDown

RECORD = SatDown(2, "Anna 2", "Anna", "santorini", "key", "", {"god": "Pan"}, "origin")


def test_a_new_chair_is_nobodys_yet() -> None:
    chair = Chair("house", "key", "random", "origin")
    assert (chair.protocol, chair.key, chair.bot, chair.origin) == ("house", "key", "random", "origin")
    assert not chair.ready
    assert not chair.left
    assert not chair.gave_up
    assert chair.came == 0
    assert (chair.guest, chair.stand_in, chair.away_since) == (None, None, None)


def test_a_record_restores_a_chair_and_who_is_behind_it_stays() -> None:
    chair = Chair("house", "other", "random")
    chair.guest, chair.came = GuestId(7), 3
    chair.take(RECORD)
    assert chair.record(2) == RECORD
    assert chair.ready
    assert (chair.guest, chair.came) == (7, 3)


def test_everybody_may_know_who_sits_there_and_whether_somebody_is_behind_it() -> None:
    chair = Chair("house", "key", "")
    chair.take(RECORD)
    chair.came = 1
    shown = Sitter("Anna 2", "Anna", "santorini", "", True, False, {"god": "Pan"}, 1)
    assert chair.sitter() == shown
    chair.guest = GuestId(1)
    assert chair.sitter().here
    chair.ready = False
    assert not chair.sitter().ready


def test_of_a_token_only_a_hash_is_kept() -> None:
    assert key_of("token") == key_of("token") != key_of("Token")
    assert len(key_of("token")) == 32
    assert "token" not in key_of("token")


def test_of_an_address_nothing_is_kept_that_others_could_compare() -> None:
    origin = origin_of(b"secret", "t1", "192.0.2.1")
    assert origin == origin_of(b"secret", "t1", "192.0.2.1")
    assert len(origin) == 32
    others = {
        origin_of(b"guess", "t1", "192.0.2.1"),
        origin_of(b"secret", "t2", "192.0.2.1"),
        origin_of(b"secret", "t1", "192.0.2.2"),
    }
    assert len(others | {origin}) == 4
    assert origin_of(b"secret", "t1", "") == ""
