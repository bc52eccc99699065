"""Copies of a house: its journal and its secret in one file, made while people play.

A copy is a tar file: `about.json` first, then the journal as SQLite hands it out at one moment, then the
secret. What is in it is looked through before it gets its name, and again before anything is brought back.
"""

import contextlib
import hashlib
import io
import os
import shutil
import sqlite3
import tarfile
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec

from ludoteca import __version__
from ludoteca.core import LudotecaError
from ludoteca.journal import damage
from ludoteca.server import schema
from ludoteca.server.journal_reader import JournalReader
from ludoteca.server.lock import OURS_ALONE
from ludoteca.server.secret import SECRET_NAME

ABOUT = "about.json"
PREFIX, SUFFIX = "ludoteca-", ".tar.gz"
# A step of the copy, after which whoever writes gets his turn.
PAGES = 4096


class BackupError(LudotecaError):
    """No copy can be made, or none be brought back; the text says why."""


class About(msgspec.Struct, frozen=True):
    """What a copy says about itself."""

    version: str
    made: str
    digest: str
    tables: int
    records: int
    # Tables whose record is damaged in the house as well: there is no better one.
    damaged: tuple[str, ...] = ()


def backup(folder: Path, wanted: Path, keep: int = 0) -> tuple[Path, About]:
    """Copy the house in `folder` to a file, or under a name with the time into a folder, where the newest
    `keep` stay (0: all). Raises BackupError, StoreError.
    """
    made = time.gmtime()
    into_folder = wanted.is_dir()
    target = wanted / f"{PREFIX}{time.strftime('%Y%m%dT%H%M%SZ', made)}{SUFFIX}" if into_folder else wanted
    if target.exists():
        raise BackupError(f"{target} is there already, and is not written over")
    JournalReader(folder)
    with _scratch(target) as scratch:
        journal = schema.journal_in(scratch)
        _copy(schema.journal_in(folder), journal)
        about = _looked_through(scratch, time.strftime("%Y-%m-%dT%H:%M:%SZ", made))
        packed = scratch / "packed"
        _pack(packed, about, journal, folder / SECRET_NAME)
        # A name that is there is whole.
        os.link(packed, target)
    _sync(target.parent)
    if into_folder and keep:
        copies = sorted(target.parent.glob(f"{PREFIX}*{SUFFIX}"))
        for old in copies[:-keep]:
            old.unlink()
    return target, about


def restore(copy: Path, folder: Path) -> About:
    """Bring a copy back into a data folder that has no journal. Raises BackupError, StoreError."""
    journal = schema.journal_in(folder)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with _scratch(journal) as scratch:
        about = _unpack(copy, scratch)
        found = _looked_through(scratch, about.made)
        if found.digest != about.digest:
            raise BackupError(f"{copy} is damaged: its journal is not the one that was copied")
        for name in (SECRET_NAME, journal.name):
            with contextlib.suppress(FileNotFoundError):
                _place(scratch / name, folder / name)
    _sync(folder)
    return about


def _copy(journal: Path, copy: Path) -> None:
    """The journal as it is at one moment, whatever is being written to it."""
    try:
        with (
            contextlib.closing(schema.connect(journal)) as source,
            contextlib.closing(sqlite3.connect(copy)) as target,
        ):
            source.backup(target, pages=PAGES)
            # What a node of several keeps is a house of its own once it is brought back: the cluster went on.
            target.execute("DROP TABLE IF EXISTS copy")
            # One file, without a log beside it.
            target.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.Error as error:
        raise BackupError(f"the journal cannot be copied: {error}") from None


def _looked_through(folder: Path, made: str) -> About:
    """What is in a journal, when it is sound: SQLite's own check, and the checksums of every record."""
    path = schema.journal_in(folder)
    try:
        with contextlib.closing(sqlite3.connect(path)) as connection:
            (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.DatabaseError as error:
        verdict = str(error)
    if verdict != "ok":
        raise BackupError(f"the copy of the journal is damaged: {verdict}")
    reader = JournalReader(folder)
    tables = reader.ids()
    records = 0
    damaged = []
    for table in tables:
        lines = reader.lines(table)
        records += len(lines)
        if damage(lines, table):
            damaged.append(table)
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "blake2b").hexdigest()
    return About(__version__, made, digest, len(tables), records, tuple(damaged))


def _pack(packed: Path, about: About, journal: Path, secret: Path) -> None:
    with (
        os.fdopen(os.open(packed, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OURS_ALONE), "wb") as file,
        tarfile.open(fileobj=file, mode="w:gz", compresslevel=6) as archive,
    ):
        text = msgspec.json.format(msgspec.json.encode(about))
        head = tarfile.TarInfo(ABOUT)
        head.size = len(text)
        archive.addfile(head, io.BytesIO(text))
        for path in (journal, secret):
            if path.exists():
                archive.add(path, path.name, filter=_anonymous)
    with packed.open("rb") as written:
        os.fsync(written.fileno())


def _anonymous(info: tarfile.TarInfo) -> tarfile.TarInfo:
    """A copy does not tell who made it."""
    info.uid = info.gid = 0
    info.uname = info.gname = ""
    info.mode = OURS_ALONE
    return info


def _unpack(copy: Path, folder: Path) -> About:
    """What a copy holds, into a folder: the three files it may have, and nothing else it might name."""
    known = (ABOUT, schema.journal_in(folder).name, SECRET_NAME)
    try:
        with tarfile.open(copy, "r:gz") as archive:
            for info in archive:
                if info.name not in known or not info.isfile():
                    raise BackupError(f"{copy} is no copy of a house: it holds {info.name!r}")
                content = archive.extractfile(info)
                assert content is not None
                target = folder / info.name
                with os.fdopen(
                    os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OURS_ALONE), "wb"
                ) as file:
                    while block := content.read(1 << 20):
                        file.write(block)
                    file.flush()
                    os.fsync(file.fileno())
        return msgspec.json.decode((folder / ABOUT).read_bytes(), type=About)
    except FileNotFoundError:
        raise BackupError(f"{copy} is not there, or is no copy of a house") from None
    except (OSError, EOFError, tarfile.TarError, msgspec.MsgspecError) as error:
        raise BackupError(f"{copy} cannot be read: {error}") from None


def _place(file: Path, target: Path) -> None:
    """Give a file its name, unless something has it: nothing is written over, even in a race."""
    try:
        os.link(file, target)
    except FileExistsError:
        raise BackupError(
            f"{target} is there already, and is not written over: choose another folder with --data,"
            " or move it away"
        ) from None


@contextlib.contextmanager
def _scratch(target: Path) -> Iterator[Path]:
    """A folder of our own beside the target, hence on the same disk; gone at the end."""
    try:
        made = Path(tempfile.mkdtemp(prefix=".ludoteca-", dir=target.parent))
    except OSError as error:
        raise BackupError(f"nothing can be written to {target.parent}: {error.strerror}") from None
    try:
        yield made
    except OSError as error:
        raise BackupError(f"{target} cannot be written: {error.strerror or error}") from None
    finally:
        shutil.rmtree(made)


def _sync(folder: Path) -> None:
    """That a file has its name is written down, too."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
