"""The gallery: a large audience is told after those who play, a few at a time, and in one piece what gathers
meanwhile, so that nobody's move waits for those who look on."""

import asyncio
from collections.abc import Callable, Iterable
from itertools import islice

from ludoteca.core import Notice
from ludoteca.hall import GuestId
from ludoteca.hall.post import Aside, Letter, Post

# So long something may gather: nobody who looks on notices, and those who play fast make several moves.
GATHER_S = 0.05
# So many are told before the house looks at what has come meanwhile.
SLICE = 64


class Gallery:
    """What waits for those who look on: everybody hears everything, once and in order. `hand_out` tells.

    It `is_open` unless somebody counts by rounds what was told, as gates do: then nobody waits. It
    `is_needed` while anything waits, or is to come.
    """

    def __init__(self, hand_out: Callable[[dict[GuestId, list[Notice]]], None]) -> None:
        self._hand_out = hand_out
        self.waiting: dict[GuestId, list[Notice]] = {}
        self.is_open = True
        self.is_needed = False
        self._is_sweeping = False
        # Asides among letters that have not been sorted yet.
        self._expected = 0

    def expect(self, post: Post) -> None:
        """There are asides among the letters of this round."""
        self._expected += post.asides
        self.is_needed = True
        post.asides = 0

    def sort(self, letters: list[Letter]) -> list[tuple[GuestId, Notice]]:
        """The letters that are told with their round. Asides wait, but not for somebody who is told something
        else as well: that one hears first what was waiting."""
        waiting = self.waiting
        at_once: list[tuple[GuestId, Notice]] = []
        for guest, said in letters:
            if isinstance(said, Aside):
                self._expected -= 1
                if self.is_open:
                    self._keep(said)
                else:
                    at_once += [(one, said.notice) for one in said.guests]
            elif guest is not None:
                if guest in waiting:
                    at_once += [(guest, one) for one in waiting.pop(guest)]
                at_once.append((guest, said))
        if waiting and not self._is_sweeping:
            self._is_sweeping = True
            asyncio.get_running_loop().call_later(GATHER_S, self._sweep)
        self.is_needed = bool(waiting or self._expected)
        return at_once

    def _keep(self, aside: Aside) -> None:
        """An aside waits. Lists are shared by all who wait for the same, so none is ever changed."""
        waiting, told = self.waiting, [aside.notice]
        for guest in aside.guests:
            waiting[guest] = waiting[guest] + told if guest in waiting else told

    def _sweep(self) -> None:
        """Tell some of them, in the order they came; then others have their turn."""
        self.hurry(list(islice(self.waiting, SLICE)))
        self._is_sweeping = bool(self.waiting)
        if self._is_sweeping:
            asyncio.get_running_loop().call_soon(self._sweep)

    def hurry(self, guests: Iterable[GuestId] | None = None) -> None:
        """Tell these now what waits for them, or everybody."""
        waiting = self.waiting
        these = list(waiting) if guests is None else guests
        told = {guest: waiting.pop(guest) for guest in these if guest in waiting}
        self.is_needed = bool(waiting or self._expected)
        self._hand_out(told)
