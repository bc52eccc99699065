"""Budgets that refill steadily: so many at once, so many a second after that, for one or
for everybody by name."""

from ludoteca.core import Refused


class Spent(Refused):
    """A budget is used up.

    `budget` names it for the metrics, `wait_s` is when there is something in it again.
    """

    def __init__(self, reason: str, code: str, budget: str, wait_s: float = 0.0) -> None:
        super().__init__(reason, code)
        self.budget = budget
        self.wait_s = wait_s


class Bucket:
    """Tokens up to `burst`, refilled with `per_s` a second.

    Asking never waits; it says how long one would have to.
    """

    __slots__ = ("_at", "_burst", "_per_s", "_tokens")

    def __init__(self, per_s: float, burst: float, now: float) -> None:
        self._per_s = per_s
        # A bucket that cannot hold one whole token would never give one.
        self._burst = self._tokens = max(1.0, burst)
        self._at = now

    def wait_s(self, now: float) -> float:
        """How long until a token is there; 0 when there is one."""
        wait_s = self.take(now)
        if not wait_s:
            self.put_back()
        return wait_s

    def spend(self) -> None:
        """Take a token that is there."""
        self._tokens -= 1.0

    def take(self, now: float) -> float:
        """Take a token: 0 when there was one, else the seconds until there is, and nothing is taken."""
        tokens = self._tokens + (now - self._at) * self._per_s
        self._tokens = tokens if tokens < self._burst else self._burst
        self._at = now
        if self._tokens < 1.0:
            return (1.0 - self._tokens) / self._per_s
        self._tokens -= 1.0
        return 0.0

    def put_back(self) -> None:
        """What was taken was not needed."""
        self._tokens += 1.0

    def full(self, now: float) -> bool:
        """Whether it remembers nothing that a new one would not know."""
        return self._tokens + (now - self._at) * self._per_s >= self._burst


class Budget:
    """A bucket for everybody who asks, known by a name or address.

    Full ones are not kept: strangers cost nothing.
    """

    __slots__ = ("_buckets", "_burst", "_kept_max", "_per_s")

    def __init__(self, per_s: float, burst: float, kept_max: int = 10_000) -> None:
        self._per_s = per_s
        self._burst = burst
        self._kept_max = kept_max
        self._buckets: dict[str, Bucket] = {}

    def bucket(self, who: str, now: float) -> Bucket:
        """The bucket of one of them."""
        bucket = self._buckets.get(who)
        if bucket is None:
            if len(self._buckets) >= self._kept_max:
                self._forget(now)
            bucket = self._buckets[who] = Bucket(self._per_s, self._burst, now)
        return bucket

    def spend(self, who: str, now: float) -> float:
        """Take a token: 0 when there was one, else the seconds until there is, and nothing is taken."""
        return self.bucket(who, now).take(now)

    def _forget(self, now: float) -> None:
        """Make room: those that are full again go, and where that is not enough, those that came first."""
        kept = {who: bucket for who, bucket in self._buckets.items() if not bucket.full(now)}
        for who in list(kept)[: max(0, len(kept) - self._kept_max // 2)]:
            del kept[who]
        self._buckets = kept

    def __len__(self) -> int:
        return len(self._buckets)
