"""What a value may be, in words, and what somebody who mistyped a name may have meant."""

import difflib
from collections.abc import Iterable
from typing import Any

from msgspec import inspect


def allowed(kind: Any) -> str:
    """What values a type allows: "a whole number from 0 to 65535"."""
    return _allowed(inspect.type_info(kind))


def _allowed(info: inspect.Type) -> str:
    match info:
        case inspect.Metadata(type=inner):
            return _allowed(inner)
        case inspect.IntType():
            return f"a whole number{_range(info)}"
        case inspect.FloatType():
            return f"a number{_range(info)}"
        case inspect.BoolType():
            return "true or false"
        case inspect.LiteralType(values=values):
            return f"one of {', '.join(map(str, values))}" if len(values) > 1 else str(values[0])
        case inspect.UnionType(types=types):
            return " or ".join(_allowed(one) for one in types)
        case inspect.ListType(item_type=inner) | inspect.VarTupleType(item_type=inner):
            return f"a list, each of it {_allowed(inner)}"
        case inspect.DictType(value_type=inner):
            return f"a map to {_allowed(inner)}"
        case inspect.StrType(pattern=pattern):
            return f"a text of the form {pattern}" if pattern else "a text"
        case inspect.NoneType():
            return "nothing"
        case _:
            return "something else"


def _range(info: inspect.IntType | inspect.FloatType) -> str:
    match info.ge, info.gt, info.le, info.lt:
        case ((int() | float() as low), None, (int() | float() as high), None):
            return f" from {low} to {high}"
        case low, above, high, below:
            parts = [
                f"at least {low}" if low is not None else "",
                f"greater than {above}" if above is not None else "",
                f"at most {high}" if high is not None else "",
                f"less than {below}" if below is not None else "",
            ]
            said = " and ".join(part for part in parts if part)
            return f", {said}" if said else ""


def meant(word: str, known: Iterable[str]) -> str:
    """What to add about a name that is not known: " (did you mean 'serve'?)", where one is near."""
    near = difflib.get_close_matches(word.casefold(), [*known], n=1, cutoff=0.6)
    return f" (did you mean {near[0]!r}?)" if near else ""
