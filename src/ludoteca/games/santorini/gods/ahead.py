"""Looking ahead in a turn: which choices lead to a complete turn, as rivals demand it."""

from msgspec.structs import replace

from ludoteca.games.santorini.actions import Action, Move
from ludoteca.games.santorini.gods.god import BOTH, build_twice, plain
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
    known: dict[_Situation, bool] = {}
    kept = tuple([choice for choice in choices if _leads(_after(state, powers, choice), powers, known)])
    return kept or choices


def walks_in_vain(state: State, powers: Powers, last: Action) -> bool:
    """Whether, in the middle of a walk, only moves are left, which lead to no build: the turn would never end (Triton, Hermes)."""
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
    if not powers.own.steps(state).movers:
        # Nobody can walk any further, so there is nothing to look for.
        return not _wrong(state, powers) and _completes(state, powers)
    # Where a god walks far with both workers (Hermes), it is mostly enough to move one after the other.
    return _search(state, powers, known, narrow=True) or _search(state, powers, known, narrow=False)


def _search(state: State, powers: Powers, known: dict[_Situation, bool], narrow: bool) -> bool:
    """Look at all situations that moves can lead to, the nearest first.

    `narrow` moves only the first who must.
    """
    first = _situation(state)
    queue: list[tuple[State, _Situation]] = [(state, first)]
    before: dict[_Situation, _Situation | None] = {first: None}
    for state, situation in queue:
        wrong = _wrong(state, powers)
        if known.get(situation) or (not wrong and _completes(state, powers)):
            step_back: _Situation | None = situation
            while step_back is not None:
                known[step_back] = True
                step_back = before[step_back]
            return True
        for move in _moves_ahead(state, powers, wrong, narrow):
            later = _after(state, powers, move)
            following = _situation(later)
            if following not in before and known.get(following) is not False:
                before[following] = situation
                queue.append((later, following))
    if not narrow:
        known.update(dict.fromkeys(before, False))
    return False


def _moves_ahead(state: State, powers: Powers, wrong: int, narrow: bool) -> list[Action]:
    step = powers.own.steps(state)
    if state.outcome is not None or (wrong and not all(hopes(step) for _, hopes, _ in powers.demands)):
        return []
    wanted = (wrong & -wrong) if narrow and wrong else BOTH
    moves: list[Action] = []
    for worker in step.movers:
        if wanted & (1 << (worker & 1)):
            moves += moves_of(state, powers, step, worker)
    return moves


def _wrong(state: State, powers: Powers) -> int:
    wrong = 0
    for demands, _, owner in powers.demands:
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
    return tuple(state.workers), bytes(state.towers), state.turn
