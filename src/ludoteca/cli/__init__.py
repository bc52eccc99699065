"""The command line: `ludoteca --help`. A command's module is imported only when the command is called."""

import importlib
from typing import Any

import click

from ludoteca.core.errors import LudotecaError
from ludoteca.core.wording import meant

# Name: (module, attribute, what the overview says about it).
COMMANDS = {
    "serve": ("ludoteca.cli.serve", "serve", "Open the house."),
    "play": ("ludoteca.clients.commands", "play", "Play in this terminal, with bots or in a house."),
    "watch": ("ludoteca.clients.commands", "watch", "Look on at a table."),
    "connect": ("ludoteca.clients.commands", "connect", "Play at any server of a game's own protocol."),
    "rules": ("ludoteca.cli.rules", "rules", "Read the rules of a game, or one of its cards."),
    "tables": ("ludoteca.cli.house", "tables", "List the tables of a house."),
    "status": ("ludoteca.cli.house", "status", "Say how a house is."),
    "config": ("ludoteca.cli.config", "config", "Show the settings in force, and where they come from."),
    "doctor": ("ludoteca.cli.doctor", "doctor", "Look at a set-up, and say what to do."),
    "admin": ("ludoteca.cli.admin", "admin", "Look after a house: who is here, bans, invitations, restart."),
    "cluster": ("ludoteca.cli.cluster", "cluster", "Look after a house on several machines."),
    "think": ("ludoteca.cli.think", "think", "Think for the bots of a house on several machines."),
    "service": ("ludoteca.cli.service", "service", "Run the house as a systemd unit."),
    "replay": ("ludoteca.cli.replay", "replay", "Step through a match that was played."),
    "verify": ("ludoteca.cli.verify", "verify", "Re-execute every stored match and compare."),
    "backup": ("ludoteca.cli.backup", "backup", "Copy a house, also while people play."),
    "restore": ("ludoteca.cli.backup", "restore", "Bring a copy of a house back."),
    "prune": ("ludoteca.cli.data", "prune", "Remove finished matches that are old."),
    "export": ("ludoteca.cli.data", "export", "Write finished matches to files."),
    "import": ("ludoteca.cli.data", "import_", "Take in matches from files."),
    "drop": ("ludoteca.cli.data", "drop", "Remove a table that nobody can play at."),
    "conformance": (
        "ludoteca.cli.conformance",
        "conformance",
        "Try a server of a protocol, and say what it does not do.",
    ),
    "protocol": ("ludoteca.cli.protocol", "protocol", "Print a protocol, as a page or as a schema."),
    "completion": ("ludoteca.cli.shell", "completion", "Complete `ludoteca` in your shell."),
    "man": ("ludoteca.cli.shell", "man", "Print the manual page."),
    "arena": ("ludoteca.cli.arena", "arena", "Let bots play each other, and rate them."),
    "bench": ("ludoteca.bench.command", "command", "Measure what moves, connections and tables cost."),
}


class Commands(click.Group):
    """Commands by name; errors of ours are one clear line, not a traceback."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order a newcomer needs them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command's module."""
        if cmd_name not in COMMANDS:
            return None
        module, attribute, _ = COMMANDS[cmd_name]
        command: click.Command = getattr(importlib.import_module(module), attribute)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command; say which one may have been meant."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            near = meant(args[0], COMMANDS)
            ctx.fail(f"there is no command {args[0]!r}{near}; {ctx.info_name} --help lists them")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The overview, without importing anything."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, _, summary) in COMMANDS.items()])

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
    """Ludoteca, a house for networked board games.

    `ludoteca serve` opens the house; people join it in a browser, in a terminal, or with any client of the
    games' own protocols.
    """
