"""What the real object streams make of ours: values there and back through a Java program."""

import subprocess
from typing import Any, Literal

from tests.java import build

from ludoteca.wire.java import HEADER, Constant, Ordered, Reader, Record, Table, Writer

Reset = Literal["never", "before", "after"]


def mirror(game: str, table: Table, values: list[Any], reset: Reset) -> list[Any]:
    """The values as Java has read them, and as it has written them again."""
    writer = Writer(table)
    data = HEADER + b"".join(writer.message(value, reset=reset != "never") for value in values)
    return mirror_bytes(game, table, data, reset)


def mirror_bytes(game: str, table: Table, data: bytes, reset: Reset) -> list[Any]:
    """The same for a stream as it is."""
    done = subprocess.run(build.command(game, "Mirror", reset), input=data, capture_output=True, timeout=60)
    assert done.returncode == 0, done.stderr.decode()
    reader = Reader(table, message_bytes_max=65_536)
    back, at = [], 0
    while at < len(done.stdout):
        at = reader.feed(done.stdout, at)
        # What remains may be a reset that nothing follows.
        if not at:
            break
        back.append(reader.item)
    return back


def shape(value: Any, seen: dict[int, int] | None = None) -> Any:
    """A value for comparing: records by their classes and fields, and which of them are one and the same."""
    seen = {} if seen is None else seen
    if isinstance(value, Constant):
        return f"{value.kind}.{value.name}"
    if isinstance(value, Record):
        if id(value) in seen:
            return f"again {seen[id(value)]}"
        seen[id(value)] = len(seen)
        fields = {name: shape(getattr(value, name), seen) for name in value.__struct_fields__}
        return type(value).__name__, fields
    if isinstance(value, list):
        return [shape(each, seen) for each in value]
    if isinstance(value, dict):
        pairs = [(shape(key, seen), shape(each, seen)) for key, each in value.items()]
        # A hash table has an order of its own.
        return type(value).__name__, pairs if isinstance(value, Ordered) else sorted(pairs, key=repr)
    return value
