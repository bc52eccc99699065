"""A house that moves: from one machine to the cluster, and back; and what servers have lost, back to them.

What has arrived is compared with what was there, by one digest over every record.
"""

import contextlib
import tempfile
import time
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

import msgspec

from ludoteca.hall.post import Entry, Fate, Summary
from ludoteca.hall.storage import Reader
from ludoteca.journal import damage
from ludoteca.server import schema
from ludoteca.server.cluster import copy
from ludoteca.server.cluster.follower import Follower, patiently
from ludoteca.server.cluster.writer import ClusterWriter
from ludoteca.server.journal_reader import JournalReader
from ludoteca.server.keeping import alone
from ludoteca.server.schema import StoreError
from ludoteca.server.secret import secret_of
from ludoteca.server.settings import Settings

POLL_S = 0.02

_summary = msgspec.json.Decoder(Summary).decode


class Moved(NamedTuple):
    """What has arrived; `damaged` are tables whose record was damaged before."""

    tables: int
    records: int
    digest: str
    damaged: tuple[str, ...] = ()


def survey(reader: Reader) -> Moved:
    """Everything that a journal keeps, as one digest."""
    digest, records, damaged = blake2b(digest_size=16), 0, []
    ids, live = sorted(reader.ids()), set(reader.live())
    with reader.together():
        for table in ids:
            lines = reader.lines(table)
            records += len(lines)
            if damage(lines, table):
                damaged.append(table)
            for part in (table.encode(), b"live" if table in live else b"over", *lines):
                digest.update(len(part).to_bytes(4) + part)
    for deed in reader.deeds():
        digest.update(len(deed).to_bytes(4) + deed)
    return Moved(len(ids), records, digest.hexdigest(), tuple(damaged))


def take_in(settings: Settings, folder: Path) -> Moved:
    """Take a house on one machine, which must not be running, to a cluster that has none yet; the folder is
    not changed. Raises StoreError, HouseRunning."""
    if copy.mark_in(folder) is not None:
        raise StoreError(f"{folder} is the copy of a cluster's house: there is nothing to move")
    with alone(folder):
        secret = secret_of(folder)
        with _follower(settings, secret) as follower:
            if follower.copy.secret != secret or follower.call(patiently(follower.stream.end)) > 1:
                raise StoreError(f"the cluster has a house called {settings.cluster_name} already")
            _hand_over(follower, list(_entries(folder)))
        return _compared(settings, folder)


def repair(settings: Settings, folder: Path) -> Moved:
    """Give the servers back what they have lost and the copy in this folder has; no node may run. Raises
    StoreError, and then nothing was changed, where they have anything that the copy has not."""
    known = copy.mark_in(folder)
    if known is None:
        raise StoreError(f"{folder} is no copy of a cluster's house")
    with alone(folder):
        with _follower(settings, secret_of(folder)) as follower:
            house, (sequence, _) = known
            if follower.about.house != house:
                raise StoreError(f"{folder} has the copy of another house")
            if sequence <= follower.call(patiently(follower.stream.end)):
                raise StoreError("the cluster has all that this copy has: there is nothing to repair")
            follower.call(patiently(follower.catch_up))
            _hand_over(follower, list(_missing(folder, follower.copy.archive)))
        return _compared(settings, folder)


def _missing(folder: Path, there: Reader) -> Iterator[Entry]:
    """What the cluster lacks. Raises StoreError, where its tables went on in another way."""
    reader = JournalReader(folder)
    kept = {"": there.deeds(), **{table: there.lines(table) for table in there.ids()}}
    ours = {"": reader.deeds(), **{table: reader.lines(table) for table in reader.ids()}}
    for table, lines in kept.items():
        if table not in ours:
            # The copy had all that is there: it knows that this one was forgotten.
            yield Entry(table, len(lines) + 1, b"", "forgotten")
        elif ours[table][: len(lines)] != lines:
            what = f"table {table}" if table else "the house's log"
            raise StoreError(f"{what} went on in another way in the cluster")
    for entry in _entries(folder):
        if entry.number > len(kept.get(entry.table, ())):
            yield entry


def _hand_over(follower: Follower, entries: list[Entry]) -> None:
    """Take over, and store these."""
    stored = [0]
    writer = ClusterWriter(follower, stored.append, lambda _reason: None)
    ticket = writer.append(entries)
    while stored[-1] < ticket:
        time.sleep(POLL_S)
    writer.close()


def _compared(settings: Settings, folder: Path) -> Moved:
    """What is in the cluster now. Raises StoreError, where that is not what is in the folder."""
    moved, arrived = survey(JournalReader(folder)), _arrived(settings)
    if moved != arrived:
        raise StoreError(f"what arrived is not what was there: {arrived.digest} instead of {moved.digest}")
    return arrived


def take_out(settings: Settings, folder: Path) -> Moved:
    """Make a house on one machine of what the cluster has at this moment. Raises StoreError."""
    if schema.journal_in(folder).exists():
        raise StoreError(f"there is a journal in {folder} already")
    given = msgspec.structs.replace(settings, data=str(folder))
    with _follower(given) as follower:
        follower.call(patiently(follower.catch_up))
    with contextlib.closing(schema.connect(schema.journal_in(folder))) as connection:
        connection.execute("DROP TABLE copy")
    moved, arrived = survey(JournalReader(folder)), _arrived(settings)
    # People may have played on meanwhile.
    if moved != arrived and moved.records >= arrived.records:
        raise StoreError(f"what arrived is not what is there: {moved.digest} instead of {arrived.digest}")
    return moved


def _arrived(settings: Settings) -> Moved:
    """What the cluster has, read as one who has never seen any of it."""
    with (
        tempfile.TemporaryDirectory() as folder,
        _follower(msgspec.structs.replace(settings, data=folder)) as follower,
    ):
        follower.call(patiently(follower.catch_up))
        return survey(follower.copy.archive)


@contextlib.contextmanager
def _follower(settings: Settings, secret: bytes = b"") -> Iterator[Follower]:
    with contextlib.ExitStack() as stack:
        if secret:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            settings = msgspec.structs.replace(settings, data=folder)
        follower = Follower(settings, secret)
        stack.callback(follower.close)
        follower.call(follower.open())
        yield follower


def _entries(folder: Path) -> Iterator[Entry]:
    """A journal as it would be handed over now."""
    reader = JournalReader(folder)
    slips = reader.slips()
    with contextlib.closing(schema.connect(schema.journal_in(folder))) as connection:
        rows: dict[str, tuple[str, bytes]] = {
            row[0]: (row[1], row[2]) for row in connection.execute("SELECT id, fate, summary FROM tables")
        }
    for number, deed in enumerate(reader.deeds(), 1):
        yield Entry("", number, deed)
    for table in reader.ids():
        fate, summary = rows[table]
        lines = reader.lines(table)
        for number, line in enumerate(lines, 1):
            last, over = number == len(lines), fate == "over"
            becomes: Fate | None = "over" if last and over else "live" if number == 1 else None
            slip = slips.get(table, b"") if last and not over else b""
            yield Entry(table, number, line, becomes, _summary(summary) if becomes else None, slip)
