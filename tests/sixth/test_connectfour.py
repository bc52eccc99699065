"""The sixth game by itself: its promises, its rules, its bots, one game in words."""

from pathlib import Path

import pytest
from tests.sixth import install

import ludoteca
from connectfour import GAME
from connectfour.actions import Drop
from connectfour.data import COLUMNS, LINES, ROWS
from connectfour.events import Dropped, Filled, Won
from connectfour.state import State
from ludoteca import testing
from ludoteca.core import Dice, LocalError, Refused, Seat
from ludoteca.play import patience
from ludoteca.testing.promises import Promise

PLAYTHROUGH = Path(__file__).parent / "playthroughs" / "easy-against-chance.txt"


def played(columns: str, seed: int = 1) -> ludoteca.Match:
    """A match after discs in these columns, by turns."""
    match = ludoteca.Match.new(GAME, seed=seed)
    for column in columns:
        match.act(next(iter(match.asked)), column)
    return match


@pytest.mark.parametrize("promise", testing.PROMISES, ids=lambda promise: promise.__name__)
def test_connect_four_keeps_its_promise(promise: Promise) -> None:
    promise(GAME)


@pytest.mark.slow
def test_connect_four_can_be_checked_without_pytest() -> None:
    testing.check(GAME)


def test_there_are_69_lines_of_four() -> None:
    assert len(set(LINES)) == 69


@pytest.mark.parametrize("columns", ["1212121", "1122334", "12233434464", "76655454424"])
def test_four_in_a_column_a_row_or_a_diagonal_win(columns: str) -> None:
    match = played(columns[:-1])
    assert not match.over
    (first,) = match.asked
    dropped, won = match.act(first, columns[-1])
    assert dropped == Dropped(first, int(columns[-1]) - 1)
    assert isinstance(won, Won)
    assert (won.seat, len(won.line)) == (first, 4)
    assert match.outcome is not None
    assert match.outcome.winners == (first,)
    assert not match.asked


def test_a_full_column_takes_no_more() -> None:
    match = played("111111")
    with pytest.raises(Refused, match="for example: drop 2"):
        match.act(next(iter(match.asked)), "1")
    with pytest.raises(Refused, match="column 1 is full"):
        match.act(next(iter(match.asked)), Drop(0))


def test_a_full_grid_is_shared() -> None:
    match = played("121212" + "212121" + "343434" + "434343" + "565656" + "656565" + "77777")
    *_, last = match.act(next(iter(match.asked)), "7")
    assert last == Filled()
    assert match.outcome is not None
    assert match.outcome.ranks == (1, 1)
    assert all(len(discs) == ROWS for discs in match.view().columns)


def test_who_leaves_has_lost() -> None:
    match = played("44")
    assert match.leave(1) == [Won(Seat(0), ())]
    assert match.outcome is not None
    assert match.outcome.ranks == (1, 2)


def test_chance_says_who_begins() -> None:
    assert {min(played("", seed).asked) for seed in range(20)} == {0, 1}


def test_it_is_for_two() -> None:
    with pytest.raises(LocalError, match="2 to 2 players, not 3"):
        GAME.setup(3)


@pytest.mark.parametrize("level", GAME.bots)
def test_every_bot_takes_a_win_and_stops_one(level: str) -> None:
    for columns in ("121212", "12121"):
        match = played(columns)
        state: State = match.state
        (seat,) = match.asked
        assert GAME.bots[level](GAME, state.clone(), seat, Dice(1), patience(20)) == Drop(0)


@pytest.mark.slow
def test_the_strong_bot_beats_the_easy_one_and_that_one_chance() -> None:
    assert ludoteca.duel(["strong", "easy"], GAME, matches=12).wins[0] >= 10
    assert ludoteca.duel(["easy", "random"], GAME, matches=20).wins[0] >= 16


def test_the_strong_bot_sees_a_win_that_is_several_discs_away() -> None:
    # Two in the middle of the lowest row, both ends free: a third one makes two threats at once.
    match = played("3344")
    (seat,) = match.asked
    answer = GAME.bots["strong"](GAME, match.state.clone(), seat, Dice(1), patience(200))
    assert answer in (Drop(1), Drop(4))


def test_a_game_is_told_as_it_was_written_down(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    install.connect_four(tmp_path)
    install.notice(monkeypatch, tmp_path)
    try:
        assert testing.retold(PLAYTHROUGH.read_text()) == PLAYTHROUGH.read_text()
    finally:
        monkeypatch.undo()
        install.forget()


def test_the_columns_are_numbered_from_one_in_words() -> None:
    match = played("")
    (question,) = match.asked.values()
    assert [GAME.text.write(choice) for choice in question.choices] == [
        f"drop {n + 1}" for n in range(COLUMNS)
    ]
    for words in ("0", "8", "drop", "drop 1 2", "-1", "\N{SUPERSCRIPT TWO}"):
        with pytest.raises(Refused):
            GAME.text.read(words, question)
