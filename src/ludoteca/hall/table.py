"""One table: its chairs, its match, its watchers. It owns the state and never hands it out.

Everything that lasts changes in `perform`, one input after the other: live, where `_keep` writes it down as well,
and when a table is brought back from its records. What does not last (who is connected, who watches, reservations
without a name) is kept beside it.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, assert_never

from msgspec.structs import replace

from ludoteca.core import Notice, Refused, Seat
from ludoteca.core.notices import (
    Asked,
    Clock,
    Declined,
    Entered,
    Gone,
    Happened,
    Left,
    Over,
    Phase,
    Returned,
    Said,
    Sat,
    Seated,
    Stood,
    TableInfo,
    Wanted,
)
from ludoteca.core.requests import Act, Terms
from ludoteca.hall.chair import Chair
from ludoteca.hall.guest import GuestId
from ludoteca.hall.ledger import Ledger, Whisper
from ludoteca.hall.pending import Pending, pose
from ludoteca.hall.post import Fate, Post
from ludoteca.journal import Match, Record
from ludoteca.journal.records import (
    Acted,
    CameBack,
    Closed,
    Input,
    Opened,
    RulesChanged,
    SatDown,
    Spoke,
    Started,
    StoodUp,
    WentAway,
)

# Appoints a bot that holds the chair of an absent player.
StandIn = Callable[["Table", int], GuestId]


class Speaker(NamedTuple):
    """Who says something at a table, or is spoken to."""

    guest: GuestId
    name: str


class Table:
    """A place for one match, from its opening to its end."""

    __slots__ = (
        "_came",
        "alarm",
        "asked",
        "chairs",
        "closed",
        "deserted_since",
        "game",
        "id",
        "label",
        "ledger",
        "match",
        "opened_ms",
        "options",
        "origin",
        "owner",
        "post",
        "stand_in",
        "terms",
        "wanted",
        "watchers",
    )

    def __init__(
        self, match: Match, opened: Opened, at_ms: int, post: Post, stand_in: StandIn, history_max: int
    ) -> None:
        self.game = match.game
        self.match = match
        self.ledger = Ledger(opened.id, match, post, history_max)
        self.id = opened.id
        self.label = opened.label
        self.options: Any = opened.options
        self.terms: Terms = opened.terms
        self.opened_ms = at_ms
        # The address that answers for this table: whoever opened it or, after a restart, came back to it first.
        self.owner = ""
        self.origin = opened.origin
        self.chairs: list[Chair | None] = [None] * opened.seats
        self.watchers: dict[GuestId, None] = {}
        self.asked: dict[int, Pending] = {}
        self.wanted: set[int] = set()
        self.closed = False
        self._came = 0
        # When the hall will tick this table, and since when nobody but bots has been here.
        self.alarm: float | None = None
        self.deserted_since: float | None = None
        self.post = post
        self.stand_in = stand_in

    # What everybody may know.

    @property
    def phase(self) -> Phase:
        """Whether it waits for players, is being played at, or is over."""
        if self.closed or self.match.outcome is not None:
            return "over"
        return "playing" if self.match.state is not None else "open"

    def info(self) -> TableInfo:
        """The table as the hall lists it."""
        chairs = tuple(chair.sitter() if chair else None for chair in self.chairs)
        return TableInfo(
            self.id,
            self.game.name,
            self.label,
            self.phase,
            chairs,
            self.options,
            self.terms,
            self.opened_ms,
            len(self.watchers),
        )

    def free_seat(self) -> int | None:
        """The first free chair."""
        return next((seat for seat, chair in enumerate(self.chairs) if chair is None), None)

    def chair(self, seat: int) -> Chair:
        """The taken chair of this seat."""
        chair = self.chairs[seat]
        assert chair is not None
        return chair

    def taken(self) -> Iterator[tuple[int, Chair]]:
        """The taken chairs with their seats."""
        for seat, chair in enumerate(self.chairs):
            if chair is not None:
                yield seat, chair

    # What lasts.

    def perform(self, given: Input) -> list[Any]:
        """Let an input take effect, live or when it is executed again; the events it brought.

        Raises Refused, and then nothing has changed.
        """
        events = self.match.perform(given)
        told: tuple[Any, ...] | Whisper | Spoke | None = tuple(events)
        match given:
            case Acted() | Opened() | RulesChanged():
                pass
            case Started():
                told = None  # Whoever comes back to the start of a match is shown all of it.
            case SatDown(seat=seat):
                chair = self.chairs[seat]
                if chair is None:
                    chair = self.chairs[seat] = Chair(given.protocol, given.key, given.bot)
                chair.take(given)
                chair.came = chair.came or self._next_to_come()
            case StoodUp(seat=seat):
                self.chairs[seat] = None
            case WentAway(seat=seat, for_good=for_good):
                self.chair(seat).left, self.chair(seat).gave_up = True, for_good
            case CameBack(seat=seat):
                self.chair(seat).left = self.chair(seat).gave_up = False
            case Spoke():
                self.ledger.spoken += 1
                told = given if given.to is None else Whisper(given, self._keys(given))
            case Closed():
                self.closed = True
            case _:
                assert_never(given)
        self.ledger.count(told)
        return events

    def _keys(self, spoken: Spoke) -> frozenset[str]:
        """The keys of the chairs that a whisper belongs to."""
        if spoken.between is None:
            names = (spoken.name, spoken.to)
            return frozenset(chair.key for _, chair in self.taken() if chair.name in names)
        return frozenset(chair.key for seat, chair in self.taken() if seat in spoken.between)

    def _keep(self, given: Input, now: float) -> list[Any]:
        """Perform an input and write it down. Raises Refused, and then nothing has changed."""
        was_over = self.phase == "over"
        events = self.perform(given)
        fate: Fate | None = None
        if isinstance(given, Opened):
            fate = "live"
        elif not was_over and self.phase == "over":
            # What was never begun leaves no record.
            fate = "over" if self.match.state is not None else "forgotten"
        info = self.info() if fate in ("live", "over") else None
        self.ledger.write(given, events, int(now * 1000), fate, info)
        return events

    def restore(self, record: Record) -> None:
        """Look at the questions that are open after a record was executed again: no clock runs for them yet."""
        self.opened_ms = self.opened_ms or record.at_ms
        if self.match.state is not None:
            self._pose(record.input.seat if isinstance(record.input, Acted) else None, None)

    def change_rules(self, now: float) -> None:
        """Go on under other rules than those of the last record, once they have a picture for everybody."""
        if self.match.state is not None:
            for seat in (None, *range(len(self.chairs))):
                self.ledger.shown(None if seat is None else Seat(seat))
        self._keep(RulesChanged(self.game.version), now)

    # Telling.

    def _tell(self, notice: Notice, but: int | None = None) -> None:
        """The same to everybody here, or to all but one seat."""
        letters = self.post.letters
        for seat, chair in enumerate(self.chairs):
            if chair is not None and seat != but:
                if chair.guest is not None:
                    letters.append((chair.guest, notice))
                if chair.stand_in is not None:
                    letters.append((chair.stand_in, notice))
        for guest in self.watchers:
            letters.append((guest, notice))

    def _tell_seat(self, seat: int, notice: Notice) -> None:
        chair = self.chairs[seat]
        if chair is not None:
            for guest in (chair.guest, chair.stand_in):
                if guest is not None:
                    self.post.letters.append((guest, notice))

    def _tell_events(self, events: list[Any]) -> None:
        """Each seat and the watchers hear of the events as they may know them."""
        happened = Happened(self.ledger.number, tuple(events))
        as_seen, letters = self.ledger.as_seen, self.post.letters
        for seat, chair in enumerate(self.chairs):
            if chair is not None:
                if chair.guest is not None:
                    letters.append((chair.guest, as_seen(happened, Seat(seat))))
                if chair.stand_in is not None:
                    letters.append((chair.stand_in, as_seen(happened, Seat(seat))))
        if self.watchers:
            notice = as_seen(happened, None)
            letters.extend((guest, notice) for guest in self.watchers)

    def _after(self, events: list[Any], actor: int | None, now: float) -> None:
        """What follows an input: events to all, questions to those who have new ones, the end."""
        if events:
            self._tell_events(events)
        self._ask(actor, now)
        outcome = self.match.outcome
        if outcome is not None:
            self.asked.clear()
            self._tell(Over(outcome))

    def _ask(self, actor: int | None, now: float) -> None:
        """Put the new questions to those who must decide."""
        for seat in self._pose(actor, now):
            pending = self.asked[seat]
            self._tell_seat(seat, Asked(pending.number, pending.question))
            self._tell_clock(seat, now)

    def _pose(self, actor: int | None, now: float | None) -> list[int]:
        """Note what is asked of whom; the seats whose question is new."""
        self.asked, fresh = pose(self.asked, self.match.state.questions, actor, self.ledger.number, now)
        return fresh

    def _tell_clock(self, seat: int, now: float) -> None:
        if self.terms.move_s and not self.chair(seat).bot:
            since = self.asked[seat].since
            self._tell(Clock(seat, self.terms.move_s - (now - since if since is not None else 0.0)))

    # Sitting down and starting.

    def open(self, opened: Opened, now: float) -> None:
        """The first record."""
        self._keep(opened, now)

    def sit(self, guest: GuestId, seat: int, chair: Chair) -> None:
        """Put a guest on a free chair: reserved until `ready`."""
        chair.guest = guest
        self.chairs[seat] = chair

    def tell_sat(self, seat: int) -> None:
        """Everybody hears who sits on a chair now."""
        self._tell(Sat(seat, self.chair(seat).sitter()))

    def _next_to_come(self) -> int:
        self._came += 1
        return self._came

    def agree(self, seat: int, preference: Any) -> None:
        """Refused when this preference does not go with the others'."""
        wishes = [other.preference if other and other.ready else None for other in self.chairs]
        wishes[seat] = preference
        self.game.agree(wishes)

    def ready(self, seat: int, preference: Any, now: float) -> None:
        """The chair is complete."""
        chair = self.chair(seat)
        chair.preference = preference
        self._keep(chair.record(seat), now)
        self.tell_sat(seat)

    def complete(self) -> bool:
        """Whether every chair is taken and ready."""
        return self.phase == "open" and all(chair is not None and chair.ready for chair in self.chairs)

    def start(self, seed: int, now: float) -> None:
        """Begin the match: everybody is shown the table, then asked."""
        preferences = tuple(chair.preference for _, chair in self.taken())
        order = tuple(sorted(range(len(self.chairs)), key=lambda seat: self.chair(seat).came))
        self._keep(Started(len(self.chairs), seed, self.options, preferences, order), now)
        for seat, chair in self.taken():
            if chair.guest is not None:
                self.post.letters.append((chair.guest, self.ledger.shown(Seat(seat))))
        for guest in self.watchers:
            self.post.letters.append((guest, self.ledger.shown(None)))
        self._after([], None, now)

    # Playing.

    def act(self, guest: GuestId, seat: int, request: Act, now: float) -> None:
        """Carry out a decision, or tell the guest why not and ask again."""
        try:
            self._check_turn(seat, request.at)
            events = self._keep(Acted(seat, request.actions), now)
        except Refused as refusal:
            self.post.letters.append((guest, Declined(request, refusal.reason, refusal.code)))
            self._ask_again(guest, seat)
            return
        self._after(events, seat, now)

    def _check_turn(self, seat: int, at: int | None) -> None:
        pending = self.asked.get(seat)
        if pending is None:
            if self.phase != "playing":
                raise Refused("the match is not running", "phase")
            raise Refused("it is not your turn", "turn")
        if at is not None and at != pending.number:
            raise Refused("that question has been answered already", "stale")

    def _ask_again(self, guest: GuestId, seat: int) -> None:
        pending = self.asked.get(seat)
        if pending is not None:
            self.post.letters.append((guest, Asked(pending.number, pending.question, again=True)))

    def say(self, author: Speaker, text: str, to: Speaker | None, now: float) -> None:
        """Chat: to all here, or to one person and the author."""
        if to is None:
            self._keep(Spoke(author.name, text), now)
            self._tell(Said(self.ledger.number, author.name, text))
            return
        pair = (author.guest,) if to.guest == author.guest else (author.guest, to.guest)
        # A stand-in is not the person whose chair it holds.
        between = tuple(seat for seat, chair in self.taken() if chair.guest in pair)
        self._keep(Spoke(author.name, text, to.name, between), now)
        for guest in pair:
            self.post.letters.append((guest, Said(self.ledger.number, author.name, text, to.name)))

    def change_bot(self, bot: Speaker, seat: int, level: str, why: str, now: float) -> None:
        """A bot goes on at another level, from its own chair or an absent player's, and says why."""
        chair = self.chair(seat)
        if chair.guest == bot.guest:
            self._keep(replace(chair.record(seat), bot=level), now)
            self.tell_sat(seat)
        self.say(bot, why, None, now)

    def guests(self) -> list[GuestId]:
        """Everybody who is connected: players, stand-ins, watchers."""
        seated = [
            guest for _, chair in self.taken() for guest in (chair.guest, chair.stand_in) if guest is not None
        ]
        return seated + list(self.watchers)

    # Presence.

    def abandoned(self) -> bool:
        """Whether all people who played here have given their seats up."""
        return all(chair.bot or chair.gave_up for _, chair in self.taken())

    def attended(self) -> bool:
        """Whether anybody but bots is connected; asked after every input, so it looks no further than needed."""
        return bool(self.watchers) or self.played()

    def played(self) -> bool:
        """Whether anybody but bots sits here and is connected."""
        return any(chair is not None and chair.guest is not None and not chair.bot for chair in self.chairs)

    def stand(self, seat: int, now: float, back: bool = False) -> None:
        """Free the chair of an open table, of somebody who left or, with `back`, went back to a match elsewhere."""
        chair = self.chair(seat)
        if chair.ready:
            self._keep(StoodUp(seat), now)
        else:
            self.chairs[seat] = None
        self._tell(Stood(seat, chair.sitter(), back))

    def lost(self, seat: int, now: float) -> None:
        """The player's connection is gone: the chair waits for the grace time, where the table grants one."""
        chair = self.chair(seat)
        chair.guest, chair.away_since = None, now
        if self._keeps_nobody_waiting(seat):
            self._wait_for(seat)
            self._tell(Left(seat, chair.name))
        elif self.terms.absence == "end" and self.phase == "playing":
            self.depart(seat, "", now)
        else:
            self._tell(Left(seat, chair.name, self.terms.grace_s))

    def _keeps_nobody_waiting(self, seat: int) -> bool:
        """Whether all others who play are bots: away from them is no crime, whatever the terms say about people."""
        return self.phase == "playing" and all(
            chair is None or chair.bot or chair.left
            for other, chair in enumerate(self.chairs)
            if other != seat
        )

    def _wait_for(self, seat: int) -> None:
        """Stop the clocks of an absent player: the table waits for as long as the house keeps it."""
        self.chair(seat).away_since = None
        if seat in self.asked:
            self.asked[seat].since = None

    def depart(self, seat: int, reason: str, now: float) -> None:
        """The player is gone for good: a bot takes over where the table wants it, else the rules decide."""
        chair = self.chair(seat)
        chair.away_since = None
        if chair.left or self.phase != "playing":
            return
        if self.terms.absence == "bot" and not reason:
            if chair.stand_in is None:
                chair.stand_in = self.stand_in(self, seat)
                self._tell(Left(seat, chair.name, gone=True, reason="a bot holds the chair"))
                if seat in self.asked:
                    self._ask_again(chair.stand_in, seat)
            return
        self._tell(Left(seat, chair.name, gone=True, reason=reason), but=seat)
        self._after(self._keep(WentAway(seat, reason, chair.gave_up), now), None, now)

    def claim(self, seat: int, origin: str, now: float) -> None:
        """Note where the owner of a chair comes from, if that was not known: it is given back to nobody else then."""
        chair = self.chair(seat)
        if origin and not chair.origin:
            self._keep(replace(chair.record(seat), origin=origin), now)

    def come_back(self, guest: GuestId, seat: int, since: int, now: float) -> None:
        """The owner of a chair is here again, and hears what happened meanwhile."""
        chair = self.chair(seat)
        deserted = not self.attended()
        chair.guest, chair.away_since, chair.stand_in, chair.gave_up = guest, None, None, False
        self.deserted_since = None
        self.post.letters.append((guest, Seated(self.info(), seat)))
        self._tell(Returned(seat, chair.name), but=seat)
        if self.match.state is None:
            return
        if chair.left and self.match.running:
            events = self._keep(CameBack(seat), now)
            chair.guest = None  # The one who returns is shown the whole picture instead of these events.
            self._after(events, None, now)
            chair.guest = guest
        self._catch_up(guest, Seat(seat), chair.key, since)
        if seat in self.asked:
            self.asked[seat].since = now
            self._ask_again(guest, seat)
            self._tell_clock(seat, now)
        if deserted and not chair.bot:
            self._wake_bots()

    def show_again(self, guest: GuestId, seat: int, since: int) -> None:
        """Whoever asks for a seat that they are sitting on hears how things stand."""
        self.post.letters += [(guest, Entered(self.chair(seat).name)), (guest, Seated(self.info(), seat))]
        if self.match.state is not None:
            self._catch_up(guest, Seat(seat), self.chair(seat).key, since)
            self._ask_again(guest, seat)

    def watch(self, guest: GuestId, since: int) -> None:
        """Look on from the side."""
        deserted = not self.attended()
        self.watchers[guest] = None
        self.post.letters.append((guest, Seated(self.info(), None)))
        if self.match.state is not None:
            self._catch_up(guest, None, "", since)
        if deserted:
            self._wake_bots()

    def _wake_bots(self) -> None:
        """Somebody is here again: bots, who do not think for themselves alone, are asked once more."""
        for seat in self.asked:
            chair = self.chair(seat)
            bot = chair.guest if chair.bot else chair.stand_in
            if bot is not None:
                self._ask_again(bot, seat)

    def _catch_up(self, guest: GuestId, seat: Seat | None, key: str, since: int) -> None:
        letters = self.post.letters
        letters.extend((guest, notice) for notice in self.ledger.since(since, key, seat))
        if self.match.outcome is not None:
            letters.append((guest, Over(self.match.outcome)))

    def want_rematch(self, seat: int) -> bool:
        """This seat wants to play again; whether now all who are here do."""
        self.wanted.add(seat)
        self._tell(Wanted(tuple(sorted(self.wanted))))
        return all(seat in self.wanted for seat, chair in self.taken() if chair.guest and not chair.bot)

    # Time.

    def due(self) -> float | None:
        """When `tick` has something to do, or None."""
        times = [
            chair.away_since + self.terms.grace_s
            for chair in self.chairs
            if chair is not None and chair.away_since is not None
        ]
        if self.closed:
            times.clear()
        if self.terms.move_s and self.phase == "playing":
            times += [
                pending.since + self.terms.move_s
                for seat, pending in self.asked.items()
                if pending.since is not None and not self.chair(seat).bot
            ]
        return min(times) if times else None

    def tick(self, now: float) -> None:
        """Whoever stayed away too long, or thought too long, is gone."""
        for seat, chair in list(self.taken()):
            if chair.away_since is not None and now >= chair.away_since + self.terms.grace_s:
                if self.phase == "open":
                    self.stand(seat, now)
                elif self._keeps_nobody_waiting(seat):
                    self._wait_for(seat)
                else:
                    self.depart(seat, "", now)
        if self.terms.move_s:
            for seat, pending in list(self.asked.items()):
                late = pending.since is not None and now >= pending.since + self.terms.move_s
                if late and not self.chair(seat).bot and self.phase == "playing":
                    pending.since = None
                    if self.chair(seat).guest is None and self._keeps_nobody_waiting(seat):
                        continue
                    self.depart(seat, "the time for this decision ran out", now)

    def close(self, reason: str, now: float) -> None:
        """Give the table up: everybody is told, and nobody has a seat here any more."""
        if self.phase != "over":
            self._keep(Closed(reason), now)
        self._tell(Gone(reason))
