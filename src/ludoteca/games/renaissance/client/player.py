"""A player's side of the seed's protocol, for any server that speaks it.

Decisions of several parts (a card and its payment, powers, a placement) are put together here, step by step
and by our own rules, and sent whole, as the protocol wants them.
"""

from collections.abc import Sequence
from typing import Any, assert_never

from msgspec.structs import replace

from ludoteca.games.renaissance import actions as act
from ludoteca.games.renaissance.cards.depots import arranged, store_choices
from ludoteca.games.renaissance.cards.questions import questions
from ludoteca.games.renaissance.client import shapes
from ludoteca.games.renaissance.data import (
    COLOURS,
    LEADERS,
    LEVELS,
    PLACES,
    REPORTS,
    START_FAITH,
    Resource,
    Stock,
)
from ludoteca.games.renaissance.events import EMPTY, Depot
from ludoteca.games.renaissance.state import Board, Pile, Tabletop
from ludoteca.games.renaissance.text import ask, draw, write
from ludoteca.games.renaissance.wire import messages as m
from ludoteca.games.renaissance.wire.expected import PARAMETERS
from ludoteca.wire.caller import JsonCaller, Reader, Sequel

# What each of our actions is called when the server lists what is open.
_NAMES: dict[type, m.ActionName] = {
    act.TakeLine: "MARKETACTION",
    act.BuyCard: "BUYDEVELOPMENTCARD",
    act.UseBasic: "USEPRODUCTION",
    act.UseSlot: "USEPRODUCTION",
    act.UseLeader: "USEPRODUCTION",
    act.PlayLeader: "PLAYLEADERCARD",
    act.DiscardLeader: "DISCARDLEADERCARD",
    act.EndTurn: "ENDTURN",
}
# After these the question that was answered is put again.
_AGAIN = {"INVALID_ACTION", "MANAGE_RESOURCES", "STARTING_RESOURCES", "STARTING_LEADER_CARD"}
_MAIN = {"MARKETACTION", "BUYDEVELOPMENTCARD", "USEPRODUCTION"}
PLAYERS_MAX = len(START_FAITH)
_READER: Reader[m.FromServer] = Reader(m.FromServer)
# What is asked of us, or said to us alone.
Asking = (
    m.Ping
    | m.UsernameResponse
    | m.NumberOfPlayersRequest
    | m.LeaderCardsRequest
    | m.ResourcesRequest
    | m.PossibleActions
    | m.ActionResponse
    | m.ResourcesManageRequest
    | m.Error
)
# What happens to anybody.
Happening = (
    m.StartTurn
    | m.FaithTrackUpdate
    | m.PlayLeaderCardUpdate
    | m.DiscardLeaderCardUpdate
    | m.BuyDevelopmentCardUpdate
    | m.UseProductionUpdate
    | m.MarketUpdate
    | m.LorenzoUpdate
    | m.Disconnection
    | m.Reconnection
    | m.EndGame
    | m.FinalScore
)
# What shows the whole table.
Showing = (
    m.Players
    | m.Market
    | m.DevCardGrid
    | m.LeaderCardsDone
    | m.StartingResourcesDone
    | m.SetupUpdate
    | m.ReconnectionUpdate
)


class Client(JsonCaller[m.FromServer]):
    """One player in one match."""

    def __init__(self, nickname: str) -> None:
        plain = "".join(sign for sign in nickname if sign.isascii() and sign.isalnum()) or "player"
        super().__init__(plain, _READER)
        self._tries = 1
        self._table: Tabletop | None = None
        self._open: list[m.ActionName] = []
        # The parameters of the action that was chosen: they follow when the server agrees to it.
        self._parameters: m.Parameters | None = None

    def greet(self) -> None:
        """Say who we are."""
        self.say(m.LoginRequest(self.nickname))

    def hear(self, message: m.FromServer) -> None:
        """A message."""
        if isinstance(message, Asking):
            self._hear_asking(message)
        elif isinstance(message, Showing):
            self._hear_showing(message)
        else:
            self._hear_event(message)
        if self._table is not None and self.players:
            self.view = self._table
            self.picture = draw(self._table, self.players)

    def _hear_asking(self, message: Asking) -> None:
        match message:
            case m.Ping():
                self.say(m.Pong())
            case m.UsernameResponse(free, username):
                self._named(username if free else None, free)
            case m.NumberOfPlayersRequest(highest):
                counts = {
                    f"{count} player{'s' * (count > 1)}": m.NumberOfPlayersReply(count)
                    for count in range(1, min(highest, PLAYERS_MAX) + 1)
                }
                self.ask("You open this game: for how many players?", counts)
            case m.LeaderCardsRequest(cards):
                self._board(self.mine, dealt=tuple(cards), kept=False)
                self._show(phase="leaders")
                self._ask_own()
            case m.ResourcesRequest(number):
                self._board(self.mine, due=number)
                self._show(phase="resources")
                if number:
                    self._ask_own()
                else:
                    self._reply_resources()
            case m.PossibleActions(possible):
                self._open, self._parameters = possible, None
                acted = not _MAIN & set(possible)
                self._show(current=self.mine, phase="turns", acted=acted, waiting=(), draft=())
                self._ask_own()
            case m.ActionResponse():
                if self._parameters is not None:
                    parameters, self._parameters = self._parameters, None
                    self.say(parameters)
            case m.ResourcesManageRequest(resources):
                waiting = tuple(shapes.quiet(resource) for resource in resources)
                self._show(waiting=waiting, draft=(), current=self.mine, phase="turns")
                self._place()
            case m.Error(error, detail):
                self.news.append(f"The server says: {detail or error}.")
                if error in _AGAIN:
                    self._parameters = None
                    self._show(draft=())
                    self._ask_own()
            case _:
                assert_never(message)

    def _named(self, name: str | None, free: bool) -> None:
        if free:
            self.nickname = name or self.nickname
            self.news.append(f"You are {self.nickname}.")
            return
        self._tries += 1
        self.nickname = f"{self.nickname.rstrip('0123456789')[:12]}{self._tries}"
        self.greet()

    def _reply_resources(self) -> None:
        self.say(m.ResourcesReply(shapes.warehouse_of(self._own().depots), username=self.nickname))

    # The table.

    def _hear_showing(self, message: Showing) -> None:
        match message:
            case m.Players(players):
                self.players = tuple(players)
                self.mine = self.players.index(self.nickname)
                boards = tuple(Board(kept=True) for _ in self.players)
                self._table = Tabletop(0, boards, ("white",) * 12, "white", (Pile(None, 0),) * 12)
                self.news.append(f"At the table: {', '.join(self.players)}.")
            case m.Market(marbles, free_marble):
                self._show_market(marbles, free_marble)
            case m.DevCardGrid(grid):
                self._show_grid(grid)
            case m.LeaderCardsDone() | m.StartingResourcesDone():
                pass
            case m.SetupUpdate():
                self._show_setup(message)
            case m.ReconnectionUpdate():
                self._show_everything(message)
            case _:
                assert_never(message)

    def _show_market(self, marbles: m.Marbles, free_marble: m.Marble) -> None:
        rows = tuple(shapes.marble(marble) for row in marbles for marble in row)
        self._show(marbles=rows, slide=shapes.marble(free_marble))

    def _show_grid(self, grid: m.Grid) -> None:
        # How many cards lie below the open one is not told.
        self._show(grid=tuple(Pile(card, 1 if card else 0) for row in grid for card in row))

    def _show_setup(self, message: m.SetupUpdate) -> None:
        for seat, name in enumerate(self.players):
            hand = tuple(message.leader_cards.get(name, ()))
            self._board(
                seat,
                hand=hand,
                dealt=hand,
                kept=True,
                due=0,
                depots=shapes.depots_of(message.warehouses.get(name, {})),
                faith=message.faith_positions.get(name, 0),
            )
        self._show(phase="turns")

    def _show_everything(self, message: m.ReconnectionUpdate) -> None:
        """We are back: all that there is on the boards, in one message."""
        for seat, name in enumerate(self.players):
            played = tuple(message.leader_cards_played.get(name, ()))
            slots = message.dev_card_slots.get(name, {})
            others = (None,) * min(message.cards_in_hand.get(name, 0), len(LEADERS))
            self._board(
                seat,
                hand=tuple(message.leader_cards) if seat == self.mine else others,
                played=played,
                slots=tuple(tuple(slots.get(str(slot), ())) for slot in range(len(Board().slots))),
                depots=_depots(message.warehouses.get(name, {}), played),
                strongbox=shapes.stock_of(message.strongboxes.get(name, {})),
                faith=message.faith_positions.get(name, 0),
            )
        if message.current_player is not None:
            self.mover = self.players.index(message.current_player)
            self._show(current=self.mover, phase="turns")

    # Our answers.

    def _ask_own(self) -> None:
        """Ask what our own rules ask at this table, as far as the server has it open."""
        if self._table is None or self.mine is None:
            return
        question = questions(self._table, 1)[self.mine]
        if question is None:
            return
        drafting = self._table.draft or self._table.waiting or question.kind in ("leaders", "resources")
        options = [one for one in question.choices if drafting or _NAMES.get(type(one)) in self._open]

        def chosen(action: act.Action) -> Sequel:
            return lambda: self._choose(action)

        if options:
            self.ask(ask(question, self._table), {write(one): chosen(one) for one in options})

    def _choose(self, action: act.Action) -> None:
        """A step: it completes a decision, which is sent, or leads to the next question."""
        draft = self._tabletop().draft
        match action:
            case act.KeepLeaders(first, second):
                self._board(self.mine, kept=True, hand=(first, second))
                self.say(m.LeaderCardsReply([first, second], username=self.nickname))
            case act.ChooseResource(resource, depot):
                self._choose_resource(resource, depot)
            case act.TakeBack():
                self._show(draft=())
                self._ask_own()
            case act.Store():
                self._show(draft=(*draft, action))
                self._place()
            case act.BuyCard() | act.UseBasic() | act.UseSlot() | act.UseLeader():
                self._show(draft=(*draft, action))
                self._ask_own()
            case act.EndTurn():
                self.say(m.ActionReply("ENDTURN"))
            case act.TakeLine() | act.PlayLeader() | act.DiscardLeader() | act.Pay():
                self._act(action)
            case _:
                assert_never(action)

    def _choose_resource(self, resource: Resource, depot: int) -> None:
        board = self._own()
        depots = list(board.depots)
        depots[depot] = Depot(resource, depots[depot].count + 1)
        self._board(self.mine, depots=tuple(depots), due=board.due - 1)
        if self._own().due:
            self._ask_own()
        else:
            self._reply_resources()

    def _place(self) -> None:
        """The next depot, or the whole placement when nothing is left to choose."""
        table, board = self._tabletop(), self._own()
        waiting, draft = table.waiting, table.draft
        if waiting and store_choices(board, waiting, draft):
            self._ask_own()
            return
        depots, rest = arranged(board, waiting, draft) if waiting else (board.depots, Stock(0, 0, 0, 0))
        self._show(waiting=(), draft=())
        warehouse, discard = shapes.warehouse_of(depots), shapes.counts_of(rest)
        self.say(m.ResourcesManageReply(warehouse, discard, username=self.nickname))

    def _act(self, action: act.TakeLine | act.PlayLeader | act.DiscardLeader | act.Pay) -> None:
        """Announce an action; its parameters follow when the server agrees."""
        draft = self._tabletop().draft
        self._parameters = shapes.parameters_of(action, draft, self._own(), self.nickname)
        self._show(draft=())
        self.say(m.ActionReply(PARAMETERS[type(self._parameters)]))

    # What happened.

    def _hear_event(self, message: Happening) -> None:
        match message:
            case m.StartTurn(username):
                self.mover = self.players.index(username)
                self._show(current=self.mover, phase="turns", acted=False, waiting=(), draft=())
                self.news.append(f"{username} begins a turn.")
            case m.FaithTrackUpdate():
                self._hear_faith(message)
            case m.PlayLeaderCardUpdate(username, leader, warehouse):
                seat = self.players.index(username)
                board = self._seat(seat)
                played, hand = (*board.played, leader), shapes.without(board.hand, leader)
                self._board(seat, played=played, hand=hand, depots=_depots(warehouse, played))
                self.news.append(f"{username} plays leader {leader}.")
            case m.DiscardLeaderCardUpdate(username, leader):
                seat = self.players.index(username)
                self._board(seat, hand=shapes.without(self._seat(seat).hand, leader))
                self.news.append(f"{username} discards leader {leader}.")
            case m.BuyDevelopmentCardUpdate():
                self._hear_bought(message)
            case m.UseProductionUpdate(username, warehouse, strongbox):
                self._store(username, warehouse, strongbox)
                self.news.append(f"{username} produces.")
            case m.MarketUpdate(username, index, row, marbles, free_marble, warehouse):
                self._show_market(marbles, free_marble)
                self._board(self.players.index(username), depots=shapes.depots_of(warehouse))
                line = "row" if row else "column"
                self.news.append(f"{username} takes {line} {index + 1} of the market.")
            case m.LorenzoUpdate(position, grid, text):
                self._show_grid(grid)
                self._show(cross=position)
                self.news.append(f"{text}.")
            case m.Disconnection(username):
                self.news.append(f"{username} is absent.")
            case m.Reconnection(username):
                self.news.append(f"{username} is back.")
            case m.EndGame():
                self._show(last_round=True)
                self.news.append("This is the last round.")
            case m.FinalScore():
                self._hear_score(message)
            case _:
                assert_never(message)

    def _hear_faith(self, message: m.FaithTrackUpdate) -> None:
        for name, cell in message.positions.items():
            self._board(self.players.index(name), faith=cell)
        self._show(cross=message.black_cross)
        if message.report:
            number = [report.pope_space for report in REPORTS].index(message.vatican_report)
            for seat, name in enumerate(self.players):
                tiles = list(self._seat(seat).tiles)
                tiles[number] = "up" if name in message.activated else "lost"
                self._board(seat, tiles=tuple(tiles))
            self.news.append(f"Vatican report {number + 1}.")

    def _hear_bought(self, message: m.BuyDevelopmentCardUpdate) -> None:
        seat, slot = self.players.index(message.username), message.slot
        slots = self._seat(seat).slots
        bought = (*slots[slot], message.card)
        self._board(seat, slots=(*slots[:slot], bought, *slots[slot + 1 :]))
        self._store(message.username, message.warehouse, message.strongbox)
        place = LEVELS.index(message.level) * len(COLOURS) + [c.upper() for c in COLOURS].index(message.color)
        grid, following = self._tabletop().grid, message.next_card
        self._show(grid=(*grid[:place], Pile(following, 1 if following else 0), *grid[place + 1 :]))
        self.news.append(f"{message.username} buys {message.card}.")

    def _store(self, username: str, warehouse: m.Warehouse, strongbox: m.Counts) -> None:
        seat = self.players.index(username)
        self._board(seat, depots=shapes.depots_of(warehouse), strongbox=shapes.stock_of(strongbox))

    def _hear_score(self, message: m.FinalScore) -> None:
        self._show(phase="over")
        self.news.append(", ".join(f"{name} {points}" for name, points in message.scores.items()) + ".")
        winners = message.winners
        if message.lorenzo_won or not winners:
            self.news.append("Lorenzo wins.")
        else:
            self.news.append("You win." if winners == [self.nickname] else f"{' and '.join(winners)} won.")
        self.end()

    # What is known.

    def _tabletop(self) -> Tabletop:
        """Raises LookupError when the server has not told of the players yet."""
        if self._table is None:
            raise LookupError("nobody is at the table")
        return self._table

    def _own(self) -> Board:
        return self._seat(self.mine)

    def _seat(self, seat: int | None) -> Board:
        if seat is None:
            raise LookupError("we are not at the table")
        return self._tabletop().boards[seat]

    def _board(self, seat: int | None, **changes: Any) -> None:
        changed = replace(self._seat(seat), **changes)
        boards = list(self._tabletop().boards)
        boards[seat or 0] = changed
        self._show(boards=tuple(boards))

    def _show(self, **changes: Any) -> None:
        if self._table is not None:
            self._table = replace(self._table, **changes)


def _depots(warehouse: m.Warehouse, played: Sequence[str]) -> tuple[Depot, ...]:
    """A warehouse with a depot for each leader that brings one, also an empty one that is not told of."""
    depots = shapes.depots_of(warehouse)
    kinds = sum(LEADERS[one].kind == "depot" for one in played)
    return depots + (EMPTY,) * (len(PLACES) + kinds - len(depots))
