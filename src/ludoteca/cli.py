"""The command line: `ludoteca --help`. Everything dear is imported by the command that needs it."""

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

import click

from ludoteca.core.errors import LudotecaError


class Commands(click.Group):
    """Errors of ours are one clear line, not a traceback."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command."""
        try:
            return super().invoke(ctx)
        except LudotecaError as error:
            raise click.ClickException(str(error)) from None


def _version(ctx: click.Context, _parameter: click.Parameter, wanted: bool) -> None:
    if wanted:
        from ludoteca import __version__

        click.echo(f"ludoteca {__version__}")
        ctx.exit()


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option(
    "--version", is_flag=True, callback=_version, expose_value=False, is_eager=True, help="Print the version."
)
def main() -> None:
    """Ludoteca, a house for five networked board games.

    `ludoteca serve` opens the house; people join it in a browser, a terminal or with any client of the games' protocols.
    """


@main.command()
@click.option("--host", help="Address to listen on.  [127.0.0.1]")
@click.option(
    "--port", multiple=True, metavar="NAME=PORT", help="Port of a listener (http, house, a game); 0: any."
)
@click.option("--only", metavar="NAME,...", help="Start only these listeners.")
@click.option("--data", metavar="DIR", help="Folder of the journal.  [a folder of yours]")
@click.option(
    "--default",
    multiple=True,
    metavar="GAME.KEY=VALUE",
    help="What newcomers' tables get: multisweeper.players=3.",
)
@click.option("--tls-cert", metavar="FILE", help="Certificate chain (PEM): all listeners speak TLS.")
@click.option("--tls-key", metavar="FILE", help="Its key, when not in the same file.")
@click.option(
    "--require-tokens", is_flag=True, default=None, help="A seat is never given back for a name alone."
)
@click.option(
    "--origin", multiple=True, metavar="ORIGIN", help="Allow browsers from this site too; * for any."
)
@click.option(
    "--set", "more", multiple=True, metavar="KEY=VALUE", help="Any other setting (see docs/hosting.md)."
)
@click.option("--log-format", type=click.Choice(["console", "json"]), help="How logs look.  [console]")
@click.option(
    "--log-level",
    type=click.Choice(["debug", "info", "warning", "error"]),
    help="How much is logged.  [info]",
)
@click.option("--config", type=click.Path(dir_okay=False, path_type=Path), help="Settings from a TOML file.")
def serve(config: Path | None, more: tuple[str, ...], only: str | None, **given: Any) -> None:
    """Open the house: web page, Ludoteca's own protocol and the protocols of all games.

    Settings come from a TOML file, then from LUDOTECA_ variables, then from these options.
    """
    from ludoteca.server import logs, settings
    from ludoteca.server.serve import serve as run

    values: dict[str, Any] = {key: value for key, value in given.items() if value not in (None, ())}
    for key in ("port", "default"):
        if key in values:
            values[key] = settings.pairs(values[key])
    if only:
        values["only"] = [part for part in only.split(",") if part]
    if "origin" in values:
        values["origin"] = list(values["origin"])
    chosen = settings.load(config, os.environ, {**settings.pairs(more), **values})
    logs.configure(chosen.log_format, chosen.log_level)
    loop_factory = _loop_factory()
    with asyncio.Runner(loop_factory=loop_factory) as runner:
        runner.run(run(chosen, lambda line: print(line, flush=True)))


def _loop_factory() -> Any:
    """uvloop where there is one: it halves the cost of a move."""
    if sys.platform == "win32":
        return None
    import uvloop

    return uvloop.new_event_loop


if __name__ == "__main__":
    main()
