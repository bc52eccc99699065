"""What must hold whatever anybody sends: no traceback, no crash, nobody's seat moved by
another, nobody left behind."""

import asyncio
import gc
import json
import logging
import re
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterable, Iterator, MutableMapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

import msgspec
import structlog

from ludoteca import games
from ludoteca.core import LudotecaError, Request
from ludoteca.hall import Guest
from ludoteca.journal import Record, verify
from ludoteca.journal.records import Acted, Closed, SatDown, WentAway, decode
from ludoteca.server.journal_reader import JournalReader
from ludoteca.server.serve import Server
from ludoteca.server.session import Session

CONNECTIONS_MAX = 1000
_STRING = re.compile(rb'"((?:[^"\\]|\\.){1,200})"')


class Person:
    """Somebody outside, through however many connections. Whoever is honest owns a seat alone."""

    def __init__(self, name: str, way: str, *, honest: bool = False) -> None:
        self.name = name
        self.way = way
        self.honest = honest
        self.said: set[bytes] = set()
        self.last: list[tuple[float, bytes]] = []

    def say(self, data: bytes) -> None:
        """Remember what went out."""
        self.last = [*self.last[-4:], (time.monotonic(), data[:400])]
        if not self.honest:
            # What may be a name: strings of JSON, and short messages of other kinds as they are.
            self.said.update(_STRING.findall(data.lower()))
            self.said.update(
                line for line in data.lower().split(b"\n") if len(line) < 200 and line[:1] != b"{"
            )

    def knows(self, name: str) -> bool:
        """Whether this name was in anything they said, in one of the ways to write it."""
        spelled = (name.encode(), json.dumps(name)[1:-1].encode(), name.rpartition(" ")[0].encode())
        return any(one.lower() in said for one in spelled if one for said in self.said)


BOT = Person("a bot", "bot")


class _Records(logging.Handler):
    """Passes on what other people's libraries complain about."""

    def __init__(self, watch: "Watch") -> None:
        super().__init__(logging.WARNING)
        self._watch = watch

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info or record.levelno >= logging.ERROR:
            trace = "".join(traceback.format_exception(*record.exc_info)) if record.exc_info else ""
            self._watch.fail(f"log of {record.name}: {record.getMessage()}\n{trace}")


class Watch:
    """Looks at one house from within while it is abused."""

    def __init__(self, ignore: Sequence[str] = ()) -> None:
        self._ignore = ignore
        self.failures: list[str] = []
        self.failed = asyncio.Event()
        self.people: list[Person] = []
        self.counts: Counter[str] = Counter()
        self._by_key: dict[Any, Person] = {}
        # What happened on a connection before its owner has told us of it.
        self._early: dict[Any, list[tuple[str, Acted]]] = {}
        self._honest: dict[str, Person] = {}
        self._handler = _Records(self)

    def fail(self, text: str) -> None:
        """Something does not hold. What is to be ignored is only counted."""
        known = next((part for part in self._ignore if part in text), "")
        if known:
            self.counts[f"ignored: {known}"] += 1
            return
        self.failures.append(text)
        self.failed.set()

    # Logs.

    def listen(self) -> None:
        """Hear everything that is logged in this process, by whomever."""
        logging.getLogger().addHandler(self._handler)
        asyncio.get_running_loop().set_exception_handler(self._on_loop)
        structlog.configure(processors=[self._on_event], cache_logger_on_first_use=False)
        structlog.get_logger().error("does the watch hear this?")
        assert len(self.failures) == 1, "nobody hears what the house logs"
        self.failures.clear()
        self.failed.clear()

    def _on_event(self, _logger: object, method: str, event: MutableMapping[str, Any]) -> NoReturn:
        error = event.get("exc_info")
        if method in ("error", "exception", "critical") or error:
            error = sys.exc_info()[1] if error is True else error
            trace = "".join(traceback.format_exception(error)) if isinstance(error, BaseException) else ""
            self.fail(f"log of the house: {event}\n{trace}")
        raise structlog.DropEvent

    def _on_loop(self, _loop: object, context: dict[str, Any]) -> None:
        error = context.get("exception")
        trace = "".join(traceback.format_exception(error)) if error is not None else ""
        self.fail(f"the event loop: {context.get('message')}\n{trace}")

    # Seats.

    def look_at(self, server: Server) -> None:
        """See every record together with the connection that brought it about."""
        house = server.house
        submit = house.submit

        def watched(guest: Guest, requests: Iterable[Request], now: float) -> None:
            entries, table = house.hall.post.entries, house.hall.desk.table_of(guest)
            before = len(entries)
            try:
                submit(guest, requests, now)
            finally:
                for entry in entries[before:]:
                    given = decode(entry.line)[0].input
                    if isinstance(given, Acted):
                        at = house.hall.tables.get(entry.table) or table
                        assert at is not None
                        assert at.id == entry.table
                        self._acted(server, guest, at.chair(given.seat).name, given)

        house.submit = watched  # type: ignore[method-assign]

    def register(self, person: Person, key: Any) -> None:
        """This connection is that person's.

        Those of long ago are forgotten, with all that was said through them.
        """
        self._by_key[key] = person
        if len(self._by_key) > CONNECTIONS_MAX:
            del self._by_key[next(iter(self._by_key))]
        if person.honest:
            self._honest[person.name] = person
        for name, given in self._early.pop(key, ()):
            self._judge(person, name, given)

    def release(self, *people: Person) -> None:
        """Honest people have gone home: whoever uses their names now is somebody else."""
        for person in people:
            self._honest.pop(person.name, None)

    def _acted(self, server: Server, guest: Guest, name: str, given: Acted) -> None:
        self.counts["decisions"] += 1
        if guest.bot:
            self._judge(BOT, name, given)
            return
        key = key_of(server, guest)
        person = self._by_key.get(key)
        if person is None:
            self._early.setdefault(key, []).append((name, given))
        else:
            self._judge(person, name, given)

    def _judge(self, person: Person, name: str, given: Acted) -> None:
        """Whoever decided must be who sat down under this name, or at least know it: it may
        take a seat again."""
        owner = self._honest.get(name)
        # Where a name is taken, clients add a number to it.
        own = name.startswith(person.name)
        if owner is None and (person is BOT or own or person.knows(name)):
            return
        if owner is not person:
            self.fail(f"{person.name} ({person.way}) has moved seat {given.seat} of {name}: {given}")

    # The end.

    async def all_gone(self, server: Server, patience_s: float) -> None:
        """Everybody has hung up: nothing of them is left in the house."""
        end = time.monotonic() + patience_s
        while (left := list(leftovers(server))) and time.monotonic() < end:
            await asyncio.sleep(0.1)
        for text in left:
            self.fail(text)

    def healthy(self, server: Server) -> None:
        """The house's own counters know of no accident."""
        for family in server.house.metrics.registry.collect():
            for sample in family.samples:
                accident = any(word in sample.name for word in ("crash", "fail", "trouble", "error"))
                if accident and sample.value and not sample.name.endswith("_created"):
                    self.fail(f"metrics: {sample.name}{sample.labels or ''} is {sample.value:g}")

    def report(self) -> str:
        """The first failures, and what was said last before them."""
        now = time.monotonic()
        said = sorted(
            (at, person.way, person.name, data)
            for person in self.people
            for at, data in person.last
            if not person.honest and now - at < 10
        )
        lines = [f"FAILED: {text}" for text in self.failures[:5]]
        lines += [
            f"  {now - at:6.3f} s before the end, {way} {name}: {data!r}"
            for at, way, name, data in said[-40:]
        ]
        return "\n".join(lines)


def key_of(server: Server, guest: Guest) -> Any:
    """The other end of a guest's connection, as the other end knows it: an address, or the
    id of remote calls."""
    session: Any = server.house._shells[guest.id]
    link = session._link
    if hasattr(link, "identity"):
        return link.identity
    transport = link._transport if hasattr(link, "_transport") else link._request.transport
    return None if transport is None else transport.get_extra_info("peername")[:2]


def _connection(server: Server, guest: Guest) -> str:
    """What the house knows about the connection of a guest."""
    session: Any = server.house._shells.get(guest.id)
    if session is None:
        return "without a connection"
    waits = f"{len(session._held)} bytes held, waking {session._waking}, paused {session._paused}"
    return f"by {type(session._link).__name__} from {key_of(server, guest)}, since {guest.since:.0f}, {waits}"


def leftovers(server: Server) -> Iterator[str]:
    """What is still there although nobody is connected."""
    hall = server.house.hall
    for guest in hall.guests:
        if not guest.bot:
            yield f"a guest who has hung up is still in the house: {guest} {_connection(server, guest)}"
        elif hall.desk.table_of(guest) is None:
            yield f"a bot without a table is in the house: {guest}"
    for sample in next(iter(server.house.metrics.connections.collect())).samples:
        if sample.value:
            yield f"metrics: {sample.value:g} connections of {sample.labels['listener']} are counted"
    gc.collect()
    for session in [one for one in gc.get_objects() if isinstance(one, Session)]:
        held = [type(one).__name__ for one in gc.get_referrers(session)]
        yield f"the session of {session.guest}, who has hung up, is still in memory, held by {held}"


class Played:
    """A match of honest people: their names and, where they know it, what each of them decided."""

    def __init__(self, *names: str, acted: dict[str, list[Any]] | None = None) -> None:
        self.names = tuple(sorted(names))
        self.acted = acted or {}


def check_journal(folder: Path, honest: Iterable[Played]) -> Iterator[str]:
    """Every record replays, and what honest people have begun was played to its end by them alone."""
    archive = JournalReader(folder)
    matches: dict[tuple[str, ...], list[Record]] = {}
    ended: set[tuple[str, ...]] = set()
    for table in archive.ids():
        lines = archive.lines(table)
        try:
            match = verify(lines, games.load)
        except LudotecaError as error:
            yield f"table {table} does not replay: {error}"
            continue
        found = [decode(line)[0] for line in lines]
        names = tuple(sorted(_seats(found)))
        matches[names] = found
        if match.outcome is not None and not any(isinstance(one.input, WentAway | Closed) for one in found):
            ended.add(names)
    for played in honest:
        who = f"the match of {' and '.join(played.names)}, who are honest,"
        if played.names not in matches:
            yield f"{who} is not in the journal"
        elif played.names not in ended:
            inputs = [one.input for one in matches[played.names][-6:]]
            yield f"{who} was not played to its end: {inputs}"
        else:
            yield from _compare(who, matches[played.names], played.acted)


def _seats(found: list[Record]) -> dict[str, int]:
    """Who sat where in the end."""
    chairs = {one.input.seat: one.input.name for one in found if isinstance(one.input, SatDown)}
    return {name: seat for seat, name in chairs.items()}


def _compare(who: str, found: list[Record], acted: dict[str, list[Any]]) -> Iterator[str]:
    """Exactly what they have sent has been done, in that order."""
    seats = _seats(found)
    for name, sent in acted.items():
        done = [
            list(one.input.actions)
            for one in found
            if isinstance(one.input, Acted) and one.input.seat == seats[name]
        ]
        if msgspec.json.encode(done) != msgspec.json.encode([[action] for action in sent]):
            yield f"{who} has decisions of {name} that they never made: {done} instead of {sent}"
