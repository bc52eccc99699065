"""A player's side of the seed's protocol, for any server that speaks it."""

from collections.abc import Iterator
from itertools import permutations
from typing import Any

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
from ludoteca.games.shelfie.wire.messages import TILES_BY_WIRE, WIRE_TILES, Board, WireTile
from ludoteca.wire.caller import JsonCaller, Sequel

Wire = dict[str, Any]


class Client(JsonCaller):
    """One player in one match.

    Tiles are picked one after the other, as the protocol wants, but asked for at once.
    """

    def __init__(self, nickname: str) -> None:
        super().__init__(nickname)
        self._tries = 1
        self._view: View | None = None
        # What was asked for and is not picked yet; what is picked; and whose pick the next confirmation is.
        self._wanted: list[Cell] = []
        self._hand: list[Tile] = []

    def greet(self) -> None:
        """Ask for a name first of all."""
        self.say({"type": "LoginRequest", "nickname": self.nickname})

    def hear(self, message: Wire) -> None:
        """A message; those we do not know are passed over."""
        match message.get("type"):
            case "PingMessage":
                self.say({"type": "PongMessage"})
            case "LoginResponse":
                self._named(message["nickname"])
            case "NumPlayersRequest":
                counts: dict[str, Sequel] = {
                    f"{count} players": {"type": "NumPlayersResponse", "numPlayers": count} for count in SEATS
                }
                self.ask("You open this game: for how many players?", counts)
            case "LobbyInfoMessage":
                verb = "comes" if message["newPlayerConnected"] else "leaves"
                present = f"{len(message['lobby'])} of {message['sizeLobby']} are here"
                self.news.append(f"{message['playerName']} {verb}; {present}.")
            case "GameStartNotify":
                self._start(message)
            case "PickTileResponse":
                self._picked(message)
            case "ConfirmPickResponse":
                self._confirmed(message)
            case "ConfirmColumnResponse":
                self._column_taken(message)
            case "EndTurnNotify":
                self._end_turn(message)
            case _:
                self._hear_more(message)

    def _hear_more(self, message: Wire) -> None:
        match message.get("type"):
            case "GameResultNotify" | "GameResultsNotify":
                self._finish(message)
            case "PlayerDisconnectedNotify":
                self.news.append(f"{message['disconnectedPlayer']} has left, which ends the match.")
                self.end()
            case "ChatMessage":
                self.news.append(f"{message['player']}: {message['textMessage']}")
            case "ErrorMessage":
                self.news.append(f"The server says: {message['message']}")

    # Coming in.

    def _named(self, name: str | None) -> None:
        if name is not None:
            self.nickname = name
            self.news.append(f"You are {name}.")
            return
        self._tries += 1
        self.nickname = f"{self.nickname.rstrip('0123456789')}{self._tries}"
        self.greet()

    def _start(self, message: Wire) -> None:
        self.players = tuple(message["players"])
        self.mine = self.players.index(self.nickname) if self.nickname in self.players else None
        room, mask = _room(message["board"])
        seats = len(self.players)
        goal = message["personalGoal"]
        wishes = tuple(
            Wish(Cell(place["row"], place["column"]), TILES_BY_WIRE[tile], False)
            for place, tile in zip(goal["positions"], goal["tiles"], strict=True)
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
                Common(one["id"], one["name"], _stack(token), (0,) * seats)
                for one, token in zip(message["commonGoals"], message["commonGoalsTokens"], strict=True)
            ),
            cards=(None,) * seats,
            wishes=wishes,
            groups=(0,) * seats,
            points=(0,) * seats,
            filled=None,
            outcome=None,
        )
        self.news.append(f"The match begins: {', '.join(self.players)}.")
        self._turn(message["nextPlayer"])

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
        self.say({"type": "PickTileRequest", "position": {"row": first.row, "column": first.column}})

    def _picked(self, message: Wire) -> None:
        if not message["valid"]:
            self.news.append("The server does not give that tile.")
            self._ask_tiles()
            return
        self._hand = [TILES_BY_WIRE[tile] for tile in message["pickedTiles"]]
        rest = self._wanted[1:]
        if not self._wanted:
            # Whoever comes back is told what was picked before; that it is confirmed follows.
            return
        if rest:
            self._pick(rest)
        else:
            self._wanted = []
            self.say({"type": "ConfirmPickRequest"})

    def _confirmed(self, message: Wire) -> None:
        """Everybody hears of a confirmed pick; the one who picked goes on with a column."""
        if not message["valid"] or self._view is None:
            if self.mover == self.mine:
                self._ask_tiles()
            return
        room, _ = _room(message["board"])
        self._show(room=room, hand=tuple(self._hand) if self.mover == self.mine else ())
        if self.mover == self.mine:
            self._ask_column()

    def _ask_column(self) -> None:
        if self._view is None or self.mine is None:
            return
        spaces = _space(self._view.shelves[self.mine])
        columns: dict[str, Sequel] = {
            f"fill {column + 1}": {"type": "ConfirmColumnRequest", "columnNumber": column}
            for column, space in enumerate(spaces)
            if space >= len(self._hand)
        }
        self.ask("Choose a column of your bookshelf.", columns)

    def _column_taken(self, message: Wire) -> None:
        if not message["valid"]:
            self.news.append("The tiles do not go there.")
            self._ask_column()
        elif not message["needForSwap"]:
            self.say(_order(self._hand))
        else:
            orders: dict[str, Sequel] = {
                f"order {' '.join(LETTERS[tile] for tile in tiles)}": _order(list(tiles))
                for tiles in dict.fromkeys(permutations(self._hand))
            }
            self.ask("Choose the order, the lowest first.", orders)

    def _end_turn(self, message: Wire) -> None:
        if self._view is None:
            return
        seat = self.players.index(message["player"])
        rows: list[list[WireTile]] = message["bookshelf"]["rows"]
        shelf: Grid = tuple(tuple(TILES_BY_WIRE.get(tile) for tile in row) for row in rows)
        view = self._view
        room, _ = _room(message["board"])
        tokens = message["commonGoalsTokens"]
        wishes = view.wishes
        if seat == self.mine:
            wishes = tuple(
                Wish(wish.cell, wish.tile, shelf[wish.cell.row][wish.cell.column] == wish.tile)
                for wish in wishes
            )
        self._show(
            room=room,
            shelves=_put(view.shelves, seat, shelf),
            points=_put(view.points, seat, int(message["points"])),
            commons=tuple(
                replace(one, tokens=_stack(token)) for one, token in zip(view.commons, tokens, strict=True)
            ),
            wishes=wishes,
        )
        self.news.append(f"{message['player']} has {message['points']} points.")
        if message["endGame"] and view.filled is None:
            self._show(filled=seat)
            self.news.append("A bookshelf is full: this is the last round.")
        if message["nextPlayer"] != message["player"]:
            self._turn(message["nextPlayer"])

    def _finish(self, message: Wire) -> None:
        """The seed's prose has points and winner in it, its list has nothing."""
        points = message.get("points") or {}
        if points:
            self._show(points=tuple(int(points.get(name, 0)) for name in self.players))
            self.news.append(
                ", ".join(f"{name} {points[name]}" for name in self.players if name in points) + "."
            )
        winner = message.get("winner")
        if winner:
            self.news.append("You win." if winner == self.nickname else f"{winner} wins.")
        self.end()

    def _show(self, **changes: Any) -> None:
        if self._view is not None:
            self._view = replace(self._view, **changes)
            self.picture = draw(self._view, self.players)


def _room(raw: Wire) -> tuple[Grid, tuple[tuple[int, ...], ...]]:
    """The living room, and which of its spaces are used."""
    tiles: list[list[Tile | None]] = [[None] * ROOM_COLUMNS for _ in range(ROOM_ROWS)]
    used = [[0] * ROOM_COLUMNS for _ in range(ROOM_ROWS)]
    for cell in msgspec.convert(raw, Board).cells:
        used[cell.row][cell.column] = 1
        tiles[cell.row][cell.column] = TILES_BY_WIRE.get(cell.tile)
    return tuple(map(tuple, tiles)), tuple(map(tuple, used))


def _stack(token: Any) -> tuple[int, ...]:
    """The tokens that are known of a stack: its top. The first implementation sends a bare number."""
    value = token["value"] if isinstance(token, dict) else token
    return (int(value),) if value else ()


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


def _order(tiles: list[Tile]) -> Wire:
    return {"type": "ConfirmOrderNotify", "pickedTiles": [WIRE_TILES[tile] for tile in tiles]}


def _put(row: tuple[Any, ...], place: int, value: Any) -> tuple[Any, ...]:
    return (*row[:place], value, *row[place + 1 :])
