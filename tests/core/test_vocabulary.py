"""Numbers for actions, also for those that are too many to list."""

import pytest

from ludoteca.core import LocalError, Question
from ludoteca.core.vocabulary import Nth, Vocabulary
from ludoteca.games.renaissance.actions import EndTurn, Pay, PlayLeader
from ludoteca.games.renaissance.cards.paying import payments
from ludoteca.games.renaissance.data import Stock
from ludoteca.games.renaissance.encoding import PAYMENTS_MAX
from ludoteca.games.renaissance.events import Depot
from ludoteca.games.renaissance.state import Board

WORDS = Vocabulary([EndTurn(), PlayLeader("L001"), Nth("Pay", 0), Nth("Pay", 1)])
PAYMENTS = (Pay(strongbox=Stock(1)), EndTurn(), Pay(warehouse=Stock(1)))


def test_every_answer_has_a_number_and_comes_back_by_it() -> None:
    question = Question("pay", PAYMENTS)
    assert WORDS.numbers(question) == [2, 0, 3]
    assert [WORDS.action(question, number) for number in (2, 0, 3)] == list(PAYMENTS)
    assert len(WORDS) == 4


@pytest.mark.parametrize("number", [1, 3, -1, 4, 10**9])
def test_a_number_that_is_no_answer_is_none(number: int) -> None:
    with pytest.raises(LocalError, match="is no answer"):
        WORDS.action(Question("pay", PAYMENTS[:2]), number)


def test_what_has_no_word_and_what_has_two_is_a_mistake() -> None:
    with pytest.raises(LocalError, match="no word"):
        WORDS.numbers(Question("pay", (*PAYMENTS, Pay(leaders=Stock(1)))))
    with pytest.raises(LocalError, match="twice"):
        Vocabulary([EndTurn(), EndTurn()])


def test_there_are_never_more_ways_to_pay_than_have_a_number() -> None:
    depots = (
        Depot("servants", 1),
        Depot("stones", 2),
        Depot("coins", 3),
        Depot("coins", 2),
        Depot("stones", 2),
    )
    rich = Board(depots=depots, strongbox=Stock(9, 9, 9, 9))
    assert len(payments(rich, Stock(9, 9, 9, 9))) == PAYMENTS_MAX
