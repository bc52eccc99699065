"""My Shelfie as the original program knows it, written down apart from the package's own translation."""

from typing import Any

from tests.java.compared import Compared, Message

from ludoteca.games.shelfie.wire import MESSAGES
from ludoteca.games.shelfie.wire.conversation import Conversation, Settings
from ludoteca.games.shelfie.wire.java import TABLE, JavaConversation
from ludoteca.wire.java import Constant, Record

TYPES = TABLE.types


def converse(settings: Settings) -> Conversation:
    """A conversation in which every message goes through objects."""
    java = JavaConversation(settings).tongue
    return Conversation(settings, Compared(MESSAGES[0], TABLE, java, object_of, message_of, known))


def object_of(message: Message) -> Record | None:
    """What an original would send."""
    fields = dict(message)
    kind = fields.pop("type")
    if fields.pop("token", None):
        return None
    if place := fields.get("position"):
        fields["position"] = TYPES.Position(row=place["row"], column=place["column"] - 3)
    if tiles := fields.get("pickedTiles"):
        fields["pickedTiles"] = [TYPES.Tile[name] for name in tiles]
    made: Record = getattr(TYPES, kind)(**fields)
    return made


def message_of(said: Record) -> Message:
    """What a server's object says."""
    kind = type(said).__name__
    fields = {name: getattr(said, name) for name in said.__struct_fields__}
    for name, value in fields.items():
        if name == "board":
            assert value.bag is None, "the bag is nobody's business"
            cells = sorted((place.row, place.column + 3, tile.name) for place, tile in value.board.items())
            fields[name] = {
                "cells": [{"row": row, "column": column, "tile": tile} for row, column, tile in cells]
            }
        elif name == "bookshelf":
            fields[name] = {"rows": [_names(row) for row in value.bookshelf]}
        elif name == "commonGoals":
            assert all(goal.predicate is None for goal in value)
            fields[name] = [{"id": goal.id, "name": goal.name} for goal in value]
        elif name == "commonGoalsTokens":
            fields[name] = [{"value": number} for number in value]
        elif name == "personalGoal":
            fields[name] = {
                "id": value.id,
                "positions": [{"row": place.row, "column": place.column} for place in value.positions],
                "tiles": _names(value.tiles),
                "rewards": {str(count): points for count, points in value.rewards.items()},
            }
        elif name == "pickedTiles":
            fields[name] = _names(value)
    return {"type": kind, **fields}


def _names(tiles: list[Constant]) -> list[str]:
    return [tile.name for tile in tiles]


def known(message: Message) -> Message | None:
    """What the original is told."""
    told: dict[str, Any] = {name: value for name, value in message.items() if name != "token"}
    match message["type"]:
        case "ErrorMessage":
            return None
        case "GameResultNotify":
            return {"type": "GameResultNotify"}
    return told
