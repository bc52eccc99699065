"""The doorman: who may come in, counted by address, whatever listener they come through."""

from collections import Counter

from ludoteca.hall.budget import Spent
from ludoteca.server.front import Front
from ludoteca.server.proxies import Networks, counted

# When those who were turned away may try again.
RETRY_S = 10.0


class Ticket:
    """One connection as the doorman counts it. `address` is who is there; a proxy's is nobody's yet."""

    __slots__ = ("_doorman", "_is_counted", "_listener", "address", "is_proxy")

    def __init__(self, doorman: "Doorman", listener: str, address: str, *, is_proxy: bool) -> None:
        self._doorman = doorman
        self._listener = listener
        self.address = address
        self.is_proxy = is_proxy
        self._is_counted = False

    def count(self) -> None:
        """One more at this address."""
        self._doorman.count(self.address)
        self._is_counted = True

    def vouch(self, address: str) -> None:
        """A proxy says who is behind it. Raises Refused when there are too many of them already."""
        self.address, self.is_proxy = counted(address), False
        self.count()

    def become(self, other: "Ticket") -> None:
        """Go on as another one, which is counted already and from now on as this one."""
        self.address, self.is_proxy = other.address, other.is_proxy
        self._is_counted, other._is_counted = other._is_counted, False

    def speak(self, tongue: str) -> None:
        """It is known now what is spoken: another tongue than the listener's usual one is counted apart."""
        if tongue != "lines" and self._listener:
            self._doorman.change(self._listener, f"{self._listener}-{tongue}")
            self._listener = f"{self._listener}-{tongue}"

    def leave(self) -> None:
        """The connection has ended; saying so twice does no harm."""
        if self._is_counted:
            self._is_counted = False
            self._doorman.discount(self.address)
        if self._listener:
            self._doorman.out(self._listener)
            self._listener = ""


class Doorman:
    """Counts connections by address, and turns away who comes too often.

    A proxy that the operator trusts is not limited itself: those behind it are, each by their own address.
    """

    def __init__(self, house: Front) -> None:
        self._house = house
        self._settings = house.settings
        self._inside = 0
        self._by_address: Counter[str] = Counter()
        self.proxies = Networks(house.settings.trusted_proxies)

    def admit(self, peer: str, listener: str) -> Ticket:
        """One more connection from this peer. Raises Refused."""
        if self._inside >= self._settings.connections_max:
            raise self._refuse("full", peer, "the house is full")
        ticket = Ticket(self, listener, counted(peer), is_proxy=peer in self.proxies)
        if not ticket.is_proxy:
            ticket.count()
        self._inside += 1
        self._house.metrics.connections.labels(listener).inc()
        return ticket

    def behind(self, address: str) -> Ticket:
        """One more request that a proxy brings for this address: it counts as a connection while it lasts.

        Raises Refused.
        """
        ticket = Ticket(self, "", counted(address), is_proxy=False)
        ticket.count()
        return ticket

    def count(self, address: str) -> None:
        """One more connection from this address. Raises Refused."""
        if self._by_address[address] >= self._settings.connections_per_address_max:
            raise self._refuse("address", address, "too many connections from this address")
        self._by_address[address] += 1

    def discount(self, address: str) -> None:
        """One less."""
        self._by_address[address] -= 1
        if not self._by_address[address]:
            del self._by_address[address]

    def out(self, listener: str) -> None:
        """A connection has left the house."""
        self._inside -= 1
        self._house.metrics.connections.labels(listener).dec()

    def change(self, listener: str, other: str) -> None:
        """A connection is counted under another name from now on."""
        self._house.metrics.connections.labels(listener).dec()
        self._house.metrics.connections.labels(other).inc()

    def _refuse(self, reason: str, address: str, text: str) -> Spent:
        return self._house.refusals.spent(reason, address, text, "limit", RETRY_S)
