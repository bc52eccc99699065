"""A house without sockets: the real hall, the real conversations, virtual time, and mines where a test wants them."""

from collections.abc import Sequence
from itertools import count
from typing import Any

import msgspec

from ludoteca import games
from ludoteca.core import Game, Seat, Setup
from ludoteca.core.requests import AddBot, Reply, Request, Terms
from ludoteca.games.multisweeper.actions import Action
from ludoteca.games.multisweeper.data import Options
from ludoteca.games.multisweeper.state import State
from ludoteca.games.multisweeper.wire import Conversation, Settings
from ludoteca.hall.hall import Hall
from ludoteca.hall.limits import Defaults


def rigged(layouts: Sequence[int]) -> Game:
    """The game, but with the mines of its rounds laid as told (as bits); by chance when they run out."""
    game = games.load("multisweeper")

    def lay(state: State, before: int) -> None:
        if state.round != before and state.round <= len(layouts) and state.outcome is None:
            state.mines = layouts[state.round - 1]

    def start(setup: Setup) -> tuple[State, list[Any]]:
        state, events = game.start(setup)
        lay(state, 0)
        return state, events

    def apply(state: State, seat: Seat, action: Action) -> list[Any]:
        before = state.round
        events = game.apply(state, seat, action)
        lay(state, before)
        return events

    return msgspec.structs.replace(game, start=start, apply=apply)


class House:
    """A hall and the clients in it."""

    def __init__(
        self, seats: int, options: Options, layouts: Sequence[int] = (), absence: Any = "end"
    ) -> None:
        self.game = rigged(layouts)
        defaults = Defaults(seats, options, Terms(absence), Settings())
        self.hall = Hall(lambda name: self.game, {"multisweeper": defaults}, count(1).__next__)
        self.now = 0.0

    def client(self, name: str = "") -> "Client":
        """A client that has connected and, with a name, shaken hands."""
        client = Client(self)
        if name:
            assert client.take() == ["multisweeper v1"]
            client.say("multisweeper client v1", f"name {name}")
        return client

    def clients(self, *names: str) -> list["Client"]:
        """Clients that have shaken hands; what the last of them sets off is still to be taken."""
        return [self.client(name) for name in names]

    def carry_out(self) -> None:
        """Deliver all letters, and tell the hall of connections that were closed over them."""
        while self.hall.post.letters:
            _, letters = self.hall.post.take()
            for guest, notice in letters:
                if guest.shell is not None:
                    guest.shell.deliver(guest.shell.conversation.send(notice, self.now))
            for guest, _ in letters:
                if guest.shell is not None and guest.shell.conversation.closing:
                    guest.shell.hang_up()

    def wait(self, seconds: float) -> None:
        """Let time pass and alarms go off."""
        self.now += seconds
        for guest in list(self.hall.guests):
            if guest.shell is not None and guest.shell.conversation.alarm is not None:
                guest.shell.do(guest.shell.conversation.tick(self.now))


class Client:
    """One connection, seen from the client's side."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.conversation = Conversation(Settings())
        self.guest = house.hall.arrive("multisweeper")
        self.guest.shell = self
        self.closed = False
        self._received = b""
        self.do(self.conversation.greet(house.now))

    def say(self, *lines: str) -> None:
        """Send lines, all of them in one packet."""
        self.send("".join(line + "\n" for line in lines).encode())

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

    def take(self) -> list[str]:
        """The lines received since the last time, all of them complete."""
        *lines, rest = self._received.decode().split("\n")
        assert rest == ""
        self._received = b""
        return lines
