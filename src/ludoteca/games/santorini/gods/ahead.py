"""Looking ahead in a turn: which choices lead to a complete turn, as rivals demand it."""

from msgspec.structs import replace

from ludoteca.games.santorini.actions import Action, Move
from ludoteca.games.santorini.data import BITS, CELLS, EVERYWHERE, NOWHERE, NUMBERS, Cell
from ludoteca.games.santorini.gods.god import BOTH, PAIR, build_twice, plain
from ludoteca.games.santorini.gods.powers import Powers, act, builds_of, choices_of, moves_of
from ludoteca.games.santorini.state import State, Turn

# With these, any build that is asked for can be the last.
ONE_BUILD_ENDS = (plain, build_twice)

_Situation = tuple[tuple[int, ...], bytes, Turn]


def as_demanded(state: State, powers: Powers, choices: tuple[Action, ...]) -> tuple[Action, ...]:
    """The choices that lead to a complete turn as rivals demand it; all of them, when no turn does.

    Demands are about moves, and no god moves after the last build: once only builds are left, there is
    nothing more to choose.
    """
    if type(choices[0]) is not Move:
        return choices
    wanted = _wanted(state, powers)
    known: dict[_Situation, bool] = {}
    kept = tuple([choice for choice in choices if _fits(state, powers, choice, wanted, known)])
    return kept or choices


def _fits(
    state: State, powers: Powers, choice: Action, wanted: dict[Cell, int], known: dict[_Situation, bool]
) -> bool:
    """Whether a choice leads to a complete turn as demanded."""
    if type(choice) is Move and (spaces := wanted.get(choice.source)) is not None:
        target = BITS[NUMBERS[choice.target]]
        if not target & state.taken:
            return bool(target & spaces)
    return _leads(_after(state, powers, choice), powers, known)


def _wanted(state: State, powers: Powers) -> dict[Cell, int]:
    """To which spaces rivals want those to go who stand on these, where one move and one build make a turn.

    Whoever walks can then build where it came from, unless that is guarded. Nothing is said about shoving,
    which changes more.
    """
    if powers.own.steps not in ONE_BUILD_ENDS or powers.guards:
        return {}
    wanted = {}
    for worker in PAIR[state.seat]:
        if state.workers[worker] == NOWHERE:
            continue
        spaces = EVERYWHERE
        for god, _, owner in powers.demands:
            spaces &= god.wants(state, owner, worker)
        wanted[CELLS[state.workers[worker]]] = spaces
    return wanted


def walks_in_vain(state: State, powers: Powers, last: Action) -> bool:
    """Whether, in the middle of a walk, only moves are left, which lead to no build: the turn would never end
    (Triton, Hermes)."""
    if type(last) is not Move:
        return False
    return not _leads(state, replace(powers, demands=()), {})


def builds_in_vain(state: State, powers: Powers, choices: tuple[Action, ...]) -> bool:
    """Whether a turn that needs a move has none, and no early build opens one (Prometheus, who can only
    do so under Hades)."""
    if type(choices[0]) is Move:
        return False
    for build in choices:
        later = _after(state, powers, build)
        following = powers.own.steps(later)
        if following.end or any(type(choice) is Move for choice in choices_of(later, powers, following)):
            return False
    return True


def _leads(state: State, powers: Powers, known: dict[_Situation, bool]) -> bool:
    """Whether the turn can be completed from here, as demanded.

    Keeps in `known` what it finds out on the way.
    """
    movers = powers.own.steps(state).movers
    if not movers:
        # Nobody can walk any further, so there is nothing to look for.
        return _is_end(state, powers)
    # Where a god walks far with both workers (Hermes), it is mostly enough to move one after the other.
    if len(movers) > 1 and _search(state, powers, known, narrow=True):
        return True
    return _search(state, powers, known, narrow=False)


def _is_end(state: State, powers: Powers) -> bool:
    """Whether nothing is wrong with what has been walked, and builds can complete the turn."""
    return not _wrong(state, powers) and _completes(state, powers)


def _search(state: State, powers: Powers, known: dict[_Situation, bool], narrow: bool) -> bool:
    """Look at all situations that moves can lead to, the nearest first.

    `narrow` moves only the first who must.
    """
    first = _situation(state)
    if known.get(first) or _is_end(state, powers):
        known[first] = True
        return True
    queue: list[tuple[State, _Situation]] = [(state, first)]
    before: dict[_Situation, _Situation | None] = {first: None}
    for state, situation in queue:
        for move in _moves_ahead(state, powers, narrow):
            later = _after(state, powers, move)
            following = _situation(later)
            leads = known.get(following)
            if following in before or leads is False:
                continue
            if leads or _is_end(later, powers):
                known[following] = True
                step_back: _Situation | None = situation
                while step_back is not None:
                    known[step_back] = True
                    step_back = before[step_back]
                return True
            before[following] = situation
            queue.append((later, following))
    if not narrow:
        known.update(dict.fromkeys(before, False))
    return False


def _moves_ahead(state: State, powers: Powers, narrow: bool) -> list[Action]:
    step, wrong = powers.own.steps(state), _wrong(state, powers)
    if state.outcome is not None or (wrong and not all(god.hopes(step) for god, _, _ in powers.demands)):
        return []
    wanted = (wrong & -wrong) if narrow and wrong else BOTH
    moves: list[Action] = []
    for worker in step.movers:
        if wanted & (1 << (worker & 1)):
            moves += moves_of(state, powers, step, worker)
    return moves


def _wrong(state: State, powers: Powers) -> int:
    wrong = 0
    for _, demands, owner in powers.demands:
        wrong |= demands(state, owner)
    return wrong


def _completes(state: State, powers: Powers) -> bool:
    """Whether nothing but builds is needed for the turn, or the match, to end."""
    step = powers.own.steps(state)
    if state.outcome is not None or step.end:
        return True
    builds: tuple[Action, ...] = ()
    for worker in step.builders:
        builds += builds_of(state, powers, worker)
    if powers.own.steps in ONE_BUILD_ENDS:
        return bool(builds)
    return any(_completes(_after(state, powers, build), powers) for build in builds)


def _after(state: State, powers: Powers, choice: Action) -> State:
    later = state.clone()
    act(later, powers, choice, [])
    return later


def _situation(state: State) -> _Situation:
    return state.workers, bytes(state.towers), state.turn
