"""Death at every write: a journal's writer is killed in the middle of any byte that it writes, and whatever
it had called safe is there, in order, and can be written on.

    python -m tests.soak.writes FOLDER FIRST LAST STEP

The kernel does it: a process whose files may not grow beyond a limit, and that does not ignore the signal it
gets for trying, dies when a write has come so far. Writes are torn so at any byte: in the log before the
journal, in the middle of a page, and while the log is put into the journal.
"""

import os
import resource
import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

from ludoteca.core.notices import TableInfo
from ludoteca.core.requests import Terms
from ludoteca.hall.post import Entry, Fate, Summary
from ludoteca.server.journal_reader import JournalReader
from ludoteca.server.journal_writer import JournalWriter

BATCHES, TABLES = 24, 3
# A commit is a few pages; together they pass the length of the journal itself.
LINE_BYTES = 900


def entries() -> list[list[Entry]]:
    """What is written: batches of records of several tables, each of them told apart."""
    batches: list[list[Entry]] = []
    for number in range(1, BATCHES + 1):
        batch = []
        for table in range(TABLES):
            name = f"{table:012x}"
            info = TableInfo(name, "santorini", name, "playing", (None, None), None, Terms(), 1)
            line = b"%d of %s " % (number, name.encode()) + b"x" * LINE_BYTES
            fate: Fate | None = "live" if number == 1 else None
            batch.append(Entry(name, number, line, fate, Summary(info) if fate else None))
        batches.append(batch)
    return batches


def write(folder: Path, limit: int | None, safe: int) -> None:
    """Write all batches, and tell through `safe` how many records are safe; to be killed."""
    if limit is not None:
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
    done = threading.Event()

    def durable(count: int) -> None:
        os.write(safe, count.to_bytes(4, "big"))
        done.set()

    writer = JournalWriter(folder, durable, lambda _reason: None)
    for batch in entries():
        done.clear()
        writer.append(batch)
        done.wait(10)
    writer.close()


def die_at(folder: Path, limit: int | None) -> tuple[int, int]:
    """Let a process write until it dies; the signal that killed it, and how many records it called safe."""
    read, safe = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(read)
        code = 1
        try:
            write(folder, limit, safe)
            code = 0
        finally:
            os._exit(code)
    os.close(safe)
    told = b""
    with open(read, "rb") as pipe:
        told = pipe.read()
    _, status = os.waitpid(pid, 0)
    killed = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
    whole = len(told) // 4 * 4
    return killed, int.from_bytes(told[whole - 4 : whole], "big") if whole else 0


def check(folder: Path, safe: int) -> Iterator[str]:
    """What does not hold of a journal of which so many records were called safe."""
    if not safe:
        # It may have died before there was a journal: then there must be one when it is opened again.
        JournalWriter(folder, lambda _count: None, lambda _reason: None).close()
    truth = [entry for batch in entries() for entry in batch]
    archive = JournalReader(folder)
    found = {f"{table:012x}": archive.lines(f"{table:012x}") for table in range(TABLES)}
    for table, lines in found.items():
        wanted = [entry.line for entry in truth if entry.table == table]
        if lines != wanted[: len(lines)]:
            yield f"{table} has records that are not what was written"
        called_safe = sum(entry.table == table for entry in truth[:safe])
        if len(lines) < called_safe:
            yield f"{table} has {len(lines)} records, and {called_safe} were called safe"
    if len({len(lines) for lines in found.values()}) > 1:
        yield f"half a batch is there: { {table: len(lines) for table, lines in found.items()} }"


def deaths(folder: Path, limits: Iterator[int]) -> Iterator[tuple[int, int, list[str]]]:
    """Die at each of these limits, come back, write on; the limit, the signal, and what does not hold."""
    for limit in limits:
        here = Path(tempfile.mkdtemp(dir=folder))
        killed, safe = die_at(here, limit)
        wrong = list(check(here, safe))
        if not wrong:
            # Whoever comes next writes the rest over nothing.
            again = JournalWriter(here, lambda _count: None, lambda _reason: None)
            again.close()
            wrong = list(check(here, safe))
        yield limit, killed, wrong
        shutil.rmtree(here)


def longest(folder: Path) -> int:
    """How long the longest file of an undisturbed run becomes."""
    here = Path(tempfile.mkdtemp(dir=folder))
    killed, safe = die_at(here, 1 << 40)
    assert not killed, "nobody killed it"
    assert safe == BATCHES * TABLES, safe
    return max(file.stat().st_size for file in here.iterdir())


def main() -> int:
    """The command."""
    folder, first, last, step = Path(sys.argv[1]), *map(int, sys.argv[2:5])
    folder.mkdir(parents=True, exist_ok=True)
    count = died = 0
    for limit, killed, wrong in deaths(folder, iter(range(first, last, step))):
        count, died = count + 1, died + (killed == signal.SIGXFSZ)
        for text in wrong:
            print(f"FAILED: killed at byte {limit}: {text}", flush=True)
            return 1
    print(f"{count} lives, {died} of them ended in the middle of a write: nothing that was safe is lost")
    return 0


if __name__ == "__main__":
    sys.exit(main())
