"""A player's side of a protocol of JSON lines: what the clients of four of the five seeds share."""

from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar, get_args

import msgspec

from ludoteca.core import Refused
from ludoteca.wire.lines import Lines

_encode = msgspec.json.Encoder().encode

M = TypeVar("M")
# What follows an answer: a message to send, or something else to do (perhaps to ask the next part of it).
Sequel = msgspec.Struct | Callable[[], None]


class _Typed(msgspec.Struct):
    type: str


# What comes of servers that talk of names, cards and places that there are not. (The reader's ValidationError
# is a ValueError.)
_NONSENSE = (LookupError, ValueError)
_UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


def _kind_of(line: bytes) -> str:
    try:
        return msgspec.json.decode(line, type=_Typed).type
    except _UNREADABLE:
        return ""


class Reader(Generic[M]):
    """Reads what servers say: `messages` is the union of all that this client understands.

    Servers may say more than that: fields and messages that are not known are passed over. With `strict`
    false numbers and truth values may be quoted.
    """

    def __init__(self, messages: Any, *, strict: bool = True) -> None:
        self._decode: Callable[[bytes], M] = msgspec.json.Decoder(messages, strict=strict).decode
        self._known = {kind.__struct_config__.tag for kind in get_args(messages)}

    def read(self, line: bytes) -> M | None:
        """The message of a line, None when it is none of ours.

        Raises msgspec.ValidationError for one of ours that makes no sense.
        """
        try:
            return self._decode(line)
        except msgspec.ValidationError:
            if _kind_of(line) in self._known:
                raise
        except _UNREADABLE:
            pass
        return None


class Face:
    """What every `core.talk.Caller` shows to its shell."""

    def __init__(self, nickname: str) -> None:
        self.nickname = nickname
        self.over = False
        self.alarm: float | None = None
        self.picture = ""
        self.view: Any = None
        self.players: tuple[str, ...] = ()
        self.mover: int | None = None
        self.mine: int | None = None
        self.news: list[str] = []
        self.sentence = ""
        self.answers: tuple[str, ...] = ()


class JsonCaller(Face, Generic[M]):
    """Implements `core.talk.Caller` but for what the messages mean: a subclass answers `hear`.

    Servers are believed as far as they make sense: a message that lacks something is passed over.
    """

    def __init__(self, nickname: str, reader: Reader[M]) -> None:
        super().__init__(nickname)
        self._reader = reader
        self._sequels: Mapping[str, Sequel] = {}
        self._last: tuple[str, Mapping[str, Sequel]] = ("", {})
        self._lines = Lines()
        self._out: list[bytes] = []

    # For the shell.

    def open(self, now: float) -> bytes:
        """Whatever is to be said first."""
        self.greet()
        return self._take()

    def receive(self, data: bytes, now: float) -> bytes:
        """Messages of the server."""
        for line in self._lines.feed(data):
            try:
                message = self._reader.read(line)
                if message is not None:
                    self.hear(message)
            except _NONSENSE:
                said = line.decode(errors="replace")[:60]
                self.news.append(f"The server said something that makes no sense: {said}")
        return self._take()

    def tick(self, now: float) -> bytes:
        """No alarms."""
        self.alarm = None
        return b""

    def answer(self, words: str) -> bytes:
        """Answer the question; words may be shortened while that is clear."""
        if not self._sequels:
            raise Refused("nothing is asked of you now", "turn")
        sequel = self._sequels[find(words, self.answers)]
        self.rest()
        if isinstance(sequel, msgspec.Struct):
            self.say(sequel)
        else:
            try:
                sequel()
            except _NONSENSE:
                self.news.append("What the server said makes no sense.")
        return self._take()

    def close(self) -> None:
        """The server hung up."""
        if not self.over:
            self.news.append("The server hung up.")
        self.end()

    # For the protocol.

    def greet(self) -> None:
        """The connection stands."""

    def hear(self, message: M) -> None:
        """A message of the server."""
        raise NotImplementedError

    def say(self, message: msgspec.Struct) -> None:
        """Send a message."""
        self._out.append(_encode(message) + b"\n")

    def ask(self, sentence: str, sequels: Mapping[str, Sequel]) -> None:
        """Ask the player: the words of each answer, and what follows it."""
        self.sentence, self.answers, self._sequels = sentence, tuple(sequels), sequels
        self._last = sentence, sequels

    def ask_again(self) -> None:
        """The server said no, and perhaps nothing more: put the last question again, unless there
        is a newer one."""
        if not self.sentence and not self.over:
            self.ask(*self._last)

    def rest(self) -> None:
        """Nothing is asked any more."""
        self.sentence, self.answers, self._sequels = "", (), {}

    def end(self) -> None:
        """The match is over."""
        self.rest()
        self.over, self.mover = True, None

    def _take(self) -> bytes:
        data = b"".join(self._out)
        self._out.clear()
        return data


def find(words: str, answers: tuple[str, ...]) -> str:
    """The answer that these words mean. Raises Refused."""
    typed = words.casefold().split()
    for answer in answers:
        if answer.casefold().split() == typed:
            return answer
    meant = [answer for answer in answers if typed and _fits(typed, answer.casefold().split())]
    if len(meant) == 1:
        return meant[0]
    if meant:
        raise Refused(f"do you mean {', '.join(meant[:4])}?", "words")
    raise Refused(f"not understood; for example: {answers[0]}", "words")


def _fits(typed: list[str], words: list[str]) -> bool:
    """Whether all that was typed begins some of the words, in their order; numbers must be whole."""
    left = iter(words)
    return all(
        any(word == part if part.isdecimal() else word.startswith(part) for word in left) for part in typed
    )
