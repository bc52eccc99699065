"""The bots: what each sees, the end game against plain search, and who beats whom."""

from collections import Counter
from functools import cache

import pytest
from tests.games.multisweeper.boards import A, B, table

from ludoteca import games
from ludoteca.core import Dice, Setup
from ludoteca.games.multisweeper.actions import Click
from ludoteca.games.multisweeper.bot.nim import Endgame
from ludoteca.games.multisweeper.bot.players import casual, master, safe, strong
from ludoteca.games.multisweeper.data import CLOSED, Options
from ludoteca.games.multisweeper.rules import apply, settle, start
from ludoteca.games.multisweeper.solver import Knowledge
from ludoteca.games.multisweeper.state import State

easy = casual(6)
GAME = games.load("multisweeper")


def answers(bot, state: State, tries: int = 30) -> set[tuple[int, int]]:
    clicks = [bot(GAME, state.clone(), A, Dice(seed), lambda: True) for seed in range(tries)]
    return {(click.column, click.row) for click in clicks}


# What they see


def test_easy_mostly_takes_what_single_numbers_show_to_be_free():
    state = table(".*...*")
    apply(state, A, Click(0, 0))  # a 1: the mine is beside it,
    apply(state, B, Click(2, 0))  # which is all that this 1 counts, so the cell to its right is free
    clicks = Counter(easy(GAME, state.clone(), A, Dice(seed), lambda: True).column for seed in range(100))
    assert clicks[3] > 70
    assert clicks[1] == 0
    assert set(clicks) == {3, 4, 5}


def test_safe_never_clicks_a_mine_while_a_cell_is_certain():
    state = table("*.... / ..... / ..*..")
    apply(state, A, Click(1, 1))
    apply(state, B, Click(4, 0))
    for seed in range(20):
        other = GAME.redeal(state, A, Dice(seed))
        click = safe(GAME, other, A, Dice(seed), lambda: True)
        assert not state.mines >> click.row * 5 + click.column & 1


def test_medium_mostly_clicks_what_is_certain_and_never_what_a_number_shows_to_be_mined():
    state = table(".*...*")
    apply(state, A, Click(0, 0))
    apply(state, B, Click(2, 0))
    medium = GAME.bots["medium"]
    clicks = Counter(medium(GAME, state.clone(), A, Dice(seed), lambda: True).column for seed in range(100))
    assert 80 < clicks[3] < 100
    assert set(clicks) == {3, 4, 5}


def test_nobody_clicks_a_known_mine_while_anything_else_is_closed():
    state = table("*..*")
    apply(state, A, Click(1, 0))
    for bot in (easy, safe, strong, master):
        assert answers(bot, state) <= {(0, 0), (2, 0), (3, 0)}
    apply(state, B, Click(2, 0))
    for bot in (easy, safe, strong, master):
        assert answers(bot, state) == {(0, 0), (3, 0)}


def test_an_opening_with_one_border_number_outweighs_two_lone_numbers():
    """Numbers * 1 1 * 1 0 0 0: two heaps of one, and an opening that must be taken whole."""
    state = table("*..*....")
    endgame = Endgame(state, state.mines)
    assert endgame.lone == [1, 2]
    assert endgame.total == 2
    assert {cell for cell in endgame.safe if endgame.after(cell) == 0} == {5, 6, 7}


@pytest.mark.parametrize("bot", [strong, master])
def test_once_the_mines_are_known_the_strong_ones_win_what_can_be_won(bot):
    settled = settle(Options(), 2)
    won = 0
    for seed in range(40):
        state, _ = start(Setup(2, seed, settled))
        dice = Dice(seed)
        while state.mover is not None:
            chances = Knowledge(state).chances(dice).values()
            endgame = Endgame(state, state.mines)
            if set(chances) == {0.0, 1.0} and endgame.total:
                click = bot(GAME, state.clone(), state.mover, dice, lambda: True)
                assert endgame.after(click.row * 9 + click.column) == 0
                won += 1
                break
            apply(state, state.mover, safe(GAME, state.clone(), state.mover, dice, lambda: True))
    assert won > 20


def moves_left(state: State) -> frozenset[int]:
    return frozenset(
        cell for cell, value in enumerate(state.cells) if value == CLOSED and not state.mines >> cell & 1
    )


def wins_by_search(state: State) -> bool:
    """Whether the player on turn wins, by trying everything; a position is its set of closed free cells."""

    @cache
    def wins(closed: frozenset[int]) -> bool:
        width = state.options.width
        for cell in closed:
            trial = state.clone()
            for other in range(len(trial.cells)):
                if trial.cells[other] == CLOSED and other not in closed and not trial.mines >> other & 1:
                    trial.cells[other] = 8  # open; its number does not matter here
            apply(trial, trial.mover or A, Click(cell % width, cell // width))
            if not wins(moves_left(trial)):
                return True
        return False

    return wins(moves_left(state))


@pytest.mark.parametrize("spread", ["eight", "four"])
@pytest.mark.parametrize("seed", range(25))
def test_the_value_of_an_end_game_is_that_of_plain_search(seed, spread):
    options = settle(Options(width=4, height=3 + seed % 2, mines=2 + seed % 3, spread=spread), 2)
    state, _ = start(Setup(2, seed, options))
    state.turn = 2  # Past the first click, which would move a mine.
    endgame = Endgame(state, state.mines)
    assert (endgame.total != 0) == wins_by_search(state)
    for cell in endgame.safe:
        later = state.clone()
        apply(later, later.mover or A, Click(cell % 4, cell // 4))
        assert Endgame(later, later.mines).total == endgame.after(cell)


def test_the_number_of_clicks_to_the_end_is_counted_right():
    state = table("....* / ..... / *....")
    endgame = Endgame(state, state.mines)
    order = [cell for cell in range(15) if not state.mines >> cell & 1]
    played = state.clone()
    clicks = 0
    for cell in order:
        if played.cells[cell] == CLOSED:
            apply(played, played.mover or A, Click(cell % 5, cell // 5))
            clicks += 1
    assert endgame.clicks(order) == clicks


@pytest.mark.slow
@pytest.mark.parametrize("bot", [easy, safe, strong, master])
def test_a_bot_does_not_look_under_the_cells(bot):
    """Its answer is the same wherever the unseen mines lie."""
    for seed in range(12):
        state, _ = start(Setup(2, seed, settle(Options(), 2)))
        for _ in range(1 + seed % 6):
            if state.mover is not None:
                apply(state, state.mover, safe(GAME, state.clone(), state.mover, Dice(seed), lambda: True))
        if state.mover is None:
            continue
        redealt = [GAME.redeal(state, state.mover, Dice(deal)) for deal in range(4)]
        said = {
            bot(GAME, other.clone(), state.mover, Dice(seed), lambda: True) for other in (state, *redealt)
        }
        assert len(said) == 1


# Who beats whom


def share_of_rounds(first, second, rounds: int, seats: int = 2, **options) -> float:
    """How many tournaments the first wins against copies of the second, changing seats."""
    settled = settle(Options(width=9, height=9, mines=10, **options), seats)
    won = 0
    for number in range(rounds):
        state, _ = start(Setup(seats, number // seats, settled))
        dice, mine = Dice(number), number % seats
        while state.mover is not None:
            bot = first if state.mover == mine else second
            apply(state, state.mover, bot(GAME, state.clone(), state.mover, dice, lambda: True))
        assert state.outcome is not None
        won += state.outcome.ranks[mine] == 1
    return won / rounds


@pytest.mark.slow
def test_safe_beats_easy():
    assert share_of_rounds(safe, easy, 300) > 0.52


@pytest.mark.slow
def test_the_master_beats_safe_clearly():
    """57 in 100 is what the end game alone would bring."""
    assert share_of_rounds(master, safe, 100) > 0.6


@pytest.mark.slow
def test_the_master_holds_out_among_three():
    assert share_of_rounds(master, safe, 60, seats=3) > 0.45
