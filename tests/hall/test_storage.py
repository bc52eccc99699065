"""Every storage there is offers what the house asks for, called alike. (`tests/server/test_storage.py` tries
whether it keeps what it promises.)"""

import inspect
from typing import Any

import pytest
from tests.disk import Disk, Memory

from ludoteca.hall.storage import Reader, Storage
from ludoteca.server.journal_reader import JournalReader
from ludoteca.server.journal_writer import JournalWriter


def asked_for(protocol: type[Any]) -> list[str]:
    return [name for name in vars(protocol) if not name.startswith("_")]


def called(function: Any) -> list[tuple[str, Any, Any]]:
    """How a method is called: names, kinds and defaults."""
    return [(one.name, one.kind, one.default) for one in inspect.signature(function).parameters.values()]


@pytest.mark.parametrize("kind", [JournalReader, Disk])
def test_what_is_stored_is_read_alike_from_every_storage(kind: type[Any]) -> None:
    assert asked_for(Reader) == [
        "live",
        "ids",
        "slips",
        "lines",
        "records",
        "snapshots",
        "together",
        "matches",
        "summary",
        "deeds",
    ]
    for name in asked_for(Reader):
        assert called(getattr(kind, name)) == called(getattr(Reader, name)), name


@pytest.mark.parametrize("kind", [JournalWriter, Memory])
def test_records_are_handed_over_alike_to_every_storage(kind: type[Any]) -> None:
    assert asked_for(Storage) == ["secret", "archive", "append", "note", "close"]
    for name in ("append", "close"):
        assert called(getattr(kind, name)) == called(getattr(Storage, name)), name


def test_whoever_asks_for_matches_gets_a_page_of_public_ones() -> None:
    """A private table is told of only where that was said, whoever keeps the records."""
    defaults = {name: default for name, _, default in called(Reader.matches)[1:]}
    assert defaults == {"game": "", "before_ms": 1 << 62, "count": 50, "private": False, "before": ""}
