"""My Shelfie in four positions: a free side, a group, a common goal, the own goal."""

from msgspec.structs import replace

from ludoteca.core import Setup
from ludoteca.core.lesson import Lesson, Try, right, words, wrong
from ludoteca.games.shelfie import rules
from ludoteca.games.shelfie.data import COMMON_GOALS, SHELF_COLUMNS, SHELF_ROWS, TOKENS, Tile
from ludoteca.games.shelfie.state import Common, Grid, Options, State, wishes_of

_KINDS: dict[str, Tile] = {
    "c": "cat",
    "b": "book",
    "g": "game",
    "f": "frame",
    "t": "trophy",
    "p": "plant",
}


def _grid(picture: str) -> Grid:
    """Rows from the top, as they are drawn; a dot is nothing."""
    return tuple(tuple(_KINDS.get(sign) for sign in row) for row in picture.split())


_EMPTY = " ".join(["." * SHELF_COLUMNS] * SHELF_ROWS)


def _table(shelf: str, *, room: str = "", hand: str = "", commons: tuple[int, int] = (1, 11)) -> State:
    """Seat 0 is on turn, with this bookshelf; the rival has put away nothing yet."""
    state, _ = rules.start(Setup(2, 1, Options()))
    shelves = (_grid(shelf), _grid(_EMPTY))
    cards = (1, 2)
    state.tabletop = replace(
        state.tabletop,
        first=0,
        turn=0,
        room=_grid(room) if room else state.tabletop.room,
        shelves=shelves,
        hand=tuple(_KINDS[sign] for sign in hand),
        commons=tuple(Common(goal, COMMON_GOALS[goal], TOKENS[2], (0, 0)) for goal in commons),
        cards=cards,
        goals=tuple(map(wishes_of, cards, shelves)),
    )
    rules.survey(state)
    return state


def _taken(answer: Try) -> str:
    tiles = [answer.before.tabletop.room[row][column] for row, column in answer.action.cells]
    if len(tiles) < 3:
        return "few"
    return "three" if len(set(tiles)) == 1 else "mixed"


def _grouped(answer: Try) -> str:
    gained = answer.after.tabletop.groups[0] - answer.before.tabletop.groups[0]
    return {0: "none", 2: "small"}.get(gained, "large")


def _reached(answer: Try) -> str:
    return "reached" if any(common.taken[0] for common in answer.after.tabletop.commons) else "elsewhere"


def _met(state: State) -> int:
    return sum(wish.met for wish in state.tabletop.goals[0])


def _placed(answer: Try) -> str:
    if _met(answer.after) > _met(answer.before):
        return "met"
    return "order" if answer.action.column == 2 else "column"


LESSONS = (
    Lesson(
        id="take",
        title=words("Free sides", "Lati liberi"),
        ask=words("Take three cats in one go.", "Prendi tre gatti in un colpo solo."),
        hint=words(
            "One to three tiles in a straight line; each needs a side that touches no other tile.",
            "Da una a tre tessere in linea retta; ognuna con un lato che non tocca un'altra tessera.",
        ),
        position=lambda: _table(
            _EMPTY,
            room="......... ......... ......... ..cccfpb. .ftgbpcg. .bgpftc.. ...bgt... ....p.... .........",
        ),
        judge=_taken,
        verdicts={
            "three": right(
                "Three cats in a line, each with a free side above it. They fall into one column.",
                "Tre gatti in fila, ognuno con un lato libero sopra. Cadono in una sola colonna.",
            ),
            "few": wrong(
                "Legal, but fewer than you could have: three cats lie side by side at the edge.",
                "Permesso, ma sono meno di quante potevi: sul bordo ci sono tre gatti vicini.",
            ),
            "mixed": wrong(
                "Three tiles, but of several kinds: they do not make a group in your shelf.",
                "Tre tessere, ma di tipi diversi: nella libreria non fanno gruppo.",
            ),
        },
    ),
    Lesson(
        id="group",
        title=words("A group of four", "Un gruppo di quattro"),
        ask=words(
            "You hold two cats. Make the largest group of cats.",
            "Hai due gatti. Fai il gruppo di gatti più grande.",
        ),
        hint=words(
            "Tiles of one kind belong together when they touch by a side, not by a corner.",
            "Le tessere uguali stanno insieme se si toccano con un lato, non con un angolo.",
        ),
        position=lambda: _table("..... ..... ..... ..... c...f pctgb", hand="cc"),
        judge=_grouped,
        verdicts={
            "large": right(
                "All four touch: three points. Two apart would have been worth nothing.",
                "Si toccano tutti e quattro: tre punti. Due per parte non valevano niente.",
            ),
            "small": wrong(
                "Three cats, two points. Between the two there is a column that joins them all.",
                "Tre gatti, due punti. C'è una colonna che li unisce tutti.",
            ),
            "none": wrong(
                "Here they touch no other cat, and a pair counts nothing.",
                "Qui non toccano altri gatti, e una coppia non vale niente.",
            ),
        },
    ),
    Lesson(
        id="common",
        title=words("A common goal", "Un obiettivo comune"),
        ask=words(
            "You hold a cat. Reach the common goal of the four corners before your rival.",
            "Hai un gatto. Raggiungi l'obiettivo comune dei quattro angoli prima del rivale.",
        ),
        hint=words(
            "Three corners show a cat already. The last one is the top of a column.",
            "Tre angoli mostrano già un gatto. L'ultimo è la cima di una colonna.",
        ),
        position=lambda: _table("c.... b...g f...t g.p.f t.b.p cpgfc", hand="c", commons=(8, 11)),
        judge=_reached,
        verdicts={
            "reached": right(
                "Four corners of one kind: you take the top token, eight points, and keep it.",
                "Quattro angoli dello stesso tipo: prendi il gettone in cima, otto punti, ed è tuo.",
            ),
            "elsewhere": wrong(
                "No corner: your rival may be first, and the next token is worth less.",
                "Non è un angolo: il rivale può arrivare prima, e il gettone seguente vale meno.",
            ),
        },
    ),
    Lesson(
        id="personal",
        title=words("Your secret goal", "Il tuo obiettivo segreto"),
        ask=words(
            "You hold a trophy and a plant. Put one of them where your secret goal wants it.",
            "Hai un trofeo e una pianta. Metti uno dei due dove lo vuole il tuo obiettivo segreto.",
        ),
        hint=words(
            "Faint pictures in your shelf show the places. The first tile falls lowest.",
            "Le figure sbiadite nella libreria mostrano i posti. La prima tessera cade più in basso.",
        ),
        position=lambda: _table("..... ..... ..... ..... c...f pb.gb", hand="tp"),
        judge=_placed,
        verdicts={
            "met": right(
                "The trophy lies at the bottom of column 3, as the goal wants it.",
                "Il trofeo è in fondo alla colonna 3, come vuole l'obiettivo.",
            ),
            "order": wrong(
                "The right column, but the plant fell first. Change the order.",
                "La colonna è giusta, ma la pianta è caduta per prima. Cambia l'ordine.",
            ),
            "column": wrong(
                "In this column neither tile lies in a place of your goal.",
                "In questa colonna nessuna delle due è in un posto del tuo obiettivo.",
            ),
        },
    ),
)
