"""How many expert boards of Minesweeper the master's guesses win, alone.

    python -m training.multisweeper --start corner --boards 2000 --seed 1
    python -m training.multisweeper --start opening --boards 2000 --seed 1

prints the share of boards won with its standard error, and the seeds, one for each board. From a corner the
first click is on a corner without a mine; from an opening it is at column 3, row 3, on a cell that shows 0.
"""

import math
import random
import time
from argparse import ArgumentParser
from functools import partial
from multiprocessing import Pool

from ludoteca.core import Dice
from ludoteca.games.multisweeper.bot.guess import guess
from ludoteca.games.multisweeper.data import CLOSED, Options
from ludoteca.games.multisweeper.rules import opened
from ludoteca.games.multisweeper.solver import Knowledge
from ludoteca.games.multisweeper.state import State, board

WIDTH, HEIGHT, MINES = 30, 16, 99
STARTS = {"corner": 0, "opening": 3 * WIDTH + 3}


def deal(start: str, seed: int) -> State:
    """A board with its mines, the first cell about to be opened."""
    chance, first = random.Random(seed), STARTS[start]
    masks = board(WIDTH, HEIGHT).masks
    free = [
        cell
        for cell in range(WIDTH * HEIGHT)
        if cell != first and not (start == "opening" and masks[first] >> cell & 1)
    ]
    state = State(
        cells=bytearray([CLOSED]) * (WIDTH * HEIGHT),
        order=(),
        turn=1,
        mover=None,
        round=1,
        out=(),
        last=None,
        lost=None,
        options=Options(width=WIDTH, height=HEIGHT, mines=MINES),
        dice=Dice(seed),
    )
    state.mines = sum(1 << cell for cell in chance.sample(free, MINES))
    return state


def is_won(start: str, seed: int) -> tuple[bool, int]:
    """Play one board; whether it was cleared, and how many guesses that took."""
    state, dice, guesses = deal(start, seed), Dice(seed), 0
    wanted = [STARTS[start]]
    while True:
        for cell in wanted:
            if state.mines >> cell & 1:
                return False, guesses
            if state.cells[cell] == CLOSED:
                for one, number in opened(state, cell):
                    state.cells[one] = number
        if state.cells.count(CLOSED) == MINES:
            return True, guesses
        knowledge = Knowledge(state)
        wanted = [cell for cell in range(WIDTH * HEIGHT) if knowledge.safe >> cell & 1]
        if wanted:
            continue
        chances = knowledge.chances(dice)
        wanted = [cell for cell, chance in chances.items() if chance == 0.0]
        if not wanted:
            guesses += 1
            wanted = [guess(knowledge, chances, lambda: True)]


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--start", choices=sorted(STARTS), default="corner")
    parser.add_argument("--boards", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1, help="of the first board; each next one is one more")
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()
    seeds = range(given.seed, given.seed + given.boards)
    began = time.perf_counter()
    with Pool(given.processes) as pool:
        played = pool.map(partial(is_won, given.start), seeds, chunksize=10)
    won = sum(one for one, _ in played)
    share = won / given.boards
    error = math.sqrt(share * (1 - share) / given.boards)
    guesses = sum(count for _, count in played) / given.boards
    print(
        f"{given.start}: {won} of {given.boards} won, {share:.1%} (standard error {error:.1%}), "
        f"seeds {seeds[0]} to {seeds[-1]}, {guesses:.1f} guesses a board, {time.perf_counter() - began:.0f} s"
    )


if __name__ == "__main__":
    main()
