"""Points, and who wins."""

from ludoteca.core import Outcome
from ludoteca.games.renaissance.data import CARDS, CELL_POINTS, LEADERS, REPORTS, RESOURCES_PER_POINT
from ludoteca.games.renaissance.state import Tabletop


def outcome(tabletop: Tabletop, reason: str, lost: bool = False) -> Outcome:
    """The result as the table stands: points, and among equals whoever has more resources left."""
    boards = tabletop.boards
    scores = {
        "cards": tuple(sum(CARDS[card].points for slot in b.slots for card in slot) for b in boards),
        "faith": tuple(CELL_POINTS[board.faith] for board in boards),
        "tiles": tuple(
            sum(report.points for report, tile in zip(REPORTS, board.tiles, strict=True) if tile == "up")
            for board in boards
        ),
        "leaders": tuple(sum(LEADERS[leader].points for leader in board.played) for board in boards),
        "resources": tuple(sum(board.resources) // RESOURCES_PER_POINT for board in boards),
    }
    scores["total"] = tuple(map(sum, zip(*scores.values(), strict=True)))
    merits = [(total, sum(b.resources)) for total, b in zip(scores["total"], boards, strict=True)]
    ranks = tuple(1 + sum(other > merit for other in merits) for merit in merits)
    return Outcome((2,) if lost else ranks, reason, scores)
