"""A quiet house for Masters of Renaissance, with raw clients."""

from typing import Any

from tests.games.renaissance.raw_player import Message
from tests.quiet import QuietClient, QuietHouse, play_on, types

__all__ = ["Client", "House", "play_on", "types"]


class House(QuietHouse):
    """A hall and the clients in it."""

    def __init__(self, absence: Any = "end", seed: int = 1) -> None:
        super().__init__("renaissance", absence=absence, seed=seed)

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


class Client(QuietClient):
    """One connection, seen from the client's side."""

    def take(self) -> list[Message]:
        """The messages received since the last time, pings left out."""
        return self.messages(without="ping")
