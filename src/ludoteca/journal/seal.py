"""What is written beside an input: a chain over all inputs, which no rules are needed to check, and what came out.

The two are apart because they say different things. The chain says that nothing is missing, exchanged or altered; when it
does not fit, the record is damaged. What came out says whether the rules still make the same of it; when that does not
fit, the rules or the shape of their events have changed (docs/decisions/0006).
"""

from hashlib import blake2b
from typing import Any
from zlib import crc32

import msgspec

_encode = msgspec.json.Encoder().encode
CHAIN_START = bytes(8)


def chain(before: bytes, body: bytes) -> bytes:
    """The digest of a record that follows the one whose digest is `before`."""
    return blake2b(before + body, digest_size=8).digest()


def told(events: list[Any], outcome: Any) -> int:
    """What an input brought about, as one number: 0 for nothing."""
    if not events:
        return 0
    number = crc32(_encode(events))
    return number if outcome is None else crc32(_encode(outcome), number)


def combined(before: bytes, body: bytes, events: list[Any]) -> bytes:
    """The digest of records from before rules had versions: inputs and events in one."""
    return blake2b(before + body + (_encode(events) if events else b""), digest_size=8).digest()
