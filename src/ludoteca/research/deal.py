"""What all environments share: a game at a table of a certain size, its numbers, and matches of it."""

from collections.abc import Mapping
from typing import Any

import msgspec
import numpy as np
from gymnasium import spaces

from ludoteca.bots.search import worth
from ludoteca.core import Game, LocalError, Seat
from ludoteca.core.vocabulary import Vocabulary
from ludoteca.play import load

Observation = dict[str, Any]


class Deal:
    """A game for a number of players with certain options: what answers and pictures look like."""

    def __init__(
        self, game: str | Game, seats: int = 0, options: Mapping[str, Any] | msgspec.Struct | None = None
    ) -> None:
        self.game: Game = load(game) if isinstance(game, str) else game
        if self.game.vocabulary is None or self.game.tensor is None:
            raise LocalError(f"{self.game.title} has no numbers for its actions and views")
        self.setup = self.game.setup(seats, 0, options)
        self.seats = self.setup.seats
        self.vocabulary = Vocabulary(self.game.vocabulary(self.setup.options, self.seats))
        self.numbers = len(self.vocabulary)
        self._tensor = self.game.tensor
        self.length = len(self.tensor(self.start(0), Seat(0)))

    def start(self, seed: int) -> Any:
        """A new match."""
        return self.game.start(msgspec.structs.replace(self.setup, seed=seed))[0]

    def tensor(self, state: Any, seat: Seat) -> Any:
        """What a seat sees, as an array of small whole numbers."""
        return np.frombuffer(self._tensor(self.game.view(state, seat), seat), np.uint8)

    def mask(self, state: Any, seat: Seat) -> Any:
        """A one for every answer that a seat may give now."""
        mask = np.zeros(self.numbers, np.int8)
        question = state.questions.get(seat)
        if question is not None:
            mask[self.vocabulary.numbers(question)] = 1
        return mask

    def observe(self, state: Any, seat: Seat) -> Observation:
        """Both."""
        return {"observation": self.tensor(state, seat), "action_mask": self.mask(state, seat)}

    def answer(self, state: Any, seat: Seat, number: int) -> None:
        """Carry out the answer with this number. Raises LocalError if it is none."""
        self.game.apply(state, seat, self.vocabulary.action(state.questions[seat], int(number)))

    def rewards(self, state: Any) -> list[float]:
        """What the end of a match is worth to every seat, from -1 to 1; nothing before it."""
        if state.outcome is None:
            return [0.0] * self.seats
        return [2 * worth(state.outcome, Seat(seat)) - 1 for seat in range(self.seats)]

    def observation_space(self) -> spaces.Dict:
        """Of a seat."""
        return spaces.Dict(
            {
                "observation": spaces.Box(0, 255, (self.length,), np.uint8),
                "action_mask": spaces.Box(0, 1, (self.numbers,), np.int8),
            }
        )

    def action_space(self) -> "spaces.Discrete[Any]":
        """Of a seat."""
        return spaces.Discrete(self.numbers)
