"""Where the time of a move goes. `python -m ludoteca.bench.stages FILE serve ...` is a house that keeps a
diary and writes it down when it closes; beside what the load has heard, it says for each move how long it
waited where.

All processes of a machine share the monotonic clock. What the load has sent lies in the house's socket at
once, and what the house has written in the load's: so the first stage is the house's, and the last the
load's own.
"""

import atexit
import runpy
import sys
import time
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import wraps
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from ludoteca.bench.figures import Figure, percentile

SECTION = "Where the time of a move goes, over the slowest hundredth of all moves (ms on average)"
# The slowest moves that are looked at, as a part of all.
SLOWEST = 0.01


class Heard(NamedTuple):
    """A move as the load sees it: by whom, who hears of it, when it was sent, and heard of."""

    mover: str
    other: str
    sent_s: float
    heard_s: float


class Taken(NamedTuple):
    """An answer to a question as the house sees it: whose, when it was read, when it went to the journal, and
    how many records there were then."""

    name: str
    read_s: float
    handed_s: float
    records: int


class Span(NamedTuple):
    """Something that took a while, with a number that says how much of it there was."""

    began_s: float
    ended_s: float
    number: int


class Diary(msgspec.Struct):
    """What a house did, and when. `commits` and `rounds` (of letters that a commit lets go) count records,
    `told` is who was written to."""

    taken: list[Taken] = []
    commits: list[Span] = []
    rounds: list[Span] = []
    told: list[tuple[str, float]] = []
    put_away: list[Span] = []
    notes: list[Span] = []


class Spent(NamedTuple):
    """The stages of one move, in seconds."""

    unread: float
    carried_out: float
    gathering: float
    written: float
    woken: float
    handed_out: float
    unheard: float


WORDS = (
    "waits in the socket for the loop",
    "is carried out, with others of its round",
    "waits for the commit before, and for company",
    "is written and synced",
    "waits until the loop hears of that",
    "waits for letters before it, and is written",
    "waits for the load to read it",
)


# In the house.


def watch(diary: Diary, clock: Callable[[], float] = time.monotonic) -> None:
    """From now on every house of this process keeps this diary."""
    from ludoteca.server.house import House
    from ludoteca.server.journal_writer import JournalWriter
    from ludoteca.server.session import Session

    acts: list[tuple[str, float]] = []

    def around(kind: type, name: str, note: Callable[..., Callable[[], None] | None]) -> None:
        """`note` is called with the arguments before, and what it returns afterwards."""
        is_static = isinstance(kind.__dict__[name], staticmethod)
        real = getattr(kind, name)

        @wraps(real)
        def noted(*given: Any) -> Any:
            after = note(*given)
            found = real(*given)
            if after is not None:
                after()
            return found

        setattr(kind, name, staticmethod(noted) if is_static else noted)

    def receive(session: Session, data: bytes) -> None:
        if b'"act"' in data:
            acts.append((session.guest.name, clock()))

    def send(house: House) -> Callable[[], None]:
        mine = acts.copy()
        acts.clear()

        def after() -> None:
            handed_s, records = clock(), house._appended
            diary.taken.extend(Taken(name, read_s, handed_s, records) for name, read_s in mine)

        return after

    def span(spans: list[Span], number: int) -> Callable[[], None]:
        began_s = clock()
        return lambda: spans.append(Span(began_s, clock(), number))

    around(Session, "receive", receive)
    around(House, "_send", send)
    around(House, "_on_durable", lambda _house, count: span(diary.rounds, count))
    around(
        Session,
        "tell",
        lambda session, *_: lambda: diary.told.append((session.guest.name, clock())),
    )
    around(
        JournalWriter,
        "_write",
        lambda store, _connection, batch: span(diary.commits, store._written + len(batch)),
    )
    around(
        JournalWriter,
        "_put_away",
        lambda store, _connection: (
            span(diary.put_away, store._logged + 1) if store._logged + 1 >= store._logged_max else None
        ),
    )
    around(JournalWriter, "_write_notes", lambda _connection, notes: span(diary.notes, len(notes)))


def main() -> None:
    """A house that keeps a diary."""
    file = Path(sys.argv.pop(1))
    diary = Diary()
    watch(diary)
    atexit.register(lambda: file.write_bytes(msgspec.msgpack.encode(diary)))
    runpy.run_module("ludoteca.cli", run_name="__main__")


# Beside it.


def read(file: Path) -> Diary:
    """What a house has written down."""
    return msgspec.msgpack.decode(file.read_bytes(), type=Diary)


def explain(diary: Diary, moves: Iterable[Heard]) -> list[tuple[Spent, Heard]]:
    """The stages of each move that the diary knows, the slowest last."""
    taken: dict[str, list[Taken]] = {}
    for one in diary.taken:
        taken.setdefault(one.name, []).append(one)
    told: dict[str, list[float]] = {}
    for name, told_s in diary.told:
        told.setdefault(name, []).append(told_s)
    commits = [commit.number for commit in diary.commits]
    rounds = [one.number for one in diary.rounds]
    found = []
    for move in moves:
        mine = taken.get(move.mover, [])
        at = bisect_left(mine, move.sent_s, key=lambda one: one.read_s)
        if at == len(mine) or mine[at].read_s > move.heard_s:
            continue
        _, read_s, handed_s, records = mine[at]
        commit = diary.commits[bisect_left(commits, records)]
        begun_s = diary.rounds[bisect_left(rounds, records)].began_s
        theirs = told.get(move.other, [])
        place = bisect_left(theirs, begun_s)
        written_s = theirs[place] if place < len(theirs) else begun_s
        steps_s = (read_s, handed_s, commit.began_s, commit.ended_s, begun_s, written_s)
        times = pairwise((move.sent_s, *steps_s, move.heard_s))
        found.append((Spent(*(after - before for before, after in times)), move))
    return sorted(found, key=lambda one: one[1].heard_s - one[1].sent_s)


def figures(name: str, diary: Diary, moves: Sequence[Heard]) -> Iterator[Figure]:
    """What became of the slowest."""
    found = explain(diary, moves)
    if not found:
        yield Figure(SECTION, name, None, "", note="the house has not written down one of these moves")
        return
    slow = found[-max(1, round(len(found) * SLOWEST)) :]
    for place, words in enumerate(WORDS):
        all_of_it = sorted(spent[place] * 1e3 for spent, _ in found)
        mean = sum(spent[place] for spent, _ in slow) / len(slow) * 1e3
        p50, p99 = (percentile(all_of_it, part) for part in (50, 99))
        note = f"of all moves p50 {p50:.1f}, p99 {p99:.1f}"
        yield Figure(SECTION, f"{name}: {words}", mean, "ms", note=note, noise=None)
    for spans, words in ((diary.put_away, "the log was put away"), (diary.notes, "notes were written")):
        began_s, ended_s = min(move.sent_s for move in moves), max(move.heard_s for move in moves)
        took = [one for one in spans if began_s <= one.began_s <= ended_s]
        met = sum(
            any(one.began_s < move.heard_s and move.sent_s < one.ended_s for one in took) for _, move in slow
        )
        longest = max((one.ended_s - one.began_s for one in took), default=0.0) * 1e3
        total = sum(one.ended_s - one.began_s for one in took) / (ended_s - began_s) * 100
        note = f"{len(took)} times, {total:.1f} % of the time, longest {longest:.1f} ms"
        share = met / len(slow) * 100
        yield Figure(SECTION, f"{name}: {words} meanwhile", share, "% of them", note=note, noise=None)


if __name__ == "__main__":
    main()
