"""Random games for the contract tests: which tables to try, how to play them, and answers
that may be wrong."""

from collections.abc import Iterator
from types import UnionType
from typing import Any, NamedTuple, Union

import msgspec

from ludoteca.core import Dice, Game, LocalError, Question, Seat, Setup
from ludoteca.core.converting import convert

# A random game that lasts longer than this has no end that a test could wait for.
TURNS_MAX = 10_000


class Turn(NamedTuple):
    """A state and what led to it; before the first action there is no seat."""

    number: int
    state: Any
    seat: Seat | None
    action: Any
    events: list[Any]


def snapshot(record: Any) -> bytes:
    """All that a state or record holds, for comparing."""
    return msgspec.json.encode(record, order="deterministic")


def watchers(setup: Setup) -> list[Seat | None]:
    """Everybody who has a view: all seats and the spectators."""
    return [*(Seat(seat) for seat in range(setup.seats)), None]


def setup_for(game: Game, seats: int, seed: int, options: Any = None) -> Setup:
    """A table whose players all have the default preference.

    Raises LocalError when the options do not fit.
    """
    return game.setup(seats, seed, options)


def default_setups(game: Game) -> list[Setup]:
    """Tables of default options, two for each number of seats."""
    return [setup_for(game, seats, seed + seats) for seed in (1_000, 1_500) for seats in game.seats]


def setups(game: Game) -> list[Setup]:
    """The default tables, then one for each other choice that an option offers, where the rules allow it."""
    found = default_setups(game)
    for number, options in enumerate(_other_options(game)):
        counts = list(game.seats)
        turned = counts[number % len(counts) :] + counts[: number % len(counts)]
        for seats in turned:
            try:
                found.append(setup_for(game, seats, 2_000 + number, options))
            except LocalError:
                continue
            break
    return found


def _other_options(game: Game) -> Iterator[Any]:
    default = game.options()
    for field in msgspec.structs.fields(game.options):
        for choice in _choices(msgspec.inspect.type_info(field.type)):
            if choice != getattr(default, field.name):
                yield msgspec.structs.replace(default, **{field.name: choice})


def _choices(kind: msgspec.inspect.Type) -> tuple[Any, ...]:
    """What a switch or a short list offers; numbers offer nothing here, their defaults are tried."""
    match kind:
        case msgspec.inspect.BoolType():
            return (False, True)
        case msgspec.inspect.LiteralType(values=values):
            return tuple(values)
        case msgspec.inspect.Metadata(type=inner):
            return _choices(inner)
        case msgspec.inspect.UnionType(types=types):
            return tuple(choice for inner in types for choice in _choices(inner))
        case _:
            return ()


def pick(state: Any, dice: Dice) -> tuple[Seat, Any]:
    """Somebody who is asked, and one of the choices."""
    seat = dice.choice(sorted(state.questions))
    return seat, dice.choice(state.questions[seat].choices)


def play(game: Game, setup: Setup, turns_max: int = TURNS_MAX) -> Iterator[Turn]:
    """A random game, from the start to its end or to a limit; every turn is yielded after it was made."""
    dice = Dice(setup.seed ^ 0xC0FFEE)
    state, events = game.start(setup)
    yield Turn(0, state, None, None, events)
    for number in range(1, turns_max + 1):
        if not state.questions:
            return
        seat, action = pick(state, dice)
        yield Turn(number, state, seat, action, game.apply(state, seat, action))


def moments(game: Game, setup: Setup, count: int) -> list[Any]:
    """Copies of about `count` states from all parts of a random game, before its end."""
    states = [turn.state.clone() for turn in play(game, setup, 600) if turn.state.questions]
    step = max(1, len(states) // count)
    return states[::step]


def some(question: Question, dice: Dice, count: int) -> list[Any]:
    """The first and last choice and a few others."""
    choices = question.choices
    if len(choices) <= count:
        return list(choices)
    return [choices[0], choices[-1], *(dice.choice(choices) for _ in range(count - 2))]


def suspects(game: Game, question: Question, pool: list[Any], dice: Dice, count: int) -> list[Any]:
    """Well-formed actions that are no choice now: borrowed from elsewhere in the
    game, or slightly changed."""
    found = []
    for _ in range(count):
        action = dice.choice(pool)
        if dice.below(3):
            action = _bent(game, dice.choice(question.choices) if dice.below(2) else action, dice)
        if action is not None and action not in question.choices:
            found.append(action)
    return found


def _bent(game: Game, action: Any, dice: Dice) -> Any:
    """The action with one value changed, or None when that is no action."""
    holder = {"action": msgspec.to_builtins(action)}
    places = [place for place in _places(holder) if place[1] not in ("action", "type")]
    if not places:
        return None
    inside, key = dice.choice(places)
    value = inside[key]
    match value:
        case bool():
            inside[key] = not value
        case int():
            inside[key] = value + dice.choice((-100, -2, -1, 1, 2, 100))
        case str():
            inside[key] = dice.choice(("", value + "x", value.swapcase()))
        case list() if value:
            inside[key] = dice.choice((value[1:], [*value, value[0]], value[::-1]))
        case _:
            return None
    try:
        return convert(holder["action"], game.actions)
    except msgspec.ValidationError:
        return None


def _places(holder: Any) -> Iterator[tuple[Any, Any]]:
    keys = list(holder) if isinstance(holder, dict) else range(len(holder))
    for key in keys:
        yield holder, key
        if isinstance(holder[key], dict | list):
            yield from _places(holder[key])


def union_members(union: Any) -> tuple[type[msgspec.Struct], ...]:
    """The record types of a tagged union, which may have a single member."""
    if isinstance(union, UnionType) or getattr(union, "__origin__", None) is Union:
        return tuple(union.__args__)
    return (union,)


def dice_in(record: Any) -> list[int]:
    """The states of all dice that lie directly in a state."""
    fields = msgspec.structs.fields(record)
    values = [getattr(record, field.name) for field in fields]
    return [value.state for value in values if isinstance(value, Dice)]
