"""Addresses as people type them."""

import pytest

from ludoteca.clients.address import AddressError, host_and_port, parse


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("play.example", "http://play.example:8000"),
        ("play.example:80", "http://play.example:80"),
        ("https://play.example", "https://play.example:443"),
        ("ws://[::1]:9000/ws", "http://[::1]:9000"),
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
    assert host_and_port("play.example", 1337) == ("play.example", 1337)
    assert host_and_port("[::1]:99", 1337) == ("::1", 99)
