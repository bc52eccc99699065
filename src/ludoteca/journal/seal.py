"""What is written beside an input: a chain over all inputs, which no rules are needed to check,
and what came out.

The two are apart because they say different things. The chain says that nothing is missing, exchanged or
altered; when it does not fit, the record is damaged. What came out says whether the rules still make the same
of it; when that does not fit, the rules or the shape of their events have changed (docs/decisions/0012).
"""

from hashlib import blake2b
from typing import Any
from zlib import crc32

import msgspec

_encode = msgspec.json.Encoder().encode
# A seal is the chain's digest and, behind it, a checksum of what came out; before rules had versions, one
# digest of both.
CHAIN_BYTES = 8
CHAIN_START = bytes(CHAIN_BYTES)
NOTHING_TOLD = bytes(4)


def chain(before: bytes, body: bytes) -> bytes:
    """The digest of a record that follows the one whose digest is `before`."""
    return blake2b(before + body, digest_size=CHAIN_BYTES).digest()


def told(events: list[Any], state: Any) -> bytes:
    """A checksum of what an input brought about, and of how the match ended if that was its end."""
    if not events:
        return NOTHING_TOLD
    number = crc32(_encode(events))
    if state.outcome is not None:
        number = crc32(_encode(state.outcome), number)
    return number.to_bytes(4)


def combined(before: bytes, body: bytes, events: list[Any]) -> bytes:
    """The digest of records from before rules had versions: inputs and events in one."""
    return blake2b(before + body + (_encode(events) if events else b""), digest_size=CHAIN_BYTES).digest()
