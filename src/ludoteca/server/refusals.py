"""Saying no: every refusal is counted by its reason, and noted in a log that those who are refused cannot
flood."""

from collections.abc import Callable

import structlog

from ludoteca.hall.budget import Spent
from ludoteca.server.metrics import Metrics

log = structlog.get_logger()

WINDOW_S = 60.0
# How many refusals of one window are noted: one for each address and reason, and no more than this in all.
NOTED_MAX = 50


class Refusals:
    """Counts what was refused and why."""

    def __init__(self, metrics: Metrics, clock: Callable[[], float]) -> None:
        self._metrics = metrics
        self._clock = clock
        self._noted: set[tuple[str, str]] = set()
        self._window_end = 0.0

    def note(self, reason: str, address: str, text: str) -> None:
        """Somebody at this address was refused something. `reason` is one word for the metrics."""
        self._metrics.refused.labels(reason).inc()
        now = self._clock()
        if now >= self._window_end:
            self._window_end = now + WINDOW_S
            self._noted.clear()
        about = (reason, address)
        if about not in self._noted and len(self._noted) < NOTED_MAX:
            self._noted.add(about)
            log.warning("refused", reason=reason, address=address, text=text)

    def spent(self, budget: str, address: str, text: str, code: str, wait_s: float) -> Spent:
        """The same, as the error to raise: `budget` is used up, and has something in it again after
        `wait_s`."""
        self.note(budget, address, text)
        return Spent(text, code, budget, wait_s)
