"""A child that says what it hears, and can be told to die over a question."""

import os
from collections.abc import Callable

from ludoteca.server import child


def prepare(question: bytes) -> Callable[[], bytes]:
    """What answers this question."""
    if question == b"die":
        return lambda: os._exit(3)
    return lambda: question


def main() -> None:
    """Answer until the other side ends."""
    child.serve(prepare)
