"""The checks of Ludoteca's own protocol, as lines."""

import asyncio
from typing import Any

from ludoteca.cli.conformance.kit import JsonDialect, Kit, Message, Peer, Suite
from ludoteca.wire import messages

# What only an operator, a full disk or a restart brings about.
SUITE = Suite(
    JsonDialect((messages.FromClient, messages.FromServer)),
    rare="announced gone trouble",
    farewell=({"type": "leave"},),
)
GAME: Message = {"type": "open", "game": "multisweeper", "seats": 2}
SMALL = {"width": 3, "height": 2, "mines": 1}


async def _enter(kit: Kit, **more: Any) -> Peer:
    peer = await kit.connect()
    peer.name = kit.name()
    peer.send({"type": "hello", "name": peer.name, **more})
    await peer.expect("welcome", name=peer.name, protocol=messages.PROTOCOL_VERSION)
    return peer


async def _pair(kit: Kit, **more: Any) -> tuple[Peer, Peer, Message]:
    """Two at a table of their own whose match has begun; what the first was told about the seat."""
    first = await _enter(kit)
    first.send({**GAME, "options": SMALL, "terms": {"private": True}, **more})
    seated = await first.expect("seated", seat=0)
    second = await _enter(kit)
    second.send({"type": "sit", "table": seated["table"]["id"]})
    await second.expect("seated", seat=1)
    await first.expect("sat", seat=1)
    for peer in (first, second):
        await peer.expect("view", "when every chair is taken")
    return first, second, seated


@SUITE.check("connection")
async def _(kit: Kit) -> None:
    """It answers a ping, also before hello."""
    peer = await kit.connect()
    peer.send({"type": "ping"})
    await peer.expect("pong")


@SUITE.check("connection")
async def _(kit: Kit) -> None:
    """It declines what it does not understand with code `message`, and hangs up after ten in a row."""
    peer = await kit.connect()
    for line in ("this is no JSON", '{"type":"dance"}', "[]", b'{"type":"hello","name":"\xff"}\n'):
        peer.send(line)
        await peer.expect("declined", f"after {line!r}", code="message")
    peer.send(*["nonsense"] * 10)
    await peer.closed("after ten lines in a row that are no message")


@SUITE.check("naming")
async def _(kit: Kit) -> None:
    """It declines names that are none or taken, whatever their case, and takes another."""
    first, peer = await _enter(kit), await kit.connect()
    for name, code in (("x" * 33, "name"), ("\x07", "name"), (first.name.upper(), "taken")):
        peer.send({"type": "hello", "name": name})
        await peer.expect("declined", f"after {name!r}", request="hello", code=code)
    peer.send({"type": "hello", "name": kit.name()})
    await peer.expect("welcome", "after a good name")


@SUITE.check("naming")
async def _(kit: Kit) -> None:
    """It gives a name a second time to who shows the token of a seat under it, and to nobody else."""
    first, peer = await _enter(kit), await kit.connect()
    first.send({**GAME, "terms": {"private": True}})
    seated = await first.expect("seated")
    peer.send({"type": "hello", "name": first.name, "tokens": [seated["token"][::-1]]})
    await peer.expect("declined", "after a token that is none", request="hello", code="taken")
    peer.send({"type": "hello", "name": first.name, "tokens": ["", seated["token"]]})
    await peer.expect("welcome", "after the token of a seat under this name", name=first.name)
    peer.send({"type": "sit", "table": seated["table"]["id"]})
    await peer.expect("declined", "where the same person sits already", request="sit", code="seated")


@SUITE.check("lobby")
async def _(kit: Kit) -> None:
    """It opens a table, lists it, lets others find it, and hides a private one."""
    first = await _enter(kit)
    first.send({**GAME, "label": "kit", "options": SMALL})
    table = (await first.expect("seated", "after open", seat=0))["table"]
    hidden = await _enter(kit)
    hidden.send({**GAME, "terms": {"private": True}})
    private = (await hidden.expect("seated"))["table"]["id"]
    peer = await _enter(kit)
    peer.send({"type": "list", "game": "multisweeper"})
    listed = [one["id"] for one in (await peer.expect("tables"))["tables"]]
    if table["id"] not in listed or private in listed:
        raise peer.unmet("the public table in the list and no private one", f"it was {listed}")
    peer.send({"type": "seek", "game": "multisweeper"})
    await peer.expect("seated", "at the oldest open table", seat=1)


@SUITE.check("lobby")
async def _(kit: Kit) -> None:
    """It tells who looks at the lobby what there is, and then what changes there by itself."""
    looker, first = await kit.connect(), await _enter(kit)
    looker.send({"type": "look", "game": "multisweeper", "show": "open"})
    there = await looker.expect("lobby", "after look", game="multisweeper", show="open", table="")
    first.send({**GAME, "label": "seen"})
    table = (await first.expect("seated"))["table"]["id"]
    while table not in [one["id"] for one in there["tables"]]:
        there = await looker.expect("changes", "when a table is opened")
    first.send({"type": "leave"})
    while table not in there["gone"]:
        there = await looker.expect("changes", "when a table is gone")
    looker.send({"type": "unlook"}, {"type": "look", "game": "chess"})
    await looker.expect("declined", "where there is no such game", request="look", code="game")


@SUITE.check("lobby")
async def _(kit: Kit) -> None:
    """It lists tables in parts, and says where the list goes on."""
    people = [await _enter(kit) for _ in range(3)]
    for peer in people:
        peer.send(GAME)
        await peer.expect("seated")
    seen: list[str] = []
    part: Message = {"more": ""}
    while "more" in part and len(seen) < 1000:
        people[0].send({"type": "list", "game": "multisweeper", "count": 2, "after": part["more"]})
        part = await people[0].expect("tables", "after list")
        seen += [one["id"] for one in part["tables"]]
        if len(part["tables"]) > 2:
            raise people[0].unmet("at most two tables", f"there were {len(part['tables'])}")
    if len(set(seen)) != len(seen) or len(seen) < 3:
        raise people[0].unmet("every table once", f"it was {seen}")
    people[0].send({"type": "list", "after": "nowhere"})
    await people[0].expect("declined", "after a place that is none", request="list", code="message")


@SUITE.check("lobby")
async def _(kit: Kit) -> None:
    """It declines tables, games, seats and options that are not to be had."""
    peer = await _enter(kit)
    for message, code in (
        ({"type": "sit", "table": "none"}, "gone"),
        ({"type": "watch", "table": "none"}, "gone"),
        ({"type": "open", "game": "chess"}, "game"),
        ({**GAME, "seats": 9}, "seats"),
        ({**GAME, "options": {"width": -1}}, "options"),
        ({"type": "return", "token": "none"}, "gone"),
    ):
        peer.send(message)
        await peer.expect("declined", f"after {message}", request=message["type"], code=code)


@SUITE.check("lobby")
async def _(kit: Kit) -> None:
    """It tells who sits down and who gets up, and shows the clock where there is one."""
    first, second = await _enter(kit), await _enter(kit)
    first.send({**GAME, "options": SMALL, "terms": {"private": True, "move_s": 60}})
    table = (await first.expect("seated"))["table"]["id"]
    second.send({"type": "sit", "table": table}, {"type": "leave"})
    await first.expect("sat", seat=1)
    await first.expect("view", "when every chair is taken")
    await first.expect("clock", "where decisions have a limit", seat=0)
    third = await _enter(kit)
    third.send({**GAME, "seats": 3})
    table = (await third.expect("seated"))["table"]["id"]
    fourth = await _enter(kit)
    fourth.send({"type": "sit", "table": table}, {"type": "leave"})
    await third.expect("sat", seat=1)
    await third.expect("stood", "when somebody leaves an open table", seat=1, name=fourth.name)


@SUITE.check("lobby")
async def _(kit: Kit) -> None:
    """It seats a bot, and declines a level that is none."""
    peer = await _enter(kit)
    peer.send(
        {**GAME, "options": SMALL}, {"type": "bot", "level": "divine"}, {"type": "bot", "level": "easy"}
    )
    await peer.expect("declined", request="bot", code="bot")
    sat = await peer.expect("sat", seat=1)
    if sat["sitter"]["bot"] != "easy":
        raise peer.unmet("a bot of level easy", f"it was {sat['sitter']}")
    await peer.expect("view", "when the bot has taken the last chair")


@SUITE.check("the match")
async def _(kit: Kit) -> None:
    """It asks with every legal answer, takes one, and tells everybody what happened."""
    first, second, _ = await _pair(kit)
    asked = await first.expect("question", "to the player whose turn it is", kind="click", again=False)
    if asked["count"] != len(asked["options"]):
        raise first.unmet("as many options as `count` says", f"{asked['count']}, {len(asked['options'])}")
    first.send({"type": "act", "action": asked["options"][0], "at": asked["number"]})
    told = [await peer.expect("events", "to everybody") for peer in (first, second)]
    if told[0]["events"] != told[1]["events"] or told[0]["number"] <= asked["number"]:
        raise second.unmet("the same events, with a number that grew", f"it was {told}")


@SUITE.check("the match")
async def _(kit: Kit) -> None:
    """It leaves long lists out, hands out parts of them, and shows views to those who follow them."""
    peer = await _enter(kit, follow="views", options_max=0)
    peer.send({**GAME, "options": SMALL}, {"type": "bot", "level": "random"})
    asked = await peer.expect("question")
    if asked.get("options") is not None:
        raise peer.unmet("no options with options_max 0", f"it was {asked['options']}")
    peer.send({"type": "options", "start": 1, "count": 2})
    part = await peer.expect("options", start=1, number=asked["number"])
    if len(part["options"]) != 2 or part["count"] != asked["count"]:
        raise peer.unmet("two of the options, and how many there are", f"it was {part}")
    peer.send({"type": "act", "action": part["options"][0], "at": asked["number"]})
    if not (await peer.expect("events"))["view"]:
        raise peer.unmet("the view after the events", "there was none")


@SUITE.check("the match")
async def _(kit: Kit) -> None:
    """It gives a hint to who plays against bots, and none where somebody else sits."""
    peer = await _enter(kit)
    peer.send({**GAME, "options": SMALL}, {"type": "bot", "level": "random"})
    asked = await peer.expect("question")
    peer.send({"type": "hint", "at": asked["number"]})
    told = await peer.expect("hint", number=asked["number"])
    if not told["actions"] or told["actions"][0] not in asked["options"]:
        raise peer.unmet("one of the options", f"it was {told['actions']}")
    first, _, _ = await _pair(kit)
    asked = await first.expect("question")
    first.send({"type": "hint", "at": asked["number"]})
    await first.expect("declined", "among people", request="hint", code="people")


@SUITE.check("the match")
async def _(kit: Kit) -> None:
    """It says why something is no option, and has nothing against what is one."""
    first, _, _ = await _pair(kit)
    asked = await first.expect("question")
    first.send({"type": "why", "action": asked["options"][0], "at": asked["number"]})
    await first.expect("why", number=asked["number"], reason=None)
    first.send({"type": "why", "action": {"type": "Click", "column": 200, "row": 200}})
    told = await first.expect("why", number=asked["number"])
    if not told["reason"] or not all(told["reason"]["words"].get(language) for language in ("en", "it")):
        raise first.unmet("a reason in words", f"it was {told['reason']}")


@SUITE.check("the match")
async def _(kit: Kit) -> None:
    """It says which move decided a match that is over, and nothing of one that goes on."""
    peer = await _enter(kit)
    peer.send({**GAME, "options": SMALL}, {"type": "bot", "level": "random"})
    table = (await peer.expect("seated"))["table"]["id"]
    peer.send({"type": "decisive", "table": table})
    await peer.expect("declined", "while it goes on", request="decisive", code="gone")
    peer.send({"type": "leave"}, {"type": "decisive", "table": table})
    await peer.expect("decisive", table=table, moment=None)


@SUITE.check("the match")
async def _(kit: Kit) -> None:
    """It carries words to all at the table, watchers too, or to one."""
    first, second, seated = await _pair(kit)
    watcher = await _enter(kit)
    watcher.send({"type": "watch", "table": seated["table"]["id"]})
    await watcher.expect("seated", "to a watcher", seat=None)
    first.send({"type": "say", "text": "hello"})
    for peer in (first, second, watcher):
        await peer.expect("said", "to everybody", name=first.name, text="hello", to=None)
    first.send({"type": "say", "text": "psst", "to": second.name})
    await second.expect("said", text="psst", to=second.name)
    await watcher.none_of("said", why="that was whispered to another")
    second.send({"type": "report", "name": first.name, "text": "whispers"})
    await second.expect("reported", "after report", name=first.name)


@SUITE.check("refusals")
async def _(kit: Kit) -> None:
    """It declines what is illegal, stale or not their turn, and asks again; nothing changes."""
    first, second, _ = await _pair(kit)
    asked = await first.expect("question")
    wrong = {"type": "Click", "column": 99, "row": 99}
    first.send({"type": "act", "action": wrong, "at": asked["number"]})
    await first.expect("declined", "after an illegal action", request="act")
    await first.expect("question", "again", again=True)
    first.send({"type": "act", "action": asked["options"][0], "at": asked["number"] - 1})
    await first.expect("declined", "after an answer to an older question", request="act", code="stale")
    second.send({"type": "act", "action": asked["options"][0], "at": asked["number"]})
    await second.expect("declined", "out of turn", request="act", code="turn")
    await second.none_of("events", why="after what was declined")


@SUITE.check("packets")
async def _(kit: Kit) -> None:
    """It reads lines, not packets: byte by byte, several at once, with CR LF and unknown keys."""
    peer = await kit.connect()
    name = kit.name()
    await peer.send_in_bytes({"type": "hello", "name": name, "colour": "red"})
    await peer.expect("welcome", "after a line byte by byte", name=name)
    peer.send(b'{"type":"ping"}\r\n')
    await peer.expect("pong", "after a line that ends in CR LF")
    peer.send({**GAME, "options": SMALL}, {"type": "bot", "level": "random"}, {"type": "ping"})
    for wanted in ("seated", "sat", "view", "pong"):
        await peer.expect(wanted, "after three lines in a packet, in their order")


@SUITE.check("leaving")
async def _(kit: Kit) -> None:
    """It tells that somebody is lost and how long the seat is kept; who leaves for good has lost."""
    first, second, _ = await _pair(kit)
    first.hang_up()
    told = await second.expect("left", seat=0, gone=False, code="lost")
    if told["grace_s"] <= 0:
        raise second.unmet("how long the seat is kept", f"it was {told['grace_s']}")
    first, second, _ = await _pair(kit)
    first.send({"type": "leave"})
    await second.expect("over", "when the other leaves for good")


@SUITE.check("coming back")
async def _(kit: Kit) -> None:
    """It gives the seat back for its token, tells what was missed once, and asks the open question again."""
    first, second, seated = await _pair(kit)
    asked = await first.expect("question")
    first.hang_up()
    await second.expect("left", seat=0)
    second.send({"type": "say", "text": "come back"})
    await second.expect("said")
    back = await kit.connect()
    back.send({"type": "return", "token": seated["token"], "since": asked["number"]})
    await back.expect("seated", seat=0)
    await back.expect("said", "which was missed", text="come back")
    await back.expect("question", "which is still open", kind=asked["kind"])
    await second.expect("returned", seat=0)


@SUITE.check("whole match")
async def _(kit: Kit) -> None:
    """It plays a match to its end, and again when both want a rematch."""
    first, second, _ = await _pair(kit)
    for number in range(2):
        over = await asyncio.gather(_play(first), _play(second))
        if over[0]["ranks"] != over[1]["ranks"] or sorted(over[0]["ranks"]) != [1, 2]:
            raise first.unmet("the same ranks for everybody", f"it was {over}")
        if number == 0:
            first.send({"type": "rematch"})
            await second.expect("wanted", seats=[0])
            second.send({"type": "rematch"})


async def _play(peer: Peer) -> Message:
    """Answers whatever is asked, with the last option, up to the end."""
    while (told := await peer.expect_one("question", "over"))["type"] == "question":
        peer.send({"type": "act", "action": told["options"][-1], "at": told["number"]})
    return told
