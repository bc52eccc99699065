"""The words of the stream: its tags and flags, and Java's own spelling of UTF-8."""

from ludoteca.core import RemoteError

MAGIC = b"\xac\xed\x00\x05"
HANDLES_FROM = 0x7E0000

NULL = 0x70
REFERENCE = 0x71
CLASS_DESC = 0x72
OBJECT = 0x73
STRING = 0x74
ARRAY = 0x75
BLOCK = 0x77
END_BLOCK = 0x78
RESET = 0x79
LONG_BLOCK = 0x7A
LONG_STRING = 0x7C
PROXY_DESC = 0x7D
ENUM = 0x7E

# Of a class: it writes data of its own besides its fields; it is serializable; it is an enumeration.
CUSTOM_FLAG = 0x01
SERIALIZABLE_FLAG = 0x02
ENUM_FLAG = 0x10

# The types of fields that are no objects, as the struct module names them.
PRIMITIVES = {"B": "b", "C": "H", "D": "d", "F": "f", "I": "i", "J": "q", "S": "h", "Z": "?"}


class Unreadable(RemoteError):
    """What came is no stream that this house reads."""


def spell(text: str) -> bytes:
    """A text in Java's UTF-8: NUL takes two bytes, and what lies beyond 16 bits two halves."""
    if text.isascii() and "\0" not in text:
        return text.encode()
    units = text.encode("utf-16-be", "surrogatepass")
    halves = "".join(chr(units[at] << 8 | units[at + 1]) for at in range(0, len(units), 2))
    return halves.encode("utf-8", "surrogatepass").replace(b"\0", b"\xc0\x80")


def unspell(data: bytes) -> str:
    """The text of these bytes. Raises Unreadable, also for half a character, which nobody could write on."""
    if data.isascii():
        return data.decode()
    if max(data) >= 0xF0:
        raise Unreadable("a text that is not in Java's UTF-8")
    try:
        halves = data.replace(b"\xc0\x80", b"\0").decode("utf-8", "surrogatepass")
        return halves.encode("utf-16-be", "surrogatepass").decode("utf-16-be")
    except UnicodeDecodeError as error:
        raise Unreadable("a text that is not in Java's UTF-8") from error
