"""`ludoteca think`: a machine that only thinks, for the bots of a house on several machines."""

import asyncio
from pathlib import Path

import click

from ludoteca.cli.cluster import configured, set_options
from ludoteca.server import logs
from ludoteca.server.settings import Settings


@click.command(short_help="Think for the bots of a house on several machines.")
@click.option(
    "--cluster", multiple=True, metavar="URL", help="nats://HOST:PORT of each server of NATS of the house."
)
@click.option(
    "--workers", type=click.IntRange(1, 256), help="How many bots think here at once.  [the machine's cores]"
)
@set_options
def think(cluster: tuple[str, ...], workers: int | None, config: Path | None, more: tuple[str, ...]) -> None:
    """Think for the bots of a house that several machines keep, and do nothing else: no doors, no journal.
    The house asks this machine while it is there, and thinks itself where it is not (docs/cluster.md).

    \b
    ludoteca think --cluster nats://10.0.0.1:4222 --workers 8
    """
    settings = configured(config, more, cluster)
    logs.configure(settings.log_format, settings.log_level)
    asyncio.run(_think(settings, workers))


async def _think(settings: Settings, workers: int | None) -> None:
    from ludoteca.server.cluster.thinker import Thinker
    from ludoteca.server.serve import Call
    from ludoteca.server.workshop import cores

    call = Call()
    thinker = Thinker(settings, workers or cores())
    await thinker.run(call.stop, lambda: print(f"thinking {thinker.name}", flush=True))
