"""Advice: in positions where the reason is known, bots find the answer, its worth and the words."""

from typing import Any

import pytest

import ludoteca
from connectfour import GAME as CONNECTFOUR
from ludoteca import bots, games
from ludoteca.core import Dice, LocalError, Seat
from ludoteca.core.lesson import Try
from ludoteca.games.santorini.text import from_text
from ludoteca.play import patience

# Lessons whose answer the bots of the house find, too; the others teach a first step, not the best one.
SOLVED = [
    *(("santorini", one) for one in ("climb", "dome", "height", "god")),
    *(("multisweeper", one) for one in ("counts", "onetwoone", "edge", "chain")),
    *(("shelfie", one) for one in ("take", "group", "personal")),
    ("eriantys", "walk"),
    *(("renaissance", one) for one in ("faith", "leader")),
]
WORDS = {
    "climb": "Wins at once.",
    "dome": "Keeps your rival from winning on D3",
    "height": "Climbs to 2 and threatens to win in two places.",
    "counts": "The numbers beside it prove it free",
    "edge": "The numbers taken together prove it free.",
    "take": "Makes groups worth 2 points more.",
    "personal": "Puts a tile where your own goal wants it.",
    "walk": "Builds a tower.",
    "faith": "1 faith",
    "leader": "Is worth 2 points and gives 1 ",
}


@pytest.mark.parametrize(("name", "lesson"), SOLVED)
def test_what_a_lesson_teaches_is_advised_with_its_reason(name: str, lesson: str) -> None:
    game = games.load(name)
    found = next(one for one in games.lessons(name) if one.id == lesson)
    state, dice = found.position(), Dice(1)
    imagined = game.redeal(state, found.seat, dice)
    best, *others = bots.advise(game, imagined, found.seat, dice, patience(20), patience(0))
    after = state.clone()
    game.apply(after, found.seat, best.action)
    assert found.verdicts[found.judge(Try(state, best.action, after))].good, best
    assert WORDS.get(lesson, "") in best.words["en"]
    assert all(one.chance <= best.chance for one in others)
    assert others


def advised(state: Any, seat: int = 0) -> Any:
    game = games.load("santorini")
    return bots.advise(game, state, Seat(seat), Dice(1), patience(50), patience(3))


def test_a_win_is_certain_and_what_lets_the_rival_win_is_worthless() -> None:
    won = advised(from_text(". . . . . / 2A 3 . . . / . . . . . / . B . . B / . . . . A"))
    assert (won[0].chance, won[0].words["it"]) == (1.0, "Vince subito.")
    lost = advised(
        from_text("2B 3. .. .. .. / .. .. .. .. .. / 2. .. .. .. .. / .. .. .. .A .A / .. .. .. .. .B")
    )
    assert lost[0].chance == 0.0


def test_in_the_setup_of_santorini_nothing_is_foreseen_but_the_answer_itself() -> None:
    match = ludoteca.Match.new("santorini", 2, seed=1, options={"gods": "none"})
    while match.state.phase != "play":
        seat = next(iter(match.asked))
        advice = advised(match.state.clone(), seat)
        assert [len(one.line) for one in advice] == [1] * len(advice), match.state.phase
        match.act(seat, advice[0].action)


def test_the_line_is_how_it_would_go_on_until_the_seat_is_asked_again() -> None:
    best = advised(from_text("..... / .A.B. / ..2.. / .B.A. / ....."))[0]
    assert [step.seat for step in best.line] == [0, 0, 1, 1]
    assert best.line[0].text.startswith("move ")
    assert best.line[1].text.startswith("build ")


def test_a_game_that_advises_nothing_itself_is_advised_on_by_playing_it_out() -> None:
    match: ludoteca.Match[Any, Any, Any, Any] = ludoteca.Match.new(CONNECTFOUR, seed=1)
    for column in (3, 0, 3, 0, 3, 1):
        (seat,) = match.asked
        match.act(seat, match.choices(seat)[column])
    (seat,) = match.asked
    best, *others = match.advise(seat, level="strong")
    assert (best.action, best.chance) == (match.choices(seat)[3], 1.0)
    assert others[0].chance < 1.0
    assert best.words == {}


def test_advice_is_for_who_is_asked() -> None:
    match: ludoteca.Match[Any, Any, Any, Any] = ludoteca.Match.new("shelfie", seed=1)
    (asked,) = match.asked
    assert match.advise(asked)[0].action in match.choices(asked)
    with pytest.raises(LocalError, match="nothing is asked"):
        match.advise(1 - asked)
