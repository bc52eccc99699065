"""The checks of Eriantys' protocol."""

from typing import Any

from ludoteca import games
from ludoteca.cli.conformance.kit import JsonDialect, Kit, Message, Peer, Suite

_WIRE = games.load("eriantys").protocol()
assert _WIRE.messages is not None
# A match may end in the midst of a round.
SUITE = Suite(JsonDialect(_WIRE.messages, noise="Heartbeat"), rare="ShowLastRound")
BEAT = {"type": "Heartbeat"}
BEAT_S = 0.25


async def _connect(kit: Kit) -> tuple[Peer, str]:
    """Somebody who beats, and the id they were told."""
    peer = await kit.connect()
    peer.beat(BEAT, BEAT_S)
    told = await peer.expect("NotifyPlayerIdMessage", "before anything else")
    return peer, str(told["playerID"])


async def _open(kit: Kit, mode: str = "Basic") -> tuple[Peer, str, str]:
    """Somebody who opened a game for two: the connection, its id, the game's name."""
    peer, own = await _connect(kit)
    name = kit.name()
    peer.send(_new(own, name, mode))
    await peer.expect("AskNickname", "after NewGameMessage", isFirstRequest=True)
    return peer, own, name


def _new(own: str, name: str, mode: str = "Basic", players: int = 2) -> Message:
    info = {"gameName": name, "gameMode": mode, "numPlayers": players}
    return {"type": "NewGameMessage", "playerID": own, "gameInfo": info}


async def _name(kit: Kit, peer: Peer, own: str) -> list[str]:
    """Give a name; the colours that are offered then."""
    peer.name = kit.name()
    peer.send({"type": "SetNickname", "playerID": own, "nickname": peer.name})
    asked = await peer.expect("AskTowerColor", "after a nickname", isFirstRequest=True)
    return list(asked["possibleColors"])


async def _match(kit: Kit, mode: str = "Basic") -> tuple[Peer, Peer, Message]:
    """A match of two that has begun: who is asked first, the other, and the board."""
    first, own, game = await _open(kit, mode)
    second, other = await _connect(kit)
    second.send({"type": "SelectGameMessage", "playerID": other, "gameName": game})
    await second.expect("AskNickname", "after SelectGameMessage", isFirstRequest=True)
    for peer, number in ((first, own), (second, other)):
        colours = await _name(kit, peer, number)
        peer.send({"type": "SetTowerColor", "playerID": number, "color": colours[0]})
        await peer.expect("AckTowerColor")
    boards = [await peer.expect("GameStart", "when everybody is set up") for peer in (first, second)]
    if boards[0]["game"] != boards[1]["game"]:
        raise second.unmet("the same board for everybody", "two GameStart differ")
    begins = boards[0]["firstPlayer"]
    if begins not in (first.name, second.name):
        raise first.unmet("a first player who plays", f"it was {begins}")
    pair = (first, second) if begins == first.name else (second, first)
    return *pair, boards[0]["game"]


async def _planned(kit: Kit, mode: str = "Basic") -> tuple[Peer, Peer, Message]:
    """Both have played an assistant: who acts first, the other, and the board."""
    first, second, _ = await _match(kit, mode)
    for peer, card in ((first, 1), (second, 2)):
        await peer.expect("AskAssistantCard", "to one after the other")
        peer.send(_assistant(peer, card))
        boards = [await one.expect("UpdateGameBoard", "to everybody") for one in (first, second)]
    return first, second, boards[0]["gameInfo"]


def _assistant(peer: Peer, value: int) -> Message:
    card = {"value": value, "steps": (value + 1) // 2}
    return {"type": "SetAssistantCard", "nickname": peer.name, "assistantCard": card}


def _act(peer: Peer, kind: str, **more: Any) -> Message:
    return {"type": "SetAction", "nickname": peer.name, "action": {"actionType": kind, **more}}


def _entrance(board: Message, name: str) -> str:
    """A colour of which this player has a student."""
    (own,) = (player for player in board["players"] if player["nickname"] == name)
    return next(str(colour) for colour, count in own["entrance"].items() if count)


@SUITE.check("connection")
async def _(kit: Kit) -> None:
    """It tells everybody an id of their own, first of all."""
    ids = [(await _connect(kit))[1] for _ in range(2)]
    if ids[0] == ids[1]:
        raise (await kit.connect()).unmet("two ids", f"both are {ids[0]}")


@SUITE.check("heartbeat")
async def _(kit: Kit) -> None:
    """It beats, drops a client that falls silent, and keeps one in the lobby that beats."""
    beating, own = await _connect(kit)
    kit.hears_noise = True
    peer = await kit.connect()
    await peer.expect("Heartbeat", "every half second")
    kit.hears_noise = False
    await peer.closed("to a client that does not beat")
    await kit.settle()
    beating.send({"type": "AskGameListMessage", "playerID": own})
    await beating.expect("GameListMessage", "to a client that beats")


@SUITE.check("lobby")
async def _(kit: Kit) -> None:
    """It asks for another name when a game cannot be opened: taken, or values that are none."""
    _, _, name = await _open(kit)
    peer, own = await _connect(kit)
    wrong = (_new(own, name), _new(own, ""), _new(own, kit.name(), "Hard"), _new(own, kit.name(), players=9))
    for message in wrong:
        peer.send(message)
        await peer.expect("AskNewGameName", f"after {message['gameInfo']}")
    peer.send(_new(own, kit.name()))
    await peer.expect("AskNickname", "after another name")


@SUITE.check("lobby")
async def _(kit: Kit) -> None:
    """It lists games with a free seat, and asks again for one that is not there."""
    _, _, name = await _open(kit, "Expert")
    peer, own = await _connect(kit)
    peer.send({"type": "AskGameListMessage", "playerID": own})
    told = await peer.expect("GameListMessage")
    if {"gameName": name, "gameMode": "Expert", "numPlayers": 2} not in told["gameList"]:
        raise peer.unmet(f"the game {name} in the list", f"it was {told['gameList']}")
    peer.send({"type": "SelectGameMessage", "playerID": own, "gameName": kit.name()})
    await peer.expect("AskNewGameChoice", "after a game that is not there")


@SUITE.check("naming")
async def _(kit: Kit) -> None:
    """It asks again for a nickname that is none or taken."""
    first, own, game = await _open(kit)
    await _name(kit, first, own)
    second, other = await _connect(kit)
    second.send({"type": "SelectGameMessage", "playerID": other, "gameName": game})
    await second.expect("AskNickname", isFirstRequest=True)
    for name in ("", "two words", "x" * 13, first.name):
        second.send({"type": "SetNickname", "playerID": other, "nickname": name})
        await second.expect("AskNickname", f"after {name!r}", isFirstRequest=False)


@SUITE.check("naming")
async def _(kit: Kit) -> None:
    """It asks again for towers that are taken, and offers them to nobody else."""
    first, own, game = await _open(kit)
    colours = await _name(kit, first, own)
    second, other = await _connect(kit)
    second.send({"type": "SelectGameMessage", "playerID": other, "gameName": game})
    await second.expect("AskNickname")
    await _name(kit, second, other)
    first.send({"type": "SetTowerColor", "playerID": own, "color": colours[0]})
    await first.expect("AckTowerColor")
    for colour in (colours[0], "beige"):
        second.send({"type": "SetTowerColor", "playerID": other, "color": colour})
        asked = await second.expect("AskTowerColor", f"after {colour}", isFirstRequest=False)
        if colours[0] in asked["possibleColors"]:
            raise second.unmet(f"no {colours[0]} among the colours", f"it was {asked['possibleColors']}")


@SUITE.check("planning")
async def _(kit: Kit) -> None:
    """It asks one after the other for an assistant, again for one that may not be played; boards to all."""
    first, second, _ = await _match(kit)
    await first.expect("AskAssistantCard", "to the first player")
    await second.none_of("AskAssistantCard", why="to the second before the first has answered")
    for value in (0, 11):
        first.send(_assistant(first, value))
        await first.expect("AskAssistantCard", f"after a card {value}")
    first.send(_assistant(first, 4))
    for peer in (first, second):
        await peer.expect("UpdateGameBoard", "to everybody")
    asked = await second.expect("AskAssistantCard", "to the second player")
    if 4 in [card["value"] for card in asked["possibleCards"]]:
        raise second.unmet("no card that another played this round", "4 is offered")
    second.send(_assistant(second, 4))
    await second.expect("AskAssistantCard", "after a card that another played")


@SUITE.check("the turn")
async def _(kit: Kit) -> None:
    """It asks for one action after the other: students, mother nature, a cloud; then the next player."""
    first, second, board = await _planned(kit)
    for _ in range(3):
        await _offered(first, "MOVE_STUDENT_TO_ISLAND", "MOVE_STUDENT_TO_DININGROOM")
        first.send(_act(first, "MOVE_STUDENT_TO_DININGROOM", color=_entrance(board, first.name)))
        board = await _seen(first, second)
    await _offered(first, "MOVE_MOTHER_NATURE")
    first.send(_act(first, "MOVE_MOTHER_NATURE", steps=1))
    board = await _seen(first, second)
    await _offered(first, "CHOOSE_CLOUD")
    first.send(_act(first, "CHOOSE_CLOUD", cloud=1))
    board = await _seen(first, second)
    if board["currentPlayer"] != second.name:
        raise first.unmet("the next player to be current", f"it was {board['currentPlayer']}")
    await _offered(second, "MOVE_STUDENT_TO_ISLAND", "MOVE_STUDENT_TO_DININGROOM")
    second.send(_act(second, "MOVE_STUDENT_TO_ISLAND", color=_entrance(board, second.name), island=0))
    await _seen(first, second)


async def _offered(peer: Peer, *kinds: str) -> None:
    asked = await peer.expect("AskAction", "to the player in turn", isFirstRequest=True)
    if sorted(asked["possibleActions"]) != sorted(kinds):
        raise peer.unmet(f"the actions {', '.join(kinds)}", f"it was {asked['possibleActions']}")


async def _seen(*peers: Peer) -> Message:
    boards = [(await peer.expect("UpdateGameBoard", "to everybody"))["gameInfo"] for peer in peers]
    if any(board != boards[0] for board in boards):
        raise peers[0].unmet("the same board for everybody", "two differ")
    found: Message = boards[0]
    return found


@SUITE.check("refusals")
async def _(kit: Kit) -> None:
    """It asks again after an action that is not offered or not possible, and nothing changes."""
    first, second, board = await _planned(kit, "Expert")
    await first.expect("AskAction", isFirstRequest=True)
    colour = _entrance(board, first.name)
    for action in (
        _act(first, "CHOOSE_CLOUD", cloud=1),
        _act(first, "MOVE_STUDENT_TO_ISLAND", color=colour, island=12),
        _act(first, "MOVE_STUDENT_TO_ISLAND", color="beige", island=0),
        _act(first, "MOVE_STUDENT_TO_DININGROOM"),
        _act(first, "CHOOSE_CHARACTER", character=99),
        _act(first, "DANCE"),
    ):
        first.send(action)
        await first.expect("AskAction", f"after {action['action']}", isFirstRequest=False)
    await second.none_of("UpdateGameBoard", why="after actions that were refused")


@SUITE.check("refusals", beyond=True)
async def _(kit: Kit) -> None:
    """It passes over what is not expected: out of turn, of another's id, of another stage."""
    first, second, board = await _planned(kit)
    await first.expect("AskAction")
    second.send(_act(second, "MOVE_STUDENT_TO_DININGROOM", color=_entrance(board, second.name)))
    second.send(_assistant(second, 3), {"type": "AskGameListMessage", "playerID": "somebody"})
    await second.none_of(why="to what is not expected")
    await first.none_of(why="to what another said out of turn")


@SUITE.check("refusals", beyond=True)
async def _(kit: Kit) -> None:
    """It hangs up on a line that is no message."""
    for line in ("this is no JSON", '{"type":"Dance"}', '{"type":"AskGameListMessage"}', "[]"):
        peer, _ = await _connect(kit)
        peer.send(line)
        await peer.closed(f"after {line}")


@SUITE.check("packets")
async def _(kit: Kit) -> None:
    """It reads lines, not packets: byte by byte, several at once, with CR LF and unknown keys."""
    peer, own = await _connect(kit)
    await peer.send_in_bytes({"type": "AskGameListMessage", "playerID": own, "colour": "red"})
    await peer.expect("GameListMessage", "after a line byte by byte")
    peer.send(f'{{"type":"AskGameListMessage","playerID":"{own}"}}\r\n'.encode())
    await peer.expect("GameListMessage", "after a line that ends in CR LF")
    name = {"type": "SetNickname", "playerID": own, "nickname": kit.name()}
    peer.send(_new(own, ""), _new(own, kit.name()), name)
    for wanted in ("AskNewGameName", "AskNickname", "AskTowerColor"):
        await peer.expect(wanted, "after three lines in a packet")


@SUITE.check("leaving")
async def _(kit: Kit) -> None:
    """It ends a game that a player leaves, before the start and after: the others are told and hung up on."""
    first, own, game = await _open(kit)
    await _name(kit, first, own)
    second, other = await _connect(kit)
    second.send({"type": "SelectGameMessage", "playerID": other, "gameName": game})
    await second.expect("AskNickname")
    first.hang_up()
    await second.expect("ShowDisconnection", "before the start", disconnectedNickname=first.name)
    await second.closed("after ShowDisconnection")
    first, second, _ = await _match(kit)
    second.hang_up()
    await first.expect("ShowDisconnection", "in a match", disconnectedNickname=second.name)
    await first.closed("after ShowDisconnection")


def _wants(mode: str) -> Any:
    def prefer(chance: Any, answers: tuple[str, ...]) -> str:
        for answer in answers:
            if answer.startswith(("join ", f"open {mode} for 2")):
                return answer
        return str(chance.choice(answers))

    return prefer


@SUITE.check("whole match")
async def _(kit: Kit) -> None:
    """It plays whole matches, Basic and Expert: the last round is told, and the same winner to everybody."""
    for mode in ("basic", "expert"):
        players = await kit.match("eriantys", 2, _wants(mode))
        winners = {str(player.last.get("ShowEndGame", {}).get("winnerNickname", "?")) for player in players}
        if len(winners) != 1 or "?" in winners:
            raise players[0].unmet("the same ShowEndGame to everybody", f"it was {winners}")
        for player in players:
            await player.closed("after ShowEndGame")
