"""The checks of the protocol of Masters of Renaissance."""

from typing import Any

from ludoteca import games
from ludoteca.cli.conformance.kit import JsonDialect, Kit, Message, Peer, Suite

_WIRE = games.load("renaissance").protocol()
assert _WIRE.messages is not None
# What a player can afford is luck.
SUITE = Suite(
    JsonDialect(_WIRE.messages, noise="ping pong", replies={"ping": "pong"}),
    rare="playLeaderCardUpdate buyDevelopmentCardUpdate useProductionUpdate",
)
MAIN = {"BUYDEVELOPMENTCARD", "USEPRODUCTION", "MARKETACTION"}
GIVES = {"BLUE": "SHIELDS", "YELLOW": "COINS", "GREY": "STONES", "PURPLE": "SERVANTS"}


async def _login(kit: Kit) -> Peer:
    peer = await kit.connect()
    peer.name = kit.name() + "xx"
    peer.send({"type": "loginRequest", "username": peer.name})
    await peer.expect("usernameResponse", free=True, username=peer.name)
    return peer


class _Match:
    """Two players who choose their leaders, in the order of their turns."""

    def __init__(self, peers: list[Peer], leaders: dict[str, list[str]], marbles: list[list[str]]) -> None:
        self.first, self.second = peers
        self.peers = peers
        self.leaders = leaders
        self.marbles = marbles

    async def choose(self) -> None:
        """Everybody keeps the first two leaders."""
        for peer in self.peers:
            cards = self.leaders[peer.name][:2]
            peer.send({"type": "leaderCardsReply", "username": peer.name, "leaderCards": cards})
            await peer.expect("leaderCardsDone")
        for number, peer in enumerate(self.peers):
            await peer.expect("faithTrackUpdate", "when all have chosen")
            await peer.expect("resourcesRequest", "to everybody", number=number)

    async def begin(self) -> None:
        """Everything up to the first turn."""
        await self.choose()
        self.first.send(_resources(self.first, {}))
        self.second.send(_resources(self.second, {"0": ["COINS"]}))
        for peer in self.peers:
            await peer.expect("startingResourcesDone")
            told = await peer.expect("setupUpdate", "to everybody")
            if set(told["warehouses"]) != {self.first.name, self.second.name}:
                raise peer.unmet("the warehouses of both", f"it was {told['warehouses']}")
            await peer.expect("startTurn", "to everybody", username=self.first.name)
        asked = await self.first.expect("possibleActions", "to the player whose turn it is")
        if not set(asked["actions"]) >= MAIN:
            raise self.first.unmet("the three main actions", f"it was {asked['actions']}")

    def row(self) -> tuple[int, list[str]]:
        """A row of the market that gives resources, and what it gives."""
        for index, row in enumerate(self.marbles):
            if found := [GIVES[marble] for marble in row if marble in GIVES]:
                return index, found
        raise self.first.unmet("a market with coloured marbles", f"it was {self.marbles}")


def _resources(peer: Peer, depots: Message) -> Message:
    return {
        "type": "resourcesReply",
        "username": peer.name,
        "warehouse": {"0": [], "1": [], "2": [], **depots},
    }


async def _match(kit: Kit) -> _Match:
    first = await _login(kit)
    await first.expect("numberOfPlayersRequest", "to the first", max=4)
    first.send({"type": "numberOfPlayersReply", "number": 2})
    second = await _login(kit)
    named = {first.name: first, second.name: second}
    leaders: dict[str, list[str]] = {}
    order: list[str] = []
    marbles: list[list[str]] = []
    for peer in (first, second):
        marbles = (await peer.expect("market", "to everybody"))["marbles"]
        grid = (await peer.expect("devCardGrid", "to everybody"))["grid"]
        if [len(row) for row in grid] != [4, 4, 4] or [len(row) for row in marbles] != [4, 4, 4]:
            raise peer.unmet("three rows of four cards and of four marbles", f"{grid}, {marbles}")
        order = (await peer.expect("players", "to everybody"))["players"]
        leaders[peer.name] = (await peer.expect("leaderCardsRequest", "to everybody"))["leaderCards"]
        if len(set(leaders[peer.name])) != 4:
            raise peer.unmet("four leaders", f"it was {leaders[peer.name]}")
    if sorted(order) != sorted(named):
        raise first.unmet("the players' names", f"it was {order}")
    return _Match([named[name] for name in order], leaders, marbles)


async def _begun(kit: Kit) -> _Match:
    match = await _match(kit)
    await match.begin()
    return match


async def _market(match: _Match) -> list[str]:
    """The first player takes a row; what there is to be placed."""
    peer = match.first
    index, gives = match.row()
    peer.send({"type": "actionReply", "action": "MARKETACTION"})
    await peer.expect("actionResponse", action="MARKETACTION")
    row = {"type": "rowColumnSelection", "username": peer.name, "index": index, "row": True, "exchange": []}
    peer.send(row)
    asked = await peer.expect("resourcesManageRequest", "after a line of the market")
    if sorted(asked["resources"]) != sorted(gives):
        raise peer.unmet(f"the resources {sorted(gives)}", f"it was {asked['resources']}")
    return list(asked["resources"])


@SUITE.check("heartbeat")
async def _(kit: Kit) -> None:
    """It pings at once and again, keeps who answers, and drops who does not."""
    kit.hears_noise = True
    answering, silent = await kit.connect(), await kit.connect()
    silent.pongs = False
    for _ in range(2):
        await answering.expect("ping", "at once and every two seconds")
    await silent.expect("ping")
    kit.hears_noise = False
    await silent.closed("to a client that answers no ping")
    answering.send({"type": "loginRequest", "username": kit.name()})
    await answering.expect("usernameResponse", "to a client that answers")


@SUITE.check("naming")
async def _(kit: Kit) -> None:
    """It refuses names that are too short, too long, with blanks or taken, says why, and takes another."""
    first, peer = await _login(kit), await kit.connect()
    for name, reason in (
        ("abc", "LENGTH"),
        ("x" * 16, "LENGTH"),
        ("a bcd", "CHARACTERS"),
        (first.name, "TAKEN"),
    ):
        peer.send({"type": "loginRequest", "username": name})
        await peer.expect("usernameResponse", f"after {name!r}", free=False, username=None, reason=reason)
    name = kit.name()
    peer.send({"type": "loginRequest", "username": name})
    await peer.expect("usernameResponse", "after a good name", free=True, username=name)


@SUITE.check("lobby")
async def _(kit: Kit) -> None:
    """It asks the first for how many to open, again for a number that is none; the second waits."""
    first = await _login(kit)
    for number in (0, 5):
        await first.expect("numberOfPlayersRequest", f"before {number}")
        first.send({"type": "numberOfPlayersReply", "number": number})
    await first.expect("numberOfPlayersRequest", "after numbers that are none")
    second = await _login(kit)
    await second.none_of("numberOfPlayersRequest", why="to the second")
    first.send({"type": "numberOfPlayersReply", "number": 2})
    await second.expect("players", "when the number is known")


@SUITE.check("lobby", beyond=True)
async def _(kit: Kit) -> None:
    """It tells who leaves a table that still waits."""
    first = await _login(kit)
    await first.expect("numberOfPlayersRequest")
    first.send({"type": "numberOfPlayersReply", "number": 3})
    second = await _login(kit)
    second.hang_up()
    await first.expect("disconnection", username=second.name)


@SUITE.check("setup")
async def _(kit: Kit) -> None:
    """It shows market, grid, players and leaders to everybody, then asks for leaders and resources."""
    await _begun(kit)


@SUITE.check("setup")
async def _(kit: Kit) -> None:
    """It refuses leaders that were not offered, and resources that do not fit, and asks again."""
    match = await _match(kit)
    peer = match.first
    cards = match.leaders[peer.name]
    others = match.leaders[match.second.name]
    for wrong in ([], cards[:1], cards[:3], [cards[0], cards[0]], [cards[0], others[0]]):
        peer.send({"type": "leaderCardsReply", "username": peer.name, "leaderCards": wrong})
        await peer.expect("error", f"after {wrong}", error="STARTING_LEADER_CARD")
        await peer.expect("leaderCardsRequest", "again")
    await match.choose()
    peer = match.second
    for depots in ({}, {"0": ["COINS", "COINS"]}, {"0": ["COINS"], "1": ["COINS"]}):
        peer.send(_resources(peer, depots))
        await peer.expect("error", f"after {depots}", error="STARTING_RESOURCES")
        await peer.expect("resourcesRequest", "again", number=1)


@SUITE.check("the turn")
async def _(kit: Kit) -> None:
    """It carries out a turn at the market: the line, the placement, updates to everybody, the next player."""
    match = await _begun(kit)
    first, second = match.peers
    resources = await _market(match)
    await second.none_of("marketUpdate", why="before the resources are placed")
    kept = {"0": resources[:1]}
    first.send({"type": "resourcesManageReply", "username": first.name, "warehouse": kept})
    for peer in match.peers:
        await peer.expect("faithTrackUpdate", "before marketUpdate")
        told = await peer.expect("marketUpdate", "to everybody", username=first.name, row=True)
        if told["warehouse"]["0"] != resources[:1]:
            raise peer.unmet(f"{resources[:1]} in the first depot", f"it was {told['warehouse']}")
    asked = await first.expect("possibleActions")
    if "ENDTURN" not in asked["actions"] or MAIN & set(asked["actions"]):
        raise first.unmet("ENDTURN and no main action", f"it was {asked['actions']}")
    first.send({"type": "endTurn"})
    for peer in match.peers:
        await peer.expect("startTurn", "to everybody", username=second.name)
    await second.expect("possibleActions")


@SUITE.check("the turn")
async def _(kit: Kit) -> None:
    """It discards a leader for a step of faith, and tells everybody."""
    match = await _begun(kit)
    peer = match.first
    card = match.leaders[peer.name][0]
    peer.send({"type": "actionReply", "action": "DISCARDLEADERCARD"})
    await peer.expect("actionResponse", action="DISCARDLEADERCARD")
    peer.send({"type": "discardLeaderCard", "username": peer.name, "leaderCard": card})
    for one in match.peers:
        told = await one.expect("faithTrackUpdate", "before the leader's update")
        if told["positions"][peer.name] != 1:
            raise one.unmet("a step of faith", f"it was {told['positions']}")
        await one.expect("discardLeaderCardUpdate", "to everybody", username=peer.name, leaderCard=card)
    await peer.expect("possibleActions", "after a leader action")


@SUITE.check("refusals")
async def _(kit: Kit) -> None:
    """It answers what is out of turn, not possible or no message with its error, and asks again."""
    match = await _begun(kit)
    first, second = match.peers
    second.send({"type": "actionReply", "action": "MARKETACTION"})
    await second.expect("error", "out of turn", error="NOT_YOUR_TURN")
    for line in ("this is no JSON", '{"type":"dance"}', '{"type":"actionReply"}', "[]"):
        first.send(line)
        await first.expect("error", f"after {line}", error="INVALID_MESSAGE")
    first.send({"type": "actionReply", "action": "ENDTURN"})
    await first.expect("error", "before the main action", error="INVALID_ACTION")
    await first.expect("possibleActions", "again")
    first.send({"type": "actionReply", "action": "MARKETACTION"})
    row = {"type": "rowColumnSelection", "username": first.name, "index": 7, "row": True, "exchange": []}
    first.send(row)
    await first.expect("error", "after a line that is none", error="INVALID_ACTION")
    await first.expect("possibleActions", "again")
    first.send({"type": "actionReply", "action": "BUYDEVELOPMENTCARD"})
    first.send(
        {
            "type": "buyDevelopmentCard",
            "username": first.name,
            "color": "GREEN",
            "level": 1,
            "slot": 0,
            "payment": {"warehouse": {}, "leaderDepots": {}, "strongbox": {}},
        }
    )
    await first.expect("error", "after a card that was not paid for", error="INVALID_ACTION")
    first.send({"type": "actionReply", "action": "USEPRODUCTION"})
    payment = {"warehouse": {"COINS": 2}, "leaderDepots": {}, "strongbox": {}}
    powers = {"board": ["COINS", "COINS", "STONES"], "devSlots": [], "leaders": [], "leaderGain": []}
    first.send({"type": "useProduction", "username": first.name, "payment": payment, **powers})
    await first.expect("error", "after a production that was not paid for", error="INVALID_ACTION")
    first.send({"type": "actionReply", "action": "PLAYLEADERCARD"})
    leader = match.leaders[first.name][0]
    first.send({"type": "playLeaderCard", "username": first.name, "leaderCard": leader})
    await first.expect("error", "after a leader whose price is not met", error="INVALID_ACTION")


@SUITE.check("refusals")
async def _(kit: Kit) -> None:
    """It refuses a placement that does not fit, and anything else meanwhile, and asks again."""
    match = await _begun(kit)
    first = match.first
    resources = await _market(match)
    reply = {"type": "resourcesManageReply", "username": first.name}
    for wrong in ({"0": resources[:1] * 2}, {"9": resources[:1]}, {"0": resources[:1], "1": resources[:1]}):
        first.send({**reply, "warehouse": wrong})
        await first.expect("error", f"after {wrong}", error="MANAGE_RESOURCES")
        await first.expect("resourcesManageRequest", "again")
    first.send({"type": "actionReply", "action": "ENDTURN"})
    await first.expect("error", "while a placement is due", error="MANAGE_RESOURCES")


@SUITE.check("packets")
async def _(kit: Kit) -> None:
    """It reads lines, not packets: byte by byte, a turn's end at once, with CR LF and unknown keys."""
    peer = await kit.connect()
    name = kit.name()
    await peer.send_in_bytes({"type": "loginRequest", "username": name, "colour": "red"})
    await peer.expect("usernameResponse", "after a line byte by byte", free=True)
    peer.send(b'{"type":"numberOfPlayersReply","number":9}\r\n')
    await peer.expect("numberOfPlayersRequest", "after a line that ends in CR LF")
    peer.hang_up()
    await kit.settle()
    match = await _begun(kit)
    first = match.first
    await _market(match)
    place = {"type": "resourcesManageReply", "username": first.name, "warehouse": {}}
    first.send(place, {"type": "actionReply", "action": "ENDTURN"})
    await first.expect("startTurn", "after the placement and ENDTURN in a packet", username=match.second.name)


@SUITE.check("leaving")
async def _(kit: Kit) -> None:
    """It plays on without a player who is lost, and tells the others; the turn goes to the next."""
    match = await _begun(kit)
    match.first.hang_up()
    await match.second.expect("disconnection", username=match.first.name)
    await match.second.expect("startTurn", username=match.second.name)
    await match.second.expect("possibleActions")


@SUITE.check("coming back")
async def _(kit: Kit) -> None:
    """It takes a player back by name: everything there is to know, and the others are told."""
    match = await _begun(kit)
    match.first.hang_up()
    await match.second.expect("disconnection", username=match.first.name)
    back = await kit.connect()
    back.send({"type": "loginRequest", "username": match.first.name})
    for name in ("players", "devCardGrid", "market"):
        await back.expect(name, "to a player who returns")
    told = await back.expect("reconnectionUpdate", username=match.first.name)
    if sorted(told["leaderCards"]) != sorted(match.leaders[match.first.name][:2]):
        raise back.unmet("the leaders that were kept", f"it was {told['leaderCards']}")
    await match.second.expect("reconnection", username=match.first.name)


def _wants(count: int) -> Any:
    def prefer(chance: Any, answers: tuple[str, ...]) -> str:
        """For so many players; buys, uses and plays rather than anything else, and takes nothing back."""
        for starts in (f"{count} player", "buy ", "use ", "play ", "pay "):
            found = [answer for answer in answers if answer.startswith(starts)]
            if found and (starts != "use " or chance.random() < 0.7):
                return str(chance.choice(found))
        return str(chance.choice([answer for answer in answers if answer != "back"] or answers))

    return prefer


@SUITE.check("whole match")
async def _(kit: Kit) -> None:
    """It plays the solo game against Lorenzo to its end."""
    (player,) = await kit.match("renaissance", 1, _wants(1))
    _scored(player, 1)
    if not player.heard["lorenzoUpdate"]:
        raise player.unmet("lorenzoUpdate after each turn", "it never came")


@SUITE.check("whole match")
async def _(kit: Kit) -> None:
    """It plays a match of two to its end: the last round is told, and the same score to everybody."""
    players = await kit.match("renaissance", 2, _wants(2))
    scores = [_scored(player, 2) for player in players]
    if scores[0] != scores[1]:
        raise players[0].unmet("the same score for everybody", f"it was {scores}")


def _scored(player: Any, count: int) -> Message:
    told: Message | None = player.last.get("finalScore")
    if told is None or len(told["scores"]) != count or not player.heard["endGame"]:
        raise player.unmet(f"endGame, and finalScore with {count} scores", f"it was {told}")
    return told


@SUITE.check("whole match")
async def _(kit: Kit) -> None:
    """It lets who has played log in again on the same connection."""
    (player,) = await kit.match("renaissance", 1, _wants(1))
    player.send({"type": "loginRequest", "username": player.caller.players[0]})
    await player.expect("usernameResponse", "after the match", free=True)
