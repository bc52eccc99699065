"""What a message of the stream says: the records of one table that were written together, or what concerns
the house as a whole.

The subject is whose they are. Every page says who wrote it, and in which epoch: each node that takes over
begins a new one.
"""

from collections.abc import Iterable, Sequence

import msgspec

from ludoteca.hall.post import Entry, Fate, Summary

# A message may have a million bytes; where more comes together, it is several.
PAGE_BYTES_MAX = 400_000

_encode_summary = msgspec.json.Encoder().encode
_decode_summary = msgspec.json.Decoder(Summary).decode


class Kept(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One entry, without the table it is of; the summary is JSON, as it will be told."""

    number: int
    line: bytes
    fate: Fate | None = None
    summary: bytes = b""
    slip: bytes = b""


class Page(msgspec.Struct, frozen=True, array_like=True):
    """Some entries. On the page of the house these are its deeds, and `opened` are the tables whose first
    records are in the same batch: whoever may not write here opens none. Without any, `node` has taken
    over, or been given the table; where there is none, whoever has the desk is to take it."""

    epoch: int
    node: str
    kept: tuple[Kept, ...] = ()
    opened: tuple[str, ...] = ()


encode = msgspec.msgpack.Encoder().encode
decode = msgspec.msgpack.Decoder(Page).decode


def pages(epoch: int, node: str, entries: Iterable[Entry], opened: Sequence[str] = ()) -> list[bytes]:
    """The entries of one table, or of the house, on as few pages as there must be."""
    made: list[bytes] = []
    kept: list[Kept] = []
    size = 0
    for entry in entries:
        one = _kept(entry)
        weight = len(one.line) + len(one.summary) + len(one.slip)
        if kept and size + weight > PAGE_BYTES_MAX:
            made.append(encode(Page(epoch, node, tuple(kept), tuple(opened))))
            kept, size, opened = [], 0, ()
        kept.append(one)
        size += weight
    made.append(encode(Page(epoch, node, tuple(kept), tuple(opened))))
    return made


def owner(data: bytes) -> str:
    """Who has written a page, or was given the table by it."""
    try:
        return decode(data).node
    except msgspec.DecodeError:
        return ""


def entries(table: str, page: Page) -> list[Entry]:
    """What is on a page of this table ("" for the house), as it was handed over."""
    return [
        Entry(
            table,
            kept.number,
            kept.line,
            kept.fate,
            _decode_summary(kept.summary) if kept.summary else None,
            kept.slip,
        )
        for kept in page.kept
    ]


def _kept(entry: Entry) -> Kept:
    summary = b"" if entry.summary is None else _encode_summary(entry.summary)
    return Kept(entry.number, entry.line, entry.fate, summary, entry.slip)
