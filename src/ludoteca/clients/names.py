"""Names that shells complete: the games, and the levels of their bots."""

import click

from ludoteca import games


def of_games(_ctx: click.Context, _parameter: click.Parameter, begun: str) -> list[str]:
    """The games whose name begins so."""
    return [name for name in games.names() if name.startswith(begun.casefold())]


def of_levels(ctx: click.Context, _parameter: click.Parameter, begun: str) -> list[str]:
    """The levels of the game that was named before, or of all."""
    from ludoteca import bots

    game = ctx.params.get("game")
    known = [game] if game in games.names() else games.names()
    levels = dict.fromkeys(level for name in known for level in bots.levels(games.load(name)))
    return [level for level in levels if level.startswith(begun)]
