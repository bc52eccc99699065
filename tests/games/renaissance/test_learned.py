"""What was learned: every trait has its weight, and the lead of one is the lag of the other."""

import pytest
from msgspec.structs import replace
from tests.games.renaissance.positions import position
from training.renaissance_turns import STEPS, match, moved, written

import ludoteca
from ludoteca.core import Dice, Seat
from ludoteca.games.renaissance import GAME
from ludoteca.games.renaissance.bot import learned, mind, search
from ludoteca.games.renaissance.bot.mind import ALONE, MANY
from ludoteca.games.renaissance.bot.players import BOTS, step
from ludoteca.games.renaissance.bot.tuned import TUNED
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


@pytest.mark.parametrize(("seats", "weights"), [(1, ALONE), (2, MANY), (2, TUNED)])
def test_what_a_mind_remembers_changes_nothing(
    seats: int, weights: mind.Weights, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = match_after(0, seats)
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


# The turns that look best to the master


@pytest.mark.slow
def test_what_was_learned_of_turns_wins_against_what_was_made_by_hand() -> None:
    won = 0
    for deal in range(30):
        one, other = match(deal, (TUNED, MANY)), match(deal, (MANY, TUNED))
        won += (one[0] > one[1]) + (other[1] > other[0])
    assert won >= 33


def test_weights_move_by_a_share_of_what_is_tried_and_stay_sensible() -> None:
    later = moved(TUNED, {**STEPS, "near": 1.0, "fading": -100.0}, 0.5)
    assert later.card == pytest.approx(TUNED.card + 0.25)
    assert (later.near, later.fading) == (1.0, 1.0)
    scope: dict[str, mind.Weights] = {}
    exec(written(TUNED, "again", 16), scope)
    assert scope["TUNED"] == TUNED


def test_a_missing_resource_is_nearer_when_a_power_gives_it() -> None:
    # One makes stones, the other coins.
    given = {
        "players": [{"name": "A", "slots": [["D014"], [], []]}, {"name": "B", "slots": [["D013"], [], []]}]
    }
    tabletop = position(given).tabletop
    far = [mind.Mind(tabletop, seat, TUNED)._known.far for seat in (0, 1)]
    assert far[0][1] < far[1][1] == mind.FAR
    assert far[0][0] == mind.FAR > far[1][0]
    assert mind.Mind(tabletop, 0, MANY)._known.far == (mind.FAR,) * 4


def test_a_tile_is_less_likely_when_a_rival_is_near_the_report() -> None:
    worths = []
    for rival in (0, 7):
        tabletop = position({"players": [{"name": "A", "faith": 2}, {"name": "B", "faith": rival}]}).tabletop
        worths.append(mind.Mind(tabletop, 0, TUNED).faith(2))
    assert worths[0] > worths[1] > 0


def test_resources_lose_their_worth_towards_the_end() -> None:
    tabletop = match_after(10).state.tabletop
    worths = [
        mind.Mind(tabletop, 0, replace(TUNED, turns_a_card=turns)).stock((0, 0, 0, 1)) for turns in (3.0, 0.1)
    ]
    assert worths[0] > worths[1]
