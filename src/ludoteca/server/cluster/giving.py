"""What is handed over to a writer beside records: that a table is another's from then on, or has come."""

from collections.abc import Container
from typing import Any, NamedTuple

from ludoteca.hall.post import Entry


class Deposed(Exception):
    """Another node has taken over."""


class Give(NamedTuple):
    """A table is to be another's after what was written before: a room's, by the name of its life, or this
    node's; or whoever has the desk is to take it. It is left where it is unless it is `of` that one."""

    table: str
    to: str
    of: str


class Woken(NamedTuple):
    """What comes after this about a table was written while it was ours by this message of the stream; or
    nothing more is written about it, `over`. A room says so (see `room_writer`)."""

    table: str
    tenure: int
    over: bool = False


Item = Entry | Give | Woken


class Apart:
    """What is read where some of the tables that go on are others'."""

    def __init__(self, archive: Any, others: Container[str]) -> None:
        self._archive = archive
        self._others = others

    def __getattr__(self, name: str) -> Any:
        return getattr(self._archive, name)

    def live(self) -> list[str]:
        """Those that are not."""
        return [table for table in self._archive.live() if table not in self._others]
