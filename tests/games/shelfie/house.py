"""A house without sockets: the real hall, the real conversations, virtual time, and a living room as told."""

import json
from itertools import count
from typing import Any

import msgspec
from tests.games.shelfie.boards import room

from ludoteca import games
from ludoteca.core import Game, Setup
from ludoteca.core.requests import Absence, AddBot, Reply, Request, Terms
from ludoteca.games.shelfie import rules
from ludoteca.games.shelfie.state import Options, State
from ludoteca.games.shelfie.wire import Conversation, Settings
from ludoteca.hall.hall import Hall
from ludoteca.hall.limits import Defaults

# Three of one type in the bottom line, a mixed pair above it, and a lonely plant.
ROOM = [
    ".........",
    "...P.....",
    ".........",
    "....CB...",
    ".........",
    "..GGG....",
    ".........",
    ".........",
    ".........",
]


def rigged(rows: list[str]) -> Game:
    """The game, but seat 0 begins, the cards are 1, 2, ..., the common goals 3 and 10, and the room is as told."""
    game = games.load("shelfie")

    def start(setup: Setup) -> tuple[State, list[Any]]:
        state, events = game.start(setup)
        state.first = state.turn = 0
        state.cards = tuple(range(1, setup.seats + 1))
        state.commons = (3, 10)
        state.room = room(rows)
        rules.ask(state)
        return state, events

    return msgspec.structs.replace(game, start=start)


class House:
    """A hall and the clients in it."""

    def __init__(
        self,
        rows: list[str] | None = ROOM,
        *,
        absence: Absence = "end",
        options: Options | None = None,
        settings: Settings | None = None,
        move_s: float = 0.0,
    ) -> None:
        self.game = rigged(rows) if rows else games.load("shelfie")
        self.settings = settings or Settings()
        terms = Terms(absence, move_s=move_s)
        self.defaults = {"shelfie": Defaults(2, options or Options(), terms, self.settings)}
        self.entropy = count(1).__next__
        self.hall = Hall(lambda name: self.game, self.defaults, self.entropy)
        self.records: dict[str, list[bytes]] = {}
        self.now = 0.0

    def client(self) -> "Client":
        """Somebody connects."""
        return Client(self)

    def login(self, name: str) -> "Client":
        """Somebody connects and logs in."""
        client = Client(self)
        client.say("LoginRequest", nickname=name)
        return client

    def match(self, *names: str) -> list["Client"]:
        """Clients in a match in which the first is to move; what they heard so far is taken."""
        clients = []
        for name in names:
            clients.append(self.login(name))
            if len(clients) == 1:
                clients[0].say("NumPlayersResponse", numPlayers=len(names))
        for client in clients:
            client.start = client.take()[-1]
            assert client.start["type"] == "GameStartNotify"
        return clients

    def carry_out(self) -> None:
        """Deliver all letters, and tell the hall of connections that were closed over them."""
        while self.hall.post.letters or self.hall.post.entries:
            entries, letters = self.hall.post.take()
            for entry in entries:
                self.records.setdefault(entry.table, []).append(entry.line)
            for guest, notice in letters:
                if isinstance(guest.shell, Client):
                    guest.shell.deliver(guest.shell.conversation.send(notice, self.now))
            for guest, _ in letters:
                if isinstance(guest.shell, Client) and guest.shell.conversation.closing:
                    guest.shell.hang_up()

    def restart(self) -> None:
        """Everything in memory is lost; the hall comes back from its records."""
        self.hall = Hall(lambda name: self.game, self.defaults, self.entropy)
        for lines in self.records.values():
            self.hall.recover(lines, self.now)
        self.hall.post.take()

    def wait(self, seconds: float) -> None:
        """Let time pass; alarms go off when they are due."""
        end = self.now + seconds
        while True:
            clients = [guest.shell for guest in self.hall.guests if isinstance(guest.shell, Client)]
            due = [(c.conversation.alarm, c) for c in clients if c.conversation.alarm is not None]
            if not due or min(alarm for alarm, _ in due) > end:
                break
            self.now, client = min(due, key=lambda pair: pair[0])
            client.do(client.conversation.tick(self.now))
        self.now = end
        self.hall.tick(end)
        self.carry_out()


class Client:
    """One connection, seen from the client's side."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.conversation = Conversation(house.settings)
        self.guest = house.hall.arrive("shelfie")
        self.guest.shell = self
        self.closed = False
        self.start: dict[str, Any] = {}
        self._received = b""
        self.do(self.conversation.greet(house.now))

    def say(self, kind: str, **fields: Any) -> None:
        """Send one message."""
        self.send(json.dumps({"type": kind, **fields}).encode() + b"\n")

    def ask(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Send one message; the only answer."""
        self.say(kind, **fields)
        (answer,) = self.take()
        return answer

    def pick(self, row: int, column: int) -> dict[str, Any]:
        """Pick a tile; the answer."""
        return self.ask("PickTileRequest", position={"row": row, "column": column})

    def unpick(self, row: int, column: int) -> dict[str, Any]:
        """Give a tile back; the answer."""
        return self.ask("UnpickTileRequest", position={"row": row, "column": column})

    def send(self, data: bytes) -> None:
        """Send bytes."""
        self.do(self.conversation.receive(data, self.house.now))

    def do(self, requests: list[Request]) -> None:
        """What the shell does with requests."""
        for request in requests:
            if isinstance(request, Reply):
                self.deliver(request.data)
        self.house.hall.handle(self.guest, [r for r in requests if not isinstance(r, Reply)], self.house.now)
        self.house.carry_out()
        if self.conversation.closing:
            self.hang_up()

    def deliver(self, data: bytes) -> None:
        """Bytes from the house; none come after the connection was closed."""
        assert not (data and self.closed)
        self._received += data

    def hang_up(self) -> None:
        """Close the connection, from whichever side."""
        if not self.closed:
            self.closed = True
            self.house.hall.depart(self.guest, self.house.now)
            self.house.carry_out()

    def add_bot(self, level: str = "easy") -> None:
        """Seat a bot at this client's table; it says nothing by itself in here."""
        self.do([AddBot(level)])

    def take(self) -> list[dict[str, Any]]:
        """The messages received since the last time, all of them complete lines."""
        *lines, rest = self._received.split(b"\n")
        assert rest == b""
        self._received = b""
        return [json.loads(line) for line in lines]

    def kinds(self) -> list[str]:
        """The types of the messages received since the last time."""
        return [message["type"] for message in self.take()]
