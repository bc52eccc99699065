"""The bounds of a house, and what the operator chose for tables whose protocol cannot say it."""

from typing import Any

import msgspec

from ludoteca.core.requests import Terms


class Limits(msgspec.Struct, frozen=True):
    """How much of everything there may be."""

    tables_max: int = 10_000
    guests_max: int = 20_000
    name_length_max: int = 32
    label_length_max: int = 12
    text_length_max: int = 500
    deserted_s: float = 7 * 24 * 3600.0
    # How many of its last records a table keeps at hand for those who return; older ones come as a view.
    history_max: int = 256


class Defaults(msgspec.Struct, frozen=True):
    """What the operator chose for one game: `--default GAME.KEY=VALUE`. `settings` are the wire's times."""

    seats: int
    options: Any
    terms: Terms
    settings: Any
