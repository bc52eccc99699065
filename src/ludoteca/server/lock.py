"""Two houses must not write one journal: the folder and the journal are held while a house stands.

What is locked are the things themselves, so there is no lock file that somebody could take away: the folder's
lock outlives a journal that is removed or replaced, the journal's lock goes along when it is moved. Both end
with the process, however it ends, and readers need neither.
"""

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from ludoteca.server.schema import StoreError

OURS_ALONE = 0o600


class HouseRunning(StoreError):
    """Another house writes this journal."""


@contextlib.contextmanager
def held(folder: Path, journal: Path) -> Iterator[None]:
    """Hold the folder and the journal, which is made when it is not there; nobody else on the
    machine may read it.

    The journal's descriptor must be closed last: in POSIX that drops whatever locks SQLite has on the file.
    Raises HouseRunning, OSError.
    """
    with contextlib.ExitStack() as stack:
        for place, flags in _places(folder, journal):
            descriptor = os.open(place, flags, OURS_ALONE)
            stack.callback(os.close, descriptor)
            try:
                _lock(descriptor)
            except BlockingIOError:
                raise HouseRunning(f"another house is running on {folder}") from None
            except OSError:
                # Not every kind of disk can lock a folder.
                if place is journal:
                    raise
        for file in (journal, *(journal.with_name(journal.name + tail) for tail in ("-wal", "-shm"))):
            # Where the file is another's, or the disk knows no modes, they are not ours to choose.
            with contextlib.suppress(FileNotFoundError, PermissionError):
                file.chmod(OURS_ALONE)
        yield


if sys.platform == "win32":
    import msvcrt

    # Far behind what SQLite reads, writes and locks. An open file cannot be removed or moved here.
    _FAR = 1 << 40

    def _places(_folder: Path, journal: Path) -> Iterator[tuple[Path, int]]:
        yield journal, os.O_RDWR | os.O_CREAT

    def _lock(descriptor: int) -> None:
        os.lseek(descriptor, _FAR, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            raise BlockingIOError from error

else:
    import fcntl

    def _places(folder: Path, journal: Path) -> Iterator[tuple[Path, int]]:
        yield folder, os.O_RDONLY | os.O_DIRECTORY
        yield journal, os.O_RDWR | os.O_CREAT

    def _lock(descriptor: int) -> None:
        # flock, for SQLite uses the other kind: neither sees the other's.
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
