"""The linear mode: one line after another and no cursor movement, for screen readers,
pipes and plain terminals."""

import asyncio
import sys
import threading
from collections.abc import Callable
from typing import Any, TextIO

from ludoteca.clients import invitation, parsing
from ludoteca.clients.ascii import harmless, plain
from ludoteca.clients.completion import outline
from ludoteca.clients.desks.desk import SETTLE_S, Desk, Line, describe
from ludoteca.core import Refused

# With more answers than this only their beginnings are listed, unless somebody asks for all.
ANSWERS_SHOWN = 12
LOG_SHOWN = 30
# How many lines, and how long ones, are read before they are needed.
AHEAD_MAX = 100
LINE_MAX = 10_000


class Typed:
    """Lines from standard input, read in a thread of their own, since files and pipes cannot
    be waited for alike."""

    def __init__(self, source: TextIO) -> None:
        # A person sees when it is their turn; a pipe does not, so its answers wait for their question.
        self.piped = not source.isatty()
        self._queue: asyncio.Queue[str | None] = asyncio.Queue()
        # `yes` never stops: no more is read ahead than so many lines.
        self._room = threading.Semaphore(AHEAD_MAX)
        self._loop = asyncio.get_running_loop()
        threading.Thread(target=self._read, args=(source,), daemon=True).start()

    def _read(self, source: TextIO) -> None:
        try:
            while line := source.readline(LINE_MAX):
                self._room.acquire()
                self._put(line.rstrip("\r\n"))
        except (OSError, ValueError):
            pass
        self._put(None)

    def _put(self, line: str | None) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._queue.put_nowait, line)

    async def line(self) -> str | None:
        """The next line, None at the end."""
        line = await self._queue.get()
        self._room.release()
        return line


class Linear:
    """Shows a desk as it goes along, and takes what is typed to it."""

    def __init__(self, desk: Desk, typed: Typed, write: Callable[[str], None], *, ascii_only: bool) -> None:
        self._desk = desk
        self._typed = typed
        self._write = write
        self._ascii = ascii_only
        self._asked: object = None
        self._picture = ""
        self._heard: frozenset[str] = frozenset()
        # Wakes the loop when there may be something new to ask.
        self._news = asyncio.Event()
        for line in desk.lines:
            self._tell(line)
        desk.told = self._tell
        desk.changed = self._news.set

    def say(self, *lines: str) -> None:
        """Print lines."""
        for line in lines:
            self._write(plain(line) if self._ascii else line)

    def _tell(self, line: Line) -> None:
        self.say(f"! {line.text}" if line.kind == "error" else line.text)

    def _board(self, *, drawn: bool = False) -> None:
        """In sentences where the game has them; what changed since the last time comes by itself then."""
        if self._desk.picture:
            self._picture = self._desk.picture
            sentences = [] if drawn else self._desk.sentences()
            self.say("", *(sentences or self._desk.picture.rstrip("\n").split("\n")), "")

    def _board_news(self) -> None:
        """The board before a question: all of it the first time, then the sentences that are new."""
        sentences = self._desk.sentences()
        if not sentences or not self._heard:
            self._board()
        else:
            self._picture = self._desk.picture
            self.say(*(line for line in sentences if line not in self._heard))
        self._heard = frozenset(sentences)

    def _ask(self) -> None:
        """Print the question once; the board before it, when it has changed since it was last printed."""
        prompt = self._desk.prompt
        if prompt is self._asked or self._desk.lost:
            return
        self._asked = prompt
        if prompt is None:
            return
        if self._desk.picture != self._picture:
            self._board_news()
        self.say(f"? {prompt.sentence}", *self._desk.ending()[1:])
        self.say(*(f"  {text}" for text in outline(prompt.answers, ANSWERS_SHOWN)))

    async def run(self) -> bool:
        """Until the desk is left or the typing ends; false when the whole program is to end."""
        reading = asyncio.ensure_future(self._typed.line())
        try:
            while True:
                self._ask()
                if self._desk.ended:
                    return True
                self._news.clear()
                waking = asyncio.ensure_future(self._news.wait())
                waiting: set[asyncio.Future[Any]] = {waking}
                if not self._must_wait(reading):
                    waiting.add(reading)
                held = reading.done() and reading not in waiting and not self._typed.piped
                patience_s = SETTLE_S if held else None
                await asyncio.wait(waiting, timeout=patience_s, return_when=asyncio.FIRST_COMPLETED)
                waking.cancel()
                # The question first: whoever reads along must see what an answer was for.
                self._ask()
                if reading.done() and not self._must_wait(reading):
                    line = reading.result()
                    # A pipe that goes on answering after the end has nothing more to do here.
                    needless = (
                        self._typed.piped and self._desk.phase == "over" and parsing.is_answer(line or "")
                    )
                    if line is None or needless or not self._take(line):
                        return False
                    reading = asyncio.ensure_future(self._typed.line())
        finally:
            reading.cancel()

    def _must_wait(self, reading: "asyncio.Future[str | None]") -> bool:
        """Whether a line is an answer to a question that has not come yet: a pipe cannot know, and a person
        who types ahead need not."""
        if not reading.done() or not parsing.is_answer(reading.result() or ""):
            return False
        if self._desk.asking or self._desk.phase == "over":
            return False
        return self._typed.piped or self._desk.settling

    def _take(self, line: str) -> bool:
        """Do what a typed line says; false to end the program."""
        if not line.strip():
            self._asked = None
            return True
        try:
            command = parsing.parse(line)
            if command.name == "quit":
                return False
            self._do(command)
        except Refused as refusal:
            self.say(f"! {refusal.reason[:1].upper()}{refusal.reason[1:]}.")
        return True

    def _do(self, command: parsing.Command) -> None:
        desk, rest = self._desk, command.rest
        match command.name:
            case "answer":
                desk.answer(rest)
            case "any":
                self.say(f"Chance says: {desk.answer_by_chance()}")
            case "say":
                desk.say(rest)
            case "tell":
                name, _, text = rest.partition(" ")
                desk.say(text, name)
            case "mute":
                desk.mute(rest)
            case "report":
                name, _, text = rest.partition(" ")
                desk.report(name, text)
            case "hint":
                desk.hint()
            case "rules":
                self.say(*desk.rules(rest).split("\n"))
            case "invite":
                self._invite()
            case "tables":
                raise Refused("/leave or /quit first: line by line there is one table at a time", "words")
            case "bot":
                desk.seat_bot(rest)
            case "rematch":
                desk.rematch()
            case "continue":
                desk.play_on(rest)
            case "leave":
                desk.leave()
            case "board":
                self._board(drawn=rest.casefold() == "drawn")
            case "who":
                self.say(*describe(desk.players))
            case "log":
                self.say(*(line.text for line in list(desk.lines)[-LOG_SHOWN:]))
            case "options":
                self.say(
                    *(f"  {text}" for text in desk.prompt.answers) if desk.prompt else ["Nothing is asked."]
                )
            case "help":
                self._help()

    def _invite(self) -> None:
        if not self._desk.address:
            raise Refused("nobody else can come to this table", "invite")
        self.say(self._desk.address)
        if not self._typed.piped:
            self.say(*invitation.code(self._desk.address, ascii_only=self._ascii, light=True))

    def _help(self) -> None:
        prompt = self._desk.prompt
        if prompt is not None:
            self.say(prompt.sentence, *([prompt.explanation] if prompt.explanation else []))
            examples = [answer for answer in prompt.answers[:3] if not answer.startswith("/")]
            if examples:
                self.say(f"Type an answer, for example: {'; '.join(examples)}.")
        self.say("Commands:", *(f"  {line}" for line in parsing.help_lines()))


def write_line(line: str) -> None:
    """To standard output, at once: somebody may be waiting at the other end of a pipe."""
    sys.stdout.write(harmless(line) + "\n")
    sys.stdout.flush()
