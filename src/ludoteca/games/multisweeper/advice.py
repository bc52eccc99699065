"""What speaks for a click: what the numbers prove, or how small the danger is."""

from collections.abc import Callable, Iterator

from ludoteca.core import Dice, Game, Seat
from ludoteca.core.advice import Adviser, Words, say
from ludoteca.games.multisweeper.actions import Click
from ludoteca.games.multisweeper.bot.nim import Endgame
from ludoteca.games.multisweeper.solver import Knowledge
from ludoteca.games.multisweeper.state import State, board

# The chances of large boards are estimated with these dice: alike for all who know the same.
_DICE = 1
# So many layouts of the mines tell who will be left with nothing but mines.
LAYOUTS = 12


def chance(state: State, seat: int) -> float:
    """How likely this seat stays in; before a click nobody is ahead."""
    return 1 / max(1, len(state.order)) if seat in state.order else 0.0


def judge(state: State, seat: int, dice: Dice, more: Callable[[], bool]) -> dict[Click, float]:
    """Every click by the chance that it is no mine, and that the rivals then run out of safe ones first."""
    knowledge = Knowledge(state)
    chances = knowledge.chances(Dice(_DICE))
    clicks = board(state.options.width, state.options.height).clicks
    hopes = dict.fromkeys(chances, 0)
    layouts = 0
    while len(state.order) == 2 and layouts < LAYOUTS and (not layouts or more()):
        endgame = Endgame(state, knowledge.sample(dice))
        for cell in endgame.safe:
            hopes[cell] += endgame.after(cell) == 0
        layouts += 1
    even = chance(state, seat)
    return {
        clicks[cell]: (1 - mined) * (0.5 * even + 0.5 * (hopes[cell] + even) / (layouts + 1))
        for cell, mined in chances.items()
    }


def explain(state: State, _seat: int, action: Click) -> Words:
    """What speaks for a click."""
    knowledge = Knowledge(state)
    cell = action.row * state.options.width + action.column
    chances = knowledge.chances(Dice(_DICE))
    mined = chances[cell]
    if mined == 0.0:
        proof = (
            ("the numbers beside it prove it free", "i numeri accanto provano che è libera")
            if knowledge.safe >> cell & 1
            else ("the numbers taken together prove it free", "i numeri, presi insieme, provano che è libera")
        )
        return say(proof, *_last(state, knowledge, chances, cell))
    if mined == 1.0 and min(chances.values()) < 1.0:
        return say(("the numbers prove a mine here", "i numeri provano che qui c'è una mina"))
    if mined == 1.0:
        return say(("nothing is left but mines", "restano solo mine"))
    percent = min(99, max(1, round(100 * mined)))
    if mined <= min(chances.values()):
        return say(
            (
                f"nothing is certain, and a mine is least likely here ({percent} %)",
                f"nulla è certo, e qui una mina è meno probabile ({percent} %)",
            )
        )
    return say((f"a mine has a chance of {percent} % here", f"qui c'è una mina con il {percent} %"))


def _last(
    state: State, knowledge: Knowledge, chances: dict[int, float], cell: int
) -> Iterator[tuple[str, str]]:
    """Whether, with all mines known, the other of two is left with nothing but mines."""
    if len(state.order) == 2 and all(chance in (0.0, 1.0) for chance in chances.values()):
        mines = knowledge.sample(Dice(_DICE))
        if Endgame(state, mines).after(cell) == 0:
            yield "your rival will be left with the mines", "al rivale resteranno le mine"


def quick(_game: Game, state: State, _seat: Seat, dice: Dice, _more: Callable[[], bool]) -> Click:
    """A click where a mine is least likely."""
    chances = Knowledge(state).chances(dice)
    cell = min(chances, key=lambda one: chances[one])
    return board(state.options.width, state.options.height).clicks[cell]


ADVICE = Adviser(explain, chance, quick, judge=judge)
