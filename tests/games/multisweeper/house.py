"""A quiet house with mines where a test wants them."""

from collections.abc import Sequence
from typing import Any

import msgspec
from tests.quiet import QuietClient, QuietHouse

from ludoteca import games
from ludoteca.core import Game, Seat, Setup
from ludoteca.games.multisweeper.actions import Action
from ludoteca.games.multisweeper.data import Options
from ludoteca.games.multisweeper.state import State


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


class House(QuietHouse):
    """A hall and the clients in it."""

    def __init__(
        self, seats: int, options: Options, layouts: Sequence[int] = (), absence: Any = "end"
    ) -> None:
        self.game = rigged(layouts)
        super().__init__(
            "multisweeper", seats=seats, options=options, absence=absence, load=lambda _: self.game
        )

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


class Client(QuietClient):
    """One connection, seen from the client's side."""

    def take(self) -> list[str]:
        """The lines received since the last time."""
        return self.lines()
