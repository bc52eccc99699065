"""One connection: login, number of players, setup, turns, absence, and the next match after the last.

What a client may say depends on the stage, and during a match on the question that the house has asked. Where
the protocol takes a decision in one message and the rules in several steps, the steps go to the house as one.
"""

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import UNSET

from ludoteca.core import Notice, Refused, Request
from ludoteca.core.notices import (
    Asked,
    Declined,
    Entered,
    Gone,
    Happened,
    Left,
    Opening,
    Over,
    Returned,
    Sat,
    Seated,
    Shown,
    Stood,
)
from ludoteca.core.requests import Act, Enter, Leave, Open, Return, Seek
from ludoteca.games.renaissance import actions
from ludoteca.games.renaissance.actions import Action
from ludoteca.games.renaissance.data import START_FAITH
from ludoteca.games.renaissance.state import Board
from ludoteca.games.renaissance.view import View
from ludoteca.games.renaissance.wire import messages, orders, pictures
from ludoteca.games.renaissance.wire.expected import PARAMETERS, Owed, Stage
from ludoteca.games.renaissance.wire.messages import (
    ActionName,
    Error,
    ErrorName,
    FromClient,
    FromServer,
    Play,
)
from ludoteca.games.renaissance.wire.updates import Chronicle
from ludoteca.wire.jsonl import JsonLines
from ludoteca.wire.tongue import MessageConversation, Tongue

GAME = "renaissance"
PLAYERS_MAX = len(START_FAITH)
NAME_LENGTH_MIN = 4
NAME_LENGTH_MAX = 15

_ERRORS: dict[str, ErrorName] = {
    "leaders": "STARTING_LEADER_CARD",
    "resources": "STARTING_RESOURCES",
    "place": "MANAGE_RESOURCES",
}
_UNTIMELY = Error("INVALID_MESSAGE", "this is not the time for it")
_NO_RESOURCES = messages.ResourcesRequest(0)
_BACK = actions.TakeBack()


class Settings(msgspec.Struct, frozen=True):
    """What an operator can change about this protocol."""

    # A client has this long to answer a ping.
    ping_interval_s: float = 2.0
    # After a match there are no pings: whoever says nothing for so long has gone.
    rest_s: float = 600.0


class _Chair(msgspec.Struct):
    """Where this client sits, and with whom; `returning` when it took its seat again."""

    seat: int = 0
    token: str = ""
    names: list[str] = []
    away: set[str] = set()
    returning: bool = False


class _Pulse(msgspec.Struct):
    """Signs of life.

    When the next ping is due and whether the last was answered or, after a match, until when the client may
    rest.
    """

    ping_at: float | None = None
    answered: bool = True
    rests_until: float | None = None


_decode = msgspec.json.Decoder(FromClient).decode


class Conversation(MessageConversation[FromClient, FromServer]):
    """One client of the protocol."""

    def __init__(self, settings: Settings, tongue: Tongue | None = None) -> None:
        super().__init__(tongue or JsonLines(_decode))
        self._settings = settings
        self._owed = Owed()
        self._name = ""
        # A name that the house has accepted, while it is open whether it leads back into a match.
        self._accepted: str | None = None
        self._chair = _Chair()
        self._chronicle: Chronicle | None = None
        self._pulse = _Pulse()
        # After a match the seat and the name are given up as soon as the house can be told.
        self._gives_up = False

    # Time.

    def greet(self, now: float) -> list[Request]:
        """The first ping goes out at once."""
        return [*super().greet(now), *self._ping(now)]

    def excuse(self, now: float) -> None:
        """Whatever the client answered until now nobody has looked at."""
        self._pulse.answered = True

    def tick(self, now: float) -> list[Request]:
        """Tell a name's fate when nothing else has; ping; give up on whoever did not answer."""
        requests = self._give_up()
        if self._accepted is not None:
            requests.append(self.reply(*self._accept()))
        pulse = self._pulse
        if pulse.rests_until is not None and now >= pulse.rests_until:
            self.closing = True
        if pulse.ping_at is not None and now >= pulse.ping_at:
            if not pulse.answered:
                self.closing = True
                return requests
            requests += self._ping(now)
        self.alarm = pulse.ping_at if pulse.rests_until is None else pulse.rests_until
        return requests

    def _give_up(self) -> list[Request]:
        """Leave a match that is over, and the name with it."""
        if not self._gives_up:
            return []
        self._gives_up = False
        return [Leave(name=True)]

    def _ping(self, now: float) -> list[Request]:
        self._pulse.answered = False
        self._pulse.ping_at = self.alarm = now + self._settings.ping_interval_s
        return [self.reply(messages.Ping())]

    # From the client.

    def garbled(self, line: bytes, reason: str, now: float) -> list[Request]:
        """A line that is no message."""
        return [self.reply(Error("INVALID_MESSAGE", reason))]

    def hear(self, message: FromClient, now: float) -> list[Request]:
        """A message of the client."""
        if isinstance(message, messages.Pong):
            self._pulse.answered = True
            return []
        expected = self._owed.allows(message)
        if isinstance(message, messages.LoginRequest | messages.NumberOfPlayersReply):
            if not expected:
                return [self.reply(_UNTIMELY)]
            if isinstance(message, messages.LoginRequest):
                return self._log_in(message, now)
            return self._open(message.number)
        if self._chronicle is None:
            return [self.reply(Error("INVALID_MESSAGE", "no match is running"))]
        if getattr(message, "username", UNSET) not in (UNSET, self._name):
            return [self.reply(Error("INVALID_MESSAGE", f"you are {self._name}"))]
        if not expected:
            return self._refuse_untimely(message)
        return self._play(message, self._chronicle.view, self._chronicle.view.boards[self._chair.seat])

    def _log_in(self, message: messages.LoginRequest, now: float) -> list[Request]:
        name = message.username
        if not NAME_LENGTH_MIN <= len(name) <= NAME_LENGTH_MAX:
            return [self.reply(messages.UsernameResponse(False, None, "LENGTH"))]
        if not name.isprintable() or any(letter.isspace() for letter in name):
            return [self.reply(messages.UsernameResponse(False, None, "CHARACTERS"))]
        self._owed.stage, self._pulse.rests_until = Stage.ENTERING, None
        requests = self._give_up()
        if self._pulse.ping_at is None:
            requests += self._ping(now)
        if message.token:
            return [*requests, Return("", message.token)]
        return [*requests, Enter(name), Seek(GAME)]

    def _open(self, number: int) -> list[Request]:
        if not 1 <= number <= PLAYERS_MAX:
            return [self.reply(messages.NumberOfPlayersRequest(PLAYERS_MAX))]
        self._owed.stage = Stage.LOBBY
        return [Open(GAME, seats=number)]

    def _refuse_untimely(self, message: Play) -> list[Request]:
        match message:
            case messages.EndTurn():
                # One that comes late, after the action ENDTURN, is ignored.
                return []
            case messages.LeaderCardsReply() | messages.ResourcesReply() | messages.ResourcesManageReply():
                return [self.reply(_UNTIMELY)]
        if self._owed.stage is Stage.PLACING:
            return self._refuse("place the resources first")
        return [self.reply(Error("NOT_YOUR_TURN", "wait for your turn"))]

    def _play(self, message: Play, view: View, board: Board) -> list[Request]:
        """What was asked for."""
        match message:
            case messages.LeaderCardsReply(leader_cards=cards):
                return self._act(lambda: orders.keep_leaders(board, cards))
            case messages.ResourcesReply(warehouse=warehouse):
                if self._owed.formality:
                    return self._confirm(board, warehouse)
                return self._act(lambda: orders.choose_resources(board, warehouse))
            case messages.ResourcesManageReply():
                return self._act(lambda: orders.arrange(board, view.waiting, message))
            case messages.ActionReply(action=action):
                return self._choose(action)
            case messages.EndTurn():
                return self._act(lambda: (actions.EndTurn(),))
        if PARAMETERS[type(message)] != self._owed.chosen:
            return self._refuse("choose the action before its parameters")
        return self._act(lambda: orders.parameters(view, board, message))

    def _choose(self, action: ActionName) -> list[Request]:
        if action not in self._possible_actions():
            return self._refuse("that action is not open to you")
        requests: list[Request] = [self.reply(messages.ActionResponse(action))]
        if action == "ENDTURN":
            return requests + self._act(lambda: (actions.EndTurn(),))
        self._owed.chosen = action
        return requests

    def _act(self, order: Callable[[], tuple[Action, ...]]) -> list[Request]:
        """Send a decision to the house; until its answer comes there is nothing more to decide."""
        try:
            steps = order()
        except Refused as refusal:
            return self._refuse(refusal.reason)
        assert self._owed.question is not None
        if _BACK in self._owed.question.choices:
            # This decision was begun through another protocol, or by a bot that held the seat.
            steps = (_BACK, *steps)
        self._owed.answer()
        return [Act(steps)]

    def _refuse(self, reason: str) -> list[Request]:
        """Say why not, and ask again."""
        assert self._owed.question is not None
        self._owed.chosen = None
        error = _ERRORS.get(self._owed.question.kind, "INVALID_ACTION")
        return [self.reply(Error(error, reason), *self._ask())]

    def _confirm(self, board: Board, warehouse: messages.Warehouse) -> list[Request]:
        """The answer to a request for no resources, which nobody waits for."""
        try:
            orders.choose_resources(board, warehouse)
        except Refused as refusal:
            return [self.reply(Error("STARTING_RESOURCES", refusal.reason), _NO_RESOURCES)]
        self._owed.formality = False
        return [self.reply(messages.StartingResourcesDone())]

    # To the client.

    def tell(self, notice: Notice, now: float) -> list[FromServer]:
        """The messages for a notice."""
        match notice:
            case Happened(events=events):
                return self._tell_events(events)
            case Asked(question=question):
                self._owed.ask(question)
                return self._ask()
            case Declined():
                return self._tell_declined(notice)
            case Entered(name=name):
                self._name = self._accepted = name
                self.alarm = now
                return []
            case Opening():
                self._owed.stage = Stage.CHOOSING
                return [*self._accept(), messages.NumberOfPlayersRequest(PLAYERS_MAX)]
            case Seated():
                return self._sit_down(notice)
            case Sat(seat=seat, sitter=sitter):
                self._chair.names[seat] = sitter.name
                self._chair.away.discard(sitter.name)
            case Stood(seat=seat, sitter=sitter):
                self._chair.names[seat] = ""
                return self._tell_absence(sitter.name)
            case Shown(view=view):
                return self._show(view)
            case Left(name=name):
                return self._tell_absence(name)
            case Returned(name=name):
                self._chair.away.discard(name)
                return [messages.Reconnection(name)]
            case Over():
                return self._tell_outcome(notice, now)
            case Gone():
                self.closing = True
        return []

    def _tell_absence(self, name: str) -> list[FromServer]:
        """Somebody is gone, from the lobby or the match: said once, whether they are waited for or not."""
        if not name or name in self._chair.away:
            return []
        self._chair.away.add(name)
        return [messages.Disconnection(name)]

    def _accept(self) -> list[FromServer]:
        name, self._accepted = self._accepted, None
        if self._owed.stage is Stage.ENTERING:
            self._owed.stage = Stage.LOBBY
        return [] if name is None else [messages.UsernameResponse(True, name)]

    def _sit_down(self, notice: Seated) -> list[FromServer]:
        assert notice.seat is not None
        table = notice.table
        self._chair = _Chair(
            notice.seat,
            notice.token or self._chair.token,
            list(table.names),
            {chair.name for chair in table.chairs if chair is not None and not chair.here},
            returning=table.phase == "playing",
        )
        if self._chair.returning:
            # No username response: the messages of the running match say it all.
            self._accepted = None
            return []
        self._owed.stage = Stage.LOBBY
        return self._accept()

    def _show(self, view: View) -> list[FromServer]:
        chair = self._chair
        self._chronicle = Chronicle(view, chair.names, chair.seat)
        self._owed.wait()
        players = messages.Players(pictures.in_turn_order(view, chair.names), chair.token or UNSET)
        grid = messages.DevCardGrid(pictures.grid(view))
        market = pictures.market(view)
        if not chair.returning:
            return [market, grid, players]
        update = pictures.reconnection_update(view, chair.names, chair.seat, chair.away)
        return [players, grid, market, update]

    def _tell_events(self, events: tuple[Any, ...]) -> list[FromServer]:
        assert self._chronicle is not None
        told = self._chronicle.tell(events)
        if _NO_RESOURCES in told:
            self._owed.formality = True
        return told

    def _ask(self) -> list[FromServer]:
        """The message for the question that is open."""
        assert self._chronicle is not None
        view = self._chronicle.view
        board = view.boards[self._chair.seat]
        match self._owed.stage:
            case Stage.LEADERS:
                return [messages.LeaderCardsRequest([str(card) for card in board.dealt])]
            case Stage.RESOURCES:
                return [messages.ResourcesRequest(board.due)]
            case Stage.PLACING:
                return [messages.ResourcesManageRequest(pictures.resources(view.waiting))]
            case _:
                return [messages.PossibleActions(self._possible_actions())]

    def _possible_actions(self) -> list[ActionName]:
        """What is open to the current player; whether it can succeed is not looked at."""
        assert self._chronicle is not None
        view = self._chronicle.view
        leaders: list[ActionName] = ["PLAYLEADERCARD", "DISCARDLEADERCARD"]
        main: list[ActionName] = ["BUYDEVELOPMENTCARD", "USEPRODUCTION", "MARKETACTION"]
        if not view.boards[self._chair.seat].hand:
            leaders = []
        return [*leaders, *(["ENDTURN"] if view.acted else main)]

    def _tell_declined(self, notice: Declined) -> list[FromServer]:
        match notice.request:
            case Act():
                if notice.code in ("turn", "phase"):
                    return [Error("NOT_YOUR_TURN", notice.reason)]
                return [Error(_ERRORS.get(self._owed.answered, "INVALID_ACTION"), notice.reason)]
            case Open():
                self._owed.stage = Stage.CHOOSING
                return [
                    Error("INVALID_ACTION", notice.reason),
                    messages.NumberOfPlayersRequest(PLAYERS_MAX),
                ]
            case _:
                self._owed.stage, self._accepted = Stage.LOGIN, None
                # A name or token of a match that is kept and not served deserves to hear why.
                why = [Error("INVALID_ACTION", notice.reason)] if notice.code == "aside" else []
                # Without a reason: a token of no seat, or another name than that of the match before.
                return [
                    *why,
                    messages.UsernameResponse(False, None, "TAKEN" if notice.code == "taken" else UNSET),
                ]

    def _tell_outcome(self, notice: Over, now: float) -> list[FromServer]:
        """The end: pings stop, names are free, and the client may log in for another match."""
        assert self._chronicle is not None
        outcome = notice.outcome
        totals = sorted(
            zip(self._chair.names, outcome.scores.get("total", ()), strict=False), key=lambda pair: -pair[1]
        )
        winners = [self._chair.names[seat] for seat in outcome.winners]
        lost = self._chronicle.view.cross is not None and not winners
        closing = [] if self._chronicle.ending else [messages.EndGame()]
        self._owed.stage, self._chronicle, self._name = Stage.LOGIN, None, ""
        self._gives_up, self.alarm = True, now
        self._pulse = _Pulse(rests_until=now + self._settings.rest_s)
        return [*closing, messages.FinalScore(dict(totals), lost, winners)]
