"""Random games of all gods: never a stuck table, never an illegal island, always an end."""

from itertools import combinations, permutations

import pytest
from tests.games.santorini.boards import from_text

from ludoteca import games
from ludoteca.core import Dice, Seat, Setup
from ludoteca.games.santorini.data import CARDS, CATALOGUES, DOMED, NOWHERE, TOP
from ludoteca.games.santorini.events import Lost
from ludoteca.games.santorini.rules import apply
from ludoteca.games.santorini.state import Options, State

GAME = games.load("santorini")
STARTS = {2: "..... / .A.B. / ..... / .B.A. / .....", 3: "..... / .A.B. / .C.C. / .B.A. / ....."}
# A walk of Triton or Hermes may be long, but at random it does not go on for ever.
ACTIONS_MAX = 3_000


def friendly(gods: tuple[str, ...]) -> bool:
    """Whether these gods may meet at one table."""
    return all(len(gods) <= CARDS[god].seats_max and not set(CARDS[god].shuns) & set(gods) for god in gods)


def check_the_island(state: State) -> None:
    standing = [space for space in state.workers if space != NOWHERE]
    assert len(set(standing)) == len(standing), "two workers on one space"
    assert all(state.towers[space] <= TOP for space in standing), "a worker under a dome"
    assert all(tower % DOMED <= TOP and tower <= TOP + DOMED for tower in state.towers), "too high"
    for seat, out in enumerate(state.out):
        assert (state.workers[2 * seat : 2 * seat + 2] == (NOWHERE, NOWHERE)) == out
    surveyed = state.clone()
    surveyed.survey()
    assert surveyed == state, "the sets of spaces are not those of towers and workers"
    assert (state.outcome is None) == bool(state.choices), "a stuck table"
    assert len(set(state.choices)) == len(state.choices)


def play_at_random(gods: tuple[str, ...], dice: Dice) -> State:
    state = from_text(STARTS[len(gods)], gods=gods)
    for _ in range(ACTIONS_MAX):
        if state.outcome is not None:
            return state
        towers = bytes(state.towers)
        events = apply(state, Seat(state.seat), dice.choice(state.choices))
        check_the_island(state)
        assert all(after >= before for before, after in zip(towers, state.towers, strict=True))
        assert sum(after != before for before, after in zip(towers, state.towers, strict=True)) <= 1
        assert sum(isinstance(event, Lost) for event in events) == 0 or state.out.count(True) > 0
    raise AssertionError(f"the game of {gods} has no end")


PAIRS = [pair for pair in permutations(CARDS, 2) if friendly(pair)]
TRIOS = [trio for trio in combinations(CARDS, 3) if friendly(trio)]


@pytest.mark.parametrize("god", CARDS)
def test_random_games_of_every_pair_end_on_a_legal_island(god):
    dice = Dice(len(god))
    for pair in PAIRS:
        if pair[0] == god:
            state = play_at_random(pair, dice)
            assert state.outcome is not None
            assert sorted(state.outcome.ranks) == [1, 2]


def test_random_games_of_three_gods_end_on_a_legal_island():
    dice = Dice(33)
    for trio in dice.sample(TRIOS, 250):
        state = play_at_random(trio, dice)
        assert state.outcome is not None
        assert sorted(state.outcome.ranks) in ([1, 2, 2], [1, 2, 3])


@pytest.mark.slow
def test_random_games_of_all_trios_end_on_a_legal_island():
    dice = Dice(34)
    for trio in TRIOS:
        gods = list(trio)
        dice.shuffle(gods)
        play_at_random(tuple(gods), dice)


def test_every_catalogue_can_be_set_up_by_chance():
    for seats in (2, 3):
        for number in range(60):
            dice = Dice(number)
            state, _ = GAME.start(Setup(seats, 1, Options(dice.choice(list(CATALOGUES)))))
            while state.phase != "play":
                GAME.apply(state, state.seat, dice.choice(state.choices))
            check_the_island(state)
            gods = tuple(god for god in state.gods if god)
            assert friendly(gods)
            assert len(set(gods)) == len(gods)
