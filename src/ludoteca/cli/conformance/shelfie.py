"""The checks of My Shelfie's protocol, as lines."""

from ludoteca import games
from ludoteca.cli.conformance.kit import JsonDialect, Kit, Message, Peer, Suite

_WIRE = games.load("shelfie").protocol()
assert _WIRE.messages is not None
# ErrorMessage is not the seed's.
SUITE = Suite(
    JsonDialect(_WIRE.messages, noise="PingMessage PongMessage", replies={"PingMessage": "PongMessage"}),
    rare="ErrorMessage",
)
NEIGHBOURS = ((-1, 0), (1, 0), (0, -1), (0, 1))


async def _login(kit: Kit) -> Peer:
    peer = await kit.connect()
    peer.name = kit.name()
    peer.send({"type": "LoginRequest", "nickname": peer.name})
    await peer.expect("LoginResponse", nickname=peer.name)
    return peer


async def _first(kit: Kit, count: int = 2) -> Peer:
    """Somebody who opened a lobby for so many."""
    first = await _login(kit)
    await first.expect("NumPlayersRequest", "to the first of a lobby")
    first.send({"type": "NumPlayersResponse", "numPlayers": count})
    await first.expect("LobbyInfoMessage", sizeLobby=count, lobby=[first.name])
    return first


class _Match:
    """Two players in a match that has begun, the one who moves first."""

    def __init__(self, mover: Peer, other: Peer, board: Message) -> None:
        self.mover, self.other = mover, other
        self.cells: dict[tuple[int, int], str] = {
            (cell["row"], cell["column"]): cell["tile"] for cell in board["cells"]
        }

    def takable(self, cell: tuple[int, int]) -> bool:
        """Whether a tile lies there and has a free side."""
        row, column = cell
        sides = ((row + down, column + right) for down, right in NEIGHBOURS)
        return self.cells.get(cell, "EMPTY") != "EMPTY" and any(
            self.cells.get(side, "EMPTY") == "EMPTY" for side in sides
        )

    def first(self) -> tuple[int, int]:
        """A tile that can be taken."""
        return next(cell for cell in self.cells if self.takable(cell))

    def hidden(self) -> tuple[int, int]:
        """A tile that cannot."""
        return next(cell for cell, tile in self.cells.items() if tile != "EMPTY" and not self.takable(cell))


async def _match(kit: Kit) -> _Match:
    first = await _first(kit)
    second = await _login(kit)
    starts = []
    for peer in (first, second):
        await peer.expect("LobbyInfoMessage", "to everybody", newPlayerConnected=True, playerName=second.name)
        starts.append(await peer.expect("GameStartNotify", "when all are there"))
    shared = ("board", "commonGoals", "commonGoalsTokens", "players", "nextPlayer")
    if any(starts[0][key] != starts[1][key] for key in shared):
        raise second.unmet("the same match for everybody", "two GameStartNotify differ")
    if sorted(starts[0]["players"]) != sorted((first.name, second.name)):
        raise first.unmet("the players' names", f"it was {starts[0]['players']}")
    if len(starts[0]["board"]["cells"]) != 29:
        raise first.unmet("a board of 29 spaces for two", f"it has {len(starts[0]['board']['cells'])}")
    mover, other = (first, second) if starts[0]["nextPlayer"] == first.name else (second, first)
    return _Match(mover, other, starts[0]["board"])


def _at(kind: str, cell: tuple[int, int]) -> Message:
    return {"type": kind, "position": {"row": cell[0], "column": cell[1]}}


@SUITE.check("naming")
async def _(kit: Kit) -> None:
    """It refuses names that are none, and lets the client try again."""
    peer = await kit.connect()
    for name in ("", "two words", "x" * 21, "Everyone"):
        peer.send({"type": "LoginRequest", "nickname": name})
        await peer.expect("LoginResponse", f"after {name!r}", nickname=None)
    name = kit.name()
    peer.send({"type": "LoginRequest", "nickname": name})
    await peer.expect("LoginResponse", "after a good name", nickname=name)


@SUITE.check("naming")
async def _(kit: Kit) -> None:
    """It refuses a name that is taken, whatever its case."""
    first, second = await _login(kit), await kit.connect()
    second.send({"type": "LoginRequest", "nickname": first.name.upper()})
    await second.expect("LoginResponse", "after a taken name", nickname=None)


@SUITE.check("lobby")
async def _(kit: Kit) -> None:
    """It asks the first for the number of players, again after one that is none; the second waits."""
    first, second = await _login(kit), await _login(kit)
    for number in (1, 5, 0):
        await first.expect("NumPlayersRequest", f"before {number}")
        first.send({"type": "NumPlayersResponse", "numPlayers": number})
    await first.expect("NumPlayersRequest", "after numbers that are none")
    await second.none_of("NumPlayersRequest", "GameStartNotify", why="to the second, who waits")
    first.send({"type": "NumPlayersResponse", "numPlayers": 2})
    await second.expect("GameStartNotify", "when the number is known")


@SUITE.check("lobby")
async def _(kit: Kit) -> None:
    """It tells everybody who comes and who leaves, in the order of arrival."""
    first = await _first(kit, 3)
    second = await _login(kit)
    for peer in (first, second):
        told = await peer.expect("LobbyInfoMessage", newPlayerConnected=True, playerName=second.name)
        if told["lobby"] != [first.name, second.name] or told["sizeLobby"] != 3:
            raise peer.unmet("the lobby in the order of arrival", f"it was {told['lobby']}")
    second.hang_up()
    await first.expect(
        "LobbyInfoMessage", newPlayerConnected=False, playerName=second.name, lobby=[first.name]
    )


@SUITE.check("the turn")
async def _(kit: Kit) -> None:
    """It begins a match with the same board, goals and order for everybody."""
    await _match(kit)


@SUITE.check("the turn")
async def _(kit: Kit) -> None:
    """It carries out a turn: pick, unpick, confirm, column, order; the end of it to everybody."""
    match = await _match(kit)
    mover, cell = match.mover, match.first()
    tile = match.cells[cell]
    mover.send(_at("PickTileRequest", cell))
    await mover.expect("PickTileResponse", valid=True, pickedTiles=[tile])
    mover.send(_at("UnpickTileRequest", cell))
    await mover.expect("UnpickTileResponse", successful=True, pickedTiles=[])
    mover.send(_at("PickTileRequest", cell))
    await mover.expect("PickTileResponse", valid=True, pickedTiles=[tile])
    mover.send({"type": "ConfirmPickRequest"})
    for peer in (mover, match.other):
        told = await peer.expect("ConfirmPickResponse", "to everybody", valid=True)
        if {"row": cell[0], "column": cell[1], "tile": "EMPTY"} not in told["board"]["cells"]:
            raise peer.unmet("the board without the tile", "it is still there")
    mover.send({"type": "ConfirmColumnRequest", "columnNumber": 2})
    await mover.expect("ConfirmColumnResponse", valid=True, needForSwap=False)
    mover.send({"type": "ConfirmOrderNotify", "pickedTiles": [tile]})
    for peer in (mover, match.other):
        told = await peer.expect(
            "EndTurnNotify", "to everybody", player=mover.name, nextPlayer=match.other.name, endGame=False
        )
        if told["bookshelf"]["rows"][5] != ["EMPTY", "EMPTY", tile, "EMPTY", "EMPTY"]:
            raise peer.unmet("the tile at the bottom of the third column", f"{told['bookshelf']['rows'][5]}")


@SUITE.check("the turn")
async def _(kit: Kit) -> None:
    """It carries a word to everybody, or to the one it is meant for."""
    match = await _match(kit)
    mover, other = match.mover, match.other
    mover.send({"type": "ChatMessage", "player": "me", "receiver": None, "textMessage": "hello"})
    for peer in (mover, other):
        await peer.expect("ChatMessage", "to everybody", player=mover.name, textMessage="hello")
    mover.send({"type": "ChatMessage", "player": "", "receiver": other.name, "textMessage": "psst"})
    await other.expect("ChatMessage", "to the receiver", player=mover.name, textMessage="psst")


@SUITE.check("refusals")
async def _(kit: Kit) -> None:
    """It refuses tiles that are hidden or off the board, and what is not their turn; nothing changes."""
    match = await _match(kit)
    for cell in (match.hidden(), (0, 0), (99, -1)):
        match.mover.send(_at("PickTileRequest", cell))
        await match.mover.expect("PickTileResponse", f"after {cell}", valid=False, pickedTiles=[])
    match.mover.send(_at("UnpickTileRequest", match.first()))
    await match.mover.expect("UnpickTileResponse", "with nothing picked", successful=False)
    match.mover.send({"type": "ConfirmPickRequest"})
    await match.mover.expect("ConfirmPickResponse", "with nothing picked", valid=False)
    match.mover.send({"type": "ConfirmColumnRequest", "columnNumber": 0})
    await match.mover.expect("ConfirmColumnResponse", "before tiles are taken", valid=False)
    match.other.send(_at("PickTileRequest", match.first()))
    await match.other.expect("PickTileResponse", "out of turn", valid=False)
    match.other.send({"type": "ConfirmPickRequest"})
    await match.other.expect("ConfirmPickResponse", "out of turn", valid=False)


@SUITE.check("refusals")
async def _(kit: Kit) -> None:
    """It refuses columns that do not exist, and asks again for tiles that were not taken."""
    match = await _match(kit)
    mover, cell = match.mover, match.first()
    tile = match.cells[cell]
    mover.send(_at("PickTileRequest", cell), {"type": "ConfirmPickRequest"})
    await mover.expect("ConfirmPickResponse", valid=True)
    for column in (-1, 5):
        mover.send({"type": "ConfirmColumnRequest", "columnNumber": column})
        await mover.expect("ConfirmColumnResponse", f"after column {column}", valid=False)
    mover.send({"type": "ConfirmColumnRequest", "columnNumber": 0})
    await mover.expect("ConfirmColumnResponse", valid=True)
    mover.send({"type": "ConfirmOrderNotify", "pickedTiles": [tile, tile]})
    await mover.expect("ConfirmColumnResponse", "after other tiles than were taken", valid=True)
    mover.send({"type": "ConfirmOrderNotify", "pickedTiles": [tile]})
    await match.other.expect("EndTurnNotify", player=mover.name)


@SUITE.check("refusals", beyond=True)
async def _(kit: Kit) -> None:
    """It hangs up on a line that is no message."""
    for line in ("this is no JSON", '{"type":"Dance"}', b'{"type":"LoginRequest","nickname":"\xff"}\n'):
        peer = await kit.connect()
        peer.send(line)
        await peer.closed(f"after {line!r}")


@SUITE.check("packets")
async def _(kit: Kit) -> None:
    """It reads lines, not packets: byte by byte, a whole turn at once, with CR LF and unknown keys."""
    first = await kit.connect()
    first.name = kit.name()
    await first.send_in_bytes({"type": "LoginRequest", "nickname": first.name, "colour": "red"})
    await first.expect("LoginResponse", "after a line byte by byte", nickname=first.name)
    first.send(b'{"type":"NumPlayersResponse","numPlayers":2}\r\n')
    await first.expect("LobbyInfoMessage", "after a line that ends in CR LF")
    first.hang_up()
    await kit.settle()
    match = await _match(kit)
    cell = match.first()
    match.mover.send(
        _at("PickTileRequest", cell),
        {"type": "ConfirmPickRequest"},
        {"type": "ConfirmColumnRequest", "columnNumber": 4},
        {"type": "ConfirmOrderNotify", "pickedTiles": [match.cells[cell]]},
    )
    await match.mover.expect("PickTileResponse", valid=True)
    await match.mover.expect("ConfirmPickResponse", valid=True)
    await match.mover.expect("ConfirmColumnResponse", valid=True)
    await match.other.expect("EndTurnNotify", "after a whole turn in one packet", player=match.mover.name)


@SUITE.check("heartbeat")
async def _(kit: Kit) -> None:
    """It pings some seconds after somebody connects."""
    kit.hears_noise = True
    await (await kit.connect()).expect("PingMessage")


@SUITE.check("leaving")
async def _(kit: Kit) -> None:
    """It tells the others who was lost, and hangs up: the match is over."""
    match = await _match(kit)
    match.mover.hang_up()
    await match.other.expect("PlayerDisconnectedNotify", disconnectedPlayer=match.mover.name)
    await match.other.closed("after PlayerDisconnectedNotify")


@SUITE.check("whole match")
async def _(kit: Kit) -> None:
    """It plays a match to its end: the same points and winner to everybody, and it hangs up."""
    players = await kit.match("shelfie", 2)
    results = [player.last.get("GameResultNotify") for player in players]
    if results[0] is None or results[0] != results[1]:
        raise players[0].unmet("the same GameResultNotify for everybody", f"it was {results}")
    if set(results[0]["points"]) != {player.caller.players[player.caller.mine or 0] for player in players}:
        raise players[0].unmet("points for both", f"it was {results[0]['points']}")
    for player in players:
        await player.closed("after the result")
