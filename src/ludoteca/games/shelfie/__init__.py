"""My Shelfie: tiles from the living room, put into a bookshelf, for goals shared and secret."""

from ludoteca.core import Game, Text, Wire
from ludoteca.games.shelfie import drawing, encoding, rules, speech, text, view, wire
from ludoteca.games.shelfie.actions import Action
from ludoteca.games.shelfie.advice import ADVICE
from ludoteca.games.shelfie.bot import BOTS, opinion
from ludoteca.games.shelfie.data import PRINTED, SEATS
from ludoteca.games.shelfie.events import Event
from ludoteca.games.shelfie.state import Options, State
from ludoteca.games.shelfie.why import WHY

GAME: Game[State, Action, Event, view.View] = Game(
    name="shelfie",
    title="My Shelfie",
    version=1,
    seats=SEATS,
    actions=Action,
    events=Event,
    views=view.View,
    options=Options,
    cards=PRINTED,
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
    wire=Wire(
        port=wire.PORT,
        settings=wire.Settings,
        converse=wire.Conversation,
        messages=wire.MESSAGES,
        java=wire.JavaConversation,
    ),
    why=WHY,
    opinion=opinion,
    advice=ADVICE,
    vocabulary=encoding.vocabulary,
    tensor=encoding.tensor,
    bots=BOTS,
)
