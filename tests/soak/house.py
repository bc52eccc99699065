"""A house that can be looked into and whose clock can be set: `ludoteca serve` as it is otherwise.

    python -m tests.soak.house serve ...

At SIGUSR1 it reads `wall` (seconds to add to the clock on the wall) from the file that SOAK_CONTROL names,
and writes beside it what there is in the house at this moment. With SOAK_DIE_AT it is killed by the write
that makes any of its files longer than so many bytes, in the middle of that write.
"""

import asyncio
import gc
import json
import os
import resource
import signal
import time
from collections import Counter
from pathlib import Path
from typing import Any

_real = time.time
_offset = 0.0


def _wall() -> float:
    return _real() + _offset


# Before anybody else takes hold of it.
time.time = _wall

from ludoteca.cli import main  # noqa: E402
from ludoteca.server.serve import Server  # noqa: E402


def census(server: Server) -> dict[str, Any]:
    """How many there are of everything that could be left behind."""
    gc.collect()
    house, hall = server.house, server.house.hall
    return {
        "objects": len(gc.get_objects()),
        "kinds": Counter(f"{type(one).__module__}.{type(one).__qualname__}" for one in gc.get_objects()),
        "tasks": len(asyncio.all_tasks(server.house._loop)),
        "descriptors": len(os.listdir("/proc/self/fd")),
        "rss_kib": int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() // 1024,
        "tables": len(hall.tables),
        "on the floor": len(hall.floor._tables),
        "guests": len(hall.guests),
        "names": len(hall.names._here) + len(hall.names._kept),
        "tokens": len(hall.tables._seats),
        "alarms": len(hall.floor._timers),
        "timers": sum(map(len, house.timers._slots.values())),
        "shells": len(house._shells),
        "letters": len(house._waiting),
        "connections": server._doorman._inside,
        "addresses": len(server._doorman._by_address),
        "lookers": len(hall.lookers.gazes),
        "thoughts": len(server.workshop._asked),
        "crashes": _sample(server, "ludoteca_table_crashes_total"),
        "failures": _sample(server, "ludoteca_failures_total"),
    }


def _sample(server: Server, name: str) -> float:
    collected = server.house.metrics.registry.collect()
    return sum(one.value for family in collected for one in family.samples if one.name == name)


def look_into(file: Path) -> None:
    """Answer SIGUSR1."""
    houses: list[Server] = []
    begin = Server.__init__

    def begun(self: Server, *given: Any, **more: Any) -> None:
        begin(self, *given, **more)
        houses.append(self)

    Server.__init__ = begun  # type: ignore[method-assign]

    def answer(*_: object) -> None:
        global _offset
        wanted = json.loads(file.read_text())
        _offset = wanted["wall"]
        found = {"asked": wanted["asked"], **(census(houses[-1]) if houses else {})}
        fresh = file.with_suffix(".new")
        fresh.write_text(json.dumps(found))
        fresh.rename(file.with_suffix(".census"))

    signal.signal(signal.SIGUSR1, answer)


if __name__ == "__main__":
    if "SOAK_CONTROL" in os.environ:
        look_into(Path(os.environ["SOAK_CONTROL"]))
    if "SOAK_DIE_AT" in os.environ:
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        most = int(os.environ["SOAK_DIE_AT"])
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
    main()
