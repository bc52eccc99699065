"""The compiled searcher: the same rules, byte for byte the same build, and wins that it does not miss."""

import random
import subprocess
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from tests import chance
from tests.games.santorini import side_by_side
from tests.games.santorini.boards import cell, from_text
from tests.games.santorini.test_perft import count_lines

from ludoteca.core import Dice, Seat
from ludoteca.games.santorini import bot, engine
from ludoteca.games.santorini.actions import Build, Move
from ludoteca.games.santorini.data import SPACES
from ludoteca.games.santorini.engine import Engine
from ludoteca.games.santorini.gods import GODS
from ludoteca.games.santorini.rules import apply, resume
from ludoteca.games.santorini.state import Options, State


@pytest.fixture(scope="module")
def compiled() -> Engine:
    found = engine.find()
    assert found is not None
    return found


def after(count: int):
    """A clock that can be looked at this often, once for 2,048 steps."""
    left = iter(range(count))
    return lambda: next(left, None) is not None


@pytest.mark.slow
def test_compiled_and_python_rules_agree_on_random_positions():
    """A million of them: see side_by_side.py."""
    assert side_by_side.compare(20_000, seed=chance.dice().randrange(10**6)) >= 20_000


@pytest.mark.slow
def test_every_two_gods_that_can_meet_have_the_same_tree(compiled: Engine):
    chance = random.Random(26)
    pairs = [pair for pair in product(GODS, GODS) if side_by_side.can_meet(*pair)]
    assert len(pairs) > 600
    for gods in pairs:
        state = side_by_side.position(chance, gods)
        if state.outcome is None:
            compiled.load(state)
            assert compiled.perft(2) == count_lines(state, 2), (gods, state)


def test_the_example_of_the_guide_has_the_same_tree(compiled: Engine):
    compiled.load(from_text("..... / .A.B. / ..... / .B.A. / ....."))
    assert [compiled.perft(steps) for steps in (1, 2, 3, 4, 5)] == [16, 80, 1216, 6176, 79128]


_CRAMPED = """
import resource
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
from ludoteca.games.santorini import engine
from tests.games.santorini.boards import from_text
found = engine.find()
found.load(from_text("..... / .A.B. / ..... / .B.A. / ....."))
print(found.perft(4))
"""


@pytest.mark.slow
def test_a_process_of_little_memory_has_the_engine_too():
    """The one that tells stories of finished matches asks it about the decisive move."""
    done = subprocess.run([sys.executable, "-c", _CRAMPED], capture_output=True, text=True, check=False)
    assert done.stdout == "6176\n", done.stderr


@pytest.mark.slow
def test_the_binary_is_what_its_source_gives(tmp_path: Path):
    made = tmp_path / "engine.wasm"
    home = Path(engine.__file__).parent
    subprocess.run(
        ["make", "-s", "-C", home, f"PYTHON={sys.executable}", f"OUT={made}"], check=True, timeout=100
    )
    assert made.read_bytes() == (home / "engine.wasm").read_bytes(), "run make engine"


def test_a_win_in_two_turns_is_seen(compiled: Engine):
    state = from_text("2A 2 3 . . / . . . . . / . . . . . / . . . . . / A . . B B")
    assert compiled.best(state, state.choices, after(20)) == Move(cell("A1"), cell("B1"))
    assert compiled.value > engine.FOUND


def test_the_only_parry_is_found_and_the_build_comes_from_the_same_search(compiled: Engine):
    """B threatens to go up to D3; A must reach it with a dome."""
    state = from_text(". . . . . / . A . . . / . . . 3 2B / . . . . . / A . . . B")
    first = compiled.best(state, state.choices, after(40))
    assert isinstance(first, Move)
    thought = compiled.nodes
    apply(state, Seat(0), first)
    assert compiled.best(state, state.choices, after(40)) == Build(first.target, cell("D3"), True)
    assert compiled.nodes < thought / 4


def matches(engine: Engine, chance: random.Random) -> Iterator[list[State]]:
    """Positions at the start of turns, of matches with slips."""
    while True:
        state = State.empty(Options(gods="none"), (0, 1))
        state.phase = "play"
        state.workers = tuple(chance.sample(range(SPACES), 4))
        resume(state, 0)
        met: list[State] = []
        while state.outcome is None:
            seat, slips = state.seat, not chance.randrange(8)
            met.append(state.clone())
            while state.outcome is None and state.seat == seat:
                best = chance.choice(state.choices) if slips else engine.best(state, state.choices, after(1))
                apply(state, Seat(seat), best)
        yield met


@pytest.mark.slow
def test_wins_in_two_and_three_turns_are_seen_within_a_tenth_of_a_second(compiled: Engine):
    """That there is such a win is proved by ten times as many steps as the tenth of a second has."""
    wins = []
    for met in matches(compiled, random.Random(4)):
        for state in met[-9:-2:2]:
            compiled.best(state.clone(), state.choices, after(1000))
            if compiled.value in (engine.WON - 3, engine.WON - 5):
                wins.append((compiled.value, state))
        if len(wins) >= 12:
            break
    for value, state in wins:
        compiled.best(state, state.choices, after(100))
        assert compiled.value == value, state


def wins_within(state: State, seat: int, steps: int) -> bool:
    """Whether the turn that goes on can be won with so many steps, as the rules in Python have it."""
    for choice in state.choices:
        later = state.clone()
        apply(later, Seat(state.seat), choice)
        if later.winner == seat:
            return True
        if steps > 1 and later.outcome is None and later.seat == seat and wins_within(later, seat, steps - 1):
            return True
    return False


@pytest.mark.slow
def test_every_win_of_one_turn_is_seen_under_all_gods_and_none_is_imagined(compiled: Engine):
    """Climbs, and what Pan, Eros, Chronus, Artemis, Triton and others may do besides."""
    chance = random.Random(95)
    won = 0
    for _ in range(1000):
        state = side_by_side.position(chance, side_by_side.some_gods(chance, 2))
        if state.outcome is not None:
            continue
        seat = state.seat
        compiled.best(state, state.choices, after(3))
        if compiled.value != engine.WON - 1:
            # One less where the rival cannot go on and is out.
            assert compiled.value == engine.WON - 2 or not wins_within(state, seat, 2), state
            continue
        while state.outcome is None and state.seat == seat:
            apply(state, Seat(seat), compiled.best(state, state.choices, after(3)))
        assert state.winner == seat, state
        won += 1
    assert won > 80


def turns_of(state: State, seat: int) -> Iterator[State]:
    for choice in state.choices:
        later = state.clone()
        apply(later, Seat(seat), choice)
        if later.outcome is None and later.seat == seat:
            yield from turns_of(later, seat)
        else:
            yield later


@pytest.mark.slow
def test_every_parry_of_one_turn_is_found(compiled: Engine):
    """Where the rival would win next, and some turn stops that, the engine's turn does."""
    chance = random.Random(7)
    parried = 0
    while parried < 3:
        gods = chance.choice((("", ""), ("Apollo", ""), ("", "Artemis"), ("Athena", "Minotaur"), ("", "Pan")))
        state = side_by_side.position(chance, gods)
        seat = state.seat
        if state.outcome is not None or wins_within(state, seat, 2):
            continue
        ends = [(end, end.outcome is None and wins_within(end, 1 - seat, 2)) for end in turns_of(state, seat)]
        share = sum(lost for _, lost in ends) / len(ends)
        if not 0.5 < share < 1:
            continue
        while state.outcome is None and state.seat == seat:
            apply(state, Seat(seat), compiled.best(state, state.choices, after(40)))
        assert state.outcome is None, state
        assert not wins_within(state, 1 - seat, 2), state
        parried += 1


def test_the_same_position_and_the_same_dice_give_the_same_answer():
    state = from_text("1 . 2 . . / . 1A . 1B . / . 2 2 1 . / . 1B . A . / 1 . 2 . 1")
    game = None
    answers = {
        bot.BOTS["master"](game, state.clone(), Seat(0), Dice(5), after(10))  # type: ignore[arg-type]
        for _ in range(3)
    }
    assert len(answers) == 1


def test_without_webassembly_the_python_search_takes_over(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(bot, "find", lambda: None)
    state = from_text(". . . . . / . 2A 3 . . / . 1 2 . . / . . . B . / A . . . B")
    for level in ("strong", "master"):
        answer = bot.BOTS[level](None, state, Seat(0), Dice(1), after(50))  # type: ignore[arg-type]
        assert answer == Move(cell("B2"), cell("C2"))


def test_two_who_share_an_engine_think_each_for_themselves(compiled: Engine):
    state = from_text("..... / .A.B. / ..... / .B.A. / .....")
    depths = []
    for looks in (1, 60):
        for _ in range(2):
            apply(state, Seat(state.seat), compiled.best(state, state.choices, after(looks)))
            depths.append(compiled.depth)
    hasty, patient = depths[0], depths[2]
    assert hasty < patient


def test_the_strong_one_has_seen_enough_in_a_moment():
    state = from_text("..... / .A.B. / ..... / .B.A. / .....")
    looked: list[bool] = []

    def more() -> bool:
        looked.append(True)
        return True

    bot.BOTS["strong"](None, state, Seat(0), Dice(1), more)  # type: ignore[arg-type]
    assert len(looked) == bot.STRONG_LOOKS


def test_a_clock_that_has_run_out_still_gets_a_legal_answer(compiled: Engine):
    state: State = from_text("1 . 2 . . / . 1A . 1B . / . 2 2 1 . / . 1B . A . / 1 . 2 . 1")
    assert compiled.best(state, state.choices, lambda: False) in state.choices
