"""Who plays in the simulation: people of Ludoteca's own protocol, watchers, and players of
each game's own protocol.

All of them come back by themselves, whatever happens to the house or to the line.
"""

from collections.abc import Callable
from typing import Any, Protocol

import msgspec
from tests.simulation.ways import End

from ludoteca import games
from ludoteca.core import Dice
from ludoteca.core.talk import Caller

_decode = msgspec.json.Decoder().decode
_encode = msgspec.json.Encoder().encode

# How long to wait for anything at all before one looks whether the line still stands.
PATIENCE_S = 45.0
# When one asks whether the house is still there, and how long it may take to say so on a line that stands.
PING_S, PONG_S = 10.0, 25.0
# Longer than anybody is waited for: who was away when the match ended hears no more of it.
PARTNER_S = 400.0
# As long as somebody of a game's own protocol waits for people who are not the partner.
STRANGERS_S = 900.0
# Games whose own protocols have the house say something now and then, and how long it may be silent.
PINGING, SILENCE_S, LONG_S = ("eriantys", "renaissance", "santorini", "shelfie"), 30.0, 42.0
# So long at most it takes until somebody whose line stands hears anything after a move: a slow disk has two
# commits of two seconds each, and a line may be late both ways.
ANSWER_S = 8.0
# People do something else now and then, for so long at most: some miss a move or two, some half a match.
BREAKS_S = (3, 8, 40)
# How many things somebody says at once before a move; some are more than a turn of the house has lines.
BEFORE = (1, 2, 20)
# Longer than anybody honest is ever away or thinks.
GRACE_S, MOVE_S = 150.0, 200.0
# Answers of a seed's client that only lead to the next part of a question.
PARTS_MAX = 64
# Answers in a row that change nothing: client and house are not of one mind about what is asked.
REFUSED_MAX = 60
# Noes that are the ordinary course of things: what was sent twice, or before a crash that took
# the question along.
EXPECTED = {
    *(("act", code) for code in ("stale", "turn", "phase", "seat")),
    *(("options", code) for code in ("turn", "seat")),
    *(("bot", code) for code in ("playing", "full", "seat")),
    *(("say", code) for code in ("seat", "rate", "name")),
    *(("open", code) for code in ("drain", "limit", "seated")),
    ("ping", "rate"),
}
SWEEPER = {"width": 9, "height": 9, "mines": 10, "pause_s": 0}


class Place(Protocol):
    """The world as a player sees it."""

    def dice_of(self, name: str) -> Dice:
        """Somebody's own chance."""

    def connect(self, listener: str, way: str, client: Any, address: str) -> End | None:
        """A connection, None when nobody answers."""

    def later(self, seconds: float, call: Callable[[], None]) -> object:
        """Call back."""

    def now(self) -> float:
        """The time."""

    def met(self, what: str) -> None:
        """Something worth counting came about."""

    def together(self, one: str, other: str) -> bool:
        """Whether two sit at one table."""

    def is_shaken(self) -> bool:
        """Whether something went wrong lately, so that nobody expects an answer at once."""


class Player:
    """Somebody with a connection, or about to make one."""

    listener = "house"

    def __init__(self, place: Place, name: str, way: str = "line", address: str = "10.0.0.1") -> None:
        self.place = place
        self.name = name
        self.way = way
        self.address = address
        self.dice = place.dice_of(name)
        self.wire: End | None = None
        self.partner: Player | None = None
        self.done_at: float | None = None
        self.heard_at = 0.0
        self.wrong: list[str] = []
        # Whole lines.
        self.heard: list[bytes] = []

    def come(self) -> None:
        """Connect, or try again in a while."""
        if self.done or self.wire is not None:
            return
        self.wire = self.place.connect(self.listener, self.way, self, self.address)
        if self.wire is None:
            self._come_later()
        else:
            self.heard_at = self.place.now()
            self.greet()

    def _come_later(self) -> None:
        self.place.later(0.05 + self.dice.below(1000) / 1000, self.come)

    def hang_up(self) -> None:
        """The connection is gone."""
        self.wire = None
        self._come_later()

    def hear(self, data: bytes) -> None:
        """Bytes of the house."""
        raise NotImplementedError

    def cut(self) -> None:
        """Our line breaks."""
        if self.wire is not None:
            self.wire.cut()

    @property
    def done(self) -> bool:
        """Whether the evening is over for this one."""
        return self.done_at is not None

    def end(self) -> None:
        """It is over for us."""
        self.done_at = self.place.now()
        self.cut()

    def patience(self) -> None:
        """Whoever has heard nothing for long tries another connection, as people do; without a
        partner one goes home."""
        now, partner = self.place.now(), self.partner
        if self.done:
            return
        if partner is not None and partner.done_at is not None and now - partner.done_at > PARTNER_S:
            self.end()
        elif self.wire is not None and now - self.heard_at > PATIENCE_S:
            self.cut()

    def greet(self) -> None:
        """The connection stands."""
        raise NotImplementedError


class Told:
    """What one seat (None: watchers) was told of one table: events by number, views by number, what
    it knows from when."""

    def __init__(self, table: str, seat: int | None, name: str) -> None:
        self.table = table
        self.seat = seat
        self.name = name
        self.events: dict[int, Any] = {}
        self.views: dict[int, Any] = {}
        self.said: dict[int, dict[str, Any]] = {}
        # The numbers after and up to which a view stands for events.
        self.leaps: list[tuple[int, int]] = []
        self.number = 0
        # Actions by the number of the question they answer.
        self.sent: dict[int, list[Any]] = {}
        self.left = False


class Person(Player):
    """Of Ludoteca's own protocol.

    The one who `opens` tells the others by `invite`; `bot` is seated beside oneself. After `moves` answers
    one has had enough and leaves.
    """

    def __init__(
        self, place: Place, name: str, game: str, *, opens: bool, bot: str | None = None, **more: str
    ) -> None:
        super().__init__(place, name, **more)
        self.game = game
        self.opens = opens
        self.bot = bot
        self.guests: list[Person] = []
        self.told: dict[tuple[str, int | None], Told] = {}
        self.opened: list[str] = []
        self.terms = {
            "absence": self.dice.choice(["wait", "wait", "wait", "bot"]),
            "grace_s": GRACE_S + self.dice.below(200),
            "move_s": self.dice.choice([0, MOVE_S]),
            "private": not self.dice.below(3),
        }
        if self.terms["absence"] == "bot":
            # Where a bot holds the chair meanwhile, it may do so at once.
            self.terms["grace_s"] = self.dice.choice([0, 1, GRACE_S])
        self.follow = self.dice.choice(["events", "events", "views"])
        self.moves = self.dice.choice([1000, 1000, 12, 30])
        self.table = ""
        self.token = ""
        self.watches = False
        self.looks_away = True
        self.at: Told | None = None
        self.has_left = False
        self._partial = b""
        self._question: int | None = None
        self._pinged_at = 0.0
        # What one does by habit has dice of its own: they change no decision.
        self._habits = place.dice_of(f"{name} by habit")
        self._acted_at = 0.0
        self._troubled = False

    def _come_later(self) -> None:
        """Some are away for longer, those above all who only look on, and then have missed something."""
        if not self._habits.below(2 if self.watches else 6):
            away_s = self._habits.below(1000 * self._habits.choice(BREAKS_S)) / 1000
            self.place.later(away_s, self.come)
        else:
            super()._come_later()

    def greet(self) -> None:
        """Come back to the seat, or say hello."""
        self._partial = b""
        self._question = None
        self._pinged_at = self._acted_at = 0.0
        self._troubled = False
        if self.token:
            since = self.at.number if self.at is not None else 0
            self.say(
                {
                    "type": "return",
                    "token": self.token,
                    "since": since,
                    "options_max": 1000,
                    "follow": self.follow,
                }
            )
        else:
            self.say({"type": "hello", "name": self.name, "options_max": 1000, "follow": self.follow})

    def say(self, *messages: dict[str, Any]) -> None:
        """Send messages, all at once."""
        if self.wire is not None:
            self.wire.send(b"".join([_encode(message) + b"\n" for message in messages]))

    def hear(self, data: bytes) -> None:
        """Bytes of the house."""
        self.heard_at = now = self.place.now()
        # Who was told of trouble is not read, and who has no seat any more may have to wait for tables.
        is_served = not self.has_left and not self._troubled
        is_late = self._acted_at and is_served and now - self._acted_at > ANSWER_S
        if is_late and self.wire is not None and not self.wire.harmed:
            self.wrong.append(f"{self.name} heard nothing of a move for {now - self._acted_at:.1f} s")
        self._pinged_at = self._acted_at = 0.0
        *lines, self._partial = (self._partial + data).split(b"\n")
        self.heard += lines
        for line in lines:
            if self.done:
                return
            message = _decode(line)
            getattr(self, f"on_{message['type']}", self.ignore)(message)

    def patience(self) -> None:
        """Who is at a table and hears nothing asks whether the house is still there: it must say so."""
        now = self.place.now()
        if self.wire is not None and self.at is not None and not self.done:
            if not self._pinged_at and now - self.heard_at > PING_S:
                self._pinged_at = now
                self.say({"type": "ping"})
            elif self._pinged_at and now - self._pinged_at > PONG_S and not self.wire.harmed:
                self.wrong.append(f"{self.name} gets no answer from the house")
        super().patience()

    def ignore(self, _message: dict[str, Any]) -> None:
        """Nothing to do about it."""

    def on_welcome(self, _message: dict[str, Any]) -> None:
        """To a table."""
        if self.token:
            # The answer to a return, which goes on by itself.
            return
        if self.watches:
            self._watch()
        elif self.opens:
            self._open()
        else:
            self._sit()

    def _open(self) -> None:
        options = SWEEPER if self.game == "multisweeper" else None
        self.say({"type": "open", "game": self.game, "seats": 2, "terms": self.terms, "options": options})

    def _sit(self) -> None:
        if self.table and not self.token:
            self.say({"type": "sit", "table": self.table})

    def _watch(self) -> None:
        if self.table:
            told = self.told.get((self.table, None))
            self.say({"type": "watch", "table": self.table, "since": told.number if told else 0})

    def invite(self, table: str) -> None:
        """There is a table now."""
        if not self.token and not self.done:
            self.table = table
            if self.watches:
                self._watch()
            else:
                self._sit()

    def on_seated(self, message: dict[str, Any]) -> None:
        """Here we are."""
        table, seat = message["table"]["id"], message["seat"]
        self.table, self.token = table, message["token"] or self.token
        if seat is None:
            # Who looks on is asked nothing, and may have to wait until this table is back.
            self.token, self._question = "", None
        self.has_left = False
        self.at = self.told.setdefault((table, seat), Told(table, seat, self.name))
        if self.opens and seat is not None and message["table"]["phase"] == "open":
            self.opened.append(table)
            if self.bot is not None:
                self.say({"type": "bot", "level": self.bot})
            for guest in self.guests:
                guest.invite(table)

    def on_stood(self, message: dict[str, Any]) -> None:
        """A chair is free again: somebody stood in the way of the bot, or of a guest."""
        if self.opens and self.bot is not None and self.at is not None:
            self.say({"type": "bot", "level": self.bot})
        for guest in self.guests:
            if guest.at is None:
                guest.invite(self.table)

    def on_view(self, message: dict[str, Any]) -> None:
        """All we may know."""
        told = self.at
        if told is None:
            self._nowhere(message)
            return
        told.leaps.append((told.number, message["number"]))
        told.number = max(told.number, message["number"])
        self._look(told, message)
        told.said.clear()

    def _nowhere(self, message: dict[str, Any]) -> None:
        """Told of a table without being at one; who has just left may still hear of it."""
        if not self.has_left:
            self.wrong.append(f"{self.name} is at no table and was told {message}")

    def _look(self, told: Told, message: dict[str, Any]) -> None:
        number = message["number"]
        if number in told.views and told.views[number] != message["view"]:
            self.wrong.append(f"{self.name} saw {number} of {told.table} in two ways")
        told.views[number] = message["view"]

    def on_events(self, message: dict[str, Any]) -> None:
        """What happened, once and in order."""
        told, number = self.at, message["number"]
        if told is None:
            self._nowhere(message)
            return
        if number <= told.number:
            self.wrong.append(f"{self.name} was told {number} after {told.number}")
        told.number = number
        told.events[number] = message["events"]
        if "view" in message:
            self._look(told, message)
        if self.watches and self.looks_away and not self._habits.below(25):
            self.place.met("looked away")
            self.cut()

    def on_said(self, message: dict[str, Any]) -> None:
        """Somebody says something."""
        told = self.at
        if told is None:
            self._nowhere(message)
            return
        number = message["number"]
        if number in told.said:
            self.wrong.append(f"{self.name} heard {message['text']!r} twice")
        if message.get("to") is not None:
            self.place.met("whisper")
            is_mine = told.name in (message["name"], message["to"])
            is_old = told.seat is None and any(number <= last for _, last in told.leaps)
            if not is_mine or is_old:
                self.wrong.append(f"{self.name} overheard {message}")
        told.said[number] = message
        told.number = max(told.number, number)

    def on_question(self, message: dict[str, Any]) -> None:
        """Think for a while, and answer."""
        self._question = number = message["number"]
        self.moves -= 1
        if self.moves < 0:
            self.leave()
            return
        self.place.later(self.dice.below(300) / 1000, lambda: self._answer(number, message.get("options")))

    def leave(self) -> None:
        """Enough of it."""
        for told in self.told.values():
            told.left = told.left or told.table == self.table
        self.has_left = True
        self.say({"type": "leave"})
        self.place.later(20.0, self.end)

    def _answer(self, number: int, options: list[Any] | None) -> None:
        dice, told = self.dice, self.at
        if self._question != number or self.wire is None or told is None:
            return
        if not options:
            self.say({"type": "options", "count": 1000})
            return
        action = dice.choice(options)
        told.sent.setdefault(number, []).append(action)
        before = 0 if self._habits.below(30) else self._habits.choice(BEFORE)
        # Whoever is impatient sends the same twice; it must count once.
        times = 1 if dice.below(10) else 2
        act = {"type": "act", "action": action, "at": number}
        self.say(*[{"type": "ping"}] * before, *[act] * times)
        self._acted_at = self.place.now()
        if self.bot is not None and not self._habits.below(20):
            # The bot is not asked while nobody is there, and must be when somebody is again.
            self.place.met("left after a move")
            self.place.later(self._habits.below(20) / 1000, self.cut)
        if not dice.below(30):
            self.say({"type": "say", "text": f"that was number {number}"})

    def on_options(self, message: dict[str, Any]) -> None:
        """Too many to be sent with the question."""
        self._answer(message["number"], message["options"])

    def on_over(self, _message: dict[str, Any]) -> None:
        """The end."""
        self.place.met("match over")
        self.end()

    def on_gone(self, message: dict[str, Any]) -> None:
        """The table is closed."""
        if not message["back"]:
            self.end()

    def on_trouble(self, message: dict[str, Any]) -> None:
        """The house cannot store anything (any more)."""
        self._troubled = not message["over"]
        self.place.met("trouble told" if self._troubled else "trouble over")

    def on_left(self, message: dict[str, Any]) -> None:
        """Somebody is away, or gone."""
        if message["code"] == "stand-in":
            self.place.met("a bot held a chair")

    def on_returned(self, _message: dict[str, Any]) -> None:
        """Somebody is back."""
        self.place.met("somebody returned")

    def on_declined(self, message: dict[str, Any]) -> None:
        """Some noes are the ordinary course of things, after a crash above all; others never happen here."""
        code, request = message["code"], message["request"]
        if request == "return" and code in ("token", "gone", "over", "table", "aside", "damaged"):
            # The match ended while we were away.
            self.end()
        elif request == "hello":
            # Our seat is taken, by ourselves, from before the crash; when the grace time is over it is free.
            self.place.later(5.0, self.cut)
        elif request == "open" and code in ("drain", "limit"):
            self.place.met("no room")
            self.place.later(10.0, self.cut)
        elif request in ("sit", "watch"):
            # What we were invited to was lost with the house, or is over; or we are there already. Whose name
            # was taken at that time goes there later.
            if self.at is None and code != "name":
                self.table = ""
        elif (request, code) not in EXPECTED:
            self.wrong.append(f"{self.name}: {message}")


class Native(Player):
    """A player of a game's own protocol, with the game's own client; each match is played
    under a new name."""

    def __init__(self, place: Place, name: str, game: str, *, opens: bool, **more: str) -> None:
        super().__init__(place, name, **more)
        self.listener = game
        self.opens = opens
        self.answered = 0
        self._caller: Caller | None = None
        self._timer = 0
        self._thinks = False
        self._answered = (0, "")
        self._alone_since = place.now()

    def greet(self) -> None:
        """Begin (again), under the same name."""
        self._caller = games.load_client(self.listener)(self.name)
        self._thinks = False
        self._send(self._caller.open(self.place.now()))
        self._go_on()

    def _send(self, data: bytes) -> None:
        if self.wire is not None and data:
            self.wire.send(data)

    def hear(self, data: bytes) -> None:
        """Bytes of the house."""
        self.heard_at = self.place.now()
        if self._caller is not None:
            self._send(self._caller.receive(data, self.place.now()))
            self._go_on()

    def _go_on(self) -> None:
        caller = self._caller
        if caller is None:
            return
        self.wrong += [f"{self.name}: {line}" for line in caller.news if "makes no sense" in line]
        caller.news.clear()
        if caller.over:
            if caller.picture:
                self.place.met("match over")
                self.end()
            self.cut()
        elif caller.answers and not self._thinks:
            self._thinks = True
            # Now and then somebody thinks for long: the others must hear that the house is there.
            thinks_s = self.dice.below(300) / 1000 if self.dice.below(40) else LONG_S
            self.place.later(thinks_s, lambda: self._answer(caller))
        if caller.alarm is not None:
            self._timer += 1
            number = self._timer
            self.place.later(max(0.0, caller.alarm - self.place.now()), lambda: self._tick(caller, number))

    def _tick(self, caller: Caller, number: int) -> None:
        if caller is self._caller and self.wire is not None and number == self._timer:
            self._send(caller.tick(self.place.now()))
            self._go_on()

    def _answer(self, caller: Caller) -> None:
        if caller is not self._caller or self.wire is None:
            return
        self._thinks = False
        times, picture = self._answered
        times = times + 1 if picture == caller.picture else 0
        self._answered = (times, caller.picture)
        if caller.picture and times > REFUSED_MAX:
            self.wrong.append(f"{self.name} does not get out of: {caller.sentence}")
            self.end()
        for _ in range(PARTS_MAX):
            if not caller.answers:
                break
            answers = caller.answers if caller.picture else _sensible(caller.answers, self.opens)
            data = caller.answer(self.dice.choice(answers))
            if data:
                self.answered += 1
                self._send(data)
                break
        self._go_on()

    def patience(self) -> None:
        """Who sits with a stranger that never comes back goes home; with the partner it must end."""
        now, caller, partner = self.place.now(), self._caller, self.partner
        is_told = self.wire is not None and caller is not None and caller.picture and self.listener in PINGING
        if is_told and now - self.heard_at > SILENCE_S and self.wire is not None and not self.wire.harmed:
            self.wrong.append(f"{self.name} hears nothing from the house, which should ask how they are")
        is_asked = caller is not None and caller.answers
        if partner is None or is_asked or self.place.together(self.name, partner.name):
            self._alone_since = now
        elif not self.done and now - self._alone_since > STRANGERS_S:
            self.place.met("sat with strangers")
            self.end()
        super().patience()

    def hang_up(self) -> None:
        """The connection is gone."""
        if self._caller is not None:
            self._caller.close()
            self._caller = None
        super().hang_up()


def _sensible(answers: tuple[str, ...], opens: bool) -> tuple[str, ...]:
    """Answers that lead to a table of two: join what there is, else open one or wait for it."""
    joins = tuple(answer for answer in answers if answer.startswith("join"))
    waits = () if opens else tuple(answer for answer in answers if answer == "look again")
    return joins or waits or tuple(answer for answer in answers if "2" in answer.split()) or answers
