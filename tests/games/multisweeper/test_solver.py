"""The solver against plain enumeration of all layouts, and on boards too wide to count."""

from collections import Counter
from itertools import combinations

import pytest
from tests.games.multisweeper.boards import layout, table

from ludoteca.core import Dice, Setup
from ludoteca.games.multisweeper.actions import Click
from ludoteca.games.multisweeper.data import CLOSED, Options
from ludoteca.games.multisweeper.rules import apply, settle, start
from ludoteca.games.multisweeper.solver import Knowledge
from ludoteca.games.multisweeper.solver import knowledge as module
from ludoteca.games.multisweeper.state import State, board, closed_cells


def played(seed: int, width: int, height: int, mines: int, turns: int) -> State:
    """A board after some clicks on free cells."""
    state, _ = start(Setup(2, seed, settle(Options(width=width, height=height, mines=mines), 2)))
    dice = Dice(seed)
    for _ in range(turns):
        free = [c for c, v in enumerate(state.cells) if v == CLOSED and not state.mines >> c & 1]
        if len(free) < 2:
            break
        cell = dice.choice(free)
        apply(state, state.order[(state.turn - 1) % 2], Click(cell % width, cell // width))
    return state


def fits(state: State, mines: int) -> bool:
    masks = board(state.options.width, state.options.height).masks
    return all(
        value == CLOSED or (not mines >> cell & 1 and (mines & masks[cell]).bit_count() == value)
        for cell, value in enumerate(state.cells)
    )


def all_layouts(state: State) -> list[int]:
    closed = [cell for cell, value in enumerate(state.cells) if value == CLOSED]
    layouts = (sum(1 << cell for cell in chosen) for chosen in combinations(closed, state.options.mines))
    return [mines for mines in layouts if fits(state, mines)]


@pytest.mark.parametrize("seed", range(40))
def test_chances_are_those_of_plain_enumeration(seed):
    state = played(seed, 5, 4, 3 + seed % 4, seed % 5)
    layouts = all_layouts(state)
    chances = Knowledge(state).chances(Dice(1))
    assert set(chances) == {cell for cell, value in enumerate(state.cells) if value == CLOSED}
    for cell, chance in chances.items():
        assert chance == pytest.approx(sum(mines >> cell & 1 for mines in layouts) / len(layouts))


@pytest.mark.parametrize("seed", range(12))
def test_all_layouts_are_listed_once(seed):
    state = played(seed, 5, 4, 3 + seed % 4, 1 + seed % 5)
    known = Knowledge(state)
    assert known.count is not None
    listed = [known.mined | layout for layout in known.count.layouts()]
    assert sorted(listed) == sorted(all_layouts(state))
    assert known.count.total == len(listed)


@pytest.mark.parametrize("seed", range(12))
def test_what_one_more_cell_would_tell_is_what_it_tells(seed):
    state = played(seed, 5, 4, 3 + seed % 4, 1 + seed % 5)
    known, layouts = Knowledge(state), all_layouts(state)
    masks = board(5, 4).masks
    for cell in closed_cells(state.cells):
        for number in range(9):
            fitting = [
                mines
                for mines in layouts
                if not mines >> cell & 1 and (mines & masks[cell]).bit_count() == number
            ]
            later = known.suppose(cell, number)
            counted = later.count.total if later is not None and later.count is not None else 0
            assert counted == len(fitting)
            if fitting and later is not None:
                for other, chance in later.chances(Dice(1)).items():
                    assert chance == pytest.approx(
                        sum(mines >> other & 1 for mines in fitting) / len(fitting)
                    )


def test_every_layout_is_drawn_equally_often():
    state = played(4, 4, 3, 4, 2)
    layouts = all_layouts(state)
    assert 8 <= len(layouts) <= 60
    knowledge, dice = Knowledge(state), Dice(2)
    drawn = Counter(knowledge.sample(dice) for _ in range(200 * len(layouts)))
    assert set(drawn) == set(layouts)
    spread = sum((count - 200) ** 2 / 200 for count in drawn.values())
    assert spread < 2 * len(layouts)  # chi squared: about one for each layout


def test_what_a_single_number_tells_is_known_without_counting():
    state = table("*... / .... / ....")
    apply(state, state.order[0], Click(3, 2))
    knowledge = Knowledge(state)
    assert knowledge.mined == layout("*... / .... / ....")


def test_what_only_the_number_of_mines_tells_is_found():
    state = table("..* / ... / *..")
    apply(state, state.order[0], Click(0, 0))
    apply(state, state.order[1], Click(2, 2))
    chances = Knowledge(state).chances(Dice(1))
    assert sum(chances.values()) == pytest.approx(2)


def wide() -> State:
    """Every second cell of every second row open: no number can be looked at alone."""
    state, _ = start(Setup(2, 5, settle(Options(width=26, height=24, mines=100), 2)))
    masks = board(26, 24).masks
    for row in range(1, 24, 2):
        for column in range(1, 26, 2):
            cell = row * 26 + column
            state.mines &= ~(1 << cell)
    state.mines |= sum(1 << cell for cell in _free(state)[: 100 - state.mines.bit_count()])
    for row in range(1, 24, 2):
        for column in range(1, 26, 2):
            cell = row * 26 + column
            state.cells[cell] = (state.mines & masks[cell]).bit_count()
    return state


def _free(state: State) -> list[int]:
    cells = range(26 * 24)
    return [c for c in cells if not state.mines >> c & 1 and (c // 26 % 2 == 0 or c % 2 == 0)]


def test_a_board_too_wide_to_count_is_still_redealt_and_judged():
    state = wide()
    knowledge = Knowledge(state)
    assert knowledge.count is None
    mines = knowledge.sample(Dice(3))
    assert mines.bit_count() == 100
    assert mines != state.mines
    assert fits(state, mines)
    chances = knowledge.chances(Dice(4))
    assert all(0 <= chance <= 1 for chance in chances.values())
    assert sum(chances.values()) == pytest.approx(100, abs=5)


@pytest.mark.parametrize("seed", range(6))
def test_strips_come_close_to_the_exact_chances(seed, monkeypatch):
    state = played(seed, 8, 6, 9, 6)
    exact = Knowledge(state).chances(Dice(1))
    monkeypatch.setattr(module, "SWEEPS", 400)
    knowledge = Knowledge(state)
    knowledge.count = None
    estimated = knowledge.chances(Dice(5))
    assert max(abs(exact[cell] - estimated[cell]) for cell in exact) < 0.15
