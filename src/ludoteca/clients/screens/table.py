"""A desk on the screen: the board, who sits there, what is asked, what happened."""

import contextlib
import time
from typing import ClassVar

from rich.cells import cell_len
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, ScrollableContainer, VerticalScroll
from textual.css.query import NoMatches
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Footer, Static

from ludoteca.clients import parsing
from ludoteca.clients.ahead import Ahead
from ludoteca.clients.ascii import plain
from ludoteca.clients.colours import colour_of, paint, paint_drawing, paint_line
from ludoteca.clients.completion import about_choice, place_of
from ludoteca.clients.desks.desk import SETTLE_S, Desk, Line, Player, Prompt, describe
from ludoteca.clients.screens import pages
from ludoteca.clients.screens.texts import TextPage
from ludoteca.clients.widgets.board import LOG_ROWS_MIN, MARGIN, SIDE_WIDTH_MIN, Picture, largest
from ludoteca.clients.widgets.line import STEPS, Composer
from ludoteca.core import Drawing, Refused, Spot

LOG_SHOWN = 60
# The top bar, the question and the typed line.
FRAME_ROWS = 3
QUESTION_ROWS_MAX = 3


class TableScreen(Screen[bool]):
    """One desk. It is dismissed when the table is left: with true for the lobby, false to end the program,
    None when another table is shown and the seat is kept."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "help", "Help", priority=True),
        Binding("f2", "log", "Log", priority=True),
        Binding("f3,ctrl+t", "talk", "Talk", priority=True),
        Binding("pageup", "board(-5,0)", "Board up", show=False, priority=True),
        Binding("pagedown", "board(5,0)", "Board down", show=False, priority=True),
        Binding("ctrl+left", "board(0,-8)", show=False, priority=True),
        Binding("ctrl+right", "board(0,8)", show=False, priority=True),
        Binding("f4", "cursor", "Board", priority=True),
        *(
            Binding(f"{shift}{key}", f"walk({across},{down},{not shift})", show=False, priority=True)
            for key, (across, down) in STEPS.items()
            for shift in ("shift+", "")
        ),
        Binding("enter", "point", show=False, priority=True),
        Binding("escape", "put_cursor_away", show=False, priority=True),
        Binding("f6", "tables", "Tables", priority=True, show=False),
        Binding("f8", "hint", "Hint", priority=True, show=False),
        Binding("f10", "leave", "Leave", priority=True),
        Binding("ctrl+q", "quit_program", "Quit", priority=True),
    ]
    CSS = """
    TableScreen { layout: vertical; }
    #top {
        height: 1; background: $panel; color: $text; padding: 0 1; text-wrap: nowrap;
        text-overflow: ellipsis;
    }
    #banner { height: 1; background: $error; color: $text; padding: 0 1; display: none; }
    #middle { height: 1fr; layout: horizontal; }
    #board { width: auto; max-width: 100%; height: 100%; padding: 0 1; scrollbar-size: 1 1; }
    #picture { width: auto; height: auto; }
    #log { width: 1fr; height: 100%; padding: 0 1; border-left: solid $panel; scrollbar-size-vertical: 1; }
    #middle.below { layout: vertical; }
    #middle.below #board { width: 100%; height: 1fr; }
    #middle.below #log {
        width: 100%; height: 2; border-left: none; background: $boost; scrollbar-size-vertical: 0;
    }
    #ending { height: auto; display: none; background: $boost; padding: 0 1; }
    #ask { height: auto; max-height: 3; padding: 0 1; background: $panel; }
    #ask.mine { background: $primary-darken-2; color: $text; text-style: bold; }
    """

    class Elsewhere(Message):
        """Somebody wants to see another of their tables."""

    def __init__(self, desk: Desk, *, ascii_only: bool = False) -> None:
        super().__init__()
        self.desk = desk
        self._ascii = ascii_only
        self._asked_before = False
        self._stale = False
        self._painted: list[tuple[Line, Text]] = []
        self._hues: tuple[str, ...] = ()
        # What is known about the marked choice, and the question at which the person scrolled the board.
        self._about = ""
        self._scrolled_at: Prompt | None = None
        self._ahead = Ahead(desk, self._take, self._look_again)

    def compose(self) -> ComposeResult:
        """Top bar, board and log, question, choices, the typed line, keys."""
        yield Static(id="top", markup=False)
        yield Static(id="banner", markup=False)
        with Container(id="middle"):
            with ScrollableContainer(id="board", can_focus=False):
                yield Picture()
            with VerticalScroll(id="log", can_focus=False):
                yield Static(id="lines", markup=False)
        yield Static(id="ending", markup=False)
        yield Static(id="ask", markup=False)
        yield Composer()
        yield Footer(show_command_palette=False, compact=True)

    def on_mount(self) -> None:
        """Begin to show the desk."""
        self.desk.told = self._tell
        self.desk.changed = self._changed
        self.query_one(Composer).line.focus()
        self.set_interval(1.0, self._show_top)
        self._show()

    def on_unmount(self) -> None:
        """The desk goes on without us; somebody else may show it by now."""
        if self.desk.changed == self._changed:
            self.desk.put_away()

    # Showing.

    def _tell(self, _line: Line) -> None:
        self._changed()

    def _changed(self) -> None:
        """Show it soon; whatever else changes until then is shown with it."""
        if not self._stale:
            self._stale = True
            self.call_later(self._show)

    def _text(self, text: str) -> str:
        return plain(text) if self._ascii else text

    @property
    def _names(self) -> list[str]:
        return [player.name for player in self.desk.players]

    def _show(self) -> None:
        desk = self.desk
        self._stale = False
        if not self.is_mounted:
            return
        banner = self.query_one("#banner", Static)
        banner.display = bool(desk.lost)
        kept = "your seat is kept" if any(player.mine for player in desk.players) else "you still watch"
        banner.update(self._text(f"Connection lost; {kept}, and it is tried again. ({desk.lost})"))
        rows = self._show_board()
        ending = desk.ending()[1:] if desk.phase == "over" else []
        panel = self.query_one("#ending", Static)
        panel.display = bool(ending)
        panel.update(paint(self._text("\n".join(ending)), self._names))
        self._show_question()
        self._lay_out(rows, len(ending))
        self._show_top()
        self._show_log()
        self.call_after_refresh(self._aim, rows)
        self._ahead.go_on()

    def _show_board(self) -> tuple[str, ...]:
        """The board, as large as there is room; its rows."""
        desk = self.desk
        drawing = largest(desk.board, self.size, FRAME_ROWS + 1 + self._choice_rows_max)
        if drawing is None:
            chairs = ["", f"  {desk.title}", "", *(f"  {one}" for one in describe(desk.players))]
            drawing = Drawing(
                tuple(desk.picture.rstrip("\n").split("\n") if desk.picture else chairs), plain=True
            )
        if len(drawing.rows) > self.size.height - FRAME_ROWS - LOG_ROWS_MIN - 1:
            drawing = drawing.without_blanks()
        painted = paint_drawing(drawing, self._names, desk.inks, hues=desk.hues, ascii_only=self._ascii)
        self.query_one(Picture).show(painted, drawing)
        self.refresh_bindings()
        return drawing.rows

    @property
    def _choice_rows_max(self) -> int:
        return max(2, min(8, self.size.height // 6))

    def _show_question(self) -> None:
        desk, prompt = self.desk, self.desk.prompt
        ask = self.query_one("#ask", Static)
        ask.set_class(desk.asking, "mine")
        if prompt is not None:
            ask.update(self._question)
        else:
            waiting = {
                "open": "Waiting for players.",
                "playing": "Waiting for the others.",
                "over": "It is over.",
            }
            ask.update(waiting[desk.phase])
        self.query_one(Composer).offer(prompt.answers if prompt is not None and not desk.lost else ())
        if desk.asking and not self._asked_before and desk.phase == "playing":
            self.app.bell()
        self._asked_before = desk.asking

    def on_composer_marked(self, event: Composer.Marked) -> None:
        """Say what the rules have to say about the choice that is marked: a code alone tells nothing."""
        prompt = self.desk.prompt
        told = about_choice(prompt.explanation, event.text) if prompt is not None else ""
        if told != self._about:
            self._about = told
            self._changed()

    def _aim(self, rows: tuple[str, ...]) -> None:
        """Scroll a board that is too high to what is asked about: what the answers name, or our own part.

        Not when the person has scrolled since.
        """
        # How much is below is known when all of this has been laid out.
        self.call_after_refresh(self._show_top)
        prompt, board = self.desk.prompt, self.query_one("#board")
        if prompt is None or not self.desk.asking or prompt is self._scrolled_at:
            return
        first, last = place_of(rows, prompt.answers, [one.name for one in self.desk.players if one.mine])
        high = board.size.height
        board.scroll_to(y=max(0, min(first, last - high + 1)), animate=False, force=True)

    def _show_top(self) -> None:
        if not self.query("#top") or not self.query("#board"):
            return  # The screen is being taken down, and the clock has rung once more.
        top = Text(no_wrap=True)
        top.append(self._text(self.desk.title), "bold")
        for seat, player in enumerate(self.desk.players):
            top.append("  ")
            top.append(*self._player(seat, player))
        if not self.query_one(Footer).display:
            top.append("  F1 help", "dim")
        board = self.query_one("#board")
        below = round(board.max_scroll_y - board.scroll_y)
        if below > 0:
            top.append(f"  PgDn: {below} more row{'s' * (below > 1)}", "bold")
        self.query_one("#top", Static).update(top)

    def _player(self, seat: int, player: Player) -> tuple[str, str]:
        mark = ">" if player.turn else "?" if player.name and not player.here else ""
        clock = ""
        if player.until is not None:
            left = max(0, round(player.until - time.monotonic()))
            clock = f" {left // 60}:{left % 60:02}"
        colour = colour_of(seat, self.desk.hues)
        style = f"{'bold ' if player.mine else ''}{colour}{'' if player.here else ' dim'}"
        return f"{mark}{self._text(player.name) or 'free'}{' (you)' if player.mine else ''}{clock}", style

    def _show_log(self) -> None:
        if not self.is_mounted:
            return
        names, hues = self._names, self.desk.hues
        if hues != self._hues:
            self._painted, self._hues = [], hues
        known = {id(line): text for line, text in self._painted}
        self._painted = [
            (line, known.get(id(line)) or paint_line(line, names, hues=hues, ascii_only=self._ascii))
            for line in list(self.desk.lines)[-LOG_SHOWN:]
        ]
        self.query_one("#lines", Static).update(Text("\n").join([text for _, text in self._painted]))
        self.call_after_refresh(self.query_one("#log", VerticalScroll).scroll_end, animate=False)

    def on_resize(self, _event: events.Resize) -> None:
        """Another size: the log may fit beside the board now, or no longer."""
        # Its parts come and go one by one: a screen that is being taken down may have lost some of them.
        with contextlib.suppress(NoMatches):
            self._show()

    def _lay_out(self, rows: tuple[str, ...], ending: int) -> None:
        """The log stands beside the board where there is room, and else below it, in what the board leaves.

        A board that would not fit gets the row of the keys too: F1 is named at the top, and tells them.
        """
        wide, high = max(map(cell_len, rows)) + MARGIN, len(rows)
        beside = self.size.width - wide >= SIDE_WIDTH_MIN
        grid = self.query_one(Composer).grid
        grid.rows_max = self._choice_rows_max
        choices = grid.rows_wanted(self.size.width - 2)
        spare = self.size.height - high - FRAME_ROWS - ending - choices - self._question_rows_more
        self.query_one("#middle").set_class(not beside, "below")
        log = self.query_one("#log")
        keys = self.query_one(Footer)
        keys.display = spare > (0 if beside else LOG_ROWS_MIN)
        # A board that fits exactly has all the room; one that does not is scrolled anyway.
        rows_left = spare - keys.display if spare >= 0 else 1
        log.display = beside or rows_left > 0
        if beside:
            log.styles.height = "100%"
        else:
            log.styles.height = min(rows_left, max(LOG_ROWS_MIN, self.size.height // 3))

    @property
    def _question(self) -> str:
        sentence = self.desk.prompt.sentence if self.desk.prompt is not None else ""
        return self._text(" ".join(filter(None, (sentence, self._about))))

    @property
    def _question_rows_more(self) -> int:
        """The rows that a long question takes beyond its first."""
        lines = Text(self._question).wrap(self.app.console, max(1, self.size.width - 2))
        return min(QUESTION_ROWS_MAX, max(1, len(lines))) - 1

    # Doing.

    def on_composer_sent(self, event: Composer.Sent) -> None:
        """A line was typed or chosen."""
        self._ahead.put(f"'{event.text}" if event.talking else event.text)

    def _look_again(self) -> None:
        self.set_timer(SETTLE_S, self._ahead.go_on)

    def _take(self, line: str) -> None:
        try:
            self._do(parsing.parse(line))
        except Refused as refusal:
            self.desk.log("error", f"{refusal.reason[:1].upper()}{refusal.reason[1:]}.")
            self.app.bell()

    def _do(self, command: parsing.Command) -> None:
        desk, rest = self.desk, command.rest
        match command.name:
            case "answer":
                desk.answer(rest)
            case "any":
                desk.answer_by_chance()
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
                self.app.push_screen(pages.rules_page(desk, rest, ascii_only=self._ascii))
            case "invite":
                self.app.push_screen(pages.invitation_page(desk, ascii_only=self._ascii))
            case "tables":
                self.action_tables()
            case "bot":
                desk.seat_bot(rest)
            case "rematch":
                desk.rematch()
            case "continue":
                desk.play_on(rest)
            case "leave":
                self.action_leave(sure=True)
            case "quit":
                self.action_quit_program()
            case "who":
                self.app.push_screen(TextPage("At the table", "\n".join(describe(desk.players))))
            case "options":
                answers = desk.prompt.answers if desk.prompt else ()
                self.app.push_screen(TextPage("Every answer", "\n".join(answers) or "Nothing is asked."))
            case "log":
                self.action_log()
            case "board" | "help":
                self.action_help()

    def action_help(self) -> None:
        """What is asked, what the rules say, and the keys."""
        self.app.push_screen(pages.help_page(self.desk, ascii_only=self._ascii))

    def action_hint(self) -> None:
        """What a bot would answer."""
        self._take("/hint")

    def action_tables(self) -> None:
        """To another table."""
        self.post_message(self.Elsewhere())

    def action_log(self) -> None:
        """Everything that happened."""
        self.app.push_screen(pages.log_page(self.desk, ascii_only=self._ascii))

    def action_talk(self) -> None:
        """Type for the chat, or for the game again."""
        composer = self.query_one(Composer)
        if self.desk.chats:
            composer.talk(not composer.talking)

    def action_board(self, down: int, across: int) -> None:
        """Scroll the board."""
        self.query_one("#board").scroll_relative(x=across, y=down, animate=False)
        self._scrolled_at = self.desk.prompt
        self.call_after_refresh(self._show_top)

    # Pointing at the board.

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Arrows, Enter and Esc belong to the board while its cursor is out and nothing is being typed."""
        if action == "cursor":
            return bool(self.query_one(Picture).spots)
        if action in ("walk", "point", "put_cursor_away"):
            composer = self.query_one(Composer)
            if action == "walk" and not parameters[2]:
                return not composer.talking
            return self.query_one(Picture).cursor is not None and not composer.typing_by_hand
        return super().check_action(action, parameters)

    def action_cursor(self) -> None:
        """Bring the cursor onto the board, or put it away."""
        picture = self.query_one(Picture)
        if picture.cursor is not None:
            picture.put_cursor_away()
        else:
            picture.walk(0, 0)

    def action_walk(self, across: int, down: int, _bare: bool) -> None:
        """To the next place of the board."""
        self.query_one(Picture).walk(across, down)

    def action_point(self) -> None:
        """Answer with the place under the cursor."""
        cursor = self.query_one(Picture).cursor
        if cursor is not None:
            self._point(cursor)

    def action_put_cursor_away(self) -> None:
        """Back to the line."""
        self.query_one(Picture).put_cursor_away()

    def on_picture_pointed(self, event: Picture.Pointed) -> None:
        """A click on the board."""
        self._point(event.spot)

    def _point(self, spot: Spot) -> None:
        if not self.query_one(Composer).point(spot.words):
            self.app.bell()

    def action_leave(self, sure: bool = False) -> None:
        """Get up; in the middle of a match only after a second thought."""
        if self.desk.phase == "playing" and not sure and not self.desk.ended:
            self.desk.log("note", "Type /leave to give up your seat for good; Ctrl+Q quits and keeps it.")
            return
        if not self.desk.ended:
            self.desk.leave()
        self.dismiss(True)

    def action_quit_program(self) -> None:
        """End the program; the seat is kept."""
        self.dismiss(False)
