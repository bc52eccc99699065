"""Budgets that refill steadily: how often somebody may do something that costs the house."""

from ludoteca.core import Refused


class Spent(Refused):
    """A budget is used up. `budget` names it for the metrics, `wait_s` is when there is something in it again."""

    def __init__(self, reason: str, code: str, budget: str, wait_s: float = 0.0) -> None:
        super().__init__(reason, code)
        self.budget = budget
        self.wait_s = wait_s


class Budget:
    """A bucket of `burst` tokens for everybody, refilled by `per_s`. Full buckets are not kept, so that strangers cost nothing."""

    __slots__ = ("_burst", "_kept", "_kept_max", "_per_s")

    def __init__(self, per_s: float, burst: float, kept_max: int = 10_000) -> None:
        self._per_s = per_s
        self._burst = burst
        self._kept_max = kept_max
        # Whose bucket is not full: what was in it, and when. The least recently used stands first.
        self._kept: dict[str, tuple[float, float]] = {}

    def spend(self, who: str, now: float) -> float:
        """Take one token: 0.0 when there was one, else the seconds until there is, and nothing is taken."""
        tokens, at = self._kept.pop(who, (self._burst, now))
        tokens = min(self._burst, tokens + max(0.0, now - at) * self._per_s)
        wait_s = 0.0 if tokens >= 1.0 else (1.0 - tokens) / self._per_s
        if not wait_s:
            tokens -= 1.0
        if len(self._kept) >= self._kept_max:
            self._forget(now)
        self._kept[who] = (tokens, now)
        return wait_s

    def _forget(self, now: float) -> None:
        """Make room: those that are full again, and where that is not enough, the oldest."""
        missing = {
            who: (tokens, at)
            for who, (tokens, at) in self._kept.items()
            if tokens + (now - at) * self._per_s < self._burst
        }
        for who in list(missing)[: len(missing) - self._kept_max // 2]:
            del missing[who]
        self._kept = missing

    def __len__(self) -> int:
        return len(self._kept)
