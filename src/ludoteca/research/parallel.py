"""PettingZoo's way of all at once: in every cycle every seat says something, and who is asked is heard.

As in the house, an answer that is none is refused: nothing happens, and it is asked again.
"""

from collections.abc import Mapping
from typing import Any

from gymnasium.utils import seeding
from pettingzoo import ParallelEnv

from ludoteca.core import Game, LocalError, Seat
from ludoteca.research.deal import Deal, Observation


class SpeakAtOnce(ParallelEnv[str, Observation, Any]):
    """One match after the other, cut after `max_cycles` cycles (0: never)."""

    def __init__(
        self,
        game: str | Game,
        seats: int = 0,
        options: Mapping[str, Any] | None = None,
        max_cycles: int = 0,
        render_mode: str | None = None,
    ) -> None:
        self.deal = Deal(game, seats, options)
        self.max_cycles = max_cycles
        self.render_mode = render_mode
        self.metadata: dict[str, Any] = {
            "name": f"{self.deal.game.name}_parallel_v{self.deal.game.version}",
            "render_modes": ["ansi"],
            "is_parallelizable": True,
        }
        self.possible_agents = [f"seat_{seat}" for seat in range(self.deal.seats)]
        self.observation_spaces = {agent: self.deal.observation_space() for agent in self.possible_agents}
        self.action_spaces = {agent: self.deal.action_space() for agent in self.possible_agents}
        self._random, _ = seeding.np_random(None)
        self.state_: Any = None

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        if seed is not None:
            self._random, _ = seeding.np_random(seed)
        self.state_ = self.deal.start(int(self._random.integers(1 << 62)))
        self.cycles = 0
        self.agents = list(self.possible_agents)
        return self._observed(), {agent: {} for agent in self.agents}

    def _observed(self) -> dict[str, Observation]:
        return {
            agent: self.deal.observe(self.state_, Seat(seat))
            for seat, agent in enumerate(self.possible_agents)
        }

    def step(self, actions: dict[str, Any]) -> tuple[Any, Any, Any, Any, Any]:
        infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        for seat in sorted(self.state_.questions):
            agent = self.possible_agents[seat]
            # Somebody's answer may have ended the match, or left others nothing to say.
            if agent in actions and seat in self.state_.questions:
                try:
                    self.deal.answer(self.state_, seat, actions[agent])
                except LocalError as refusal:
                    infos[agent]["refused"] = str(refusal)
        self.cycles += 1
        over = not self.state_.questions
        rewards = dict(zip(self.possible_agents, self.deal.rewards(self.state_), strict=True))
        terminations = dict.fromkeys(self.agents, over)
        truncations = dict.fromkeys(self.agents, not over and self.cycles == self.max_cycles)
        observations = self._observed()
        if over or self.cycles == self.max_cycles:
            self.agents = []
        return observations, rewards, terminations, truncations, infos

    def render(self) -> str:
        """The table as a spectator sees it."""
        return self.deal.game.text.draw(self.deal.game.view(self.state_, None), self.possible_agents)


def parallel_env(game: str | Game, **more: Any) -> SpeakAtOnce:
    """The environment in which all speak at once."""
    return SpeakAtOnce(game, **more)
