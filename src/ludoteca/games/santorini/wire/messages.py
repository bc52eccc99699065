"""The messages of the seed and of the original programs, by their own words.

`i` is the row, `j` the column.
"""

import re
from typing import Any, Literal

import msgspec

from ludoteca.core.bounds import Given
from ludoteca.games.santorini.data import Cell

# What a client sends. A name in it is never believed: who speaks is known by the connection.


class SetNumberOfPlayers(msgspec.Struct, frozen=True, tag="setNumberOfPlayers"):
    """How many are to play."""

    numberOfPlayers: Given


class AddPlayer(msgspec.Struct, frozen=True, tag="addPlayer", omit_defaults=True):
    """Who I am; with a token, whose seat I take again."""

    name: str
    date: str | None = None
    token: str = ""


class SetMatchGodCards(msgspec.Struct, frozen=True, tag="setMatchGodCards"):
    """The gods of this match: the seed calls the list godCardNames, the original godDescriptions."""

    godCardNames: list[str] | dict[str, Any] | None = None
    godDescriptions: list[str] | dict[str, Any] | None = None

    @property
    def names(self) -> list[str] | None:
        """The gods, whichever way they were sent."""
        given = self.godCardNames if self.godCardNames is not None else self.godDescriptions
        return None if given is None else list(given)


class SetGodCard(msgspec.Struct, frozen=True, tag="setGodCard"):
    """My god."""

    godCard: str


class SetStartPlayer(msgspec.Struct, frozen=True, tag="setStartPlayer"):
    """Who begins."""

    name: str


class ColorUpdate(msgspec.Struct, frozen=True, tag="colorUpdate"):
    """My colour."""

    color: str


class BuildersPlacement(msgspec.Struct, frozen=True, tag="buildersPlacement"):
    """Where my builders begin."""

    positions: list[Cell]


class MoveBuilder(msgspec.Struct, frozen=True, tag="move"):
    """Walk."""

    src: Cell
    dst: Cell


class BuildWith(msgspec.Struct, frozen=True, tag="build"):
    """Build."""

    src: Cell
    dst: Cell
    buildDome: bool


class SetStepChoice(msgspec.Struct, frozen=True, tag="setStepChoice"):
    """What comes next."""

    stepChoice: str


class Goodbye(msgspec.Struct, frozen=True, tag="disconnect"):
    """I leave."""


class Pong(msgspec.Struct, frozen=True, tag="pong"):
    """I am here."""


# What answers a question of the match.
Answer = (
    SetMatchGodCards
    | SetGodCard
    | SetStartPlayer
    | ColorUpdate
    | BuildersPlacement
    | MoveBuilder
    | BuildWith
    | SetStepChoice
)
ClientMessage = SetNumberOfPlayers | AddPlayer | Answer | Goodbye | Pong

_CLIENT_TYPES = frozenset(kind.__struct_config__.tag for kind in ClientMessage.__args__)
# Numbers and truth values may be quoted: the original has them so.
_decode = msgspec.json.Decoder(ClientMessage, strict=False).decode
# {type: "move"}, as the seed prints one message: a key without quotes, after a brace or a comma.
_BARE_KEY = re.compile(rb"([{,]\s*)([A-Za-z_]\w*)(\s*:)")


def decode(line: bytes) -> ClientMessage | None:
    """A client's line; None for a type that is not known here, which is passed over.

    Raises msgspec.DecodeError.
    """
    try:
        message: ClientMessage = _decode(line)
        return message
    except msgspec.ValidationError:
        found = msgspec.json.decode(line)
        kind = found.get("type") if isinstance(found, dict) else None
        if isinstance(kind, str) and kind not in _CLIENT_TYPES:
            return None
        raise
    except msgspec.DecodeError:
        quoted = _BARE_KEY.sub(rb'\1"\2"\3', line)
        if quoted == line:
            raise
        return decode(quoted)


# What the server sends. `result` false goes to the sender alone.

WireState = Literal["SETUP_PLAYERS", "SETUP_CARDS", "SETUP_COLOR", "SETUP_BUILDERS", "GAME"]
WireStep = Literal["MOVE", "BUILD", "END"]


class AskNumberOfPlayers(msgspec.Struct, frozen=True, tag="askNumberOfPlayers"):
    """Open a game: for how many?"""


class ErrorNumber(msgspec.Struct, frozen=True, tag="errorNumber"):
    """Not for that many."""


class StateUpdate(msgspec.Struct, frozen=True, tag="stateUpdate"):
    """Which part of the game begins."""

    state: WireState


class AskNickAndDate(msgspec.Struct, frozen=True, tag="askNickAndDate"):
    """Who are you?"""


class PlayerAdded(msgspec.Struct, frozen=True, tag="playerAdded", omit_defaults=True):
    """Somebody has a name. To the one concerned it also brings the token of the seat."""

    name: str
    result: bool
    token: str = ""


class TurnUpdate(msgspec.Struct, frozen=True, tag="turnUpdate"):
    """Whose answer is awaited."""

    name: str


class ChooseMatchGodCards(msgspec.Struct, frozen=True, tag="chooseMatchGodCards"):
    """Which gods shall play?"""

    numberOfPlayers: Given
    godDescriptions: dict[str, str]


class MatchGodCards(msgspec.Struct, frozen=True, tag="setMatchGodCards"):
    """These gods play; the same list under the name of the seed and that of the original."""

    godCardNames: list[str]
    godDescriptions: list[str]
    result: bool


class AskGod(msgspec.Struct, frozen=True, tag="askGod"):
    """Which god is yours?"""

    godDescriptions: dict[str, str]
    chosenGodCards: list[str]


class GodCardAssigned(msgspec.Struct, frozen=True, tag="godCardAssigned"):
    """A player has a god."""

    name: str
    godCard: str
    result: bool


class ChooseStartPlayer(msgspec.Struct, frozen=True, tag="chooseStartPlayer"):
    """Who shall begin?"""

    players: list[str]


class StartPlayerSet(msgspec.Struct, frozen=True, tag="setStartPlayer"):
    """This player begins."""

    name: str
    result: bool


class AskColor(msgspec.Struct, frozen=True, tag="askColor"):
    """Which colour? These are taken."""

    chosenColors: list[str]


class ColorUpdated(msgspec.Struct, frozen=True, tag="colorUpdate"):
    """A player has a colour."""

    name: str
    color: str
    result: bool


class AskBuilders(msgspec.Struct, frozen=True, tag="askBuilders"):
    """Where do your builders begin?"""


class BuildersPlaced(msgspec.Struct, frozen=True, tag="buildersPlacement"):
    """A player's two builders stand here."""

    name: str
    positions: list[Cell]
    result: bool


class PossibleMoveDestinations(msgspec.Struct, frozen=True, tag="possibleMoveDestinations"):
    """Where builder 1 and builder 2 can go."""

    possibleDst: list[list[Cell]]


class PossibleBuildDestinations(msgspec.Struct, frozen=True, tag="possibleBuildDestinations"):
    """Where builders 1 and 2 can put a block, then where they can put a dome."""

    possibleDst: list[list[Cell]]


class Moved(msgspec.Struct, frozen=True, tag="move"):
    """A builder walked."""

    name: str
    src: Cell
    dst: Cell
    result: bool


class BuilderPushed(msgspec.Struct, frozen=True, tag="builderPushed"):
    """A builder of `name` was forced away, by the move that follows."""

    name: str
    src: Cell
    dst: Cell


class Built(msgspec.Struct, frozen=True, tag="build"):
    """Something was built."""

    name: str
    src: Cell
    dst: Cell
    buildDome: bool
    result: bool


class AskStep(msgspec.Struct, frozen=True, tag="askStep"):
    """What comes next?"""

    possibleSteps: list[WireStep]


class StepChoiceSet(msgspec.Struct, frozen=True, tag="setStepChoice"):
    """So be it. Not sent for END."""

    name: str
    stepChoice: str
    result: bool


class LossUpdate(msgspec.Struct, frozen=True, tag="lossUpdate"):
    """A player is out, in the words of the seed."""

    name: str


class LostUpdate(msgspec.Struct, frozen=True, tag="lostUpdate"):
    """A player is out, in the words of the original."""

    name: str


class EndGame(msgspec.Struct, frozen=True, tag="endGame"):
    """Somebody has won."""

    winner: str


class WireError(msgspec.Struct, frozen=True, tag="error"):
    """What was wrong, in words for people."""

    description: str


class PlayerDisconnected(msgspec.Struct, frozen=True, tag="playerDisconnected"):
    """A player has left."""

    name: str


class Disconnect(msgspec.Struct, frozen=True, tag="disconnect"):
    """It is over; I close, close too."""


class Ping(msgspec.Struct, frozen=True, tag="ping"):
    """Are you here?"""


ServerMessage = (
    AskNumberOfPlayers
    | ErrorNumber
    | StateUpdate
    | AskNickAndDate
    | PlayerAdded
    | TurnUpdate
    | ChooseMatchGodCards
    | MatchGodCards
    | AskGod
    | GodCardAssigned
    | ChooseStartPlayer
    | StartPlayerSet
    | AskColor
    | ColorUpdated
    | AskBuilders
    | BuildersPlaced
    | PossibleMoveDestinations
    | PossibleBuildDestinations
    | Moved
    | BuilderPushed
    | Built
    | AskStep
    | StepChoiceSet
    | LossUpdate
    | LostUpdate
    | EndGame
    | WireError
    | PlayerDisconnected
    | Disconnect
    | Ping
)
