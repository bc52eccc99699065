"""One table: its course, and those who are there. It tells them what happens, and asks. It owns the state and
never hands it out."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from msgspec.structs import replace

from ludoteca.core import Refused, Seat
from ludoteca.core.notices import (
    Asked,
    Clock,
    Declined,
    Entered,
    Gone,
    GoneCode,
    Happened,
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
from ludoteca.hall.company import Company
from ludoteca.hall.course import Course
from ludoteca.hall.guest import GuestId, Speaker
from ludoteca.hall.post import Post
from ludoteca.hall.questions import Questions
from ludoteca.hall.slip import encode as encode_slip
from ludoteca.hall.slip import slip_of
from ludoteca.journal import Match, Record
from ludoteca.journal.records import (
    Acted,
    CameBack,
    Closed,
    Input,
    Opened,
    RulesChanged,
    Spoke,
    Started,
    StoodUp,
)

# Appoints a bot that holds the chair of an absent player.
StandIn = Callable[["Table", int], GuestId]


class Table:
    """A place for one match, from its opening to its end."""

    __slots__ = (
        "alarm",
        "asked",
        "asleep",
        "chairs",
        "company",
        "course",
        "deserted_since",
        "elsewhere",
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
        "public",
        "stand_in",
        "terms",
        "wanted",
        "watchers",
    )

    def __init__(
        self, match: Match, opened: Opened, at_ms: int, post: Post, stand_in: StandIn, history_max: int
    ) -> None:
        self.game, self.public = match.game, match.game.public
        # What lasts; beside it stands what does not: who is connected, who watches, what is asked since when.
        self.course = Course(match, opened, post, history_max)
        self.match, self.ledger, self.chairs = match, self.course.ledger, self.course.chairs
        self.id, self.label = opened.id, opened.label
        self.options: Any = opened.options
        self.terms: Terms = opened.terms
        self.opened_ms = at_ms
        # The address that answers for this table: whoever opened it or, after a restart, came back first.
        self.owner = ""
        self.origin = opened.origin
        self.company = Company(self.chairs, post)
        self.watchers = self.company.watchers
        self.asked = Questions(opened.terms.move_s)
        self.wanted: set[int] = set()
        # When the hall will tick this table, and since when nobody but bots has been here.
        self.alarm: float | None = None
        self.deserted_since: float | None = None
        self.post = post
        self.stand_in = stand_in
        self.asleep, self.elsewhere = False, ""  # Only its slip is known here; another hall has the match.

    # What everybody may know.

    @property
    def phase(self) -> Phase:
        """Whether it waits for players, is being played at, or is over."""
        return self.course.phase

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
        return self.course.chair(seat)

    def taken(self) -> Iterator[tuple[int, Chair]]:
        """The taken chairs with their seats."""
        return self.course.taken()

    def stir(self) -> None:
        """What is listed of this table has changed, or will have when this is over."""
        self.post.stirred[self.id] = None

    # What lasts.

    def perform(self, given: Input) -> list[Any]:
        """Let an input take effect that is executed again. Raises Refused, and then nothing has changed."""
        return self.course.perform(given)

    def keep(self, given: Input, now: float) -> list[Any]:
        """Let an input take effect and write it down. Raises Refused, and then nothing has changed."""
        slip = None if isinstance(given, (Acted, Spoke)) else self.slip
        return self.course.keep(given, now, self.info, slip)

    def slip(self) -> bytes:
        """What the house must know of this table before it is back after a restart."""
        return encode_slip(slip_of(self.course, self.opened_ms))

    def restore(self, record: Record) -> None:
        """Look at the questions that are open after a record was executed again: no clock runs for them."""
        self.opened_ms = self.opened_ms or record.at_ms
        if self.match.state is not None:
            actor = record.input.seat if isinstance(record.input, Acted) else None
            self.asked.pose(self.match.state.questions, actor, self.ledger.number, None)

    def change_rules(self, now: float) -> None:
        """Go on under other rules than those of the last record, once they have a picture for everybody."""
        if self.match.state is not None:
            for seat in (None, *range(len(self.chairs))):
                self.ledger.shown(None if seat is None else Seat(seat))
        self.keep(RulesChanged(self.game.version), now)

    # Telling and asking.

    def after(self, events: list[Any], actor: int | None, now: float) -> None:
        """What follows an input: events to all, questions to those who have new ones, the end."""
        if events:
            happened = Happened(self.ledger.number, tuple(events))
            if self.public:
                self.company.tell(happened)
            else:
                self.company.tell_events(happened, self.ledger.as_seen)
        for seat, pending in self.asked.pose(self.match.state.questions, actor, self.ledger.number, now):
            self.company.tell_seat(seat, Asked(pending.number, pending.question))
            if self.asked.move_s:
                self._tell_clock(seat, now)
        if self.course.phase == "over":
            self.asked.clear()
            self.company.tell(Over(self.match.outcome))

    def _tell_clock(self, seat: int, now: float) -> None:
        if self.asked.move_s and not self.chair(seat).bot:
            self.company.tell(Clock(seat, self.asked.left(seat, now)))

    # Sitting down and starting.

    def open(self, opened: Opened, now: float) -> None:
        """The first record."""
        self.keep(opened, now)

    def sit(self, guest: GuestId, seat: int, chair: Chair) -> None:
        """Put a guest on a free chair: reserved until `ready`."""
        chair.guest = guest
        self.chairs[seat] = chair

    def tell_sat(self, seat: int) -> None:
        """Everybody hears who sits on a chair now."""
        self.stir()
        self.company.tell(Sat(seat, self.chair(seat).sitter()))

    def ready(self, seat: int, preference: Any, now: float) -> None:
        """The chair is complete."""
        chair = self.chair(seat)
        chair.preference = preference
        self.keep(chair.record(seat), now)
        self.tell_sat(seat)

    def start(self, seed: int, now: float) -> None:
        """Begin the match: everybody is shown the table, then asked."""
        preferences = tuple(chair.preference for _, chair in self.taken())
        order = tuple(sorted(range(len(self.chairs)), key=lambda seat: self.chair(seat).came))
        self.begin((Started(len(self.chairs), seed, self.options, preferences, order),), now)

    def begin(self, inputs: Iterable[Input], now: float) -> None:
        """Begin with this start, and with what has been played since."""
        for given in inputs:
            self.keep(given, now)
        for seat, chair in self.taken():
            if chair.guest is not None:
                self.post.letters.append((chair.guest, self.ledger.shown(Seat(seat))))
        for guest in self.watchers:
            self.post.letters.append((guest, self.ledger.shown(None)))
        self.after([], None, now)

    # Playing.

    def act(self, guest: GuestId, seat: int, request: Act, now: float) -> None:
        """Carry out a decision, or tell the guest why not and ask again."""
        try:
            self.asked.check(seat, request.at, self.course.phase)
            events = self.course.keep(Acted(seat, request.actions), now, self.info)
        except Refused as refusal:
            self.post.letters.append((guest, Declined(request, refusal.reason, refusal.code)))
            self.ask_again(guest, seat)
            return
        self.after(events, seat, now)

    def ask_again(self, guest: GuestId, seat: int) -> None:
        pending = self.asked.get(seat)
        if pending is not None:
            self.post.letters.append((guest, Asked(pending.number, pending.question, again=True)))

    def say(self, author: Speaker, text: str, to: Speaker | None, now: float) -> None:
        """Chat: to all here, or to one person and the author."""
        if to is None:
            self.keep(Spoke(author.name, text), now)
            self.company.tell(Said(self.ledger.number, author.name, text))
            return
        pair = (author.guest,) if to.guest == author.guest else (author.guest, to.guest)
        # A stand-in is not the person whose chair it holds.
        between = tuple(seat for seat, chair in self.taken() if chair.guest in pair)
        self.keep(Spoke(author.name, text, to.name, between), now)
        for guest in pair:
            self.post.letters.append((guest, Said(self.ledger.number, author.name, text, to.name)))

    def change_bot(self, bot: Speaker, seat: int, level: str, why: str, now: float) -> None:
        """A bot goes on at another level, from its own chair or an absent player's, and says why."""
        if self.chair(seat).guest == bot.guest:
            self.keep(replace(self.chair(seat).record(seat), bot=level), now)
            self.tell_sat(seat)
        self.say(bot, why, None, now)

    def resign(self, bot: Speaker, seat: int, why: str, now: float) -> None:
        """A bot gives up what it cannot win: it says so, and the match is the other's."""
        self.say(bot, why, None, now)
        gave_up = Closed("the other gave up", (1, 2) if seat else (2, 1))
        self.after(self.keep(gave_up, now), None, now)

    # Presence.

    def attended(self) -> bool:
        """Whether anybody but bots is connected."""
        return bool(self.watchers) or self.company.plays()

    def abandoned(self) -> bool:
        """Whether all people who played here have given their seats up."""
        return all(chair.bot or chair.gave_up for _, chair in self.taken())

    def stand(self, seat: int, now: float, back: bool = False) -> None:
        """Free the chair of an open table: somebody left or, with `back`, went back to a match elsewhere."""
        self.stir()
        chair = self.chair(seat)
        if chair.ready:
            self.keep(StoodUp(seat), now)
        else:
            self.chairs[seat] = None
        self.company.tell(Stood(seat, chair.sitter(), back))

    def claim(self, seat: int, origin: str, now: float) -> None:
        """Note where the owner of a chair comes from, if that was not known: it is given back
        to nobody else then."""
        chair = self.chair(seat)
        if origin and not chair.origin:
            self.keep(replace(chair.record(seat), origin=origin), now)

    def come_back(self, guest: GuestId, seat: int, since: int, now: float) -> None:
        """The owner of a chair is here again, and hears what happened meanwhile."""
        chair = self.chair(seat)
        deserted = not self.attended()
        chair.guest, chair.away_since, chair.stand_in, chair.gave_up = guest, None, None, False
        self.stir()
        self.deserted_since = None
        self.post.letters.append((guest, Seated(self.info(), seat, hints=chair.hints)))
        self.company.tell(Returned(seat, chair.name), but=seat)
        if self.match.state is None:
            return
        if chair.left and self.match.running:
            events = self.keep(CameBack(seat), now)
            chair.guest = None  # The one who returns is shown the whole picture instead of these events.
            self.after(events, None, now)
            chair.guest = guest
        self._catch_up(guest, Seat(seat), chair.key, since)
        if seat in self.asked:
            self.asked.wind(seat, now)
            self.ask_again(guest, seat)
            self._tell_clock(seat, now)
        if deserted and not chair.bot:
            self._wake_bots()

    def show_again(self, guest: GuestId, seat: int, since: int) -> None:
        """Whoever asks for a seat that they are sitting on hears how things stand."""
        name, hints = self.chair(seat).name, self.chair(seat).hints
        self.post.letters += [(guest, Entered(name)), (guest, Seated(self.info(), seat, hints=hints))]
        if self.match.state is not None:
            self._catch_up(guest, Seat(seat), self.chair(seat).key, since)
            self.ask_again(guest, seat)

    def watch(self, guest: GuestId, since: int) -> None:
        """Look on from the side."""
        deserted = not self.attended()
        self.watchers[guest] = None
        self.stir()
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
                self.ask_again(bot, seat)

    def _catch_up(self, guest: GuestId, seat: Seat | None, key: str, since: int) -> None:
        letters = self.post.letters
        letters.extend((guest, notice) for notice in self.ledger.since(since, key, seat))
        if self.match.outcome is not None:
            letters.append((guest, Over(self.match.outcome)))

    def want_rematch(self, seat: int) -> bool:
        """This seat wants to play again; whether now all who are here do."""
        self.wanted.add(seat)
        self.company.tell(Wanted(tuple(sorted(self.wanted))))
        return all(seat in self.wanted for seat, chair in self.taken() if chair.guest and not chair.bot)

    def lead_on(self, table: str) -> None:
        """Whoever looked on is told where the rematch is played."""
        notice = Wanted(tuple(sorted(self.wanted)), table)
        self.post.letters.extend((guest, notice) for guest in self.company.watchers)

    def close(self, reason: str, now: float, code: GoneCode = "deserted") -> None:
        """Give the table up: everybody is told, and nobody has a seat here any more."""
        if self.phase != "over":
            self.keep(Closed(reason), now)
        self.company.tell(Gone(reason, code=code))
