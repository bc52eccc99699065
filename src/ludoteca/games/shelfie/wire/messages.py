"""The messages of the seed, and its words for tiles, boards and goals.

Names and fields are those of 003_d423dbe5f99a4b1e.txt; what was added to them says so.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Literal

import msgspec

from ludoteca.core.bounds import Given
from ludoteca.games.shelfie.data import PERSONAL_GOALS, PERSONAL_POINTS, Tile
from ludoteca.games.shelfie.state import Grid
from ludoteca.games.shelfie.view import View

WireTile = Literal["EMPTY", "GREEN", "WHITE", "YELLOW", "BLUE", "LBLUE", "PINK"]
WIRE_TILES: dict[Tile | None, WireTile] = {
    None: "EMPTY",
    "cat": "GREEN",
    "book": "WHITE",
    "game": "YELLOW",
    "frame": "BLUE",
    "trophy": "LBLUE",
    "plant": "PINK",
}
TILES_BY_WIRE: dict[WireTile, Tile] = {name: tile for tile, name in WIRE_TILES.items() if tile}


class Position(msgspec.Struct, frozen=True):
    row: Given
    column: Given


class BoardCell(msgspec.Struct, frozen=True):
    row: Given
    column: Given
    tile: WireTile


class Board(msgspec.Struct, frozen=True):
    """Every space of the living room, the empty ones too, in reading order."""

    cells: tuple[BoardCell, ...]


class Bookshelf(msgspec.Struct, frozen=True):
    """Six rows of five, top first."""

    rows: tuple[tuple[WireTile, ...], ...]


class Token(msgspec.Struct, frozen=True):
    """The token on top of a stack, 0 when there is none left."""

    value: int


class CommonGoal(msgspec.Struct, frozen=True):
    id: int
    name: str


class PersonalGoal(msgspec.Struct, frozen=True):
    """Tile k belongs at position k; `rewards` are the points by number of tiles in place."""

    id: int
    positions: tuple[Position, ...]
    tiles: tuple[WireTile, ...]
    rewards: dict[str, int]


class _Message(msgspec.Struct, frozen=True, tag=True, rename="camel"):
    pass


# What a client says.


class LoginRequest(_Message, frozen=True, omit_defaults=True):
    """Ask for a name. With a token (which the seed does not have) the seat it belongs to is taken again."""

    nickname: str
    token: str | None = None


class NumPlayersResponse(_Message, frozen=True):
    num_players: Given


class PickTileRequest(_Message, frozen=True):
    position: Position


class UnpickTileRequest(_Message, frozen=True):
    position: Position


class ConfirmPickRequest(_Message, frozen=True):
    pass


class ConfirmColumnRequest(_Message, frozen=True):
    column_number: Given


class ConfirmOrderNotify(_Message, frozen=True):
    """The final order, the first lowest."""

    picked_tiles: tuple[WireTile, ...]


class ChatMessage(_Message, frozen=True, kw_only=True):
    """Both ways; without a receiver it is for all."""

    player: str
    receiver: str | None = None
    text_message: str


class PongMessage(_Message, frozen=True):
    pass


# What the player to move says.
Move = PickTileRequest | UnpickTileRequest | ConfirmPickRequest | ConfirmColumnRequest | ConfirmOrderNotify
ClientMessage = LoginRequest | NumPlayersResponse | Move | ChatMessage | PongMessage


# What the server says.


class LoginResponse(_Message, frozen=True):
    """The name, or null when it cannot be had."""

    nickname: str | None


class NumPlayersRequest(_Message, frozen=True):
    pass


class LobbyInfoMessage(_Message, frozen=True):
    """Somebody came (or left): how many are wanted, who is there."""

    size_lobby: int
    lobby: tuple[str, ...]
    new_player_connected: bool
    player_name: str


class GameStartNotify(_Message, frozen=True):
    """The match begins, or goes on for somebody who returned.

    `token` takes the seat again; the seed has none.
    """

    board: Board
    common_goals: tuple[CommonGoal, ...]
    common_goals_tokens: tuple[Token, ...]
    personal_goal: PersonalGoal
    players: tuple[str, ...]
    next_player: str
    token: str


class PickTileResponse(_Message, frozen=True):
    valid: bool
    picked_tiles: tuple[WireTile, ...]


class UnpickTileResponse(_Message, frozen=True):
    picked_tiles: tuple[WireTile, ...]
    successful: bool


class ConfirmPickResponse(_Message, frozen=True):
    board: Board
    valid: bool


class ConfirmColumnResponse(_Message, frozen=True):
    valid: bool
    need_for_swap: bool


class EndTurnNotify(_Message, frozen=True):
    """What became of a turn; on the last of the match, the next player is the same."""

    board: Board
    bookshelf: Bookshelf
    common_goals_tokens: tuple[Token, ...]
    points: int
    end_game: bool
    player: str
    next_player: str


class GameResultNotify(_Message, frozen=True):
    points: dict[str, int]
    winner: str


class PlayerDisconnectedNotify(_Message, frozen=True):
    disconnected_player: str


class PingMessage(_Message, frozen=True):
    pass


class ErrorMessage(_Message, frozen=True):
    """What was wrong; an addition to the seed that a client may ignore."""

    message: str


ServerMessage = (
    LoginResponse
    | NumPlayersRequest
    | LobbyInfoMessage
    | GameStartNotify
    | PickTileResponse
    | UnpickTileResponse
    | ConfirmPickResponse
    | ConfirmColumnResponse
    | EndTurnNotify
    | GameResultNotify
    | PlayerDisconnectedNotify
    | ChatMessage
    | PingMessage
    | ErrorMessage
)

# All connections of a table show the same boards.


@lru_cache(maxsize=256)
def board_of(room: Grid, mask: tuple[tuple[int, ...], ...]) -> Board:
    """The living room."""
    return Board(
        tuple(
            [
                BoardCell(row, column, WIRE_TILES[room[row][column]])
                for row, dots in enumerate(mask)
                for column, used in enumerate(dots)
                if used
            ]
        )
    )


@lru_cache(maxsize=256)
def bookshelf_of(grid: Grid) -> Bookshelf:
    """A bookshelf."""
    return Bookshelf(tuple(map(wire_tiles, grid)))


def wire_tiles(tiles: Iterable[Tile | None]) -> tuple[WireTile, ...]:
    """The wire's names of tiles."""
    return tuple([WIRE_TILES[tile] for tile in tiles])


def personal_goal_of(card: int) -> PersonalGoal:
    """A personal goal."""
    cells = PERSONAL_GOALS[card]
    return PersonalGoal(
        card,
        tuple(Position(cell.row, cell.column) for cell, _ in cells),
        tuple(WIRE_TILES[tile] for _, tile in cells),
        {str(count): points for count, points in enumerate(PERSONAL_POINTS) if count},
    )


def tokens_of(view: View) -> tuple[Token, ...]:
    """The tokens on top of the two stacks."""
    return tuple(Token(common.tokens[0] if common.tokens else 0) for common in view.commons)
