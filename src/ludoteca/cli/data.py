"""`ludoteca prune`, `export`, `import` and `drop`: what a journal keeps."""

import re
import time
from pathlib import Path

import click

from ludoteca import games
from ludoteca.core import JournalError, LudotecaError
from ludoteca.hall import parcel
from ludoteca.server import keeping
from ludoteca.server.journal_reader import JournalReader
from ludoteca.server.lock import HouseRunning
from ludoteca.server.schema import StoreError
from ludoteca.server.settings import Settings

_data = click.option("--data", default="", metavar="DIR", help="Folder of the journal.")
_UNITS_S = {"h": 3600, "d": 24 * 3600, "w": 7 * 24 * 3600}
SUFFIX = ".ludoteca"


class Age(click.ParamType[int]):
    """ "90d": hours, days or weeks."""

    name = "age"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """In seconds."""
        found = re.fullmatch(r"([0-9]{1,5})([hdw])", value)
        if found is None:
            self.fail(f"{value!r} is no age: 12h, 90d or 52w is", param, ctx)
        return int(found[1]) * _UNITS_S[found[2]]


@click.command(short_help="Remove finished matches that are old, and what nobody needs of the log.")
@click.option("--older-than", "age_s", type=Age(), required=True, metavar="AGE", help="12h, 90d or 52w.")
@click.option("--game", default="", help="Only matches of this game.")
@click.option("--dry-run", is_flag=True, help="Only say what would be removed.")
@_data
def prune(age_s: int, game: str, dry_run: bool, data: str) -> None:
    """Remove finished matches that ended long ago from the journal, also while people play.

    Unless a game is named, lines of the log of what hosts did that are as old go, too. What still holds
    stays: bans, keys, invitations, open reports, the door.

    The room is used again for new matches. When no house is running it is given back to the disk.
    """
    folder = Settings(data=data).data_folder()
    now = time.time()
    before_ms = int((now - age_s) * 1000)
    tables = keeping.old(folder, before_ms, game)
    if dry_run:
        click.echo(f"{len(tables)} finished matches would be removed")
        return
    removed = keeping.prune(folder, tables)
    said = f"{removed.matches} finished matches removed, {removed.records} records, {size_of(removed.size)}"
    deeds = 0 if game else keeping.weed(folder, before_ms, now)
    said += f", and {deeds} lines of the log" if deeds else ""
    try:
        before, after = keeping.shrink(folder)
    except HouseRunning:
        click.echo(f"{said}; the house is running and uses the room again (stopped, it is given back)")
    else:
        click.echo(f"{said}; the file has {size_of(after)} now, {size_of(before - after)} less")


@click.command(short_help="Write finished matches to files.")
@click.argument("matches", nargs=-1, metavar="[MATCH]...")
@click.option(
    "--to", "target", default=".", type=click.Path(file_okay=False, path_type=Path), metavar="FOLDER"
)
@click.option("--all", "every", is_flag=True, help="All finished matches, private ones too.")
@_data
def export(matches: tuple[str, ...], target: Path, every: bool, data: str) -> None:
    """Write finished matches to files, MATCH.ludoteca, which any house can `import` and replay.

    Whispers and what belongs to this house alone (hashes of tokens and addresses) stay here.
    """
    folder = Settings(data=data).data_folder()
    reader = JournalReader(folder)
    if every:
        matches = tuple(keeping.old(folder, 1 << 62))
    if not matches:
        raise click.UsageError("name matches (`ludoteca replay` lists them), or say --all")
    failed = 0
    target.mkdir(parents=True, exist_ok=True)
    for match in matches:
        try:
            click.echo(_export(reader, match, target))
        except LudotecaError as error:
            failed += 1
            click.echo(f"{match}: {error}", err=True)
    raise SystemExit(1 if failed else 0)


def _export(reader: JournalReader, match: str, target: Path) -> Path:
    if parcel.ID.fullmatch(match) is None or reader.summary(match) is None:
        raise StoreError("there is no finished match of that name")
    try:
        data = parcel.pack(reader.lines(match), games.load)
    except JournalError as error:
        raise StoreError(f"it cannot be executed, so it is not exported: {error}") from None
    file = target / f"{match}{SUFFIX}"
    try:
        with file.open("xb") as written:
            written.write(data)
    except FileExistsError:
        raise StoreError(f"{file} is there already, and is not written over") from None
    except OSError as error:
        raise StoreError(f"{file} cannot be written: {error.strerror}") from None
    return file


@click.command("import", short_help="Take in matches from files.")
@click.argument("files", nargs=-1, required=True, type=click.Path(dir_okay=False, path_type=Path))
@_data
def import_(files: tuple[Path, ...], data: str) -> None:
    """Take in matches that `ludoteca export` wrote, here or elsewhere, also while people play.

    Nothing in a file is believed: it is executed by the rules, compared with its digests, and refused if
    anything does not fit.
    """
    folder = Settings(data=data).data_folder()
    failed = 0
    for file in files:
        try:
            click.echo(f"{file}: {_import(file, folder)}")
        except LudotecaError as error:
            failed += 1
            click.echo(f"{file}: {error}", err=True)
    raise SystemExit(1 if failed else 0)


def _import(file: Path, folder: Path) -> str:
    try:
        with file.open("rb") as opened:
            data = opened.read(parcel.BYTES_MAX + 1)
    except OSError as error:
        raise StoreError(f"it cannot be read: {error.strerror}") from None
    lines, match = parcel.unpack(data, games.load, int(time.time() * 1000))
    table = match.summary.table
    if not keeping.take_in(folder, lines, match):
        return f"match {table.id} is here already"
    note = f"; rules have changed since: record {match.changed} comes out otherwise" if match.changed else ""
    return f"match {table.id} of {', '.join(table.names)} taken in, {len(lines)} records{note}"


@click.command(short_help="Remove a table that nobody can play at.")
@click.argument("table")
@_data
def drop(table: str, data: str) -> None:
    """Remove a table for good: one that is set aside, damaged or over.

    Unless it is over, the house must be stopped. Tables that can be played at are not dropped.
    """
    removed = keeping.drop(Settings(data=data).data_folder(), table)
    click.echo(f"{table} dropped, {removed.records} records, {size_of(removed.size)}")


def size_of(count: int) -> str:
    """Bytes, as people say them."""
    for unit in ("bytes", "kB", "MB"):
        if count < 1000:
            return f"{count:.3g} {unit}" if unit != "bytes" else f"{count} bytes"
        count = count / 1000  # type: ignore[assignment]
    return f"{count:.3g} GB"
