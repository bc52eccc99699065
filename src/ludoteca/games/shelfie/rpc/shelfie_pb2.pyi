from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Tile(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    EMPTY: _ClassVar[Tile]
    GREEN: _ClassVar[Tile]
    WHITE: _ClassVar[Tile]
    YELLOW: _ClassVar[Tile]
    BLUE: _ClassVar[Tile]
    LBLUE: _ClassVar[Tile]
    PINK: _ClassVar[Tile]
EMPTY: Tile
GREEN: Tile
WHITE: Tile
YELLOW: Tile
BLUE: Tile
LBLUE: Tile
PINK: Tile

class Position(_message.Message):
    __slots__ = ("row", "column")
    ROW_FIELD_NUMBER: _ClassVar[int]
    COLUMN_FIELD_NUMBER: _ClassVar[int]
    row: int
    column: int
    def __init__(self, row: _Optional[int] = ..., column: _Optional[int] = ...) -> None: ...

class Cell(_message.Message):
    __slots__ = ("row", "column", "tile")
    ROW_FIELD_NUMBER: _ClassVar[int]
    COLUMN_FIELD_NUMBER: _ClassVar[int]
    TILE_FIELD_NUMBER: _ClassVar[int]
    row: int
    column: int
    tile: Tile
    def __init__(self, row: _Optional[int] = ..., column: _Optional[int] = ..., tile: _Optional[_Union[Tile, str]] = ...) -> None: ...

class Board(_message.Message):
    __slots__ = ("cells",)
    CELLS_FIELD_NUMBER: _ClassVar[int]
    cells: _containers.RepeatedCompositeFieldContainer[Cell]
    def __init__(self, cells: _Optional[_Iterable[_Union[Cell, _Mapping]]] = ...) -> None: ...

class BookshelfRow(_message.Message):
    __slots__ = ("tiles",)
    TILES_FIELD_NUMBER: _ClassVar[int]
    tiles: _containers.RepeatedScalarFieldContainer[Tile]
    def __init__(self, tiles: _Optional[_Iterable[_Union[Tile, str]]] = ...) -> None: ...

class Bookshelf(_message.Message):
    __slots__ = ("rows",)
    ROWS_FIELD_NUMBER: _ClassVar[int]
    rows: _containers.RepeatedCompositeFieldContainer[BookshelfRow]
    def __init__(self, rows: _Optional[_Iterable[_Union[BookshelfRow, _Mapping]]] = ...) -> None: ...

class Token(_message.Message):
    __slots__ = ("value",)
    VALUE_FIELD_NUMBER: _ClassVar[int]
    value: int
    def __init__(self, value: _Optional[int] = ...) -> None: ...

class CommonGoal(_message.Message):
    __slots__ = ("id", "name")
    ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    id: int
    name: str
    def __init__(self, id: _Optional[int] = ..., name: _Optional[str] = ...) -> None: ...

class PersonalGoal(_message.Message):
    __slots__ = ("id", "positions", "tiles", "rewards")
    class RewardsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: int
        value: int
        def __init__(self, key: _Optional[int] = ..., value: _Optional[int] = ...) -> None: ...
    ID_FIELD_NUMBER: _ClassVar[int]
    POSITIONS_FIELD_NUMBER: _ClassVar[int]
    TILES_FIELD_NUMBER: _ClassVar[int]
    REWARDS_FIELD_NUMBER: _ClassVar[int]
    id: int
    positions: _containers.RepeatedCompositeFieldContainer[Position]
    tiles: _containers.RepeatedScalarFieldContainer[Tile]
    rewards: _containers.ScalarMap[int, int]
    def __init__(self, id: _Optional[int] = ..., positions: _Optional[_Iterable[_Union[Position, _Mapping]]] = ..., tiles: _Optional[_Iterable[_Union[Tile, str]]] = ..., rewards: _Optional[_Mapping[int, int]] = ...) -> None: ...

class LoginRequest(_message.Message):
    __slots__ = ("nickname", "token")
    NICKNAME_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    nickname: str
    token: str
    def __init__(self, nickname: _Optional[str] = ..., token: _Optional[str] = ...) -> None: ...

class LoginResponse(_message.Message):
    __slots__ = ("nickname",)
    NICKNAME_FIELD_NUMBER: _ClassVar[int]
    nickname: str
    def __init__(self, nickname: _Optional[str] = ...) -> None: ...

class NumPlayersRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class NumPlayersResponse(_message.Message):
    __slots__ = ("numPlayers",)
    NUMPLAYERS_FIELD_NUMBER: _ClassVar[int]
    numPlayers: int
    def __init__(self, numPlayers: _Optional[int] = ...) -> None: ...

class LobbyInfoMessage(_message.Message):
    __slots__ = ("sizeLobby", "lobby", "newPlayerConnected", "playerName")
    SIZELOBBY_FIELD_NUMBER: _ClassVar[int]
    LOBBY_FIELD_NUMBER: _ClassVar[int]
    NEWPLAYERCONNECTED_FIELD_NUMBER: _ClassVar[int]
    PLAYERNAME_FIELD_NUMBER: _ClassVar[int]
    sizeLobby: int
    lobby: _containers.RepeatedScalarFieldContainer[str]
    newPlayerConnected: bool
    playerName: str
    def __init__(self, sizeLobby: _Optional[int] = ..., lobby: _Optional[_Iterable[str]] = ..., newPlayerConnected: _Optional[bool] = ..., playerName: _Optional[str] = ...) -> None: ...

class GameStartNotify(_message.Message):
    __slots__ = ("board", "commonGoals", "commonGoalsTokens", "personalGoal", "players", "nextPlayer", "token")
    BOARD_FIELD_NUMBER: _ClassVar[int]
    COMMONGOALS_FIELD_NUMBER: _ClassVar[int]
    COMMONGOALSTOKENS_FIELD_NUMBER: _ClassVar[int]
    PERSONALGOAL_FIELD_NUMBER: _ClassVar[int]
    PLAYERS_FIELD_NUMBER: _ClassVar[int]
    NEXTPLAYER_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    board: Board
    commonGoals: _containers.RepeatedCompositeFieldContainer[CommonGoal]
    commonGoalsTokens: _containers.RepeatedCompositeFieldContainer[Token]
    personalGoal: PersonalGoal
    players: _containers.RepeatedScalarFieldContainer[str]
    nextPlayer: str
    token: str
    def __init__(self, board: _Optional[_Union[Board, _Mapping]] = ..., commonGoals: _Optional[_Iterable[_Union[CommonGoal, _Mapping]]] = ..., commonGoalsTokens: _Optional[_Iterable[_Union[Token, _Mapping]]] = ..., personalGoal: _Optional[_Union[PersonalGoal, _Mapping]] = ..., players: _Optional[_Iterable[str]] = ..., nextPlayer: _Optional[str] = ..., token: _Optional[str] = ...) -> None: ...

class PickTileRequest(_message.Message):
    __slots__ = ("position",)
    POSITION_FIELD_NUMBER: _ClassVar[int]
    position: Position
    def __init__(self, position: _Optional[_Union[Position, _Mapping]] = ...) -> None: ...

class PickTileResponse(_message.Message):
    __slots__ = ("valid", "pickedTiles")
    VALID_FIELD_NUMBER: _ClassVar[int]
    PICKEDTILES_FIELD_NUMBER: _ClassVar[int]
    valid: bool
    pickedTiles: _containers.RepeatedScalarFieldContainer[Tile]
    def __init__(self, valid: _Optional[bool] = ..., pickedTiles: _Optional[_Iterable[_Union[Tile, str]]] = ...) -> None: ...

class UnpickTileRequest(_message.Message):
    __slots__ = ("position",)
    POSITION_FIELD_NUMBER: _ClassVar[int]
    position: Position
    def __init__(self, position: _Optional[_Union[Position, _Mapping]] = ...) -> None: ...

class UnpickTileResponse(_message.Message):
    __slots__ = ("pickedTiles", "successful")
    PICKEDTILES_FIELD_NUMBER: _ClassVar[int]
    SUCCESSFUL_FIELD_NUMBER: _ClassVar[int]
    pickedTiles: _containers.RepeatedScalarFieldContainer[Tile]
    successful: bool
    def __init__(self, pickedTiles: _Optional[_Iterable[_Union[Tile, str]]] = ..., successful: _Optional[bool] = ...) -> None: ...

class ConfirmPickRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ConfirmPickResponse(_message.Message):
    __slots__ = ("board", "valid")
    BOARD_FIELD_NUMBER: _ClassVar[int]
    VALID_FIELD_NUMBER: _ClassVar[int]
    board: Board
    valid: bool
    def __init__(self, board: _Optional[_Union[Board, _Mapping]] = ..., valid: _Optional[bool] = ...) -> None: ...

class ConfirmColumnRequest(_message.Message):
    __slots__ = ("columnNumber",)
    COLUMNNUMBER_FIELD_NUMBER: _ClassVar[int]
    columnNumber: int
    def __init__(self, columnNumber: _Optional[int] = ...) -> None: ...

class ConfirmColumnResponse(_message.Message):
    __slots__ = ("valid", "needForSwap")
    VALID_FIELD_NUMBER: _ClassVar[int]
    NEEDFORSWAP_FIELD_NUMBER: _ClassVar[int]
    valid: bool
    needForSwap: bool
    def __init__(self, valid: _Optional[bool] = ..., needForSwap: _Optional[bool] = ...) -> None: ...

class ConfirmOrderNotify(_message.Message):
    __slots__ = ("pickedTiles",)
    PICKEDTILES_FIELD_NUMBER: _ClassVar[int]
    pickedTiles: _containers.RepeatedScalarFieldContainer[Tile]
    def __init__(self, pickedTiles: _Optional[_Iterable[_Union[Tile, str]]] = ...) -> None: ...

class EndTurnNotify(_message.Message):
    __slots__ = ("board", "bookshelf", "commonGoalsTokens", "points", "endGame", "player", "nextPlayer")
    BOARD_FIELD_NUMBER: _ClassVar[int]
    BOOKSHELF_FIELD_NUMBER: _ClassVar[int]
    COMMONGOALSTOKENS_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    ENDGAME_FIELD_NUMBER: _ClassVar[int]
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    NEXTPLAYER_FIELD_NUMBER: _ClassVar[int]
    board: Board
    bookshelf: Bookshelf
    commonGoalsTokens: _containers.RepeatedCompositeFieldContainer[Token]
    points: int
    endGame: bool
    player: str
    nextPlayer: str
    def __init__(self, board: _Optional[_Union[Board, _Mapping]] = ..., bookshelf: _Optional[_Union[Bookshelf, _Mapping]] = ..., commonGoalsTokens: _Optional[_Iterable[_Union[Token, _Mapping]]] = ..., points: _Optional[int] = ..., endGame: _Optional[bool] = ..., player: _Optional[str] = ..., nextPlayer: _Optional[str] = ...) -> None: ...

class GameResultNotify(_message.Message):
    __slots__ = ("points", "winner")
    class PointsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: int
        def __init__(self, key: _Optional[str] = ..., value: _Optional[int] = ...) -> None: ...
    POINTS_FIELD_NUMBER: _ClassVar[int]
    WINNER_FIELD_NUMBER: _ClassVar[int]
    points: _containers.ScalarMap[str, int]
    winner: str
    def __init__(self, points: _Optional[_Mapping[str, int]] = ..., winner: _Optional[str] = ...) -> None: ...

class PlayerDisconnectedNotify(_message.Message):
    __slots__ = ("disconnectedPlayer",)
    DISCONNECTEDPLAYER_FIELD_NUMBER: _ClassVar[int]
    disconnectedPlayer: str
    def __init__(self, disconnectedPlayer: _Optional[str] = ...) -> None: ...

class ChatMessage(_message.Message):
    __slots__ = ("player", "receiver", "textMessage")
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    RECEIVER_FIELD_NUMBER: _ClassVar[int]
    TEXTMESSAGE_FIELD_NUMBER: _ClassVar[int]
    player: str
    receiver: str
    textMessage: str
    def __init__(self, player: _Optional[str] = ..., receiver: _Optional[str] = ..., textMessage: _Optional[str] = ...) -> None: ...

class PingMessage(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class PongMessage(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ErrorMessage(_message.Message):
    __slots__ = ("message",)
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    message: str
    def __init__(self, message: _Optional[str] = ...) -> None: ...

class ConnectRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Connection(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class Ack(_message.Message):
    __slots__ = ("accepted",)
    ACCEPTED_FIELD_NUMBER: _ClassVar[int]
    accepted: bool
    def __init__(self, accepted: _Optional[bool] = ...) -> None: ...

class ServerMessage(_message.Message):
    __slots__ = ("seq", "num_players_request", "lobby_info", "game_start", "confirm_pick", "confirm_column", "end_turn", "game_result", "player_disconnected", "chat", "ping", "error", "pick_tile", "login", "unpick_tile")
    SEQ_FIELD_NUMBER: _ClassVar[int]
    NUM_PLAYERS_REQUEST_FIELD_NUMBER: _ClassVar[int]
    LOBBY_INFO_FIELD_NUMBER: _ClassVar[int]
    GAME_START_FIELD_NUMBER: _ClassVar[int]
    CONFIRM_PICK_FIELD_NUMBER: _ClassVar[int]
    CONFIRM_COLUMN_FIELD_NUMBER: _ClassVar[int]
    END_TURN_FIELD_NUMBER: _ClassVar[int]
    GAME_RESULT_FIELD_NUMBER: _ClassVar[int]
    PLAYER_DISCONNECTED_FIELD_NUMBER: _ClassVar[int]
    CHAT_FIELD_NUMBER: _ClassVar[int]
    PING_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    PICK_TILE_FIELD_NUMBER: _ClassVar[int]
    LOGIN_FIELD_NUMBER: _ClassVar[int]
    UNPICK_TILE_FIELD_NUMBER: _ClassVar[int]
    seq: int
    num_players_request: NumPlayersRequest
    lobby_info: LobbyInfoMessage
    game_start: GameStartNotify
    confirm_pick: ConfirmPickResponse
    confirm_column: ConfirmColumnResponse
    end_turn: EndTurnNotify
    game_result: GameResultNotify
    player_disconnected: PlayerDisconnectedNotify
    chat: ChatMessage
    ping: PingMessage
    error: ErrorMessage
    pick_tile: PickTileResponse
    login: LoginResponse
    unpick_tile: UnpickTileResponse
    def __init__(self, seq: _Optional[int] = ..., num_players_request: _Optional[_Union[NumPlayersRequest, _Mapping]] = ..., lobby_info: _Optional[_Union[LobbyInfoMessage, _Mapping]] = ..., game_start: _Optional[_Union[GameStartNotify, _Mapping]] = ..., confirm_pick: _Optional[_Union[ConfirmPickResponse, _Mapping]] = ..., confirm_column: _Optional[_Union[ConfirmColumnResponse, _Mapping]] = ..., end_turn: _Optional[_Union[EndTurnNotify, _Mapping]] = ..., game_result: _Optional[_Union[GameResultNotify, _Mapping]] = ..., player_disconnected: _Optional[_Union[PlayerDisconnectedNotify, _Mapping]] = ..., chat: _Optional[_Union[ChatMessage, _Mapping]] = ..., ping: _Optional[_Union[PingMessage, _Mapping]] = ..., error: _Optional[_Union[ErrorMessage, _Mapping]] = ..., pick_tile: _Optional[_Union[PickTileResponse, _Mapping]] = ..., login: _Optional[_Union[LoginResponse, _Mapping]] = ..., unpick_tile: _Optional[_Union[UnpickTileResponse, _Mapping]] = ...) -> None: ...

class ServerMessages(_message.Message):
    __slots__ = ("messages",)
    MESSAGES_FIELD_NUMBER: _ClassVar[int]
    messages: _containers.RepeatedCompositeFieldContainer[ServerMessage]
    def __init__(self, messages: _Optional[_Iterable[_Union[ServerMessage, _Mapping]]] = ...) -> None: ...

class ClientMessage(_message.Message):
    __slots__ = ("login", "num_players", "pick_tile", "unpick_tile", "confirm_pick", "confirm_column", "confirm_order", "chat", "pong")
    LOGIN_FIELD_NUMBER: _ClassVar[int]
    NUM_PLAYERS_FIELD_NUMBER: _ClassVar[int]
    PICK_TILE_FIELD_NUMBER: _ClassVar[int]
    UNPICK_TILE_FIELD_NUMBER: _ClassVar[int]
    CONFIRM_PICK_FIELD_NUMBER: _ClassVar[int]
    CONFIRM_COLUMN_FIELD_NUMBER: _ClassVar[int]
    CONFIRM_ORDER_FIELD_NUMBER: _ClassVar[int]
    CHAT_FIELD_NUMBER: _ClassVar[int]
    PONG_FIELD_NUMBER: _ClassVar[int]
    login: LoginRequest
    num_players: NumPlayersResponse
    pick_tile: PickTileRequest
    unpick_tile: UnpickTileRequest
    confirm_pick: ConfirmPickRequest
    confirm_column: ConfirmColumnRequest
    confirm_order: ConfirmOrderNotify
    chat: ChatMessage
    pong: PongMessage
    def __init__(self, login: _Optional[_Union[LoginRequest, _Mapping]] = ..., num_players: _Optional[_Union[NumPlayersResponse, _Mapping]] = ..., pick_tile: _Optional[_Union[PickTileRequest, _Mapping]] = ..., unpick_tile: _Optional[_Union[UnpickTileRequest, _Mapping]] = ..., confirm_pick: _Optional[_Union[ConfirmPickRequest, _Mapping]] = ..., confirm_column: _Optional[_Union[ConfirmColumnRequest, _Mapping]] = ..., confirm_order: _Optional[_Union[ConfirmOrderNotify, _Mapping]] = ..., chat: _Optional[_Union[ChatMessage, _Mapping]] = ..., pong: _Optional[_Union[PongMessage, _Mapping]] = ...) -> None: ...

class ClientMessages(_message.Message):
    __slots__ = ("messages",)
    MESSAGES_FIELD_NUMBER: _ClassVar[int]
    messages: _containers.RepeatedCompositeFieldContainer[ClientMessage]
    def __init__(self, messages: _Optional[_Iterable[_Union[ClientMessage, _Mapping]]] = ...) -> None: ...
