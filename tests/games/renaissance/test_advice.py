"""What is said for an answer, where something else would be wrong."""

from typing import Any

from tests.games.renaissance.positions import full_decks, position

import ludoteca
from ludoteca.core import Seat
from ludoteca.games.renaissance.actions import (
    Action,
    BuyCard,
    DiscardLeader,
    KeepLeaders,
    Pay,
    Store,
    TakeBack,
    TakeLine,
    UseBasic,
)
from ludoteca.games.renaissance.advice import explain
from ludoteca.games.renaissance.data import Stock
from ludoteca.games.renaissance.rules import apply
from ludoteca.games.renaissance.state import State

A = Seat(0)


def table(**ann: Any) -> State:
    players: list[dict[str, Any]] = [{"name": "Ann", **ann}, {"name": "Bob"}]
    return position({"players": players, "decks": full_decks()})


def said(state: State, action: Action, language: str = "en") -> str:
    question = state.asked[A]
    assert question is not None
    assert action in question.choices
    return explain(state, A, action)[language]


def test_what_a_line_brings_is_said_with_what_finds_no_place():
    assert (
        said(table(), TakeLine("row", 0)) == "Brings 2 servants, 1 shield and is enough for your next card."
    )
    full = table(warehouse={"0": ["COINS"], "1": ["STONES"] * 2, "2": ["SHIELDS"] * 3})
    assert said(full, TakeLine("row", 0)).startswith("Brings 2 servants, 1 shield (3 must be given up)")
    assert "(3 da scartare)" in said(full, TakeLine("row", 0), "it")


def test_only_the_depot_that_the_bots_want_is_said_to_give_up_least():
    state = table()
    apply(state, A, TakeLine("row", 0))
    assert said(state, Store(2, "servants", 2)) == "Here servants fit and least is given up."
    assert said(state, Store(2, "servants", 1)) == "Keeps 1 servant here."
    assert said(state, Store(2)) == "Leaves this depot empty."
    apply(state, A, Store(2, "servants", 2))
    assert said(state, Store(1, "shields", 1)) == "Here shields fit and least is given up."
    assert said(state, TakeBack()) == "Lets you choose anew."


def test_a_payment_from_the_strongbox_is_not_said_to_make_room():
    state = table(warehouse={"2": ["SHIELDS"] * 2}, strongbox={"SHIELDS": 2})
    apply(state, A, BuyCard("D001", 0))
    two = Stock(shields=2)
    assert said(state, Pay(warehouse=two)) == "Spends what takes up room first."
    assert said(state, Pay(strongbox=two)) == "Keeps what is in the depots."


def test_a_power_is_said_with_its_price_and_a_leader_with_its_worth():
    state = table(warehouse={"2": ["STONES"] * 3}, hand=["L001", "L002"])
    assert said(state, UseBasic(("stones", "stones"), "coins")) == "Makes 1 coin for 2 stones."
    assert said(state, DiscardLeader("L001")) == (
        "Gives a step of faith now for a leader worth 2 points in play."
    )


def test_leaders_are_told_apart_by_what_they_are_about_and_nothing_is_foreseen_before_the_turns():
    match: ludoteca.Match[Any, Any, Any, Any] = ludoteca.Match.new("renaissance", 3, seed=7)
    assert {len(one.line) for one in match.advise(A)} == {1}
    assert said(match.state, KeepLeaders("L004", "L008")) == (
        "These give 1 coin off the price of cards and room for 2 more coins."
    )
    while match.state.tabletop.phase == "leaders":
        seat = next(iter(match.asked))
        match.act(seat, match.choices(seat)[0])
    wanted = {explain(match.state, seat, one)["en"] for seat in match.asked for one in match.choices(seat)}
    assert "Coins are wanted by 1 of the first 4 cards." in wanted
    assert len(wanted) == 4
    while match.state.tabletop.phase != "turns":
        seat = next(iter(match.asked))
        match.act(seat, match.choices(seat)[0])
    assert len(match.advise(next(iter(match.asked)))[0].line) > 1
