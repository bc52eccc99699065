"""Eriantys in four positions: an assistant, a professor, mother nature, a cloud."""

from typing import Any

from msgspec.structs import replace

from ludoteca.core import Seat, Setup
from ludoteca.core.lesson import Lesson, Try, right, words, wrong
from ludoteca.games.eriantys import rules
from ludoteca.games.eriantys.actions import MoveToIsland
from ludoteca.games.eriantys.events import Students
from ludoteca.games.eriantys.state import NOBODY, Island, State

# Students are counted green, red, yellow, pink, blue.
_ME, _RIVAL = Seat(0), Seat(1)


def _table(
    mine: dict[str, Any], theirs: dict[str, Any], islands: dict[int, Students] | None = None, **changes: Any
) -> State:
    """The first round of two, seat 0 on turn; what a lesson is about is changed."""
    state, _ = rules.start(Setup(2, 1, rules.Options(mode="Basic")))
    tabletop = state.tabletop
    one, other = tabletop.players
    state.tabletop = replace(
        tabletop,
        **{
            "phase": "action",
            "first": _ME,
            "current": _ME,
            "order": (_ME, _RIVAL),
            "mother_nature": 0,
            "islands": tuple(
                Island((number,), (islands or {}).get(number, NOBODY), None, 0)
                for number in range(len(tabletop.islands))
            ),
            "players": (_player(one, 5, mine), _player(other, 6, theirs)),
            **changes,
        },
    )
    rules.ask(state)
    return state


def _player(player: Any, assistant: int, changes: dict[str, Any]) -> Any:
    hand = tuple(value for value in player.hand if value != changes.get("assistant", assistant))
    return replace(player, **{"assistant": assistant, "hand": hand, **changes})


def _first(answer: Try) -> str:
    order = answer.after.tabletop.order
    return "first" if order[0] == _ME else "later"


def _professor(answer: Try) -> str:
    if answer.after.tabletop.professors.count(_ME) > answer.before.tabletop.professors.count(_ME):
        return "taken"
    return "island" if isinstance(answer.action, MoveToIsland) else "table"


def _walked(answer: Try) -> str:
    before, after = answer.before.tabletop.players, answer.after.tabletop.players
    if after[_ME].towers < before[_ME].towers:
        return "mine"
    return "theirs" if after[_RIVAL].towers < before[_RIVAL].towers else "nobody"


def _cloud(answer: Try) -> str:
    green = answer.after.tabletop.players[_ME].entrance[0]
    return "green" if green >= 2 else "other"


LESSONS = (
    Lesson(
        id="assistant",
        title=words("Who goes first", "Chi va per primo"),
        ask=words(
            "Your rival has played a 4. Play an assistant so that you move first.",
            "Il rivale ha giocato un 4. Gioca un assistente per muovere prima di lui.",
        ),
        hint=words(
            "Low values move first; high ones let mother nature walk further.",
            "I valori bassi muovono prima; quelli alti fanno camminare di più Madre Natura.",
        ),
        position=lambda: _table(
            {"assistant": None},
            {"assistant": 4},
            phase="planning",
            first=_RIVAL,
            order=(_RIVAL, _ME),
        ),
        judge=_first,
        verdicts={
            "first": right(
                "Lower than 4: you move first in this round, and begin the next one.",
                "Più basso di 4: in questa manche muovi prima tu, e cominci la prossima.",
            ),
            "later": wrong(
                "Higher than 4: mother nature may walk further, but your rival moves first.",
                "Più alto di 4: Madre Natura può camminare di più, ma il rivale muove prima.",
            ),
        },
    ),
    Lesson(
        id="professor",
        title=words("A professor", "Un professore"),
        ask=words(
            "One student is left to move. Take a professor from your rival.",
            "Resta uno studente da muovere. Togli un professore al rivale.",
        ),
        hint=words(
            "You need more students of a colour at your table than your rival has. Red stands two to two.",
            "Servono più studenti di un colore al tuo tavolo che a quello del rivale. Il rosso è due a due.",
        ),
        position=lambda: _table(
            {"entrance": (1, 1, 1, 0, 0), "dining": (1, 2, 0, 0, 0)},
            {"dining": (3, 2, 2, 0, 0)},
            moved=2,
            professors=(_RIVAL, _RIVAL, _RIVAL, None, None),
        ),
        judge=_professor,
        verdicts={
            "taken": right(
                "Three reds to two: the professor comes to you, and red counts for you on all islands.",
                "Tre rossi a due: il professore è tuo, e il rosso conta per te su tutte le isole.",
            ),
            "table": wrong(
                "At this table your rival still has more students: the professor stays there.",
                "A questo tavolo il rivale ha ancora più studenti: il professore resta suo.",
            ),
            "island": wrong(
                "On an island it counts for whoever has its professor, and that is your rival.",
                "Su un'isola conta per chi ne ha il professore, cioè per il rivale.",
            ),
        },
    ),
    Lesson(
        id="walk",
        title=words("Mother nature", "Madre Natura"),
        ask=words(
            "You have the red professor, your rival the green one. Walk to an island that becomes yours.",
            "Tu hai il professore rosso, il rivale il verde. Fermati su un'isola che diventa tua.",
        ),
        hint=words(
            "Count on each island: reds are yours, greens your rival's. A tie changes nothing.",
            "Conta su ogni isola: i rossi sono tuoi, i verdi del rivale. In parità non cambia niente.",
        ),
        position=lambda: _table(
            {"entrance": (2, 1, 1, 0, 0), "dining": (0, 3, 0, 0, 0)},
            {"dining": (3, 0, 0, 0, 0)},
            {1: (2, 1, 0, 0, 0), 2: (1, 1, 0, 0, 0), 3: (0, 2, 1, 0, 0), 5: (0, 1, 0, 1, 1)},
            moved=3,
            professors=(_RIVAL, _ME, None, None, None),
        ),
        judge=_walked,
        verdicts={
            "mine": right(
                "Two for you, none for your rival: you build. Yellow has no professor and counts for nobody.",
                "Due per te, nessuno per il rivale: costruisci. Il giallo non ha professore e non conta.",
            ),
            "theirs": wrong(
                "Two greens to one red: here your rival builds a tower, in your turn.",
                "Due verdi contro un rosso: qui è il rivale a costruire, nel tuo turno.",
            ),
            "nobody": wrong(
                "One to one: nobody has more, and nothing is built.",
                "Uno a uno: nessuno ne ha di più, e non si costruisce niente.",
            ),
        },
    ),
    Lesson(
        id="cloud",
        title=words("Choose a cloud", "Scegliere una nuvola"),
        ask=words(
            "Green stands three to two for your rival. Take the cloud that lets you overtake next round.",
            "Il verde è tre a due per il rivale. Prendi la nuvola che ti farà passare avanti.",
        ),
        hint=words(
            "The students of a cloud come into your entrance, and from there to your tables.",
            "Gli studenti di una nuvola vengono nel tuo ingresso, e da lì ai tuoi tavoli.",
        ),
        position=lambda: _table(
            {"entrance": (0, 1, 2, 1, 0), "dining": (2, 1, 0, 0, 0)},
            {"dining": (3, 0, 0, 0, 0)},
            moved=3,
            walked=True,
            clouds=((0, 1, 0, 1, 1), (2, 0, 1, 0, 0)),
            professors=(_RIVAL, _ME, None, None, None),
        ),
        judge=_cloud,
        verdicts={
            "green": right(
                "Two greens: seated next round they make four, and the professor is yours.",
                "Due verdi: seduti nel prossimo turno fanno quattro, e il professore è tuo.",
            ),
            "other": wrong(
                "No green among them: your rival keeps the professor.",
                "Nessun verde: il professore resta al rivale.",
            ),
        },
    ),
)
