"""The pages that a table has to read: help, the log, the rules, an invitation."""

from rich.markdown import Markdown
from rich.text import Text

from ludoteca.clients import invitation, parsing
from ludoteca.clients.ascii import plain
from ludoteca.clients.colours import paint_line
from ludoteca.clients.completion import outline
from ludoteca.clients.desks.desk import Desk
from ludoteca.clients.screens.texts import TextPage
from ludoteca.core import Refused

_KEYS = """Keys
  letters    narrow the choices, or type a whole answer
  arrows     walk over the choices; the mouse clicks them
  Tab        complete the marked word
  Enter      take the marked choice, or send what you typed
  Esc        one word back
  mouse      a click on a place of the board answers with it
  F4         arrows and Enter are for the board, until Esc
  F2, F3     what happened; talk to the table
  F6, F8     your other tables; a hint (against bots only)
  PgUp, PgDn, Ctrl+arrows   scroll the board
  F10        leave the table
  Ctrl+Q     quit; your seat is kept"""


def help_page(desk: Desk, *, ascii_only: bool) -> TextPage:
    """What is asked, what the rules say, and the keys."""
    prompt = desk.prompt
    parts = []
    if prompt is not None:
        parts += [prompt.sentence, prompt.explanation]
        if desk.asking:
            parts.append("Possible now:\n" + "\n".join(f"  {line}" for line in outline(prompt.answers, 8)))
    parts += [_KEYS, "Commands\n" + "\n".join(f"  {line}" for line in parsing.help_lines())]
    text = "\n\n".join(part for part in parts if part)
    return TextPage("Help", plain(text) if ascii_only else text)


def log_page(desk: Desk, *, ascii_only: bool) -> TextPage:
    """Everything that happened."""
    names = [player.name for player in desk.players]
    painted = [paint_line(line, names, hues=desk.hues, ascii_only=ascii_only) for line in desk.lines]
    return TextPage("What happened", Text("\n").join(painted), at_end=True)


def rules_page(desk: Desk, card: str, *, ascii_only: bool) -> TextPage:
    """The rules of the game, or what is printed on a card. Raises Refused."""
    text = desk.rules(card)
    text = plain(text) if ascii_only else text
    return TextPage("Rules", text if card else Markdown(text))


def invitation_page(desk: Desk, *, ascii_only: bool) -> TextPage:
    """Where others find this table. Raises Refused when nobody can."""
    if not desk.address:
        raise Refused("nobody else can come to this table", "invite")
    drawn = Text("\n".join(invitation.code(desk.address, ascii_only=ascii_only)), "black on white")
    return TextPage("Invite", Text("\n\n").join([Text(desk.address), drawn]))
