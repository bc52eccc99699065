"""Multisweeper in four positions: what numbers say about the cells around them."""

from collections.abc import Callable

from ludoteca.core import Seat, Setup
from ludoteca.core.lesson import Lesson, Try, Verdict, Words, right, words, wrong
from ludoteca.games.multisweeper import rules
from ludoteca.games.multisweeper.actions import Click
from ludoteca.games.multisweeper.data import Options
from ludoteca.games.multisweeper.state import State


def _field(picture: str) -> Callable[[], State]:
    """A field under way. `*` is a mine, `o` closed and safe as the numbers prove, `?` closed and safe by
    luck, `.` open."""
    rows = picture.split()

    def position() -> State:
        cells = "".join(rows)
        chosen = Options(len(rows[0]), len(rows), cells.count("*"), safe_first_click=False)
        state, _ = rules.start(Setup(2, 1, rules.settle(chosen, 2)))
        state.mines = sum(1 << cell for cell, sign in enumerate(cells) if sign == "*")
        for row, line in enumerate(rows):
            for column, sign in enumerate(line):
                click = Click(column, row)
                if sign == "." and click in state.questions[_mover(state)].choices:
                    rules.apply(state, _mover(state), click)
        state.mover = Seat(0)
        return state

    return position


def _mover(state: State) -> Seat:
    return next(iter(state.questions))


def _judge(picture: str) -> Callable[[Try], str]:
    rows = picture.split()
    return lambda answer: {"*": "mine", "o": "safe"}.get(
        rows[answer.action.row][answer.action.column], "luck"
    )


_MINE = wrong(
    "A mine: you would be out. Look again at the numbers that touch this cell.",
    "Una mina: saresti fuori. Guarda di nuovo i numeri che toccano questa casella.",
)
_LUCK = wrong(
    "There was no mine, but no number proved it. A cell that is certainly safe is open to you.",
    "Non c'era una mina, ma nessun numero lo provava. C'è una casella sicura di certo.",
)


def _lesson(id: str, picture: str, title: Words, ask: Words, hint: Words, why: Verdict) -> Lesson:
    verdicts = {"safe": why, "mine": _MINE} | ({"luck": _LUCK} if "?" in picture else {})
    return Lesson(id, title, ask, hint, _field(picture), _judge(picture), verdicts)


LESSONS = (
    _lesson(
        "counts",
        "o*.... ...... ...... ......",
        words("What a number says", "Che cosa dice un numero"),
        words(
            "Two cells are closed, and one hides a mine. Open the other.",
            "Due caselle sono chiuse, e una nasconde una mina. Apri l'altra.",
        ),
        words(
            "The 1 in the top row touches only one closed cell.",
            "L'1 della prima riga tocca una sola casella chiusa.",
        ),
        right(
            "The 1 above touches one closed cell, so the mine is there. All other 1s mean the same mine.",
            "L'1 in alto tocca una sola casella chiusa: la mina è lì. Gli altri 1 parlano della stessa mina.",
        ),
    ),
    _lesson(
        "onetwoone",
        "ooo... *o*... ...... ......",
        words("One, two, one", "Uno, due, uno"),
        words(
            "Below the wall stands 1 2 1. Open a cell that is certainly safe.",
            "Sotto il muro c'è 1 2 1. Apri una casella sicura di certo.",
        ),
        words(
            "The 2 needs two mines among three cells, and each 1 allows only one of its own.",
            "Il 2 vuole due mine fra tre caselle, e ogni 1 ne ammette una sola fra le sue.",
        ),
        right(
            "1 2 1 along a wall: the mines are under the 1s, the cell over the 2 is safe.",
            "1 2 1 lungo un muro: le mine sono sopra gli 1, la casella sopra il 2 è sicura.",
        ),
    ),
    _lesson(
        "edge",
        "*?o*? ..... ..... .....",
        words("Two ones at the edge", "Due uno sul bordo"),
        words(
            "A row of 1s. One cell above them can be opened without luck.",
            "Una fila di 1. Una casella sopra si può aprire senza fortuna.",
        ),
        words(
            "What the first 1 sees, the second sees too, and one cell more.",
            "Ciò che vede il primo 1 lo vede anche il secondo, e una casella in più.",
        ),
        right(
            "The first 1 has its mine in the first two cells. The second 1 sees both, so its third is free.",
            "Il primo 1 ha la mina nelle prime due caselle. Il secondo le vede entrambe: la terza è libera.",
        ),
    ),
    _lesson(
        "chain",
        "..*o* ..... ..... .....",
        words("One after the other", "Uno dopo l'altro"),
        words(
            "Three cells are closed in the corner. Which one is safe?",
            "Nell'angolo tre caselle sono chiuse. Quale è sicura?",
        ),
        words(
            "Begin with a 1 that touches a single closed cell, and go on to its neighbour.",
            "Comincia da un 1 che tocca una sola casella chiusa, poi passa al vicino.",
        ),
        right(
            "The left 1 finds its mine; the next 1 is satisfied by it, so what else it touches is safe.",
            "L'1 a sinistra trova la sua mina; al seguente basta quella, perciò il resto che tocca è sicuro.",
        ),
    ),
)
