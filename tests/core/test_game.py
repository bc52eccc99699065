"""What a game is to the rest of the house: outcomes, and setups that can only be made complete."""

import pickle
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludoteca import games
from ludoteca.core import (
    Choices,
    LocalError,
    Outcome,
    Question,
    Refused,
    Room,
    Seat,
    Setup,
    Sight,
    Text,
    Wire,
)
from ludoteca.core.game import (
    Nothing,
    as_they_are,
    changes_nothing,
    colourless,
    for_all_to_see,
    never_clash,
    nothing_larger,
    nothing_to_hear,
)

SWEEPER = games.load("multisweeper")


@pytest.mark.parametrize(
    ("ranks", "winners"), [((1, 2), (0,)), ((2, 1, 1), (1, 2)), ((2, 3), ()), ((), ()), ((1,), (0,))]
)
def test_winners_are_those_of_the_first_rank(ranks: tuple[int, ...], winners: tuple[int, ...]) -> None:
    assert Outcome(ranks, "").winners == winners


def test_choices_are_a_tuple_in_which_answers_are_looked_up() -> None:
    words = Choices(["take", "leave", "take"])
    assert words == ("take", "leave", "take")
    assert "leave" in words
    assert "give" not in words
    assert msgspec.json.encode(words) == b'["take","leave","take"]'
    twin = pickle.loads(pickle.dumps(words))
    assert type(twin) is Choices
    assert twin == words
    assert "take" in twin


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


# What is asked.


class Squares(Sequence[int]):
    """Choices that are made only when somebody looks."""

    def __init__(self) -> None:
        self.made = 0

    def __len__(self) -> int:
        return 1000

    def __getitem__(self, at: Any) -> Any:
        if not 0 <= at < 1000:
            raise IndexError(at)
        self.made += 1
        return at * at


def test_a_long_list_of_choices_costs_only_what_is_looked_at() -> None:
    squares = Squares()
    question = Question[int]("square", squares)
    assert len(question.choices) == 1000
    assert squares.made == 0
    assert question.choices[7] == 49
    assert squares.made == 1


@pytest.mark.parametrize("name", games.names())
def test_choices_are_counted_indexed_and_held_alike_lazy_or_not(name: str) -> None:
    game = games.load(name)
    state, _ = game.start(game.setup(seed=3))
    assert state.questions, "somebody must begin"
    for seat, question in state.questions.items():
        listed = list(question.choices)
        assert len(question.choices) == len(listed) > 0, seat
        assert [question.choices[at] for at in range(len(listed))] == listed
        assert all(choice in question.choices for choice in listed[:20])
        assert object() not in question.choices
        with pytest.raises(IndexError):
            question.choices[len(listed)]


@pytest.mark.parametrize("name", games.names())
def test_a_question_cannot_be_changed_by_whoever_is_asked(name: str) -> None:
    game = games.load(name)
    state, _ = game.start(game.setup(seed=3))
    question = next(iter(state.questions.values()))
    with pytest.raises(AttributeError):
        question.kind = "other"


# How it ended.


@given(st.lists(st.integers(1, 4), max_size=4))
def test_nobody_wins_who_is_not_first_and_everybody_who_is(ranks: list[int]) -> None:
    outcome = Outcome(tuple(ranks), "over")
    assert [seat in outcome.winners for seat in range(len(ranks))] == [rank == 1 for rank in ranks]
    assert list(outcome.winners) == sorted(set(outcome.winners))


def test_an_outcome_is_stored_and_read_again() -> None:
    outcome = Outcome((1, 2), "by points", {"points": (9, 5), "total": (9, 5)})
    assert msgspec.json.decode(msgspec.json.encode(outcome), type=Outcome) == outcome
    assert msgspec.json.decode(b'{"ranks":[],"reason":"broken off"}', type=Outcome).winners == ()


def test_a_setup_that_says_little_is_read_as_it_always_was() -> None:
    """Records of old matches have no preferences and no order."""
    assert msgspec.convert({"seats": 2, "seed": 7, "options": None}, Setup) == Setup(2, 7, None, (), ())


@pytest.mark.parametrize("name", games.names())
def test_the_same_setup_begins_the_same_match_and_clones_are_like_it(name: str) -> None:
    game = games.load(name)
    setup = game.setup(seed=5)
    (one, first), (other, second) = game.start(setup), game.start(setup)
    assert one == other
    assert first == second
    assert one is not other
    clones = [one.clone(), one.clone()]
    assert clones[0] == clones[1] == one


# What most games leave unsaid.


def test_what_a_game_does_not_say_is_nothing_at_all() -> None:
    view, names = object(), ("Anna", "Bruno")
    assert nothing_larger(Sight(view, names), Room(200, 60)) is None  # type: ignore[func-returns-value]
    assert list(nothing_to_hear(view, names)) == []
    assert list(colourless(view)) == []
    assert changes_nothing(view, Seat(0)) == []
    assert never_clash([1, 1, 1]) is None  # type: ignore[func-returns-value]
    assert as_they_are(view, 4) is view
    assert for_all_to_see(view, None) is for_all_to_see(view, Seat(1)) is view


def test_a_return_that_changes_nothing_gives_everybody_a_list_of_their_own() -> None:
    """Whoever adds to it must not add to what the next one gets."""
    changes_nothing(None, Seat(0)).append("mine")
    assert changes_nothing(None, Seat(0)) == []


def test_words_for_a_game_need_six_functions_and_no_more() -> None:
    def never(*_: Any) -> Any:
        raise AssertionError

    text: Text = Text(never, never, never, never, never, never)
    assert text.inks == ()
    assert (text.hues, text.board, text.speak) == (colourless, nothing_larger, nothing_to_hear)


def test_a_protocol_needs_a_port_settings_and_conversations_and_no_more() -> None:
    wire = Wire(4000, Nothing, lambda _: None)  # type: ignore[arg-type,return-value]
    assert (wire.messages, wire.java, wire.breaks_up) == (None, None, frozenset())


@pytest.mark.parametrize("name", games.names())
def test_every_setting_of_a_protocol_has_a_default_for_the_operator_who_says_nothing(name: str) -> None:
    game = games.load(name)
    if game.wire is None:
        pytest.skip(f"{game.title} has no protocol of its own")
    settings = game.wire.settings()
    conversation = game.wire.converse(settings)
    assert not conversation.closing
    assert 1024 <= game.wire.port < 65_536


def test_protocols_do_not_share_a_port() -> None:
    ports = [game.wire.port for game in games.load_all() if game.wire is not None]
    assert len(set(ports)) == len(ports)


@pytest.mark.parametrize("name", games.names())
def test_a_game_is_public_exactly_when_nobody_sees_less_than_others(name: str) -> None:
    game = games.load(name)
    _, events = game.start(game.setup(seed=2))
    if game.public:
        assert all(game.seen(event, seat) is event for event in events for seat in (None, Seat(0), Seat(1)))
    assert msgspec.structs.replace(game, seen=for_all_to_see).public
    assert not msgspec.structs.replace(game, seen=lambda event, seat: event).public


@pytest.mark.parametrize("name", games.names())
@given(seats=st.integers(-5, 100))
def test_a_number_of_seats_is_taken_exactly_when_the_game_is_for_so_many(name: str, seats: int) -> None:
    game = games.load(name)
    try:
        taken = game.setup(seats).seats == seats
    except LocalError:
        taken = False
    # Nothing said is 0, and means the usual number.
    assert taken == (seats in game.seats)


@pytest.mark.parametrize("options", [[], "wide", 7, {"width": None}, {"width": 10**30}, {"width": -1}])
def test_options_that_are_none_are_the_callers_mistake(options: Any) -> None:
    if not options:
        assert SWEEPER.setup(2, options=options) == SWEEPER.setup(2)
        return
    with pytest.raises(LocalError, match="Multisweeper cannot be played so"):
        SWEEPER.setup(2, options=options)


def test_who_is_refused_is_told_the_numbers() -> None:
    first, last = SWEEPER.seats[0], SWEEPER.seats[-1]
    with pytest.raises(LocalError) as refused:
        SWEEPER.setup(last + 1)
    assert str(refused.value) == f"Multisweeper is for {first} to {last} players, not {last + 1}"
