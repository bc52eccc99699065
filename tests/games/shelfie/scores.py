"""The final score of a match, worked out from nothing but what the wire showed."""

from typing import Any

from ludoteca.games.shelfie.goals import personal_points
from ludoteca.games.shelfie.state import group_points
from ludoteca.games.shelfie.wire.messages import TILES_BY_WIRE


def score(rows: list[list[str]], card: int) -> int:
    """Groups and personal goal of a bookshelf as the wire shows it."""
    columns = zip(*reversed(rows), strict=True)
    shelf = [tuple(TILES_BY_WIRE[t] for t in column if t != "EMPTY") for column in columns]
    return group_points(shelf) + personal_points(card, shelf)


def check_result(
    result: dict[str, Any],
    turns: list[dict[str, Any]],
    start: dict[str, Any],
    cards: dict[str, int],
    *,
    is_open: bool = True,
) -> None:
    """Points and winner are what bookshelves, tokens, the end and the cards give; so
    are the running totals."""
    points = dict.fromkeys(cards, 0)
    tokens = [token["value"] for token in start["commonGoalsTokens"]]
    is_last_round = False
    shelves = {}
    for turn in turns:
        name = turn["player"]
        left = [token["value"] for token in turn["commonGoalsTokens"]]
        points[name] += sum(top for top, now in zip(tokens, left, strict=True) if top != now)
        points[name] += turn["endGame"] and not is_last_round
        tokens, is_last_round = left, turn["endGame"]
        shelves[name] = turn["bookshelf"]["rows"]
        total = points[name] + score(shelves[name], cards[name])
        assert turn["points"] == total if is_open else turn["points"] <= total
    for name, card in cards.items():
        points[name] += score(shelves[name], card)
    assert result["points"] == points
    best = max(points.values())
    assert result["winner"] == [name for name in start["players"] if points[name] == best][-1]
    assert turns[-1]["nextPlayer"] == turns[-1]["player"] == start["players"][-1]
    assert all(turn["nextPlayer"] != turn["player"] for turn in turns[:-1])
