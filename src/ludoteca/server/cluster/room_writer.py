"""The storage of a room: records of tables that were given to this node, and of nothing else.

Whose a table is the stream alone says, in its own order. What a table has written while it was ours is stored
then or never: where it was another's in between, even if it is ours again, nobody is told of the rest.
"""

import asyncio
from collections.abc import Callable, Collection

import structlog

from ludoteca.hall.post import Entry
from ludoteca.server.cluster.follower import Follower, Taken
from ludoteca.server.cluster.giving import Apart, Deposed, Give, Item, Woken
from ludoteca.server.cluster.pages import Page
from ludoteca.server.cluster.stream import Message, Unavailable
from ludoteca.server.cluster.writer import RETRY_S, ClusterWriter

log = structlog.get_logger()


class _All:
    def __contains__(self, _table: object) -> bool:
        return True


class RoomWriter(ClusterWriter):
    """Writes as `life`, this life of the node. All of these are called from the follower's thread:
    `came(table, tenure)` when the copy has all of a table that was given to this room, which has to be told
    back (`wake`); `lost(table)` when one is another's, before anything is called safe that was not stored for
    that; `went(table)` when one was given up, and all that it had written before is stored."""

    def __init__(
        self,
        follower: Follower,
        durable: Callable[[int], None],
        trouble: Callable[[str], None],
        life: str,
        came: Callable[[str, int], None],
        lost: Callable[[str], None],
        went: Callable[[str], None],
    ) -> None:
        self._life = life
        self._came, self._lost, self._went = came, lost, went
        self._tasks: set[asyncio.Task[None]] = set()
        # By which message each of our tables is ours, and by which it was when the room took it up.
        self._tenures: dict[str, int] = {}
        self._woken: dict[str, int] = {}
        super().__init__(follower, durable, trouble, taken=Taken(0, {}))
        # A room begins empty.
        self.archive = Apart(follower.copy.archive, _All())
        follower.heard.append(self._hear)

    def wake(self, table: str, tenure: int) -> None:
        """The room takes a table up that was given to it: what it writes from now on is of this tenure."""
        self._note(Woken(table, tenure))

    def release(self, table: str, tenure: int) -> None:
        """Nothing will be written about this table any more."""
        self._note(Woken(table, tenure, over=True))

    def _note(self, woken: Woken) -> None:
        with self._guard:
            self._pending.append(woken)
        self._follower.loop.call_soon_threadsafe(self._bell.set)

    def close(self) -> None:
        """Write what is left, if it can be written, and stop."""
        super().close()
        if self._hear in self._follower.heard:
            self._follower.heard.remove(self._hear)

    # In the follower's thread.

    def _own(self) -> set[str]:
        return set()

    def _hear(self, table: str, sequence: int, page: Page) -> None:
        if table in self._tenures and (page.node != self._life or not page.kept):
            self._drop(table)
            (self._lost if page.node else self._went)(table)
        if page.node == self._life and not page.kept and table:
            self._tenures[table] = self._fences[self._follower.table(table)] = sequence
            self._ours.add(table)
            task = asyncio.get_running_loop().create_task(self._come(table, sequence))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _come(self, table: str, tenure: int) -> None:
        while self._tenures.get(table) == tenure:
            try:
                await self._follower.settle()
            except Unavailable as error:
                log.error("a table that came cannot be read", table=table, reason=str(error))
                continue
            if self._tenures.get(table) == tenure:
                self._came(table, tenure)
            return

    def _drop(self, table: str) -> None:
        self._ours.discard(table)
        self._tenures.pop(table, None)
        self._woken.pop(table, None)
        self._numbers.pop(table, None)
        self._fences.pop(self._follower.table(table), None)

    def _author(self) -> str:
        return self._life

    def _name(self, attempt: int | str) -> str:
        return f"{self._follower.run_id}.room.{self._batch}.{attempt}"

    def _concerns_house(self, tables: Collection[str], given: Collection[str]) -> bool:
        return False

    def _kept(self, entries: list[Entry]) -> list[Entry]:
        """Those of tables that are ours as they were when they wrote this."""
        by_table = dict[str, list[Entry]]()
        for entry in entries:
            by_table.setdefault(entry.table, []).append(entry)
        kept = set[str]()
        for table, written in by_table.items():
            tenure = self._tenures.get(table)
            if tenure is None or self._woken.get(table) != tenure:
                continue
            if self._written_over(written):
                # It is not as its records say: others read them anew.
                log.error("a table is not as its records say", table=table)
                del self._woken[table]
                self._lost(table)
                self.give(table, "", self._life)
            else:
                kept.add(table)
        return [entry for entry in entries if entry.table in kept]

    async def _messages(self, batch: list[Entry], gives: list[Give]) -> tuple[list[Message], list[Give]]:
        self.epoch = self._follower.copy.mark.epoch
        return await super()._messages(batch, [give for give in gives if give.table in self._ours])

    async def _write_all(self, batch: list[Item]) -> bool:
        run: list[Item] = []
        for one in batch:
            if not isinstance(one, Woken):
                run.append(one)
                continue
            if run and not await self._write(run):
                return False
            run = []
            if not one.over:
                self._woken[one.table] = one.tenure
            elif self._tenures.get(one.table) == one.tenure:
                self._drop(one.table)
        return not run or await self._write(run)

    def _ended(self, table: str) -> None:
        """What is said after the match is written, too: nobody else has the table."""

    def _given(self, give: Give) -> None:
        """That is heard, like all else."""

    async def _landed(self, messages: list[Message]) -> int:
        """The number of the last message of a batch that was refused, if it is there already; 0 when that may
        be for a table that is another's now. Raises Deposed where the house closes before that is known."""
        end = self._found(messages, await self._lasts(messages))
        if not end:
            try:
                await self._follower.catch_up()
            except Unavailable as error:
                self._trouble(str(error))
                if self._closing:
                    raise Deposed from None
            await asyncio.sleep(RETRY_S / 10)
        return end
