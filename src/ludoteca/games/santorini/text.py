"""The game in words: boards as text both ways, sentences for events, and answers typed by a person."""

import re
from collections.abc import Sequence
from typing import assert_never

from ludoteca.core import Question, Refused
from ludoteca.games.santorini import actions, events
from ludoteca.games.santorini.actions import Action
from ludoteca.games.santorini.data import CARDS, COLOURS, DOMED, NUMBERS, SIDE, SPACES, Cell
from ludoteca.games.santorini.events import Event
from ludoteca.games.santorini.rules import resume
from ludoteca.games.santorini.state import Options, State, replaced
from ludoteca.games.santorini.view import View

_COLUMNS = "ABCDE"
_SEATS = "ABC"


def name_of(cell: Cell) -> str:
    """A space as people say it: column A to E, row 1 to 5 from the top."""
    return f"{_COLUMNS[cell.j]}{cell.i + 1}"


# Boards


def from_text(
    board: str,
    to_move: str = "A",
    gods: Sequence[str] | None = None,
    **changes: object,
) -> State:
    """A match in play, from a drawing: rows of spaces separated by "/".

    A space is a level (0 to 3, or nothing), D for a dome, and a worker: A, B, C for the seats. The first
    letter of a seat is its worker 1; a small letter is always worker 2. A dot is nothing. Spaces are
    separated by blanks, unless every one is a single sign. A drawing smaller than the island is its corner at
    A1, with domes all around.

    >>> state = from_text("..... / .A.B. / ..2.. / .B.A. / .....", gods=["Pan", "Atlas"])
    >>> len(state.choices)
    14
    """
    towers, found = [DOMED] * SPACES, dict[int, int]()
    for i, row in enumerate(board.split("/")):
        signs = row.split() if " " in row.strip() else list(row.strip())
        for j, sign in enumerate(signs):
            space = NUMBERS[Cell(i, j)]
            match = re.fullmatch(r"([0-3.]?)(D?)([A-Ca-c.]?)", sign)
            if match is None:
                raise ValueError(f"{sign!r} is no space")
            level, dome, worker = match.groups()
            towers[space] = int(level if level.isdigit() else 0) + (DOMED if dome else 0)
            if worker.isalpha():
                first = 2 * _SEATS.index(worker.upper())
                found[first + (worker.islower() or first in found)] = space
    seats = len(gods) if gods is not None else max(2, max(found, default=0) // 2 + 1)
    state = State.empty(Options("all" if gods else "none"), tuple(range(seats)))
    state.phase = "play"
    state.towers = bytearray(towers)
    state.gods = tuple(gods) if gods is not None else ("",) * seats
    state.offered = tuple(gods) if gods is not None else ()
    state.colours = COLOURS[:seats]
    for worker, space in found.items():
        state.workers = replaced(state.workers, worker, space)
    state.out = tuple(2 * seat not in found and 2 * seat + 1 not in found for seat in range(seats))
    for name, value in changes.items():
        setattr(state, name, value)
    resume(state, _SEATS.index(to_move))
    return state


def draw(view: View, names: Sequence[str]) -> str:
    """The island with its towers and workers, and who plays what."""
    standing = {(worker.i, worker.j): f"{_SEATS[worker.seat]}{worker.number}" for worker in view.workers}
    lines = ["     " + "".join(f"{column:<6}" for column in _COLUMNS).rstrip()]
    for i in range(SIDE):
        spaces = [
            f"{view.levels[i][j] or '.'}{'D' if view.domes[i][j] else ''}{standing.get((i, j), '')}"
            for j in range(SIDE)
        ]
        lines.append(f"  {i + 1}  " + "".join(f"{space:<6}" for space in spaces).rstrip())
    lines.append("")
    lines += [_player(view, seat, names) for seat in view.order]
    return "\n".join(lines)


def _player(view: View, seat: int, names: Sequence[str]) -> str:
    mark = ">" if seat == view.seat and view.phase != "over" else " "
    colour = view.colours[seat]
    facts = [
        f"as {view.gods[seat]}" if view.gods[seat] else "",
        colour_name(colour) if colour else "",
        f"{view.tokens[seat]} tokens" if view.tokens[seat] else "",
        "is out" if view.out[seat] else "",
        "has won" if view.winner == seat else "",
    ]
    return f"{mark} {_SEATS[seat]}  " + ", ".join([names[seat], *(fact for fact in facts if fact)])


def colour_name(colour: str) -> str:
    return colour.lower().replace("_", " ")


# Sentences


def tell(event: Event, names: Sequence[str]) -> str:
    """One sentence about an event."""
    match event:
        case events.TurnBegan(seat=seat, phase=phase):
            return f"{names[seat]}'s turn." if phase == "play" else ""
        case events.GodOffered(seat=seat, god=god):
            return f"{names[seat]} puts {god} on the table."
        case events.GodTaken(seat=seat, god=god):
            return f"{names[seat]} plays as {god}."
        case events.StartChosen(seat=seat):
            return f"{names[seat]} begins."
        case events.ColourChosen(seat=seat, colour=colour):
            return f"{names[seat]} takes {colour_name(colour)}."
        case events.Placed(seat=seat, number=number, cell=cell):
            return f"{names[seat]} places worker {number} on {name_of(cell)}."
        case events.TokensCounted(seat=seat, tokens=tokens):
            return f"{names[seat]} has {tokens} {'token' if tokens == 1 else 'tokens'}."
        case events.Pushed(seat=seat, number=number, source=source, target=target):
            return f"{names[seat]}'s worker {number} is pushed from {name_of(source)} to {name_of(target)}."
        case events.Moved(seat=seat, source=source, target=target):
            return f"{names[seat]} moves from {name_of(source)} to {name_of(target)}."
        case events.Built(seat=seat, target=target, dome=dome):
            return f"{names[seat]} builds {'a dome' if dome else 'a block'} on {name_of(target)}."
        case events.Lost(seat=seat, reason=reason):
            return f"{names[seat]} {reason} and is out."
        case events.Won(seat=seat, reason=reason):
            return f"{names[seat]} wins: {reason}."
        case events.BrokenOff(seat=seat):
            return f"{names[seat]} left; the match is broken off."
    assert_never(event)


def ask(question: Question, view: View) -> str:
    """What is wanted, as an imperative."""
    match question.kind:
        case "gods":
            left = len(view.order) - len(view.offered)
            return f"Put {left} more gods on the table." if left > 1 else "Put one more god on the table."
        case "god":
            return "Choose your god."
        case "start":
            return "Choose who begins."
        case "colour":
            return "Choose your colour."
        case "place":
            second = any(worker.seat == view.seat for worker in view.workers)
            return f"Place worker {2 if second else 1} on a free space."
        case "move":
            return "Move one of your workers."
        case "build":
            return "Build."
    return " or ".join(_ways(question)).capitalize() + "."


_EXPLAIN = {
    "gods": "You are the Challenger: name as many gods as there are players. The others choose first, you "
    "get the last.",
    "god": "Your god's power is yours for the whole match.",
    "start": "Whoever begins also places workers first.",
    "colour": "The colour of your two workers.",
    "place": "Both of your workers begin on free spaces.",
}
_TURN = (
    "Move a worker to a neighbouring free space, at most one level up and any number down, then build with "
    "the same worker next to it: a block, or a dome on level 3. Moving up onto level 3 wins. Who cannot "
    "move, or cannot build after it, loses."
)


def explain(question: Question, view: View) -> str:
    """What the rules say about a question, and the gods that matter to it."""
    if question.kind in ("gods", "god"):
        gods = [choice.god for choice in question.choices]
    else:
        gods = [god for seat, god in enumerate(view.gods) if god and not view.out[seat]]
    powers = [f"{god}: {CARDS[god].text}" for god in gods]
    return "\n".join([_EXPLAIN.get(question.kind, _TURN), *powers])


# Workers in the colour of their seat, domes blue.
INKS = (
    (r"A[12]\b", "bright cyan"),
    (r"B[12]\b", "bright yellow"),
    (r"C[12]\b", "bright magenta"),
    (r"(?<=[.123])D", "bright blue"),
)


def _ways(question: Question) -> list[str]:
    """What a step can be, in words."""
    words = {actions.Move: "move", actions.Build: "build", actions.Finish: "end your turn"}
    return [
        word for kind, word in words.items() if any(isinstance(choice, kind) for choice in question.choices)
    ]


# Answers


def write(action: Action) -> str:
    """An answer as a person types it."""
    match action:
        case actions.OfferGod(god=god):
            return f"offer {god}"
        case actions.TakeGod(god=god):
            return f"take {god}"
        case actions.ChooseStart(seat=seat):
            return f"start {_SEATS[seat]}"
        case actions.ChooseColour(colour=colour):
            return f"colour {colour_name(colour)}"
        case actions.Place(cell=cell):
            return f"place {name_of(cell)}"
        case actions.Move(source=source, target=target):
            return f"move {name_of(source)} {name_of(target)}"
        case actions.Build(source=source, target=target, dome=dome):
            return f"{'dome' if dome else 'build'} {name_of(source)} {name_of(target)}"
        case actions.Finish():
            return "end"
    assert_never(action)


def read(words: str, question: Question) -> Action:
    """The choice that these words mean; the first word and the worker may be left out where that is clear."""
    said = words.lower().split()
    choices: dict[Action, list[str]] = {choice: write(choice).lower().split() for choice in question.choices}
    # All the words; without the first; only the last (a space, where one worker can go there).
    for skipped in (slice(None), slice(1, None), slice(-1, None)):
        found = [choice for choice, full in choices.items() if full[skipped] == said]
        if len(found) == 1:
            return found[0]
        if found:
            meant = ", ".join(write(choice) for choice in found[:4])
            raise Refused(f"do you mean {meant}?", "words")
    example = write(question.choices[0])
    raise Refused(f"not understood; for example: {example}", "words")
