"""A budget that refills steadily: so many at once, so many a second after that."""


class Bucket:
    """Tokens up to `burst`, refilled with `per_s` a second. Asking never waits; it says how long one would have to."""

    __slots__ = ("_at", "_burst", "_per_s", "_tokens")

    def __init__(self, per_s: float, burst: float, now: float) -> None:
        self._per_s = per_s
        # A bucket that cannot hold one whole token would never give one.
        self._burst = self._tokens = max(1.0, burst)
        self._at = now

    def wait_s(self, now: float) -> float:
        """How long until a token is there; 0 when there is one."""
        tokens = self._tokens + (now - self._at) * self._per_s
        self._tokens = tokens if tokens < self._burst else self._burst
        self._at = now
        return 0.0 if self._tokens >= 1.0 else (1.0 - self._tokens) / self._per_s

    def spend(self) -> None:
        """Take a token that is there."""
        self._tokens -= 1.0

    def full(self, now: float) -> bool:
        """Whether it remembers nothing that a new one would not know."""
        return self._tokens + (now - self._at) * self._per_s >= self._burst
