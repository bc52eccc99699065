"""A player of Masters of Renaissance, written from PROTOCOL.md alone: goes to the market in every turn.

python3 renaissance.py 127.0.0.1:4000 adalove [players]
"""

import json
import random
import socket
import sys

PLACES = {"0": 1, "1": 2, "2": 3}

address, name = sys.argv[1], sys.argv[2]
players = int(sys.argv[3]) if len(sys.argv) > 3 else 2
host, port = address.rsplit(":", 1)
server = socket.create_connection((host, int(port)))
warehouse = {"0": [], "1": [], "2": []}
score = None


def say(kind, **fields):
    server.sendall((json.dumps({"type": kind, **fields}) + "\n").encode())


def store(resources):
    """What there is and as much of the rest as has a place; what is left out is discarded."""
    filled = {depot: list(held) for depot, held in warehouse.items()}
    for resource in resources:
        same = [depot for depot, held in filled.items() if resource in held]
        # One depot for a resource; a new one goes where the least room is enough.
        for depot in same or [depot for depot, held in filled.items() if not held][:1]:
            if len(filled[depot]) < PLACES[depot]:
                filled[depot].append(resource)
    return filled


def hear(message):
    global score, warehouse
    kind = message["type"]
    if kind == "ping":
        say("pong")
    elif kind == "usernameResponse":
        if not message["free"]:
            sys.exit(f"the name {name} cannot be had: {message['reason']}")
        print(f"{name} is in", flush=True)
    elif kind == "numberOfPlayersRequest":
        say("numberOfPlayersReply", number=players)
    elif kind == "leaderCardsRequest":
        say("leaderCardsReply", username=name, leaderCards=random.sample(message["leaderCards"], 2))
    elif kind == "resourcesRequest":
        warehouse["2"] = ["COINS"] * message["number"]
        say("resourcesReply", username=name, warehouse=warehouse)
    elif kind == "possibleActions":
        action = "ENDTURN" if "ENDTURN" in message["actions"] else "MARKETACTION"
        say("actionReply", action=action)
    elif kind == "actionResponse" and message["action"] == "MARKETACTION":
        row = random.random() < 0.5
        index = random.randrange(3 if row else 4)
        say("rowColumnSelection", username=name, index=index, row=row, exchange=[])
    elif kind == "resourcesManageRequest":
        say("resourcesManageReply", username=name, warehouse=store(message["resources"]))
    elif kind == "marketUpdate" and message["username"] == name:
        warehouse = {depot: message["warehouse"][depot] for depot in PLACES}
    elif kind == "error":
        sys.exit(f"the server says {message['error']}: {message.get('detail')}")
    elif kind == "finalScore":
        score = message


say("loginRequest", username=name)
for line in server.makefile("r", encoding="utf-8"):
    hear(json.loads(line))
    if score:
        break
if score is None:
    sys.exit(f"{name}: the match was broken off")
points = ", ".join(f"{player} {number}" for player, number in score["scores"].items())
print(f"over: {' and '.join(score['winners']) or 'Lorenzo'} wins ({points})")
