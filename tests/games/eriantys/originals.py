"""Eriantys as the original program knows it, written down apart from the package's own translation."""

from typing import Any

import msgspec
from tests.java.compared import Compared, Message

from ludoteca.games.eriantys.wire import MESSAGES, Conversation, Settings
from ludoteca.games.eriantys.wire.java import TABLE, Objects
from ludoteca.games.eriantys.wire.messages import WireAction
from ludoteca.wire.java import Constant

TYPES = TABLE.types
PIECES = {"green": "FROG", "red": "DRAGON", "yellow": "GNOME", "pink": "FAIRY", "blue": "UNICORN"}
COLOURS = {piece: colour for colour, piece in PIECES.items()}
MODES = {"Basic": "BASIC", "Expert": "EXPERT"}
FROM_CLIENT, SYSTEM = TYPES.MessageType["VC"], TYPES.MessageType["SYS"]


def converse(settings: Settings) -> Conversation:
    """A conversation in which every message goes through objects."""
    return Conversation(settings, Compared(MESSAGES[0], TABLE, Objects(), object_of, message_of, known))


# From the client.


def object_of(message: Message) -> Any:
    """What an original would send; None for what it cannot say."""
    match message:
        case {"token": token} if token:
            return None
        case {"type": "NewGameMessage", "playerID": identity, "gameInfo": info}:
            mode = TYPES.GameMode.get(MODES.get(info["gameMode"]))
            if mode is None:
                return None
            game = TYPES.GameListInfo(gameName=info["gameName"], gameMode=mode, numPlayers=info["numPlayers"])
            return TYPES.NewGameMessage(messageType=SYSTEM, playerId=identity, gameInfo=game)
        case {"type": "AskGameListMessage", "playerID": identity}:
            return TYPES.AskGameListMessage(messageType=SYSTEM, playerId=identity)
        case {"type": "SelectGameMessage", "playerID": identity, "gameName": name}:
            return TYPES.SelectGameMessage(messageType=SYSTEM, playerId=identity, gameName=name)
        case {"type": "SetNickname", "playerID": identity, "nickname": name}:
            return TYPES.SetNickname(messageType=FROM_CLIENT, playerId=identity, nickname=name)
        case {"type": "SetTowerColor", "playerID": identity, "color": colour}:
            tower = TYPES.TowerColor.get(colour.upper())
            return tower and TYPES.SetTowerColor(messageType=FROM_CLIENT, playerId=identity, color=tower)
        case {"type": "SetAssistantCard", "nickname": name, "assistantCard": card}:
            played = TYPES.AssistantCard(
                cardID=card["value"], cardValue=card["value"], movements=card["steps"]
            )
            return TYPES.SetAssistantCard(messageType=FROM_CLIENT, nickname=name, assistantCard=played)
        case {"type": "SetAction", "nickname": name, "action": given}:
            return _set_action(name, given)
        case {"type": "Heartbeat"}:
            return TYPES.HeartbeatMessage(messageType=SYSTEM)
    raise AssertionError(f"nobody said what {message} is")


# What each kind of action says besides; the original has no place for more.
SPOKEN: dict[str, set[str]] = {
    "END": set(),
    "MOVE_STUDENT_TO_ISLAND": {"color", "island"},
    "MOVE_STUDENT_TO_DININGROOM": {"color"},
    "MOVE_MOTHER_NATURE": {"steps"},
    "CHOOSE_CLOUD": {"cloud"},
    "CHOOSE_CHARACTER": {"character"},
    "STUDENT_FROM_CARD_TO_ISLAND": {"color", "island"},
    "DOUBLE_INFLUENCE": {"island"},
    "NO_INFLUENCE": {"island"},
    "STUDENT_FROM_CARD_TO_ENTRANCE": {"colorFromCard", "colorFromEntrance", "stop"},
    "STUDENT_FROM_ENTRANCE_TO_DINING": {"colorFromEntrance", "colorFromDining", "stop"},
    "COLOR_NO_INFLUENCE": {"color"},
    "STUDENT_FROM_CARD_TO_DINING": {"color"},
    "STUDENT_FROM_DINING_TO_BAG": {"color"},
}


def _set_action(name: str, given: dict[str, Any]) -> Any:
    kind = given["actionType"]
    silent = msgspec.structs.asdict(WireAction(kind))
    given = silent | given
    said = {field for field in given if given[field] != silent[field]}
    if said - SPOKEN.get(kind, set()):
        return None
    if kind == "END":
        return TYPES.SetAction(messageType=FROM_CLIENT, nickname=name)
    if kind not in SPOKEN:
        return None
    colours = [given[field] for field in ("color", "colorFromCard", "colorFromDining", "colorFromEntrance")]
    if any(colour and colour not in PIECES for colour in colours):
        return None
    colour, from_card, from_dining, from_entrance = (
        TYPES.Piece[PIECES[colour]] if colour else None for colour in colours
    )
    first, second = colour, None
    if kind == "STUDENT_FROM_CARD_TO_ENTRANCE":
        first, second = from_card, from_entrance
    if kind == "STUDENT_FROM_ENTRANCE_TO_DINING":
        first, second = from_entrance, from_dining
    numbers = {
        "MOVE_STUDENT_TO_ISLAND": given["island"],
        "STUDENT_FROM_CARD_TO_ISLAND": given["island"],
        "DOUBLE_INFLUENCE": given["island"],
        "NO_INFLUENCE": given["island"],
        "MOVE_MOTHER_NATURE": given["steps"],
        "CHOOSE_CLOUD": given["cloud"],
        "CHOOSE_CHARACTER": given["character"],
    }
    action = TYPES.Action(
        integer=-1 if given["stop"] else numbers.get(kind, 0),
        actionType=TYPES.ActionType[kind],
        principalPiece=first,
        optionalPiece=second,
    )
    return TYPES.SetAction(messageType=FROM_CLIENT, nickname=name, action=action)


# From the server.


def message_of(said: Any) -> Message:
    """What a server's object says."""
    kind = type(said).__name__
    assert said.messageType is TYPES.MessageType["CV"]
    fields = {name: getattr(said, name) for name in said.__struct_fields__ if name != "messageType"}
    if "playerId" in fields:
        fields["playerID"] = fields.pop("playerId")
    if "gameList" in fields:
        fields["gameList"] = [
            {
                "gameName": info.gameName,
                "gameMode": info.gameMode.name.capitalize(),
                "numPlayers": info.numPlayers,
            }
            for info in fields["gameList"]
        ]
    if "possibleColors" in fields:
        fields["possibleColors"] = [tower.name.lower() for tower in fields["possibleColors"]]
    if "possibleCards" in fields:
        fields["possibleCards"] = [_card(card) for card in fields["possibleCards"]]
    if "roundActions" in fields:
        kinds = [action.actionType.name for action in fields.pop("roundActions").actionList]
        assert ("INFO_CHARACTER" in kinds) == ("CHOOSE_CHARACTER" in kinds)
        fields["possibleActions"] = [name for name in kinds if name != "INFO_CHARACTER"]
        fields["isFirstRequest"] = not fields.pop("isInvalidAction")
    if "game" in fields:
        fields["gameInfo" if kind == "UpdateGameBoard" else "game"] = _board(fields.pop("game"))
    return {"type": "Heartbeat" if kind == "HeartbeatMessage" else kind, **fields}


def _board(game: Any) -> dict[str, Any]:
    players = game.playerHandler.players
    for somebody in (
        game.playerHandler.currentPlayer,
        game.playerHandler.firstPlayer,
        *game.playerHandler.alreadyPlayed,
        *game.teacherHandler.teachers.values(),
        *(island.islandOwner for island in game.islandHandler.islands if island.islandOwner),
    ):
        assert any(somebody is player for player in players), "a player is one object, wherever it is named"
    assert game.studentsBag is None, "the bag is nobody's business"
    teachers = {COLOURS[piece.name]: owner.nickname for piece, owner in game.teacherHandler.teachers.items()}
    active = [(card.activeCharacter.ID, card.nickname) for card in players if card.activeCharacter]
    return {
        "gameName": game.name,
        "gameMode": game.gameMode.name.capitalize(),
        "numPlayers": game.playerHandler.numPlayers,
        "firstPlayer": game.playerHandler.firstPlayer.nickname,
        "currentPlayer": game.playerHandler.currentPlayer.nickname,
        "motherNature": game.islandHandler.motherNature,
        "drawn from": (12 - game.islandHandler.countsLastMerge) % 12,
        "islands": [
            {
                "id": island.ID,
                "size": island.size,
                "students": _counts(island.studentsOnIsland),
                "tower": island.islandOwner and island.islandOwner.towerColor.name.lower(),
                "noEntry": island.flagNoInfluence,
            }
            for island in game.islandHandler.islands
        ],
        "clouds": [{"id": cloud.cloudID, "students": _count(cloud.studentsClouds)} for cloud in game.clouds],
        "professors": {colour: teachers.get(colour) for colour in PIECES},
        "players": [_player(player) for player in players],
        "coinSupply": game.coins,
        "characters": [_character(card) for card in game.characters],
        "activeCharacter": active[0] if active else None,
    }


def _player(player: Any) -> dict[str, Any]:
    assert len(player.id) == 36
    return {
        "nickname": player.nickname,
        "towerColor": player.towerColor.name.lower(),
        "towers": player.numOfTower,
        "coins": player.playerCoin,
        "entrance": _count(player.playerBoard.studentsEntrance),
        "diningRoom": _counts(player.playerBoard.studentsRoom),
        "assistants": [_card(card)["value"] for card in player.cards],
        "lastAssistant": player.lastCardUsed and _card(player.lastCardUsed),
    }


def _character(card: Any) -> dict[str, Any]:
    assert card.name
    assert card.description.endswith(".")
    assert card.rules is None
    return {
        "id": card.ID,
        "cost": card.cost,
        "coinOnCard": not card.first,
        "students": _count(card.studentsOnCard),
        "noEntry": card.islandFlag,
    }


def _card(card: Any) -> dict[str, int]:
    assert card.cardID == card.cardValue
    return {"value": card.cardValue, "steps": card.movements}


def _count(pieces: list[Constant]) -> dict[str, int]:
    names = [piece.name for piece in pieces]
    return {colour: names.count(piece) for colour, piece in PIECES.items()}


def _counts(students: dict[Constant, int]) -> dict[str, int]:
    assert len(students) == len(PIECES)
    return {COLOURS[piece.name]: number for piece, number in students.items()}


NOBODY = dict.fromkeys(PIECES, 0)
UNKNOWN = ("round", "phase", "turnOrder", "lastRound", "bagCount")


def known(message: Message) -> Message:
    """What the original is told."""
    told = {name: value for name, value in message.items() if name != "token"}
    for name in ("game", "gameInfo"):
        if name in told:
            told[name] = _known_board(told[name])
    return told


def _there(students: dict[str, int]) -> dict[str, int]:
    """Tests that lay students on a card behind the players' backs leave fewer than none in the views."""
    return {colour: max(0, number) for colour, number in students.items()}


def _known_board(board: dict[str, Any]) -> dict[str, Any]:
    told = {name: value for name, value in board.items() if name not in UNKNOWN}
    told["drawn from"] = board["islands"][0]["tiles"][0]
    told["islands"] = [
        {name: value for name, value in island.items() if name != "tiles"} for island in board["islands"]
    ]
    told["characters"] = [
        {**card, "students": _there(card["students"] or NOBODY), "noEntry": card["noEntry"] or 0}
        for card in board["characters"]
    ]
    active = board["activeCharacter"]
    told["activeCharacter"] = active and (active["id"], active["player"])
    return told
