"""A house without sockets: the real hall, the real conversations, virtual time, and raw clients."""

import json
from itertools import count
from typing import Any

from tests.games.renaissance.raw_player import Message, RawPlayer

from ludoteca import games
from ludoteca.core import Seat
from ludoteca.core.game import Nothing
from ludoteca.core.requests import Act, Reply, Request, Terms
from ludoteca.games.renaissance.state import State
from ludoteca.games.renaissance.wire import Conversation, Settings
from ludoteca.hall.hall import Hall
from ludoteca.hall.limits import Defaults
from ludoteca.hall.table import Table


class House:
    """A hall and the clients in it. Its seeds are numbers that count up from `seed`."""

    def __init__(self, absence: Any = "end", seed: int = 1) -> None:
        defaults = Defaults(2, Nothing(), Terms(absence), Settings())
        self.hall = Hall(games.load, {"renaissance": defaults}, count(seed).__next__)
        self.now = 0.0

    @property
    def state(self) -> State:
        """The true state of the only match, for a test to look at or to change."""
        state: State = self.table.match.state
        return state

    @property
    def table(self) -> Table:
        """The only table at which somebody sits."""
        (table,) = {guest.table for guest in self.hall.guests if guest.table is not None}
        return table

    def carry_out(self) -> None:
        """Deliver all letters, and tell the hall of connections that were closed over them."""
        while self.hall.post.letters:
            _, letters = self.hall.post.take()
            assert not self.hall.post.crashes, self.hall.post.crashes
            for guest, notice in letters:
                if guest.shell is not None:
                    guest.shell.deliver(guest.shell.conversation.send(notice, self.now))
            for guest, _ in letters:
                if guest.shell is not None and guest.shell.conversation.closing:
                    guest.shell.hang_up()

    def wait(self, seconds: float) -> None:
        """Let time pass and alarms go off."""
        self.now += seconds
        self.ring()

    def ring(self) -> None:
        """Let the alarms that are due go off."""
        for guest in list(self.hall.guests):
            shell = guest.shell
            alarm = shell.conversation.alarm if shell is not None else None
            if alarm is not None and alarm <= self.now:
                shell.do(shell.conversation.tick(self.now))

    def clients(self, *names: str) -> list["Client"]:
        """Clients at one table: the first says for how many."""
        clients = []
        for name in names:
            client = Client(self)
            client.say({"type": "loginRequest", "username": name})
            clients.append(client)
            if len(clients) == 1:
                client.say({"type": "numberOfPlayersReply", "number": len(names)})
        return clients


class Client:
    """One connection, seen from the client's side."""

    def __init__(self, house: House, protocol: str = "renaissance") -> None:
        self.house = house
        self.conversation = Conversation(Settings())
        self.guest = house.hall.arrive(protocol)
        self.guest.shell = self
        self.closed = False
        self._received = b""
        self.do(self.conversation.greet(house.now))

    def say(self, *messages: Message) -> None:
        """Send messages, all of them in one packet."""
        self.send(b"".join(json.dumps(message).encode() + b"\n" for message in messages))

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
        self.house.ring()

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

    def act(self, *actions: Any) -> None:
        """Act past the protocol, as a player of Ludoteca's own protocol would."""
        self.do([Act(actions)])

    def take(self) -> list[Message]:
        """The messages received since the last time, pings left out; all of them complete."""
        *lines, rest = self._received.decode().split("\n")
        assert rest == ""
        self._received = b""
        return [message for message in map(json.loads, lines) if message["type"] != "ping"]

    @property
    def seat(self) -> Seat:
        """Where this client sits."""
        assert self.guest.seat is not None
        return Seat(self.guest.seat)


def types(messages: list[Message]) -> list[str]:
    """The names of messages."""
    return [message["type"] for message in messages]


def play_on(pairs: list[tuple[Client, RawPlayer]], rounds: int = 1_000_000) -> None:
    """Let raw players answer whatever they are told, until nobody has anything to say."""
    for _ in range(rounds):
        busy = False
        for client, player in pairs:
            if client.closed:
                continue
            for message in client.take():
                for reply in player.answer(message):
                    busy = True
                    client.say(reply)
        if not busy:
            return
