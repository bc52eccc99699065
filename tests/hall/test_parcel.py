"""Matches as files: packed without what is private, and taken in only when everything in them holds."""

import random
import re
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.journal.corpus.write import corpora, unpacked

from ludoteca import games
from ludoteca.hall import parcel
from ludoteca.hall.parcel import Head, ParcelError, pack, retrace, unpack
from ludoteca.journal import verify
from ludoteca.journal.records import Record, Spoke, decode, encode, encode_body
from ludoteca.journal.seal import CHAIN_BYTES, CHAIN_START, chain
from ludoteca.server.journal_reader import JournalReader

NOW_MS = int(time.time() * 1000)


def finished(path: Path) -> dict[str, list[bytes]]:
    """The finished matches of a corpus."""
    with tempfile.TemporaryDirectory() as folder:
        unpacked(path, Path(folder))
        reader = JournalReader(Path(folder))
        return {table: reader.lines(table) for table in reader.ids() if reader.summary(table) is not None}


CORPORA = {path.name: finished(path) for path in corpora()}
NEWEST = CORPORA[max(CORPORA)]
# A match for two to its end, in which the dice decide something.
PLAYED = next(
    lines
    for lines in NEWEST.values()
    if (found := retrace(lines, games.load).summary).table.game == "shelfie"
    and (found.outcome is not None and len(found.table.chairs) == 2)
)


def records_of(data: bytes) -> list[Record]:
    return [decode(line)[0] for line in data.split(b"\n")[1:-1]]


def packed(bodies: list[bytes], outcomes: list[bytes], **about: Any) -> bytes:
    """A file as somebody makes it who knows how: all checksums and digests fit."""
    digest, lines = CHAIN_START, []
    for body, outcome in zip(bodies, outcomes, strict=True):
        digest = chain(digest, body)
        lines.append(encode(body, digest + outcome))
    content = b"".join(line + b"\n" for line in lines)
    facts: dict[str, Any] = {"form": 1, "records": len(lines), "digest": parcel._digest(content)}
    opened = re.search(rb'"id":"(.*?)","game":"(.*?)"', bodies[0])
    table, game = (opened[1].decode(), opened[2].decode()) if opened else ("", "")
    head = {"ludoteca": "match", "table": table, "game": game, **facts, **about}
    return msgspec.json.encode(head) + b"\n" + content


def parts(data: bytes) -> tuple[list[dict[str, Any]], list[bytes]]:
    """The records of a file as plain values, and what came out of each."""
    lines = data.split(b"\n")[1:-1]
    return (
        [msgspec.to_builtins(decode(line)[0]) for line in lines],
        [decode(line)[2][CHAIN_BYTES:] for line in lines],
    )


def altered(change: Callable[[list[dict[str, Any]]], object], **about: Any) -> bytes:
    """A match with something changed in its records, and every digest made to fit again."""
    records, outcomes = parts(pack(PLAYED, games.load))
    change(records)
    return packed([msgspec.json.encode(one) for one in records], outcomes[: len(records)], **about)


def first(records: list[dict[str, Any]], kind: str) -> dict[str, Any]:
    found: dict[str, Any] = next(one["input"] for one in records if one["input"]["type"] == kind)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", CORPORA)
def test_every_finished_match_of_every_version_is_packed_and_taken_in_as_it_was(name: str) -> None:
    assert len(CORPORA[name]) > 20
    for table, lines in CORPORA[name].items():
        data = pack(lines, games.load)
        taken, match = unpack(data, games.load, NOW_MS)
        before, after = verify(lines, games.load), verify(taken, games.load)
        assert after.outcome == before.outcome
        assert msgspec.to_builtins(after.state) == msgspec.to_builtins(before.state)
        assert match.summary.table.id == table
        assert match.summary.outcome == before.outcome
        # What was packed can be packed again, and is the same.
        assert pack(taken, games.load) == data


def test_whispers_and_hashes_stay_where_they_were() -> None:
    private = 0
    for lines in NEWEST.values():
        data = pack(lines, games.load)
        private += any(isinstance(r.input, Spoke) and r.input.to for r in (decode(one)[0] for one in lines))
        records, _ = parts(data)
        for one in records:
            assert not one["input"].get("key")
            assert not one["input"].get("origin")
            assert one["input"]["type"] != "Spoke" or one["input"]["to"] is None
    # A whisper that was never there would prove nothing.
    body = encode_body(Record(len(PLAYED) + 1, NOW_MS, Spoke("Ann", "secret", "Bob", (0, 1))))
    seal = decode(PLAYED[-1])[2][:CHAIN_BYTES]
    whispered = [*PLAYED, encode(body, chain(seal, body) + bytes(4))]
    assert b"secret" not in pack(whispered, games.load)
    assert len(records_of(pack(whispered, games.load))) == len(PLAYED)


def test_what_still_goes_on_is_not_packed() -> None:
    for cut in (1, 3, len(PLAYED) // 2):
        with pytest.raises(ParcelError, match="not over"):
            pack(PLAYED[:cut], games.load)


def test_a_file_with_any_byte_changed_is_refused() -> None:
    good = pack(PLAYED, games.load)
    unpack(good, games.load, NOW_MS)
    dice = random.Random(17)
    for _ in range(60):
        at = dice.randrange(len(good))
        bad = good[:at] + bytes([good[at] ^ (1 << dice.randrange(8))]) + good[at + 1 :]
        if msgspec_head(bad) == msgspec_head(good) and bad.partition(b"\n")[2] == good.partition(b"\n")[2]:
            continue  # A blank in the first line, say, which means nothing.
        with pytest.raises(ParcelError):
            unpack(bad, games.load, NOW_MS)
    for cut in (0, 1, 50, len(good) // 2, len(good) - 1):
        with pytest.raises(ParcelError):
            unpack(good[:cut], games.load, NOW_MS)


def msgspec_head(data: bytes) -> Head | None:
    try:
        return msgspec.json.decode(data.partition(b"\n")[0], type=Head)
    except msgspec.DecodeError:
        return None


HOSTILE: dict[str, tuple[Callable[[list[dict[str, Any]]], object], str]] = {
    "a path": (lambda r: first(r, "Opened").update(id="../../etc/passwd"), "no name that a table"),
    "an absolute path": (lambda r: first(r, "Opened").update(id="/tmp/x"), "no name that a table"),
    "a blank in the id": (lambda r: first(r, "Opened").update(id="a b"), "no name that a table"),
    "a line in the id": (lambda r: first(r, "Opened").update(id="a\nb"), "no name that a table"),
    "an id without end": (lambda r: first(r, "Opened").update(id="a" * 65), "no name that a table"),
    "no such game": (lambda r: first(r, "Opened").update(game="../games"), "there is no game"),
    "a billion seats": (lambda r: first(r, "Opened").update(seats=10**9), "is not for"),
    "no seats": (lambda r: first(r, "Opened").update(seats=0), "is not for"),
    "other seats in the match": (lambda r: first(r, "Started").update(seats=3), "more or fewer"),
    "options that mean nothing": (lambda r: first(r, "Opened").update(options={"x": 1}), "means nothing"),
    "options of another kind": (lambda r: first(r, "Started").update(options=[1]), "Expected"),
    "a seat that is not there": (lambda r: first(r, "SatDown").update(seat=2), "no seat 2"),
    "a seat below all": (lambda r: first(r, "SatDown").update(seat=-1), "no seat -1"),
    "a name like a novel": (lambda r: first(r, "SatDown").update(name="a" * 100), "longer than"),
    "a name that moves the cursor": (lambda r: first(r, "SatDown").update(name="\x1b[2J"), "be printed"),
    "a protocol that is none": (lambda r: first(r, "SatDown").update(protocol="\0"), "be printed"),
    "a table's name": (lambda r: first(r, "Opened").update(label="\x07"), "be printed"),
    "from the future": (lambda r: r[-1].update(at_ms=NOW_MS * 2), "was written before"),
    "backwards in time": (lambda r: r[1].update(at_ms=1), "was written before"),
    "opened twice": (lambda r: r[2].update(input=r[0]["input"]), "opened twice"),
    "never opened": (lambda r: r.pop(0) and [one.update(number=i) for i, one in enumerate(r, 1)], "not open"),
    "another number": (lambda r: r[3].update(number=7), "stands where"),
    "a kind of its own": (lambda r: r[3].update(input={"type": "Exploded"}), "does not know"),
    "somebody else's move": (
        lambda r: first(r, "Acted").update(seat=1 - first(r, "Acted")["seat"]),
        "record",
    ),
    "a move that is none": (
        lambda r: first(r, "Acted").update(actions=[{"type": "Win"}]),
        "cannot be executed",
    ),
    "another end": (lambda r: r.__delitem__(slice(len(r) // 2, None)), "not over"),
    "other dice": (lambda r: first(r, "Started").update(seed=1), "record"),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_what_no_house_would_have_written_is_refused_in_plain_words(what: str) -> None:
    change, words = HOSTILE[what]
    with pytest.raises(ParcelError, match=words):
        unpack(altered(change), games.load, NOW_MS)


def test_a_first_line_must_be_about_the_match_behind_it() -> None:
    good = pack(PLAYED, games.load)
    for about, words in (
        ({"table": "other"}, "another match"),
        ({"game": "eriantys"}, "another match"),
        ({"form": 2}, "take a newer one"),
        ({"records": 1}, "says that it has"),
        ({"ludoteca": "house"}, "no match"),
    ):
        with pytest.raises(ParcelError, match=words):
            unpack(altered(lambda _: None, **about), games.load, NOW_MS)
    assert unpack(good, games.load, NOW_MS)


def test_whoever_sends_much_is_not_read_for_long() -> None:
    body = encode_body(decode(PLAYED[0])[0])
    deep = b"[" * 100_000 + b"]" * 100_000
    began = time.process_time()
    for data, words in (
        (bytes(parcel.BYTES_MAX + 1), "larger than"),
        (deep + b"\n", "no match"),
        (packed([body] * (parcel.RECORDS_MAX + 1), [bytes(4)] * (parcel.RECORDS_MAX + 1)), "at most"),
        (
            packed([body, body[:-1] + b" " * parcel.RECORD_BYTES_MAX + b"}"], [bytes(4)] * 2),
            "longer than any",
        ),
        (packed([body.replace(b'"options":', b'"options":' + b"[" * 20_000)], [bytes(4)]), "."),
        (
            packed(
                [body.replace(b'"options":{', b'"options":{"x":' + b"[" * 9000 + b"]" * 9000 + b",")],
                [bytes(4)],
            ),
            ".",
        ),
        (b"\x1f\x8b" + bytes(1000), "no match"),
        (b"\n" * 100_000, "no match"),
    ):
        with pytest.raises(ParcelError, match=words):
            unpack(data, games.load, NOW_MS)
    assert time.process_time() - began < 10
