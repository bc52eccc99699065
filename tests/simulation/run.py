"""One simulated evening from its plan, and what came of it."""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple
from unittest.mock import patch

from aiohttp import web_app
from structlog.testing import capture_logs
from tests.simulation import rare, secrets
from tests.simulation.journal import Journal
from tests.simulation.judge import Failure, verify
from tests.simulation.loop import BEGIN_S, SimulatedLoop
from tests.simulation.nodes import Spread
from tests.simulation.plan import Plan, plan
from tests.simulation.processes import WorldLoop
from tests.simulation.world import Evening, SimulatedTeller

from ludoteca.core import Dice, Seat
from ludoteca.server import rmi, rpc

UUID = "ludoteca.games.eriantys.wire.conversation.uuid4"
# What the log may say when the disk fails and bots break down, which they are made to.
EXPECTED_ERRORS = ("journal cannot be written, waiting", "bot broke down")
HARMED_ERRORS = (*EXPECTED_ERRORS, "table set aside")
# What nodes say when one of them is not heard for a while.
NODES_ERRORS = (
    "another node has the lease",
    "another node has taken over",
    "the hall has given this gate up",
    "the hall does not hear what this gate says",
    "a gate does not hear the hall",
    "no link for a host",
)


class Report(NamedTuple):
    """What came of a run: a digest of every byte that went over a wire or to the disk, how many records there
    are, what was met, and how long it took by its own clock."""

    digest: str
    records: int
    met: dict[str, int]
    virtual_s: float


def simulate(what: int | Plan, game: str = "", trace: Callable[[bytes], object] | None = None) -> Report:
    """One evening. Raises Failure (or whatever else went wrong), with the command that repeats it."""
    wanted = what if isinstance(what, Plan) else plan(what, game)
    try:
        evening, report = _play(wanted, trace)
        if wanted.has("secrets"):
            # A seat and those who look on, without anything that goes wrong: then nothing else differs.
            couple = Plan(wanted.seed, wanted.game, ("couple",))
            alike = secrets.check(lambda: _play(couple)[0], Seat(0))
            evening.counts["secrets dealt anew"] += 1
            evening.counts["messages alike"] += alike
            report = report._replace(met=dict(sorted(evening.counts.items())))
        return report
    except Exception as error:
        error.add_note(f"repeat it with: {wanted.command}")
        raise


def _play(wanted: Plan, trace: Callable[[bytes], object] | None = None) -> tuple[Evening, Report]:
    loop: SimulatedLoop
    evening: Evening
    if wanted.nodes:
        loop = WorldLoop()
        evening = Spread(wanted, loop, trace)
    else:
        loop = SimulatedLoop()
        evening = Evening(wanted, loop, trace)
    try:
        # The pieces of chance and time that nobody passes in: ids of one protocol and of HTTP, and a date.
        ids = Dice(wanted.seed)
        with (
            capture_logs() as logs,
            patch(UUID, lambda: f"{ids.below(1 << 64):032x}"),
            patch("ludoteca.server.answers.secrets.token_hex", lambda size: f"{ids.below(1 << 64):016x}"),
            # Most of an evening nobody does anything: who looks for work looks less often.
            patch("ludoteca.server.snapshots.LOOK_S", 2.0),
            patch("ludoteca.server.teller.Child", SimulatedTeller),
            # Which games have them is looked up in folders, many times in each life of a house.
            patch.object(rpc, "listeners", cache(rpc.listeners)),
            patch.object(rmi, "listeners", cache(rmi.listeners)),
            patch("ludoteca.server.storyteller.JournalReader", lambda _folder: evening.archive),
            rare.switched_on(wanted, evening.met, evening.fall) as chosen,
            patch("aiohttp.web_response.rfc822_formatted_time", lambda: "Thu, 01 Jan 2026 00:00:00 GMT"),
            evening.patched(),
        ):
            evening.expected = frozenset(rare.EXPECTED[name] for name in chosen if name in rare.EXPECTED)
            loop.run_until_complete(evening.run())
        wrong = [
            *loop.failures,
            *evening.failures(),
            *(line for player in evening.players for line in player.wrong),
        ]
        if wrong:
            raise Failure("; ".join(wrong[:5]))
        errors = [line for line in logs if line["log_level"] in ("error", "critical")]
        expected = HARMED_ERRORS if evening.harmed else EXPECTED_ERRORS
        expected = (*expected, *NODES_ERRORS) if wanted.nodes else expected
        unexpected = [
            line
            for line in errors
            if line["event"] not in expected and not any(map(line["event"].startswith, evening.expected))
        ]
        if unexpected:
            raise Failure(f"the log says {unexpected[0]}")
        records = verify(evening.archive, evening.players, evening.harmed, evening.counts)
        for table in evening.archive.ids():
            evening.hash.update(b"".join(evening.archive.lines(table)))
        met = dict(sorted(evening.counts.items()))
        return evening, Report(evening.hash.hexdigest(), records, met, round(loop.time() - BEGIN_S, 3))
    finally:
        if isinstance(evening.disk, Journal):
            evening.disk.remove()
        with capture_logs():
            evening.bury()
        loop.close()
        # aiohttp remembers every application that there ever was, and each of ours a whole house.
        web_app._cached_build_middleware.cache_clear()
