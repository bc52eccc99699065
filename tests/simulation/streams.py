"""What a cluster of NATS servers keeps, as its documents promise it and not a bit better: streams with
fences, atomic batches, duplicates that are known for a while, ages, and reads of what was true some time ago.

A bucket of keys is a stream like any other. Nothing here knows of servers, links or loops (see `servers`).
"""

import base64
import json
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

# Errors by the numbers that the servers have for them.
WRONG_LAST, NO_MESSAGE, NO_STREAM, NAME_TAKEN = 10071, 10037, 10059, 10058
NOT_ATOMIC, INCOMPLETE = 10174, 10176
# A batch that nobody goes on with is given up; the id of a message is remembered for so long.
BATCH_S, DUPLICATE_S = 10.0, 120.0
BATCH_MAX = 1000
# Whoever sees what was true before sees nothing that is older.
BACK_S = 60.0
# So many old messages of a key are looked through at once.
FORGOTTEN = 256
NEVER = float("inf")

FENCE, MESSAGE_ID = "Nats-Expected-Last-Subject-Sequence", "Nats-Msg-Id"
BATCH_ID, BATCH_SEQUENCE, BATCH_COMMIT = "Nats-Batch-Id", "Nats-Batch-Sequence", "Nats-Batch-Commit"

# What the servers say of a stream whose owner has not said it.
USUAL: dict[str, Any] = {
    "retention": "limits",
    "storage": "file",
    "max_age": 0,
    "max_msgs": -1,
    "max_bytes": -1,
    "max_msgs_per_subject": -1,
    "num_replicas": 1,
    "allow_atomic": False,
    "allow_direct": False,
    "deny_delete": False,
}


class Refusal(Exception):
    """The servers say no."""

    def __init__(self, number: int, text: str, code: int = 400) -> None:
        super().__init__(text)
        self.said = {"error": {"code": code, "err_code": number, "description": text}}


class Published(NamedTuple):
    """What somebody wants stored: headers as they came, and what they say."""

    subject: str
    raw: bytes
    headers: dict[str, str]
    data: bytes


class Stored:
    """A message: since when it is there, and until when it was."""

    __slots__ = ("born", "data", "gone", "raw", "sequence", "subject")

    def __init__(self, sequence: int, what: Published, born: float) -> None:
        self.sequence = sequence
        self.subject = what.subject
        self.raw = what.raw
        self.data = what.data
        self.born = born
        self.gone = NEVER


def matches(pattern: str, subject: str) -> bool:
    """Whether a subject is one of those that somebody listens to."""
    wanted, given = pattern.split("."), subject.split(".")
    for place, token in enumerate(wanted):
        if token == ">":
            return len(given) > place
        if place >= len(given) or (token != "*" and token != given[place]):
            return False
    return len(wanted) == len(given)


class Stream:
    """One of them. All that looks takes the moment that is looked at: who is behind sees an earlier one."""

    def __init__(self, config: dict[str, Any]) -> None:
        self.config = {**USUAL, **{key: value for key, value in config.items() if value is not None}}
        self.name: str = config["name"]
        self.last = 0
        self._messages: list[Stored] = []
        self._by_subject: dict[str, list[Stored]] = {}
        self._ends: list[tuple[float, int]] = [(-NEVER, 0)]
        self._known: dict[str, tuple[float, int]] = {}
        self._batches: dict[str, tuple[float, list[Published]]] = {}

    def takes(self, subject: str) -> bool:
        """Whether what is published there is stored here."""
        return any(matches(pattern, subject) for pattern in self.config["subjects"])

    # Writing.

    def gather(self, what: Published, now: float) -> list[Published]:
        """What is to be stored at once now that this has come: nothing, while a batch is not complete.
        Raises Refusal."""
        batch = what.headers.get(BATCH_ID)
        if batch is None:
            return [what]
        if not self.config["allow_atomic"]:
            raise Refusal(NOT_ATOMIC, "atomic publish is disabled")
        number, commits = int(what.headers[BATCH_SEQUENCE]), what.headers.get(BATCH_COMMIT) == "1"
        since, parts = self._batches.pop(batch, (now, []))
        if number != len(parts) + 1 or number > BATCH_MAX or now - since > BATCH_S:
            if commits:
                raise Refusal(INCOMPLETE, "atomic publish batch is incomplete")
            return []
        parts = [*parts, what]
        if not commits:
            self._batches[batch] = (now, parts)
            return []
        return parts

    def publish(self, parts: list[Published], now: float) -> dict[str, Any]:
        """Store all of these, or none; what is acknowledged. Raises Refusal."""
        told = parts[-1].headers.get(MESSAGE_ID)
        if told is not None and len(parts) == 1:
            known = self._known.get(told)
            if known is not None and now - known[0] < DUPLICATE_S:
                return {"stream": self.name, "seq": known[1], "duplicate": True}
        moved: set[str] = set()
        for part in parts:
            if part.subject not in moved:
                self._check(part, now)
            moved.add(part.subject)
        sequence = 0
        for part in parts:
            sequence = self._store(part, now)
        if told is not None:
            self._known[told] = (now, sequence)
        batch = parts[-1].headers.get(BATCH_ID)
        more = {"batch": batch, "count": len(parts)} if batch is not None else {}
        return {"stream": self.name, "seq": sequence, **more}

    def _check(self, what: Published, now: float) -> None:
        fence = what.headers.get(FENCE)
        if fence is None:
            return
        last = self.last_on(what.subject, now)
        found = last.sequence if last is not None else 0
        if int(fence) != found:
            raise Refusal(WRONG_LAST, f"wrong last sequence: {found}")

    def _store(self, what: Published, now: float) -> int:
        self.last += 1
        stored = Stored(self.last, what, now)
        there = self._by_subject.setdefault(what.subject, [])
        most = self.config["max_msgs_per_subject"]
        if most > 0:
            kept = 1
            for old in reversed(there):
                if not self._is_there(old, now):
                    break
                kept += 1
                if kept > most:
                    old.gone = now
            if len(there) > FORGOTTEN:
                # Nobody looks so far back.
                self._by_subject[what.subject] = there = [
                    old for old in there if min(old.gone, self._ends_at(old)) > now - BACK_S
                ]
        there.append(stored)
        self._messages.append(stored)
        self._ends.append((now, self.last))
        return self.last

    def forget_batches(self) -> None:
        """Whoever gathered them is not there any more."""
        self._batches.clear()

    def clear(self, subject: str, keep: int, now: float) -> int:
        """Leave the last so many on a subject; how many went."""
        there = [one for one in self._by_subject.get(subject, []) if self._is_there(one, now)]
        gone = there[: len(there) - keep] if keep else there
        for one in gone:
            one.gone = now
        return len(gone)

    def lose(self, after: int) -> None:
        """What the documents promise not to happen, and Jepsen saw: the end of a stream is gone."""
        self._messages = [one for one in self._messages if one.sequence <= after]
        for subject, there in self._by_subject.items():
            self._by_subject[subject] = [one for one in there if one.sequence <= after]
        self._ends = [end for end in self._ends if end[1] <= after]
        self.last = after

    # Reading, as it was at a moment.

    def _is_there(self, one: Stored, at: float) -> bool:
        return one.born <= at < one.gone and at < self._ends_at(one)

    def _ends_at(self, one: Stored) -> float:
        return one.born + (self.config["max_age"] / 1e9 or NEVER)

    def end(self, at: float) -> int:
        """The number of the last message."""
        return next(number for moment, number in reversed(self._ends) if moment <= at)

    def last_on(self, subject: str, at: float) -> Stored | None:
        """The last message on a subject."""
        there = self._by_subject.get(subject, [])
        return next((one for one in reversed(there) if self._is_there(one, at)), None)

    def numbered(self, sequence: int, at: float) -> Stored | None:
        """One message."""
        found = [one for one in self._messages if one.sequence == sequence and self._is_there(one, at)]
        return found[0] if found else None

    def following(self, first: int, pattern: str, at: float) -> Iterator[Stored]:
        """All from a number on."""
        # Numbers have no gaps but at the end that was lost.
        for one in self._messages[max(0, first - 1) :]:
            if one.sequence >= first and matches(pattern, one.subject) and self._is_there(one, at):
                yield one

    def lasts(self, pattern: str, at: float) -> list[Stored]:
        """The last of each subject, in their order."""
        found = [self.last_on(subject, at) for subject in self._by_subject if matches(pattern, subject)]
        return sorted((one for one in found if one is not None), key=lambda one: one.sequence)

    def count(self, at: float) -> int:
        """How many are there."""
        return sum(self._is_there(one, at) for one in self._messages)

    def info(self, at: float, pattern: str = "") -> dict[str, Any]:
        """What the servers say of it, and of which subjects of this kind there is anything."""
        there = [one.sequence for one in self._messages if self._is_there(one, at)]
        end = self.end(at)
        state: dict[str, Any] = {
            "messages": len(there),
            "bytes": 0,
            "first_seq": there[0] if there else end + 1,
            "last_seq": end,
            "consumer_count": 0,
        }
        if pattern:
            state["subjects"] = {one.subject: 1 for one in self.lasts(pattern, at)}
        return {"config": self.config, "created": "2026-01-01T00:00:00Z", "state": state}


class Streams:
    """All streams of a house, and what can be asked about them."""

    def __init__(self) -> None:
        self.by_name: dict[str, Stream] = {}

    def taking(self, subject: str) -> Stream | None:
        """Where what is published there is stored."""
        return next((stream for stream in self.by_name.values() if stream.takes(subject)), None)

    def named(self, name: str) -> Stream:
        """Raises Refusal."""
        if name not in self.by_name:
            raise Refusal(NO_STREAM, "stream not found", 404)
        return self.by_name[name]

    def answer(self, call: str, data: bytes, at: float) -> dict[str, Any]:
        """Answer a call that one server alone answers. Raises Refusal."""
        body: dict[str, Any] = json.loads(data) if data else {}
        kind, _, name = call.rpartition(".")
        given: Callable[[str, dict[str, Any], float], dict[str, Any]] | None = {
            "STREAM.INFO": self._info,
            "STREAM.CREATE": self._create,
            "STREAM.MSG.GET": self._get,
            "STREAM.PURGE": self._purge,
        }.get(kind)
        if given is None:
            raise AssertionError(f"the model of NATS does not know {call}")
        return given(name, body, at)

    def _info(self, name: str, body: dict[str, Any], at: float) -> dict[str, Any]:
        return self.named(name).info(at, body.get("subjects_filter", ""))

    def _create(self, name: str, body: dict[str, Any], at: float) -> dict[str, Any]:
        stream = self.by_name.get(name)
        if stream is None:
            stream = self.by_name[name] = Stream(body)
        elif stream.config != Stream(body).config:
            raise Refusal(NAME_TAKEN, "stream name already in use with a different configuration")
        return stream.info(at)

    def _get(self, name: str, body: dict[str, Any], at: float) -> dict[str, Any]:
        stream = self.named(name)
        subject = body.get("last_by_subj")
        found = stream.last_on(subject, at) if subject else stream.numbered(body["seq"], at)
        if found is None:
            raise Refusal(NO_MESSAGE, "no message found", 404)
        message = {"subject": found.subject, "seq": found.sequence, "time": "2026-01-01T00:00:00Z"}
        if found.raw:
            message["hdrs"] = base64.b64encode(found.raw).decode()
        if found.data:
            message["data"] = base64.b64encode(found.data).decode()
        return {"message": message}

    def _purge(self, name: str, body: dict[str, Any], at: float) -> dict[str, Any]:
        purged = self.named(name).clear(body["filter"], body.get("keep", 0), at)
        return {"success": True, "purged": purged}


def direct(stream: Stream, subject: str, data: bytes, at: float) -> Iterator[tuple[bytes, bytes]]:
    """Headers and data of the answers that any replica gives, to a question by subject or by number."""
    asked: dict[str, Any] = json.loads(data) if data else {"last_by_subj": subject}
    if "last_by_subj" in asked:
        last = stream.last_on(asked["last_by_subj"], at)
        found = [last] if last is not None else []
    elif "next_by_subj" in asked or "batch" in asked:
        pattern = asked.get("next_by_subj", ">")
        found = list(stream.following(asked.get("seq", 1), pattern, at))
    else:
        one = stream.numbered(asked["seq"], at)
        found = [one] if one is not None else []
    if not found:
        yield b"NATS/1.0 404 Message Not Found\r\n\r\n", b""
        return
    most, bytes_most, size = asked.get("batch", 1), asked.get("max_bytes", 0), 0
    for place, one in enumerate(found[:most]):
        size += len(one.data) + len(one.raw)
        if place and bytes_most and size > bytes_most:
            break
        yield _headed(stream, one), one.data
    if "batch" in asked:
        yield b"NATS/1.0 204 EOB\r\nNats-Num-Pending: %d\r\n\r\n" % max(0, len(found) - most), b""


def _headed(stream: Stream, one: Stored) -> bytes:
    """The message's own headers, and where it stands."""
    own = one.raw[:-2] if one.raw else b"NATS/1.0\r\n"
    more = f"Nats-Stream: {stream.name}\r\nNats-Subject: {one.subject}\r\nNats-Sequence: {one.sequence}\r\n"
    return own + more.encode() + b"Nats-Time-Stamp: 2026-01-01T00:00:00Z\r\n\r\n"
