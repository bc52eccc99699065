"""The bounds of a house, and what the operator chose for tables whose protocol cannot say it."""

from typing import Any, Literal

import msgspec

from ludoteca.core.requests import Terms

# Whether a client whose protocol knows no token is given its seat back for its name: never, only when it
# comes from the address that the seat was taken from, or always.
ReturnByName = Literal["never", "same-address", "anyone"]


class Limits(msgspec.Struct, frozen=True):
    """How much of everything there may be."""

    tables_max: int = 10_000
    guests_max: int = 20_000
    name_length_max: int = 32
    label_length_max: int = 12
    text_length_max: int = 500
    deserted_s: float = 7 * 24 * 3600.0
    # A match that all its people left for good is kept in case somebody thinks better of it.
    abandoned_s: float = 300.0
    # How long those who sat at a match that was broken off may play it on.
    sequel_s: float = 7 * 24 * 3600.0
    # How long somebody may choose what to open while others wait for that.
    choosing_s: float = 30.0
    # Matches that are not over, by the address and by the connection that opened them.
    tables_per_address_max: int = 256
    tables_per_guest_max: int = 16
    # Chat: a guest may say so much at once and so much a minute, and is muted after more; all of an address
    # together; and all at one table, whose record does not grow without end.
    chat_burst: float = 10.0
    chat_per_minute: float = 30.0
    mute_s: float = 30.0
    chat_per_address_per_minute: float = 600.0
    chat_per_table_max: int = 5000
    # How many of its last records a table keeps at hand for those who return; older ones come as a view.
    history_max: int = 256


class Defaults(msgspec.Struct, frozen=True):
    """What the operator chose for one game: `--default GAME.KEY=VALUE`. `settings` are the wire's times."""

    seats: int
    options: Any
    terms: Terms
    settings: Any
