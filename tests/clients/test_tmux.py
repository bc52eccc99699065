"""Whole matches of every game in a real terminal, in windows of three sizes, against bots that think.

The house runs in the test, so that every screen can be compared with what lies on the table. Answers are
typed, walked to with the arrows, pointed at with the mouse and with the cursor.
"""

import asyncio
import random
import re
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests import rig
from tests.clients.terminal import PLAY, Terminal
from textual.geometry import Size

from ludoteca import games
from ludoteca.clients.completion import about
from ludoteca.clients.widgets.board import largest
from ludoteca.core import Drawing, Game, Seat, Sight, Spot
from ludoteca.hall.table import Table
from ludoteca.server.serve import Server

# Whole screens take their time: not for make check.
pytestmark = pytest.mark.slow

SIZES = ((80, 24), (120, 40), (200, 60))
# Short matches that still have everything a long one has.
OPTIONS = {"multisweeper": ("width=7", "height=6", "mines=7"), "santorini": ("gods=none",)}
# What a thought may take; the strongest bots of all games use it up.
BOT_S = 0.02
PATIENCE_S = 30.0
ANSWERS_MAX = 1500
# How answers are given, in turn.
WAYS = ("typed", "walked", "typed", "walked", "clicked", "typed", "typed", "pointed", "typed", "typed")
# So many answers are given before the window gets another size; not a part of the ways' own number.
STAY = 7
# Answers that bring the end nearer, taken more often than not: what is given up in Renaissance is the faith
# of the other.
HASTY = {"renaissance": ("take row", "take column", "nothing")}
ME = Seat(0)
# How often each kind of question is answered with the mouse at least, in a window of each size.
CLICKS_PER_KIND = 1
# A click in the first moment of a question is none.
REST_S = 0.55


class Player:
    """Ann, at a terminal, and the table that she sits at."""

    def __init__(self, terminal: Terminal, game: Game, table: Table) -> None:
        self.terminal, self.game, self.table, self.size = terminal, game, table, SIZES[0]
        self.dice = random.Random(game.name)
        self.answers = 0
        # Answers that were given by pointing alone.
        self.pointed = 0
        self.clicked: Counter[tuple[str, tuple[int, int]]] = Counter()
        self.sizes: set[tuple[int, int]] = set()

    @property
    def state(self) -> Any:
        return self.table.match.state

    def drawing(self) -> Drawing:
        """What the screen must show, but for the marks of the last turn."""
        names = tuple(chair.name if chair else "" for chair in self.table.chairs)
        sight = Sight(self.game.view(self.state, ME), names, ME)
        columns, lines = self.size
        drawing = largest(partial(self.game.text.board, sight), Size(columns, lines), 4 + min(8, lines // 6))
        assert drawing is not None
        return drawing if len(drawing.rows) <= lines - 6 else drawing.without_blanks()

    def missing(self, screen: str) -> str:
        """What the screen does not show and should."""
        question = self.state.questions[ME]
        sentence = self.game.text.ask(question, self.game.view(self.state, ME))
        if bare(sentence) not in bare(screen):
            return sentence
        shown, rows = screen.split("\n"), self.drawing().rows
        # A question may go on in the next line, and what is said about the marked choice may follow it.
        asked = bare(sentence)[:30]
        asked_at = next(at for at, line in enumerate(shown) if bare(line).startswith(asked))
        if len(rows) < asked_at:
            for row, line in enumerate(rows):
                if not bare(shown[1 + row]).startswith(bare(line)):
                    return f"row {row} of the board: {line}"
        elif self.size != (80, 24):
            return "all of the board"
        return ""

    async def see(self) -> str:
        """Wait for the question, with all of the board."""
        missing = screen = ""
        for _ in range(int(PATIENCE_S / 0.03)):
            screen = await asyncio.to_thread(self.terminal.screen)
            missing = self.missing(screen) if ME in self.state.questions else ""
            if not missing:
                return screen
            await asyncio.sleep(0.03)
        raise AssertionError(f"{self.size}, answer {self.answers}: not shown is {missing!r}\n{screen}")

    async def resize(self) -> None:
        """Every few answers the window is another."""
        size = SIZES[self.answers // STAY % len(SIZES)]
        self.sizes.add(size)
        if size != self.size:
            self.size = size
            await asyncio.to_thread(self.terminal.resize, size)

    async def press(self, *keys: str) -> None:
        await asyncio.to_thread(self.terminal.keys, *keys)

    async def moved_on(self, number: int, patience_s: float) -> bool:
        for _ in range(int(patience_s / 0.02)):
            if self.table.ledger.number != number or self.state.outcome is not None:
                return True
            await asyncio.sleep(0.02)
        return False

    async def answer(self) -> None:
        """Answer what is asked, in one of the ways there are."""
        number = self.table.ledger.number
        answer = self.choose()
        way = WAYS[self.answers % len(WAYS)]
        # Matches have a rhythm too: each kind of question is answered with the mouse some times at least.
        kind = (self.state.questions[ME].kind, self.size)
        self.clicked[kind] += 1
        if self.clicked[kind] <= CLICKS_PER_KIND:
            way = "clicked"
        self.answers += 1
        if way == "walked":
            keys = [self.dice.choice(("Right", "Down", "Left")) for _ in range(2)]
            await self.press(*keys, "Enter")
        elif way in ("clicked", "pointed"):
            await asyncio.sleep(REST_S)
            for spot in self.places(answer):
                await (self.click(spot) if way == "clicked" else self.point(spot))
                if await self.moved_on(number, 0.1):
                    break
        else:
            await self.press("-l", answer)
            await self.press("Enter")
        by_pointing = way in ("clicked", "pointed")
        # What was clicked may be half an answer. Until one was whole it is waited for longer: a busy machine
        # would answer none in this time.
        patience_s = PATIENCE_S if way == "typed" else 3.0 if by_pointing and not self.pointed else 0.4
        if await self.moved_on(number, patience_s):
            self.pointed += by_pointing
        else:
            # Half an answer: from the beginning, by typing.
            await self.press("C-u")
            await self.press("-l", answer)
            await self.press("Enter")
            assert await self.moved_on(number, PATIENCE_S), self.terminal.screen()

    def choose(self) -> str:
        """Any answer, but rather one that does not make the match longer."""
        choices = self.state.questions[ME].choices
        hasty = HASTY.get(self.game.name, ())
        for _ in range(20):
            answer = self.game.text.write(choices[self.dice.randrange(len(choices))])
            if not hasty or any(word in answer for word in hasty) or self.dice.random() < 0.1:
                break
        return answer

    def places(self, answer: str) -> list[Spot]:
        """The places of the board that an answer is about, in its order."""
        found = [spot for spot in self.drawing().spots if about([answer], [spot.words])]
        unique = {spot.words: spot for spot in found}
        return sorted(unique.values(), key=lambda spot: first_word(answer, spot))

    async def click(self, spot: Spot) -> None:
        """With the mouse, as terminals report it: from 1; the board is below the top bar, after a blank."""
        x, y = spot.column + spot.width // 2 + 2, spot.row + spot.height // 2 + 2
        await self.press("-l", f"\x1b[<0;{x};{y}M\x1b[<0;{x};{y}m")

    async def point(self, spot: Spot) -> None:
        """With the cursor: out, to the place, Enter, and away again."""
        await self.press("F4")
        drawing = self.drawing()
        at = drawing.spots[len(drawing.spots) // 2]
        for _ in range(60):
            across = (spot.column > at.column) - (spot.column < at.column)
            down = (spot.row > at.row) - (spot.row < at.row)
            step = (across, 0) if across else (0, down)
            following = drawing.near(at, *step)
            if at == spot or following == at:
                break
            at = following
            await self.press({(1, 0): "Right", (-1, 0): "Left", (0, 1): "Down", (0, -1): "Up"}[step])
        await self.press("Enter", "F4")


def first_word(answer: str, spot: Spot) -> int:
    return min(answer.casefold().find(name.casefold()) % 1000 for name in spot.words)


def bare(text: str) -> str:
    """Without blanks, frames, and the signs that mark the last turn."""
    return re.sub(r"[\s*‹›()─═│║┌┐└┘╔╗╚╝├┤┬┴┼]", "", text)


@asynccontextmanager
async def seated(game: Game, folder: Path) -> AsyncIterator[tuple[Player, Server]]:
    """Ann at a table with a bot, in a house that is ours to look into."""
    async with rig.house(folder / "house", "house", bot_s=BOT_S, bot_workers=1) as server:
        host, port = server.addresses["house"]
        chosen = [part for option in OPTIONS.get(game.name, ()) for part in ("--option", option)]
        command = [
            *PLAY,
            game.name,
            "--server",
            f"tcp://{host}:{port}",
            "--bots",
            "1",
            "--as",
            "Ann",
            *chosen,
        ]
        terminal = Terminal(command, folder, SIZES[0])
        try:
            tables = server.house.hall.tables
            for _ in range(int(PATIENCE_S / 0.05)):
                if any(table.match.state is not None for table in tables):
                    break
                await asyncio.sleep(0.05)
            (table,) = tables
            yield Player(terminal, game, table), server
        finally:
            terminal.close()


@pytest.mark.parametrize("name", games.names())
async def test_a_whole_match_in_a_real_terminal(name: str, tmp_path: Path) -> None:
    game = games.load(name)
    async with seated(game, tmp_path) as (ann, server):
        while ann.state.outcome is None:
            assert ann.answers < ANSWERS_MAX
            if ME in ann.state.questions:
                await ann.resize()
                await ann.see()
                await ann.answer()
            else:
                await asyncio.sleep(0.01)
        for _ in range(int(PATIENCE_S / 0.05)):
            screen = await asyncio.to_thread(ann.terminal.screen)
            if "/rematch" in screen:
                break
            await asyncio.sleep(0.05)
        assert "/rematch" in screen
        # Some matches of Multisweeper are over before the window has grown twice.
        short = ann.answers <= 2 * STAY
        assert short or ann.sizes == set(SIZES)
        assert short or ann.pointed, "neither the mouse nor the cursor answered anything"
        metrics = server.house.metrics
        thought = metrics.bot_thinking.labels(name)._value.get()
        assert thought > 0
        failures = [sample.value for one in metrics.bot_failures.collect() for sample in one.samples]
        assert not any(failures)
