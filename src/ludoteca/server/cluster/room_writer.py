"""The storage of a room: records of tables that were given to this node, and of nothing else.

A table that is another's now is refused by its own fence; its records are stored nowhere, and nobody is told
of them. All others go on.
"""

import asyncio
from collections.abc import Callable

import structlog

from ludoteca.hall.post import Entry
from ludoteca.server.cluster.follower import Follower, Taken
from ludoteca.server.cluster.pages import Page
from ludoteca.server.cluster.stream import Message
from ludoteca.server.cluster.writer import RETRY_S, Apart, ClusterWriter, Give

log = structlog.get_logger()


class _All:
    def __contains__(self, _table: object) -> bool:
        return True


class RoomWriter(ClusterWriter):
    """Writes as `life`, this life of the node. `came(table)` is called from the follower's thread when the
    copy has all of a table that was given to this room, `lost(table)` when one is another's."""

    def __init__(
        self,
        follower: Follower,
        durable: Callable[[int], None],
        trouble: Callable[[str], None],
        life: str,
        came: Callable[[str], None],
        lost: Callable[[str], None],
    ) -> None:
        self._life = life
        self._came = came
        self._lost = lost
        self._tasks: set[asyncio.Task[None]] = set()
        super().__init__(follower, durable, trouble, taken=Taken(0, {}))
        # A room begins empty.
        self.archive = Apart(follower.copy.archive, _All())
        follower.heard.append(self._hear)

    def close(self) -> None:
        """Write what is left, if it can be written, and stop."""
        if self._hear in self._follower.heard:
            self._follower.heard.remove(self._hear)
        super().close()

    # In the follower's thread.

    def _own(self) -> set[str]:
        return set()

    def _hear(self, table: str, sequence: int, page: Page) -> None:
        if page.node == self._life and not page.kept and table:
            self._ours.add(table)
            self._fences[self._follower.table(table)] = sequence
            self._numbers.pop(table, None)
            task = asyncio.get_running_loop().create_task(self._come(table))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        elif page.node != self._life and table in self._ours:
            self._drop(table)

    async def _come(self, table: str) -> None:
        await self._follower.settle()
        self._came(table)

    def _drop(self, table: str) -> None:
        self._ours.discard(table)
        self._numbers.pop(table, None)
        self._fences.pop(self._follower.table(table), None)
        self._lost(table)

    def _author(self) -> str:
        return self._life

    def _name(self, attempt: int | str) -> str:
        return f"{self._follower.run_id}.room.{self._batch}.{attempt}"

    def _kept(self, entries: list[Entry]) -> list[Entry]:
        return [entry for entry in entries if entry.table in self._ours]

    def _written_over(self, batch: list[Entry]) -> str:
        """A table about which something is to be written that is there already was lost, and came again."""
        for table in {entry.table for entry in batch}:
            if super()._written_over([entry for entry in batch if entry.table == table]):
                log.error("a table has gone on elsewhere", table=table)
                self._drop(table)
                return "a table has gone on elsewhere"
        return ""

    async def _messages(self, batch: list[Entry], gives: list[Give]) -> list[Message]:
        self.epoch = self._follower.copy.mark.epoch
        return await super()._messages(batch, [give for give in gives if give.table in self._ours])

    async def _write_all(self, batch: list[Entry | Give]) -> bool:
        return await self._write(batch)

    def _ended(self, table: str) -> None:
        """What is said after the match is written, too: nobody else has the table."""

    def _given(self, give: Give) -> None:
        if give.table in self._ours:
            self._drop(give.table)

    async def _landed(self, messages: list[Message]) -> int:
        """The number of the last message of a batch that was refused, if it is there already; 0 when some of
        its tables are others' now. Raises Deposed where the house closes before that is known."""
        lasts = [await self._last(message.subject) for message in messages]
        for left, last in enumerate(reversed(lasts)):
            if last.batch.startswith(self._name("")):
                return last.sequence + left
        for message, last in zip(messages, lasts, strict=True):
            table = message.subject.rpartition(".")[2]
            if message.fence is not None and last.sequence != message.fence and table in self._ours:
                log.warning("another node has this table", table=table)
                self._drop(table)
        await asyncio.sleep(RETRY_S / 10)
        return 0
