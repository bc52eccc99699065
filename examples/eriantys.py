"""A player of Eriantys, written from PROTOCOL.md alone: fills the dining room, Basic mode.

python3 eriantys.py 127.0.0.1:8090 ada [players]
"""

import json
import random
import socket
import sys
import threading
import time

BEAT_S = 0.5
TABLE_MAX = 10

address, name = sys.argv[1], sys.argv[2]
players = int(sys.argv[3]) if len(sys.argv) > 3 else 2
host, port = address.rsplit(":", 1)
server = socket.create_connection((host, int(port)))
own_id = ""
board = {}
winner = ...  # Not known yet; None is a draw.
speaking = threading.Lock()


def say(kind, **fields):
    with speaking:
        server.sendall((json.dumps({"type": kind, **fields}) + "\n").encode())


def beat():
    """Two seconds without a line count as lost."""
    try:
        while True:
            say("Heartbeat")
            time.sleep(BEAT_S)
    except OSError:
        pass


def act(kinds):
    """One action of those that are possible."""
    me = next(player for player in board["players"] if player["nickname"] == name)
    if "CHOOSE_CLOUD" in kinds:
        full = [cloud["id"] for cloud in board["clouds"] if any(cloud["students"].values())]
        return {"actionType": "CHOOSE_CLOUD", "cloud": random.choice(full)}
    if "MOVE_MOTHER_NATURE" in kinds:
        return {"actionType": "MOVE_MOTHER_NATURE", "steps": random.randint(1, me["lastAssistant"]["steps"])}
    if "END" in kinds:
        return {"actionType": "END"}
    colours = [colour for colour, count in me["entrance"].items() if count]
    seats = [colour for colour in colours if me["diningRoom"][colour] < TABLE_MAX]
    if seats and random.random() < 0.7:
        return {"actionType": "MOVE_STUDENT_TO_DININGROOM", "color": random.choice(seats)}
    island = random.randrange(len(board["islands"]))
    return {"actionType": "MOVE_STUDENT_TO_ISLAND", "color": random.choice(colours), "island": island}


def hear(message):
    global own_id, board, winner
    kind = message["type"]
    if kind == "NotifyPlayerIdMessage":
        own_id = message["playerID"]
        say("AskGameListMessage", playerID=own_id)
    elif kind == "GameListMessage" and message["gameList"]:
        say("SelectGameMessage", playerID=own_id, gameName=message["gameList"][0]["gameName"])
    elif kind == "GameListMessage":
        game = {"gameName": name, "gameMode": "Basic", "numPlayers": players}
        say("NewGameMessage", playerID=own_id, gameInfo=game)
    elif kind in ("AskNewGameName", "AskNewGameChoice"):
        say("AskGameListMessage", playerID=own_id)
    elif kind == "AskNickname":
        if not message["isFirstRequest"]:
            sys.exit(f"the name {name} is taken")
        say("SetNickname", playerID=own_id, nickname=name)
    elif kind == "AskTowerColor":
        say("SetTowerColor", playerID=own_id, color=message["possibleColors"][0])
    elif kind == "AckTowerColor":
        print(f"{name} is in", flush=True)
    elif kind in ("GameStart", "UpdateGameBoard"):
        board = message.get("game") or message["gameInfo"]
    elif kind == "AskAssistantCard":
        board = message["game"]
        say("SetAssistantCard", nickname=name, assistantCard=random.choice(message["possibleCards"]))
    elif kind == "AskAction":
        say("SetAction", nickname=name, action=act(message["possibleActions"]))
    elif kind == "ShowEndGame":
        winner = message["winnerNickname"]
    elif kind == "ShowDisconnection":
        sys.exit(f"{message['disconnectedNickname'] or 'somebody'} has left")


threading.Thread(target=beat, daemon=True).start()
for line in server.makefile("r", encoding="utf-8"):
    hear(json.loads(line))
if winner is ...:
    sys.exit(f"{name}: the match was broken off")
print(f"over: {winner or 'nobody'} wins")
