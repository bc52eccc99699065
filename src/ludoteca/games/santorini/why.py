"""Why a god, a space or a worker cannot be chosen."""

from collections.abc import Iterator

from ludoteca.core import Question
from ludoteca.core.why import Attempt, Reason, Why, reason
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
from ludoteca.games.santorini.data import CARDS, CELLS, COLOURS, NUMBERS, TOP, Cell
from ludoteca.games.santorini.text import name_of
from ludoteca.games.santorini.view import View, Worker


def tempting(view: View, seat: int, question: Question) -> Iterator[tuple[Action]]:
    """Every card, colour and space that could be meant by a touch."""
    match question.kind:
        case "gods":
            yield from ((OfferGod(god),) for god in CARDS)
        case "god":
            yield from ((TakeGod(god),) for god in view.offered)
        case "colour":
            yield from ((ChooseColour(colour),) for colour in COLOURS)
        case "place":
            yield from ((Place(cell),) for cell in CELLS)
        case "start":
            yield from ((ChooseStart(other),) for other in view.order)
        case _:
            kinds = {type(choice) for choice in question.choices}
            own = [Cell(worker.i, worker.j) for worker in view.workers if worker.seat == seat]
            for source in own:
                for target in CELLS:
                    yield (Move(source, target) if Move in kinds else Build(source, target),)


def why(attempt: Attempt) -> Reason | None:
    """Why not, by what lies open on the table."""
    view: View = attempt.view
    match attempt.action:
        case OfferGod(god=god):
            return _offer(view, god)
        case TakeGod(god=god) if god in view.gods:
            owner = attempt.names[view.gods.index(god)]
            return reason("taken", f"{owner} plays {god}.", f"{god} è di {owner}.")
        case ChooseColour(colour=colour) if colour in view.colours:
            owner = attempt.names[view.colours.index(colour)]
            return reason("taken", f"{owner} has that colour.", f"Quel colore è di {owner}.")
        case Place(cell=cell):
            return _off(cell) or _stands(attempt, cell) or _god(view, cell)
        case Move(source=source, target=target) | Build(source=source, target=target):
            return _off(source) or _off(target) or _step(attempt, source, target)
        case Finish():
            return reason(
                "finish", "Your turn cannot end yet: first move and build.", "Prima muovi e costruisci."
            )
    return None


def _offer(view: View, god: str) -> Reason:
    card = CARDS.get(god)
    if card is None:
        return reason("card", "There is no such god.", "Non c'è una divinità così.")
    if god in view.offered:
        return reason("offered", f"{god} is on the table already.", f"{god} è già sul tavolo.")
    if len(view.order) > card.seats_max:
        return reason("players", f"{god} is for two players.", f"{god} è per due giocatori.")
    for other in view.offered:
        if other in card.shuns or god in CARDS[other].shuns:
            return reason("shuns", f"{god} and {other} do not meet.", f"{god} e {other} non si incontrano.")
    return reason("set", f"This table plays without {god}.", f"A questo tavolo si gioca senza {god}.")


def _step(attempt: Attempt, source: Cell, target: Cell) -> Reason | None:
    view, builds = attempt.view, isinstance(attempt.action, Build)
    worker = _on(view, source)
    if worker is None or worker.seat != attempt.seat:
        name = name_of(source)
        return reason(
            "worker", f"None of your workers stands on {name}.", f"In {name} non c'è una tua pedina."
        )
    return (
        _idle(attempt, worker, builds)
        or _itself(worker, source, target)
        or _stands(attempt, target)
        or _far(worker, source, target)
        or (_dome(view, target, attempt.action.dome) if builds else _high(view, source, target))
        or _god(view, target)
    )


def _idle(attempt: Attempt, worker: Worker, builds: bool) -> Reason | None:
    """Why this worker does nothing of the kind now."""
    kind = Build if builds else Move
    able = {choice.source for choice in attempt.question.choices if isinstance(choice, kind)}
    if Cell(worker.i, worker.j) in able:
        return None
    if not able:
        if builds:
            return reason("first", "First move, then build.", "Prima muovi, poi costruisci.")
        return reason("moved", "You have moved: now build.", "Hai già mosso: ora costruisci.")
    number, other = worker.number, 3 - worker.number
    if builds:
        return reason(
            "other", f"Worker {other} moved, so worker {other} builds.", f"Costruisce la pedina {other}."
        )
    return reason(
        "stuck",
        f"Worker {number} cannot go anywhere now; worker {other} can.",
        f"La pedina {number} ora non può muovere; la {other} sì.",
    )


def _off(cell: Cell) -> Reason | None:
    if cell in NUMBERS:
        return None
    return reason("off", "That is not on the island.", "Non è sull'isola.")


def _itself(worker: Worker, source: Cell, target: Cell) -> Reason | None:
    if source != target:
        return None
    number = worker.number
    return reason("itself", f"Worker {number} stands there itself.", f"Lì c'è la pedina {number} stessa.")


def _stands(attempt: Attempt, cell: Cell) -> Reason | None:
    """Who or what is in the way."""
    view, name = attempt.view, name_of(cell)
    if view.domes[cell.i][cell.j]:
        return reason(
            "dome",
            f"There is a dome on {name}: nobody steps or builds there any more.",
            f"In {name} c'è una cupola: nessuno vi sale o costruisce più.",
        )
    worker = _on(view, cell)
    if worker is None:
        return None
    if worker.seat == attempt.seat:
        return reason("own", f"Your other worker stands on {name}.", f"In {name} c'è l'altra tua pedina.")
    owner = attempt.names[worker.seat]
    return reason("rival", f"{owner}'s worker stands on {name}.", f"In {name} c'è la pedina di {owner}.")


def _far(worker: Worker, source: Cell, target: Cell) -> Reason | None:
    if max(abs(source.i - target.i), abs(source.j - target.j)) <= 1:
        return None
    name, number = name_of(target), worker.number
    return reason(
        "far", f"{name} is not next to worker {number}.", f"{name} non è accanto alla pedina {number}."
    )


def _high(view: View, source: Cell, target: Cell) -> Reason | None:
    here, there, name = view.levels[source.i][source.j], view.levels[target.i][target.j], name_of(target)
    if there > here + 1:
        return reason(
            "high",
            f"{name} is too high: your worker stands on level {here}, {name} is level {there}. "
            "You climb one level at a time.",
            f"{name} è troppo in alto: la tua pedina è al livello {here}, {name} al livello {there}. "
            "Si sale un livello alla volta.",
        )
    if there > here and "Athena" in view.gods and view.gods[view.seat] != "Athena":
        return reason(
            "athena",
            "Not up this turn: Athena's worker climbed, so nobody else may.",
            "In questo turno non si sale: è salita la pedina di Atena.",
        )
    return None


def _dome(view: View, target: Cell, dome: bool) -> Reason | None:
    level, name = view.levels[target.i][target.j], name_of(target)
    if dome and level < TOP:
        return reason(
            "low",
            f"{name} is level {level}: a dome goes on level {TOP}.",
            f"{name} è al livello {level}: la cupola va sul livello {TOP}.",
        )
    if not dome and level >= TOP:
        return reason(
            "full",
            f"{name} is level {TOP}: only a dome goes there.",
            f"{name} è al livello {TOP}: lì va solo una cupola.",
        )
    return None


def _god(view: View, cell: Cell) -> Reason | None:
    """What is free, near and low enough, and still not allowed, a power forbids."""
    gods = ", ".join(god for seat, god in enumerate(view.gods) if god and not view.out[seat])
    if not gods:
        return None
    name = name_of(cell)
    return reason(
        "god",
        f"A power forbids {name} now; at this table: {gods}.",
        f"Un potere vieta {name} ora; a questo tavolo: {gods}.",
    )


def _on(view: View, cell: Cell) -> Worker | None:
    return next((worker for worker in view.workers if (worker.i, worker.j) == (cell.i, cell.j)), None)


WHY = Why(why, tempting)
