"""Tables that are kept but not served: whoever comes for them hears why, and nobody else does."""

from collections.abc import Callable

import pytest
from tests.hall.play import House

from ludoteca.core import Damaged, Refused, Unplayable
from ludoteca.core.notices import Seated
from ludoteca.core.requests import Open, Seek, Terms
from ludoteca.hall.aside import Aside
from ludoteca.hall.chair import key_of

GAME = "multisweeper"


@pytest.fixture
def record() -> tuple[str, list[bytes], str]:
    """A table of two who came by a protocol without tokens: its id, its record and the token of the first."""
    house = House()
    anna = house.named("Anna", GAME, "192.0.2.1").ask(Open(GAME, 2, terms=Terms()))
    house.named("Bruno", GAME, "192.0.2.2").ask(Seek(GAME))
    seated = anna.last(Seated)
    token = next(notice.token for notice in anna.heard if isinstance(notice, Seated) and notice.token)
    return seated.table.id, house.lines[seated.table.id], token


def refusal(call: Callable[[], None]) -> Refused | None:
    try:
        call()
    except Refused as refused:
        return refused
    return None


@pytest.mark.parametrize(
    ("error", "why"), [(Unplayable("x"), "rules of another version"), (Damaged("x"), "damaged")]
)
def test_whoever_asks_for_the_table_or_the_seat_hears_why(
    record: tuple[str, list[bytes], str], error: Exception, why: str
) -> None:
    table, lines, token = record
    aside = Aside()
    assert len(aside) == 0
    aside.add(table, lines, error)
    assert len(aside) == 1
    for call in (lambda: aside.ask_table(table), lambda: aside.ask_seat(key_of(token))):
        refused = refusal(call)
        assert refused is not None
        assert refused.code == "aside"
        assert why in refused.reason
        assert refusal(call) is not None, "as often as they ask"
    assert refusal(lambda: aside.ask_table("another")) is None
    assert refusal(lambda: aside.ask_seat(key_of("another"))) is None


def test_a_name_hears_it_once_and_only_who_may_own_the_seat(record: tuple[str, list[bytes], str]) -> None:
    table, lines, _ = record
    aside = Aside()
    aside.add(table, lines, Damaged("x"))
    asked: list[tuple[str, str]] = []

    def may_own(answer: bool) -> Callable[[str, str], bool]:
        return lambda at, origin: asked.append((at, origin)) or answer  # type: ignore[func-returns-value]

    def ask(name: str, protocol: str = GAME, owner: bool = True) -> Refused | None:
        return refusal(lambda: aside.ask_name(protocol, name, may_own(owner)))

    assert ask("Carla") is None
    assert ask("Anna", "santorini") is None
    assert asked == []
    assert ask("Anna", owner=False) is None
    assert ask("aNNa") is not None
    assert {at for at, _ in asked} == {table}
    assert all(origin for _, origin in asked)
    assert ask("Anna") is None, "who comes again is a newcomer"
    assert ask("Bruno") is not None


def test_two_of_one_name_each_hear_of_theirs(record: tuple[str, list[bytes], str]) -> None:
    table, lines, _ = record
    aside = Aside()
    aside.add(table, lines, Damaged("x"))
    aside.add("another", lines, Unplayable("x"))
    assert len(aside) == 2
    reasons = [refusal(lambda: aside.ask_name(GAME, "Anna", lambda *_: True)) for _ in range(3)]
    assert [bool(reason) for reason in reasons] == [True, True, False]
    assert "damaged" in str(reasons[0])
    assert "version" in str(reasons[1])


def test_who_sat_down_in_a_record_that_is_another_tables_keeps_their_seat() -> None:
    house = House()
    tokens = {}
    for name in ("Anna", "Bruno"):
        guest = house.named(name).ask(Open(GAME, 2))
        tokens[name] = guest.last(Seated).token
    own, others = house.lines.values()
    assert b"SatDown" in own[1]
    for lines in ([own[0], others[1]], [*own, others[1]]):
        aside = Aside()
        aside.add("t", lines, Damaged("x"))
        aside.ask_seat(key_of(tokens["Bruno"]))
    with pytest.raises(Refused, match="damaged"):
        aside.ask_seat(key_of(tokens["Anna"]))
    aside = Aside()
    aside.add("t", [own[0][:30], *own[1:]], Damaged("x"))
    with pytest.raises(Refused, match="damaged"):
        aside.ask_seat(key_of(tokens["Anna"]))
