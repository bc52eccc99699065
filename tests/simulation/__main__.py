"""`make simulate`: so many evenings, each made up from its seed; ends at the first that breaks a promise."""

import argparse
import sys
import time
from collections import Counter

from tests.simulation.run import simulate

from ludoteca import games


def main() -> None:
    """Simulate, and say what came of it."""
    parser = argparse.ArgumentParser(prog="make simulate", description=__doc__)
    parser.add_argument("--seeds", type=int, default=100, help="how many evenings (100)")
    parser.add_argument("--first", type=int, default=1, help="the first seed (1)")
    parser.add_argument("--seed", type=int, help="this one only")
    parser.add_argument(
        "--game", default="", choices=["", *games.names()], help="in turns, unless one is named"
    )
    parser.add_argument("--twice", action="store_true", help="run each twice, and compare")
    parser.add_argument("--trace", action="store_true", help="print every byte that goes over a wire")
    chosen = parser.parse_args()
    seeds = range(chosen.first, chosen.first + chosen.seeds) if chosen.seed is None else [chosen.seed]
    trace = sys.stdout.buffer.write if chosen.trace else None
    began, found = time.monotonic(), Counter[str]()
    for seed in seeds:
        report = simulate(seed, chosen.game, trace)
        if chosen.twice and simulate(seed, chosen.game) != report:
            sys.exit(f"seed {seed} went otherwise the second time")
        for name in ("crashes", "needed", "cut_short", "resumed", "ignored", "records", "told", "matches"):
            found[name] += getattr(report, name)
        if len(seeds) == 1:
            print(report)
    took_s = time.monotonic() - began
    figures = ", ".join(f"{count} {name}" for name, count in found.items())
    print(f"{len(seeds)} evenings in {took_s:.0f} s: {figures}; nothing lost, nothing told twice")


main()
