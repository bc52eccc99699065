"""Looking after what a house keeps while it is open: what there is, how it grows, copies; and copying,
checking and pruning, each the command of that name in a process of its own."""

import asyncio
import contextlib
import os
import platform
import shutil
import signal
import sqlite3
import ssl
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec
import structlog

from ludoteca import __version__
from ludoteca.core import Refused
from ludoteca.hall import acts
from ludoteca.server import schema
from ludoteca.server.backup import PREFIX, SUFFIX
from ludoteca.server.house import House
from ludoteca.server.settings import Settings

log = structlog.get_logger()

DAY_MS = 24 * 3600 * 1000
# The ages that a page may ask about, in days, and how many copies are listed.
AGES = (90, 180, 365, 730)
COPIES_MAX = 50
# What is kept of what a work says: the end of it.
TEXT_BYTES_MAX = 4000
# It gives way to those who play.
NICENESS = 10

WorkKind = Literal["backup", "verify", "prune"]


class Copy(msgspec.Struct, frozen=True):
    """A copy of the house, as `ludoteca backup` makes it."""

    name: str
    size: int
    made_ms: int


class Work(msgspec.Struct, frozen=True):
    """Something that takes a while. `number` is that of the deed; `ended_ms` is 0 while it is being done."""

    number: int
    kind: WorkKind
    by: str
    began_ms: int
    ended_ms: int = 0
    good: bool = False
    text: str = ""


class Storage(msgspec.Struct, frozen=True):
    """What the house keeps, and what it is. Sizes are in bytes; `spare` is room in the file that is used
    again.

    `older` counts finished matches by the days that they are older than, `lately` those of so many days.
    """

    size: int
    spare: int
    disk_free: int
    disk_size: int
    live: int
    over: int
    records_size: int
    older: dict[str, int]
    lately: dict[str, int]
    deeds: int
    copies_folder: str
    copies_keep: int
    copies: list[Copy]
    works: list[Work]
    version: str
    python: str
    schema: int
    since_ms: int
    ways: dict[str, str]
    certificate_until_ms: int


class Upkeep:
    """One for each house; one work at a time."""

    def __init__(self, house: House, ways: Mapping[str, tuple[str, int]]) -> None:
        self._house = house
        self._ways = ways
        self._since_ms = int(house.now() * 1000)
        self._works: dict[WorkKind, Work] = {}
        self._task: asyncio.Task[None] | None = None
        self._looking = asyncio.Lock()

    async def storage(self) -> Storage:
        """What there is now; looked up elsewhere, for a large file takes a while. Raises Refused."""
        settings = self._house.settings
        ways = {name: f"{host}:{port}" for name, (host, port) in self._ways.items()}
        async with self._looking:
            try:
                found = await asyncio.to_thread(_look, settings, int(self._house.now() * 1000))
            except (OSError, sqlite3.Error) as error:
                raise Refused(f"the journal cannot be looked at: {error}", "journal") from None
        return Storage(**found, works=list(self._works.values()), since_ms=self._since_ms, ways=ways)

    def check(self, act: acts.Act) -> None:
        """Raises Refused while another work is being done, and where the journal is not this house's own."""
        if isinstance(act, acts.Work):
            if isinstance(act, acts.Prune) and self._house.settings.cluster:
                raise Refused("the journal here is a copy of what several machines keep", "journal")
            if self._task is not None and not self._task.done():
                raise Refused("something else is being done: wait until it is over", "busy")

    def begin(self, by: str, act: acts.Work, number: int) -> None:
        """Have it done, beside the house."""
        settings = self._house.settings
        kind: WorkKind
        match act:
            case acts.Backup():
                kind, words = "backup", [str(settings.copies_folder()), "--keep", str(settings.backups_keep)]
            case acts.Verify():
                kind, words = "verify", []
            case acts.Prune(days=days):
                kind, words = "prune", ["--older-than", f"{days}d"]
        self._works[kind] = Work(number, kind, by, int(self._house.now() * 1000))
        self._task = asyncio.get_running_loop().create_task(self._work(self._works[kind], words))

    async def _work(self, work: Work, words: list[str]) -> None:
        good, text = False, ""
        try:
            if work.kind == "backup":
                Path(words[0]).mkdir(mode=0o700, parents=True, exist_ok=True)
            good, text = await self._run(work.kind, words)
        except OSError as error:
            text = str(error)
        finally:
            ended_ms = int(self._house.now() * 1000)
            done = msgspec.structs.replace(work, ended_ms=ended_ms, good=good, text=text)
            self._works[work.kind] = done
            # Those who look at the house are told.
            self._house.hall.porter.asked += 1
            self._house.dispatch()
        (log.info if good else log.error)("host's work is over", kind=work.kind, good=good, said=text)

    async def _run(self, kind: WorkKind, words: list[str]) -> tuple[bool, str]:
        """Whether the command went well, and the end of what it said."""
        folder = str(self._house.settings.data_folder())
        process = await asyncio.create_subprocess_exec(
            # Not the modules of whatever folder the house was started in.
            *(sys.executable, "-P", "-m", "ludoteca.cli", kind, *words, "--data", folder),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        text = b""
        try:
            with contextlib.suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, process.pid, NICENESS)
            assert process.stdout is not None
            while block := await process.stdout.read(65_536):
                text = (text + block)[-TEXT_BYTES_MAX:]
            return await process.wait() == 0, text.decode(errors="replace").strip()
        finally:
            if process.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process.pid, signal.SIGKILL)
                await process.wait()

    async def close(self) -> None:
        """What is being done ends with the house: half a copy is none, and half a pruning is whole."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task


def _look(settings: Settings, now_ms: int) -> dict[str, Any]:
    """What is on the disk. Raises OSError, sqlite3.Error."""
    path = schema.journal_in(settings.data_folder())
    if not path.exists():
        # Looking must not make one.
        raise FileNotFoundError(f"there is none in {path.parent}")
    disk = shutil.disk_usage(path.parent)
    with contextlib.closing(schema.connect(path)) as connection:

        def one(question: str, *values: int) -> int:
            return int(connection.execute(question, values).fetchone()[0])

        over = "SELECT count(*) FROM tables WHERE fate = 'over' AND closed_ms"
        found: dict[str, Any] = {
            "spare": one("PRAGMA freelist_count") * one("PRAGMA page_size"),
            "live": one("SELECT count(*) FROM tables WHERE fate != 'over'"),
            "over": one(f"{over} >= 0"),
            "records_size": one("SELECT coalesce(sum(length(lines)), 0) FROM sheets")
            + one("SELECT coalesce(sum(length(line)), 0) FROM records"),
            "older": {str(days): one(f"{over} < ?", now_ms - days * DAY_MS) for days in AGES},
            "lately": {str(days): one(f"{over} >= ?", now_ms - days * DAY_MS) for days in (1, 7, 30)},
            "deeds": len(schema.deeds(connection)),
            "schema": schema.version(connection),
        }
    size = sum(file.stat().st_size for file in path.parent.glob(f"{path.name}*") if file.suffix != ".new")
    return found | {
        "size": size,
        "disk_free": disk.free,
        "disk_size": disk.total,
        "copies_folder": str(settings.copies_folder()),
        "copies_keep": settings.backups_keep,
        "copies": _copies(settings.copies_folder()),
        "version": __version__,
        "python": platform.python_version(),
        "certificate_until_ms": _certificate_until(settings),
    }


def _copies(folder: Path) -> list[Copy]:
    """Those that are there, newest first."""
    found = []
    for file in sorted(folder.glob(f"{PREFIX}*{SUFFIX}"), reverse=True)[:COPIES_MAX]:
        with contextlib.suppress(OSError):
            about = file.stat()
            found.append(Copy(file.name, about.st_size, int(about.st_mtime * 1000)))
    return found


def _certificate_until(settings: Settings) -> int:
    """When the certificate ends; 0 where there is none, or the file is not (any more) what it was."""
    if not settings.tls_cert:
        return 0
    try:
        about: Any = ssl._ssl._test_decode_cert(settings.tls_cert)  # type: ignore[attr-defined]
        return int(ssl.cert_time_to_seconds(about["notAfter"]) * 1000)
    except (ssl.SSLError, OSError, ValueError):
        return 0
