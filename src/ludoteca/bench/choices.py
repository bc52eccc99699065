"""What it costs to tell a client its choices: spelled out, as the protocol does, and in shorter forms."""

import socket
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

import msgspec

from ludoteca import games
from ludoteca.bench.figures import Figure
from ludoteca.core import Dice, Game, Question
from ludoteca.journal import Match
from ludoteca.journal.records import Started
from ludoteca.wire import messages as m

SECTION = "Choices: CPU to write a question, two players, random moves"
QUESTIONS = 600
MOVES_MAX = 300

_encode = msgspec.json.Encoder().encode


class Form(NamedTuple):
    """One way to write the choices of a question."""

    name: str
    write: Callable[[Sequence[Any]], Any]


@cache
def _getters(kind: type[msgspec.Struct]) -> tuple[str, tuple[tuple[str, Callable[[Any], Any]], ...]]:
    fields = msgspec.structs.fields(kind)
    return str(kind.__struct_config__.tag), tuple((one.encode_name, attrgetter(one.name)) for one in fields)


def columns(choices: Sequence[Any]) -> list[dict[str, Any]]:
    """Each run of one type once, and of each field all values: `[{"type": "Click", "column": [0, 1]}]`."""
    found = []
    for kind, run in groupby(choices, type):
        same = list(run)
        tag, getters = _getters(kind)
        found.append({"type": tag, **{name: list(map(get, same)) for name, get in getters}})
    return found


def rows(choices: Sequence[Any]) -> list[tuple[str, list[tuple[Any, ...]]]]:
    """Each run of one type once, and of each choice its values in the order of the schema."""
    return [
        (_getters(kind)[0], list(map(msgspec.structs.astuple, run))) for kind, run in groupby(choices, type)
    ]


SPELLED = Form("spelled out", tuple)
FORMS = (Form("in columns", columns), Form("in rows", rows), Form("none at all", lambda _choices: ()))


def questions(game: Game, count: int) -> list[Question]:
    """So many questions of random matches."""
    dice, seats = Dice(5), max(2, game.seats[0])
    found: list[Question] = []
    while len(found) < count:
        match = Match(game)
        options = game.settle(game.options(), seats)
        wishes = tuple(game.preferences() for _ in range(seats))
        match.perform(Started(seats, dice.below(1 << 30), options, wishes, tuple(range(seats))))
        for _ in range(MOVES_MAX):
            if match.state.outcome is not None or len(found) == count:
                break
            seat, question = next(iter(match.state.questions.items()))
            # Frozen as it is now: some games list their choices only when they are asked for them.
            found.append(Question(question.kind, tuple(question.choices)))
            game.apply(match.state, seat, dice.choice(question.choices))
    return found


def _measured(asked: list[Question], form: Form) -> tuple[float, float]:
    """Microseconds and bytes for a question."""
    best_s, size = float("inf"), 0
    for _ in range(5):
        began_s = time.process_time()
        size = 0
        for one in asked:
            size += len(_encode(m.Question(7, one.kind, len(one.choices), form.write(one.choices))))
        best_s = min(best_s, time.process_time() - began_s)
    return best_s / len(asked) * 1e6, size / len(asked)


def _carried(sizes: tuple[float, ...], times: int) -> list[float]:
    """Microseconds to send and receive so many bytes at once over TCP on this machine, in turns."""
    took = [0.0] * len(sizes)
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.create_connection(server.getsockname()) as near,
    ):
        far, _ = server.accept()
        with far:
            near.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for _ in range(times):
                for place, size in enumerate(sizes):
                    data = bytes(int(size))
                    began_s = time.process_time()
                    near.sendall(data)
                    left = len(data)
                    while left:
                        left -= len(far.recv(left))
                    took[place] += time.process_time() - began_s
    return [one / times * 1e6 for one in took]


def figures(count: int = QUESTIONS) -> Iterator[Figure]:
    """Each game, spelled out and otherwise; then what fewer bytes save on their way."""
    most, least = 0.0, 0.0
    for game in games.load_all():
        asked = questions(game, count)
        each = sum(len(one.choices) for one in asked) / len(asked)
        spelled_us, spelled = _measured(asked, SPELLED)
        note = [f"{spelled:,.0f} bytes, {each:.0f} choices"]
        for form in FORMS:
            us, size = _measured(asked, form)
            if form.write is columns and spelled - size > most - least:
                most, least = spelled, size
            note.append(f"{form.name} {us:.1f} us, {size:,.0f} bytes")
        yield Figure(SECTION, f"{game.name}, {SPELLED.name}", spelled_us, "us CPU", note="; ".join(note))
    long_us, short_us = _carried((most, least), 5 * count)
    told = f"{most:,.0f} bytes instead of {least:,.0f}: {long_us:.1f} and {short_us:.1f} us"
    saved_us = long_us - short_us
    yield Figure(SECTION, "saved on the way of the longest", saved_us, "us CPU", note=told, noise=None)
