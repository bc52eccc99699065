"""Guesses: all layouts looked at as plainly as can be, and what the next click is worth to whom."""

import pytest
from tests.games.multisweeper.boards import table
from tests.games.multisweeper.test_solver import all_layouts, played

from ludoteca.core import Dice
from ludoteca.games.multisweeper.bot import guess as module
from ludoteca.games.multisweeper.bot.guess import Rest, TooMany, guess, prospect
from ludoteca.games.multisweeper.solver import Knowledge
from ludoteca.games.multisweeper.state import board, closed_cells


def won(layouts: frozenset[int], cells: list[int], masks: tuple[int, ...]) -> int:
    """In how many of these layouts the best play wins, every cell tried, nothing remembered."""
    if len(layouts) <= 1:
        return len(layouts)
    most = 0
    for cell in cells:
        parts: dict[int, set[int]] = {}
        for layout in layouts:
            if not layout >> cell & 1:
                parts.setdefault((layout & masks[cell]).bit_count(), set()).add(layout)
        if any(len(part) == len(layouts) for part in parts.values()):
            continue
        left = [other for other in cells if other != cell]
        most = max(most, sum(won(frozenset(part), left, masks) for part in parts.values()))
    return most


@pytest.mark.parametrize("seed", range(10))
def test_the_best_guess_wins_as_many_layouts_as_any_play(seed):
    state = played(seed, 4, 3, 3, 3)
    layouts, masks, cells = all_layouts(state), board(4, 3).masks, closed_cells(state.cells)
    if len(layouts) < 2 or len(layouts) > 12:
        pytest.skip("nothing to guess, or too much to try")
    best = Rest(layouts, cells, masks, lambda: True).best()
    parts: dict[int, set[int]] = {}
    for layout in layouts:
        if not layout >> best & 1:
            parts.setdefault((layout & masks[best]).bit_count(), set()).add(layout)
    reached = sum(won(frozenset(part), cells, masks) for part in parts.values())
    assert reached == won(frozenset(layouts), cells, masks)


def test_who_has_no_time_takes_what_looks_safe(monkeypatch):
    monkeypatch.setattr(module, "PATIENCE", 1)
    state = played(5, 5, 4, 5, 1)
    with pytest.raises(TooMany):
        Rest(all_layouts(state), closed_cells(state.cells), board(5, 4).masks, lambda: False).best()
    knowledge = Knowledge(state)
    assert guess(knowledge, knowledge.chances(Dice(1)), lambda: False) in closed_cells(state.cells)


def test_alone_one_goes_where_the_next_click_is_safe_among_several_where_it_is_not():
    state = table("*.... / ..... / ...*.")
    knowledge = Knowledge(state)
    count = knowledge.count
    assert count is not None
    alone = {cell: prospect(knowledge, cell, count.total, 1) for cell in closed_cells(state.cells)}
    among = {cell: prospect(knowledge, cell, count.total, 2) for cell in closed_cells(state.cells)}
    # Nothing is known yet: all cells are alike but for how often they open, which corners do most.
    assert max(alone, key=lambda cell: alone[cell]) in (0, 4, 10, 14)
    assert max(among, key=lambda cell: among[cell]) not in (0, 4, 10, 14)
