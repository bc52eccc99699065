"""Multisweeper: minesweeper in turns; whoever clicks a mine is out, the last one left wins."""

from ludoteca.core import Game, Text, Wire
from ludoteca.games.multisweeper import drawing, encoding, rules, speech, text, view, wire
from ludoteca.games.multisweeper.actions import Action
from ludoteca.games.multisweeper.advice import ADVICE
from ludoteca.games.multisweeper.bot import BOTS, FORMER
from ludoteca.games.multisweeper.data import Options
from ludoteca.games.multisweeper.events import Event
from ludoteca.games.multisweeper.state import State
from ludoteca.games.multisweeper.why import WHY

GAME: Game[State, Action, Event, view.View] = Game(
    name="multisweeper",
    title="Multisweeper",
    version=1,
    seats=range(2, 9),
    actions=Action,
    events=Event,
    views=view.View,
    options=Options,
    settle=rules.settle,
    start=rules.start,
    apply=rules.apply,
    leave=rules.leave,
    view=view.view,
    update=view.update,
    redeal=view.redeal,
    reveal=view.reveal,
    text=Text(
        draw=text.draw,
        tell=text.tell,
        ask=text.ask,
        write=text.write,
        read=text.read,
        explain=text.explain,
        inks=text.INKS,
        board=drawing.board,
        speak=speech.speak,
    ),
    wire=Wire(port=wire.PORT, settings=wire.Settings, converse=wire.Conversation),
    why=WHY,
    advice=ADVICE,
    vocabulary=encoding.vocabulary,
    tensor=encoding.tensor,
    bots=BOTS,
    former_bots=FORMER,
)
