"""What lasts of a table: who sits where, its match and its book. Every input takes effect in one place."""

from collections.abc import Callable, Iterator
from typing import Any, assert_never

from ludoteca.core import Refused
from ludoteca.core.notices import Phase, TableInfo
from ludoteca.hall.chair import Chair
from ludoteca.hall.ledger import Ledger, Told, Whisper
from ludoteca.hall.post import Fate, Post
from ludoteca.journal import Match
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


class Course:
    """The course of one table, input by input: the same live, where each is written down as well, and when it
    is executed again after a restart."""

    __slots__ = ("came", "chairs", "closed", "ledger", "match", "opened", "phase")

    def __init__(self, match: Match, opened: Opened, post: Post, history_max: int) -> None:
        self.match = match
        self.opened = opened
        self.ledger = Ledger(opened.id, match, post, history_max)
        self.chairs: list[Chair | None] = [None] * opened.seats
        # Whether it waits for players, is being played at, or is over, by the rules or because it
        # was given up.
        self.phase: Phase = "open"
        self.closed = False
        # How many have become ready so far.
        self.came = 0

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

    def seats(self, name: str) -> bool:
        """Whether somebody of this name sits here; nobody does who has none yet."""
        key = name.casefold()
        return bool(key) and any(chair.name.casefold() == key for _, chair in self.taken())

    def perform(self, given: Input) -> list[Any]:
        """Let an input take effect, live or when it is executed again; the events it brought.

        Raises Refused, and then nothing has changed.
        """
        if isinstance(given, Closed) and given.ranks and not self._is_duel(given.ranks):
            raise Refused("only one of two can give up")
        events = self.match.perform(given)
        told: Told | None = tuple(events)
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
        state = self.match.state
        if self.closed or (state is not None and state.outcome is not None):
            self.phase = "over"
        elif state is not None:
            self.phase = "playing"
        self.ledger.count(told)
        return events

    def _keys(self, spoken: Spoke) -> frozenset[str]:
        """The keys of the chairs that a whisper belongs to."""
        if spoken.between is None:
            names = (spoken.name, spoken.to)
            return frozenset(chair.key for _, chair in self.taken() if chair.name in names)
        return frozenset(chair.key for seat, chair in self.taken() if seat in spoken.between)

    def _next_to_come(self) -> int:
        self.came += 1
        return self.came

    def keep(
        self,
        given: Input,
        now: float,
        info: Callable[[], TableInfo],
        slip: Callable[[], bytes] | None = None,
    ) -> list[Any]:
        """Perform an input and write it down, with the table's `slip` where it changes that. Raises Refused,
        and then nothing has changed."""
        before = self.phase
        events = self.perform(given)
        if self.phase != before:
            self.ledger.post.stirred[self.ledger.table] = None
        fate: Fate | None = None
        if isinstance(given, Opened):
            fate = "live"
        elif self.phase == "over" != before:
            # What was never begun leaves no record.
            fate = "over" if self.match.state is not None else "forgotten"
        summary = info() if fate == "live" or fate == "over" else None
        known = slip() if slip is not None and self.phase != "over" else b""
        self.ledger.write(given, events, int(now * 1000), fate, summary, known)
        return events

    def agree(self, seat: int, preference: Any) -> None:
        """Refused when this preference does not go with the others'."""
        wishes = [other.preference if other and other.ready else None for other in self.chairs]
        wishes[seat] = preference
        self.match.game.agree(wishes)

    def complete(self) -> bool:
        """Whether every chair is taken and ready."""
        return self.phase == "open" and all(chair is not None and chair.ready for chair in self.chairs)

    def _is_duel(self, ranks: tuple[int, ...]) -> bool:
        return len(self.chairs) == 2 and sorted(ranks) == [1, 2] and self.phase == "playing"

    def may_resign(self, seat: int) -> bool:
        """Whether a bot may give up here: in its own chair, between two, and where nobody's protocol would
        have to tell of an end that its document does not know."""
        return (
            self.phase == "playing"
            and len(self.chairs) == 2
            and bool(self.chair(seat).bot)
            and all(chair.bot or chair.protocol == "house" for _, chair in self.taken())
        )

    def waits_alone(self, seat: int) -> bool:
        """Whether all others who play are bots: away from them is no crime, whatever the terms say."""
        return self.phase == "playing" and all(
            chair is None or chair.bot or chair.left
            for other, chair in enumerate(self.chairs)
            if other != seat
        )
