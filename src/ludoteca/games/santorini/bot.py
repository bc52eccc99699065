"""Players that look ahead: alpha-beta search over whole turns, deeper and deeper while there is time.

A position is judged at the start of a turn, by how high each worker stands and where it could go from there.
With three players the others are taken to play together against the one who thinks.
"""

from collections.abc import Callable, Mapping
from operator import itemgetter
from typing import Any

from ludoteca.core import Bot, Dice, Game, Seat
from ludoteca.games.santorini.actions import Action, Build, ChooseStart, Move, OfferGod, Place, TakeGod
from ludoteca.games.santorini.data import DOMED, NEIGHBOURS, NOWHERE, NUMBERS, SIDE, TOP
from ludoteca.games.santorini.engine import STEPS_A_LOOK, Engine, find
from ludoteca.games.santorini.gods.powers import powers_of
from ludoteca.games.santorini.rules import apply
from ludoteca.games.santorini.state import State

WON = 1_000_000
# Turns are worth looking at up to here; the clock stops most searches earlier.
TURNS_MAX = 12
# Walks of Hermes and Triton, and the many builds of Poseidon and Morpheus: so many steps of one turn are
# looked at. In the own turn it is one more with each turn that the search goes deeper.
STEPS_MAX = 4
STEPS_AHEAD = 2
POSITIONS_MAX = 200_000
# How many positions are looked at between two looks at the clock.
PATIENCE = 16

# What a worker is worth by its level, and by the towers around it (REACH[its level][the tower]).
HEIGHT = (0, 40, 100, 110)
REACH: tuple[tuple[int, ...], ...] = tuple(
    tuple(
        (6, 12, 22, 40)[tower] if tower <= min(TOP, level + 1) else (-2 if tower < DOMED else -4)
        for tower in range(TOP + DOMED + 1)
    )
    for level in range(TOP + 1)
)
# Where a worker stands matters less than how high: the middle is near everything.
CENTRE = tuple(6 - 2 * (abs(space // SIDE - 2) + abs(space % SIDE - 2)) for space in range(SIDE * SIDE))
AROUND: tuple[Callable[[bytearray], tuple[int, ...]], ...] = tuple(
    itemgetter(*spaces) for spaces in NEIGHBOURS
)
ONE_THREAT, TWO_THREATS = 60, 2_000


class OutOfTime(Exception):
    """The clock ran out in the middle of a search."""


def worth(state: State, me: int) -> int:
    """The position at the start of a turn, as seen from `me`."""
    towers, workers = state.towers, state.workers
    total = 0
    for seat, out in enumerate(state.out):
        if out:
            continue
        value = threats = 0
        for space in workers[2 * seat : 2 * seat + 2]:
            if space == NOWHERE:
                continue
            level = towers[space]
            around = AROUND[space](towers)
            value += HEIGHT[level] + CENTRE[space] + sum(map(REACH[level].__getitem__, around))
            if level == 2 and TOP in around:
                threats += sum(towers[near] == TOP and near not in workers for near in NEIGHBOURS[space])
        if threats and seat != state.seat:
            value += ONE_THREAT if threats == 1 else TWO_THREATS
        total += value if seat == me else -value
    return total


def opinion(state: State) -> list[float]:
    """How all stand, in the measure of `worth`."""
    return [float(worth(state, seat)) for seat in range(len(state.order))]


def can_win_now(state: State) -> bool:
    """Whether a step up to the third level is open to whoever begins the turn."""
    towers = state.towers
    for choice in state.choices:
        if type(choice) is Move:
            target = NUMBERS[choice.target]
            if towers[target] == TOP and towers[NUMBERS[choice.source]] == 2:
                return not any(denies(state, target) for denies in powers_of(state, state.seat).denies)
    return False


def shortest_way_out(state: State) -> Action:
    """The first step of the shortest walk to a place where something else than walking is possible."""
    queue = [(state, choice) for choice in state.choices]
    met = {state.workers}
    for before, first in queue:
        for step in (first,) if before is state else before.choices:
            later = before.clone()
            apply(later, Seat(before.seat), step)
            done = later.outcome is not None or later.seat != state.seat
            if done or type(later.choices[-1]) is not Move:
                return first
            if later.workers not in met:
                met.add(later.workers)
                queue.append((later, first))
    return state.choices[0]


def to_look_at(state: State, dice: Dice) -> list[Action]:
    """The choices that a search begins with, in any order."""
    choices = list(state.choices)
    if state.turn.moves > 1:
        # Every walk comes to an end, however much alike its steps may look, or however bad the end.
        others = [choice for choice in choices if type(choice) is not Move]
        if not others:
            return [shortest_way_out(state)]
        choices = others if dice.below(2) else choices
    dice.shuffle(choices)
    return choices


class Search:
    """One search for one seat. Values are from its point of view."""

    def __init__(self, me: int, more: Callable[[], bool], turns_max: int = TURNS_MAX) -> None:
        self.me = me
        self.more = more
        self.turns_max = turns_max
        self.steps_max = STEPS_AHEAD
        self.nodes = 0
        # (situation, turns left) -> (value, "=" exact, "<" at most, ">" at least, best choice)
        self.known: dict[Any, tuple[int, str, Action | None]] = {}
        self.liked: dict[Action, int] = {}

    def best(self, state: State, dice: Dice) -> Action:
        """The best choice that the time allows to find."""
        choices = to_look_at(state, dice)
        if len(choices) == 1:
            return choices[0]
        ranked = self._ordered(state, choices, None)
        for turns in range(1, self.turns_max + 1):
            self.steps_max = min(STEPS_MAX, 1 + turns)
            try:
                value = self._root(state, ranked, turns)
            except OutOfTime:
                break
            if abs(value) > WON // 2:
                break
        return ranked[0]

    def _root(self, state: State, ranked: list[Action], turns: int) -> int:
        """The value of the position. A better choice comes to the head of the list as soon as it is found."""
        low = -WON * 2
        for choice in list(ranked):
            value = self._after(state, choice, turns, low, WON * 2, 1, self.steps_max)
            if value > low:
                low = value
                ranked.remove(choice)
                ranked.insert(0, choice)
        return low

    def _after(
        self, state: State, choice: Action, turns: int, low: int, high: int, ply: int, walk: int
    ) -> int:
        """The value of a choice. `walk` is how many more moves this turn may have."""
        self.nodes += 1
        if self.nodes % PATIENCE == 0 and not self.more():
            raise OutOfTime
        later = state.clone()
        apply(later, Seat(state.seat), choice)
        if later.outcome is not None:
            return WON - ply if later.outcome.ranks[self.me] == 1 else ply - WON
        if later.out[self.me]:
            return ply - WON
        if later.turn.moves or later.turn.builds:
            return self._value(later, turns, low, high, ply, walk - (type(choice) is Move))
        if turns == 1:
            return self._leaf(later, ply)
        return self._value(later, turns - 1, low, high, ply + 1, STEPS_AHEAD)

    def _leaf(self, state: State, ply: int) -> int:
        value = worth(state, self.me)
        if can_win_now(state):
            return WON // 2 - ply if state.seat == self.me else ply - WON // 2
        return value

    def _value(self, state: State, turns: int, low: int, high: int, ply: int, walk: int) -> int:
        """Alpha-beta, with what is known from other ways to the same situation."""
        if walk < -STEPS_MAX:
            # Nothing but moves, again and again: one can walk on for ever, or is lost.
            return worth(state, self.me)
        island = bytes(state.towers), state.workers
        key = (island, state.seat, state.turn, state.risen, state.tokens, turns, walk)
        known = self.known.get(key)
        first: Action | None = None
        if known is not None:
            value, bound, first = known
            if bound == "=" or (bound == ">" and value >= high) or (bound == "<" and value <= low):
                return value
        mine = state.seat == self.me
        best = -WON * 2 if mine else WON * 2
        best_choice: Action | None = None
        alpha, beta = low, high
        for choice in self._ordered(state, self._sensible(state, walk, ply), first):
            value = self._after(state, choice, turns, alpha, beta, ply, walk)
            if (value > best) if mine else (value < best):
                best, best_choice = value, choice
            if mine:
                alpha = max(alpha, value)
            else:
                beta = min(beta, value)
            if alpha >= beta:
                self.liked[choice] = self.liked.get(choice, 0) + turns * turns
                break
        bound = "=" if low < best < high else (">" if best >= high else "<")
        if len(self.known) >= POSITIONS_MAX:
            self.known.clear()
        self.known[key] = (best, bound, best_choice)
        return best

    def _sensible(self, state: State, walk: int, ply: int) -> list[Action]:
        """The choices without endless walks and endless building, and without the same
        builds in another order."""
        choices, turn = list(state.choices), state.turn
        if turn.moves and walk <= 0:
            choices = [choice for choice in choices if type(choice) is not Move] or choices
        if turn.builds >= 2:
            enough = turn.builds >= (self.steps_max if ply == 1 else STEPS_AHEAD)
            choices = [
                choice
                for choice in choices
                if type(choice) is not Build or (not enough and NUMBERS[choice.target] >= turn.built)
            ] or choices
        return choices

    def _ordered(self, state: State, choices: list[Action], first: Action | None) -> list[Action]:
        """What was best before comes first, then what climbs or has proved useful elsewhere."""
        towers, liked = state.towers, self.liked

        def promise(choice: Action) -> int:
            if choice == first:
                return -WON
            value = -liked.get(choice, 0)
            if type(choice) is Move:
                target, source = towers[NUMBERS[choice.target]], towers[NUMBERS[choice.source]]
                value -= 1000 * (target - source) + 100 * target
            return value

        return sorted(choices, key=promise)


# The setup


# Which god to take, if there is a choice; the ones not named are in between.
STRENGTH: dict[str, int] = {
    **dict.fromkeys(("Athena", "Artemis", "Poseidon", "Prometheus", "Triton", "Persephone", "Hypnus"), 2),
    **dict.fromkeys(("Apollo", "Demeter", "Hephaestus", "Hestia", "Limus", "Minotaur", "Selene"), 1),
    **dict.fromkeys(("Chronus", "Hera", "Terpsichore"), -1),
}


def set_up(state: State, dice: Dice, strength: Mapping[str, int] = STRENGTH) -> Action:
    """A good answer in the setup: a strong god, a place near the middle; the rest is a matter of taste."""
    choices = list(state.choices)
    dice.shuffle(choices)
    return max(choices, key=lambda choice: _taste(state, choice, strength))


def _taste(state: State, choice: Action, strength: Mapping[str, int]) -> int:
    match choice:
        case TakeGod(god=god):
            return strength.get(god, 0)
        case Place(cell=cell):
            space = NUMBERS[cell]
            crowd = sum(near in state.workers for near in NEIGHBOURS[space])
            return CENTRE[space] - crowd
    return 0


# How strong the gods are in the engine's hands, in its own matches (`training.santorini gods`): 100 more make
# a chance of 73 % out of an even one. It is good at stopping others, and less so at turns that are long.
# fmt: off
ENGINES_STRENGTH = {
    "Eros": 116, "Apollo": 95, "Hypnus": 79, "Terpsichore": 75, "Pan": 52, "Minotaur": 51, "Athena": 50,
    "Hestia": 33, "Limus": 28, "Poseidon": 27, "Hera": 19, "Prometheus": 17, "Hephaestus": 13, "Artemis": 6,
    "Demeter": -3, "Urania": -3, "Hades": -6, "Aphrodite": -9, "Zeus": -29, "Persephone": -43, "Atlas": -85,
    "Chronus": -87, "Morpheus": -93, "Triton": -94, "Hermes": -101, "Selene": -103,
}
# fmt: on
# In the few matches against her that were looked at it lost too often (docs/bots.md).
NOT_OFFERED = "Athena"


def set_up_engine(state: State, seat: Seat, dice: Dice) -> Action:
    """The setup as it suits the engine: as the Challenger it offers gods that it plays well and of which none
    is much better than another, whoever takes which, and begins."""
    match state.phase:
        case "gods":
            strengths: dict[Action, int] = {
                choice: ENGINES_STRENGTH[choice.god]
                for choice in state.choices
                if isinstance(choice, OfferGod) and choice.god != NOT_OFFERED
            }
            if not state.offered:
                ranked = sorted(strengths, key=strengths.__getitem__)
                return dice.choice(ranked[len(ranked) // 2 :])
            like = ENGINES_STRENGTH[state.offered[0]]
            return min(strengths, key=lambda choice: abs(strengths[choice] - like))
        case "start":
            return ChooseStart(seat)
    return set_up(state, dice, ENGINES_STRENGTH)


# Levels

# How long the strong one thinks: so often the engine looks at the clock (a millisecond or two in all), or so
# many turns in Python.
STRONG_LOOKS = 3
STRONG_TURNS = 3


def play(turns_max: int, slips: int = 0) -> Bot:
    """A bot that looks this many turns ahead.

    One time in `slips` it plays anything, unless it can win at once.
    """

    def bot(_game: Game, state: State, seat: Seat, dice: Dice, more: Callable[[], bool]) -> Action:
        if state.phase != "play":
            return set_up(state, dice)
        if slips and not dice.below(slips) and not can_win_now(state):
            return dice.choice(state.choices)
        return Search(seat, more, turns_max).best(state, dice)

    return bot


def strong(_game: Game, state: State, seat: Seat, dice: Dice, more: Callable[[], bool]) -> Action:
    """The compiled engine for a moment, or without it a few turns in Python: about as good."""
    if state.phase != "play":
        return set_up(state, dice)
    engine = find()
    if engine is None:
        return Search(seat, more, STRONG_TURNS).best(state, dice)
    left = iter(range(STRONG_LOOKS))
    return _found(engine, state, dice, lambda: next(left, None) is not None and more())


def master(_game: Game, state: State, seat: Seat, dice: Dice, more: Callable[[], bool]) -> Action:
    """The compiled engine as long as there is time, or without it as deep as Python comes."""
    engine = find()
    if state.phase != "play":
        return set_up(state, dice) if engine is None else set_up_engine(state, seat, dice)
    if engine is None:
        return Search(seat, more).best(state, dice)
    return _found(engine, state, dice, more)


def _found(engine: Engine, state: State, dice: Dice, more: Callable[[], bool]) -> Action:
    choices = to_look_at(state, dice)
    return choices[0] if len(choices) == 1 else engine.best(state, choices, more)


def patience(level: str) -> int:
    """How many positions a bot tries between two looks at the clock; 0 where it does not search on."""
    if level != "master":
        return 0
    return PATIENCE if find() is None else STEPS_A_LOOK


BOTS: dict[str, Bot] = {
    "playful": play(1, slips=2),
    "easy": play(1, slips=4),
    "medium": play(2, slips=16),
    "strong": strong,
    "master": master,
}
