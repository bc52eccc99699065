"""A house without sockets: the real hall and the real conversations, in virtual time."""

import json
from itertools import count
from typing import Any

from ludoteca import games
from ludoteca.core.requests import AddBot, Reply, Request, Terms
from ludoteca.games.santorini.state import Options
from ludoteca.games.santorini.wire import Conversation, Settings
from ludoteca.hall.hall import Hall
from ludoteca.hall.limits import Defaults


class House:
    """A hall and the clients in it."""

    def __init__(self, gods: Any = "core", absence: Any = "end") -> None:
        defaults = Defaults(2, Options(gods), Terms(absence), Settings())
        self.hall = Hall(games.load, {"santorini": defaults}, count(1).__next__)
        self.clients: list[Client] = []
        self.now = 0.0

    def client(self) -> "Client":
        """A client that has just connected."""
        client = Client(self)
        self.clients.append(client)
        client.do(client.conversation.greet(self.now))
        return client

    def carry_out(self) -> None:
        """Deliver all letters."""
        while self.hall.post.letters:
            _, letters = self.hall.post.take()
            for guest, notice in letters:
                if guest.shell is not None:
                    guest.shell.deliver(guest.shell.conversation.send(notice, self.now))
        self.ring()

    def ring(self) -> None:
        """Let the alarms go off whose time has come."""
        for client in self.clients:
            if not client.closed:
                alarm = client.conversation.alarm
                if alarm is not None and alarm <= self.now:
                    client.do(client.conversation.tick(self.now))
                elif client.conversation.closing:
                    client.hang_up()

    def wait(self, seconds: float) -> None:
        """Let time pass, a little at a time."""
        end = self.now + seconds
        while self.now < end:
            self.now = min(end, self.now + 0.25)
            self.ring()


class Client:
    """One connection, seen from the client's side."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.conversation = Conversation(Settings())
        self.guest = house.hall.arrive("santorini")
        self.guest.shell = self
        self.closed = False
        self.last: list[dict[str, Any]] = []
        self._received = b""

    def say(self, *messages: dict[str, Any] | str) -> None:
        """Send messages, all of them in one packet."""
        lines = [one if isinstance(one, str) else json.dumps(one) for one in messages]
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

    def add_bot(self, level: str = "") -> None:
        """Seat a bot at this client's table; it says nothing by itself in here."""
        self.do([AddBot(level)])

    def take(self, pings: bool = False) -> list[dict[str, Any]]:
        """The messages received since the last time, all of them complete; `last` keeps them."""
        *lines, rest = self._received.decode().split("\n")
        assert rest == ""
        self._received = b""
        messages = [json.loads(line) for line in lines]
        self.last = [message for message in messages if pings or message["type"] != "ping"]
        return self.last
