"""A match that was played, on the screen: forwards and backwards."""

from functools import partial
from typing import Any, ClassVar

from rich.cells import cell_len
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, ScrollableContainer, VerticalScroll
from textual.screen import Screen
from textual.widgets import Footer, ProgressBar, Static

from ludoteca import bots
from ludoteca.clients.advice import told as advised
from ludoteca.clients.ascii import plain
from ludoteca.clients.colours import paint_drawing, paint_line
from ludoteca.clients.desks.desk import Line
from ludoteca.clients.widgets.board import MARGIN, SIDE_WIDTH_MIN, Picture, largest
from ludoteca.core import Dice, Drawing, Game, Seat, Sight
from ludoteca.core.notices import Moment
from ludoteca.journal import Replay, Step
from ludoteca.journal.decisive import moment_of
from ludoteca.journal.records import Acted, CameBack, Closed, Spoke, Started, WentAway
from ludoteca.play import patience

PLAY_S = 0.8
# How often a bot may look whether to go on, when it is asked about a position.
LOOKS, COMPARISONS = 200, 4
# The top bar, what was done, the bar of steps, the keys; what is told below a wide board has two rows more
# than the least that a log has.
FRAME_ROWS = 6


def headline(played: Replay, step: Step) -> str:
    """Who did it."""
    names = played.names
    match step.record.input:
        case Started():
            return "The match begins"
        case Acted(seat=seat, actions=actions):
            text = played.game.text
            done = "; ".join(text.write(action) for action in _typed(played, actions))
            return f"{names[seat]}: {done}"
        case WentAway(seat=seat, reason=reason):
            return f"{names[seat]} is gone{f': {reason}' if reason else ''}"
        case CameBack(seat=seat):
            return f"{names[seat]} is back"
        case Spoke(name=name, text=said):
            return f"{name}: {said}"
        case Closed(reason=reason):
            return f"Closed: {reason}"
        case _:
            return ""


def _typed(played: Replay, actions: tuple[object, ...]) -> list[object]:
    import msgspec

    return [msgspec.convert(action, played.game.actions) for action in actions]


class ReplayScreen(Screen[None]):
    """Steps through a match as one seat, or a spectator, saw it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,n,j", "step(1)", "Next", key_display="n"),
        Binding("left,p,k", "step(-1)", "Back", key_display="p"),
        Binding("pagedown", "step(10)", "10 on", show=False),
        Binding("pageup", "step(-10)", "10 back", show=False),
        Binding("home,f", "go(0)", "First"),
        Binding("end,l", "go(-1)", "Last"),
        Binding("space", "play", "Play"),
        Binding("d", "decisive", "Decisive"),
        Binding("a", "advice", "Advice"),
        Binding("s", "seat", "Seat"),
        Binding("down", "board(2)", show=False),
        Binding("up", "board(-2)", show=False),
        Binding("escape,q", "leave", "Close"),
    ]
    CSS = """
    #top { height: 1; background: $panel; padding: 0 1; }
    #middle { height: 1fr; layout: horizontal; }
    #board { width: auto; max-width: 100%; height: 100%; padding: 0 1; scrollbar-size: 1 1; }
    #picture { width: auto; height: auto; }
    #told { width: 1fr; height: 100%; padding: 0 1; border-left: solid $panel; scrollbar-size-vertical: 1; }
    #middle.below { layout: vertical; }
    #middle.below #board { width: 100%; height: 1fr; }
    #middle.below #told { width: 100%; height: 4; border-left: none; }
    #done { height: 1; padding: 0 1; text-style: bold; }
    #scrub { height: 1; padding: 0 1; }
    #scrub Bar { width: 1fr; }
    """

    def __init__(
        self, played: Replay, *, seat: int | None = None, ascii_only: bool = False, at: int = 0
    ) -> None:
        super().__init__()
        self.played = played
        self.steps = [step for step in played.steps if step.state is not None]
        self.at = max(0, min(at, len(self.steps) - 1))
        self._seat = seat
        self._ascii = ascii_only
        self._timer = self.set_interval(PLAY_S, self._advance, pause=True)
        self._playing = False
        self._moment: Moment | None = None
        # What bots say about positions, by step.
        self._advice: dict[int, list[str]] = {}

    def compose(self) -> ComposeResult:
        """Where we are, the board, what happened."""
        yield Static(id="top", markup=False)
        with Container(id="middle"):
            with ScrollableContainer(id="board", can_focus=False):
                yield Picture()
            with VerticalScroll(id="told", can_focus=False):
                yield Static(id="lines", markup=False)
        yield Static(id="done", markup=False)
        yield ProgressBar(
            total=max(1, len(self.steps) - 1), show_eta=False, show_percentage=False, id="scrub"
        )
        yield Footer(show_command_palette=False, compact=True)

    def on_mount(self) -> None:
        """The first picture."""
        self._show()

    def on_resize(self, _event: events.Resize) -> None:
        """Arrange it anew."""
        self._show()

    def _plain(self, text: str) -> str:
        return plain(text) if self._ascii else text

    def _show(self) -> None:
        played, step = self.played, self.steps[self.at]
        game, names = played.game, played.names
        watcher = Seat(self._seat) if self._seat is not None else None
        eyes = "a spectator" if watcher is None else names[watcher]
        self.query_one("#top", Static).update(
            self._plain(f"{game.title}: step {self.at + 1} of {len(self.steps)}, seen as {eyes}")
        )
        rows = self._show_board(watcher)
        self.query_one("#done", Static).update(self._plain(headline(played, step)))
        seen = [game.seen(event, watcher) for event in step.events]
        told = [game.text.tell(event, names) for event in seen if event is not None]
        if self._moment is not None and step.record.number == self._moment.number:
            told.append(self._moment.words["en"])
        told += self._advice.get(self.at, [])
        lines = [paint_line(Line("event", text), names, ascii_only=self._ascii) for text in told if text]
        self.query_one("#lines", Static).update(Text("\n").join(lines))
        self.query_one("#scrub", ProgressBar).update(progress=self.at)
        wide = max(map(cell_len, rows)) + MARGIN
        self.query_one("#middle").set_class(self.size.width - wide < SIDE_WIDTH_MIN, "below")

    def _show_board(self, watcher: Seat | None) -> tuple[str, ...]:
        """The board after this step, what the step changed marked; its rows."""
        game, names = self.played.game, self.played.names
        view = game.view(self.steps[self.at].state, watcher)
        before = game.view(self.steps[self.at - 1].state, watcher) if self.at else None
        sight = Sight(view, tuple(names), watcher, before)
        drawing = largest(lambda room: game.text.board(sight, room), self.size, FRAME_ROWS)
        if drawing is None:
            rows = tuple(game.text.draw(view, names).rstrip("\n").split("\n"))
            drawing = Drawing(rows, plain=True)
        painted = paint_drawing(drawing, names, game.text.inks, ascii_only=self._ascii)
        self.query_one(Picture).show(painted, drawing)
        return drawing.rows

    def action_step(self, by: int) -> None:
        """Forwards or backwards."""
        self.at = max(0, min(len(self.steps) - 1, self.at + by))
        self._show()

    def action_go(self, to: int) -> None:
        """To the first or the last."""
        self.at = len(self.steps) - 1 if to < 0 else min(to, len(self.steps) - 1)
        self._show()

    def action_decisive(self) -> None:
        """To the move that decided it."""
        self._moment = self._moment or moment_of(self.played)
        if self._moment is None:
            self.notify("The match was broken off: nothing decided it.")
            return
        numbers = [step.record.number for step in self.steps]
        self.action_go(numbers.index(self._moment.number))

    def action_advice(self) -> None:
        """What a bot would do now, in the place of who is asked."""
        state, game, at = self.steps[self.at].state, self.played.game, self.at
        if not state.questions:
            self.notify("Nothing is asked of anybody here.")
        elif at not in self._advice:
            self._advice[at] = ["A bot is thinking about it."]
            self.run_worker(partial(self._think, game, state, at), thread=True)
        self._show()

    def _think(self, game: Game, state: Any, at: int) -> None:
        dice, seat = Dice(at), next(iter(state.questions))
        imagined = game.redeal(state, seat, dice)
        advice = bots.advise(game, imagined, seat, dice, patience(LOOKS), patience(COMPARISONS))
        self._advice[at] = [f"{self.played.names[seat]} might answer:", *advised(advice, self.played.names)]
        self.app.call_from_thread(self._show)

    def action_play(self) -> None:
        """Let it run, or stop it."""
        self._playing = not self._playing
        if self._playing:
            self._timer.resume()
        else:
            self._timer.pause()

    def _advance(self) -> None:
        if self.at >= len(self.steps) - 1:
            self.action_play()
        else:
            self.action_step(1)

    def action_seat(self) -> None:
        """Through the next one's eyes."""
        seats = len(self.played.names)
        following = 0 if self._seat is None else self._seat + 1
        self._seat = following if following < seats else None
        self._show()

    def action_board(self, down: int) -> None:
        """Scroll the board."""
        self.query_one("#board").scroll_relative(y=down, animate=False)

    def action_leave(self) -> None:
        """Back to where we came from, or out."""
        if len(self.app.screen_stack) > 2:
            self.dismiss()
        else:
            self.app.exit()
