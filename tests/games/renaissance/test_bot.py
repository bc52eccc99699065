"""The bots: they win, they do not peek, and they go on with what somebody else has begun."""

import pytest
from tests.games.renaissance.positions import full_decks, position

import ludoteca
from ludoteca.core import Dice, Outcome, Seat, Setup
from ludoteca.games import load
from ludoteca.games.renaissance import rules
from ludoteca.games.renaissance.actions import BuyCard, EndTurn, Pay, PlayLeader, Store, TakeLine, UseBasic
from ludoteca.games.renaissance.bot.players import look_ahead, play_well, step
from ludoteca.games.renaissance.state import State
from ludoteca.games.renaissance.view import redeal

GAME = load("renaissance")
A = Seat(0)


def play(levels: list[str], seed: int, looks: int = 0) -> Outcome:
    """A match of bots, each in a world of its own."""
    (outcome,) = ludoteca.duel(levels, GAME, 1, seed, looks).outcomes
    return outcome


@pytest.mark.slow
def test_the_medium_bot_wins_against_lorenzo_more_often_than_not():
    wins = sum(bool(play(["medium"], seed).winners) for seed in range(24))
    assert wins >= 15


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_medium_bot_beats_random_players(seats):
    for seed in range(3):
        assert play(["medium"] + ["random"] * (seats - 1), seed).winners == (A,)


@pytest.mark.slow
def test_the_medium_bot_beats_the_search_of_the_house():
    totals = play(["search", "medium"], seed=1, looks=5).scores["total"]
    assert totals[1] > 2 * totals[0]


@pytest.mark.parametrize("seats", [1, 2, 4])
def test_a_bot_decides_alike_in_worlds_it_cannot_tell_apart(seats):
    state, _ = rules.start(Setup(seats, 30 + seats, None))
    dice = Dice(1)
    while state.outcome is None:
        seat = next(iter(state.questions))
        action = step(state, seat)
        assert step(redeal(state, seat, dice), seat) == action
        rules.apply(state, seat, action)


def test_thinking_stops_when_there_is_no_more_time():
    asked = []
    state, _ = rules.start(Setup(1, 3, None))
    rules.apply(state, A, state.questions[A].choices[0])

    def more() -> bool:
        asked.append(True)
        return len(asked) < 3

    action = look_ahead(GAME, state.clone(), A, Dice(1), more)
    assert action in state.questions[A].choices
    assert len(asked) == 3


RICH = {"COINS": 3, "STONES": 3, "SERVANTS": 3, "SHIELDS": 3}


def _choose(state: State):
    return play_well(GAME, state, A, Dice(1), lambda: False)


def test_a_leader_is_played_as_soon_as_it_can_be():
    state = position({"players": [{"name": "A", "hand": ["L005"], "strongbox": {"COINS": 5}}, {"name": "B"}]})
    assert _choose(state) == PlayLeader("L005")


def test_a_card_that_can_be_paid_is_bought_rather_than_more_resources():
    given = {"players": [{"name": "A", "strongbox": RICH}, {"name": "B"}], "decks": full_decks()}
    assert isinstance(_choose(position(given)), BuyCard)


def test_half_made_decisions_of_others_are_brought_to_an_end():
    given = {"players": [{"name": "A", "strongbox": RICH}, {"name": "B"}], "decks": full_decks()}
    for begun in (BuyCard("D001", 2), UseBasic(("coins", "coins"), "shields")):
        state = position(given)
        rules.apply(state, A, begun)
        for _ in range(6):
            rules.apply(state, A, _choose(state))
            if state.tabletop.acted:
                break
        assert state.tabletop.acted
        assert not state.tabletop.draft


def test_a_placement_begun_by_others_is_brought_to_an_end():
    waiting = ("coins", "stones", "stones", "shields")
    state = position({"players": [{"name": "A"}, {"name": "B"}]}, waiting=waiting, acted=True)
    rules.apply(state, A, Store(2, "shields", 1))
    while state.tabletop.waiting:
        rules.apply(state, A, _choose(state))
    assert sum(state.tabletop.boards[A].warehouse) >= 3


def test_nothing_is_wasted_when_everything_fits():
    state = position({"players": [{"name": "A"}, {"name": "B"}]})
    rules.apply(state, A, TakeLine("row", 2))
    while state.tabletop.waiting:
        rules.apply(state, A, _choose(state))
    assert state.tabletop.boards[1].faith == 0


def test_a_bot_pays_from_the_depots_first_and_ends_its_turn():
    player = {"name": "A", "warehouse": {"0": [], "1": ["SHIELDS", "SHIELDS"], "2": []}, "strongbox": RICH}
    state = position({"players": [player, {"name": "B"}], "decks": full_decks()})
    rules.apply(state, A, BuyCard("D001", 0))
    payment = _choose(state)
    assert isinstance(payment, Pay)
    assert payment.warehouse.shields == 2
    rules.apply(state, A, payment)
    assert _choose(state) == EndTurn()
