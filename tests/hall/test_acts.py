"""Hosts' acts as records: what can be sent at all, and that nothing which the log keeps is read back as
something else."""

import msgspec
import pytest

from ludoteca.hall import acts
from ludoteca.hall.acts import Deed

ACT = msgspec.json.Decoder(acts.Act)
FACTS = [
    acts.Say("The house restarts at ten."),
    acts.Mute("Gulp", 60, "flooding"),
    acts.Out("Gulp"),
    acts.Ban(address="192.0.2.0/24", seconds=60),
    acts.Lift(3),
    acts.Close("t1", "nobody plays there"),
    acts.Drain("stop"),
    acts.Resume(),
    acts.Door("password", "watch", "scrypt$...", ("Ada", "Bea")),
    acts.Invited("the club", "member", 50, 60, "d1"),
    acts.Admitted("Ada", "member", 60, "d2", 10),
    acts.Withdraw(10),
    acts.Settle(12),
    acts.Reported("Ada", "Gulp", "t1", "santorini", "rude", (acts.Line("Gulp", "boo"),)),
    acts.Backup(),
    acts.Verify(),
    acts.Prune(365),
]


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: type(fact).__name__)
def test_whatever_the_log_keeps_is_read_back_as_it_was(fact: acts.Fact) -> None:
    deed = Deed(7, 1000, "Irene", fact)
    assert msgspec.json.decode(msgspec.json.encode(deed), type=Deed) == deed


def test_every_kind_of_fact_is_among_those_tried() -> None:
    assert {type(fact) for fact in FACTS} == set(acts.Fact.__args__)


@pytest.mark.parametrize(
    "sent",
    [
        b'{"type":"ban","name":"Gulp","seconds":-1}',
        b'{"type":"ban","name":"Gulp","seconds":1e300}',
        b'{"type":"ban","name":"Gulp","seconds":99999999999}',
        b'{"type":"ban","nmae":"Gulp"}',
        b'{"type":"mute","name":""}',
        b'{"type":"say","text":""}',
        b'{"type":"say","text":"' + b"x" * 501 + b'"}',
        b'{"type":"lift","id":0}',
        b'{"type":"lift","id":9007199254740993}',
        b'{"type":"invite","uses":-1}',
        b'{"type":"invite","uses":10001}',
        b'{"type":"invite","role":"emperor"}',
        b'{"type":"drain","then":"explode"}',
        b'{"type":"door","door":"ajar"}',
        b'{"type":"admitted","label":"","role":"host","seconds":0,"digest":"mine"}',
        b'{"type":"invited","label":"","role":"host","uses":0,"seconds":0,"digest":"mine"}',
        b'{"type":"reported","name":"a","about":"b","table":"","game":"","text":""}',
    ],
)
def test_what_makes_no_sense_is_no_act_and_nobody_sends_what_only_the_house_writes(sent: bytes) -> None:
    with pytest.raises(msgspec.ValidationError):
        ACT.decode(sent)


def test_what_is_left_out_is_harmless() -> None:
    assert ACT.decode(b'{"type":"invite"}') == acts.Invite("", "member", 1, 7 * 24 * 3600)
    assert ACT.decode(b'{"type":"drain"}') == acts.Drain("wait")
    assert ACT.decode(b'{"type":"door"}') == acts.Door()
