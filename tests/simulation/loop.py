"""An event loop without a world: its time is made up, nothing comes from outside, and so every run of
it is the same."""

import asyncio
from collections.abc import Callable
from typing import Any, Never

BEGIN_S = 1000.0


class Stalled(Exception):
    """Everybody waits, and nothing will ever happen any more."""


class SimulatedLoop(asyncio.BaseEventLoop):
    """Time passes only while everybody waits, and then at once. Threads and sockets there are none.

    What is called soon is called in the order it was asked for, as any loop promises; what may come in
    another order is decided by the delays that the world around the house makes up.
    """

    # asyncio's own names, for what a real loop waits with.
    _selector: Any
    _clock_resolution: float

    def __init__(self) -> None:
        super().__init__()
        self._now = BEGIN_S
        self._selector = self
        # One value whatever machine this is.
        self._clock_resolution = 1e-6
        self.failures: list[str] = []
        self.set_exception_handler(self._note)

    def time(self) -> float:
        """Seconds since some moment."""
        return self._now

    def select(self, timeout: float | None) -> list[Never]:
        """Nothing can be waited for but time."""
        if timeout is None:
            raise Stalled("nothing will happen any more")
        self._now += max(0.0, timeout)
        return []

    def _process_events(self, event_list: list[Never]) -> None:
        pass

    def _write_to_self(self) -> None:
        """Nobody needs to be woken up: there is no other thread that could ask for it."""

    def run_in_executor(  # type: ignore[override]
        self, executor: Any, func: Callable[..., Any], *args: Any
    ) -> asyncio.Future[Any]:
        """What a thread would do is done here and now."""
        done = self.create_future()
        try:
            done.set_result(func(*args))
        except Exception as error:
            done.set_exception(error)
        return done

    def _note(self, _loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        self.failures.append(f"{context['message']}: {context.get('exception')!r}")
