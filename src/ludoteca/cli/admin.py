"""`ludoteca admin`: look after a house, from the machine it runs on or with a host's key from elsewhere."""

import asyncio
import os
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click
import msgspec

from ludoteca.cli.data import size_of
from ludoteca.cli.house import show
from ludoteca.clients.address import Address, parse
from ludoteca.clients.link import plainly
from ludoteca.core import LudotecaError
from ludoteca.hall import acts, steward
from ludoteca.server import settings, upkeep
from ludoteca.server.hosting import KEY_HEADER, SOCKET_NAME
from ludoteca.server.openapi import PREFIX

PATIENCE_S = 30.0
# How often it is asked whether something that takes a while is over.
LOOK_S = 0.3
_UNITS = {"s": 1, "m": 60, "h": acts.HOUR_S, "d": acts.DAY_S, "w": 7 * acts.DAY_S}
_Command = TypeVar("_Command", bound=Callable[..., Any])
_view = msgspec.json.Decoder(steward.House)
_storage = msgspec.json.Decoder(upkeep.Storage)
_done = msgspec.json.Decoder(acts.Done)


class AdminError(LudotecaError):
    """The house cannot be reached, or says no; the text says why."""


class House:
    """The house that is looked after: by the socket in its data folder, or by its web address with a key."""

    def __init__(self, folder: Path, address: Address | None, key: str) -> None:
        self._folder = folder
        self._address = address
        self._key = key

    def view(self) -> steward.House:
        """What a host sees. Raises AdminError."""
        return _view.decode(asyncio.run(self._ask("GET", "/host")))

    def storage(self) -> upkeep.Storage:
        """What the house keeps. Raises AdminError."""
        return _storage.decode(asyncio.run(self._ask("GET", "/host/storage")))

    def do(self, act: acts.Act) -> acts.Done:
        """Have an act carried out. Raises AdminError."""
        return _done.decode(asyncio.run(self._ask("POST", "/host/acts", msgspec.json.encode(act))))

    def url(self, path: str) -> str:
        """A link into the house."""
        if self._address is not None:
            return self._address.page_url + path
        return str(msgspec.json.decode(asyncio.run(self._ask("GET", "/page")))) + path

    async def _ask(self, method: str, path: str, body: bytes | None = None) -> bytes:
        import aiohttp

        if self._address is None:
            place = self._folder / SOCKET_NAME
            if not place.exists():
                raise AdminError(f"no house is open in {self._folder}: name its folder with --data")
            connector: aiohttp.BaseConnector = aiohttp.UnixConnector(str(place))
            url = f"http://house{path}"
        else:
            connector = aiohttp.TCPConnector(ssl=self._address.tls() or True)
            url = self._address.page_url + PREFIX + path
        headers = {"Content-Type": "application/json"} if body is not None else {}
        if self._key:
            headers[KEY_HEADER] = self._key
        timeout = aiohttp.ClientTimeout(PATIENCE_S)
        try:
            async with (
                aiohttp.ClientSession(connector=connector, timeout=timeout) as session,
                session.request(method, url, data=body, headers=headers) as answer,
            ):
                told = await answer.read()
                if answer.status != 200:
                    raise AdminError(_reason(told))
                return told
        except (aiohttp.ClientError, OSError, TimeoutError) as error:
            why = await plainly(error, self._address) if self._address else str(error)
            raise AdminError(f"the house does not answer: {why}") from None


def _reason(told: bytes) -> str:
    try:
        return str(msgspec.json.decode(told)["reason"])
    except (msgspec.DecodeError, KeyError, TypeError):
        return "the house answers with something else: is it a Ludoteca?"


def seconds(text: str) -> int:
    """A time as it is typed: 30m, 2h, 7d, 1w, or ever. Raises AdminError."""
    if text == "ever":
        return 0
    found = re.fullmatch(r"([0-9]{1,6})([smhdw])", text.strip())
    if found is None or not int(found[1]):
        raise AdminError(f"{text!r} is no time: say 30m, 2h, 7d or ever")
    return int(found[1]) * _UNITS[found[2]]


def _for(usual: str) -> Callable[[_Command], _Command]:
    return click.option(
        "--for", "long", default=usual, metavar="TIME", help=f"30m, 2h, 7d or ever.  [{usual}]"
    )


_reason_option = click.option("--reason", default="", help="Told to them, and kept in the log.")


@click.group(short_help="Look after a house: who is here, bans, invitations, restart.")
@click.option("--data", metavar="DIR", help="Folder of the journal.  [as `serve`]")
@click.option("--config", type=click.Path(dir_okay=False, path_type=Path), help="The settings of `serve`.")
@click.option("--server", default="", metavar="URL", help="A house elsewhere; needs a host's key.")
@click.option("--key-file", type=click.Path(dir_okay=False, path_type=Path), help="File with that key.")
@click.option("--ca", default="", metavar="FILE", help="Trust what this certificate vouches for (PEM).")
@click.pass_context
def admin(
    ctx: click.Context, data: str | None, config: Path | None, server: str, key_file: Path | None, ca: str
) -> None:
    """Look after a house that is open: on its machine by a socket in its data folder, which only its user can
    use; from elsewhere with the key of a host (--server, and --key-file or LUDOTECA_KEY).
    """
    key = os.environ.get("LUDOTECA_KEY", "")
    if key_file is not None:
        try:
            key = key_file.read_text().strip()
        except OSError as error:
            raise AdminError(f"cannot read {key_file}: {error.strerror}") from None
    if server and not key:
        raise AdminError(
            "a house elsewhere wants a host's key: --key-file, made by `ludoteca admin key --host`"
        )
    folder = settings.load(config, os.environ, {"data": data})
    ctx.obj = House(folder.data_folder(), parse(server, ca) if server else None, key if server else "")


@admin.command(short_help="Who is here, tables, reports, who is kept out.")
@click.option("--json", "as_json", is_flag=True, help="As JSON, all of it.")
@click.pass_obj
def status(house: House, as_json: bool) -> None:
    """Say who is here, which tables there are, what was reported, and who is kept out."""
    found = house.view()
    if as_json:
        show(found)
        return
    click.echo(f"{found.people_count} people, {found.bots_count} bots, {found.tables_count} tables.")
    door = f"The door: {found.door}" + (f", guests: {found.guests}" if found.door != "open" else "")
    click.echo(door + (f"; no new tables ({found.drained})" if found.drained else ""))
    for person in found.people:
        doing = f"{person.game} at {person.table}" if person.table else "looks around"
        doing += ", looks on" if person.table and person.seat is None else ""
        muted = ", muted" if person.muted else ""
        click.echo(
            f"  {person.name or '?'} ({person.role}, {person.protocol}, {person.address}): {doing}{muted}"
        )
    for table in found.tables:
        names = ", ".join(name or "free" for name in table.names)
        click.echo(f"  {table.id}  {table.label}: {table.game}, {table.phase}: {names}")
    for report in found.reports:
        click.echo(f"report {report.id}: {report.name} about {report.about} at {report.table}: {report.text}")
        for line in report.lines:
            click.echo(f"    {line.name}: {line.text}")
    for barred in found.barred:
        until = _when(barred.until_ms) if barred.until_ms else "ever"
        what = barred.name or barred.address
        click.echo(f"{barred.kind} {barred.id}: {what}, until {until}, {barred.tries} tries: {barred.reason}")
    for invitation in found.invitations:
        until = _when(invitation.until_ms) if invitation.until_ms else "ever"
        uses = f"{invitation.used} of {invitation.uses or 'any number'}"
        click.echo(
            f"invitation {invitation.id}: {invitation.label} ({invitation.role}), {uses}, until {until}"
        )
    for key in found.keys:
        click.echo(f"key {key.id}: {key.label} ({key.role})")


@admin.command(short_help="What hosts did.")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@click.pass_obj
def log(house: House, as_json: bool) -> None:
    """Print what hosts did, newest first."""
    found = house.view().log
    if as_json:
        show(found)
        return
    for deed in found:
        told = msgspec.to_builtins(deed.did)
        facts = " ".join(f"{key}={value}" for key, value in told.items() if key != "type" and value)
        click.echo(f"{deed.number}  {_when(deed.at_ms)}  {deed.by or 'the house'}: {told['type']} {facts}")


def _when(at_ms: int) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(at_ms / 1000))


def _do(house: House, act: acts.Act) -> acts.Done:
    done = house.do(act)
    click.echo(f"Done ({done.number}).", err=bool(done.token))
    return done


@admin.command(short_help="Say something to everybody.")
@click.argument("text")
@click.pass_obj
def say(house: House, text: str) -> None:
    """Say TEXT to everybody in the house."""
    _do(house, acts.Say(text))


@admin.command(short_help="Have nobody hear somebody.")
@click.argument("name")
@_for("1h")
@_reason_option
@click.pass_obj
def mute(house: House, name: str, long: str, reason: str) -> None:
    """Have nobody hear NAME for a while."""
    _do(house, acts.Mute(name, seconds(long), reason))


@admin.command(short_help="Turn somebody out.")
@click.argument("name")
@_for("10m")
@_reason_option
@click.pass_obj
def out(house: House, name: str, long: str, reason: str) -> None:
    """Close the connections of NAME, who cannot come back for a while."""
    _do(house, acts.Out(name, seconds(long), reason))


@admin.command(short_help="Keep a name or an address out.")
@click.option("--name", default="", help="Keep out who says this name.")
@click.option("--address", default="", help="Keep out an address or a network (192.0.2.0/24).")
@_for("ever")
@_reason_option
@click.pass_obj
def ban(house: House, name: str, address: str, long: str, reason: str) -> None:
    """Keep a name, or an address or network, out of the house; who is here is turned out."""
    _do(house, acts.Ban(name, address, seconds(long), reason))


@admin.command(short_help="End a ban or a mute.")
@click.argument("number", type=int)
@click.pass_obj
def lift(house: House, number: int) -> None:
    """End the ban or mute of this NUMBER, which `status` shows."""
    _do(house, acts.Lift(number))


@admin.command(short_help="Close a table.")
@click.argument("table")
@_reason_option
@click.pass_obj
def close(house: House, table: str, reason: str) -> None:
    """Close a TABLE, by its id: its match is broken off."""
    _do(house, acts.Close(table, reason))


@admin.command(short_help="No new tables, until nobody plays.")
@click.option("--stop", is_flag=True, help="End when nobody plays, so that the house is started again.")
@click.pass_obj
def drain(house: House, stop: bool) -> None:
    """Open no new tables. With --stop the house ends when nobody plays any more, with the exit code 75, so
    that systemd or a container starts it again; matches that nobody is at go on after that."""
    _do(house, acts.Drain("stop" if stop else "wait"))


@admin.command(short_help="Take new tables again.")
@click.pass_obj
def resume(house: House) -> None:
    """Take new tables again."""
    _do(house, acts.Resume())


@admin.command(short_help="Say who may come in.")
@click.argument("kind", required=False, type=click.Choice(["open", "password", "invitation"]))
@click.option("--guests", type=click.Choice(["out", "watch"]), help="What those without a key may do.")
@click.option("--new-password", is_flag=True, help="Ask for a new password (or read it from a pipe).")
@click.option("--names", help="NAME,NAME: who may come in by protocols that carry no key; - for nobody.")
@click.pass_obj
def door(
    house: House,
    kind: acts.DoorKind | None,
    guests: acts.Guests | None,
    new_password: bool,
    names: str | None,
) -> None:
    """Say who may come in: everybody, who knows the password, or who was invited. It counts for those who
    come: nobody is turned out by it."""
    password = None
    if new_password:
        piped = not sys.stdin.isatty()
        password = (
            sys.stdin.readline().rstrip("\n") if piped else click.prompt("New password", hide_input=True)
        )
        if not password:
            raise AdminError("a password has at least one letter")
    listed = None
    if names is not None:
        listed = tuple(name.strip() for name in names.split(",") if name.strip() not in ("", "-"))
    _do(house, acts.Door(kind, guests, password, listed))


@admin.command(short_help="Make a link by which somebody comes in.")
@click.option("--uses", default=1, help="For so many people; 0: any number.  [1]")
@click.option("--label", default="", help="For whom it is.")
@_for("7d")
@click.pass_obj
def invite(house: House, uses: int, label: str, long: str) -> None:
    """Print a link by which somebody comes in who does not know the password."""
    done = _do(house, acts.Invite(label, "member", uses, seconds(long)))
    click.echo(house.url(f"/join#{done.token}"))


@admin.command(short_help="Make a host of a browser.")
@click.option("--name", default="Host", help="How the log will call this host.  [Host]")
@click.pass_obj
def link(house: House, name: str) -> None:
    """Print a link that makes a host of the browser that opens it first, within an hour."""
    done = _do(house, acts.Invite(name, "host", 1, acts.HOUR_S))
    click.echo(house.url(f"/house#{done.token}"))


@admin.command(short_help="Make a key for a program.")
@click.option("--label", default="", help="For which program.")
@click.option("--host", is_flag=True, help="A host's key, for `ludoteca admin --server`.")
@_for("52w")
@click.pass_obj
def key(house: House, label: str, host: bool, long: str) -> None:
    """Print a key for a program: it says it as `key` in `hello`, or in the header X-Ludoteca-Key."""
    click.echo(_do(house, acts.Give(label, "host" if host else "member", seconds(long))).token)


@admin.command(short_help="End an invitation or a key.")
@click.argument("number", type=int)
@click.pass_obj
def withdraw(house: House, number: int) -> None:
    """End the invitation or key of this NUMBER; who came in by an invitation stays in."""
    _do(house, acts.Withdraw(number))


@admin.command(short_help="What the house keeps, how it grows, and its copies.")
@click.option("--json", "as_json", is_flag=True, help="As JSON, all of it.")
@click.pass_obj
def storage(house: House, as_json: bool) -> None:
    """Say how large the journal is and how it grows, which copies there are, and what was done last."""
    found = house.storage()
    if as_json:
        show(found)
        return
    click.echo(f"The journal: {size_of(found.size)}, {size_of(found.disk_free)} free on its disk.")
    click.echo(
        f"{found.live} tables being played or open, {found.over} finished matches, {found.deeds} deeds."
    )
    click.echo(
        f"Finished in the last day, week, month: {', '.join(str(one) for one in found.lately.values())}."
    )
    newest = (
        f"the newest from {_when(found.copies[0].made_ms)}" if found.copies else "make one: `admin backup`"
    )
    click.echo(f"{len(found.copies)} copies in {found.copies_folder}: {newest}.")
    for work in found.works:
        state = "is being done" if not work.ended_ms else "done" if work.good else "FAILED"
        click.echo(f"{work.kind}, {_when(work.began_ms)}, by {work.by}: {state}. {work.text}")


def _work(house: House, act: acts.Work) -> None:
    """Have it begun, wait for its end, and end as it did."""
    number = house.do(act).number
    while True:
        found = next((one for one in house.storage().works if one.number == number), None)
        if found is None:
            raise AdminError("the house does not know what became of it: was it started again meanwhile?")
        if found.ended_ms:
            break
        time.sleep(LOOK_S)
    click.echo(found.text)
    sys.exit(0 if found.good else 1)


@admin.command(short_help="Copy the house into its folder for copies.")
@click.pass_obj
def backup(house: House) -> None:
    """Have the house copied into the folder of `backups`, by itself; the newest `backups_keep` stay."""
    _work(house, acts.Backup())


@admin.command(short_help="Re-execute every stored match and compare.")
@click.pass_obj
def verify(house: House) -> None:
    """Have every stored match executed again, while people play. Ends with 1 when one is damaged."""
    _work(house, acts.Verify())


@admin.command(short_help="Remove finished matches that are old.")
@click.option("--older-than", "days", required=True, metavar="DAYS", type=click.IntRange(30, 36500))
@click.pass_obj
def prune(house: House, days: int) -> None:
    """Remove finished matches, and what nobody needs of the log, that are older than so many days (30 at
    least). Who has the machine may remove younger ones: `ludoteca prune`."""
    _work(house, acts.Prune(days))


@admin.command(short_help="Mark a report as seen to.")
@click.argument("number", type=int)
@click.pass_obj
def settle(house: House, number: int) -> None:
    """Mark the report of this NUMBER as seen to."""
    _do(house, acts.Settle(number))
