"""A guest: one connection as the desk knows it."""

from ludoteca.hall import Guest, GuestId


def test_a_newcomer_is_nobody_and_nowhere_yet() -> None:
    guest = Guest(GuestId(3), "santorini", address="192.0.2.1")
    assert (guest.id, guest.protocol, guest.bot, guest.address) == (3, "santorini", "", "192.0.2.1")
    assert (guest.name, guest.given, guest.table, guest.seat) == ("", "", "", None)
    assert (guest.opened, guest.chat, guest.muted_until) == ([], None, 0.0)
    assert Guest(GuestId(4), "bot", "random").bot == "random"


def test_a_guest_is_at_one_table_on_a_seat_or_watching() -> None:
    guest = Guest(GuestId(3), "house")
    guest.place("t1", 2)
    assert (guest.table, guest.seat) == ("t1", 2)
    guest.place("t2", None)
    assert (guest.table, guest.seat) == ("t2", None)
