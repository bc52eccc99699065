"""Santorini: two or three players, each under a god, build an island of towers and climb it."""

from ludoteca.core import Game, Text, Wire
from ludoteca.games.santorini import drawing, encoding, rules, speech, text, view, wire
from ludoteca.games.santorini.actions import Action
from ludoteca.games.santorini.advice import ADVICE
from ludoteca.games.santorini.bot import BOTS, opinion
from ludoteca.games.santorini.data import PRINTED
from ludoteca.games.santorini.events import Event
from ludoteca.games.santorini.state import Options, Preferences, State
from ludoteca.games.santorini.why import WHY

GAME: Game[State, Action, Event, view.View] = Game(
    name="santorini",
    title="Santorini",
    version=1,
    seats=range(2, 4),
    actions=Action,
    events=Event,
    views=view.View,
    options=Options,
    preferences=Preferences,
    cards=PRINTED,
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
        hues=drawing.hues,
        board=drawing.board,
        speak=speech.speak,
    ),
    wire=Wire(
        port=wire.PORT,
        settings=wire.Settings,
        converse=wire.Conversation,
        messages=wire.MESSAGES,
        breaks_up=frozenset({"end", "wait", "bot"}),
    ),
    why=WHY,
    opinion=opinion,
    advice=ADVICE,
    vocabulary=encoding.vocabulary,
    tensor=encoding.tensor,
    bots=BOTS,
)
