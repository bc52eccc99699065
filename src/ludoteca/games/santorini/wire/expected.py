"""What a client may say when, as data."""

from enum import StrEnum

from ludoteca.games.santorini.wire.messages import (
    AddPlayer,
    BuildersPlacement,
    BuildWith,
    ColorUpdate,
    Goodbye,
    MoveBuilder,
    Pong,
    SetGodCard,
    SetMatchGodCards,
    SetNumberOfPlayers,
    SetStartPlayer,
    SetStepChoice,
)


class Stage(StrEnum):
    """Where a client stands; the words are those of the protocol's page."""

    ARRIVED = "has come, and waits for a table"
    NUMBER = "was asked by `askNumberOfPlayers`"
    LOBBY = "sits at a table that is not complete"
    GODS = "was asked by `chooseMatchGodCards`"
    GOD = "was asked by `askGod`"
    START = "was asked by `chooseStartPlayer`"
    COLOUR = "was asked by `askColor`"
    PLACE = "was asked by `askBuilders`"
    STEP = "was asked by `askStep`"
    MOVE = "was told `possibleMoveDestinations`"
    BUILD = "was told `possibleBuildDestinations`"
    WAITING = "is in a match, and asked nothing"
    FAREWELL = "was told `disconnect`"


ALWAYS: set[type] = {Pong, Goodbye}
EXPECTED: dict[Stage, set[type]] = {
    Stage.ARRIVED: {AddPlayer},
    Stage.NUMBER: {SetNumberOfPlayers, AddPlayer},
    Stage.LOBBY: {AddPlayer},
    Stage.GODS: {SetMatchGodCards},
    Stage.GOD: {SetGodCard},
    Stage.START: {SetStartPlayer},
    Stage.COLOUR: {ColorUpdate},
    Stage.PLACE: {BuildersPlacement},
    Stage.STEP: {SetStepChoice},
    Stage.MOVE: {MoveBuilder},
    Stage.BUILD: {BuildWith},
    Stage.WAITING: set(),
    Stage.FAREWELL: set(),
}
# By the kind of the rules' question.
ASKED: dict[str, Stage] = {
    "gods": Stage.GODS,
    "god": Stage.GOD,
    "start": Stage.START,
    "colour": Stage.COLOUR,
    "place": Stage.PLACE,
    "step": Stage.STEP,
    "move": Stage.MOVE,
    "build": Stage.BUILD,
}
