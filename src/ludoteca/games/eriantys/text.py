"""Eriantys in words. People count islands and clouds from 1, the rest of the folder from 0."""

from collections.abc import Sequence

from ludoteca.core import Question, Refused
from ludoteca.games.eriantys import actions, events
from ludoteca.games.eriantys.actions import Action
from ludoteca.games.eriantys.data import CHARACTERS, COLOURS, NUMBERS, STEPS
from ludoteca.games.eriantys.events import Event, Students
from ludoteca.games.eriantys.state import CharacterCard, Island
from ludoteca.games.eriantys.view import View


def draw(view: View, names: Sequence[str]) -> str:
    """The table, at most 80 columns wide; mother nature is an asterisk."""
    head = f"Round {view.round}, {view.phase}" + (", last round" if view.last_round else "")
    head += f"; bag {sum(view.bag)}" + (
        f", coins in the supply {view.supply}" if view.mode == "Expert" else ""
    )
    lines = [head]
    islands = [_draw_island(place, island, view) for place, island in enumerate(view.islands)]
    half = (len(islands) + 1) // 2
    for left, right in zip(islands[:half], [*islands[half:], ""], strict=False):
        lines.append(f"{left:<40}{right}".rstrip())
    lines += [f"cloud {place + 1}: {_count(cloud)}" for place, cloud in enumerate(view.clouds)]
    lines += [_draw_card(card, view) for card in view.characters]
    for seat in range(len(view.players)):
        lines += _draw_school(seat, view, names)
    return "\n".join(lines)


def _draw_island(place: int, island: Island, view: View) -> str:
    mark = "*" if place == view.mother_nature else " "
    towers = f"{len(island.tiles)} {island.tower}" if island.tower else f"({len(island.tiles)})"
    closed = f" no entry {island.no_entry}" if island.no_entry else ""
    return f"{place + 1:>2}{mark} {towers:<8} {_count(island.students)}{closed}"


def _draw_card(card: CharacterCard, view: View) -> str:
    mark = "*" if view.active and view.active.character == card.character else " "
    things = f" [{_count(card.students)}]" if card.students is not None else ""
    tiles = f" [{card.no_entry} tiles]" if card.no_entry is not None else ""
    return f"{card.character:>2}{mark} {CHARACTERS[card.character].name}, costs {card.price}{things}{tiles}"


def _draw_school(seat: int, view: View, names: Sequence[str]) -> list[str]:
    player = view.players[seat]
    mark = ">" if seat == view.current and view.phase != "ended" else " "
    played = f", plays {player.assistant} ({STEPS[player.assistant]} steps)" if player.assistant else ""
    coins = f", coins {player.coins}" if view.mode == "Expert" else ""
    professors = [colour for colour, holder in zip(COLOURS, view.professors, strict=True) if holder == seat]
    return [
        f"{mark} {names[seat]}: {player.tower} towers {player.towers}{coins}{played}",
        f"    hand {' '.join(map(str, player.hand)) or '-'}; professors {' '.join(professors) or '-'}",
        f"    entrance {_count(player.entrance)}; dining room {_count(player.dining)}",
    ]


def _count(students: Students) -> str:
    """As in "2 green 1 red", by initials."""
    return (
        " ".join(f"{count}{colour[0]}" for colour, count in zip(COLOURS, students, strict=True) if count)
        or "-"
    )


def tell(event: Event, names: Sequence[str]) -> str:
    """One sentence about an event."""
    match event:
        case events.RoundBegan(number, first):
            return f"Round {number}: {names[first]} plays the first assistant."
        case events.CloudsFilled(clouds, short):
            filled = ", ".join(_count(cloud) for cloud in clouds)
            return f"The clouds bring {filled}." + (" The bag could not fill them all." if short else "")
        case events.AssistantPlayed(seat, value):
            return f"{names[seat]} plays assistant {value}."
        case events.OrderFixed(order):
            return f"The turns: {', '.join(names[seat] for seat in order)}."
        case events.StudentSent(seat, colour, island, origin):
            source = " from the card" if origin == "card" else ""
            return f"{names[seat]} sends a {colour} student{source} to island {island + 1}."
        case events.StudentSeated(seat, colour, origin):
            source = " from the card" if origin == "card" else ""
            return f"{names[seat]} seats a {colour} student{source}."
        case events.CoinEarned(seat):
            return f"{names[seat]} earns a coin."
        case events.ProfessorTaken(seat, colour):
            return f"{names[seat]} takes the {colour} professor."
        case events.MotherNatureWalked(seat, steps, island):
            plural = "" if steps == 1 else "s"
            return f"{names[seat]} walks mother nature {steps} step{plural} to island {island + 1}."
        case events.InfluenceCounted(island, influence):
            return f"Influence on island {island + 1}: {' to '.join(map(str, influence))}."
        case events.IslandConquered(island, tower, built, former, _):
            instead = f" in place of {former} ones" if former else ""
            return f"Island {island + 1} gets {built} {tower} tower{'' if built == 1 else 's'}{instead}."
        case events.IslandsJoined(first, second):
            return f"Islands {first + 1} and {second + 1} are now {min(first, second) + 1}."
        case events.CloudTaken(seat, cloud):
            return f"{names[seat]} takes cloud {cloud + 1}."
        case events.LastRoundAnnounced(reason):
            return f"This is the last round: {'the bag is empty' if reason == 'bag' else 'a hand is empty'}."
        case events.GameEnded(ranks, reason):
            return f"The game is over, {reason}: {_winners(ranks, names)}."
        case events.BrokenOff(seat):
            return f"{names[seat]} left, and the game is broken off."
        case events.TurnBegan() | events.CharacterDone():
            return ""
        case _:
            return _tell_character(event, names)


def _tell_character(
    event: events.CharacterBought
    | events.CardRefilled
    | events.NoEntryPlaced
    | events.NoEntryLifted
    | events.CardSwapped
    | events.DiningSwapped
    | events.ColourSilenced
    | events.ColourReturned,
    names: Sequence[str],
) -> str:
    match event:
        case events.CharacterBought(seat, character, price):
            return f"{names[seat]} pays {price} for the {CHARACTERS[character].name}."
        case events.CardRefilled(character, colour):
            return f"A {colour} student comes to the {CHARACTERS[character].name}."
        case events.NoEntryPlaced(seat, island):
            return f"{names[seat]} forbids island {island + 1}."
        case events.NoEntryLifted(island):
            return f"A no-entry tile protects island {island + 1} and goes back."
        case events.CardSwapped(seat, taken, given):
            return f"{names[seat]} takes a {taken} student of the card for a {given} one."
        case events.DiningSwapped(seat, seated, taken):
            return f"{names[seat]} seats a {seated} student for a {taken} one."
        case events.ColourSilenced(seat, colour):
            return f"{names[seat]} lets {colour} students give no influence."
        case events.ColourReturned(seat, colour, returned):
            return f"{names[seat]} sends {sum(returned)} {colour} students back to the bag."


def _winners(ranks: tuple[int, ...], names: Sequence[str]) -> str:
    best = [seat for seat, rank in enumerate(ranks) if rank == 1]
    teams = NUMBERS[len(ranks)].teams
    if len({seat % teams for seat in best}) > 1:
        return "a draw"
    return " and ".join(names[seat] for seat in best) + (" wins" if len(best) == 1 else " win")


_ASK = {
    "assistant": "Play an assistant",
    "student": "Move a student to an island or to your dining room",
    "mother nature": "Walk mother nature",
    "cloud": "Take a cloud",
    "end": "End your turn",
    "monk": "Send a student of the Monk to an island",
    "herald": "Choose an island to resolve",
    "herbalist": "Choose an island for the no-entry tile",
    "jester": "Swap a student of the Jester with your entrance, or stop",
    "mushroom seller": "Name the colour that gives no influence",
    "minstrel": "Swap a student of your entrance with your dining room, or stop",
    "princess": "Seat a student of the Princess",
    "thief": "Name the colour that everybody returns",
}


def ask(question: Question, view: View) -> str:
    """What is wanted."""
    wanted = _ASK[question.kind]
    if question.kind == "student":
        left = NUMBERS[len(view.players)].moves - view.moved
        wanted += f" ({left} to go)"
    if any(isinstance(choice, actions.BuyCharacter) for choice in question.choices):
        wanted += ", or buy a character"
    return f"{wanted}."


_EXPLAIN = {
    "assistant": "Low values act early; mother nature may walk half the value, rounded up. A value that "
    "lies on the table may not be repeated, unless you have no other.",
    "student": "In the dining room students win professors: whoever has the most of a colour holds it. On "
    "islands they count for whoever holds their professor.",
    "mother nature": "She walks clockwise; joined islands are one step. Where she stops, the highest "
    "influence builds a tower: one for each student whose professor you hold and for each of your towers.",
    "cloud": "All its students come into your entrance, and your turn ends.",
    "end": "The bag could not fill the clouds, so nobody takes one in this last round.",
}


def explain(question: Question, view: View) -> str:
    """What the rules say about a question, and what the characters on the table do."""
    said = [_EXPLAIN[question.kind]] if question.kind in _EXPLAIN else []
    for card in view.characters:
        facts = CHARACTERS[card.character]
        if question.kind in (facts.name.lower(), "student", "mother nature", "cloud", "end"):
            said.append(f"{facts.name} ({card.character}): {facts.effect}")
    return " ".join(said)


# Students are written as in "2g 1r"; an asterisk marks mother nature and the character of the turn.
INKS = (
    (r"\b\d+g\b", "green"),
    (r"\b\d+r\b", "red"),
    (r"\b\d+y\b", "yellow"),
    (r"\b\d+p\b", "bright magenta"),
    (r"\b\d+b\b", "bright blue"),
    (r"\b\d+\*", "bright white"),
)


def write(action: Action) -> str:
    """The words for an action."""
    match action:
        case actions.PlayAssistant(value):
            return f"assistant {value}"
        case actions.MoveToIsland(colour, island):
            return f"{colour} to {island + 1}"
        case actions.MoveToDining(colour):
            return f"{colour} to dining"
        case actions.Walk(steps):
            return f"walk {steps}"
        case actions.TakeCloud(cloud):
            return f"cloud {cloud + 1}"
        case actions.EndTurn():
            return "end turn"
        case actions.BuyCharacter(character):
            return f"character {character}"
        case actions.SendFromCard(colour, island):
            return f"card {colour} to {island + 1}"
        case actions.ResolveIsland(island):
            return f"resolve {island + 1}"
        case actions.ForbidIsland(island):
            return f"forbid {island + 1}"
        case actions.SwapWithCard(taken, given):
            return f"take {taken} for {given}"
        case actions.SilenceColour(colour):
            return f"silence {colour}"
        case actions.SwapWithDining(seated, taken):
            return f"seat {seated} for {taken}"
        case actions.SeatFromCard(colour):
            return f"seat {colour}"
        case actions.ReturnColour(colour):
            return f"return {colour}"
        case actions.StopSwapping():
            return "stop"


def read(words: str, question: Question) -> Action:
    """The choice meant by these words, which may be shortened ("g 7" for "green to 7")
    while that is clear."""
    typed = words.casefold().split()
    written: dict[str, Action] = {write(choice): choice for choice in question.choices}
    exact = written.get(" ".join(typed))
    if exact is not None:
        return exact
    meant = [choice for text, choice in written.items() if _fits(typed, text.split())]
    if len(meant) == 1:
        return meant[0]
    examples = ", ".join(list(written)[:3])
    raise Refused(
        f"{'that could mean several things' if meant else 'that is not possible'}; try {examples} ..."
    )


def _fits(typed: list[str], words: list[str]) -> bool:
    """Whether all that was typed begins some of the words, in their order; numbers must be whole."""
    left = iter(words)
    return bool(typed) and all(
        any(word == part if part.isdigit() else word.startswith(part) for word in left) for part in typed
    )
