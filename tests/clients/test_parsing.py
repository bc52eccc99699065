"""What a person types, in any mode."""

import pytest

from ludoteca.clients import parsing
from ludoteca.clients.ascii import plain
from ludoteca.core import Refused


@pytest.mark.parametrize(
    ("line", "name", "rest"),
    [
        ("move b2 c3", "answer", "move b2 c3"),
        ("'good game", "say", "good game"),
        ("/say good game", "say", "good game"),
        ("/q", "quit", ""),
        ("?", "help", ""),
        ("/rem", "rematch", ""),
        ("/tell Ben hello there", "tell", "Ben hello there"),
    ],
)
def test_a_line_is_an_answer_or_a_command(line, name, rest):
    assert parsing.parse(line) == (name, rest)


def test_an_unknown_command_says_where_help_is():
    with pytest.raises(Refused, match="/help"):
        parsing.parse("/dance")


def test_ascii_has_something_for_every_sign():
    assert plain("café · 1† …") == "cafe . 1+ ..."
    assert plain("王") == "?"
