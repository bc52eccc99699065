"""The conversation of one client of the seed's protocol.

There are no errors to send: a refused answer is followed by the same question again, a message that is not
expected is passed over, and a line that is no message ends the connection.
"""

from uuid import uuid4

import msgspec

from ludoteca.core import Notice, Outcome, Question, Request
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
    TableInfo,
    Tables,
)
from ludoteca.core.requests import Act, Beat, Enter, Join, Leave, List, Open, Ready, Return
from ludoteca.games.eriantys.actions import Action, PlayAssistant
from ludoteca.games.eriantys.data import NUMBERS, TOWERS, Mode, Tower
from ludoteca.games.eriantys.events import BrokenOff, Event
from ludoteca.games.eriantys.rules import Options, Preferences
from ludoteca.games.eriantys.view import View, update
from ludoteca.games.eriantys.wire.expected import EXPECTED, LOOKING_AROUND, Stage
from ludoteca.games.eriantys.wire.messages import (
    AckTowerColor,
    AskAction,
    AskAssistantCard,
    AskGameListMessage,
    AskNewGameChoice,
    AskNewGameName,
    AskNickname,
    AskTowerColor,
    Board,
    ClientMessage,
    GameInfo,
    GameListMessage,
    GameStart,
    Heartbeat,
    NewGameMessage,
    NotifyPlayerIdMessage,
    SelectGameMessage,
    ServerMessage,
    SetAction,
    SetAssistantCard,
    SetNickname,
    SetTowerColor,
    ShowDisconnection,
    ShowEndGame,
    ShowLastRound,
    UpdateGameBoard,
)
from ludoteca.games.eriantys.wire.words import board, card, offered, translate
from ludoteca.wire.jsonl import SharedLines
from ludoteca.wire.once import Once
from ludoteca.wire.tongue import MessageConversation, Tongue

GAME = "eriantys"
NAME_LENGTH_MAX = 12
# A game may also be selected by its table's id: the only way to one that is private.
TABLE_LENGTH_MAX = 32
# The seed plays with two or three; four players in teams are a matter of Ludoteca's own protocol.
PLAYERS = (2, 3)


class Settings(msgspec.Struct, frozen=True):
    """Times, in seconds; 0 turns one off."""

    heartbeat_interval_s: float = 0.5
    silence_s_max: float = 2.0


class _Look(msgspec.Struct):
    """What a client sees who looks around: how many lists it waits for, the game it has selected, and who is
    missing at the tables told of last."""

    lists_due: int = 0
    selected: str = ""
    missing: dict[str, set[str]] = {}

    def absentees(self) -> set[str]:
        """Who is missing at the game selected."""
        return self.missing.get(self.selected.casefold(), set())


class _Place(msgspec.Struct):
    """Where a client sits, and with whom."""

    table: TableInfo
    seat: int
    token: str
    chairs: list[Sitter | None]

    def names(self) -> list[str]:
        """The players by seat."""
        return [chair.name if chair else "" for chair in self.chairs]

    def free_towers(self) -> list[Tower]:
        """What the others have left."""
        taken = [
            chair.preference.tower
            for seat, chair in enumerate(self.chairs)
            if chair and chair.ready and chair.preference and seat != self.seat
        ]
        return [tower for tower in TOWERS[: NUMBERS[len(self.chairs)].teams] if tower not in taken]


class _Match(msgspec.Struct):
    """What a client knows of the match, what it was asked last and whether that was refused."""

    view: View
    question: Question | None = None
    refused: bool = False
    last_round_shown: bool = False


_decode = msgspec.json.Decoder(ClientMessage).decode


class Conversation(MessageConversation[ClientMessage, ServerMessage]):
    """One client.

    The board it is sent is folded from the view and the events, as any client of ours does it.
    """

    def __init__(self, settings: Settings, tongue: Tongue | None = None) -> None:
        super().__init__(tongue or SharedLines(_decode))
        self._settings = settings
        # Every client has one of its own, as in the seed; it decides nothing, so no dice are needed.
        self._player_id = str(uuid4())
        self._stage = Stage.LOBBY
        self._heard_at = self._beat_at = 0.0
        self._look = _Look()
        self._place: _Place | None = None
        self._match: _Match | None = None
        # Whether it sits at a table that this protocol cannot play at, until the house can be told.
        self._misplaced = False

    # Heartbeats.

    def greet(self, now: float) -> list[Request]:
        """Tell the client its id."""
        self._heard_at = now
        self._beat_at = now + self._settings.heartbeat_interval_s
        self._set_alarm()
        return [*super().greet(now), self.reply(NotifyPlayerIdMessage(self._player_id))]

    def tick(self, now: float) -> list[Request]:
        """Send a heartbeat, or give up on a client that is silent for too long."""
        if self.alarm is not None and now - self.alarm > self._settings.heartbeat_interval_s:
            # We slept ourselves, and what the client said meanwhile is still unread.
            self._heard_at += now - self.alarm
        if self._settings.silence_s_max and now >= self._heard_at + self._settings.silence_s_max:
            self.closing = True
            return []
        requests = self._get_up()
        if self._settings.heartbeat_interval_s > 0 and self._beat_at <= now:
            self._beat_at = now + self._settings.heartbeat_interval_s
            requests.append(self.reply(Heartbeat()))
        self._set_alarm()
        return requests

    def excuse(self, now: float) -> None:
        """Whatever the client said until now nobody has looked at."""
        self._heard_at = now

    def _set_alarm(self) -> None:
        alarms = []
        if self._settings.heartbeat_interval_s:
            alarms.append(self._beat_at)
        if self._settings.silence_s_max:
            alarms.append(self._heard_at + self._settings.silence_s_max)
        if self._misplaced:
            alarms.append(self._heard_at)
        self.alarm = min(alarms, default=None)

    def _get_up(self) -> list[Request]:
        """Leave a table that this protocol cannot play at."""
        if not self._misplaced:
            return []
        self._misplaced = False
        return [Leave()]

    # What the client says.

    def garbled(self, line: bytes, reason: str, now: float) -> list[Request]:
        """A line that is no message ends the connection."""
        self.closing = True
        return []

    def hear(self, message: ClientMessage, now: float) -> list[Request]:
        """An expected message becomes a request; any other is passed over."""
        self._heard_at = now
        if isinstance(message, Heartbeat):
            # Whoever looks around may do so for as long as it likes; on a chair there is a name to be given.
            return [Beat()] if EXPECTED[self._stage] >= LOOKING_AROUND else []
        if type(message) not in EXPECTED[self._stage]:
            return []
        match message:
            case SetAssistantCard(nickname, card) if self._is_me(nickname):
                return self._act(PlayAssistant(card.value))
            case SetAction(nickname, action) if self._is_me(nickname):
                meant = translate(action)
                return [self.reply(self._ask_action(False))] if meant is None else self._act(meant)
            case SetAssistantCard() | SetAction():
                return []
        return self._get_up() + self._set_up(message) if message.playerID == self._player_id else []

    def _set_up(
        self,
        message: NewGameMessage | AskGameListMessage | SelectGameMessage | SetNickname | SetTowerColor,
    ) -> list[Request]:
        match message:
            case NewGameMessage(gameInfo=info):
                return self._open(info)
            case AskGameListMessage():
                self._look.lists_due += 1
                return [List(GAME)]
            case SelectGameMessage(gameName=name):
                if not _is_proper(name, TABLE_LENGTH_MAX):
                    return [self.reply(AskNewGameChoice())]
                # The list tells who is missing there, in case the match is running and this is one of them.
                self._stage, self._look.selected = Stage.WAITING, name
                return [List(GAME, label=name), Join(name, GAME)]
            case SetNickname(nickname=name, token=token):
                return self._enter(name, token)
            case SetTowerColor(color=colour):
                free = self._seat_taken().free_towers()
                tower = next((tower for tower in free if tower == colour), None)
                if tower is None:
                    return [self.reply(AskTowerColor(free, False))]
                self._stage = Stage.WAITING
                return [Ready(Preferences(tower))]

    def _open(self, info: GameInfo) -> list[Request]:
        mode: Mode
        if info.gameMode == "Basic":
            mode = "Basic"
        elif info.gameMode == "Expert":
            mode = "Expert"
        else:
            return [self.reply(AskNewGameName())]
        if info.numPlayers not in PLAYERS or not _is_proper(info.gameName):
            return [self.reply(AskNewGameName())]
        self._stage = Stage.WAITING
        return [Open(GAME, info.numPlayers, Options(mode), label=info.gameName)]

    def _enter(self, name: str, token: str) -> list[Request]:
        returning = self._stage is Stage.RETURNING
        known = not returning or name.casefold() in self._look.absentees()
        if not token and not (_is_proper(name) and known):
            return [self.reply(AskNickname(False))]
        self._stage = Stage.WAITING
        return [Return("", token)] if token else [Enter(name)]

    def _act(self, action: Action) -> list[Request]:
        self._stage = Stage.WAITING
        return [Act((action,))]

    def _is_me(self, nickname: str) -> bool:
        place = self._seat_taken()
        return nickname.casefold() == place.names()[place.seat].casefold()

    def _seat_taken(self) -> _Place:
        assert self._place, "only who sits at a table is asked for this"
        return self._place

    # What the house says.

    def tell(self, notice: Notice, now: float) -> list[ServerMessage]:
        """The messages for a notice."""
        match notice:
            case Happened(events=events):
                return self._happened(events)
            case Asked(question=question):
                return [self._asked(question)]
            case Declined(request=request):
                return self._declined(request)
            case Tables(tables):
                return self._listed(tuple(one.info for one in tables))
            case Seated(table, int(seat), token):
                return self._seated(table, seat, token)
            case Sat(seat, sitter) if self._place:
                return self._sat(self._place, seat, sitter)
            case Stood(seat, sitter) if self._place:
                return self._stood(self._place, seat, sitter)
            case Shown(view=view):
                return self._shown(view)
            case Over(outcome) if not self.closing:
                return self._over(outcome)
            case Gone():
                self.closing = True
        return []

    def _listed(self, tables: tuple[TableInfo, ...]) -> list[ServerMessage]:
        self._look.missing = {table.label.casefold(): _absentees(table) for table in tables}
        if not self._look.lists_due:
            return []
        self._look.lists_due -= 1
        games = [
            GameInfo(table.label, table.options.mode, len(table.chairs))
            for table in tables
            if len(table.chairs) in PLAYERS
            and (_absentees(table) or (table.phase == "open" and None in table.chairs))
        ]
        return [GameListMessage(games)]

    def _seated(self, table: TableInfo, seat: int, token: str) -> list[ServerMessage]:
        if len(table.chairs) not in PLAYERS:
            self._misplaced = True
            self._stage = Stage.LOBBY
            self._set_alarm()
            return [AskNewGameChoice()]
        self._place = _Place(table, seat, token, list(table.chairs))
        sitter = table.chairs[seat]
        if table.phase == "open" and (sitter is None or not sitter.name):
            self._stage = Stage.NAMING
            return [AskNickname(True)]
        self._stage = Stage.WAITING
        # Back on a chair that is complete, at a table that still waits for others.
        return [AckTowerColor()] if table.phase == "open" else []

    def _sat(self, place: _Place, seat: int, sitter: Sitter) -> list[ServerMessage]:
        place.chairs[seat] = sitter
        if seat != place.seat or self._stage is not Stage.WAITING or self._match:
            return []
        if sitter.ready:
            return [AckTowerColor()]
        self._stage = Stage.COLOURING
        return [AskTowerColor(place.free_towers(), True)]

    def _stood(self, place: _Place, seat: int, sitter: Sitter) -> list[ServerMessage]:
        place.chairs[seat] = None
        if place.table.terms.absence != "end" or seat == place.seat:
            return []
        return self._disconnected(sitter.name or None)

    def _shown(self, view: View) -> list[ServerMessage]:
        self._match = _Match(view)
        self._stage = Stage.WAITING
        place = self._seat_taken()
        return [GameStart(self._board(), place.names()[view.first], place.token)]

    def _disconnected(self, nickname: str | None) -> list[ServerMessage]:
        self.closing = True
        return [ShowDisconnection(nickname)]

    def _declined(self, request: object) -> list[ServerMessage]:
        match request:
            case Open():
                self._stage = Stage.LOBBY
                return [AskNewGameName()]
            case Join():
                if self._look.absentees():
                    self._stage = Stage.RETURNING
                    return [AskNickname(True)]
                self._stage = Stage.LOBBY
                return [AskNewGameChoice()]
            case Enter() | Return():
                self._stage = Stage.NAMING if self._place else Stage.RETURNING
                return [AskNickname(False)]
            case Ready():
                self._stage = Stage.COLOURING
                return [AskTowerColor(self._seat_taken().free_towers(), False)]
            case Act() if self._match:
                self._match.refused = True
        return []

    def _happened(self, events: tuple[Event, ...]) -> list[ServerMessage]:
        match = self._match
        assert match
        if events and isinstance(events[-1], BrokenOff):
            return self._disconnected(self._seat_taken().names()[events[-1].seat])
        match.view = view = _followed(events, match.view)
        messages: list[ServerMessage] = [_update(self._board())]
        # Said when the actions begin, or in their midst when a character draws the last student.
        if view.last_round and view.phase == "action" and not match.last_round_shown:
            match.last_round_shown = True
            messages.append(ShowLastRound())
        return messages

    def _asked(self, question: Question) -> ServerMessage:
        match = self._match
        assert match
        first = not match.refused
        match.refused, match.question = False, question
        if question.kind == "assistant":
            self._stage = Stage.ASSISTANT
            return AskAssistantCard(self._board(), [card(option.value) for option in question.choices])
        self._stage = Stage.ACTION
        return self._ask_action(first)

    def _ask_action(self, first: bool) -> AskAction:
        match = self._match
        assert match
        assert match.question
        return AskAction(offered(match.question.kind, match.view), first)

    def _over(self, outcome: Outcome) -> list[ServerMessage]:
        self.closing = True
        winners = outcome.winners
        return [ShowEndGame(self._seat_taken().names()[winners[0]] if len(winners) == 1 else None)]

    def _board(self) -> Board:
        assert self._match
        place = self._seat_taken()
        return _drawn(self._match.view, place.table.label, place.names())


# Everybody sees the same board, so it is followed, drawn and packed once for all at a table.


def _follow(events: tuple[Event, ...], view: View) -> View:
    for event in events:
        view = update(view, event)
    return view


_followed = Once(_follow)
_drawn = Once(board)
_update = Once(UpdateGameBoard)


def _is_proper(name: str, length_max: int = NAME_LENGTH_MAX) -> bool:
    return 0 < len(name) <= length_max and name.isprintable() and " " not in name


def _absentees(table: TableInfo) -> set[str]:
    """Who may come back to a table by name: players of this protocol without a connection."""
    return {
        chair.name.casefold()
        for chair in table.chairs
        if chair and chair.protocol == GAME and not chair.here and table.phase != "over"
    }
