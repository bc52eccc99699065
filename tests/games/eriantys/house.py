"""A house without sockets: the real hall, the real conversations, virtual time, and raw clients."""

import json
from itertools import count
from typing import Any

from tests.games.eriantys.raw_player import Message, RawPlayer

from ludoteca import games
from ludoteca.core import Seat
from ludoteca.core.requests import Reply, Request, Terms
from ludoteca.games.eriantys.rules import Options
from ludoteca.games.eriantys.state import State
from ludoteca.games.eriantys.wire import Conversation, Settings
from ludoteca.hall.hall import Hall
from ludoteca.hall.limits import Defaults


class House:
    """A hall and the clients in it. Its seeds are numbers that count up from `seed`."""

    def __init__(self, absence: Any = "end", seed: int = 1) -> None:
        defaults = Defaults(2, Options(), Terms(absence), Settings())
        self.hall = Hall(games.load, {"eriantys": defaults}, count(seed).__next__)
        self.now = 0.0

    @property
    def state(self) -> State:
        """The true state of the only match, for a test to look at or to change."""
        (table,) = self.hall.tables
        state: State = table.match.state
        return state

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
            shell: Any = guest.shell
            alarm = shell.conversation.alarm if shell is not None else None
            if alarm is not None and alarm <= self.now:
                shell.do(shell.conversation.tick(self.now))
        self.hall.tick(self.now)
        self.carry_out()

    def table(self, *names: str, mode: str = "Basic") -> list["Client"]:
        """Clients at one running game, "friday", which the first of them opened."""
        clients: list[Client] = []
        for name, tower in zip(names, ("white", "black", "gray"), strict=False):
            client = Client(self)
            if clients:
                client.ask({"type": "SelectGameMessage", "gameName": "friday"})
            else:
                info = {"gameName": "friday", "gameMode": mode, "numPlayers": len(names)}
                client.ask({"type": "NewGameMessage", "gameInfo": info})
            client.ask({"type": "SetNickname", "nickname": name})
            client.ask({"type": "SetTowerColor", "color": tower})
            clients.append(client)
        return clients


class Visitor:
    """Somebody of Ludoteca's own protocol, who asks the hall directly."""

    def __init__(self, house: House, *requests: Request) -> None:
        self.house = house
        self.guest = house.hall.arrive("house")
        self.do(*requests)

    def do(self, *requests: Request) -> None:
        """What the shell does with requests."""
        self.house.hall.handle(self.guest, requests, self.house.now)
        self.house.carry_out()


class Client:
    """One connection, seen from the client's side."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.conversation = Conversation(Settings())
        self.guest = house.hall.arrive("eriantys")
        self.guest.shell = self
        self.closed = False
        self._received = b""
        self.do(self.conversation.greet(house.now))
        self.id = self.take()[0]["playerID"]

    def ask(self, message: Message) -> list[str]:
        """Send a message of the setup with the own id; the names of what comes back."""
        self.say({"playerID": self.id, **message})
        return types(self.take())

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

    def take(self, heartbeats: bool = False) -> list[Message]:
        """The messages received since the last time, all of them complete."""
        *lines, rest = self._received.decode().split("\n")
        assert rest == ""
        self._received = b""
        messages = [json.loads(line) for line in lines]
        return [message for message in messages if heartbeats or message["type"] != "Heartbeat"]

    @property
    def seat(self) -> Seat:
        """Where this client sits."""
        assert self.guest.seat is not None
        return Seat(self.guest.seat)


def types(messages: list[Message]) -> list[str]:
    """The names of messages."""
    return [message["type"] for message in messages]


def play_on(pairs: list[tuple[Client, RawPlayer]]) -> None:
    """Let raw players answer whatever they are told, until nobody has anything to say."""
    busy = True
    while busy:
        busy = False
        for client, player in pairs:
            for message in client.take():
                for reply in player.answer(message):
                    busy = True
                    client.say(reply)
