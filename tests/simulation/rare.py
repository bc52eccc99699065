"""Rare branches of the real code, switched on from outside (decision 33): bounds that are far too small, and
calls that fail as they are allowed to. In an evening that has them some are on, others each time."""

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, NamedTuple
from unittest.mock import patch

from tests.disk import Disk
from tests.simulation.plan import Plan

from ludoteca.core import Dice, Refused
from ludoteca.hall.hall import Hall
from ludoteca.hall.ledger import Ledger
from ludoteca.hall.table import Table
from ludoteca.server.doorman import Doorman
from ludoteca.server.session import Session
from ludoteca.server.snapshots import Snapshots

Met = Callable[[str], None]


class Bound(NamedTuple):
    """A constant of the house, and what else it may be."""

    place: str
    others: tuple[Any, ...]


def _short(maxlen: int) -> deque[Any]:
    return deque(maxlen=min(3, maxlen))


BOUNDS = {
    "few lines a turn": Bound("ludoteca.server.session.LINES_PER_TURN", (1, 2)),
    "few frames a turn": Bound("ludoteca.server.websocket.LINES_PER_TURN", (1, 2)),
    "snapshots without events": Bound("ludoteca.hall.snapshot.EVENTS_MAX", (0, 1)),
    "short memory": Bound("ludoteca.hall.ledger.deque", (_short,)),
    "one table looked at": Bound("ludoteca.server.snapshots.LOOKED_AT", (1,)),
    "no copies": Bound("ludoteca.wire.house.COPIES_MAX", (0, 1)),
    "coarse clocks": Bound("ludoteca.server.timers.SLOT_S", (0.01, 0.7)),
    "quick lobby": Bound("ludoteca.hall.lookers.BEAT_S", (0.05, 4.0)),
    "short lobby": Bound("ludoteca.hall.lookers.SEEN_MAX", (1, 2)),
    "timers swept at once": Bound("ludoteca.hall.floor.STALE_MAX", (0, 1)),
    "one match remembered": Bound("ludoteca.hall.lobby.LATELY_MAX", (1,)),
    "a bookmark on each sheet": Bound("ludoteca.server.journal_writer.BOOKMARK_SHEETS", (1, 3)),
    "sheets read as if many": Bound("ludoteca.server.sheets.FEW", (0, 1)),
    "few addresses known": Bound("ludoteca.hall.desk.CLAIMED_MAX", (0, 1)),
    "nobody waits for the disk": Bound("ludoteca.server.house.SETTLE_S", (0.0005,)),
    "looked up one by one": Bound("ludoteca.server.waking.UNKNOWN_AT_ONCE", (1,)),
}


class Branch(NamedTuple):
    """A call that goes otherwise, once in so many times: `instead` is given the call's own arguments."""

    owner: type
    name: str
    once_in: int
    instead: Callable[..., Any]


def _broken(*_given: object, **_more: object) -> Any:
    raise OSError("made up")


def _refused(*_given: object) -> Any:
    raise Refused("made up", "limit")


BRANCHES = {
    "snapshot of no use": Branch(Hall, "resume", 2, lambda *_given: None),
    "snapshots unreadable": Branch(Snapshots, "find", 3, _broken),
    "records read one by one": Branch(Disk, "records", 3, _broken),
    "nobody has taken anything": Branch(Session, "is_behind", 3, lambda _session: True),
    "turned away at the door": Branch(Doorman, "admit", 10, _refused),
    # What breaks down ends one connection, and is nobody else's business.
    "telling breaks down": Branch(Session, "tell", 150, _broken),
    "hearing breaks down": Branch(Session, "_do", 150, _broken),
    # What was missed is always shown whole.
    "nothing remembered": Branch(Ledger, "_remembers", 2, lambda *_given: False),
    # A table falls, and nobody else's.
    "a table falls": Branch(Table, "act", 200, _broken),
}
RARE = (*BOUNDS, *BRANCHES)
# What the house says and counts when these come about.
EXPECTED = {"telling breaks down": "telling", "hearing breaks down": "session", "a table falls": "table"}


@contextmanager
def switched_on(plan: Plan, met: Met, fall: Callable[[str], None]) -> Iterator[frozenset[str]]:
    """Some of them, for an evening that has them; which. `fall` is told of each table that falls."""
    dice = plan.dice("rare")
    chosen = frozenset(name for name in RARE if not dice.below(3)) if plan.has("rare") else frozenset[str]()
    with ExitStack() as stack:
        for name in (name for name in BOUNDS if name in chosen):
            met(f"rare: {name}")
            stack.enter_context(patch(BOUNDS[name].place, dice.choice(BOUNDS[name].others)))
        for name in (name for name in BRANCHES if name in chosen):
            branch = BRANCHES[name]
            call = _now_and_then(name, branch, plan.dice(name), met, fall)
            stack.enter_context(patch.object(branch.owner, branch.name, call))
        yield chosen


def _now_and_then(
    name: str, branch: Branch, dice: Dice, met: Met, fall: Callable[[str], None]
) -> Callable[..., Any]:
    as_ever = getattr(branch.owner, branch.name)

    def call(self: Any, *given: Any, **more: Any) -> Any:
        if dice.below(branch.once_in):
            return as_ever(self, *given, **more)
        met(f"rare: {name}")
        if isinstance(self, Table):
            fall(self.id)
        return branch.instead(self, *given, **more)

    return call
