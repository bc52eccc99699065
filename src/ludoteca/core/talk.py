"""A conversation: one connection's side of a protocol, without any I/O."""

from typing import Any, Protocol

from ludoteca.core.notices import Notice
from ludoteca.core.requests import Request


class Conversation(Protocol):
    """Bytes in, requests out; notices in, bytes out.

    The shell that owns the socket calls these and does what they return. Anything that must be answered
    without the house (a pong, an error about a broken line) is a `Reply` request. `now` is in seconds.

    Messages are lines, unless there is a method `cut(data, at)` that says where the one that begins at `at`
    ends (0: not yet). `complaint`, if there is one, says for the operator why nothing more could be read.
    `excuse(now)`, if there is one, is called before `tick` when what the other side says cannot be looked at
    at the moment, and it is not its fault that it is not heard.
    """

    # True once nothing more will be said: the shell sends what it has and closes.
    closing: bool
    # When tick() wants to be called next, or None.
    alarm: float | None

    def greet(self, now: float) -> list[Request]:
        """The connection stands; what to do before the other side speaks."""

    def receive(self, data: bytes, now: float) -> list[Request]:
        """The other side sent these bytes, cut anywhere."""

    def send(self, notice: Notice, now: float) -> bytes:
        """The bytes that tell the other side about this, perhaps none."""

    def tick(self, now: float) -> list[Request]:
        """The alarm went off: pings, time-outs, what was held back."""


class Caller(Protocol):
    """The other side of a game's own protocol: a player's, for any server that speaks it.

    It does no I/O either.

    The shell that owns the socket passes bytes in and out, shows `picture`, `players`, `sentence` and
    `answers`, and empties `news`. All that it returns is to be sent as it is.
    """

    # True once the match is over or the server has said that it will say nothing more.
    over: bool
    # When tick() wants to be called next, or None.
    alarm: float | None
    # What to show: the board, the players with the one on turn, and what happened since the
    # shell last looked.
    picture: str
    # What that is the picture of, as the game has it; None before there is any.
    view: Any
    players: tuple[str, ...]
    mover: int | None
    mine: int | None
    news: list[str]
    # What is asked of us ("" when nothing is), and the words of every answer.
    sentence: str
    answers: tuple[str, ...]

    def open(self, now: float) -> bytes:
        """The connection stands; what to say before the server speaks."""

    def receive(self, data: bytes, now: float) -> bytes:
        """The server sent these bytes, cut anywhere."""

    def tick(self, now: float) -> bytes:
        """The alarm went off."""

    def answer(self, words: str) -> bytes:
        """Answer the question. Raises Refused when that is none of the answers."""

    def close(self) -> None:
        """The connection is gone."""
