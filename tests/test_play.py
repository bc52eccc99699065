"""The library door: a match to play with, duels, playthroughs, records, and the two kinds of errors."""

import subprocess
import sys
from pathlib import Path

import pytest
from tests.hall.play import House

import ludoteca
from ludoteca import games
from ludoteca.core import Dice
from ludoteca.core.notices import Seated
from ludoteca.core.requests import Act, Join, Open
from ludoteca.games.multisweeper.actions import Click
from ludoteca.play import patience

EVERY = pytest.mark.parametrize("name", games.names())


@EVERY
def test_a_match_is_played_by_calling_it(name: str) -> None:
    match = ludoteca.Match.new(name, seed=3)
    dice = Dice(5)
    while not match.over:
        seat = dice.choice(sorted(match.asked))
        match.act(seat, dice.choice(match.choices(seat)))
    assert match.outcome is not None
    assert len(match.outcome.ranks) == match.setup.seats
    assert not match.asked
    assert match.choices(0) == ()
    assert "over" in repr(match)


@EVERY
def test_a_match_prints_as_its_picture_and_says_who_decides(name: str) -> None:
    match = ludoteca.Match.new(name, seed=1)
    assert str(match) == match.game.text.draw(match.view(), match.names)
    assert repr(match).startswith(f"<Match of {match.game.title}, {match.setup.seats} seats, 0 actions, ")


@EVERY
def test_words_do_as_well_as_actions(name: str) -> None:
    match = ludoteca.Match.new(name, seed=2)
    twin = match.clone()
    seat = min(match.asked)
    action = match.choices(seat)[0]
    assert twin.act(seat, match.game.text.write(action)) == match.act(seat, action)
    assert twin.state == match.state


@EVERY
def test_a_clone_goes_its_own_way(name: str) -> None:
    match = ludoteca.Match.new(name, seed=2)
    before, views = len(match.history), [match.view(seat) for seat in range(match.setup.seats)]
    twin = match.clone()
    seat = min(twin.asked)
    twin.act(seat, twin.choices(seat)[0])
    assert len(match.history) == before
    assert [match.view(seat) for seat in range(match.setup.seats)] == views


@EVERY
def test_a_redeal_looks_the_same_to_its_seat(name: str) -> None:
    match = ludoteca.Match.new(name, seed=4)
    assert match.redeal(0, seed=9).view(0) == match.view(0)


def test_misuse_and_refusal_are_two_kinds_of_errors() -> None:
    match = ludoteca.Match.new("multisweeper", seats=2, seed=1, options={"width": 4, "height": 4, "mines": 3})
    with pytest.raises(ludoteca.Refused):
        match.act(0, Click(4, 0))
    with pytest.raises(ludoteca.Refused):
        match.act(0, "somewhere")
    for wrong in (
        lambda: match.act(1, Click(0, 0)),
        lambda: match.act(2, Click(0, 0)),
        lambda: match.act(-1, Click(0, 0)),
        lambda: match.act(0, object()),
        lambda: match.act(0, None),
        lambda: match.view(2),
        lambda: ludoteca.Match.new("chess"),
        lambda: ludoteca.Match.new("multisweeper", seats=9),
        lambda: ludoteca.Match.new("multisweeper", options={"width": -1}),
        lambda: ludoteca.Match.new("multisweeper", options={"width": 600, "height": 600}),
        lambda: ludoteca.Match.new("santorini", preferences=[None]),
        lambda: ludoteca.Match.replay([]),
    ):
        with pytest.raises((ludoteca.LocalError, ludoteca.JournalError)):
            wrong()
    assert len(match.history) == 1


def test_a_match_that_is_over_takes_no_more() -> None:
    match = ludoteca.Match.new("multisweeper", seed=1)
    match.leave(0)
    assert match.over
    with pytest.raises(ludoteca.LocalError):
        match.leave(1)
    with pytest.raises(ludoteca.LocalError):
        match.act(1, Click(0, 0))


@EVERY
def test_a_setup_is_settled_or_it_does_not_start(name: str) -> None:
    """A board of no cells that asks for a click on one was once what came of options as
    they are by default."""
    game = games.load(name)
    for seats in game.seats:
        setup = game.setup(seats, 1)
        assert game.settle(setup.options, seats) == setup.options
        try:
            state, _ = game.start(ludoteca.core.Setup(seats, 1, game.options()))
        except ludoteca.LocalError:
            continue
        assert all(question.choices for question in state.questions.values())


def test_a_duel_comes_out_the_same_everywhere_and_the_better_bot_wins() -> None:
    first = ludoteca.duel(["safe", "random"], "multisweeper", matches=10, looks=5)
    assert first == ludoteca.duel(["safe", "random"], "multisweeper", matches=10, looks=5)
    assert sum(first.wins) == 10
    assert first.wins[0] > first.wins[1]
    assert str(first).splitlines()[0].startswith("safe")


def test_a_bot_may_be_any_function() -> None:
    def first_choice(game, state, seat, dice, more):
        return state.questions[seat].choices[0]

    told = ludoteca.duel([first_choice, "random"], "multisweeper", matches=4)
    assert told.names == ("first_choice", "random")
    assert len(told.outcomes) == 4


def test_patience_is_counted() -> None:
    more = patience(2)
    assert [more(), more(), more()] == [True, True, False]


@EVERY
def test_a_playthrough_tells_every_step_and_the_end(name: str) -> None:
    told = ludoteca.playthrough(name, seed=6)
    assert told == ludoteca.playthrough(name, seed=6)
    assert told != ludoteca.playthrough(name, seed=7)
    assert "1: " in told
    assert "Ranks " in told.splitlines()[-1] or ":" in told.splitlines()[-1]


def test_a_stored_record_is_replayed() -> None:
    house = House()
    anna, bruno = house.named("Anna"), house.named("Bruno")
    anna.ask(Open("multisweeper", 2))
    bruno.ask(Join(anna.last(Seated).table.id))
    anna.ask(Act((Click(0, 0),)))
    (lines,) = house.lines.values()
    match = ludoteca.Match.replay(lines)
    assert match.names == ("Anna", "Bruno")
    assert match.history[-1].action == (Click(0, 0),)
    (table,) = house.hall.tables
    assert match.state == table.match.state
    with pytest.raises(ludoteca.LocalError, match="never played"):
        ludoteca.Match.replay(lines[:2])


def test_only_what_is_named_is_there_and_nothing_is_imported_before_it_is_asked_for() -> None:
    assert sorted(ludoteca.__all__) == sorted(set(ludoteca.__all__))
    for name in ludoteca.__all__:
        assert getattr(ludoteca, name) is not None
    with pytest.raises(AttributeError):
        ludoteca.nothing  # noqa: B018
    code = "import sys, ludoteca; sys.exit(any(name.startswith('ludoteca.') for name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


NONSENSE = """
from ludoteca.core import Seat
from ludoteca.games.santorini import GAME

state, _ = GAME.start(GAME.setup(2, 1))
GAME.apply(state, Seat(0), "nonsense")
"""


@pytest.mark.slow
def test_applying_nonsense_fails_the_type_check(tmp_path: Path) -> None:
    for source, fails in ((NONSENSE, True), (NONSENSE.replace('"nonsense"', "state.choices[0]"), False)):
        (tmp_path / "client.py").write_text(source)
        command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path), "client.py"]
        checked = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert (checked.returncode != 0) == fails, checked.stdout
        assert ('"str"; expected' in checked.stdout) == fails
