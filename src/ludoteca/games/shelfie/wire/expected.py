"""What a client may say when, as data."""

from enum import StrEnum

from ludoteca.games.shelfie.wire.messages import (
    ChatMessage,
    ConfirmColumnRequest,
    ConfirmOrderNotify,
    ConfirmPickRequest,
    LoginRequest,
    NumPlayersResponse,
    PickTileRequest,
    PongMessage,
    UnpickTileRequest,
)


class Stage(StrEnum):
    """Where a client stands; the words are those of the protocol's page."""

    LOGIN = "has no name"
    ENTERING = "waits for LoginResponse"
    NUMBER = "was asked by NumPlayersRequest"
    LOBBY = "waits for a table, or for others at it"
    TAKING = "is to move, and holds no tiles"
    FILLING = "holds the tiles it took"
    ORDERING = "has chosen the column"
    WATCHING = "is in a match where others are to move"


ALWAYS: set[type] = {PongMessage}
EXPECTED: dict[Stage, set[type]] = {
    Stage.LOGIN: {LoginRequest},
    Stage.ENTERING: set(),
    Stage.NUMBER: {NumPlayersResponse},
    Stage.LOBBY: set(),
    Stage.TAKING: {PickTileRequest, UnpickTileRequest, ConfirmPickRequest, ChatMessage},
    Stage.FILLING: {ConfirmColumnRequest, ChatMessage},
    Stage.ORDERING: {ConfirmOrderNotify, ChatMessage},
    Stage.WATCHING: {ChatMessage},
}
