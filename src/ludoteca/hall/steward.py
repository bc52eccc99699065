"""The steward: carries out what a host wants, writes it into the house's log, and tells a host who is here.

A host sees what everybody may know about tables, and who plays there: never a hand.
"""

from collections.abc import Callable, Iterable

import msgspec

from ludoteca.core import Refused
from ludoteca.core.notices import Announced, Gone, Notice, Said, TableInfo
from ludoteca.hall import acts
from ludoteca.hall.acts import Act, Deed, Done, DoorKind, Drained, Fact, Guests, Role
from ludoteca.hall.budget import Budget, Spent
from ludoteca.hall.chair import key_of
from ludoteca.hall.desk import Desk
from ludoteca.hall.floor import Floor
from ludoteca.hall.guest import Guest
from ludoteca.hall.keeping import Barred, Invitation, Keeping, Key, Report, covers, fold
from ludoteca.hall.ledger import Whisper
from ludoteca.hall.names import HOST
from ludoteca.hall.post import Entry, Post
from ludoteca.hall.table import Table
from ludoteca.journal.records import Spoke

# A list that nobody can read must not cost everybody else their time.
SHOWN_MAX = 500
LINES_MAX = 12
# How many there may be whom the house calls by one name.
WAYS_MAX = 8
# Whoever comes in by invitation or password need not again for so long.
KEY_S = 365 * acts.DAY_S
# What an address may report: a few at once, then one in ten minutes.
REPORTS_BURST, REPORTS_PER_S = 5, 1 / 600


class Person(msgspec.Struct, frozen=True):
    """Somebody who is here, as a host sees it; `seat` is null for those who look on."""

    name: str
    protocol: str
    address: str
    role: Role
    since_ms: int
    table: str
    game: str
    seat: int | None
    muted: bool


class House(msgspec.Struct, frozen=True):
    """All that a host sees. Of very many people or tables the first are listed; `people_count` and
    `tables_count` are all."""

    people: list[Person]
    people_count: int
    bots_count: int
    tables: list[TableInfo]
    tables_count: int
    reports: list[Report]
    barred: list[Barred]
    invitations: list[Invitation]
    keys: list[Key]
    door: DoorKind
    guests: Guests
    has_password: bool
    pinned: list[str]
    names: tuple[str, ...]
    drained: Drained | None
    log: list[Deed]


class Steward:
    """Whoever calls it has made sure that a host is speaking. `entropy` gives 128 random bits."""

    def __init__(
        self, desk: Desk, floor: Floor, post: Post, keeping: Keeping, entropy: Callable[[], int]
    ) -> None:
        self._desk = desk
        self._floor = floor
        self._post = post
        self._keeping = keeping
        self._entropy = entropy
        self._reporting = Budget(REPORTS_PER_S, REPORTS_BURST)

    # What is there.

    def house(self, now: float) -> House:
        """Everything, as it is now."""
        keeping, tables = self._keeping, self._desk.tables
        guests = (guest for guest in self._desk.guests if not guest.bot)
        # Who only looks after the house is nobody's company.
        people = [guest for guest in guests if guest.name or guest.role != "host"]
        return House(
            [self._person(guest, now) for guest in people[:SHOWN_MAX]],
            len(people),
            self._desk.bots,
            [table.info() for _, table in zip(range(SHOWN_MAX), tables, strict=False)],
            len(tables),
            keeping.reports(),
            keeping.barred(now)[:SHOWN_MAX],
            keeping.invitations(now),
            keeping.keys(now)[:SHOWN_MAX],
            keeping.door,
            keeping.guests,
            bool(keeping.password),
            sorted(keeping.pinned),
            keeping.names,
            keeping.drained,
            [_readable(deed) for deed in reversed(keeping.log)],
        )

    def _person(self, guest: Guest, now: float) -> Person:
        table = self._desk.table_of(guest)
        return Person(
            guest.name,
            guest.protocol,
            guest.address,
            guest.role,
            int(guest.since * 1000),
            guest.table,
            table.game.name if table is not None else "",
            guest.seat,
            bool(guest.name) and self._keeping.mute_on(guest.name, now, guest.came()) is not None,
        )

    # What is done.

    def do(self, by: str, act: Act, now: float, address: str = "") -> Done:
        """Carry out an act of the host of this name, who comes from this address. Raises Refused."""
        self._keeping.check(act, now)
        match act:
            case acts.Invite(label=label, role=role, uses=uses, seconds=seconds):
                return self._made(by, acts.Invited(label, role, uses, seconds, ""), now)
            case acts.Give(label=label, role=role, seconds=seconds):
                return self._made(by, acts.Admitted(label, role, seconds, ""), now)
            case acts.Close(table=table, reason=reason):
                self._close(self._desk.tables.find(table), reason, now)
            case acts.Ban(address=banned) if banned.strip():
                if address and covers(banned, address):
                    raise Refused("you come from there yourself", "address")
            case acts.Mute(name=name) | acts.Out(name=name) | acts.Ban(name=name):
                act = msgspec.structs.replace(act, came=self._ways(name))
        done = self._log(by, act, now)
        match act:
            case acts.Say(text=text):
                self.announce(text)
            case acts.Out(name=name, reason=reason):
                self._show_out(self._called(name), reason or "a host has turned you out")
            case acts.Ban(name=name, address=banned, reason=reason):
                barred = self._called(name) if name else self._from(banned)
                self._show_out(barred, reason or "you are kept out of this house")
        return done

    def settle(self, door: acts.Door, now: float) -> None:
        """The operator's settings say this about the door."""
        self._log("settings", door, now)

    def admit(self, token: str, name: str, now: float) -> Done:
        """Take an invitation for a key. Raises Refused."""
        found = self._keeping.invitation(token, now)
        label = found.label if found.role == "host" else name
        return self._made("", acts.Admitted(label[:64], found.role, KEY_S, "", found.id), now)

    def admit_by_password(self, name: str, now: float) -> Done:
        """A key for somebody who has said the password."""
        return self._made("", acts.Admitted(name[:64], "member", KEY_S, ""), now)

    def announce(self, text: str) -> None:
        """Say something to everybody, as each can hear it."""
        everywhere, at_a_seed = Announced(text), Said(0, HOST, text)
        is_open = self._keeping.door == "open" or self._keeping.guests == "watch"
        for guest in self._desk.guests:
            # Who still stands at the door is not in the house.
            if not guest.bot and (is_open or guest.name or guest.role != "guest"):
                notice: Notice = everywhere if guest.protocol == "house" else at_a_seed
                self._post.letter(guest, notice)

    def report(self, guest: Guest, about: str, text: str, now: float) -> None:
        """Somebody complains about a person at the same table. Raises Refused."""
        table = self._desk.table_of(guest)
        if table is None or not guest.name:
            raise Refused("reports are for those at a table, under a name", "seat")
        lines = list(_heard(table, guest))
        here = {chair.name for _, chair in table.taken() if not chair.bot} | {line.name for line in lines}
        found = next((name for name in here if name.casefold() == about.casefold()), None)
        if found is None or found == guest.name:
            raise Refused("there is nobody of that name here", "name")
        text = "".join(letter for letter in text if letter.isprintable())[:500]
        reported = acts.Reported(
            guest.name, found, table.id, table.game.name, text, tuple(lines[-LINES_MAX:])
        )
        self._keeping.check(reported, now)
        wait_s = self._reporting.spend(guest.address, now)
        if wait_s:
            raise Spent("you have reported much: the host will look at it", "rate", "reports", wait_s)
        self._log("", reported, now)

    # How.

    def _made(self, by: str, fact: acts.Invited | acts.Admitted, now: float) -> Done:
        """Log something that has a token, which is told this once."""
        token = f"{self._entropy():032x}"
        done = self._log(by, msgspec.structs.replace(fact, digest=key_of(token)), now)
        return Done(done.number, token)

    def _log(self, by: str, fact: Fact | Act, now: float) -> Done:
        assert not isinstance(fact, acts.Invite | acts.Give)
        deed = self._keeping.add(by, fact, now)
        self._post.entries.append(Entry("", deed.number, msgspec.json.encode(deed)))
        return Done(deed.number)

    def _close(self, table: Table, reason: str, now: float) -> None:
        """The match is broken off; those who played may play it on elsewhere."""
        if table.elsewhere:
            self._post.called.append(table.id)
            raise Refused("this table is on another machine and comes here first: try again", "busy")
        told = f"a host has closed this table: {reason}" if reason else "a host has closed this table"

        def close() -> None:
            table.close(told, now, "host")
            self._floor.end(table)

        self._floor.guarded(table, now, close)

    def _called(self, name: str) -> list[Guest]:
        return [guest for guest in self._desk.guests if not guest.bot and fold(guest.name) == fold(name)]

    def _from(self, banned: str) -> list[Guest]:
        return [guest for guest in self._desk.guests if not guest.bot and covers(banned, guest.address)]

    def _ways(self, name: str) -> tuple[acts.Came, ...]:
        """How those came who are called so by the house alone: by that they will be known again."""
        ways = {guest.came(): None for guest in self._called(name) if fold(guest.given) != fold(name)}
        return tuple(ways)[:WAYS_MAX]

    def _show_out(self, guests: Iterable[Guest], reason: str) -> None:
        """They are told why; the shell closes their connections when that has gone out."""
        for guest in guests:
            self._post.letter(guest, Gone(reason, code="out"))
            self._post.outs.append(guest)


def _heard(table: Table, guest: Guest) -> Iterable[acts.Line]:
    """The lines at a table that this guest has heard, as far as they are at hand."""
    key = table.chair(guest.seat).key if guest.seat is not None else ""
    for _, told in table.ledger.history:
        if isinstance(told, Spoke):
            yield acts.Line(told.name, told.text)
        elif isinstance(told, Whisper) and key in told.keys:
            yield acts.Line(told.spoken.name, told.spoken.text)


def _readable(deed: Deed) -> Deed:
    """A line of the log without what nobody needs to read: a password's hash, a token's digest."""
    match deed.did:
        case acts.Door(password=password) if password:
            return msgspec.structs.replace(deed, did=msgspec.structs.replace(deed.did, password="set"))
        case acts.Invited() | acts.Admitted():
            return msgspec.structs.replace(deed, did=msgspec.structs.replace(deed.did, digest=""))
    return deed
