"""What holds for all tests."""

import pytest
from hypothesis import settings

# So that a broken promise shows what was compared.
pytest.register_assert_rewrite("ludoteca.testing")
# What holds must hold on a busy machine, too; how long it takes is for other tests to say.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest first: at the end there are only short ones left to share between the cores."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


@pytest.fixture(autouse=True)
def logs_stay_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """A command that is run within a test must not decide what later tests of this process see logged."""
    monkeypatch.setattr("ludoteca.server.logs.configure", lambda *_: None)
