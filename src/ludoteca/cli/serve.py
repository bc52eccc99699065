"""`ludoteca serve`."""

import asyncio
import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import click

from ludoteca.cli.greeting import greet
from ludoteca.server import logs, settings
from ludoteca.server.serve import Call
from ludoteca.server.serve import serve as run

# A host wanted the house to be started again when nobody plays: whoever looks after it does that on failure,
# and takes this for a passing one (EX_TEMPFAIL).
DRAINED = 75


@click.command(short_help="Open the house.")
@click.option("--host", help="Address to listen on.  [127.0.0.1]")
@click.option(
    "--port", multiple=True, metavar="NAME=PORT", help="Port of a listener (http, house, a game); 0: any."
)
@click.option("--only", metavar="NAME,...", help="Start only these listeners.")
@click.option("--data", metavar="DIR", help="Folder of the journal.  [ludoteca in your data folder]")
@click.option(
    "--default",
    multiple=True,
    metavar="GAME.KEY=VALUE",
    help="What newcomers' tables get: multisweeper.players=3.",
)
@click.option("--base-path", metavar="PATH", help="Where the page is behind a proxy: /games.  [/]")
@click.option("--tls-cert", metavar="FILE", help="Certificate chain (PEM): all listeners speak TLS.")
@click.option("--tls-key", metavar="FILE", help="Its key, when not in the same file.")
@click.option("--require-tokens", is_flag=True, default=None, help="Never give a seat back for a name alone.")
@click.option(
    "--origin", multiple=True, metavar="ORIGIN", help="Allow browsers from this site too; * for any."
)
@click.option(
    "--cluster",
    multiple=True,
    metavar="URL",
    help="Several machines keep this house: nats://HOST:PORT of each server of NATS.",
)
@click.option(
    "--nodes",
    type=click.IntRange(1, 64),
    help="So many processes serve together, for more cores; with a server of NATS of their own (Linux).",
)
@click.option(
    "--set", "more", multiple=True, metavar="KEY=VALUE", help="Any other setting, see docs/hosting.md."
)
@click.option("--log-format", type=click.Choice(["console", "json"]), help="How logs look.  [console]")
@click.option("--log-level", type=click.Choice(logs.LEVELS), help="How much is logged.  [info]")
@click.option("--config", type=click.Path(dir_okay=False, path_type=Path), help="Settings from a TOML file.")
@click.option("--open", "browse", is_flag=True, help="Open the page in the browser of this machine.")
def serve(
    config: Path | None,
    more: tuple[str, ...],
    only: str | None,
    browse: bool,
    nodes: int | None,
    **given: Any,
) -> None:
    """Open the house: web page, Ludoteca's own protocol and the protocols of all games.

    Settings come from a TOML file, then from LUDOTECA_ variables, then from these options.

    \b
    ludoteca serve --port http=8080 --default multisweeper.players=3
    ludoteca serve --host 0.0.0.0 --tls-cert house.pem
    ludoteca serve --nodes 4 --data /var/lib/ludoteca
    """
    values: dict[str, Any] = {key: value for key, value in given.items() if value not in (None, ())}
    for key in ("port", "default"):
        if key in values:
            values[key] = settings.pairs(values[key])
    if only:
        values["only"] = [part for part in only.split(",") if part]
    for key in ("origin", "cluster"):
        if key in values:
            values[key] = list(values[key])
    values = {**settings.pairs(more), **values}
    reread = partial(settings.load, config, os.environ, values)
    chosen = reread()
    logs.configure(chosen.log_format, chosen.log_level)
    for sentence in settings.strangers(os.environ):
        logs.warn(sentence)
    say = partial(print, flush=True)
    if nodes:
        drained = asyncio.run(_serve_nodes(chosen, nodes, say, reread))
    else:
        with asyncio.Runner(loop_factory=_loop_factory()) as runner:
            drained = runner.run(run(chosen, say, partial(greet, chosen, browse=browse), reread))
    if drained:
        sys.exit(DRAINED)


async def _serve_nodes(
    chosen: settings.Settings, nodes: int, say: Callable[[str], None], reread: Callable[[], settings.Settings]
) -> bool:
    """Keep so many nodes on this machine. Raises LudotecaError."""
    if chosen.cluster:
        raise settings.SettingsError("--nodes brings its own server of NATS: leave cluster out")
    from ludoteca.server.cluster.local import Local

    return await Local(chosen, nodes, say).run(Call(), reread)


def _loop_factory() -> Any:
    """uvloop where there is one: it halves the cost of a move."""
    if sys.platform == "win32":
        return None
    import uvloop

    return uvloop.new_event_loop
