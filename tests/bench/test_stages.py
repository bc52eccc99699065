"""Where the time of a move goes: what a house writes down, beside what its load has heard."""

import pytest

from ludoteca.bench import live, stages
from ludoteca.bench.stages import Diary, Heard, Span, Taken

# Two moves share a commit; the second one's letter stands behind the first one's.
DIARY = Diary(
    taken=[
        Taken("ada 0", 0.5, 0.9, 1),
        Taken("ada 0", 1.010, 1.020, 3),
        Taken("bob 0", 1.012, 1.020, 3),
    ],
    commits=[Span(0.91, 0.95, 1), Span(1.025, 1.035, 3)],
    rounds=[Span(0.96, 0.97, 1), Span(1.036, 1.040, 3)],
    told=[("ada 1", 0.965), ("ada 1", 1.037), ("bob 1", 1.039)],
    put_away=[Span(1.021, 1.025, 60)],
)
MOVES = [Heard("bob 0", "bob 1", 1.002, 1.049), Heard("ada 0", "ada 1", 1.0, 1.038)]


def test_the_stages_of_a_move_are_all_of_its_time():
    found = stages.explain(DIARY, MOVES)
    assert [move.mover for _, move in found] == ["ada 0", "bob 0"], "the slowest last"
    for spent, move in found:
        assert sum(spent) == pytest.approx(move.heard_s - move.sent_s)
    spent = found[-1][0]
    assert [round(part * 1e3) for part in spent] == [10, 8, 5, 10, 1, 3, 10]


def test_a_move_that_the_house_does_not_know_is_left_out():
    assert not stages.explain(DIARY, [Heard("eve 0", "eve 1", 1.0, 1.1)])
    (figure,) = stages.figures("some", DIARY, [Heard("eve 0", "eve 1", 1.0, 1.1)])
    assert figure.value is None


def test_figures_are_those_of_the_slowest_and_say_what_happened_meanwhile():
    found = {figure.name: figure for figure in stages.figures("two", DIARY, MOVES)}
    assert found["two: is written and synced"].value == pytest.approx(10)
    assert found["two: waits for the load to read it"].value == pytest.approx(10)
    assert found["two: the log was put away meanwhile"].value == 100
    assert found["two: notes were written meanwhile"].value == 0


@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_a_house_writes_down_the_moves_that_its_load_hears_of():
    found = [figure async for figure in live.figures((6,), 3.0, where=True)]
    shown = {figure.name: figure.value for figure in found if figure.section == stages.SECTION}
    for way in ("TCP", "WebSocket"):
        for words in stages.WORDS:
            value = shown[f"6 tables, {way}: {words}"]
            assert value is not None
            assert value >= 0
