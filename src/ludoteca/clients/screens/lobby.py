"""The lobby: the games, the tables, the matches that were played."""

from datetime import datetime
from typing import ClassVar, NamedTuple

import msgspec
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from ludoteca import games
from ludoteca.clients.ascii import harmless, plain
from ludoteca.clients.replays import Finished
from ludoteca.clients.saved import Seat
from ludoteca.clients.screens.opening import default_of
from ludoteca.core import Game
from ludoteca.core.notices import TableInfo

Thing = Game | TableInfo | Seat | Finished


class Entry(NamedTuple):
    """A line of the list and what it stands for."""

    label: str
    thing: Thing


def _waiting(tables: int) -> str:
    return "Your table waits for you" if tables == 1 else "Your tables wait for you"


class LobbyScreen(Screen[None]):
    """A list of everything one can do here. `Chosen` says what."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "help", "Help"),
        Binding("w", "watch", "Watch"),
        Binding("f5", "refresh_list", "Refresh"),
        Binding("ctrl+q,q", "app.quit", "Quit"),
    ]
    CSS = """
    #heading { height: 1; background: $panel; padding: 0 1; }
    #state { height: 1; padding: 0 1; color: $text-muted; }
    #hall { height: 1fr; }
    #list {
        width: 3fr; height: 100%; border: none; padding: 0; text-wrap: nowrap; text-overflow: ellipsis;
    }
    #about { width: 2fr; height: 100%; padding: 0 1; border-left: solid $panel; }
    """

    class Chosen(Message):
        """Something to do with this; `watching` asks only to look on."""

        def __init__(self, thing: Thing, watching: bool = False) -> None:
            super().__init__()
            self.thing, self.watching = thing, watching

    class Asked(Message):
        """Ask the house again."""

    def __init__(self, heading: str, *, ascii_only: bool = False) -> None:
        super().__init__()
        self._ascii = ascii_only
        # Made here and not in compose: the house may have something to say before they are on the screen, or
        # when they are not there any more.
        self._heading = Static(heading, id="heading", markup=False)
        self._list = OptionList(id="list", compact=True, markup=False)
        self._told = Static(id="facts", markup=False)
        self._state = Static("Opening the house ...", id="state", markup=False)
        self._entries: dict[str, Entry] = {}

    def compose(self) -> ComposeResult:
        """The list and what the marked line is about."""
        yield self._heading
        with Horizontal(id="hall"):
            yield self._list
            with VerticalScroll(id="about", can_focus=False):
                yield self._told
        yield self._state
        yield Footer(show_command_palette=False, compact=True)

    def on_mount(self) -> None:
        """Something to look at at once: the games need no house."""
        self.fill((), (), ())
        self._list.focus()

    def set_heading(self, heading: str) -> None:
        """Who and where you are."""
        self._heading.update(self._plain(heading))

    def set_state(self, text: str) -> None:
        """The line about what is going on."""
        self._state.update(self._plain(text))

    def _plain(self, text: str) -> str:
        return plain(harmless(text)) if self._ascii else harmless(text)

    def fill(
        self, seats: "tuple[Seat, ...]", tables: tuple[TableInfo, ...], matches: "tuple[Finished, ...]"
    ) -> None:
        """Show what there is; the mark stays where it was."""
        sections = {
            _waiting(len(seats)): [
                Entry(f"{games.load(seat.game).title}, as {seat.name}", seat) for seat in seats
            ],
            "Open a table": [Entry(game.title, game) for game in games.load_all()],
            "Tables": [Entry(_table_line(info), info) for info in tables],
            "Finished matches": [Entry(match.line, match) for match in matches],
        }
        listing = self._list
        marked = listing.highlighted_option.id if listing.highlighted_option else None
        entries: dict[str, Entry] = {}
        options: list[Option] = []
        for title, section in sections.items():
            if section:
                options.append(Option(Text(title, "bold"), disabled=True))
            for entry in section:
                key = f"{title}/{_key(entry.thing)}"
                entries[key] = entry
                options.append(Option(Text("  " + self._plain(entry.label)), id=key))
        if [*entries.values()] == [*self._entries.values()]:
            return
        self._entries = entries
        listing.clear_options()
        listing.add_options(options)
        ids = [option.id for option in options]
        listing.highlighted = ids.index(marked if marked in entries else next(iter(entries)))

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Tell about the marked line."""
        entry = self._entries.get(event.option.id or "")
        if entry is not None:
            self._told.update(self._plain("\n".join(_facts(entry.thing))))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Do it."""
        entry = self._entries.get(event.option.id or "")
        if entry is not None:
            self.post_message(self.Chosen(entry.thing))

    def action_watch(self) -> None:
        """Look on at the marked table."""
        option = self._list.highlighted_option
        entry = self._entries.get(option.id or "") if option else None
        if entry is not None and isinstance(entry.thing, TableInfo):
            self.post_message(self.Chosen(entry.thing, watching=True))

    def action_refresh_list(self) -> None:
        """Ask the house again."""
        self.post_message(self.Asked())

    def action_help(self) -> None:
        """What to do here."""
        self.set_state("Arrows choose, Enter opens, sits down, goes on or replays; w watches a table.")


def _key(thing: Thing) -> str:
    match thing:
        case Game(name=name):
            return name
        case Seat(token=token):
            return token
        case _:
            return thing.id


def _table_line(info: TableInfo) -> str:
    people = ", ".join(name or "free" for name in info.names)
    return f"{games.load(info.game).title} {info.label}, {info.phase}: {people}"


def _facts(thing: Thing) -> list[str]:
    match thing:
        case Game():
            return _about_game(thing)
        case TableInfo():
            action = "Enter sits down, w watches." if thing.phase == "open" else "Enter watches."
            opened = datetime.fromtimestamp(thing.opened_ms / 1000)
            people = [f"  {name or 'a free chair'}" for name in thing.names]
            options = [f"  {key}: {value}" for key, value in (thing.options or {}).items()]
            return [_table_line(thing), "", *people, "", *options, "", f"Opened {opened:%H:%M}.", action]
        case Seat():
            began = datetime.fromtimestamp(thing.at)
            return [
                f"Your match of {games.load(thing.game).title}",
                f"begun {began:%d %B, %H:%M}.",
                "",
                "Enter goes on with it.",
            ]
        case Finished():
            return [*thing.facts, "", "Enter steps through it."]


def _default_words(default: object) -> str:
    if isinstance(default, bool):
        return "yes" if default else "no"
    return "as usual" if default in (None, 0, ()) else str(default)


def _about_game(game: Game) -> list[str]:
    low, high = game.seats[0], game.seats[-1]
    lines = [game.title, "", f"For {low} to {high} players." if low != high else f"For {low} players."]
    fields = msgspec.structs.fields(game.options)
    if fields:
        lines += ["", "Options:"]
        for field in fields:
            default = default_of(field)
            lines.append(f"  {field.name.replace('_', ' ')}: {_default_words(default)}")
    return [*lines, "", "Enter opens a table."]
