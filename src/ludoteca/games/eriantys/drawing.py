"""The islands as a ring around clouds and characters, and the schools below, as large as there is room."""

from typing import NamedTuple

from ludoteca.core import Canvas, Drawing, Room, Sight
from ludoteca.core.drawing import DOUBLE, clipped
from ludoteca.games.eriantys.data import CHARACTERS, COLOURS, DINING_SEATS, STEPS, Colour, Tower
from ludoteca.games.eriantys.events import Students
from ludoteca.games.eriantys.state import CharacterCard, Island
from ludoteca.games.eriantys.text import draw
from ludoteca.games.eriantys.view import View

MARK = "*"
_TOWERS: dict[Tower, str] = {"white": "bright white", "black": "bright black", "gray": "cyan"}
_INKS: dict[Colour, str] = dict(
    zip(COLOURS, ("green", "red", "yellow", "bright magenta", "bright blue"), strict=True)
)
# Tiles go clockwise around a square of four by four.
_RING = (
    *((0, column) for column in range(4)),
    (1, 3),
    (2, 3),
    *((3, column) for column in reversed(range(4))),
    (2, 0),
    (1, 0),
)
_FRAME = "┌─┐│└┘"
_STEPS_MAX = 7
_MONK, _JESTER, _MUSHROOM_SELLER, _MINSTREL, _PRINCESS, _THIEF = 1, 7, 9, 10, 11, 12


class _Form(NamedTuple):
    """The size of an island's frame."""

    width: int
    height: int

    @property
    def wordy(self) -> bool:
        """Whether students are drawn one by one, and characters say what they do."""
        return self.height > 6


_FORMS = (_Form(41, 8), _Form(34, 8), _Form(22, 4))


def hues(view: View) -> tuple[str, ...]:
    """The colour of each seat's towers: partners have the same."""
    return tuple(_TOWERS[player.tower] for player in view.players)


def board(sight: Sight[View], room: Room) -> Drawing:
    """The largest ring that fits, or the list in letters."""
    for form in _FORMS:
        high = 4 * form.height + 1 + _school_lines(sight.view, form)
        if 4 * form.width <= room.columns and high <= room.lines:
            return _large(sight, form)
    return _small(sight)


def _small(sight: Sight[View]) -> Drawing:
    """As `draw` has it, with islands and clouds to point at."""
    view = sight.view
    canvas = Canvas(draw(view, sight.names))
    half = (len(view.islands) + 1) // 2
    for place in range(len(view.islands)):
        row, column = 1 + place % half, 40 * (place // half)
        canvas.spot(row, column, 30, 1, *_island_words(view, place))
        if _island_changed(sight, place):
            canvas.ink(row, column, 2, "underline")
    for place in range(len(view.clouds)):
        canvas.spot(1 + half + place, 0, 30, 1, f"cloud {place + 1}")
    for place, card in enumerate(view.characters):
        canvas.spot(1 + half + len(view.clouds) + place, 0, 40, 1, f"character {card.character}")
    return canvas.drawing(plain=True)


# What places mean.


def _island_words(view: View, place: int) -> list[str]:
    """An island is walked to, sent to, resolved or forbidden."""
    around = len(view.islands)
    first = (place - view.mother_nature) % around or around
    walks = [f"walk {steps}" for steps in range(first, _STEPS_MAX + 1, around)]
    return [f"to {place + 1}", f"resolve {place + 1}", f"forbid {place + 1}", *walks]


def _choosing(view: View) -> int:
    """The character that waits for a choice."""
    return view.active.character if view.active is not None and view.active.choosing else 0


def _entrance_word(view: View, colour: Colour) -> str:
    return {_JESTER: f"for {colour}", _MINSTREL: f"seat {colour}"}.get(_choosing(view), f"{colour} to")


def _dining_words(view: View, colour: Colour) -> list[str]:
    chosen = {
        _MINSTREL: f"for {colour}",
        _MUSHROOM_SELLER: f"silence {colour}",
        _THIEF: f"return {colour}",
    }.get(_choosing(view))
    return [chosen] if chosen else ["to dining"]


def _card_word(character: int, colour: Colour) -> str:
    return {_JESTER: f"take {colour}", _PRINCESS: f"seat {colour}"}.get(character, f"card {colour}")


# What changed.


def _island_changed(sight: Sight[View], place: int) -> bool:
    return sight.before is not None and _face(sight.view, place) not in [
        _face(sight.before, other) for other in range(len(sight.before.islands))
    ]


def _face(view: View, place: int) -> tuple[Island, bool]:
    return view.islands[place], place == view.mother_nature


# Drawing.


def _large(sight: Sight[View], form: _Form) -> Drawing:
    canvas = Canvas()
    for place, island in enumerate(sight.view.islands):
        for part, tile in enumerate(island.tiles):
            row, column = _RING[tile]
            at = row * form.height, column * form.width
            if part:
                _draw_part(canvas, sight, place, at, form)
            else:
                _draw_island(canvas, sight, place, at, form)
    _draw_middle(canvas, sight, form)
    _draw_schools(canvas, sight, form)
    return canvas.drawing()


def _draw_island(canvas: Canvas, sight: Sight[View], place: int, at: tuple[int, int], form: _Form) -> None:
    view, (row, column) = sight.view, at
    island, here = view.islands[place], place == view.mother_nature
    width = form.width - 1
    canvas.box(row, column, width, form.height, "" if here else "bright black", DOUBLE if here else _FRAME)
    title = f" {place + 1}{' mother nature' if here else ''} "
    canvas.put(row, column + 1, title, "bold,bright white")
    if _island_changed(sight, place):
        canvas.put(row, column + width - 2, MARK, "bold,bright yellow")
    if form.wordy:
        _draw_students(canvas, row + 1, column + 2, island.students, width - 12)
    else:
        _draw_counts(canvas, row + 1, column + 2, island.students)
    canvas.put(row + form.height - 2, column + 2, clipped(_tower_words(island, width - 4), width - 4), "bold")
    canvas.spot(row, column, width, form.height, *_island_words(view, place))


def _draw_part(canvas: Canvas, sight: Sight[View], place: int, at: tuple[int, int], form: _Form) -> None:
    """A tile that was joined to others: its students are counted there."""
    row, column = at
    canvas.box(row, column, form.width - 1, form.height, "bright black", _FRAME)
    canvas.put(row + form.height // 2 - 1, column + 2, f"joined to {place + 1}", "bright black")
    canvas.spot(row, column, form.width - 1, form.height, *_island_words(sight.view, place))


def _tower_words(island: Island, columns: int) -> str:
    size = len(island.tiles)
    closed = f"no entry {island.no_entry}" if island.no_entry else ""
    if island.tower is None:
        return closed or ("" if size == 1 else f"{size} islands")
    towers = f"{size} {island.tower}" if closed else f"{'▲' * size} {island.tower}"
    if len(towers) > columns:
        towers = f"{size} {island.tower} towers"
    return ", ".join(filter(None, (towers, closed)))


def _draw_students(canvas: Canvas, row: int, column: int, students: Students, columns: int) -> None:
    """One line for each colour that is there, each student by itself as far as there is room."""
    for colour, count in zip(COLOURS, students, strict=True):
        if count:
            dots = "●" * count if count <= columns - 3 else "●" * (columns - 3)
            canvas.put(row, column, f"{count:>2} {colour:<7}", _INKS[colour])
            canvas.put(row, column + 10, dots, _INKS[colour])
            row += 1


def _draw_counts(canvas: Canvas, row: int, column: int, students: Students) -> int:
    """As in "2g 1r"; the column after it."""
    for colour, count in zip(COLOURS, students, strict=True):
        if count:
            column = canvas.put(row, column, f"{count}{colour[0]}", _INKS[colour]) + 1
    return column


def _draw_middle(canvas: Canvas, sight: Sight[View], form: _Form) -> None:
    """Clouds and characters, inside the ring."""
    view, before = sight.view, sight.before
    row, left = form.height, form.width + 1
    head = f"Round {view.round}, {view.phase}" + (", last round" if view.last_round else "")
    supply = f", supply {view.supply}" if view.mode == "Expert" else ""
    canvas.put(row, left, head, "bold")
    stores = f"bag {sum(view.bag)}{supply}"
    if len(f"{head}; {stores}") > 2 * form.width - 3:
        row += 1
        canvas.put(row, left, stores)
    else:
        canvas.put(row, left + len(head), f"; {stores}")
    row += 1 + form.wordy
    across = 1 if form.wordy else 2
    for place, cloud in enumerate(view.clouds):
        y, x = row + place // across, left + place % across * (form.width - 1)
        changed = before is not None and before.clouds[place] != cloud
        at = canvas.put(y, x, f"cloud {place + 1}{MARK if changed else ' '} ", "bold" if any(cloud) else "")
        if form.wordy:
            at = _draw_words(canvas, y, at, cloud)
        else:
            at = _draw_counts(canvas, y, at, cloud)
        canvas.put(y, at, "" if any(cloud) else "-")
        canvas.spot(y, x, 2 * form.width - 3 if form.wordy else form.width - 2, 1, f"cloud {place + 1}")
    row += (len(view.clouds) + across - 1) // across + form.wordy
    for card in view.characters:
        row = _draw_character(canvas, sight, card, (row, left), form)
    legend = "clockwise" + (f"; {MARK} the last turn" if before is not None else "")
    canvas.put(3 * form.height - 1, left, legend, "bright yellow" if before is not None else "bright black")


def _draw_words(canvas: Canvas, row: int, column: int, students: Students) -> int:
    for colour, count in zip(COLOURS, students, strict=True):
        if count:
            column = canvas.put(row, column, f"{count} {colour}", _INKS[colour]) + 2
    return column


def _draw_character(
    canvas: Canvas, sight: Sight[View], card: CharacterCard, at: tuple[int, int], form: _Form
) -> int:
    """A character with its price and what lies on it; the line after it."""
    view, (row, column) = sight.view, at
    facts = CHARACTERS[card.character]
    active = view.active is not None and view.active.character == card.character
    canvas.spot(row, column, 2 * form.width - 3, 1 + form.wordy, f"character {card.character}")
    name = f"{card.character:>2} {facts.name}, {_several(card.price, 'coin')}"
    x = canvas.put(row, column, name + (" (in use)" if active else ""), "bold")
    x += 2
    for colour, count in zip(COLOURS, card.students or (), strict=False):
        if count:
            text = f"{count} {colour}" if form.wordy else f"{count}{colour[0]}"
            canvas.spot(
                row, x, len(text), 1, _card_word(card.character, colour), f"character {card.character}"
            )
            x = canvas.put(row, x, text, _INKS[colour]) + 1
    if card.no_entry is not None:
        canvas.put(row, x, f"{card.no_entry} tiles")
    if form.wordy:
        canvas.put(row + 1, column + 3, clipped(facts.effect, 2 * form.width - 6))
    return row + 1 + form.wordy


# The schools.


def _is_compact(view: View, form: _Form) -> bool:
    """Four schools below a small ring stand two by two, with numbers in place of dots."""
    return len(view.players) == 4 and not form.wordy


def _school_lines(view: View, form: _Form) -> int:
    return 2 * 5 if _is_compact(view, form) else 4 + len(COLOURS)


def _draw_schools(canvas: Canvas, sight: Sight[View], form: _Form) -> None:
    """Our own first."""
    seats = range(len(sight.view.players))
    compact = _is_compact(sight.view, form)
    across = 2 if compact else len(seats)
    # The names of colours may stand a little over the ring.
    width = (4 * form.width + 2) // across
    for place, step in enumerate(seats):
        seat = ((sight.seat or 0) + step) % len(seats)
        at = 4 * form.height + 1 + place // across * 5, place % across * width
        if compact:
            _draw_counted_school(canvas, sight, seat, at, width - 2)
        else:
            _draw_school(canvas, sight, seat, at, width - 2)


def _draw_school(canvas: Canvas, sight: Sight[View], seat: int, at: tuple[int, int], width: int) -> None:
    view, (row, column) = sight.view, at
    player, own = view.players[seat], seat == sight.seat
    before = sight.before.players[seat] if sight.before is not None else player
    _draw_title(canvas, sight, seat, at, width)
    _draw_hand(canvas, sight, seat, (row + 1, column + 2), "hand ")
    if player.assistant:
        mark = MARK if before.assistant != player.assistant else ""
        steps = _several(STEPS[player.assistant], "step")
        canvas.put(row + 2, column + 2, f"played {player.assistant}{mark} ({steps})")
    _draw_entrance(canvas, sight, seat, (row + 3, column + 2), width - 2)
    for place, (line, colour) in enumerate(enumerate(COLOURS, row + 4)):
        count = player.dining[place]
        if own:
            canvas.spot(line, column + 2, min(width - 2, 31), 1, *_dining_words(view, colour))
        canvas.put(line, column + 2, f"{colour:<7}", _INKS[colour])
        canvas.put(line, column + 9, "●" * count, _INKS[colour])
        canvas.put(line, column + 9 + count, "·" * (DINING_SEATS - count), "bright black")
        mark = MARK if count != before.dining[place] else " "
        canvas.put(line, column + 9 + DINING_SEATS, mark, "bold,bright yellow")
        _draw_professor(canvas, sight, seat, colour, (line, column + 10 + DINING_SEATS))


def _draw_counted_school(
    canvas: Canvas, sight: Sight[View], seat: int, at: tuple[int, int], width: int
) -> None:
    row, column = at
    player = sight.view.players[seat]
    before = sight.before.players[seat] if sight.before is not None else player
    _draw_title(canvas, sight, seat, at, width)
    mark = MARK if before.assistant != player.assistant else ""
    played = f"played {player.assistant}{mark}, " if player.assistant else ""
    _draw_hand(canvas, sight, seat, (row + 1, column + 2), f"{played}hand ")
    _draw_entrance(canvas, sight, seat, (row + 2, column + 2), width - 2)
    _draw_dining_counts(canvas, sight, seat, (row + 3, column + 2), own=seat == sight.seat)


def _draw_title(canvas: Canvas, sight: Sight[View], seat: int, at: tuple[int, int], width: int) -> None:
    view = sight.view
    player = view.players[seat]
    mark = ">" if seat == view.current and view.phase != "ended" else " "
    towers = (
        _several(player.towers, f"{player.tower} tower") if width > 36 else f"{player.towers} {player.tower}"
    )
    coins = f", {_several(player.coins, 'coin')}" if view.mode == "Expert" else ""
    facts = f": {towers}{coins}"
    canvas.put(*at, f"{mark} {clipped(sight.names[seat], width - 2 - len(facts))}{facts}", "bold")


def _draw_entrance(canvas: Canvas, sight: Sight[View], seat: int, at: tuple[int, int], width: int) -> None:
    view, (row, column) = sight.view, at
    x = canvas.put(row, column, "entrance ")
    entrance = view.players[seat].entrance
    present = [(colour, count) for colour, count in zip(COLOURS, entrance, strict=True) if count]
    wordy = sum(len(colour) + 3 for colour, _ in present) <= width - 9
    for colour, count in present:
        text = f"{count} {colour}" if wordy else f"{count}{colour[0]}"
        if seat == sight.seat:
            canvas.spot(row, x, len(text), 1, _entrance_word(view, colour))
        x = canvas.put(row, x, text, _INKS[colour]) + 1


def _draw_hand(canvas: Canvas, sight: Sight[View], seat: int, at: tuple[int, int], lead: str) -> None:
    """The assistants that are left."""
    row, column = at
    hand = sight.view.players[seat].hand
    column = canvas.put(row, column, lead)
    for value in hand:
        if seat == sight.seat:
            canvas.spot(row, column, len(str(value)), 1, f"assistant {value}")
        column = canvas.put(row, column, str(value)) + 1
    canvas.put(row, column, "" if hand else "-")


def _draw_professor(
    canvas: Canvas, sight: Sight[View], seat: int, colour: Colour, at: tuple[int, int]
) -> None:
    place = COLOURS.index(colour)
    if sight.view.professors[place] == seat:
        new = sight.before is not None and sight.before.professors[place] != seat
        canvas.put(*at, "professor" + (MARK if new else ""), "bold")


def _draw_dining_counts(
    canvas: Canvas, sight: Sight[View], seat: int, at: tuple[int, int], *, own: bool
) -> None:
    view, (row, column) = sight.view, at
    player = view.players[seat]
    before = sight.before.players[seat] if sight.before is not None else player
    x = canvas.put(row, column, f"dining room{MARK if before.dining != player.dining else ''} ")
    if own:
        canvas.spot(row, column, 11, 1, "to dining")
    for colour, count in zip(COLOURS, player.dining, strict=True):
        if count:
            text = f"{count}{colour[0]}"
            if own:
                canvas.spot(row, x, len(text), 1, *_dining_words(view, colour))
            x = canvas.put(row, x, text, _INKS[colour]) + 1
    canvas.put(row, x, "" if any(player.dining) else "-")
    held = [colour for colour, holder in zip(COLOURS, view.professors, strict=True) if holder == seat]
    x = canvas.put(row + 1, column, "professors ")
    for colour in held:
        x = canvas.put(row + 1, x, colour, _INKS[colour]) + 1
    canvas.put(row + 1, x, "" if held else "-")


def _several(count: int, thing: str) -> str:
    return f"{count} {thing}{'' if count == 1 else 's'}"
