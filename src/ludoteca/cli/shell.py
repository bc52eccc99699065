"""`ludoteca completion` and `ludoteca man`: what shells and `man` want to know, made from the help itself."""

import datetime
import os
from pathlib import Path

import click
from click.shell_completion import get_completion_class

_SHELLS = {
    "bash": "~/.local/share/bash-completion/completions/ludoteca",
    "zsh": "~/.local/share/zsh/site-functions/_ludoteca",
    "fish": "~/.config/fish/completions/ludoteca.fish",
}


@click.command(short_help="Complete `ludoteca` in your shell.")
@click.argument("shell", type=click.Choice([*_SHELLS]), required=False)
@click.option("--install", is_flag=True, help="Write it where the shell looks for it, and say where.")
@click.pass_context
def completion(ctx: click.Context, shell: str | None, install: bool) -> None:
    """Print what SHELL needs to complete commands, options, games and levels.

    Without SHELL it is the one that you use. For one session: `source <(ludoteca completion)`; for good:
    `ludoteca completion --install`.
    """
    shell = shell or Path(os.environ.get("SHELL", "")).name
    if shell not in _SHELLS:
        raise click.UsageError(f"say which shell: {', '.join(_SHELLS)}")
    kind = get_completion_class(shell)
    assert kind is not None
    script = kind(ctx.find_root().command, {}, "ludoteca", "_LUDOTECA_COMPLETE").source()
    if not install:
        click.echo(script)
        return
    place = Path(_SHELLS[shell]).expanduser()
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(script + "\n")
    click.echo(f"Written to {place}; new shells complete `ludoteca`.")
    if shell == "zsh":
        click.echo(f"zsh looks there when .zshrc has, before compinit: fpath=({place.parent} $fpath)")


@click.command(short_help="Print the manual page.")
@click.pass_context
def man(ctx: click.Context) -> None:
    """Print the manual page, made from the help of all commands: `ludoteca man | man -l -`."""
    from ludoteca import __version__

    root = ctx.find_root()
    group = root.command
    assert isinstance(group, click.Group)
    day = datetime.date.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH", "0")) or _today())
    lines = [f'.TH LUDOTECA 1 "{day}" "Ludoteca {__version__}" "User Commands"']
    lines += [".SH NAME", "ludoteca \\- a house for networked board games"]
    lines += [".SH SYNOPSIS", ".B ludoteca", "COMMAND [ARGS]..."]
    lines += [".SH DESCRIPTION", *_paragraphs(group.help or "")]
    lines.append(".SH COMMANDS")
    for name in group.list_commands(root):
        command = group.get_command(root, name)
        assert command is not None
        with click.Context(command, info_name=f"ludoteca {name}", parent=root) as inner:
            usage = " ".join(command.collect_usage_pieces(inner))
            lines += [f'.SS "ludoteca {name} {_escaped(usage)}"', *_paragraphs(command.help or "")]
            for parameter in command.get_params(inner):
                record = parameter.get_help_record(inner)
                if record is not None and record[0] != "-h, --help":
                    lines += [".TP", f".B {_escaped(record[0])}", _escaped(record[1])]
    lines += [
        ".SH FILES",
        ".TP",
        ".I $XDG_DATA_HOME/ludoteca",
        "the journal of the house, and `private` of one's own",
    ]
    lines += [".TP", ".I $XDG_STATE_HOME/ludoteca/terminal.json", "names and seats that `play` remembers"]
    lines += [".SH ENVIRONMENT", ".TP", ".B LUDOTECA_*", "settings of the house, see `ludoteca config`"]
    lines += [".TP", ".B NO_COLOR, TERM", "how many colours the terminal has"]
    lines += [".TP", ".B SSL_CERT_FILE", "certificates that are trusted in place of this machine's"]
    click.echo("\n".join(lines))


def _today() -> float:
    return datetime.datetime.now().timestamp()


def _paragraphs(text: str) -> list[str]:
    """Help text as a manual has it; what stands under \\b keeps its lines."""
    lines: list[str] = []
    for paragraph in _split(text):
        if paragraph.startswith("\b\n"):
            lines += [".PP", ".nf", *map(_escaped, paragraph.split("\n")[1:]), ".fi"]
        else:
            lines += [".PP", _escaped(" ".join(paragraph.split()))]
    return lines


def _split(text: str) -> list[str]:
    return [
        part for part in "\n".join(line.strip() for line in text.strip().split("\n")).split("\n\n") if part
    ]


def _escaped(line: str) -> str:
    """A line that cannot be taken for a command of the formatter."""
    line = line.replace("\\", "\\e").replace("-", "\\-").replace('"', "\\(dq")
    return f"\\&{line}" if line.startswith((".", "'")) else line
