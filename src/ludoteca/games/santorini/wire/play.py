"""One client's part in a match: what it is asked, and what its answers mean.

A step of a turn that the original asks for (`askStep`) is only a draft: the choice between moving and
building stays here, and the rules hear of the move or the build itself.
"""

from collections.abc import Callable

from ludoteca.core import Question, Request
from ludoteca.core.notices import (
    Asked,
    Declined,
)
from ludoteca.core.requests import Act, Reply
from ludoteca.games.santorini import events
from ludoteca.games.santorini.actions import (
    FINISH,
    Action,
    Build,
    ChooseColour,
    ChooseStart,
    Finish,
    Move,
    OfferGod,
    Place,
    TakeGod,
)
from ludoteca.games.santorini.data import COLOURS, Cell
from ludoteca.games.santorini.wire.messages import (
    BuildersPlaced,
    BuildersPlacement,
    BuildWith,
    Built,
    ClientMessage,
    ColorUpdate,
    ColorUpdated,
    GodCardAssigned,
    MatchGodCards,
    MoveBuilder,
    Moved,
    PossibleBuildDestinations,
    PossibleMoveDestinations,
    ServerMessage,
    SetGodCard,
    SetMatchGodCards,
    SetStartPlayer,
    SetStepChoice,
    StartPlayerSet,
    StepChoiceSet,
    TurnUpdate,
    WireError,
    WireStep,
)
from ludoteca.games.santorini.wire.news import News, steps

# Questions that leave no choice between moving and building.
_STEPS: dict[str, WireStep] = {"move": "MOVE", "build": "BUILD"}
_DEEDS = (events.Moved, events.Built)


class Play:
    """The match as seen from one seat."""

    def __init__(self, news: News, seat: int, reply: Callable[..., Reply]) -> None:
        self._reply = reply
        self._news = news
        self._seat = seat
        self._name = news.names[seat]
        self._asked: Asked | None = None
        self._answer: ClientMessage | None = None
        self._step: WireStep | None = None
        # The builder that an original client insists on until the next turnUpdate.
        self._builder: int | None = None

    def is_out(self, seat: int) -> bool:
        """Whether this seat has lost already."""
        return self._news.view.out[seat]

    def follow(self, event: events.Event) -> list[ServerMessage]:
        """Something happened."""
        if type(event) is events.TurnBegan:
            self._asked, self._builder = None, None
        elif isinstance(event, _DEEDS) and event.seat == self._seat:
            self._builder = event.number - 1
        return self._news.tell(event)

    # Questions

    def ask(self, notice: Asked) -> list[ServerMessage]:
        """It is this client's turn."""
        self._asked, self._step = notice, _STEPS.get(notice.question.kind)
        if self._step is not None:
            return self._destinations(notice.question, self._step)
        return [self._news.ask(notice.question)]

    def _destinations(self, question: Question, step: WireStep) -> list[ServerMessage]:
        """The lists for a step, after a turnUpdate where the original client would insist
        on the other builder."""
        lists = self._news.destinations(question, step)
        if self._builder is None or not self._other_can_act(lists):
            return [lists]
        self._builder = None
        return [TurnUpdate(self._name), lists]

    def _other_can_act(self, lists: PossibleMoveDestinations | PossibleBuildDestinations) -> bool:
        """Whether a builder is offered that the client has not used in this turn."""
        return any(cells for number, cells in enumerate(lists.possibleDst) if number % 2 != self._builder)

    # Answers

    def hear(self, message: ClientMessage) -> list[Request]:
        """An answer: carried out, refused, or out of place."""
        if self._asked is None:
            return [self._reply(WireError("it is not your turn"))]
        question = self._asked.question
        if isinstance(message, SetStepChoice) and question.kind == "step" and self._step is None:
            return self._choose_step(question, message.stepChoice)
        actions = self._actions(message, question.kind)
        if actions is None:
            return [self._reply(WireError("that is not what was asked"))]
        if not actions or actions[0] not in question.choices:
            again = [self._news.ask(question)] if self._step is None else []
            return [self._reply(*self._refusal(message, question), *again)]
        self._answer = message
        return [Act(actions, at=self._asked.number)]

    def _actions(self, message: ClientMessage, kind: str) -> tuple[Action, ...] | None:
        """What a message decides: nothing where that is impossible, None where nobody asked for it."""
        # The most frequent first.
        match message, kind:
            case MoveBuilder(src=source, dst=target), _ if self._step == "MOVE":
                return (Move(source, target),)
            case BuildWith(src=source, dst=target, buildDome=dome), _ if self._step == "BUILD":
                return (Build(source, target, dome),)
            case SetMatchGodCards(names=list(gods)), "gods":
                missing = len(self._news.names) - len(self._news.view.offered)
                return tuple(OfferGod(god) for god in gods) if len(gods) == missing else ()
            case SetGodCard(godCard=god), "god":
                return (TakeGod(god),)
            case SetStartPlayer(name=name), "start":
                return tuple(
                    ChooseStart(seat) for seat, other in enumerate(self._news.names) if other == name
                )
            case ColorUpdate(color=color), "colour":
                return tuple(ChooseColour(colour) for colour in COLOURS if colour == color)
            case BuildersPlacement(positions=cells), "place":
                return tuple(Place(cell) for cell in cells) if len(cells) == 2 else ()
        return None

    def _choose_step(self, question: Question, step: str) -> list[Request]:
        """The choice between moving and building is kept here until it is carried out."""
        assert self._asked is not None
        for offered in steps(question):
            if offered == step == "END":
                return [Act((FINISH,), at=self._asked.number)]
            if offered == step:
                self._step = offered
                lists = self._destinations(question, offered)
                return [self._reply(StepChoiceSet(self._name, step, True), *lists)]
        return [
            self._reply(
                WireError(f"{step} is not one of the steps offered"),
                StepChoiceSet(self._name, step, False),
                self._news.ask(question),
            )
        ]

    # Refusals

    def refused(self, notice: Declined) -> list[ServerMessage]:
        """The rules said no to the last answer; the question comes again by itself."""
        if notice.code != "illegal" or self._answer is None or self._asked is None:
            return [WireError(notice.reason)]
        return self._refusal(self._answer, self._asked.question)

    def _refusal(self, message: ClientMessage, question: Question) -> list[ServerMessage]:
        """What could not be done comes back with result false."""
        name = self._name
        match message:
            case SetMatchGodCards(names=list(gods)):
                return [MatchGodCards(gods, gods, False)]
            case SetGodCard(godCard=god):
                return [WireError("that god is not to be had"), GodCardAssigned(name, god, False)]
            case SetStartPlayer(name=other):
                return [StartPlayerSet(other, False)]
            case ColorUpdate(color=color):
                taken = [WireError("that colour is taken")] if color in COLOURS else []
                return [*taken, ColorUpdated(name, color, False)]
            case BuildersPlacement(positions=cells):
                return [BuildersPlaced(name, cells, False)]
            case MoveBuilder(src=source, dst=target):
                return [*self._idle(source, question), Moved(name, source, target, False)]
            case BuildWith(src=source, dst=target, buildDome=dome):
                return [*self._idle(source, question), Built(name, source, target, dome, False)]
        return []

    def _idle(self, source: Cell, question: Question) -> list[ServerMessage]:
        """A word about the own builder that cannot act now."""
        acting = {option.source for option in question.choices if not isinstance(option, Finish)}
        idle = source in self._news.workers() and source not in acting
        return [WireError("it is the other builder that can act now")] if idle else []
