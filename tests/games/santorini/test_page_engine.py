"""The page's own way from what it was told to a position of the searcher, beside Python's: the very same."""

import os
import random
import shutil
from pathlib import Path

import msgspec
import pytest
from tests.games.santorini.side_by_side import some_gods
from tests.web.test_units import node

from ludoteca.core import Seat
from ludoteca.games.santorini import engine
from ludoteca.games.santorini.data import SPACES
from ludoteca.games.santorini.events import Event
from ludoteca.games.santorini.rules import apply, resume
from ludoteca.games.santorini.state import Options, State
from ludoteca.games.santorini.view import view

CASES = 120
STEPS_MAX = 60


def played(chance: random.Random) -> dict[str, object]:
    """What a page was told of a random match up to a random step, and what the position is there."""
    gods = some_gods(chance, chance.choice((2, 2, 3)))
    seats = len(gods)
    state = State.empty(Options(), tuple(chance.sample(range(seats), seats)))
    state.phase, state.gods = "play", gods
    state.workers = tuple(chance.sample(range(SPACES), 2 * seats))
    events: list[Event] = resume(state, state.order[0])
    steps = [{"view": view(state, None), "events": events}]
    for _ in range(chance.randrange(STEPS_MAX)):
        before = state.clone()
        events = apply(state, Seat(state.seat), chance.choice(state.choices))
        if state.outcome is not None:
            state = before
            break
        steps.append({"view": view(state, None), "events": events})
    return {"steps": steps, "written": list(engine.written(state)), "choices": state.choices}


@pytest.mark.slow
def test_the_page_reads_the_same_positions_out_of_its_steps_as_the_house_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    chance = random.Random(18)
    cases = [case for case in (played(chance) for _ in range(CASES)) if case["choices"]]
    (tmp_path / "positions.json").write_bytes(msgspec.json.encode(cases))
    shutil.copy(Path(engine.__file__).parent / "engine.wasm", tmp_path)
    monkeypatch.setitem(os.environ, "VITE_SANTORINI", str(tmp_path))
    done = node("node_modules/vitest/vitest.mjs", "run", "santorini/web/engine.test.ts")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "3 passed" in done.stdout, done.stdout
