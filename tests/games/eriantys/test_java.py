"""The tongue of the original program, and the real object streams."""

from typing import Any, get_args

import msgspec
import pytest
from tests.games.eriantys import originals
from tests.games.eriantys.house import House
from tests.java import others
from tests.java.mirror import mirror, mirror_bytes, shape

from ludoteca.games.eriantys.data import CHARACTERS
from ludoteca.games.eriantys.wire import messages
from ludoteca.games.eriantys.wire.java import TABLE, Objects
from ludoteca.games.eriantys.wire.messages import ServerMessage, WireAction
from ludoteca.games.eriantys.wire.words import translate
from ludoteca.wire.java import HEADER, Reader, Writer, alone
from ludoteca.wire.tongue import Garbled

TYPES = TABLE.types
VC = TYPES.MessageType["VC"]
RED, BLUE = TYPES.Piece["DRAGON"], TYPES.Piece["UNICORN"]
IDENTITY = "5f0c7c1e-7a55-4b0e-9a53-0a3c5d0a9b11"


def action(kind: str, *, one: Any = None, other: Any = None, number: int = 0) -> Any:
    """What the original's client sends for an action."""
    made = TYPES.Action(
        integer=number, actionType=TYPES.ActionType[kind], principalPiece=one, optionalPiece=other
    )
    return TYPES.SetAction(messageType=VC, action=made, nickname="ann")


# Every kind of action as the original says it, and what it means.
ACTIONS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "MOVE_STUDENT_TO_ISLAND": ({"one": RED, "number": 7}, {"color": "red", "island": 7}),
    "MOVE_STUDENT_TO_DININGROOM": ({"one": BLUE}, {"color": "blue"}),
    "MOVE_MOTHER_NATURE": ({"number": 3}, {"steps": 3}),
    "CHOOSE_CLOUD": ({"number": 2}, {"cloud": 2}),
    "CHOOSE_CHARACTER": ({"number": 12}, {"character": 12}),
    "STUDENT_FROM_CARD_TO_ISLAND": ({"one": RED, "number": 0}, {"color": "red", "island": 0}),
    "DOUBLE_INFLUENCE": ({"number": 5}, {"island": 5}),
    "NO_INFLUENCE": ({"number": 5}, {"island": 5}),
    "STUDENT_FROM_CARD_TO_ENTRANCE": (
        {"one": RED, "other": BLUE},
        {"colorFromCard": "red", "colorFromEntrance": "blue"},
    ),
    "STUDENT_FROM_ENTRANCE_TO_DINING": (
        {"one": RED, "other": BLUE},
        {"colorFromEntrance": "red", "colorFromDining": "blue"},
    ),
    "COLOR_NO_INFLUENCE": ({"one": RED}, {"color": "red"}),
    "STUDENT_FROM_CARD_TO_DINING": ({"one": RED}, {"color": "red"}),
    "STUDENT_FROM_DINING_TO_BAG": ({"one": RED}, {"color": "red"}),
}


def heard(item: Any) -> Any:
    """What the house hears when a client sends this."""
    (message,) = Objects().read(HEADER + Writer(TABLE).message(item))
    return message


@pytest.mark.parametrize("kind", ACTIONS)
def test_every_kind_of_action_is_understood(kind: str) -> None:
    said, meant = ACTIONS[kind]
    expected = WireAction(kind, **meant)
    assert heard(action(kind, **said)) == messages.SetAction("ann", expected)
    assert translate(expected) is not None


@pytest.mark.parametrize("kind", ["STUDENT_FROM_CARD_TO_ENTRANCE", "STUDENT_FROM_ENTRANCE_TO_DINING"])
def test_a_number_below_none_stops_swapping(kind: str) -> None:
    assert heard(action(kind, number=-1)).action == WireAction(kind, stop=True)


def test_no_action_at_all_is_the_end_of_the_turn() -> None:
    assert heard(TYPES.SetAction(messageType=VC, nickname="ann")).action == WireAction("END")


@pytest.mark.parametrize("kind", ["INFO_CHARACTER", "ACTIVATED_CHARACTER"])
def test_what_only_the_original_has_is_asked_again(kind: str) -> None:
    assert translate(heard(action(kind)).action) is None


@pytest.mark.parametrize(
    "item",
    [
        TYPES.SetAction(messageType=VC, nickname=None),
        TYPES.SetAction(messageType=VC, nickname="ann", action=RED),
        TYPES.SetAction(messageType=VC, nickname="ann", action=TYPES.Action(integer=0)),
        TYPES.SetAction(messageType=VC, nickname="ann", action=[]),
        TYPES.SetAssistantCard(messageType=VC, nickname="ann"),
        TYPES.SetAssistantCard(messageType=VC, nickname="ann", assistantCard=RED),
        TYPES.SetNickname(messageType=VC, playerId=IDENTITY),
        TYPES.SetTowerColor(messageType=VC, playerId=IDENTITY),
        TYPES.NewGameMessage(messageType=VC, playerId=IDENTITY),
        TYPES.NewGameMessage(messageType=VC, playerId=IDENTITY, gameInfo=TYPES.GameListInfo(numPlayers=2)),
        TYPES.ShowLastRound(messageType=VC),
        RED,
        [],
        "ann",
    ],
    ids=repr,
)
def test_an_object_that_is_no_message_of_a_client_is_none(item: Any) -> None:
    assert type(heard(item)) is Garbled


def test_a_piece_where_none_belongs_is_no_colour() -> None:
    said = action("MOVE_STUDENT_TO_DININGROOM", one=TYPES.TowerColor["WHITE"])
    assert translate(heard(said).action) is None
    said = action("MOVE_STUDENT_TO_DININGROOM", one=[])
    assert translate(heard(said).action) is None


# The other way.


def told() -> list[ServerMessage]:
    """Every message of the server."""
    house = House()
    decode = msgspec.json.Decoder(ServerMessage).decode
    ann, bob = house.table_of("ann", "bob", mode="Expert")
    boards = [decode(msgspec.json.encode(message)) for client in (ann, bob) for message in client.take()]
    board = next(message.game for message in boards if isinstance(message, messages.GameStart))
    games = [messages.GameInfo("friday", "Expert", 2), messages.GameInfo("sunday", "Basic", 3)]
    return [
        messages.NotifyPlayerIdMessage(IDENTITY),
        *boards,
        messages.UpdateGameBoard(board),
        messages.AskAssistantCard(board, [messages.AssistantCard(1, 1), messages.AssistantCard(10, 5)]),
        messages.AskNewGameName(),
        messages.AskNewGameChoice(),
        messages.GameListMessage(games),
        messages.AskNickname(False),
        messages.AskTowerColor(["white", "black", "gray"], True),
        messages.AckTowerColor(),
        messages.AskAction([*ACTIONS, "END"], True),
        messages.ShowLastRound(),
        messages.ShowEndGame(None),
        messages.ShowEndGame("ann"),
        messages.ShowDisconnection(None),
        messages.Heartbeat(),
    ]


def objects_of(data: bytes) -> list[Any]:
    """What a client would read."""
    reader = Reader(TABLE, message_bytes_max=65_536)
    found, at = [], 0
    while at < len(data):
        at = reader.feed(data, at)
        assert at, "half an object"
        found.append(reader.item)
    return found


def test_a_reader_of_others_finds_the_same_in_all_that_is_told() -> None:
    tongue = Objects()
    data = tongue.open() + tongue.write(told())
    found = [others.theirs(each) for each in others.read(data)]
    assert found == [others.ours(each) for each in objects_of(data)]


@pytest.mark.slow
def test_the_real_object_streams_read_what_we_write_and_write_what_we_read() -> None:
    said = told()
    assert {type(message) for message in said} == set(get_args(ServerMessage))
    tongue = Objects()
    data = tongue.open() + tongue.write(said)
    sent = objects_of(data)
    assert len(sent) == len(said)
    assert list(map(shape, mirror_bytes("eriantys", TABLE, data, "after"))) == list(map(shape, sent))
    own = [action(kind, **fields) for kind, (fields, _) in ACTIONS.items()]
    own += [
        TYPES.SetAction(messageType=VC, nickname="ann"),
        TYPES.SetAssistantCard(
            messageType=VC,
            nickname="ann",
            assistantCard=TYPES.AssistantCard(cardID=3, cardValue=3, movements=2),
        ),
        TYPES.NewGameMessage(
            messageType=VC,
            playerId=IDENTITY,
            gameInfo=TYPES.GameListInfo(numPlayers=3, gameMode=TYPES.GameMode["BASIC"], gameName="friday"),
        ),
        TYPES.AskGameListMessage(messageType=VC, playerId=IDENTITY),
        TYPES.SelectGameMessage(messageType=VC, playerId=IDENTITY, gameName="friday"),
        TYPES.SetNickname(messageType=VC, playerId=IDENTITY, nickname="Zo\u00eb"),
        TYPES.SetTowerColor(messageType=VC, playerId=IDENTITY, color=TYPES.TowerColor["GRAY"]),
        TYPES.HeartbeatMessage(messageType=VC),
    ]
    named = {type(each).__name__ for each in [*sent, *own]}
    assert named == {
        name.split(".")[-1] for name in TABLE.classes if ".messages." in name or "heartbeat" in name
    }
    back = mirror("eriantys", TABLE, [*sent, *own], "after")
    assert list(map(shape, back)) == list(map(shape, [*sent, *own]))
    # What a real writer has written is understood, too.
    again = list(Objects().read(HEADER + b"".join(alone(TABLE, each) for each in back[len(sent) :])))
    assert not [message for message in again if type(message) is Garbled]


def test_the_reader_finds_itself_by_the_id_it_was_told_and_the_others_are_strangers() -> None:
    tongue = Objects()
    writer = Writer(TABLE)
    list(tongue.read(HEADER + writer.message(TYPES.SetNickname(messageType=VC, playerId="", nickname="BOB"))))
    notified, *rest = objects_of(tongue.open() + tongue.write(told()))
    game = next(message.game for message in rest if type(message).__name__ == "GameStart")
    identities = {player.nickname: player.id for player in game.playerHandler.players}
    assert identities["bob"] == notified.playerId == IDENTITY
    assert identities["ann"] != IDENTITY


def test_characters_are_told_in_our_own_words() -> None:
    house = House(seed=5)
    ann, _ = house.table_of("ann", "bob", mode="Expert")
    start = next(message for message in ann.take() if message["type"] == "GameStart")
    board = msgspec.convert(start["game"], messages.Board)
    (said,) = objects_of(HEADER + Objects().write([messages.UpdateGameBoard(board)]))
    shown = {(card.ID, card.name, card.description) for card in said.game.characters}
    assert shown == {(number, CHARACTERS[number].name, CHARACTERS[number].effect) for number, _, _ in shown}
    assert len(shown) == 3


def test_islands_are_drawn_where_our_tiles_lie() -> None:
    house = House()
    ann, _ = house.table_of("ann", "bob")
    start = next(message for message in ann.take() if message["type"] == "GameStart")
    islands = start["game"]["islands"]
    # The last two and the first are one group.
    islands[0] |= {"tiles": [10, 11, 0], "size": 3}
    board = msgspec.convert({**start["game"], "islands": islands[:10]}, messages.Board)
    (said,) = objects_of(HEADER + Objects().write([messages.UpdateGameBoard(board)]))
    assert said.game.islandHandler.countsLastMerge == 2
    assert originals.message_of(said)["gameInfo"]["drawn from"] == 10
