"""Santorini in four positions: climb, close a tower, get high, and a god."""

from ludoteca.core import Seat
from ludoteca.core.lesson import Lesson, Try, right, words, wrong
from ludoteca.games.santorini.actions import Move
from ludoteca.games.santorini.data import Cell
from ludoteca.games.santorini.rules import apply
from ludoteca.games.santorini.state import State
from ludoteca.games.santorini.text import from_text


def _after(board: str, source: Cell, target: Cell) -> State:
    """A position in which A has moved and is to build."""
    state = from_text(board)
    apply(state, Seat(0), Move(source, target))
    return state


def _rival_wins(state: State) -> bool:
    """Whether the player on turn can win with one move."""
    for seat, question in state.questions.items():
        for choice in question.choices:
            tried = state.clone()
            apply(tried, seat, choice)
            if tried.outcome is not None and seat in tried.outcome.winners:
                return True
    return False


def _wins(answer: Try) -> str:
    if answer.after.outcome is not None:
        return "won"
    return "other" if answer.action.source != _highest(answer.before) else "level"


def _highest(state: State) -> object:
    return max(
        (one.source for one in state.choices if isinstance(one, Move)),
        key=lambda cell: state.towers[5 * cell.i + cell.j],
    )


def _closed(answer: Try) -> str:
    return "open" if _rival_wins(answer.after) else "closed"


def _height(answer: Try) -> str:
    target = answer.action.target
    level = answer.before.towers[5 * target.i + target.j]
    return {0: "ground", 1: "one", 2: "two"}[level]


LESSONS = (
    Lesson(
        id="climb",
        title=words("Climb", "Salire"),
        ask=words(
            "One of your workers stands on level 2. Win with one step.",
            "Una tua pedina è al livello 2. Vinci con un passo.",
        ),
        hint=words("Stepping up onto level 3 wins at once.", "Salire sul livello 3 fa vincere subito."),
        position=lambda: from_text(". . . . . / . 2A 3 . . / . 1 . B . / . . . . 2 / A . . . B"),
        judge=_wins,
        verdicts={
            "won": right(
                "From 2 up to 3: you have won. Nothing needs to be built any more.",
                "Dal 2 al 3: hai vinto. Non serve più costruire.",
            ),
            "other": wrong(
                "That worker stands on the ground: it climbs one level at a time and is far from winning.",
                "Quella pedina è a terra: sale un livello alla volta ed è lontana dalla vittoria.",
            ),
            "level": wrong(
                "That is a legal step, but it does not lead up. Level 3 is right beside you.",
                "È un passo permesso, ma non porta in alto. Il livello 3 è proprio accanto.",
            ),
        },
    ),
    Lesson(
        id="dome",
        title=words("Close the tower", "Chiudere la torre"),
        ask=words(
            "You have moved. Your rival stands on level 2 and wants to step up. Where do you build?",
            "Hai mosso. Il rivale è al livello 2 e vuole salire. Dove costruisci?",
        ),
        hint=words(
            "On level 3 only a dome is built, and nobody steps on domes.",
            "Sul livello 3 si costruisce solo una cupola, e sulle cupole non sale nessuno.",
        ),
        position=lambda: _after(
            ". . . . . / . A . 2B . / . 1 . 3 . / . . . . . / A . . . B", Cell(1, 1), Cell(1, 2)
        ),
        judge=_closed,
        verdicts={
            "closed": right(
                "The dome closes the tower for good: no step up is left to your rival.",
                "La cupola chiude la torre per sempre: al rivale non resta dove salire.",
            ),
            "open": wrong(
                "Your rival steps up to level 3 and wins. Build where he wants to go, not beside it.",
                "Il rivale sale al livello 3 e vince. Costruisci dove vuole andare, non accanto.",
            ),
        },
    ),
    Lesson(
        id="height",
        title=words("Get high", "Stare in alto"),
        ask=words(
            "Nobody can win yet. Take the step that threatens to.",
            "Nessuno può ancora vincere. Fai il passo che minaccia di farlo.",
        ),
        hint=words(
            "You climb one level at a time: whoever stands on 2 is one step from winning.",
            "Si sale un livello alla volta: chi sta al 2 è a un passo dalla vittoria.",
        ),
        position=lambda: from_text(". . . . . / . 1A 2 3 . / . 1 3 . . / . . . . B / 1A . . . B"),
        judge=_height,
        verdicts={
            "two": right(
                "On level 2 beside two towers of 3: your rival can close only one of them.",
                "Al livello 2 accanto a due torri da 3: il rivale può chiuderne una sola.",
            ),
            "one": wrong(
                "Level 1 is safe, but it threatens nothing. From level 1 you can go up to 2.",
                "Il livello 1 è sicuro, ma non minaccia niente. Dall'1 puoi salire al 2.",
            ),
            "ground": wrong(
                "Going down is free, and coming up again takes one turn for each level.",
                "Scendere è gratis, ma risalire costa un turno per livello.",
            ),
        },
    ),
    Lesson(
        id="god",
        title=words("With a god", "Con una divinità"),
        ask=words(
            "You play Pan, who also wins by stepping down two levels or more. Win.",
            "Giochi con Pan, che vince anche scendendo di due livelli o più. Vinci.",
        ),
        hint=words("Read the card of your god: tap it.", "Leggi la carta della tua divinità: toccala."),
        position=lambda: from_text(
            "1 1 1 . . / 1 2A 1 . . / 1 1 . . 3 / . . . B . / A . . 2 B", gods=["Pan", "Atlas"]
        ),
        judge=lambda answer: "won" if answer.after.outcome is not None else "short",
        verdicts={
            "won": right("Down from 2 to the ground: Pan wins.", "Dal 2 fino a terra: Pan vince."),
            "short": wrong(
                "Two levels down at once: from 2 only the ground is far enough.",
                "Due livelli in un solo passo: dal 2 basta solo il suolo.",
            ),
        },
    ),
)
