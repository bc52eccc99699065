"""Steps a second of the games as PettingZoo's environments, beside PettingZoo's own games in the same run."""

import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any

from ludoteca import games
from ludoteca.bench.figures import Figure

SECTION = "Environments for learning, random masked actions, one core"
BATCH = 64


def figures(seconds: float) -> Iterator[Figure]:
    """Every game by `last()` and `step()`, and in batches; then PettingZoo's own, where they can be had."""
    try:
        import numpy as np

        from ludoteca import research
    except ImportError:
        return
    for game in games.load_all():
        if game.tensor is None:
            continue
        deal = research.Deal(game)
        steps = _steps(research.raw_env(game), seconds)
        note = f"with observation ({deal.length} numbers) and mask ({deal.numbers}); "
        many, random = research.Matches(game, BATCH), np.random.default_rng(1)
        began, count = time.process_time(), 0
        while time.process_time() - began < seconds:
            many.step(many.sample(random))
            count += BATCH
        batched = count / (time.process_time() - began)
        note += f"{batched:,.0f} in batches of {BATCH}"
        yield Figure(SECTION, game.name, steps, "steps/s", note=note)
    for name, make in _classics():
        note = "PettingZoo's own, with observation and mask"
        yield Figure(SECTION, name, _steps(make(), seconds), "steps/s", note=note)


def _classics() -> Iterator[tuple[str, Callable[[], Any]]]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            from pettingzoo.classic import connect_four_v3, tictactoe_v3
        except ImportError:
            return
        yield "PettingZoo tic-tac-toe", tictactoe_v3.raw_env
        yield "PettingZoo connect four", connect_four_v3.raw_env


def _steps(env: Any, seconds: float) -> float:
    """How many steps a second, with what an agent needs to decide."""
    import numpy as np

    random = np.random.default_rng(1)
    count, began = 0, time.process_time()
    while time.process_time() - began < seconds:
        env.reset(seed=count)
        for _ in env.agent_iter():
            observation, _, over, cut, _ = env.last()
            if over or cut:
                env.step(None)
                continue
            env.step(int(random.choice(np.flatnonzero(observation["action_mask"]))))
            count += 1
    return count / (time.process_time() - began)
