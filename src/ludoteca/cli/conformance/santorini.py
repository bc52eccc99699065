"""The checks of Santorini's protocol."""

from typing import Any

from ludoteca import games
from ludoteca.cli.conformance.kit import JsonDialect, Kit, Message, Peer, Suite

_WIRE = games.load("santorini").protocol()
assert _WIRE.messages is not None
# A server may have no gods; losses need three players and luck.
SUITE = Suite(
    JsonDialect(_WIRE.messages, noise="ping pong", replies={"ping": "pong"}),
    rare="askStep builderPushed lossUpdate lostUpdate setStepChoice",
    beyond="disconnect error errorNumber ping playerDisconnected",
)
YOUNG, OLD = "2001.02.03", "1970.01.01"
Places = tuple[list[dict[str, int]], list[dict[str, int]]]
CORNERS: Places = ([{"i": 0, "j": 0}, {"i": 4, "j": 4}], [{"i": 0, "j": 4}, {"i": 4, "j": 0}])
SIDE_BY_SIDE: Places = ([{"i": 0, "j": 0}, {"i": 4, "j": 4}], [{"i": 0, "j": 1}, {"i": 4, "j": 0}])


async def _lobby(kit: Kit, count: int = 2) -> list[Peer]:
    """So many connections at one table; nobody has a name."""
    first = await kit.connect()
    await first.expect("askNumberOfPlayers", "to the first who comes")
    first.send({"type": "setNumberOfPlayers", "numberOfPlayers": count})
    await first.expect("stateUpdate", state="SETUP_PLAYERS")
    peers = [first]
    while len(peers) < count:
        peers.append(await kit.connect())
        await peers[-1].expect("stateUpdate", state="SETUP_PLAYERS")
    return peers


async def _named(kit: Kit) -> tuple[Peer, Peer]:
    """Two with names: the Challenger, who is the younger, and the other."""
    old, young = await _lobby(kit)
    for peer in (old, young):
        await peer.expect("askNickAndDate", "when all chairs are taken")
    for peer, born in ((old, OLD), (young, YOUNG)):
        peer.name = kit.name()
        peer.send({"type": "addPlayer", "name": peer.name, "date": born})
        for other in (old, young):
            await other.expect("playerAdded", "to everybody", name=peer.name, result=True)
    return young, old


async def _gods(kit: Kit, god: str = "Atlas") -> tuple[Peer, Peer]:
    """Two who have gods, the Challenger this one, if the table plays with any; who begins is to be named."""
    young, old = await _named(kit)
    both = (young, old)
    line = await young.expect_one("chooseMatchGodCards", "chooseStartPlayer")
    if line["type"] == "chooseStartPlayer":
        return both
    chosen = _chosen(line, god)
    young.send({"type": "setMatchGodCards", "godCardNames": chosen})
    for peer in both:
        await peer.expect("setMatchGodCards", "to everybody", result=True)
    for peer, god in ((old, chosen[0]), (young, chosen[1])):
        await peer.expect("askGod", "the Challenger last")
        peer.send({"type": "setGodCard", "godCard": god})
        for other in both:
            await other.expect("godCardAssigned", "to everybody", name=peer.name, godCard=god, result=True)
    await young.expect("chooseStartPlayer", "to the Challenger")
    return both


def _chosen(offered: Message, god: str = "Atlas") -> list[str]:
    """Two gods, the last for the Challenger; others where the table does not have them."""
    names = sorted(offered["godDescriptions"])
    wanted = ["Pan", god]
    return wanted if set(wanted) <= set(names) else names[:2]


async def _coloured(kit: Kit, god: str = "Atlas") -> tuple[Peer, Peer]:
    """The Challenger begins; both have colours, the first is asked for builders."""
    young, old = await _gods(kit, god)
    young.send({"type": "setStartPlayer", "name": young.name})
    for peer in (young, old):
        await peer.expect("setStartPlayer", "to everybody", name=young.name, result=True)
        await peer.expect("stateUpdate", state="SETUP_COLOR")
    for peer, colour in ((young, "WHITE"), (old, "MAGENTA")):
        await peer.expect("askColor", "from the start player on")
        peer.send({"type": "colorUpdate", "color": colour})
        for other in (young, old):
            await other.expect("colorUpdate", "to everybody", name=peer.name, color=colour, result=True)
    for peer in (young, old):
        await peer.expect("stateUpdate", state="SETUP_BUILDERS")
    await young.expect("askBuilders", "from the start player on")
    return young, old


async def _placed(kit: Kit, god: str = "Atlas", places: Places = CORNERS) -> tuple[Peer, Peer]:
    """The game has begun."""
    young, old = await _coloured(kit, god)
    for peer, cells in zip((young, old), places, strict=True):
        peer.send({"type": "buildersPlacement", "positions": cells})
        for other in (young, old):
            await other.expect("buildersPlacement", "to everybody", name=peer.name, result=True)
    for peer in (young, old):
        await peer.expect("stateUpdate", state="GAME")
    return young, old


def _two_steps(cell: dict[str, int]) -> dict[str, int]:
    return {"i": abs(cell["i"] - 2), "j": abs(cell["j"] - 2)}


@SUITE.check("connection")
async def _(kit: Kit) -> None:
    """It asks the first who comes for the number of players, and nobody else meanwhile."""
    first, second = await kit.connect(), await kit.connect()
    await first.expect("askNumberOfPlayers")
    await second.none_of("askNumberOfPlayers", why="to the second")


@SUITE.check("connection", beyond=True)
async def _(kit: Kit) -> None:
    """It passes over what it does not know: types and keys."""
    first = await kit.connect()
    await first.expect("askNumberOfPlayers")
    first.send({"type": "dance"})
    first.send({"type": "setNumberOfPlayers", "numberOfPlayers": 2, "colour": "red"})
    await first.expect("stateUpdate", "after an unknown type and an unknown key", state="SETUP_PLAYERS")


@SUITE.check("lobby", beyond=True)
async def _(kit: Kit) -> None:
    """It answers a number that is none with `errorNumber`, and asks again."""
    first = await kit.connect()
    for number in (1, 4, -1):
        await first.expect("askNumberOfPlayers", f"before {number}")
        first.send({"type": "setNumberOfPlayers", "numberOfPlayers": number})
        await first.expect("errorNumber", f"after {number}")
    await first.expect("askNumberOfPlayers", "after `errorNumber`")


@SUITE.check("lobby")
async def _(kit: Kit) -> None:
    """It takes the line as the document has it: the number as a string, a key without quotes."""
    first = await kit.connect()
    await first.expect("askNumberOfPlayers")
    first.send('{"numberOfPlayers":"2",type:"setNumberOfPlayers"}')
    await first.expect("stateUpdate", "after the document's own line", state="SETUP_PLAYERS")


@SUITE.check("lobby")
async def _(kit: Kit) -> None:
    """It asks everybody for name and date when all chairs are taken, not before."""
    first = await kit.connect()
    await first.expect("askNumberOfPlayers")
    first.send({"type": "setNumberOfPlayers", "numberOfPlayers": 3})
    second = await kit.connect()
    await second.expect("stateUpdate", state="SETUP_PLAYERS")
    await first.none_of("askNickAndDate", why="while a chair is free")
    third = await kit.connect()
    for peer in (first, second, third):
        await peer.expect("askNickAndDate", "when all chairs are taken")


@SUITE.check("naming")
async def _(kit: Kit) -> None:
    """It refuses a name that is taken or empty, and a date that does not exist, to the sender alone."""
    first, second = await _lobby(kit)
    name = kit.name()
    first.send({"type": "addPlayer", "name": name, "date": OLD})
    await first.expect("playerAdded", name=name, result=True)
    await second.expect("playerAdded", name=name, result=True)
    for wrong, date in ((name, YOUNG), ("", YOUNG), (kit.name(), "2001.13.45"), (kit.name(), "soon")):
        second.send({"type": "addPlayer", "name": wrong, "date": date})
        await second.expect("playerAdded", f"after the name {wrong!r}, born {date}", result=False)
    await first.none_of("playerAdded", why="about a name that was refused to another")
    second.send({"type": "addPlayer", "name": kit.name(), "date": YOUNG})
    await second.expect("playerAdded", "after another name", result=True)


@SUITE.check("setup")
async def _(kit: Kit) -> None:
    """It lets the youngest choose the gods, the other take one first, and the Challenger name who begins."""
    await _gods(kit)


@SUITE.check("setup")
async def _(kit: Kit) -> None:
    """It asks again for gods that are none, too few, or already taken."""
    young, old = await _named(kit)
    line = await young.expect_one("chooseMatchGodCards", "chooseStartPlayer")
    if line["type"] == "chooseStartPlayer":
        return
    names = sorted(line["godDescriptions"])
    for wrong in ([], names[:1], [names[0], names[0]], [names[0], "Loki"]):
        young.send({"type": "setMatchGodCards", "godCardNames": wrong})
        await young.expect("setMatchGodCards", f"after {wrong}", result=False)
        await young.expect("chooseMatchGodCards", "again")
    young.send({"type": "setMatchGodCards", "godCardNames": _chosen(line)})
    await old.expect("askGod")
    old.send({"type": "setGodCard", "godCard": "Loki"})
    await old.expect("godCardAssigned", "after a god that is none", result=False)
    await old.expect("askGod", "again")


@SUITE.check("setup")
async def _(kit: Kit) -> None:
    """It asks again for a start player and for a colour that are not to be had."""
    young, old = await _gods(kit)
    young.send({"type": "setStartPlayer", "name": "nobody"})
    await young.expect("setStartPlayer", "after somebody who does not play", result=False)
    young.send({"type": "setStartPlayer", "name": young.name})
    await young.expect("askColor", "to the start player")
    young.send({"type": "colorUpdate", "color": "BEIGE"})
    await young.expect("colorUpdate", "after a colour that is none", result=False)
    young.send({"type": "colorUpdate", "color": "WHITE"})
    asked = await old.expect("askColor")
    if list(asked["chosenColors"]) != ["WHITE"]:
        raise old.unmet('`chosenColors` ["WHITE"]', f"it was {asked['chosenColors']}")
    old.send({"type": "colorUpdate", "color": "WHITE"})
    await old.expect("colorUpdate", "after a colour that is taken", result=False)


@SUITE.check("setup")
async def _(kit: Kit) -> None:
    """It refuses builders on one cell, on a taken one, or off the board."""
    young, old = await _coloured(kit)
    for cells in ([CORNERS[0][0]] * 2, [CORNERS[0][0], {"i": 5, "j": 5}]):
        young.send({"type": "buildersPlacement", "positions": cells})
        await young.expect("buildersPlacement", f"after {cells}", result=False)
    young.send({"type": "buildersPlacement", "positions": CORNERS[0]})
    await old.expect("askBuilders", "to the next")
    old.send({"type": "buildersPlacement", "positions": [CORNERS[0][0], CORNERS[1][0]]})
    await old.expect("buildersPlacement", "after a taken cell", result=False)


@SUITE.check("the turn")
async def _(kit: Kit) -> None:
    """It offers moves, tells a move and a build to everybody, and then it is the other's turn."""
    young, old = await _placed(kit)
    source = CORNERS[0][0]
    moves = await _destinations(young, "possibleMoveDestinations", 2)
    young.send({"type": "move", "src": source, "dst": moves[0][0]})
    for peer in (young, old):
        told = await peer.expect("move", "to everybody", name=young.name, src=source, dst=moves[0][0])
        if told.get("result") is not True:
            raise peer.unmet("a possible move to be accepted", "`result` was not true")
    builds = await _destinations(young, "possibleBuildDestinations", 4)
    target = builds[0][0]
    young.send({"type": "build", "src": moves[0][0], "dst": target, "buildDome": False})
    for peer in (young, old):
        await peer.expect("build", "to everybody", name=young.name, dst=target, buildDome=False, result=True)
        await peer.expect("turnUpdate", name=old.name)
    await _destinations(old, "possibleMoveDestinations", 2)


@SUITE.check("the turn")
async def _(kit: Kit) -> None:
    """It asks for the next step where a god leaves a choice, again for one that is none."""
    young, _ = await _placed(kit, "Artemis")
    moves = await _destinations(young, "possibleMoveDestinations", 2)
    young.send({"type": "move", "src": CORNERS[0][0], "dst": moves[0][0]})
    asked = await young.expect_one("askStep", "possibleBuildDestinations")
    if asked["type"] == "possibleBuildDestinations":
        # A table without gods.
        return
    if sorted(asked["possibleSteps"]) != ["BUILD", "MOVE"]:
        raise young.unmet("the steps MOVE and BUILD", f"it was {asked['possibleSteps']}")
    young.send({"type": "setStepChoice", "stepChoice": "DANCE"})
    await young.expect("setStepChoice", "after a step that is none", result=False)
    await young.expect("askStep", "again")
    young.send({"type": "setStepChoice", "stepChoice": "BUILD"})
    await young.expect("setStepChoice", stepChoice="BUILD", result=True)
    await _destinations(young, "possibleBuildDestinations", 4)


@SUITE.check("the turn")
async def _(kit: Kit) -> None:
    """It tells everybody of a builder that was forced away, before the move that did it."""
    young, old = await _placed(kit, "Apollo", SIDE_BY_SIDE)
    moves = await _destinations(young, "possibleMoveDestinations", 2)
    source, target = SIDE_BY_SIDE[0][0], SIDE_BY_SIDE[1][0]
    if target not in moves[0]:
        # A table without gods, or without Apollo.
        return
    young.send({"type": "move", "src": source, "dst": target})
    for peer in (young, old):
        await peer.expect("builderPushed", "to everybody", name=old.name, src=target, dst=source)
        await peer.expect("move", "after `builderPushed`", name=young.name, src=source, dst=target)


async def _destinations(peer: Peer, name: str, count: int) -> list[list[Any]]:
    """The lists of one message: so many, the first not empty."""
    found: list[list[Any]] = (await peer.expect(name, "to the player whose turn it is"))["possibleDst"]
    if len(found) != count or not found[0]:
        raise peer.unmet(f"{count} lists, the first not empty", f"it was {found}")
    return found


@SUITE.check("refusals")
async def _(kit: Kit) -> None:
    """It refuses impossible moves and builds with `result` false, to the sender alone."""
    young, old = await _placed(kit)
    source = CORNERS[0][0]
    far, off = _two_steps(source), {"i": 9, "j": -1}
    moves = await _destinations(young, "possibleMoveDestinations", 2)
    for target in (source, far, off):
        young.send({"type": "move", "src": source, "dst": target})
        await young.expect("move", f"after a move to {target}", result=False)
    await old.none_of("move", why="about a move that was refused to another")
    young.send({"type": "move", "src": source, "dst": moves[0][0]})
    await young.expect("move", result=True)
    young.send({"type": "build", "src": moves[0][0], "dst": moves[0][0], "buildDome": False})
    await young.expect("build", "after building where the builder stands", result=False)


@SUITE.check("refusals", beyond=True)
async def _(kit: Kit) -> None:
    """It answers the wrong player, and what is no JSON, with `error`, and nothing changes."""
    young, old = await _placed(kit)
    moves = await _destinations(young, "possibleMoveDestinations", 2)
    old.send({"type": "move", "src": CORNERS[1][0], "dst": {"i": 1, "j": 3}})
    await old.expect("error", "out of turn")
    young.send("this is no JSON")
    await young.expect("error", "after a line that is no JSON")
    young.send({"type": "move", "src": CORNERS[0][0], "dst": moves[0][0]})
    await old.expect("move", "after errors", result=True)


@SUITE.check("packets")
async def _(kit: Kit) -> None:
    """It reads lines, not packets: byte by byte, several at once, and with CR LF."""
    first = await kit.connect()
    await first.expect("askNumberOfPlayers")
    await first.send_in_bytes({"type": "setNumberOfPlayers", "numberOfPlayers": 2})
    await first.expect("stateUpdate", "after a line byte by byte", state="SETUP_PLAYERS")
    second = await kit.connect()
    await second.expect("askNickAndDate")
    taken, name = kit.name(), kit.name()
    first.send({"type": "addPlayer", "name": taken, "date": OLD})
    await second.expect("playerAdded", name=taken)
    lines = [f'{{"type":"addPlayer","name":"{one}","date":"{YOUNG}"}}\r\n'.encode() for one in (taken, name)]
    second.send(*lines)
    await second.expect("playerAdded", "after the first of two lines in a packet", result=False)
    await second.expect("playerAdded", "after the second of two lines in a packet", name=name, result=True)


@SUITE.check("heartbeat", beyond=True)
async def _(kit: Kit) -> None:
    """It pings, again after each pong, and lets those alone who do not know pings."""
    kit.hears_noise = True
    answering, ignoring = await kit.connect(), await kit.connect()
    ignoring.pongs = False
    for _ in range(2):
        await answering.expect("ping", "some seconds after the last pong")
    await ignoring.expect("ping")
    await ignoring.none_of("disconnect", why="to a client that does not know pings")


@SUITE.check("leaving", beyond=True)
async def _(kit: Kit) -> None:
    """It asks the next for the number when the one who was asked leaves."""
    first, second = await kit.connect(), await kit.connect()
    await first.expect("askNumberOfPlayers")
    first.hang_up()
    await second.expect("askNumberOfPlayers", "when the first has left")


@SUITE.check("leaving", beyond=True)
async def _(kit: Kit) -> None:
    """It ends a lobby that somebody leaves: `playerDisconnected` if they had a name, and `disconnect`."""
    for is_named in (False, True):
        first, second = await _lobby(kit)
        await second.expect("askNickAndDate")
        name = kit.name()
        if is_named:
            first.send({"type": "addPlayer", "name": name, "date": OLD})
            await second.expect("playerAdded", name=name, result=True)
        first.hang_up()
        if is_named:
            await second.expect("playerDisconnected", name=name)
        await second.expect("disconnect", "when somebody leaves the lobby")
        second.hang_up()
        await kit.settle()


@SUITE.check("leaving", beyond=True)
async def _(kit: Kit) -> None:
    """It ends a match that a player leaves, by `disconnect` or by hanging up: nobody wins."""
    for is_polite in (True, False):
        young, old = await _placed(kit)
        if is_polite:
            young.send({"type": "disconnect"})
        else:
            young.hang_up()
        await old.expect("playerDisconnected", name=young.name)
        await old.expect("disconnect")
        old.hang_up()
        await kit.settle()


@SUITE.check("whole match")
async def _(kit: Kit) -> None:
    """It plays a match of two to its end: the same winner to both, `disconnect`, and it hangs up."""
    await _whole(kit, 2)


@SUITE.check("whole match")
async def _(kit: Kit) -> None:
    """It plays a match of three to its end."""
    await _whole(kit, 3)


async def _whole(kit: Kit, count: int) -> None:
    def prefer(chance: Any, answers: tuple[str, ...]) -> str:
        wanted = [answer for answer in answers if answer.startswith(f"{count} players")]
        return str(chance.choice(wanted or answers))

    players = await kit.match("santorini", count, prefer)
    winners = {player.last.get("endGame", {}).get("winner") for player in players}
    if len(winners) != 1 or None in winners:
        raise players[0].unmet("`endGame` with the same winner to everybody", f"it was {winners}")
    for player in players:
        if not player.heard["disconnect"]:
            await player.expect("disconnect", "after `endGame`")
        player.send({"type": "disconnect"})
        await player.closed("after the match")
