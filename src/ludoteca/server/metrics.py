"""What the house counts about itself, for Prometheus."""

import contextlib
import shutil
from collections.abc import Iterator
from pathlib import Path

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.metrics_core import Metric

from ludoteca.server.latency import Latencies
from ludoteca.server.schema import journal_in


class Metrics:
    """The counters of one house, in a registry of its own."""

    def __init__(self) -> None:
        registry = self.registry = CollectorRegistry()
        self.connections = Gauge(
            "ludoteca_connections", "Connections now open", ["listener"], registry=registry
        )
        self.tables = Gauge("ludoteca_tables", "Tables now in the hall", ["phase"], registry=registry)
        self.lookers = Gauge("ludoteca_lookers", "Connections that look at the lobby", registry=registry)
        self.aside = Gauge(
            "ludoteca_tables_aside", "Tables kept but not served since the start", ["why"], registry=registry
        )
        self.moves = Latencies()
        registry.register(self.moves)
        self.requests = Histogram(
            "ludoteca_http_seconds",
            "From a request to its answer",
            ["route", "status"],
            buckets=(0.001, 0.0025, 0.01, 0.05, 0.25, 1, 5, 30),
            registry=registry,
        )
        self.declined = Counter(
            "ludoteca_declined",
            "What people wanted at a table and was not to be, by why",
            ["code"],
            registry=registry,
        )
        self.bots = Gauge("ludoteca_bots", "Bots that sit at tables", registry=registry)
        self.unstored = Gauge(
            "ludoteca_unstored_records", "Records that wait for the disk", registry=registry
        )
        self.spans_dropped = Counter(
            "ludoteca_spans_dropped", "Spans of traces that could not be sent", registry=registry
        )
        self.waking = Gauge(
            "ludoteca_tables_waking", "Tables that are not back yet since the start", registry=registry
        )
        self.back = Counter(
            "ludoteca_tables_back",
            "Tables brought back: at the start, because somebody needed them, or meanwhile",
            ["why"],
            registry=registry,
        )
        self.snapshots = Counter(
            "ludoteca_snapshots",
            "Snapshots of tables: taken, used to bring one back, or ignored because they did not fit",
            ["what"],
            registry=registry,
        )
        self.records = Counter("ludoteca_records", "Records made durable", registry=registry)
        self.commits = Counter("ludoteca_commits", "Transactions of the journal", registry=registry)
        self.commit_wait = Histogram(
            "ludoteca_commit_wait_seconds",
            "From an input to its durability",
            buckets=(0.0005, 0.001, 0.002, 0.005, 0.01, 0.05, 0.25, 1, 5),
            registry=registry,
        )
        self.journal_bytes = Gauge(
            "ludoteca_journal_bytes", "The journal's file and what waits to be put into it", registry=registry
        )
        self.disk_free = Gauge("ludoteca_disk_free_bytes", "Room left on its disk", registry=registry)
        self.letters = Counter("ludoteca_letters", "Notices delivered", registry=registry)
        self.dropped = Counter(
            "ludoteca_dropped", "Connections closed by the house", ["why"], registry=registry
        )
        self.held = Counter(
            "ludoteca_held", "Lines that had to wait, by what they waited for", ["why"], registry=registry
        )
        self.refused = Counter(
            "ludoteca_refused", "What was asked for and not granted", ["reason"], registry=registry
        )
        self.crashes = Counter(
            "ludoteca_table_crashes", "Tables closed by an error of ours", registry=registry
        )
        self.failures = Counter(
            "ludoteca_failures",
            "Errors of ours that were kept to one connection or alarm",
            ["what"],
            registry=registry,
        )
        self.trouble = Gauge("ludoteca_trouble", "1 while the journal cannot be written", registry=registry)
        self.bot_moves = Counter("ludoteca_bot_moves", "Decisions made by bots", ["game"], registry=registry)
        self.bot_hints = Counter("ludoteca_bot_hints", "Hints given by bots", ["game"], registry=registry)
        self.bot_failures = Counter(
            "ludoteca_bot_failures", "Thoughts that came to nothing", ["game", "level"], registry=registry
        )
        self.bot_cuts = Counter(
            "ludoteca_bot_cuts",
            "Thoughts that the wall clock ended before their processor time was used",
            ["game"],
            registry=registry,
        )
        self.bot_thinking = Counter(
            "ludoteca_bot_thinking_seconds", "Processor time used by bots", ["game"], registry=registry
        )
        self.bot_queue = Gauge("ludoteca_bot_queue", "Thoughts that wait for a worker", registry=registry)
        self.bot_wait = Histogram(
            "ludoteca_bot_wait_seconds",
            "From a question to the beginning of the thought",
            buckets=(0.001, 0.01, 0.05, 0.25, 1, 2.5, 5, 10, 30, 60),
            registry=registry,
        )
        self.hall = Gauge(
            "ludoteca_hall", "1 where the tables are; else this machine has doors only", registry=registry
        )
        self.hall.set(1)
        self.thinkers = Gauge("ludoteca_thinkers", "Machines here that only think", registry=registry)
        self.thinker_workers = Gauge(
            "ludoteca_thinker_workers", "Thoughts they could be asked at once", registry=registry
        )
        self.thoughts_elsewhere = Counter(
            "ludoteca_thoughts_elsewhere",
            "Thoughts asked of them, by what came of it; all but those answered were thought at home",
            ["how"],
            registry=registry,
        )
        self.objects_grown = Gauge(
            "ludoteca_objects_grown",
            "Objects more than after the last collection of cycles",
            registry=registry,
        )
        self.garbage = Gauge(
            "ludoteca_garbage_objects", "What the last collection of cycles found", registry=registry
        )
        self.collection_pause = Gauge(
            "ludoteca_collection_pause_seconds", "How long the last one took", registry=registry
        )
        self.collections = Counter(
            "ludoteca_collections",
            "Collections of cycles: while nothing came in, or because there was too much",
            ["why"],
            registry=registry,
        )

    def measure(self, folder: Path) -> None:
        """How large the journal is; whoever reads the page has it looked up."""
        journal = journal_in(folder)
        size = 0
        for file in (journal, journal.with_name(journal.name + "-wal")):
            with contextlib.suppress(OSError):
                size += file.stat().st_size
        self.journal_bytes.set(size)
        with contextlib.suppress(OSError):
            self.disk_free.set(shutil.disk_usage(folder).free)

    def page(self, node: str = "") -> bytes:
        """The text that Prometheus reads; on several machines every series says whose it is."""
        return generate_latest(_OfNode(self.registry, node) if node else self.registry)


class _OfNode(CollectorRegistry):
    """What a registry tells, with the name of the node."""

    def __init__(self, registry: CollectorRegistry, node: str) -> None:
        super().__init__()
        self._told = registry
        self._node = {"node": node}

    def collect(self) -> Iterator[Metric]:
        """Every series, with one label more."""
        for metric in self._told.collect():
            metric.samples = [sample._replace(labels=sample.labels | self._node) for sample in metric.samples]
            yield metric
