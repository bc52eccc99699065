"""The judge: what must be so at every moment, when everybody has gone home, and of all that was told."""

import math
from collections import Counter
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import msgspec
from tests.simulation.players import Native, Person, Player, Told

from ludoteca import games
from ludoteca.core import Game, Seat
from ludoteca.hall.post import Entry
from ludoteca.hall.storage import Reader
from ludoteca.journal import damage
from ludoteca.journal.records import Acted, Input, SatDown, Spoke, WentAway, decode
from ludoteca.journal.replay import begin, execute
from ludoteca.server.house import House
from ludoteca.server.workshop import Workshop

if TYPE_CHECKING:
    from tests.simulation.nodes import Gate, Hall, Room
    from tests.simulation.world import SimulatedServer


STALE_ALARMS = 4
# Nobody may say so much in so short a time, even by two connections in a row.
CHAT_MAX, CHAT_MS = 30, 5000
# Whoever is called so leaves at once; only what belongs to a turn that had begun by then may still be done.
ALONE, ALONE_MAX = "Badbotfarmer", 20


class Failure(Exception):
    """A promise was broken; the text says which."""


def need(is_so: object, otherwise: str) -> None:
    """A promise."""
    if not is_so:
        raise Failure(otherwise)


# At every moment.


def invariants(
    server: "SimulatedServer | Hall | Room", tables_per_address: int, owners: dict[str, str]
) -> None:
    """Budgets are kept, chairs and guests agree, nobody sits where another one sat down: `owners` are the
    addresses of those who did, by the keys of their chairs."""
    hall = server.house.hall
    by_address: Counter[str] = Counter()
    for table in hall.tables:
        if table.asleep:
            continue
        if table.phase != "over":
            by_address[table.owner] += 1
        for seat, chair in table.taken():
            guest = hall.desk.guest(chair.guest) if chair.guest is not None else None
            need(chair.guest is None or guest is not None, f"{table.id}: a ghost sits on chair {seat}")
            if guest is None:
                continue
            need(
                (guest.table, guest.seat) == (table.id, seat),
                f"{guest.name} sits at {table.id} and believes to sit at {guest.table}",
            )
            if not guest.bot:
                owner = owners.setdefault(chair.key, guest.address)
                need(owner == guest.address, f"the seat of {chair.name} went to {guest.address}")
            if guest.protocol != "house" and chair.origin:
                origin = hall.desk.origin(table.id, guest)
                need(chair.origin == origin, f"the seat of {chair.name} is held from another address")
        for _, chair in table.taken() if table.phase != "over" else ():
            for guest in hall.names.here(chair.name) if chair.ready else ():
                is_owner = owners.get(chair.key, guest.address) == guest.address
                need(is_owner, f"{guest.address} goes by the name of {chair.name}, who has a seat")
    for address, count in by_address.items():
        need(not address or count <= tables_per_address, f"{address} has {count} tables")
    ticks = max((calls.count(server.house._tick) for calls in server.house.timers._slots.values()), default=0)
    need(ticks <= STALE_ALARMS, f"the same alarm is set {ticks} times")
    bots = sum(1 for guest in hall.guests if guest.bot)
    chairs = sum(1 for table in hall.tables for _, chair in table.taken() if chair.bot or chair.stand_in)
    need(bots <= chairs, f"{bots} bots on {chairs} chairs")


def hold_still(house: House, now: Callable[[], float]) -> None:
    """See to it that no move is taken while nothing can be stored: what nobody stores must not gather."""
    append, on_trouble, since = house.store.append, house._on_trouble, math.inf

    def appended(entries: list[Entry]) -> int:
        if now() > since:
            moves = [entry for entry in entries if entry.table and isinstance(_input(entry), Acted)]
            need(not moves, f"moves are taken while nothing can be stored: {moves[:1]}")
        return append(entries)

    def told(reason: str) -> None:
        nonlocal since
        on_trouble(reason)
        since = min(since, now()) if house.trouble else math.inf

    house.store.append, house._on_trouble = appended, told  # type: ignore[method-assign]


def _input(entry: Entry) -> Input:
    record, _, _ = decode(entry.line)
    return record.input


# When everybody has gone home.


def empty(server: "SimulatedServer | Hall") -> None:
    """No table, guest, name, timer, letter, thought or byte is left."""
    left = left_in_hall(server.house, server.workshop) | {
        "connections": server.inside,
        "addresses": server._doorman._by_address,
        "calls": [one for calls in server.calls.values() for one in calls._connections],
        "sockets": server._site.sockets._open,
    }
    need_none(left, "left behind")


def left_in_hall(house: House, shop: Workshop) -> dict[str, Any]:
    """The same but for doors: a room has none."""
    hall = house.hall
    return {
        "tables": [table.id for table in hall.tables],
        "guests": [guest.name or guest.protocol for guest in hall.guests],
        "names": {**hall.names._here, **hall.names._kept},
        "tables on the floor": hall.floor._tables,
        "seat tokens": hall.tables._seats,
        "tables of addresses": {key: one for key, one in hall.tables._by_address.items() if one},
        "seekers": {game: line for game, line in hall.desk.seekers._lines.items() if line},
        "lookers": hall.lookers.gazes,
        "shells": house._shells,
        "letters": house._waiting,
        "waiting rounds": house._behind,
        "people": hall.desk._people,
        "tables to wake": len(house.waking),
        "thoughts": shop._asked,
        "busy workers": shop._busy,
        "bots' tasks": shop._tasks,
        # One that was set for a table which is gone rings for nobody; there are no more of them than that.
        "alarms": max(0, sum(map(len, house.timers._slots.values())) - STALE_ALARMS),
    }


def need_none(left: dict[str, Any], what: str) -> None:
    """Nothing of all this."""
    found = {name: things for name, things in left.items() if things}
    need(not found, f"{what}: {found}")


def left_at_gate(gate: "Gate") -> None:
    """The same of the doors of a node."""
    lodge = gate.lodge
    left: dict[str, Any] = {
        "guests": lodge._stays,
        "waiting rounds": lodge._behind,
        "questions": [*lodge._inquiries._open, *lodge._inquiries._settled._waiters],
        "rounds": [trunk for trunk in lodge._trunks.values() if trunk.waits_for()],
        "connections": gate.inside,
        "addresses": gate._doorman._by_address,
        "calls": [one for calls in gate.calls.values() for one in calls._connections],
        "sockets": gate._site.sockets._open,
        "alarms": max(0, sum(map(len, lodge.timers._slots.values())) - STALE_ALARMS),
    }
    need_none(left, "left behind at a gate")
    need(not lodge.trouble, f"a gate is in trouble, and nothing is wrong: {lodge.trouble}")


# Of all that was told.


def verify(archive: Reader, players: Iterable[Player], harmed: set[str], met: Counter[str]) -> int:
    """Hold what everybody was told against what is stored; how many records there are. Raises Failure."""
    records = 0
    answered = {player.name: player.answered for player in players if isinstance(player, Native)}
    invited = _invited(players)
    stories: dict[str, list[Story]] = {}
    for player in (player for player in players if isinstance(player, Person)):
        for told in player.told.values():
            stories.setdefault(told.table, []).append(Story(told, honest=_is_honest(player)))
    ids = archive.ids()
    for table in ids:
        lines = archive.lines(table)
        records += len(lines)
        if table not in harmed:
            found = damage(lines, table)
            need(not found, f"{table} is damaged: {found}")
            _check_table(lines, invited.get(table), answered, stories.get(table, []))
            met["records compared"] += sum(len(story.told.events) for story in stories.get(table, []))
    for table, untold in stories.items():
        if table not in ids and table not in harmed:
            events = [story.told.events for story in untold if story.told.events]
            need(not events, f"{table}: told of {events}, and nothing of it is stored")
    return records


def _is_honest(player: Person) -> bool:
    """Whether somebody plays and never stays away: nothing may happen to the seat."""
    return type(player) is Person and not player.watches


def _invited(players: Iterable[Player]) -> dict[str, set[str]]:
    """By private table: who may sit there."""
    return {
        table: {player.name, *(guest.name for guest in player.guests)}
        for player in players
        if isinstance(player, Person) and player.opens and player.terms["private"]
        for table in player.opened
    }


def _check_table(
    lines: list[bytes], invited: set[str] | None, answered: dict[str, int], stories: list["Story"]
) -> None:
    """Execute a table's record once more, and hold everything against it that anybody knows of it."""
    match, opened = begin(lines, games.load)
    names: dict[int, str] = {}
    acted: Counter[str] = Counter()
    spoke: dict[str, list[int]] = {}
    for number, line in enumerate(lines, 1):
        record, events = execute(match, line, number)
        given = record.input
        if isinstance(given, SatDown):
            names[given.seat] = given.name
            is_welcome = invited is None or given.bot or given.name in invited
            need(is_welcome, f"{given.name} sits at the private table {opened.id}")
        elif isinstance(given, Acted):
            acted[names[given.seat]] += 1
        elif isinstance(given, Spoke):
            spoke.setdefault(given.name, []).append(record.at_ms)
        for story in stories:
            story.follow(match.game, number, given, events, match.state)
    if not stories and any(name.startswith(ALONE) for name in names.values()):
        need(acted.total() <= ALONE_MAX, f"{opened.id}: bots play on where nobody is")
    for name, times in spoke.items():
        much = any(later - first < CHAT_MS for first, later in zip(times, times[CHAT_MAX:], strict=False))
        need(not much, f"{opened.id}: {name} said more than {CHAT_MAX} things in {CHAT_MS} ms")
    need(not match.unexplained, f"{opened.id} came out otherwise when executed again")
    for story in stories:
        story.end(skip_acts=opened.terms.absence == "bot")
    # Where bots hold the chairs of those who are away, more is done than their owners do.
    for name in set(acted) & set(answered) if opened.terms.absence != "bot" else ():
        need(acted[name] <= answered[name], f"{opened.id}: {name} acted {acted[name]} times, not so often")


class Story:
    """What one seat was told, held against the record as that is executed again."""

    def __init__(self, told: Told, *, honest: bool) -> None:
        self.told = told
        self._honest = honest
        self._seat = None if told.seat is None else Seat(told.seat)
        self._where = f"{told.table}: seat {told.seat} ({told.name})"
        self._answered = 0
        self._acts: list[tuple[int, Any]] = []
        self._unseen = set(told.events)
        self._unheard = set(told.said)

    def follow(self, game: Game, number: int, given: Any, events: list[Any], state: Any) -> None:
        """One record."""
        told, where = self.told, self._where
        if events:
            seen = (game.seen(event, self._seat) for event in events)
            truth = [event for event in seen if event is not None]
            if number in told.events:
                self._unseen.discard(number)
                need(_plain(truth) == told.events[number], f"{where} was told {number} otherwise than stored")
            elif number <= told.number:
                is_shown = any(first < number <= last for first, last in told.leaps)
                need(is_shown, f"{where} was never told of {number}")
        if number in told.views:
            view = _plain(game.view(state, self._seat))
            need(view == told.views[number], f"{where} saw another {number} than is stored")
        if isinstance(given, Spoke) and number in told.said:
            self._unheard.discard(number)
            message = told.said[number]
            heard = (message["name"], message["text"], message.get("to"))
            need((given.name, given.text, given.to) == heard, f"{where}: nobody said {message}")
        if isinstance(given, WentAway) and given.seat == told.seat and self._honest:
            need(told.left, f"{where} was sent away by record {number}: {given}")
        if isinstance(given, Acted) and given.seat == told.seat:
            self._acts.append((number, _plain(given.actions[0])))

    def end(self, *, skip_acts: bool) -> None:
        """All records."""
        need(not self._unseen, f"{self._where} was told of {self._unseen}, which are not stored")
        need(not self._unheard, f"{self._where} heard {self._unheard}, which nobody said")
        if self._seat is not None and not skip_acts:
            for number, action in self._acts:
                self._compare_act(number, action)

    def _compare_act(self, number: int, action: Any) -> None:
        """What a seat did was sent by its player, as the answer to one question, and counts once."""
        sent = self.told.sent
        fitting = [at for at in sent if self._answered <= at < number and action in sent[at]]
        need(fitting, f"{self._where}: nobody did what record {number} says")
        self._answered = fitting[0] + 1


def _plain(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))
