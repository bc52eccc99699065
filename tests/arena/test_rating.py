"""Strength from results: what must come out is known from formulas, or because results were made so."""

import math
import random

import pytest

from ludoteca.arena.rating import SCALE, Result, Sprt, ratings


def test_three_wins_of_four_are_the_elo_of_their_odds():
    results = [Result(0, 1, 0.25)] * 4000
    first, second = ratings(results, 2)
    assert first.elo == 0
    assert second.elo == pytest.approx(400 * math.log10(3), abs=0.5)


def test_the_error_is_that_of_a_share_of_wins():
    """With half of n matches won, the standard error of the log odds is 2 / sqrt(n)."""
    results = [Result(0, 1, float(n % 2)) for n in range(400)]
    assert ratings(results, 2)[1].error == pytest.approx(1.96 * SCALE * 2 / math.sqrt(401), rel=1e-6)


def test_seats_do_not_matter_and_draws_are_halves():
    assert ratings([Result(0, 1, 1.0), Result(1, 0, 1.0)], 2)[1].elo == pytest.approx(0, abs=1e-6)
    assert ratings([Result(0, 1, 0.5)] * 10, 2)[1].elo == pytest.approx(0, abs=1e-6)


def test_who_won_everything_is_strong_and_not_infinite():
    strong = ratings([Result(1, 0, 1.0)] * 10, 2)[1]
    assert 400 < strong.elo < 700
    assert strong.error > 200


def test_strengths_of_many_are_found_again_within_their_errors():
    chance = random.Random(3)
    truth = [0.0, 120.0, 150.0, 420.0]
    results = []
    for _ in range(400):
        for one in range(4):
            for other in range(one):
                odds = 1 / (1 + 10 ** ((truth[other] - truth[one]) / 400))
                results.append(Result(one, other, float(chance.random() < odds)))
    for rating, elo in zip(ratings(results, 4), truth, strict=True):
        assert abs(rating.elo - elo) < 1.5 * max(rating.error, 1)
        assert rating.error < 50


def test_somebody_who_met_nobody_has_an_error_beyond_all_bounds():
    assert ratings([Result(0, 1, 1.0)], 3)[2].error > 1e6


@pytest.mark.parametrize(("share", "verdict"), [(0.75, "stronger"), (0.5, "not stronger")])
def test_the_test_stops_with_the_truth(share, verdict):
    """0 against 100 Elo: who wins three of four is stronger, who wins half is not."""
    chance = random.Random(8)
    right = 0
    for _ in range(40):
        scores: list[float] = []
        while not (said := Sprt(0, 100).verdict(scores)):
            scores.append(float(chance.random() < share))
            assert len(scores) < 2000
        right += said == verdict
    assert right >= 35


def test_a_few_wins_are_no_proof():
    assert Sprt(0, 20).verdict([1.0] * 5) == ""
    assert Sprt(0, 100).verdict([]) == ""
