"""Rules that the cases do not reach: setting up, teams, wishes, edges of the characters, leaving."""

import re
from typing import Any

import pytest
from msgspec.structs import replace
from tests.games.eriantys.positions import lay, position

from ludoteca import games
from ludoteca.core import LocalError, Refused, Seat, Setup
from ludoteca.games.eriantys.actions import (
    Action,
    BuyCharacter,
    MoveToDining,
    MoveToIsland,
    PlayAssistant,
    ResolveIsland,
    ReturnColour,
    SendFromCard,
    StopSwapping,
    SwapWithCard,
    SwapWithDining,
    TakeCloud,
    Walk,
)
from ludoteca.games.eriantys.events import (
    BrokenOff,
    CoinEarned,
    InfluenceCounted,
    IslandsJoined,
    LastRoundAnnounced,
    ProfessorTaken,
)
from ludoteca.games.eriantys.rules import Options, Preferences, agree, apply, leave, start
from ludoteca.games.eriantys.state import NOBODY, Island, State

GAME = games.load("eriantys")
ANN, BOB, CAL, DEE = Seat(0), Seat(1), Seat(2), Seat(3)


def two(ann: dict[str, Any] | None = None, bob: dict[str, Any] | None = None, **more: Any) -> State:
    """An Expert position of two players, in the words of the cases."""
    players = [
        {"nickname": "ann", "towerColor": "white", "assistant": 3} | (ann or {}),
        {"nickname": "bob", "towerColor": "black", "assistant": 4} | (bob or {}),
    ]
    return position({"players": players, **more}, "Expert")


def islands(**named: dict[str, Any]) -> list[dict[str, Any]]:
    """Twelve islands, those named "i3" and so on as given."""
    return [named.get(f"i{place}", {}) for place in range(12)]


# Setting up


@pytest.mark.parametrize(
    ("seats", "entrance", "cloud", "towers", "bag"),
    [(2, 7, 3, 8, 106), (3, 9, 4, 6, 93), (4, 7, 3, 8, 92)],
)
def test_the_table_is_laid_for_the_number_of_players(seats, entrance, cloud, towers, bag):
    tabletop = start(Setup(seats, 11, Options("Basic")))[0].tabletop
    assert [sum(player.entrance) for player in tabletop.players] == [entrance] * seats
    assert [sum(students) for students in tabletop.clouds] == [cloud] * seats
    assert [player.towers for player in tabletop.players] == [towers] * seats
    assert sum(tabletop.bag) == bag - seats * cloud
    assert (tabletop.supply, tabletop.characters) == (0, ())


def test_every_island_has_a_student_but_mother_natures_and_the_one_opposite():
    for seed in range(20):
        tabletop = start(Setup(2, seed, Options("Basic")))[0].tabletop
        lying = [island.students for island in tabletop.islands]
        bare = [place for place, students in enumerate(lying) if not any(students)]
        assert bare == sorted([tabletop.mother_nature, (tabletop.mother_nature + 6) % 12])
        assert [sum(counts) for counts in zip(*lying, strict=True)] == [2] * 5


def test_three_different_characters_are_filled_and_everybody_has_a_coin():
    for seed in range(20):
        tabletop = start(Setup(3, seed, Options("Expert")))[0].tabletop
        assert len({card.character for card in tabletop.characters}) == 3
        for card in tabletop.characters:
            assert sum(card.held) == {1: 4, 7: 6, 11: 4}.get(card.character, 0)
            assert card.no_entry == (4 if card.character == 5 else None)
        assert tabletop.supply == 17
        assert [player.coins for player in tabletop.players] == [1, 1, 1]


def test_anybody_may_be_first():
    assert {start(Setup(3, seed, Options()))[0].tabletop.first for seed in range(40)} == {0, 1, 2}


def test_only_two_to_four_players_fit():
    assert GAME.setup(3, options=Options("Basic")).options == Options("Basic")
    for seats in (1, 5):
        with pytest.raises(LocalError):
            GAME.setup(seats)


# Towers


def towers(state: State) -> list[str]:
    return [player.tower for player in state.tabletop.players]


def test_everybody_gets_the_towers_wished_for_and_the_others_what_is_left():
    wishes = (None, Preferences("white"), Preferences())
    state, _ = start(Setup(3, 1, Options(), wishes))
    assert towers(state) == ["black", "white", "gray"]


def test_two_opponents_cannot_have_the_same_towers():
    agree([Preferences("white"), Preferences("black")])
    agree([None, Preferences("black"), Preferences()])
    with pytest.raises(Refused, match="taken"):
        agree([Preferences("white"), Preferences("white")])


def test_gray_towers_are_for_three_players():
    agree([Preferences("gray"), None, None])
    for seats in (2, 4):
        with pytest.raises(Refused, match="gray"):
            agree([Preferences("gray"), *[None] * (seats - 1)])


def test_partners_have_the_same_towers():
    agree([Preferences("black"), Preferences("white"), Preferences("black"), None])
    with pytest.raises(Refused):
        agree([Preferences("black"), None, Preferences("white"), None])
    state, _ = start(Setup(4, 1, Options(), (None, None, None, Preferences("white"))))
    assert towers(state) == ["black", "white"] * 2


# Teams of two


def four() -> State:
    """Four players about to walk; Ann and Cal are white, Bob and Dee are black."""
    state, _ = start(Setup(4, 3, Options("Basic")))
    lay(
        state,
        players={seat: {"assistant": 3 + seat} for seat in range(4)},
        first=ANN,
        current=ANN,
        order=(ANN, BOB, CAL, DEE),
        phase="action",
        moved=3,
        mother_nature=0,
        islands=state.tabletop.islands[:1] + (Island((1,), (2, 2, 3, 0, 0), None, 0),) * 11,
        professors=(ANN, CAL, BOB, None, None),
    )
    return state


def test_partners_add_up_their_influence():
    state = four()
    events = apply(state, ANN, Walk(1))
    assert InfluenceCounted(1, (4, 3)) in events
    assert state.tabletop.islands[1].tower == "white"
    assert [player.towers for player in state.tabletop.players] == [7, 8, 7, 8]


def test_a_team_wins_together():
    state = four()
    lay(state, players={ANN: {"towers": 1}, CAL: {"towers": 1}})
    apply(state, ANN, Walk(1))
    assert state.outcome
    assert state.outcome.ranks == (1, 3, 1, 3)


def test_the_tie_break_counts_the_professors_of_both_partners():
    state = four()
    bare = tuple(replace(island, students=NOBODY) for island in state.tabletop.islands)
    lay(state, islands=bare, last_round=True, order=(BOB, CAL, DEE, ANN))
    apply(state, ANN, Walk(1))
    cloud = next(place for place, students in enumerate(state.tabletop.clouds) if any(students))
    apply(state, ANN, TakeCloud(cloud))
    assert state.outcome
    assert state.outcome.ranks == (1, 3, 1, 3)


def test_a_partners_assistant_counts_as_already_played():
    state, _ = start(Setup(4, 3, Options("Basic")))
    apply(state, state.tabletop.current, PlayAssistant(5))
    apply(state, state.tabletop.current, PlayAssistant(6))
    with pytest.raises(Refused, match="already on the table"):
        apply(state, state.tabletop.current, PlayAssistant(5))


# Refusals say why


def test_refusals_say_why():
    state = two({"coins": 0, "entrance": {"red": 3}}, characters=[{"id": 8}])
    refusals: list[tuple[Action, str]] = [
        (MoveToDining("blue"), "no blue student"),
        (MoveToIsland("red", 12), "0 to 11"),
        (BuyCharacter(8), "costs 2 and you have 0"),
        (BuyCharacter(3), "not in this game"),
        (Walk(1), "not asked now"),
    ]
    for action, reason in refusals:
        with pytest.raises(Refused, match=reason):
            apply(state, ANN, action)
    with pytest.raises(Refused) as refusal:
        apply(state, BOB, Walk(1))
    assert refusal.value.code == "turn"


# Islands


def test_three_groups_across_the_seam_become_the_first():
    state = two(
        {"towers": 5},
        professors={"red": "ann"},
        motherNature=10,
        studentsMoved=3,
        islands=[{"tower": "white", "size": 2}, *[{}] * 8, {"tower": "white"}, {"students": {"red": 1}}],
    )
    lay(state, mother_nature=9)
    events = apply(state, ANN, Walk(1))
    assert [event for event in events if isinstance(event, IslandsJoined)] == [
        IslandsJoined(9, 10),
        IslandsJoined(9, 0),
    ]
    assert state.tabletop.islands[0].tiles == (10, 11, 0, 1)
    assert (state.tabletop.mother_nature, len(state.tabletop.islands)) == (0, 9)


def test_mother_nature_keeps_her_place_when_islands_join_elsewhere():
    state = two(
        {"coins": 3, "towers": 7},
        professors={"red": "ann"},
        motherNature=8,
        characters=[{"id": 3}],
        islands=islands(i2={"students": {"red": 1}}, i3={"tower": "white"}),
    )
    apply(state, ANN, BuyCharacter(3))
    apply(state, ANN, ResolveIsland(2))
    assert state.tabletop.mother_nature == 7
    assert state.tabletop.islands[7].tiles == (8,)


def test_mother_nature_may_come_back_to_where_she_started():
    groups = [{"size": 3, "tower": "white"}, {"size": 3, "tower": "black"}, {"size": 3}, {"size": 3}]
    state = two({"assistant": 8, "towers": 5}, {"towers": 5}, islands=groups, studentsMoved=3)
    apply(state, ANN, Walk(4))
    assert state.tabletop.mother_nature == 0


def test_the_last_tower_decides_even_when_three_groups_are_left():
    state = two(
        {"towers": 1},
        {"towers": 1},
        professors={"red": "ann"},
        motherNature=3,
        studentsMoved=3,
        islands=[
            {"students": {"red": 3}},
            {"tower": "white", "size": 4},
            {"tower": "black", "size": 5},
            {"size": 2},
        ],
    )
    apply(state, ANN, Walk(1))
    assert state.outcome
    assert state.outcome.ranks == (1, 2)
    assert "last tower" in state.outcome.reason


# Characters


def test_the_herald_can_end_the_game_in_the_middle_of_a_turn():
    state = two(
        {"coins": 3, "towers": 1, "entrance": {"red": 7}},
        professors={"red": "ann"},
        characters=[{"id": 3}],
        islands=islands(i7={"students": {"red": 1}}),
    )
    apply(state, ANN, BuyCharacter(3))
    apply(state, ANN, ResolveIsland(7))
    assert state.outcome
    assert state.outcome.winners == (ANN,)
    assert state.questions == {}


def test_the_jester_swaps_three_pairs_and_no_more():
    state = two({"entrance": {"red": 7}}, characters=[{"id": 7, "students": {"blue": 6}}])
    apply(state, ANN, BuyCharacter(7))
    for _ in range(3):
        apply(state, ANN, SwapWithCard("blue", "red"))
    assert state.kind == "student"
    assert state.tabletop.player.entrance == (0, 4, 0, 0, 3)


def test_the_jester_may_be_paid_for_nothing():
    state = two({"entrance": {"red": 7}}, characters=[{"id": 7, "students": {"blue": 6}}])
    apply(state, ANN, BuyCharacter(7))
    apply(state, ANN, StopSwapping())
    assert (state.kind, state.tabletop.player.coins) == ("student", 0)


def test_the_minstrel_swaps_out_of_a_full_table_but_not_into_it():
    state = two(
        {"entrance": {"red": 1, "blue": 6}, "dining": {"red": 10, "blue": 1}}, characters=[{"id": 10}]
    )
    apply(state, ANN, BuyCharacter(10))
    with pytest.raises(Refused):
        apply(state, ANN, SwapWithDining("red", "blue"))
    apply(state, ANN, SwapWithDining("blue", "red"))
    assert state.tabletop.player.dining == (0, 9, 0, 0, 2)


def test_a_pair_of_equal_colours_changes_nothing_and_pays_no_coin():
    state = two({"entrance": {"red": 7}, "dining": {"red": 3}}, characters=[{"id": 10}])
    apply(state, ANN, BuyCharacter(10))
    events = apply(state, ANN, SwapWithDining("red", "red"))
    assert not [event for event in events if isinstance(event, CoinEarned)]
    assert state.tabletop.player.dining == (0, 3, 0, 0, 0)
    assert state.tabletop.swaps == 1


def test_a_coin_seat_pays_again_when_it_was_emptied():
    state = two({"entrance": {"red": 7}, "dining": {"red": 2, "blue": 1}}, characters=[{"id": 10}])
    apply(state, ANN, BuyCharacter(10))
    assert CoinEarned(ANN) in apply(state, ANN, SwapWithDining("red", "blue"))
    assert CoinEarned(ANN) not in apply(state, ANN, SwapWithDining("blue", "red"))
    assert CoinEarned(ANN) in apply(state, ANN, MoveToDining("red"))


def test_the_farmer_keeps_what_was_taken_after_the_turn():
    state = two(
        {"coins": 2, "entrance": {"red": 7}, "dining": {"blue": 1}},
        {"dining": {"blue": 1}},
        professors={"blue": "bob"},
        characters=[{"id": 2}],
        studentsMoved=3,
    )
    assert ProfessorTaken(ANN, "blue") in apply(state, ANN, BuyCharacter(2))
    apply(state, ANN, Walk(1))
    apply(state, ANN, TakeCloud(0))
    assert state.tabletop.current == BOB
    assert state.tabletop.professors[4] == ANN


def test_a_controller_behind_two_who_are_level_keeps_the_professor():
    players = [
        {"nickname": "ann", "towerColor": "white", "entrance": {"blue": 9}, "dining": {"red": 3}},
        {"nickname": "bob", "towerColor": "black", "dining": {"red": 2}},
        {"nickname": "cal", "towerColor": "gray", "dining": {"red": 2}},
    ]
    state = position({"players": players, "professors": {"red": "ann"}, "characters": [{"id": 10}]}, "Expert")
    apply(state, ANN, BuyCharacter(10))
    apply(state, ANN, SwapWithDining("blue", "red"))
    apply(state, ANN, SwapWithDining("blue", "red"))
    assert state.tabletop.professors[1] == ANN


def test_a_card_stays_short_when_the_bag_is_empty():
    state = two(
        {"entrance": {"red": 7}}, characters=[{"id": 1, "students": {"red": 4}}], bag={}, lastRound=True
    )
    apply(state, ANN, BuyCharacter(1))
    apply(state, ANN, SendFromCard("red", 3))
    assert state.tabletop.characters[0].students == (0, 3, 0, 0, 0)


def test_the_last_round_stays_announced_when_the_thief_fills_the_bag():
    state = two({"coins": 3, "dining": {"red": 5}}, characters=[{"id": 12}], bag={}, lastRound=True)
    apply(state, ANN, BuyCharacter(12))
    apply(state, ANN, ReturnColour("red"))
    assert sum(state.tabletop.bag) == 3
    assert state.tabletop.last_round


def test_the_last_round_is_announced_once():
    hand = {"hand": [5]}
    state = two(hand, {"hand": [6]}, phase="planning")
    first = apply(state, ANN, PlayAssistant(5))
    second = apply(state, BOB, PlayAssistant(6))
    assert sum(isinstance(event, LastRoundAnnounced) for event in first + second) == 1


# Leaving


def test_a_player_who_is_gone_takes_the_match_along():
    state, _ = start(Setup(3, 1, Options()))
    assert leave(state, CAL) == [BrokenOff(CAL)]
    assert state.outcome
    assert state.outcome.ranks == ()
    assert leave(state, BOB) == []


# Words


def test_words_may_be_shortened_while_they_are_clear():
    state = two({"entrance": {"red": 7}}, characters=[{"id": 8}])
    question = state.questions[ANN]
    assert GAME.text.read("RED  to 7", question) == MoveToIsland("red", 6)
    assert GAME.text.read("r 1", question) == MoveToIsland("red", 0)
    assert GAME.text.read("dining", question) == MoveToDining("red")
    with pytest.raises(Refused, match="several"):
        GAME.text.read("red", question)
    with pytest.raises(Refused, match="not possible"):
        GAME.text.read("walk 3", question)


def test_every_question_can_be_explained():
    state = two({"coins": 3, "entrance": {"red": 7}}, characters=[{"id": 8}, {"id": 3}])
    view = GAME.view(state, ANN)
    assert "professors" in GAME.text.explain(state.questions[ANN], view)
    assert "Knight (8): This turn you have two more influence" in GAME.text.explain(
        state.questions[ANN], view
    )
    apply(state, ANN, BuyCharacter(3))
    explained = GAME.text.explain(state.questions[ANN], view)
    assert explained == "Herald (3): Resolve any island as if mother nature had stopped there."


def test_students_are_painted_in_their_colours():
    drawing = GAME.text.draw(GAME.view(start(Setup(2, 1, Options()))[0], None), ["Ann", "Bob"])
    painted = {colour: re.findall(expression, drawing) for expression, colour in GAME.text.inks}
    assert painted["red"]
    assert all(found.endswith("r") for found in painted["red"])
    assert len(painted["bright white"]) == 1


# Beginning and end


def test_a_match_begins_with_nothing_done_yet():
    tabletop = start(Setup(2, 1, Options()))[0].tabletop
    assert (tabletop.round, tabletop.phase, tabletop.moved) == (1, "planning", 0)
    assert (tabletop.walked, tabletop.last_round, tabletop.clouds_short) == (False, False, False)
    assert tabletop.first == tabletop.current
    assert set(tabletop.professors) == {None}


def test_after_the_end_every_answer_is_refused_with_the_word_for_it():
    state, _ = start(Setup(2, 1, Options()))
    current = state.tabletop.current
    (answer, *_) = state.choices
    leave(state, current)
    for seat in (ANN, BOB):
        with pytest.raises(Refused, match="the match is over") as refused:
            apply(state, seat, answer)
        assert refused.value.code == "over"
