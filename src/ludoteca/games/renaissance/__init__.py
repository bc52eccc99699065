"""Masters of Renaissance: marbles, cards and faith for one to four players; alone it
is played against Lorenzo."""

from ludoteca.core import Game, Text, Wire
from ludoteca.games.renaissance import drawing, encoding, rules, speech, text, view, wire
from ludoteca.games.renaissance.actions import Action
from ludoteca.games.renaissance.advice import ADVICE
from ludoteca.games.renaissance.bot import BOTS, opinion
from ludoteca.games.renaissance.data import PRINTED
from ludoteca.games.renaissance.events import Event
from ludoteca.games.renaissance.state import State
from ludoteca.games.renaissance.why import WHY

GAME: Game[State, Action, Event, view.View] = Game(
    name="renaissance",
    title="Masters of Renaissance",
    version=2,
    seats=range(1, 5),
    actions=Action,
    events=Event,
    views=view.View,
    cards=PRINTED,
    start=rules.start,
    apply=rules.apply,
    leave=rules.leave,
    rejoin=rules.rejoin,
    view=view.view,
    seen=view.seen,
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
    wire=Wire(
        port=wire.PORT,
        settings=wire.Settings,
        converse=wire.Conversation,
        messages=wire.MESSAGES,
        java=wire.java.Original,
    ),
    proposals={"place": view.propose},
    why=WHY,
    opinion=opinion,
    advice=ADVICE,
    vocabulary=encoding.vocabulary,
    tensor=encoding.tensor,
    bots=BOTS,
)
