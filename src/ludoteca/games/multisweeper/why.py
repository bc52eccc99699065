"""Why a cell cannot be opened."""

from collections.abc import Iterator

from ludoteca.core import Question
from ludoteca.core.why import Attempt, Reason, Why, reason
from ludoteca.games.multisweeper.actions import Click
from ludoteca.games.multisweeper.view import View


def tempting(view: View, _seat: int, _question: Question) -> Iterator[tuple[Click]]:
    """Every cell."""
    for row in range(view.height):
        yield from ((Click(column, row),) for column in range(view.width))


def why(attempt: Attempt) -> Reason | None:
    """What is closed can be opened; all else is open, or not on the board."""
    view, click = attempt.view, attempt.action
    if len(attempt.actions) > 1:
        return reason("one", "A turn is one click.", "Un turno è un solo clic.")
    if not (0 <= click.column < view.width and 0 <= click.row < view.height):
        return reason("off", "There is no such cell.", "Non c'è una casella così.")
    mines = view.cells[click.row * view.width + click.column]
    if not mines:
        return reason("open", "Already open: no mine around it.", "Già aperta: nessuna mina intorno.")
    english, italian = ("mine", "mina") if mines == 1 else ("mines", "mine")
    return reason(
        "open", f"Already open: {mines} {english} around it.", f"Già aperta: {mines} {italian} intorno."
    )


WHY = Why(why, tempting)
