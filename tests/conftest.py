"""What holds for all tests."""

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest first: at the end there are only short ones left to share between the cores."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)
