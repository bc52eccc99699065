"""Between the protocol's messages and the original's objects.

Columns of the living room are ours less 3 there, tokens are bare numbers, and what it does not know (errors,
tokens for coming back, points at the end) is left out. Bag and goals' predicates are null: nothing is given
away, and its text client never looks at them.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from ludoteca.core.converting import convert
from ludoteca.games.shelfie.wire import messages
from ludoteca.games.shelfie.wire.java.table import TABLE
from ludoteca.games.shelfie.wire.messages import ServerMessage
from ludoteca.wire.java import Constant, Record, alone
from ludoteca.wire.java.tongue import JavaTongue

_types = TABLE.types
_COLUMN_SHIFT = 3


class Objects(JavaTongue):
    """A tongue in which every message begins anew, so that what all are told is written once."""

    table = TABLE

    def understand(self, record: Record) -> messages.ClientMessage:
        """An object of a client as a message. Raises msgspec.ValidationError."""
        fields = {name: _plain(getattr(record, name)) for name in record.__struct_fields__}
        heard: messages.ClientMessage = convert(
            {"type": type(record).__name__, **fields}, messages.ClientMessage
        )
        return heard

    def write(self, said: list[ServerMessage]) -> bytes:
        """Messages of the server; nothing where the original has no class."""
        return b"".join(map(_write, said))


def _plain(value: Any) -> Any:
    """A field as JSON would have it; what it cannot be stays as it is, to be refused."""
    if isinstance(value, _types.Position):
        return {"row": value.row, "column": value.column + _COLUMN_SHIFT}
    if isinstance(value, list):
        return [each.name if isinstance(each, Constant) else each for each in value]
    return value


def _write(message: ServerMessage) -> bytes:
    # Everybody at a table is shown these two.
    if isinstance(message, messages.ConfirmPickResponse | messages.EndTurnNotify):
        return _written(message)
    said = say(message)
    return b"" if said is None else alone(TABLE, said)


@lru_cache(maxsize=256)
def _written(message: messages.ConfirmPickResponse | messages.EndTurnNotify) -> bytes:
    return alone(TABLE, say(message))


def say(message: ServerMessage) -> Any:
    """An object for a message; None where the original has no class."""
    match message:
        case messages.LoginResponse(nickname):
            return _types.LoginResponse(nickname=nickname)
        case messages.NumPlayersRequest():
            return _types.NumPlayersRequest()
        case messages.LobbyInfoMessage(size, lobby, came, name):
            return _types.LobbyInfoMessage(
                newPlayerConnected=came, sizeLobby=size, lobby=list(lobby), playerName=name
            )
        case messages.GameStartNotify():
            return _start(message)
        case messages.PickTileResponse(valid, tiles):
            return _types.PickTileResponse(valid=valid, pickedTiles=_tiles(tiles))
        case messages.UnpickTileResponse(tiles, successful):
            return _types.UnpickTileResponse(successful=successful, pickedTiles=_tiles(tiles))
        case messages.ConfirmPickResponse(board, valid):
            return _types.ConfirmPickResponse(valid=valid, board=_board(board))
        case messages.ConfirmColumnResponse(valid, need_for_swap):
            return _types.ConfirmColumnResponse(needForSwap=need_for_swap, valid=valid)
        case messages.EndTurnNotify():
            return _end_turn(message)
        case messages.GameResultNotify():
            return _types.GameResultNotify()
        case messages.PlayerDisconnectedNotify(name):
            return _types.PlayerDisconnectedNotify(disconnectedPlayer=name)
        case messages.ChatMessage(player=player, receiver=receiver, text_message=text):
            return _types.ChatMessage(player=player, receiver=receiver, textMessage=text)
        case messages.PingMessage():
            return _types.PingMessage()
        case messages.ErrorMessage():
            return None


def _start(start: messages.GameStartNotify) -> Any:
    goal = start.personal_goal
    return _types.GameStartNotify(
        board=_board(start.board),
        commonGoals=[_types.CommonGoal(id=common.id, name=common.name) for common in start.common_goals],
        commonGoalsTokens=[token.value for token in start.common_goals_tokens],
        nextPlayer=start.next_player,
        personalGoal=_types.PersonalGoal(
            id=goal.id,
            positions=[_types.Position(row=place.row, column=place.column) for place in goal.positions],
            rewards={int(count): points for count, points in goal.rewards.items()},
            tiles=_tiles(goal.tiles),
        ),
        players=list(start.players),
    )


def _end_turn(end: messages.EndTurnNotify) -> Any:
    return _types.EndTurnNotify(
        endGame=end.end_game,
        points=end.points,
        board=_board(end.board),
        bookshelf=_types.Bookshelf([_tiles(row) for row in end.bookshelf.rows]),
        commonGoalsTokens=[token.value for token in end.common_goals_tokens],
        nextPlayer=end.next_player,
        player=end.player,
    )


def _board(board: messages.Board) -> Any:
    tile = _types.Tile
    return _types.Board(
        board={
            _types.Position(row=cell.row, column=cell.column - _COLUMN_SHIFT): tile[cell.tile]
            for cell in board.cells
        }
    )


def _tiles(names: Iterable[messages.WireTile]) -> list[Constant]:
    return [_types.Tile[name] for name in names]
