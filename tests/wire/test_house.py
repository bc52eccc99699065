"""Ludoteca's own protocol: its messages, its schema, its page."""

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest

from ludoteca import Match, games
from ludoteca.cli.protocol import asyncapi, game_schema, house_schema
from ludoteca.core import Outcome, Question
from ludoteca.core import notices as told
from ludoteca.core import requests as wanted
from ludoteca.games.multisweeper.actions import Click
from ludoteca.wire import messages as m
from ludoteca.wire.house import COPIES_MAX, GARBLED_MAX, Copier, HouseConversation

PAGE = Path(__file__).parents[2] / "docs" / "protocols" / "house.md"


TABLE = told.TableInfo("t", "multisweeper", "table-1", "open", (None, None), None, wanted.Terms(), 0)


def talk(*lines: bytes) -> tuple[HouseConversation, list[object]]:
    conversation = HouseConversation(games.load)
    return conversation, [request for line in lines for request in conversation.receive(line + b"\n", 0.0)]


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


# Every message and every notice, word for word.


def said(conversation: HouseConversation, notice: told.Notice) -> dict[str, object]:
    (line,) = conversation.send(notice, 0.0).splitlines()
    message: dict[str, object] = json.loads(line)
    return message


def replied(requests: list[wanted.Request]) -> dict[str, object]:
    (reply,) = requests
    assert isinstance(reply, wanted.Reply)
    message: dict[str, object] = json.loads(reply.data)
    return message


@pytest.mark.parametrize(
    ("line", "request_"),
    [
        ('{"type":"hello","name":"Anna"}', wanted.Enter("Anna")),
        ('{"type":"list"}', wanted.List("")),
        ('{"type":"watch","table":"t","since":4}', wanted.Watch("t", 4)),
        ('{"type":"return","token":"k","table":"t","since":4}', wanted.Return("t", "k", 4)),
        ('{"type":"say","text":"hi","to":"Bruno"}', wanted.Say("hi", "Bruno")),
        ('{"type":"rematch"}', wanted.Rematch()),
        ('{"type":"bot","level":"easy","seat":1}', wanted.AddBot("easy", 1)),
        ('{"type":"sit","table":"t","seat":1,"preference":5}', wanted.Join("t", seat=1, preference=5)),
        (
            '{"type":"open","game":"g","seats":3,"options":1,"label":"l","preference":2}',
            wanted.Open("g", 3, 1, None, "l", 2),
        ),
        (
            '{"type":"seek","game":"g","preference":2}',
            wanted.Seek("g", wanted.Open("g", terms=wanted.Terms(), preference=2), 2),
        ),
    ],
)
def test_every_message_is_the_request_that_it_says(line: str, request_: wanted.Request) -> None:
    _, requests = talk(line.encode())
    assert requests == [request_]


def test_a_ping_and_a_hello_without_a_name_are_answered_at_once() -> None:
    conversation = HouseConversation(games.load)
    assert replied(conversation.receive(b'{"type":"ping"}\n', 0.0)) == {"type": "pong"}
    assert replied(conversation.receive(b'{"type":"hello"}\n', 0.0))["type"] == "welcome"


SITTER = told.Sitter("Anna", "Anna", "house")


@pytest.mark.parametrize(
    ("notice", "message"),
    [
        (told.Entered("Anna"), {"type": "welcome", "name": "Anna", "protocol": 1}),
        (
            told.Said(3, "Anna", "hi", "Bruno"),
            {"type": "said", "number": 3, "name": "Anna", "text": "hi", "to": "Bruno"},
        ),
        (told.Stood(1, SITTER), {"type": "stood", "seat": 1, "name": "Anna"}),
        (told.Returned(1, "Anna"), {"type": "returned", "seat": 1, "name": "Anna"}),
        (told.Wanted((0, 2)), {"type": "wanted", "seats": [0, 2]}),
        (told.Tables(()), {"type": "tables", "tables": []}),
        (told.Clock(0, 9.9), {"type": "clock", "seat": 0, "left_s": 9.9}),
        (told.Trouble("disk", True), {"type": "trouble", "reason": "disk", "over": True}),
        (told.Gone("closing", True), {"type": "gone", "reason": "closing", "back": True, "code": "closing"}),
        (
            told.Left(1, "Anna", 9.0, True, "why", "time"),
            {
                "type": "left",
                "seat": 1,
                "name": "Anna",
                "grace_s": 9.0,
                "gone": True,
                "reason": "why",
                "code": "time",
            },
        ),
        (told.Shown(3, {"a": 1}), {"type": "view", "number": 3, "view": {"a": 1}}),
        (told.Happened(3, ("e",)), {"type": "events", "number": 3, "events": ["e"]}),
        (
            told.Declined(wanted.Join("t"), "no", "full"),
            {"type": "declined", "request": "sit", "code": "full", "reason": "no"},
        ),
        (
            told.Declined(wanted.AddBot(), "no", "full"),
            {"type": "declined", "request": "bot", "code": "full", "reason": "no"},
        ),
        (
            told.Declined(wanted.Enter("Anna"), "no", "taken"),
            {"type": "declined", "request": "hello", "code": "taken", "reason": "no"},
        ),
        (
            told.Declined(wanted.Rematch(), "no", "phase"),
            {"type": "declined", "request": "rematch", "code": "phase", "reason": "no"},
        ),
    ],
)
def test_every_notice_is_told_in_its_own_words(notice: told.Notice, message: dict[str, object]) -> None:
    assert said(HouseConversation(games.load), notice) == message


def test_an_outcome_is_told_with_its_winners() -> None:
    over = said(HouseConversation(games.load), told.Over(Outcome((2, 1), "most points", {"total": (3, 4)})))
    assert over == {
        "type": "over",
        "ranks": [2, 1],
        "winners": [1],
        "reason": "most points",
        "scores": {"total": [3, 4]},
    }


def test_what_our_own_protocol_never_asks_is_not_told() -> None:
    assert HouseConversation(games.load).send(told.Opening(), 0.0) == b""


def test_actions_are_read_as_the_game_of_the_table_means_them() -> None:
    conversation = HouseConversation(games.load)
    line = b'{"type":"act","action":{"type":"Click","column":1,"row":2},"at":7}\n'
    assert replied(conversation.receive(line, 0.0))["code"] == "seat"
    conversation.send(told.Seated(TABLE, 0), 0.0)
    assert conversation.receive(line, 0.0) == [wanted.Act((Click(1, 2),), 7)]
    clicks = b'{"type":"Click","column":1,"row":2},{"type":"Click","column":3,"row":4}'
    two = b'{"type":"act","actions":[' + clicks + b"]}\n"
    assert conversation.receive(two, 0.0) == [wanted.Act((Click(1, 2), Click(3, 4)))]
    wrong = replied(conversation.receive(b'{"type":"act","action":{"type":"Jump"}}\n', 0.0))
    assert (wrong["request"], wrong["code"]) == ("act", "message")
    conversation.send(told.Gone("closing"), 0.0)
    assert replied(conversation.receive(line, 0.0))["code"] == "seat"


def test_options_are_listed_while_something_is_asked() -> None:
    conversation = HouseConversation(games.load)
    wanted_options = b'{"type":"options"}\n'
    assert replied(conversation.receive(wanted_options, 0.0))["code"] == "turn"
    for end in (told.Over(Outcome((1, 2), "")), told.Gone("closing"), told.Seated(TABLE, 0)):
        question = said(conversation, told.Asked(7, Question("click", (1, 2)), again=True))
        assert (question["count"], question["options"], question["again"]) == (2, [1, 2], True)
        assert replied(conversation.receive(wanted_options, 0.0)) == {
            "type": "options",
            "number": 7,
            "start": 0,
            "count": 2,
            "options": [1, 2],
        }
        conversation.send(end, 0.0)
        assert replied(conversation.receive(wanted_options, 0.0))["code"] == "turn"


def test_exactly_as_many_options_as_a_client_wants_come_with_the_question() -> None:
    conversation, _ = talk(b'{"type":"hello","name":"Anna","options_max":2}')
    assert "options" in said(conversation, told.Asked(7, Question("click", (1,) * 64)))
    conversation.send(told.Seated(TABLE, 0), 0.0)
    assert "options" in said(conversation, told.Asked(7, Question("click", (1, 2))))
    assert "options" not in said(conversation, told.Asked(7, Question("click", (1, 2, 3))))
    default = HouseConversation(games.load)
    assert "options" not in said(default, told.Asked(7, Question("click", (1,) * 65)))


def test_whoever_follows_views_has_one_with_every_event_from_the_next_table_on() -> None:
    match = Match.new("multisweeper", seats=2, seed=1)
    conversation, (_, back) = talk(
        b'{"type":"hello","name":"Anna","follow":"views"}',
        b'{"type":"return","token":"k","since":9,"follow":"views"}',
    )
    assert back == wanted.Return("", "k", 0), "a view needs a whole one to begin with"
    assert "view" not in said(conversation, told.Happened(3, ("e",)))
    conversation.send(told.Seated(TABLE, 0), 0.0)
    conversation.send(told.Shown(4, match.view(0)), 0.0)
    events = match.act(0, match.choices(0)[0])
    plain = json.loads(msgspec.json.encode(match.view(0)))
    assert said(conversation, told.Happened(5, tuple(events)))["view"] == plain
    (watch,) = conversation.receive(b'{"type":"watch","table":"t","since":9}\n', 0.0)
    assert watch == wanted.Watch("t", 0)


def test_a_wish_that_was_declined_is_forgotten() -> None:
    conversation, _ = talk(b'{"type":"return","token":"k","follow":"views"}')
    conversation.send(told.Declined(wanted.Return("", "k"), "no", "gone"), 0.0)
    (watch,) = conversation.receive(b'{"type":"watch","table":"t","since":9}\n', 0.0)
    assert watch == wanted.Watch("t", 9)


def test_nonsense_is_counted_only_in_a_row() -> None:
    conversation, _ = talk(*([b"nonsense"] * (GARBLED_MAX - 1) + [b'{"type":"ping"}']) * 3)
    assert not conversation.closing


def test_what_many_are_told_is_encoded_once() -> None:
    copier = Copier()
    anna, bruno = (HouseConversation(games.load, copier) for _ in range(2))
    happened = told.Happened(3, ("e",))
    assert anna.send(happened, 0.0) is bruno.send(happened, 0.0)
    assert said(bruno, told.Happened(4, ("f",)))["number"] == 4
    assert said(anna, happened)["number"] == 3


@pytest.mark.parametrize(
    ("game", "hues"),
    [("santorini", ["", ""]), ("eriantys", ["bright white", "bright black"]), ("multisweeper", None)],
)
def test_a_view_comes_with_the_colours_that_the_game_gives_to_its_players(
    game: str, hues: list[str] | None
) -> None:
    conversation, _ = talk(b'{"type":"hello","follow":"views"}')
    conversation.send(told.Seated(msgspec.structs.replace(TABLE, game=game), 0), 0.0)
    rules = games.load(game)
    state, _ = rules.start(rules.setup())
    shown = json.loads(conversation.send(told.Shown(4, rules.view(state, None)), 0.0))
    assert shown.get("hues") == hues
    if game != "santorini":
        return
    # They change when they are chosen.
    chosen: list[str] = []
    while "bright magenta" not in chosen:
        ((seat, question),) = state.questions.items()
        events = rules.apply(state, seat, question.choices[0])
        chosen = json.loads(conversation.send(told.Happened(5, tuple(events)), 0.0))["hues"]
    assert chosen.count("") == 1


# Those who look on and follow views.


def onlooker(copier: Copier, seat: int | None = None) -> HouseConversation:
    conversation = HouseConversation(games.load, copier)
    conversation.receive(b'{"type":"hello","follow":"views"}\n', 0.0)
    conversation.send(told.Seated(TABLE, seat), 0.0)
    match = Match.new("multisweeper", seed=3)
    conversation.send(told.Shown(1, match.view(seat)), 0.0)
    return conversation


def test_all_who_look_on_are_sent_the_same_picture_and_each_goes_on_from_it() -> None:
    copier = Copier()
    first, second, player = onlooker(copier), onlooker(copier), onlooker(copier, 0)
    match, told_so_far = Match.new("multisweeper", seed=3), list[dict[str, object]]()
    for number in (2, 3):
        seat = min(match.asked)
        happened = told.Happened(number, tuple(match.act(seat, match.choices(seat)[0])))
        data = first.send(happened, 0.0)
        assert second.send(happened, 0.0) is data
        own = player.send(happened, 0.0)
        assert own is not data, "a player may know more"
        told_so_far.append(json.loads(data))
        assert told_so_far[-1]["view"] == json.loads(msgspec.json.encode(match.view(None)))
        assert json.loads(own)["view"] == json.loads(msgspec.json.encode(match.view(0)))


def test_a_copier_remembers_a_few_of_the_last_and_no_more() -> None:
    copier = Copier()
    notices = [told.Happened(number, ()) for number in range(COPIES_MAX + 1)]
    for notice in notices[:COPIES_MAX]:
        copier.keep(notice, b"line")
        copier.keep_picture(notice, b"line", "picture")
    assert len(copier.lines) == len(copier.pictures) == COPIES_MAX
    assert (
        copier.keep(notices[-1], b"last") == copier.keep_picture(notices[-1], b"last", "picture") == b"last"
    )
    assert list(copier.lines) == list(copier.pictures) == [id(notices[-1])]
