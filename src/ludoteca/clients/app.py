"""The terminal client as a full-screen application."""

import asyncio
import math
import os
import time
from functools import partial
from pathlib import Path
from typing import ClassVar

import msgspec
from textual.app import App
from textual.binding import Binding, BindingType
from textual.scrollbar import ScrollBar, ScrollBarRender

from ludoteca.clients import replays
from ludoteca.clients.address import Address
from ludoteca.clients.desks.desk import Prompt
from ludoteca.clients.desks.house import HouseTable
from ludoteca.clients.desks.seed import CallerDesk
from ludoteca.clients.run import Mode, house_at
from ludoteca.clients.saved import Seat
from ludoteca.clients.screens.lobby import LobbyScreen
from ludoteca.clients.screens.naming import NamingScreen
from ludoteca.clients.screens.opening import OpeningScreen
from ludoteca.clients.screens.table import TableScreen
from ludoteca.clients.screens.tables import TablesScreen
from ludoteca.clients.visit import Look, Play, Sit, Visit, Watch, Wish
from ludoteca.core import Game, LudotecaError, Refused
from ludoteca.core.notices import TableInfo
from ludoteca.journal import Replay

# Within so long a second Ctrl+C means it.
SURE_S = 3.0
# So many tables at once are enough for anybody.
TABLES_MAX = 8


class PlainBar(ScrollBarRender):
    """Scroll bars without half blocks: whole cells are enough, and every terminal has them."""

    VERTICAL_BARS: ClassVar[list[str]] = [" "] * 8
    HORIZONTAL_BARS: ClassVar[list[str]] = [" "] * 8


ScrollBar.renderer = PlainBar


class Shown(App[None]):
    """What all applications of the terminal client share: colours and signs as the terminal has them."""

    ENABLE_COMMAND_PALETTE = False
    TITLE = "Ludoteca"
    CSS = """
    .ascii #log, .ascii #told, .ascii #about { border-left: none; }
    .ascii TextPage > Vertical, .ascii NamingScreen > Vertical { border: ascii $primary; }
    .ascii OpeningScreen > VerticalScroll, .ascii SelectOverlay { border: ascii $primary; }
    .ascii Select .arrow, .ascii ProgressBar { display: none; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "interrupt", show=False, priority=True),
        Binding("ctrl+z", "suspend_process", show=False, priority=True),
    ]

    def __init__(self, mode: Mode) -> None:
        if mode.colours == "none":
            # Textual looks at this once, while the application is made. With colours of its own it would make
            # them grey; with the terminal's it leaves them out.
            os.environ["NO_COLOR"] = "1"
        super().__init__(ansi_color=mode.colours in ("none", "16"))
        self.mode = mode
        self.set_class(mode.ascii, "ascii")
        self.theme = "ansi-dark" if mode.colours in ("none", "16") else "textual-dark"
        self._interrupted_at = -math.inf

    def action_interrupt(self) -> None:
        """Ctrl+C: a second one within a moment ends the program; the seat is kept, as by Ctrl+Q."""
        now = time.monotonic()
        if now - self._interrupted_at < SURE_S:
            self.exit()
            return
        self._interrupted_at = now
        self.notify("Ctrl+C again quits; a seat at a table is kept.", timeout=SURE_S)


class Application(Shown):
    """Lobby and tables of one house."""

    def __init__(self, server: str, name: str, wish: Wish, mode: Mode) -> None:
        super().__init__(mode)
        self._server = server
        self._nickname = name
        self._wish = wish
        # One for each table that we sit at, and perhaps one that walks about; `visit` is the one shown.
        self.visits: list[Visit] = []
        self.visit: Visit | None = None
        self._visiting: list[asyncio.Task[None]] = []
        self._address: Address | None = None
        self._matches: tuple[replays.Finished, ...] = ()
        self._matches_stale = True
        # Set when the connection, and with it a private house, is closed.
        self.closed = asyncio.Event()

    def on_mount(self) -> None:
        """The lobby at once; the house opens behind it."""
        where = self._server or "a private house"
        self.lobby = LobbyScreen(f"Ludoteca, {where}", ascii_only=self.mode.ascii)
        self.push_screen(self.lobby)
        # The house takes its time to import: the first picture goes out before that begins.
        self.call_after_refresh(self.call_later, self._begin)

    def _begin(self) -> None:
        self.run_worker(self._run(), exclusive=True)

    async def _run(self) -> None:
        """Hold the connection for as long as the application runs."""
        try:
            async with house_at(self._server, self.mode.ca, self.mode.key) as (address, note):
                self._address = address
                self._begin_visit(self._wish).notice(note)
                try:
                    await asyncio.Event().wait()
                finally:
                    for visit in self.visits:
                        await visit.link.close()
                    for task in self._visiting:
                        task.cancel()
                    await asyncio.gather(*self._visiting, return_exceptions=True)
        except LudotecaError as error:
            self.exit(message=f"Error: {error}", return_code=1)
        finally:
            self.closed.set()

    def _begin_visit(self, wish: Wish) -> Visit:
        """Come in, or come in once more beside the tables that we sit at."""
        assert self._address is not None
        house = str(self._address) if self._server else ""
        beside = self.visits[0] if self.visits else None
        self.visit = visit = Visit(self._address, house, self._nickname, wish, beside)
        self.visits.append(visit)
        visit.sat = partial(self._sat, visit)
        visit.noted = self.lobby.set_state
        visit.changed = self._changed
        visit.name_declined = self._ask_name
        self._visiting.append(asyncio.create_task(self._keep(visit)))
        return visit

    async def _keep(self, visit: Visit) -> None:
        """Hold one connection for as long as the application runs."""
        try:
            await visit.link.run()
        except LudotecaError as error:
            self.exit(message=f"Error: {error}", return_code=1)

    # The lobby.

    def _changed(self) -> None:
        visit = self.visit
        if visit is None or visit.desk is not None or not self.lobby.is_mounted:
            return
        where = self._server or "a private house"
        self.lobby.set_heading(f"Ludoteca, {where}: you are {visit.link.name}")
        if not visit.lost:
            self.lobby.set_state("Choose what to play.")
        at_table = {info.id for info in (*visit.tables, *visit.mine)}
        seats = tuple(seat for seat in visit.memory.seats_at(visit.house) if seat.table in at_table)
        self.lobby.fill(seats, visit.tables, self._ended(visit))
        if self._matches_stale and not visit.lost:
            self._matches_stale = False
            self.run_worker(self._load_matches())

    def _ended(self, visit: Visit) -> tuple[replays.Finished, ...]:
        """The matches that we asked for when we came, and before them those that ended since. A private house
        is asked itself: its own are in no lobby."""
        if not self._server:
            return self._matches
        known = {match.id for match in self._matches}
        since = [
            replays.Finished(one.table, msgspec.to_builtins(one.outcome), one.closed_ms)
            for one in visit.finished
            if one.table.id not in known
        ]
        return (*since, *self._matches)

    async def _load_matches(self) -> None:
        try:
            if self._server and self._address is not None:
                self._matches = await replays.house_matches(self._address)
            else:
                self._matches = await asyncio.to_thread(replays.stored_matches, _private_folder())
        except LudotecaError as error:
            self.lobby.set_state(str(error))
        self._changed()

    def on_lobby_screen_asked(self) -> None:
        """The list may be old."""
        if self.visit is not None and self.visit.desk is None and self.visit.link.connected:
            self.visit.do(Look())

    def on_lobby_screen_chosen(self, event: LobbyScreen.Chosen) -> None:
        """Something of the lobby was chosen."""
        visit, thing = self.visit, event.thing
        if visit is None:
            return
        try:
            match thing:
                case Game():
                    self.push_screen(OpeningScreen(thing, private=not self._server), self._open)
                case Seat() if (there := self._sitting_at(thing.table)) is not None:
                    self._show_table(there)
                case Seat():
                    self.run_worker(visit.back(thing))
                case TableInfo(phase="open") if not event.watching:
                    visit.do(Sit(thing.id))
                case TableInfo():
                    visit.do(Watch(thing.id))
                case replays.Finished():
                    self.run_worker(self._replay(thing.id))
        except Refused as refusal:
            self.lobby.set_state(refusal.reason)

    def _open(self, play: Play | None) -> None:
        if play is not None and self.visit is not None:
            try:
                self.visit.do(play)
            except Refused as refusal:
                self.lobby.set_state(refusal.reason)

    async def _replay(self, match: str) -> None:
        from ludoteca.clients.screens.replay import ReplayScreen

        try:
            if self._server and self._address is not None:
                played = await replays.house_replay(self._address, match)
            else:
                played = await asyncio.to_thread(replays.stored_replay, _private_folder(), match)
        except LudotecaError as error:
            self.lobby.set_state(str(error))
            return
        self.push_screen(ReplayScreen(played, ascii_only=self.mode.ascii))

    def _ask_name(self, reason: str) -> None:
        name = self.visit.link.name if self.visit is not None else ""
        self.push_screen(NamingScreen(name, reason), self._renamed)

    def _renamed(self, name: str | None) -> None:
        if name and self.visit is not None:
            self.visit.rename(name)
        elif not name:
            self.exit()

    # The table.

    def _sat(self, visit: Visit, _desk: HouseTable) -> None:
        self._show_table(visit)

    def _show_table(self, visit: Visit) -> None:
        assert visit.desk is not None
        self.visit = visit
        self.push_screen(TableScreen(visit.desk, ascii_only=self.mode.ascii), self._left)

    def _left(self, to_lobby: bool | None) -> None:
        if to_lobby is None:
            return
        if not to_lobby or self.visit is None:
            self.exit()
            return
        self._matches_stale = True
        self.visit.leave_desk()

    # Several tables.

    def _sitting_at(self, table: str) -> Visit | None:
        return next((one for one in self.visits if one.desk is not None and one.desk.id == table), None)

    def on_table_screen_elsewhere(self) -> None:
        """Choose among the other tables and the lobby."""
        others = [one for one in self.visits if one.desk is not None and one is not self.visit]
        words = [_about_desk(one.desk) for one in others if one.desk is not None]
        self.push_screen(
            TablesScreen([*words, "the lobby, to open or find another table"]), partial(self._go, others)
        )

    def _go(self, others: list[Visit], chosen: int | None) -> None:
        here = self.visit
        if chosen is None or here is None or here.desk is None:
            return
        if chosen == len(others) and len(self.visits) == TABLES_MAX and all(one.desk for one in self.visits):
            here.desk.log("error", f"You sit at {TABLES_MAX} tables: leave one first.")
            return
        here.desk.told = lambda _line: None
        here.desk.changed = partial(self._called, here.desk, [here.desk.prompt])
        self.screen.dismiss(None)
        if chosen < len(others):
            self._show_table(others[chosen])
            return
        free = next((one for one in self.visits if one.desk is None), None)
        if free is None:
            self._begin_visit(Look())
        else:
            self.visit = free
            self.on_lobby_screen_asked()

    def _called(self, desk: HouseTable, asked_before: list[Prompt | None]) -> None:
        """A table that is not shown has something new: say so when it waits for us."""
        if desk.prompt is not asked_before[0]:
            asked_before[0] = desk.prompt
            if desk.asking:
                self.bell()
                self.notify(f"{desk.title} {desk.label}: it is your turn. F6 goes there.")


def _about_desk(desk: HouseTable) -> str:
    waits = ", your turn" if desk.asking else ", closed" if desk.ended else ""
    return f"{desk.title} {desk.label}: {', '.join(desk.names)}{waits}"


class DeskApplication(Shown):
    """One desk and nothing else: a game's own protocol at somebody else's server."""

    def __init__(self, desk: CallerDesk, address: Address, mode: Mode) -> None:
        super().__init__(mode)
        self._desk = desk
        self._address = address

    def on_mount(self) -> None:
        """Show it, and connect."""
        self.push_screen(TableScreen(self._desk, ascii_only=self.mode.ascii), self._leave)
        self.run_worker(self._desk.run(self._address))

    def _leave(self, _to_lobby: bool | None) -> None:
        # The screen is gone then, and with it what stood in its log.
        self.exit(return_code=1 if self._desk.failed else 0, message=self._desk.failed or None)


class ReplayApplication(Shown):
    """One finished match and nothing else."""

    def __init__(self, played: Replay, seat: int | None, mode: Mode) -> None:
        super().__init__(mode)
        self._played = played
        self._seat = seat

    def on_mount(self) -> None:
        """Show it."""
        from ludoteca.clients.screens.replay import ReplayScreen

        self.push_screen(ReplayScreen(self._played, seat=self._seat, ascii_only=self.mode.ascii))


def _private_folder() -> Path:
    from ludoteca.clients.private import folder

    return folder()
