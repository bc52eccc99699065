"""Change the code in small ways and see whether the tests notice: `make mutate`.

`make mutate ARGS="--seed 7 --each 5 hall wire/lines"` repeats a sample, of so many mutants for each module,
in these packages or modules. `--each 0` tries all there are; `--some 50` so many of each group (hall,
journal, wire, core, games), wherever they fall; `--fixed` only those that went unnoticed once, each against
the one test that was written for it. It fails when less than nine in ten of a group are noticed.
"""

import argparse
import random
import secrets
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.mutate.mutants import Mutant, mutants
from tests.mutate.table import EQUIVALENT, FIXED, GAMES, TESTS
from tests.mutate.workshop import ROOT, Workshop, workshop

SOURCE = ROOT / "src" / "ludoteca"
SHARE_MIN = 0.9
# A mutant may turn a loop endless: so much longer than the right code its tests may take.
PATIENCE = 4.0
PATIENCE_S_MIN = 30.0


def modules() -> list[str]:
    """Every module that is looked at, as a path in the package."""
    found = [
        path.relative_to(SOURCE).as_posix()
        for package in ("hall", "journal", "wire", "core")
        for path in sorted((SOURCE / package).rglob("*.py"))
    ]
    return found + [f"games/{game}/{part}.py" for game in GAMES for part in ("rules", "state")]


def package_of(path: str) -> str:
    """The package whose tests a module has."""
    return path.rpartition("/")[0]


def suites_of(path: str) -> list[list[str]]:
    """What is run against a changed module: its own test file, and when that noticed nothing, all
    that belongs to it."""
    own = f"tests/{package_of(path)}/test_{Path(path).stem}.py"
    return ([[own]] if (ROOT / own).exists() else []) + [list(TESTS[package_of(path)])]


def group_of(path: str) -> str:
    """What is counted together: one layer, or the rules of all games."""
    return path.partition("/")[0]


def every_mutant(path: str) -> list[Mutant]:
    """All mutants of a module but those that nobody could notice."""
    source = (SOURCE / path).read_text()
    lines = [line.strip() for line in source.splitlines()]
    hidden = {(known.line, known.change) for known in EQUIVALENT if known.path == path}
    return [one for one in mutants(source) if (lines[one.line - 1], one.change) not in hidden]


def sample(path: str, seed: int, each: int) -> list[Mutant]:
    """Some mutants of a module, the same for the same seed."""
    every = every_mutant(path)
    chance = random.Random(f"{seed} {path}")
    return chance.sample(every, min(each, len(every))) if each else every


def spread(chosen: Sequence[str], seed: int, some: int) -> dict[str, list[Mutant]]:
    """So many mutants of each group, each as likely as any other, by module."""
    found: dict[str, list[Mutant]] = {path: [] for path in chosen}
    for group in dict.fromkeys(map(group_of, chosen)):
        paths = [path for path in chosen if group_of(path) == group]
        every = [(path, mutant) for path in paths for mutant in every_mutant(path)]
        for path, mutant in random.Random(f"{seed} {group}").sample(every, min(some, len(every))):
            found[path].append(mutant)
    return found


def try_all(shop: Workshop, chosen: Mapping[str, Sequence[Mutant]], seed: int) -> bool:
    """Try these mutants of each module; whether enough of every group were noticed."""
    tried: Counter[str] = Counter()
    killed: Counter[str] = Counter()
    limits: dict[str, float] = {}
    for path, some in chosen.items():
        package = package_of(path)
        suites = suites_of(path)
        if some and package not in limits:
            limits[package] = _limit_s(shop, suites[-1])
        for mutant in sorted(some):
            with shop.changed(path, mutant.source):
                verdicts = (shop.test(tests, limits[package]) for tests in suites)
                failed = next((verdict.failed for verdict in verdicts if verdict.failed), "")
            tried[group_of(path)] += 1
            killed[group_of(path)] += bool(failed)
            verdict = f"killed    {path}:{mutant.line}  {mutant.change}  [{failed}]"
            print(verdict if failed else f"SURVIVED  {path}:{mutant.line}  {mutant.change}", flush=True)
    for group in tried:
        share = killed[group] / tried[group]
        print(f"{group:10} {killed[group]:4} of {tried[group]:4} killed  {share:6.1%}  (seed {seed})")
    return all(killed[group] >= SHARE_MIN * tried[group] for group in tried)


def _limit_s(shop: Workshop, tests: Sequence[str]) -> float:
    failed, seconds = shop.test(tests, 600)
    if failed:
        sys.exit(f"{failed} fails without any change")
    return max(PATIENCE_S_MIN, PATIENCE * seconds)


def try_fixed(shop: Workshop) -> bool:
    """Try every change that went unnoticed once; whether each is noticed by its test."""
    every = True
    failed = shop.test([fixed.test for fixed in FIXED], 300).failed
    if failed:
        sys.exit(f"{failed} fails without any change")
    for fixed in FIXED:
        source = (SOURCE / fixed.path).read_text()
        if source.count(fixed.before) != 1:
            sys.exit(f"{fixed.path} has {fixed.before!r} {source.count(fixed.before)} times: say it anew")
        with shop.changed(fixed.path, source.replace(fixed.before, fixed.after)):
            failed = shop.test([fixed.test], 60).failed
        every = every and bool(failed)
        print(f"{'killed   ' if failed else 'SURVIVED '} {fixed.path}  {fixed.before.strip()}", flush=True)
    return every


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="make mutate", description=__doc__)
    parser.add_argument("--seed", type=int, default=None, help="repeat the sample of this seed")
    parser.add_argument("--each", type=int, default=3, help="how many mutants of each module; 0: all")
    parser.add_argument("--some", type=int, default=0, help="how many mutants of each group instead")
    parser.add_argument("--fixed", action="store_true", help="only those that went unnoticed once")
    parser.add_argument(
        "part", nargs="*", help="packages (hall) or modules (hall/desk); all when none is named"
    )
    given = parser.parse_args()
    with workshop() as shop:
        if given.fixed:
            return 0 if try_fixed(shop) else 1
        seed = secrets.randbelow(1_000_000) if given.seed is None else given.seed
        print(f"seed {seed}", flush=True)
        chosen = [
            path
            for path in modules()
            if not given.part
            or any(path.startswith(f"{part}/") or path == f"{part}.py" for part in given.part)
        ]
        if given.some:
            found = spread(chosen, seed, given.some)
        else:
            found = {path: sample(path, seed, given.each) for path in chosen}
        return 0 if try_all(shop, found, seed) else 1


if __name__ == "__main__":
    sys.exit(main())
