"""`ludoteca rules`: how a game is played, and what is printed on its cards."""

from typing import Any

import click

from ludoteca import bots, games
from ludoteca.cli.house import show
from ludoteca.clients import names, rulebook


@click.command(short_help="Read the rules of a game, or one of its cards.")
@click.argument("game", required=False, shell_complete=names.of_games)
@click.argument("card", required=False)
@click.option("--glossary", is_flag=True, help="What the words of the house mean.")
@click.option("--json", "as_json", is_flag=True, help="The list of games, or a game's cards, as JSON.")
def rules(game: str | None, card: str | None, glossary: bool, as_json: bool) -> None:
    """Read the rules of GAME, or what is printed on its CARD.

    Without GAME, list the games: players, and the levels of their bots.

    \b
    ludoteca rules santorini
    ludoteca rules santorini Apollo
    ludoteca rules renaissance L007
    """
    if glossary:
        click.echo(rulebook.glossary())
    elif game is None:
        _list(as_json)
    elif card is not None:
        click.echo("\n".join(rulebook.card(games.load(game), card)))
    elif as_json:
        show(rulebook.cards(games.load(game)))
    else:
        click.echo_via_pager(rulebook.rules(game))


def _list(as_json: bool) -> None:
    known: list[dict[str, Any]] = [
        {
            "name": game.name,
            "title": game.title,
            "players": [game.seats[0], game.seats[-1]],
            "levels": bots.levels(game),
        }
        for game in games.load_all()
    ]
    if as_json:
        show(known)
        return
    for one in known:
        low, high = one["players"]
        click.echo(
            f"{one['name']}: {one['title']}, {low} to {high} players; bots: {', '.join(one['levels'])}"
        )
