"""One match as it is executed from its inputs: live at a table, after a restart, in a replay, all the same."""

from hashlib import blake2b
from typing import Any

import msgspec

from ludoteca.core import Game, Outcome, Question, Seat, Setup
from ludoteca.journal.records import Acted, CameBack, Input, Started, WentAway

_encode = msgspec.json.Encoder().encode
DIGEST_START = bytes(8)


class Match:
    """Owns the state of one match and a digest that runs over everything that went in and came out."""

    __slots__ = ("digest", "game", "state")

    def __init__(self, game: Game) -> None:
        self.game = game
        self.state: Any = None
        self.digest = DIGEST_START

    @property
    def running(self) -> bool:
        """Whether it has begun and not ended."""
        return self.state is not None and self.state.outcome is None

    @property
    def outcome(self) -> Outcome | None:
        """How it ended, or None."""
        outcome: Outcome | None = self.state.outcome if self.state is not None else None
        return outcome

    @property
    def questions(self) -> dict[Seat, Question]:
        """What is asked of whom."""
        return dict(self.state.questions) if self.state is not None else {}

    def perform(self, given: Input) -> list[Any]:
        """The events that an input brings about; inputs that do not concern the rules bring none.

        Raises Refused, and then nothing has changed, also when only the last of several actions is refused.
        """
        game = self.game
        match given:
            case Acted(seat=seat, actions=(action,)):
                return game.apply(self.state, Seat(seat), action)
            case Acted(seat=seat, actions=actions):
                trial = self.state.clone()
                events = [event for action in actions for event in game.apply(trial, Seat(seat), action)]
                self.state = trial
                return events
            case Started():
                setup = Setup(given.seats, given.seed, given.options, given.preferences, given.order)
                self.state, events = game.start(setup)
                return events
            case WentAway(seat=seat) if self.running:
                return game.leave(self.state, Seat(seat))
            case CameBack(seat=seat) if self.running:
                return game.rejoin(self.state, Seat(seat))
            case _:
                return []

    def seal(self, body: bytes, events: list[Any]) -> bytes:
        """Take a record's body and its events into the running digest; returns the digest."""
        hasher = blake2b(self.digest, digest_size=8)
        hasher.update(body)
        if events:
            hasher.update(_encode(events))
        self.digest = hasher.digest()
        return self.digest

    def typed(self, given: Input) -> Input:
        """An input read from a record, with its actions and options as the game's own types again."""
        game = self.game
        match given:
            case Acted(seat=seat, actions=actions):
                return Acted(seat, tuple(msgspec.convert(action, game.actions) for action in actions))
            case Started(options=options, preferences=preferences):
                return msgspec.structs.replace(
                    given,
                    options=msgspec.convert(options, game.options),
                    preferences=tuple(msgspec.convert(one, game.preferences) for one in preferences),
                )
            case _:
                return given
