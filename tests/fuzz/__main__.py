"""Abuse a house for a while: `make fuzz`, or `make fuzz ARGS="--seed 7 --seconds 600"`.

Guests play real matches over all ways in (Ludoteca's own protocol and the five seeds' as lines and as
WebSockets, Java objects, remote calls of two kinds, HTTP) and make some of what they say odd. Honest people
play beside them. Everything that must hold is in `watch.py`; the first thing that does not ends the run, with
the seed and what was said last. A seed repeats every guest's choices; in which order the house hears them is
up to the machine.
"""

import argparse
import asyncio
import secrets
import sys
import tempfile
from pathlib import Path

import uvloop
from tests.fuzz.run import run


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="make fuzz", description=__doc__)
    parser.add_argument("--seed", type=int, default=None, help="repeat the run of this seed")
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument(
        "--ignore", action="append", default=[], metavar="TEXT", help="go on after failures with this in them"
    )
    given = parser.parse_args()
    seed = secrets.randbelow(1_000_000) if given.seed is None else given.seed
    print(f"seed {seed}, {given.seconds:g} seconds", flush=True)
    # In the loop that a house runs in; every third time in that of machines where there is no other.
    runner = asyncio.Runner(loop_factory=uvloop.new_event_loop if seed % 3 else None)
    with tempfile.TemporaryDirectory(prefix="ludoteca-fuzz-") as folder, runner:
        report = runner.run(run(Path(folder), seed, given.seconds, given.ignore))
    print(report.text(), flush=True)
    return 0 if report.ok else 1


if __name__ == "__main__":
    sys.exit(main())
