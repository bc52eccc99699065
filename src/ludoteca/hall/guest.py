"""Whoever is in the house: one connection, or one bot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ludoteca.hall.budget import Bucket
    from ludoteca.hall.table import Table


class Guest:
    """One connection as the hall knows it. `seat` is None while watching or walking about.

    `address` is where it comes from, as the doorman counts it: "" for bots and where nobody knows.
    """

    __slots__ = (
        "address",
        "bot",
        "chat",
        "given",
        "muted_until",
        "name",
        "opened",
        "protocol",
        "seat",
        "shell",
        "table",
    )

    def __init__(self, protocol: str, bot: str = "", address: str = "") -> None:
        self.address = address
        self.protocol = protocol
        self.bot = bot
        self.name = ""
        self.given = ""
        self.table: Table | None = None
        self.seat: int | None = None
        # The tables opened by this guest, what it may still say, and until when it may say nothing.
        self.opened: list[Table] = []
        self.chat: Bucket | None = None
        self.muted_until = 0.0
        # Whatever the server hangs here to find the connection again; the hall never looks at it.
        self.shell: Any = None

    def __repr__(self) -> str:
        return f"Guest({self.name!r}, {self.protocol!r})"
