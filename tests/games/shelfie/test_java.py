"""The tongue of the original program, its real object streams, and the time it needs to end."""

from typing import Any, get_args

import msgspec
import pytest
from tests.games.shelfie import originals
from tests.games.shelfie.boards import lay
from tests.games.shelfie.house import Client, House
from tests.java import others
from tests.java.mirror import mirror, shape

from ludoteca.core.notices import Gone
from ludoteca.games.shelfie.wire import Settings, messages
from ludoteca.games.shelfie.wire.java import TABLE, JavaConversation
from ludoteca.wire.java import HEADER, Reader, Writer, alone
from ludoteca.wire.tongue import Garbled

TYPES = TABLE.types
PLACE = TYPES.Position(row=4, column=-3)
TILES = TYPES.Tile

# Every message of a client, as an original sends it.
SAID = [
    TYPES.LoginRequest(nickname="Zo\u00eb\0\U0001f600"),
    TYPES.NumPlayersResponse(numPlayers=-7),
    TYPES.PickTileRequest(position=PLACE),
    TYPES.UnpickTileRequest(position=PLACE),
    TYPES.ConfirmPickRequest(),
    TYPES.ConfirmColumnRequest(columnNumber=2**31 - 1),
    TYPES.ConfirmOrderNotify(pickedTiles=[TILES["GREEN"], TILES["LBLUE"], TILES["GREEN"]]),
    TYPES.ChatMessage(player="anna", receiver=None, textMessage="ciao"),
    TYPES.PongMessage(),
]


def told() -> list[Any]:
    """Every message of the server, those of a match of four first."""
    house = House(rows=None)
    decode = msgspec.json.Decoder(messages.ServerMessage).decode
    clients = house.match("anna", "bruno", "carla", "dino")
    heard = [decode(msgspec.json.encode(client.start)) for client in clients]
    mover = clients[house.state.tabletop.turn]
    first = house.state.choices[0].cells[0]
    for kind in ("PickTileRequest", "UnpickTileRequest", "PickTileRequest"):
        mover.tell(kind, position={"row": first.row, "column": first.column})
    mover.tell("ConfirmPickRequest")
    mover.tell("ConfirmColumnRequest", columnNumber=2)
    mover.tell(
        "ConfirmOrderNotify", pickedTiles=[messages.WIRE_TILES[tile] for tile in house.state.tabletop.hand]
    )
    heard += [decode(line) for line in mover.lines()]
    return [
        *heard,
        messages.LoginResponse(None),
        messages.LoginResponse("anna"),
        messages.NumPlayersRequest(),
        messages.LobbyInfoMessage(3, ("anna", "bruno"), True, "bruno"),
        messages.GameResultNotify({"anna": 3}, "anna"),
        messages.PlayerDisconnectedNotify("bruno"),
        messages.ChatMessage(player="anna", receiver="bruno", text_message="ciao"),
        messages.PingMessage(),
        messages.ErrorMessage("the original has no word for it"),
    ]


def objects_of(data: bytes) -> list[Any]:
    """What a client would read."""
    reader = Reader(TABLE, message_bytes_max=65_536)
    found, at = [], len(HEADER)
    assert reader.feed(data[:at]) == 0
    while at < len(data):
        at = reader.feed(data, at)
        assert at, "half an object"
        found.append(reader.item)
    return found


def test_a_reader_of_others_finds_the_same_in_all_that_is_told() -> None:
    tongue = JavaConversation(Settings()).tongue
    data = tongue.open() + tongue.write(told())
    found = [others.theirs(each) for each in others.read(data)]
    assert found == [others.ours(each) for each in objects_of(data)]


@pytest.mark.slow
def test_the_real_object_streams_read_what_we_write_and_write_what_we_read() -> None:
    tongue = JavaConversation(Settings()).tongue
    said = told()
    assert {type(message) for message in said} == set(get_args(messages.ServerMessage))
    sent = objects_of(tongue.open() + tongue.write(said))
    assert len(sent) == len(said) - 1
    assert {f"it.polimi.ingsw.network.message.{type(each).__name__}" for each in [*sent, *SAID]} == {
        name for name in TABLE.classes if ".message." in name
    }
    back = mirror("shelfie", TABLE, [*sent, *SAID], "before")
    assert list(map(shape, back)) == list(map(shape, [*sent, *SAID]))
    # What a real writer has written is understood, too.
    heard = list(tongue.read(HEADER + b"".join(alone(TABLE, each) for each in back[len(sent) :])))
    assert [type(message).__name__ for message in heard] == [type(each).__name__ for each in SAID]
    assert heard[2] == messages.PickTileRequest(messages.Position(4, 0))


@pytest.mark.parametrize(
    "item",
    [
        TYPES.PickTileRequest(position=None),
        TYPES.PickTileRequest(position=TYPES.Board()),
        TYPES.PickTileRequest(position=TYPES.Position(row=0, column=2**31 - 1)),
        TYPES.LoginRequest(nickname=None),
        TYPES.LoginRequest(nickname=["anna"]),
        TYPES.ConfirmOrderNotify(pickedTiles=None),
        TYPES.ConfirmOrderNotify(pickedTiles=[None]),
        TYPES.ConfirmOrderNotify(pickedTiles=[PLACE]),
        TYPES.ConfirmOrderNotify(pickedTiles={}),
        TYPES.ChatMessage(player=None, receiver=None, textMessage="ciao"),
        TYPES.GameResultNotify(),
        TYPES.Bag(currentNumberOfTiles=132),
        TILES["GREEN"],
        "a text",
        7,
        None,
    ],
    ids=repr,
)
def test_an_object_that_is_no_message_of_a_client_is_none(item: Any) -> None:
    tongue = JavaConversation(Settings()).tongue
    (heard,) = tongue.read(HEADER + Writer(TABLE).message(item))
    assert type(heard) is Garbled


def test_a_list_that_holds_itself_is_refused() -> None:
    order = TYPES.ConfirmOrderNotify(pickedTiles=[])
    data = bytearray(alone(TABLE, order))
    # One element, and that is the list: handle 4, behind a class, its field's type, the record and a class.
    at = data.rindex(b"w\x04\0\0\0\0x")
    data[at:] = b"w\x04\0\0\0\x01q\0~\0\x04x"
    (heard,) = JavaConversation(Settings()).tongue.read(HEADER + bytes(data))
    assert type(heard) is Garbled


# The end.


class Original(Client):
    """A client of the original program, as far as time is concerned."""

    def __init__(self, house: House) -> None:
        self.objects: list[Any] = []
        self._writer = Writer(TABLE)
        super().__init__(house)

    def say(self, *said: Any) -> None:
        """Send messages as objects."""
        for message in said:
            made = originals.object_of(message)
            assert made is not None
            self.send(self._writer.message(made, reset=True))

    def take(self) -> list[dict[str, Any]]:
        """The messages received since the last time."""
        data, self._received = self._received, b""
        header = b"" if data.startswith(HEADER) else HEADER
        return [originals.message_of(each) for each in objects_of(header + data)]


class OriginalHouse(House):
    """A house of originals."""

    settings: Settings

    def converse(self) -> Any:
        conversation = JavaConversation(self.settings)
        assert list(conversation.tongue.read(HEADER)) == []
        return conversation

    def client(self) -> Client:
        return Original(self)

    def login(self, name: str) -> Client:
        client = Original(self)
        client.tell("LoginRequest", nickname=name)
        return client


def move(house: House, client: Client) -> None:
    """A whole turn."""
    client.act(house.state.choices[0])
    client.act(house.state.choices[0])


def test_the_result_waits_until_the_original_has_looked_at_the_last_turn() -> None:
    house = OriginalHouse()
    anna, bruno = house.match("anna", "bruno")
    move(house, anna)
    lay(house.state, filled=0)
    move(house, bruno)
    assert anna.kinds()[-1] == bruno.kinds()[-1] == "EndTurnNotify"
    house.wait(0.29)
    assert anna.kinds() == bruno.kinds() == []
    house.wait(0.02)
    assert anna.kinds() == bruno.kinds() == ["GameResultNotify"]


def test_the_original_leaves_by_itself_and_is_not_waited_for_long() -> None:
    house = OriginalHouse()
    anna, bruno, carla = house.match("anna", "bruno", "carla")
    carla.hang_up()
    assert anna.kinds() == bruno.kinds() == ["PlayerDisconnectedNotify"]
    house.wait(1.0)
    bruno.hang_up()
    house.wait(3.9)
    assert not anna.closed
    house.wait(0.2)
    assert anna.closed
    # Pings are for those who play.
    assert anna.kinds() == []


def test_when_the_house_closes_nobody_is_waited_for() -> None:
    house = OriginalHouse()
    anna, _ = house.match("anna", "bruno")
    anna.conversation.send(Gone("the house closes"), house.now)
    assert anna.conversation.closing
