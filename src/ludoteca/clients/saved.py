"""What the terminal client remembers between two evenings: your name, and the seats you may come back to.

Seat tokens are secrets, so the file is for its owner's eyes only.
"""

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec

try:
    import fcntl
except ImportError:  # Windows.
    fcntl = None  # type: ignore[assignment]

# A seat that nobody claimed for so long is not waiting any more.
SEATS_KEPT_S = 7 * 24 * 3600.0
SEATS_MAX = 32


class Seat(msgspec.Struct, frozen=True):
    """A seat that can be taken again. `house` is the address as it was given, "" for the private house."""

    house: str
    game: str
    table: str
    token: str
    name: str
    at: float


class Memory(msgspec.Struct):
    """Everything remembered; `save` writes it down."""

    name: str = ""
    seats: list[Seat] = []
    # What houses that are not open to all gave us, by their addresses.
    keys: dict[str, str] = {}

    def keep(self, seat: Seat) -> None:
        """Remember a seat, in place of what was known of it."""
        with _alone():
            self._catch_up()
            self.seats = [*(one for one in self.seats if one.token != seat.token), seat][-SEATS_MAX:]
            self._write()

    def drop(self, token: str) -> None:
        """Forget a seat."""
        with _alone():
            self._catch_up()
            if any(one.token == token for one in self.seats):
                self.seats = [one for one in self.seats if one.token != token]
                self._write()

    def seats_at(self, house: str) -> list[Seat]:
        """The seats at one house, the latest first."""
        fresh = time.time() - SEATS_KEPT_S
        return [seat for seat in reversed(self.seats) if seat.house == house and seat.at > fresh]

    def call(self, name: str) -> None:
        """Remember by which name one was known."""
        with _alone():
            self._catch_up()
            self.name = name
            self._write()

    def unlock(self, house: str, key: str) -> None:
        """Remember the key of a house."""
        with _alone():
            self._catch_up()
            self.keys = {**self.keys, house: key}
            self._write()

    def _catch_up(self) -> None:
        """Another terminal of the same person may have written since: what it knows is not to be lost."""
        written = _read()
        if written is not None:
            self.name, self.seats, self.keys = written.name, written.seats, written.keys

    def _write(self) -> None:
        """Write it down; a disk that refuses costs only the memory."""
        path = _path()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            draft = path.with_suffix(f".{os.getpid()}.new")
            descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                file.write(msgspec.json.encode(self))
            draft.replace(path)
        except OSError:
            return


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    """One terminal at a time between reading and writing; where nothing can be locked, all at once."""
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):
            path = _path().with_suffix(".lock")
            path.parent.mkdir(parents=True, exist_ok=True)
            lock = stack.enter_context(path.open("a"))
            if fcntl is not None:
                fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _path() -> Path:
    base = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(base) / "ludoteca" / "terminal.json"


def load() -> Memory:
    """What was written down last; nothing, when it cannot be read."""
    return _read() or Memory()


def _read() -> Memory | None:
    try:
        return msgspec.json.decode(_path().read_bytes(), type=Memory)
    except (OSError, msgspec.DecodeError):
        return None


def usual_name() -> str:
    """The name of this machine's user, as a person would write it."""
    try:
        import getpass

        name = getpass.getuser()
    except (OSError, KeyError):
        name = ""
    return name[:1].upper() + name[1:24] if name.isprintable() and name else "You"
