"""A table of the house as a desk: hears the messages of Ludoteca's own protocol and keeps what they say."""

import math
import time
from collections.abc import Callable
from typing import Any

import msgspec

from ludoteca import bots, games
from ludoteca.clients import rulebook
from ludoteca.clients.advice import told
from ludoteca.clients.ascii import harmless
from ludoteca.clients.desks.desk import SETTLE_S, Desk, Player, Prompt
from ludoteca.clients.link import Heard, Lost, Restored
from ludoteca.core import Drawing, Game, Question, Refused, Room, Seat, Sight
from ludoteca.core.notices import Sitter, TableInfo
from ludoteca.core.why import Attempt, Reason, why_not
from ludoteca.wire import messages as m

Send = Callable[..., None]

# The answer that takes what the game proposes.
PROPOSED = "as proposed"


class HouseTable(Desk):
    """One seat, or a place among the watchers, at a table. `send` takes messages to the house."""

    def __init__(self, seated: m.Seated, send: Send) -> None:
        self.game: Game = games.load(seated.table.game)
        super().__init__(self.game.title)
        self._send = send
        self.id = ""
        self.seat: int | None = None
        self.view: Any = None
        # The view that the last turn began with: what the others did since our last answer, or, as long as
        # they did nothing, that answer.
        self._before: Any = None
        self._answered = self._ours_was_last = False
        # How many bots have been asked to sit down and are on their way.
        self.bots_coming = 0
        self._sit(seated)

    def _sit(self, seated: m.Seated) -> None:
        info: TableInfo = seated.table
        again = self.id == info.id and seated.seat == self.seat
        self.id = info.id
        self.label = info.label
        self.game = games.load(info.game)
        self.title = self.game.title
        self.inks = self.game.text.inks
        self.seat = seated.seat
        self.terms = info.terms
        self.chairs: list[Sitter | None] = list(info.chairs)
        self.phase = info.phase
        self._clocks: dict[int, float] = {}
        self._question: m.Question | None = None
        self._options: list[Any] = []
        # The same as the game's own records, and in words.
        self._asked: Question | None = None
        self._asking: Prompt | None = None
        self._proposed: tuple[Any, ...] = ()
        self.outcome: m.Over | None = None
        self._wanted: tuple[int, ...] = ()
        self.ended = False
        if not again:
            self.view, self.picture, self._before = None, "", None
            place = "You watch" if seated.seat is None else "You sit at"
            self.log("note", f"{place} {info.label}, a table for {len(info.chairs)} of {self.title}.")
        self._refresh()

    @property
    def names(self) -> tuple[str, ...]:
        """The players by seat."""
        return tuple(harmless(chair.name) if chair and chair.name else "somebody" for chair in self.chairs)

    def board(self, room: Room) -> Drawing | None:
        """The board as large as there is room."""
        if self.view is None:
            return None
        return self.game.text.board(Sight(self.view, self.names, self.seat, self._before), room)

    # Out.

    def answer(self, words: str) -> None:
        """Answer the question."""
        if self._question is None or self._asked is None:
            raise Refused(self._why_not(), "turn")
        if words.strip().casefold() == PROPOSED and self._proposed:
            self._send(m.Act(actions=list(self._proposed), at=self._question.number))
        else:
            action = self._read(words, self._asked)
            self._send(m.Act(action, at=self._question.number))
        # However slow the link is: first comes what we brought about, then the question, if there is one.
        self._settled_at = math.inf
        self._answered = True
        self._forget_question()
        self._refresh()

    def _read(self, words: str, question: Question) -> Any:
        """The choice that these words mean. Raises Refused, with the reason where they mean something that is
        not legal."""
        try:
            return self.game.text.read(words, question)
        except Refused:
            reason = self._reason(words, question)
            if reason is None:
                raise
            raise Refused(reason.words["en"], reason.code) from None

    def _reason(self, words: str, question: Question) -> Reason | None:
        """Why what is meant is not legal: it is understood as the same words would be where it were."""
        game, seat = self.game, self.seat
        if game.why is None or self.view is None or seat is None:
            return None
        tempting = [tried for tried, *more in game.why.tempting(self.view, seat, question) if not more]
        others = [tried for tried in tempting if tried not in question.choices]
        try:
            action = game.text.read(words, Question(question.kind, others)) if others else None
        except Refused:
            return None
        return action and why_not(game.why, Attempt(self.view, seat, question, (action,), self.names))

    def _why_not(self) -> str:
        if self.phase == "open":
            return "the match begins when all chairs are taken; /bot seats a bot"
        if self.phase == "over":
            return "the match is over; /rematch plays again, /leave gets up"
        return "you only watch" if self.seat is None else "it is not your turn; /say is for talking"

    def sentences(self) -> list[str]:
        """The picture in sentences."""
        return [] if self.view is None else list(self.game.text.speak(self.view, self.names))

    def hint(self) -> None:
        """Ask what a bot would answer."""
        if self._question is None:
            raise Refused(self._why_not(), "turn")
        self._send(m.Hint(self._question.number))

    def report(self, name: str, text: str) -> None:
        """Tell the host about somebody here."""
        if not name:
            raise Refused("say about whom: /report NAME TEXT", "name")
        self._send(m.Report(name, text[:500]))

    def rules(self, card: str = "") -> str:
        """The rules of this game, or one of its cards."""
        return "\n".join(rulebook.card(self.game, card)) if card else rulebook.rules(self.game.name)

    def say(self, text: str, to: str | None = None) -> None:
        """Chat."""
        self._send(m.Say(text, to))

    def seat_bot(self, level: str) -> None:
        """Seat a bot on a free chair."""
        self._send(m.Bot(level or bots.first(self.game)))

    def rematch(self) -> None:
        """Play again with the same people."""
        self._send(m.Rematch())

    def play_on(self, level: str) -> None:
        """Play on what was broken off, against bots; who holds the token of this seat puts it in."""
        if self.outcome is None or self.outcome.ranks or self.seat is None:
            raise Refused("only a match that was broken off can be played on", "phase")
        self._send(m.Continue(self.id, "", level))

    def leave(self) -> None:
        """Get up for good."""
        if self.lost:
            raise Refused("there is no connection now; it is being restored", "lost")
        self._send(m.Leave())
        super().leave()

    def expect_bots(self, count: int) -> None:
        """So many bots have been asked to sit down: until they do, nobody need be asked to seat any."""
        self.bots_coming = count
        self._refresh()

    # In.

    def hear(self, message: Heard) -> None:
        """Take in a message of the house."""
        if self._settled_at == math.inf and isinstance(message, m.Events | m.Declined | m.Seated | Lost):
            self._settled_at = time.monotonic() + SETTLE_S
        match message:
            case Lost(reason=reason):
                if not self.lost:
                    self.log("error", f"The connection is lost ({reason}); trying again.")
                self.lost = reason
            case Restored():
                if self.lost:
                    self.log("note", "The connection is back.")
                self.lost = ""
            case m.Seated():
                self._sit(message)
            case m.View(view=view):
                self._before = None
                self._show(msgspec.convert(view, self.game.views))
            case m.Events(events=events):
                self._happen(events)
            case m.Question():
                self._ask(message)
            case m.OptionList():
                self._take_options(message)
            case m.Over():
                self._end(message)
            case _:
                self._hear_of_people(message)
        self._refresh()

    def _hear_of_people(self, message: Heard) -> None:
        match message:
            case m.Hinted(level=level, actions=actions, advice=advice):
                typed = [msgspec.convert(action, self.game.actions) for action in actions]
                words = "; ".join(self.game.text.write(action) for action in typed)
                self.log("note", *told(advice, self.names), f"A bot ({level}) would answer: {words}")
            case m.Said(name=name, text=text, to=to):
                if name.casefold() not in self.muted:
                    self.log("chat", f"{name}{f' to {to}' if to else ''}: {text}")
            case m.Announced(text=text):
                self.log("chat", f"The host to all: {text}")
            case m.Noted(name=name):
                self.log("note", f"Your report about {name} is kept for the host.")
            case m.Sat(seat=seat, sitter=sitter):
                self._take_seat(seat, msgspec.convert(sitter, Sitter))
            case m.Stood(seat=seat, name=name):
                self.chairs[seat] = None
                self.log("note", f"{name or 'Somebody'} got up.")
            case m.Left():
                self._miss(message)
            case m.Returned(seat=seat, name=name):
                self._set_chair(seat, here=True)
                self.log("note", f"{name} is back.")
            case m.Clock(seat=seat, left_s=left_s):
                self._clocks[seat] = time.monotonic() + left_s
            case m.Declined(request=request, reason=reason):
                self.bots_coming = 0 if request == "bot" else self.bots_coming
                self.log("error", f"Not done: {reason}." if request != "act" else f"Not possible: {reason}.")
            case m.Wanted(seats=seats):
                self._wanted = seats
                self.log("note", f"{_list(self.names[seat] for seat in seats)} would play again.")
            case m.Gone(reason=reason, back=back):
                self.log("note", f"{reason[:1].upper()}{reason[1:]}.")
                self.ended = not back
            case m.Trouble(reason=reason, over=over):
                self.log("note" if over else "error", f"{reason[:1].upper()}{reason[1:]}.")

    def _take_seat(self, seat: int, sitter: Sitter) -> None:
        before = self.chairs[seat]
        self.chairs[seat] = sitter
        if sitter.bot:
            self.bots_coming = max(0, self.bots_coming - 1)
        if sitter.name and (before is None or before.name != sitter.name):
            self.log("note", f"{sitter.name} sits down{f' ({sitter.bot})' if sitter.bot else ''}.")

    def _set_chair(self, seat: int, *, here: bool) -> None:
        chair = self.chairs[seat]
        if chair is not None:
            self.chairs[seat] = msgspec.structs.replace(chair, here=here)

    def _miss(self, left: m.Left) -> None:
        self._set_chair(left.seat, here=False)
        if left.gone:
            self.log("note", f"{left.name} has left{f': {left.reason}' if left.reason else ''}.")
        elif left.grace_s:
            self.log("note", f"{left.name} lost the connection; the seat is kept for {left.grace_s:.0f} s.")
        else:
            self.log("note", f"{left.name} lost the connection.")

    def _show(self, view: Any) -> None:
        if self.phase == "open":
            self.phase = "playing"
        self.view = view
        self.hues = tuple(self.game.text.hues(view))
        self.picture = self.game.text.draw(view, self.names)

    def _happen(self, events: tuple[Any, ...]) -> None:
        if self.view is None:
            return
        view = self.view
        if self._before is None or self._answered or self._ours_was_last or self.seat is None:
            self._before = view
        self._ours_was_last, self._answered = self._answered, False
        for raw in events:
            event = msgspec.convert(raw, self.game.events)
            view = self.game.update(view, event)
            text = self.game.text.tell(event, self.names)
            if text:
                self.log("event", text)
        self._clocks.clear()
        self._show(view)

    def _ask(self, question: m.Question) -> None:
        self._forget_question()
        self._question = question
        options = question.options
        self._options = [] if options is msgspec.UNSET else list(options)
        if len(self._options) < question.count:
            self._send(m.Options(0))
        self._read_question()

    def _take_options(self, part: m.OptionList) -> None:
        if self._question is None or part.number != self._question.number or part.start != len(self._options):
            return
        self._options += part.options
        if len(self._options) < part.count:
            self._send(m.Options(len(self._options)))
        self._read_question()

    def _read_question(self) -> None:
        """The question with all its options as the game's own records, once they are here."""
        question = self._question
        if question is None or len(self._options) < question.count or self.view is None:
            return
        options = tuple(msgspec.convert(option, self.game.actions) for option in self._options)
        typed, text = Question(question.kind, options), self.game.text
        self._asked = typed
        explanation = text.explain(typed, self.view)
        answers = tuple(text.write(option) for option in options)
        sentence = text.ask(typed, self.view)
        propose = self.game.proposals.get(question.kind)
        self._proposed = (
            tuple(propose(self.view, Seat(self.seat))) if propose and self.seat is not None else ()
        )
        if self._proposed:
            sentence += f" ({PROPOSED}: {'; '.join(map(text.write, self._proposed))})"
            answers = (PROPOSED, *answers)
        self._asking = Prompt(sentence, answers, explanation)

    def _forget_question(self) -> None:
        self._question = self._asked = self._asking = None

    def _end(self, over: m.Over) -> None:
        self.phase, self.outcome = "over", over
        self._forget_question()
        self._clocks.clear()
        if not over.ranks:
            # Every other end the game itself has told; the points are shown where they stay in their columns.
            self.log("note", *self.ending())

    def ending(self) -> list[str]:
        """How it ended: the winners, and the points by name."""
        over, names = self.outcome, self.names
        if over is None:
            return []
        if not over.ranks:
            return [f"The match was broken off: {over.reason}."]
        winners = _list(names[seat] for seat in over.winners)
        verb = "wins" if len(over.winners) == 1 else "win"
        head = f"{winners} {verb}" if over.winners else "Nobody wins"
        if self.seat in over.winners and len(over.winners) == 1:
            head = "You win"
        lines = [f"{head}: {over.reason}."]
        if over.scores:
            widths = [max(8, len(row)) for row in over.scores]
            name_width = max(len(name) for name in names)
            lines.append(
                " " * name_width
                + "".join(f" {row:>{width}}" for row, width in zip(over.scores, widths, strict=True))
            )
            for seat, name in enumerate(names):
                row = "".join(
                    f" {points[seat]:>{width}}"
                    for points, width in zip(over.scores.values(), widths, strict=True)
                )
                lines.append(f"{name:<{name_width}}{row}")
        return lines

    # What is shown.

    def _refresh(self) -> None:
        self.prompt = self._make_prompt()
        turn = {self.seat} if self._question is not None else set(self._clocks)
        self.players = tuple(
            Player(
                name=harmless(chair.name) if chair else "",
                mine=seat == self.seat,
                here=chair.here if chair else False,
                bot=chair.bot if chair else "",
                turn=seat in turn and self.phase == "playing",
                until=self._clocks.get(seat),
            )
            for seat, chair in enumerate(self.chairs)
        )
        self.changed()

    def _make_prompt(self) -> Prompt | None:
        if self.ended:
            return Prompt("This table is closed.", ("/leave", "/quit"))
        if self.phase == "open" and self.seat is not None:
            free = self.chairs.count(None) - self.bots_coming
            levels = tuple(f"/bot {level}" for level in reversed(bots.levels(self.game)))
            return (
                Prompt(f"Waiting for {free} more: seat bots or wait.", (*levels, "/leave"))
                if free > 0
                else None
            )
        if self.phase == "over":
            again = ("/rematch",) if self.seat is not None and self.seat not in self._wanted else ()
            if self.outcome is not None and not self.outcome.ranks and self.seat is not None:
                again = ("/continue", *again)
            return Prompt(
                self.ending()[0] if self.outcome else "The match is over.", (*again, "/leave", "/quit")
            )
        return self._asking


def _list(names: Any) -> str:
    *others, last = list(names) or ["nobody"]
    return f"{', '.join(others)} and {last}" if others else str(last)
