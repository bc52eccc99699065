"""One seat against bots, and many matches at once."""

import warnings
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from ludoteca import games, research
from ludoteca.core import LocalError, Seat


class _Legal(research.SingleSeat):
    """Gymnasium's checker knows no masks, so what is not legal is taken for something that is."""

    def step(self, action: Any) -> Any:
        legal = np.flatnonzero(self.action_masks())
        return super().step(action if action in legal else legal[int(action) % legal.size])


@pytest.mark.parametrize("game", games.names())
def test_one_seat_is_an_environment_of_gymnasium(game: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(_Legal(game), skip_render_check=True)


def play(env: research.SingleSeat, seed: int) -> tuple[float, list[Any]]:
    random = np.random.default_rng(seed)
    observation, info = env.reset(seed=seed)
    seen, reward, over = [observation.tobytes()], 0.0, False
    while not over:
        observation, reward, over, _, info = env.step(random.choice(np.flatnonzero(info["action_mask"])))
        seen.append(observation.tobytes())
    return reward, seen


def test_rivals_are_bots_and_a_seed_decides_the_match() -> None:
    for rival in ("random", "easy"):
        env = research.SingleSeat("multisweeper", rival, options={"width": 5, "height": 5, "mines": 3})
        assert play(env, 4) == play(env, 4)
        assert play(env, 4)[0] in (-1.0, 1.0)


def test_seats_are_taken_in_turns_where_nobody_says_which() -> None:
    env = research.SingleSeat("santorini", options={"gods": "none"}, seat=None)
    assert [env.reset(seed=1)[1]["seat"] for _ in range(4)] == [0, 1, 0, 1]


def test_an_illegal_answer_ends_the_match_as_lost() -> None:
    env = research.SingleSeat("shelfie")
    _, info = env.reset(seed=1)
    illegal = int(np.flatnonzero(info["action_mask"] == 0)[0])
    _, reward, over, _, info = env.step(illegal)
    assert (reward, over, info["illegal"]) == (-1.0, True, True)


@pytest.mark.parametrize("game", games.names())
def test_many_matches_go_on_side_by_side_and_begin_anew(game: str) -> None:
    many, random = research.Matches(game, 3, seed=1), np.random.default_rng(1)
    ended = 0
    for _ in range(400):
        numbers = many.sample(random)
        assert all(many.masks[place, number] == 1 for place, number in enumerate(numbers))
        many.step(numbers)
        ended += int(many.over.sum())
        assert not many.rewards[~many.over].any()
    for place, state in enumerate(many.states):
        seat = Seat(int(many.seats[place]))
        assert np.array_equal(many.observations[place], many.deal.tensor(state, seat))
        assert np.array_equal(many.masks[place], many.deal.mask(state, seat))
    assert ended or game in ("eriantys", "renaissance")


def test_nobody_can_answer_what_is_not_asked() -> None:
    many = research.Matches("santorini", 2)
    with pytest.raises(LocalError, match="is no answer"):
        many.step(np.flatnonzero(many.masks[0] == 0)[:2])
