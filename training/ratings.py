"""Round robins of all levels of all games, as a table.

    python -m training.ratings --matches 20 --seconds 0.02 --seed 30001 --results ratings.jsonl

plays every pair of levels of each game, every deal from both sides, and writes each match to a file as it
ends: who stops it goes on there later, and with more `--matches`; after `--minutes` it stops by itself. Then
it prints the strengths in Elo with their error bars; `--write` puts them into docs/bots.md. No deal from
30001 on was learned from.
"""

import multiprocessing
import re
import time
from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations
from pathlib import Path

import msgspec

from ludoteca import games
from ludoteca.arena.matches import Pairing, play
from ludoteca.arena.rating import Result, ratings
from ludoteca.core import LEVELS

PAGE = Path(__file__).parents[1] / "docs" / "bots.md"
HEADING = "## How strong they are"


class Line(msgspec.Struct, frozen=True):
    """A match that was played."""

    game: str
    levels: tuple[str, str]
    deal: int
    seconds: float
    score: float
    decisions: tuple[int, int]
    used: tuple[float, float]
    slowest: tuple[float, float]


def planned(names: Iterable[str], matches: int, seconds: float, seed: int) -> list[Pairing]:
    """Deal by deal, so that all pairs of all games have played about as often whenever it ends."""
    return [
        Pairing(game, levels, seed + deal, seconds)
        for deal in range((matches + 1) // 2)
        for game in names
        for one, other in combinations(LEVELS, 2)
        for levels in ((one, other), (other, one))[: matches - 2 * deal]
    ]


def played(pairing: Pairing) -> Line:
    """One match."""
    went = play(pairing)
    first, second = pairing.levels
    score = went.shares[0] if any(went.shares) else 0.5
    used, slowest = (went.seconds[0], went.seconds[1]), (went.slowest_s[0], went.slowest_s[1])
    decisions = (went.decisions[0], went.decisions[1])
    return Line(pairing.game, (first, second), pairing.seed, pairing.seconds, score, decisions, used, slowest)


def kept(path: Path) -> list[Line]:
    """The matches of a file, which may not be there yet."""
    return (
        [msgspec.json.decode(line, type=Line) for line in path.read_bytes().splitlines()]
        if path.exists()
        else []
    )


def row(title: str, lines: Sequence[Line]) -> str:
    """A game's line of the table."""
    places = {level: place for place, level in enumerate(LEVELS)}
    results = [Result(places[line.levels[0]], places[line.levels[1]], line.score) for line in lines]
    cells = [
        "0" if not place else f"{rating.elo:.0f} ± {rating.error:.0f}"
        for place, rating in enumerate(ratings(results, len(LEVELS)))
    ]
    return f"| {title} | {len(lines)} | {' | '.join(cells)} | {_neighbours(lines)} | {_slowest(lines)} |"


def _neighbours(lines: Sequence[Line]) -> str:
    """What each level won against the next weaker one, in percent."""
    found = []
    for weaker, stronger in zip(LEVELS, [*LEVELS][1:], strict=False):
        scores = [line.score for line in lines if line.levels == (stronger, weaker)]
        scores += [1 - line.score for line in lines if line.levels == (weaker, stronger)]
        found.append(f"{100 * sum(scores) / len(scores):.0f}" if scores else "-")
    return ", ".join(found)


def _slowest(lines: Sequence[Line]) -> str:
    """The slowest level's milliseconds for a decision, on average and at most."""
    used, decisions, most = (
        defaultdict[str, float](float),
        defaultdict[str, int](int),
        defaultdict[str, float](float),
    )
    for line in lines:
        for seat, level in enumerate(line.levels):
            used[level] += line.used[seat]
            decisions[level] += line.decisions[seat]
            most[level] = max(most[level], line.slowest[seat])
    slow = max(used, key=lambda level: used[level] / max(1, decisions[level]))
    return f"{1000 * used[slow] / max(1, decisions[slow]):.1f}, {1000 * max(most.values()):.0f}"


def table(lines: Sequence[Line]) -> str:
    """All games."""
    head = f"| | matches | {' | '.join(LEVELS)} | won against the level below, % | ms for a decision |"
    rule = "|---" * (len(LEVELS) + 4) + "|"
    by_game = defaultdict[str, list[Line]](list)
    for line in lines:
        by_game[line.game].append(line)
    rows = [row(games.load(name).title, by_game[name]) for name in sorted(by_game)]
    return "\n".join([head, rule, *rows])


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", help="all, when none are named")
    parser.add_argument("--matches", type=int, default=20, help="of each pair of levels")
    parser.add_argument("--seconds", type=float, default=0.02, help="of the processor, for a decision")
    parser.add_argument("--seed", type=int, default=30001, help="the first deal")
    parser.add_argument("--processes", type=int, default=multiprocessing.cpu_count())
    parser.add_argument("--results", type=Path, default=Path("ratings.jsonl"))
    parser.add_argument("--minutes", type=float, default=1440.0, help="after which no match is waited for")
    parser.add_argument("--write", action="store_true", help="put the table into docs/bots.md")
    given = parser.parse_args()
    names = given.games or games.names()
    pairings = planned(names, given.matches, given.seconds, given.seed)
    done = {(line.game, line.levels, line.deal, line.seconds) for line in kept(given.results)}
    to_play = [one for one in pairings if (one.game, one.levels, one.seed, one.seconds) not in done]
    until = time.monotonic() + 60 * given.minutes
    with (
        multiprocessing.get_context("spawn").Pool(given.processes) as pool,
        given.results.open("ab") as file,
    ):
        coming = pool.imap_unordered(played, to_play)
        for _ in to_play:
            try:
                line = coming.next(max(0.0, until - time.monotonic()))
            except multiprocessing.TimeoutError:
                break
            file.write(msgspec.json.encode(line) + b"\n")
            file.flush()
    wanted = {(one.game, one.levels, one.seed, one.seconds) for one in pairings}
    lines = [
        line for line in kept(given.results) if (line.game, line.levels, line.deal, line.seconds) in wanted
    ]
    made = table(lines)
    print(made)
    if given.write:
        page = PAGE.read_text()
        start = page.index(HEADING)
        replaced = re.sub(r"(?m)(^\|.*\n)+", lambda _: made + "\n", page[start:], count=1)
        PAGE.write_text(page[:start] + replaced)


if __name__ == "__main__":
    main()
