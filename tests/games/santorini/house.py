"""A quiet house for Santorini."""

from typing import Any

from tests.quiet import QuietClient, QuietHouse

from ludoteca.games.santorini.state import Options


class House(QuietHouse):
    """A hall and the clients in it."""

    def __init__(self, gods: Any = "core", absence: Any = "end") -> None:
        super().__init__("santorini", options=Options(gods), absence=absence)

    def client(self) -> "Client":
        """A client that has just connected."""
        return Client(self)


class Client(QuietClient):
    """One connection, seen from the client's side."""

    # What was taken last, for a second look.
    last: list[dict[str, Any]]

    def take(self, pings: bool = False) -> list[dict[str, Any]]:
        """The messages received since the last time."""
        self.last = self.messages(without="" if pings else "ping")
        return self.last
