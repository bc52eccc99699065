"""Valid messages made odd.

What a message may hold is read from its type, so that most mutants get past the first check.
"""

import json
import random
import re
from collections import deque
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import inspect

from ludoteca import games
from ludoteca.wire.messages import FromClient

LINE_BYTES_MAX = 65_536


class Raw(str):
    """JSON as it stands, valid or not."""

    __slots__ = ()


class Pairs(list[tuple[str, Any]]):
    """An object whose keys may come twice."""


NUMBERS: tuple[Any, ...] = (
    *(0, -1, 1, 2, 3, 5, 7, 10, 24, 63, 64, 65, 100, 255, 256, 1000, 65536),
    *(2**31 - 1, 2**31, -(2**31) - 1, 2**53, 2**53 + 1, 2**63 - 1, 2**63, -(2**63) - 1, 2**64, 10**30),
    *(0.5, -0.0, 1e-320, 1.5, -1e300, 1e300),
    *map(
        Raw,
        ("1e308", "-1e308", "1e999", "-1e999", "NaN", "Infinity", "-Infinity", "1" * 400, "007", "1.", "-"),
    ),
    *map(Raw, ("1e18", "9223372036854775807.0", "0.1e1", "+1", "0x10", "1_000")),
)
STRINGS: tuple[Any, ...] = (
    *("", " ", "\0", "a\0b", "\x1b[2J", "\r\n", "a\nb", "\x7f\x85\u2028\u2029", "\ufeff", "\u202eabc"),
    *(
        "İ",
        "ß",
        "ﬁ",
        "ẞ" * 32,
        "e\u0301" * 20,
        "\U0001d56c" * 40,
        "\U0010ffff",
        "👩‍👩‍👧‍👦" * 10,
        "٣",
        "²",
        "１２",
    ),
    *(
        "null",
        "true",
        "0",
        "-1",
        "1e9",
        "NaN",
        "all",
        "*",
        "table-1",
        "Bot-Ada",
        "bot",
        "__class__",
        "{}",
        "%s%n",
    ),
    *("../../etc/passwd", "' OR 1=1 --", "<script>alert(1)</script>", "name Bob", "click 0 0"),
    *("a" * 63, "a" * 64, "a" * 65, "a" * 2000, "a" * 2001, "ä" * 30_000, "🐛" * 15_000),
    *(Raw('"\\ud800"'), Raw('"\\udfff\\ud800"'), Raw('"\\u0000"'), Raw('"\\x41"'), Raw('"\t"'), Raw('"')),
)
# No tokens: whoever has one may take the seat, and nobody could tell whose it was.
_WORD = re.compile(rb'"(?![0-9a-f]{32}")([A-Za-z0-9_ -]{1,40})"(?!:)')
OTHERS: tuple[Any, ...] = (None, True, False, [], {}, [[]], [None] * 65, [{}] * 5, {"": ""}, {"type": "ping"})


class Mutator:
    """One client's chance. Its own streams of dice make a run repeatable whatever the others do."""

    def __init__(self, dice: random.Random) -> None:
        self.dice = dice
        # What this client has said, to say it again.
        self.said: deque[bytes] = deque(maxlen=50)
        # Words that the house has used: names, ids, cards, colours. They make an invented
        # message nearly right.
        self.words: deque[str] = deque(maxlen=300)

    def learn(self, heard: bytes) -> None:
        """Pick up words."""
        found = _WORD.findall(heard[-20_000:])
        self.words.extend(word.decode() for word in self.dice.sample(found, min(len(found), 10)))

    # Values.

    def value(self) -> Any:
        """Anything but what was expected."""
        kinds: tuple[Callable[[], Any], ...] = (self._number, self._string, self._other, self._deep)
        return self.dice.choices(kinds, (4, 4, 3, 1))[0]()

    def _number(self) -> Any:
        if self.dice.random() < 0.3:
            return self.dice.randrange(-(1 << self.dice.randrange(1, 70)), 1 << self.dice.randrange(1, 70))
        return self.dice.choice(NUMBERS)

    def _string(self) -> Any:
        if self.dice.random() < 0.3:
            return "".join(chr(self._letter()) for _ in range(self.dice.randrange(1, 40)))
        return self.dice.choice(STRINGS)

    def _letter(self) -> int:
        found = self.dice.randrange(self.dice.choice((128, 0x3000, 0x110000)))
        return 63 if 0xD800 <= found < 0xE000 else found

    def _other(self) -> Any:
        return self.dice.choice(OTHERS)

    def _deep(self) -> Any:
        depth = self.dice.choice((10, 100, 500, 1000, 5000, 20_000))
        opening, closing = self.dice.choice((("[", "]"), ('{"a":', "}"), ('[{"type":', "}]")))
        inside = "1" if self.dice.random() < 0.9 else ""
        return Raw(opening * depth + inside + closing * self.dice.choice((depth, depth, depth - 1)))

    # Values by their types.

    def fitting(self, kind: inspect.Type) -> Any:
        """A value that fits, mostly at the edge of what does."""
        dice = self.dice
        match kind:
            case inspect.Metadata(type=inner):
                return self.fitting(inner)
            case inspect.UnionType(types=types):
                return self.fitting(dice.choice(types))
            case inspect.LiteralType(values=values):
                return dice.choice(values)
            case inspect.EnumType(cls=cls):
                return dice.choice(list(cls)).value
            case inspect.BoolType():
                return dice.random() < 0.5
            case inspect.IntType(ge=low, le=high, gt=above, lt=below):
                least = low if low is not None else above + 1 if above is not None else -1
                most = high if high is not None else below - 1 if below is not None else max(least, 30)
                return dice.choice((least, most, dice.randint(least, most), min(most, max(least, 1))))
            case inspect.FloatType(ge=least_float, le=most_float):
                edges = [edge for edge in (least_float, most_float, 0.0, 0.01, 5) if edge is not None]
                return dice.choice(edges)
            case inspect.StrType(min_length=short, max_length=long):
                if self.words and dice.random() < 0.6:
                    return dice.choice(self.words)
                sizes = [short or 0, long or 10, dice.randint(short or 0, long or 10)]
                return "".join(dice.choice("abcXYZ 019_-é") for _ in range(dice.choice(sizes)))
            case inspect.ListType(item_type=item) | inspect.VarTupleType(item_type=item):
                return [self.fitting(item) for _ in range(dice.choice((0, 1, 2, 3)))]
            case inspect.TupleType(item_types=items):
                return [self.fitting(item) for item in items]
            case inspect.DictType(key_type=key, value_type=value):
                return {str(self.fitting(key)): self.fitting(value) for _ in range(dice.randrange(3))}
            case inspect.StructType():
                return self.struct(kind)
            case inspect.NoneType():
                return None
            case _:
                return self.value()

    def struct(self, kind: inspect.StructType) -> Any:
        """A record with all it must have and some of what it may have."""
        tag = {} if kind.tag_field is None else {kind.tag_field: kind.tag}
        fields = {
            field.encode_name: self.fitting(field.type)
            for field in kind.fields
            if field.required or self.dice.random() < 0.6
        }
        values = {**tag, **fields}
        return list(values.values()) if kind.array_like else values

    def beyond(self, kind: inspect.Type) -> Any:
        """A value just outside what fits, or of the wrong type altogether."""
        dice = self.dice
        match kind:
            case inspect.IntType(ge=low, le=high) | inspect.FloatType(ge=low, le=high) if dice.random() < 0.7:
                edges = [edge + step for edge, step in ((low, -1), (high, 1)) if edge is not None]
                return dice.choice(edges) if edges and dice.random() < 0.5 else self._number()
            case inspect.StrType(max_length=long) if dice.random() < 0.7:
                return "x" * (long + 1) if long is not None and dice.random() < 0.3 else self._string()
            case inspect.StructType() if dice.random() < 0.6:
                made = self.struct(kind)
                return self.spoil(made, kind) if isinstance(made, dict) else made
            case inspect.UnionType(types=types):
                return self.beyond(dice.choice(types))
            case inspect.ListType(item_type=item) if dice.random() < 0.5:
                return [self.fitting(item) for _ in range(dice.choice((1, 64, 65, 300)))]
            case _:
                return self.value()

    # Messages.

    def spoil(self, message: dict[str, Any], kind: inspect.StructType | None) -> Any:
        """A message with one thing in it changed, added, doubled or left out."""
        dice = self.dice
        fields = {field.encode_name: field.type for field in kind.fields} if kind is not None else {}
        # The type of a message is worth less than what is in it: a message without one is soon put aside.
        keys = [name for name in (*message, *fields) if name != "type" or dice.random() < 0.2]
        key = dice.choice(keys) if keys else "type"
        match dice.randrange(8):
            case 0:
                return {name: value for name, value in message.items() if name != key}
            case 1:
                return Pairs([*message.items(), (key, self.value())])
            case 2:
                return {**message, dice.choice(("", "a", "type", "Type", "seat", "name", "\0")): self.value()}
            case 3 | 4 if key in fields:
                return {**message, key: self.beyond(fields[key])}
            case 5 if key in fields:
                return {**message, key: self.fitting(fields[key])}
            case 6:
                return {**message, key: self._inside(message.get(key))}
            case _:
                return {**message, key: self.value()}

    def _inside(self, value: Any) -> Any:
        """Somewhere within a value, something else."""
        dice = self.dice
        if isinstance(value, dict) and value and dice.random() < 0.8:
            key = dice.choice(list(value))
            return {**value, key: self._inside(value[key])}
        if isinstance(value, list) and value and dice.random() < 0.8:
            place = dice.randrange(len(value))
            changed = [*value[:place], self._inside(value[place]), *value[place + 1 :]]
            return dice.choice((changed, value * 2, value[:place], value[::-1], changed))
        if isinstance(value, bool):
            return not value
        if isinstance(value, int | float):
            return dice.choice((value + 1, value - 1, -value, str(value), value + 0.5, self._number()))
        if isinstance(value, str):
            return dice.choice((value[:-1], value * 2, value.upper(), value + "\0", [value], self._string()))
        return self.value()

    def garble(self, data: bytes) -> bytes:
        """Bytes that were a message."""
        dice, garbled = self.dice, bytearray(data)
        for _ in range(dice.choice((1, 1, 2, 8))):
            place = dice.randrange(len(garbled) + 1)
            match dice.randrange(6):
                case 0:
                    garbled[place : place + 1] = bytes([dice.randrange(256)])
                case 1:
                    del garbled[place : place + dice.choice((1, 2, 10, 1000))]
                case 2:
                    garbled[place:place] = dice.randbytes(dice.choice((1, 3, 30)))
                case 3:
                    garbled[place:place] = dice.choice(
                        (b"\0", b"\n", b"\r", b"\xff", b"\xed\xa0\x80", b"\xc0\xaf", b"{")
                    )
                case 4:
                    garbled[place:place] = garbled[: dice.randrange(len(garbled) + 1)]
                case 5:
                    garbled[place:place] = b"x" * dice.choice((100, 5000, LINE_BYTES_MAX))
        return bytes(garbled)


class Protocol:
    """A line protocol as the fuzzer knows it: how its messages are made odd."""

    def __init__(self, name: str, game: str) -> None:
        self.name = name
        self._game = games.load(game)
        types = messages(name)
        self._kinds = {kind.tag: kind for kind in types}
        self._of_game = {
            field: inspect.type_info(kind)
            for field, kind in (
                ("action", self._game.actions),
                ("options", self._game.options),
                ("preference", self._game.preferences),
            )
        }

    def invent(self, mutator: Mutator) -> bytes:
        """A message of this protocol that nobody has asked for."""
        dice = mutator.dice
        if not self._kinds:
            words = (
                "multisweeper client v1",
                "multisweeper client v1 ping",
                "name",
                "click",
                "name x",
                "start",
            )
            numbers = [str(mutator.fitting(inspect.IntType(ge=0, le=10))) for _ in range(dice.randrange(4))]
            return " ".join((dice.choice(words), *numbers)).encode() + b"\n"
        kind = dice.choice(list(self._kinds.values()))
        made = mutator.struct(kind)
        for field, of_game in self._of_game.items():
            if self.name == "house" and field in made and dice.random() < 0.8:
                made[field] = mutator.fitting(of_game)
        if self.name == "house" and made.get("game") and dice.random() < 0.8:
            made["game"] = self._game.name
        return write(made)

    def mutate(self, mutator: Mutator, line: bytes) -> bytes:
        """A line like this one, but odd."""
        try:
            return self._mutate(mutator, line) if self._kinds else self._mutate_words(mutator, line)
        except (ValueError, OverflowError, RecursionError):
            # An odd line made still odder: too large or too deep for us too.
            return mutator.garble(line) + b"\n"

    def _mutate(self, mutator: Mutator, line: bytes) -> bytes:
        dice = mutator.dice
        message = json.loads(line)
        if not isinstance(message, dict) or dice.random() < 0.15:
            return mutator.garble(line) + b"\n"
        kind = self._kinds.get(message.get("type", ""))
        for field, of_game in self._of_game.items():
            if self.name == "house" and field in message and dice.random() < 0.3:
                make = mutator.beyond if dice.random() < 0.5 else mutator.fitting
                return write({**message, field: make(of_game)})
        return write(mutator.spoil(message, kind))

    def _mutate_words(self, mutator: Mutator, line: bytes) -> bytes:
        """Multisweeper speaks in words."""
        dice = mutator.dice
        words: list[Any] = line.decode(errors="replace").split(" ")
        place = dice.randrange(len(words))
        match dice.randrange(5):
            case 0:
                return mutator.garble(line) + b"\n"
            case 1:
                words.insert(place, dice.choice(words))
            case 2:
                del words[place]
            case 3:
                words[place] = "\0".join(words)
            case _:
                odd = mutator.value()
                words[place] = odd if isinstance(odd, str) and odd else str(odd)[:5000]
        return " ".join(words).encode(errors="replace") + b"\n"


def decoder(protocol: str) -> msgspec.json.Decoder[Any] | None:
    """What reads the clients of a protocol; None when it is no JSON."""
    if protocol == "house":
        return msgspec.json.Decoder(FromClient)
    wire = games.load(protocol).wire
    return msgspec.json.Decoder(wire.messages[0]) if wire and wire.messages else None


def messages(protocol: str) -> list[inspect.StructType]:
    """What a client of a protocol may send, by its decoder; nothing for a protocol without JSON."""
    reader = decoder(protocol)
    if reader is None:
        return []
    found = inspect.type_info(reader.type)
    types = found.types if isinstance(found, inspect.UnionType) else (found,)
    return [kind for kind in types if isinstance(kind, inspect.StructType)]


def write(value: Any) -> bytes:
    """JSON with all the freedoms that a client can take, as a line."""
    return _text(value).encode("utf-8", "replace") + b"\n"


def _text(value: Any) -> str:
    match value:
        case Raw():
            return str(value)
        case Pairs():
            return "{" + ",".join(f"{json.dumps(key)}:{_text(one)}" for key, one in value) + "}"
        case dict():
            return "{" + ",".join(f"{json.dumps(str(key))}:{_text(one)}" for key, one in value.items()) + "}"
        case list() | tuple():
            return "[" + ",".join(map(_text, value)) + "]"
        case str() | int() | float() | None:
            return json.dumps(value, ensure_ascii=len(str(value)) % 2 == 0)
        case _:
            return msgspec.json.encode(value).decode()
