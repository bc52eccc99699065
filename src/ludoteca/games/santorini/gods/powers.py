"""What may be done in a turn, and what it brings about, under all the gods at the table."""

from collections.abc import Callable
from functools import cache, lru_cache

import msgspec
from msgspec.structs import replace

from ludoteca.core import Outcome
from ludoteca.games.santorini import events
from ludoteca.games.santorini.actions import BLOCKS, BLOCKS_AMONG, DOMES, MOVES_AMONG, Action, Build, Move
from ludoteca.games.santorini.data import BITS, CELLS, NOWHERE, NUMBERS, TOP
from ludoteca.games.santorini.events import Event
from ludoteca.games.santorini.gods import GODS
from ludoteca.games.santorini.gods.god import HIGHEST, PAIR, God, Step
from ludoteca.games.santorini.state import CHANGES, State, Turn, built, moved


class Powers(msgspec.Struct, eq=False):
    """The hooks that matter in one seat's turn: the own god's, and those of rivals with their seats."""

    own: God
    # How the turn begins; whose turn comes after it, and the powers of all who are still in, by seat.
    began: events.TurnBegan
    following: int
    everybody: "dict[int, Powers]"
    # What is within reach of each space, as a set.
    around: tuple[int, ...]
    # Whether anybody has a say in where workers may go, or build.
    bend_moves: bool
    bend_builds: bool
    lulls: tuple[tuple[Callable[[State, int], int], int], ...]
    holds: tuple[tuple[Callable[[State, int], int], int], ...]
    stops: tuple[tuple[Callable[[State, int, int], int], int], ...]
    guards: tuple[tuple[Callable[[State, int, bool], int], int], ...]
    denies: tuple[Callable[[State, int], bool], ...]
    demands: tuple[tuple[God, Callable[[State, int], int], int], ...]
    claims: tuple[tuple[Callable[[State], bool], int], ...]


@cache
def next_seat(order: tuple[int, ...], out: tuple[bool, ...], seat: int) -> int:
    """The seat after this one that is still in the game."""
    place = order.index(seat)
    return next(other for other in (*order[place + 1 :], *order[:place]) if not out[other])


def powers_of(state: State, seat: int) -> Powers:
    """The hooks for a turn of this seat."""
    return _powers_at(state.gods, state.order, state.out)[seat]


@cache
def _powers_at(gods: tuple[str, ...], order: tuple[int, ...], out: tuple[bool, ...]) -> dict[int, Powers]:
    """The hooks for the turns of everybody who is still in."""
    everybody: dict[int, Powers] = {}
    # Who is out has no power any more, over anybody.
    present = [(GODS[god], seat) for seat, god in enumerate(gods) if not out[seat]]
    for own, seat in present:
        everybody[seat] = _gather(own, seat, present, next_seat(order, out, seat), everybody)
    return everybody


def _gather(
    own: God, seat: int, present: list[tuple[God, int]], following: int, everybody: dict[int, Powers]
) -> Powers:
    rivals = [(god, owner) for god, owner in present if owner != seat]
    lulls = tuple((god.lulls, owner) for god, owner in rivals if god.lulls)
    stops = tuple((god.stops, owner) for god, owner in rivals if god.stops)
    guards = tuple((god.guards, owner) for god, owner in rivals if god.guards)
    return Powers(
        own=own,
        began=events.TurnBegan(seat, "play"),
        following=following,
        everybody=everybody,
        around=tuple(sum(BITS[near] for near in spaces) for spaces in own.neighbours),
        bend_moves=bool(own.treads or own.shoves or lulls or stops),
        bend_builds=bool(own.builds_on or own.caps or own.lifts or guards),
        lulls=lulls,
        holds=tuple((god.holds, owner) for god, owner in rivals if god.holds),
        stops=stops,
        guards=guards,
        denies=tuple(god.denies for god, _ in rivals if god.denies),
        demands=tuple((god, god.demands, owner) for god, owner in rivals if god.demands),
        claims=tuple((god.claims, owner) for god, owner in present if god.claims),
    )


# What may come next


def choices_of(state: State, powers: Powers, step: Step) -> tuple[Action, ...]:
    """All moves and builds that may come next, but for what rivals demand."""
    choices: tuple[Action, ...] = ()
    for worker in step.movers:
        choices += moves_of(state, powers, step, worker)
    for worker in step.builders:
        choices += builds_of(state, powers, worker)
    return choices


def moves_of(state: State, powers: Powers, step: Step, worker: int) -> tuple[Move, ...]:
    """Every move that this worker can make now."""
    source = state.workers[worker]
    if source == NOWHERE:
        return ()
    low, level = state.low, state.towers[source]
    targets = powers.around[source] & low[HIGHEST[step.rise][level]]
    if step.drop < level:
        targets &= ~low[level - step.drop - 1]
    if powers.bend_moves:
        targets = _bent_moves(state, powers, worker, targets)
    else:
        targets &= ~state.taken
    return MOVES_AMONG[source][targets]


def _bent_moves(state: State, powers: Powers, worker: int, targets: int) -> int:
    """Which of these spaces the gods let this worker enter."""
    own, source = powers.own, state.workers[worker]
    if state.turn.asleep & 1 << (worker & 1):
        return 0
    blocked = targets & state.taken
    targets ^= blocked
    if own.shoves is not None and blocked:
        first, second = PAIR[state.seat]
        for target in spaces_of(blocked & ~(BITS[state.workers[first]] | BITS[state.workers[second]])):
            if own.shoves(state, source, target) is not None:
                targets |= BITS[target]
    if own.treads is not None:
        targets &= own.treads(state)
    for stops, owner in powers.stops:
        targets &= ~stops(state, owner, source)
    return targets


def builds_of(state: State, powers: Powers, worker: int) -> tuple[Build, ...]:
    """Every build that this worker can make now."""
    source, low = state.workers[worker], state.low
    if source == NOWHERE:
        return ()
    free = powers.around[source] & low[TOP] & ~state.taken
    blocks = free & low[TOP - 1]
    if powers.bend_builds:
        return _bent_builds(state, powers, worker, blocks, free)
    if free == blocks:
        return BLOCKS_AMONG[source][blocks]
    return _builds_among(source, blocks, free ^ blocks)


def _bent_builds(state: State, powers: Powers, worker: int, blocks: int, free: int) -> tuple[Build, ...]:
    """What the gods let this worker build on these spaces."""
    own, source = powers.own, state.workers[worker]
    domes = free if own.caps is not None and own.caps(state, worker) else free ^ blocks
    if own.lifts and state.towers[source] < TOP:
        blocks |= BITS[source]
    if own.builds_on is not None:
        blocks &= own.builds_on(state, worker, False)
        domes &= own.builds_on(state, worker, True)
    for guards, owner in powers.guards:
        blocks &= ~guards(state, owner, False)
        domes &= ~guards(state, owner, True)
    return _builds_among(source, blocks, domes)


# There are few sets around a space: these serve all matches.


@lru_cache(maxsize=1 << 14)
def _builds_among(source: int, blocks: int, domes: int) -> tuple[Build, ...]:
    """Builds on these spaces, in their order; what is put under the builder comes last."""
    found = []
    for space in spaces_of((blocks | domes) & ~BITS[source]):
        if blocks & BITS[space]:
            found.append(BLOCKS[source][space])
        if domes & BITS[space]:
            found.append(DOMES[source][space])
    if blocks & BITS[source]:
        found.append(BLOCKS[source][source])
    return tuple(found)


@cache
def spaces_of(spaces: int) -> tuple[int, ...]:
    """The spaces of a set, in their order."""
    found = []
    while spaces:
        found.append((spaces & -spaces).bit_length() - 1)
        spaces &= spaces - 1
    return tuple(found)


def tell(state: State, log: list[Event], event: Event) -> None:
    """Let an event happen."""
    # As `happen` does it, without a hop: bots play millions of moves.
    CHANGES[type(event)](state, event)
    log.append(event)


def act(state: State, powers: Powers, action: Action, log: list[Event]) -> None:
    """Move or build, and see whether somebody has won."""
    if type(action) is Move:
        _move(state, powers, action, log)
    elif type(action) is Build:
        _build(state, powers, action, log)


def _move(state: State, powers: Powers, action: Move, log: list[Event]) -> None:
    start, end = action.source, action.target
    source, target = NUMBERS[start], NUMBERS[end]
    own, towers = powers.own, state.towers
    worker = state.workers.index(source)
    if state.taken & BITS[target]:
        assert own.shoves is not None
        landing = own.shoves(state, source, target)
        assert landing is not None
        victim = state.workers.index(target)
        tell(state, log, events.Pushed(victim >> 1, 1 + (victim & 1), end, CELLS[landing]))
    event = events.Moved(state.seat, 1 + (worker & 1), start, end)
    moved(state, event)
    log.append(event)
    level = towers[target]
    rise = level - towers[source]
    state.turn = _turn_after_move(state.turn, worker, source, rise)
    if rise > 0 and level == TOP:
        reason = "a worker went up to the third level"
    elif own.wins is not None and own.wins(state, worker, source, target):
        reason = f"by the power of {own.name}"
    else:
        return
    if not any(denies(state, target) for denies in powers.denies):
        win(state, state.seat, reason, log)


def _build(state: State, powers: Powers, action: Build, log: list[Event]) -> None:
    source, target = action.source, action.target
    worker = state.workers.index(NUMBERS[source])
    event = events.Built(state.seat, 1 + (worker & 1), source, target, action.dome)
    built(state, event)
    log.append(event)
    state.turn = _turn_after_build(state.turn, worker, NUMBERS[target])
    if powers.own.pays is not None:
        tell(state, log, powers.own.pays(state))
    for claims, owner in powers.claims:
        if claims(state):
            win(state, owner, f"by the power of {state.gods[owner]}", log)
            return


# A turn has few situations: these serve all matches.


@lru_cache(maxsize=1 << 16)
def _turn_after_move(turn: Turn, worker: int, source: int, rise: int) -> Turn:
    return replace(
        turn,
        mover=worker,
        origin=turn.origin if turn.mover == worker else source,
        moves=2 if turn.moves else 1,
        moved=turn.moved | 1 << (worker & 1),
        rose=turn.rose or rise > 0,
        level=turn.level and rise == 0,
        builds=0,
    )


@lru_cache(maxsize=1 << 16)
def _turn_after_build(turn: Turn, worker: int, target: int) -> Turn:
    return replace(
        turn,
        builds=turn.builds + 1,
        built=target,
        builder=worker,
        builders=turn.builders | 1 << (worker & 1),
    )


def win(state: State, seat: int, reason: str, log: list[Event]) -> None:
    """This seat has won, and the match is over."""
    # Who was out before this turn comes last; those who were still in share the second place.
    ranks = tuple(
        1 if other == seat else 3 if out and other != state.seat else 2 for other, out in enumerate(state.out)
    )
    tell(state, log, events.Won(seat, reason))
    state.outcome = Outcome(ranks, reason)
    state.choices = ()
