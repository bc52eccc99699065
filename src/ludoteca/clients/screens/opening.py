"""Opening a table: how many players, which bots, and the game's own options."""

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Literal, get_args, get_origin

import msgspec
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Label, Select, Static

from ludoteca import bots
from ludoteca.clients.visit import Play, check_options
from ludoteca.core import LEVELS, Game, Refused
from ludoteca.core.requests import WantedTerms


def default_of(field: msgspec.structs.FieldInfo) -> Any:
    """What a field of the options is when nobody says anything."""
    if field.default is not msgspec.NODEFAULT:
        return field.default
    return field.default_factory() if field.default_factory is not msgspec.NODEFAULT else None


def bare_type(field: msgspec.structs.FieldInfo) -> Any:
    """A field's type without what is said about it."""
    return get_args(field.type)[0] if get_origin(field.type) is Annotated else field.type


def description_of(field: msgspec.structs.FieldInfo) -> str:
    """What the game says about an option, as a sentence."""
    said = next((one.description for one in get_args(field.type)[1:] if isinstance(one, msgspec.Meta)), None)
    return f"{said[:1].upper()}{said[1:].rstrip('.')}." if said else ""


# What the page offers, too.
CLOCKS = {
    "no limit": 0,
    "30 s": 30,
    "1 min": 60,
    "2 min": 120,
    "5 min": 300,
    "1 hour": 3600,
    "1 day": 24 * 3600,
}
ABSENCES = {"wait for two minutes": "wait", "a bot plays on": "bot", "do not wait": "end"}
VISIBLE = {"anyone": False, "only with the link": True}


class OpeningScreen(ModalScreen[Play | None]):
    """A form for a new table."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "cancel", "Cancel"),
        Binding("ctrl+o", "open", "Open"),
    ]
    DEFAULT_CSS = """
    OpeningScreen { align: center middle; }
    OpeningScreen > VerticalScroll {
        width: 60; max-width: 95%; height: auto; max-height: 95%; background: $surface;
        border: round $primary; padding: 0 1;
    }
    OpeningScreen .row { height: 1; }
    OpeningScreen .row Label { width: 22; }
    OpeningScreen Input, OpeningScreen Select { width: 1fr; }
    OpeningScreen #title { text-style: bold; color: $primary; }
    OpeningScreen #about-option { color: $text-muted; height: auto; }
    OpeningScreen #wrong { color: $error; height: auto; }
    OpeningScreen Button { margin: 0 2 0 0; }
    """

    def __init__(self, game: Game, *, private: bool) -> None:
        super().__init__()
        self._game = game
        self._private = private

    def compose(self) -> ComposeResult:
        """Players, bots, options."""
        game = self._game
        usual = max(2, game.seats[0])
        levels = bots.levels(game)
        with VerticalScroll(can_focus=False):
            yield Static(f"A new table of {game.title}", id="title", markup=False)
            yield self._row(
                "Players",
                Select(
                    [(str(n), n) for n in game.seats],
                    value=usual,
                    allow_blank=False,
                    compact=True,
                    id="seats",
                ),
            )
            yield self._row(
                "Bots",
                Select(
                    [(str(n), n) for n in range(game.seats[-1])],
                    value=usual - 1 if self._private else 0,
                    allow_blank=False,
                    compact=True,
                    id="bots",
                ),
            )
            yield self._row(
                "They play",
                Select(
                    [(f"{one}: {LEVELS[one]}" if one in LEVELS else one, one) for one in levels],
                    value=bots.first(game),
                    allow_blank=False,
                    compact=True,
                    id="level",
                ),
            )
            for field in msgspec.structs.fields(game.options):
                yield self._row(field.name.replace("_", " "), self._field(field))
            yield from self._terms()
            yield Static(id="about-option", markup=False)
            yield Static(id="wrong", markup=False)
            with Horizontal(classes="row"):
                yield Button("Open the table", id="open", variant="primary", compact=True)
                yield Button("Cancel", id="cancel", compact=True)

    def _terms(self) -> Iterator[Horizontal]:
        """What a table agrees on beside the game's options; who is alone in a house needs only a clock."""
        yield self._row("Time for a move", self._select(CLOCKS, 0, "clock"))
        if not self._private:
            yield self._row("If somebody is gone", self._select(ABSENCES, "wait", "absence"))
            yield self._row("Who may come", self._select(VISIBLE, False, "private"))
            yield self._row(
                "Name of the table",
                Input(placeholder="up to 12 letters, no blanks", max_length=12, compact=True, id="label"),
            )

    def _select(self, words: dict[str, Any], value: Any, name: str) -> Select[Any]:
        return Select([*words.items()], value=value, allow_blank=False, compact=True, id=name)

    def _row(self, label: str, widget: Select[Any] | Input) -> Horizontal:
        return Horizontal(Label(label), widget, classes="row")

    def _field(self, field: msgspec.structs.FieldInfo) -> Select[Any] | Input:
        """A list for what has few values, a line for everything else."""
        default, name = default_of(field), f"option-{field.name}"
        if isinstance(default, bool):
            values = [("yes", "true"), ("no", "false")]
            return Select(values, value=str(default).lower(), allow_blank=False, compact=True, id=name)
        if get_origin(bare_type(field)) is Literal:
            words = [(str(one), str(one)) for one in get_args(bare_type(field))]
            return Select(words, value=str(default), allow_blank=False, compact=True, id=name)
        return Input(
            placeholder="as usual" if default in (None, 0, ()) else str(default), compact=True, id=name
        )

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Say what the option at hand means."""
        name = (event.widget.id or "").removeprefix("option-")
        said = [
            description_of(field)
            for field in msgspec.structs.fields(self._game.options)
            if field.name == name
        ]
        self.query_one("#about-option", Static).update(said[0] if said else "")

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Open or cancel."""
        if event.button.id == "open":
            self.action_open()
        else:
            self.action_cancel()

    def on_input_submitted(self) -> None:
        """Enter in a field opens the table."""
        self.action_open()

    def action_cancel(self) -> None:
        """Nothing is opened."""
        self.dismiss(None)

    def action_open(self) -> None:
        """Check what was chosen and go."""
        try:
            self.dismiss(self._play())
        except Refused as refusal:
            self.query_one("#wrong", Static).update(refusal.reason)

    def _play(self) -> Play:
        game = self._game
        seats, count = self._chosen("seats"), self._chosen("bots")
        given = {}
        for field in msgspec.structs.fields(game.options):
            widget = self.query_one(f"#option-{field.name}")
            value = widget.value if isinstance(widget, Input | Select) else ""
            default = default_of(field)
            usual = str(default).lower() if isinstance(default, bool) else str(default)
            if value not in ("", usual, Select.NULL):
                given[field.name] = str(value)
        options = check_options(game.options, given)
        settled = msgspec.convert(options, game.options)
        game.settle(settled, seats)
        level = self.query_one("#level", Select).value
        terms, label = WantedTerms(move_s=float(self._chosen("clock"))), ""
        if not self._private:
            absence, private = (
                self.query_one("#absence", Select).value,
                self.query_one("#private", Select).value,
            )
            terms = msgspec.structs.replace(terms, absence=absence, private=bool(private))
            label = self.query_one("#label", Input).value.strip()
        return Play(game.name, min(count, seats - 1), str(level), options, seats, True, terms, label)

    def _chosen(self, name: str) -> int:
        value = self.query_one(f"#{name}", Select).value
        assert isinstance(value, int)
        return value
