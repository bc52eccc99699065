"""Gymnasium's way: one seat of a match, whose rivals are bots of the house or your own."""

from collections.abc import Mapping
from typing import Any, ClassVar

import gymnasium
from gymnasium import spaces

from ludoteca import bots
from ludoteca.core import Bot, Dice, Game, Seat
from ludoteca.play import LOOKS, patience
from ludoteca.research.deal import Deal


class SingleSeat(gymnasium.Env[Any, Any]):
    """One seat; the others are answered for by `rival`: a level's name, or a function like the games' own.

    Observations are the seat's tensor; which answers are legal is in `info["action_mask"]`, and what
    `action_masks()` gives. An answer that is not legal ends the match as lost. With `seat` None the seats are
    taken in turns, match by match.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"]}  # type: ignore[misc]

    def __init__(
        self,
        game: str | Game,
        rival: str | Bot = "random",
        seats: int = 0,
        options: Mapping[str, Any] | None = None,
        seat: int | None = 0,
        looks: int = LOOKS,
        render_mode: str | None = None,
    ) -> None:
        self.deal = Deal(game, seats, options)
        self.rival: Bot = bots.find(self.deal.game, rival) if isinstance(rival, str) else rival
        self.looks = looks
        self.render_mode = render_mode
        self.observation_space: spaces.Box = self.deal.observation_space()["observation"]  # type: ignore[assignment]
        self.action_space = self.deal.action_space()
        self._wanted = seat
        self._matches = 0
        self.seat = Seat(seat or 0)
        self.state: Any = None
        self._dice = Dice(0)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        if self._wanted is None:
            self.seat = Seat(self._matches % self.deal.seats)
        self._matches += 1
        while True:
            self.state = self.deal.start(int(self.np_random.integers(1 << 62)))
            self._dice = Dice(int(self.np_random.integers(1 << 62)))
            self._go_on()
            # A match that is over before the seat was asked teaches nothing.
            if self.state.questions:
                return self._observed()

    def _go_on(self) -> None:
        """Have the others answer until the seat is asked, or it is over."""
        game, state, dice = self.deal.game, self.state, self._dice
        while state.questions and self.seat not in state.questions:
            mover = min(state.questions)
            choices = state.questions[mover].choices
            if len(choices) == 1:
                action = choices[0]
            else:
                private = game.redeal(state, mover, dice)
                action = self.rival(game, private, mover, dice, patience(self.looks))
            game.apply(state, mover, action)

    def action_masks(self) -> Any:
        """Which answers are legal, as those ask for it who can use it."""
        return self.deal.mask(self.state, self.seat).astype(bool)

    def _observed(self) -> tuple[Any, dict[str, Any]]:
        mask = self.deal.mask(self.state, self.seat)
        return self.deal.tensor(self.state, self.seat), {"action_mask": mask, "seat": int(self.seat)}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        if not self.deal.mask(self.state, self.seat)[int(action)]:
            observation, info = self._observed()
            return observation, -1.0, True, False, info | {"illegal": True}
        self.deal.answer(self.state, self.seat, action)
        self._go_on()
        observation, info = self._observed()
        over = not self.state.questions
        return observation, self.deal.rewards(self.state)[self.seat], over, False, info

    def render(self) -> str:
        """The table as the seat sees it."""
        game = self.deal.game
        names = [f"seat_{seat}" for seat in range(self.deal.seats)]
        return game.text.draw(game.view(self.state, self.seat), names)
