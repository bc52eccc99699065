"""The request that becomes a WebSocket: what it must say, and what is agreed on."""

import pytest

from ludoteca.core import Refused
from ludoteca.wire import upgrade

ASKED = {
    "Upgrade": "websocket",
    "Connection": "Upgrade",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}
NOTHING_KEPT = "permessage-deflate; server_no_context_takeover; client_no_context_takeover"


def packing(offers: str, *, may_pack: bool = True) -> str | None:
    """What is agreed on when a client offers this."""
    answer = upgrade.agree(ASKED | {"Sec-WebSocket-Extensions": offers}, may_pack=may_pack)
    return answer.get("Sec-WebSocket-Extensions")


def test_the_example_of_the_standard_is_answered_as_there() -> None:
    """RFC 6455, 1.3."""
    answer = upgrade.agree(ASKED, may_pack=True)
    assert answer == {
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec-WebSocket-Accept": "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
    }
    written = upgrade.head(answer | {"X-More": "yes"})
    assert written.startswith(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n")
    assert written.endswith(b"\r\nX-More: yes\r\n\r\n")


@pytest.mark.parametrize(
    "wrong",
    [
        {"Upgrade": "h2c"},
        {"Upgrade": ""},
        {"Sec-WebSocket-Version": "8"},
        {"Sec-WebSocket-Version": "99"},
        {"Sec-WebSocket-Version": ""},
        {"Sec-WebSocket-Key": ""},
        {"Sec-WebSocket-Key": "short"},
        {"Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25j"},
        {"Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==" * 2},
        {"Sec-WebSocket-Key": "\x00" * 24},
        {"Sec-WebSocket-Key": "é" * 24},
    ],
)
def test_a_request_that_asks_for_something_else_is_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(Refused) as caught:
        upgrade.agree(ASKED | wrong, may_pack=True)
    assert caught.value.code == "message"


@pytest.mark.parametrize(
    ("offers", "agreed"),
    [
        ("permessage-deflate", NOTHING_KEPT),
        # As browsers offer it.
        ("permessage-deflate; client_max_window_bits", NOTHING_KEPT),
        ("permessage-deflate; client_max_window_bits=10", NOTHING_KEPT),
        ('permessage-deflate; client_max_window_bits="10"', NOTHING_KEPT),
        ("PerMessage-Deflate;server_no_context_takeover ; client_no_context_takeover", NOTHING_KEPT),
        ("permessage-deflate; server_max_window_bits=15", f"{NOTHING_KEPT}; server_max_window_bits=12"),
        ("permessage-deflate; server_max_window_bits=12", f"{NOTHING_KEPT}; server_max_window_bits=12"),
        # The first offer that can be taken.
        ("permessage-deflate; server_max_window_bits=9, permessage-deflate", NOTHING_KEPT),
        ("x-webkit-deflate-frame, permessage-deflate", NOTHING_KEPT),
    ],
)
def test_packing_is_agreed_on_without_anything_kept_between_messages(offers: str, agreed: str) -> None:
    assert packing(offers) == agreed
    assert packing(offers, may_pack=False) is None


@pytest.mark.parametrize(
    "offers",
    [
        "",
        ",;=,",
        "permessage-bzip2",
        "permessage-deflate; x=\xff",
        "permessage-deflate; server_max_window_bits",
        "permessage-deflate; server_max_window_bits=8",
        "permessage-deflate; server_max_window_bits=16",
        "permessage-deflate; server_max_window_bits=1e1",
        "permessage-deflate; server_max_window_bits=١٢",
        "permessage-deflate; client_max_window_bits=7",
        "permessage-deflate; client_max_window_bits=015",
        "permessage-deflate; server_no_context_takeover=1",
        "permessage-deflate; client_no_context_takeover; client_no_context_takeover",
        "x," * 600 + "permessage-deflate",
    ],
)
def test_an_offer_that_cannot_be_taken_is_declined(offers: str) -> None:
    assert packing(offers) is None
