"""A player's side of the seed's protocol, for any server that speaks it."""

from collections.abc import Iterator
from itertools import permutations
from typing import Any, assert_never

import msgspec
from msgspec.structs import replace

from ludoteca.games.shelfie.data import (
    ROOM_COLUMNS,
    ROOM_ROWS,
    SEATS,
    SHELF_COLUMNS,
    SHELF_ROWS,
    TAKE_MAX,
    Cell,
    Tile,
)
from ludoteca.games.shelfie.state import Common, Grid, Wish
from ludoteca.games.shelfie.text import LETTERS, draw, write_cells
from ludoteca.games.shelfie.view import View
from ludoteca.games.shelfie.wire import messages as m
from ludoteca.games.shelfie.wire.messages import TILES_BY_WIRE, WIRE_TILES
from ludoteca.wire.caller import JsonCaller, Reader, Sequel

# Not every server says all that ours does: the first implementation sends bare numbers for tokens, no token
# to return with, and the seed's list has no fields for the result, and its text another name.


class Goal(msgspec.Struct, frozen=True):
    """A personal goal."""

    positions: list[m.Position]
    tiles: list[m.WireTile]


class Start(msgspec.Struct, frozen=True, tag="GameStartNotify", rename="camel"):
    """The match begins, or goes on."""

    board: m.Board
    common_goals: list[m.CommonGoal]
    common_goals_tokens: list[m.Token | int]
    personal_goal: Goal
    players: tuple[str, ...]
    next_player: str


class EndTurn(msgspec.Struct, frozen=True, tag="EndTurnNotify", rename="camel"):
    """What became of a turn."""

    board: m.Board
    bookshelf: m.Bookshelf
    common_goals_tokens: list[m.Token | int]
    points: int
    end_game: bool
    player: str
    next_player: str


class Result(msgspec.Struct, frozen=True, tag="GameResultNotify"):
    """The points of all, and the winner."""

    points: dict[str, int] | None = None
    winner: str | None = None


class Results(Result, frozen=True, tag="GameResultsNotify"):
    """The same by its other name."""


Heard = (
    m.PingMessage
    | m.LoginResponse
    | m.NumPlayersRequest
    | m.LobbyInfoMessage
    | Start
    | m.PickTileResponse
    | m.UnpickTileResponse
    | m.ConfirmPickResponse
    | m.ConfirmColumnResponse
    | EndTurn
    | Result
    | Results
    | m.PlayerDisconnectedNotify
    | m.ChatMessage
    | m.ErrorMessage
)
_READER: Reader[Heard] = Reader(Heard)


class Client(JsonCaller[Heard]):
    """One player in one match.

    Tiles are picked one after the other, as the protocol wants, but asked for at once.
    """

    def __init__(self, nickname: str) -> None:
        super().__init__(nickname, _READER)
        self._tries = 1
        self._view: View | None = None
        # What was asked for and is not picked yet; what is picked; and whose pick the next confirmation is.
        self._wanted: list[Cell] = []
        self._hand: list[Tile] = []

    def greet(self) -> None:
        """Ask for a name first of all."""
        self.say(m.LoginRequest(self.nickname))

    def hear(self, message: Heard) -> None:
        """A message."""
        match message:
            case m.PingMessage():
                self.say(m.PongMessage())
            case m.LoginResponse(name):
                self._named(name)
            case m.NumPlayersRequest():
                counts = {f"{count} players": m.NumPlayersResponse(count) for count in SEATS}
                self.ask("You open this game: for how many players?", counts)
            case m.LobbyInfoMessage(size, lobby, came, name):
                verb = "comes" if came else "leaves"
                self.news.append(f"{name} {verb}; {len(lobby)} of {size} are here.")
            case Start():
                self._start(message)
            case m.PickTileResponse(valid, tiles):
                self._picked(valid, tiles)
            case m.UnpickTileResponse():
                pass  # We never take back.
            case m.ConfirmPickResponse(board, valid):
                self._confirmed(board, valid)
            case m.ConfirmColumnResponse(valid, need_for_swap):
                self._column_taken(valid, need_for_swap)
            case EndTurn():
                self._end_turn(message)
            case Result() | Results():
                self._finish(message)
            case m.PlayerDisconnectedNotify(name):
                self.news.append(f"{name} has left, which ends the match.")
                self.end()
            case m.ChatMessage(player=name, text_message=text):
                self.news.append(f"{name}: {text}")
            case m.ErrorMessage(text):
                self.news.append(f"The server says: {text}")
            case _:
                assert_never(message)

    # Coming in.

    def _named(self, name: str | None) -> None:
        if name is not None:
            self.nickname = name
            self.news.append(f"You are {name}.")
            return
        self._tries += 1
        self.nickname = f"{self.nickname.rstrip('0123456789')}{self._tries}"
        self.greet()

    def _start(self, message: Start) -> None:
        self.players = message.players
        self.mine = self.players.index(self.nickname) if self.nickname in self.players else None
        room, mask = _room(message.board)
        seats = len(self.players)
        goal = message.personal_goal
        wishes = tuple(
            Wish(Cell(place.row, place.column), TILES_BY_WIRE[tile], False)
            for place, tile in zip(goal.positions, goal.tiles, strict=True)
        )
        empty: Grid = ((None,) * SHELF_COLUMNS,) * SHELF_ROWS
        self._view = View(
            seat=self.mine,
            first=0,
            turn=0,
            room=room,
            mask=mask,
            shelves=(empty,) * seats,
            hand=(),
            commons=tuple(
                Common(one.id, one.name, _stack(token), (0,) * seats)
                for one, token in zip(message.common_goals, message.common_goals_tokens, strict=True)
            ),
            cards=(None,) * seats,
            wishes=wishes,
            groups=(0,) * seats,
            points=(0,) * seats,
            filled=None,
            outcome=None,
        )
        self.news.append(f"The match begins: {', '.join(self.players)}.")
        self._turn(message.next_player)

    # A turn.

    def _turn(self, name: str) -> None:
        self.mover = self.players.index(name)
        self._show(turn=self.mover, hand=())
        if self.mover == self.mine:
            self._ask_tiles()
        else:
            # Whoever comes back is told of several turns at once; what was asked in one of them is over.
            self.rest()

    def _ask_tiles(self) -> None:
        if self._view is None or self.mine is None:
            return
        space = max(_space(self._view.shelves[self.mine]))

        def pick(cells: tuple[Cell, ...]) -> Sequel:
            return lambda: self._pick(list(cells))

        lines = _lines(self._view.room, min(space, TAKE_MAX))
        self.ask(
            "Take one to three tiles in a line, each with a free side.",
            {f"take {write_cells(cells)}": pick(cells) for cells in lines},
        )

    def _pick(self, cells: list[Cell]) -> None:
        self._wanted = cells
        first = cells[0]
        self.say(m.PickTileRequest(m.Position(first.row, first.column)))

    def _picked(self, valid: bool, tiles: tuple[m.WireTile, ...]) -> None:
        if not valid:
            self._refused("The server does not give that tile.")
            return
        self._hand = [TILES_BY_WIRE[tile] for tile in tiles]
        rest = self._wanted[1:]
        if not self._wanted:
            # Whoever comes back is told what was picked before; that it is confirmed follows.
            return
        if rest:
            self._pick(rest)
        else:
            self._wanted = []
            self.say(m.ConfirmPickRequest())

    def _refused(self, why: str) -> None:
        """Ask once more; but whoever came back and chose before being told of tiles in hand has those."""
        self._wanted = []
        if self._view is not None and not self._view.hand:
            self.news.append(why)
            self._ask_tiles()

    def _confirmed(self, board: m.Board, valid: bool) -> None:
        """Everybody hears of a confirmed pick; the one who picked goes on with a column."""
        if not valid or self._view is None:
            if self.mover == self.mine:
                self._refused("The server does not give those tiles.")
            return
        room, _ = _room(board)
        self._show(room=room, hand=tuple(self._hand) if self.mover == self.mine else ())
        if self.mover == self.mine:
            self._ask_column()

    def _ask_column(self) -> None:
        if self._view is None or self.mine is None:
            return
        spaces = _space(self._view.shelves[self.mine])
        columns = {
            f"fill {column + 1}": m.ConfirmColumnRequest(column)
            for column, space in enumerate(spaces)
            if space >= len(self._hand)
        }
        self.ask("Choose a column of your bookshelf.", columns)

    def _column_taken(self, valid: bool, need_for_swap: bool) -> None:
        if not valid:
            self.news.append("The tiles do not go there.")
            self._ask_column()
        elif not need_for_swap:
            self.say(_order(self._hand))
        else:
            orders = {
                f"order {' '.join(LETTERS[tile] for tile in tiles)}": _order(list(tiles))
                for tiles in dict.fromkeys(permutations(self._hand))
            }
            self.ask("Choose the order, the lowest first.", orders)

    def _end_turn(self, message: EndTurn) -> None:
        if self._view is None:
            return
        seat = self.players.index(message.player)
        shelf: Grid = tuple(tuple(TILES_BY_WIRE.get(tile) for tile in row) for row in message.bookshelf.rows)
        view = self._view
        room, _ = _room(message.board)
        tokens = message.common_goals_tokens
        wishes = view.wishes
        if seat == self.mine:
            wishes = tuple(
                Wish(wish.cell, wish.tile, shelf[wish.cell.row][wish.cell.column] == wish.tile)
                for wish in wishes
            )
        self._show(
            room=room,
            shelves=_put(view.shelves, seat, shelf),
            points=_put(view.points, seat, message.points),
            commons=tuple(
                replace(one, tokens=_stack(token)) for one, token in zip(view.commons, tokens, strict=True)
            ),
            wishes=wishes,
        )
        self.news.append(f"{message.player} has {message.points} points.")
        if message.end_game and view.filled is None:
            self._show(filled=seat)
            self.news.append("A bookshelf is full: this is the last round.")
        if message.next_player != message.player:
            self._turn(message.next_player)

    def _finish(self, message: Result) -> None:
        """The seed's prose has points and winner in it, its list has nothing."""
        points = message.points or {}
        if points:
            self._show(points=tuple(points.get(name, 0) for name in self.players))
            self.news.append(
                ", ".join(f"{name} {points[name]}" for name in self.players if name in points) + "."
            )
        winner = message.winner
        if winner:
            self.news.append("You win." if winner == self.nickname else f"{winner} wins.")
        self.end()

    def _show(self, **changes: Any) -> None:
        if self._view is not None:
            self._view = replace(self._view, **changes)
            self.view = self._view
            self.picture = draw(self._view, self.players)


def _room(board: m.Board) -> tuple[Grid, tuple[tuple[int, ...], ...]]:
    """The living room, and which of its spaces are used."""
    tiles: list[list[Tile | None]] = [[None] * ROOM_COLUMNS for _ in range(ROOM_ROWS)]
    used = [[0] * ROOM_COLUMNS for _ in range(ROOM_ROWS)]
    for cell in board.cells:
        used[cell.row][cell.column] = 1
        tiles[cell.row][cell.column] = TILES_BY_WIRE.get(cell.tile)
    return tuple(map(tuple, tiles)), tuple(map(tuple, used))


def _stack(token: m.Token | int) -> tuple[int, ...]:
    """The tokens that are known of a stack: its top."""
    value = token if isinstance(token, int) else token.value
    return (value,) if value else ()


def _lines(room: Grid, longest: int) -> Iterator[tuple[Cell, ...]]:
    """Straight lines of tiles that all have a free side."""
    free = {
        Cell(row, column)
        for row, tiles in enumerate(room)
        for column, tile in enumerate(tiles)
        if tile is not None and _has_free_side(room, row, column)
    }
    for cell in sorted(free):
        yield (cell,)
        for down, across in ((0, 1), (1, 0)):
            line = [cell]
            while len(line) < longest:
                following = Cell(line[-1].row + down, line[-1].column + across)
                if following not in free:
                    break
                line.append(following)
                yield tuple(line)


def _has_free_side(room: Grid, row: int, column: int) -> bool:
    around = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
    return any(not (0 <= i < ROOM_ROWS and 0 <= j < ROOM_COLUMNS) or room[i][j] is None for i, j in around)


def _space(shelf: Grid) -> list[int]:
    return [sum(row[column] is None for row in shelf) for column in range(SHELF_COLUMNS)]


def _order(tiles: list[Tile]) -> m.ConfirmOrderNotify:
    return m.ConfirmOrderNotify(tuple(WIRE_TILES[tile] for tile in tiles))


def _put(row: tuple[Any, ...], place: int, value: Any) -> tuple[Any, ...]:
    return (*row[:place], value, *row[place + 1 :])
