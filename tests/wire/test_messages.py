"""The messages of Ludoteca's own protocol: their bounds, and what is meant when nothing is said."""

from typing import Any

import msgspec
import pytest

from ludoteca.wire import messages as m

DECODER = msgspec.json.Decoder(m.FromClient)


def read(**fields: Any) -> Any:
    return DECODER.decode(msgspec.json.encode(fields))


@pytest.mark.parametrize(
    ("message", "field", "last", "first_refused"),
    [
        ({"type": "hello"}, "name", "x" * 64, "x" * 65),
        ({"type": "hello"}, "name", "x", ""),
        ({"type": "hello"}, "options_max", 1000, 1001),
        ({"type": "hello"}, "options_max", 0, -1),
        ({"type": "hello"}, "follow", "views", "nothing"),
        ({"type": "hello"}, "tokens", ("t",) * m.TOKENS_MAX, ("t",) * (m.TOKENS_MAX + 1)),
        ({"type": "hello"}, "tokens", ("t" * 64,), ("t" * 65,)),
        ({"type": "open", "game": "g"}, "seats", 64, 65),
        ({"type": "open", "game": "g"}, "seats", 0, -1),
        ({"type": "open", "game": "g"}, "label", "x" * 64, "x" * 65),
        ({"type": "sit", "table": "t"}, "seat", 63, 64),
        ({"type": "sit", "table": "t"}, "seat", 0, -1),
        ({"type": "bot"}, "seat", 63, 64),
        ({"type": "watch", "table": "t"}, "since", 2**53, 2**53 + 1),
        ({"type": "watch", "table": "t"}, "since", 0, -1),
        ({"type": "return", "token": "t"}, "since", 2**53, 2**53 + 1),
        ({"type": "return", "token": "t"}, "options_max", 1000, 1001),
        ({"type": "act"}, "actions", [0] * 64, [0] * 65),
        ({"type": "act"}, "at", 2**53, 2**53 + 1),
        ({"type": "options"}, "count", 1000, 1001),
        ({"type": "options"}, "count", 1, 0),
        ({"type": "say"}, "text", "x" * 2000, "x" * 2001),
    ],
)
def test_the_last_that_is_taken_and_the_first_that_is_not(
    message: dict[str, Any], field: str, last: Any, first_refused: Any
) -> None:
    assert getattr(read(**message, **{field: last}), field) == last
    with pytest.raises(msgspec.ValidationError):
        read(**message, **{field: first_refused})


def test_messages_that_say_the_least() -> None:
    assert read(type="hello") == m.Hello("", "events", 64)
    assert read(type="list") == m.List("")
    assert read(type="open", game="g") == m.Open("g", 0, None, None, "", None)
    assert read(type="bot") == m.Bot("", None)
    assert read(type="watch", table="t").since == 0
    assert read(type="return", token="t") == m.Return("t", "", 0, "events", 64)
    assert read(type="act") == m.Act(None, [], None)
    assert read(type="options") == m.Options(0, 1000)


def test_a_newer_client_may_say_more_than_we_understand() -> None:
    assert read(type="leave", gently=True) == m.Leave()


def test_the_version_of_the_protocol_is_in_the_welcome() -> None:
    assert msgspec.to_builtins(m.Welcome("Anna")) == {"type": "welcome", "name": "Anna", "protocol": 1}


def test_what_is_not_known_is_left_out() -> None:
    assert msgspec.to_builtins(m.Events(3, ())) == {"type": "events", "number": 3, "events": ()}
    assert "options" not in msgspec.to_builtins(m.Question(3, "click", 99))
