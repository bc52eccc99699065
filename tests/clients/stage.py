"""What tests of the screens need: an application under a pilot, its text, and desks without a house."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from typing import Any

import msgspec
from textual import events
from textual.app import App
from textual.pilot import Pilot

from ludoteca import games
from ludoteca.clients.app import Application, Shown
from ludoteca.clients.desks.desk import Desk
from ludoteca.clients.desks.house import HouseTable
from ludoteca.clients.run import Mode
from ludoteca.clients.screens.table import TableScreen
from ludoteca.clients.visit import Wish
from ludoteca.clients.widgets.line import Composer
from ludoteca.core import Dice, Seat, Setup
from ludoteca.core.notices import Sitter, TableInfo
from ludoteca.core.requests import Terms
from ludoteca.wire import messages as m

PATIENCE_S = 20.0
ANSWERS_MAX = 3000
_decode = msgspec.json.Decoder(m.FromServer).decode


def text_of(app: App[Any]) -> str:
    """The screen as plain text, without trailing blanks."""
    strips = app.screen._compositor.render_strips()
    return "\n".join(strip.text.rstrip() for strip in strips) + "\n"


async def until(pilot: Pilot[Any], true: Callable[[], Any], patience_s: float = PATIENCE_S) -> None:
    """Wait until something holds."""
    async with asyncio.timeout(patience_s):
        while not true():
            await asyncio.sleep(0.003)


async def shows(app: App[Any], pilot: Pilot[Any], words: str) -> None:
    """Wait until the screen shows something: on a busy machine drawing may come late."""
    await until(pilot, lambda: words in text_of(app))


async def settled(app: App[Any], pilot: Pilot[Any]) -> None:
    """Wait until the screen has not changed for a while, and has had its turn meanwhile."""
    before, same = "", 0
    while same < 3:
        await pilot.pause(0.12)
        shown = text_of(app)
        before, same = shown, same + 1 if shown == before else 0


async def quick_press(app: App[Any], *keys: str) -> None:
    """Press keys without waiting until the process is idle, as the pilot does: a match
    has hundreds of them."""
    for key in keys:
        assert app._driver is not None
        event = events.Key("slash" if key == "/" else key, key if len(key) == 1 else None)
        event.set_sender(app)
        app._driver.send_message(event)
        await asyncio.sleep(0.002)


async def answer_by_chance(app: App[Any], pilot: Pilot[Any], desk: Desk) -> None:
    """Let chance answer the pending question."""
    prompt = desk.prompt
    await quick_press(app, *"/any", "enter")
    await until(pilot, lambda: desk.prompt is not prompt)


async def play_out(app: App[Any], pilot: Pilot[Any], desk: Desk) -> None:
    """Let chance play to the end."""
    for _ in range(ANSWERS_MAX):
        await until(pilot, lambda: desk.asking or desk.phase == "over")
        if desk.phase == "over":
            return
        await answer_by_chance(app, pilot, desk)
    raise AssertionError("this match does not end")


@contextlib.asynccontextmanager
async def application(
    wish: Wish,
    *,
    server: str = "",
    name: str = "Ann",
    size: tuple[int, int] = (80, 24),
    mode: Mode | None = None,
) -> AsyncIterator[tuple[Application, Pilot[Any]]]:
    """The whole application, headless."""
    app = Application(server, name, wish, mode or Mode(colours="256"))
    async with app.run_test(size=size) as pilot:
        yield app, pilot
    async with asyncio.timeout(PATIENCE_S):
        await app.closed.wait()


async def at_table(app: Application, pilot: Pilot[Any]) -> TableScreen:
    """Wait for the table's screen, with its parts, which come after it."""
    await until(pilot, lambda: isinstance(app.screen, TableScreen) and bool(app.screen.query(Composer)))
    screen = app.screen
    assert isinstance(screen, TableScreen)
    return screen


class OneDesk(Shown):
    """A table's screen alone."""

    def __init__(self, desk: HouseTable, mode: Mode) -> None:
        super().__init__(mode)
        self._desk = desk

    def on_mount(self) -> None:
        self.push_screen(TableScreen(self._desk, ascii_only=self.mode.ascii))


@contextlib.asynccontextmanager
async def desk_screen(
    desk: HouseTable, *, size: tuple[int, int] = (80, 24), mode: Mode | None = None
) -> AsyncIterator[tuple[OneDesk, Pilot[Any]]]:
    """A desk on the screen, without any house."""
    app = OneDesk(desk, mode or Mode(colours="256"))
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield app, pilot


def staged(name: str, *, seats: int = 2, seed: int = 7, steps: int = 0, options: Any = None) -> HouseTable:
    """A desk in the middle of a match that was played at random, where seat 0 is asked something."""
    game = games.load(name)
    settled = game.settle(options or game.options(), seats)
    state, _ = game.start(Setup(seats, seed, settled, (game.preferences(),) * seats))
    dice = Dice(seed)
    sent: list[Any] = []
    happened: list[Any] = []
    before = state.clone()
    for step in range(10_000):
        mine = state.questions.get(Seat(0))
        if state.outcome is not None or (step >= steps and mine is not None):
            break
        seat, question = next(iter(state.questions.items()))
        before = state.clone() if step == max(0, steps - 6) else before
        happened = [] if step == max(0, steps - 6) else happened
        happened += game.apply(state, seat, dice.choice(question.choices))
    people = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal")
    chairs = tuple(
        Sitter(people[seat], people[seat], "house" if seat == 0 else "bot") for seat in range(seats)
    )
    info = TableInfo("0123456789ab", name, "table-1", "playing", chairs, settled, Terms(), 0)
    desk = HouseTable(over_the_wire(m.Seated(info, 0, "token")), lambda *messages: sent.extend(messages))
    desk.hear(over_the_wire(m.View(1, game.view(before, Seat(0)))))
    seen = tuple(one for one in (game.seen(event, Seat(0)) for event in happened) if one is not None)
    desk.hear(over_the_wire(m.Events(2, seen)))
    mine = state.questions.get(Seat(0))
    if mine is not None:
        desk.hear(over_the_wire(m.Question(2, mine.kind, len(mine.choices), tuple(mine.choices))))
    if state.outcome is not None:
        outcome = state.outcome
        desk.hear(over_the_wire(m.Over(outcome.ranks, outcome.winners, outcome.reason, outcome.scores)))
    return desk


def over_the_wire(message: Any) -> Any:
    """A message as it arrives: encoded and decoded."""
    return _decode(msgspec.json.encode(message))
