"""Connect Four: drop discs, get four in a line. A small game to copy from."""

from connectfour import rules, text, view
from connectfour.actions import Action
from connectfour.bot import BOTS
from connectfour.events import Event
from connectfour.state import State, Tabletop
from ludoteca.core import Game, Text

GAME: Game[State, Action, Event, Tabletop] = Game(
    name="connectfour",
    title="Connect Four",
    version=1,
    seats=range(2, 3),
    actions=Action,
    events=Event,
    views=Tabletop,
    start=rules.start,
    apply=rules.apply,
    leave=rules.leave,
    view=view.view,
    update=view.update,
    redeal=view.redeal,
    text=Text(
        draw=text.draw,
        tell=text.tell,
        ask=text.ask,
        write=text.write,
        read=text.read,
        explain=text.explain,
        inks=text.INKS,
    ),
    bots=BOTS,
)
