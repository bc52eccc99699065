"""Chances and sentences, as games advise."""

from ludoteca.core.advice import Adviser, likely, say


def test_a_lead_makes_a_chance_and_the_same_the_other_way_round() -> None:
    assert likely(0, 10) == 0.5
    assert round(likely(10, 10), 9) == 0.75
    assert round(likely(-10, 10), 9) == 0.25
    assert 0 < likely(-1e9, 1) < likely(-5, 1) < likely(5, 1) < likely(1e9, 1) <= 1


def test_reasons_become_one_sentence_of_at_most_two_in_each_language() -> None:
    one, two, three = ("climbs to 2", "sale a 2"), ("threatens to win", "minaccia"), ("is nice", "è bello")
    assert say(one) == {"en": "Climbs to 2.", "it": "Sale a 2."}
    assert say(one, two, three) == {"en": "Climbs to 2 and threatens to win.", "it": "Sale a 2 e minaccia."}


def test_an_adviser_needs_no_more_than_words_a_chance_and_a_player() -> None:
    adviser = Adviser(lambda state, seat, action: say(("a", "b")), lambda state, seat: 0.5, lambda *_: None)
    assert (adviser.glance, adviser.judge) == (None, None)
