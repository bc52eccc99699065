"""Random games: everything is accounted for, and the ring stays whole."""

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludoteca import games
from ludoteca.core import Dice, Seat, Setup
from ludoteca.games.eriantys.actions import Action, BuyCharacter, MoveToDining
from ludoteca.games.eriantys.data import CHARACTERS, NUMBERS, Mode
from ludoteca.games.eriantys.events import CharacterBought, Event
from ludoteca.games.eriantys.rules import Options
from ludoteca.games.eriantys.state import State

GAME = games.load("eriantys")
TABLES = [(seats, mode) for seats in (2, 3, 4) for mode in ("Basic", "Expert")]


def walk(seats: int, mode: Mode, seed: int) -> Iterator[tuple[State, Seat, Action, list[Event]]]:
    """A game played at random, but with a liking for dining rooms, where coins come from,
    and for dear characters."""
    state, _ = GAME.start(Setup(seats, seed, Options(mode)))
    dice = Dice(seed)
    while state.outcome is None:
        ((seat, question),) = state.questions.items()
        dining = [option for option in question.choices if isinstance(option, MoveToDining)]
        buying = [option for option in question.choices if isinstance(option, BuyCharacter)]
        action = dice.choice(question.choices)
        if dining and dice.below(2):
            action = dice.choice(dining)
        if buying and not dice.below(4):
            action = max(buying, key=lambda option: CHARACTERS[option.character].price)
        yield state, seat, action, GAME.apply(state, seat, action)


def students(state: State) -> list[int]:
    """All students of the game, by colour."""
    places = (
        [group.students for group in state.groups] + state.clouds + [card.students for card in state.cards]
    )
    for school in state.schools:
        places += [school.entrance, school.dining]
    return [sum(counts) for counts in zip(state.bag, *places, strict=True)]


def check_everything_is_there(state: State, mode: Mode) -> None:
    numbers = NUMBERS[len(state.schools)]
    assert students(state) == [26] * 5
    assert all(0 <= count <= 10 for school in state.schools for count in school.dining)
    for team, home in enumerate(state.towers):
        standing = sum(len(group.tiles) for group in state.groups if group.tower == team)
        assert home >= 0
        # Only the last tower may be too few for its group, and then the game is over.
        assert home + standing == numbers.towers or (state.outcome and not home and standing > numbers.towers)
    coins = (
        state.supply
        + sum(school.coins for school in state.schools)
        + sum(card.bought for card in state.cards)
    )
    assert coins == (20 if mode == "Expert" else 0)
    assert min(school.coins for school in state.schools) >= 0
    tiles = sum(group.no_entry for group in state.groups) + sum(card.no_entry for card in state.cards)
    assert tiles == (4 if any(card.character == 5 for card in state.cards) else 0)


def check_the_ring_is_whole(state: State) -> None:
    tiles = [tile for group in state.groups for tile in group.tiles]
    first = tiles.index(0)
    assert tiles[first:] + tiles[:first] == list(range(12))
    assert 0 <= state.mother_nature < len(state.groups)
    for place, group in enumerate(state.groups):
        after = state.groups[(place + 1) % len(state.groups)]
        assert group.tower is None or group.tower != after.tower


def check_professors(state: State) -> None:
    """Nobody but the holder of a professor has strictly the most students of its colour."""
    for colour, holder in enumerate(state.professors):
        counts = [school.dining[colour] for school in state.schools]
        alone = [
            seat
            for seat, count in enumerate(counts)
            if count and counts.count(count) == 1 and count == max(counts)
        ]
        assert holder is None or 0 <= holder < len(counts)
        assert (
            not alone
            or holder == alone[0]
            or any(card.character == 2 and card.bought for card in state.cards)
        )


@pytest.mark.parametrize(("seats", "mode"), TABLES)
@settings(max_examples=12, derandomize=True, deadline=None)
@given(seed=st.integers(0, 2**62))
def test_nothing_is_lost_and_nothing_comes_from_nowhere(seats: int, mode: Mode, seed: int) -> None:
    turns = 0
    for state, _, _, _ in walk(seats, mode, seed):
        turns += 1
        check_everything_is_there(state, mode)
        check_the_ring_is_whole(state)
        check_professors(state)
    assert state.round <= 10
    assert turns < 400


def test_every_character_is_used_in_random_games() -> None:
    used: set[int] = set()
    for seed in range(80):
        for _, _, _, events in walk(2 + seed % 3, "Expert", seed):
            used |= {event.character for event in events if isinstance(event, CharacterBought)}
    assert used == set(CHARACTERS)


def test_views_do_not_show_the_order_of_the_bag() -> None:
    state, _ = GAME.start(Setup(2, 5, Options("Expert")))
    other = state.clone()
    other.dice = Dice(99)
    assert GAME.view(state, Seat(0)) == GAME.view(other, Seat(0))


def test_the_drawing_fits_eighty_columns() -> None:
    for seed in range(5):
        for state, _, _, _ in walk(4, "Expert", seed):
            drawing = GAME.text.draw(GAME.view(state, None), ["Ann", "Bob", "Cal", "Dee"])
            assert max(map(len, drawing.splitlines())) <= 80
