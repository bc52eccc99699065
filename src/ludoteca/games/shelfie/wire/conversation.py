"""The protocol of the seed: JSON objects, one a line, named as in 003_d423dbe5f99a4b1e.txt.

Picking and unpicking are a draft that only this conversation knows; the house hears of a turn when the pick
is confirmed, and again when column and order are. The answers come from the pending question alone: a
selection is valid when it is one of the question's options.
"""

from typing import assert_never, get_args

import msgspec

from ludoteca.core.notices import (
    Asked,
    Declined,
    Entered,
    Gone,
    Happened,
    Notice,
    Opening,
    Over,
    Said,
    Sat,
    Seated,
    Shown,
    Stood,
)
from ludoteca.core.requests import Act, Enter, Open, Request, Return, Say, Seek
from ludoteca.games.shelfie.actions import FillColumn, TakeTiles
from ludoteca.games.shelfie.data import SEATS, Cell
from ludoteca.games.shelfie.events import BrokenOff, Event, TilesTaken, TurnEnded
from ludoteca.games.shelfie.view import View, public, update
from ludoteca.games.shelfie.wire.draft import Draft
from ludoteca.games.shelfie.wire.expected import EXPECTED, Stage
from ludoteca.games.shelfie.wire.messages import (
    TILES_BY_WIRE,
    Board,
    ChatMessage,
    ClientMessage,
    CommonGoal,
    ConfirmColumnRequest,
    ConfirmColumnResponse,
    ConfirmOrderNotify,
    ConfirmPickRequest,
    ConfirmPickResponse,
    EndTurnNotify,
    ErrorMessage,
    GameResultNotify,
    GameStartNotify,
    LobbyInfoMessage,
    LoginRequest,
    LoginResponse,
    Move,
    NumPlayersRequest,
    NumPlayersResponse,
    PickTileRequest,
    PickTileResponse,
    PingMessage,
    PlayerDisconnectedNotify,
    PongMessage,
    ServerMessage,
    UnpickTileRequest,
    UnpickTileResponse,
    WireTile,
    board_of,
    bookshelf_of,
    personal_goal_of,
    tokens_of,
    wire_tiles,
)
from ludoteca.wire.jsonl import SharedLines
from ludoteca.wire.once import Once
from ludoteca.wire.tongue import MessageConversation, Tongue

GAME_NAME = "shelfie"
NAME_LENGTH_MAX = 20
# The word that clients of the seed's own program put where nobody in particular is meant.
EVERYONE = "Everyone"


class Settings(msgspec.Struct, frozen=True):
    """The times and bounds of the protocol."""

    ping_first_s: float = 2.0
    ping_interval_s: float = 20.0
    pings_lost_max: int = 5
    faults_max: int = 10


class _Pulse(msgspec.Struct):
    """Whether a ping waits for its answer, and how many in a row have had none."""

    open: bool = False
    lost: int = 0


class _Chair(msgspec.Struct):
    """Where a client sits, and with whom; `lobby` are those who have come, by seat, in order of arrival."""

    seat: int = 0
    token: str = ""
    names: list[str] = []
    lobby: dict[int, str] = {}


_KNOWN_TYPES = frozenset(kind.__name__ for kind in (*get_args(ClientMessage), *get_args(ServerMessage)))


class _Typed(msgspec.Struct):
    type: str


_decode = msgspec.json.Decoder(ClientMessage).decode


class Conversation(MessageConversation[ClientMessage, ServerMessage]):
    """One client of the seed's protocol."""

    def __init__(self, settings: Settings, tongue: Tongue | None = None) -> None:
        super().__init__(tongue or SharedLines(_decode))
        self._settings = settings
        self._name = ""
        # Where the client stood before the match, which the view ends; in it the draft decides.
        self._entrance = Stage.LOGIN
        self._chair = _Chair()
        self._view: View | None = None
        self._draft: Draft | None = None
        self._faults = 0
        self._pulse = _Pulse()

    # Heartbeat.

    def greet(self, now: float) -> list[Request]:
        """The heartbeat runs from the moment of connection."""
        self.alarm = now + self._settings.ping_first_s
        return super().greet(now)

    def excuse(self, now: float) -> None:
        """Whatever the client answered until now nobody has looked at."""
        self._pulse = _Pulse()

    def tick(self, now: float) -> list[Request]:
        """Count the last ping as lost if it was not answered, and send the next."""
        if self._pulse.open:
            self._pulse.lost += 1
            if self._pulse.lost >= self._settings.pings_lost_max:
                self.closing = True
                self.alarm = None
                return []
        self._pulse.open = True
        self.alarm = now + self._settings.ping_interval_s
        return [self.reply(PingMessage())]

    # From the client.

    def garbled(self, line: bytes, reason: str, now: float) -> list[Request]:
        """A known message with a wrong or missing field is forgiven a few times; anything else closes."""
        self._faults += 1
        if not _is_known(line) or self._faults >= self._settings.faults_max:
            self.closing = True
        return [self.reply(ErrorMessage(reason))]

    @property
    def _stage(self) -> Stage:
        if self._view is None:
            return self._entrance
        return Stage.WATCHING if self._draft is None else self._draft.stage

    def hear(self, message: ClientMessage, now: float) -> list[Request]:
        """What is expected is done, all else refused as the page says."""
        self._faults = 0
        if isinstance(message, PongMessage):
            self._pulse = _Pulse()
            return []
        if type(message) not in EXPECTED[self._stage]:
            return self._refuse(message)
        match message:
            case LoginRequest():
                return self._hear_login(message)
            case NumPlayersResponse(number):
                return self._hear_number(number)
            case ChatMessage():
                return self._hear_chat(message)
        assert self._draft is not None, "the rest is for the player to move"
        return self._hear_move(message, self._draft)

    def _refuse(self, message: ClientMessage) -> list[Request]:
        """A request has a negative response, a notification none."""
        match message:
            case LoginRequest():
                return [self.reply(LoginResponse(None))]
            case PickTileRequest():
                return [self.reply(PickTileResponse(False, self._picked_tiles()))]
            case UnpickTileRequest():
                return [self.reply(UnpickTileResponse(self._picked_tiles(), False))]
            case ConfirmPickRequest():
                return [self.reply(ConfirmPickResponse(self._current_board(), False))]
            case ConfirmColumnRequest():
                return [self.reply(ConfirmColumnResponse(False, False))]
            case NumPlayersResponse() | ConfirmOrderNotify() | ChatMessage() | PongMessage():
                return []
            case _:
                assert_never(message)

    def _hear_login(self, message: LoginRequest) -> list[Request]:
        if not _is_name(message.nickname):
            return self._refuse(message)
        self._entrance = Stage.ENTERING
        if message.token:
            return [Return(table="", token=message.token)]
        return [Enter(message.nickname), Seek(GAME_NAME)]

    def _hear_number(self, number: int) -> list[Request]:
        if number not in SEATS:
            return [self.reply(NumPlayersRequest())]
        self._entrance = Stage.LOBBY
        return [Open(GAME_NAME, seats=number)]

    def _hear_move(self, message: Move, draft: Draft) -> list[Request]:
        match message:
            case PickTileRequest(position):
                valid = draft.pick(Cell(position.row, position.column))
                return [self.reply(PickTileResponse(valid, self._picked_tiles()))]
            case UnpickTileRequest(position):
                successful = draft.unpick(Cell(position.row, position.column))
                return [self.reply(UnpickTileResponse(self._picked_tiles(), successful))]
            case ConfirmPickRequest():
                return [Act((draft.take,), at=draft.number)] if draft.cells else self._refuse(message)
            case ConfirmColumnRequest(column):
                valid = draft.choose_column(column)
                mixed = len(set(self._picked_tiles())) > 1
                return [self.reply(ConfirmColumnResponse(valid, valid and mixed))]
            case ConfirmOrderNotify(tiles):
                return [self._order(tiles, draft)]
            case _:
                assert_never(message)

    def _order(self, names: tuple[WireTile, ...], draft: Draft) -> Request:
        assert draft.column is not None
        tiles = tuple([TILES_BY_WIRE[name] for name in names if name in TILES_BY_WIRE])
        action = FillColumn(draft.column, tiles)
        if len(tiles) < len(names) or action not in draft.question.choices:
            return self.reply(ConfirmColumnResponse(True, True))
        return Act((action,), at=draft.number)

    def _picked_tiles(self) -> tuple[WireTile, ...]:
        """What the player to move has selected or, after the confirmation, holds in hand."""
        if self._view is None or self._view.turn != self._chair.seat:
            return ()
        if self._view.hand or self._draft is None:
            return wire_tiles(self._view.hand)
        return wire_tiles([self._view.room[cell.row][cell.column] for cell in self._draft.cells])

    def _hear_chat(self, message: ChatMessage) -> list[Request]:
        receiver = (message.receiver or EVERYONE).casefold()
        if receiver == EVERYONE.casefold():
            return [Say(message.text_message)]
        for name in self._chair.names:
            if name.casefold() == receiver:
                return [Say(message.text_message, to=name)]
        return []

    # To the client.

    def tell(self, notice: Notice, now: float) -> list[ServerMessage]:
        """The messages for a notice; what the seed has no word for is not said."""
        match notice:
            case Entered(name):
                self._name, self._entrance = name, Stage.LOBBY
                return [LoginResponse(name)]
            case Opening():
                self._entrance = Stage.NUMBER
                return [NumPlayersRequest()]
            case Seated():
                return self._tell_seat(notice)
            case Sat(seat, sitter):
                return self._tell_arrival(seat, sitter.name)
            case Stood(seat):
                return self._tell_departure(seat)
            case Shown(view=view):
                # What is followed from here on is the same for all at the table.
                self._view, self._draft = public(view), None
                return self._tell_match(view)
            case Happened(events=events):
                return self._tell_events(events)
            case Asked(number, question):
                if self._draft is None or self._draft.number != number:
                    self._draft = Draft(number, question)
                return []
            case Declined():
                return self._tell_declined(notice)
            case Said():
                return self._tell_said(notice)
            case Over(outcome):
                self.closing = True
                if not outcome.ranks:
                    return []
                totals = dict(zip(self._chair.names, outcome.scores["total"], strict=True))
                return [GameResultNotify(totals, self._chair.names[outcome.winners[0]])]
            case Gone(reason):
                self.closing = True
                return [ErrorMessage(reason)]
            case _:
                return []

    def _tell_seat(self, seated: Seated) -> list[ServerMessage]:
        assert seated.seat is not None, "nobody watches through this protocol"
        self._entrance = Stage.LOBBY
        self._chair = chair = _Chair(seated.seat, seated.token, list(seated.table.names))
        if seated.table.phase != "open":
            return []
        there = [
            (sitter.came, seat, sitter.name) for seat, sitter in enumerate(seated.table.chairs) if sitter
        ]
        chair.lobby = {seat: name for came, seat, name in sorted(there) if came}
        chair.lobby[chair.seat] = self._name
        return [self._lobby_info(True, self._name)]

    def _tell_arrival(self, seat: int, name: str) -> list[ServerMessage]:
        chair = self._chair
        chair.names[seat] = name
        if self._view is not None or not name or chair.lobby.get(seat) == name:
            return []
        chair.lobby[seat] = name
        return [self._lobby_info(True, name)]

    def _tell_departure(self, seat: int) -> list[ServerMessage]:
        name = self._chair.lobby.pop(seat, "")
        return [self._lobby_info(False, name)] if name else []

    def _lobby_info(self, came: bool, name: str) -> LobbyInfoMessage:
        chair = self._chair
        return LobbyInfoMessage(len(chair.names), tuple(chair.lobby.values()), came, name)

    def _tell_match(self, view: View) -> list[ServerMessage]:
        """The start of a match; to somebody who returns, then the bookshelves, as if all
        had just moved once."""
        names = self._chair.names
        card = view.cards[self._chair.seat]
        assert card is not None, "a player knows the own card"
        seats = len(names)
        mover = view.first if view.turn is None else view.turn
        messages: list[ServerMessage] = [
            GameStartNotify(
                self._current_board(),
                tuple(CommonGoal(common.id, common.name) for common in view.commons),
                tokens_of(view),
                personal_goal_of(card),
                tuple(names[(view.first + step) % seats] for step in range(seats)),
                names[mover],
                self._chair.token,
            )
        ]
        if any(any(grid[-1]) for grid in view.shelves):
            order = [(mover + step) % seats for step in range(seats)]
            messages += [_end_turn(view, names, seat, (seat + 1) % seats) for seat in order]
        if view.hand and mover == self._chair.seat:
            messages.append(PickTileResponse(True, self._picked_tiles()))
            messages.append(ConfirmPickResponse(self._current_board(), True))
        return messages

    def _tell_events(self, events: tuple[Event, ...]) -> list[ServerMessage]:
        assert self._view is not None, "events come after the first view"
        self._view, told = _retold(events, self._view, self._chair.names)
        if told:
            self._draft = None
        match events[-1:]:
            case (BrokenOff(seat),) if seat == self._chair.seat:
                return [*told, ErrorMessage("you count as having left, which ends the match")]
            case (BrokenOff(seat),):
                return [*told, PlayerDisconnectedNotify(self._chair.names[seat])]
        return told

    def _current_board(self) -> Board:
        return board_of(self._view.room, self._view.mask) if self._view else Board(())

    def _tell_declined(self, declined: Declined) -> list[ServerMessage]:
        match declined.request:
            case Enter() | Return():
                self._entrance = Stage.LOGIN
                # A name or token of a match that is kept and not served deserves to hear why.
                why = [ErrorMessage(declined.reason)] if declined.code == "aside" else []
                return [*why, LoginResponse(None)]
            case Act(actions=(TakeTiles(),)):
                return [ConfirmPickResponse(self._current_board(), False)]
            case Act() if self._draft is not None and self._draft.question.kind == "fill":
                return [ConfirmColumnResponse(True, True)]
            case Seek() | Open():
                self.closing = True
                return [ErrorMessage(declined.reason)]
            case _:
                return []

    def _tell_said(self, said: Said) -> list[ServerMessage]:
        # A private message goes to its receiver only; the house gives its author a copy.
        is_own_private = said.to is not None and said.name == self._name != said.to
        if self._view is None or is_own_private:
            return []
        return [ChatMessage(player=said.name, receiver=said.to, text_message=said.text)]


# What happens is told to all at a table alike, so it is followed and put into words once.


def _retell(events: tuple[Event, ...], view: View, names: list[str]) -> tuple[View, list[ServerMessage]]:
    """The view after these events, and what everybody is told of them."""
    told: list[ServerMessage] = []
    for event in events:
        view = update(view, event)
        match event:
            case TilesTaken():
                told.append(ConfirmPickResponse(board_of(view.room, view.mask), True))
            case TurnEnded(seat, _, following):
                told.append(_end_turn(view, names, seat, seat if following is None else following))
    return view, told


_retold = Once(_retell)


def _end_turn(view: View, names: list[str], seat: int, following: int) -> EndTurnNotify:
    return EndTurnNotify(
        board_of(view.room, view.mask),
        bookshelf_of(view.shelves[seat]),
        tokens_of(view),
        view.points[seat],
        view.filled is not None,
        names[seat],
        names[following],
    )


def _is_name(nickname: str) -> bool:
    return (
        1 <= len(nickname) <= NAME_LENGTH_MAX
        and nickname.isprintable()
        and not any(letter.isspace() for letter in nickname)
        and nickname.casefold() != EVERYONE.casefold()
    )


def _is_known(line: bytes) -> bool:
    """Whether the line is UTF-8 and a JSON object whose type is a message of the protocol."""
    try:
        line.decode()
        return msgspec.json.decode(line, type=_Typed).type in _KNOWN_TYPES
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
