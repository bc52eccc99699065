"""A machine that talks to the conversations of one protocol: two who use the game's own client, and strangers
who say anything at any time, cut anywhere; time passes, lines break, the house is killed.

The model is the game's own client: whatever the house says it must understand, and whoever is asked in the
hall must have been asked on the wire.
"""

from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule
from tests.quiet import QuietClient, QuietHouse

from ludoteca import games
from ludoteca.core.talk import Caller
from ludoteca.journal.records import Acted, decode

NAMES = ("Anna", "Bruno")
NONSENSE = (
    b"{}\n",
    b"[]\n",
    b"\n",
    b"\xff\xfe\n",
    b'{"type":1}\n',
    b"name\n",
    b"{" * 60 + b"\n",
    b"\r\n\r\n",
)
HEARD_MAX = 60
# How long the slowest of them may be away or silent, and more.
LONG_S = 4000.0


class Guest:
    """One connection; whoever is honest has the game's own client."""

    def __init__(self, house: QuietHouse, caller: Caller | None = None) -> None:
        self.caller = caller
        self.line = QuietClient(house)


class TalkMachine(RuleBasedStateMachine):
    """Whatever can be said, in one protocol."""

    protocol = ""

    def __init__(self) -> None:
        super().__init__()
        self.house = QuietHouse(self.protocol, absence="wait")
        self.honest: list[Guest | None] = [None, None]
        self.strangers: list[Guest] = []
        # What was ever said by those who know how, for others to say again.
        self.words: list[bytes] = [*NONSENSE]

    # Saying and hearing.

    def send(self, guest: Guest, data: bytes, size: int = 1 << 20) -> None:
        """Bytes in pieces of this size. Whatever is decided by them is decided for the sender's seat."""
        for start in range(0, len(data), size):
            if guest.line.closed:
                return
            before = {table: len(lines) for table, lines in self.house.records.items()}
            at = guest.line.guest.table, guest.line.guest.seat
            guest.line.send(data[start : start + size])
            for table, lines in self.house.records.items():
                for given in (decode(line)[0].input for line in lines[before.get(table, 0) :]):
                    assert not isinstance(given, Acted) or (table, given.seat) == at, (given, at)

    def hear(self, guest: Guest, size: int = 1 << 20) -> None:
        """Take in what came, and say what one's client says to it."""
        caller = guest.caller
        while caller is not None and guest.line._received:
            heard, guest.line._received = guest.line._received, b""
            assert heard.endswith(b"\n"), "half a line"
            self._say(guest, caller.receive(heard, self.house.now), size)
            senseless = [text for text in caller.news if "makes no sense" in text]
            assert not senseless, senseless
            caller.news.clear()

    def _say(self, guest: Guest, data: bytes, size: int) -> None:
        if data:
            self.words = [*self.words[-HEARD_MAX:], data]
            self.send(guest, data, size)

    def all_hear(self) -> None:
        """Until nobody has anything to say any more."""
        for _ in range(20):
            for guest in filter(None, self.honest):
                self.hear(guest)
            if not any(guest.line._received for guest in self.honest if guest is not None):
                break

    def nobody_waits_in_vain(self) -> None:
        """Who is asked in the hall is asked on the wire."""
        for guest in self.honest:
            if guest is None or guest.line.closed or guest.caller is None or guest.caller.over:
                continue
            at = guest.line.guest
            table = self.house.hall.tables.get(at.table)
            if table is not None and at.seat is not None and table.asked.get(at.seat) is not None:
                assert guest.caller.answers, f"{at.name} is asked {table.asked.get(at.seat)}, and not told"

    # What honest people do.

    @rule(who=st.integers(0, 1))
    def come(self, who: int) -> None:
        """Come (back) under one's name."""
        before = self.honest[who]
        if before is not None and not before.line.closed:
            return
        guest = Guest(self.house, games.load_client(self.protocol)(NAMES[who]))
        self.honest[who] = guest
        assert guest.caller is not None
        self._say(guest, guest.caller.open(self.house.now), 1 << 20)
        self.all_hear()

    @rule(times=st.integers(1, 30), which=st.integers(0, 10_000), size=st.sampled_from((1, 3, 40, 1 << 20)))
    def play(self, times: int, which: int, size: int) -> None:
        """Both come if they are not there, and answer what they are asked."""
        for who in (0, 1):
            self.come(who)
        for number in range(times):
            for guest in filter(None, self.honest):
                caller = guest.caller
                assert caller is not None
                for part in range(40):
                    if not caller.answers or guest.line.closed:
                        break
                    answers = caller.answers if caller.picture else self._sensible(guest)
                    data = caller.answer(answers[(which + number + part) % len(answers)])
                    if data:
                        self._say(guest, data, size)
                        break
            self.all_hear()
            self.tick(0.3)

    def _sensible(self, guest: Guest) -> tuple[str, ...]:
        """Answers that lead to a table of two."""
        assert guest.caller is not None
        answers = guest.caller.answers
        joins = tuple(one for one in answers if one.startswith("join"))
        waits = () if guest is self.honest[0] else tuple(one for one in answers if one == "look again")
        return joins or waits or tuple(one for one in answers if "2" in one.split()) or answers

    @rule(who=st.integers(0, 1))
    def hang_up(self, who: int) -> None:
        """Somebody's line breaks."""
        guest = self.honest[who]
        if guest is not None and not guest.line.closed:
            guest.line.hang_up()
            self.all_hear()

    # What strangers do.

    @precondition(lambda self: len(self.strangers) < 3)
    @rule()
    def stranger(self) -> None:
        """Somebody comes who does not speak it well."""
        self.strangers.append(Guest(self.house))

    @precondition(lambda self: self.strangers)
    @rule(
        who=st.integers(0, 2),
        which=st.lists(st.integers(0, HEARD_MAX), min_size=1, max_size=4),
        size=st.sampled_from((1, 7, 1 << 20)),
        cut=st.integers(0, 30),
    )
    def babble(self, who: int, which: list[int], size: int, cut: int) -> None:
        """Say what others said, or nonsense, or half of it."""
        guest = self.strangers[who % len(self.strangers)]
        data = b"".join(self.words[-1 - one % len(self.words)] for one in which)
        self.send(guest, data[: len(data) - cut] if cut < 10 else data, size)
        self.all_hear()

    @precondition(lambda self: self.strangers)
    @rule(who=st.integers(0, 2))
    def stranger_goes(self, who: int) -> None:
        """Enough of it."""
        self.strangers.pop(who % len(self.strangers)).line.hang_up()
        self.all_hear()

    # What happens to all.

    @rule(seconds=st.sampled_from((0.5, 6.0, 40.0, 130.0)))
    def tick(self, seconds: float) -> None:
        """Time passes; whoever has a client gives signs of life."""
        left = seconds
        while left > 0:
            self.house.wait(min(1.0, left))
            left -= 1.0
            for guest in self.honest:
                caller = guest.caller if guest is not None else None
                if guest is not None and caller is not None and not guest.line.closed:
                    self.hear(guest)
                    if caller.alarm is not None and caller.alarm <= self.house.now:
                        self._say(guest, caller.tick(self.house.now), 1 << 20)
        for guest in (*self.honest, *self.strangers):
            if guest is not None and not guest.line.closed:
                alarm = guest.line.conversation.alarm
                assert alarm is None or alarm > self.house.now - 0.001, "an alarm that does not go off"
        # What a protocol holds back for a moment has been said by now.
        self.all_hear()
        self.house.wait(0.2)
        self.all_hear()
        self.nobody_waits_in_vain()

    @rule()
    def restart(self) -> None:
        """The house is killed: nobody is connected any more."""
        self.house.restart()
        self.honest, self.strangers = [None, None], []

    def teardown(self) -> None:
        """When all have gone home, nothing is left of them."""
        for guest in (*self.honest, *self.strangers):
            if guest is not None:
                guest.line.hang_up()
        for _ in range(3):
            self.house.wait(8 * 24 * 3600.0)
        hall = self.house.hall
        left: dict[str, Any] = {
            "tables": [table.id for table in hall.tables],
            "guests": list(hall.guests),
            "names": {**hall.names._here, **hall.names._kept},
            "tokens": hall.tables._seats,
            "seekers": {game: line for game, line in hall.desk.seekers._lines.items() if line},
        }
        assert not any(left.values()), left


def machine(name: str) -> type[TalkMachine]:
    """The machine of one protocol."""
    return type(f"{name.title()}Machine", (TalkMachine,), {"protocol": name})
