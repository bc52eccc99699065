"""Why an assistant, a seat, an island, a cloud or a character cannot be chosen."""

from collections.abc import Iterator

from ludoteca.core import Question
from ludoteca.core.why import Attempt, Reason, Why, reason
from ludoteca.games.eriantys import actions
from ludoteca.games.eriantys.actions import Action
from ludoteca.games.eriantys.characters import IN_FORCE
from ludoteca.games.eriantys.data import ASSISTANTS, COLOUR_INDEX, COLOURS, DINING_SEATS, NUMBERS
from ludoteca.games.eriantys.state import CharacterCard
from ludoteca.games.eriantys.view import View


def tempting(view: View, seat: int, question: Question) -> Iterator[tuple[Action]]:
    """All that lies on the table and could be touched now."""
    islands = range(len(view.islands))
    kinds = {type(choice) for choice in question.choices}
    yield from ((actions.PlayAssistant(value),) for value in ASSISTANTS)
    yield from ((actions.TakeCloud(cloud),) for cloud in range(len(view.clouds)))
    yield from ((actions.BuyCharacter(card.character),) for card in view.characters)
    if actions.ResolveIsland in kinds or actions.ForbidIsland in kinds:
        kind = actions.ResolveIsland if actions.ResolveIsland in kinds else actions.ForbidIsland
        yield from ((kind(island),) for island in islands)
    elif question.kind == "student":
        for colour in COLOURS:
            if view.players[seat].entrance[COLOUR_INDEX[colour]]:
                yield (actions.MoveToDining(colour),)
                yield from ((actions.MoveToIsland(colour, island),) for island in islands)
    else:
        yield from ((actions.Walk(steps),) for steps in range(1, len(islands) + 1))


def why(attempt: Attempt) -> Reason | None:
    """Why not, by what lies open on the table."""
    view: View = attempt.view
    if len(attempt.actions) > 1:
        return None
    match attempt.action:
        case actions.BuyCharacter(character=character):
            return _character(view, character)
        case actions.PlayAssistant(value=value) if view.phase == "planning":
            return _assistant(attempt, value)
        case actions.MoveToDining(colour=colour) if attempt.question.kind == "student":
            return _entrance(view, attempt.seat, colour) or _table(colour)
        case actions.MoveToIsland(colour=colour) if attempt.question.kind == "student":
            return _entrance(view, attempt.seat, colour) or _no_island(view)
        case actions.Walk(steps=steps) if attempt.question.kind == "mother nature":
            return _walk(attempt, steps)
        case actions.TakeCloud(cloud=cloud) if attempt.question.kind == "cloud":
            return _cloud(view, cloud)
    return _first(attempt)


# What is asked, for those who reach for something else.
_ASKED = {
    "assistant": (
        "First everybody plays an assistant.",
        "Prima ognuno gioca un assistente.",
    ),
    "mother nature": ("First mother nature walks.", "Prima cammina madre natura."),
    "cloud": ("Now take the students of a cloud.", "Ora prendi gli studenti di una nuvola."),
    "end": ("Nothing is left but to end your turn.", "Resta solo da finire il turno."),
}


def _first(attempt: Attempt) -> Reason:
    view, kind = attempt.view, attempt.question.kind
    if kind == "student":
        left = NUMBERS[len(view.players)].moves - view.moved
        english, italian = ("student", "studente") if left == 1 else ("students", "studenti")
        return reason("first", f"First move {left} more {english}.", f"Prima muovi ancora {left} {italian}.")
    if kind in _ASKED:
        return reason("first", *_ASKED[kind])
    return reason(
        "first",
        "First the character you have paid for does its work.",
        "Prima agisce il personaggio che hai pagato.",
    )


def _assistant(attempt: Attempt, value: int) -> Reason:
    view: View = attempt.view
    if value not in ASSISTANTS:
        return reason("absent", "There is no such assistant.", "Non c'è un assistente così.")
    if value not in view.players[attempt.seat].hand:
        return reason(
            "played", f"You have played assistant {value} already.", f"Hai già giocato l'assistente {value}."
        )
    other = next(seat for seat, player in enumerate(view.players) if player.assistant == value)
    name = attempt.names[other]
    return reason(
        "same",
        f"{name} played assistant {value} this round; you still have others.",
        f"{name} ha giocato l'assistente {value} in questa manche; tu ne hai altri.",
    )


def _entrance(view: View, seat: int, colour: str) -> Reason | None:
    if view.players[seat].entrance[COLOUR_INDEX[colour]]:
        return None
    return reason(
        "entrance",
        f"There is no {colour} student in your entrance.",
        f"Nel tuo ingresso non ci sono studenti: {_ITALIAN[colour]}.",
    )


_ITALIAN = {"green": "verdi", "red": "rossi", "yellow": "gialli", "pink": "rosa", "blue": "blu"}


def _table(colour: str) -> Reason:
    return reason(
        "full",
        f"The {colour} table has {DINING_SEATS} of {DINING_SEATS} students.",
        f"Il tavolo degli studenti {_ITALIAN[colour]} è pieno: {DINING_SEATS} su {DINING_SEATS}.",
    )


def _no_island(view: View) -> Reason:
    count = len(view.islands)
    return reason("island", f"There are {count} islands.", f"Le isole sono {count}.")


def _walk(attempt: Attempt, steps: int) -> Reason:
    view: View = attempt.view
    most = len([choice for choice in attempt.question.choices if isinstance(choice, actions.Walk)])
    island = (view.mother_nature + steps) % len(view.islands) + 1
    value = view.players[attempt.seat].assistant or 0
    if steps < 1:
        return reason("stay", "Mother nature must walk.", "Madre natura deve camminare.")
    walks = "one step" if most == 1 else f"{most} steps"
    passi = "un passo" if most == 1 else f"{most} passi"
    return reason(
        "far",
        f"Island {island} is {steps} steps away; with assistant {value} she walks {walks} at most.",
        f"L'isola {island} è a {steps} passi; con l'assistente {value} fa al massimo {passi}.",
    )


def _cloud(view: View, cloud: int) -> Reason:
    if cloud >= len(view.clouds):
        return reason("cloud", f"There are {len(view.clouds)} clouds.", f"Le nuvole sono {len(view.clouds)}.")
    return reason(
        "taken",
        f"Cloud {cloud + 1} is empty: somebody took it this round.",
        f"La nuvola {cloud + 1} è vuota: qualcuno l'ha già presa.",
    )


def _character(view: View, character: int) -> Reason:
    card = next((card for card in view.characters if card.character == character), None)
    if card is None:
        return reason("absent", "This character is not at the table.", "Questo personaggio non c'è.")
    if view.phase == "planning":
        return reason(
            "planning",
            "Characters are for your turn; now everybody plays an assistant.",
            "I personaggi si usano nel turno; ora ognuno gioca un assistente.",
        )
    if view.active:
        return reason("one", "One character a turn.", "Un solo personaggio per turno.")
    price, coins = card.price, view.player.coins
    if coins < price:
        english, italian = ("coin", "moneta") if price == 1 else ("coins", "monete")
        return reason(
            "price",
            f"It costs {price} {english}, you have {coins}.",
            f"Costa {price} {italian}, ne hai {coins}.",
        )
    return _useless(view, card)


# What a character's own objection means in Italian; `characters` says it in English.
_OBJECTIONS = {
    "mother nature has already walked": "madre natura ha già camminato",
    "there is no tile on the card": "sulla carta non ci sono tessere",
    "there is no student on the card": "sulla carta non ci sono studenti",
    "your entrance is empty": "il tuo ingresso è vuoto",
    "your dining room is empty": "la tua sala è vuota",
    "no student of the card has a free seat": "nessuno studente della carta trova posto",
}


def _useless(view: View, card: CharacterCard) -> Reason:
    english = IN_FORCE[card.character].objection(view, card)
    italian = _OBJECTIONS.get(english, "ora non servirebbe")
    return reason("useless", f"Not now: {english}.", f"Non ora: {italian}.")


WHY = Why(why, tempting)
