"""Many matches at once: one call observes all of them, one answers all of them."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ludoteca.core import Dice, Game, Seat
from ludoteca.research.deal import Deal


class Matches:
    """So many matches side by side, for learners that look at batches. Whoever's turn it is, it is the same
    learner's: `seats` says for whom it sees and answers.

    The arrays are written over by every step: copy what is to be kept. A match that ends begins anew in the
    same step; `rewards` has what its end was worth to every seat, and `over` says that it ended.
    """

    def __init__(
        self,
        game: str | Game,
        count: int,
        seats: int = 0,
        options: Mapping[str, Any] | None = None,
        seed: int = 0,
    ) -> None:
        self.deal = Deal(game, seats, options)
        self.count = count
        self._dice = Dice(seed)
        self.states = [self._begin() for _ in range(count)]
        self.observations = np.zeros((count, self.deal.length), np.uint8)
        self.masks = np.zeros((count, self.deal.numbers), np.int8)
        self.seats = np.zeros(count, np.int64)
        self.rewards = np.zeros((count, self.deal.seats), np.float32)
        self.over = np.zeros(count, bool)
        for place in range(count):
            self._look(place)

    def _begin(self) -> Any:
        return self.deal.start(self._dice.below(1 << 62))

    def _look(self, place: int) -> None:
        state = self.states[place]
        questions = state.questions
        seat = min(questions)
        self.seats[place] = seat
        self.observations[place] = self.deal.tensor(state, Seat(seat))
        row = self.masks[place]
        row[:] = 0
        row[self.deal.vocabulary.numbers(questions[seat])] = 1

    def sample(self, random: np.random.Generator) -> Any:
        """A legal answer for each match, all equally likely."""
        return (random.random(self.masks.shape, dtype=np.float32) * self.masks).argmax(axis=1)

    def step(self, numbers: Any) -> None:
        """Answer in every match. Raises LocalError for what is no answer."""
        self.rewards[:] = 0
        self.over[:] = False
        for place, number in enumerate(numbers):
            state = self.states[place]
            self.deal.answer(state, Seat(int(self.seats[place])), number)
            if not state.questions:
                self.rewards[place] = self.deal.rewards(state)
                self.over[place] = True
                self.states[place] = self._begin()
            self._look(place)
