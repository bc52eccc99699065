"""The conversation with one client: from the number of players to the last farewell."""

import re
from calendar import monthrange
from collections import deque

import msgspec

from ludoteca.core import Notice, Request
from ludoteca.core.notices import (
    Asked,
    Declined,
    Entered,
    Gone,
    Happened,
    Left,
    Opening,
    Over,
    Sat,
    Seated,
    Shown,
    Sitter,
    Stood,
)
from ludoteca.core.requests import Act, Enter, Leave, Open, Ready, Reply, Return, Seek
from ludoteca.games.santorini.state import Preferences
from ludoteca.games.santorini.view import View
from ludoteca.games.santorini.wire.expected import EXPECTED, Stage
from ludoteca.games.santorini.wire.messages import (
    AddPlayer,
    AskNickAndDate,
    AskNumberOfPlayers,
    ClientMessage,
    Disconnect,
    ErrorNumber,
    Goodbye,
    Ping,
    PlayerAdded,
    PlayerDisconnected,
    Pong,
    ServerMessage,
    SetNumberOfPlayers,
    StateUpdate,
    WireError,
    decode,
)
from ludoteca.games.santorini.wire.news import News
from ludoteca.games.santorini.wire.play import NOT_ASKED, Play
from ludoteca.wire.jsonl import JsonLines
from ludoteca.wire.tongue import MessageConversation

GAME = "santorini"
SEATS = (2, 3)

_DATE = re.compile(r"(\d{4})\.(\d{2})\.(\d{2})", re.ASCII)


class Settings(msgspec.Struct, frozen=True):
    """Times in seconds, and the date before which players are born."""

    ping_s: float = 2.0
    # Only for those who answer pings: a client of the seed does not know them.
    silence_s: float = 10.0
    # How long a client has to close after `disconnect`.
    farewell_s: float = 10.0
    # How long what follows an answer is held back from a client that answers pings: the original one is not
    # ready to hear it at once, and freezes.
    breath_s: float = 0.05
    born_before: str = "2100.01.01"


class _Pulse(msgspec.Struct):
    """When the client was heard last, whether it answers pings, and what is to be done when."""

    heard: float = 0.0
    pongs: bool = False
    ping_at: float | None = None
    closing_at: float | None = None


class _Breath(msgspec.Struct):
    """What is held back from a client, each with its time, and until when it has to take breath."""

    held: deque[tuple[float, bytes]] = msgspec.field(default_factory=deque)
    until: float = 0.0


class _Place(msgspec.Struct):
    """Where a client sits, and with whom; `added` are the players it was told of."""

    seat: int = 0
    token: str = ""
    chairs: list[Sitter | None] = []
    added: set[str] = set()
    asked_name: bool = False


class Conversation(MessageConversation[ClientMessage | None, ServerMessage]):
    """One client of the seed's protocol, or the original one."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(JsonLines(decode))
        self._settings = settings
        self._stage = Stage.ARRIVED
        self._pulse = _Pulse()
        self._breath = _Breath()
        # The name as the house knows it, and as it was given.
        self._name = ""
        self._given = ""
        self._preference: Preferences | None = None
        self._place = _Place()
        self._play: Play | None = None

    # Time

    def greet(self, now: float) -> list[Request]:
        """Sit down where there is a free chair."""
        self._pulse.heard, self._pulse.ping_at = now, now + self._settings.ping_s
        self._wind()
        return [*super().greet(now), Seek(GAME)]

    def tick(self, now: float) -> list[Request]:
        """Say what was held back, ping who answers, drop who has fallen silent."""
        requests = self._release(now)
        if self._pulse.ping_at is not None and now >= self._pulse.ping_at:
            self._pulse.ping_at = None
            requests.append(self.reply(Ping()))
        silent = self._pulse.pongs and now >= self._pulse.heard + self._settings.silence_s
        if silent or (self._pulse.closing_at is not None and now >= self._pulse.closing_at):
            requests += self._close()
        self._wind()
        return requests

    def excuse(self, now: float) -> None:
        """Whatever the client said until now nobody has looked at."""
        self._pulse.heard = now

    def _close(self) -> list[Request]:
        """The conversation ends, after whatever was held back."""
        self.closing = True
        return self._release(self._breath.until)

    def _wind(self) -> None:
        """Set the alarm to whatever comes first; one for silence that was broken meanwhile does no harm."""
        silence = self._pulse.heard + self._settings.silence_s if self._pulse.pongs else None
        held = self._breath.held[0][0] if self._breath.held else None
        times = [at for at in (held, self._pulse.ping_at, silence, self._pulse.closing_at) if at is not None]
        self.alarm = None if self.closing else min(times, default=None)

    # Taking breath

    def _answered(self, requests: list[Request], now: float) -> list[Request]:
        """The client has just spoken: one like the original hears what follows, from here
        and from others, later."""
        if not self._pulse.pongs:
            return requests
        self._breath.until = now + self._settings.breath_s
        paced: list[Request] = []
        for request in requests:
            if not isinstance(request, Reply):
                paced.append(request)
            elif data := self._pace(request.data, now):
                paced.append(Reply(data))
        return paced

    def _pace(self, data: bytes, now: float) -> bytes:
        """These bytes, or none when they are held back."""
        if now >= self._breath.until and not self._breath.held:
            return data
        if data:
            self._breath.held.append((self._breath.until, data))
            self._wind()
        return b""

    def _release(self, now: float) -> list[Request]:
        """What has been held back long enough."""
        due = []
        while self._breath.held and self._breath.held[0][0] <= now:
            due.append(self._breath.held.popleft()[1])
        return [Reply(b"".join(due))] if due else []

    def send(self, notice: Notice, now: float) -> bytes:
        """The lines for a notice, perhaps a little later."""
        data = self.tongue.write(self.tell(notice, now))
        return self._pace(data, now) if self._pulse.pongs else data

    # Hearing

    def receive(self, data: bytes, now: float) -> list[Request]:
        """Whatever comes is a sign of life; after a farewell it is the last one."""
        self._pulse.heard = now
        if self._stage is Stage.FAREWELL:
            return self._close()
        return super().receive(data, now)

    def garbled(self, line: bytes, reason: str, now: float) -> list[Request]:
        """An error, and nothing else."""
        said = self._answered([self.reply(WireError(reason))], now)
        return [*said, *self._close()] if self.closing else said

    def hear(self, message: ClientMessage | None, now: float) -> list[Request]:
        """What a message asks for."""
        if isinstance(message, Pong):
            self._pulse.pongs, self._pulse.ping_at = True, now + self._settings.ping_s
            self._wind()
            return []
        if isinstance(message, Goodbye):
            held = self._close()
            return [*held, Leave()] if self._stage is Stage.WAITING else held
        return self._answered(self._hear(message), now)

    def _hear(self, message: ClientMessage | None) -> list[Request]:
        """What is expected is done, all else an error; what this protocol has no word for is passed over."""
        # In a match the question decides.
        stage = self._stage if self._play is None else self._play.stage
        if message is None:
            return []
        if type(message) not in EXPECTED[stage]:
            return [self.reply(self._untimely(message, stage))]
        match message:
            case SetNumberOfPlayers(numberOfPlayers=number):
                return self._number(number)
            case AddPlayer():
                return self._introduce(message)
            case Pong() | Goodbye():
                raise AssertionError("heard before")
        assert self._play is not None, "questions are asked in a match"
        return self._play.hear(message)

    def _untimely(self, message: ClientMessage, stage: Stage) -> WireError:
        match message:
            case SetNumberOfPlayers():
                return WireError("nobody asked for the number of players")
            case AddPlayer():
                return WireError("you have a name already")
        if self._play is None:
            return WireError("the match has not begun")
        return WireError("it is not your turn") if stage is Stage.WAITING else NOT_ASKED

    # The lobby

    def _number(self, number: int) -> list[Request]:
        if number not in SEATS:
            return [self.reply(ErrorNumber(), AskNumberOfPlayers())]
        return [Open(GAME, seats=number, preference=self._preference)]

    def _introduce(self, message: AddPlayer) -> list[Request]:
        """A name is welcome at any time before the match: it may lead back to a match that is waiting."""
        if self._name:
            return [self.reply(self._untimely(message, self._stage))]
        self._given = message.name
        if message.token:
            return [Return(table="", token=message.token)]
        if message.date is None:
            return [self.reply(WireError("the date is missing"))]
        if not message.name.strip():
            return [self.reply(WireError("a name cannot be empty"), PlayerAdded(message.name, False))]
        if not self._is_date(message.date):
            why = "the date does not exist or lies in the future; write it as yyyy.mm.dd"
            return [self.reply(WireError(why), PlayerAdded(message.name, False))]
        self._preference = Preferences(message.date)
        enter: list[Request] = [Enter(message.name)]
        if self._stage is Stage.LOBBY:
            enter.append(Ready(self._preference))
        elif self._stage is Stage.ARRIVED:
            enter.append(Seek(GAME, preference=self._preference))
        return enter

    def _is_date(self, words: str) -> bool:
        match = _DATE.fullmatch(words)
        if match is None or words >= self._settings.born_before:
            return False
        year, month, day = (int(part) for part in match.groups())
        return year > 0 and 1 <= month <= 12 and 1 <= day <= monthrange(year, month)[1]

    # Telling

    def tell(self, notice: Notice, now: float) -> list[ServerMessage]:
        """What a notice of the house means to this client."""
        if self._stage is Stage.FAREWELL:
            return []
        if self._play is not None:
            match notice:
                case Happened(events=happened):
                    return [message for event in happened for message in self._play.follow(event)]
                case Asked():
                    return self._play.ask(notice)
        return self._tell(notice, now)

    def _tell(self, notice: Notice, now: float) -> list[ServerMessage]:
        match notice:
            case Opening():
                self._stage = Stage.NUMBER
                return [AskNumberOfPlayers()]
            case Entered(name=name):
                self._name = name
                return []
            case Seated():
                return self._sit_down(notice)
            case Sat(seat=seat, sitter=sitter):
                self._place.chairs[seat] = sitter
                return [*self._add(seat), *self._ask_name()]
            case Stood(seat=seat, sitter=sitter, back=back):
                self._place.chairs[seat] = None
                return [] if back else self._part(sitter, now)
            case Shown(view=view):
                return self._begin(view)
            case Declined():
                return self._decline(notice, now)
            case Left(seat=seat, name=name, gone=True) if self._play and self._play.is_out(seat):
                # Whoever is out already may go: the match goes on. Else BrokenOff follows.
                return [PlayerDisconnected(name)]
            case Over():
                return self._farewell(now)
            case Gone(reason=reason):
                return [WireError(reason), *self._farewell(now)]
        return []

    def _farewell(self, now: float) -> list[ServerMessage]:
        """Nothing follows but the end of the connection, which is the client's to make."""
        self._stage = Stage.FAREWELL
        self._pulse.closing_at = now + self._settings.farewell_s
        self._wind()
        return [Disconnect()]

    def _sit_down(self, notice: Seated) -> list[ServerMessage]:
        """A chair in the lobby, or the one that was left in a running match."""
        self._place.chairs = list(notice.table.chairs)
        self._place.seat = notice.seat or 0
        self._place.token = notice.token
        others = [message for seat in range(len(self._place.chairs)) for message in self._add(seat)]
        if notice.table.phase != "open":
            self._stage = Stage.WAITING
            return others
        self._stage = Stage.LOBBY
        return [StateUpdate("SETUP_PLAYERS"), *others]

    def _add(self, seat: int) -> list[ServerMessage]:
        """A player who has become known."""
        sitter = self._place.chairs[seat]
        if sitter is None or not sitter.ready or sitter.name in self._place.added:
            return []
        self._place.added.add(sitter.name)
        return [PlayerAdded(sitter.name, True, self._place.token if seat == self._place.seat else "")]

    def _ask_name(self) -> list[ServerMessage]:
        """All chairs are taken: who are you?"""
        if self._place.asked_name or self._name or None in self._place.chairs:
            return []
        self._place.asked_name = True
        return [AskNickAndDate()]

    def _part(self, sitter: Sitter, now: float) -> list[ServerMessage]:
        """Somebody left the lobby, which breaks up: this client has no chair any more.

        Not so when they went back to a match that was waiting: the others here may be about to do the same.
        """
        gone: list[ServerMessage] = [PlayerDisconnected(sitter.name)] if sitter.name else []
        return [*gone, *self._farewell(now)]

    def _begin(self, view: View) -> list[ServerMessage]:
        names = [sitter.name if sitter is not None else "" for sitter in self._place.chairs]
        news = News(view, names)
        self._play = Play(news, self._place.seat, self.tongue)
        if self._stage is Stage.WAITING:
            return news.summary()
        self._stage = Stage.WAITING
        return news.opening()

    def _decline(self, notice: Declined, now: float) -> list[ServerMessage]:
        """The house says no."""
        said = WireError(notice.reason)
        match notice.request:
            case Enter() | Return() | Ready() if self._stage is not Stage.WAITING:
                self._name = ""
                return [said, PlayerAdded(self._given, False)]
            case Seek() | Open():
                return [said, *self._farewell(now)]
            case Act() if self._play:
                return self._play.refused(notice)
        return []
