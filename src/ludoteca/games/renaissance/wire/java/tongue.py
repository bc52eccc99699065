"""The messages of the protocol as the original's objects: the same in other shapes, and both ways."""

from collections.abc import Callable
from typing import Any

import msgspec

from ludoteca.core.converting import convert
from ludoteca.games.renaissance.wire import messages
from ludoteca.games.renaissance.wire.java.table import TABLE
from ludoteca.games.renaissance.wire.messages import Counts, FromClient, FromServer, Warehouse
from ludoteca.wire.java import Constant, Ordered, Record
from ludoteca.wire.java.tongue import JavaTongue

_types = TABLE.types
_RESOURCES = _types.Resource
_MARBLES = _types.MarbleColors
_ACTIONS = _types.Actions


class Objects(JavaTongue):
    """The tongue of the original program, which never resets its streams."""

    table = TABLE
    resets = False

    def __init__(self) -> None:
        super().__init__()
        # The original has boards from the list of players on; who leaves a lobby is nothing to it.
        self._has_boards = False

    def understand(self, record: Record) -> FromClient:
        """What the client said. All that is left to check has the types and bounds of the JSON message."""
        read = _READ.get(type(record))
        if read is None:
            raise msgspec.ValidationError(f"{type(record).__name__} is nothing a client says")
        said = {key: value for key, value in read(record).items() if value is not None}
        # What Java cannot leave out it leaves empty.
        return convert(said, FromClient)  # type: ignore[no-any-return]

    def express(self, message: FromServer) -> list[Record]:
        """What the server says; the original has no word for some of it."""
        if isinstance(message, messages.Players):
            self._has_boards = True
        elif isinstance(message, messages.Disconnection) and not self._has_boards:
            return []
        record = _WRITE[type(message)](message)
        return [] if record is None else [record]


# In. Only the shapes are changed here, one level deep where there are collections.


def _name(value: Any) -> Any:
    return value.name if isinstance(value, Constant) else value


def _names(values: Any) -> Any:
    return [_name(value) for value in values] if isinstance(values, list) else values


def _counted(counts: Any) -> Any:
    return {_name(key): count for key, count in counts.items()} if isinstance(counts, dict) else counts


def _by_depot(depots: Any) -> Any:
    return {str(key): _names(each) for key, each in depots.items()} if isinstance(depots, dict) else depots


def _payment(record: Any) -> dict[str, Any]:
    found = {
        "warehouse": _counted(record.warehouseDepotRes),
        "leaderDepots": _counted(record.cardDepotRes),
        "strongbox": _counted(record.strongboxRes),
    }
    return {key: value for key, value in found.items() if value is not None}


_READ: dict[type[Record], Callable[[Any], dict[str, Any]]] = {
    _types.Pong: lambda _: {"type": "pong"},
    _types.EndTurn: lambda _: {"type": "endTurn"},
    _types.LoginMessage: lambda said: {"type": "loginRequest", "username": said.username},
    _types.PlayerNumberReply: lambda said: {"type": "numberOfPlayersReply", "number": said.playerNum},
    _types.ActionReply: lambda said: {"type": "actionReply", "action": _name(said.action)},
    _types.LeaderCardsReply: lambda said: {
        "type": "leaderCardsReply",
        "username": said.username,
        "leaderCards": said.leaderCardsId,
    },
    _types.ResourcesReply: lambda said: {
        "type": "resourcesReply",
        "username": said.username,
        "warehouse": _by_depot(said.resources),
    },
    _types.PlayLeaderCardParameters: lambda said: {
        "type": "playLeaderCard",
        "username": said.username,
        "leaderCard": said.id,
    },
    _types.DiscardLeaderCardParameters: lambda said: {
        "type": "discardLeaderCard",
        "username": said.username,
        "leaderCard": said.id,
    },
    _types.BuyDevelopmentCardParameters: lambda said: {
        "type": "buyDevelopmentCard",
        "username": said.username,
        "color": _name(said.color),
        "level": said.level,
        "slot": said.devCardSlot,
        "payment": _payment(said),
    },
    _types.UseProductionParameters: lambda said: {
        "type": "useProduction",
        "username": said.username,
        "payment": _payment(said),
        "board": _names(said.boardResGain),
        "devSlots": said.indexDevSlot,
        "leaders": said.indexLeaderSlot,
        "leaderGain": _names(said.leaderCardGain),
    },
    _types.RowColumnSelection: lambda said: {
        "type": "rowColumnSelection",
        "username": said.username,
        "index": said.index,
        "row": said.rowOrCol,
        "exchange": _names(said.exchangeBuffResources),
    },
    _types.ResourcesManageReply: lambda said: {
        "type": "resourcesManageReply",
        "warehouse": _by_depot(said.resources),
        "discard": _counted(said.discardRes),
    },
}


# Out.


def _depots(warehouse: Warehouse) -> dict[int, list[Constant]]:
    return {int(depot): [_RESOURCES[each] for each in held] for depot, held in warehouse.items()}


def _counts(counts: Counts) -> dict[Constant, int]:
    return {_RESOURCES[resource]: count for resource, count in counts.items()}


def _error(said: messages.Error) -> Any:
    """The reasons of our own have no constant."""
    error = _types.Error.get(said.error)
    return None if error is None else _types.ErrorMessage(error)


def _market(said: messages.Market) -> Any:
    rows = [[_MARBLES[marble] for marble in row] for row in said.marbles]
    return _types.MarketMarbles(freeMarble=_MARBLES[said.free_marble], marbles=rows)


def _market_update(said: messages.MarketUpdate) -> Any:
    """Only the line that has changed."""
    line = said.marbles[said.index] if said.row else [row[said.index] for row in said.marbles]
    return _types.MarketActionUpdate(
        pos=said.index,
        rowOrCol=said.row,
        newFreeMarble=_MARBLES[said.free_marble],
        newMarbles=[_MARBLES[marble] for marble in line],
        nickname=said.username,
        warehouse=_depots(said.warehouse),
    )


def _setup(said: messages.SetupUpdate) -> Any:
    return _types.SetupGameUpdate(
        leaderCards=said.leader_cards,
        newFaithTrackPosition=said.faith_positions,
        resources={name: _depots(warehouse) for name, warehouse in said.warehouses.items()},
    )


def _purchase(said: messages.BuyDevelopmentCardUpdate) -> Any:
    return _types.BuyDevelopmentCardUpdate(
        level=said.level,
        slot=said.slot,
        color=_types.Color[said.color],
        gridId=said.next_card,
        id=said.card,
        nickname=said.username,
        strongbox=_counts(said.strongbox),
        warehouse=_depots(said.warehouse),
    )


def _return(said: messages.ReconnectionUpdate) -> Any:
    return _types.ReConnectionUpdate(
        setupDone=said.setup_done,
        cardsInHand=said.cards_in_hand,
        devCardSlots={
            name: {int(slot): cards for slot, cards in slots.items()}
            for name, slots in said.dev_card_slots.items()
        },
        faithPositions=said.faith_positions,
        leaderCards=said.leader_cards,
        leaderCardsPlayed=said.leader_cards_played,
        playersConnected=said.players_connected,
        strongbox={name: _counts(strongbox) for name, strongbox in said.strongboxes.items()},
        username=said.username,
        vaticanReportActivated={
            # As with us, a report that has not been held is not there: false would be a tile that is lost.
            name: {int(space): kept for space, kept in held.items()}
            for name, held in said.vatican_reports.items()
        },
        warehouse={name: _depots(warehouse) for name, warehouse in said.warehouses.items()},
    )


_WRITE: dict[type[msgspec.Struct], Callable[[Any], Record | None]] = {
    messages.Ping: lambda _: _types.Ping(),
    messages.UsernameResponse: lambda said: _types.UsernameResponse(said.free, said.username),
    messages.NumberOfPlayersRequest: lambda said: _types.PlayerNumberRequest(said.max),
    messages.Error: _error,
    messages.Disconnection: lambda said: _types.Disconnection(said.username),
    messages.Reconnection: lambda said: _types.Reconnection(said.username),
    messages.Players: lambda said: _types.Players(said.players),
    messages.Market: _market,
    messages.DevCardGrid: lambda said: _types.DevCardGrid(said.grid),
    messages.LeaderCardsRequest: lambda said: _types.LeaderCardsRequest(said.leader_cards),
    messages.LeaderCardsDone: lambda _: _types.LeaderCardSetupDone(),
    messages.ResourcesRequest: lambda said: _types.ResourcesRequest(said.number),
    messages.StartingResourcesDone: lambda _: _types.StartingResourceDone(),
    messages.SetupUpdate: _setup,
    messages.StartTurn: lambda said: _types.StartTurn(said.username),
    messages.PossibleActions: lambda said: _types.ActionRequest([_ACTIONS[each] for each in said.actions]),
    messages.ActionResponse: lambda said: _types.ActionResponse(_ACTIONS[said.action]),
    messages.ResourcesManageRequest: lambda said: _types.ResourcesManageRequest(
        [_RESOURCES[each] for each in said.resources]
    ),
    messages.FaithTrackUpdate: lambda said: _types.FaithTrackMessage(
        said.report, said.vatican_report, said.activated, said.positions
    ),
    messages.PlayLeaderCardUpdate: lambda said: _types.PlayLeaderCardUpdate(
        said.leader_card, said.username, _depots(said.warehouse)
    ),
    messages.DiscardLeaderCardUpdate: lambda said: _types.DiscardLeaderCardUpdate(
        said.leader_card, said.username
    ),
    messages.BuyDevelopmentCardUpdate: _purchase,
    messages.UseProductionUpdate: lambda said: _types.UseProductionUpdate(
        said.username, _counts(said.strongbox), _depots(said.warehouse)
    ),
    messages.MarketUpdate: _market_update,
    messages.LorenzoUpdate: lambda said: _types.LorenzoMessage(said.position, said.message, said.grid),
    messages.ReconnectionUpdate: _return,
    messages.EndGame: lambda _: _types.EndGameMessage(),
    messages.FinalScore: lambda said: _types.FinalScoreMessage(said.lorenzo_won, Ordered(said.scores)),
}
