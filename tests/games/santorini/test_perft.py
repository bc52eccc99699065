"""Counting positions to a fixed depth: one number that changes when any rule does."""

from collections.abc import Iterator

import pytest
from tests.games.santorini.boards import from_text

from ludoteca.core import Seat
from ludoteca.games.santorini.rules import apply
from ludoteca.games.santorini.state import State

START = "..... / .A.B. / ..... / .B.A. / ....."
MIDDLE = "1 . 2 . . / . 1A . 2B . / . 2 3 1 . / . 1B . A . / 1 . 2 . 1"


def count_lines(state: State, actions: int) -> int:
    """How many sequences of this many actions there are; one that ends the match counts once."""
    if not actions or state.outcome is not None:
        return 1
    if actions == 1:
        return len(state.choices)
    total = 0
    for choice in state.choices:
        later = state.clone()
        apply(later, Seat(later.seat), choice)
        total += count_lines(later, actions - 1)
    return total


def test_the_example_of_the_guide():
    state = from_text(START)
    assert [count_lines(state, actions) for actions in (1, 2, 3, 4, 5)] == [16, 80, 1216, 6176, 79128]


@pytest.mark.parametrize(
    ("gods", "counts"),
    [
        (["Apollo", "Minotaur"], [13, 66, 968, 4625]),
        (["Artemis", "Demeter"], [13, 108, 1146, 7358]),
        (["Athena", "Prometheus"], [13, 66, 1894, 9882]),
        (["Atlas", "Limus"], [13, 68, 984, 4644]),
        (["Pan", "Hermes"], [13, 66, 1948, 16413]),
        (["Hestia", "Persephone"], [4, 21, 86, 1190]),
        (["Triton", "Aphrodite"], [13, 100, 1210, 7836]),
        (["Morpheus", "Hypnus"], [6, 37, 529, 2502]),
        (["Poseidon", "Hera"], [13, 66, 755, 5040]),
        (["Selene", "Zeus"], [13, 147, 2065, 11516]),
        (["Eros", "Chronus"], [13, 66, 940, 4433]),
        (["Hephaestus", "Hades"], [9, 45, 157, 1484]),
        (["Terpsichore", "Urania"], [13, 84, 846, 4220]),
    ],
    ids=lambda value: "-".join(map(str, value)),
)
def test_lines_with_gods(gods, counts):
    state = from_text(MIDDLE, gods=gods)
    assert [count_lines(state, actions) for actions in (1, 2, 3, 4)] == counts


# The same without gods, written again from the rulebook alone.

Board = dict[tuple[int, int], int]
Workers = tuple[tuple[int, int], ...]


def around(space: tuple[int, int]) -> Iterator[tuple[int, int]]:
    for i in range(space[0] - 1, space[0] + 2):
        for j in range(space[1] - 1, space[1] + 2):
            if (i, j) != space and 0 <= i < 5 and 0 <= j < 5:
                yield i, j


def naive(board: Board, mine: Workers, theirs: Workers, turns: int) -> int:
    """Sequences of whole turns (a move and a build, or a winning move); level 4 is a domed tower."""
    if turns == 0:
        return 1
    total = 0
    for worker in mine:
        other = tuple(one for one in mine if one != worker)
        for target in around(worker):
            if target in mine + theirs or board[target] > min(3, board[worker] + 1):
                continue
            if board[target] == 3 and board[worker] == 2:
                total += 1
                continue
            for built in around(target):
                if built not in (*other, *theirs) and board[built] < 4:
                    total += naive({**board, built: board[built] + 1}, theirs, (target, *other), turns - 1)
    return total


@pytest.mark.parametrize("drawing", [START, MIDDLE])
def test_a_second_program_counts_the_same(drawing):
    state = from_text(drawing)
    board = {(i, j): state.towers[5 * i + j] for i in range(5) for j in range(5)}
    spaces = [divmod(space, 5) for space in state.workers]
    mine, theirs = tuple(spaces[:2]), tuple(spaces[2:])

    def whole_turns(state: State, turns: int) -> int:
        if turns == 0 or state.outcome is not None:
            return 1
        total = 0
        for move in state.choices:
            moved = state.clone()
            apply(moved, Seat(moved.seat), move)
            if moved.outcome is not None:
                total += 1
                continue
            for build in moved.choices:
                built = moved.clone()
                apply(built, Seat(built.seat), build)
                total += whole_turns(built, turns - 1)
        return total

    assert whole_turns(state, 2) == naive(board, mine, theirs, 2)
