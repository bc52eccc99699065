"""Ludoteca's own protocol: its messages, its schema, its page."""

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest

from ludoteca import games
from ludoteca.cli.protocol import asyncapi, game_schema, house_schema
from ludoteca.core import Question
from ludoteca.core import notices as told
from ludoteca.core import requests as wanted
from ludoteca.games.multisweeper.actions import Click
from ludoteca.wire import messages as m
from ludoteca.wire.house import GARBLED_MAX, Copier, HouseConversation
from ludoteca.wire.lines import LINE_BYTES_MAX, Lines, LineTooLong

PAGE = Path(__file__).parents[2] / "docs" / "protocols" / "house.md"


TABLE = told.TableInfo("t", "multisweeper", "table-1", "open", (None, None), None, wanted.Terms(), 0)


def talk(*lines: bytes) -> tuple[HouseConversation, list[object]]:
    conversation = HouseConversation(games.load)
    return conversation, [request for line in lines for request in conversation.receive(line + b"\n", 0.0)]


def test_lines_come_whole_however_they_are_cut() -> None:
    data = b"one\r\ntwo\n\nthree"
    for cut in range(len(data)):
        lines = Lines()
        assert lines.feed(data[:cut]) + lines.feed(data[cut:] + b"\n") == [b"one", b"two", b"", b"three"]


def test_a_line_has_a_greatest_length() -> None:
    lines = Lines()
    assert lines.feed(b"x" * LINE_BYTES_MAX) == []
    with pytest.raises(LineTooLong):
        lines.feed(b"x")


def test_requests_are_what_the_messages_say() -> None:
    _, requests = talk(
        b'{"type":"hello","name":"Anna"}', b'{"type":"list","game":"santorini"}', b'{"type":"leave"}'
    )
    assert requests == [wanted.Enter("Anna"), wanted.List("santorini"), wanted.Leave()]


def test_nonsense_is_declined_and_ten_in_a_row_end_it() -> None:
    conversation, requests = talk(*[b'{"type":"dance"}'] * (GARBLED_MAX - 1))
    assert all(b'"code":"message"' in request.data for request in requests)  # type: ignore[attr-defined]
    assert not conversation.closing
    conversation.receive(b"[]\n", 0.0)
    assert conversation.closing


@pytest.mark.parametrize(
    ("line", "request_", "reason"),
    [
        (b'{"type":"hello","options_max":1001}', "hello", "<= 1000"),
        (b'{"type":"act","at":-1}', "act", ">= 0"),
        (b'{"type":"dance"}', "", "dance"),
        (b'{"type":"welcome"}', "", "welcome"),
        (b'{"type":["hello"]}', "", ""),
        (b"[" * 50_000, "", ""),
    ],
)
def test_what_is_declined_is_called_by_its_name(line: bytes, request_: str, reason: str) -> None:
    _, (reply,) = talk(line)
    said = json.loads(reply.data)  # type: ignore[attr-defined]
    assert (said["type"], said["request"], said["code"]) == ("declined", request_, "message")
    assert reason in said["reason"]


def test_long_lists_of_options_are_sent_only_on_request() -> None:
    conversation, _ = talk(b'{"type":"hello","name":"Anna","options_max":2}')
    conversation.send(told.Seated(TABLE, 0), 0.0)
    options = [Click(column, 0) for column in range(5)]
    sent = json.loads(conversation.send(told.Asked(7, Question("click", options)), 0.0))
    assert sent == {"type": "question", "number": 7, "kind": "click", "count": 5, "again": False}
    (reply,) = conversation.receive(b'{"type":"options","start":3,"count":9}\n', 0.0)
    assert json.loads(reply.data)["options"] == [  # type: ignore[union-attr]
        {"type": "Click", "column": 3, "row": 0},
        {"type": "Click", "column": 4, "row": 0},
    ]


def test_every_example_of_the_page_is_a_message_of_the_schema() -> None:
    blocks = re.findall(r"```json\n(.*?)```", PAGE.read_text(), re.S)
    examples = [json.loads(line) for block in blocks for line in block.splitlines() if line.strip()]
    client = msgspec.json.Decoder(m.FromClient)
    server = set(re.findall(r'"const": "(\w+)"|"enum": \["(\w+)"\]', json.dumps(house_schema())))
    assert len(examples) > 25
    assert server
    seen = set()
    for example in examples:
        seen.add(example["type"])
        try:
            client.decode(json.dumps(example))
        except msgspec.ValidationError:
            msgspec.convert(example, m.FromServer)
    every = {kind.__struct_config__.tag for union in (m.FromClient, m.FromServer) for kind in union.__args__}
    assert seen == every


def test_the_schema_is_valid_and_takes_what_the_house_sends() -> None:
    schema = house_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    game = games.load("multisweeper")
    info = told.TableInfo("t", game.name, "table-1", "open", (None, None), game.options(), wanted.Terms(), 0)
    conversation = HouseConversation(games.load)
    for notice in (told.Seated(info, 0, "token"), told.Said(3, "Anna", "hello"), told.Gone("closing", True)):
        validator.validate(json.loads(conversation.send(notice, 0.0)))
    assert "multisweeper.Action" in schema["$defs"]


def test_the_asyncapi_document_resolves() -> None:
    document = asyncapi()
    refs = set(re.findall(r'"\$ref": "#/([^"]+)"', json.dumps(document)))
    for ref in refs:
        found: object = document
        for part in ref.split("/"):
            assert isinstance(found, dict)
            found = found[part]


def test_the_asyncapi_document_has_a_message_for_each_type_on_its_side() -> None:
    document = asyncapi()
    shown = document["channels"]["house"]["messages"]
    for side, operation, union in (("client", "ask", m.FromClient), ("server", "tell", m.FromServer)):
        wanted_here = {f"{side}.{kind.__struct_config__.tag}" for kind in union.__args__}
        assert {name for name in shown if name.startswith(f"{side}.")} == wanted_here
        refs = {ref["$ref"].rpartition("/")[2] for ref in document["operations"][operation]["messages"]}
        assert refs == wanted_here
    assert all(message["summary"] for message in shown.values())


def test_the_asyncapi_document_tells_records_apart_as_asyncapi_does() -> None:
    """The official parser refuses a discriminator that is an object, which JSON Schema's tools write."""

    def discriminators(part: Any) -> list[Any]:
        inner = part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
        own = [part["discriminator"]] if isinstance(part, dict) and "discriminator" in part else []
        return own + [one for value in inner for one in discriminators(value)]

    found = discriminators(asyncapi()["components"]["schemas"])
    assert found
    assert set(map(type, found)) == {str}


@pytest.mark.parametrize("name", [game.name for game in games.load_all() if game.wire and game.wire.messages])
def test_the_json_protocols_have_a_schema(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(game_schema(name))


def test_what_several_are_told_alike_is_encoded_once_and_each_house_has_its_own_copies() -> None:
    here, there = Copier(), Copier()
    anna, bruno = (HouseConversation(games.load, here) for _ in range(2))
    carla = HouseConversation(games.load, there)
    notice = told.Happened(7, ())
    data = anna.send(notice, 0.0)
    assert data == b'{"type":"events","number":7,"events":[]}\n'
    assert bruno.send(notice, 0.0) is data
    assert carla.send(notice, 0.0) == data
    assert carla.send(notice, 0.0) is not data
    assert bruno.send(told.Happened(8, ()), 0.0) != data
