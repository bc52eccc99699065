"""The format of a record: readable, checked, and honest about what it replays to."""

import re
from typing import Any

import msgspec
import pytest

from ludoteca import games
from ludoteca.core import Damaged, JournalError, Refused, Unplayable
from ludoteca.core.requests import Terms
from ludoteca.journal import Match, Record, damage, decode, encode, replay, verify
from ludoteca.journal.records import (
    Acted,
    Input,
    Opened,
    RulesChanged,
    SatDown,
    Spoke,
    Started,
    StoodUp,
    WentAway,
    encode_body,
    is_whisper,
    outward,
    sitters,
)
from ludoteca.journal.replay import perform
from ludoteca.journal.seal import NOTHING_TOLD, chain, combined

GAME = games.load("multisweeper")


def record_of(seed: int = 5, version: int = GAME.version) -> list[bytes]:
    """A short match, written down by hand."""
    match = Match(GAME)
    options = GAME.settle(GAME.options(), 2)
    inputs: list[Input] = [
        Opened("t1", GAME.name, "table-1", 2, options, Terms(), version),
        SatDown(0, "Anna", "Anna", "house", "k"),
        SatDown(1, "Bruno", "Bruno", "house", "k"),
        Started(2, seed, options, (GAME.preferences(), GAME.preferences())),
    ]
    lines = []
    for number in range(1, 20):
        if number <= len(inputs):
            given: Input = inputs[number - 1]
        elif match.running:
            ((seat, question),) = match.questions.items()
            given = Acted(seat, (question.choices[0],))
        else:
            break
        events = match.perform(given)
        body = encode_body(Record(number, 1000 + number, given))
        lines.append(encode(body, match.seal(body, events)))
    return lines


def test_a_record_reads_back_as_it_was_written() -> None:
    line = record_of()[1]
    record, body, seal = decode(line)
    assert record == Record(2, 1002, SatDown(0, "Anna", "Anna", "house", "k"))
    assert seal.endswith(NOTHING_TOLD)
    assert encode(body, seal) == line


def test_every_flipped_bit_is_noticed() -> None:
    line = record_of()[0]
    for position in range(len(line)):
        damaged = bytearray(line)
        damaged[position] ^= 0x04
        with pytest.raises(JournalError):
            decode(bytes(damaged))


def test_every_cut_is_noticed() -> None:
    line = record_of()[-1]
    for length in range(len(line)):
        with pytest.raises(JournalError):
            decode(line[:length])


def test_a_match_replays_to_the_same_digest() -> None:
    assert verify(record_of(), games.load).digest == verify(record_of(), games.load).digest
    assert verify(record_of(5), games.load).digest != verify(record_of(6), games.load).digest


def test_what_comes_out_otherwise_than_it_was_written_is_noticed_and_is_no_damage() -> None:
    lines = record_of()
    _, body, seal = decode(lines[3])
    lines[3] = encode(body, seal[:-1] + bytes([seal[-1] ^ 1]))
    match = verify(lines, games.load)
    assert (match.changed, match.unexplained) == (4, 4), "the version says that nothing has changed"
    assert damage(lines) is None
    newer = verify(lines, lambda _: msgspec.structs.replace(GAME, version=2))
    assert (newer.changed, newer.unexplained) == (4, 0)


@pytest.mark.parametrize("record", [0, 1, 3, 5])
def test_an_input_that_was_exchanged_for_another_is_damage_whatever_it_brings_about(record: int) -> None:
    lines = record_of()
    _, body, seal = decode(lines[record])
    # With right checksums all over: somebody, or something, wrote a whole line that was never there.
    forged = [
        *lines[:record],
        encode(body.replace(b'"at_ms":1', b'"at_ms":2'), seal),
        *lines[record + 1 :],
    ]
    for check in (lambda: verify(forged, games.load), lambda: _raise(damage(forged))):
        with pytest.raises(Damaged, match=f"record {record + 1} does not follow"):
            check()


def _raise(error: Exception | None) -> None:
    assert error is not None
    raise error


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (lambda lines: [*lines[:2], *lines[3:]], "record 4 stands where 3 belongs"),
        (
            lambda lines: [*lines[:4], lines[5], lines[4], *lines[6:]],
            "record 6 stands where 5 belongs",
        ),
        (lambda lines: [*lines[:-1], lines[-1][:-1]], "checksum"),
        (lambda lines: [*lines[:-1], b""], "cannot be read"),
    ],
)
def test_a_missing_exchanged_or_cut_line_is_damage_also_without_the_rules(wrong: Any, sentence: str) -> None:
    lines = wrong(record_of())
    with pytest.raises(Damaged, match=sentence):
        verify(lines, games.load)
    with pytest.raises(Damaged, match=sentence):
        _raise(damage(lines))


def test_a_record_that_lies_where_another_tables_belongs_is_damage() -> None:
    lines = record_of()
    assert damage(lines, "t1") is None
    with pytest.raises(Damaged, match="its first record is that of table t1"):
        _raise(damage(lines, "t2"))


def old_lines() -> list[bytes]:
    """The same match as versions before 0.2.0 wrote it: one digest for inputs and events, no
    version of the rules."""
    match, before, lines = Match(GAME), bytes(8), []
    for line in record_of(version=0):
        record, body, _ = decode(line)
        body = body.replace(b',"version":0', b"")
        before = combined(before, body, perform(match, record, match.perform))
        lines.append(encode(body, before))
    return lines


def test_old_records_are_read_and_chained_as_they_were_written() -> None:
    lines = old_lines()
    assert re.match(rb"[0-9a-f]{8} [0-9a-f]{16} {", lines[0])
    match = verify(lines, games.load)
    assert (match.version, match.changed) == (0, 0)
    assert match.digest == decode(lines[-1])[2]
    # A record of today follows the last of them.
    body = encode_body(Record(len(lines) + 1, 9, RulesChanged(1)))
    assert verify([*lines, encode(body, chain(match.digest, body) + NOTHING_TOLD)], games.load).version == 1
    with pytest.raises(Damaged, match="does not follow"):
        verify([*lines, encode(body, chain(bytes(8), body) + NOTHING_TOLD)], games.load)


def test_an_old_record_that_comes_out_otherwise_is_no_damage_where_rules_had_a_say() -> None:
    lines = old_lines()
    shouting = lambda state, seat, action: [*GAME.apply(state, seat, action), "!"]  # noqa: E731
    changed = msgspec.structs.replace(GAME, apply=shouting)
    match = verify(lines, lambda _: changed)
    assert (match.changed, match.unexplained) == (5, 0)


@pytest.mark.parametrize("record", [0, 1, 2])
def test_an_old_record_that_no_rules_have_a_say_in_is_checked_by_its_digest(record: int) -> None:
    lines = old_lines()
    _, body, seal = decode(lines[record])
    lines[record] = encode(body.replace(b'"at_ms":1', b'"at_ms":2'), seal)
    with pytest.raises(Damaged, match=f"record {record + 1} does not follow"):
        verify(lines, games.load)


def test_a_record_of_a_kind_that_only_a_later_version_knows_is_unplayable_and_no_damage() -> None:
    lines = record_of()[:1]
    body = b'{"number":2,"at_ms":5,"input":{"type":"Adjourned","until":7}}'
    lines.append(encode(body, chain(decode(lines[0])[2][:8], body) + NOTHING_TOLD))
    with pytest.raises(Unplayable, match="kind that this version does not know"):
        verify(lines, games.load)
    assert damage(lines) is None


def test_who_sat_where_can_be_read_without_the_rules_and_in_spite_of_damage() -> None:
    lines = record_of()
    lines[1] = lines[1].replace(b"Anna", b"Anne")
    lines[3] = b""
    assert [sitter["name"] for sitter in sitters(lines)] == ["Bruno"]
    body = encode_body(Record(9, 9, StoodUp(1)))
    assert sitters([*lines, encode(body, bytes(12))]) == []


def _raises(kind: type[Exception]) -> Any:
    def refuse(*_: object) -> Any:
        raise kind("no longer")

    return refuse


@pytest.mark.parametrize("kind", [Refused, KeyError, ZeroDivisionError, RecursionError, AssertionError])
def test_whatever_the_rules_stumble_over_makes_a_record_unplayable(kind: type[Exception]) -> None:
    for changed in (
        msgspec.structs.replace(GAME, apply=_raises(kind)),
        msgspec.structs.replace(GAME, start=_raises(kind)),
    ):
        with pytest.raises(Unplayable, match="no longer"):
            verify(record_of(), lambda _: changed)  # noqa: B023
    with pytest.raises(Unplayable, match="its game cannot be loaded"):
        verify(record_of(), _raises(kind))


class Renamed(msgspec.Struct, frozen=True):
    """Options in which the number of mines has another name."""

    width: int = 0
    height: int = 0
    bombs: int = 0


def test_options_that_are_not_understood_any_more_make_a_record_unplayable() -> None:
    with pytest.raises(Unplayable, match="'mines' means nothing"):
        verify(record_of(), lambda _: msgspec.structs.replace(GAME, options=Renamed))


def test_rules_can_say_which_older_matches_they_do_not_play_on() -> None:
    changed = msgspec.structs.replace(GAME, version=3, plays_from=2)
    with pytest.raises(Unplayable, match="version 1, which are not played"):
        verify(record_of(), lambda _: changed)


def test_a_replay_keeps_every_state_on_the_way() -> None:
    played = replay(record_of(), games.load)
    assert played.names == ("Anna", "Bruno")
    assert [step.record.number for step in played.steps] == list(range(1, len(played.steps) + 1))
    assert played.steps[2].state is None
    assert played.steps[3].state is not played.steps[4].state


def test_a_record_that_does_not_begin_with_an_opening_is_refused() -> None:
    with pytest.raises(JournalError, match="open"):
        verify(record_of()[1:], games.load)
    with pytest.raises(JournalError):
        verify([], games.load)


def test_what_leaves_the_house_has_no_hashes_and_no_whispers() -> None:
    opened = Opened("t1", GAME.name, "table-1", 2, None, Terms(), 1, "origin")
    inputs: list[Input] = [
        opened,
        SatDown(0, "Anna", "Anna", "multisweeper", "key", origin="origin"),
        Spoke("Anna", "hello"),
        Spoke("Anna", "psst", "Bruno"),
        StoodUp(0),
    ]
    told = outward(Record(number, 5, given) for number, given in enumerate(inputs, 1))
    assert [record.number for record in told] == [1, 2, 3, 5]
    assert told[0].input == msgspec.structs.replace(opened, origin="")
    assert told[1].input == SatDown(0, "Anna", "Anna", "multisweeper", "")
    assert [record.input for record in told[2:]] == [inputs[2], inputs[4]]
    assert [is_whisper(given) for given in inputs] == [False, False, False, True, False]


@pytest.mark.parametrize("body", [b"{", b"not json", b'{"number":1,'])
def test_a_body_that_is_no_json_is_damage(body: bytes) -> None:
    line = encode(body, chain(bytes(8), body) + NOTHING_TOLD)
    with pytest.raises(Damaged, match="cannot be read"):
        decode(line)
    with pytest.raises(Damaged, match="cannot be read"):
        _raise(damage([line]))


def test_a_whole_record_has_no_damage_old_or_new() -> None:
    assert damage(record_of()) is None
    assert damage(old_lines()) is None
    assert damage([]) is None


def test_what_older_records_do_not_say_has_its_meaning() -> None:
    assert Opened("t1", "g", "l", 2, None, Terms()) == Opened("t1", "g", "l", 2, None, Terms(), 0, "")
    assert SatDown(0, "a", "a", "house", "k") == SatDown(0, "a", "a", "house", "k", "", None, "")
    assert WentAway(0) == WentAway(0, "", False)
    assert Started(2, 1, None, ()).order == ()
    assert Spoke("Anna", "hello") == Spoke("Anna", "hello", None, None)
