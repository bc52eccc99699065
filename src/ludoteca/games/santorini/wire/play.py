"""One client's part in a match: what it is asked, and what its answers mean.

A step of a turn that the original asks for (`askStep`) is only a draft: the choice between moving and
building stays here, and the rules hear of the move or the build itself.
"""

from typing import assert_never

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
from ludoteca.games.santorini.wire.expected import ASKED, Stage
from ludoteca.games.santorini.wire.messages import (
    Answer,
    BuildersPlaced,
    BuildersPlacement,
    BuildWith,
    Built,
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
from ludoteca.wire.tongue import Tongue

# Where there is no choice (any more) between moving and building.
_STEPS: dict[Stage, WireStep] = {Stage.MOVE: "MOVE", Stage.BUILD: "BUILD"}
_STAGES = {step: stage for stage, step in _STEPS.items()}
NOT_ASKED = WireError("that is not what was asked")
_DEEDS = (events.Moved, events.Built)


class Play:
    """The match as seen from one seat."""

    def __init__(self, news: News, seat: int, tongue: Tongue) -> None:
        # Not the conversation, which has us: the two would keep each other in memory.
        self._tongue = tongue
        self._news = news
        self._seat = seat
        self._name = news.names[seat]
        self.stage = Stage.WAITING
        self._asked: Asked | None = None
        self._answer: Answer | None = None
        # The builder that an original client insists on until the next turnUpdate.
        self._builder: int | None = None

    def _reply(self, *messages: ServerMessage) -> Reply:
        """Say something to the client at once."""
        return Reply(self._tongue.write([*messages]))

    def is_out(self, seat: int) -> bool:
        """Whether this seat has lost already."""
        return self._news.view.out[seat]

    def follow(self, event: events.Event) -> list[ServerMessage]:
        """Something happened."""
        if type(event) is events.TurnBegan:
            self.stage, self._asked, self._builder = Stage.WAITING, None, None
        elif isinstance(event, _DEEDS) and event.seat == self._seat:
            self._builder = event.number - 1
        return self._news.tell(event)

    # Questions

    def ask(self, notice: Asked) -> list[ServerMessage]:
        """It is this client's turn."""
        self._asked, self.stage = notice, ASKED[notice.question.kind]
        if self.stage in _STEPS:
            return self._destinations(notice.question, _STEPS[self.stage])
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

    def hear(self, message: Answer) -> list[Request]:
        """An answer to what was asked: carried out, or refused."""
        assert self._asked is not None
        question = self._asked.question
        if isinstance(message, SetStepChoice):
            return self._choose_step(question, message.stepChoice)
        if isinstance(message, SetMatchGodCards) and message.names is None:
            return [self._reply(NOT_ASKED)]
        actions = self._actions(message)
        if not actions or actions[0] not in question.choices:
            again = [] if self.stage in _STEPS else [self._news.ask(question)]
            return [self._reply(*self._refusal(message, question), *again)]
        self._answer = message
        return [Act(actions, at=self._asked.number)]

    def _actions(self, message: Answer) -> tuple[Action, ...]:
        """What a message decides; nothing where that is impossible."""
        # The most frequent first.
        match message:
            case MoveBuilder(src=source, dst=target):
                return (Move(source, target),)
            case BuildWith(src=source, dst=target, buildDome=dome):
                return (Build(source, target, dome),)
            case SetMatchGodCards(names=gods):
                missing = len(self._news.names) - len(self._news.view.offered)
                return tuple(OfferGod(god) for god in gods) if gods and len(gods) == missing else ()
            case SetGodCard(godCard=god):
                return (TakeGod(god),)
            case SetStartPlayer(name=name):
                return tuple(
                    ChooseStart(seat) for seat, other in enumerate(self._news.names) if other == name
                )
            case ColorUpdate(color=color):
                return tuple(ChooseColour(colour) for colour in COLOURS if colour == color)
            case BuildersPlacement(positions=cells):
                return tuple(Place(cell) for cell in cells) if len(cells) == 2 else ()
            case SetStepChoice():
                return ()
            case _:
                assert_never(message)

    def _choose_step(self, question: Question, step: str) -> list[Request]:
        """The choice between moving and building is kept here until it is carried out."""
        assert self._asked is not None
        for offered in steps(question):
            if offered == step == "END":
                return [Act((FINISH,), at=self._asked.number)]
            if offered == step:
                self.stage = _STAGES[offered]
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

    def _refusal(self, message: Answer, question: Question) -> list[ServerMessage]:
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
