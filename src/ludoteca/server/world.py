"""What a house is given of the world around it: time, chance, a place for its records, somewhere for bots to
think.

All else that happens to a house comes through the event loop it runs in. So whoever gives it another world
and another loop decides everything, and the same decisions make the same run (tests/simulation).
"""

import secrets
import time
from collections.abc import Callable

import msgspec

from ludoteca.hall.storage import Storage
from ludoteca.server.journal_writer import JournalWriter
from ludoteca.server.settings import Settings
from ludoteca.server.workers import Elsewhere, Nowhere, ProcessWorker, ThreadWorker, Worker


def keep_in_file(
    settings: Settings, durable: Callable[[int], None], trouble: Callable[[str], None]
) -> Storage:
    """The journal in the operator's data folder. Raises StoreError, HouseRunning."""
    return JournalWriter(settings.data_folder(), durable, trouble, durability=settings.durability)


def hire(settings: Settings) -> Worker:
    """One more that bots can think in."""
    return ThreadWorker() if settings.bot_workers == 0 else ProcessWorker()


class World(msgspec.Struct, frozen=True):
    """`wall` is seconds since 1970 and may jump, `monotonic` may not; `bits` draws so many random bits."""

    wall: Callable[[], float] = time.time
    monotonic: Callable[[], float] = time.monotonic
    bits: Callable[[int], int] = secrets.randbits
    keep: Callable[[Settings, Callable[[int], None], Callable[[str], None]], Storage] = keep_in_file
    hire: Callable[[Settings], Worker] = hire
    elsewhere: Elsewhere = Nowhere()


REAL = World()
