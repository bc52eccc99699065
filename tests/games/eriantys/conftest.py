"""The tests of the wire run in both tongues: as lines of JSON, and through the original's objects."""

import pytest
from tests.games.eriantys import originals
from tests.games.eriantys.house import House


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Each of them twice."""
    if metafunc.module.__name__.rpartition(".")[2].startswith("test_wire"):
        metafunc.parametrize("tongue", ["json", "java"], indirect=True)


@pytest.fixture(autouse=True)
def tongue(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """How clients of a quiet house speak."""
    if getattr(request, "param", "json") == "java":
        monkeypatch.setattr(House, "converse", lambda house: originals.converse(house.settings))
