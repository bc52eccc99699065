"""Each god's power and its edge cases."""

from tests.games.santorini.boards import blocks, can_end, cell, domes, from_text, moves, play, wins

from ludoteca.core import Seat, Setup
from ludoteca.games.santorini.actions import Action, ChooseColour, ChooseStart, OfferGod, Place, TakeGod
from ludoteca.games.santorini.events import Lost, Moved, Pushed, TokensCounted, Won
from ludoteca.games.santorini.rules import apply, start
from ludoteca.games.santorini.state import Options, State
from ludoteca.games.santorini.text import name_of

# Apollo


def test_apollo_changes_places_with_a_neighbouring_rival():
    state = from_text("A B . / . . . / . . B", gods=["Apollo", ""])
    assert play(state, "A1-B1")[:2] == [
        Pushed(1, 1, cell("B1"), cell("A1")),
        Moved(0, 1, cell("A1"), cell("B1")),
    ]
    assert state.workers == (1, -1, 0, 12)


def test_apollo_climbs_no_higher_than_others():
    state = from_text("A 2B . / . 1B .", gods=["Apollo", ""])
    assert moves(state) == {"B2", "A2"}


def test_apollo_does_not_change_places_with_his_own_worker():
    state = from_text("A A . / B . .", gods=["Apollo", ""])
    assert moves(state, "A1") == {"A2", "B2"}


def test_the_rival_apollo_puts_on_level_three_has_not_won_nor_has_pan():
    state = from_text("3A 2B . / . . .", gods=["Apollo", ""])
    assert wins(state, "A1-B1") is None
    state = from_text("0A 1B . / . . .", gods=["Apollo", "Pan"])
    assert wins(state, "A1-B1") is None
    state = from_text("1A 2B / . 3B", gods=["Apollo", "Pan"])
    assert wins(state, "A1-B1") is None


def test_apollo_himself_wins_by_going_up_to_a_rivals_third_level():
    state = from_text("2A 3B . / . . .", gods=["Apollo", ""])
    assert wins(state, "A1-B1") == 0


def test_athena_stops_apollo_but_not_the_rival_he_lifts():
    state = from_text("1A 2B . / . 1B .", gods=["Apollo", "Athena"], risen=(False, True))
    assert moves(state) == {"A2", "B2"}
    state = from_text("1A 0B . / . . .", gods=["Apollo", "Athena"], risen=(False, True))
    assert moves(state) == {"B1", "A2", "B2"}


# Artemis


def test_artemis_may_move_twice_but_not_back_to_the_start():
    state = from_text("A . . / . . . / . . B", gods=["Artemis", ""])
    play(state, "A1-B1")
    assert moves(state) == {"C1", "A2", "B2", "C2"}
    assert blocks(state) == {"A1", "C1", "A2", "B2", "C2"}
    play(state, "B1-C1")
    assert moves(state) == set()
    assert blocks(state) == {"B1", "B2", "C2"}


def test_artemis_climbs_one_level_with_each_move():
    state = from_text("A 1 2 / . . B", gods=["Artemis", ""])
    play(state, "A1-B1")
    assert "C1" in moves(state)


def test_artemis_wins_with_the_first_move_or_the_second():
    assert wins(from_text("2A 3 . / . . B", gods=["Artemis", ""]), "A1-B1") == 0
    state = from_text("1A 2 3 / . . B", gods=["Artemis", ""])
    play(state, "A1-B1")
    assert wins(state, "B1-C1") == 0


def test_artemis_moves_the_same_worker_again():
    state = from_text("A . . / . . . / A . B", gods=["Artemis", ""])
    play(state, "A1-B1")
    assert moves(state, "A3") == set()


def test_artemis_goes_on_without_a_build_where_only_the_second_move_leads_to_one():
    state = from_text("A . . . . / D B D D D", gods=["Artemis", "Limus"])
    play(state, "A1-B1")
    assert blocks(state) == set()
    assert moves(state) == {"C1"}
    play(state, "B1-C1")
    assert blocks(state) == {"D1"}


# Athena


def test_rivals_cannot_go_up_after_athena_did_until_her_next_turn():
    state = from_text("0A 1 . / . . . / 0B 1 1", gods=["Athena", ""])
    play(state, "A1-B1", "B1+C1")
    assert moves(state) == {"A2", "B2"}
    play(state, "A3-A2", "A2+B2")
    play(state, "B1-C1", "C1+B1")
    # C1 is level 1, as B1 was: she did not go up in her latest turn.
    assert "B2" in moves(state)


def test_athena_binds_both_rivals_of_three():
    state = from_text("0A 1 . . / . . . . / 0B 1 1 0C", gods=["Athena", "", ""])
    play(state, "A1-B1", "B1+C1")
    assert "B3" not in moves(state)
    play(state, "A3-A2", "A2+B2")
    assert state.seat == 2
    assert "C3" not in moves(state)


def test_athena_lifted_by_others_stops_nobody():
    state = from_text("1A 0B . / . . . / . 1 .", gods=["Apollo", "Athena"])
    play(state, "A1-B1", "B1+C1")
    assert state.risen == (False, False)
    play(state, "A1-A2", "A2+A3")
    assert "C1" in moves(state)


def test_who_could_only_go_up_has_lost_against_athena():
    state = from_text("0A 1 0 / 2 0 0 / D D 0 / 0B 1 D", gods=["Athena", ""])
    events = play(state, "A1-B1", "B1+C1")
    assert Lost(1, "cannot move") in events


# Atlas


def test_atlas_puts_a_dome_on_any_level():
    state = from_text("A 1 2 / . . 3 / . . B", gods=["Atlas", ""])
    play(state, "A1-B2")
    assert domes(state) == {"A1", "B1", "C1", "A2", "C2", "A3", "B3"}
    assert blocks(state) == {"A1", "B1", "C1", "A2", "A3", "B3"}
    play(state, "B2^A1")
    assert state.towers[0] == 8


# Demeter


def test_demeter_may_build_again_elsewhere():
    state = from_text("A . . / . 3 . / . . B", gods=["Demeter", ""])
    play(state, "A1-B1", "B1+A1")
    assert blocks(state) == {"C1", "A2", "C2"}
    assert domes(state) == {"B2"}
    assert can_end(state)
    play(state, "B1^B2")
    assert state.seat == 1


def test_demeter_may_be_content_with_one_build():
    state = from_text("A . . / . . . / . . B", gods=["Demeter", ""])
    play(state, "A1-B1", "B1+A1", "end")
    assert state.seat == 1


# Hephaestus


def test_hephaestus_may_put_a_second_block_on_the_first():
    state = from_text("A . . / . . . / . . B", gods=["Hephaestus", ""])
    play(state, "A1-B1", "B1+A1")
    assert blocks(state) == {"A1"}
    assert can_end(state)
    play(state, "B1+A1")
    assert state.towers[0] == 2
    assert state.seat == 1


def test_hephaestus_makes_level_three_but_never_a_dome():
    state = from_text("A 1 2 / . 3 . / . . B", gods=["Hephaestus", ""])
    trial = state.clone()
    play(trial, "A1-A2", "A2+B1")
    assert blocks(trial) == {"B1"}
    trial = state.clone()
    play(trial, "A1-B1", "B1+C1")
    assert trial.seat == 1
    trial = state.clone()
    play(trial, "A1-B1", "B1^B2")
    assert trial.seat == 1


# Hermes


def test_hermes_may_build_without_a_step_with_either_worker():
    state = from_text("A.... / ..... / ....B / ..... / ....A", gods=["Hermes", ""])
    assert blocks(state, "A1") == {"B1", "A2", "B2"}
    assert blocks(state, "E5") == {"D4", "E4", "D5"}
    play(state, "E5+D5")
    assert state.seat == 1


def test_hermes_walks_level_steps_with_both_workers_and_either_builds():
    state = from_text("A . . / . 1 . / A . B", gods=["Hermes", ""])
    play(state, "A1-B1", "B1-C1", "A3-A2")
    assert moves(state, "A2") == {"A1", "B1", "A3", "B3"}
    assert moves(state, "C1") == {"B1", "C2"}
    assert blocks(state, "C1") == {"B1", "B2", "C2"}
    play(state, "C1+B1")
    assert state.seat == 1


def test_hermes_going_up_or_down_is_an_ordinary_turn():
    state = from_text("1A 2 . / . 1 . / A . B", gods=["Hermes", ""])
    for line, source in (("A1-B1", "B1"), ("A1-A2", "A2")):
        trial = state.clone()
        play(trial, line)
        assert moves(trial) == set()
        assert blocks(trial) == blocks(trial, source)
    # After a level step no step may change the level.
    play(state, "A1-B2")
    assert moves(state, "B2") == {"A1"}
    assert moves(state, "A3") == {"A2", "B3"}


def test_hermes_wins_by_a_single_step_up_but_not_on_the_level():
    assert wins(from_text("2A 3 . / . . B", gods=["Hermes", ""]), "A1-B1") == 0
    assert wins(from_text("3A 3 . / . . B", gods=["Hermes", ""]), "A1-B1") is None


def test_hermes_is_not_lost_while_a_worker_can_build():
    state = from_text("A 2 . / 2 2 . / . B B", gods=["Hermes", ""], to_move="B")
    play(state, "B3-A3", "A3+A2")
    assert state.seat == 0
    assert moves(state) == set()
    assert blocks(state) == {"B1", "B2"}


def test_a_walk_of_hermes_that_can_never_end_in_a_build_is_lost():
    state = from_text("A . D / B D D", gods=["Hermes", "Limus"])
    assert moves(state) == {"B1"}
    assert Lost(0, "cannot build") in play(state, "A1-B1")


# Minotaur


def test_minotaur_shoves_a_rival_straight_on_to_any_height():
    state = from_text("A B 3 / . . .", gods=["Minotaur", ""])
    assert play(state, "A1-B1")[0] == Pushed(1, 1, cell("B1"), cell("C1"))
    assert state.outcome is None


def test_minotaur_needs_a_free_space_behind_the_rival():
    for board in ("A B D / D D D", "A B B / D D D", "A B / D D"):
        state = from_text(board + " / . . .", gods=["Minotaur", ""])
        assert "B1" not in moves(state)


def test_minotaur_cannot_shove_off_the_island():
    state = from_text(". . . . B / . . . A . / . . . . . / . . . . . / . . . . B", gods=["Minotaur", ""])
    assert "E1" not in moves(state)


def test_minotaur_climbs_no_higher_than_others_and_shoves_no_worker_of_his_own():
    state = from_text("A 2B . / . . .", gods=["Minotaur", ""])
    assert "B1" not in moves(state)
    state = from_text("A A . / . . B", gods=["Minotaur", ""])
    assert "B1" not in moves(state, "A1")


def test_pan_shoved_down_from_level_three_has_not_won():
    state = from_text("2A 3B 0 / . . B", gods=["Minotaur", "Pan"])
    assert wins(state, "A1-B1") == 0
    state = from_text("3A 3B 0 / . . B", gods=["Minotaur", "Pan"])
    assert wins(state, "A1-B1") is None


# Pan


def test_pan_wins_by_stepping_down_two_levels():
    assert wins(from_text("2A 0 . / . . B", gods=["Pan", ""]), "A1-B1") == 0
    assert wins(from_text("3A 1 . / . . B", gods=["Pan", ""]), "A1-B1") == 0
    assert wins(from_text("2A 1 . / . . B", gods=["Pan", ""]), "A1-B1") is None


# Prometheus


def test_prometheus_may_build_first_and_then_cannot_go_up():
    state = from_text("A 1 . / . . . / A . B", gods=["Prometheus", ""])
    assert "B1" in moves(state, "A1")
    assert blocks(state, "A3") == {"A2", "B2", "B3"}
    play(state, "A1+A2")
    assert moves(state) == {"B2"}
    play(state, "A1-B2")
    assert "A1" in blocks(state)
    play(state, "B2+A1")
    assert state.seat == 1


def test_prometheus_without_an_early_build_moves_as_others():
    state = from_text("A 1 . / . . . / A . B", gods=["Prometheus", ""])
    play(state, "A1-B1", "B1+A1")
    assert state.seat == 1


def test_prometheus_who_built_himself_in_has_lost():
    state = from_text("A . D / D D D / A . B", gods=["Prometheus", ""])
    events = play(state, "A1+B1")
    assert Lost(0, "cannot move") in events


def test_prometheus_who_cannot_move_has_lost_and_does_not_build_first():
    state = from_text("A A D / 2 B B / . . .", gods=["Prometheus", ""])
    assert state.outcome is not None
    assert state.outcome.winners == (1,)


def test_prometheus_of_three_who_cannot_move_leaves_the_island_as_it_is():
    """He could have capped a tower, or blocked the next player."""
    state = from_text("A A D . . / 2 B B . . / . . . C C", gods=["Prometheus", "", ""])
    assert state.out == (True, False, False)
    assert state.seat == 1
    assert state.towers[5] == 2


def test_prometheus_who_cannot_move_under_athena_or_hypnus_has_lost():
    up = "A A D . . / 1 1 1 . . / . . . B B"
    assert moves(from_text(up, gods=["Prometheus", "Athena"]))
    state = from_text(up, gods=["Prometheus", "Athena"], risen=(False, True))
    assert state.outcome is not None
    lonely = "1A . . / D D D / A D B / D D D"
    assert moves(from_text(lonely, gods=["Prometheus", ""])) == {"B1"}
    state = from_text(lonely, gods=["Prometheus", "Hypnus"])
    assert state.outcome is not None


# Aphrodite


def test_a_worker_beside_aphrodite_must_end_beside_her():
    state = from_text("A . . . . / . B . . . / . . . . . / . . . . . / A . . . .", gods=["", "Aphrodite"])
    assert moves(state, "A1") == {"B1", "A2"}
    assert moves(state, "A5") == {"A4", "B4", "B5"}


def test_a_worker_that_cannot_end_beside_aphrodite_stays_while_another_can_move():
    state = from_text(". A B / D D D / A . .", gods=["", "Aphrodite"])
    assert moves(state, "B1") == set()
    assert moves(state, "A3") == {"B3"}


def test_aphrodite_demands_nothing_impossible():
    state = from_text(". A B / D D D / D D D", gods=["", "Aphrodite"])
    assert moves(state) == {"A1"}
    assert not any(isinstance(event, Lost) for event in play(state, "B1-A1"))


def test_a_winning_move_must_also_end_beside_aphrodite():
    state = from_text("3 . . . / . 2A B . / . . . .", gods=["", "Aphrodite"])
    assert moves(state) == {"B1", "C1", "B3", "C3"}
    state = from_text(". 3 . . / . 2A B . / . . . .", gods=["", "Aphrodite"])
    assert wins(state, "B2-B1") == 0


def test_a_worker_apart_from_aphrodite_is_free():
    state = from_text("3 . . . / 2A . B . / . . . .", gods=["", "Aphrodite"])
    assert wins(state, "A2-A1") == 0


# Chronus


def test_chronus_wins_when_the_fifth_complete_tower_stands_whoever_finished_it():
    board = "3D 3D 3D 3D / A . 3 . / . . B ."
    for gods, to_move, line in ((["Chronus", ""], "A", "A2-B2"), (["", "Chronus"], "A", "A2-B2")):
        state = from_text(board, gods=gods, to_move=to_move)
        play(state, line)
        assert wins(state, "B2^C2") == gods.index("Chronus")


def test_a_low_dome_is_no_complete_tower_for_chronus():
    state = from_text("3D 3D 3D 3D / A . 2 . / . . B .", gods=["Atlas", "Chronus"])
    play(state, "A2-B2")
    assert wins(state, "B2^C2") is None
    state = from_text("3D 3D 3D 2D / A . 3 . / . . B .", gods=["Chronus", ""])
    play(state, "A2-B2")
    assert wins(state, "B2^C2") is None


# Eros


def test_eros_starts_on_opposite_edges():
    state = _placing("Eros")
    assert len(state.choices) == 16
    assert "C3" not in _places(state)
    apply(state, Seat(0), Place(cell("C1")))
    assert _places(state) == {"A5", "B5", "C5", "D5", "E5"}


def test_a_corner_belongs_to_two_sides():
    state = _placing("Eros")
    apply(state, Seat(0), Place(cell("A1")))
    assert _places(state) == {"A5", "B5", "C5", "D5", "E5", "E1", "E2", "E3", "E4"}


def _placing(god: str) -> State:
    state, _ = start(Setup(2, 1, Options("core")))
    gods: list[Action] = [OfferGod("Pan"), OfferGod(god), TakeGod("Pan"), TakeGod(god)]
    for action in [*gods, ChooseStart(0), ChooseColour("WHITE"), ChooseColour("MAGENTA")]:
        apply(state, Seat(state.seat), action)
    return state


def _places(state: State) -> set[str]:
    return {name_of(option.cell) for option in state.choices if isinstance(option, Place)}


def test_eros_wins_by_bringing_his_workers_together_on_level_one():
    assert wins(from_text("1A 1 1A / . . B", gods=["Eros", ""]), "A1-B1") == 0
    assert wins(from_text("0A 1 1A / . . B", gods=["Eros", ""]), "A1-B1") == 0
    assert wins(from_text("1A 0 1A / . . B", gods=["Eros", ""]), "A1-B1") is None
    assert wins(from_text("0A 0 0A / . . B", gods=["Eros", ""]), "A1-B1") is None
    assert wins(from_text("2A 2 2A / . . B", gods=["Eros", ""]), "A1-B1") is None


def test_eros_with_three_players_wins_on_any_same_level():
    assert wins(from_text("0A 0 0A / C . B", gods=["Eros", "", ""]), "A1-B1") == 0
    assert wins(from_text("2A 2 2A / C . B", gods=["Eros", "", ""]), "A1-B1") == 0
    assert wins(from_text("1A 1 2A / C . B", gods=["Eros", "", ""]), "A1-B1") is None


def test_eros_brought_together_by_others_has_not_won():
    state = from_text("1A 1B 1B / 1 . .", gods=["Apollo", "Eros"])
    assert wins(state, "A1-B1") is None


# Hera


def test_rivals_do_not_win_on_an_edge_space_against_hera():
    state = from_text("3 2A . / . . . / . . B", gods=["", "Hera"])
    assert wins(state, "B1-A1") is None
    assert blocks(state) == {"B1", "A2", "B2"}


def test_rivals_win_inside_and_hera_wins_anywhere():
    board = ". . . . . / . 3 2A . . / . . . . . / . . . . B / . . . . ."
    assert wins(from_text(board, gods=["", "Hera"]), "C2-B2") == 0
    assert wins(from_text("3 2A . / . . . / . . B", gods=["Hera", ""]), "B1-A1") == 0


# Hestia


def test_hestia_may_build_again_inside_the_island():
    state = from_text("A . . . . / . 3 . . . / . . . . . / . . . . . / . . . . B", gods=["Hestia", ""])
    play(state, "A1-B1", "B1+A1")
    assert blocks(state) == {"C2"}
    assert domes(state) == {"B2"}
    assert can_end(state)


def test_hestia_may_build_on_the_same_space_twice():
    state = from_text("A . . . . / . . . . . / . . . . . / . . . . . / . . . . B", gods=["Hestia", ""])
    play(state, "A1-B1", "B1+B2", "B1+B2")
    assert state.towers[6] == 2
    assert state.seat == 1


# Hypnus


def test_the_higher_worker_sleeps_against_hypnus():
    state = from_text("1A . . / . . . / A . B", gods=["", "Hypnus"])
    assert moves(state, "A1") == set()
    assert moves(state, "A3")
    state = from_text("1A . . / . . . / 1A . B", gods=["", "Hypnus"])
    assert moves(state, "A1")
    assert moves(state, "A3")


def test_sleep_is_decided_once_at_the_start_of_the_turn():
    """Artemis climbs above her other worker with the first move and may still make the second."""
    state = from_text("0A 1 1 / . . . / 0A . B", gods=["Artemis", "Hypnus"])
    play(state, "A1-B1")
    assert "C1" in moves(state, "B1")


def test_a_sleeping_worker_may_build_where_a_power_lets_it():
    state = from_text("1A . . . / . . . . / . . A . / . . . B", gods=["Selene", "Hypnus"])
    play(state, "C3-C2")
    assert domes(state, "A1") == {"B1", "A2", "B2"}


# Limus


def test_rivals_build_beside_limus_only_the_dome_that_completes_a_tower():
    state = from_text("A . 3 . / . . 2 B / . . . .", gods=["", "Limus"])
    play(state, "A1-B1")
    assert blocks(state) == {"A1", "A2", "B2"}
    assert domes(state) == {"C1"}


def test_limus_himself_builds_anywhere():
    state = from_text("A . . / . . . / . . B", gods=["Limus", ""])
    play(state, "A1-B1")
    assert blocks(state) == {"A1", "C1", "A2", "B2", "C2"}


# Morpheus


def test_morpheus_saves_a_token_each_turn_and_spends_one_for_each_build():
    state = from_text("A . . / . . . / . . B", gods=["Morpheus", ""])
    assert state.tokens == (1, 0)
    play(state, "A1-B1", "end", "C3-C2", "C2+C3")
    assert state.tokens == (2, 0)
    events = play(state, "B1-A1", "A1+B1", "A1+B1")
    assert events[2] == TokensCounted(0, 1)
    assert state.towers[1] == 2
    assert state.tokens == (0, 0)
    assert state.seat == 1


def test_morpheus_need_not_build_and_so_cannot_lose_by_it():
    state = from_text("D D D / D . A / D D B", gods=["Morpheus", "Limus"])
    events = play(state, "C2-B2")
    assert not any(isinstance(event, Lost) for event in events)
    assert state.seat == 1
    assert state.tokens == (1, 0)


def test_morpheus_builds_with_the_worker_that_moved():
    state = from_text("A . . / . . . / A . B", gods=["Morpheus", ""])
    play(state, "A1-B1")
    assert blocks(state, "A3") == set()
    assert can_end(state)


# Persephone


def test_a_rival_of_persephone_who_can_go_up_must():
    state = from_text("A 1 . / . . . / A . B", gods=["", "Persephone"])
    assert moves(state, "A1") == {"B1"}
    assert moves(state, "A3") == set()


def test_a_rival_of_persephone_who_cannot_go_up_is_free():
    state = from_text("A 2 . / . . . / A . B", gods=["", "Persephone"])
    assert moves(state, "A1") == {"A2", "B2"}
    assert moves(state, "A3") == {"A2", "B2", "B3"}


def test_persephone_does_not_demand_a_turn_that_cannot_be_completed():
    """Apollo could go up, but the rival he changes places with would leave him nothing to build on."""
    state = from_text("A 1B D / D D D / A . B", gods=["Apollo", "Persephone"])
    assert moves(state) == {"B1", "B3"}
    state = from_text("A 1B . / D D D / A . B", gods=["Apollo", "Persephone"])
    assert moves(state) == {"B1"}


# Poseidon


def test_the_worker_of_poseidon_that_stayed_on_the_ground_builds_up_to_three_times():
    state = from_text("A . . . / . . . . / . . . A / . . . B", gods=["Poseidon", ""])
    play(state, "A1-B1", "B1+A1")
    assert blocks(state, "B1") == set()
    assert blocks(state, "D3") == {"C2", "D2", "C3", "C4"}
    assert can_end(state)
    play(state, "D3+C4", "D3+C4", "D3+C4")
    assert state.towers[17] == 3
    assert state.seat == 1


def test_poseidon_may_stop_and_gets_nothing_above_the_ground():
    state = from_text("A . . . / . . . . / . . . A / . . . B", gods=["Poseidon", ""])
    play(state, "A1-B1", "B1+A1", "D3+C4", "end")
    assert state.seat == 1
    state = from_text("A . . . / . . . . / . . . 1A / . . . B", gods=["Poseidon", ""])
    play(state, "A1-B1", "B1+A1")
    assert state.seat == 1


def test_poseidon_with_one_worker_gets_nothing():
    state = from_text("A . . / . . . / . . B", gods=["Poseidon", ""])
    play(state, "A1-B1", "B1+A1")
    assert state.seat == 1


# Selene


def test_the_marked_worker_of_selene_may_put_a_dome_on_any_level_whoever_moved():
    state = from_text("A 2 . . / . . . . / . . . a / . . B .", gods=["Selene", ""])
    play(state, "D3-D2")
    assert domes(state, "A1") == {"B1", "A2", "B2"}
    assert blocks(state, "A1") == set()
    assert blocks(state, "D2") == {"C1", "D1", "C2", "C3", "D3"}
    assert domes(state, "D2") == set()
    play(state, "A1^A2")
    assert state.towers[5] == 8
    assert state.seat == 1


def test_the_marked_worker_of_selene_builds_blocks_when_it_moved():
    state = from_text("A . . . / . . . . / . . . a / . . B .", gods=["Selene", ""])
    play(state, "A1-B1")
    assert domes(state) == blocks(state) == {"A1", "C1", "A2", "B2", "C2"}


# Triton


def test_triton_moves_on_whenever_he_arrives_on_an_edge():
    state = from_text(". . . . . / . . . . . / . A . . . / . . . . . / B . . . .", gods=["Triton", ""])
    play(state, "B3-A3")
    assert "B3" in moves(state)
    assert blocks(state) == {"A2", "B2", "B3", "A4", "B4"}
    play(state, "A3-A2", "A2-A3", "A3-B3")
    assert moves(state) == set()
    assert blocks(state)


def test_triton_wins_with_any_of_his_steps():
    state = from_text("1A 2 3 / . . B", gods=["Triton", ""])
    play(state, "A1-B1")
    assert wins(state, "B1-C1") == 0


def test_a_walk_of_triton_that_can_never_end_in_a_build_is_lost():
    """Else he could go to and fro for ever, and the table would be stuck."""
    state = from_text("A . D / B D D", gods=["Triton", "Limus"])
    assert moves(state) == {"B1"}
    assert Lost(0, "cannot build") in play(state, "A1-B1")


# Zeus


def test_zeus_may_raise_himself():
    state = from_text("A . . / . . . / . . B", gods=["Zeus", ""])
    play(state, "A1-B1")
    assert "B1" in blocks(state)
    play(state, "B1+B1")
    assert state.towers[1] == 1
    assert state.workers[0] == 1
    assert state.seat == 1


def test_zeus_rising_to_level_three_does_not_win_and_he_puts_no_dome_under_himself():
    state = from_text("2A 2 3 / . . . / . . B", gods=["Zeus", ""])
    play(state, "A1-B1")
    assert wins(state, "B1+B1") is None
    state = from_text("3A 3 3 / . . . / . . B", gods=["Zeus", ""])
    play(state, "A1-B1")
    assert "B1" not in blocks(state) | domes(state)


# Hades


def test_rivals_of_hades_cannot_go_down():
    state = from_text("2A 1 2 / 2 . 3 / . . B", gods=["", "Hades"])
    assert moves(state) == {"A2"}
    state = from_text("2A 1 2 / 2 . 3 / . . B", gods=["Hades", ""])
    assert moves(state) == {"B1", "A2", "B2"}


def test_hades_does_not_keep_a_forced_worker_up():
    state = from_text("A 1B 0 / . . .", gods=["Minotaur", "Hades"])
    assert "B1" in moves(state)


# Terpsichore


def test_both_workers_of_terpsichore_move_and_then_both_build():
    state = from_text("A . . . / . . . . / . . . A / . B . .", gods=["Terpsichore", ""])
    play(state, "A1-B1")
    assert moves(state, "B1") == set()
    assert moves(state, "D3")
    assert blocks(state) == set()
    play(state, "D3-D2")
    assert blocks(state, "B1")
    assert blocks(state, "D2")
    play(state, "D2+D3")
    assert blocks(state, "D2") == set()
    play(state, "B1+A1")
    assert state.seat == 1


def test_terpsichore_loses_when_a_part_of_her_turn_cannot_be_done():
    state = from_text("A D A / . D D / B D D", gods=["Terpsichore", ""])
    events = play(state, "A1-A2")
    assert Lost(0, "cannot move") in events
    assert Won(1, "nobody else could go on") in events


# Urania


def test_for_urania_the_opposite_shores_touch():
    state = from_text("A . . . . / . . . . . / . . B . . / . . . . . / . . . . .", gods=["Urania", ""])
    assert moves(state) == {"B1", "E1", "A2", "B2", "E2", "A5", "B5", "E5"}
    play(state, "A1-E5")
    assert "A1" in blocks(state)


def test_edges_remain_edges_with_urania():
    state = from_text("2A . . . . / . . . . . / . . B . . / . . . . . / . . . . 3", gods=["Urania", "Hera"])
    assert wins(state, "A1-E5") is None
