"""`ludoteca replay`: a match in words and pictures of text, forwards and backwards."""

import asyncio
import sys
import time
from pathlib import Path

import click
import msgspec

from ludoteca import games
from ludoteca.cli.data import SUFFIX
from ludoteca.clients import replays
from ludoteca.clients.address import parse
from ludoteca.clients.private import folder as private_folder
from ludoteca.core import Refused, Seat
from ludoteca.hall import parcel
from ludoteca.journal import Replay, Step
from ludoteca.journal import replay as execute
from ludoteca.journal.records import Acted, CameBack, Closed, Spoke, Started, WentAway
from ludoteca.server.journal_reader import JournalReader
from ludoteca.server.settings import Settings

_KEYS = "Enter or n: next, p: back, NUMBER: go to, f: first, l: last, q: quit"


@click.command(short_help="Step through a match that was played.")
@click.argument("match", required=False)
@click.option("--data", default="", metavar="DIR", help="Folder of the journal.")
@click.option("--seat", type=int, help="See it as this seat did (from 0); as a spectator when left out.")
@click.option("--step", "only", type=int, help="Print this step and end.")
@click.option("--server", default="", metavar="URL", help="Take the match from this house.")
@click.option(
    "--private", is_flag=True, help="Take it from your private house, where `ludoteca play` keeps them."
)
@click.option("--json", "as_json", is_flag=True, help="The list as JSON.")
@click.option(
    "--ca", default="", metavar="FILE", help="Trust the house whose certificate this file vouches for."
)
@click.option("--linear", is_flag=True, help="Page by page, without a screen.")
@click.option("--ascii", "ascii_only", is_flag=True, help="Draw with ASCII signs only.")
def replay(
    match: str | None,
    data: str,
    seat: int | None,
    only: int | None,
    server: str,
    private: bool,
    as_json: bool,
    ca: str,
    linear: bool,
    ascii_only: bool,
) -> None:
    """Step through a stored match: on a screen in a terminal, all of it into a pipe.

    MATCH may be a file that `export` or `arena` wrote. Without a MATCH, list the matches there are.
    """
    folder = private_folder() if private else Settings(data=data).data_folder()
    address = parse(server, ca) if server else None
    if match is None:
        _list(
            asyncio.run(replays.house_matches(address)) if address else replays.stored_matches(folder, 1000),
            as_json,
        )
        return
    if match.endswith(SUFFIX):
        played = _from_file(Path(match))
    else:
        played = asyncio.run(replays.house_replay(address, match)) if address else _from_folder(folder, match)
    if played.changed:
        click.echo(
            f"Since then the rules have changed: from record {played.changed} on this may differ from what "
            "was seen.",
            err=True,
        )
    if seat is not None and not 0 <= seat < len(played.names):
        raise Refused(f"there is no seat {seat}; the seats are 0 to {len(played.names) - 1}", "seat")
    steps = [step for step in played.steps if step.state is not None]
    if not steps:
        raise Refused("this match has not begun", "phase")
    if only is not None and not 1 <= only <= len(steps):
        raise Refused(f"there is no step {only}; the steps are 1 to {len(steps)}", "step")
    if only is not None:
        click.echo(_page(played, steps, only - 1, seat))
    elif sys.stdin.isatty() and sys.stdout.isatty():
        if linear:
            _walk(played, steps, seat)
        else:
            _show(played, seat, ascii_only)
    else:
        for index in range(len(steps)):
            click.echo(_page(played, steps, index, seat))


def _list(matches: tuple[replays.Finished, ...], as_json: bool) -> None:
    """The same form wherever they come from."""
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(matches)))
        return
    for one in matches:
        click.echo(f"{one.id}  {one.line}{one.result}")
    if not matches:
        click.echo("No match has been finished here yet.", err=True)


def _from_folder(folder: Path, match: str) -> Replay:
    lines = JournalReader(folder).lines(match)
    if not lines:
        raise Refused(f"there is no match {match!r}; `ludoteca replay` lists them", "gone")
    return execute(lines, games.load)


def _from_file(file: Path) -> Replay:
    try:
        with file.open("rb") as opened:
            data = opened.read(parcel.BYTES_MAX + 1)
    except OSError as error:
        raise Refused(f"{file} cannot be read: {error.strerror}", "gone") from None
    return execute(parcel.unpack(data, games.load, int(time.time() * 1000))[0], games.load)


def _show(played: Replay, seat: int | None, ascii_only: bool) -> None:
    """On a screen of the terminal client."""
    from ludoteca.clients.app import ReplayApplication
    from ludoteca.clients.run import fitting_mode

    mode = fitting_mode(wants_linear=False, wants_ascii=ascii_only, colours="auto")
    ReplayApplication(played, seat, mode).run()


def _walk(played: Replay, steps: list[Step], seat: int | None) -> None:
    index = 0
    while True:
        click.clear()
        click.echo(_page(played, steps, index, seat))
        answer = click.prompt(_KEYS, default="n", show_default=False).strip().lower()
        if answer == "q":
            return
        if answer.isdecimal():
            index = int(answer) - 1
        else:
            index = {"p": index - 1, "f": 0, "l": len(steps) - 1}.get(answer, index + 1)
        index = max(0, min(index, len(steps) - 1))


def _page(played: Replay, steps: list[Step], index: int, seat: int | None) -> str:
    """One step: what was done, what happened, how the table looks after it."""
    step = steps[index]
    text = played.game.text
    watcher = Seat(seat) if seat is not None else None
    seen = [played.game.seen(event, watcher) for event in step.events]
    told = [text.tell(event, played.names) for event in seen if event is not None]
    picture = text.draw(played.game.view(step.state, watcher), played.names)
    head = f"{index + 1}/{len(steps)}  {_headline(played, step)}"
    return "\n".join([head, *(f"  {line}" for line in told if line), "", picture, ""])


def _headline(played: Replay, step: Step) -> str:
    names = played.names
    match step.record.input:
        case Started():
            return f"{played.game.title}: {', '.join(names)}"
        case Acted(seat=seat):
            return names[seat]
        case WentAway(seat=seat, reason=reason):
            return f"{names[seat]} is gone" + (f": {reason}" if reason else "")
        case CameBack(seat=seat):
            return f"{names[seat]} is back"
        case Spoke(name=name, text=text):
            return f"{name} says: {text}"
        case Closed(reason=reason):
            return f"closed: {reason}"
        case _:
            return ""
