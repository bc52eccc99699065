"""A gate's end of its line to one hall: what goes there at the end of this turn of the loop, and which rounds
have not been told of yet."""

from collections import deque

from ludoteca.server.cluster.courier import Courier
from ludoteca.server.cluster.line import Head, Line


class Trunk:
    """`where` is the room that it leads to, "" for the hall with the desk, which speaks for itself at
    `subject`."""

    def __init__(self, where: str, name: str, subject: str, back: str, courier: Courier) -> None:
        self.where = where
        self.name = name
        self._subject = subject
        self._courier = courier
        self._line = Line(name, back)
        self._bag: list[bytes] = []
        # The last message of each round that is on its way.
        self._rounds: deque[tuple[int, int]] = deque()
        self.silent_beats = 0

    def put(self, word: bytes) -> None:
        """Have this said with all else of this turn of the loop."""
        self._bag.append(word)

    def flush(self, number: int) -> bool:
        """Say what has gathered as this round; whether there was anything. Raises Overrun."""
        bag, self._bag = self._bag, []
        if not bag:
            return False
        self._line.send(bag)
        self._rounds.append((self._line.sent, number))
        self.post()
        return True

    def post(self) -> None:
        """Have it carried."""
        messages, self._line.messages = self._line.messages, []
        for message in messages:
            self._courier.send(self._subject, message)

    def beat(self, behind: tuple[int, ...]) -> None:
        """Say that the gate is here."""
        self.silent_beats += 1
        self._line.behind = behind
        self._line.beat()
        self.post()

    def receive(self, head: Head, items: list[bytes]) -> list[bytes]:
        """A message of the hall: what it says, if it is its turn."""
        self.silent_beats = 0
        return self._line.receive(head, items)

    def told(self, head: Head) -> int:
        """All that came of our messages up to one has been told, as this says; the round that was, 0 for
        none, or while some of it was lost on its way and has to be said again."""
        number = 0
        while self._line.heard >= head.sent and self._rounds and self._rounds[0][0] <= head.told:
            number = self._rounds.popleft()[1]
        return number

    def waits_for(self) -> int | None:
        """The first round that has not been told of yet."""
        return self._rounds[0][1] if self._rounds else None
