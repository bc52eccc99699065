"""A bot for the arena, in Ludoteca's own protocol: in Santorini it climbs when it can, and closes towers that
somebody else could climb. Everything else is left to chance.

ludoteca arena santorini easy --program climber="python3 examples/climber.py" --option gods=none
"""

import json
import random
import socket
import sys

address, name, game = sys.argv[1:4]
host, port = address.rsplit(":", 1)
server = socket.create_connection((host, int(port)))
view = {}


def say(kind, **fields):
    server.sendall((json.dumps({"type": kind, **fields}) + "\n").encode())


def worth(action):
    """How good an action looks: up is good, and so is a roof over what is three high."""
    if action["type"] not in ("Move", "Build"):
        return 0
    level = [view["levels"][cell["i"]][cell["j"]] for cell in (action["source"], action["target"])]
    if action["type"] == "Move":
        return 10 * level[1]
    return {3: 5, level[0]: 3}.get(level[1], 0)


def answer(question):
    best = max(map(worth, question["options"]))
    options = [one for one in question["options"] if worth(one) == best]
    say("act", action=random.choice(options), at=question["number"])


say("hello", name=name, follow="views", options_max=1000)
for line in server.makefile("r", encoding="utf-8"):
    message = json.loads(line)
    kind = message["type"]
    if kind == "welcome":
        say("seek", game=game)
    elif kind == "view":
        view = message["view"]
    elif kind == "question":
        answer(message)
    elif kind == "declined" and message["code"] not in ("stale", "turn"):
        sys.exit(f"{message['request']} was declined: {message['reason']}")
    elif kind == "over":
        break
say("leave")
