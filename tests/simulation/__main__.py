"""`make simulate`: so many evenings, each made up from its seed, on all cores. Ends at the first that breaks
a promise, with less and less of it as long as it still does, and the command that repeats it."""

import argparse
import gc
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from typing import NamedTuple

from tests.simulation.ages import SHAPES
from tests.simulation.plan import FAULTS, GUESTS, Plan, plan
from tests.simulation.rare import RARE
from tests.simulation.run import simulate

from ludoteca import games

TOGETHER = 10
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


def part_names(text: str) -> list[str]:
    """Parts of an evening, with commas between."""
    parts = [part for part in text.split(",") if part]
    for part in parts:
        if part not in (*FAULTS, *GUESTS):
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
        records += report.records
        met.update(report.met)
        met.update(f"part {part}" for part in one.parts)
        cpu_s[one.game] += time.process_time() - began  # type: ignore[assignment]
    return Some(records, met, cpu_s)


def settle() -> None:
    """A process that does nothing but evenings: what is imported stays, and each leaves much to be collected
    at once."""
    gc.freeze()
    gc.set_threshold(20_000, 50, 100)


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


def chunks(plans: Iterator[Plan]) -> Iterator[list[Plan]]:
    """So many at a time."""
    while some := list(islice(plans, TOGETHER)):
        yield some


def one_evening(wanted: Plan, *, trace: bool) -> None:
    """Repeat one, and say everything about it."""
    report = simulate(wanted, trace=sys.stdout.buffer.write if trace else None)
    print(wanted)
    print(report)


def unmet(met: Counter[str]) -> list[str]:
    """What should have come about, and has not."""
    return [what for part in COVERAGE.values() for what in part if not met[what]]


def coverage(met: Counter[str]) -> Iterator[str]:
    """How often everything came about: what goes wrong, how it is got over, rare branches, who came."""
    for title, part in COVERAGE.items():
        yield f"{title}:"
        yield from (f"  {met[what]:>9}  {what}" for what in part)
    named = {what for part in COVERAGE.values() for what in part}
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
    parser.add_argument("--without", type=part_names, default=[], help="leave out these guests and faults")
    parser.add_argument("--twice", action="store_true", help="run each twice, and compare")
    parser.add_argument("--trace", action="store_true", help="print every byte that goes over a wire")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes (all cores)")
    chosen = parser.parse_args()
    if chosen.seed is not None:
        game = "" if chosen.game == "all" else chosen.game
        one_evening(plan(chosen.seed, game).without(*chosen.without), trace=chosen.trace)
        return
    names = games.names() if chosen.game == "all" else [chosen.game]
    seeds = range(chosen.first, chosen.first + chosen.evenings)
    plans = [plan(seed, game).without(*chosen.without) for seed in seeds for game in names]
    began, done, records, met, cpu_s = time.monotonic(), 0, 0, Counter[str](), Counter[str]()
    with ProcessPoolExecutor(chosen.jobs, initializer=settle) as pool:
        running = [pool.submit(evenings, some, chosen.twice) for some in chunks(iter(plans))]
        for future in running:
            some = future.result()
            if some.failed is not None:
                for other in running:
                    other.cancel()
                show(done, len(plans), began)
                sys.exit(complaint(*some.failed))
            done += TOGETHER
            records += some.records
            met += some.met
            cpu_s += some.cpu_s
            show(min(done, len(plans)), len(plans), began)
    took_s = time.monotonic() - began
    print(
        f"\n{len(plans)} evenings in {took_s:.0f} s, {len(plans) / took_s:.1f} a second, {records} records"
        f"\n{cpu_s.total():.0f} s of the processors:",
        ", ".join(f"{game} {seconds:.0f} s" for game, seconds in sorted(cpu_s.items())),
    )
    print(*coverage(met), sep="\n")
    print("nothing lost, nothing told twice, nobody stuck, nothing left behind")
    if len(plans) >= MET_BY and chosen.game in ("", "all") and not chosen.without and (never := unmet(met)):
        sys.exit(f"never met: {', '.join(never)}")


def complaint(failed: Plan, text: str) -> str:
    """What is said about an evening that broke a promise."""
    print(f"\n{text}\n{failed.command}\nlooking for less of it ...", flush=True)
    less, why = shrink(failed)
    return f"{why or text}\n{' '.join(less.parts)}\n{less.command}"


def show(done: int, all_of_them: int, began: float) -> None:
    """A bar where somebody looks on."""
    if sys.stderr.isatty():
        width = 40 * done // max(1, all_of_them)
        rate = done / max(1e-9, time.monotonic() - began)
        bar = f"[{'#' * width:<40}] {done} of {all_of_them}, {rate:.1f} a second"
        print(f"\r{bar}", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
