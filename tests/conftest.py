"""What holds for all tests."""

import sys
from collections.abc import Iterator

import msgspec
import pytest
from hypothesis import settings
from tests import chance

from ludoteca.server.world import REAL

# It compiles forty grammars, which takes seconds in each process, so that jsonschema knows addresses in every
# script. One test needs that, and has a process of its own for it (test_release.py).
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]

# So that a broken promise shows what was compared.
pytest.register_assert_rewrite("ludoteca.testing")
# What holds must hold on a busy machine, too; how long it takes is for other tests to say.
settings.register_profile("unhurried", deadline=None, derandomize=not chance.OTHER)
settings.load_profile("unhurried")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest first: at the end there are only short ones left to share between the cores."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


@pytest.fixture(autouse=True)
def matches_are_the_same_in_every_run() -> Iterator[None]:
    """Whatever house a test opens in its process; those in processes of their own have real chance."""
    former = REAL.bits
    msgspec.structs.force_setattr(REAL, "bits", chance.bits())
    yield
    msgspec.structs.force_setattr(REAL, "bits", former)


@pytest.fixture(autouse=True)
def logs_stay_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """A command that is run within a test must not decide what later tests of this process see logged."""
    monkeypatch.setattr("ludoteca.server.logs.configure", lambda *_: None)
