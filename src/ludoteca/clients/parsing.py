"""What a person types, in any mode: an answer, or a command that begins with a slash."""

from typing import NamedTuple

from ludoteca.core import Refused
from ludoteca.core.wording import meant


class Command(NamedTuple):
    """A command with the rest of its line."""

    name: str
    rest: str


# What every table understands, with what it does; the order is the order of the help.
COMMANDS = {
    "help": "what is asked, what the rules say about it, and these commands",
    "options": "every answer that is possible now",
    "hint": "what a strong bot would answer in your place; against bots only",
    "rules": "[CARD]: the rules of this game, or what is printed on a card",
    "any": "let chance choose the answer",
    "board": "the board again; line by line it is told, and `/board drawn` draws it",
    "who": "who sits at the table",
    "log": "what has happened",
    "say": "TEXT: say something to all at the table; a line that begins with ' does the same",
    "tell": "NAME TEXT: say something to one player",
    "mute": "NAME: hide what somebody says, or show it again",
    "report": "NAME TEXT: tell the host about somebody at this table; nobody else hears of it",
    "invite": "the address of this table, as a QR code too",
    "tables": "your other tables, and the lobby",
    "bot": "[LEVEL]: seat a bot on a free chair",
    "rematch": "play again with the same people",
    "continue": "[LEVEL]: play on, against bots, a match that was broken off",
    "leave": "get up from the table",
    "quit": "end the program; your seat is kept for a while",
}
# Slips of the finger are cheaper with a few short names.
_SHORT = {"?": "help", "h": "help", "q": "quit", "exit": "quit", "chat": "say", "players": "who"}


def parse(line: str) -> Command:
    """A typed line. An answer to the question is the command "answer".

    Raises Refused for unknown commands.
    """
    line = line.strip()
    if line in ("?", "help"):
        return Command("help", "")
    if line.startswith("'"):
        return Command("say", line[1:].strip())
    if not line.startswith("/"):
        return Command("answer", line)
    name, _, rest = line[1:].partition(" ")
    name = _SHORT.get(name.casefold(), name.casefold())
    if name not in COMMANDS:
        near = [known for known in COMMANDS if name and known.startswith(name)]
        if len(near) != 1:
            raise Refused(f"there is no command /{name}{meant(name, COMMANDS)}; /help lists them", "words")
        name = near[0]
    return Command(name, rest.strip())


def is_answer(line: str) -> bool:
    """Whether a line is for the question that is asked, and not a command or something to say."""
    line = line.strip()
    return line == "/any" or (bool(line) and not line.startswith(("/", "'", "?")))


def help_lines() -> list[str]:
    """The commands, one a line."""
    return [
        f"/{name} {text}" if text[0] in "[N" or text.startswith("TEXT") else f"/{name}: {text}"
        for name, text in COMMANDS.items()
    ]
