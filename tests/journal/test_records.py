"""The format of a record: readable, checked, and honest about what it replays to."""

import pytest

from ludoteca import games
from ludoteca.core import JournalError
from ludoteca.core.requests import Terms
from ludoteca.journal import Match, Record, decode, encode, replay, verify
from ludoteca.journal.records import Acted, Input, Opened, SatDown, Started, encode_body

GAME = games.load("multisweeper")


def record_of(seed: int = 5) -> list[bytes]:
    """A short match, written down by hand."""
    match = Match(GAME)
    options = GAME.settle(GAME.options(), 2)
    inputs: list[Input] = [
        Opened("t1", GAME.name, "table-1", 2, options, Terms()),
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
            given = Acted(seat, (question.options[0],))
        else:
            break
        events = match.perform(given)
        body = encode_body(Record(number, 1000 + number, given))
        lines.append(encode(body, match.seal(body, events)))
    return lines


def test_a_record_reads_back_as_it_was_written() -> None:
    line = record_of()[1]
    record, body, digest = decode(line)
    assert record == Record(2, 1002, SatDown(0, "Anna", "Anna", "house", "k"))
    assert encode(body, digest) == line


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


def test_another_outcome_than_the_one_written_down_is_noticed() -> None:
    lines = record_of()
    with pytest.raises(JournalError, match="something else"):
        verify([*lines[:3], _resealed(lines[3])], games.load)


def _resealed(line: bytes) -> bytes:
    """The same record under a wrong digest with a right checksum: what a changed rule would look like."""
    _, body, digest = decode(line)
    return encode(body, bytes(8) if digest != bytes(8) else b"\1" * 8)


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
