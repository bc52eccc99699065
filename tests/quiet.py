"""A house without sockets: the real hall, the real conversations, virtual time.

Each game's tests build on it.
"""

import json
from collections.abc import Callable, Sequence
from itertools import count
from typing import Any, Protocol

from ludoteca import games
from ludoteca.core import Game, Seat
from ludoteca.core.requests import Act, AddBot, Reply, Request, Terms
from ludoteca.hall import Defaults, Guest, GuestId, Hall, Table


class QuietHouse:
    """A hall and the clients in it. Seeds, ids and tokens are numbers that count up from `seed`."""

    def __init__(
        self,
        game: str,
        *,
        seats: int = 2,
        options: Any = None,
        settings: Any = None,
        absence: Any = "end",
        move_s: float = 0.0,
        seed: int = 1,
        load: Callable[[str], Game] = games.load,
    ) -> None:
        known = games.load(game)
        self.protocol = game
        self.settings = settings or (known.wire.settings() if known.wire else None)
        self._load = load
        self._defaults = {
            game: Defaults(seats, options or known.options(), Terms(absence, move_s=move_s), self.settings)
        }
        self._entropy = count(seed).__next__
        self.hall = Hall(load, self._defaults, self._entropy)
        self.connected: dict[GuestId, QuietClient] = {}
        self.records: dict[str, list[bytes]] = {}
        self._fates: dict[str, str] = {}
        self.now = 0.0
        self._ringing = False

    def converse(self) -> Any:
        """How the conversation with a client begins."""
        return games.load(self.protocol).protocol().converse(self.settings)

    @property
    def table(self) -> Table:
        """The only table at which somebody sits."""
        (table,) = {guest.table for guest in self.hall.guests if guest.table}
        return self.hall.tables.find(table)

    @property
    def state(self) -> Any:
        """The true state of the only match, for a test to look at or to change."""
        return self.table.match.state

    def _shells(self) -> list["QuietClient"]:
        return [self.connected[guest.id] for guest in self.hall.guests if guest.id in self.connected]

    def carry_out(self) -> None:
        """Deliver all letters, and tell the hall of connections that were closed over them."""
        while self.hall.post.letters or self.hall.post.entries:
            entries, letters = self.hall.post.take()
            assert not self.hall.post.crashes, self.hall.post.crashes
            for entry in entries:
                self.records.setdefault(entry.table, []).append(entry.line)
                self._fates[entry.table] = entry.fate or self._fates.get(entry.table, "")
            for guest, notice in letters:
                if guest in self.connected:
                    client = self.connected[guest]
                    client.deliver(client.conversation.send(notice, self.now))
            for guest, _ in letters:
                if guest in self.connected and self.connected[guest].conversation.closing:
                    self.connected[guest].hang_up()
        self.ring()

    def ring(self) -> None:
        """Let the alarms that are due go off, each once."""
        if self._ringing:
            return
        self._ringing = True
        for client in self._shells():
            alarm = client.conversation.alarm
            if not client.closed and alarm is not None and alarm <= self.now:
                client.do(client.conversation.tick(self.now))
        self._ringing = False

    def wait(self, seconds: float) -> None:
        """Let time pass; alarms go off one after the other, each at its time."""
        end = self.now + seconds
        while True:
            alarms = [client.conversation.alarm for client in self._shells()]
            due = min((alarm for alarm in alarms if alarm is not None), default=None)
            if due is None or due > end:
                break
            self.now = max(self.now, due)
            self.ring()
        self.now = end
        self.hall.tick(end)
        self.carry_out()

    def oversleep(self, seconds: float) -> None:
        """Time passes and nothing is done meanwhile, as when the machine was suspended."""
        self.now += seconds
        self.ring()
        self.hall.tick(self.now)
        self.carry_out()

    def restart(self) -> None:
        """Everything in memory is lost; the hall comes back from its records."""
        self.hall = Hall(self._load, self._defaults, self._entropy)
        self.connected.clear()
        for table, lines in self.records.items():
            if self._fates[table] == "live":
                self.hall.recover(lines, self.now)
        self.hall.post.take()


class QuietClient:
    """One connection, seen from the client's side."""

    def __init__(self, house: QuietHouse, protocol: str = "", conversation: Any = None) -> None:
        self.house = house
        self.conversation: Any = conversation or house.converse()
        self.guest: Guest = house.hall.arrive(protocol or house.protocol)
        house.connected[self.guest.id] = self
        self.closed = False
        self._received = b""
        self.do(self.conversation.greet(house.now))

    @property
    def seat(self) -> Seat:
        """Where this client sits."""
        assert self.guest.seat is not None
        return Seat(self.guest.seat)

    def say(self, *messages: dict[str, Any] | str) -> None:
        """Send messages, all of them in one packet."""
        lines = [message if isinstance(message, str) else json.dumps(message) for message in messages]
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

    def act(self, *actions: Any) -> None:
        """Act past the protocol, as a player of Ludoteca's own protocol would."""
        self.do([Act(actions)])

    def add_bot(self, level: str = "random") -> None:
        """Seat a bot at this client's table; it says nothing by itself in here."""
        self.do([AddBot(level)])

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

    def lines(self) -> list[str]:
        """The lines received since the last time, all of them complete."""
        *lines, rest = self._received.decode().split("\n")
        assert rest == ""
        self._received = b""
        return lines

    def take(self) -> Any:
        """The messages received since the last time, as this game's tests want them."""
        return self.messages()

    def messages(self, *, without: str = "") -> list[dict[str, Any]]:
        """The same as JSON messages, those of one type left out."""
        return [message for message in map(json.loads, self.lines()) if message["type"] != without]


def types(messages: list[dict[str, Any]]) -> list[str]:
    """The names of messages."""
    return [message["type"] for message in messages]


class RawPlayer(Protocol):
    """A client's mind: it answers what it is told."""

    def answer(self, message: dict[str, Any]) -> list[dict[str, Any]]:
        """What to say to this."""


def play_on(pairs: Sequence[tuple[QuietClient, RawPlayer]], rounds: int = 1_000_000) -> None:
    """Let raw players answer whatever they are told, until nobody has anything to say."""
    for _ in range(rounds):
        busy = False
        for client, player in pairs:
            for message in client.take():
                for reply in player.answer(message):
                    if not client.closed:
                        busy = True
                        client.say(reply)
        if not busy:
            return
