"""Ludoteca's own protocol: the same few messages for every game, as JSON lines or WebSocket messages."""

from collections.abc import Callable
from typing import Any, assert_never

import msgspec

from ludoteca.core import Game, Notice, Question, Request, Seat
from ludoteca.core import notices as told
from ludoteca.core import requests as wanted
from ludoteca.core.converting import convert
from ludoteca.wire import messages as m
from ludoteca.wire.jsonl import JsonLines
from ludoteca.wire.tongue import MessageConversation

GARBLED_MAX = 10
# So many notices are remembered in case somebody else hears the same.
COPIES_MAX = 64


class Copier:
    """Encodes once what several guests are told: the notice is the same object for all who may know the same.

    One for all conversations of a house. It remembers a few of the last notices with their bytes, and for
    those who look on and follow views, with the picture that all of them see then.
    """

    __slots__ = ("lines", "pictures")

    def __init__(self) -> None:
        # By the identity of the notice, which is kept, so that no other can have the same meanwhile.
        self.lines: dict[int, tuple[Notice, bytes]] = {}
        self.pictures: dict[int, tuple[Notice, bytes, Any]] = {}

    def keep(self, notice: Notice, data: bytes) -> bytes:
        """Remember what a notice is for everybody."""
        if len(self.lines) >= COPIES_MAX:
            self.lines.clear()
        self.lines[id(notice)] = notice, data
        return data

    def keep_picture(self, notice: Notice, data: bytes, picture: Any) -> bytes:
        """Remember what a notice is for those who look on and follow views."""
        if len(self.pictures) >= COPIES_MAX:
            self.pictures.clear()
        self.pictures[id(notice)] = notice, data, picture
        return data


_decode = msgspec.json.Decoder(m.FromClient).decode


class HouseConversation(MessageConversation[m.FromClient, m.FromServer]):
    """One client of Ludoteca's own protocol. `load` finds a game by its name."""

    def __init__(self, load: Callable[[str], Game], copier: Copier | None = None) -> None:
        super().__init__(JsonLines(_decode))
        self._load = load
        self._copier = copier or Copier()
        self._game: Game | None = None
        self._watches = False
        self._seat: int | None = None
        self._views = False
        self._options_max = 64
        # How the client wants to be told from its next table on. Not before: whoever followed events has no
        # view that the next event could be laid upon.
        self._wish: m.Hello | m.Return | None = None
        self._picture: Any = None
        self._asked: told.Asked | None = None
        self._garbled = 0

    # In.

    def hear(self, message: m.FromClient, now: float) -> list[Request]:
        """What a message asks the house for."""
        self._garbled = 0
        match message:
            case m.Act() | m.Why():
                return self._act(message)
            case m.Hello():
                return self._hello(message)
            case m.Return(token=token, table=table, since=since):
                self._wish = message
                return [wanted.Return(table, token, self._since(since))]
            case m.List(game=game, show=show, after=after, count=count, label=label, mine=mine):
                return [wanted.List(game, show, after, count, label, mine)]
            case m.Look(game=game, show=show, table=table, house=house):
                return [wanted.Look(game, show, table, house)]
            case m.Unlook():
                return [wanted.Unlook()]
            case m.Watch(table=table, since=since):
                return [wanted.Watch(table, self._since(since))]
            case m.Hint(at=at):
                return [wanted.Hint(at)]
            case m.Continue(table=table, token=token, level=level):
                return [wanted.Continue(table, token, level)]
            case m.Decisive(table=table):
                return [wanted.Decisive(table)]
            case m.Say(text=text, to=to):
                return [wanted.Say(text, to)]
            case m.Report(name=name, text=text):
                return [wanted.Report(name, text)]
            case m.Leave():
                return [wanted.Leave()]
            case m.Rematch():
                return [wanted.Rematch()]
            case m.Bot(level=level, seat=seat):
                return [wanted.AddBot(level, seat)]
            case m.Options(start=start, count=count):
                return [self.reply(self._option_list(start, count))]
            case m.Ping():
                return [self.reply(m.Pong())]
            case _:
                return self._sit(message)

    def _sit(self, message: m.FromClient) -> list[Request]:
        """The ways to a seat."""
        match message:
            case m.Open(
                game=game, seats=seats, options=options, terms=terms, label=label, preference=preference
            ):
                return [wanted.Open(game, seats, options, terms, label, preference)]
            case m.Seek(game=game, preference=preference):
                fallback = wanted.Open(game, terms=wanted.Terms(), preference=preference)
                return [wanted.Seek(game, fallback, preference)]
            case m.Sit(table=table, seat=seat, preference=preference):
                return [wanted.Join(table, seat=seat, preference=preference)]
            case _:
                raise AssertionError(message)

    def _hello(self, message: m.Hello) -> list[Request]:
        self._wish = message
        if not message.name:
            return [wanted.Unlock(message.key, greet=True) if message.key else self.reply(m.Welcome(""))]
        enter = wanted.Enter(message.name, tokens=message.tokens)
        return [wanted.Unlock(message.key), enter] if message.key else [enter]

    def _since(self, number: int) -> int:
        """From where to be told; whoever follows views needs a whole one to begin with."""
        views = self._views if self._wish is None else self._wish.follow == "views"
        return 0 if views else number

    def _follow(self) -> None:
        if self._wish is not None:
            self._views = self._wish.follow == "views"
            self._options_max = self._wish.options_max
            self._wish = None

    def _act(self, message: m.Act | m.Why) -> list[Request]:
        if self._game is None:
            return self._decline(message, "seat", "you sit at no table")
        kind = self._game.actions
        try:
            if message.actions:
                actions = tuple([convert(one, kind) for one in message.actions])
            else:
                actions = (convert(message.action, kind),)
        except msgspec.ValidationError as error:
            return self._decline(message, "message", str(error))
        asks = wanted.Act if isinstance(message, m.Act) else wanted.Why
        return [asks(actions, message.at)]

    def _decline(self, message: m.FromClient, code: str, reason: str) -> list[Request]:
        return [self.reply(m.Declined(type(message).__name__.lower(), code, reason))]

    def garbled(self, line: bytes, reason: str, now: float) -> list[Request]:
        """Say what was wrong; whoever sends nothing but nonsense is shown the door."""
        self._garbled += 1
        if self._garbled >= GARBLED_MAX:
            self.closing = True
        return [self.reply(m.Declined(_kind_of(line), "message", reason))]

    # Out.

    def send(self, notice: Notice, now: float) -> bytes:
        """The lines for a notice; what several guests are told alike is encoded once."""
        if isinstance(notice, told.Happened):
            if self._views:
                # All who look on see the same.
                picture = self._copier.pictures.get(id(notice)) if self._watches else None
                if picture is None:
                    return self._send_view(notice)
                self._picture = picture[2]
                return picture[1]
            copy = self._copier.lines.get(id(notice))
            if copy is not None:
                return copy[1]
            return self._copier.keep(notice, self.tongue.write([m.Events(notice.number, notice.events)]))
        if type(notice) in ALIKE:
            copy = self._copier.lines.get(id(notice))
            if copy is not None:
                return copy[1]
            return self._copier.keep(notice, self.tongue.write(self.tell(notice, now)))
        return self.tongue.write(self.tell(notice, now))

    def _send_view(self, notice: told.Happened) -> bytes:
        """Events and the view after them."""
        data = self.tongue.write([self._events(notice.number, notice.events)])
        return self._copier.keep_picture(notice, data, self._picture) if self._watches else data

    def tell(self, notice: Notice, now: float) -> list[m.FromServer]:
        """The messages for a notice."""
        match notice:
            case told.Asked():
                self._asked = notice
                return [self._question(notice)]
            case told.Happened(number=number, events=events):
                return [self._events(number, events)]
            case told.Shown(number=number, view=view):
                self._picture = view if self._views else None
                return [m.View(number, view, self._hues(view))]
            case told.Seated(table=table, seat=seat):
                self._follow()
                self._watches, self._seat = seat is None, seat
                self._game, self._asked, self._picture = self._load(table.game), None, None
                return [notice]
            case told.Over(outcome=outcome):
                self._asked = None
                return [m.Over(outcome.ranks, outcome.winners, outcome.reason, outcome.scores)]
            case told.Gone():
                self._game = self._asked = None
                return [notice]
            case told.Entered(name=name):
                return [m.Welcome(name)]
            case told.Declined(request=request, reason=reason, code=code):
                if isinstance(request, wanted.Enter | wanted.Return | wanted.Unlock):
                    self._wish = None
                return [m.Declined(_word_for(request), code, reason)]
            case told.Stood(seat=seat, sitter=sitter):
                return [m.Stood(seat, sitter.name)]
            case told.Opening():
                return []  # Whoever finds no table here is asked for nothing: `Seek` said what to open.
            case (
                told.Hinted()
                | told.Reasoned()
                | told.Decided()
                | told.Said()
                | told.Announced()
                | told.Noted()
                | told.Sat()
                | told.Left()
                | told.Returned()
                | told.Clock()
                | told.Wanted()
                | told.Trouble()
            ):
                return [notice]
            case told.Tables() | told.Lobby() | told.Changes():
                return [listing(notice)]
            case _:
                assert_never(notice)

    def _question(self, asked: told.Asked) -> m.Question:
        question: Question = asked.question
        count = len(question.choices)
        options = tuple(question.choices) if count <= self._options_max else msgspec.UNSET
        return m.Question(
            asked.number, question.kind, count, options, asked.again, self._proposal(question.kind)
        )

    def _proposal(self, kind: str) -> tuple[Any, ...] | msgspec.UnsetType:
        """What the game proposes, for those who follow views: whoever follows events has the view, and with
        it the proposal, only where the rules are, too."""
        if self._picture is None or self._seat is None or self._game is None:
            return msgspec.UNSET
        propose = self._game.proposals.get(kind)
        return (tuple(propose(self._picture, Seat(self._seat))) if propose else ()) or msgspec.UNSET

    def _option_list(self, start: int, count: int) -> m.OptionList | m.Declined:
        if self._asked is None:
            return m.Declined("options", "turn", "nothing is asked of you")
        options = self._asked.question.choices
        part = tuple(options[index] for index in range(start, min(start + count, len(options))))
        return m.OptionList(self._asked.number, start, len(options), part)

    def _events(self, number: int, events: tuple[Any, ...]) -> m.Events:
        if not self._views or self._game is None:
            return m.Events(number, events)
        for event in events:
            self._picture = self._game.update(self._picture, event)
        return m.Events(number, events, self._picture, self._hues(self._picture))

    def _hues(self, view: Any) -> tuple[str, ...] | msgspec.UnsetType:
        """The colours that the game gives its players; most give none."""
        return tuple(self._game.text.hues(view)) or msgspec.UNSET if self._game else msgspec.UNSET


# Notices that are the same for everybody who is told.
ALIKE = frozenset(
    (
        told.Said,
        told.Announced,
        told.Sat,
        told.Left,
        told.Returned,
        told.Clock,
        told.Wanted,
        told.Trouble,
        told.Lobby,
        told.Changes,
    )
)
_KINDS = frozenset(kind.__struct_config__.tag for kind in m.FromClient.__args__)


def listing(notice: told.Tables | told.Lobby | told.Changes) -> m.Tables | m.Lobby | m.Changes:
    """Tables and matches come as JSON already: their text stands in the message as it is."""
    tables: Any = tuple(one.data for one in notice.tables)
    if isinstance(notice, told.Tables):
        return m.Tables(tables, notice.more)
    finished: Any = notice.finished
    if isinstance(notice, told.Changes):
        return m.Changes(tables, notice.gone, finished, notice.counts, notice.more)
    return m.Lobby(notice.game, notice.show, notice.table, tables, finished, notice.counts, notice.more)


class _Typed(msgspec.Struct):
    type: str


def _kind_of(line: bytes) -> str:
    """What a line that is no message was meant to be, if that can be told."""
    try:
        kind = msgspec.json.decode(line, type=_Typed).type
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return ""
    return kind if kind in _KINDS else ""


def _word_for(request: Request) -> str:
    """A request as this protocol calls it."""
    match request:
        case wanted.Join():
            return "sit"
        case wanted.AddBot():
            return "bot"
        case wanted.Enter() | wanted.Unlock():
            return "hello"
        case _:
            return type(request).__name__.lower()
