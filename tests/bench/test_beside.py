"""This tree beside another one."""

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from click.testing import CliRunner

import ludoteca
from ludoteca import games
from ludoteca.bench import beside, command, traffic
from ludoteca.bench.bouts import Spent
from ludoteca.bench.figures import Figure
from ludoteca.bench.moves import cases
from ludoteca.bench.processes import BenchError

SOURCE = Path(ludoteca.__file__).parent.parent


def test_every_guarded_row_is_one_that_is_measured() -> None:
    assert set(beside.GUARDED) <= {case.name for case in cases()}


@pytest.mark.slow
@pytest.mark.timeout(120)
async def test_a_tree_beside_itself_is_measured_bout_by_bout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(traffic, "TABLES", 2)
    case = next(case for case in cases() if case.name == "multisweeper, its own lines")
    figure = await beside.compared(case._replace(moves=4), SOURCE, rounds=2)
    assert figure.value
    assert figure.noise is not None
    assert figure.aim == 1.1 + figure.noise
    assert "us there" in figure.note


async def test_pairs_of_bouts_decide_and_whoever_was_slower_here_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The machine is three times as slow in every other round, and our house by a fifth in all of them."""
    took: dict[Path, int] = {}

    async def bout(_server: object, _driver: object, _case: object, data: Path) -> Spent:
        turn = took[data] = took.get(data, 0) + 1
        return Spent(100, (1.2 if data.name == "mine" else 1.0) * (1 + 2 * (turn % 2)) / 1e3, 1.0)

    @contextlib.asynccontextmanager
    async def nobody(*_: object, **__: object) -> AsyncIterator[None]:
        yield

    monkeypatch.setattr(beside, "bout", bout)
    monkeypatch.setattr(beside, "house", nobody)
    monkeypatch.setattr(beside, "other_house", nobody)
    case = next(case for case in cases() if case.name == "multisweeper, its own lines")
    figure = await beside.compared(case, SOURCE)
    assert figure.value == pytest.approx(1.2)
    assert figure.met is False


@pytest.mark.parametrize(("value", "code"), [(1.05, 0), (1.2, 1), (None, 1)])
def test_the_command_ends_with_1_when_a_row_is_slower_here_or_cannot_be_measured(
    value: float | None, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def figures(source: Path) -> AsyncIterator[Figure]:
        assert source.is_absolute()
        yield Figure(beside.SECTION, "a click", value, "x", 1.1)

    monkeypatch.setattr(beside, "figures", figures)
    result = CliRunner().invoke(command.command, ["--beside", str(SOURCE)])
    assert result.exit_code == code, result.output


def test_a_folder_without_the_package_is_refused(tmp_path: Path) -> None:
    result = CliRunner().invoke(command.command, ["--beside", str(tmp_path)])
    assert result.exit_code
    assert "there is no ludoteca" in str(result.exception) + result.output


@pytest.mark.slow
@pytest.mark.timeout(120)
async def test_random_games_of_a_tree_beside_itself_are_the_same_games() -> None:
    found = [figure async for figure in beside.random_figures(SOURCE, turns=1)]
    assert {figure.name.split(",")[0] for figure in found} == set(games.names())
    for figure in found:
        assert figure.value
        assert "moves/s there" in figure.note


async def test_random_games_of_a_folder_without_the_package_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BenchError, match="there is no ludoteca"):
        await anext(beside.random_figures(tmp_path))
