"""The game in words and in 80 columns, both ways."""

from collections.abc import Sequence
from textwrap import wrap

from ludoteca.core import Outcome, Question, Refused
from ludoteca.games.renaissance import actions, events
from ludoteca.games.renaissance.actions import Action
from ludoteca.games.renaissance.cards.depots import pool
from ludoteca.games.renaissance.cards.paying import due
from ludoteca.games.renaissance.cards.reasons import words
from ludoteca.games.renaissance.data import (
    CARDS,
    COLOURS,
    COLUMNS,
    INDEX,
    LEADER_PLACES,
    LEADERS,
    LEVELS,
    PLACES,
    RESOURCES,
    ROWS,
    TOKENS,
    Stock,
)
from ludoteca.games.renaissance.events import Depot, Event
from ludoteca.games.renaissance.state import Board
from ludoteca.games.renaissance.view import View

WIDTH = 80
_SIGNS = ("CO", "ST", "SE", "SH")
_MARBLES = {"white": ". ", "red": "† ", "blue": "SH", "grey": "ST", "yellow": "CO", "purple": "SE"}
_LINES = {
    "row": ("top row", "middle row", "bottom row"),
    "column": tuple(f"column {n}" for n in (1, 2, 3, 4)),
}
_DEPOTS = ("top depot", "middle depot", "bottom depot", "first leader's depot", "second leader's depot")


def draw(view: View, names: Sequence[str]) -> str:
    """The whole table: cards and market, then every board, the inkwell first."""
    lines = [*_draw_grid(view), "", *_draw_market(view), ""]
    if view.cross is not None:
        left = [token for token in TOKENS if token not in view.turned]
        lines += [f"Lorenzo: black cross on {view.cross}, face down: {' '.join(left)}"]
        lines += [f"  last token: {token_words(view.token)}"] if view.token else []
        lines += [""]
    for place in range(len(view.boards)):
        seat = (view.first + place) % len(view.boards)
        marks = ["inkwell"] if place == 0 and len(view.boards) > 1 else []
        marks += ["to move"] if view.phase == "turns" and seat == view.current else []
        marks += [] if view.boards[seat].here else ["absent"]
        lines += _draw_board(view.boards[seat], names[seat] + (f" ({', '.join(marks)})" if marks else ""))
    if view.last_round:
        lines.append("This is the last round.")
    if view.waiting:
        lines.append(f"Waiting to be placed: {' '.join(view.waiting)}")
    if view.draft:
        begun = "; ".join(write(step) for step in view.draft)
        lines += wrap(f"Begun: {begun}", WIDTH, subsequent_indent="  ")
    return "\n".join(lines)


def _draw_grid(view: View) -> list[str]:
    lines = []
    for row, level in enumerate(LEVELS):
        piles = view.grid[row * len(COLOURS) : (row + 1) * len(COLOURS)]
        cells = [
            ("", "", "")
            if pile.card is None
            else (
                f"{pile.card} {colour} {CARDS[pile.card].points}vp",
                short(CARDS[pile.card].cost),
                _production(pile.card),
            )
            for pile, colour in zip(piles, COLOURS, strict=True)
        ]
        for part, head in enumerate((f"{level}", "", "")):
            line = "".join(f"{cell[part]:19.19}" for cell in cells)
            lines.append(f"{head:2}{line}".rstrip())
    return lines


def _draw_market(view: View) -> list[str]:
    rows = [
        " ".join(_MARBLES[marble] for marble in view.marbles[row * COLUMNS : (row + 1) * COLUMNS])
        for row in range(ROWS)
    ]
    legend = (
        f"on the slide: {_MARBLES[view.slide].strip()}",
        ". white, † red (faith)",
        "rows 1-3, columns 1-4",
    )
    return [f"  {row:14}{words}" for row, words in zip(rows, legend, strict=True)]


def _draw_board(board: Board, title: str) -> list[str]:
    tiles = " ".join({"down": "?", "up": "+", "lost": "-"}[tile] for tile in board.tiles)
    places = [*PLACES, *[LEADER_PLACES] * (len(board.depots) - len(PLACES))]
    depots = " ".join(f"[{_depot(*depot)}]" for depot in zip(board.depots, places, strict=True))
    slots = " | ".join(" ".join(slot) or "-" for slot in board.slots)
    lines = [
        f"{title}: faith {board.faith}, tiles {tiles}",
        f"  depots {depots}  strongbox {short(board.strongbox) or '-'}",
        f"  slots {slots}",
    ]
    lines += [f"  in play {_leader(leader)}" for leader in board.played]
    hand = board.hand if board.kept else board.dealt
    lines += [f"  in hand {_leader(leader)}" for leader in hand if leader is not None]
    hidden = hand.count(None)
    return lines + ([f"  in hand {hidden} leaders"] if hidden else [])


def _leader(leader: str) -> str:
    """A leader on one line: what it does, its points, what it needs."""
    facts = LEADERS[leader]
    sign = _SIGNS[INDEX[facts.resource]]
    effect = {
        "discount": f"cards cost 1{sign} less",
        "depot": f"depot for 2{sign}",
        "exchange": f"white marble gives {sign}",
        "production": f"1{sign}>1 of choice 1†",
    }[facts.kind]
    needs = [
        f"{need.count} {need.colour}" + (f" of level {need.level}" if need.level else "")
        for need in facts.cards
    ]
    return f"{leader} {effect}, {facts.points}vp, needs {' '.join(needs) or short(facts.resources)}"


def _depot(held: Depot, places: int) -> str:
    sign = _SIGNS[INDEX[held.resource]] if held.resource else ".."
    return " ".join([sign] * held.count + [".."] * (places - held.count))


def short(stock: Stock) -> str:
    """A stock in signs: "2CO 1ST"."""
    return " ".join(f"{count}{sign}" for count, sign in zip(stock, _SIGNS, strict=True) if count)


def _production(card: str) -> str:
    facts = CARDS[card]
    faith = f"{facts.faith}†" if facts.faith else ""
    return f"{short(facts.takes)}>{' '.join(filter(None, (short(facts.gives), faith)))}"


def token_words(token: str) -> str:
    """What a token of Lorenzo's does."""
    facts = TOKENS[token]
    if facts.colour is not None:
        return f"2 {facts.colour} cards removed"
    return f"black cross {facts.cross} forward" + (", tokens shuffled" if facts.shuffles else "")


def tell(event: Event, names: Sequence[str]) -> str:
    """One event as a sentence."""
    match event:
        case events.LeadersKept(seat):
            return f"{names[seat]} keeps two leaders."
        case events.ResourcesOpened():
            return "All leaders are chosen."
        case events.ResourceChosen(seat, resource, depot):
            return f"{names[seat]} starts with 1 {resource} in the {_DEPOTS[depot]}."
        case events.TurnBegan(seat):
            return f"{names[seat]} begins a turn."
        case events.Drafted() | events.TakenBack():
            return ""
        case events.LineTaken(seat, line, index, taken):
            return f"{names[seat]} takes the {_LINES[line][index]}: {', '.join(taken) or 'nothing'}."
        case events.WarehouseArranged(seat, _, discarded):
            given = f" and gives up {words(discarded)}" if any(discarded) else ""
            return f"{names[seat]} arranges the warehouse{given}."
        case events.CardBought(seat, card, slot, payment):
            facts = CARDS[card]
            total = payment.warehouse.plus(payment.leaders).plus(payment.strongbox)
            return (
                f"{names[seat]} buys {card} ({facts.colour}, level {facts.level}) for {words(total)}, "
                f"slot {slot + 1}."
            )
        case events.Produced(seat, _, payment, gained, faith):
            total = payment.warehouse.plus(payment.leaders).plus(payment.strongbox)
            return f"{names[seat]} produces: {words(total)} for {words(gained)} and {faith} faith."
        case events.LeaderPlayed(seat, leader):
            return f"{names[seat]} plays leader {_leader(leader)}."
        case events.LeaderDiscarded(seat, leader):
            return f"{names[seat]} discards leader {leader}."
        case events.FaithMoved(cells, cross):
            markers = [f"{name} {cell}" for name, cell in zip(names, cells, strict=False)]
            return f"Faith: {', '.join(markers)}" + (f", Lorenzo {cross}." if cross is not None else ".")
        case events.ReportHeld(report, kept):
            keepers = [name for name, keeps in zip(names, kept, strict=False) if keeps]
            return f"Vatican report {report + 1}: {', '.join(keepers) or 'nobody'} may turn up the tile."
        case events.LastRoundBegan(seat, reason):
            cause = "the seventh card" if reason == "cards" else "the end of the faith track"
            return f"{names[seat]} has {cause}: the last round."
        case events.TokenTurned(token, removed):
            return f"Lorenzo: {token_words(token)}" + (f" ({', '.join(removed)})." if removed else ".")
        case events.Departed(seat):
            return f"{names[seat]} is absent."
        case events.Rejoined(seat):
            return f"{names[seat]} is back."
        case events.Finished(outcome):
            return _tell_outcome(outcome, names)


def _tell_outcome(outcome: Outcome, names: Sequence[str]) -> str:
    points = ", ".join(f"{name} {total}" for name, total in zip(names, outcome.scores["total"], strict=False))
    winners = " and ".join(names[seat] for seat in outcome.winners) or "Lorenzo"
    return f"The match is over ({outcome.reason}): {winners} won. Points: {points}."


def ask(question: Question, view: View) -> str:
    """What is wanted."""
    board = view.boards[view.current]
    match question.kind:
        case "leaders":
            return "Keep two of your four leaders."
        case "resources":
            return "Choose a starting resource and a depot for it."
        case "action":
            return "Take a line of the market, buy a card or produce; or see to your leaders."
        case "place":
            depot = question.choices[0].depot
            here = pool(board, view.waiting)
            return f"Of {words(here)}, choose what goes into the {_DEPOTS[depot]}."
        case "pay":
            return f"Pay {words(due(view, board))}."
        case "powers":
            return f"Choose another power, or pay {words(due(view, board))}."
        case _:
            return "End your turn, or see to your leaders."


_EXPLAIN = {
    "leaders": "Two of your four leaders stay in your hand, unseen by the others, until you play or discard "
    "them.",
    "resources": "Later players begin with resources, and the last ones with a step of faith.",
    "action": (
        "In each turn you do one of three things: take a row or column of marbles from the market, buy a "
        "development card into one of your three slots (level 1 first, each on a card of the level below), "
        "or produce with any of your powers. Before or after it you may play leaders whose needs are met, "
        "or discard one for a faith."
    ),
    "place": (
        "Your depots hold one, two and three resources, each of a single kind, no kind in two of them. What "
        "finds no place is given up, and every other player goes one step of faith further."
    ),
    "pay": "Resources may come from the depots, from leaders' depots and from the strongbox.",
    "powers": (
        "All powers are paid for before anything is gained, and each can be used once in a turn. What is "
        "produced goes into the strongbox."
    ),
    "end": "You may still play or discard a leader before your turn ends.",
}
_SIGNS_EXPLAINED = (
    "CO coins, ST stones, SE servants, SH shields, † faith, vp victory points; tiles of the "
    "reports: + up, - lost."
)


def explain(question: Question, view: View) -> str:
    """What the rules say about a question, and what the signs of the picture mean."""
    said = _EXPLAIN.get(question.kind, _EXPLAIN["end"])
    leaders = [leader for board in view.boards for leader in board.dealt if leader is not None]
    own = [_leader(leader) for leader in leaders] if question.kind in ("leaders", "action") else []
    return "\n".join([said, *own, _SIGNS_EXPLAINED])


# Resources, faith, and the colours of cards.
INKS = (
    (r"\d*CO\b", "bright yellow"),
    (r"\d*ST\b", "bright black"),
    (r"\d*SE\b", "bright magenta"),
    (r"\d*SH\b", "bright blue"),
    (r"\d*†", "bright red"),
    (r"\bpurple\b", "magenta"),
    (r"\byellow\b", "yellow"),
    (r"\bgreen\b", "green"),
    (r"\bblue\b", "blue"),
)


def write(action: Action) -> str:
    """The words for an action."""
    match action:
        case actions.KeepLeaders(first, second):
            return f"keep {first} {second}"
        case actions.ChooseResource(resource, depot):
            return f"start {resource} {depot + 1}"
        case actions.TakeLine(line, index, exchange):
            return " ".join(["take", line, str(index + 1), *exchange])
        case actions.Store(depot, None, _):
            return f"store {depot + 1} nothing"
        case actions.Store(depot, resource, count):
            return f"store {depot + 1} {count} {resource}"
        case actions.BuyCard(card, slot):
            return f"buy {card} {slot + 1}"
        case actions.UseBasic((first, second), gain):
            return f"use basic {first} {second} {gain}"
        case actions.UseSlot(slot):
            return f"use slot {slot + 1}"
        case actions.UseLeader(leader, gain):
            return f"use {leader} {gain}"
        case actions.Pay():
            return _write_payment(action)
        case actions.TakeBack():
            return "back"
        case actions.PlayLeader(leader):
            return f"play {leader}"
        case actions.DiscardLeader(leader):
            return f"discard {leader}"
        case actions.EndTurn():
            return "end"


def _write_payment(payment: actions.Pay) -> str:
    parts = ["pay"]
    sources = (("depots", payment.warehouse), ("leaders", payment.leaders), ("strongbox", payment.strongbox))
    for name, stock in sources:
        if any(stock):
            parts.append(name)
            parts += [
                f"{count} {resource}" for count, resource in zip(stock, RESOURCES, strict=True) if count
            ]
    return " ".join(parts)


def read(typed: str, question: Question) -> Action:
    """The choice that these words mean; "pay" alone is the first way to pay."""
    wanted = " ".join(typed.lower().split())
    for choice in question.choices:
        if write(choice).lower() == wanted:
            return choice  # type: ignore[no-any-return]
    if wanted == "pay":
        for choice in question.choices:
            if isinstance(choice, actions.Pay):
                return choice
    raise Refused(f"{typed!r} is none of the choices, such as {write(question.choices[0])!r}")
