"""Java's serialization stream (version 5), without I/O: what the original programs of three games speak.

Only passive records come of it: no class is looked up, loaded or run, whatever a stream names.
"""

from ludoteca.wire.java.reader import OtherBuild, Reader, Unreadable
from ludoteca.wire.java.table import Constant, Linked, Ordered, Proxy, Record, Table
from ludoteca.wire.java.writer import HEADER, Opening, Writer, alone

__all__ = [
    "HEADER",
    "Constant",
    "Linked",
    "Opening",
    "Ordered",
    "OtherBuild",
    "Proxy",
    "Reader",
    "Record",
    "Table",
    "Unreadable",
    "Writer",
    "alone",
]
