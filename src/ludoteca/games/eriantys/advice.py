"""What speaks for an assistant, a student's place, a walk, a cloud or a character."""

from collections.abc import Iterator

from ludoteca.core import Seat
from ludoteca.core.advice import Adviser, Words, likely, say
from ludoteca.games.eriantys import actions
from ludoteca.games.eriantys.actions import Action
from ludoteca.games.eriantys.bot.learned import evaluate
from ludoteca.games.eriantys.bot.players import strong
from ludoteca.games.eriantys.characters import IN_FORCE, influence
from ludoteca.games.eriantys.data import CHARACTERS, COLOUR_INDEX, COLOURS, STEPS, Colour
from ludoteca.games.eriantys.rules import apply
from ludoteca.games.eriantys.state import State, Tabletop

# As `evaluate` counts, and what a turn is worth that is still to come in this round: both by how matches of
# equals ended (training/chances.py).
EVEN = 14.0
TURN = 12.0
# Low assistants begin early, high ones let mother nature walk.
EARLY = 4

_STUDENTS: dict[Colour, tuple[str, str]] = {
    "green": ("green", "verde"),
    "red": ("red", "rosso"),
    "yellow": ("yellow", "giallo"),
    "pink": ("pink", "rosa"),
    "blue": ("blue", "blu"),
}

# What characters do; the Italian cards have no names.
_POWERS: dict[int, tuple[str, str]] = {
    1: ("sends a student of its card to an island", "manda uno studente della carta su un'isola"),
    2: ("lets a tie take a professor this turn", "fa bastare un pareggio per un professore in questo turno"),
    3: ("resolves an island at once", "decide subito un'isola"),
    4: ("lets mother nature walk two steps more", "fa fare a madre natura due passi in più"),
    5: ("guards an island", "protegge un'isola"),
    6: ("lets no tower count this turn", "non fa contare le torri in questo turno"),
    7: ("swaps students of its card with your entrance", "scambia studenti della carta con l'ingresso"),
    8: ("gives you two more influence this turn", "dà due punti d'influenza in più in questo turno"),
    9: ("lets one colour count nothing this turn", "non fa contare un colore in questo turno"),
    10: ("swaps students of entrance and dining room", "scambia studenti tra ingresso e sala"),
    11: ("seats a student of its card", "mette in sala uno studente della carta"),
    12: ("takes students of one colour from everybody", "toglie a tutti studenti di un colore"),
}


def chance(state: State, seat: int) -> float:
    """How likely this seat's team comes out ahead."""
    return likely(evaluate(state, Seat(seat)) + TURN * _ahead_in_turns(state.tabletop, seat), EVEN)


def _ahead_in_turns(tabletop: Tabletop, seat: int) -> float:
    """How many more turns of this round its team still has than the others on average; the one that is being
    played counts."""
    order, teams = tabletop.order, tabletop.teams
    to_come = order[order.index(tabletop.current) :] if tabletop.phase == "action" else order
    mine = sum(other % teams == seat % teams for other in to_come)
    return mine - (len(to_come) - mine) / (teams - 1)


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
            price, (power, potere) = before.card(character).price, _POWERS[character]
            coins, monete = ("coin", "moneta") if price == 1 else ("coins", "monete")
            return say(
                (
                    f"the {CHARACTERS[character].name} {power}, for {price} {coins}",
                    f"il personaggio {potere}, per {price} {monete}",
                )
            )
    after = state.clone()
    apply(after, Seat(seat), action)
    if after.outcome is not None and seat in after.outcome.winners:
        return say(("wins the match", "vince la partita"))
    reasons = [*_changes(before, after.tabletop, seat)] or [*_place(before, after.tabletop, seat, action)]
    return say(*reasons or [("gives nothing away", "non regala nulla")])


def _assistant(tabletop: Tabletop, seat: int, value: int) -> Iterator[tuple[str, str]]:
    played = [player.assistant for player in tabletop.players if player.assistant is not None]
    steps = STEPS[value]
    if value == min(tabletop.players[seat].hand) and value > EARLY:
        yield "keeps those that walk further for later", "conserva per dopo chi va più lontano"
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
                f"takes an island from a rival ({'1 tower' if built == 1 else f'{built} towers'})",
                f"toglie un'isola a un rivale (torri: {built})",
            )
        else:
            yield "builds a tower" if built == 1 else f"builds {built} towers", f"costruisce torri: {built}"
    if built > 0 and len(after.islands) < len(before.islands):
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


def _place(tabletop: Tabletop, after: Tabletop, seat: int, action: Action) -> Iterator[tuple[str, str]]:
    """What a student or a walk is good for, where nothing came into one's own hands."""
    team = seat % tabletop.teams
    match action:
        case actions.MoveToDining(colour=colour) | actions.SeatFromCard(colour=colour):
            english, italian = _STUDENTS[colour]
            holder = tabletop.professors[COLOUR_INDEX[colour]]
            if holder is not None and holder % tabletop.teams == team:
                yield f"makes your {english} professor safer", f"rende più sicuro il professore {italian}"
            else:
                yield f"comes nearer to the {english} professor", f"avvicina al professore {italian}"
        case (
            actions.MoveToIsland(colour=colour, island=island)
            | actions.SendFromCard(colour=colour, island=island)
        ):
            yield _sent(tabletop, team, colour, island)
        case actions.Walk(steps=steps):
            island = (tabletop.mother_nature + steps) % len(tabletop.islands)
            if (left := _left(tabletop, after, team, island)) is not None:
                yield left
            elif _leads(tabletop, island, team):
                yield "stops where you rule already", "si ferma dove già domini"
            else:
                yield "stops where nobody gains by it", "si ferma dove nessuno ci guadagna"
        case actions.ResolveIsland(island=island):
            number = island + 1
            yield _left(tabletop, after, team, island) or (
                f"changes nothing on island {number}",
                f"non cambia nulla sull'isola {number}",
            )
        case actions.SilenceColour(colour=colour):
            english, italian = _STUDENTS[colour]
            yield f"lets {english} count nothing this turn", f"il {italian} non conta in questo turno"
        case actions.ReturnColour(colour=colour):
            english, italian = _STUDENTS[colour]
            yield f"takes {english} students from everybody", f"toglie a tutti studenti di colore {italian}"
        case (
            actions.SwapWithCard(taken=taken, given=given) | actions.SwapWithDining(seated=taken, taken=given)
        ):
            (new, nuovo), (old, vecchio) = _STUDENTS[taken], _STUDENTS[given]
            yield f"brings {new} in for {old}", f"porta {nuovo} al posto di {vecchio}"
        case actions.ForbidIsland(island=island):
            yield f"guards island {island + 1}", f"protegge l'isola {island + 1}"


def _sent(tabletop: Tabletop, team: int, colour: Colour, island: int) -> tuple[str, str]:
    """For whom a student counts on an island: for the team that holds its professor."""
    number, (english, italian) = island + 1, _STUDENTS[colour]
    holder = tabletop.professors[COLOUR_INDEX[colour]]
    if holder is None:
        return (
            f"counts on island {number} for whoever takes the {english} professor",
            f"conterà sull'isola {number} per chi prenderà il professore {italian}",
        )
    if holder % tabletop.teams == team:
        return f"adds to your influence on island {number}", f"aumenta la tua influenza sull'isola {number}"
    return (
        f"counts for a rival on island {number} as long as the {english} professor is there",
        f"conta per un rivale sull'isola {number} finché ha il professore {italian}",
    )


def _left(before: Tabletop, after: Tabletop, team: int, island: int) -> tuple[str, str] | None:
    """What is to be said where an island became a rival's."""
    rivals = [other for other in range(before.teams) if other != team]
    if all(after.players[other].towers >= before.players[other].towers for other in rivals):
        return None
    number = island + 1
    if before.islands[island].tower == before.players[team].tower:
        return f"loses island {number} to a rival", f"cede l'isola {number} a un rivale"
    return f"leaves island {number} to a rival", f"lascia l'isola {number} a un rivale"


ADVICE = Adviser(explain, chance, strong)
