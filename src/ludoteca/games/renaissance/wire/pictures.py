"""The table in the shapes of the protocol."""

from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import cast

from ludoteca.games.renaissance import data
from ludoteca.games.renaissance.data import (
    COLOURS,
    COLUMNS,
    LEVELS,
    MARBLES,
    REPORTS,
    RESOURCES,
    ROWS,
    Stock,
)
from ludoteca.games.renaissance.events import Depot
from ludoteca.games.renaissance.view import View
from ludoteca.games.renaissance.wire import messages
from ludoteca.games.renaissance.wire.messages import Counts, Grid, Resource, Warehouse


def loud(word: str) -> str:
    """Our word as the protocol spells it."""
    return word.upper()


# What one at a table was told is told to the others next.
REMEMBERED = 256
# A turn of the market tells of thirty of them.
_RESOURCES = {word: cast(Resource, loud(word)) for word in RESOURCES}
_MARBLES = {word: cast(messages.Marble, loud(word)) for word in MARBLES}


def resources(words: Sequence[data.Resource]) -> list[Resource]:
    """A list of resources."""
    return [_RESOURCES[word] for word in words]


@lru_cache(REMEMBERED)
def warehouse(depots: tuple[Depot, ...]) -> Warehouse:
    """All depots, the empty ones too. Everybody at a table is told the same."""
    return {
        str(place): resources([depot.resource] * depot.count if depot.resource else [])
        for place, depot in enumerate(depots)
    }


def counts(stock: Stock) -> Counts:
    """All four resources with their numbers."""
    return dict(zip(_RESOURCES.values(), stock, strict=True))


def grid(view: View) -> Grid:
    """The open cards, level 3 first."""
    cards = [pile.card for pile in view.grid]
    return [cards[row * len(COLOURS) : (row + 1) * len(COLOURS)] for row in range(len(LEVELS))]


def market(view: View) -> messages.Market:
    """The market as a message."""
    return _market(view.marbles, view.slide)


@lru_cache(REMEMBERED)
def _market(marbles: tuple[data.Marble, ...], slide: data.Marble) -> messages.Market:
    """Top row first. Everybody at a table is told the same."""
    loud_ones = [_MARBLES[marble] for marble in marbles]
    rows = [loud_ones[row * COLUMNS : (row + 1) * COLUMNS] for row in range(ROWS)]
    return messages.Market(rows, _MARBLES[slide])


def in_turn_order(view: View, names: Sequence[str]) -> list[str]:
    """The players, the inkwell first."""
    return [*names[view.first :], *names[: view.first]]


def positions(view: View, names: Sequence[str]) -> dict[str, int]:
    """The cells of the markers."""
    return {name: board.faith for name, board in zip(names, view.boards, strict=True)}


def setup_update(view: View, names: Sequence[str]) -> messages.SetupUpdate:
    """The setup of all players, as one of them may know it."""
    boards = list(zip(names, view.boards, strict=True))
    return messages.SetupUpdate(
        leader_cards={name: list(board.hand) for name, board in boards},
        warehouses={name: warehouse(board.depots) for name, board in boards},
        faith_positions=positions(view, names),
    )


def reconnection_update(
    view: View, names: Sequence[str], seat: int, away: Collection[str]
) -> messages.ReconnectionUpdate:
    """Everything that a returning player may know."""
    boards = list(zip(names, view.boards, strict=True))
    own = view.boards[seat]
    return messages.ReconnectionUpdate(
        username=names[seat],
        dev_card_slots={
            name: {str(slot): list(cards) for slot, cards in enumerate(board.slots)} for name, board in boards
        },
        top_cards={name: [cards[-1] if cards else None for cards in board.slots] for name, board in boards},
        faith_positions=positions(view, names),
        leader_cards_played={name: list(board.played) for name, board in boards},
        leader_cards=list(own.hand),
        strongboxes={name: counts(board.strongbox) for name, board in boards},
        warehouses={name: warehouse(board.depots) for name, board in boards},
        cards_in_hand={name: len(board.hand) for name, board in boards},
        players_connected={name: name not in away for name in names},
        vatican_reports={
            name: {
                str(report.pope_space): tile == "up"
                for report, tile in list(zip(REPORTS, board.tiles, strict=True))[: view.reports]
            }
            for name, board in boards
        },
        setup_done=own.ready,
        black_cross=view.cross,
        last_round=view.last_round,
        current_player=names[view.current] if view.phase == "turns" else None,
    )
