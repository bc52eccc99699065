"""What speaks for a god, a step or a tower; how likely a position is won."""

import math
from collections.abc import Callable, Iterator

from ludoteca.core import Dice, Game, Seat
from ludoteca.core.advice import Adviser, Words, likely, say
from ludoteca.games.santorini.actions import (
    Action,
    Build,
    ChooseColour,
    ChooseStart,
    Finish,
    Move,
    OfferGod,
    Place,
    TakeGod,
)
from ludoteca.games.santorini.bot import STRENGTH, WON, OutOfTime, Search, set_up, worth
from ludoteca.games.santorini.data import CELLS, NEIGHBOURS, NOWHERE, NUMBERS, TOP
from ludoteca.games.santorini.engine import find
from ludoteca.games.santorini.rules import apply
from ludoteca.games.santorini.state import State
from ludoteca.games.santorini.text import name_of

# A lead of so much wins three times in four: fitted to how the engine's matches ended from 59,000 positions
# (`training.santorini chances`).
EVEN = 182.0
TURNS_MAX = 4
# The same in the engine's measure (SCALE in web/mind.ts), and how often it looks at the clock for `hope`.
ENGINES_EVEN = 243 * math.log(3)
LOOKS = 6


def chance(state: State, seat: int) -> float:
    """How likely this seat wins."""
    return likely(worth(state, seat), EVEN)


def hope(state: State, seat: int) -> float | None:
    """The same by a short search of the engine, as a turn begins: its memory serves one search for a turn."""
    engine = find()
    if state.phase != "play" or state.turn.moves or state.turn.builds:
        return None
    if engine is None:
        # A threat that can be parried looks like a loss to `chance`.
        return max(judge(state, seat, Dice(0), _never).values())
    return likely(engine.weigh(state, LOOKS), ENGINES_EVEN)


def judge(state: State, seat: int, _dice: Dice, more: Callable[[], bool]) -> dict[Action, float]:
    """Every answer by a search of its own: one turn deep, and deeper while there is time."""
    if state.phase != "play":
        return dict.fromkeys(state.choices, chance(state, seat))
    found: dict[Action, float] = {}
    for turns in range(1, TURNS_MAX + 1):
        search = _Weighing(seat, more if found else _always, turns)
        try:
            found = {choice: search.weigh(state, choice, turns) for choice in state.choices}
        except OutOfTime:
            break
    return found


class _Weighing(Search):
    """A search that wants to know what every choice is worth, not only which is best."""

    def weigh(self, state: State, choice: Action, turns: int) -> float:
        """How likely this choice wins."""
        value = self._after(state, choice, turns, -2 * WON, 2 * WON, 1, self.steps_max)
        return float(value > 0) if abs(value) > WON // 4 else likely(value, EVEN)


def quick(_game: Game, state: State, seat: Seat, dice: Dice, _more: Callable[[], bool]) -> Action:
    """The best turn that one can see at once."""
    return set_up(state, dice) if state.phase != "play" else Search(seat, _always, 1).best(state, dice)


def _always() -> bool:
    return True


def _never() -> bool:
    return False


def explain(state: State, seat: int, action: Action) -> Words:
    """What speaks for an answer."""
    match action:
        case OfferGod(god=god) | TakeGod(god=god):
            return _god(god)
        case ChooseStart():
            return say(("who begins sets the pace", "chi comincia detta il ritmo"))
        case ChooseColour():
            return say(("colours are a matter of taste", "i colori sono questione di gusto"))
        case Place():
            return say(("from here your worker is near everything", "da qui la tua pedina è vicina a tutto"))
    later = state.clone()
    apply(later, Seat(state.seat), action)
    if later.outcome is not None and seat in later.outcome.winners:
        return say(_won(state, seat, action))
    reasons = [*_reasons(state, later, seat, action)]
    return say(*reasons or [("keeps most ways open", "lascia aperte più strade")])


# How gods win who need no third level.
WAYS: dict[str, tuple[str, str]] = {
    "Pan": ("wins at once: Pan comes down two levels", "vince subito: Pan scende di due livelli"),
    "Eros": ("wins at once: Eros' workers meet", "vince subito: le pedine di Eros si incontrano"),
    "Chronus": ("wins at once: five towers are complete", "vince subito: cinque torri sono complete"),
}


def _won(before: State, seat: int, action: Action) -> tuple[str, str]:
    """A step up to the third level needs no words."""
    climbs = isinstance(action, Move) and (
        before.towers[NUMBERS[action.target]] == TOP > before.towers[NUMBERS[action.source]]
    )
    way = None if climbs else WAYS.get(before.gods[seat])
    return way or ("wins at once", "vince subito")


def _god(god: str) -> Words:
    strength = STRENGTH.get(god, 0)
    if strength > 1:
        return say((f"{god} is one of the strongest gods", f"{god} è tra le divinità più forti"))
    if strength < 0:
        return say((f"{god} asks for patience", f"{god} chiede pazienza"))
    return say((f"{god} is a good god in most matches", f"{god} va bene in quasi ogni partita"))


def _reasons(before: State, after: State, seat: int, action: Action) -> Iterator[tuple[str, str]]:
    rivals = [other for other, out in enumerate(before.out) if other != seat and not out]
    had = {space for rival in rivals for space in ways_up(before, rival)}
    has = {space for rival in rivals for space in ways_up(after, rival)}
    mine = set(ways_up(after, seat))
    for space in sorted(had - has):
        name = name_of(CELLS[space])
        yield f"keeps your rival from winning on {name}", f"impedisce al rivale di vincere in {name}"
    climbed = [*_climbed(before, after, action)]
    yield from climbed
    if len(mine) > 1:
        yield "threatens to win in two places", "minaccia di vincere in due punti"
    elif mine - set(ways_up(before, seat)):
        yield "threatens to win", "minaccia di vincere"
    if had & has and after.seat != seat:
        yield "nothing stops your rival any more", "nulla ferma più il rivale"
    match action:
        case Build(target=target, dome=dome):
            yield _built(before, after, seat, rivals, NUMBERS[target], dome)
        case Move(source=source, target=target) if not climbed:
            if _ways(after, NUMBERS[target]) > _ways(before, NUMBERS[source]):
                yield "brings your worker where it has more ways", "porta la pedina dove ha più strade"
            else:
                yield "gets your worker near what is to be built", "avvicina la pedina a ciò che si costruirà"
        case Finish():
            yield "nothing more is worth building", "costruire ancora non serve"


def _climbed(before: State, after: State, action: Action) -> Iterator[tuple[str, str]]:
    if isinstance(action, Move):
        level, old = after.towers[NUMBERS[action.target]], before.towers[NUMBERS[action.source]]
        if level > old:
            yield f"climbs to {level}", f"sale al livello {level}"


def _built(
    before: State, after: State, seat: int, rivals: list[int], space: int, dome: bool
) -> tuple[str, str]:
    """For whom a tower is a step now."""
    name, level = name_of(CELLS[space]), after.towers[space]
    mine, theirs = _reaches(after, seat, space), any(_reaches(after, rival, space) for rival in rivals)
    if dome or level > TOP:
        return f"closes {name}", f"chiude {name}"
    if mine and theirs:
        return (
            f"makes {name} a step for you and for your rival (level {level})",
            f"fa di {name} un gradino per te e per il rivale (livello {level})",
        )
    if mine:
        return (
            f"makes {name} a step for you (level {level})",
            f"fa di {name} un gradino per te (livello {level})",
        )
    if theirs:
        return (
            f"gives your rival a step on {name} (level {level})",
            f"dà al rivale un gradino in {name} (livello {level})",
        )
    if any(_reaches(before, rival, space) for rival in rivals):
        return f"keeps {name} out of your rival's reach", f"tiene {name} lontano dal rivale"
    return f"builds {name} up for later (level {level})", f"alza {name} per dopo (livello {level})"


def _reaches(state: State, seat: int, space: int) -> bool:
    """Whether a worker could climb there in its next move."""
    return any(
        at != NOWHERE and space in NEIGHBOURS[at] and state.towers[space] <= min(TOP, state.towers[at] + 1)
        for at in state.workers[2 * seat : 2 * seat + 2]
    )


def _ways(state: State, space: int) -> int:
    """How many neighbours could be stepped onto from here."""
    return sum(state.towers[near] <= min(TOP, state.towers[space] + 1) for near in NEIGHBOURS[space])


def ways_up(state: State, seat: int) -> list[int]:
    """Where a seat could step up to the third level, were it its turn."""
    return [
        space
        for at in state.workers[2 * seat : 2 * seat + 2]
        if at != NOWHERE and state.towers[at] == TOP - 1
        for space in NEIGHBOURS[at]
        if state.towers[space] == TOP and space not in state.workers
    ]


def foresees(state: State) -> bool:
    """Which colours the others will take, and where they begin, is nobody's business yet."""
    return state.phase == "play"


ADVICE = Adviser(explain, chance, quick, judge=judge, hope=hope, foresees=foresees)
