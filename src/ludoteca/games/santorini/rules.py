"""The rules: the setup, the turn and its end. What gods change is asked of their hooks (see gods/god.py)."""

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import NamedTuple

from ludoteca.core import Outcome, Refused, Seat, Setup
from ludoteca.games.santorini.actions import (
    BLOCKS,
    DOMES,
    FINISH,
    MOVES,
    PLACES,
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
from ludoteca.games.santorini.data import (
    CARDS,
    CATALOGUES,
    CELLS,
    COLOURS,
    DOMED,
    NOWHERE,
    NUMBERS,
    SPACES,
    TOP,
    Phase,
)
from ludoteca.games.santorini.events import (
    BrokenOff,
    Built,
    ColourChosen,
    Event,
    GodOffered,
    GodTaken,
    Lost,
    Moved,
    Placed,
    Pushed,
    StartChosen,
    TurnBegan,
    Won,
)
from ludoteca.games.santorini.gods import GODS, God
from ludoteca.games.santorini.state import Options, Preferences, State, Turn, replaced

# What the house asks of every game


def settle(options: Options, seats: int) -> Options:
    """Every catalogue is enough for two or three players; gods for two only are left out for three."""
    if seats not in (2, 3):
        raise Refused(f"Santorini is for two or three players, not {seats}", "seats")
    return options


def agree(preferences: Sequence[Preferences | None]) -> None:
    """Any birth dates go together."""


def start(setup: Setup) -> tuple[State, list[Event]]:
    """Seat the youngest first and let them, as the Challenger, decide."""
    order = _seating(setup)
    state = State.empty(setup.options, order)
    events: list[Event] = []
    _call(state, order[0], "gods" if CATALOGUES[setup.options.gods] else "start", events)
    return state, events


def _seating(setup: Setup) -> tuple[int, ...]:
    """The youngest player is the Challenger, the others follow by age; among equals, by seat."""
    given = [preference or Preferences() for preference in setup.preferences]
    dates = [preference.birth_date for preference in given] or [""] * setup.seats
    return tuple(sorted(range(setup.seats), key=lambda seat: dates[seat], reverse=True))


def apply(state: State, seat: Seat, action: Action) -> list[Event]:
    """Carry out one of the options that `seat` has, and all that follows from it."""
    if state.result is not None:
        raise Refused("the match is over", "over")
    if seat != state.seat:
        raise Refused("it is not your turn", "turn")
    if action not in state.choices:
        raise Refused("that is not possible here", "illegal")
    events: list[Event] = []
    if state.phase == "play":
        if type(action) is Finish:
            _end_turn(state, events)
        else:
            _act(state, _powers(state), action, events)
        if state.result is None:
            _proceed(state, events)
    else:
        _set_up(state, action, events)
    return events


def resume(state: State, seat: int) -> list[Event]:
    """Let a seat begin its turn on the island as it stands: for problems, studies and tests."""
    events: list[Event] = []
    _begin_turn(state, seat, events)
    _proceed(state, events)
    return events


def leave(state: State, seat: Seat) -> list[Event]:
    """A player leaves for good: the match is broken off, unless the player was out already."""
    if state.result is not None or state.out[seat]:
        return []
    _close(state, Outcome((), "a player left"))
    return [BrokenOff(seat)]


def rejoin(state: State, seat: Seat) -> list[Event]:  # noqa: ARG001
    """Who left cannot come back: the match was broken off."""
    return []


# Setup


def _call(state: State, seat: int, phase: Phase, events: list[Event]) -> None:
    """Let a seat decide in the setup."""
    state.seat, state.phase = seat, phase
    state.choices = _setup_choices(state)
    events.append(TurnBegan(seat, phase))


def _setup_choices(state: State) -> tuple[Action, ...]:
    match state.phase:
        case "gods":
            return tuple(OfferGod(name) for name in _catalogue(state))
        case "god":
            return tuple(TakeGod(name) for name in state.offered if name not in state.gods)
        case "start":
            return tuple(ChooseStart(seat) for seat in state.order)
        case "colour":
            return tuple(ChooseColour(colour) for colour in COLOURS if colour not in state.colours)
        case "place":
            allowed = GODS[state.gods[state.seat]].places
            return tuple(
                PLACES[space]
                for space in range(SPACES)
                if space not in state.workers and (allowed is None or allowed(state, state.seat, space))
            )
    return ()


def _catalogue(state: State) -> Iterable[str]:
    """The gods that can join those already on the table."""
    for name in CATALOGUES[state.options.gods]:
        card = CARDS[name]
        if len(state.order) <= card.seats_max and not any(
            other == name or other in card.shuns for other in state.offered
        ):
            yield name


def _set_up(state: State, action: Action, events: list[Event]) -> None:
    """One decision of the setup, and who decides next."""
    seat = state.seat
    challenger = state.order[0]
    match action:
        case OfferGod(god=god):
            state.offered += (god,)
            events.append(GodOffered(seat, god))
            if len(state.offered) < len(state.order):
                state.choices = _setup_choices(state)
            else:
                _call(state, state.order[1], "god", events)
        case TakeGod(god=god):
            state.gods = replaced(state.gods, seat, god)
            events.append(GodTaken(seat, god))
            # The others choose in seating order; what is left is for the Challenger.
            if seat == challenger:
                _call(state, challenger, "start", events)
            else:
                _call(state, _next(state, seat), "god", events)
        case ChooseStart(seat=first):
            state.start = first
            events.append(StartChosen(first))
            _call(state, first, "colour", events)
        case ChooseColour(colour=colour):
            state.colours = replaced(state.colours, seat, colour)
            events.append(ColourChosen(seat, colour))
            following = _next(state, seat)
            _call(state, following, "place" if following == state.start else "colour", events)
        case Place(cell=cell):
            second = state.workers[2 * seat] != NOWHERE
            state.workers = replaced(state.workers, 2 * seat + second, NUMBERS[cell])
            events.append(Placed(seat, 1 + second, cell))
            if not second:
                state.choices = _setup_choices(state)
            elif (following := _next(state, seat)) != state.start:
                _call(state, following, "place", events)
            else:
                state.phase = "play"
                _begin_turn(state, following, events)
                _proceed(state, events)


def _next(state: State, seat: int) -> int:
    """The seat after this one that is still in the game."""
    order = state.order
    place = order.index(seat)
    return next(other for other in (*order[place + 1 :], *order[:place]) if not state.out[other])


# Powers


class _Powers(NamedTuple):
    """The hooks that matter in one seat's turn: the own god's, and those of rivals with their seats."""

    own: God
    lulls: tuple[tuple[Callable[[State, int], int], int], ...]
    holds: tuple[tuple[Callable[[State, int], int], int], ...]
    stops: tuple[tuple[Callable[[State, int, int, int], bool], int], ...]
    guards: tuple[tuple[Callable[[State, int, int, bool], bool], int], ...]
    denies: tuple[Callable[[State, int], bool], ...]
    demands: tuple[tuple[Callable[[State, int], bool], int], ...]
    claims: tuple[tuple[Callable[[State], bool], int], ...]


def _powers(state: State) -> _Powers:
    return _gather(state.gods, state.out, state.seat)


@cache
def _gather(gods: tuple[str, ...], out: tuple[bool, ...], seat: int) -> _Powers:
    """Who is out has no power any more, over anybody."""
    present = [(GODS[name], owner) for owner, name in enumerate(gods) if not out[owner]]
    rivals = [(god, owner) for god, owner in present if owner != seat]
    return _Powers(
        own=GODS[gods[seat]],
        lulls=tuple((god.lulls, owner) for god, owner in rivals if god.lulls),
        holds=tuple((god.holds, owner) for god, owner in rivals if god.holds),
        stops=tuple((god.stops, owner) for god, owner in rivals if god.stops),
        guards=tuple((god.guards, owner) for god, owner in rivals if god.guards),
        denies=tuple(god.denies for god, _ in rivals if god.denies),
        demands=tuple((god.demands, owner) for god, owner in rivals if god.demands),
        claims=tuple((god.claims, owner) for god, owner in present if god.claims),
    )


# The turn


def _begin_turn(state: State, seat: int, events: list[Event]) -> None:
    state.seat = seat
    powers = _powers(state)
    asleep = held = 0
    for lulls, owner in powers.lulls:
        asleep |= lulls(state, owner)
    for holds, owner in powers.holds:
        held |= holds(state, owner)
    state.turn = Turn(asleep=asleep, held=held) if asleep or held else _FRESH
    events.append(TurnBegan(seat, "play"))
    if powers.own.begins is not None:
        events += powers.own.begins(state)


_FRESH = Turn()


def _proceed(state: State, events: list[Event]) -> None:
    """Ask what may come next; end the turn where nothing can, and the game of who cannot do what must be done."""
    while state.result is None:
        powers = _powers(state)
        choices, may_end = _choices(state, powers)
        if choices:
            if powers.demands:
                choices = _as_demanded(state, powers, choices)
            if may_end:
                choices.append(FINISH)
            state.choices = tuple(choices)
            return
        if may_end:
            _end_turn(state, events)
        else:
            _lose(state, events)


def _end_turn(state: State, events: list[Event]) -> None:
    if state.risen[state.seat] != state.turn.rose:
        state.risen = replaced(state.risen, state.seat, state.turn.rose)
    _begin_turn(state, _next(state, state.seat), events)


def _lose(state: State, events: list[Event]) -> None:
    """The loser's workers leave the island and the loser's god has no more say; the last one left wins."""
    seat = state.seat
    what = "move" if _powers(state).own.steps(state).movers else "build"
    following = _next(state, seat)
    state.out = replaced(state.out, seat, True)
    state.workers = replaced(replaced(state.workers, 2 * seat, NOWHERE), 2 * seat + 1, NOWHERE)
    events.append(Lost(seat, f"cannot {what}"))
    if state.out.count(False) == 1:
        _win(state, following, "nobody else could go on", events)
    else:
        _begin_turn(state, following, events)


def _win(state: State, seat: int, reason: str, events: list[Event]) -> None:
    # Who was out before this turn comes last; those who were still in share the second place.
    ranks = tuple(
        1 if other == seat else 3 if out and other != state.seat else 2 for other, out in enumerate(state.out)
    )
    events.append(Won(seat, reason))
    _close(state, Outcome(ranks, reason))


def _close(state: State, outcome: Outcome) -> None:
    state.result = outcome
    state.phase = "over"
    state.choices = ()


# Moves and builds


def _choices(state: State, powers: _Powers) -> tuple[list[Action], bool]:
    """All moves and builds that may come next, but for what rivals demand; and whether the turn may end."""
    movers, builders, may_end = powers.own.steps(state)
    choices: list[Action] = []
    for worker in movers:
        _add_moves(state, powers, worker, choices)
    for worker in builders:
        _add_builds(state, powers, worker, choices)
    return choices, may_end


def _add_moves(state: State, powers: _Powers, worker: int, choices: list[Action]) -> None:
    source = state.workers[worker]
    if source == NOWHERE or state.turn.asleep & (1 << (worker & 1)):
        return
    towers, workers, own = state.towers, state.workers, powers.own
    treads, shoves, stops = own.treads, own.shoves, powers.stops
    climb = towers[source] + 1
    moves = MOVES[source]
    for target in own.neighbours[source]:
        if towers[target] > climb:
            continue
        if target in workers and (
            shoves is None
            or workers.index(target) ^ 1 == worker
            or shoves(state, source, target) is None
        ):
            continue
        if treads is not None and not treads(state, source, target):
            continue
        if stops and any(stop(state, owner, source, target) for stop, owner in stops):
            continue
        choices.append(moves[target])


def _add_builds(state: State, powers: _Powers, worker: int, choices: list[Action]) -> None:
    source = state.workers[worker]
    if source == NOWHERE:
        return
    towers, workers, own = state.towers, state.workers, powers.own
    limited = own.builds_on is not None or bool(powers.guards)
    caps = own.caps is not None and own.caps(state, worker)
    blocks, domes = BLOCKS[source], DOMES[source]
    for target in own.neighbours[source]:
        level = towers[target]
        if level > TOP or target in workers:
            continue
        if level < TOP and not (limited and not _may_build(state, powers, worker, target, False)):
            choices.append(blocks[target])
        if (level == TOP or caps) and not (limited and not _may_build(state, powers, worker, target, True)):
            choices.append(domes[target])
    if own.lifts and towers[source] < TOP and _may_build(state, powers, worker, source, False):
        choices.append(blocks[source])


def _may_build(state: State, powers: _Powers, worker: int, target: int, dome: bool) -> bool:
    builds_on = powers.own.builds_on
    if builds_on is not None and not builds_on(state, worker, target, dome):
        return False
    return not any(guard(state, owner, target, dome) for guard, owner in powers.guards)


def _act(state: State, powers: _Powers, action: Action, events: list[Event]) -> None:
    """Move or build, and see whether somebody has won."""
    if type(action) is Move:
        _move(state, powers, action, events)
    elif type(action) is Build:
        _build(state, powers, action, events)


def _move(state: State, powers: _Powers, action: Move, events: list[Event]) -> None:
    source, target = NUMBERS[action.source], NUMBERS[action.target]
    workers, towers, turn, own = list(state.workers), state.towers, state.turn, powers.own
    worker = workers.index(source)
    if target in workers:
        assert own.shoves is not None
        landing = own.shoves(state, source, target)
        assert landing is not None
        victim = workers.index(target)
        workers[victim] = landing
        events.append(Pushed(victim >> 1, 1 + (victim & 1), action.target, CELLS[landing]))
    workers[worker] = target
    state.workers = tuple(workers)
    rise = towers[target] - towers[source]
    bit = 1 << (worker & 1)
    state.turn = Turn(
        worker,
        turn.origin if turn.mover == worker else source,
        2 if turn.moves else 1,
        turn.moved | bit,
        turn.rose or rise > 0,
        turn.level and rise == 0,
        turn.early,
        0,
        turn.built,
        turn.builder,
        turn.builders,
        turn.asleep,
        turn.held,
    )
    events.append(Moved(state.seat, 1 + (worker & 1), action.source, action.target))
    reason = ""
    if rise > 0 and towers[target] == TOP:
        reason = "a worker went up to the third level"
    elif own.wins is not None and own.wins(state, worker, source, target):
        reason = f"by the power of {own.name}"
    if reason and not any(denies(state, target) for denies in powers.denies):
        _win(state, state.seat, reason, events)


def _build(state: State, powers: _Powers, action: Build, events: list[Event]) -> None:
    source, target = NUMBERS[action.source], NUMBERS[action.target]
    worker, turn = state.workers.index(source), state.turn
    state.towers = replaced(state.towers, target, state.towers[target] + (DOMED if action.dome else 1))
    state.turn = Turn(
        turn.mover,
        turn.origin,
        turn.moves,
        turn.moved,
        turn.rose,
        turn.level,
        turn.early or not turn.moves,
        turn.builds + 1,
        target,
        worker,
        turn.builders | (1 << (worker & 1)),
        turn.asleep,
        turn.held,
    )
    events.append(Built(state.seat, 1 + (worker & 1), action.source, action.target, action.dome))
    if powers.own.pays is not None:
        events += powers.own.pays(state)
    for claims, owner in powers.claims:
        if claims(state):
            _win(state, owner, f"by the power of {state.gods[owner]}", events)
            return


# What rivals demand, if it is possible


def _as_demanded(state: State, powers: _Powers, choices: list[Action]) -> list[Action]:
    """The choices that lead to a complete turn as rivals demand it; all of them, when no turn does.

    Demands are about moves, and no god moves after the last build: once only builds are left, there is nothing
    more to choose.
    """
    if type(choices[0]) is not Move:
        return choices
    kept = [choice for choice in choices if _leads(state, powers, choice)]
    return kept or choices


def _leads(state: State, powers: _Powers, choice: Action) -> bool:
    """Whether the turn can be completed as demanded after this choice. Looks at nearer situations first."""
    situation = _after(state, powers, choice)
    if _complete(situation, powers):
        return True
    situations, met = [situation], {_situation(situation)}
    for situation in situations:
        if situation.result is not None:
            continue
        choices, _ = _choices(situation, powers)
        if choices and type(choices[0]) is not Move and not _satisfied(situation, powers):
            continue
        for following in choices:
            later = _after(situation, powers, following)
            if _complete(later, powers):
                return True
            if (key := _situation(later)) not in met:
                met.add(key)
                situations.append(later)
    return False


def _after(state: State, powers: _Powers, choice: Action) -> State:
    later = state.clone()
    _act(later, powers, choice, [])
    return later


def _complete(state: State, powers: _Powers) -> bool:
    """Whether the turn, or the match, can end here with every demand satisfied."""
    return (state.result is not None or powers.own.steps(state).end) and _satisfied(state, powers)


def _satisfied(state: State, powers: _Powers) -> bool:
    return all(demands(state, owner) for demands, owner in powers.demands)


def _situation(state: State) -> tuple[object, ...]:
    return state.workers, state.towers, state.turn
