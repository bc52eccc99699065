"""The facts of Masters of Renaissance: resources, marbles, cards, leaders, tokens and the faith track."""

from typing import Any, Literal, NamedTuple

import msgspec

Resource = Literal["coins", "stones", "servants", "shields"]
Marble = Literal["white", "red", "blue", "yellow", "grey", "purple"]
Colour = Literal["purple", "yellow", "green", "blue"]

RESOURCES: tuple[Resource, ...] = ("coins", "stones", "servants", "shields")
INDEX: dict[str, int] = {resource: place for place, resource in enumerate(RESOURCES)}


# A Stock is made without a hop through its own constructor where it is made all the time.
_new = tuple.__new__


class Stock(NamedTuple):
    """Numbers of resources. In JSON a list in this order, which is the order of RESOURCES."""

    coins: int = 0
    stones: int = 0
    servants: int = 0
    shields: int = 0

    def plus(self, other: "Stock") -> "Stock":
        """Both together."""
        a, b, c, d = self
        e, f, g, h = other
        return _new(Stock, (a + e, b + f, c + g, d + h))

    def minus(self, other: "Stock") -> "Stock":
        """What is left without the other."""
        a, b, c, d = self
        e, f, g, h = other
        return _new(Stock, (a - e, b - f, c - g, d - h))

    def covers(self, other: "Stock") -> bool:
        """Whether there is at least as much of everything as in the other."""
        a, b, c, d = self
        e, f, g, h = other
        return a >= e and b >= f and c >= g and d >= h


NOTHING = Stock()
# One of each resource, to add up choices.
ONE: dict[str, Stock] = {
    "coins": Stock(coins=1),
    "stones": Stock(stones=1),
    "servants": Stock(servants=1),
    "shields": Stock(shields=1),
}


class Card(msgspec.Struct, frozen=True):
    """A development card: what it costs, and the production it allows while it lies on top of its slot."""

    colour: Colour
    level: int
    points: int
    cost: Stock
    takes: Stock
    gives: Stock
    faith: int


class Requirement(msgspec.Struct, frozen=True):
    """A number of cards of a colour; `level` 0 means any level."""

    colour: Colour
    count: int
    level: int = 0


class Leader(msgspec.Struct, frozen=True):
    """A leader card. Its requirement is either cards or resources; `resource` is what its effect is about."""

    kind: Literal["discount", "depot", "exchange", "production"]
    resource: Resource
    points: int
    cards: tuple[Requirement, ...] = ()
    resources: Stock = NOTHING


class Token(msgspec.Struct, frozen=True):
    """One of Lorenzo's tokens: it removes two cards of a colour or moves the black cross."""

    colour: Colour | None
    cross: int
    shuffles: bool = False


class Report(msgspec.Struct, frozen=True):
    """A Vatican report: started by the pope space, it rewards whoever stands at `section` or further on."""

    section: int
    pope_space: int
    points: int


# The market: three rows of four, and one marble on the slide.
MARBLES: dict[Marble, int] = {"white": 4, "blue": 2, "grey": 2, "yellow": 2, "purple": 2, "red": 1}
GIVES: dict[Marble, Resource] = {"blue": "shields", "grey": "stones", "yellow": "coins", "purple": "servants"}
ROWS = 3
COLUMNS = 4

# The grid of development cards: level 3 in the top row, one column for each colour.
COLOURS: tuple[Colour, ...] = ("purple", "yellow", "green", "blue")
LEVELS: tuple[int, ...] = (3, 2, 1)
SLOTS = 3

# Places of the basic depots from top to bottom, and of a leader's depot.
PLACES: tuple[int, ...] = (1, 2, 3)
LEADER_PLACES = 2

LEADERS_DEALT = 4
LEADERS_KEPT = 2

# Resources of choice and faith at the start, from the inkwell on.
START_RESOURCES: tuple[int, ...] = (0, 1, 1, 2)
START_FAITH: tuple[int, ...] = (0, 0, 1, 1)

LAST_CELL = 24
CARDS_TO_END = 7
RESOURCES_PER_POINT = 5
# Points of a marker by its cell.
CELL_POINTS: tuple[int, ...] = (
    0,
    0,
    0,
    1,
    1,
    1,
    2,
    2,
    2,
    4,
    4,
    4,
    6,
    6,
    6,
    9,
    9,
    9,
    12,
    12,
    12,
    16,
    16,
    16,
    20,
)
REPORTS: tuple[Report, ...] = (Report(5, 8, 2), Report(12, 16, 3), Report(19, 24, 4))

TOKENS: dict[str, Token] = {
    "T001": Token("green", 0),
    "T002": Token("yellow", 0),
    "T003": Token("blue", 0),
    "T004": Token("purple", 0),
    "T005": Token(None, 2),
    "T006": Token(None, 2),
    "T007": Token(None, 1, shuffles=True),
}

# fmt: off
# Colour, level, points, cost, what the production takes, what it gives, and its faith.
CARDS: dict[str, Card] = {
    "D001": Card("green", 1, 1, Stock(shields=2), Stock(coins=1), Stock(), 1),
    "D002": Card("purple", 1, 1, Stock(servants=2), Stock(stones=1), Stock(), 1),
    "D003": Card("blue", 1, 1, Stock(coins=2), Stock(shields=1), Stock(), 1),
    "D004": Card("yellow", 1, 1, Stock(stones=2), Stock(servants=1), Stock(), 1),
    "D005": Card("green", 1, 2, Stock(stones=1, servants=1, shields=1), Stock(stones=1), Stock(servants=1), 0),
    "D006": Card("purple", 1, 2, Stock(coins=1, servants=1, shields=1), Stock(coins=1), Stock(shields=1), 0),
    "D007": Card("blue", 1, 2, Stock(coins=1, stones=1, servants=1), Stock(servants=1), Stock(stones=1), 0),
    "D008": Card("yellow", 1, 2, Stock(coins=1, stones=1, shields=1), Stock(shields=1), Stock(coins=1), 0),
    "D009": Card("green", 1, 3, Stock(shields=3), Stock(servants=2), Stock(coins=1, stones=1, shields=1), 0),
    "D010": Card("purple", 1, 3, Stock(servants=3), Stock(coins=2), Stock(stones=1, servants=1, shields=1), 0),
    "D011": Card("blue", 1, 3, Stock(coins=3), Stock(stones=2), Stock(coins=1, servants=1, shields=1), 0),
    "D012": Card("yellow", 1, 3, Stock(stones=3), Stock(shields=2), Stock(coins=1, stones=1, servants=1), 0),
    "D013": Card("green", 1, 4, Stock(coins=2, shields=2), Stock(stones=1, servants=1), Stock(coins=2), 1),
    "D014": Card("purple", 1, 4, Stock(stones=2, servants=2), Stock(coins=1, shields=1), Stock(stones=2), 1),
    "D015": Card("blue", 1, 4, Stock(coins=2, servants=2), Stock(stones=1, shields=1), Stock(servants=2), 1),
    "D016": Card("yellow", 1, 4, Stock(stones=2, shields=2), Stock(coins=1, servants=1), Stock(shields=2), 1),
    "D017": Card("green", 2, 5, Stock(shields=4), Stock(stones=1), Stock(), 2),
    "D018": Card("purple", 2, 5, Stock(servants=4), Stock(coins=1), Stock(), 2),
    "D019": Card("blue", 2, 5, Stock(coins=4), Stock(servants=1), Stock(), 2),
    "D020": Card("yellow", 2, 5, Stock(stones=4), Stock(shields=1), Stock(), 2),
    "D021": Card("green", 2, 6, Stock(servants=2, shields=3), Stock(servants=1, shields=1), Stock(stones=3), 0),
    "D022": Card("purple", 2, 6, Stock(coins=2, servants=3), Stock(coins=1, servants=1), Stock(shields=3), 0),
    "D023": Card("blue", 2, 6, Stock(coins=3, stones=2), Stock(coins=1, stones=1), Stock(servants=3), 0),
    "D024": Card("yellow", 2, 6, Stock(stones=3, shields=2), Stock(stones=1, shields=1), Stock(coins=3), 0),
    "D025": Card("green", 2, 7, Stock(shields=5), Stock(coins=2), Stock(stones=2), 2),
    "D026": Card("purple", 2, 7, Stock(servants=5), Stock(stones=2), Stock(coins=2), 2),
    "D027": Card("blue", 2, 7, Stock(coins=5), Stock(servants=2), Stock(shields=2), 2),
    "D028": Card("yellow", 2, 7, Stock(stones=5), Stock(shields=2), Stock(servants=2), 2),
    "D029": Card("green", 2, 8, Stock(coins=3, shields=3), Stock(coins=1), Stock(shields=2), 1),
    "D030": Card("purple", 2, 8, Stock(servants=3, shields=3), Stock(stones=1), Stock(servants=2), 1),
    "D031": Card("blue", 2, 8, Stock(coins=3, stones=3), Stock(servants=1), Stock(stones=2), 1),
    "D032": Card("yellow", 2, 8, Stock(stones=3, servants=3), Stock(shields=1), Stock(coins=2), 1),
    "D033": Card("green", 3, 9, Stock(shields=6), Stock(coins=2), Stock(stones=3), 2),
    "D034": Card("purple", 3, 9, Stock(servants=6), Stock(stones=2), Stock(coins=3), 2),
    "D035": Card("blue", 3, 9, Stock(coins=6), Stock(servants=2), Stock(shields=3), 2),
    "D036": Card("yellow", 3, 9, Stock(stones=6), Stock(shields=2), Stock(servants=3), 2),
    "D037": Card("green", 3, 10, Stock(servants=2, shields=5), Stock(coins=1, servants=1), Stock(stones=2, shields=2), 1),
    "D038": Card("purple", 3, 10, Stock(coins=2, servants=5), Stock(stones=1, shields=1), Stock(coins=2, servants=2), 1),
    "D039": Card("blue", 3, 10, Stock(coins=5, stones=2), Stock(coins=1, shields=1), Stock(stones=2, servants=2), 1),
    "D040": Card("yellow", 3, 10, Stock(stones=5, servants=2), Stock(stones=1, servants=1), Stock(coins=2, shields=2), 1),
    "D041": Card("green", 3, 11, Stock(shields=7), Stock(servants=1), Stock(coins=1), 3),
    "D042": Card("purple", 3, 11, Stock(servants=7), Stock(coins=1), Stock(stones=1), 3),
    "D043": Card("blue", 3, 11, Stock(coins=7), Stock(stones=1), Stock(shields=1), 3),
    "D044": Card("yellow", 3, 11, Stock(stones=7), Stock(shields=1), Stock(servants=1), 3),
    "D045": Card("green", 3, 12, Stock(coins=4, shields=4), Stock(stones=1), Stock(coins=3, shields=1), 0),
    "D046": Card("purple", 3, 12, Stock(servants=4, shields=4), Stock(coins=1), Stock(stones=3, servants=1), 0),
    "D047": Card("blue", 3, 12, Stock(coins=4, stones=4), Stock(servants=1), Stock(coins=1, shields=3), 0),
    "D048": Card("yellow", 3, 12, Stock(stones=4, servants=4), Stock(shields=1), Stock(stones=1, servants=3), 0),
}

LEADERS: dict[str, Leader] = {
    "L001": Leader("discount", "servants", 2, (Requirement("green", 1), Requirement("yellow", 1))),
    "L002": Leader("discount", "shields", 2, (Requirement("blue", 1), Requirement("purple", 1))),
    "L003": Leader("discount", "stones", 2, (Requirement("blue", 1), Requirement("green", 1))),
    "L004": Leader("discount", "coins", 2, (Requirement("purple", 1), Requirement("yellow", 1))),
    "L005": Leader("depot", "stones", 3, resources=Stock(coins=5)),
    "L006": Leader("depot", "servants", 3, resources=Stock(stones=5)),
    "L007": Leader("depot", "shields", 3, resources=Stock(servants=5)),
    "L008": Leader("depot", "coins", 3, resources=Stock(shields=5)),
    "L009": Leader("exchange", "servants", 5, (Requirement("yellow", 2), Requirement("blue", 1))),
    "L010": Leader("exchange", "shields", 5, (Requirement("green", 2), Requirement("purple", 1))),
    "L011": Leader("exchange", "stones", 5, (Requirement("blue", 2), Requirement("yellow", 1))),
    "L012": Leader("exchange", "coins", 5, (Requirement("purple", 2), Requirement("green", 1))),
    "L013": Leader("production", "shields", 4, (Requirement("yellow", 1, level=2),)),
    "L014": Leader("production", "servants", 4, (Requirement("blue", 1, level=2),)),
    "L015": Leader("production", "stones", 4, (Requirement("purple", 1, level=2),)),
    "L016": Leader("production", "coins", 4, (Requirement("green", 1, level=2),)),
}
# fmt: on


def _counts(stock: Stock) -> dict[str, int]:
    return {resource: count for resource, count in zip(RESOURCES, stock, strict=True) if count}


# What is printed on cards and pieces, for programs elsewhere.
PRINTED: dict[str, Any] = {
    "development_cards": {
        name: {
            "colour": card.colour,
            "level": card.level,
            "points": card.points,
            "cost": _counts(card.cost),
            "takes": _counts(card.takes),
            "gives": _counts(card.gives),
            "faith": card.faith,
        }
        for name, card in CARDS.items()
    },
    "leader_cards": {
        name: {
            "kind": leader.kind,
            "resource": leader.resource,
            "points": leader.points,
            "needs_cards": [msgspec.to_builtins(need) for need in leader.cards],
            "needs_resources": _counts(leader.resources),
        }
        for name, leader in LEADERS.items()
    },
    "tokens": {name: msgspec.to_builtins(token) for name, token in TOKENS.items()},
    "marbles": {marble: {"count": count, "gives": GIVES.get(marble)} for marble, count in MARBLES.items()},
    "depots": PLACES,
    "leader_depot": LEADER_PLACES,
    "starting_resources": START_RESOURCES,
    "starting_faith": START_FAITH,
    "points_by_cell": CELL_POINTS,
    "vatican_reports": [msgspec.to_builtins(report) for report in REPORTS],
}
