"""Plain values as records of a type, where the same type is wanted again and again."""

from functools import cache
from typing import Any

import msgspec


def convert(given: Any, kind: Any) -> Any:
    """What `msgspec.convert` makes of it, with the same complaints: raises msgspec.ValidationError.

    msgspec finds out anew what a union consists of whenever it is asked for one, 31 us for the sixteen
    actions of Eriantys; the fields of a struct it knows by heart, and then this takes one.
    """
    if isinstance(kind, type):
        return msgspec.convert(given, kind)
    try:
        return msgspec.convert({"held": given}, _holder(kind)).held  # type: ignore[attr-defined]
    except msgspec.ValidationError:
        # Once more without the holder, for the place of the fault that the complaint names.
        return msgspec.convert(given, kind)


@cache
def _holder(kind: Any) -> type[msgspec.Struct]:
    return msgspec.defstruct("Holder", [("held", kind)])
