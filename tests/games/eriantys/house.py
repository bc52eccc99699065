"""A quiet house for Eriantys, with raw clients and somebody of Ludoteca's own protocol."""

from typing import Any

from tests.games.eriantys.raw_player import Message
from tests.quiet import QuietClient, QuietHouse, play_on, types

from ludoteca.core.requests import Request

__all__ = ["Client", "House", "Visitor", "play_on", "types"]


class House(QuietHouse):
    """A hall and the clients in it."""

    def __init__(self, absence: Any = "end", seed: int = 1) -> None:
        super().__init__("eriantys", absence=absence, seed=seed)

    def table_of(self, *names: str, mode: str = "Basic") -> list["Client"]:
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


class Client(QuietClient):
    """One connection, seen from the client's side."""

    def __init__(self, house: QuietHouse) -> None:
        super().__init__(house)
        self.id = self.take()[0]["playerID"]

    def ask(self, message: Message) -> list[str]:
        """Send a message of the setup with the own id; the names of what comes back."""
        self.say({"playerID": self.id, **message})
        return types(self.take())

    def take(self, heartbeats: bool = False) -> list[Message]:
        """The messages received since the last time."""
        return self.messages(without="" if heartbeats else "Heartbeat")
