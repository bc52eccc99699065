"""What is said for a click, where more is known than that it is free."""

from tests.games.multisweeper.boards import A, B, table

from ludoteca.games.multisweeper.actions import Click
from ludoteca.games.multisweeper.advice import explain
from ludoteca.games.multisweeper.rules import apply


def test_a_click_after_which_the_rival_is_left_with_the_mines_is_told_from_one_that_is_only_free():
    state = table("*..*....")
    apply(state, A, Click(1, 0))
    apply(state, B, Click(2, 0))
    # Both mines are known; what is left is an opening and its border number, which must be taken at once.
    said = {column: explain(state, A, Click(column, 0))["en"] for column in range(4, 8)}
    assert {column for column, words in said.items() if "left with the mines" in words} == {5, 6, 7}, said
