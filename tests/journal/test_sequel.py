"""Where a match stood that was broken off, found in its record alone: whose it is, and what is not in it."""

import msgspec
import pytest

from ludoteca import games
from ludoteca.core import Refused, Seat
from ludoteca.core.requests import Terms
from ludoteca.journal import Match, Record, encode
from ludoteca.journal.records import (
    Acted,
    CameBack,
    Closed,
    Input,
    Opened,
    SatDown,
    Spoke,
    Started,
    WentAway,
    encode_body,
)
from ludoteca.journal.sequel import broken_off

SHELFIE, RENAISSANCE = games.load("shelfie"), games.load("renaissance")
CHAIRS = (
    SatDown(0, "Anna", "Anna", "house", "key of Anna"),
    SatDown(1, "Bruno", "Bruno", "bot", "key of Bruno", "random"),
)


def record(name: str, moves: int, *end: Input, seats: tuple[SatDown, ...] = CHAIRS) -> list[bytes]:
    """The lines of a match of two with so many first choices made, and then this."""
    game = games.load(name)
    options = game.settle(game.options(), 2)
    opened = Opened("t1", name, "table-1", 2, options, Terms(), game.version)
    match, lines = Match(game), list[bytes]()

    def write(given: Input) -> None:
        events = match.perform(given)
        body = encode_body(Record(len(lines) + 1, 1000 * (len(lines) + 1), given))
        lines.append(encode(body, match.seal(body, events)))

    inputs: list[Input] = [opened, *seats]
    for given in inputs:
        write(given)
    if moves >= 0:
        write(Started(2, 5, options, (game.preferences(),) * 2))
    for _ in range(moves):
        seat, question = min(match.questions.items())
        write(Acted(seat, (question.choices[0],)))
    for given in end:
        write(given)
    return lines


def refusal(lines: list[bytes], key: str = "key of Anna") -> tuple[str, str]:
    with pytest.raises(Refused) as refused:
        broken_off(lines, key, games.load)
    return refused.value.code, refused.value.reason


def test_a_match_that_somebody_left_stands_where_it_stood_before_that() -> None:
    lines = record("shelfie", 3, WentAway(1, "", True), Spoke("Anna", "pity"))
    position = broken_off(lines, "key of Anna", games.load)
    assert position.game is SHELFIE
    assert (position.seat, position.opened.id) == (0, "t1")
    assert position.sitters == {0: CHAIRS[0], 1: CHAIRS[1]}
    assert [type(given) for given in position.inputs] == [Started, Acted, Acted, Acted]
    assert position.at_ms == 1000 * len(lines), "a week is counted from the last that happened"
    match = Match(SHELFIE)
    for given in position.inputs:
        match.perform(given)
    assert match.running
    assert match.outcome is None


def test_what_is_found_is_typed_as_the_game_has_it() -> None:
    position = broken_off(record("shelfie", 1, WentAway(1, "", True)), "key of Anna", games.load)
    assert isinstance(position.opened.options, SHELFIE.options)
    started, acted = position.inputs
    assert isinstance(started, Started)
    assert isinstance(started.options, SHELFIE.options)
    assert isinstance(acted, Acted)
    assert isinstance(acted.actions[0], SHELFIE.actions.__args__)


def test_who_was_away_when_the_house_gave_the_table_up_is_back() -> None:
    """Renaissance goes on without the absent, so nothing but the closing broke it off."""
    lines = record("renaissance", 6, WentAway(1, "", False), Closed("nobody came back"))
    position = broken_off(lines, "key of Anna", games.load)
    assert position.inputs[-2:] == (WentAway(1, "", False), CameBack(1))
    lines = record("renaissance", 6, WentAway(1, "", False), CameBack(1), Closed("nobody came back"))
    position = broken_off(lines, "key of Anna", games.load)
    assert position.inputs[-2:] == (WentAway(1, "", False), CameBack(1)), "and is not brought back twice"


@pytest.mark.parametrize("key", ["", "key of Bruno", "key of nobody", "KEY OF ANNA"])
def test_whoever_did_not_sit_there_does_not_even_hear_that_there_is_such_a_match(key: str) -> None:
    """Bruno is a bot: what belongs to a bot belongs to nobody."""
    lines = record("shelfie", 3, WentAway(1, "", True))
    assert refusal(lines, key) == ("gone", "there is no broken-off match of yours of that name")
    assert refusal([], key)[0] == "gone"


def test_what_goes_on_or_has_not_begun_is_not_played_on() -> None:
    assert refusal(record("shelfie", 3)) == ("phase", "that match goes on: return to it")
    assert refusal(record("shelfie", -1)) == ("phase", "that match had not begun")
    assert refusal(record("shelfie", -1, Closed("everybody left"))) == ("phase", "that match had not begun")
    assert broken_off(record("shelfie", 0, Closed("the house gave up")), "key of Anna", games.load).inputs


def test_what_was_played_to_its_end_is_not_played_on() -> None:
    game = games.load("multisweeper")
    match = Match(game)
    options = game.settle(game.options(), 2)
    match.perform(Started(2, 5, options, (game.preferences(),) * 2))
    moves = 0
    while match.running:
        seat, question = min(match.questions.items())
        match.perform(Acted(seat, (question.choices[0],)))
        moves += 1
    assert match.outcome is not None
    assert match.outcome.ranks
    assert refusal(record("multisweeper", moves)) == ("phase", "that match was played to its end")


def test_a_damaged_record_and_rules_that_cannot_play_it_are_a_no_and_no_crash() -> None:
    lines = record("shelfie", 3, WentAway(1, "", True))
    code, reason = refusal([*lines[:4], *lines[5:]])
    assert code == "aside"
    assert reason.startswith("this match cannot be played on by these rules: record ")

    def strict(state: object, seat: Seat, action: object) -> list[object]:
        raise Refused("not on Sundays")

    with pytest.raises(Refused) as refused:
        broken_off(lines, "key of Anna", lambda _: msgspec.structs.replace(SHELFIE, apply=strict))
    assert refused.value.code == "aside"


def test_whoever_sat_down_later_on_the_same_chair_is_its_owner() -> None:
    """The key of a chair changes when somebody else takes it over."""
    late = SatDown(0, "Carla", "Carla", "house", "key of Carla")
    lines = record("shelfie", 2, WentAway(1, "", True), seats=(*CHAIRS, late))
    position = broken_off(lines, "key of Carla", games.load)
    assert position.sitters[0] == late


def test_it_is_tried_whether_the_absent_can_come_back_before_anybody_sits_down() -> None:
    lines = record("renaissance", 6, WentAway(1, "", False), Closed("nobody came back"))

    def rejoin(state: object, seat: Seat) -> list[object]:
        raise Refused("nobody comes back")

    with pytest.raises(Refused) as refused:
        broken_off(lines, "key of Anna", lambda _: msgspec.structs.replace(RENAISSANCE, rejoin=rejoin))
    assert refused.value.code == "aside"
