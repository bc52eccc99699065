"""What holds for all tests."""

import pytest

# So that a broken promise shows what was compared.
pytest.register_assert_rewrite("ludoteca.testing")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest first: at the end there are only short ones left to share between the cores."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)
