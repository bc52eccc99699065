"""The doorman: who may come in, counted by address, whatever listener they come through."""

from collections import Counter

from ludoteca.core import Refused
from ludoteca.server.house import House


class Doorman:
    """Counts connections by address, and turns away who comes too often."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._by_address: Counter[str] = Counter()

    def admit(self, address: str, listener: str) -> None:
        """One more connection from this address. Raises Refused."""
        settings = self._house.settings
        if self._by_address[address] >= settings.connections_per_address_max:
            self._house.metrics.dropped.labels("address").inc()
            raise Refused("too many connections from this address", "limit")
        if self._by_address.total() >= settings.connections_max:
            self._house.metrics.dropped.labels("full").inc()
            raise Refused("the house is full", "limit")
        self._by_address[address] += 1
        self._house.metrics.connections.labels(listener).inc()

    def leave(self, address: str, listener: str) -> None:
        """One less."""
        self._house.metrics.connections.labels(listener).dec()
        self._by_address[address] -= 1
        if not self._by_address[address]:
            del self._by_address[address]
