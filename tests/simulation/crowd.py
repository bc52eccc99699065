"""Everybody else: people who cannot keep still, and neighbours whom nobody wants."""

import re
from collections.abc import Callable
from typing import Any

import msgspec
from tests.simulation.players import SWEEPER, Person, Place, Player

from ludoteca import games
from ludoteca.core.talk import Caller

_decode = msgspec.json.Decoder().decode
_encode = msgspec.json.Encoder().encode

# How everything begins that is whispered, and what the id of a table looks like in an answer.
WHISPERED = b"psst"
ID = re.compile(r'"id":"([0-9a-f]{12,32})"')
# The messages that one connection may send at once, and a second.
RATE = 100


class Impatient(Person):
    """Chats, whispers, asks for hints and lists, leaves for another table, comes back, plays again."""

    def __init__(self, place: Place, name: str, game: str, **more: Any) -> None:
        super().__init__(place, name, game, **more)
        self.moves = 4 + self.dice.below(20)
        self.rounds = self.dice.below(3)
        self.elsewhere: Callable[[], str] = lambda: ""

    def _answer(self, number: int, options: list[Any] | None) -> None:
        other = self.partner.name if self.partner is not None else self.name
        match self.dice.below(14):
            case 0:
                self.say({"type": "say", "text": f"{WHISPERED.decode()} {number}", "to": other})
            case 1:
                self.say({"type": "say", "text": f"well, {number}"})
            case 2:
                self.say({"type": "list", "mine": True})
                self.say({"type": "look", "game": self.game})
            case 3:
                self.say({"type": "hint"})
            case 4 if options:
                self.say({"type": "why", "action": options[0], "at": number})
            case 5:
                self.say({"type": "unlook"})
                self.say({"type": "ping"})
            case 6:
                self.cut()
                return
            case _:
                pass
        super()._answer(number, options)

    def on_over(self, message: dict[str, Any]) -> None:
        """Once more, or to another table."""
        if self.rounds and self.at is not None and self.at.seat is not None:
            self.rounds -= 1
            self.place.met("rematch")
            self.say({"type": "rematch"})
            self.place.later(60.0, self.end)
        else:
            super().on_over(message)

    def leave(self) -> None:
        """To somebody else's table, to look on."""
        table = self.elsewhere()
        super().leave()
        if table:
            self.place.met("looked on elsewhere")
            self.token, self.at, self.watches, self.moves = "", None, True, 1000
            self.say({"type": "watch", "table": table})

    def on_declined(self, message: dict[str, Any]) -> None:
        """It happens to people who ask for everything."""
        if message["request"] not in ("hint", "why", "rematch", "leave", "say", "look", "ping", "watch"):
            super().on_declined(message)


class Namesake(Person):
    """Looks on under the name of somebody who has left: what was whispered to that one is not for them."""

    def on_seated(self, message: dict[str, Any]) -> None:
        """Looks on, and hears nothing that was whispered before."""
        super().on_seated(message)
        self.token = ""


class Neighbour(Player):
    """Somebody bad: does one thing over and over, from an address of its own."""

    acts = 12
    every_s = 0.8

    def __init__(self, place: Place, name: str, game: str, **more: str) -> None:
        super().__init__(place, name, **more)
        self.game = game
        self.table = ""
        self.count = 0
        # Ids that nobody may be told, who else there is, and what is called when something was granted.
        self.secret_ids: Callable[[], list[str]] = list
        self.others: Callable[[], list[str]] = list
        self.granted: Callable[[], None] = lambda: None
        self._partial = b""

    def greet(self) -> None:
        """Begin."""
        self._partial = b""
        self.say(type="hello", name=f"{self.name}{self.count}")
        self.place.later(self.every_s, self.act)

    def say(self, **message: Any) -> None:
        """Send a message."""
        self.raw(_encode(message) + b"\n")

    def raw(self, data: bytes) -> None:
        """Send anything."""
        if self.wire is not None:
            self.wire.send(data)

    def hear(self, data: bytes) -> None:
        """Bytes of the house."""
        self.heard_at = self.place.now()
        *lines, self._partial = (self._partial + data).split(b"\n")
        for line in lines:
            message = _decode(line)
            kind = message["type"]
            if kind == "declined" and message["code"] in ("limit", "drain", "rate"):
                self.place.met("no room")
            if kind == "seated":
                self.table = message["table"]["id"]
            elif kind == "question":
                self.asked(message)

    def asked(self, message: dict[str, Any]) -> None:
        """Something is asked of us."""

    def act(self) -> None:
        """Once more."""
        if self.done or self.wire is None:
            return
        self.count += 1
        if self.count > self.acts:
            self.end()
            return
        self.misbehave()
        if self.wire is not None:
            self.place.later(self.every_s, self.act)

    def misbehave(self) -> None:
        """What this one does."""
        raise NotImplementedError

    def open(self, seats: int = 2, game: str = "", **terms: Any) -> None:
        """A table of one's own."""
        options = SWEEPER if (game or self.game) == "multisweeper" else None
        self.say(type="open", game=game or self.game, seats=seats, options=options, terms=terms)

    def patience(self) -> None:
        """Nobody waits for these."""


class Follower(Neighbour):
    """Changes how it wants to be told in the middle of a match (D1)."""

    def misbehave(self) -> None:
        """Play a bot, and say hello all the time."""
        if self.count == 1:
            self.open(absence="wait", private=True)
            self.say(type="bot", level="random")

    def asked(self, message: dict[str, Any]) -> None:
        """Answer, with a hello in between."""
        self.say(type="hello", name="x", follow=self.dice.choice(["views", "events"]))
        self.say(type="return", token="0" * 32, follow="views")
        if message.get("options"):
            self.say(type="act", action=self.dice.choice(message["options"]), at=message["number"])


class Clockstopper(Neighbour):
    """Tables with impossible times, which their people then leave (D2)."""

    def misbehave(self) -> None:
        """One number after the other; then the line is cut."""
        if self.count % 2:
            number = self.dice.choice([b"-1e308", b"1e308", b"-1", b"NaN", b"1e999", b"0", b"1e15"])
            self.raw(
                b'{"type":"open","game":"%b","seats":2,"terms":{"absence":"wait","%b":%b}}\n'
                % (self.game.encode(), self.dice.choice([b"grace_s", b"move_s"]), number)
            )
            self.say(type="bot", level="random")
        else:
            self.cut()


class Seatfiller(Neighbour):
    """Bots on chairs that are taken or not there (D3, D13)."""

    def misbehave(self) -> None:
        """All chairs but the free one."""
        if self.count == 1:
            self.open(seats=max(games.load(self.game).seats), private=True)
        for seat in (0, 63, 2**31, -1):
            self.say(type="bot", seat=seat)
            self.say(type="sit", table=self.table, seat=seat)


class Lister(Neighbour):
    """Asks for lists without end, in one packet (D4), and is answered no quicker than anybody may ask."""

    def __init__(self, place: Place, name: str, game: str, **more: str) -> None:
        super().__init__(place, name, game, **more)
        self._since = 0.0
        self._answers = 0

    def greet(self) -> None:
        """Begin, and count."""
        self._since, self._answers = self.place.now(), 0
        super().greet()

    def hear(self, data: bytes) -> None:
        """How quickly it is answered."""
        super().hear(data)
        self._answers += data.count(b'"type":"tables"')
        allowed = RATE * (1.0 + self.place.now() - self._since) + 10
        if self._answers > allowed:
            self.wrong.append(f"{self._answers} answers where {allowed:.0f} were allowed")

    def misbehave(self) -> None:
        """Much in one packet."""
        self.raw(b'{"type":"list"}\n' * 2 * RATE + b'{"type":"look"}\n{"type":"unlook"}\n' * 10)


class Hoarder(Neighbour):
    """Takes all tables (D5), and keeps them."""

    acts = 24
    every_s = 0.4

    def misbehave(self) -> None:
        """Open one, go, and come back for another."""
        if self.count % 2:
            solo = min(games.load(self.game).seats) == 1
            self.open(seats=1 if solo else 2, grace_s=86_400, private=bool(self.dice.below(2)))
        else:
            self.cut()


class Botfarmer(Neighbour):
    """Has bots play without anybody there (D6)."""

    def misbehave(self) -> None:
        """Bots on all chairs, and away."""
        self.open(absence="bot", private=True)
        self.say(type="bot", level=self.dice.choice(["random", ""]))
        self.say(type="leave")


class Chatterer(Neighbour):
    """Says more than anybody wants to read (D7)."""

    def misbehave(self) -> None:
        """A page of it, at a match of its own."""
        if self.count == 1:
            self.open(private=True)
            self.say(type="bot", level="random")
        self.raw(_encode({"type": "say", "text": "x" * 400}) + b"\n")
        self.raw((_encode({"type": "say", "text": "y" * 40}) + b"\n") * 40)


class Prober(Neighbour):
    """Looks for tables that are not for everybody (D11, D10), for tokens, and for names that belong to
    somebody; some stay for long."""

    def __init__(self, place: Place, name: str, game: str, **more: str) -> None:
        super().__init__(place, name, game, **more)
        self.every_s = self.dice.choice([0.8, 12.0])

    def misbehave(self) -> None:
        """By number, by label, by luck."""
        for label in (f"table-{self.count}", "private", str(self.count)):
            self.say(type="sit", table=label)
            self.say(type="watch", table=label)
            self.say(type="list", label=label)
        self.say(type="return", token=f"{self.dice.below(1 << 62):032x}")
        self.say(type="list", show=self.dice.choice(["all", "open", "playing"]))
        self.say(type="look")
        # By turns the own name and another's, which is not to be had while that one has a seat.
        names = self.others() if self.count % 2 else []
        self.say(type="hello", name=self.dice.choice(names) if names else f"{self.name}{self.count}")

    def hear(self, data: bytes) -> None:
        """Whether a private table is among what is told, or a name is granted that is another's."""
        super().hear(data)
        if b'"welcome"' in data:
            self.granted()
        self.wrong += [
            f"a stranger is told of {table}" for table in self.secret_ids() if table.encode() in data
        ]


class Impostor(Neighbour):
    """Says the names of others, in the game's own protocol, from somewhere else (D14)."""

    acts = 60
    every_s = 0.5
    victims: tuple[str, ...] = ("Elsa", "Fabio")

    def __init__(self, place: Place, name: str, game: str, **more: str) -> None:
        super().__init__(place, name, game, **more)
        self.listener = game
        self._caller: Caller | None = None

    def greet(self) -> None:
        """As somebody else."""
        self._caller = games.load_client(self.game)(self.dice.choice(self.victims))
        self.raw(self._caller.open(self.place.now()))
        self.place.later(self.every_s, self.act)

    def hear(self, data: bytes) -> None:
        """Go along."""
        if self._caller is not None and not self._caller.over:
            self.raw(self._caller.receive(data, self.place.now()))

    def misbehave(self) -> None:
        """Another try."""
        self.cut()


class Babbler(Neighbour):
    """Says nonsense, on every listener."""

    def __init__(self, place: Place, name: str, game: str, **more: str) -> None:
        super().__init__(place, name, game, **more)
        self.listener = self.dice.choice(["house", game])

    def greet(self) -> None:
        """Begin."""
        self.place.later(self.every_s, self.act)

    def hear(self, data: bytes) -> None:
        """Never listens."""

    def misbehave(self) -> None:
        """Whatever comes to mind."""
        dice = self.dice
        self.raw(
            dice.choice(
                [
                    bytes(dice.below(256) for _ in range(40)) + b"\n",
                    b'{"type":"open","game":"none","seats":99999999999999999999}\n',
                    b'{"type":"act","action":{"type":"x"},"at":-1}\n{"type":"say","text":"","to":7}\n',
                    b"[" * 3000 + b"\n",
                    b"x" * 70_000,
                    b'{"type":"hello","name":"Host"}\n{"type":"hello","name":"Bot-Ada"}\n',
                    b'\n\n\r\n{"type":1}\n\xff\xfe\n',
                ]
            )
        )


class Silent:
    """A connection that nobody uses."""

    def __init__(self, name: str) -> None:
        self.name = name

    def hear(self, data: bytes) -> None:
        """Never listens."""

    def hang_up(self) -> None:
        """Does not come back."""


class Mute(Neighbour):
    """Comes in, says nothing, and reads nothing."""

    acts = 4
    every_s = 50.0

    def greet(self) -> None:
        """Stand in the door, with a crowd behind."""
        if self.wire is not None:
            self.wire.hold(500.0, into=False)
        for _ in range(10):
            self.place.connect("house", "line", Silent(self.name), self.address)
        self.place.later(self.every_s, self.act)

    def hear(self, data: bytes) -> None:
        """Never listens."""

    def misbehave(self) -> None:
        """Nothing at all."""


class Browser(Neighbour):
    """Asks HTTP for what there is, and for what there is not (D9, D10, D16)."""

    listener = "http"
    acts = 24
    every_s = 2.5
    PATHS = (
        "/api/v1/tables",
        "/api/v1/matches",
        "/api/v1/lobby",
        "/healthz",
        "/api/v1/games",
        "/" + "a" * 300,
        "/api/v1/tables/none",
        "/api/v1/matches?count=\xb2",
        "/ws/none",
        "/ws",
        "/api/v1/door",
    )
    OF_ONE = ("/api/v1/tables/{}", "/api/v1/tables/{}/story", "/api/v1/matches/{}/record")
    HEADS = ("Origin: http://[", "Authorization: Bearer \xff", "Upgrade: websocket", "X-A: b")

    def __init__(self, place: Place, name: str, game: str, **more: str) -> None:
        super().__init__(place, name, game, **more)
        # Some are gone soon, others stay until matches are over.
        self.every_s = self.dice.choice([1.0, 4.0, 12.0])
        self._ids: list[str] = []
        self._path = ""

    def greet(self) -> None:
        """Ask, or only half; also for what was in an answer."""
        self._ids += [id for id in ID.findall(self._partial.decode("latin-1")) if id not in self._ids]
        self._partial = b""
        found = [path.format(id) for id in self._ids[-8:] for path in self.OF_ONE]
        path, head = self.dice.choice([*self.PATHS, *found]), self.dice.choice(self.HEADS)
        self._path = path
        request = f"GET {path} HTTP/1.1\r\nHost: localhost\r\n{head}\r\n\r\n"
        data = request.encode("latin-1")
        if not self.dice.below(3):
            self.place.met("half a request")
            wire = self.place.connect("http", "line", Silent(self.name), self.address)
            if wire is not None:
                wire.send(data[: self.dice.below(len(data))])
        self.place.met("request")
        self.raw(data)
        self.place.later(self.every_s, self.act)

    def hear(self, data: bytes) -> None:
        """What comes back."""
        had, self._partial = len(self._partial), self._partial + data
        status = self._partial[9:12]
        if had < 12 <= len(self._partial):
            self.place.met(f"answered {status.decode()}")
            # Whoever sends people to several nodes hears of each that is to be left alone.
            may_wait = self.place.is_shaken() or self._path == "/healthz"
            if status >= b"500" and (status != b"503" or not may_wait):
                self.wrong.append(f"HTTP says {self._partial[:200]!r}")
        if WHISPERED in self._partial:
            self.wrong.append("HTTP shows a whisper")
        self.wrong += [
            f"HTTP shows the private table {table}"
            for table in self.secret_ids()
            if table.encode() in self._partial
        ]

    def misbehave(self) -> None:
        """Another request, by another connection."""
        self.cut()


KINDS: dict[str, type[Neighbour]] = {
    kind.__name__.lower(): kind
    for kind in (
        Follower,
        Clockstopper,
        Seatfiller,
        Lister,
        Hoarder,
        Botfarmer,
        Chatterer,
        Prober,
        Impostor,
        Babbler,
        Mute,
        Browser,
    )
}
