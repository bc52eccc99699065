"""A player's side of the seed's protocol, for any server that speaks it.

Decisions of several parts (a card and its payment, powers, a placement) are put together here, step by step
and by our own rules, and sent whole, as the protocol wants them.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from ludoteca.games.renaissance import actions as act
from ludoteca.games.renaissance.cards.depots import arranged, store_choices
from ludoteca.games.renaissance.cards.powers import LEADER_USES
from ludoteca.games.renaissance.cards.questions import questions
from ludoteca.games.renaissance.client import shapes
from ludoteca.games.renaissance.data import (
    CARDS,
    COLOURS,
    LEADERS,
    LEVELS,
    PLACES,
    REPORTS,
    Stock,
)
from ludoteca.games.renaissance.events import EMPTY, Depot
from ludoteca.games.renaissance.state import Board, Pile, Tabletop
from ludoteca.games.renaissance.text import ask, draw, write
from ludoteca.wire.caller import JsonCaller, Sequel

Wire = dict[str, Any]

# What each of our actions is called when the server lists what is open.
_NAMES: dict[type, str] = {
    act.TakeLine: "MARKETACTION",
    act.BuyCard: "BUYDEVELOPMENTCARD",
    act.UseBasic: "USEPRODUCTION",
    act.UseSlot: "USEPRODUCTION",
    act.UseLeader: "USEPRODUCTION",
    act.PlayLeader: "PLAYLEADERCARD",
    act.DiscardLeader: "DISCARDLEADERCARD",
    act.EndTurn: "ENDTURN",
}
_MAIN = {"MARKETACTION", "BUYDEVELOPMENTCARD", "USEPRODUCTION"}


class Client(JsonCaller):
    """One player in one match."""

    def __init__(self, nickname: str) -> None:
        super().__init__("".join(sign for sign in nickname if sign.isascii() and sign.isalnum()) or "player")
        self._tries = 1
        self._table: Tabletop | None = None
        self._open: list[str] = []
        # The parameters of the action that was chosen: they follow when the server agrees to it.
        self._parameters: Wire | None = None

    def greet(self) -> None:
        """Say who we are."""
        self.say({"type": "loginRequest", "username": self.nickname})

    def hear(self, message: Wire) -> None:
        """A message; types we do not know are passed over."""
        hearer = getattr(self, f"_on_{message.get('type')}", None)
        if hearer is not None:
            hearer(message)
        if self._table is not None and self.players:
            self.picture = draw(self._table, self.players)

    # Coming in.

    def _on_ping(self, _message: Wire) -> None:
        self.say({"type": "pong"})

    def _on_usernameResponse(self, message: Wire) -> None:
        if message["free"]:
            self.nickname = message["username"] or self.nickname
            self.news.append(f"You are {self.nickname}.")
            return
        self._tries += 1
        self.nickname = f"{self.nickname.rstrip('0123456789')[:12]}{self._tries}"
        self.greet()

    def _on_numberOfPlayersRequest(self, message: Wire) -> None:
        counts: dict[str, Sequel] = {
            f"{count} player{'s' * (count > 1)}": {"type": "numberOfPlayersReply", "number": count}
            for count in range(1, int(message["max"]) + 1)
        }
        self.ask("You open this game: for how many players?", counts)

    def _on_players(self, message: Wire) -> None:
        self.players = tuple(message["players"])
        self.mine = self.players.index(self.nickname)
        boards = tuple(Board(kept=True) for _ in self.players)
        self._table = Tabletop(0, boards, ("white",) * 12, "white", (Pile(None, 0),) * 12)
        self.news.append(f"At the table: {', '.join(self.players)}.")

    def _on_market(self, message: Wire) -> None:
        self._show(
            marbles=tuple(marble.lower() for row in message["marbles"] for marble in row),
            slide=message["freeMarble"].lower(),
        )

    def _on_devCardGrid(self, message: Wire) -> None:
        # How many cards lie below the open one is not told.
        self._show(grid=tuple(Pile(card, 1 if card else 0) for row in message["grid"] for card in row))

    # Setting up.

    def _on_leaderCardsRequest(self, message: Wire) -> None:
        self._board(self.mine, dealt=tuple(message["leaderCards"]), kept=False)
        self._show(phase="leaders")
        self._ask_own()

    def _on_resourcesRequest(self, message: Wire) -> None:
        number = int(message["number"])
        self._board(self.mine, due=number)
        self._show(phase="resources")
        if number:
            self._ask_own()
        else:
            self._reply_resources()

    def _reply_resources(self) -> None:
        depots = self._own().depots
        self.say(
            {"type": "resourcesReply", "username": self.nickname, "warehouse": shapes.warehouse_of(depots)}
        )

    def _on_setupUpdate(self, message: Wire) -> None:
        for seat, name in enumerate(self.players):
            hand = tuple(message["leaderCards"].get(name, ()))
            self._board(
                seat,
                hand=hand,
                dealt=hand,
                kept=True,
                due=0,
                depots=shapes.depots_of(message["warehouses"].get(name, {})),
                faith=message["faithPositions"].get(name, 0),
            )
        self._show(phase="turns")

    def _on_reconnectionUpdate(self, message: Wire) -> None:
        """We are back: all that there is on the boards, in one message."""
        for seat, name in enumerate(self.players):
            played, slots = message["leaderCardsPlayed"].get(name, ()), message["devCardSlots"].get(name, {})
            others = (None,) * message["cardsInHand"].get(name, 0)
            self._board(
                seat,
                hand=tuple(message["leaderCards"]) if seat == self.mine else others,
                played=tuple(played),
                slots=tuple(tuple(slots.get(str(slot), ())) for slot in range(len(Board().slots))),
                depots=_depots(message["warehouses"].get(name, {}), played),
                strongbox=shapes.stock_of(message["strongboxes"].get(name, {})),
                faith=message["faithPositions"].get(name, 0),
            )
        if message["currentPlayer"] is not None:
            self.mover = self.players.index(message["currentPlayer"])
            self._show(current=self.mover, phase="turns")

    # A turn.

    def _on_startTurn(self, message: Wire) -> None:
        self.mover = self.players.index(message["username"])
        self._show(current=self.mover, phase="turns", acted=False, waiting=(), draft=())
        self.news.append(f"{message['username']} begins a turn.")

    def _on_possibleActions(self, message: Wire) -> None:
        self._open = list(message["actions"])
        self._parameters = None
        self._show(current=self.mine, phase="turns", acted=not _MAIN & set(self._open), waiting=(), draft=())
        self._ask_own()

    def _on_actionResponse(self, _message: Wire) -> None:
        if self._parameters is not None:
            parameters, self._parameters = self._parameters, None
            self.say(parameters)

    def _on_resourcesManageRequest(self, message: Wire) -> None:
        waiting = tuple(resource.lower() for resource in message["resources"])
        self._show(waiting=waiting, draft=(), current=self.mine, phase="turns")
        self._place()

    def _on_error(self, message: Wire) -> None:
        self.news.append(f"The server says: {message['detail'] or message['error']}.")
        if message["error"] in (
            "INVALID_ACTION",
            "MANAGE_RESOURCES",
            "STARTING_RESOURCES",
            "STARTING_LEADER_CARD",
        ):
            self._parameters = None
            self._show(draft=())
            self._ask_own()

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
        assert self._table is not None
        match action:
            case act.KeepLeaders(first, second):
                self._board(self.mine, kept=True, hand=(first, second))
                cards = [first, second]
                self.say({"type": "leaderCardsReply", "username": self.nickname, "leaderCards": cards})
            case act.ChooseResource(resource, depot):
                self._choose_resource(resource, depot)
            case act.TakeBack():
                self._show(draft=())
                self._ask_own()
            case act.Store():
                self._show(draft=(*self._table.draft, action))
                self._place()
            case act.BuyCard() | act.UseBasic() | act.UseSlot() | act.UseLeader():
                self._show(draft=(*self._table.draft, action))
                self._ask_own()
            case act.EndTurn():
                self.say({"type": "actionReply", "action": "ENDTURN"})
            case _:
                self._act(action)

    def _choose_resource(self, resource: str, depot: int) -> None:
        board = self._own()
        held = board.depots[depot]
        depots = (*board.depots[:depot], Depot(resource, held.count + 1), *board.depots[depot + 1 :])  # type: ignore[arg-type]
        self._board(self.mine, depots=depots, due=board.due - 1)
        if self._own().due:
            self._ask_own()
        else:
            self._reply_resources()

    def _place(self) -> None:
        """The next depot, or the whole placement when nothing is left to choose."""
        assert self._table is not None
        board, waiting, draft = self._own(), self._table.waiting, self._table.draft
        if waiting and store_choices(board, waiting, draft):
            self._ask_own()
            return
        depots, rest = arranged(board, waiting, draft) if waiting else (board.depots, Stock(0, 0, 0, 0))
        self._show(waiting=(), draft=())
        self.say(
            {
                "type": "resourcesManageReply",
                "username": self.nickname,
                "warehouse": shapes.warehouse_of(depots),
                "discard": shapes.counts_of(rest),
            }
        )

    def _act(self, action: act.Action) -> None:
        """Announce an action; its parameters follow when the server agrees."""
        assert self._table is not None
        name, fields = self._message(action, self._table)
        self._parameters = {"username": self.nickname, **fields}
        self._show(draft=())
        self.say({"type": "actionReply", "action": name})

    def _message(self, action: act.Action, table: Tabletop) -> tuple[str, Wire]:
        match action:
            case act.TakeLine(line, index, exchange):
                loud = [resource.upper() for resource in exchange]
                fields = {
                    "type": "rowColumnSelection",
                    "index": index,
                    "row": line == "row",
                    "exchange": loud,
                }
                return "MARKETACTION", fields
            case act.PlayLeader(leader):
                return "PLAYLEADERCARD", {"type": "playLeaderCard", "leaderCard": leader}
            case act.DiscardLeader(leader):
                return "DISCARDLEADERCARD", {"type": "discardLeaderCard", "leaderCard": leader}
            case act.Pay() if isinstance(table.draft[0], act.BuyCard):
                card = CARDS[table.draft[0].card]
                return "BUYDEVELOPMENTCARD", {
                    "type": "buyDevelopmentCard",
                    "color": card.colour.upper(),
                    "level": card.level,
                    "slot": table.draft[0].slot,
                    "payment": shapes.payment_of(action),
                }
            case act.Pay():
                return "USEPRODUCTION", {
                    "type": "useProduction",
                    **self._powers(table),
                    "payment": shapes.payment_of(action),
                }
        raise AssertionError(action)

    def _powers(self, table: Tabletop) -> Wire:
        producers = [leader for leader in self._own().played if leader in LEADER_USES]
        board: list[str] = []
        slots: list[int] = []
        leaders: list[int] = []
        gains: list[str] = []
        for power in table.draft:
            match power:
                case act.UseBasic((first, second), gain):
                    board = [first.upper(), second.upper(), gain.upper()]
                case act.UseSlot(slot):
                    slots.append(slot)
                case act.UseLeader(leader, gain):
                    leaders.append(producers.index(leader))
                    gains.append(gain.upper())
        return {"board": board, "devSlots": slots, "leaders": leaders, "leaderGain": gains}

    # What happened.

    def _on_faithTrackUpdate(self, message: Wire) -> None:
        for name, cell in message["positions"].items():
            self._board(self.players.index(name), faith=cell)
        self._show(cross=message.get("blackCross"))
        if message["report"]:
            number = [report.pope_space for report in REPORTS].index(message["vaticanReport"])
            for seat, name in enumerate(self.players):
                assert self._table is not None
                tiles = list(self._table.boards[seat].tiles)
                tiles[number] = "up" if name in message["activated"] else "lost"
                self._board(seat, tiles=tuple(tiles))
            self.news.append(f"Vatican report {number + 1}.")

    def _on_playLeaderCardUpdate(self, message: Wire) -> None:
        seat, leader = self.players.index(message["username"]), message["leaderCard"]
        board = self._seat(seat)
        played = (*board.played, leader)
        depots = _depots(message["warehouse"], played)
        self._board(seat, played=played, hand=shapes.without(board.hand, leader), depots=depots)
        self.news.append(f"{message['username']} plays leader {leader}.")

    def _on_discardLeaderCardUpdate(self, message: Wire) -> None:
        seat, leader = self.players.index(message["username"]), message["leaderCard"]
        self._board(seat, hand=shapes.without(self._seat(seat).hand, leader))
        self.news.append(f"{message['username']} discards leader {leader}.")

    def _on_buyDevelopmentCardUpdate(self, message: Wire) -> None:
        seat, slot = self.players.index(message["username"]), int(message["slot"])
        slots = self._seat(seat).slots
        bought = (*slots[slot], message["card"])
        self._board(seat, slots=(*slots[:slot], bought, *slots[slot + 1 :]))
        self._store(seat, message)
        place = LEVELS.index(message["level"]) * len(COLOURS) + [c.upper() for c in COLOURS].index(
            message["color"]
        )
        assert self._table is not None
        grid, following = self._table.grid, message["nextCard"]
        self._show(grid=(*grid[:place], Pile(following, 1 if following else 0), *grid[place + 1 :]))
        self.news.append(f"{message['username']} buys {message['card']}.")

    def _on_useProductionUpdate(self, message: Wire) -> None:
        self._store(self.players.index(message["username"]), message)
        self.news.append(f"{message['username']} produces.")

    def _store(self, seat: int, message: Wire) -> None:
        self._board(
            seat,
            depots=shapes.depots_of(message["warehouse"]),
            strongbox=shapes.stock_of(message["strongbox"]),
        )

    def _on_marketUpdate(self, message: Wire) -> None:
        self._on_market(message)
        self._board(self.players.index(message["username"]), depots=shapes.depots_of(message["warehouse"]))
        line = "row" if message["row"] else "column"
        self.news.append(f"{message['username']} takes {line} {message['index'] + 1} of the market.")

    def _on_lorenzoUpdate(self, message: Wire) -> None:
        self._on_devCardGrid(message)
        self._show(cross=message["position"])
        self.news.append(f"{message['message']}.")

    def _on_disconnection(self, message: Wire) -> None:
        self.news.append(f"{message['username']} is absent.")

    def _on_reconnection(self, message: Wire) -> None:
        self.news.append(f"{message['username']} is back.")

    def _on_endGame(self, _message: Wire) -> None:
        self._show(last_round=True)
        self.news.append("This is the last round.")

    def _on_finalScore(self, message: Wire) -> None:
        self._show(phase="over")
        self.news.append(", ".join(f"{name} {points}" for name, points in message["scores"].items()) + ".")
        winners = message["winners"]
        if message["lorenzoWon"] or not winners:
            self.news.append("Lorenzo wins.")
        else:
            self.news.append("You win." if winners == [self.nickname] else f"{' and '.join(winners)} won.")
        self.end()

    # What is known.

    def _own(self) -> Board:
        assert self.mine is not None
        return self._seat(self.mine)

    def _seat(self, seat: int) -> Board:
        assert self._table is not None
        return self._table.boards[seat]

    def _board(self, seat: int | None, **changes: Any) -> None:
        assert self._table is not None
        assert seat is not None
        boards = self._table.boards
        self._show(boards=(*boards[:seat], replace(boards[seat], **changes), *boards[seat + 1 :]))

    def _show(self, **changes: Any) -> None:
        if self._table is not None:
            self._table = replace(self._table, **changes)


def _depots(warehouse: Mapping[str, list[str]], played: Sequence[str]) -> tuple[Depot, ...]:
    """A warehouse with a depot for each leader that brings one, also an empty one that is not told of."""
    depots = shapes.depots_of(warehouse)
    kinds = sum(LEADERS[one].kind == "depot" for one in played)
    return depots + (EMPTY,) * (len(PLACES) + kinds - len(depots))
