"""By how many points a board will lead in the end, learned from matches of bots: see training/renaissance.py.

What the mind thinks of a board is the first trait; the others say where it is usually wrong.
"""

from ludoteca.games.renaissance.bot.mind import Mind, net, turns_left
from ludoteca.games.renaissance.bot.tuned import TUNED
from ludoteca.games.renaissance.bot.weights import WEIGHTS
from ludoteca.games.renaissance.data import CARDS, CELL_POINTS, LEADERS, REPORTS
from ludoteca.games.renaissance.state import Tabletop

KINDS = ("discount", "depot", "exchange", "production")
NET = {card: net(card, 0.9) for card in CARDS}


def traits(tabletop: Tabletop, seat: int) -> list[float]:
    """What counts for a board."""
    board = tabletop.boards[seat]
    left = turns_left(tabletop) / 10
    mind = Mind(tabletop, seat, TUNED)
    standing = mind.standing()
    cards = [CARDS[card] for slot in board.slots for card in slot]
    tops = [slot[-1] for slot in board.slots if slot]
    gain, faith = sum([NET[card] for card in tops]), sum([CARDS[card].faith for card in tops])
    levels = [card.level for card in cards]
    stored = sum(board.strongbox)
    held = sum(board.resources) - stored
    kinds: list[str] = [LEADERS[leader].kind for leader in board.played]
    tiles = sum([report.points for report, tile in zip(REPORTS, board.tiles, strict=True) if tile == "up"])
    owned = [float(kinds.count(kind)) for kind in KINDS]
    return [
        standing,
        standing * left,
        sum([card.points for card in cards]),
        len(cards),
        len(cards) * len(cards) / 7,
        float(board.faith),
        board.faith * left,
        board.faith * board.faith / 24,
        tiles,
        float(held),
        float(stored),
        (held + stored) * left,
        gain,
        gain * left,
        faith,
        faith * left,
        *(float(levels.count(level)) for level in (1, 2, 3)),
        sum([LEADERS[leader].points for leader in board.played]),
        float(len([leader for leader in board.hand if leader is not None])),
        *owned,
        *(count * left for count in owned),
        float(tabletop.current == seat and not tabletop.acted),
        min(board.resources),
        CELL_POINTS[board.faith],
        sum([report.points for report in REPORTS[tabletop.reports :] if board.faith >= report.section]),
        len(cards) * left,
        sum([mind.promise(leader, board.slots) for leader in mind.hand]),
    ]


def lead(tabletop: Tabletop, seat: int) -> float:
    """About the points by which this seat will be ahead of the best of the others."""
    worths = [
        sum([weight * trait for weight, trait in zip(WEIGHTS, traits(tabletop, owner), strict=True)])
        for owner in range(len(tabletop.boards))
    ]
    mine = worths.pop(seat)
    return mine - max(worths)
