"""`ludoteca service`: the house as a systemd unit, hardened."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import click

from ludoteca.core import LudotecaError

UNITS = Path("/etc/systemd/system")
NAME = "ludoteca.service"
CONFIG = Path("/etc/ludoteca.toml")

# A user of its own that exists while the house runs, a data folder under /var/lib that survives, and nothing
# else of the machine to write to. Bots and stories are processes of the house and need no more.
UNIT = """\
[Unit]
Description=Ludoteca, a house for networked board games
Wants=network-online.target
After=network-online.target

[Service]
ExecStart={program} serve --config {config} --data %S/ludoteca --log-format json
ExecReload=/bin/kill -HUP $MAINPID
Restart=on-failure
RestartSec=2
TimeoutStopSec=30
LimitNOFILE=65536

DynamicUser=yes
StateDirectory=ludoteca
StateDirectoryMode=0700
UMask=0077
AmbientCapabilities={capabilities}
CapabilityBoundingSet={capabilities}
NoNewPrivileges=yes
ProtectSystem=strict
ProtectHome={home}
PrivateTmp=yes
PrivateDevices=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallErrorNumber=EPERM

[Install]
WantedBy=multi-user.target
"""

FIRST_CONFIG = """\
# Settings of the house; docs/hosting.md has them all, `ludoteca config --config {config}` shows them.
host = "127.0.0.1"
"""


class ServiceError(LudotecaError):
    """The unit cannot be installed; the text says why."""


@click.group(short_help="Run the house as a systemd unit.")
def service() -> None:
    """Run the house as a systemd unit: `show` prints it, `install` puts it in its place."""


def unit(program: str, config: Path, low_ports: bool) -> str:
    """The unit for a program. A house below a home folder must be able to see it."""
    home = "read-only" if Path(program).parts[1] in ("home", "root") else "yes"
    return UNIT.format(
        program=program,
        config=config,
        home=home,
        capabilities="CAP_NET_BIND_SERVICE" if low_ports else "",
    )


def _options(command: click.decorators.FC) -> click.decorators.FC:
    for option in (
        click.option("--low-ports", is_flag=True, help="Allow ports below 1024, 80 and 443 for example."),
        click.option(
            "--config",
            default=CONFIG,
            type=click.Path(path_type=Path),
            metavar="FILE",
            help=f"Its settings.  [{CONFIG}]",
        ),
    ):
        command = option(command)
    return command


@service.command()
@_options
def show(config: Path, low_ports: bool) -> None:
    """Print the unit."""
    click.echo(unit(_program(), config.absolute(), low_ports), nl=False)


@service.command()
@_options
@click.option("--start", is_flag=True, help="Start it now, and whenever the machine starts.")
@click.option("--root", default=Path("/"), type=click.Path(path_type=Path), hidden=True)
def install(config: Path, low_ports: bool, start: bool, root: Path) -> None:
    """Write the unit and, if there are none, first settings. Needs root."""
    place = root / (UNITS / NAME).relative_to("/")
    text = unit(_program(), config.absolute(), low_ports)
    settings = root / config.absolute().relative_to("/")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
        if not settings.exists():
            settings.parent.mkdir(parents=True, exist_ok=True)
            settings.write_text(FIRST_CONFIG.format(config=config.absolute()))
    except PermissionError as error:
        raise ServiceError(f"{error.filename} is for root: sudo ludoteca service install") from None
    click.echo(f"Wrote {place}, settings are in {settings}.")
    if start:
        for arguments in (["daemon-reload"], ["enable", "--now", NAME]):
            _systemctl(arguments)
        click.echo(f"{NAME} runs: journalctl -u ludoteca -f shows what happens.")
    else:
        click.echo("Start it: systemctl daemon-reload && systemctl enable --now ludoteca")


def _program() -> str:
    """The command that was called, which the unit calls again."""
    found = shutil.which(sys.argv[0]) or shutil.which("ludoteca")
    if found is None:
        raise ServiceError("the command ludoteca is not installed here, so no unit could call it")
    return os.path.abspath(found)


def _systemctl(arguments: list[str]) -> None:
    try:
        done = subprocess.run(["systemctl", *arguments], capture_output=True, text=True)
    except FileNotFoundError:
        raise ServiceError("this machine has no systemd: `ludoteca serve` runs under anything else") from None
    if done.returncode:
        raise ServiceError(f"systemctl {' '.join(arguments)}: {done.stderr.strip()}")
