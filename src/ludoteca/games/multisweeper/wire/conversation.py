"""One client of the line protocol: what it is told, and what comes of what it says."""

from collections.abc import Iterable
from typing import assert_never

import msgspec

from ludoteca.core import Notice, Request, Seat
from ludoteca.core.notices import (
    Asked,
    Declined,
    Gone,
    Happened,
    Over,
    Sat,
    Seated,
    Shown,
    Sitter,
    Stood,
)
from ludoteca.core.requests import Act, Enter, Leave, Open, Reply, Seek
from ludoteca.games.multisweeper.actions import Click
from ludoteca.games.multisweeper.data import CLOSED, MINE, Options
from ludoteca.games.multisweeper.events import (
    BrokenOff,
    Eliminated,
    Event,
    Exploded,
    Forfeited,
    Opened,
    RoundBegun,
    Won,
)
from ludoteca.games.multisweeper.view import View
from ludoteca.games.multisweeper.wire.expected import (
    EXPECTED,
    ClickLine,
    Hello,
    Name,
    PingHello,
    Stage,
    read,
)
from ludoteca.wire.lines import Lines, LineTooLong

GREETING = b"multisweeper v1\n"
PONG = b"multisweeper pong\n"
TURN_START = b"turn_start\n"
SUDDEN_EXIT = b"sudden_exit\n"

_HARMLESS = str.maketrans({"<": "‹", ">": "›", "&": "+"})


class Settings(msgspec.Struct, frozen=True):
    """What an operator can change about the line protocol."""

    # A8: so many lines out of turn count as leaving.
    idle_lines_max: int = 64
    # A5: so many clicks on open cells in one turn break the protocol.
    open_clicks_max: int = 3


class BoardLine:
    """The board as the line that tells it, kept up to date in place: all cells have one digit
    until a mine shows."""

    __slots__ = ("bytes", "height", "width")
    _WORD = b"board_update "

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.height = height
        # The whole line.
        self.bytes = bytearray(self._WORD + b"9 " * (width * height))
        self.bytes[-1:] = b"\n"

    def put(self, cells: Iterable[tuple[int, int]]) -> None:
        """Show the numbers of open cells, or that they are closed."""
        line = self.bytes
        for cell, value in cells:
            line[13 + 2 * cell] = 48 + value

    def is_open(self, cell: int) -> bool:
        """Whether the cell shows a number."""
        return self.bytes[13 + 2 * cell] != 48 + CLOSED

    def line_with(self, mines: tuple[int, ...]) -> bytes:
        """The last line of a round, with all mines."""
        values = self.bytes[13:-1].split(b" ")
        for cell in mines:
            values[cell] = bytearray(b"%d" % MINE)
        return self._WORD + b" ".join(values) + b"\n"


class Conversation:
    """One client of the line protocol."""

    __slots__ = (
        "_board",
        "_held",
        "_idle_lines",
        "_later",
        "_lines",
        "_mines",
        "_number",
        "_open_clicks",
        "_options",
        "_order",
        "_seat",
        "_settings",
        "_sitters",
        "_stage",
        "_turn",
        "alarm",
        "closing",
    )

    def __init__(self, settings: Settings) -> None:
        self.closing = False
        self.alarm: float | None = None
        self._settings = settings
        self._lines = Lines()
        self._stage = Stage.GREETED
        self._idle_lines = 0
        self._open_clicks = 0
        # The table, from Seated on.
        self._seat: int | None = None
        self._sitters: list[Sitter | None] = []
        self._options = Options()
        # The match, from Shown on: the players still in, their turn and board, and the number
        # of the question.
        self._order: tuple[Seat, ...] = ()
        self._turn = 1
        self._board: BoardLine | None = None
        self._mines = 0
        self._number = 0
        # A24: what waits for the end of a pause (or several, one after the other), and the stage after it.
        self._held: list[bytes] = []
        self._later = Stage.WAITING

    # What the client says

    def greet(self, now: float) -> list[Request]:
        """The server speaks first."""
        return [Reply(GREETING)]

    def receive(self, data: bytes, now: float) -> list[Request]:
        """Every complete line, as requests."""
        if self.closing:
            return []
        try:
            lines = self._lines.feed(data)
        except LineTooLong:
            return self._break("it sent an endless line")
        requests: list[Request] = []
        for line in lines:
            if self.closing:
                break
            requests += self._hear(line)
        return requests

    def _hear(self, line: bytes) -> list[Request]:
        said = read(line)
        if type(said) not in EXPECTED[self._stage]:
            return self._hear_unexpected()
        match said:
            case ClickLine(column, row):
                return self._hear_click(column, row)
            case Name(name):
                self._stage = Stage.WAITING
                # A11: nobody is identified by name on this wire, so several may have the same.
                return [Enter(name, distinct=False), Seek("multisweeper", otherwise=Open("multisweeper"))]
            case Hello():
                self._stage = Stage.NAMELESS
                return []
            case PingHello():
                self.closing = True
                return [Reply(PONG)]
            case None:
                raise AssertionError("no line is expected at no time")
            case _:
                assert_never(said)

    def _hear_unexpected(self) -> list[Request]:
        match self._stage:
            case Stage.ON_TURN:
                return self._break("it broke the protocol")
            case Stage.WAITING:
                return self._hear_out_of_turn()
            case Stage.GREETED | Stage.NAMELESS:
                self.closing = True  # A9: a bad handshake is nobody else's business
                return []
            case Stage.SPECTATOR | Stage.CLOSED:
                return []  # A21: nobody listens any more
            case _:
                assert_never(self._stage)

    def _hear_click(self, column: int, row: int) -> list[Request]:
        board = self._board
        if board is None or column >= board.width or row >= board.height:
            return self._break("it broke the protocol")  # A6
        if board.is_open(row * board.width + column):
            # A5: neither a move nor yet a violation; the client is told again that it is on turn.
            self._open_clicks += 1
            if self._open_clicks >= self._settings.open_clicks_max:
                return self._break("it broke the protocol")
            return [Reply(TURN_START)]
        self._stage = Stage.WAITING
        return [Act((Click(column, row),), self._number)]

    def _hear_out_of_turn(self) -> list[Request]:
        """A8: discarded, so that it can never act on a later turn; but not without end."""
        self._idle_lines += 1
        if self._idle_lines < self._settings.idle_lines_max:
            return []
        return self._break("it talked too much out of turn")

    def _break(self, reason: str) -> list[Request]:
        """The end for this client, and for the others what the table agreed on (4.4 of
        the seed's page, A10)."""
        self.closing = True
        if self._seat is None or self._stage is Stage.SPECTATOR:
            return []
        if self._board is None:
            return [Leave(reason)]
        return [Reply(SUDDEN_EXIT), Leave(reason)]

    # What the client is told

    def send(self, notice: Notice, now: float) -> bytes:
        """The lines for a notice."""
        if self.closing:
            return b""
        # The most frequent first, and without a hop: every click is told so.
        if type(notice) is Happened:
            lines = b""
            for event in notice.events:
                lines += self._tell_opened(event) if type(event) is Opened else self._tell(event, now)
            return lines
        match notice:
            case Asked(number):
                self._number = number
                self._open_clicks = self._idle_lines = 0
                if self.alarm is None:
                    self._stage = Stage.ON_TURN
                    return TURN_START
                self._enter(Stage.ON_TURN)
                return self._say(TURN_START)
            case Seated(table, seat):
                self._seat = seat
                self._sitters = list(table.chairs)
                if isinstance(table.options, Options):
                    self._options = table.options
            case Sat(seat, sitter):
                self._sitters[seat] = sitter
            case Stood(seat, _):
                self._sitters[seat] = None
            case Shown(_, view):
                return self._show(view)
            case Declined(Enter() | Seek() | Open()):
                self.closing = True
            case Over() if self.alarm is not None and self._later is Stage.CLOSED:
                pass  # told already, but held back
            case Over() | Gone():
                return self._exit()
            case _:
                pass
        return b""

    def tick(self, now: float) -> list[Request]:
        """A pause is over: what it held back goes out, up to the next pause."""
        if self.alarm is None or now < self.alarm:
            return []
        lines = self._held.pop(0)
        if self._held:
            self.alarm = now + self._options.pause_s
        else:
            self.alarm = None
            self._enter(self._later)
        return [Reply(lines)]

    def _show(self, view: View) -> bytes:
        """The start of a tournament, or the way back into a running one."""
        self._order = view.order
        self._turn = view.turn
        self._mines = view.mines
        self._board = BoardLine(view.width, view.height)
        self._board.put(enumerate(view.cells))
        self._enter(Stage.WAITING if self._seat in view.order else Stage.SPECTATOR)
        lines = self._begin() + self._turn_id()
        if any(value != CLOSED for value in view.cells):
            lines += self._board.bytes
        return self._say(lines)

    def _tell_opened(self, event: Opened) -> bytes:
        board = self._board
        assert board is not None, "events come after the first view"
        board.put(event.cells)
        self._turn += 1
        lines = bytes(board.bytes) + b"turn_id_update %d\n" % self._turn
        return lines if self.alarm is None else self._say(lines)

    def _tell(self, event: Event, now: float) -> bytes:
        board = self._board
        assert board is not None, "events come after the first view"
        match event:
            case Opened():
                return self._tell_opened(event)
            case Exploded(mines=mines) | Forfeited(mines=mines):
                return self._say(board.line_with(mines))
            case Eliminated(loser):
                return self._say(self._end_condition(loser))
            case RoundBegun(_, order):
                self._order = order
                self._turn = 1
                self._board = BoardLine(board.width, board.height)
                self._pause(now)
                return self._say(self._begin() + self._turn_id())
            case Won():
                lines = b"" if self._seat in self._order else SUDDEN_EXIT
                self._enter(Stage.CLOSED)
                return self._say(lines)
            case BrokenOff():
                return self._exit()
            case _:
                assert_never(event)

    def _end_condition(self, loser: Seat) -> bytes:
        """Who lost and who goes on; spectators are not told (A20), and a loser is one from now."""
        last_two = len(self._order) == 2
        if self._seat == loser:
            self._enter(Stage.SPECTATOR)
            return b"end_condition %d\n" % (self._options.final_loser if last_two else 0)
        if self._seat in self._order:
            # Somebody may have lost by leaving while this one was on turn.
            self._enter(Stage.WAITING)
            return b"end_condition 2\n" if last_two else b"end_condition 1\n"
        return b""

    def _begin(self) -> bytes:
        """A1: all who are still in, the receiver too, in turn order, the same for everybody."""
        lines = [f"num_players {len(self._order)}"]
        lines += [f"player {_harmless(self._sitters[seat])}" for seat in self._order]
        assert self._board is not None
        lines.append(f"start {self._board.width} {self._board.height} {self._mines}\n")
        return "\n".join(lines).encode()

    def _turn_id(self) -> bytes:
        return b"turn_id_update %d\n" % self._turn

    # Now or after the pause

    def _pause(self, now: float) -> None:
        """Hold back all that follows, so that a lost board can be looked at; bots alone need no pause."""
        others = [sitter for seat, sitter in enumerate(self._sitters) if seat != self._seat]
        if self._options.pause_s > 0 and any(sitter and not sitter.bot for sitter in others):
            if self.alarm is None:
                self.alarm = now + self._options.pause_s
                self._later = self._stage
            self._held.append(b"")

    def _say(self, lines: bytes) -> bytes:
        if self.alarm is None:
            return lines
        self._held[-1] += lines
        return b""

    def _enter(self, stage: Stage) -> None:
        if self.alarm is None:
            self._stage = stage
            self.closing = stage is Stage.CLOSED
        else:
            self._later = stage

    def _exit(self) -> bytes:
        """Everything ends now, pause or not.

        Who waits in the lobby is not told, nor who has heard of the end.
        """
        told = self._board is None or (self.alarm is not None and self._later is Stage.CLOSED)
        lines = b"".join(self._held)
        self._held.clear()
        self.alarm = None
        self._enter(Stage.CLOSED)
        return lines if told else lines + SUDDEN_EXIT


def _harmless(sitter: Sitter | None) -> str:
    """The name as given; names from elsewhere in the house may need a little change to be
    shown by any client."""
    assert sitter is not None, "a match has no free chairs"
    name = sitter.given.translate(_HARMLESS)
    return name.replace("multisweeper v1", "multisweeper").replace("num_players", "players")
