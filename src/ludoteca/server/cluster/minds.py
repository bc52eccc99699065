"""What nodes and machines that only think say to each other, and the program that thoughts are thought in.

Nobody takes orders from anybody: a question is made of records and plain values alone, and an answer is the
place of an action among those that the asker knows to be legal.
"""

from collections.abc import Callable
from functools import cache, partial
from hashlib import blake2b
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

import ludoteca
from ludoteca import bots, games
from ludoteca.core import Seat
from ludoteca.hall import snapshot
from ludoteca.server import child
from ludoteca.server.snapshots import form_of
from ludoteca.server.worker import Thought, think

DIGEST_BYTES = 8
# A state has some kilobytes, an answer a few dozen bytes.
QUESTION_BYTES_MAX = 500_000
ANSWER_BYTES_MAX = 8192
ERROR_LETTERS_MAX = 4000
MINDS_MAX = 1000
WORKERS_MAX = 256
# What a thinker says that is asked more than it has workers.
BUSY = "all workers are busy"

Name = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,96}$")]


class Here(msgspec.Struct, frozen=True):
    """A thinker says that it is here, so many thoughts at once, and what it can think about. One that leaves
    has no workers."""

    name: Name
    version: Annotated[str, Meta(max_length=64)]
    workers: Annotated[int, Meta(ge=0, le=WORKERS_MAX)]
    busy: Annotated[int, Meta(ge=0, le=WORKERS_MAX)] = 0
    minds: Annotated[tuple[str, ...], Meta(max_length=MINDS_MAX)] = ()


class Question(msgspec.Struct, frozen=True, array_like=True):
    """A thought for somebody else: `state` is what the seat imagines, pickled, and `mind` whose it is."""

    mind: str
    game: str
    level: str
    state: bytes
    seat: Annotated[int, Meta(ge=0, le=255)]
    seed: Annotated[int, Meta(ge=0)]
    cpu_s: Annotated[float, Meta(gt=0, le=60)]
    wall_s: Annotated[float, Meta(gt=0, le=600)]


class Reply(msgspec.Struct, frozen=True, array_like=True):
    """What came of it: the `place` of an action among `among` choices, or why there is none. The seed is that
    of the question."""

    seed: int
    place: int = -1
    among: int = 0
    cpu_s: float = 0.0
    cut: bool = False
    error: Annotated[str, Meta(max_length=ERROR_LETTERS_MAX)] = ""


def subject(house: str, *parts: str) -> str:
    """Where thinkers of this house are talked to: beside the stream's subjects, which are kept for ever."""
    return ".".join(("ludoteca-think", house, *parts))


@cache
def mind_of(game: str, level: str) -> str:
    """A digest of all that one bot's thoughts depend on: whoever has another one thinks otherwise. Nothing
    where its code is not found."""
    loaded = games.load(game)
    form = form_of(loaded)
    if not form:
        return ""
    digest = blake2b(form, digest_size=DIGEST_BYTES)
    digest.update(f"{bots.named(loaded, level)} {bots.origin(loaded, level)}".encode())
    digest.update(_files_in(Path(ludoteca.__file__).parent / "bots"))
    digest.update(_files_in(Path(__file__).parents[2] / "games" / game))
    return digest.hexdigest()


@cache
def _files_in(folder: Path) -> bytes:
    """What is in a folder, whatever it is: some bots have weights, or a searcher that is no Python."""
    digest = blake2b()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix != ".pyc":
            digest.update(path.relative_to(folder).as_posix().encode() + path.read_bytes())
    return digest.digest()


def known() -> tuple[str, ...]:
    """Every mind of this machine."""
    found = []
    for name in games.names():
        for level in bots.levels(games.load(name)):
            found.append(mind_of(name, level))
    return tuple(mind for mind in found if mind)


def _prepare(data: bytes) -> Callable[[], bytes]:
    question = msgspec.msgpack.decode(data, type=Question)
    try:
        assert mind_of(question.game, question.level) == question.mind, "this machine has another mind"
        state = snapshot.unpickled(question.state)
        choices = state.questions[Seat(question.seat)].choices
    except Exception as error:
        # Whatever somebody asks: there is no answer to it, and the next question is another.
        return partial(msgspec.msgpack.encode, Reply(question.seed, error=repr(error)[:ERROR_LETTERS_MAX]))
    thought = Thought(
        question.game, question.level, state, question.seat, question.seed, question.cpu_s, question.wall_s
    )

    def answer() -> bytes:
        found = think(thought)
        error = found.error[-ERROR_LETTERS_MAX:]
        place = -1 if error else list(choices).index(found.action)
        return msgspec.msgpack.encode(
            Reply(question.seed, place, len(choices), found.cpu_s, found.cut, error)
        )

    return answer


def main() -> None:
    """Answer questions until the machine's thinker ends."""
    child.serve(_prepare)
