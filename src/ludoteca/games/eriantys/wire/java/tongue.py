"""Between the protocol's messages and the original's objects: its words, and its whole model of the game.

Bag and rules are null, which its text client never minds; so is what only its own server knows. A character
has our words. The player who reads is known by the id that was told; the others' ids are nobody's business.
"""

from typing import Any

import msgspec

from ludoteca.core.converting import convert
from ludoteca.games.eriantys.wire import messages
from ludoteca.games.eriantys.wire.java.model import (
    ASSISTANTS,
    MODES,
    OPENING,
    PIECES,
    STRANGERS,
    TOWERS,
    actions,
    model,
)
from ludoteca.games.eriantys.wire.java.table import TABLE
from ludoteca.games.eriantys.wire.messages import Board, ClientMessage, ServerMessage
from ludoteca.wire.java import Constant, Record, alone
from ludoteca.wire.java.tongue import JavaTongue

_types = TABLE.types
_FROM_SERVER = _types.MessageType["CV"]
_COLOURS: dict[Constant, str] = {piece: colour for colour, piece in PIECES.items()}

# The last boards as bytes: the players of a table are told one after the other.
_pack = msgspec.msgpack.Encoder().encode
_made: dict[bytes, bytes] = {}
_MADE_MAX = 64

# What the two pieces and the number of an action are, by its kind.
_MEANT: dict[str, tuple[str, str, str]] = {
    "MOVE_STUDENT_TO_ISLAND": ("color", "", "island"),
    "MOVE_STUDENT_TO_DININGROOM": ("color", "", ""),
    "MOVE_MOTHER_NATURE": ("", "", "steps"),
    "CHOOSE_CLOUD": ("", "", "cloud"),
    "CHOOSE_CHARACTER": ("", "", "character"),
    "STUDENT_FROM_CARD_TO_ISLAND": ("color", "", "island"),
    "DOUBLE_INFLUENCE": ("", "", "island"),
    "NO_INFLUENCE": ("", "", "island"),
    "STUDENT_FROM_CARD_TO_ENTRANCE": ("colorFromCard", "colorFromEntrance", "stop"),
    "STUDENT_FROM_ENTRANCE_TO_DINING": ("colorFromEntrance", "colorFromDining", "stop"),
    "COLOR_NO_INFLUENCE": ("color", "", ""),
    "STUDENT_FROM_CARD_TO_DINING": ("color", "", ""),
    "STUDENT_FROM_DINING_TO_BAG": ("color", "", ""),
}
_STOP = -1


class Objects(JavaTongue):
    """One client's tongue. Boards are the same for everybody but for the reader's own id."""

    table = TABLE

    def __init__(self) -> None:
        super().__init__()
        self._id = b""
        self._nickname = ""

    # In.

    def understand(self, record: Record) -> ClientMessage:
        """An object of a client as a message. Raises msgspec.ValidationError."""
        kind = type(record).__name__
        plain = {"type": "Heartbeat" if kind == "HeartbeatMessage" else kind, **_fields(record)}
        heard: ClientMessage = convert(plain, ClientMessage)
        if isinstance(heard, messages.SetNickname):
            self._nickname = heard.nickname.casefold()
        return heard

    # Out.

    def write(self, said: list[ServerMessage]) -> bytes:
        """Messages of the server."""
        return b"".join(map(self._write, said))

    def _write(self, message: ServerMessage) -> bytes:
        match message:
            case messages.NotifyPlayerIdMessage(player_id):
                self._id = player_id.encode()
            case messages.GameStart(game) | messages.AskAssistantCard(game) | messages.UpdateGameBoard(game):
                return self._mark(game, _with_board(message))
        return alone(TABLE, _say(message))

    def _mark(self, board: Board, data: bytes) -> bytes:
        """The reader finds itself by its id."""
        for seat, player in enumerate(board.players):
            if player.nickname.casefold() == self._nickname:
                return data.replace(STRANGERS[seat].encode(), self._id)
        return data


def _fields(record: Any) -> dict[str, Any]:
    """The fields of a client's object as JSON would have them; what they cannot be stays, to be refused."""
    match record:
        case _types.SetAssistantCard(assistantCard=_types.AssistantCard() as card, nickname=name):
            return {"nickname": name, "assistantCard": {"value": card.cardValue, "steps": card.movements}}
        case _types.SetAction(action=action, nickname=name):
            return {"nickname": name, "action": _action(action)}
        case _types.NewGameMessage(gameInfo=_types.GameListInfo() as info, playerId=player_id):
            mode = info.gameMode.name.capitalize() if isinstance(info.gameMode, Constant) else info.gameMode
            game = {"gameName": info.gameName, "gameMode": mode, "numPlayers": info.numPlayers}
            return {"playerID": player_id, "gameInfo": game}
        case _types.SetTowerColor(color=Constant() as colour, playerId=player_id):
            return {"playerID": player_id, "color": colour.name.lower()}
        case _types.SelectGameMessage(gameName=name, playerId=player_id):
            return {"playerID": player_id, "gameName": name}
        case _types.SetNickname(nickname=name, playerId=player_id):
            return {"playerID": player_id, "nickname": name}
        case _types.AskGameListMessage(playerId=player_id):
            return {"playerID": player_id}
    return {}


def _action(action: Any) -> Any:
    # The text client says "end" by saying nothing.
    if action is None:
        return {"actionType": "END"}
    if not isinstance(action, _types.Action) or not isinstance(action.actionType, Constant):
        return None
    kind = action.actionType.name
    principal, optional, number = _MEANT.get(kind, ("", "", ""))
    meant = {
        principal: _colour(action.principalPiece),
        optional: _colour(action.optionalPiece),
        number: action.integer == _STOP if number == "stop" else action.integer,
        "actionType": kind,
    }
    meant.pop("", None)
    return meant


def _colour(piece: Any) -> str:
    return _COLOURS.get(piece, "") if isinstance(piece, Constant) else ""


def _say(message: ServerMessage) -> Any:
    """An object for a message without a board."""
    cv = _FROM_SERVER
    match message:
        case messages.NotifyPlayerIdMessage(player_id):
            return _types.NotifyPlayerIdMessage(cv, player_id)
        case messages.GameListMessage(games):
            return _types.GameListMessage(cv, [_info(game) for game in games])
        case messages.AskNickname(is_first):
            return _types.AskNickname(cv, is_first)
        case messages.AskTowerColor(colours, is_first):
            return _types.AskTowerColor(cv, is_first, [TOWERS[colour] for colour in colours])
        case messages.AskAction(kinds, is_first):
            # Its help on characters is one more action.
            offered = [*kinds, "INFO_CHARACTER"] if "CHOOSE_CHARACTER" in kinds else kinds
            return _types.AskAction(cv, not is_first, actions(offered))
        case messages.ShowEndGame(name):
            return _types.ShowEndGame(cv, name)
        case messages.ShowDisconnection(name):
            return _types.ShowDisconnection(cv, name)
        case messages.Heartbeat():
            return _types.HeartbeatMessage(cv)
    # The rest is nothing but its name.
    return getattr(_types, type(message).__name__)(cv)


def _with_board(message: ServerMessage) -> bytes:
    """A message with a board, made once for all who are shown the same."""
    key = _pack(message)
    data = _made.get(key)
    if data is None:
        if len(_made) >= _MADE_MAX:
            _made.clear()
        data = _made[key] = OPENING.message(_say_board(message))
    return data


def _say_board(message: ServerMessage) -> Any:
    said: Any
    match message:
        case messages.GameStart(board, first):
            said = _types.GameStart(_FROM_SERVER, first, model(board))
        case messages.AskAssistantCard(board, cards):
            possible = [ASSISTANTS[card.value] for card in cards]
            said = _types.AskAssistantCard(_FROM_SERVER, model(board), possible)
        case messages.UpdateGameBoard(board):
            said = _types.UpdateGameBoard(_FROM_SERVER, model(board))
    return said


def _info(game: messages.GameInfo) -> Any:
    return _types.GameListInfo(game.numPlayers, MODES[game.gameMode], game.gameName)
