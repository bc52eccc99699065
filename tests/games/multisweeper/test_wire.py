"""The line protocol: every decision A1 to A24 that concerns it, its limits, and what its page says."""

import re
from pathlib import Path

import pytest
from tests.games.multisweeper.boards import WORKED, layout
from tests.games.multisweeper.house import Client, House

from ludoteca.core.notices import Asked, Gone, Happened, Over, Sat, Seated, Shown, Sitter, TableInfo
from ludoteca.core.requests import Act, Enter, Leave, Reply, Seek, Terms
from ludoteca.games.multisweeper.actions import Click
from ludoteca.games.multisweeper.data import Options
from ludoteca.games.multisweeper.wire import Conversation, Settings

PAGE = Path(__file__).parents[3] / "src/ludoteca/games/multisweeper/PROTOCOL.md"

LINE = "*..*"  # numbers * 1 1 *


def house_with(
    picture: str, seats: int = 2, rounds: int = 3, absence: str = "end", **options: object
) -> House:
    """A house whose tables have this board in every round."""
    chosen = {"safe_first_click": False, "pause_s": 0.0, **options}
    rows = picture.split("/")
    settled = Options(
        width=len(rows[0].split()[0]),
        height=len(rows),
        mines=picture.count("*"),
        **chosen,  # type: ignore[arg-type]
    )
    return House(seats, settled, [layout(picture)] * rounds, absence)


def begun(house: House, *names: str) -> list[Client]:
    """Clients in a tournament whose opening lines have been taken."""
    clients = house.clients(*names)
    for client in clients:
        client.take()
    return clients


def begin(names: str, board: str) -> list[str]:
    listed = names.split()
    return [f"num_players {len(listed)}", *(f"player {name}" for name in listed), f"start {board}"]


# The handshake


def test_the_server_speaks_first():
    assert house_with(LINE).client().take() == ["multisweeper v1"]


def test_a_ping_is_answered_and_closed_also_while_others_play():
    house = house_with(LINE)
    ada, _ = begun(house, "Ada", "Bob")
    pinging = house.client()
    pinging.say("multisweeper client v1 ping")
    assert pinging.take() == ["multisweeper v1", "multisweeper pong"]
    assert pinging.closed
    assert ada.take() == []
    assert not ada.closed


@pytest.mark.parametrize(
    "line",
    ["", "GET / HTTP/1.0", "multisweeper client v2", "multisweeper client v1 ", "name Ada", "\x00\xff"],
)
def test_a_wrong_first_line_closes_that_connection_without_a_word(line):
    house = house_with(LINE)
    ada = house.client("Ada")
    stranger = house.client()
    stranger.say(line)
    assert stranger.closed
    assert stranger.take() == ["multisweeper v1"]
    assert not ada.closed


@pytest.mark.parametrize(
    "name",
    [
        b"",
        b"   ",
        b"x" * 33,
        b"a\tb",
        b"a\x07b",
        b"<b>",
        b"a&b",
        b"x multisweeper v1",
        b"num_players 3",
        b"\xff\xfe",
        b"Bot-Ada",
    ],
)
def test_a_name_that_not_every_client_can_show_closes_the_connection(name):
    client = house_with(LINE).client()
    client.send(b"multisweeper client v1\nname " + name + b"\n")
    assert client.closed


def test_a_second_line_that_is_no_name_closes_the_connection():
    client = house_with(LINE).client()
    client.say("multisweeper client v1", "Name Ada")
    assert client.closed


def test_names_come_back_exactly_with_their_blanks_and_letters():
    house = house_with(LINE)
    ada, _ = house.clients(" Ada  Løv ", "Bob Stone")
    assert ada.take()[1:3] == ["player  Ada  Løv ", "player Bob Stone"]


def test_two_players_may_have_the_same_name():
    ada, other = house_with(LINE).clients("Ada", "Ada")
    assert ada.take()[:3] == ["num_players 2", "player Ada", "player Ada"]
    assert other.take()[:3] == ["num_players 2", "player Ada", "player Ada"]


def test_names_from_elsewhere_in_the_house_are_made_harmless():
    conversation = Conversation(Settings())
    conversation.send(*seated(["<b>&", "num_players multisweeper v1"]))
    view = first_view(2)
    lines = conversation.send(Shown(2, view), 0.0).decode().splitlines()
    assert lines[:3] == ["num_players 2", "player ‹b›+", "player players multisweeper"]


def seated(names: list[str], options: Options | None = None) -> tuple[Seated, float]:
    chairs = tuple(Sitter(name, name, "house") for name in names)
    settled = options or Options(width=4, height=1, mines=2)
    info = TableInfo("t", "multisweeper", "table-1", "open", chairs, settled, Terms(), 0)
    return Seated(info, 0), 0.0


def first_view(seats: int):
    from tests.games.multisweeper.boards import table

    from ludoteca.games.multisweeper.view import view

    return view(table(LINE, seats), None)


def test_a_carriage_return_before_the_line_feed_is_tolerated():
    house = house_with(LINE)
    ada = house.client()
    ada.send(b"multisweeper client v1\r\nname Ada\r\n")
    house.client("Bob")
    assert "player Ada" in ada.take()
    ada.send(b"click 1 0\r\n")
    assert ada.take()[0] == "board_update 9 1 9 9"


def test_the_handshake_asks_the_house_for_a_name_and_a_seat():
    conversation = Conversation(Settings())
    assert conversation.greet(0.0) == [Reply(b"multisweeper v1\n")]
    enter, seek = conversation.receive(b"multisweeper client v1\nname Ada\n", 0.0)
    assert enter == Enter("Ada", distinct=False)
    assert isinstance(seek, Seek)
    assert seek.game == "multisweeper"
    assert seek.otherwise is not None


def test_who_leaves_the_lobby_frees_the_seat():
    house = house_with(LINE, seats=3)
    ada, bob = house.clients("Ada", "Bob")
    ada.hang_up()
    cleo, dirk = house.clients("Cleo", "Dirk")
    assert sorted(cleo.take()[1:4]) == ["player Bob", "player Cleo", "player Dirk"]
    assert bob.take() == [*dirk.take()]


def test_who_comes_to_a_full_table_waits_at_the_next():
    house = house_with(LINE)
    begun(house, "Ada", "Bob")
    cleo, _ = house.clients("Cleo", "Dirk")
    assert cleo.take()[:3] == ["num_players 2", "player Cleo", "player Dirk"]


# A tournament


def test_the_smallest_tournament():
    house = house_with("*.")
    ada, bob = house.clients("Ada", "Bob")
    opening = [*begin("Ada Bob", "2 1 1"), "turn_id_update 1"]
    assert ada.take() == [*opening, "turn_start"]
    assert bob.take() == opening
    ada.say("click 0 0")
    assert ada.take() == ["board_update 10 9", "end_condition 0"]
    assert bob.take() == ["board_update 10 9", "end_condition 2"]
    assert ada.closed
    assert bob.closed


@pytest.mark.parametrize(
    ("spread", "click", "board"),
    [
        ("eight", "0 0", "1 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9"),
        ("four", "0 3", "9 9 9 9 9 9 9 9 1 1 9 9 0 0 1 9"),
        ("eight", "0 3", "9 9 9 9 9 9 9 9 1 1 2 9 0 0 1 9"),
        ("eight", "1 1", "9 9 10 9 9 10 9 9 9 9 9 10 9 9 9 9"),
    ],
)
def test_the_worked_boards(spread, click, board):
    ada, bob = begun(house_with(WORKED, spread=spread), "Ada", "Bob")
    ada.say(f"click {click}")
    assert ada.take()[0] == bob.take()[0] == f"board_update {board}"


def test_a_round_in_exact_order_for_players_and_spectators():
    ada, bob, cleo = begun(house_with(LINE, seats=3), "Ada", "Bob", "Cleo")
    ada.say("click 1 0")
    told = ["board_update 9 1 9 9", "turn_id_update 2"]
    assert (ada.take(), bob.take(), cleo.take()) == (told, [*told, "turn_start"], told)
    bob.say("click 3 0")
    board, opening = "board_update 10 1 9 10", [*begin("Ada Cleo", "4 1 2"), "turn_id_update 1"]
    assert ada.take() == [board, "end_condition 1", *opening, "turn_start"]
    assert bob.take() == [board, "end_condition 0", *opening]
    assert cleo.take() == [board, "end_condition 1", *opening]
    ada.say("click 0 0")
    board = "board_update 10 9 9 10"
    assert ada.take() == [board, "end_condition 0"]
    assert cleo.take() == [board, "end_condition 2"]
    assert bob.take() == [board, "sudden_exit"]
    assert ada.closed
    assert bob.closed
    assert cleo.closed


def test_the_loser_of_the_final_may_be_told_a_one():
    ada, bob = begun(house_with(LINE, final_loser=1), "Ada", "Bob")
    ada.say("click 0 0")
    assert ada.take()[-1] == "end_condition 1"
    assert bob.take()[-1] == "end_condition 2"


def test_a_rotated_start_rotates_the_list():
    ada, _, cleo = begun(house_with(LINE, seats=3, rotate_start=True), "Ada", "Bob", "Cleo")
    ada.say("click 0 0")
    assert cleo.take()[2:5] == ["num_players 2", "player Bob", "player Cleo"]


# Clicks that are none


@pytest.mark.parametrize("line", ["click  1   0", "click 01 000", "click 00001 0"])
def test_more_blanks_and_leading_zeros_are_tolerated(line):
    ada, _ = begun(house_with(LINE), "Ada", "Bob")
    ada.say(line)
    assert ada.take()[0] == "board_update 9 1 9 9"


@pytest.mark.parametrize(
    "line",
    [
        "hello",
        "click",
        "click 1",
        "click 1 2 3",
        "click a b",
        "Click 1 1",
        "click 1.0 1",
        "click 1,1",
        "click +1 0",
        "click -1 0",
        "click 1 0 ",
        " click 1 0",
        "click\t1 0",
        "",
        "flag 1 1",
        "click 4 0",
        "click 0 1",
        "click 99999999999999999999 0",
        "click ١ 0",
    ],
)
def test_a_violation_on_turn_ends_it_for_everybody(line):
    ada, bob, cleo = begun(house_with(LINE, seats=3), "Ada", "Bob", "Cleo")
    ada.say("click 0 0")  # Ada becomes a spectator.
    for client in (ada, bob, cleo):
        client.take()
    bob.say(line)
    for client in (ada, bob, cleo):
        assert client.take() == ["sudden_exit"]
        assert client.closed


def test_binary_garbage_and_an_endless_line_on_turn_are_violations():
    for data in (b"\x00\xff\xfe\n", b"x" * 70_000):
        ada, bob = begun(house_with(LINE), "Ada", "Bob")
        ada.send(data)
        assert ada.take() == ["sudden_exit"]
        assert bob.take() == ["sudden_exit"]


def test_a_click_on_an_open_cell_is_asked_again_and_the_third_is_a_violation():
    ada, bob = begun(house_with(LINE), "Ada", "Bob")
    ada.say("click 1 0")
    ada.take()
    bob.take()
    bob.say("click 1 0")
    bob.say("click 1 0")
    assert bob.take() == ["turn_start", "turn_start"]
    assert ada.take() == []
    bob.say("click 1 0")
    assert bob.take() == ["sudden_exit"]
    assert ada.take() == ["sudden_exit"]


def test_clicks_on_open_cells_are_counted_for_each_turn():
    ada, bob = begun(house_with("..........*"), "Ada", "Bob")
    ada.say("click 9 0")
    for _ in range(2):
        bob.say("click 9 0")
    bob.say("click 10 0")
    assert bob.take()[-1] == "end_condition 0"


def test_lines_out_of_turn_are_discarded():
    ada, bob = begun(house_with(LINE), "Ada", "Bob")
    bob.say("click 0 0", "rubbish", "")
    assert bob.take() == []
    ada.say("click 1 0", "click 0 0")
    assert bob.take() == ["board_update 9 1 9 9", "turn_id_update 2", "turn_start"]
    assert not bob.closed
    bob.say("click 2 0")
    assert bob.take() == ["board_update 9 1 1 9", "turn_id_update 3"]


def test_a_flood_out_of_turn_counts_as_leaving():
    ada, bob = begun(house_with(LINE), "Ada", "Bob")
    for _ in range(63):
        bob.say("click 0 0")
    assert not bob.closed
    bob.say("click 0 0")
    assert bob.closed
    assert ada.take() == ["sudden_exit"]


def test_a_flood_in_the_lobby_costs_only_the_seat():
    house = house_with(LINE, seats=3)
    ada, bob = house.clients("Ada", "Bob")
    bob.say(*["x"] * 64)
    assert bob.closed
    assert bob.take() == []
    house.clients("Cleo", "Dirk")
    assert ada.take()[:4] == ["num_players 3", "player Ada", "player Cleo", "player Dirk"]


def test_a_spectator_who_talks_or_leaves_disturbs_nobody():
    ada, bob, cleo = begun(house_with(LINE, seats=3), "Ada", "Bob", "Cleo")
    ada.say("click 0 0")
    bob.take()
    for _ in range(100):
        ada.say("click 1 0")
    assert not ada.closed
    ada.hang_up()
    assert bob.take() == []
    bob.say("click 1 0")
    assert bob.take() == ["board_update 9 1 9 9", "turn_id_update 2"]
    assert not cleo.closed


# Leaving and returning


def test_a_lost_player_ends_it_for_everybody():
    ada, bob, cleo = begun(house_with(LINE, seats=3), "Ada", "Bob", "Cleo")
    cleo.hang_up()
    for client in (ada, bob):
        assert client.take() == ["sudden_exit"]
        assert client.closed


def test_where_agreed_a_lost_player_only_loses_the_round():
    house = house_with(LINE, seats=3, lost_player="forfeit")
    ada, bob, cleo = begun(house, "Ada", "Bob", "Cleo")
    ada.hang_up()
    opening = [*begin("Bob Cleo", "4 1 2"), "turn_id_update 1"]
    assert bob.take() == ["board_update 10 9 9 10", "end_condition 1", *opening, "turn_start"]
    assert cleo.take() == ["board_update 10 9 9 10", "end_condition 1", *opening]
    bob.say("rubbish")
    assert bob.take() == ["sudden_exit"]
    assert cleo.take()[1:] == ["end_condition 2"]
    assert cleo.closed


def test_a_turn_that_was_cut_short_cannot_be_clicked_any_more():
    house = house_with(LINE, seats=3, lost_player="forfeit", pause_s=2.0)
    ada, bob, cleo = begun(house, "Ada", "Bob", "Cleo")
    cleo.hang_up()
    ada.say("click 0 0")
    assert ada.take() == ["board_update 10 9 9 10", "end_condition 1"]
    house.wait(2.0)
    assert ada.take() == [*begin("Ada Bob", "4 1 2"), "turn_id_update 1", "turn_start"]
    assert bob.take()[-1] == "turn_id_update 1"


def test_a_returning_player_is_led_into_the_running_round():
    house = house_with(LINE, absence="wait")
    ada, bob = begun(house, "Ada", "Bob")
    ada.say("click 1 0")
    bob.hang_up()
    ada.take()
    back = house.client()
    back.say("multisweeper client v1", "name Bob")
    opening = begin("Ada Bob", "4 1 2")
    assert back.take() == [
        "multisweeper v1",
        *opening,
        "turn_id_update 2",
        "board_update 9 1 9 9",
        "turn_start",
    ]
    back.say("click 2 0")
    assert ada.take() == ["board_update 9 1 1 9", "turn_id_update 3", "turn_start"]


def test_a_returning_spectator_looks_on():
    house = house_with(LINE, seats=3, absence="wait")
    ada, bob, _ = begun(house, "Ada", "Bob", "Cleo")
    ada.say("click 0 0")
    ada.hang_up()
    back = house.client()
    back.say("multisweeper client v1", "name Ada")
    assert back.take() == ["multisweeper v1", *begin("Bob Cleo", "4 1 2"), "turn_id_update 1"]
    bob.say("click 0 0")
    assert back.take() == ["board_update 10 9 9 10", "sudden_exit"]


def test_a_house_that_closes_says_so_to_players_and_not_in_the_lobby():
    house = house_with(LINE)
    ada, bob = begun(house, "Ada", "Bob")
    waiting = house.client("Cleo")
    house.hall.announce(Gone("closing", back=True))
    house.carry_out()
    for client in (ada, bob):
        assert client.take() == ["sudden_exit"]
        assert client.closed
    assert waiting.take() == []
    assert waiting.closed


# The pause between rounds


def test_a_lost_board_can_be_looked_at_before_the_next_round_begins():
    house = house_with(LINE, seats=3, pause_s=2.0)
    ada, bob, cleo = begun(house, "Ada", "Bob", "Cleo")
    ada.say("click 0 0")
    board = "board_update 10 9 9 10"
    assert (ada.take(), bob.take(), cleo.take()) == (
        [board, "end_condition 0"],
        [board, "end_condition 1"],
        [board, "end_condition 1"],
    )
    house.wait(1.9)
    bob.say("click 0 0")  # Not on turn as long as it was not told so.
    assert bob.take() == []
    house.wait(0.1)
    opening = [*begin("Bob Cleo", "4 1 2"), "turn_id_update 1"]
    assert (ada.take(), bob.take(), cleo.take()) == (opening, [*opening, "turn_start"], opening)
    bob.say("click 1 0")
    assert cleo.take() == ["board_update 9 1 9 9", "turn_id_update 2", "turn_start"]


def test_pinging_goes_on_and_leaving_takes_effect_during_a_pause():
    house = house_with(LINE, seats=3, pause_s=2.0)
    ada, bob, cleo = begun(house, "Ada", "Bob", "Cleo")
    ada.say("click 0 0")
    bob.take()
    cleo.hang_up()
    assert bob.take() == [*begin("Bob Cleo", "4 1 2"), "turn_id_update 1", "turn_start", "sudden_exit"]
    assert bob.closed


def test_there_is_no_pause_among_bots():
    house = house_with(LINE, seats=3, pause_s=2.0)
    ada = house.client("Ada")
    ada.add_bot()
    ada.add_bot()
    ada.take()
    ada.say("click 0 0")
    assert ada.take()[-1] == "turn_id_update 1"


def test_rounds_that_end_during_a_pause_each_get_their_own():
    """Others at the table may be quicker: players in a browser see no pause."""
    conversation = Conversation(Settings())
    house = house_with(LINE, seats=4, pause_s=2.0)
    conversation.send(*seated(["Ada", "Bob", "Cleo", "Dirk"], Options(width=4, height=1, mines=2)))
    game = house.game
    from tests.games.multisweeper.boards import A, B, C, table

    state = table(LINE, seats=4)
    conversation.send(Shown(1, game.view(state, A)), 0.0)
    told = []
    for number, seat in enumerate((A, B, C), 2):
        state.mines = layout(LINE)
        data = conversation.send(Happened(number, tuple(game.apply(state, seat, Click(0, 0)))), 0.0)
        told.append(data.decode().splitlines())
    assert conversation.send(Over(state.outcome), 0.0) == b""
    assert told == [["board_update 10 9 9 10", "end_condition 0"], [], []]
    assert not conversation.closing
    (reply,) = conversation.tick(2.0)
    assert isinstance(reply, Reply)
    lines = reply.data.decode().splitlines()
    assert lines[0] == "num_players 3"
    assert lines[-1] == "board_update 10 9 9 10"
    assert conversation.tick(3.9) == []
    assert conversation.alarm == 4.0
    (reply,) = conversation.tick(4.0)
    assert isinstance(reply, Reply)
    assert reply.data.endswith(b"board_update 10 9 9 10\nsudden_exit\n")
    assert conversation.alarm is None
    assert conversation.closing


# Odds and ends


def test_an_answer_carries_the_number_of_its_question():
    conversation = Conversation(Settings())
    conversation.receive(b"multisweeper client v1\nname Ada\n", 0.0)
    conversation.send(*seated(["Ada", ""]))
    conversation.send(Sat(1, Sitter("Bob", "Bob", "house")), 0.0)
    conversation.send(Shown(4, first_view(2)), 0.0)
    assert conversation.send(Asked(4, None), 0.0) == b"turn_start\n"
    assert conversation.receive(b"click 1 0\n", 0.0) == [Act((Click(1, 0),), 4)]
    assert conversation.send(Asked(4, None, again=True), 0.0) == b"turn_start\n"
    assert conversation.receive(b"x\n", 0.0) == [Reply(b"sudden_exit\n"), Leave("it broke the protocol")]
    assert conversation.receive(b"click 1 0\n", 0.0) == []


def test_an_update_is_one_write():
    """A client that does not join the parts of a line loses it."""
    conversation = Conversation(Settings())
    conversation.send(*seated(["Ada", "Bob"]))
    data = conversation.send(Shown(1, first_view(2)), 0.0)
    assert data.endswith(b"turn_id_update 1\n")
    assert b"\r" not in data


EXAMPLE = re.compile(r"```text\n(.*?)```", re.DOTALL)


def test_the_protocol_page_shows_a_tournament_that_really_goes_like_that():
    """Blocks of the page whose lines begin with `S>` and `C>` are one client's view of one tournament."""
    block = next(
        text for text in EXAMPLE.findall(PAGE.read_text()) if text.startswith("S> multisweeper v1\n")
    )
    steps = [(line[:2], line[3:]) for line in block.splitlines()]
    house = house_with(WORKED, spread="eight")
    ada = house.client()
    other: Client | None = None
    inbox: list[str] = []
    for side, line in steps:
        inbox += ada.take()
        if side == "C>":
            ada.say(line)
        elif side == "O>":
            other = other or house.client("Bob")
            other.say(line)
        else:
            if not inbox and other is None:
                other = house.client("Bob")
                inbox += ada.take()
            assert inbox.pop(0) == line
    assert inbox + ada.take() == []
    assert ada.closed
