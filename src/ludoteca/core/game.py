"""What a game is to the rest of the house: pure functions over a state, and the words to talk about it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, NewType, Protocol, Self

import msgspec
from typing_extensions import TypeVar

from ludoteca.core.advice import Adviser
from ludoteca.core.dice import Dice
from ludoteca.core.drawing import Drawing, Room, Sight
from ludoteca.core.errors import LocalError, Refused
from ludoteca.core.requests import Absence
from ludoteca.core.talk import Conversation
from ludoteca.core.why import Why

Seat = NewType("Seat", int)

# A game's own state and records (frozen msgspec structs). A game carries them through: what is applied to a
# state of Santorini must be an action of Santorini. Whoever plays any game, the house above all, says only
# `Game`, and has Any.
S = TypeVar("S", bound="State", default=Any)
A = TypeVar("A", default=Any)
E = TypeVar("E", default=Any)
V = TypeVar("V", default=Any)


class Question(msgspec.Struct, Generic[A], frozen=True, gc=False):
    """What is asked of one seat, with every legal answer.

    `choices` may be lazy (length, indexing, iteration, membership): a long list costs only when looked at.
    """

    kind: str
    choices: Sequence[A]


class Choices(tuple[A, ...]):
    """Answers that serve many positions: whether one is among them is looked up, not looked for."""

    _found: frozenset[A]

    def __contains__(self, answer: object) -> bool:
        try:
            return answer in self._found
        except AttributeError:
            # Made when somebody asks for the first time.
            self._found = frozenset(self)
            return answer in self._found

    def __reduce__(self) -> tuple[Any, ...]:
        return Choices, (tuple(self),)


class Outcome(msgspec.Struct, frozen=True):
    """How a match ended.

    `ranks` has one number for each seat, 1 for the winners (several when they share the victory); it is
    empty when the match was broken off. `scores` breaks the points down, a row of one number for each seat
    under each name, the last row being the total; it is empty in games without points.
    """

    ranks: tuple[int, ...]
    reason: str
    scores: dict[str, tuple[int, ...]] = {}

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The seats that won; nobody, when the match was broken off or the game itself won."""
        return tuple(Seat(seat) for seat, rank in enumerate(self.ranks) if rank == 1)


class Setup(msgspec.Struct, frozen=True):
    """All that decides a match before the first action: replaying it needs nothing else.

    `order` are the seats in the order in which their players became ready, empty where nobody knows.
    """

    seats: int
    seed: int
    options: Any
    preferences: tuple[Any, ...] = ()
    order: tuple[int, ...] = ()


class State(Protocol):
    """What stands on a table. Games use a mutable msgspec struct of plain fields."""

    @property
    def questions(self) -> Mapping[Seat, Question]:
        """What is being asked of whom, now: one question for each seat that may act, none when it is over."""

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended, or None while it runs."""

    def clone(self) -> Self:
        """An independent copy."""


class Nothing(msgspec.Struct, frozen=True):
    """The options or preferences of a game that has none."""


# Picks one choice of the seat's question. The state is one that the seat cannot tell from the true one
# (see Game.redeal), so a bot cannot cheat; it may change it. `more()` says whether there is time to go on.
Bot = Callable[["Game[S, A, Any, Any]", S, Seat, Dice, Callable[[], bool]], A]


class Wire(msgspec.Struct, frozen=True):
    """The protocol of a game's seed: its port, its times and its conversations.

    `settings` is a struct type whose fields all have defaults (ping times and the like), which the operator
    can change; `converse(settings)` begins the conversation of one connection. `messages` are the types of
    what clients and server say, for the JSON Schema; None when the protocol is not JSON. `java(settings)`
    begins the same conversation with a program that sends Java objects, at the same port. At tables with
    terms in `breaks_up` whoever leaves before the match takes all others of this protocol along.
    """

    port: int
    settings: type[msgspec.Struct]
    converse: Callable[[Any], Conversation]
    messages: tuple[Any, Any] | None = None
    java: Callable[[Any], Conversation] | None = None
    breaks_up: frozenset[Absence] = frozenset()


def nothing_larger(_sight: Any, _room: Room) -> None:
    """`board`, where a game has one picture for all screens."""


def nothing_to_hear(_view: Any, _names: Sequence[str]) -> Sequence[str]:
    """`speak`, where a game's picture is all there is."""
    return ()


def colourless(_view: Any) -> Sequence[str]:
    """`hues`, where players have no colours of their own."""
    return ()


class Text(msgspec.Struct, Generic[A, E, V], frozen=True):
    """A game in words, for terminals, playthroughs and logs. `names` are the players by seat.

    `draw(view, names)` is the picture, at most 80 columns where the game allows; `tell(event, names)` one
    sentence ("" when there is nothing to say); `ask(question, view)` what is wanted, as an imperative;
    `write(action)` the words that `read(words, question)` understands (it raises Refused otherwise);
    `explain(question, view)` is what the rules say about a question, in a few sentences,
    for whoever asks back.

    `inks`, where a game has them, colours the picture: pairs of a regular expression and one of the sixteen
    colours of terminals ("red", "bright blue") for what it matches.

    `hues(view)`, where a game gives its players colours, is the colour of each seat's pieces, "" for none
    yet: names are written in them, so that colours and words agree.

    `speak(view, names)`, where a game has it, is the picture in sentences, for screen readers.

    `board(sight, room)`, where a game has it, is the richest picture that there is room for, with the places
    one can point at and the last turn marked; None where only `draw` fits.
    """

    draw: Callable[[V, Sequence[str]], str]
    tell: Callable[[E, Sequence[str]], str]
    ask: Callable[[Question[A], V], str]
    write: Callable[[A], str]
    read: Callable[[str, Question[A]], A]
    explain: Callable[[Question[A], V], str]
    inks: tuple[tuple[str, str], ...] = ()
    hues: Callable[[V], Sequence[str]] = colourless
    board: Callable[[Sight[V], Room], Drawing | None] = nothing_larger
    speak: Callable[[V, Sequence[str]], Sequence[str]] = nothing_to_hear


# What most games say to the four questions that only some have an answer of their own to.


def as_they_are(options: Any, _seats: int) -> Any:
    """`settle`, where no option depends on the number of seats."""
    return options


def never_clash(_preferences: Sequence[Any]) -> None:
    """`agree`, where any wishes go together."""


def changes_nothing(_state: Any, _seat: Seat) -> list[Any]:
    """`rejoin`, where a seat is as it was left, or the match ended when its player left."""
    return []


def for_all_to_see(event: Any, _seat: Seat | None) -> Any:
    """`seen`, where nothing that happens is secret."""
    return event


class Game(msgspec.Struct, Generic[S, A, E, V], frozen=True, kw_only=True):
    """One game, complete. The house knows nothing about games but this.

    `ludoteca.testing` checks what it promises; docs/adding-a-game.md tells how to write one.
    """

    name: str
    title: str
    # The version of its rules. It counts up by one with every change after which recorded inputs
    # bring about other events, or events of another shape; `tests/journal/test_corpus.py` notices
    # when that was forgotten.
    version: int
    # Matches begun under older rules than this are set aside, for a change that gives old inputs another
    # meaning. 0 is the version of matches from before there were versions.
    plays_from: int = 0
    seats: range
    # Record types. Actions and events are tagged unions; options and preferences structs with defaults.
    actions: Any
    events: Any
    views: Any
    options: type[msgspec.Struct] = Nothing
    preferences: type[msgspec.Struct] = Nothing
    # What is printed on cards and pieces, as data for other programs.
    cards: Mapping[str, Any] = {}
    # settle(options, seats) -> the same options with what depends on the number of seats filled in;
    # Refused when they do not go together. The number is one of `seats`.
    settle: Callable[[Any, int], Any] = as_they_are
    # agree(preferences of all seats, None where unknown) raises Refused when two seats cannot
    # both have theirs.
    agree: Callable[[Sequence[Any]], None] = never_clash
    # The rules. apply, leave and rejoin change the state, or raise Refused and leave it untouched.
    start: Callable[[Setup], tuple[S, list[E]]]
    apply: Callable[[S, Seat, A], list[E]]
    leave: Callable[[S, Seat], list[E]]
    rejoin: Callable[[S, Seat], list[E]] = changes_nothing
    # Knowledge. seen() is an event as a seat (None: a spectator) may know it, None when it may not know it at
    # all; update(view, seen event) is the view after it, without changing the old one;
    # redeal(state, seat, dice) is a new state that this seat cannot tell from the true one (what it does
    # not know is dealt anew: a determinisation, as those who write searches say); reveal() is the
    # view with all cards face up, for looking back at a match that is over (None: a
    # spectator sees everything).
    view: Callable[[S, Seat | None], V]
    seen: Callable[[E, Seat | None], E | None] = for_all_to_see
    update: Callable[[V, E], V]
    redeal: Callable[[S, Seat | None, Dice], S]
    reveal: Callable[[S], V] | None = None
    text: Text[A, E, V]
    # The protocol of its seed; a game without one is played over Ludoteca's own only.
    wire: Wire | None = None
    # By kind of question: propose(view, seat) is a whole decision that most would take, as actions; for
    # questions that are laborious to answer and nearly always answered so. Most games have none.
    proposals: Mapping[str, Callable[[V, Seat], Sequence[A]]] = {}
    # What it says to those who try what is not legal; None: that it is not.
    why: Why | None = None
    # opinion(state) is how all seats stand as the bots judge it, one number each, in any measure; None where
    # nobody has one. It is asked of the true state, when a match is over.
    opinion: Callable[[S], Sequence[float]] | None = None
    # How its bots weigh answers and say why; None: by playing at random, and without words.
    advice: Adviser | None = None
    # For those who learn to play: vocabulary(options, seats) are all actions that could ever be an answer at
    # such a table, in a fixed order (see `core.vocabulary`); tensor(view, seat) is what a seat sees as small
    # whole numbers, a byte each, of a length that depends on options and seats alone, the own seat first.
    vocabulary: Callable[[Any, int], Sequence[Any]] | None = None
    tensor: Callable[[V, Seat], bytes] | None = None
    # The game's own players by names of `core.LEVELS`, best all of them, weakest first; where it has none,
    # the house's play at these levels. The house adds "random" and "search" to them.
    bots: Mapping[str, Bot[S, A]] = {}
    # Names by which some of them went once; journals, clients and settings may still say these.
    former_bots: Mapping[str, str] = {}

    @property
    def public(self) -> bool:
        """Whether everybody may know of every event: then all are told the very same."""
        return self.seen is for_all_to_see

    def protocol(self) -> Wire:
        """The protocol of its seed. Raises Refused when it has none."""
        if self.wire is None:
            raise Refused(
                f"{self.title} has no protocol of its own: it is played over Ludoteca's", "protocol"
            )
        return self.wire

    def setup(
        self,
        seats: int = 0,
        seed: int = 0,
        options: Mapping[str, Any] | msgspec.Struct | None = None,
        preferences: Sequence[Any] = (),
    ) -> Setup:
        """All that decides a match, complete: two seats where that may be, options settled,
        everybody with a wish.

        Raises LocalError for what no table could agree on.
        """
        seats = seats or max(2, self.seats[0])
        if seats not in self.seats:
            raise LocalError(f"{self.title} is for {self.seats[0]} to {self.seats[-1]} players, not {seats}")
        try:
            wanted = (
                msgspec.convert(options or {}, self.options)
                if not isinstance(options, self.options)
                else options
            )
            wishes = tuple(preferences) or (self.preferences(),) * seats
            if len(wishes) != seats:
                raise LocalError(f"{len(wishes)} preferences for {seats} seats")
            self.agree(wishes)
            return Setup(seats, seed, self.settle(wanted, seats), wishes)
        except (msgspec.ValidationError, Refused) as error:
            raise LocalError(f"{self.title} cannot be played so: {error}") from None
