"""A run beside an earlier one."""

from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from ludoteca.bench import command as bench
from ludoteca.bench.bouts import Spent
from ludoteca.bench.compare import LOOP, SECTION, Change, changes, machine, read
from ludoteca.bench.figures import Figure
from ludoteca.bench.processes import BenchError
from ludoteca.bench.traffic import doubt


def _change(before: Figure, now: Figure, pace: float = 1.0) -> Change:
    old = [Figure(SECTION, LOOP, 10.0, "ms CPU"), before]
    (found,) = changes(old, [Figure(SECTION, LOOP, 10.0 * pace, "ms CPU"), now])
    return found


def _figure(value: float | None, unit: str = "x", **more: object) -> Figure:
    return Figure("moves", "a click", value, unit, **{"noise": 0.02, **more})  # type: ignore[arg-type]


def test_a_tenth_and_the_doubt_of_both_runs_are_allowed():
    assert not _change(_figure(4.0), _figure(4.5)).slower
    assert _change(_figure(4.0), _figure(4.6)).slower
    assert not _change(_figure(4.0), _figure(4.6, noise=0.1)).slower
    assert not _change(_figure(4.0), _figure(2.0)).slower


def test_where_more_is_better_less_is_slower():
    assert _change(_figure(1000, more_is_better=True), _figure(800, more_is_better=True)).slower
    assert not _change(_figure(800, more_is_better=True), _figure(1000, more_is_better=True)).slower


def test_times_are_compared_as_multiples_of_the_machines_own_and_ratios_as_they_are():
    assert not _change(_figure(10.0, "us CPU"), _figure(20.0, "us CPU"), pace=2.0).slower
    assert _change(_figure(10.0, "us CPU"), _figure(20.0, "us CPU")).slower
    assert _change(_figure(4.0), _figure(8.0), pace=2.0).slower


def test_wall_time_is_shown_and_never_judged():
    change = _change(_figure(10.0, "ms", noise=None), _figure(90.0, "ms", noise=None))
    assert not change.slower
    assert "9.00" in str(change)
    assert "SLOWER" not in str(change)


def test_what_only_one_run_has_is_not_compared():
    assert not [*changes([_figure(None)], [_figure(3.0)])]
    assert not [*changes([], [_figure(3.0)])]


def test_how_quick_the_machine_is_can_be_said():
    assert machine().value


def test_rounds_that_agree_leave_little_doubt():
    steady = [Spent(10, 0.001, 1.0)] * 4
    shaky = [Spent(10, 0.001 * turn, 1.0) for turn in (1, 2, 1, 2)]
    assert doubt(steady, steady) == 0
    assert doubt(shaky, steady) > 0.1


def test_a_file_that_holds_no_figures_is_refused(tmp_path: Path):
    (tmp_path / "figures.json").write_text("[1]")
    with pytest.raises(BenchError):
        read(tmp_path / "figures.json")


@pytest.mark.parametrize(("before", "code"), [(4.0, 0), (2.0, 1)])
def test_the_command_ends_with_1_when_something_got_slower(
    before: float, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    async def figures(*_: object):
        yield _figure(4.0)

    monkeypatch.setattr(bench, "_figures", figures)
    file = tmp_path / "figures.json"
    file.write_bytes(msgspec.json.encode([_figure(before)]))
    result = CliRunner().invoke(bench.command, ["--compare", str(file)])
    assert result.exit_code == code, result.output
    assert ("SLOWER" in result.output) == bool(code)
