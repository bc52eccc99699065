"""What the house tells: every notice can be written and read, says what it is, and is never changed."""

from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludoteca.core import notices as told
from ludoteca.core.requests import Terms
from ludoteca.core.why import reason

ANNA = told.Sitter("Anna", "anna", "house", came=1)
TABLE = told.TableInfo("t1", "santorini", "1", "open", (ANNA, None), {}, Terms(), 5)
LISTED = told.Listed(TABLE, msgspec.Raw(msgspec.json.encode(TABLE)))
EXAMPLES: tuple[told.Notice, ...] = (
    told.Entered("Anna"),
    told.Opening(),
    told.Seated(TABLE, 0, "token"),
    told.Sat(0, ANNA),
    told.Stood(0, ANNA, back=True),
    told.Shown(3, {"a": 1}),
    told.Happened(3, ("event",)),
    told.Asked(3, {"kind": "move"}, again=True),
    told.Hinted(3, "master", ({"type": "Move"},)),
    told.Reasoned(3, reason("wall", "A wall is in the way.", "C'è un muro.")),
    told.Decided("t1", told.Moment(3, 2, 0, None, "end", 0.0, 1.5, {"en": "Over.", "it": "Finita."})),
    told.Declined({"type": "Act"}, "not now", "turn"),
    told.Said(3, "Anna", "hi", "Bruno"),
    told.Announced("We close at ten."),
    told.Noted("Bruno"),
    told.Left(0, "Anna", 9.5, False, "", "waits"),
    told.Returned(0, "Anna"),
    told.Clock(0, 9.5),
    told.Over({"ranks": [1, 2]}),
    told.Wanted((0, 1)),
    told.Tables((LISTED,), "03e8-t1"),
    told.Lobby(
        "", "all", "", (LISTED,), (msgspec.Raw(b"{}"),), told.Counts(1, 2, 3, 4, 5), {"open": "03e8-t1"}
    ),
    told.Changes((LISTED,), ("t2",), (), told.Counts(), {}),
    told.Gone("the house closes", True, "closing"),
    told.Trouble("the disk is full"),
)
KINDS: tuple[type[msgspec.Struct], ...] = get_args(told.Notice)


def kind_of(notice: object) -> str:
    return type(notice).__name__


def test_there_is_an_example_of_every_notice() -> None:
    assert {kind.__name__ for kind in KINDS} == {kind_of(notice) for notice in EXAMPLES}


@pytest.mark.parametrize("notice", EXAMPLES, ids=kind_of)
def test_a_notice_is_read_as_it_was_written(notice: told.Notice) -> None:
    data = msgspec.json.encode(notice)
    read = msgspec.json.decode(data, type=type(notice))
    assert msgspec.json.encode(read) == data
    # Messages are called like notices; what answers a request by name is called like that.
    renamed = {"Hinted": "hint", "Reasoned": "why", "Decided": "decisive", "Noted": "reported"}
    named = renamed.get(kind_of(notice), kind_of(notice).lower())
    assert msgspec.json.decode(data)["type"] == named


def test_no_two_notices_are_called_the_same() -> None:
    names = [kind.__struct_config__.tag for kind in KINDS]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("notice", EXAMPLES, ids=kind_of)
def test_nobody_who_is_told_can_change_what_the_next_is_told(notice: Any) -> None:
    for field in notice.__struct_fields__:
        with pytest.raises(AttributeError):
            setattr(notice, field, None)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_notice_says_what_it_means(kind: type[msgspec.Struct]) -> None:
    assert kind.__doc__
    assert kind.__doc__.strip()


def test_a_table_names_its_players_by_seat_and_leaves_free_chairs_empty() -> None:
    assert TABLE.names == ("Anna", "")
    assert msgspec.structs.replace(TABLE, chairs=(None, None)).names == ("", "")


@pytest.mark.parametrize(
    ("notice", "field", "wrong"),
    [
        (told.Left(0, "Anna"), "code", "asleep"),
        (told.Gone("why"), "code", "asleep"),
        (TABLE, "phase", "paused"),
    ],
)
def test_a_code_that_no_program_knows_is_not_read(notice: Any, field: str, wrong: str) -> None:
    plain = msgspec.to_builtins(notice) | {field: wrong}
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(plain, type(notice))


names = st.text(max_size=12)
sitters = st.builds(
    told.Sitter,
    names,
    names,
    st.sampled_from(["house", "santorini", "bot"]),
    names,
    st.booleans(),
    st.booleans(),
    st.none(),
    st.integers(0, 9),
)


@given(st.lists(st.one_of(st.none(), sitters), max_size=6))
def test_a_table_has_as_many_names_as_chairs_whoever_sits_there(chairs: list[told.Sitter | None]) -> None:
    table = msgspec.structs.replace(TABLE, chairs=tuple(chairs))
    assert len(table.names) == len(chairs)
    assert table.names == tuple("" if chair is None else chair.name for chair in chairs)
    read = msgspec.json.decode(msgspec.json.encode(table), type=told.TableInfo)
    assert read == table


@pytest.mark.parametrize("notice", EXAMPLES, ids=kind_of)
def test_a_notice_is_known_by_its_type_alone_and_half_of_one_is_none(notice: Any) -> None:
    """Programs find the record by the field `type`; whoever cuts a message finds nothing."""
    data = msgspec.json.encode(notice)
    plain = msgspec.json.decode(data)
    assert next(iter(plain)) == "type"
    with pytest.raises(msgspec.DecodeError):
        msgspec.json.decode(data[:-1], type=type(notice))
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(plain | {"type": "nonsense"}, type(notice))


# Lists carry what is JSON already; what a client reads are other records, of the protocol.
READ = [one for one in EXAMPLES if not isinstance(one, told.Tables | told.Lobby | told.Changes)]


@pytest.mark.parametrize("notice", READ, ids=kind_of)
def test_what_a_later_house_adds_does_not_disturb_a_client_of_today(notice: Any) -> None:
    plain = msgspec.to_builtins(notice) | {"added_later": {"deep": [1, None]}}
    assert msgspec.json.encode(msgspec.convert(plain, type(notice))) == msgspec.json.encode(notice)


@pytest.mark.parametrize("notice", READ, ids=kind_of)
def test_a_notice_without_what_it_must_say_is_none(notice: Any) -> None:
    plain = msgspec.to_builtins(notice)
    for field in msgspec.structs.fields(type(notice)):
        lacking = {name: value for name, value in plain.items() if name != field.encode_name}
        if field.required:
            with pytest.raises(msgspec.ValidationError, match=field.encode_name):
                msgspec.convert(lacking, type(notice))
        else:
            msgspec.convert(lacking, type(notice))


@pytest.mark.parametrize("kind", [told.LeftCode, told.GoneCode, told.Phase, told.Turning])
def test_codes_are_words_that_a_program_can_compare(kind: Any) -> None:
    codes = get_args(kind)
    assert len(set(codes)) == len(codes) > 1
    assert all(code == code.lower().strip() and code for code in codes)


def test_every_code_is_explained_where_it_is_defined() -> None:
    """The comment above a list of codes says what each stands for, in the same order."""
    source = Path(told.__file__).read_text()
    for name, said in (("LeftCode", "connection is lost"), ("GoneCode", "nobody is there any more")):
        before = source[: source.index(f"{name} = ")]
        comment = before[before.rindex("\n\n") :]
        assert said in comment


def test_the_schema_says_that_an_action_has_a_type() -> None:
    """Else other programs would take any object for one."""
    schema = msgspec.json.schema(told.Hinted)["$defs"]["Hinted"]["properties"]["actions"]
    assert schema["items"]["required"] == ["type"]
    assert schema["items"]["properties"] == {"type": {"type": "string"}}


@pytest.mark.parametrize("kind", [told.Seated, told.Hinted])
def test_a_house_that_does_not_count_hints_yet_is_understood(kind: type[told.Seated | told.Hinted]) -> None:
    example = next(one for one in EXAMPLES if isinstance(one, kind))
    counted = msgspec.to_builtins(msgspec.structs.replace(example, hints=2))
    assert msgspec.convert(counted, kind).hints == 2
    del counted["hints"]
    assert msgspec.convert(counted, kind).hints == 0
    assert msgspec.convert(counted, kind) == msgspec.convert(msgspec.to_builtins(example), kind)
