"""The tongue of the original program: its real object streams, every message, and who abuses it."""

from typing import Any, get_args

import pytest
from tests.games.renaissance import originals
from tests.java.mirror import mirror, shape

from ludoteca.games.renaissance.wire import Settings, java, messages
from ludoteca.games.renaissance.wire.java.table import TABLE
from ludoteca.wire.java import HEADER, Reader, Record, Writer
from ludoteca.wire.tongue import Garbled

TYPES = TABLE.types
COINS, STONES = TYPES.Resource["COINS"], TYPES.Resource["STONES"]
NAME = "Zo\u00eb\0\U0001f600"

# Every message of a client, as an original sends it, and what it says.
SAID: list[tuple[Record, Any]] = [
    (TYPES.Pong(), messages.Pong()),
    (TYPES.EndTurn(), messages.EndTurn()),
    (TYPES.LoginMessage(NAME), messages.LoginRequest(NAME)),
    (TYPES.PlayerNumberReply(-7), messages.NumberOfPlayersReply(-7)),
    (
        TYPES.LeaderCardsReply(["L001", "L002"], "anna"),
        messages.LeaderCardsReply(["L001", "L002"], username="anna"),
    ),
    (
        TYPES.ResourcesReply({0: [COINS], 1: [], 2: [STONES, STONES]}, "anna"),
        messages.ResourcesReply({"0": ["COINS"], "1": [], "2": ["STONES", "STONES"]}, username="anna"),
    ),
    (TYPES.ActionReply(TYPES.Actions["ENDTURN"]), messages.ActionReply("ENDTURN")),
    (TYPES.PlayLeaderCardParameters("L003", "anna"), messages.PlayLeaderCard("L003", username="anna")),
    (TYPES.DiscardLeaderCardParameters("L003", "anna"), messages.DiscardLeaderCard("L003", username="anna")),
    (
        TYPES.BuyDevelopmentCardParameters(
            2, 1, {COINS: 1}, TYPES.Color["GREEN"], {STONES: 2}, "anna", {COINS: 3}
        ),
        messages.BuyDevelopmentCard(
            "GREEN", 1, 2, messages.Payment({"COINS": 3}, {"COINS": 1}, {"STONES": 2}), username="anna"
        ),
    ),
    (
        TYPES.UseProductionParameters(
            [COINS, COINS, STONES], {}, [0, 2], [1], [STONES], {STONES: 1}, "anna", {COINS: 2}
        ),
        messages.UseProduction(
            messages.Payment({"COINS": 2}, {}, {"STONES": 1}),
            ["COINS", "COINS", "STONES"],
            [0, 2],
            [1],
            ["STONES"],
            username="anna",
        ),
    ),
    (
        TYPES.RowColumnSelection(2, True, [STONES], "anna"),
        messages.RowColumnSelection(2, True, ["STONES"], username="anna"),
    ),
    (
        TYPES.ResourcesManageReply({COINS: 1, STONES: 0}, {0: [], 1: [], 2: [COINS]}),
        messages.ResourcesManageReply({"0": [], "1": [], "2": ["COINS"]}, {"COINS": 1, "STONES": 0}),
    ),
]

DEPOTS: messages.Warehouse = {"0": ["COINS"], "1": [], "2": ["STONES"], "3": []}
CHEST: messages.Counts = {"COINS": 0, "STONES": 1, "SERVANTS": 2, "SHIELDS": 300}
MARBLES: messages.Marbles = [
    ["WHITE", "BLUE", "GREY", "PURPLE"],
    ["RED", "WHITE", "YELLOW", "GREY"],
    ["BLUE"] * 4,
]
GRID: messages.Grid = [
    ["D034", "D044", "D037", None],
    ["D022", "D032", "D025", "D019"],
    ["D014", "D008", "D001", None],
]
# Every message of the server.
TOLD: list[Any] = [
    messages.Ping(),
    messages.UsernameResponse(True, NAME),
    messages.UsernameResponse(False, None, "TAKEN"),
    messages.NumberOfPlayersRequest(4),
    messages.Error("INVALID_ACTION", "no"),
    messages.Players(["anna", "bruno"], "a token"),
    messages.Disconnection("bruno"),
    messages.Reconnection("bruno"),
    messages.Market(MARBLES, "WHITE"),
    messages.DevCardGrid(GRID),
    messages.LeaderCardsRequest(["L001", "L002", "L003", "L004"]),
    messages.LeaderCardsDone(),
    messages.ResourcesRequest(2),
    messages.StartingResourcesDone(),
    messages.SetupUpdate(
        {"anna": ["L001", "L002"], "bruno": [None, None]},
        {"anna": DEPOTS, "bruno": DEPOTS},
        {"anna": 0, "bruno": 1},
    ),
    messages.StartTurn("anna"),
    messages.PossibleActions(["PLAYLEADERCARD", "ENDTURN"]),
    messages.ActionResponse("MARKETACTION"),
    messages.ResourcesManageRequest(["COINS", "SHIELDS"]),
    messages.FaithTrackUpdate(True, 8, ["anna"], {"anna": 8, "bruno": 3}, None),
    messages.PlayLeaderCardUpdate("anna", "L005", DEPOTS),
    messages.DiscardLeaderCardUpdate("anna", "L005"),
    messages.BuyDevelopmentCardUpdate("anna", "D001", None, "GREEN", 1, 0, DEPOTS, CHEST),
    messages.UseProductionUpdate("anna", DEPOTS, CHEST),
    messages.MarketUpdate("anna", 3, False, MARBLES, "RED", DEPOTS),
    messages.LorenzoUpdate(4, GRID, "Lorenzo moves", "T005"),
    messages.ReconnectionUpdate(
        "anna",
        {"anna": {"0": ["D001", "D017"], "1": [], "2": []}},
        {"anna": ["D017", None, None]},
        {"anna": 9},
        {"anna": ["L001"]},
        ["L002"],
        {"anna": CHEST},
        {"anna": DEPOTS},
        {"anna": 1},
        {"anna": True},
        {"anna": {"8": True}},
        True,
        None,
        False,
        "anna",
    ),
    messages.EndGame(),
    messages.FinalScore({"bruno": 41, "anna": 38}, False, ["bruno"]),
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


def heard(data: bytes) -> list[Any]:
    return list(java.converse(Settings()).tongue.read(HEADER + data))


def test_the_real_object_streams_read_what_we_write_and_write_what_we_read() -> None:
    assert {type(message) for _, message in SAID} == set(get_args(messages.FromClient))
    assert {type(message) for message in TOLD} == set(get_args(messages.FromServer))
    tongue = java.converse(Settings()).tongue
    sent = objects_of(tongue.open() + tongue.write(TOLD))
    assert len(sent) == len(TOLD)
    said = [record for record, _ in SAID]
    back = mirror("renaissance", TABLE, [*sent, *said], "never")
    assert [shape(each) for each in back] == [shape(each) for each in [*sent, *said]]


def test_every_message_of_a_client_is_understood() -> None:
    writer = Writer(TABLE)
    assert heard(b"".join(writer.message(record) for record, _ in SAID)) == [each for _, each in SAID]


def test_every_message_of_the_server_says_what_the_line_of_it_says() -> None:
    tongue, seen = java.converse(Settings()).tongue, originals.Seen()
    sent = objects_of(tongue.open() + tongue.write(TOLD))
    told = [seen.known(originals.as_json(message)) for message in TOLD]
    assert [originals.message_of(each) for each in sent] == told


def test_what_the_original_has_no_word_for_is_not_said() -> None:
    tongue = java.converse(Settings()).tongue
    for message in (
        messages.Error("NOT_YOUR_TURN", "wait"),
        messages.Error("INVALID_MESSAGE", "what?"),
        # Nobody has a board yet: it would look for one.
        messages.Disconnection("bruno"),
    ):
        assert tongue.write([message]) == b""


def test_what_java_leaves_empty_is_left_out() -> None:
    (said,) = heard(Writer(TABLE).message(TYPES.RowColumnSelection(index=1, rowOrCol=False)))
    assert said == messages.RowColumnSelection(1, False)


CYCLE: list[Any] = []
CYCLE.append(CYCLE)


@pytest.mark.parametrize(
    "record",
    [
        TYPES.Ping(),
        TYPES.LoginMessage(None),
        TYPES.LoginMessage(TYPES.Pong()),
        TYPES.LoginMessage(["anna"]),
        TYPES.ActionReply(None),
        TYPES.ActionReply(COINS),
        TYPES.ActionReply(TYPES.Actions["MANAGE"]),
        TYPES.LeaderCardsReply([COINS], "anna"),
        TYPES.LeaderCardsReply({0: "L001"}, "anna"),
        TYPES.ResourcesReply({0: ["GOLD"]}, "anna"),
        TYPES.ResourcesReply({0: {COINS: 1}}, "anna"),
        TYPES.ResourcesReply([COINS], "anna"),
        TYPES.ResourcesManageReply({COINS: 2**40}, {0: []}),
        TYPES.ResourcesManageReply({COINS: COINS}, {0: []}),
        TYPES.UseProductionParameters(indexDevSlot=[True]),
        TYPES.UseProductionParameters(warehouseDepotRes={"x" * 100: 1}),
        TYPES.RowColumnSelection(1, True, [TYPES.MarbleColors["RED"]], "anna"),
    ],
)
def test_what_is_shaped_otherwise_is_no_message(record: Record) -> None:
    (said,) = heard(Writer(TABLE).message(record))
    assert isinstance(said, Garbled)
    assert not said.last


def test_what_contains_itself_is_no_message_either() -> None:
    writer = Writer(TABLE)
    data = writer.message(TYPES.LeaderCardsReply(["L001"], "anna"))
    # The element becomes a reference to the list that it is in, which follows the record's own handle.
    at = data.index(b"t\0\4L001")
    (said,) = heard(data[:at] + b"q\0\x7e\0\5" + data[at + 7 :].replace(b"t\0\4anna", b"p"))
    assert isinstance(said, Garbled)


def test_a_conversation_goes_on_after_what_is_no_message_and_ends_with_what_is_no_stream() -> None:
    conversation = java.converse(Settings())
    writer = Writer(TABLE)
    conversation.greet(0.0)
    conversation.receive(HEADER + writer.message(TYPES.LoginMessage(None)), 0.0)
    assert not conversation.closing
    other = Writer(TABLE).message(TYPES.Pong()).replace(bytes.fromhex("78fcbdced314c7c8"), bytes(8))
    conversation.receive(other, 0.0)
    assert conversation.closing
    assert "Pong is of another build: 0000000000000000, and not 78fcbdced314c7c8" in conversation.complaint
