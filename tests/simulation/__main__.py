"""`make simulate`: so many evenings, each made up from its seed, on all cores. Ends at the first that breaks
a promise, with less and less of it as long as it still does, and the command that repeats it. One that was
interrupted says how it goes on; with `--book FILE` it does so by itself, and all figures are of all of it."""

import argparse
import gc
import os
import signal
import sys
import time
from collections import Counter, deque
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

import msgspec
from tests.simulation.ages import SHAPES
from tests.simulation.plan import FAULTS, GUESTS, LINES, NODES, NODES_WAYS, NODES_WEATHER, Plan, plan
from tests.simulation.rare import RARE
from tests.simulation.run import simulate

from ludoteca import games

TOGETHER = 10
# So many of these wait for each process: what comes of them is counted in their order.
AHEAD = 4
# What must have come about in a thousand evenings of all games, beside every fault.
RECOVERIES = (
    "somebody returned",
    "a bot held a chair",
    "back when needed",
    "back by a snapshot",
    "snapshot ignored",
    "set aside",
    "lost what was called safe",
    "crash before all tables were back",
    "crash while writing",
    "trouble told",
    "trouble over",
    "dropped as slow",
    "dropped without a name",
    "dropped with half a request",
    "turned away",
    "no room",
    "whisper",
    "rematch",
    "match over",
    "by calls to shelfie",
    "did not start",
    "upgraded from before slips",
    "upgraded from before seals",
    *(f"upgraded from shape {shape}" for shape in SHAPES),
    "left alone as too new",
    "sat with strangers",
    "looked on elsewhere",
    "secrets dealt anew",
)
# What of an evening only is there, and does nothing by itself.
SILENT = {"packed", "small_outbox", "file", "rare", "secrets"}
# Everything that must have come about.
COVERAGE: dict[str, list[str]] = {
    "what went wrong": [what for what in FAULTS if what not in SILENT],
    "how it was got over": list(RECOVERIES),
    "rare branches": [f"rare: {name}" for name in RARE],
    "who and what there was": [f"part {part}" for part in (*GUESTS, *FAULTS)],
}
MET_BY = 1000
# The same of evenings with several nodes, of which there are fewer.
NODES_RECOVERIES = (
    "died with the hall",
    "stopped with the hall",
    "drained with the hall",
    "paused with the hall",
    "cut off with the hall",
    "died with a room",
    "stopped with a room",
    "drained with a room",
    "paused with a room",
    "cut off with a room",
    "new leader",
    "lost with a leader",
    "stored, and nobody said so",
    "stored late",
    "read what was",
    "lost between nodes",
    "died while writing",
    "told by who leads no more",
    "somebody returned",
    "back when needed",
    "trouble told",
    "trouble over",
    "tables compared",
    "match over",
    "by calls to shelfie",
)
NODES_COVERAGE: dict[str, list[str]] = {
    "what went wrong": [*LINES, *NODES],
    "how it was got over": list(NODES_RECOVERIES),
    "who and what there was": [
        f"part {part}" for part in (*GUESTS, *LINES, *NODES, *NODES_WEATHER, *NODES_WAYS)
    ],
}
NODES_MET_BY = 200


def part_names(text: str) -> list[str]:
    """Parts of an evening, with commas between."""
    parts = [part for part in text.split(",") if part]
    for part in parts:
        if part not in (*FAULTS, *GUESTS, *NODES, *NODES_WEATHER, *NODES_WAYS):
            raise argparse.ArgumentTypeError(f"no part of an evening: {part}")
    return parts


class Some(NamedTuple):
    """What came of some evenings: how many records, what was met, by game the processor's seconds, and the
    first that failed."""

    records: int
    met: Counter[str]
    cpu_s: Counter[str]
    failed: tuple[Plan, str] | None = None


def evenings(plans: list[Plan], twice: bool) -> Some:
    """Some evenings, up to the first that fails."""
    met, cpu_s = Counter[str](), Counter[str]()
    records = 0
    for one in plans:
        began = time.process_time()
        try:
            report = simulate(one)
            if twice and simulate(one) != report:
                return Some(records, met, cpu_s, (one, "it went otherwise the second time"))
        except Exception as error:
            return Some(records, met, cpu_s, (one, f"{type(error).__name__}: {error}"))
        finally:
            # In between it would look again and again at what lasts as long as the evening does; what is left
            # now was imported or is remembered on purpose.
            gc.collect()
            gc.freeze()
        records += report.records
        met.update(report.met)
        met.update(f"part {part}" for part in one.parts)
        cpu_s[one.game] += time.process_time() - began  # type: ignore[assignment]
    return Some(records, met, cpu_s)


def settle() -> None:
    """A process that does nothing but evenings: each leaves much to be collected at once, and whoever
    interrupts them says so elsewhere."""
    gc.disable()
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def shrink(failing: Plan) -> tuple[Plan, str]:
    """The same kind of failure with as few guests and faults as it takes, and its text."""
    kind, text = failure_of(failing)
    is_smaller = True
    while is_smaller:
        is_smaller = False
        for part in failing.parts:
            less = failing.without(part)
            found, why = failure_of(less)
            if found is not None and found is kind:
                failing, text, is_smaller = less, why, True
                break
    return failing, text


def failure_of(wanted: Plan) -> tuple[type[Exception] | None, str]:
    """How an evening fails, if it does."""
    try:
        simulate(wanted)
    except Exception as error:
        return type(error), f"{type(error).__name__}: {error}"
    return None, ""


class Book(msgspec.Struct):
    """What came of all evenings so far, and the seed that is next."""

    next: int
    evenings: int = 0
    records: int = 0
    took_s: float = 0.0
    met: Counter[str] = msgspec.field(default_factory=Counter)
    cpu_s: Counter[str] = msgspec.field(default_factory=Counter)

    @classmethod
    def read(cls, path: Path | None, first: int) -> "Book":
        """The one that was kept there, or a new one."""
        if path is None or not path.exists():
            return cls(first)
        found = msgspec.json.decode(path.read_bytes())
        return cls(**{**found, "met": Counter(found["met"]), "cpu_s": Counter(found["cpu_s"])})

    def write(self, path: Path | None) -> None:
        """Keep it, wholly or as it was."""
        if path is not None:
            fresh = path.with_suffix(".new")
            fresh.write_bytes(msgspec.json.encode(self))
            fresh.rename(path)

    def add(self, some: Some, seeds: int, of_each: int) -> None:
        """So many seeds more, and the evenings of each."""
        self.next += seeds
        self.evenings += seeds * of_each
        self.records += some.records
        self.met += some.met
        self.cpu_s += some.cpu_s

    def text(self) -> str:
        """The figures."""
        cpu_s = sorted(self.cpu_s.items())
        return (
            f"{self.evenings} evenings in {self.took_s:.0f} s, {self.evenings / self.took_s:.1f} a second, "
            f"{self.records} records\n{sum(self.cpu_s.values()):.0f} s of the processors: "
            + ", ".join(f"{game} {seconds:.0f} s" for game, seconds in cpu_s)
        )


class Run:
    """All evenings that are wanted and not in the book yet, some at a time in each process."""

    def __init__(self, chosen: argparse.Namespace, names: list[str]) -> None:
        self._chosen = chosen
        self._names = names
        self.book = Book.read(chosen.book, chosen.first)
        self.end = chosen.first + chosen.evenings
        self._together = max(1, TOGETHER // len(names))

    def _plans(self, first: int, seeds: int) -> list[Plan]:
        seeds_here, nodes = range(first, first + seeds), self._chosen.nodes
        found = (plan(seed, game, nodes) for seed in seeds_here for game in self._names)
        return [self._change(one) for one in found]

    def _change(self, one: Plan) -> Plan:
        return one.also(*self._chosen.also).without(*self._chosen.without)

    def go(self) -> tuple[Plan, str] | None:
        """The first that fails, if one does."""
        began, before_s = time.monotonic(), self.book.took_s
        waiting: deque[tuple[int, Future[Some]]] = deque()
        at = self.book.next
        with ProcessPoolExecutor(self._chosen.jobs, initializer=settle) as pool:
            try:
                while at < self.end or waiting:
                    while at < self.end and len(waiting) < AHEAD * self._chosen.jobs:
                        seeds = min(self._together, self.end - at)
                        future = pool.submit(evenings, self._plans(at, seeds), self._chosen.twice)
                        waiting.append((seeds, future))
                        at += seeds
                    seeds, future = waiting.popleft()
                    some = future.result()
                    if some.failed is not None:
                        return some.failed
                    self.book.add(some, seeds, len(self._names))
                    self.book.took_s = before_s + time.monotonic() - began
                    self.book.write(self._chosen.book)
                    show(self.book, self.book.evenings + (self.end - self.book.next) * len(self._names))
            finally:
                for _, future in waiting:
                    future.cancel()
        return None


def one_evening(wanted: Plan, *, trace: bool) -> None:
    """Repeat one, and say everything about it."""
    report = simulate(wanted, trace=sys.stdout.buffer.write if trace else None)
    print(wanted)
    print(report)


def unmet(met: Counter[str], wanted: dict[str, list[str]] = COVERAGE) -> list[str]:
    """What should have come about, and has not."""
    return [what for part in wanted.values() for what in part if not met[what]]


def coverage(met: Counter[str], wanted: dict[str, list[str]] = COVERAGE) -> Iterator[str]:
    """How often everything came about: what goes wrong, how it is got over, rare branches, who came."""
    for title, part in wanted.items():
        yield f"{title}:"
        yield from (f"  {met[what]:>9}  {what}" for what in part)
    named = {what for part in wanted.values() for what in part}
    yield "more:"
    yield from (f"  {count:>9}  {what}" for what, count in sorted(met.items()) if what not in named)


def main() -> None:
    """Simulate, and say what came of it."""
    parser = argparse.ArgumentParser(prog="make simulate", description=__doc__)
    parser.add_argument(
        "--evenings", type=int, default=100, help="how many, of each game that is named (100)"
    )
    parser.add_argument("--first", type=int, default=1, help="the first seed (1)")
    parser.add_argument("--seed", type=int, help="this one only")
    choices = ["", "all", *games.names()]
    parser.add_argument("--game", default="", choices=choices, help="in turns, unless one is named, or all")
    parser.add_argument("--nodes", type=int, default=0, help="so many machines (0: one, without NATS)")
    parser.add_argument("--with", dest="also", type=part_names, default=[], help="have these in each, too")
    parser.add_argument("--without", type=part_names, default=[], help="leave out these guests and faults")
    parser.add_argument("--twice", action="store_true", help="run each twice, and compare")
    parser.add_argument("--trace", action="store_true", help="print every byte that goes over a wire")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes (all cores)")
    parser.add_argument("--book", type=Path, help="a file with what came of all so far, to go on from there")
    chosen = parser.parse_args()
    if chosen.seed is not None:
        game = "" if chosen.game == "all" else chosen.game
        one = plan(chosen.seed, game, chosen.nodes).also(*chosen.also).without(*chosen.without)
        one_evening(one, trace=chosen.trace)
        return
    names = games.names() if chosen.game == "all" else [chosen.game]
    run = Run(chosen, list(names))
    try:
        failed = run.go()
    except KeyboardInterrupt:
        print(f"\n{run.book.evenings} evenings so far; it goes on with: {again(chosen, run)}")
        sys.exit(130)
    if failed is not None:
        sys.exit(complaint(*failed))
    met = run.book.met
    wanted, met_by = (NODES_COVERAGE, NODES_MET_BY) if chosen.nodes else (COVERAGE, MET_BY)
    print(f"\n{run.book.text()}", *coverage(met, wanted), sep="\n")
    print("nothing lost, nothing told twice, nobody stuck, nothing left behind")
    is_all = chosen.game in ("", "all") and not chosen.without
    if run.book.evenings >= met_by and is_all and (never := unmet(met, wanted)):
        sys.exit(f"never met: {', '.join(never)}")


def again(chosen: argparse.Namespace, run: Run) -> str:
    """The command that goes on where this one ended."""
    game = f" --game {chosen.game}" if chosen.game else ""
    game += f" --nodes {chosen.nodes}" if chosen.nodes else ""
    game += f" --with {','.join(chosen.also)}" if chosen.also else ""
    if chosen.book is not None:
        return f'make simulate ARGS="--evenings {chosen.evenings}{game} --book {chosen.book}"'
    return f'make simulate ARGS="--evenings {run.end - run.book.next} --first {run.book.next}{game}"'


def complaint(failed: Plan, text: str) -> str:
    """What is said about an evening that broke a promise."""
    print(f"\n{text}\n{failed.command}\nlooking for less of it ...", flush=True)
    less, why = shrink(failed)
    return f"{why or text}\n{' '.join(less.parts)}\n{less.command}"


def show(book: Book, all_of_them: int) -> None:
    """A bar where somebody looks on."""
    if sys.stderr.isatty():
        width = 40 * book.evenings // max(1, all_of_them)
        rate = book.evenings / max(1e-9, book.took_s)
        bar = f"[{'#' * width:<40}] {book.evenings} of {all_of_them}, {rate:.1f} a second"
        print(f"\r{bar}", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
