"""What a client may say when, as data, and what one client owes."""

from enum import StrEnum

from ludoteca.core import Question
from ludoteca.games.renaissance.wire import messages
from ludoteca.games.renaissance.wire.messages import ActionName, FromClient


class Stage(StrEnum):
    """Where a client stands; the words are those of the protocol's page."""

    LOGIN = "has no name, or is back from a match"
    ENTERING = "waits for the answer to `loginRequest`"
    LOBBY = "waits for a table, or for others at it"
    CHOOSING = "was asked by `numberOfPlayersRequest`"
    LEADERS = "was asked by `leaderCardsRequest`"
    RESOURCES = "was asked by `resourcesRequest`"
    ACTION = "was asked by `possibleActions`, before the main action"
    END = "was asked by `possibleActions`, after the main action"
    PLACING = "was asked by `resourcesManageRequest`"
    WAITING = "is in a match, and asked nothing"


# The parameters of each action; they follow when the action was chosen.
PARAMETERS: dict[type[messages.Parameters], ActionName] = {
    messages.PlayLeaderCard: "PLAYLEADERCARD",
    messages.DiscardLeaderCard: "DISCARDLEADERCARD",
    messages.BuyDevelopmentCard: "BUYDEVELOPMENTCARD",
    messages.UseProduction: "USEPRODUCTION",
    messages.RowColumnSelection: "MARKETACTION",
}
ALWAYS: set[type] = {messages.Pong}
_TURN: set[type] = {messages.ActionReply, *PARAMETERS}
EXPECTED: dict[Stage, set[type]] = {
    Stage.LOGIN: {messages.LoginRequest},
    Stage.ENTERING: set(),
    Stage.LOBBY: set(),
    Stage.CHOOSING: {messages.NumberOfPlayersReply},
    Stage.LEADERS: {messages.LeaderCardsReply},
    Stage.RESOURCES: {messages.ResourcesReply},
    Stage.ACTION: _TURN,
    Stage.END: _TURN | {messages.EndTurn},
    Stage.PLACING: {messages.ResourcesManageReply},
    Stage.WAITING: set(),
}
# By the kind of the house's question; all others belong to the main action.
_ASKED = {
    "leaders": Stage.LEADERS,
    "resources": Stage.RESOURCES,
    "end": Stage.END,
    "place": Stage.PLACING,
}


class Owed:
    """What a client is to say next, and what it said last."""

    __slots__ = ("answered", "chosen", "formality", "question", "stage")

    def __init__(self) -> None:
        self.stage = Stage.LOGIN
        # What the house asks; the action whose parameters are to follow; the kind of question
        # answered last.
        self.question: Question | None = None
        self.chosen: ActionName | None = None
        self.answered = ""
        # Whether it was told that there are no starting resources for it, and may say so back: nobody
        # waits for that.
        self.formality = False

    def allows(self, message: FromClient) -> bool:
        """Whether it is the time for this message."""
        return type(message) in EXPECTED[self.stage] or (
            self.formality and isinstance(message, messages.ResourcesReply)
        )

    def wait(self) -> None:
        """Nothing is asked any more, in a match that begins or goes on."""
        self.stage, self.question, self.chosen, self.formality = Stage.WAITING, None, None, False

    def ask(self, question: Question) -> None:
        """The house asks."""
        self.stage, self.question = _ASKED.get(question.kind, Stage.ACTION), question

    def answer(self) -> None:
        """The answer is on its way to the house: the question is not open any more."""
        assert self.question is not None
        self.answered = self.question.kind
        self.wait()
