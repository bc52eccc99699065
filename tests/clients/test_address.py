"""Addresses as people type them."""

import pytest

from ludoteca.clients.address import Address, AddressError, of_lines, parse


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("play.example", "http://play.example:8000"),
        ("play.example:80", "http://play.example:80"),
        ("https://play.example", "https://play.example:443"),
        ("ws://[::1]:9000/ws", "http://[::1]:9000"),
        ("https://play.example/games/", "https://play.example:443/games"),
        ("https://play.example/games/table/t-1", "https://play.example:443/games"),
        ("play.example/table/t-1", "http://play.example:8000"),
        ("tcp://play.example", "tcp://play.example:8001"),
        ("tls://play.example:1", "tls://play.example:1"),
    ],
)
def test_an_address_is_read_and_written(typed, meant):
    assert str(parse(typed)) == meant


@pytest.mark.parametrize("typed", ["ftp://play.example", "http://", "play.example:http", "tcp://:1"])
def test_what_is_no_address_is_refused(typed):
    with pytest.raises(AddressError):
        parse(typed)


def test_the_port_of_a_game_may_be_left_out():
    assert of_lines("play.example", 1337) == Address("play.example", 1337, lines=True)
    assert of_lines("[::1]:99", 1337) == Address("::1", 99, lines=True)
    assert of_lines("tls://play.example", 1337) == Address("play.example", 1337, secure=True, lines=True)
