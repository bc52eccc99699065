"""`ludoteca arena`: bots against each other, as often as it takes to know who is stronger."""

import csv
import multiprocessing
import re
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from itertools import combinations, count
from pathlib import Path
from typing import Any, NamedTuple

import click
import msgspec

from ludoteca import bots
from ludoteca.arena.drawing import drawn
from ludoteca.arena.matches import PATIENCE_S, Pairing, Played, play
from ludoteca.arena.rating import Rating, Result, Sprt, ratings
from ludoteca.cli.data import SUFFIX
from ludoteca.clients.visit import check_options
from ludoteca.core import LocalError
from ludoteca.play import ACTIONS_MAX, LOOKS, load

# How many matches wait for a free process, so that a verdict does not have to wait for many.
AHEAD = 2
# What a program may be called at a table.
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,15}")


class Row(NamedTuple):
    """A match that was played, as the files keep it."""

    number: int
    first: str
    second: str
    seed: int
    score: float
    reason: str
    decisions: tuple[int, ...]
    seconds: tuple[float, ...]
    slowest_s: tuple[float, ...]


class Arena(NamedTuple):
    """What is to be played: every pair so many times, each deal from both sides."""

    game: str
    levels: tuple[str, ...]
    matches: int
    seed: int
    seconds: float
    looks: int
    options: dict[str, Any]
    programs: dict[str, str]
    patience_s: float
    decisions_max: int
    adjudicated: bool

    def pairings(self) -> Iterator[Pairing]:
        """Deal by deal, so that all pairs have played about as often whenever it ends."""
        for deal in range((self.matches + 1) // 2):
            for one, other in combinations(self.levels, 2):
                for levels in ((one, other), (other, one))[: self.matches - 2 * deal]:
                    yield Pairing(
                        self.game,
                        levels,
                        self.seed + deal,
                        self.seconds,
                        self.looks,
                        self.options,
                        self.programs,
                        self.patience_s,
                        self.decisions_max,
                        self.adjudicated,
                    )


@click.command(short_help="Let bots play each other, and rate them.")
@click.argument("game")
@click.argument("levels", nargs=-1)
@click.option("--matches", default=20, show_default=True, help="Matches of each pair; half from each side.")
@click.option("--seconds", default=0.0, help="Processor seconds for a decision; 0: count looks instead.")
@click.option("--looks", default=LOOKS, show_default=True, help="How often a bot may look at its clock.")
@click.option("--seed", default=1, show_default=True, help="The first deal; the same seed plays the same.")
@click.option("--option", "options", multiple=True, metavar="KEY=VALUE", help="An option of the game.")
@click.option("--processes", default=0, help="So many matches at once; 0: one for each core.")
@click.option(
    "--sprt",
    nargs=2,
    type=float,
    default=None,
    metavar="LOW HIGH",
    help="With two bots: stop when sure whether the first is HIGH rather than LOW Elo stronger.",
)
@click.option(
    "--program",
    "programs",
    multiple=True,
    metavar="NAME=COMMAND",
    help="Another player: a program that speaks Ludoteca's own protocol.",
)
@click.option("--patience", default=PATIENCE_S, show_default=True, help="Seconds for a program to answer.")
@click.option(
    "--moves", default=ACTIONS_MAX, show_default=True, help="After so many decisions a match is a draw."
)
@click.option("--adjudicate", is_flag=True, help="A bot without hope for three of its turns has lost.")
@click.option(
    "--records",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write every match here, to be replayed.",
)
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Write ratings and matches here.")
@click.option("--csv", "csv_file", type=click.Path(path_type=Path), help="Write a line for each match here.")
@click.option("--plot", type=click.Path(path_type=Path), help="Draw the ratings here, as SVG.")
def arena(
    game: str,
    levels: tuple[str, ...],
    matches: int,
    seconds: float,
    looks: int,
    seed: int,
    options: tuple[str, ...],
    processes: int,
    sprt: tuple[float, float] | None,
    programs: tuple[str, ...],
    patience: float,
    moves: int,
    adjudicate: bool,
    records: Path | None,
    json_file: Path | None,
    csv_file: Path | None,
    plot: Path | None,
) -> None:
    """Let the LEVELS of a GAME play each other, all of its own when none are named, and rate them in Elo.

    Programs of your own play, too: each is started for every match, with a house on this machine, and is
    given its address, the program's name and the game. Who hangs, ends too early or gives up has lost.
    """
    found = load(game)
    others = dict(_pair(text, "NAME=COMMAND") for text in programs)
    chosen = (*(levels or (() if len(others) > 1 else tuple(found.bots))), *others)
    if len(chosen) < 2:
        raise LocalError("it takes two bots to compare")
    if len(set(chosen)) < len(chosen):
        raise LocalError("name each bot once")
    if matches < 1 or looks < 1 or moves < 1 or seconds < 0 or processes < 0 or patience <= 0:
        raise LocalError("matches, looks and moves are at least 1, seconds and processes at least 0")
    for name, command in others.items():
        if not NAME.fullmatch(name) or not command.strip():
            raise LocalError(f"{name!r} is no name for a program, which needs a command, too")
    if sprt is not None and (len(chosen) != 2 or sprt[0] >= sprt[1]):
        raise LocalError("--sprt takes two bots, and LOW must be less than HIGH")
    for level in chosen:
        if level not in others:
            bots.find(found, level)
    given = check_options(found.options, dict(_pair(text) for text in options))
    built = msgspec.to_builtins(given)
    plan = Arena(game, chosen, matches, seed, seconds, looks, built, others, patience, moves, adjudicate)
    test = Sprt(*sprt) if sprt is not None else None
    if records is not None:
        records.mkdir(parents=True, exist_ok=True)
    for path in (json_file, csv_file, plot):
        # Nobody wants to hear after an hour that there is no such folder.
        if path is not None and (path.is_dir() or not path.absolute().parent.is_dir()):
            raise LocalError(f"{path} cannot be written")
    rows, verdict = _play(plan, processes or multiprocessing.cpu_count(), test, records)
    planned = matches * len(chosen) * (len(chosen) - 1) // 2
    if not verdict and len(rows) < planned:
        click.echo(f"Broken off after {len(rows)} of {planned} matches.")
    rated = ratings((_result(chosen, row) for row in rows), len(chosen))
    click.echo(table(chosen, rows, rated))
    if test is not None:
        judged = f"{chosen[0]} is {verdict}" if verdict else "not sure yet"
        click.echo(f"{judged} ({test.high:g} rather than {test.low:g} Elo)")
    if json_file is not None:
        json_file.write_bytes(msgspec.json.format(msgspec.json.encode(_report(plan, rows, rated, verdict))))
    if csv_file is not None:
        _write_csv(csv_file, rows)
    if plot is not None:
        plot.write_text(drawn(f"{found.title}: {len(rows)} matches", chosen, rated))


def _pair(text: str, form: str = "KEY=VALUE") -> tuple[str, str]:
    key, sign, value = text.partition("=")
    if not sign:
        raise LocalError(f"{text!r} is not of the form {form}")
    return key, value


def _play(plan: Arena, processes: int, test: Sprt | None, records: Path | None) -> tuple[list[Row], str]:
    """All matches, or as many as the test needs; in the order in which they were planned."""
    planned = list(plan.pairings())
    rows: dict[int, Row] = {}
    waiting: dict[Future[Played], int] = {}
    verdict = ""
    coming = iter(enumerate(planned))
    context = multiprocessing.get_context("spawn")
    with (
        ProcessPoolExecutor(processes, mp_context=context, initializer=_begin_work) as pool,
        click.progressbar(length=len(planned), label="Playing", file=sys.stderr) as bar,
        _broken_off(pool),
    ):
        while True:
            while not verdict and len(waiting) < processes + AHEAD and (one := next(coming, None)):
                number, pairing = one
                waiting[pool.submit(play, pairing)] = number
            if not waiting:
                break
            done, _ = wait(waiting, return_when=FIRST_COMPLETED)
            for future in done:
                number = waiting.pop(future)
                played = future.result()
                rows[number] = _row(number, planned[number], played)
                if records is not None:
                    (records / f"{number + 1:05}{SUFFIX}").write_bytes(played.record)
                bar.update(1)
            if test is not None and not verdict:
                verdict = test.verdict(_scores(plan.levels[0], rows))
    return [rows[number] for number in sorted(rows)], verdict


def _begin_work() -> None:
    """In a process that plays: it is told when the arena is broken off, and closes what it opened."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))


@contextmanager
def _broken_off(pool: ProcessPoolExecutor) -> Iterator[None]:
    """With Ctrl+C what was played until then counts; the matches that are going on do not."""
    try:
        yield
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        for process in list(pool._processes.values()):
            process.terminate()
        pool.shutdown(cancel_futures=True)


def _scores(first: str, rows: dict[int, Row]) -> list[float]:
    """What the first bot got, without gaps: quick matches must not be counted before slow ones."""
    scores: list[float] = []
    for number in count():
        if number not in rows:
            return scores
        row = rows[number]
        scores.append(row.score if row.first == first else 1 - row.score)
    return scores


def _row(number: int, pairing: Pairing, played: Played) -> Row:
    # A match without a winner is worth half to both.
    score = played.shares[0] if any(played.shares) else 0.5
    first, second = pairing.levels
    return Row(
        number + 1,
        first,
        second,
        pairing.seed,
        score,
        played.reason,
        played.decisions,
        played.seconds,
        played.slowest_s,
    )


def _result(levels: tuple[str, ...], row: Row) -> Result:
    return Result(levels.index(row.first), levels.index(row.second), row.score)


def table(levels: tuple[str, ...], rows: list[Row], rated: list[Rating]) -> str:
    """Strength, error, what each got against each, and how long a decision took."""
    width = max(len("level"), *map(len, levels))
    head = f"{'level':{width}}  {'Elo':>6}  {'+/-':>5}  "
    lines = [head + "  ".join(f"{level:>9}" for level in levels) + "   ms median"]
    for one, level in enumerate(levels):
        cells = []
        for other in levels:
            scores = [row.score for row in rows if (row.first, row.second) == (level, other)]
            scores += [1 - row.score for row in rows if (row.first, row.second) == (other, level)]
            cells.append(f"{sum(scores):g}/{len(scores)}" if scores else "-")
        times = sorted(
            1000 * row.seconds[seat] / max(1, row.decisions[seat])
            for row in rows
            for seat, name in enumerate((row.first, row.second))
            if name == level
        )
        median = f"{times[len(times) // 2]:.1f}" if times else "-"
        rating = rated[one]
        lines.append(
            f"{level:{width}}  {rating.elo:6.0f}  {rating.error:5.0f}  "
            + "  ".join(f"{cell:>9}" for cell in cells)
            + f"  {median:>10}"
        )
    return "\n".join(lines)


def _report(plan: Arena, rows: list[Row], rated: list[Rating], verdict: str) -> dict[str, Any]:
    return {
        **plan._asdict(),
        "verdict": verdict,
        "ratings": [
            {"level": level, "elo": rating.elo, "error": rating.error}
            for level, rating in zip(plan.levels, rated, strict=True)
        ],
        "played": [row._asdict() for row in rows],
    }


def _write_csv(path: Path, rows: list[Row]) -> None:
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(
            ("number", "first", "second", "seed", "score", "reason", "seconds_first", "seconds_second")
        )
        for row in rows:
            writer.writerow((*row[:6], *(f"{value:.6f}" for value in row.seconds)))
