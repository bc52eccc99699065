"""Bots of the house: they play any game by its rules alone, and better than chance."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest

import ludoteca
from ludoteca import bots, games
from ludoteca.bots.search import Measure, search, worth
from ludoteca.core import LEVELS, Dice, Game, LocalError, Outcome, Question, Seat, Text
from ludoteca.play import patience


class Heaps(msgspec.Struct):
    """A heap of which one or two are taken by turns; whoever takes the last one loses."""

    left: int = 5
    mover: int = 0

    @property
    def questions(self) -> dict[Seat, Question[int]]:
        return {Seat(self.mover): Question("take", (1, 2)[: self.left])} if self.left else {}

    @property
    def outcome(self) -> Outcome | None:
        ranks = (1, 2) if self.mover == 0 else (2, 1)
        return None if self.left else Outcome(ranks, "")

    def clone(self) -> "Heaps":
        return Heaps(self.left, self.mover)


def take(state: Heaps, _seat: Seat, count: int) -> list[int]:
    state.left -= count
    state.mover = 1 - state.mover
    return []


def never(*_: Any) -> Any:
    raise AssertionError("nobody asks for this")


def play(game: str, levels: list[str], seed: int, looks: int = 30) -> Outcome:
    """A whole match between bots that look at a fixed number of trials for each decision."""
    return ludoteca.duel(levels, game, 1, seed, looks).outcomes[0]


@pytest.mark.parametrize("name", games.names())
def test_the_search_bot_plays_every_game_to_its_end(name: str) -> None:
    match, dice = ludoteca.Match.new(name, seed=1), Dice(1)
    # The first decisions are searched, which is what could fail; the rest is chance, which is quick.
    for _ in range(6):
        if match.over:
            break
        seat = next(iter(match.asked))
        private = match.game.redeal(match.state, seat, dice)
        action = bots.choose(match.game, "search", private, seat, dice, patience(10))
        assert action in match.choices(seat)
        match.act(seat, action)


@pytest.mark.slow
def test_searching_beats_chance() -> None:
    won = 0
    for seed in range(12):
        levels = ["search", "random"] if seed % 2 else ["random", "search"]
        outcome = play("multisweeper", levels, seed)
        won += Seat(levels.index("search")) in outcome.winners
    assert won >= 9


@pytest.mark.parametrize("looks", [0, 1, 20])
def test_the_search_makes_as_many_trials_as_it_has_time_for(looks: int) -> None:
    match, dice, clones = ludoteca.Match.new("santorini", seed=2), Dice(2), []

    class Counted(type(match.state)):  # type: ignore[misc]
        def clone(self) -> object:
            clones.append(1)
            return super().clone()

    (seat,) = match.asked
    state = match.state
    counted = Counted(**{field: getattr(state, field) for field in state.__struct_fields__})
    game = msgspec.structs.replace(match.game, redeal=lambda *_: counted)
    assert search(game, counted, seat, dice, patience(looks)) in match.choices(seat)
    assert len(clones) == looks + 1 if looks else len(clones) == 1


def test_the_search_sees_what_the_others_answer() -> None:
    """Who takes the larger heap at once loses to the answer: looking one decision deep is not enough."""
    heaps = Heaps()
    game: Game = Game(
        name="heaps", title="Heaps", version=1, seats=range(2, 3), actions=int, events=int, views=int,
        start=never, apply=take, leave=never, view=never, update=never,
        redeal=lambda state, _seat, _dice: state.clone(), text=cast("Text", None),
    )  # fmt: skip
    found = [search(game, heaps.clone(), Seat(0), Dice(seed), patience(300)) for seed in range(5)]
    assert found == [1] * 5, "of 5 take 1: whoever takes the last one loses"


def test_an_opinion_of_the_game_is_used_in_whatever_measure_it_is() -> None:
    for factor in (1e-3, 1.0, 1e6):
        measure = Measure()
        ahead, behind = measure.chances([3 * factor, 1 * factor])
        assert ahead == pytest.approx(1 - behind)
        assert 0.6 < ahead < 0.9
    assert Measure().chances([0.0, 0.0]) == [0.5, 0.5]
    assert Measure().chances([5.0, 5.0, 1.0])[2] < 0.5


def test_an_outcome_is_worth_more_to_those_who_won() -> None:
    assert worth(Outcome((1, 2), ""), Seat(0)) == 1
    assert worth(Outcome((1, 2), ""), Seat(1)) == 0
    assert worth(None, Seat(0)) == worth(Outcome((), ""), Seat(0)) == 0.5
    three = [worth(Outcome((1, 2, 3), ""), Seat(seat)) for seat in range(3)]
    assert three == sorted(three, reverse=True)


@pytest.mark.parametrize("name", games.names())
def test_every_game_of_the_house_has_bots_of_its_own_at_all_five_levels(name: str) -> None:
    assert tuple(games.load(name).bots) == tuple(LEVELS)


def test_levels_name_the_house_bots_and_the_games_own() -> None:
    levels = bots.levels(games.load("multisweeper"))
    assert levels == ("random", "search", "playful", "easy", "medium", "strong", "master")


def test_a_game_without_bots_of_its_own_has_the_same_levels_by_search() -> None:
    game = msgspec.structs.replace(games.load("multisweeper"), bots={}, former_bots={})
    assert bots.levels(game) == bots.levels(games.load("multisweeper"))
    assert bots.strongest(game) == "master"
    match, dice = ludoteca.Match.new(game, seed=1), Dice(1)
    for level in LEVELS:
        (seat,) = match.asked
        private = game.redeal(match.state, seat, dice)
        match.act(seat, bots.choose(game, level, private, seat, dice, patience(4)))
        if match.outcome is not None:
            break


def test_a_level_goes_by_the_name_it_had_once() -> None:
    game = games.load("multisweeper")
    assert bots.named(game, "safe") == "medium"
    assert bots.find(game, "safe") is bots.find(game, "medium")
    assert bots.substitute(game, "safe") == "easy"
    assert "safe" not in bots.levels(game)
    assert bots.named(game, "") == "master"
    assert bots.named(game, "nobody") == "nobody"


OUTSIDE = """
def choose(game, state, seat, dice, more):
    return state.questions[seat].choices[-1]
"""
POINTS = """
[ludoteca.bots]
multisweeper.last = outside_bot:choose
multisweeper.master = outside_bot:choose
chess.last = outside_bot:choose
"""


def test_another_package_can_offer_a_bot(tmp_path: Path) -> None:
    """A really installed distribution, in a process of its own, since what is installed is looked up once."""
    (tmp_path / "outside_bot.py").write_text(OUTSIDE)
    info = tmp_path / "outside_bot-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: outside-bot\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(POINTS)
    code = """if True:
        import ludoteca
        from ludoteca import bots
        from ludoteca.core import LEVELS
        game = ludoteca.load("multisweeper")
        assert bots.levels(game) == ("random", "search", "last", *LEVELS), bots.levels(game)
        assert bots.find(game, "last").__module__ == "outside_bot"
        assert bots.find(game, "master").__module__ != "outside_bot"  # The game's own cannot be replaced.
        assert bots.strongest(game) == "master"
        assert sum(ludoteca.duel(["last", "random"], game, matches=2).wins) == 2
    """
    env = {**os.environ, "PYTHONPATH": str(tmp_path)}
    subprocess.run([sys.executable, "-c", code], check=True, env=env)


def test_a_bot_that_nobody_offers_is_an_error_that_lists_those_there_are() -> None:
    with pytest.raises(LocalError, match="random, search"):
        bots.find(games.load("santorini"), "oracle")


def test_a_shared_victory_is_worth_less_than_one_alone_and_more_than_a_defeat() -> None:
    """Survivor of `worth`: a shared victory counts 0.75."""
    alone, shared, second = (
        worth(Outcome(ranks, ""), Seat(0)) for ranks in ((1, 2, 3), (1, 1, 3), (2, 1, 3))
    )
    assert alone > shared > second
    assert shared == 0.75


def test_a_bot_that_breaks_down_is_followed_by_the_next_weaker_one_down_to_chance() -> None:
    game = games.load("multisweeper")
    chain = ["master"]
    while chain[-1] != "random":
        chain.append(bots.substitute(game, chain[-1]))
    assert chain == ["master", "strong", "medium", "easy", "playful", "search", "random"]
    assert bots.substitute(game, "random") == "random"
    assert bots.substitute(game, "of a package that is gone") == "master"
