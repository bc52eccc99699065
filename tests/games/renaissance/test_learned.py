"""What was learned: every trait has its weight, and the lead of one is the lag of the other."""

import pytest

import ludoteca
from ludoteca.core import Dice, Seat
from ludoteca.games.renaissance import GAME
from ludoteca.games.renaissance.bot import learned, mind, search
from ludoteca.games.renaissance.bot.mind import ALONE, MANY
from ludoteca.games.renaissance.bot.players import BOTS, step
from ludoteca.games.renaissance.bot.weights import WEIGHTS


def match_after(steps: int, seats: int = 2) -> ludoteca.Match:
    match = ludoteca.Match.new(GAME, seats, 5)
    for _ in range(steps):
        seat = next(iter(match.asked))
        match.act(seat, step(match.state, seat))
    return match


@pytest.mark.parametrize("steps", [0, 30, 90])
def test_who_leads_leads_by_what_the_other_lags(steps: int) -> None:
    tabletop = match_after(steps).state.tabletop
    assert len(learned.traits(tabletop, 0)) == len(WEIGHTS)
    assert learned.lead(tabletop, 0) == pytest.approx(-learned.lead(tabletop, 1))


@pytest.mark.parametrize("seats", [1, 2])
def test_what_a_mind_remembers_changes_nothing(seats: int, monkeypatch: pytest.MonkeyPatch) -> None:
    match, weights = match_after(0, seats), ALONE if seats == 1 else MANY
    monkeypatch.setattr(mind, "KNOWN_MAX", 20)
    for _ in range(120):
        if match.over:
            break
        seat = next(iter(match.asked))
        remembered = mind.Mind(match.state.tabletop, seat, weights)
        said = remembered.turns(), remembered.standing()
        known = dict(mind._KNOWN)
        assert len(known) <= 20
        mind._KNOWN.clear()
        fresh = mind.Mind(match.state.tabletop, seat, weights)
        assert (fresh.turns(), fresh.standing()) == said
        mind._KNOWN.update(known)
        match.act(seat, step(match.state, seat))


def test_the_master_looks_at_leaders_and_first_resources_too() -> None:
    """Other choices than the one that looks best are played on; the best of them is taken."""
    match = match_after(0, seats=3)
    for _ in range(4):
        seat = next(iter(match.asked))
        question = match.asked[seat]
        looked: list[bool] = []

        def more(looked: list[bool] = looked) -> bool:
            looked.append(True)
            return len(looked) < 5

        answer = BOTS["master"](GAME, match.state.clone(), seat, Dice(1), more)
        assert answer in question.choices
        assert question.kind not in ("leaders", "resources") or len(looked) >= 5
        match.act(seat, answer)


def test_without_time_what_looks_best_is_played() -> None:
    match = match_after(40)
    while next(iter(match.asked.values())).kind != "action":
        seat = next(iter(match.asked))
        match.act(seat, step(match.state, seat))
    seat = Seat(next(iter(match.asked)))
    choices = match.choices(seat)
    looks = {mind.Turn(choice): float(place) for place, choice in enumerate(choices)}
    assert search.best(match.state, seat, looks, step, Dice(1), lambda: False).first == choices[-1]
