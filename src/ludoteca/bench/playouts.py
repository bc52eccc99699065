"""Random games on the bare rules: how fast they are, and how long lists of options get."""

import importlib
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import msgspec

from ludoteca import games
from ludoteca.bench.figures import Figure
from ludoteca.core import Dice, Game
from ludoteca.core.game import Bot

SECTION = "Random games on the bare rules, one core"
TURNS_MAX = 20_000
# So many random moves in, a game has something to think about.
MIDDLE = 20


class Played(NamedTuple):
    """What a number of random games came to."""

    games: int
    moves: int
    cpu_s: float
    options_max: int


def ways(game: Game) -> Iterator[tuple[str, Any]]:
    """The game as it is, or each way to play it where the first thing to agree on is a short list of ways."""
    fields = msgspec.structs.fields(game.options)
    kind = msgspec.inspect.type_info(fields[0].type) if fields else None
    if isinstance(kind, msgspec.inspect.Metadata):
        kind = kind.type
    if isinstance(kind, msgspec.inspect.LiteralType):
        for choice in kind.values:
            yield f"{game.name}, {fields[0].name} {choice}", game.options(**{fields[0].name: choice})
    else:
        yield game.name, game.options()


def play(game: Game, options: Any, seats: int, seconds: float, games_min: int = 1) -> Played:
    """Random games for at least so long (of processor time) and so many."""
    setup = game.setup(seats, options=options)
    dice = Dice(1)
    count = moves = longest = 0
    began = time.process_time()
    while count < games_min or time.process_time() - began < seconds:
        state, _ = game.start(msgspec.structs.replace(setup, seed=dice.below(1 << 62)))
        for _ in range(TURNS_MAX):
            questions = state.questions
            if not questions:
                break
            seat = next(iter(questions))
            offered = questions[seat].choices
            longest = max(longest, len(offered))
            game.apply(state, seat, dice.choice(offered))
            moves += 1
        count += 1
    return Played(count, moves, time.process_time() - began, longest)


def figures(seconds: float, games_min: int) -> Iterator[Figure]:
    """Every game, for two players where that may be, in every way."""
    for game in games.load_all():
        for name, options in ways(game):
            played = play(game, options, 0, seconds, games_min)
            note = (
                f"{played.moves / played.cpu_s:,.0f} moves/s; longest list of options {played.options_max:,} "
                f"in {played.games} games"
            )
            yield Figure(SECTION, name, played.games / played.cpu_s, "games/s", note=note)


def bot_figures(seconds: float) -> Iterator[Figure]:
    """Nodes per second of the bots that search: those whose module says how many pass between
    looks at the clock."""
    for game in games.load_all():
        if not game.bots:
            continue
        patience: Callable[[str], int] | None = getattr(
            importlib.import_module(f"{games.home(game.name)}.bot"), "patience", None
        )
        for level, bot in game.bots.items():
            nodes = patience(level) if patience is not None else 0
            if nodes:
                looks, used = _search(game, bot, seconds)
                note = f'the bot "{level}", in the middle of a game'
                yield Figure(SECTION, f"{game.name}, {level}", looks * nodes / used, "nodes/s", note=note)


def _search(game: Game, bot: Bot, seconds: float) -> tuple[int, float]:
    """How often a bot looked at the clock, and the processor time it took."""
    dice = Dice(1)
    setup = game.setup(seed=1)
    looks, used = 0, 0.0

    def more() -> bool:
        nonlocal looks
        looks += 1
        return time.process_time() < end

    while used < seconds:
        state, _ = game.start(setup)
        for _ in range(MIDDLE):
            seat = next(iter(state.questions), None)
            if seat is None:
                break
            game.apply(state, seat, dice.choice(state.questions[seat].choices))
        if state.questions:
            began = time.process_time()
            end = began + seconds
            bot(game, state, next(iter(state.questions)), dice, more)
            used += time.process_time() - began
    return looks, used
