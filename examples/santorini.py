"""A player of Santorini, written from PROTOCOL.md alone: chooses by chance among what the server offers.

python3 santorini.py 127.0.0.1:2033 ada [players]
"""

import json
import random
import socket
import sys

address, name = sys.argv[1], sys.argv[2]
players = int(sys.argv[3]) if len(sys.argv) > 3 else 2
host, port = address.rsplit(":", 1)
server = socket.create_connection((host, int(port)))
COLOURS = {"MAGENTA", "LIGHT_BLUE", "WHITE"}

builders = []  # Where our own two stand.
taken = []  # Where anybody stands, while builders are placed.
offer = None  # The last offer, to choose from again after a refusal.
winner = None


def say(kind, **fields):
    server.sendall((json.dumps({"type": kind, **fields}) + "\n").encode())


def choose():
    """Move or build, as the last offer has it: a list for each builder; for domes, two more."""
    kind, lists = offer
    ways = [(number, cell) for number, cells in enumerate(lists) for cell in cells]
    number, cell = random.choice(ways)
    if kind == "possibleMoveDestinations":
        say("move", src=builders[number], dst=cell)
    else:
        say("build", src=builders[number % 2], dst=cell, buildDome=number >= 2)


def hear(message):
    global offer, winner
    kind = message["type"]
    ours = message.get("name") == name
    if kind == "ping":
        say("pong")
    elif kind == "askNumberOfPlayers":
        say("setNumberOfPlayers", numberOfPlayers=players)
    elif kind == "stateUpdate" and message["state"] == "SETUP_PLAYERS":
        print(f"{name} waits for the others", flush=True)
    elif kind == "askNickAndDate":
        say("addPlayer", name=name, date=f"{random.randint(1950, 2010)}.01.02")
    elif kind == "playerAdded" and ours and not message["result"]:
        sys.exit(f"the name {name} is taken")
    elif kind == "chooseMatchGodCards":
        gods = random.sample(sorted(message["godDescriptions"]), int(message["numberOfPlayers"]))
        say("setMatchGodCards", godCardNames=gods)
    elif kind == "askGod":
        free = set(message["godDescriptions"]) - set(message["chosenGodCards"])
        say("setGodCard", godCard=random.choice(sorted(free)))
    elif kind == "chooseStartPlayer":
        say("setStartPlayer", name=random.choice(message["players"]))
    elif kind == "askColor":
        say("colorUpdate", color=random.choice(sorted(COLOURS - set(message["chosenColors"]))))
    elif kind == "askBuilders":
        cells = [{"i": i, "j": j} for i in range(5) for j in range(5)]
        say("buildersPlacement", positions=random.sample([cell for cell in cells if cell not in taken], 2))
    elif kind == "buildersPlacement" and message["result"]:
        taken.extend(message["positions"])
        if ours:
            builders[:] = message["positions"]
    elif kind in ("possibleMoveDestinations", "possibleBuildDestinations"):
        offer = kind, message["possibleDst"]
        choose()
    elif kind in ("move", "build") and not message["result"]:
        choose()
    elif (kind == "builderPushed" and ours) or (kind == "move" and ours):
        builders[builders.index(message["src"])] = message["dst"]
    elif kind == "askStep":
        say("setStepChoice", stepChoice=random.choice(message["possibleSteps"]))
    elif kind == "endGame":
        winner = message["winner"]
    elif kind == "disconnect":
        say("disconnect")


for line in server.makefile("r", encoding="utf-8"):
    hear(json.loads(line))
    if winner:
        break
if winner is None:
    sys.exit(f"{name}: the match was broken off")
print(f"over: {winner} wins")
