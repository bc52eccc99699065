"""Answers cut into words: what may come next."""

from ludoteca.clients.completion import Vocabulary, outline

MOVES = ("move B2 A1", "move B2 C3", "move D4 C3", "build B2 A1", "end turn")


def labels(vocabulary: Vocabulary, typed: str) -> list[str]:
    return [choice.label for choice in vocabulary.after(typed).items]


def test_nothing_typed_offers_the_first_words():
    assert labels(Vocabulary(MOVES), "") == ["move", "build B2 A1", "end turn"]


def test_letters_narrow_the_words():
    assert labels(Vocabulary(MOVES), "m") == ["move"]
    assert labels(Vocabulary(MOVES), "move b2 c") == ["C3"]


def test_a_choice_that_leaves_one_answer_is_complete():
    found = Vocabulary(MOVES).after("move ")
    assert [(choice.label, choice.text, choice.complete) for choice in found.items] == [
        ("B2", "move B2", False),
        ("D4 C3", "move D4 C3", True),
    ]


def test_words_that_all_answers_share_lead_and_may_be_left_out():
    clicks = Vocabulary(("click 10 2", "click 9 1", "click 9 2"))
    assert clicks.after("").lead == "click"
    assert labels(clicks, "") == ["9", "10 2"], "numbers stand in their order"
    assert labels(clicks, "9 ") == ["1", "2"]
    assert clicks.after("9 1").items[0].text == "click 9 1"


def test_an_answer_that_begins_a_longer_one_can_be_sent_as_it_is():
    takes = Vocabulary(("take d4", "take d4 d5", "take e1"))
    assert [choice.complete for choice in takes.after("take d4 ").items] == [True, True]
    assert takes.after("take d4 ").items[0].text == "take d4"


def test_words_that_fit_nothing_offer_nothing():
    assert labels(Vocabulary(MOVES), "fly") == []
    assert labels(Vocabulary(()), "move") == []


def test_many_answers_are_outlined_by_their_beginnings():
    assert list(outline(MOVES, 10)) == list(MOVES)
    assert list(outline(MOVES, 3)) == ["move B2: A1 C3", "move D4: C3", "build B2: A1", "end: turn"]
