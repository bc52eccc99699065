"""The table on a screen, in words: cards, market and faith, our own board, and those of the others."""

from textwrap import wrap
from typing import NamedTuple

from ludoteca.core import Canvas, Drawing, Room, Sight
from ludoteca.core.drawing import clipped
from ludoteca.games.renaissance.data import (
    CARDS,
    COLOURS,
    COLUMNS,
    GIVES,
    INDEX,
    LAST_CELL,
    LEADER_PLACES,
    LEADERS,
    LEVELS,
    PLACES,
    REPORTS,
    RESOURCES,
    ROWS,
    TOKENS,
    Marble,
    Stock,
)
from ludoteca.games.renaissance.state import Board
from ludoteca.games.renaissance.text import draw, token_words, write
from ludoteca.games.renaissance.view import View

MARK = "*"
_INKS = {
    "coins": "bright yellow",
    "stones": "white",
    "servants": "bright magenta",
    "shields": "bright blue",
    "faith": "bright red",
}
_COLOURS = {"purple": "magenta", "yellow": "yellow", "green": "green", "blue": "blue"}
_DEPOTS = ("top", "middle", "bottom", "leader's", "leader's")


class _Form(NamedTuple):
    """The width of a card, the columns of all, and whether cards and market have frames."""

    card: int
    columns: int
    framed: bool

    @property
    def card_lines(self) -> int:
        """From one row of cards to the next."""
        return 5 if self.framed else 4


_LARGE = _Form(42, 168, True)
_MEDIUM = _Form(29, 117, False)


def board(sight: Sight[View], room: Room) -> Drawing:
    """The largest table that fits, or the one in signs."""
    for form in (_LARGE, _MEDIUM):
        if form.columns <= room.columns:
            drawing = _large(sight, form)
            if drawing.fits(room):
                return drawing
    return _small(sight)


def _small(sight: Sight[View]) -> Drawing:
    """As `draw` has it, with cards to point at."""
    canvas = Canvas(draw(sight.view, sight.names))
    for place, pile in enumerate(sight.view.grid):
        row, column = 3 * (place // len(COLOURS)), 2 + 19 * (place % len(COLOURS))
        if pile.card is not None:
            canvas.spot(row, column, 18, 3, f"buy {pile.card}")
            if _card_changed(sight, place):
                canvas.ink(row, column, len(pile.card), "underline")
    return canvas.drawing(plain=True)


# Words.


def stock_words(stock: Stock, faith: int = 0) -> str:
    """Resources as a person says them: "1 coin 2 stones"."""
    parts = [
        f"{count} {name if count > 1 else name[:-1]}"
        for name, count in zip(RESOURCES, stock, strict=True)
        if count
    ]
    return " ".join([*parts, *([f"{faith} faith"] if faith else [])]) or "nothing"


def leader_words(leader: str) -> str:
    """What a leader does, is worth and needs."""
    facts = LEADERS[leader]
    thing = facts.resource[:-1]
    effect = {
        "discount": f"cards cost 1 {thing} less",
        "depot": f"depot for 2 {facts.resource}",
        "exchange": f"white marbles give {facts.resource}",
        "production": f"1 {thing} → 1 of choice 1 faith",
    }[facts.kind]
    cards = [
        f"{need.colour} level {need.level}" if need.level else f"{need.count} {need.colour}"
        for need in facts.cards
    ]
    needs = ", ".join(cards) or stock_words(facts.resources)
    return f"{effect}; {facts.points} pt, needs {needs}"


def _marble(marble: Marble) -> str:
    return "faith" if marble == "red" else GIVES.get(marble, "white")


def _card_changed(sight: Sight[View], place: int) -> bool:
    return sight.before is not None and sight.before.grid[place].card != sight.view.grid[place].card


# Drawing.


def _large(sight: Sight[View], form: _Form) -> Drawing:
    canvas, view = Canvas(), sight.view
    for place in range(len(view.grid)):
        _draw_card(canvas, sight, place, form)
    top = len(LEVELS) * form.card_lines
    _draw_news(canvas, sight, top, form)
    below = _draw_market(canvas, sight, top + 1, form)
    mine = sight.seat if sight.seat is not None else view.current
    if form.framed:
        _draw_faith(canvas, sight, (top + 1, 52))
        below = _draw_board(canvas, sight, mine, (max(below, canvas.lines) + 1, 0), form.columns)
    else:
        below = max(below, _draw_board(canvas, sight, mine, (top + 1, 42), form.columns - 42))
    _draw_others(canvas, sight, mine, below + 1, form)
    return canvas.drawing()


def _draw_card(canvas: Canvas, sight: Sight[View], place: int, form: _Form) -> None:
    pile = sight.view.grid[place]
    row = place // len(COLOURS) * form.card_lines
    column = place % len(COLOURS) * form.card
    width = form.card - 1
    colour = COLOURS[place % len(COLOURS)]
    inset = 0
    if form.framed:
        canvas.box(row, column, width, form.card_lines, _COLOURS[colour])
        inset = 2
    if pile.card is None:
        canvas.put(row + 1, column + inset, f"no {colour} cards left", "bright black")
        return
    facts = CARDS[pile.card]
    mark = MARK if _card_changed(sight, place) else ""
    head = f"{pile.card}{mark} {colour} level {facts.level}"
    worth = f"{facts.points} point{'s' * (facts.points > 1)}" if form.framed else f"{facts.points} pt"
    canvas.put(
        row,
        column + inset,
        f" {head}, {worth} " if form.framed else f"{head}, {worth}",
        f"bold,{_COLOURS[colour]}",
    )
    cost, takes = stock_words(facts.cost), stock_words(facts.takes)
    gives = stock_words(facts.gives, facts.faith)
    if form.framed:
        lines = [f"costs {cost}", f"takes {takes}", f"gives {gives}"]
    elif len(f"{takes} → {gives}") <= width:
        lines = [cost, f"{takes} → {gives}"]
    else:
        lines = [cost, takes, f"→{gives}"]
    for line, text in enumerate(lines, row + 1):
        _put_resources(canvas, line, column + inset, text)
    canvas.spot(row, column, width, form.card_lines if form.framed else 3, f"buy {pile.card}")


def _put_resources(canvas: Canvas, row: int, column: int, text: str) -> int:
    """Write words, resources in their colours."""
    for word in text.split(" "):
        name = next((name for name in _INKS if word and word in (name, name.rstrip("s"))), "")
        column = canvas.put(row, column, word, _INKS.get(name, "")) + 1
    return column


def _draw_news(canvas: Canvas, sight: Sight[View], row: int, form: _Form) -> None:
    """What is being decided, on one line."""
    view = sight.view
    said = ["This is the last round."] if view.last_round else []
    said += [f"To be placed: {', '.join(view.waiting)}."] if view.waiting else []
    said += [f"Begun: {'; '.join(write(step) for step in view.draft)}."] if view.draft else []
    if not form.framed and not view.draft and not view.waiting:
        said.append("A card: what it costs, then what it takes → gives.")
    if sight.before is not None and not view.draft and not view.waiting:
        said.append(f"{MARK} marks the last turn.")
    canvas.put(row, 0, clipped(" ".join(said), form.columns), "bold")


def _draw_market(canvas: Canvas, sight: Sight[View], top: int, form: _Form) -> int:
    """The marbles as what they give; rows and columns can be pointed at. The line after it."""
    view, before = sight.view, sight.before
    taken = view.line if before is not None and before.marbles != view.marbles else None
    step, down = (10, 2) if form.framed else (9, 1)
    left = 7
    for column in range(COLUMNS):
        mark = MARK if taken is not None and (taken.line, taken.index) == ("column", column) else ""
        x = left + form.framed + column * step
        canvas.put(
            top,
            x,
            f"column {column + 1}{mark}"[: step - 1] if form.framed else f"col {column + 1}{mark}",
            "bold",
        )
        canvas.spot(top, x, step - 1, 1, f"take column {column + 1}")
    if form.framed:
        canvas.grid(top + 1, left, (9, 1), [[True] * COLUMNS] * ROWS, "bright black")
    for row in range(ROWS):
        mark = MARK if taken is not None and (taken.line, taken.index) == ("row", row) else ""
        y = top + 1 + form.framed + row * down
        canvas.put(y, 0, f"row {row + 1}{mark}", "bold")
        canvas.spot(y, 0, 6, 1, f"take row {row + 1}")
        for column in range(COLUMNS):
            name = _marble(view.marbles[row * COLUMNS + column])
            canvas.put(y, left + form.framed + column * step, name, _INKS.get(name, ""))
    end = top + 1 + ROWS * down + form.framed
    name = _marble(view.slide)
    x = canvas.put(end, 0, "on the slide: ")
    canvas.put(end, x, name, _INKS.get(name, ""))
    return end + 1


def _draw_faith(canvas: Canvas, sight: Sight[View], at: tuple[int, int]) -> None:
    """Everybody's way to the end of the track, with the spaces where reports are held."""
    view, (row, column) = sight.view, at
    names = [clipped(name, 12) for name in sight.names]
    start = column + 14
    canvas.put(row, column, "faith", "bold,bright red")
    for cell in range(0, LAST_CELL + 1, 2):
        canvas.put(row, start + 4 * cell, str(cell))
    marks = [(name, board.faith) for name, board in zip(names, view.boards, strict=True)]
    marks += [("Lorenzo", view.cross)] if view.cross is not None else []
    for line, (name, faith) in enumerate(marks, row + 1):
        canvas.put(line, column, name, "bold")
        for cell in range(LAST_CELL + 1):
            pope = any(report.pope_space == cell for report in REPORTS)
            section = any(report.section <= cell < report.pope_space for report in REPORTS)
            sign = "P" if pope else "=" if section else "·"
            if cell != faith:
                canvas.put(line, start + 4 * cell, sign, "bright black")
        canvas.put(line, start + 4 * faith, "●", "bold,bright red")
        canvas.put(line, start + 4 * faith + 1, str(faith), "bold")
    legend = "P holds a Vatican report: who has reached the = before it keeps the tile."
    canvas.put(row + len(marks) + 1, column, legend)


def _title(sight: Sight[View], seat: int, width: int) -> str:
    view = sight.view
    marks = ["inkwell"] if seat == view.first and len(view.boards) > 1 else []
    marks += ["to move"] if view.phase == "turns" and seat == view.current else []
    marks += [] if view.boards[seat].here else ["absent"]
    facts = f" ({', '.join(marks)})" if marks else ""
    sign = ">" if "to move" in marks else " "
    return f"{sign} {clipped(sight.names[seat], width - 2 - len(facts))}{facts}"


def _faith_words(board: Board, before: Board) -> str:
    tiles = {"down": "open", "up": "kept", "lost": "lost"}
    reports = " ".join(tiles[tile] for tile in board.tiles)
    mark = MARK if board.faith != before.faith else ""
    return f"faith {board.faith}{mark}; reports {reports}"


def _draw_board(canvas: Canvas, sight: Sight[View], seat: int, at: tuple[int, int], width: int) -> int:
    """A board with all its words; the line after it."""
    view, (row, column) = sight.view, at
    board = view.boards[seat]
    before = sight.before.boards[seat] if sight.before is not None else board
    own = seat == sight.seat
    canvas.put(row, column, f"{_title(sight, seat, width - 42)}: {_faith_words(board, before)}", "bold")
    row += 1
    _draw_depots(canvas, board, before, (row, column + 2), own=own)
    row += 1
    mark = MARK if board.strongbox != before.strongbox else ""
    _put_resources(canvas, row, column + 2, f"strongbox{mark} {stock_words(board.strongbox)}")
    row += 1
    empty = not any(board.slots)
    for place, slot in enumerate(board.slots):
        words = [f"use slot {place + 1}", *(f"{pile.card} {place + 1}" for pile in view.grid if pile.card)]
        if empty:
            text = "slots " if not place else ""
            x = canvas.put(row, column + 2 + 6 * bool(place) + 10 * place, f"{text}{place + 1} empty")
            canvas.spot(row, x - 7, 7, 1, *(words if own else ()))
            continue
        mark = MARK if slot != before.slots[place] else ""
        canvas.put(row, column + 2, f"slot {place + 1}{mark}")
        _put_resources(canvas, row, column + 10, clipped(_slot_words(slot), width - 10))
        if own:
            canvas.spot(row, column + 2, width - 2, 1, *words)
        row += 1
    row += empty
    for leader in board.played:
        _draw_leader(canvas, leader, "in play", (row, column + 2), width - 2)
        row += 1
    hand = board.hand if board.kept else board.dealt
    for held in hand:
        if held is not None:
            _draw_leader(canvas, held, "in hand", (row, column + 2), width - 2)
            row += 1
    if hand.count(None):
        canvas.put(row, column + 2, f"in hand {hand.count(None)} leaders")
        row += 1
    return row


def _draw_leader(canvas: Canvas, leader: str, where: str, at: tuple[int, int], width: int) -> None:
    row, column = at
    x = canvas.put(row, column, f"{where} ")
    x = canvas.put(row, x, f"{leader} ", "bold")
    _put_resources(canvas, row, x, clipped(leader_words(leader), width - (x - column)))
    canvas.spot(row, column, width, 1, leader)


def _slot_words(slot: tuple[str, ...]) -> str:
    if not slot:
        return "empty"
    facts = CARDS[slot[-1]]
    below = f", on {' '.join(slot[:-1])}" if len(slot) > 1 else ""
    does = f"{stock_words(facts.takes)} → {stock_words(facts.gives, facts.faith)}"
    return f"{slot[-1]} {facts.colour} level {facts.level}: {does}{below}"


def _draw_depots(canvas: Canvas, board: Board, before: Board, at: tuple[int, int], *, own: bool) -> None:
    row, column = at
    places = [*PLACES, *[LEADER_PLACES] * (len(board.depots) - len(PLACES))]
    mark = MARK if board.depots != before.depots else ""
    column = canvas.put(row, column, f"depots{mark} ")
    for number, (depot, room) in enumerate(zip(board.depots, places, strict=True)):
        held = (
            stock_words(Stock(*(depot.count if i == INDEX[depot.resource] else 0 for i in range(4))))
            if depot.resource
            else "empty"
        )
        start = column
        column = canvas.put(row, column, f"{_DEPOTS[number]} ", "")
        column = canvas.put(row, column, held, _INKS.get(depot.resource or "", "bright black"))
        column = canvas.put(row, column, f" of {room}" if depot.resource else "")
        if own:
            canvas.spot(row, start, column - start, 1, f"store {number + 1}")
        column += 2


def _draw_others(canvas: Canvas, sight: Sight[View], mine: int, top: int, form: _Form) -> None:
    """The others side by side, or Lorenzo."""
    view = sight.view
    seats = [(mine + step) % len(view.boards) for step in range(1, len(view.boards))]
    if view.cross is not None:
        left = [token_words(token) for token in TOKENS if token not in view.turned]
        canvas.put(top, 0, f"  Lorenzo: black cross on {view.cross} of {LAST_CELL}", "bold")
        if view.token:
            canvas.put(top + 1, 2, f"last token: {token_words(view.token)}")
        for row, line in enumerate(wrap(f"face down: {'; '.join(left)}", form.columns - 2), top + 2):
            canvas.put(row, 2, line)
    width = form.columns // max(1, len(seats))
    for place, seat in enumerate(seats):
        _draw_other(canvas, sight, seat, (top, place * width), width - 2)


def _draw_other(canvas: Canvas, sight: Sight[View], seat: int, at: tuple[int, int], width: int) -> None:
    board, (row, column) = sight.view.boards[seat], at
    before = sight.before.boards[seat] if sight.before is not None else board
    canvas.put(row, column, _title(sight, seat, width), "bold")
    depots = [
        f"{depot.count} {depot.resource if depot.count > 1 else depot.resource[:-1]}"
        for depot in board.depots
        if depot.resource
    ]
    slots = " | ".join(" ".join(slot) or "-" for slot in board.slots)
    hand = board.hand if board.kept else board.dealt
    changed = [MARK if one != other else "" for one, other in zip(_parts(board), _parts(before), strict=True)]
    leaders = [leader_words(leader).split(";")[0] for leader in board.played]
    lines = [
        _faith_words(board, before),
        f"depots{changed[0]} {' '.join(depots) or 'empty'}",
        f"strongbox{changed[1]} {stock_words(board.strongbox)}",
        f"slots{changed[2]} {slots}",
        f"leaders{changed[3]} {'; '.join([*leaders, f'{len(hand)} in hand'])}",
    ]
    for line, text in enumerate(lines, row + 1):
        _put_resources(canvas, line, column + 2, clipped(text, width - 2))


def _parts(board: Board) -> tuple[object, ...]:
    return board.depots, board.strongbox, board.slots, (board.played, len(board.hand))
