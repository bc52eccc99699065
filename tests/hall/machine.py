"""A machine that does to a hall whatever people, time and crashes can do, in any order, and keeps beside it a
model made only of what people were told and of what was written down.

Hypothesis looks for the shortest way to a difference between the two.
"""

from typing import Any, NamedTuple

import msgspec
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from tests.hall.play import House, Person

from ludoteca import games
from ludoteca.core import Seat
from ludoteca.core.notices import Asked, Declined, Entered, Gone, Happened, Over, Said, Seated, Shown
from ludoteca.core.requests import (
    Act,
    AddBot,
    Enter,
    Join,
    Leave,
    List,
    Look,
    Open,
    Rematch,
    Request,
    Return,
    Say,
    Seek,
    Terms,
    Unlook,
    Watch,
)
from ludoteca.hall import Limits
from ludoteca.hall.chair import key_of
from ludoteca.journal import replay
from ludoteca.journal.records import Acted, SatDown, Spoke, StoodUp, decode

# Few of everything: people must meet.
NAMES = ("Anna", "Bruno", "anna", "Bot-Ada", " ", "Carla")
# A game without secrets, one that needs few answers and hides much, and one that can be played alone.
GAMES = ("santorini", "multisweeper", "renaissance")
OPTIONS = {"multisweeper": {"width": 4, "height": 4, "mines": 3, "pause_s": 0}}
GRACE_S, MOVE_S, DESERTED_S = 50.0, 30.0, 1000.0
LIMITS = Limits(
    deserted_s=DESERTED_S,
    abandoned_s=200.0,
    chat_burst=1000,
    chat_per_minute=1e6,
    history_max=6,
    guests_max=50,
)


class Visitor:
    """Somebody with a connection, and what they know by what they were told."""

    def __init__(self, person: Person) -> None:
        self.person = person
        self.name = ""
        self.table = ""
        self.seat: int | None = None
        self.asked: Asked | None = None
        self.over = False
        self.timed = False
        # The last record they know, and where they said that they were when they came back.
        self.number = 0
        self.since = 0
        self.declined: list[Declined] = []
        self._read = 0

    @property
    def busy(self) -> bool:
        """Whether they have a seat that matters."""
        return bool(self.table) and self.seat is not None and not self.over


class Told(msgspec.Struct):
    """What one seat (None: who looks on) was told of one table, by whichever connections."""

    events: dict[int, tuple[Any, ...]] = {}
    views: dict[int, Any] = {}
    # From which number on which one was told next: nothing lies between.
    hops: set[tuple[int, int]] = set()


class Token(NamedTuple):
    """What takes a seat again."""

    secret: str
    table: str
    seat: int


# Which of those who are here, of the tables, of the tokens: counted round and round.
numbers = st.integers(0, 11)
somebody_is_here = precondition(lambda self: self.here)


class HallMachine(RuleBasedStateMachine):
    """Everything that can be done to a hall."""

    def __init__(self) -> None:
        super().__init__()
        self.house = House(LIMITS)
        self.here: list[Visitor] = []
        self.told: dict[tuple[str, int | None], Told] = {}
        self.tokens: list[Token] = []

    # Doing, and hearing what comes of it.

    def ask(self, who: Visitor, request: Request) -> Declined | None:
        """Make a request; why it was declined, if it was. Decisions that were written down are one's own."""
        before = {table: len(lines) for table, lines in self.house.lines.items()}
        seat, table = who.seat, who.table
        who.declined.clear()
        who.person.ask(request)
        for name, lines in self.house.lines.items():
            for line in lines[before.get(name, 0) :]:
                given = decode(line)[0].input
                if isinstance(given, Acted):
                    assert isinstance(request, Act), f"{request} became {given}"
                    assert (name, given.seat) == (table, seat), f"{who.name} on {seat} has moved {given.seat}"
        self.listen()
        return who.declined[-1] if who.declined else None

    def listen(self) -> None:
        """Everybody takes in what came."""
        assert not self.house.hall.post.crashes, self.house.hall.post.crashes
        for who in self.here:
            for notice in who.person.heard[who._read :]:
                self._hear(who, notice)
            who._read = len(who.person.heard)

    def _hear(self, who: Visitor, notice: Any) -> None:
        match notice:
            case Entered(name=name):
                who.name = name
            case Seated(table=table, seat=seat):
                who.table, who.seat, who.over, who.asked = table.id, seat, table.phase == "over", None
                who.number, who.timed = 0, bool(table.terms.move_s)
                if notice.token and seat is not None:
                    self.tokens.append(Token(notice.token, table.id, seat))
            case Shown(number=number, view=view):
                self._at(who).views.setdefault(number, view)
                assert self._at(who).views[number] == view, f"{who.name} saw {number} in two ways"
                who.number = number
            case Happened(number=number, events=events):
                told = self._at(who)
                assert number > who.number, f"{who.name} was told {number} after {who.number}"
                assert told.events.setdefault(number, events) == events, f"{number} was told in two ways"
                told.hops.add((who.number or who.since, number))
                who.number = number
            case Said(number=number, name=name, to=to):
                assert to is None or who.name in (name, to), f"{who.name} overheard {notice}"
            case Asked():
                assert who.seat is not None, "who looks on is asked nothing"
                who.asked = notice
            case Over():
                who.over, who.asked = True, None
            case Gone(back=False):
                who.table, who.seat, who.asked = "", None, None
                if notice.code == "elsewhere":
                    who.name = ""
            case Declined():
                who.declined.append(notice)
            case _:
                pass

    def _at(self, who: Visitor) -> Told:
        assert who.table, f"{who.name} is at no table and was told of one"
        return self.told.setdefault((who.table, who.seat), Told({}, {}, set()))

    # What is known from records alone.

    def live(self) -> list[str]:
        """Tables that are open or played at."""
        return [table for table, fate in self.house.fates.items() if fate == "live"]

    def chairs(self, table: str) -> dict[int, SatDown]:
        """Who sits where, by the records of a table."""
        played = replay(self.house.lines[table], games.load)
        found: dict[int, SatDown] = {}
        for step in played.steps:
            given = step.record.input
            if isinstance(given, SatDown):
                found[given.seat] = given
            elif isinstance(given, StoodUp):
                found.pop(given.seat)
        return found

    def seats(self, table: str) -> int:
        """How many chairs it has, by its records."""
        return replay(self.house.lines[table], games.load).opened.seats

    def has_begun(self, table: str) -> bool:
        """Whether the match has begun, by its records."""
        return any(b'"type":"Started"' in line for line in self.house.lines[table])

    def holders(self, name: str) -> list[Visitor | str]:
        """Who holds a name: somebody who is here, or a table where somebody sits who is not."""
        key = name.casefold()
        here: list[Visitor | str] = [who for who in self.here if who.name.casefold() == key]
        kept: list[Visitor | str] = [
            table
            for table in self.live()
            for seat, sat in self.chairs(table).items()
            if sat.name.casefold() == key
            and not any(who.table == table and who.seat == seat for who in self.here)
        ]
        return here + kept

    # What people do.

    def visitor(self, number: int) -> Visitor:
        """One of those who are here."""
        return self.here[number % len(self.here)]

    @initialize()
    def two_come(self) -> None:
        """An evening begins with some people."""
        for number, name in enumerate(NAMES[:2]):
            self.arrive(f"10.0.0.{number}", name)

    @precondition(lambda self: len(self.here) < 6)
    @rule(address=st.sampled_from(("10.0.0.1", "10.0.0.2", "")), name=st.sampled_from(NAMES))
    def arrive(self, address: str, name: str) -> None:
        """Somebody comes in, and says who they are."""
        self.here.append(Visitor(self.house.guest(address=address)))
        self.enter(len(self.here) - 1, name)

    @somebody_is_here
    @rule(number=numbers, name=st.sampled_from(NAMES))
    def enter(self, number: int, name: str) -> None:
        """Be known by a name: it is given if it is one, and nobody else's."""
        who = self.visitor(number)
        others = [holder for holder in self.holders(name) if holder is not who]
        possible = bool(name.strip()) and not name.startswith("Bot-") and not (who.name and who.busy)
        declined = self.ask(who, Enter(name))
        assert (declined is None) == (possible and not others), (declined, others, who.busy)
        if declined is None:
            assert who.name == name

    @somebody_is_here
    @rule(
        number=numbers,
        game=st.sampled_from(GAMES),
        seats=st.sampled_from((1, 2, 2, 3)),
        absence=st.sampled_from(("wait", "end", "bot")),
        timed=st.booleans(),
        private=st.booleans(),
    )
    def open(self, number: int, game: str, seats: int, absence: Any, timed: bool, private: bool) -> None:
        """Open a table and sit down at it."""
        who, before = self.visitor(number), set(self.house.lines)
        possible = bool(who.name) and not who.busy and seats in games.load(game).seats
        terms = Terms(absence, GRACE_S, MOVE_S if timed else 0.0, private)
        declined = self.ask(who, Open(game, seats, OPTIONS.get(game), terms))
        assert (declined is None) == possible, declined
        if declined is None:
            assert {who.table} == set(self.house.lines) - before

    @property
    def tables(self) -> list[str]:
        """All that there ever were."""
        return list(self.house.lines)

    @precondition(lambda self: self.here and self.tables)
    @rule(number=numbers, which=numbers)
    def join(self, number: int, which: int) -> None:
        """Sit down at a table: there is a chair, or not."""
        who, table = self.visitor(number), self.tables[which % len(self.tables)]
        possible = bool(who.name) and not who.busy and table in self.live() and not self.has_begun(table)
        if possible:
            sat = self.chairs(table)
            there = {one.name.casefold() for one in sat.values()}
            possible = len(sat) < self.seats(table) and who.name.casefold() not in there
        declined = self.ask(who, Join(table))
        assert (declined is None) == possible, declined
        if declined is None:
            assert who.table == table

    @somebody_is_here
    @rule(number=numbers, game=st.sampled_from(GAMES))
    def seek(self, number: int, game: str) -> None:
        """Sit down anywhere: who has a name always finds a chair."""
        who = self.visitor(number)
        if not who.busy and who.name:
            assert self.ask(who, Seek(game, Open(game, 2, OPTIONS.get(game)))) is None
            assert who.table

    @precondition(lambda self: self.here and self.tables)
    @rule(number=numbers, which=numbers, since=st.sampled_from((0, 1, 5, 1000)))
    def watch(self, number: int, which: int, since: int) -> None:
        """Look on."""
        who, table = self.visitor(number), self.tables[which % len(self.tables)]
        possible = not who.busy and self.house.hall.tables.get(table) is not None
        who.since = since
        declined = self.ask(who, Watch(table, since))
        assert (declined is None) == possible, declined
        if declined is None:
            assert (who.table, who.seat) == (table, None)

    @somebody_is_here
    @rule(
        number=numbers,
        level=st.sampled_from(("random", "random", "nonsense")),
        seat=st.sampled_from((None, None, 0, 1, 63)),
    )
    def add_bot(self, number: int, level: str, seat: int | None) -> None:
        """Have a bot sit down; one that finds no chair is not there."""
        who = self.visitor(number)
        possible = who.busy and level == "random" and not self.has_begun(who.table)
        if possible:
            taken, seats = self.chairs(who.table), self.seats(who.table)
            possible = len(taken) < seats and (seat is None or (seat < seats and seat not in taken))
        bots = self.house.hall.desk.bots
        assert (self.ask(who, AddBot(level, seat)) is None) == possible
        assert self.house.hall.desk.bots == bots + possible

    @somebody_is_here
    @rule(number=numbers, which=st.integers(0, 10_000), late=st.sampled_from((0, 0, 0, 0, 1)))
    def act(self, number: int, which: int, late: int) -> None:
        """Answer what is asked, or an older question: then nothing happens."""
        who = next((one for one in self._from(number) if one.asked is not None), None)
        if who is None or who.asked is None:
            return
        question, lines = who.asked, len(self.house.lines[who.table])
        choices, table = question.question.choices, who.table
        who.asked = None
        declined = self.ask(who, Act((choices[which % len(choices)],), question.number - late))
        assert (declined is None) == (not late), declined
        assert (len(self.house.lines[table]) > lines) == (not late)

    @rule(
        game=st.sampled_from(GAMES),
        absence=st.sampled_from(("wait", "end", "bot")),
        timed=st.booleans(),
        private=st.booleans(),
        moves=st.integers(0, 60),
        which=st.integers(0, 1_000_000),
    )
    def play(self, game: str, absence: Any, timed: bool, private: bool, moves: int, which: int) -> None:
        """Two who have nothing better to do sit down and play for a while: deep in a match is where most can
        happen."""
        for name in NAMES:
            if len(self.here) < 6 and sum(not who.busy for who in self.here) < 2:
                self.arrive("10.0.0.1", name)
        free = [place for place, who in enumerate(self.here) if who.name and not who.busy]
        if len(free) >= 2:
            self.open(free[0], game, 2, absence, timed, private)
            table = self.here[free[0]].table
            self.join(free[1], self.tables.index(table))
            assert self.has_begun(table)
        for number in range(moves):
            self.act(number, which % 997 + number, 0)
        self.act(which, which, late=1)

    def _from(self, number: int) -> list[Visitor]:
        """All who are here, beginning with one of them."""
        at = number % len(self.here)
        return self.here[at:] + self.here[:at]

    @somebody_is_here
    @rule(number=numbers, other=numbers)
    def act_for_another(self, number: int, other: int) -> None:
        """Answer what somebody else was asked: nothing happens."""
        who, asked = self.visitor(number), self.visitor(other).asked
        if asked is not None and who.asked is None:
            assert self.ask(who, Act((asked.question.choices[0],), asked.number)) is not None

    @somebody_is_here
    @rule(number=numbers, text=st.sampled_from(("hello", "\x07", "")), to=st.sampled_from((None, *NAMES)))
    def say(self, number: int, text: str, to: str | None) -> None:
        """Chat and whisper; who may not hear it does not."""
        who = next((one for one in self._from(number) if one.table), self.visitor(number))
        self.ask(who, Say(text, to))

    @precondition(lambda self: len(self.here) > 2)
    @rule(number=numbers, other=numbers)
    def whisper(self, number: int, other: int) -> None:
        """Two at a table whisper while a third looks on."""
        who, table = self.visitor(number), self.visitor(number).table
        if table:
            third = next((one for one in self._from(other) if not one.busy and one is not who), None)
            if third is not None:
                self.watch(self.here.index(third), self.tables.index(table), 0)
            for name in {one.name for one in self.here if one.table == table and one is not third}:
                self.ask(who, Say("psst", name))

    @somebody_is_here
    @rule(number=numbers)
    def look(self, number: int) -> None:
        """See what there is."""
        for request in (List(), List(mine=True), Look(), Unlook()):
            assert self.ask(self.visitor(number), request) is None

    @somebody_is_here
    @rule(number=numbers)
    def leave(self, number: int) -> None:
        """Give the seat up, or stop looking on."""
        who = self.visitor(number)
        assert self.ask(who, Leave()) is None
        who.table, who.seat, who.asked = "", None, None

    @somebody_is_here
    @rule(number=numbers)
    def rematch(self, number: int) -> None:
        """Play again, when it is over."""
        who = next((one for one in self._from(number) if one.over), self.visitor(number))
        possible = bool(who.table) and who.seat is not None and who.over
        assert (self.ask(who, Rematch()) is None) == possible

    # What happens to them.

    @somebody_is_here
    @rule(number=numbers)
    def hang_up(self, number: int) -> None:
        """The connection is lost."""
        who = self.visitor(number)
        self.here.remove(who)
        who.person.hang_up()
        self.listen()

    @precondition(lambda self: self.here and self.tokens)
    @rule(which=numbers, number=numbers, since=st.sampled_from((0, 3, 1000)))
    def come_back(self, which: int, number: int, since: int) -> None:
        """Take a seat again by its token, be it from another connection."""
        who, token = self.visitor(number), self.tokens[which % len(self.tokens)]
        mine = self.chairs(token.table).get(token.seat) if token.table in self.live() else None
        is_owner = mine is not None and mine.key == key_of(token.secret) and who.name in ("", mine.name)
        before = [one for one in self.here if (one.table, one.seat) == (token.table, token.seat)]
        who.since = since
        declined = self.ask(who, Return("", token.secret, since))
        if declined is None:
            assert (who.table, who.seat) == (token.table, token.seat)
            assert all(one is who or one.table == "" for one in before), "two on one chair"
        else:
            assert not is_owner, declined

    @somebody_is_here
    @rule(number=numbers, known=st.booleans(), moves=st.integers(0, 9))
    def blink(self, number: int, known: bool, moves: int) -> None:
        """A line breaks; the others play on, and whoever it was is back and says what was heard last."""
        # Most is missed by somebody who is not on turn.
        busy = sorted((one for one in self._from(number) if one.busy), key=lambda one: one.asked is not None)
        if not busy:
            return
        who = busy[0]
        token = next(one for one in self.tokens if (one.table, one.seat) == (who.table, who.seat))
        self.hang_up(self.here.index(who))
        for answered in range(moves if self.here else 0):
            self.act(answered, answered, 0)
        self.here.append(Visitor(self.house.guest()))
        self.come_back(self.tokens.index(token), len(self.here) - 1, who.number if known else 0)

    @rule(seconds=st.sampled_from((1.0, MOVE_S + 1, GRACE_S + 1, DESERTED_S + 1)))
    def wait(self, seconds: float) -> None:
        """Time passes."""
        self.house.wait(seconds)
        self.listen()
        for who in self.here:
            if who.timed and seconds > MOVE_S:
                # Whose time ran out is asked no more.
                who.asked = None

    @rule(sleepy=st.booleans())
    def restart(self, sleepy: bool) -> None:
        """The house is killed, and comes back with what was written down; nobody is connected any more."""
        before = self.house
        live = self.live()
        self.house = House(LIMITS, numbers=before.numbers)
        self.house.sleepy = sleepy
        self.house.now = before.now + 1
        self.house.fates = dict(before.fates)
        kept = House(LIMITS)
        kept.lines = {table: before.lines[table] for table in live}
        kept.slips = before.slips
        self.house.take_over(kept)
        self.house.lines = before.lines | self.house.lines
        self.here.clear()
        assert {table.id for table in self.house.hall.tables} == set(live)

    # What must be so.

    @invariant()
    def guests_and_chairs_agree(self) -> None:
        """Nobody is in two places, and what people believe is so."""
        hall = self.house.hall
        for who in self.here:
            guest = who.person.guest
            at = hall.tables.get(guest.table)
            if who.busy:
                assert (guest.table, guest.seat) == (who.table, who.seat), (who.name, guest.table, who.table)
            if at is not None and guest.seat is not None:
                assert at.chair(guest.seat).guest == guest.id
            elif at is not None:
                assert guest.id in at.watchers
        for table in hall.tables:
            for seat, chair in () if table.asleep else table.taken():
                if chair.guest is not None:
                    guest_of_chair = hall.desk.guest(chair.guest)
                    assert guest_of_chair is not None, f"a ghost sits on {seat} of {table.id}"
                    assert (guest_of_chair.table, guest_of_chair.seat) == (table.id, seat)

    @invariant()
    def one_name_is_one_person(self) -> None:
        """No two connections have one name without a token that says so."""
        names = [who.name.casefold() for who in self.here if who.name]
        assert len(set(names)) == len(names), names

    @invariant()
    def tables_are_what_was_written(self) -> None:
        """The hall has every table that is live by its records."""
        ids = {table.id for table in self.house.hall.tables}
        assert set(self.live()) <= ids, set(self.live()) - ids

    def teardown(self) -> None:
        """Everything told is what is written; and when all have gone, nothing is left of them."""
        self.compare()
        for who in list(self.here):
            self.here.remove(who)
            who.person.hang_up()
        for _ in range(4):
            self.house.wait(DESERTED_S + 1)
        hall = self.house.hall
        left = {
            "tables": [table.id for table in hall.tables],
            "guests": list(hall.guests),
            "names": {**hall.names._here, **hall.names._kept},
            "tokens": hall.tables._seats,
            "on the floor": hall.floor._tables,
            "seekers": {game: line for game, line in hall.desk.seekers._lines.items() if line},
            "lookers": hall.lookers.gazes,
            "addresses": {key: one for key, one in hall.tables._by_address.items() if one},
        }
        assert not any(left.values()), left

    def compare(self) -> None:
        """Hold what everybody was told against the records, executed again."""
        tables = {table for table, _ in self.told}
        for table in tables:
            played = replay(self.house.lines[table], games.load)
            for step in played.steps:
                number = step.record.number
                for (_, seat), told in ((at, told) for at, told in self.told.items() if at[0] == table):
                    view_of = None if seat is None else Seat(seat)
                    if step.events:
                        gaps = [hop for hop in told.hops if hop[0] < number < hop[1]]
                        assert not gaps, f"{number} of {table} lies in {gaps}, and {seat} never heard of it"
                    if number in told.events:
                        seen = (played.game.seen(event, view_of) for event in step.events)
                        truth = tuple(event for event in seen if event is not None)
                        assert told.events[number] == truth, (table, seat, number)
                    if number in told.views and step.state is not None:
                        assert told.views[number] == played.game.view(step.state, view_of), (table, number)
                    if isinstance(step.record.input, Spoke):
                        assert number not in told.events
