"""`ludoteca conformance`: tries a server of a protocol from outside, and says what it does not do."""

import asyncio
import importlib
import importlib.util
import sys
from collections import Counter

import click
import msgspec

from ludoteca import games
from ludoteca.cli.conformance.kit import Kit, Result, Suite, Unreachable
from ludoteca.clients.address import HOUSE_PORT, host_and_port
from ludoteca.core import Refused


@click.command(short_help="Try a server of a protocol, and say what it does not do.")
@click.argument("game")
@click.argument("address", metavar="HOST:PORT")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead.")
@click.option(
    "--patience",
    type=click.FloatRange(0.1, 600),
    default=5.0,
    metavar="S",
    help="How long to wait for a word of the server.  [5]",
)
@click.option(
    "--players",
    type=click.IntRange(2, 8),
    default=2,
    metavar="N",
    help="How many a table of Multisweeper has, where nobody is asked.  [2]",
)
@click.option("--seed", type=int, default=0, metavar="N", help="Decides about names and moves.  [0]")
@click.option("--section", "sections", multiple=True, metavar="NAME", help="Only this part; may be repeated.")
def conformance(
    game: str,
    address: str,
    as_json: bool,
    patience: float,
    players: int,
    seed: int,
    sections: tuple[str, ...],
) -> None:
    """Try a server at HOST:PORT that speaks the protocol of GAME, or `house`, Ludoteca's own.

    Message by message, as the protocol's page has it: whole matches, refusals, packets cut anywhere. The
    server should be a fresh one with nobody else at it. What a server `lacks` is on the page and not in the
    seed's document; `untried` is what chance did not bring about.

    Exits with 0 when nothing failed, with 1 when something did, with 2 when there is no server.
    """
    suite = find(game)
    port = HOUSE_PORT if game == "house" else games.load(game).protocol().port
    kit = Kit(suite, *host_and_port(address, port), patience_s=patience, players=players, seed=seed)
    known = {check.section for check in suite.checks} | {"messages"}
    if unknown := set(sections) - known:
        raise Refused(
            f"there is no section {', '.join(sorted(unknown))}; there are {', '.join(sorted(known))}",
            "section",
        )
    try:
        results = asyncio.run(_run(kit, sections, quiet=as_json))
    except Unreachable as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(2)
    counts = Counter(result.outcome for result in results)
    if as_json:
        shown = {"protocol": game, "address": address, "counts": counts, "results": results}
        click.echo(msgspec.json.format(msgspec.json.encode(shown)).decode())
    else:
        told = ", ".join(f"{counts[outcome]} {outcome}" for outcome in ("ok", "failed", "lacks", "untried"))
        click.echo(f"\n{told}")
    sys.exit(1 if counts["failed"] else 0)


def find(game: str) -> Suite:
    """The suite of a protocol. Raises Refused."""
    if game != "house":
        games.load(game)
    module = f"{__name__}.{game}"
    if importlib.util.find_spec(module) is None:
        raise Refused(f"there are no checks for the protocol of {game}", "game")
    suite: Suite = importlib.import_module(module).SUITE
    return suite


async def _run(kit: Kit, sections: tuple[str, ...], *, quiet: bool) -> list[Result]:
    results: list[Result] = []
    async for result in kit.run(sections):
        if not quiet:
            if not results or results[-1].section != result.section:
                click.echo(result.section)
            _tell(result)
        results.append(result)
    return results


def _tell(result: Result) -> None:
    sign = result.outcome.upper() if result.outcome == "failed" else result.outcome
    click.echo(f"  {sign:8} {result.text}")
    if result.expected:
        click.echo(f"           expected {result.expected}")
    if result.instead:
        click.echo(f"           {result.instead}")
    for line in result.talk:
        click.echo(f"           | {line}")
