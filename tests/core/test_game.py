"""What a game is to the rest of the house: outcomes, and setups that can only be made complete."""

from typing import Any

import msgspec
import pytest

from ludoteca import games
from ludoteca.core import LocalError, Outcome, Refused, Seat

SWEEPER = games.load("multisweeper")


@pytest.mark.parametrize(
    ("ranks", "winners"), [((1, 2), (0,)), ((2, 1, 1), (1, 2)), ((2, 3), ()), ((), ()), ((1,), (0,))]
)
def test_winners_are_those_of_the_first_rank(ranks: tuple[int, ...], winners: tuple[int, ...]) -> None:
    assert Outcome(ranks, "").winners == winners


def test_an_outcome_without_points_has_no_scores() -> None:
    assert Outcome((1, 2), "").scores == {}


@pytest.mark.parametrize("name", games.names())
def test_a_setup_says_everything_that_decides_a_match(name: str) -> None:
    game = games.load(name)
    setup = game.setup(seed=9)
    assert setup.seats == max(2, game.seats[0])
    assert setup.seed == 9
    assert isinstance(setup.options, game.options)
    assert setup.options == game.settle(setup.options, setup.seats), "settled already"
    assert setup.preferences == (game.preferences(),) * setup.seats
    assert setup.order == ()
    game.start(setup)


def test_options_may_be_plain_words_or_the_games_own_record() -> None:
    plain = SWEEPER.setup(2, options={"width": 5, "height": 4, "mines": 3})
    assert plain.options == SWEEPER.settle(SWEEPER.options(width=5, height=4, mines=3), 2)
    assert SWEEPER.setup(2, options=SWEEPER.options(width=5, height=4, mines=3)) == plain
    assert SWEEPER.setup(2, options=plain.options) == plain


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"seats": 1}, "is for 2 to"),
        ({"seats": 99}, "not 99"),
        ({"options": {"width": "wide"}}, "cannot be played so"),
        ({"options": {"width": 2, "height": 2, "mines": 4}}, "leave no free cell"),
        ({"preferences": [SWEEPER.preferences()]}, "1 preferences for 2 seats"),
        ({"preferences": [SWEEPER.preferences()] * 3}, "3 preferences for 2 seats"),
    ],
)
def test_what_no_table_could_agree_on_is_the_callers_mistake(given: dict[str, Any], why: str) -> None:
    with pytest.raises(LocalError, match=why):
        SWEEPER.setup(**given)


def test_wishes_that_do_not_go_together_are_the_callers_mistake_too() -> None:
    game = games.load("eriantys")
    white = game.preferences(tower="white")
    with pytest.raises(LocalError, match="cannot be played so"):
        game.setup(2, preferences=[white, white])
    setup = game.setup(2, preferences=[white, game.preferences(tower="black")])
    assert [wish.tower for wish in setup.preferences] == ["white", "black"]


def test_a_game_that_one_can_play_alone_is_set_up_for_two_unless_that_is_said() -> None:
    game = games.load("renaissance")
    assert game.seats[0] == 1
    assert (game.setup().seats, game.setup().seed) == (2, 0)
    assert game.setup(1).seats == 1


def test_what_settles_no_is_said_in_its_own_words() -> None:
    def settle(options: Any, seats: int) -> Any:
        raise Refused("not on Sundays")

    closed = msgspec.structs.replace(SWEEPER, settle=settle)
    with pytest.raises(LocalError, match="cannot be played so: not on Sundays"):
        closed.setup()


def test_a_game_plays_its_old_matches_unless_it_says_otherwise() -> None:
    assert [games.load(name).plays_from for name in games.names()] == [0] * len(games.names())


def test_a_game_without_a_seed_has_no_protocol_of_its_own_and_says_so() -> None:
    assert SWEEPER.protocol() is SWEEPER.wire
    with pytest.raises(Refused, match="Multisweeper has no protocol of its own") as refused:
        msgspec.structs.replace(SWEEPER, wire=None).protocol()
    assert refused.value.code == "protocol"


def test_where_a_game_says_nothing_a_return_changes_nothing_and_any_wishes_go_together() -> None:
    plain = SWEEPER
    state, _ = plain.start(plain.setup(2, 1))
    assert plain.rejoin(state, Seat(0)) == []
    plain.agree([None, None])
