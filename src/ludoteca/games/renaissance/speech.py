"""Cards, market and boards in sentences, for who hears them: words in place of signs."""

from collections.abc import Sequence

from ludoteca.games.renaissance.data import CARDS, COLOURS, COLUMNS, LEVELS, ROWS
from ludoteca.games.renaissance.drawing import leader_words, stock_words
from ludoteca.games.renaissance.state import Board
from ludoteca.games.renaissance.view import View

_REPORTS = {"down": "open", "up": "kept", "lost": "lost"}


def speak(view: View, names: Sequence[str]) -> list[str]:
    """What can be bought, the market, then each board."""
    lines = []
    for place, pile in enumerate(view.grid):
        if pile.card is not None:
            facts, level = CARDS[pile.card], LEVELS[place // len(COLOURS)]
            lines.append(
                f"{pile.card}, {COLOURS[place % len(COLOURS)]} level {level}, {facts.points} points: costs "
                f"{stock_words(facts.cost)}; takes {stock_words(facts.takes)}, gives "
                f"{stock_words(facts.gives, facts.faith)}."
            )
    for row in range(ROWS):
        lines.append(f"Market row {row + 1}: {', '.join(view.marbles[row * COLUMNS : (row + 1) * COLUMNS])}.")
    lines.append(f"On the slide: {view.slide}.")
    for seat, board in enumerate(view.boards):
        lines += _board(board, names[seat])
    if view.last_round:
        lines.append("This is the last round.")
    if view.waiting:
        lines.append(f"To be placed: {', '.join(view.waiting)}.")
    return lines


def _board(board: Board, name: str) -> list[str]:
    reports = ", ".join(_REPORTS[tile] for tile in board.tiles)
    depots = [f"{depot.count} {depot.resource}" if depot.resource else "empty" for depot in board.depots]
    slots = [", ".join(slot) or "empty" for slot in board.slots]
    hand = board.hand if board.kept else board.dealt
    hidden = hand.count(None)
    return [
        f"{name}: faith {board.faith}; reports: {reports}.",
        f"  Depots from the top: {'; '.join(depots)}. Strongbox: {stock_words(board.strongbox)}.",
        f"  Cards in the slots: {'; '.join(slots)}.",
        *(f"  Leader in play: {leader_words(leader)}." for leader in board.played),
        *(f"  Leader in hand: {leader_words(leader)}." for leader in hand if leader is not None),
        *([f"  {hidden} leaders in hand."] if hidden else []),
    ]
