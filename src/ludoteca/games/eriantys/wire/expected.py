"""What a client may say when, as data."""

from enum import StrEnum

from ludoteca.games.eriantys.wire.messages import (
    AskGameListMessage,
    Heartbeat,
    NewGameMessage,
    SelectGameMessage,
    SetAction,
    SetAssistantCard,
    SetNickname,
    SetTowerColor,
)


class Stage(StrEnum):
    """What the client was asked last; the words are those of the protocol's page."""

    LOBBY = "looks around"
    NAMING = "was asked by AskNickname, on a free chair"
    RETURNING = "was asked by AskNickname, for a game that waits for a missing player"
    COLOURING = "was asked by AskTowerColor"
    ASSISTANT = "was asked by AskAssistantCard"
    ACTION = "was asked by AskAction"
    WAITING = "has answered, or waits for others"


ALWAYS: set[type] = {Heartbeat}
LOOKING_AROUND: set[type] = {NewGameMessage, AskGameListMessage, SelectGameMessage}
EXPECTED: dict[Stage, set[type]] = {
    Stage.LOBBY: LOOKING_AROUND,
    Stage.NAMING: {SetNickname},
    # Whoever cannot prove to be the missing player may still choose another game.
    Stage.RETURNING: LOOKING_AROUND | {SetNickname},
    Stage.COLOURING: {SetTowerColor},
    Stage.ASSISTANT: {SetAssistantCard},
    Stage.ACTION: {SetAction},
    Stage.WAITING: set(),
}
