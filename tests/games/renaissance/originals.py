"""Masters of Renaissance as the original program knows it, apart from how the package translates it."""

from typing import Any

import msgspec
from tests.java.compared import Compared, Message

from ludoteca.games.renaissance.wire import MESSAGES, java
from ludoteca.games.renaissance.wire.conversation import Conversation, Settings
from ludoteca.games.renaissance.wire.java.table import TABLE
from ludoteca.wire.java import Constant, Ordered, Record

TYPES = TABLE.types


def converse(settings: Settings) -> Conversation:
    """A conversation in which every message goes through objects."""
    tongue = java.Original(settings).tongue
    seen = Seen()
    return Conversation(
        settings, Compared(MESSAGES[0], TABLE, tongue, object_of, message_of, seen.known, reset=False)
    )


def as_json(message: Any) -> Message:
    """A message as a client of lines has it."""
    found: Message = msgspec.json.decode(msgspec.json.encode(message))
    return found


# What an original sends.

_SAID = {
    "pong": ("Pong", {}),
    "endTurn": ("EndTurn", {}),
    "loginRequest": ("LoginMessage", {"username": "username"}),
    "numberOfPlayersReply": ("PlayerNumberReply", {"number": "playerNum"}),
    "leaderCardsReply": ("LeaderCardsReply", {"leaderCards": "leaderCardsId", "username": "username"}),
    "resourcesReply": ("ResourcesReply", {"warehouse": "resources", "username": "username"}),
    "actionReply": ("ActionReply", {"action": "action"}),
    "playLeaderCard": ("PlayLeaderCardParameters", {"leaderCard": "id", "username": "username"}),
    "discardLeaderCard": ("DiscardLeaderCardParameters", {"leaderCard": "id", "username": "username"}),
    "buyDevelopmentCard": (
        "BuyDevelopmentCardParameters",
        {"color": "color", "level": "level", "slot": "devCardSlot", "username": "username"},
    ),
    "useProduction": (
        "UseProductionParameters",
        {
            "board": "boardResGain",
            "devSlots": "indexDevSlot",
            "leaders": "indexLeaderSlot",
            "leaderGain": "leaderCardGain",
            "username": "username",
        },
    ),
    "rowColumnSelection": (
        "RowColumnSelection",
        {"index": "index", "row": "rowOrCol", "exchange": "exchangeBuffResources", "username": "username"},
    ),
    "resourcesManageReply": ("ResourcesManageReply", {"warehouse": "resources", "discard": "discardRes"}),
}
_PAID = {"warehouse": "warehouseDepotRes", "leaderDepots": "cardDepotRes", "strongbox": "strongboxRes"}


def object_of(message: Message) -> Record | None:
    """What an original would send; None for what it has no way to say."""
    kind, names = _SAID[message["type"]]
    fields: dict[str, Any] = {}
    for name, value in message.items():
        if name == "payment":
            if not isinstance(value, dict) or any(isinstance(each, list) for each in value.values()):
                return None
            fields |= {_PAID[part]: _counted(value.get(part)) for part in _PAID}
        elif name == "warehouse":
            if any(not key.isdecimal() for key in value):
                return None
            fields["resources"] = {int(key): _resources(each) for key, each in value.items()}
        elif name == "discard":
            fields["discardRes"] = _counted(value)
        elif name in ("exchange", "board", "leaderGain"):
            fields[names[name]] = _resources(value)
        elif name == "action":
            fields["action"] = TYPES.Actions[value]
        elif name == "color":
            fields["color"] = TYPES.Color[value]
        elif name != "type":
            if name not in names or (isinstance(value, int) and abs(value) >= 2**31):
                return None
            fields[names[name]] = value
    made: Record = getattr(TYPES, kind)(**fields)
    if any(getattr(made, name) is None for name, type_ in made.java.fields if type_ in ("I", "Z")):
        return None
    return made


def _resources(names: list[str]) -> list[Constant]:
    return [TYPES.Resource[name] for name in names]


def _counted(counts: dict[str, int] | None) -> dict[Constant, int] | None:
    return None if counts is None else {TYPES.Resource[name]: count for name, count in counts.items()}


# What an original is told.

_TOLD = {
    "Ping": ("ping", {}),
    "UsernameResponse": ("usernameResponse", {"isFree": "free", "nickname": "username"}),
    "PlayerNumberRequest": ("numberOfPlayersRequest", {"max": "max"}),
    "ErrorMessage": ("error", {"error": "error"}),
    "Disconnection": ("disconnection", {"username": "username"}),
    "Reconnection": ("reconnection", {"username": "username"}),
    "Players": ("players", {"players": "players"}),
    "MarketMarbles": ("market", {"marbles": "marbles", "freeMarble": "freeMarble"}),
    "DevCardGrid": ("devCardGrid", {"devCardId": "grid"}),
    "LeaderCardsRequest": ("leaderCardsRequest", {"leaderCardsId": "leaderCards"}),
    "LeaderCardSetupDone": ("leaderCardsDone", {}),
    "ResourcesRequest": ("resourcesRequest", {"resourceNumber": "number"}),
    "StartingResourceDone": ("startingResourcesDone", {}),
    "SetupGameUpdate": (
        "setupUpdate",
        {"leaderCards": "leaderCards", "resources": "warehouses", "newFaithTrackPosition": "faithPositions"},
    ),
    "StartTurn": ("startTurn", {"name": "username"}),
    "ActionRequest": ("possibleActions", {"possibleActions": "actions"}),
    "ActionResponse": ("actionResponse", {"action": "action"}),
    "ResourcesManageRequest": ("resourcesManageRequest", {"resources": "resources"}),
    "FaithTrackMessage": (
        "faithTrackUpdate",
        {
            "report": "report",
            "vaticanReportPos": "vaticanReport",
            "activatedVatican": "activated",
            "position": "positions",
        },
    ),
    "PlayLeaderCardUpdate": (
        "playLeaderCardUpdate",
        {"nickname": "username", "id": "leaderCard", "warehouse": "warehouse"},
    ),
    "DiscardLeaderCardUpdate": ("discardLeaderCardUpdate", {"nickname": "username", "id": "leaderCard"}),
    "BuyDevelopmentCardUpdate": (
        "buyDevelopmentCardUpdate",
        {
            "nickname": "username",
            "id": "card",
            "gridId": "nextCard",
            "color": "color",
            "level": "level",
            "slot": "slot",
            "warehouse": "warehouse",
            "strongbox": "strongbox",
        },
    ),
    "UseProductionUpdate": (
        "useProductionUpdate",
        {"nickname": "username", "warehouse": "warehouse", "strongbox": "strongbox"},
    ),
    "MarketActionUpdate": (
        "marketUpdate",
        {
            "nickname": "username",
            "pos": "index",
            "rowOrCol": "row",
            "newMarbles": "marbles",
            "newFreeMarble": "freeMarble",
            "warehouse": "warehouse",
        },
    ),
    "LorenzoMessage": (
        "lorenzoUpdate",
        {"lorenzoPosition": "position", "newCardGrid": "grid", "message": "message"},
    ),
    "ReConnectionUpdate": (
        "reconnectionUpdate",
        {
            "username": "username",
            "devCardSlots": "devCardSlots",
            "faithPositions": "faithPositions",
            "leaderCardsPlayed": "leaderCardsPlayed",
            "leaderCards": "leaderCards",
            "strongbox": "strongboxes",
            "warehouse": "warehouses",
            "cardsInHand": "cardsInHand",
            "playersConnected": "playersConnected",
            "vaticanReportActivated": "vaticanReports",
            "setupDone": "setupDone",
        },
    ),
    "EndGameMessage": ("endGame", {}),
    "FinalScoreMessage": ("finalScore", {"finalScores": "scores", "lorenzoWin": "lorenzoWon"}),
}


def message_of(said: Any) -> Message:
    """What a server's object says."""
    kind, names = _TOLD[type(said).__name__]
    assert set(names) == set(said.__struct_fields__)
    if kind == "finalScore":
        assert isinstance(said.finalScores, Ordered), "from high to low"
    return {"type": kind, **{names[name]: _plain(getattr(said, name)) for name in names}}


def _plain(value: Any) -> Any:
    match value:
        case Constant():
            return value.name
        case dict():
            return {str(_plain(key)): _plain(each) for key, each in value.items()}
        case list():
            return [_plain(each) for each in value]
    return value


class Seen:
    """What one original knows."""

    def __init__(self) -> None:
        self._is_playing = False

    def known(self, message: Message) -> Message | None:
        """What it is told of a message; it has no word for some of it."""
        kind, told = message["type"], dict(message)
        self._is_playing = self._is_playing or kind == "players"
        if kind == "error" and told["error"] in ("NOT_YOUR_TURN", "INVALID_MESSAGE"):
            return None
        if kind == "disconnection" and not self._is_playing:
            return None
        if kind == "marketUpdate":
            rows, index = told["marbles"], told["index"]
            told["marbles"] = rows[index] if told["row"] else [row[index] for row in rows]
        (names,) = [names for said, names in _TOLD.values() if said == kind]
        return {"type": kind, **{name: told.get(name) for name in names.values()}}
