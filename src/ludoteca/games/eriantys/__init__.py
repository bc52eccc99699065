"""Eriantys: schools of magic, islands and mother nature, for two or three players or two teams of two."""

from ludoteca.core import Game, Text, Wire
from ludoteca.games.eriantys import drawing, encoding, rules, speech, text, view, wire
from ludoteca.games.eriantys.actions import Action
from ludoteca.games.eriantys.advice import ADVICE
from ludoteca.games.eriantys.bot import BOTS, opinion
from ludoteca.games.eriantys.data import NUMBERS, PRINTED
from ludoteca.games.eriantys.events import Event
from ludoteca.games.eriantys.state import State
from ludoteca.games.eriantys.why import WHY

GAME: Game[State, Action, Event, view.View] = Game(
    name="eriantys",
    title="Eriantys",
    version=1,
    seats=range(min(NUMBERS), max(NUMBERS) + 1),
    actions=Action,
    events=Event,
    views=view.View,
    options=rules.Options,
    preferences=rules.Preferences,
    cards=PRINTED,
    agree=rules.agree,
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
        java=wire.converse_in_java,
        breaks_up=frozenset({"end"}),
    ),
    why=WHY,
    opinion=opinion,
    advice=ADVICE,
    vocabulary=encoding.vocabulary,
    tensor=encoding.tensor,
    bots=BOTS,
)
