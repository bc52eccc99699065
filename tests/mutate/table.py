"""Which tests belong to which module, what must never survive again, and what no test could notice."""

from typing import NamedTuple

GAMES = ("eriantys", "multisweeper", "renaissance", "santorini", "shelfie")

# By package, in the order in which they are asked; slow tests are not. A module's own test file comes before
# all of these.
TESTS: dict[str, tuple[str, ...]] = {
    "hall": ("tests/hall",),
    "journal": ("tests/journal", "tests/hall/test_recovery.py", "tests/hall/test_upgrades.py"),
    "wire": ("tests/wire", "tests/games/santorini/test_matches.py"),
    "wire/java": ("tests/wire/java", "tests/games/renaissance/test_java.py"),
    "core": ("tests/core", "tests/wire", "tests/contract/test_bounds.py", "tests/hall", "tests/test_play.py"),
    "games/eriantys": ("tests/games/eriantys", "tests/games/test_refusals.py"),
    "games/multisweeper": ("tests/games/multisweeper", "tests/games/test_refusals.py"),
    "games/renaissance": ("tests/games/renaissance", "tests/games/test_refusals.py"),
    "games/santorini": ("tests/games/santorini", "tests/games/test_refusals.py"),
    "games/shelfie": ("tests/games/shelfie", "tests/games/test_refusals.py"),
}


class Fixed(NamedTuple):
    """A change that once went unnoticed, and the test that notices it now."""

    path: str
    before: str
    after: str
    test: str


# The changes that no test noticed when the first mutations were tried, and one of each part beside them.
FIXED = (
    Fixed(
        "hall/ledger.py",
        "if key in keys:",
        "if True:",
        "tests/hall/test_table.py::test_words_for_one_are_told_to_nobody_who_returns_or_starts_to_watch",
    ),
    Fixed(
        "journal/seal.py",
        "number = crc32(_encode(events))",
        "number = 0",
        "tests/journal/test_replay.py::test_a_changed_rule_is_noticed_at_the_first_record_it_changes",
    ),
    Fixed(
        "server/house.py",
        "if entries or self._waiting:",
        "if entries:",
        "tests/server/test_house.py"
        "::test_letters_without_records_wait_behind_the_records_they_may_tell_about",
    ),
    Fixed(
        "games/shelfie/rules.py",
        "(seat - first) % len(total)",
        "seat",
        "tests/games/shelfie/test_cases.py"
        "::test_of_tied_players_the_one_furthest_from_the_first_wins_wherever_the_first_sits",
    ),
    Fixed(
        "hall/seating.py",
        """        if guest.name:
            table.course.agree(seat, wish)
""",
        "",
        "tests/hall/test_table.py::test_two_players_cannot_sit_down_with_the_same_wish",
    ),
    Fixed(
        "hall/ledger.py",
        "number + 1",
        "number + 2",
        "tests/hall/test_table.py"
        "::test_whoever_returns_hears_every_record_once_also_when_the_history_has_just_run_over",
    ),
    Fixed(
        "hall/table.py",
        "            self.asked.wind(seat, now)\n",
        "",
        "tests/hall/test_table.py::test_a_clock_begins_anew_for_a_player_who_was_away",
    ),
    Fixed(
        "hall/away.py",
        'table.terms.absence == "bot" and not reason',
        'table.terms.absence == "bot"',
        "tests/hall/test_away.py::test_a_bot_holds_the_chair_of_who_left_but_not_of_who_broke_the_protocol",
    ),
    Fixed(
        "hall/recovery.py",
        "chair.away_since = now if not chair.left else None",
        "chair.away_since = now",
        "tests/hall/test_table.py::test_who_had_gone_before_a_restart_gets_no_grace_time_after_it",
    ),
    Fixed(
        "games/renaissance/rules.py",
        "order.index(seat) <= order.index(tabletop.current)",
        "order.index(seat) < order.index(tabletop.current)",
        "tests/games/renaissance/test_rules.py"
        "::test_the_last_one_to_leave_finishes_the_last_turn_of_the_last_round",
    ),
    Fixed(
        "bots/search.py",
        "0.75",
        "1.0",
        "tests/bots/test_bots.py::test_a_shared_victory_is_worth_less_than_one_alone_and_more_than_a_defeat",
    ),
)


class Equivalent(NamedTuple):
    """A change that changes nothing that anybody could see, in the line that reads so."""

    path: str
    line: str
    change: str
    reason: str


EQUIVALENT: tuple[Equivalent, ...] = (
    Equivalent(
        "games/eriantys/rules.py",
        "walked=False,",
        "False -> True",
        "the first turn begins before anybody looks, and with each turn it is false again",
    ),
    Equivalent(
        "games/multisweeper/rules.py",
        "if board_line_bytes(width, height, mines) > BOARD_LINE_BYTES_MAX:",
        "board_line_bytes(width, height, mines) -> board_line_bytes(height, width, mines)",
        "a board is as long turned by a quarter",
    ),
    Equivalent(
        "core/drawing.py",
        "best, found = 0.0, spot",
        "0.0 -> 1.0",
        "it is compared only once another has been found",
    ),
    Equivalent(
        "core/drawing.py",
        "across = len(cells[0]) if cells else 0",
        "0 -> 1",
        "where there are no rows, no column has a cell",
    ),
)
