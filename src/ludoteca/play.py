"""The games as a library: a match to play with, bots against each other, a game told step by step.

    >>> import ludoteca
    >>> match = ludoteca.Match.new("santorini", seats=2, seed=1, options={"gods": "none"})
    >>> match.asked[0].kind
    'start'

Two kinds of errors are kept apart, as everywhere here: `Refused` when the rules say no to an action, and
nothing has changed; `LocalError` when the library itself is used wrongly.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Generic, NamedTuple

import msgspec

from ludoteca import bots, games
from ludoteca.core import Bot, Dice, Game, LocalError, Outcome, Question, Refused, Seat, Setup
from ludoteca.core.game import A, E, S, V
from ludoteca.core.notices import Advice
from ludoteca.journal.records import Acted, CameBack, SatDown, Started, WentAway
from ludoteca.journal.replay import begin, execute

NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Finn", "Gwen", "Hal")
# A match between bots that lasts longer than this will not end.
ACTIONS_MAX = 20_000
# How often a bot may look whether there is time to go on, unless another number is given.
LOOKS = 200


class Turn(NamedTuple):
    """What one input of a match was, and what it brought about; before the first action nobody decided."""

    seat: Seat | None
    action: Any
    events: Sequence[Any]


class Match(Generic[S, A, E, V]):
    """One match, to be played by calling it. Not to be shared between threads."""

    def __init__(self, game: Game[S, A, E, V], setup: Setup) -> None:
        self.game = game
        self.setup = setup
        self.state, events = game.start(setup)
        self.names: tuple[str, ...] = NAMES[: setup.seats]
        self.history: list[Turn] = [Turn(None, None, events)]
        # How it ended where one of two gave it up.
        self._conceded: Outcome | None = None

    @classmethod
    def new(
        cls,
        game: str | Game[S, A, E, V],
        seats: int = 0,
        seed: int = 0,
        options: Mapping[str, Any] | msgspec.Struct | None = None,
        preferences: Sequence[Any] = (),
    ) -> "Match[S, A, E, V]":
        """A match of a game, by its name; without a number of seats, of two where that may be.

        Raises LocalError when there is no such game, or it cannot be played so.
        """
        found: Game[S, A, E, V] = load(game) if isinstance(game, str) else game
        return cls(found, found.setup(seats, seed, options, preferences))

    @classmethod
    def replay(cls, lines: Iterable[bytes]) -> "Match[S, A, E, V]":
        """The match of a stored record, executed again up to its end: `lines` as the journal keeps them.

        Raises JournalError when it cannot be, and LocalError when that table was never played at.
        """
        records = list(lines)
        executed, opened = begin(records, games.load)
        names = [""] * opened.seats
        match: Match[S, A, E, V] | None = None
        for number, line in enumerate(records, 1):
            record, events = execute(executed, line, number)
            given = executed.typed(record.input)
            if isinstance(given, SatDown):
                names[given.seat] = given.name
            elif isinstance(given, Started):
                setup = Setup(given.seats, given.seed, given.options, given.preferences, given.order)
                match = cls(executed.game, setup)
            elif match is not None and isinstance(given, Acted | WentAway | CameBack):
                match.history.append(Turn(Seat(given.seat), getattr(given, "actions", None), events))
        if match is None:
            raise LocalError("that table was never played at")
        match.state, match.names, match._conceded = executed.state, tuple(names), executed.conceded
        return match

    # What there is to know.

    @property
    def asked(self) -> dict[Seat, Question[A]]:
        """What is asked of whom; nothing, when it is over."""
        return dict(self.state.questions) if self._conceded is None else {}

    @property
    def outcome(self) -> Outcome | None:
        """How it ended, or None while it runs."""
        return self.state.outcome or self._conceded

    @property
    def over(self) -> bool:
        """Whether it has ended."""
        return self.outcome is not None

    def choices(self, seat: int) -> Sequence[A]:
        """Every legal answer of a seat; none when nothing is asked of it."""
        question = self.asked.get(self._seat(seat))
        return question.choices if question is not None else ()

    def view(self, seat: int | None = None) -> V:
        """All that a seat may know, or a spectator."""
        return self.game.view(self.state, None if seat is None else self._seat(seat))

    def __str__(self) -> str:
        """The picture that a spectator sees."""
        return self.game.text.draw(self.view(), self.names)

    def __repr__(self) -> str:
        acted = sum(turn.seat is not None for turn in self.history)
        state = "over" if self.over else f"{', '.join(self.names[seat] for seat in self.asked)} to decide"
        return f"<Match of {self.game.title}, {self.setup.seats} seats, {acted} actions, {state}>"

    # What there is to do.

    def act(self, seat: int, action: A | str) -> list[E]:
        """Answer what a seat is asked, by an action or in the words of the terminal; what came of it.

        Raises Refused when the rules say no, and LocalError for what is no action at all.
        """
        owner = self._seat(seat)
        question = self.asked.get(owner)
        if question is None:
            raise LocalError(f"nothing is asked of seat {seat}")
        if isinstance(action, str):
            action = self.game.text.read(action, question)
        elif not isinstance(action, self.game.actions):
            raise LocalError(f"{action!r} is no action of {self.game.title}")
        events = self.game.apply(self.state, owner, action)
        self.history.append(Turn(owner, action, events))
        return events

    def leave(self, seat: int) -> list[E]:
        """A player is gone: what the rules make of it."""
        return self._presence(seat, self.game.leave)

    def rejoin(self, seat: int) -> list[E]:
        """A player who was gone is back."""
        return self._presence(seat, self.game.rejoin)

    def clone(self) -> "Match[S, A, E, V]":
        """An independent copy."""
        twin: Match[S, A, E, V] = Match.__new__(Match)
        twin.game, twin.setup, twin.names, twin._conceded = self.game, self.setup, self.names, self._conceded
        twin.state = self.state.clone()
        twin.history = list(self.history)
        return twin

    def redeal(self, seat: int | None, seed: int = 0) -> "Match[S, A, E, V]":
        """A copy that this seat cannot tell from the true one: what it does not know is dealt anew."""
        twin = self.clone()
        owner = None if seat is None else self._seat(seat)
        twin.state = self.game.redeal(self.state, owner, Dice(seed))
        return twin

    def advise(self, seat: int, seed: int = 0, looks: int = LOOKS, level: str = "") -> list[Advice]:
        """The best answers to what a seat is asked, with chances, how it may go on, and why: from what the
        seat may know. `looks` is how often the bot may look whether to go on.

        Raises LocalError when nothing is asked of it.
        """
        owner, dice = self._seat(seat), Dice(seed)
        if owner not in self.asked:
            raise LocalError(f"nothing is asked of seat {seat}")
        imagined = self.game.redeal(self.state, owner, dice)
        return bots.advise(self.game, imagined, owner, dice, patience(looks), patience(looks // 50), level)

    # Helpers.

    def _presence(self, seat: int, change: Callable[[S, Seat], list[E]]) -> list[E]:
        if self.over:
            raise LocalError("the match is over")
        events = change(self.state, self._seat(seat))
        self.history.append(Turn(Seat(seat), None, events))
        return events

    def _seat(self, seat: int) -> Seat:
        if not 0 <= seat < self.setup.seats:
            raise LocalError(f"there is no seat {seat}; there are 0 to {self.setup.seats - 1}")
        return Seat(seat)


def load(name: str) -> Game:
    """A game by its name. Raises LocalError when there is none."""
    try:
        return games.load(name)
    except Refused as refusal:
        raise LocalError(refusal.reason) from None


# Bots.


def patience(looks: int) -> Callable[[], bool]:
    """Time for a bot that is counted instead of measured: it may look so many times whether to go on."""
    left = iter(range(looks))
    return lambda: next(left, None) is not None


class Duel(msgspec.Struct, frozen=True):
    """How bots did against each other: matches won alone or shared, by bot, and how each match ended."""

    names: tuple[str, ...]
    wins: tuple[float, ...]
    outcomes: tuple[Outcome, ...]

    def __str__(self) -> str:
        width = max(map(len, self.names))
        rows = zip(self.names, self.wins, strict=True)
        return "\n".join(f"{name:{width}}  {won:g} of {len(self.outcomes)}" for name, won in rows)


def duel(
    players: Sequence[str | Bot],
    game: str | Game,
    matches: int = 10,
    seed: int = 1,
    looks: int = LOOKS,
    options: Mapping[str, Any] | msgspec.Struct | None = None,
) -> Duel:
    """Let bots play each other, by the names of their levels or as functions; seats go round
    from match to match.

    `looks` is how often a bot may look whether there is time to go on: counted, not measured, so that a duel
    comes out the same everywhere.
    """
    found = load(game) if isinstance(game, str) else game
    minds = [bots.find(found, one) if isinstance(one, str) else one for one in players]
    names = tuple(one if isinstance(one, str) else one.__name__ for one in players)
    wins, outcomes = [0.0] * len(minds), []
    for number in range(matches):
        shift = number % len(minds)
        seated = [minds[(seat + shift) % len(minds)] for seat in range(len(minds))]
        match = Match.new(found, len(minds), seed + number // len(minds), options)
        outcome = play_out(match, seated, Dice(seed + number), looks)
        outcomes.append(outcome)
        for winner in outcome.winners:
            wins[(winner + shift) % len(minds)] += 1 / len(outcome.winners)
    return Duel(names, tuple(wins), tuple(outcomes))


def play_out(
    match: Match[S, A, E, V], players: Sequence[Bot[S, A]], dice: Dice, looks: int = LOOKS
) -> Outcome:
    """Let bots play a match to its end, each thinking about what it may know.

    Raises LocalError if there is no end.
    """
    for _ in range(ACTIONS_MAX):
        outcome = match.outcome
        if outcome is not None:
            return outcome
        seat = next(iter(match.asked))
        private = match.game.redeal(match.state, seat, dice)
        match.act(seat, players[seat](match.game, private, seat, dice, patience(looks)))
    raise LocalError(f"no end after {ACTIONS_MAX} actions")


# A game in words.


def playthrough(
    game: str | Game,
    seats: int = 0,
    seed: int = 0,
    options: Mapping[str, Any] | msgspec.Struct | None = None,
    draw_every: int = 20,
    players: Sequence[str | Bot] = (),
) -> str:
    """A whole match told step by step: what is asked, what is chosen, what comes of it.

    The first seats are played by these `players`, the others at random. Kept in a file and compared on every
    run (`ludoteca.testing.retold`), it shows any change of rules or words as a readable difference.
    """
    match: Match[Any, Any, Any, Any] = Match.new(game, seats, seed, options)
    minds = [bots.find(match.game, one) if isinstance(one, str) else one for one in players]
    return "\n".join(_tell(match, Dice(seed), draw_every, minds)) + "\n"


def _tell(
    match: Match[Any, Any, Any, Any], dice: Dice, draw_every: int, minds: Sequence[Bot]
) -> Iterator[str]:
    text, names = match.game.text, match.names
    yield from _sentences(match, match.history[0].events)
    for number in range(ACTIONS_MAX):
        if match.over:
            break
        if number % draw_every == 0:
            yield f"\n{match}\n"
        seat = dice.choice(sorted(match.asked))
        question = match.asked[seat]
        if seat < len(minds):
            private = match.game.redeal(match.state, seat, dice)
            action = minds[seat](match.game, private, seat, dice, patience(LOOKS))
        else:
            action = dice.choice(question.choices)
        asked = text.ask(question, match.view(seat))
        yield f"{number + 1}: {names[seat]} is asked: {asked} ({len(question.choices)} choices)"
        yield f"{names[seat]}> {text.write(action)}"
        yield from _sentences(match, match.act(seat, action))
    outcome = match.outcome
    if outcome is None:
        raise LocalError(f"no end after {ACTIONS_MAX} actions")
    yield f"\n{match}\n"
    yield f"Ranks {', '.join(map(str, outcome.ranks))}. {outcome.reason}"
    for name, row in outcome.scores.items():
        yield f"{name}: {', '.join(map(str, row))}"


def _sentences(match: Match[Any, Any, Any, Any], events: Sequence[Any]) -> Iterator[str]:
    for event in events:
        sentence = match.game.text.tell(event, match.names)
        if sentence:
            yield f"   {sentence}"
