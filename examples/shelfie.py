"""A player of My Shelfie, written from PROTOCOL.md alone: takes one tile a turn, into the emptiest column.

python3 shelfie.py 127.0.0.1:11500 ada [players]
"""

import json
import random
import socket
import sys

address, name = sys.argv[1], sys.argv[2]
players = int(sys.argv[3]) if len(sys.argv) > 3 else 2
host, port = address.rsplit(":", 1)
server = socket.create_connection((host, int(port)))

board = {}  # (row, column): tile
shelf = [["EMPTY"] * 5 for _ in range(6)]  # The top row first.
hand = []  # What we took and did not place yet.
result = None


def say(kind, **fields):
    server.sendall((json.dumps({"type": kind, **fields}) + "\n").encode())


def look(shown):
    board.clear()
    board.update({(cell["row"], cell["column"]): cell["tile"] for cell in shown["cells"]})


def is_free(row, column):
    """Whether a tile lies there and has an empty side."""
    sides = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
    return board[row, column] != "EMPTY" and any(board.get(side, "EMPTY") == "EMPTY" for side in sides)


def pick():
    row, column = random.choice([cell for cell in board if is_free(*cell)])
    say("PickTileRequest", position={"row": row, "column": column})


def emptiest():
    """The column with the most empty places."""
    return max(range(5), key=lambda column: sum(row[column] == "EMPTY" for row in shelf))


def hear(message):
    global result, hand, shelf
    kind = message["type"]
    if kind == "PingMessage":
        say("PongMessage")
    elif kind == "LoginResponse":
        if message["nickname"] is None:
            sys.exit(f"the name {name} is taken")
        print(f"{name} is in", flush=True)
    elif kind == "NumPlayersRequest":
        say("NumPlayersResponse", numPlayers=players)
    elif kind == "GameStartNotify":
        look(message["board"])
        if message["nextPlayer"] == name:
            pick()
    elif kind == "PickTileResponse":
        hand = message["pickedTiles"]
        say("ConfirmPickRequest")
    elif kind == "ConfirmPickResponse":
        look(message["board"])
        if hand:
            say("ConfirmColumnRequest", columnNumber=emptiest())
    elif kind == "ConfirmColumnResponse":
        say("ConfirmOrderNotify", pickedTiles=hand)
    elif kind == "EndTurnNotify":
        look(message["board"])
        if message["player"] == name:
            shelf, hand = message["bookshelf"]["rows"], []
        # The last turn of all names the mover again.
        if message["nextPlayer"] == name != message["player"]:
            pick()
    elif kind == "GameResultNotify":
        result = message


say("LoginRequest", nickname=name)
for line in server.makefile("r", encoding="utf-8"):
    hear(json.loads(line))
if result is None:
    sys.exit(f"{name}: the match was broken off")
points = ", ".join(f"{player} {number}" for player, number in result["points"].items())
print(f"over: {result['winner']} wins ({points})")
