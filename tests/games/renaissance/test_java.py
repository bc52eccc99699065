"""The tongue of the original program: its real object streams, every message, and who abuses it."""

from typing import Any, get_args

import pytest
from tests.games.renaissance import originals
from tests.games.renaissance.house import House
from tests.java import others
from tests.java.mirror import mirror, shape
from tests.quiet import QuietClient

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
    return list(java.Original(Settings()).tongue.read(HEADER + data))


def test_a_reader_of_others_finds_the_same_in_all_that_is_told() -> None:
    tongue = java.Original(Settings()).tongue
    data = tongue.open() + tongue.write(TOLD)
    found = [others.theirs(each) for each in others.read(data)]
    assert found == [others.ours(each) for each in objects_of(data)]


def test_the_real_object_streams_read_what_we_write_and_write_what_we_read() -> None:
    assert {type(message) for _, message in SAID} == set(get_args(messages.FromClient))
    assert {type(message) for message in TOLD} == set(get_args(messages.FromServer))
    tongue = java.Original(Settings()).tongue
    sent = objects_of(tongue.open() + tongue.write(TOLD))
    assert len(sent) == len(TOLD)
    said = [record for record, _ in SAID]
    back = mirror("renaissance", TABLE, [*sent, *said], "never")
    assert [shape(each) for each in back] == [shape(each) for each in [*sent, *said]]


def test_every_message_of_a_client_is_understood() -> None:
    writer = Writer(TABLE)
    assert heard(b"".join(writer.message(record) for record, _ in SAID)) == [each for _, each in SAID]


def test_every_message_of_the_server_says_what_the_line_of_it_says() -> None:
    tongue, seen = java.Original(Settings()).tongue, originals.Seen()
    sent = objects_of(tongue.open() + tongue.write(TOLD))
    told = [seen.known(originals.as_json(message)) for message in TOLD]
    assert [originals.message_of(each) for each in sent] == told


def test_what_the_original_has_no_word_for_is_not_said() -> None:
    tongue = java.Original(Settings()).tongue
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
    conversation = java.Original(Settings())
    writer = Writer(TABLE)
    conversation.greet(0.0)
    conversation.receive(HEADER + writer.message(TYPES.LoginMessage(None)), 0.0)
    assert not conversation.closing
    other = Writer(TABLE).message(TYPES.Pong()).replace(bytes.fromhex("78fcbdced314c7c8"), bytes(8))
    conversation.receive(other, 0.0)
    assert conversation.closing
    assert "Pong is of another build: 0000000000000000, and not 78fcbdced314c7c8" in conversation.complaint


# What the program needs besides, because it handles messages in no certain order.


class Program(QuietClient):
    """An original at a quiet table."""

    def __init__(self, house: House) -> None:
        self._reader = Reader(TABLE, message_bytes_max=65_536)
        self._writer = Writer(TABLE)
        super().__init__(house, conversation=java.Original(Settings()))
        self.send(HEADER)

    def tell(self, record: Any) -> None:
        """Send an object."""
        self.send(self._writer.message(record))

    def heard(self) -> list[Any]:
        """What it was told since the last time, but for pings."""
        data, self._received = self._received, b""
        found, at = [], 0
        while at < len(data) and (end := self._reader.feed(data, at)):
            at = end
            found.append(self._reader.item)
        return [each for each in found if type(each) is not TYPES.Ping]

    def kinds(self) -> list[str]:
        return [type(each).__name__ for each in self.heard()]

    def take_row(self) -> None:
        """A whole turn but for its end: the top row, thrown away."""
        self.tell(TYPES.ActionReply(TYPES.Actions["MARKETACTION"]))
        self.tell(TYPES.RowColumnSelection(0, True, [], None))
        if "ResourcesManageRequest" in self.kinds():
            self.tell(TYPES.ResourcesManageReply(None, {}))


def two_originals() -> tuple[House, Program, Program]:
    """A match of two, set up: the one whose turn it is, and the other."""
    house = House()
    programs = [Program(house), Program(house)]
    programs[0].tell(TYPES.LoginMessage("anna"))
    programs[0].tell(TYPES.PlayerNumberReply(2))
    programs[1].tell(TYPES.LoginMessage("bruno"))
    for program in programs:
        (asked,) = [each for each in program.heard() if type(each) is TYPES.LeaderCardsRequest]
        program.tell(TYPES.LeaderCardsReply(asked.leaderCardsId[:2], None))
    for program in programs:
        (asked,) = [each for each in program.heard() if type(each) is TYPES.ResourcesRequest]
        program.tell(TYPES.ResourcesReply({0: [COINS] * asked.resourceNumber}, None))
    first = house.state.tabletop.first
    return house, programs[first], programs[1 - first]


def test_a_turn_ends_when_the_program_says_so_again() -> None:
    _, mover, other = two_originals()
    mover.take_row()
    mover.kinds()
    mover.tell(TYPES.ActionReply(TYPES.Actions["ENDTURN"]))
    assert mover.kinds() == ["ActionResponse"]
    assert other.kinds()[-1] != "ActionRequest"
    mover.tell(TYPES.EndTurn())
    assert other.kinds()[-2:] == ["StartTurn", "ActionRequest"]
    # Once is enough.
    assert mover.kinds() == ["StartTurn"]
    mover.tell(TYPES.EndTurn())
    assert mover.kinds() == []


def test_a_turn_cannot_be_ended_before_its_time() -> None:
    _, mover, _ = two_originals()
    mover.kinds()
    mover.tell(TYPES.ActionReply(TYPES.Actions["ENDTURN"]))
    assert mover.kinds() == ["ErrorMessage", "ActionRequest"]


def test_moves_of_others_are_told_one_after_the_other() -> None:
    house, mover, other = two_originals()
    house.wait(1.0)
    mover.tell(TYPES.Pong())
    other.tell(TYPES.Pong())
    assert "StartTurn" in other.kinds()
    # Two moves in one moment, as bots make them.
    mover.tell(TYPES.ActionReply(TYPES.Actions["DISCARDLEADERCARD"]))
    mover.tell(TYPES.DiscardLeaderCardParameters(house.state.tabletop.boards[mover.seat].hand[0], None))
    house.now += 0.001
    mover.tell(TYPES.ActionReply(TYPES.Actions["DISCARDLEADERCARD"]))
    mover.tell(TYPES.DiscardLeaderCardParameters(house.state.tabletop.boards[mover.seat].hand[0], None))
    assert other.kinds() == ["FaithTrackMessage", "DiscardLeaderCardUpdate"]
    house.wait(0.04)
    assert other.kinds() == []
    house.wait(0.01)
    assert other.kinds() == ["FaithTrackMessage", "DiscardLeaderCardUpdate"]
    house.wait(0.5)
    assert other.kinds() == []


def test_what_is_said_while_a_move_waits_to_be_told_waits_behind_it() -> None:
    """Objects refer to those before them, so their order is what it was when they were made."""
    house, mover, other = two_originals()
    house.wait(1.9)
    for program in (mover, other):
        program.tell(TYPES.Pong())
        program.kinds()
    for _ in range(2):
        mover.tell(TYPES.ActionReply(TYPES.Actions["DISCARDLEADERCARD"]))
        mover.tell(TYPES.DiscardLeaderCardParameters(house.state.tabletop.boards[mover.seat].hand[0], None))
        house.now += 0.01
    # A ping is due meanwhile, and an answer to the other's mistake.
    other.tell(TYPES.LoginMessage("carla"))
    house.wait(0.2)
    assert other.kinds() == ["FaithTrackMessage", "DiscardLeaderCardUpdate"] * 2
    assert not other.closed


def test_what_belongs_to_one_move_is_told_together() -> None:
    _, mover, other = two_originals()
    other.kinds()
    mover.kinds()
    mover.take_row()
    assert other.kinds()[-2:] == ["FaithTrackMessage", "MarketActionUpdate"]


def test_pings_go_on_while_a_move_waits_to_be_told() -> None:
    house, _, other = two_originals()
    house.wait(1.9)
    assert not other.closed
    house.wait(0.2)
    assert other.closed, "nobody has answered"


def test_lorenzo_moves_when_the_program_is_ready_for_him() -> None:
    house = House()
    program = Program(house)
    program.tell(TYPES.LoginMessage("anna"))
    program.tell(TYPES.PlayerNumberReply(1))
    (asked,) = [each for each in program.heard() if type(each) is TYPES.LeaderCardsRequest]
    program.tell(TYPES.LeaderCardsReply(asked.leaderCardsId[:2], None))
    house.wait(0.5)
    program.take_row()
    house.wait(0.5)
    program.kinds()
    program.tell(TYPES.ActionReply(TYPES.Actions["ENDTURN"]))
    assert program.kinds() == ["ActionResponse"]
    program.tell(TYPES.EndTurn())
    assert program.kinds() == ["FaithTrackMessage", "LorenzoMessage", "StartTurn", "ActionRequest"]
