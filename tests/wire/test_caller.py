"""A player's side of JSON lines: questions and answers, and servers that make no sense."""

import json
from typing import Any

import pytest

from ludoteca.core import Refused
from ludoteca.wire.caller import JsonCaller, find

ANSWERS = ("move 1 to 12", "move 2 to 1", "build dome 3", "end turn", "end match")


class Guesser(JsonCaller):
    """A client that greets, is asked things by "ask", and ends by "end"."""

    def greet(self) -> None:
        self.say({"type": "hello", "name": self.nickname})

    def hear(self, message: dict[str, Any]) -> None:
        match message["type"]:
            case "ask":
                self.ask("Which?", {"left": {"go": "left"}, "right": self._right})
            case "no":
                self.ask_again()
            case "end":
                self.mover = 1
                self.end()
            case "lookup":
                {}[message["key"]]

    def _right(self) -> None:
        self.ask("Sure?", {"yes": {"go": "right"}, "no": {"go": "back"}})


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
    assert caller.answer("LEFT") == b'{"go":"left"}\n'
    assert (caller.sentence, caller.answers) == ("", ())
    with pytest.raises(Refused) as refused:
        caller.answer("left")
    assert refused.value.code == "turn"


def test_an_answer_may_lead_to_the_next_question() -> None:
    caller = asked()
    assert caller.answer("right") == b""
    assert caller.sentence == "Sure?"
    assert caller.answer("yes") == b'{"go":"right"}\n'


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


@pytest.mark.parametrize("bad", [b"{}", b'{"type":"lookup","key":1}', b'{"type":"lookup","key":[]}'])
def test_a_message_that_lacks_something_is_news_and_the_next_is_heard(bad: bytes) -> None:
    caller = Guesser("Anna")
    caller.receive(bad + b"\n" + line(type="ask"), 0.0)
    assert caller.news == [f"The server said something that makes no sense: {bad.decode()}"]
    assert caller.sentence == "Which?"


def test_long_nonsense_is_cut_and_no_json_is_passed_over() -> None:
    caller = Guesser("Anna")
    caller.receive(b'{"x":"' + b"y" * 200 + b'"}\n[]\nnothing\n', 0.0)
    assert len(caller.news) == 1
    assert caller.news[0].endswith('no sense: {"x":"' + "y" * 54)


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
