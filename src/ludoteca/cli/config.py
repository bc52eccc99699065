"""`ludoteca config`: the settings that are in force, and where each comes from."""

import os
from pathlib import Path
from typing import Any

import click
import msgspec

from ludoteca.cli.house import show
from ludoteca.server import settings
from ludoteca.server.settings import Settings

_SECRET = ("metrics_token", "password", "cluster", "cluster_system")


@click.command(short_help="Show the settings in force, and where they come from.")
@click.option("--config", type=click.Path(dir_okay=False, path_type=Path), help="Settings from a TOML file.")
@click.option("--set", "more", multiple=True, metavar="KEY=VALUE", help="As given to `serve`.")
@click.option("--changed", is_flag=True, help="Only those that are not as they come.")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def config(config: Path | None, more: tuple[str, ...], changed: bool, as_json: bool) -> None:
    """Show the settings that `ludoteca serve` would use here, as a TOML file would say them.

    Behind each stands where it comes from, when that is not the default.
    """
    given = settings.pairs(more)
    found = settings.load(config, os.environ, given)
    sources = _sources(config, given)
    usual = Settings()
    values: dict[str, Any] = {}
    for name in Settings.__struct_fields__:
        value = getattr(found, name)
        if not changed or value != getattr(usual, name):
            values[name] = "..." if name in _SECRET and value else msgspec.to_builtins(value)
    if as_json:
        show({name: {"value": value, "from": sources.get(name, "default")} for name, value in values.items()})
        return
    for name, value in values.items():
        source = f"  # from {sources[name]}" if name in sources else ""
        click.echo(f"{name} = {settings.toml(value)}{source}")
    click.echo(f"# the journal is in {found.data_folder()}")
    for sentence in settings.strangers(os.environ):
        click.echo(f"# {sentence}", err=True)


def _sources(file: Path | None, given: dict[str, str]) -> dict[str, str]:
    """Where each setting that is given comes from; the last of them wins."""
    return {
        **dict.fromkeys(settings.from_file(file), str(file)),
        **{name: f"LUDOTECA_{name.upper()}" for name in settings.from_environment(os.environ)},
        **dict.fromkeys(given, "the command line"),
    }
