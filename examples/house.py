"""A player of any game in Ludoteca's own protocol, written from house.md alone: answers by chance.

python3 house.py 127.0.0.1:8001 ada santorini [players]
"""

import json
import random
import socket
import sys

address, name, game = sys.argv[1:4]
players = int(sys.argv[4]) if len(sys.argv) > 4 else 2
host, port = address.rsplit(":", 1)
server = socket.create_connection((host, int(port)))
seat = None
names = []
over = None


def say(kind, **fields):
    server.sendall((json.dumps({"type": kind, **fields}) + "\n").encode())


def find_seat(tables):
    """Sit down where a chair is free, else open a table."""
    for table in tables:
        if table["phase"] == "open" and None in table["chairs"]:
            say("sit", table=table["id"])
            return
    say("open", game=game, seats=players)


def hear(message):
    global seat, names, over
    kind = message["type"]
    if kind == "welcome":
        say("list", game=game)
    elif kind == "tables":
        find_seat(message["tables"])
    elif kind == "seated":
        seat = message["seat"]
        names = [chair["name"] if chair else "" for chair in message["table"]["chairs"]]
        print(f"{name} is in", flush=True)
    elif kind == "sat":
        names[message["seat"]] = message["sitter"]["name"]
    elif kind == "question" and message.get("options"):
        say("act", action=random.choice(message["options"]), at=message["number"])
    elif kind == "question":
        # More answers than are sent by themselves: ask for one of them.
        say("options", start=random.randrange(message["count"]), count=1)
    elif kind == "options":
        say("act", action=message["options"][0], at=message["number"])
    elif kind == "declined" and message["code"] not in ("stale", "turn"):
        sys.exit(f"{message['request']} was declined: {message['reason']}")
    elif kind == "over":
        over = message
    elif kind == "gone":
        sys.exit(f"the table is gone: {message['reason']}")


say("hello", name=name, options_max=64)
for line in server.makefile("r", encoding="utf-8"):
    hear(json.loads(line))
    if over:
        break
if not over or not over["ranks"]:
    sys.exit(f"{name}: the match was broken off")
say("leave")
print(f"over: {' and '.join(names[winner] for winner in over['winners']) or 'nobody'} wins")
