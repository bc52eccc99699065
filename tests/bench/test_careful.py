"""The load's clicks in Multisweeper: what a number proves is believed."""

import random
from typing import Any

import msgspec

from ludoteca import games
from ludoteca.bench.players.careful import Board
from ludoteca.core import Dice


def told(*events: Any) -> bytes:
    return msgspec.json.encode({"type": "events", "number": 1, "events": events})


def opened(closed: set[int], numbers: dict[int, int]) -> bytes:
    """All cells of the usual board but these, without a number where none is given."""
    cells = [(cell, numbers.get(cell, 0)) for cell in range(81) if cell not in closed]
    return told({"type": "Opened", "cells": cells})


def test_what_a_number_proves_safe_is_clicked() -> None:
    board = Board()
    # The corner is a mine, by the 1 at 10 that touches nothing else; so the 1 at 1 frees 2.
    board.hear(opened({0, 2, 9}, {1: 1}))
    board.hear(told({"type": "Opened", "cells": [(9, 1)]}))
    assert board.click(random.Random(1)) == (2, 0)


def test_a_proven_mine_is_not_clicked() -> None:
    board = Board()
    board.hear(opened({0, 80}, {10: 1}))
    assert {board.click(random.Random(seed)) for seed in range(20)} == {(8, 8)}
    board.clear()
    assert len({board.click(random.Random(seed)) for seed in range(20)}) > 5


def test_matches_last_longer_than_at_random() -> None:
    game, dice, chance = games.load("multisweeper"), Dice(1), random.Random(1)

    def moves(careful: bool, deal: int) -> int:
        state, _ = game.start(game.setup(2, seed=deal))
        board, count = Board(), 0
        while state.questions:
            (seat, question), *_ = state.questions.items()
            action = dice.choice(question.choices)
            if careful:
                where = board.click(chance)
                action = next(one for one in question.choices if (one.column, one.row) == where)
            board.hear(told(*game.apply(state, seat, action)))
            count += 1
        return count

    assert sum(moves(True, deal) for deal in range(20)) > 2 * sum(moves(False, deal) for deal in range(20))
