"""One timer for everything: alarms fall into slots of a tenth of a second, and the loop wakes up only
for those in use."""

import asyncio
import heapq
from collections.abc import Callable

SLOT_S = 0.1
# Nobody's alarm may lie further off: whatever asks for more is called early and asks again. It keeps infinite
# and absurd times, wherever they come from, out of the arithmetic that all others share.
FAR_S = 30 * 24 * 3600.0


class Timers:
    """Calls things back at about the time they asked for, never early (but for FAR_S).

    Nothing can be cancelled: whoever is called looks whether there is still something to do. That makes a
    timer two list operations, and most of them are pings and patiences that nobody needs any more.

    What a call raises goes to `failed` and concerns nobody else: the others of its slot are
    called all the same.
    """

    def __init__(self, clock: Callable[[], float], failed: Callable[[Exception], None]) -> None:
        self._clock = clock
        self._failed = failed
        self._slots: dict[int, list[Callable[[], None]]] = {}
        self._order: list[int] = []
        self._handle: asyncio.TimerHandle | None = None
        self._handle_slot = 0

    def at(self, when: float, call: Callable[[], None]) -> None:
        """Call back in the slot after `when`; at once when that has passed.

        Raises ValueError for no number at all.
        """
        now = self._clock()
        slot = int(min(max(when, now - SLOT_S), now + FAR_S) / SLOT_S) + 1
        calls = self._slots.get(slot)
        if calls is None:
            self._slots[slot] = [call]
            heapq.heappush(self._order, slot)
            self._arm()
        else:
            calls.append(call)

    def _arm(self) -> None:
        if not self._order:
            return
        first = self._order[0]
        if self._handle is not None:
            if self._handle_slot <= first:
                return
            self._handle.cancel()
        delay = max(0.0, first * SLOT_S - self._clock())
        self._handle_slot = first
        self._handle = asyncio.get_running_loop().call_later(delay, self._turn)

    def _turn(self) -> None:
        self._handle = None
        now_slot = int(self._clock() / SLOT_S)
        while self._order and self._order[0] <= now_slot:
            for call in self._slots.pop(heapq.heappop(self._order)):
                try:
                    call()
                except Exception as error:
                    self._failed(error)
        self._arm()

    def stop(self) -> None:
        """No more calls."""
        if self._handle is not None:
            self._handle.cancel()
        self._slots.clear()
        self._order.clear()
