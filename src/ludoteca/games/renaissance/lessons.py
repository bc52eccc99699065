"""Masters of Renaissance in four positions: the market, faith, a card, a leader."""

from typing import Any

from ludoteca.core import Dice
from ludoteca.core.lesson import Lesson, Try, right, words, wrong
from ludoteca.games.renaissance import rules
from ludoteca.games.renaissance.actions import BuyCard, DiscardLeader, PlayLeader, TakeLine
from ludoteca.games.renaissance.data import CARDS, COLOURS, LEVELS, Marble
from ludoteca.games.renaissance.events import EMPTY, Depot
from ludoteca.games.renaissance.state import Board, Pile, State, Tabletop

_MARBLES: dict[str, Marble] = {
    "w": "white",
    "r": "red",
    "b": "blue",
    "y": "yellow",
    "g": "grey",
    "p": "purple",
}


def _table(market: str = "bbgw wryp pgyw", *, hand: tuple[str, ...] = (), **own: Any) -> State:
    """Seat 0 is to act; of each deck the card with the lowest number lies on top."""
    decks = [
        tuple(
            reversed(
                [card for card, facts in CARDS.items() if (facts.level, facts.colour) == (level, colour)]
            )
        )
        for level in LEVELS
        for colour in COLOURS
    ]
    boards = (
        Board(dealt=hand, kept=True, hand=hand, **own),
        Board(kept=True, faith=4, depots=(EMPTY, Depot("stones", 1), EMPTY)),
    )
    tabletop = Tabletop(
        first=0,
        boards=boards,
        marbles=tuple(_MARBLES[sign] for sign in market if sign != " "),
        slide="white",
        grid=tuple(Pile(deck[-1], len(deck)) for deck in decks),
        phase="turns",
    )
    state = State(tabletop, decks, (), Dice(1), rules.TAKE_BACKS)
    rules.ask(state)
    return state


def _shields(answer: Try) -> str:
    return {0: "none", 1: "one"}.get(answer.after.tabletop.waiting.count("shields"), "two")


def _reported(answer: Try) -> str:
    return "report" if answer.after.tabletop.boards[0].tiles[0] == "up" else "none"


def _bought(answer: Try) -> str:
    if isinstance(answer.action, BuyCard):
        return "bought"
    return "market" if isinstance(answer.action, TakeLine) else "produce"


def _led(answer: Try) -> str:
    if isinstance(answer.action, PlayLeader):
        return "played"
    return "discarded" if isinstance(answer.action, DiscardLeader) else "action"


LESSONS = (
    Lesson(
        id="market",
        title=words("The market", "Il mercato"),
        ask=words("Take two shields with one arrow.", "Prendi due scudi con una sola freccia."),
        hint=words(
            "An arrow takes its whole line: blue is a shield, grey a stone, yellow a coin, purple a servant.",
            "Una freccia prende tutta la linea: blu scudo, grigio pietra, giallo moneta, viola servitore.",
        ),
        position=lambda: _table(),
        judge=_shields,
        verdicts={
            "two": right(
                "Two shields and a stone. White marbles give nothing, unless a leader changes them.",
                "Due scudi e una pietra. Le biglie bianche non danno niente, se un leader non le cambia.",
            ),
            "one": wrong(
                "This line has one blue marble only. Another has two.",
                "Questa linea ha una sola biglia blu. Un'altra ne ha due.",
            ),
            "none": wrong("No blue marble lies in this line.", "In questa linea non c'è nessuna biglia blu."),
        },
    ),
    Lesson(
        id="faith",
        title=words("The pope's report", "Il rapporto del papa"),
        ask=words(
            "You stand on cell 7 of the faith track. Bring about the report on cell 8.",
            "Sei sulla casella 7 della fede. Fai partire il rapporto della casella 8.",
        ),
        hint=words("The red marble is one step of faith.", "La biglia rossa è un passo di fede."),
        position=lambda: _table(faith=7),
        judge=_reported,
        verdicts={
            "report": right(
                "Cell 8: you get two points, and your rival on cell 4 is too late, for good.",
                "Casella 8: prendi due punti, e il rivale, alla 4, è in ritardo per sempre.",
            ),
            "none": wrong(
                "No red marble, no faith. Your rival gains time to reach cell 5.",
                "Niente biglia rossa, niente fede. Il rivale ha tempo di arrivare alla casella 5.",
            ),
        },
    ),
    Lesson(
        id="card",
        title=words("Your first card", "La prima carta"),
        ask=words("You have enough for one card. Buy it.", "Hai abbastanza per una carta. Comprala."),
        hint=words(
            "A card with a check can be paid now. Level 1 goes into an empty slot.",
            "Una carta con il segno di spunta si può pagare ora. Il livello 1 va in uno spazio vuoto.",
        ),
        position=lambda: _table(depots=(Depot("coins", 1), Depot("shields", 2), EMPTY)),
        judge=_bought,
        verdicts={
            "bought": right(
                "Two shields paid. From the next turn on the card turns a coin into faith.",
                "Due scudi pagati. Dal prossimo turno la carta trasforma una moneta in fede.",
            ),
            "market": wrong(
                "More resources, but you have enough for a card already, and depots are small.",
                "Altre risorse, ma per una carta ne hai già abbastanza, e i depositi sono piccoli.",
            ),
            "produce": wrong(
                "The basic power turns two resources into one: then the card cannot be paid any more.",
                "Il potere base trasforma due risorse in una: poi la carta non si può più pagare.",
            ),
        },
    ),
    Lesson(
        id="leader",
        title=words("A leader", "Un leader"),
        ask=words(
            "Leaders cost no action. Play the one whose requirement you meet.",
            "I leader non costano un'azione. Gioca quello di cui soddisfi il requisito.",
        ),
        hint=words(
            "One wants a green and a yellow card, the other five stones. Look at your slots.",
            "Uno vuole una carta verde e una gialla, l'altro cinque pietre. Guarda i tuoi spazi.",
        ),
        position=lambda: _table(hand=("L001", "L006"), slots=(("D001",), ("D004",), ())),
        judge=_led,
        verdicts={
            "played": right(
                "Nothing is paid. Cards cost you one servant less from now on, and your action is left.",
                "Non si paga niente. Da ora le carte ti costano un servitore in meno, e hai ancora l'azione.",
            ),
            "discarded": wrong(
                "Discarding gives one faith, but the leader is gone, with its points.",
                "Scartarlo dà un passo di fede, ma il leader è perso, con i suoi punti.",
            ),
            "action": wrong(
                "That is your main action of the turn. A leader can be played before it.",
                "Questa è la tua azione principale. Un leader si può giocare prima.",
            ),
        },
    ),
)
