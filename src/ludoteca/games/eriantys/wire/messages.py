"""The 22 messages of the seed, and the board state that some of them carry."""

import msgspec

from ludoteca.core.bounds import Given
from ludoteca.games.eriantys.data import Colour, Mode, Phase, Tower

# What a client sends.


class _Message(msgspec.Struct, frozen=True, tag=True):
    pass


class GameInfo(msgspec.Struct, frozen=True):
    """The settings of a game. Wrong values are asked again, so they are let in here."""

    gameName: str
    gameMode: str
    numPlayers: Given


class NewGameMessage(_Message, frozen=True):
    """Open a game."""

    playerID: str
    gameInfo: GameInfo


class AskGameListMessage(_Message, frozen=True):
    """Ask for the games that wait for players."""

    playerID: str


class SelectGameMessage(_Message, frozen=True):
    """Sit down at a game."""

    playerID: str
    gameName: str


class SetNickname(_Message, frozen=True, omit_defaults=True):
    """Name yourself; with the token of GameStart a seat is taken again."""

    playerID: str
    nickname: str
    token: str = ""


class SetTowerColor(_Message, frozen=True):
    """Choose towers."""

    playerID: str
    color: str


class AssistantCard(msgspec.Struct, frozen=True):
    """An assistant; a client may leave the steps out."""

    value: Given
    steps: Given = 0


class SetAssistantCard(_Message, frozen=True):
    """Play an assistant."""

    nickname: str
    assistantCard: AssistantCard


class WireAction(msgspec.Struct, frozen=True, omit_defaults=True):
    """An action: its kind, and whatever of the other fields that kind needs. Clouds are counted from 1."""

    actionType: str
    color: str = ""
    island: Given = -1
    steps: Given = 0
    cloud: Given = 0
    character: Given = 0
    colorFromCard: str = ""
    colorFromEntrance: str = ""
    colorFromDining: str = ""
    stop: bool = False


class SetAction(_Message, frozen=True):
    """Do something in the own turn."""

    nickname: str
    action: WireAction


class Heartbeat(_Message, frozen=True):
    """I am still here; both sides say so."""


ClientMessage = (
    NewGameMessage
    | AskGameListMessage
    | SelectGameMessage
    | SetNickname
    | SetTowerColor
    | SetAssistantCard
    | SetAction
    | Heartbeat
)


# What the server sends.


class NotifyPlayerIdMessage(_Message, frozen=True):
    """The id that goes into the client's messages until the game starts."""

    playerID: str


class AskNewGameName(_Message, frozen=True):
    """The game could not be opened: choose another name."""


class GameListMessage(_Message, frozen=True):
    """The games that can be selected."""

    gameList: list[GameInfo]


class AskNewGameChoice(_Message, frozen=True):
    """The game is full or gone: choose another."""


class AskNickname(_Message, frozen=True):
    """Who are you?"""

    isFirstRequest: bool


class AskTowerColor(_Message, frozen=True):
    """Which of these towers?"""

    possibleColors: list[Tower]
    isFirstRequest: bool


class AckTowerColor(_Message, frozen=True):
    """The towers are yours; the game starts when everybody has some."""


class Students(msgspec.Struct, frozen=True):
    """Students by colour."""

    green: int
    red: int
    yellow: int
    pink: int
    blue: int


class BoardIsland(msgspec.Struct, frozen=True):
    """A group of islands."""

    id: int
    tiles: tuple[int, ...]
    size: int
    students: Students
    tower: Tower | None
    noEntry: int


class BoardCloud(msgspec.Struct, frozen=True):
    """A cloud, counted from 1."""

    id: int
    students: Students


class BoardPlayer(msgspec.Struct, frozen=True):
    """A player's school."""

    nickname: str
    towerColor: Tower
    towers: int
    coins: int
    entrance: Students
    diningRoom: Students
    assistants: tuple[int, ...]
    lastAssistant: AssistantCard | None


class BoardCharacter(msgspec.Struct, frozen=True):
    """A character card."""

    id: int
    cost: int
    coinOnCard: bool
    students: Students | None
    noEntry: int | None


class BoardActive(msgspec.Struct, frozen=True):
    """The character used in this turn."""

    id: int
    player: str
    swaps: int | None
    color: Colour | None


class Board(msgspec.Struct, frozen=True):
    """The board state."""

    gameName: str
    gameMode: Mode
    numPlayers: Given
    round: int
    phase: Phase
    firstPlayer: str
    currentPlayer: str
    turnOrder: list[str]
    lastRound: bool
    motherNature: int
    islands: list[BoardIsland]
    clouds: list[BoardCloud]
    professors: dict[Colour, str | None]
    players: list[BoardPlayer]
    bagCount: int
    coinSupply: int
    characters: list[BoardCharacter]
    activeCharacter: BoardActive | None


class GameStart(_Message, frozen=True, omit_defaults=True):
    """The game begins, or goes on for a player who returned; the token takes the seat again."""

    game: Board
    firstPlayer: str
    token: str = ""


class AskAssistantCard(_Message, frozen=True):
    """Which of these assistants?"""

    game: Board
    possibleCards: list[AssistantCard]


class UpdateGameBoard(_Message, frozen=True):
    """The board after somebody's action."""

    gameInfo: Board


class AskAction(_Message, frozen=True):
    """Which action, of these kinds?"""

    possibleActions: list[str]
    isFirstRequest: bool


class ShowLastRound(_Message, frozen=True):
    """The game ends with this round."""


class ShowEndGame(_Message, frozen=True):
    """The game is over."""

    winnerNickname: str | None


class ShowDisconnection(_Message, frozen=True):
    """A player is gone, and the game with them."""

    disconnectedNickname: str | None


ServerMessage = (
    NotifyPlayerIdMessage
    | AskNewGameName
    | GameListMessage
    | AskNewGameChoice
    | AskNickname
    | AskTowerColor
    | AckTowerColor
    | GameStart
    | AskAssistantCard
    | UpdateGameBoard
    | AskAction
    | ShowLastRound
    | ShowEndGame
    | ShowDisconnection
    | Heartbeat
)
