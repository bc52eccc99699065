"""One match as it is executed from its inputs: live at a table, after a restart, in a
replay, all the same."""

from typing import Any, assert_never

import msgspec

from ludoteca.core import Game, Outcome, Question, Seat, Setup, Unplayable
from ludoteca.core.converting import convert
from ludoteca.journal import seal
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


class Match:
    """Owns the state of one match and a digest that chains everything that went in.

    `version` is that of the rules under which the last record was written. `changed` is the number of
    the first record that no longer comes out as it was written (0: all do), and `unexplained` the
    first of those that were written under the very version that the rules still have: somebody changed
    them without saying so.
    """

    __slots__ = ("changed", "conceded", "digest", "game", "state", "unexplained", "version")

    def __init__(self, game: Game) -> None:
        self.game = game
        self.state: Any = None
        # How it ended where one of two gave it up; the rules know nothing of that.
        self.conceded: Outcome | None = None
        self.digest = seal.CHAIN_START
        self.version = game.version
        self.changed = 0
        self.unexplained = 0

    @property
    def running(self) -> bool:
        """Whether it has begun and not ended."""
        return self.state is not None and self.outcome is None

    @property
    def outcome(self) -> Outcome | None:
        """How it ended, or None."""
        outcome: Outcome | None = self.state.outcome if self.state is not None else None
        return outcome or self.conceded

    @property
    def questions(self) -> dict[Seat, Question]:
        """What is asked of whom."""
        return dict(self.state.questions) if self.state is not None else {}

    def perform(self, given: Input) -> list[Any]:
        """The events that an input brings about; inputs that do not concern the rules bring none.

        Raises Refused, and then nothing has changed, also when only the last of several actions is refused.
        """
        game = self.game
        if type(given) is Acted and len(given.actions) == 1:
            return game.apply(self.state, Seat(given.seat), given.actions[0])
        match given:
            case Acted(seat=seat, actions=actions):
                trial = self.state.clone()
                events = [event for action in actions for event in game.apply(trial, Seat(seat), action)]
                self.state = trial
                return events
            case Started():
                setup = Setup(given.seats, given.seed, given.options, given.preferences, given.order)
                self.state, events = game.start(setup)
                return events
            case WentAway(seat=seat):
                return game.leave(self.state, Seat(seat)) if self.running else []
            case CameBack(seat=seat):
                return game.rejoin(self.state, Seat(seat)) if self.running else []
            case Opened(version=version) | RulesChanged(version=version):
                if version < game.plays_from:
                    raise Unplayable(
                        f"it was played by rules of version {version}, which are not played any more"
                    )
                self.version = version
                return []
            case Closed(reason=reason, ranks=ranks) if ranks and self.running:
                self.conceded = Outcome(ranks, reason)
                return []
            case SatDown() | StoodUp() | Spoke() | Closed():
                return []
            case _:
                assert_never(given)

    def seal(self, body: bytes, events: list[Any]) -> bytes:
        """What is written beside a record: the digest that takes it in, and a checksum of
        the events it brought."""
        self.digest = digest = seal.chain(self.digest, body)
        return digest + seal.told(events, self.state)

    def note_change(self, number: int) -> None:
        """A record came out otherwise than it did."""
        self.changed = self.changed or number
        if self.version == self.game.version:
            self.unexplained = self.unexplained or number

    def typed(self, given: Input) -> Input:
        """An input read from a record, with its actions and options as the game's own types again.

        Raises an error of any kind when they mean nothing to the game any more.
        """
        game = self.game
        match given:
            case Acted(seat=seat, actions=actions):
                read = convert if self.version == game.version else whole
                return Acted(seat, tuple(read(action, game.actions) for action in actions))
            case Started(options=options, preferences=preferences):
                return msgspec.structs.replace(
                    given,
                    options=whole(options, game.options),
                    preferences=tuple(whole(one, game.preferences) for one in preferences),
                )
            case _:
                return given


def whole(given: Any, kind: Any) -> Any:
    """The value as this type, with all of it understood: a field that is unknown
    today decided something once."""
    made = convert(given, kind)
    understood = msgspec.to_builtins(made)
    # Nearly always it is the very same, and then it need not be gone through.
    if given != understood:
        _compare(given, understood)
    return made


def _compare(given: Any, understood: Any) -> None:
    match given, understood:
        case dict(), dict():
            for key, value in given.items():
                if key not in understood:
                    raise Unplayable(f"{key!r} means nothing in these rules")
                _compare(value, understood[key])
        case list() | tuple(), list() | tuple():
            for one, other in zip(given, understood, strict=False):
                _compare(one, other)
