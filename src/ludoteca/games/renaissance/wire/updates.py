"""What happened, as the messages that tell it. Half-made decisions are not told."""

from collections.abc import Sequence
from typing import cast

from msgspec.structs import replace

from ludoteca.games.renaissance import events
from ludoteca.games.renaissance.data import CARDS, LAST_CELL, REPORTS, TOKENS
from ludoteca.games.renaissance.events import Event
from ludoteca.games.renaissance.view import View, update
from ludoteca.games.renaissance.wire import messages, pictures
from ludoteca.games.renaissance.wire.messages import FaithTrackUpdate, FromServer

# Their updates always come with the faith track, moved or not.
_WITH_FAITH = (
    events.LineTaken,
    events.WarehouseArranged,
    events.Produced,
    events.LeaderDiscarded,
    events.TokenTurned,
)
# Steps of a decision, which no message tells: the draft of the view is not looked at here.
_HALF_MADE = (events.Drafted, events.TakenBack)


class Chronicle:
    """Follows a match for one seat and tells it in messages.

    The faith of a red marble is told together with the market update, after the placement, though it counts
    at once: the protocol has no message in between.
    """

    def __init__(self, view: View, names: Sequence[str], seat: int) -> None:
        self.view = view
        self.names = names
        self.seat = seat
        self.ending = view.last_round
        self._faith: list[FaithTrackUpdate] = []

    def tell(self, happened: Sequence[Event]) -> list[FromServer]:
        """The messages for what one input brought about."""
        setup: list[FromServer] = []
        updates: list[FromServer] = []
        closing: list[FromServer] = []
        for event in happened:
            if isinstance(event, _HALF_MADE):
                continue
            before, self.view = self.view, update(self.view, event)
            match event:  # Those of nearly every turn first.
                case events.FaithMoved():
                    self._faith.append(self._faith_update())
                case events.WarehouseArranged(seat) | events.LineTaken(seat, _, _, ()):
                    # Of a line with nothing to place nothing is asked: it is told at once.
                    updates.append(self._market_update(seat))
                case events.LineTaken():
                    pass
                case events.TurnBegan(seat):
                    if before.phase != "turns":
                        # The seed has grid and market here; they came before the leaders, too, which
                        # depend on them.
                        closing += [
                            messages.DevCardGrid(pictures.grid(self.view)),
                            pictures.market(self.view),
                        ]
                        closing.append(pictures.setup_update(self.view, self.names))
                    closing.append(messages.StartTurn(self.names[seat]))
                case events.LeadersKept() | events.ResourceChosen() | events.ResourcesOpened():
                    setup += self._set_up(event, closing)
                case events.ReportHeld(report, kept):
                    self._add_report(report, kept)
                case events.LastRoundBegan():
                    self.ending = True
                    closing.append(messages.EndGame())
                case events.Finished() if before.waiting:
                    # The red marble won the solo game before anything could be placed.
                    updates.append(self._market_update(before.current))
                case _:
                    updates += self._updates(event)
        return [*setup, *self._faith_updates(happened), *updates, *closing]

    def _set_up(
        self,
        event: events.LeadersKept | events.ResourceChosen | events.ResourcesOpened,
        closing: list[FromServer],
    ) -> list[FromServer]:
        own = self.view.boards[self.seat]
        told: list[FromServer] = []
        match event:
            case events.ResourcesOpened():
                return [self._faith_update(), *self._ask_for_nothing()]
            case events.LeadersKept(seat) if seat == self.seat:
                told.append(messages.LeaderCardsDone())
                if self.view.phase != "leaders":
                    told += self._ask_for_nothing()
            case events.ResourceChosen(seat) if seat == self.seat and own.ready:
                told.append(messages.StartingResourcesDone())
        if self.view.phase == "turns" and self.view.boards[event.seat].ready:
            # Somebody who was absent has caught up with the setup.
            closing.append(pictures.setup_update(self.view, self.names))
        return told

    def _ask_for_nothing(self) -> list[FromServer]:
        """The request of whoever has no starting resources to choose.

        The rules ask nothing, so nobody waits for an answer.
        """
        if not self.view.boards[self.seat].ready:
            return []
        return [messages.ResourcesRequest(0)]

    def _updates(self, event: Event) -> list[FromServer]:
        match event:
            case events.CardBought():
                return [self._purchase(event)]
            case events.Produced(seat):
                board = self.view.boards[seat]
                return [
                    messages.UseProductionUpdate(
                        self.names[seat], pictures.warehouse(board.depots), pictures.counts(board.strongbox)
                    )
                ]
            case events.LeaderPlayed(seat, leader):
                depots = self.view.boards[seat].depots
                return [messages.PlayLeaderCardUpdate(self.names[seat], leader, pictures.warehouse(depots))]
            case events.LeaderDiscarded(seat, leader):
                return [messages.DiscardLeaderCardUpdate(self.names[seat], leader)]
            case events.TokenTurned(token):
                return [self._lorenzo_update(token)]
            case _:
                return []

    def _lorenzo_update(self, token: str) -> messages.LorenzoUpdate:
        facts = TOKENS[token]
        words = f"Lorenzo moves the black cross by {facts.cross}"
        if facts.colour is not None:
            words = f"Lorenzo removes 2 {facts.colour} cards"
        elif facts.shuffles:
            words += " and shuffles his tokens"
        # The cross moves in the event that follows.
        position = min(LAST_CELL, (self.view.cross or 0) + facts.cross)
        return messages.LorenzoUpdate(position, pictures.grid(self.view), words, token)

    def _purchase(self, event: events.CardBought) -> messages.BuyDevelopmentCardUpdate:
        board = self.view.boards[event.seat]
        card = CARDS[event.card]
        return messages.BuyDevelopmentCardUpdate(
            username=self.names[event.seat],
            card=event.card,
            next_card=event.following,
            color=cast(messages.Colour, pictures.loud(card.colour)),
            level=card.level,
            slot=event.slot,
            warehouse=pictures.warehouse(board.depots),
            strongbox=pictures.counts(board.strongbox),
        )

    def _market_update(self, seat: int) -> messages.MarketUpdate:
        line = self.view.line
        assert line is not None
        market = pictures.market(self.view)
        return messages.MarketUpdate(
            username=self.names[seat],
            index=line.index,
            row=line.line == "row",
            marbles=market.marbles,
            free_marble=market.free_marble,
            warehouse=pictures.warehouse(self.view.boards[seat].depots),
        )

    # Faith.

    def _faith_update(self) -> FaithTrackUpdate:
        return FaithTrackUpdate(False, 0, [], pictures.positions(self.view, self.names), self.view.cross)

    def _add_report(self, report: int, kept: Sequence[bool]) -> None:
        """The first report of an event goes into its message, a second one is another message."""
        message = self._faith.pop() if not self._faith[-1].report else self._faith_update()
        activated = [name for name, keeps in zip(self.names, kept, strict=True) if keeps]
        space = REPORTS[report].pope_space
        self._faith.append(replace(message, report=True, vatican_report=space, activated=activated))

    def _faith_updates(self, happened: Sequence[Event]) -> list[FaithTrackUpdate]:
        if self.view.waiting:
            return []
        faith, self._faith = self._faith, []
        if not faith and any(isinstance(event, _WITH_FAITH) for event in happened):
            faith = [self._faith_update()]
        return faith
