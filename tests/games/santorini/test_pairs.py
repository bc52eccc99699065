"""Gods that meet: nothing here is written down as a pair, it follows from each god's own file."""

import pytest
from tests.games.santorini.boards import blocks, can_end, domes, from_text, moves, play, wins

from ludoteca.games.santorini.events import Lost, TurnBegan

# Athena


def test_persephone_demands_nothing_that_athena_forbids():
    """With three: going up is not possible, so Persephone's demand is void."""
    board = "0A 1 . . / . . . . / B . . C / B . . C"
    free = from_text(board, gods=["", "Persephone", "Athena"])
    assert moves(free) == {"B1"}
    banned = from_text(board, gods=["", "Persephone", "Athena"], risen=(False, False, True))
    assert moves(banned) == {"A2", "B2"}


def test_athena_and_hades_together_leave_only_the_level():
    state = from_text(
        "1A 2 0 / 1 0 . / B . C", gods=["", "Athena", "Hades"], risen=(False, True, False), to_move="A"
    )
    assert moves(state) == {"A2"}


def test_the_ban_of_athena_ends_when_she_is_out():
    state = from_text(
        "0A 1 . . / . . . 1 / D D 2 0C / D D 2 0B",
        gods=["", "Athena", ""],
        risen=(False, True, False),
        to_move="A",
    )
    assert "B1" not in moves(state)
    events = play(state, "A1-A2", "A2+B2")
    assert events[-2:] == [Lost(1, "cannot move"), TurnBegan(2, "play")]
    assert "D2" in moves(state)


def test_limus_guards_nothing_when_he_is_out():
    state = from_text(". A . . / . . . . / D D . 2C / D D 2 0B", gods=["", "Limus", ""])
    play(state, "B1-B2", "B2+A1")
    assert state.seat == 1
    play(state, "D4-C3", "C3+D4", "D3-D2")
    assert "D3" not in blocks(state)
    state = from_text(". A . . / . . . . / D D 2 2C / D D 2 0B", gods=["", "Limus", ""])
    play(state, "B1-B2", "B2+A1")
    assert state.seat == 2
    play(state, "D3-D2")
    assert "D3" in blocks(state)


# Hera


def test_hera_denies_pan_on_the_edge_only():
    assert wins(from_text("2A 0 . / . . . / . . B", gods=["Pan", "Hera"]), "A1-B1") is None
    state = from_text(". . . . . / . 2A 0 . . / . . . . . / . . . . . / . . . . B", gods=["Pan", "Hera"])
    assert wins(state, "B2-C2") == 0


def test_hera_denies_eros_on_the_edge_only():
    state = from_text("1A 1 1A / . . . / . . B", gods=["Eros", "Hera"])
    assert wins(state, "A1-B1") is None
    assert blocks(state)
    state = from_text("1A . 1A . . / . 1 . . . / . . . . . / . . . . . / . . . . B", gods=["Eros", "Hera"])
    assert wins(state, "A1-B2") == 0


def test_hera_does_not_deny_chronus():
    state = from_text("3D 3D 3D 3D / A . 3 . / . . B .", gods=["Chronus", "Hera"])
    play(state, "A2-B2")
    assert wins(state, "B2^C2") == 0


# Limus and the builders


@pytest.mark.parametrize(
    "god",
    ["Atlas", "Demeter", "Hephaestus", "Hestia", "Morpheus", "Poseidon", "Selene", "Zeus", "Prometheus"],
)
def test_no_builder_god_builds_beside_limus_but_the_dome_on_level_three(god):
    state = from_text(
        "A . 3 . . / . . . . . / . . 2 B . / . . . . . / . . . . B", gods=[god, "Limus"], to_move="A"
    )
    play(state, "A1-B2")
    assert blocks(state) <= {"A1", "B1", "A2", "B2", "A3", "B3"}
    assert domes(state) & {"C1", "C2", "C3"} == {"C1"}


def test_the_second_build_is_guarded_too():
    state = from_text("A . . B / . . . . / . . . .", gods=["Demeter", "Limus"])
    play(state, "A1-B1", "B1+A1")
    assert blocks(state) == {"A2", "B2"}
    # The second block of Hephaestus goes where the first was allowed, unless that made the tower complete.
    state = from_text("A . . B / . . . . / . . . .", gods=["Hephaestus", "Limus"])
    play(state, "A1-B1", "B1+A1")
    assert blocks(state) == {"A1"}


def test_zeus_does_not_raise_himself_beside_limus():
    state = from_text("A . B / . . . / . . .", gods=["Zeus", "Limus"])
    play(state, "A1-A2")
    assert "A2" in blocks(state)
    state = from_text("A . B / . . . / . . .", gods=["Zeus", "Limus"])
    play(state, "A1-B2")
    assert "B2" not in blocks(state)


def test_low_domes_of_atlas_and_selene_do_not_pass_limus():
    for god in ("Atlas", "Selene"):
        state = from_text("A . 2 B / . . . .", gods=[god, "Limus"])
        play(state, "A1-B1")
        assert domes(state) == {"A1", "A2", "B2"}


def test_the_early_build_of_prometheus_is_guarded():
    state = from_text("A . B / . . . / . . .", gods=["Prometheus", "Limus"])
    assert blocks(state) == {"A2"}


# Hades


def test_an_early_build_that_opens_a_move_saves_prometheus_from_hades():
    """He may not go down; one block makes the way level, two would be needed in the other corner."""
    state = from_text("1A . / D D / . B", gods=["Prometheus", "Hades"])
    assert moves(state) == set()
    assert blocks(state) == {"B1"}
    play(state, "A1+B1")
    assert moves(state) == {"B1"}
    state = from_text("2A . / D D / . B", gods=["Prometheus", "Hades"])
    assert state.outcome is not None
    assert state.outcome.winners == (1,)


# Pushes


def test_nobody_is_pushed_over_the_edge_but_apollo_changes_places_there():
    board = "B . . . . / A . . . . / . . . . . / . . . . . / . . . . B"
    assert "A1" not in moves(from_text(board, gods=["Minotaur", ""]))
    assert "A1" in moves(from_text(board, gods=["Apollo", ""]))


def test_minotaur_pushes_along_the_edge():
    state = from_text("A B . . . / D D D D D", gods=["Minotaur", ""])
    play(state, "A1-B1")
    assert state.workers[2] == 2


def test_a_push_wakes_neither_eros_nor_athena():
    state = from_text("A 0B 1 1B / . . . .", gods=["Minotaur", "Eros"])
    assert wins(state, "A1-B1") is None
    state = from_text("A 0B 1 . / . . . .", gods=["Minotaur", "Athena"])
    play(state, "A1-B1", "B1+A1")
    assert state.risen == (False, False)


# Hypnus


def test_who_has_one_worker_left_cannot_move_it_against_hypnus():
    state = from_text("A . . / . . . / . . B", gods=["", "Hypnus"], to_move="B")
    events = play(state, "C3-C2", "C2+C3")
    assert events[-2] == Lost(0, "cannot move")


def test_hermes_steps_with_the_waking_worker_and_builds_with_the_sleeping_one():
    state = from_text("1A . . / . . . / A . B", gods=["Hermes", "Hypnus"])
    assert moves(state, "A1") == set()
    play(state, "A3-A2")
    assert blocks(state, "A1") == {"B1", "B2"}


def test_who_is_put_to_sleep_and_blocked_otherwise_has_lost():
    state = from_text("1A . . / . . . / D D . / A D B", gods=["", "Hypnus"], to_move="B")
    events = play(state, "C4-C3", "C3+C4")
    assert Lost(0, "cannot move") in events


# Aphrodite


def test_artemis_may_stray_from_aphrodite_if_she_can_return():
    state = from_text("..... / ..AB. / ..... / ..... / .....", gods=["Artemis", "Aphrodite"])
    # One step away, B1 to B3 are two spaces from D2: back to C1, C2 or C3 with the second.
    assert {"B1", "B2", "B3"} <= moves(state)
    play(state, "C2-B2")
    assert moves(state) == {"C1", "C3"}
    assert blocks(state) == set()


def test_artemis_may_not_stray_from_aphrodite_if_she_cannot_return():
    state = from_text(
        "D D D D D / . . A B . / D D D . . / D D D D D / D D D D D", gods=["Artemis", "Aphrodite"]
    )
    # From B2 the only way back is the space where the turn began.
    assert moves(state) == {"D3"}


def test_triton_may_walk_around_and_must_come_back_to_aphrodite():
    state = from_text("A B . / . . . / . . .", gods=["Triton", "Aphrodite"])
    assert moves(state) == {"A2", "B2"}
    play(state, "A1-A2")
    # A3 is an edge, from which he can come back; B3 is not.
    assert moves(state) == {"A1", "B2", "A3"}
    play(state, "A2-A3")
    assert blocks(state) == set()
    assert moves(state) == {"A2", "B2"}


def test_aphrodite_is_judged_after_apollo_has_changed_places():
    """Beside her worker by taking its space: it stands where Apollo came from, which is next to him."""
    state = from_text(". A B . / D D D D", gods=["Apollo", "Aphrodite"])
    assert moves(state) == {"C1"}


def test_aphrodite_is_judged_after_minotaur_has_pushed():
    state = from_text("A B . . . / D D D D D", gods=["Minotaur", "Aphrodite"])
    assert moves(state) == {"B1"}


def test_hermes_builds_without_a_step_whatever_aphrodite_wants():
    state = from_text(". A B / D D D / . . .", gods=["Hermes", "Aphrodite"])
    assert blocks(state) == {"A1"}
    assert moves(state) == {"A1"}
    play(state, "B1-A1")
    # Away from her he must step back before he builds.
    assert blocks(state) == set()
    assert moves(state) == {"B1"}


# Persephone


def test_prometheus_has_no_early_build_when_he_can_go_up_against_persephone():
    state = from_text("A 1 . / . . . / A . B", gods=["Prometheus", "Persephone"])
    assert blocks(state) == set()
    assert moves(state) == {"B1"}
    state = from_text("A 2 . / . . . / A . B", gods=["Prometheus", "Persephone"])
    assert blocks(state)


def test_artemis_goes_up_with_the_first_move_or_the_second_against_persephone():
    state = from_text("A . 1 / . . . / D D B", gods=["Artemis", "Persephone"])
    assert moves(state) == {"B1", "B2"}
    play(state, "A1-B1")
    assert moves(state) == {"C1"}
    assert blocks(state) == set()
    play(state, "B1-C1")
    assert blocks(state)


def test_triton_walks_until_he_goes_up_against_persephone():
    state = from_text("A . . 1 / D D D D / . . . B", gods=["Triton", "Persephone"])
    play(state, "A1-B1")
    assert blocks(state) == set()
    assert moves(state) == {"A1", "C1"}


def test_hermes_must_make_the_step_up_his_only_one_against_persephone():
    state = from_text("A 1 . / . . . / A . B", gods=["Hermes", "Persephone"])
    assert moves(state) == {"B1"}
    assert blocks(state) == set()


def test_pan_must_go_up_before_he_may_win_by_going_down():
    state = from_text("2A 0 3 / 3 . . / . . B", gods=["Pan", "Persephone"])
    assert moves(state) == {"A2"}


def test_terpsichore_satisfies_persephone_with_one_of_her_moves():
    state = from_text("A 1 . . / . . . . / . . . . / A . . B", gods=["Terpsichore", "Persephone"])
    assert moves(state, "A4")
    play(state, "A4-A3")
    assert moves(state) == {"B1"}


# Others


def test_poseidon_and_morpheus_may_stop_where_limus_leaves_them_nothing():
    state = from_text("A . . . / D D D D / . . . . / A B . B", gods=["Poseidon", "Limus"])
    play(state, "A1-B1", "B1+A1")
    assert state.seat == 1
    state = from_text("A . B / D D D", gods=["Morpheus", "Limus"])
    play(state, "A1-B1")
    assert can_end(state)
    assert blocks(state) == {"A1"}
