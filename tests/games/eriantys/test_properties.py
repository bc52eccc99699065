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
from ludoteca.games.eriantys.state import State, Tabletop

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


def students(tabletop: Tabletop) -> list[int]:
    """All students of the game, by colour."""
    places = [tabletop.bag, *tabletop.clouds]
    places += [island.students for island in tabletop.islands]
    places += [card.held for card in tabletop.characters]
    for player in tabletop.players:
        places += [player.entrance, player.dining]
    return [sum(counts) for counts in zip(*places, strict=True)]


def check_everything_is_there(tabletop: Tabletop, over: bool) -> None:
    numbers = NUMBERS[len(tabletop.players)]
    assert students(tabletop) == [26] * 5
    assert all(0 <= count <= 10 for player in tabletop.players for count in player.dining)
    for player in tabletop.players:
        home = player.towers
        standing = sum(len(island.tiles) for island in tabletop.islands if island.tower == player.tower)
        assert home >= 0
        # Only the last tower may be too few for its group, and then the game is over.
        assert home + standing == numbers.towers or (over and not home and standing > numbers.towers)
    coins = (
        tabletop.supply
        + sum(player.coins for player in tabletop.players)
        + sum(card.coin for card in tabletop.characters)
    )
    assert coins == (20 if tabletop.mode == "Expert" else 0)
    assert min(player.coins for player in tabletop.players) >= 0
    tiles = sum(island.no_entry for island in tabletop.islands)
    tiles += sum(card.no_entry or 0 for card in tabletop.characters)
    assert tiles == (4 if any(card.character == 5 for card in tabletop.characters) else 0)


def check_the_ring_is_whole(tabletop: Tabletop) -> None:
    tiles = [tile for island in tabletop.islands for tile in island.tiles]
    first = tiles.index(0)
    assert tiles[first:] + tiles[:first] == list(range(12))
    assert 0 <= tabletop.mother_nature < len(tabletop.islands)
    for place, island in enumerate(tabletop.islands):
        after = tabletop.islands[(place + 1) % len(tabletop.islands)]
        assert island.tower is None or island.tower != after.tower


def check_professors(tabletop: Tabletop) -> None:
    """Nobody but the holder of a professor has strictly the most students of its colour."""
    for colour, holder in enumerate(tabletop.professors):
        counts = [player.dining[colour] for player in tabletop.players]
        alone = [
            seat
            for seat, count in enumerate(counts)
            if count and counts.count(count) == 1 and count == max(counts)
        ]
        assert holder is None or 0 <= holder < len(counts)
        assert (
            not alone
            or holder == alone[0]
            or any(card.character == 2 and card.coin for card in tabletop.characters)
        )


@pytest.mark.parametrize(("seats", "mode"), TABLES)
@settings(max_examples=12, derandomize=True, deadline=None)
@given(seed=st.integers(0, 2**62))
def test_nothing_is_lost_and_nothing_comes_from_nowhere(seats: int, mode: Mode, seed: int) -> None:
    turns = 0
    for state, _, _, _ in walk(seats, mode, seed):
        turns += 1
        check_everything_is_there(state.tabletop, state.outcome is not None)
        check_the_ring_is_whole(state.tabletop)
        check_professors(state.tabletop)
    assert state.tabletop.round <= 10
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
