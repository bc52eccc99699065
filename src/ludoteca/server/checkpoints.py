"""The journal's log is put into its file beside the writer, so that no move waits for it (decision 34).

Left alone, SQLite does it in whichever commit makes the log long enough: hundreds of pages are written all
over the file, which is then synced, while everybody waits for that commit.
"""

import contextlib
import sqlite3
import threading

PAGE_BYTES = 4096
# The log is put away whenever it has grown by so much.
LOG_BYTES = 1000 * PAGE_BYTES
# It begins anew with the first commit that finds all of it put away. Where commits follow each other so
# closely that none does, the writer puts away the little that is left when it has come to this.
LOG_BYTES_MAX = 8 * LOG_BYTES


class Checkpoints:
    """The one who puts the log away, in a thread and by a connection of its own."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._grown = 0
        self._closing = False
        # Whether the writer should `finish` what is done here.
        self.overlong = False
        self._bell = threading.Semaphore(0)
        self._thread = threading.Thread(target=self._work, name="checkpoints", daemon=True)
        self._thread.start()

    def grew(self, size: int) -> None:
        """The log has so many bytes more, roughly; called by the writer, and never waits."""
        self._grown += size
        if self._grown >= LOG_BYTES:
            self._grown = 0
            self._bell.release()

    def finish(self, connection: sqlite3.Connection) -> None:
        """The writer puts the rest away, and adds nothing meanwhile."""
        self.overlong = False
        put_away(connection)

    def close(self) -> None:
        """Stop, when what is under way is done."""
        self._closing = True
        self._bell.release()
        self._thread.join()

    def _work(self) -> None:
        while self._bell.acquire() and not self._closing:
            self.overlong = put_away(self._connection) * PAGE_BYTES >= LOG_BYTES_MAX


def put_away(connection: sqlite3.Connection) -> int:
    """Put into the file what is in the log now, as far as nobody reads what was there before; how many pages
    the log has. On a full or failing disk it stays where it is, and the next commit says what is wrong."""
    with contextlib.suppress(sqlite3.Error):
        _, pages, _ = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        return int(pages)
    return 0
