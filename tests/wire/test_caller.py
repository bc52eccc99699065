"""A player's side of JSON lines: questions and answers, and servers that make no sense."""

import json
from typing import Any

import msgspec
import pytest

from ludoteca.core import Refused
from ludoteca.wire.caller import JsonCaller, Reader, find

ANSWERS = ("move 1 to 12", "move 2 to 1", "build dome 3", "end turn", "end match")


class Hello(msgspec.Struct, tag="hello"):
    name: str


class Go(msgspec.Struct, tag="go"):
    way: str


class Ask(msgspec.Struct, tag="ask"):
    pass


class No(msgspec.Struct, tag="no"):
    pass


class End(msgspec.Struct, tag="end"):
    pass


class Lookup(msgspec.Struct, tag="lookup"):
    key: int


Heard = Ask | No | End | Lookup


class Guesser(JsonCaller[Heard]):
    """A client that greets, is asked things by "ask", and ends by "end"."""

    def __init__(self, nickname: str) -> None:
        super().__init__(nickname, Reader(Heard))

    def greet(self) -> None:
        self.say(Hello(self.nickname))

    def hear(self, message: Heard) -> None:
        match message:
            case Ask():
                self.ask("Which?", {"left": Go("left"), "right": self._right})
            case No():
                self.ask_again()
            case End():
                self.mover = 1
                self.end()
            case Lookup(key):
                {0: "nothing"}[key]

    def _right(self) -> None:
        self.ask("Sure?", {"yes": Go("right"), "no": Go("back")})


def line(**message: Any) -> bytes:
    return json.dumps(message).encode() + b"\n"


def asked() -> Guesser:
    caller = Guesser("Anna")
    caller.receive(line(type="ask"), 0.0)
    return caller


def test_a_caller_begins_with_nothing_and_greets_once() -> None:
    caller = Guesser("Anna")
    assert (caller.picture, caller.players, caller.news, caller.sentence, caller.answers) == (
        "",
        (),
        [],
        "",
        (),
    )
    assert (caller.mover, caller.mine, caller.alarm, caller.over) == (None, None, None, False)
    assert json.loads(caller.open(0.0)) == {"type": "hello", "name": "Anna"}
    assert caller.receive(b"", 0.0) == b"", "what was said is said"


def test_an_answer_is_sent_and_then_nothing_is_asked() -> None:
    caller = asked()
    assert (caller.sentence, caller.answers) == ("Which?", ("left", "right"))
    assert caller.answer("LEFT") == b'{"type":"go","way":"left"}\n'
    assert (caller.sentence, caller.answers) == ("", ())
    with pytest.raises(Refused) as refused:
        caller.answer("left")
    assert refused.value.code == "turn"


def test_an_answer_may_lead_to_the_next_question() -> None:
    caller = asked()
    assert caller.answer("right") == b""
    assert caller.sentence == "Sure?"
    assert caller.answer("yes") == b'{"type":"go","way":"right"}\n'


def test_words_that_are_no_answer_leave_the_question_open() -> None:
    caller = asked()
    with pytest.raises(Refused):
        caller.answer("up")
    assert caller.sentence == "Which?"


def test_a_no_brings_the_last_question_back_unless_there_is_one_or_all_is_over() -> None:
    caller = asked()
    caller.answer("right")
    caller.receive(line(type="no"), 0.0)
    assert caller.sentence == "Sure?"
    caller.answer("yes")
    caller.receive(line(type="no"), 0.0)
    assert (caller.sentence, caller.answers) == ("Sure?", ("yes", "no"))
    caller.receive(line(type="end") + line(type="no"), 0.0)
    assert caller.sentence == ""


def test_the_end_and_a_server_that_hangs_up() -> None:
    caller = asked()
    caller.receive(line(type="end"), 0.0)
    assert caller.over
    assert (caller.mover, caller.sentence) == (None, "")
    caller.close()
    assert caller.news == []
    sudden = asked()
    sudden.close()
    assert sudden.over
    assert sudden.news == ["The server hung up."]
    sudden.close()
    assert len(sudden.news) == 1


@pytest.mark.parametrize(
    "bad", [b'{"type":"lookup"}', b'{"type":"lookup","key":1}', b'{"type":"lookup","key":[]}']
)
def test_a_message_that_lacks_something_is_news_and_the_next_is_heard(bad: bytes) -> None:
    caller = Guesser("Anna")
    caller.receive(bad + b"\n" + line(type="ask"), 0.0)
    assert caller.news == [f"The server said something that makes no sense: {bad.decode()}"]
    assert caller.sentence == "Which?"


@pytest.mark.parametrize(
    "line",
    [
        b"{}",
        b'{"type":"news","x":1}',
        b'{"type":1}',
        b"[]",
        b"nothing",
        b"",
        b"\xff",
        b'{"type":"no\xff"}',
        b"[" * 60_000,
        b'{"type":"news","x":' + b"[" * 60_000,
    ],
)
def test_what_we_have_no_word_for_is_passed_over(line: bytes) -> None:
    caller = asked()
    assert caller.receive(line + b"\n", 0.0) == b""
    assert caller.news == []
    assert caller.sentence == "Which?"


def test_fields_that_we_have_no_word_for_are_passed_over() -> None:
    caller = Guesser("Anna")
    caller.receive(line(type="ask", how="nicely", at=[1, {"x": None}]), 0.0)
    assert caller.sentence == "Which?"


def test_a_lax_reader_takes_numbers_in_quotes_and_a_strict_one_does_not() -> None:
    quoted = b'{"type":"lookup","key":"7"}'
    lax: Reader[Heard] = Reader(Heard, strict=False)
    assert lax.read(quoted) == Lookup(7)
    with pytest.raises(msgspec.ValidationError):
        Reader(Heard).read(quoted)


def test_long_nonsense_is_cut() -> None:
    caller = Guesser("Anna")
    caller.receive(b'{"type":"lookup","x":"' + b"y" * 200 + b'"}\n', 0.0)
    assert len(caller.news) == 1
    assert caller.news[0].endswith('no sense: {"type":"lookup","x":"' + "y" * 38)


def test_alarms_are_for_those_who_set_one() -> None:
    caller = Guesser("Anna")
    caller.alarm = 5.0
    assert caller.tick(5.0) == b""
    assert caller.alarm is None


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("end turn", "end turn"),
        ("END  TURN", "end turn"),
        ("e t", "end turn"),
        ("match", "end match"),
        ("b d", "build dome 3"),
        ("m 1 12", "move 1 to 12"),
        ("12", "move 1 to 12"),
        ("2 1", "move 2 to 1"),
    ],
)
def test_words_may_be_shortened_while_that_is_clear(words: str, answer: str) -> None:
    assert find(words, ANSWERS) == answer


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("move", "do you mean move 1 to 12, move 2 to 1?"),
        ("1", "do you mean move 1 to 12, move 2 to 1?"),
        ("turn end", "not understood; for example: move 1 to 12"),
        ("", "not understood; for example: move 1 to 12"),
        ("fly", "not understood; for example: move 1 to 12"),
    ],
)
def test_words_that_mean_several_things_or_none_are_refused(words: str, reason: str) -> None:
    with pytest.raises(Refused) as refused:
        find(words, ANSWERS)
    assert (refused.value.reason, refused.value.code) == (reason, "words")


def test_of_many_meanings_four_are_named() -> None:
    with pytest.raises(Refused, match=r"do you mean a 1, a 2, a 3, a 4\?"):
        find("a", tuple(f"a {number}" for number in range(1, 9)))
