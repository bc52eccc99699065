"""A quiet house with a living room as told."""

from typing import Any

import msgspec
from tests.games.shelfie.boards import commons, lay, room
from tests.quiet import QuietClient, QuietHouse

from ludoteca import games
from ludoteca.core import Game, Setup
from ludoteca.core.requests import Absence
from ludoteca.games.shelfie.state import Options, State
from ludoteca.games.shelfie.wire import Settings

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
    """The game, but seat 0 begins, the cards are 1, 2, ..., the common goals 3 and 10, and the
    room is as told."""
    game = games.load("shelfie")

    def start(setup: Setup) -> tuple[State, list[Any]]:
        state, events = game.start(setup)
        cards = tuple(range(1, setup.seats + 1))
        lay(state, first=0, turn=0, cards=cards, commons=commons(state, 3, 10), room=room(rows))
        return state, events

    return msgspec.structs.replace(game, start=start)


class House(QuietHouse):
    """A hall and the clients in it."""

    def __init__(
        self,
        rows: list[str] | None = ROOM,
        *,
        absence: Absence = "end",
        move_s: float = 0.0,
        options: Options | None = None,
        settings: Settings | None = None,
    ) -> None:
        self.game = rigged(rows) if rows else games.load("shelfie")
        super().__init__(
            "shelfie",
            options=options,
            settings=settings,
            absence=absence,
            move_s=move_s,
            load=lambda _: self.game,
        )

    def client(self) -> "Client":
        """Somebody connects."""
        return Client(self)

    def login(self, name: str) -> "Client":
        """Somebody connects and logs in."""
        client = Client(self)
        client.tell("LoginRequest", nickname=name)
        return client

    def match(self, *names: str) -> list["Client"]:
        """Clients in a match in which the first is to move; what they heard so far is taken."""
        clients = []
        for name in names:
            clients.append(self.login(name))
            if len(clients) == 1:
                clients[0].tell("NumPlayersResponse", numPlayers=len(names))
        for client in clients:
            client.start = client.take()[-1]
            assert client.start["type"] == "GameStartNotify"
        return clients


class Client(QuietClient):
    """One connection, seen from the client's side."""

    start: dict[str, Any]

    def tell(self, kind: str, **fields: Any) -> None:
        """Send one message."""
        self.say({"type": kind, **fields})

    def ask(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Send one message; the only answer."""
        self.tell(kind, **fields)
        (answer,) = self.take()
        return answer

    def pick(self, row: int, column: int) -> dict[str, Any]:
        """Pick a tile; the answer."""
        return self.ask("PickTileRequest", position={"row": row, "column": column})

    def unpick(self, row: int, column: int) -> dict[str, Any]:
        """Give a tile back; the answer."""
        return self.ask("UnpickTileRequest", position={"row": row, "column": column})

    def take(self) -> list[dict[str, Any]]:
        """The messages received since the last time."""
        return self.messages()

    def kinds(self) -> list[str]:
        """The types of the messages received since the last time."""
        return [message["type"] for message in self.take()]
