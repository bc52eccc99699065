"""PettingZoo's own tests of environments, over every game; and what they do not look at."""

import io
import warnings
from contextlib import redirect_stdout
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, seed_test
from pettingzoo.test.max_cycles_test import max_cycles_test
from pettingzoo.utils import parallel_to_aec

from connectfour import GAME as CONNECTFOUR
from ludoteca import games, research
from ludoteca.core import LocalError

GAMES = games.names()


@pytest.fixture(autouse=True)
def quiet() -> Any:
    """They print, and warn of agents that come in another order than they were named in."""
    with warnings.catch_warnings(), redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        yield


@pytest.mark.parametrize("game", GAMES)
def test_in_turns_it_is_an_environment_that_a_seed_decides(game: str) -> None:
    api_test(research.env(game), num_cycles=60)
    seed_test(partial(research.env, game), num_cycles=20)


@pytest.mark.parametrize("game", GAMES)
def test_all_at_once_it_is_an_environment_that_is_cut_where_it_should_be(game: str) -> None:
    parallel_api_test(research.parallel_env(game), num_cycles=30)
    # Two players of Multisweeper may be done before they are cut; eight play seven rounds.
    made = partial(research.parallel_env, game, seats=8 if game == "multisweeper" else 0)
    max_cycles_test(SimpleNamespace(parallel_env=made, env=lambda **more: parallel_to_aec(made(**more))))


@pytest.mark.parametrize("game", GAMES)
def test_masked_answers_lead_to_an_end_and_rewards(game: str) -> None:
    env = research.raw_env(game)
    random = np.random.default_rng(1)
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, _, over, cut, _ = env.last()
        assert not cut
        legal = np.flatnonzero(observation["action_mask"])
        if over:
            break
        assert legal.size == len(env.state_.questions[int(agent[-1])].choices)
        env.step(random.choice(legal))
    rewards = [env.rewards[agent] for agent in env.possible_agents]
    assert max(rewards) > min(rewards) or game == "eriantys"
    assert all(-1 <= reward <= 1 for reward in rewards)


def test_in_turns_it_is_cut_after_so_many_decisions() -> None:
    env = research.raw_env("santorini", max_cycles=7, options={"gods": "none"})
    env.reset(seed=1)
    taken = 0
    for agent in env.agent_iter():
        observation, _, over, cut, _ = env.last()
        if cut or over:
            env.step(None)
            continue
        env.step(int(np.flatnonzero(observation["action_mask"])[0]))
        taken += 1
        assert agent in env.possible_agents
    assert taken == 7


def test_an_illegal_answer_loses_where_it_is_wrapped_and_is_a_mistake_where_it_is_not() -> None:
    wrapped = research.env("shelfie")
    wrapped.reset(seed=1)
    illegal = int(np.flatnonzero(wrapped.last()[0]["action_mask"] == 0)[0])
    agent = wrapped.agent_selection
    wrapped.step(illegal)
    assert wrapped.terminations[agent]
    assert wrapped.rewards[agent] == -1
    bare = research.raw_env("shelfie")
    bare.reset(seed=1)
    for number in (illegal, -1, 10**9):
        with pytest.raises(LocalError, match="is no answer"):
            bare.step(number)


def test_a_refused_answer_of_all_at_once_changes_nothing() -> None:
    env = research.parallel_env("multisweeper")
    before, _ = env.reset(seed=1)
    after, rewards, *_, infos = env.step({"seat_0": 10**6, "seat_1": 10**6})
    assert [infos[agent].get("refused", "") != "" for agent in env.possible_agents].count(True) == 1
    assert all(np.array_equal(before[one]["observation"], after[one]["observation"]) for one in before)
    assert set(rewards.values()) == {0.0}


def test_what_is_drawn_is_what_a_spectator_sees() -> None:
    env = research.raw_env("santorini", render_mode="ansi")
    env.reset(seed=1)
    assert "seat_0" in str(env.render())


def test_a_game_without_numbers_says_so() -> None:
    with pytest.raises(LocalError, match="has no numbers"):
        research.env(CONNECTFOUR)
