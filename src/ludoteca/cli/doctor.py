"""`ludoteca doctor`: look at a set-up before anybody comes, and say what to do."""

import datetime
import os
import shutil
import socket
import sqlite3
import ssl
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import click
import msgspec

from ludoteca.cli.house import show
from ludoteca.server import schema, settings
from ludoteca.server.doors import ports, tls_context, usual_port
from ludoteca.server.schema import StoreError
from ludoteca.server.settings import Settings, SettingsError

ROOM_BYTES = 1 << 30
# A move waits for one of these; a spinning disk needs about 10 ms.
SYNC_S_FINE = 0.02
SYNCS = 15
CERTIFICATE_DAYS = 14
# Files of the process besides its connections: journal, logs, workers.
OTHER_FILES = 200
# No house was ever opened before.
BEGINNING = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)

Verdict = Literal["well", "look", "bad"]


class Finding(msgspec.Struct, frozen=True):
    """One thing that was looked at. "look": it works, but perhaps not as it is meant to."""

    about: str
    verdict: Verdict
    text: str


@click.command(short_help="Look at a set-up, and say what to do.")
@click.option("--config", type=click.Path(dir_okay=False, path_type=Path), help="Settings from a TOML file.")
@click.option("--set", "more", multiple=True, metavar="KEY=VALUE", help="As given to `serve`.")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def doctor(config: Path | None, more: tuple[str, ...], as_json: bool) -> None:
    """Look at what `ludoteca serve` would need here: ports, certificate, data folder, disk, clock, limits.

    Each line says what was found and, where something is wrong, what to do. Ends with 1 when the house would
    not open or would lose something.
    """
    found = list(examine(config, more))
    if as_json:
        show(found)
    else:
        for one in found:
            mark = {"well": "  ok", "look": "look", "bad": " BAD"}[one.verdict]
            click.echo(f"{mark}  {one.about}: {one.text}")
    sys.exit(any(one.verdict == "bad" for one in found))


def examine(config: Path | None, more: tuple[str, ...]) -> Iterator[Finding]:
    """Everything that was looked at, in the order a house needs it."""
    try:
        chosen = settings.load(config, os.environ, settings.pairs(more))
        listeners = ports(chosen)
    except SettingsError as error:
        yield Finding("settings", "bad", str(error))
        return
    yield from _settings(chosen)
    yield from _ports(chosen, listeners)
    yield from _certificate(chosen)
    folder = chosen.data_folder()
    there = _nearest(folder)
    yield _folder(folder, there)
    yield _journal(folder)
    if os.access(there, os.W_OK):
        yield _room(there)
        yield _disk(there, chosen.durability)
    yield _clock()
    yield _files(chosen)


def _settings(chosen: Settings) -> Iterator[Finding]:
    strange = settings.strangers(os.environ)
    for sentence in strange:
        yield Finding("settings", "look", sentence)
    if chosen.durability != "full":
        yield Finding(
            "settings",
            "look",
            f"durability is {chosen.durability}: a power cut may lose what was acknowledged",
        )
    if _is_public(chosen.host) and not chosen.tls_cert:
        yield Finding(
            "settings",
            "look",
            f"the house listens at {chosen.host} without TLS: fine at home; for the internet give it a"
            " certificate (tls_cert) or put a proxy in front",
        )
    if not strange:
        yield Finding("settings", "well", "understood")


def _is_public(host: str) -> bool:
    return not host.startswith("127.") and host not in ("localhost", "::1")


def _ports(chosen: Settings, listeners: dict[str, int | None]) -> Iterator[Finding]:
    free = []
    for name, wanted in listeners.items():
        port = usual_port(name) if wanted is None else wanted
        host = chosen.metrics_host if name == "metrics" else chosen.host
        try:
            info = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
            with socket.socket(info[0], info[1]) as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind(info[4])
            free.append(name)
        except OSError as error:
            advice = f"choose another with --port {name}=PORT"
            if isinstance(error, PermissionError):
                advice = "ports below 1024 are for root; let a proxy have them, or systemd give the right to"
            yield Finding("ports", "bad", f"{name} cannot have {host}:{port}: {error.strerror}; {advice}")
    if free:
        yield Finding("ports", "well", f"free for {', '.join(free)}")


def _certificate(chosen: Settings) -> Iterator[Finding]:
    if not chosen.tls_cert:
        return
    try:
        tls_context(chosen)
        about: Any = ssl._ssl._test_decode_cert(chosen.tls_cert)  # type: ignore[attr-defined]
    except (SettingsError, ssl.SSLError, OSError) as error:
        yield Finding("certificate", "bad", f"{error}")
        return
    ends = datetime.datetime.fromtimestamp(ssl.cert_time_to_seconds(about["notAfter"]), datetime.UTC)
    days = (ends - datetime.datetime.now(datetime.UTC)).days
    names = [value for kind, value in about.get("subjectAltName", ()) if kind in ("DNS", "IP Address")]
    known = ", ".join(names) or "nobody: browsers want names in it"
    if days < 0:
        yield Finding("certificate", "bad", f"ended on {ends:%Y-%m-%d}: renew it, then SIGHUP")
    elif days < CERTIFICATE_DAYS or not names:
        yield Finding("certificate", "look", f"for {known}, until {ends:%Y-%m-%d}")
    else:
        yield Finding("certificate", "well", f"for {known}, until {ends:%Y-%m-%d}")


def _nearest(folder: Path) -> Path:
    """The folder, or what is there of the way to it."""
    return next(path for path in (folder, *folder.absolute().parents) if path.exists())


def _folder(folder: Path, there: Path) -> Finding:
    if not there.is_dir():
        return Finding("data folder", "bad", f"{there} is no folder: choose another with --data")
    if not os.access(there, os.W_OK | os.X_OK):
        who = f"user {os.getuid()}" if hasattr(os, "getuid") else "this user"
        return Finding("data folder", "bad", f"{who} may not write to {there}: chown it, or choose another")
    if there != folder:
        return Finding("data folder", "well", f"{folder} will be made")
    if folder.stat().st_mode & 0o077:
        return Finding(
            "data folder", "look", f"others may look into {folder}: chmod 700 keeps hidden hands hidden"
        )
    return Finding("data folder", "well", f"{folder}, for this user alone")


def _journal(folder: Path) -> Finding:
    path = schema.journal_in(folder)
    if not path.exists():
        return Finding("journal", "well", "none yet")
    try:
        schema.check(path)
    except StoreError as error:
        return Finding("journal", "bad", str(error))
    except (OSError, sqlite3.Error) as error:
        return Finding("journal", "bad", f"{path} cannot be read: {error}; restore a copy")
    return Finding("journal", "well", f"{path.stat().st_size / 1e6:.1f} MB; ludoteca verify looks through it")


def _room(there: Path) -> Finding:
    free = shutil.disk_usage(there).free
    if free < ROOM_BYTES:
        return Finding("disk", "look", f"{free / 1e6:.0f} MB free: a busy evening needs some tens of MB")
    return Finding("disk", "well", f"{free / 1e9:.0f} GB free")


def _disk(there: Path, durability: str) -> Finding:
    """How long a move waits until it is safe."""
    taken = []
    try:
        with tempfile.TemporaryFile(dir=there) as file:
            for _ in range(SYNCS):
                began = time.perf_counter()
                file.write(b"\0" * 4096)
                file.flush()
                os.fsync(file.fileno())
                taken.append(time.perf_counter() - began)
    except OSError as error:
        return Finding("disk", "bad", f"nothing can be written to {there}: {error.strerror}")
    sync_s = statistics.median(taken)
    text = f"a move is safe after {sync_s * 1000:.1f} ms"
    if sync_s > SYNC_S_FINE and durability == "full":
        return Finding(
            "disk", "look", f"{text}: people will feel that; a local disk that is not a card helps"
        )
    return Finding("disk", "well", text)


def _clock() -> Finding:
    now = datetime.datetime.now(datetime.UTC)
    if now < BEGINNING:
        return Finding("clock", "bad", f"it says {now:%Y-%m-%d}, which cannot be: set it (timedatectl)")
    return Finding("clock", "well", f"{now:%Y-%m-%d %H:%M} UTC")


def _files(chosen: Settings) -> Finding:
    try:
        import resource
    except ImportError:
        return Finding("limits", "well", "this system has none for open files")
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    wanted = chosen.connections_max + OTHER_FILES
    if limit != resource.RLIM_INFINITY and limit < wanted:
        return Finding(
            "limits",
            "look",
            f"{limit} open files are allowed, so only about {max(limit - OTHER_FILES, 0)} of"
            f" {chosen.connections_max} connections: ulimit -n {wanted}, LimitNOFILE={wanted} in a unit, or a"
            " smaller connections_max",
        )
    return Finding("limits", "well", f"{limit} open files are allowed, {wanted} are needed at most")
