"""PettingZoo's way of games in turns (AEC): one agent for each seat, asked as the rules ask.

Where several are asked at once (the setup of Renaissance) the lowest seat comes first; the rules let them
answer in any order.
"""

from collections.abc import Mapping
from typing import Any

from gymnasium.utils import seeding
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from ludoteca.core import Game, Seat
from ludoteca.research.deal import Deal, Observation


class TurnByTurn(AECEnv[str, Observation, Any]):
    """One match after the other. After `max_cycles` decisions it is truncated; 0: never."""

    def __init__(
        self,
        game: str | Game,
        seats: int = 0,
        options: Mapping[str, Any] | None = None,
        max_cycles: int = 0,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.deal = Deal(game, seats, options)
        self.max_cycles = max_cycles
        self.render_mode = render_mode
        self.metadata = {
            "name": f"{self.deal.game.name}_v{self.deal.game.version}",
            "render_modes": ["ansi", "human"],
            "is_parallelizable": False,
        }
        self.possible_agents = [f"seat_{seat}" for seat in range(self.deal.seats)]
        self._seats = {agent: Seat(seat) for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {agent: self.deal.observation_space() for agent in self.possible_agents}
        self.action_spaces = {agent: self.deal.action_space() for agent in self.possible_agents}
        self._random, _ = seeding.np_random(None)
        self.state_: Any = None

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None:
            self._random, _ = seeding.np_random(seed)
        self.state_ = self.deal.start(int(self._random.integers(1 << 62)))
        self.cycles = 0
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._asked()

    def _asked(self) -> str:
        """Who is asked; when it is over, the first of those who have not heard so."""
        questions = self.state_.questions
        return self.possible_agents[min(questions)] if questions else self.agents[0]

    def observe(self, agent: str) -> Observation:
        return self.deal.observe(self.state_, self._seats[agent])

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self.deal.answer(self.state_, self._seats[agent], action)
        self.cycles += 1
        if not self.state_.questions:
            self.terminations = dict.fromkeys(self.agents, True)
            self.rewards = dict(zip(self.possible_agents, self.deal.rewards(self.state_), strict=True))
            self._accumulate_rewards()
        elif self.cycles == self.max_cycles:
            self.truncations = dict.fromkeys(self.agents, True)
        self.agent_selection = self._asked()

    def render(self) -> str | None:
        """The table as a spectator sees it."""
        text = self.deal.game.text.draw(self.deal.game.view(self.state_, None), self.possible_agents)
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def close(self) -> None:
        """There is nothing to close."""


def raw_env(game: str | Game, **more: Any) -> TurnByTurn:
    """The environment as it is: an answer that is none raises LocalError."""
    return TurnByTurn(game, **more)


def env(game: str | Game, **more: Any) -> Any:
    """The environment as PettingZoo's own come: who answers what is not legal loses; misuse is told."""
    made: Any = TurnByTurn(game, **more)
    made = wrappers.TerminateIllegalWrapper(made, illegal_reward=-1)
    made = wrappers.AssertOutOfBoundsWrapper(made)
    return wrappers.OrderEnforcingWrapper(made)
