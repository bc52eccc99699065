"""Why a further step of one decision is not legal: a depot, a power, a payment, after those before it."""

from typing import Any

import pytest
from tests.games.renaissance.positions import full_decks, position

from ludoteca.core import Seat
from ludoteca.core.why import Attempt, why_not
from ludoteca.games.renaissance.actions import Action, BuyCard, Pay, Store, UseBasic, UseSlot
from ludoteca.games.renaissance.data import Stock
from ludoteca.games.renaissance.state import State
from ludoteca.games.renaissance.view import view
from ludoteca.games.renaissance.why import WHY

A = Seat(0)
COINS = UseBasic(("coins", "coins"), "stones")


def owner(**player: Any) -> State:
    """A position in which A chooses an action, with so much in the strongbox."""
    return position({"players": [{"name": "A", **player}, {"name": "B"}], "decks": full_decks()})


def told(state: State, *steps: Action) -> str:
    """The reason in English, "" where there is none."""
    asked = Attempt(view(state, A), A, state.questions[A], steps, ("A", "B"))
    found = why_not(WHY, asked)
    return found.words["en"] if found else ""


@pytest.mark.parametrize(
    ("steps", "reason"),
    [
        ((Store(2, "coins", 2), Store(1, "coins", 1)), "Depot 3 has coins already: no kind in two depots."),
        ((Store(2, "coins", 2), Store(2, "stones", 1)), "Depot 3 holds coins: one kind in a depot."),
        ((Store(2, "coins", 1), Store(1), Store(0, "stones", 2)), "Depot 1 has room for 1."),
        ((Store(2, "stones", 1), Store(1, "coins", 2), Store(2, "stones", 2)), "Only 1 stone can be placed."),
        ((Store(2, "coins", 1), Store(1, "stones", 1)), ""),
        ((Store(2, "coins", 1), Store(2, "coins", 2)), ""),
    ],
)
def test_a_depot_says_why_it_takes_nothing_more(steps: tuple[Action, ...], reason: str) -> None:
    given = {"players": [{"name": "A"}, {"name": "B"}], "decks": full_decks()}
    assert told(position(given, waiting=("coins", "coins", "stones"), acted=True), *steps) == reason


def test_a_power_says_what_is_short_together_with_those_chosen() -> None:
    state = owner(strongbox={"COINS": 2}, slots=[["D001"], [], []])
    assert told(state, COINS, UseSlot(0)) == "You need 1 coin more."
    assert told(state, COINS, UseSlot(1)) == "There is no card on that slot."
    assert told(owner(strongbox={"COINS": 3}, slots=[["D001"], [], []]), COINS, UseSlot(0)) == ""


def test_a_payment_says_what_is_due_and_where_there_is_not_so_much() -> None:
    state = owner(strongbox={"SHIELDS": 1}, warehouse={"1": ["SHIELDS", "SHIELDS"]})
    buy = BuyCard("D001", 0)
    assert (
        told(state, buy, Pay(warehouse=Stock(shields=2), strongbox=Stock(shields=1)))
        == "Pay exactly 2 shields."
    )
    assert told(state, buy, Pay(strongbox=Stock(shields=2))) == "There is not so much there."
    assert told(state, buy, Pay(warehouse=Stock(shields=2))) == ""
    assert told(state, COINS, Pay(strongbox=Stock(coins=1))) == "You need 2 coins more.", (
        "the first step decides"
    )
