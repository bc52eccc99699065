"""The compiled searcher: `engine.wasm`, made from the C beside it by `make engine`.

It knows the rules of a turn and looks for its best step; a host tells it the position and how long to look.
Where no WebAssembly runs (`wasmtime` is an extra), `find` gives None and the search in bot.py takes over.
"""

from collections.abc import Callable, Sequence
from functools import cache
from importlib import resources
from typing import Any

from ludoteca.games.santorini.actions import BLOCKS, DOMES, FINISH, MOVES, Action, Build, Finish, Move
from ludoteca.games.santorini.data import NUMBERS
from ludoteca.games.santorini.gods import GODS
from ludoteca.games.santorini.state import State

_GOD_NUMBERS = {name: number for number, name in enumerate(GODS)}
_MOVE, _BLOCK, _DOME, _FINISH = range(4)
_SEATS_MAX = 3
TURNS_MAX = 40
# How many steps it tries between two looks at the clock.
STEPS_A_LOOK = 2048
# A win that was seen to its end is worth this less the number of turns to it, of both sides.
WON = 1_000_000
FOUND = WON // 2
# More than anybody saves; the engine counts in a byte.
_TOKENS_MAX = 200


class Engine:
    """One searcher with its memory. Not to be shared between threads."""

    def __init__(self, wasmtime: Any, module: Any, store: Any) -> None:
        self._store = store
        self._more: Callable[[], bool] = lambda: True
        more = wasmtime.Func(
            store, wasmtime.FuncType([], [wasmtime.ValType.i32()]), lambda: int(self._more())
        )
        exports = wasmtime.Instance(store, module, [more]).exports(store)
        self._exports = exports
        self._memory = exports["memory"]
        self._board = exports["board"](store)
        self._list = exports["list"](store)
        # The position that the last answer leads to.
        self._expected = b""

    def load(self, state: State) -> None:
        """Tell the engine a position of the play."""
        self._memory.write(self._store, written(state), self._board)
        self._call("load")

    def saved(self) -> bytes:
        """The position as the engine has it, in the form of `written`."""
        self._call("save")
        return bytes(self._memory.read(self._store, self._board, self._board + 57))

    def choices(self) -> list[Action]:
        """What may be answered in the position that was loaded."""
        return self._listed(self._call("choices"))

    def play(self, choice: Action) -> list[Action]:
        """Carry out a choice: what may be answered then."""
        return self._listed(self._call("play", _coded(choice)))

    def perft(self, steps: int) -> int:
        """In how many ways so many steps can be played."""
        return self._call("perft", steps)

    def best(self, state: State, choices: Sequence[Action], more: Callable[[], bool]) -> Action:
        """The best of these choices. One search serves the whole turn: the steps after the first are looked
        for only as deep as the first was, which the engine still knows."""
        self.load(state)
        turns_max = TURNS_MAX
        # A turn that begins there is the rival's, who may share this engine and thinks for itself.
        if (state.turn.moves or state.turn.builds) and written(state) == self._expected:
            turns_max = max(1, self.depth)
        else:
            self._call("forget")
        choice = self.search(choices, turns_max, more)
        self.play(choice)
        self._expected = self.saved()
        return choice

    def search(self, choices: Sequence[Action], turns_max: int, more: Callable[[], bool]) -> Action:
        """The best of these choices in the position that was loaded; earlier ones among equals."""
        self._more = more
        coded = b"".join(_coded(choice).to_bytes(2, "little") for choice in choices)
        self._memory.write(self._store, coded, self._list)
        return _decoded(self._call("search", len(choices), turns_max))

    def weigh(self, state: State, looks: int) -> int:
        """What a position is worth, in so many looks; what was known of another is forgotten."""
        left = iter(range(looks))
        self.load(state)
        self._call("forget")
        self._expected = b""
        self.search(state.choices, TURNS_MAX, lambda: next(left, None) is not None)
        return self.value

    def glance(self) -> int:
        """What the loaded position is worth without looking ahead, to who begins the turn there."""
        return self._call("glance")

    @property
    def value(self) -> int:
        """What the last search found the position worth."""
        return self._call("value")

    @property
    def depth(self) -> int:
        """How many turns deep the last search came."""
        return self._call("depth")

    @property
    def nodes(self) -> int:
        """How many steps the last search tried."""
        return self._call("nodes")

    def _call(self, name: str, *arguments: int) -> int:
        result: int = self._exports[name](self._store, *arguments)
        return result

    def _listed(self, count: int) -> list[Action]:
        raw = self._memory.read(self._store, self._list, self._list + 2 * count)
        return [_decoded(int.from_bytes(raw[n : n + 2], "little")) for n in range(0, 2 * count, 2)]


@cache
def find() -> Engine | None:
    """The engine of this process, or None where no WebAssembly runs."""
    try:
        import wasmtime
    except ImportError:
        return None
    code = resources.files(__package__).joinpath("engine.wasm").read_bytes()
    config = wasmtime.Config()
    try:
        return _started(wasmtime, config, code)
    except wasmtime.WasmtimeError:
        # Four gigabytes of addresses save it from looking at bounds. A process that may not have so many,
        # like the one that tells stories, does without.
        config = wasmtime.Config()
        config.memory_reservation = config.memory_reservation_for_growth = config.memory_guard_size = 0
        return _started(wasmtime, config, code)


def _started(wasmtime: Any, config: Any, code: bytes) -> Engine:
    store = wasmtime.Store(wasmtime.Engine(config))
    return Engine(wasmtime, wasmtime.Module(store.engine, code), store)


def _coded(choice: Action) -> int:
    match choice:
        case Move(source=source, target=target):
            return _MOVE | NUMBERS[source] << 2 | NUMBERS[target] << 7
        case Build(source=source, target=target, dome=dome):
            return (_DOME if dome else _BLOCK) | NUMBERS[source] << 2 | NUMBERS[target] << 7
        case Finish():
            return _FINISH
    raise ValueError(f"no choice of a turn: {choice}")


def _decoded(code: int) -> Action:
    kind, source, target = code & 3, code >> 2 & 31, code >> 7
    if kind == _FINISH:
        return FINISH
    return (MOVES, BLOCKS, DOMES)[kind][source][target]


def written(state: State) -> bytes:
    """A position as the engine reads it. Spaces and workers are one higher, so that 0 is nowhere."""
    turn, seats = state.turn, len(state.order)
    spare = (0,) * (_SEATS_MAX - seats)
    return bytes(
        (
            seats,
            *state.order,
            *spare,
            *(_GOD_NUMBERS[god] for god in state.gods),
            *spare,
            state.seat,
            _bits(state.out),
            _bits(state.risen),
            *(min(tokens, _TOKENS_MAX) for tokens in state.tokens),
            *spare,
            *state.towers,
            *(space + 1 for space in state.workers),
            *spare,
            *spare,
            turn.mover + 1,
            turn.origin + 1,
            turn.moves,
            turn.moved,
            turn.rose,
            turn.level,
            turn.builds,
            turn.built + 1,
            turn.builder + 1,
            turn.builders,
            turn.asleep,
            turn.held,
            0 if state.winner is None else state.winner + 1,
        )
    )


def _bits(flags: tuple[bool, ...]) -> int:
    return sum(flag << n for n, flag in enumerate(flags))
