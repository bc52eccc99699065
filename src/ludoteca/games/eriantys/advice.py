"""What speaks for an assistant, a student's place, a walk, a cloud or a character."""

from collections.abc import Iterator

from ludoteca.core import Seat
from ludoteca.core.advice import Adviser, Words, likely, say
from ludoteca.games.eriantys import actions
from ludoteca.games.eriantys.actions import Action
from ludoteca.games.eriantys.bot.judge import evaluate
from ludoteca.games.eriantys.bot.players import strong
from ludoteca.games.eriantys.characters import IN_FORCE, influence
from ludoteca.games.eriantys.data import CHARACTERS, COLOUR_INDEX, COLOURS, STEPS, Colour
from ludoteca.games.eriantys.rules import apply
from ludoteca.games.eriantys.state import State, Tabletop

# A tower ahead, as `evaluate` counts.
EVEN = 15.0
# Low assistants begin early, high ones let mother nature walk.
EARLY = 4

_STUDENTS: dict[Colour, tuple[str, str]] = {
    "green": ("green", "verde"),
    "red": ("red", "rosso"),
    "yellow": ("yellow", "giallo"),
    "pink": ("pink", "rosa"),
    "blue": ("blue", "blu"),
}


def chance(state: State, seat: int) -> float:
    """How likely this seat's team comes out ahead."""
    return likely(evaluate(state, Seat(seat)), EVEN)


def explain(state: State, seat: int, action: Action) -> Words:
    """What speaks for an answer."""
    before = state.tabletop
    match action:
        case actions.PlayAssistant(value=value):
            return say(*_assistant(before, seat, value))
        case actions.TakeCloud(cloud=cloud):
            return say(*_cloud(before, seat, cloud))
        case actions.EndTurn() | actions.StopSwapping():
            return say(("nothing more is to be gained", "non c'è altro da guadagnare"))
        case actions.BuyCharacter(character=character):
            facts = CHARACTERS[character]
            return say(
                (
                    f"the {facts.name} is worth its {before.card(character).price} coins now",
                    f"ora il personaggio vale le sue {before.card(character).price} monete",
                )
            )
    after = state.clone()
    apply(after, Seat(seat), action)
    if after.outcome is not None and seat in after.outcome.winners:
        return say(("wins the match", "vince la partita"))
    reasons = [*_changes(before, after.tabletop, seat)] or [*_place(before, seat, action)]
    return say(*reasons or [("gives nothing away", "non regala nulla")])


def _assistant(tabletop: Tabletop, seat: int, value: int) -> Iterator[tuple[str, str]]:
    played = [player.assistant for player in tabletop.players if player.assistant is not None]
    steps = STEPS[value]
    if value == min(tabletop.players[seat].hand) and value > EARLY:
        yield "keeps the stronger assistants for later", "conserva gli assistenti migliori"
    if all(value < other for other in played) and (played or value <= EARLY):
        yield "lets you move early", "ti fa muovere presto"
    if value > EARLY:
        yield f"lets mother nature walk up to {steps}", f"fa camminare madre natura fino a {steps}"
    else:
        yield f"a walk of {steps} is enough this round", f"in questo turno basta un passo di {steps}"


def _cloud(tabletop: Tabletop, seat: int, cloud: int) -> Iterator[tuple[str, str]]:
    students, teams = tabletop.clouds[cloud], tabletop.teams
    useful = [
        COLOURS[place]
        for place, count in enumerate(students)
        if count and (holder := tabletop.professors[place]) is not None and holder % teams == seat % teams
    ]
    if useful:
        english = " and ".join(_STUDENTS[colour][0] for colour in useful[:2])
        italian = " e ".join(_STUDENTS[colour][1] for colour in useful[:2])
        yield (
            f"brings {english} students, whose professors you hold",
            f"porta studenti ({italian}) di tuoi professori",
        )
    most = max(range(len(students)), key=lambda place: students[place])
    english, italian = _STUDENTS[COLOURS[most]]
    if not useful:
        yield (
            f"brings {students[most]} {english} for a table of yours",
            f"porta {students[most]} di colore {italian}",
        )


def _changes(before: Tabletop, after: Tabletop, seat: int) -> Iterator[tuple[str, str]]:
    """What an action changed for good."""
    team, teams = seat % before.teams, before.teams
    built = before.players[team].towers - after.players[team].towers
    if built > 0:
        lost = sum(
            after.players[other].towers > before.players[other].towers
            for other in range(teams)
            if other != team
        )
        if lost:
            yield (
                f"takes an island from a rival ({built} towers)",
                f"toglie un'isola a un rivale (torri: {built})",
            )
        else:
            yield "builds a tower" if built == 1 else f"builds {built} towers", f"costruisce torri: {built}"
    if len(after.islands) < len(before.islands):
        yield "joins your islands", "unisce le tue isole"
    for place, (old, new) in enumerate(zip(before.professors, after.professors, strict=True)):
        if new is not None and new % teams == team and (old is None or old % teams != team):
            english, italian = _STUDENTS[COLOURS[place]]
            if old is None:
                yield f"takes the {english} professor", f"prende il professore {italian}"
            else:
                yield (
                    f"takes the {english} professor from a rival",
                    f"toglie a un rivale il professore {italian}",
                )
    if after.players[seat].coins > before.players[seat].coins:
        yield "earns a coin", "fa guadagnare una moneta"
    gained = [
        place
        for place, (old, new) in enumerate(zip(before.islands, after.islands, strict=False))
        if len(before.islands) == len(after.islands)
        and new.tower == old.tower
        and _leads(after, place, team)
        and not _leads(before, place, team)
    ]
    if gained and not built:
        yield f"gives you the say on island {gained[0] + 1}", f"ti dà il controllo dell'isola {gained[0] + 1}"


def _leads(tabletop: Tabletop, island: int, team: int) -> bool:
    """Whether mother nature would give an island to this team."""
    group = tabletop.islands[island]
    if group.tower == tabletop.players[team].tower:
        return True
    counts = influence(tabletop, group, IN_FORCE[0])
    return counts[team] > max(count for other, count in enumerate(counts) if other != team)


def _place(tabletop: Tabletop, seat: int, action: Action) -> Iterator[tuple[str, str]]:
    """What a student or a walk is good for, where nothing changed hands."""
    team = seat % tabletop.teams
    match action:
        case actions.MoveToDining(colour=colour) | actions.SeatFromCard(colour=colour):
            english, italian = _STUDENTS[colour]
            holder = tabletop.professors[COLOUR_INDEX[colour]]
            if holder is not None and holder % tabletop.teams == team:
                yield f"makes your {english} professor safer", f"rende più sicuro il professore {italian}"
            else:
                yield f"comes nearer to the {english} professor", f"avvicina al professore {italian}"
        case actions.MoveToIsland(island=island) | actions.SendFromCard(island=island):
            yield (
                f"adds to your influence on island {island + 1}",
                f"aumenta l'influenza sull'isola {island + 1}",
            )
        case actions.Walk(steps=steps):
            island = (tabletop.mother_nature + steps) % len(tabletop.islands)
            if _leads(tabletop, island, team):
                yield "stops where you rule already", "si ferma dove già domini"
            else:
                yield "stops where nobody gains by it", "si ferma dove nessuno ci guadagna"
        case actions.ForbidIsland(island=island):
            yield f"guards island {island + 1}", f"protegge l'isola {island + 1}"


ADVICE = Adviser(explain, chance, strong)
