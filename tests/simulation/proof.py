"""`make simulate-proof`: planted bugs, each of which ordinary evenings must find.

A bug is planted into the code as it is imported, in a process of its own; nothing on the disk changes. With
`--book FILE` what was found is kept there, and not looked for again when a run that was interrupted goes on.
"""

import argparse
import gc
import importlib.abc
import importlib.util
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import NamedTuple

import msgspec
from tests.simulation.mutations import MUTATIONS, Mutation
from tests.simulation.node_mutations import NODE_MUTATIONS, NODE_UNSEEN

EVENINGS_MAX = 2000
# No evening takes so much of the processor: what is planted may well never come to an end.
HANGS_S = 20.0


class Hangs(KeyboardInterrupt):
    """An evening never comes to an end. Nobody on the way may take it for a failure of their own."""


def places(mutation: Mutation) -> dict[str, list[tuple[str, str]]]:
    """By module: what becomes of which text."""
    found = {mutation.module: list(mutation.changes)}
    for module, old, new in mutation.more:
        found.setdefault(module, []).append((old, new))
    return found


def planted(mutation: Mutation, module: str, source: str) -> str:
    """The source of a module with the bug in it. Raises ValueError when it does not read so any more."""
    for old, new in places(mutation)[module]:
        if source.count(old) != 1:
            raise ValueError(f"{mutation.name}: {source.count(old)} places in {module} read {old!r}")
        source = source.replace(old, new)
    return source


def source_of(module: str) -> str:
    """What a module reads."""
    folder = Path(__file__).parents[2] / "src"
    return folder.joinpath(*module.split(".")).with_suffix(".py").read_text()


class Planter(SourceFileLoader):
    """Loads the module with the bug in it."""

    mutation: Mutation

    def get_code(self, fullname: str) -> CodeType:
        """Never from a cache."""
        path = self.get_filename(fullname)
        code: CodeType = compile(planted(self.mutation, fullname, Path(path).read_text()), path, "exec")
        return code


class Garden(importlib.abc.MetaPathFinder):
    """Finds the modules that are to be planted."""

    def __init__(self, mutation: Mutation) -> None:
        self._mutation = mutation

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Only these."""
        spec = PathFinder.find_spec(fullname, path) if fullname in places(self._mutation) else None
        if spec is None or spec.origin is None:
            return None
        loader = Planter(fullname, spec.origin)
        loader.mutation = self._mutation
        return importlib.util.spec_from_file_location(fullname, spec.origin, loader=loader)


class Found(NamedTuple):
    """How many evenings it took to find a bug (0: it was not found), and what gave it away."""

    evenings: int
    why: str


def look_for(mutation: Mutation, first: int, evenings: int) -> Found:
    """Play evenings from this one on until one of them finds it."""
    sys.meta_path.insert(0, Garden(mutation))
    # Only now, with the bug in them.
    from tests.simulation.plan import plan
    from tests.simulation.run import simulate

    def hang(_number: int, _frame: FrameType | None) -> None:
        raise Hangs("it never comes to an end")

    signal.signal(signal.SIGVTALRM, hang)
    # As `make simulate` does: what an evening leaves is collected at its end, and only then.
    gc.disable()
    for seed in range(first, evenings + 1):
        signal.setitimer(signal.ITIMER_VIRTUAL, HANGS_S)
        try:
            simulate(plan(seed, mutation.game, mutation.nodes))
        except (Exception, Hangs) as error:
            return Found(seed, f"{type(error).__name__}: {error}".splitlines()[0])
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            gc.collect()
            gc.freeze()
    return Found(0, "")


def in_a_process(mutation: Mutation, evenings: int, first: int = 1) -> Found:
    """The same where it harms nobody."""
    command = [
        sys.executable,
        "-m",
        "tests.simulation.proof",
        "--one",
        mutation.name,
        "--first",
        str(first),
        "--evenings",
        str(evenings),
    ]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    if found.returncode:
        raise RuntimeError(found.stderr)
    count, _, why = found.stdout.strip().partition(" ")
    return Found(int(count), why)


def holds(mutation: Mutation, seed: int) -> bool:
    """Whether an evening breaks no promise without the bug: else it has not found it."""
    chosen = ["--seed", str(seed), "--game", mutation.game, "--nodes", str(mutation.nodes)]
    command = [sys.executable, "-m", "tests.simulation", *chosen]
    return not subprocess.run(command, capture_output=True, check=False).returncode


class Book:
    """What was found so far, by the names of the bugs; in a file, if one is named."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        # Evenings that fail without any bug of ours.
        self.failing: set[str] = set()
        lines = path.read_bytes().splitlines() if path is not None and path.exists() else []
        self._found = dict(msgspec.json.decode(line, type=tuple[str, Found]) for line in lines)

    def look_for(self, mutation: Mutation, evenings: int) -> Found:
        """Look it up, or look for it."""
        found = self._found.get(mutation.name)
        if found is None:
            found = in_a_process(mutation, evenings)
            while found.evenings and not holds(mutation, found.evenings):
                self.failing.add(f"seed {found.evenings}, {mutation.game}")
                found = in_a_process(mutation, evenings, found.evenings + 1)
            # What was not found is looked for again: meanwhile somebody may have taught the judge.
            if found.evenings and self._path is not None:
                with self._path.open("ab") as file:
                    file.write(msgspec.json.encode((mutation.name, found)) + b"\n")
        return found


def main() -> None:
    """Plant every bug, and say how long it took to find it."""
    parser = argparse.ArgumentParser(prog="make simulate-proof", description=__doc__)
    parser.add_argument("--evenings", type=int, default=EVENINGS_MAX, help=f"at most ({EVENINGS_MAX})")
    parser.add_argument("--only", default="", help="those with this in their names")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes (all cores)")
    parser.add_argument("--book", type=Path, help="a file with what was found so far, to go on from there")
    parser.add_argument("--one", default="", help=argparse.SUPPRESS)
    parser.add_argument("--first", type=int, default=1, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.one:
        (mutation,) = (one for one in (*MUTATIONS, *NODE_MUTATIONS, *NODE_UNSEEN) if one.name == chosen.one)
        print(*look_for(mutation, chosen.first, chosen.evenings))
        return
    wanted = [one for one in (*MUTATIONS, *NODE_MUTATIONS) if chosen.only in one.name]
    book, began, missed = Book(chosen.book), time.monotonic(), 0
    pool = ThreadPoolExecutor(chosen.jobs)
    try:
        for mutation, (count, why) in zip(
            wanted, pool.map(lambda one: book.look_for(one, chosen.evenings), wanted), strict=True
        ):
            missed += not count
            print(f"{count or 'never':>6}  {mutation.name}: {why[:150]}", flush=True)
    finally:
        # Whoever interrupts it has interrupted the processes, too: nobody begins with the next.
        pool.shutdown(cancel_futures=True)
    found = len(wanted) - missed
    print(f"{found} of {len(wanted)} planted bugs found in {time.monotonic() - began:.0f} s")
    if book.failing:
        print(f"fail by themselves, and were not counted: {'; '.join(sorted(book.failing))}")
    sys.exit(missed > 0 or bool(book.failing))


if __name__ == "__main__":
    main()
