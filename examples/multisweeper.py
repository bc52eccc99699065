"""A player of Multisweeper, written from PROTOCOL.md alone: clicks cells by chance until it is over.

python3 multisweeper.py 127.0.0.1:1337 ada
"""

import random
import socket
import sys

CLOSED = 9

address, name = sys.argv[1], sys.argv[2]
host, port = address.rsplit(":", 1)
server = socket.create_connection((host, int(port)))
lines = server.makefile("r", encoding="utf-8", newline="\n")


def say(line):
    server.sendall((line + "\n").encode())


width = 0
board = []
result = "the connection ended"
for line in lines:
    word, *rest = line.rstrip("\n").split(" ")
    if word == "multisweeper":
        say("multisweeper client v1")
        say(f"name {name}")
        print(f"{name} waits for the others", flush=True)
    elif word == "start":
        width, height, mines = map(int, rest)
        board = [CLOSED] * (width * height)
        print(f"a round of {width} x {height} with {mines} mines", flush=True)
    elif word == "board_update":
        board = list(map(int, rest))
    elif word == "turn_start":
        cell = random.choice([place for place, value in enumerate(board) if value == CLOSED])
        say(f"click {cell % width} {cell // width}")
    elif word == "end_condition":
        result = {"0": "lost", "1": "plays on", "2": "won"}[rest[0]]
        print(f"{name} {result}", flush=True)
    elif word == "sudden_exit" and result != "lost":
        # For a spectator this is the end; for a player it was broken off.
        sys.exit(f"{name}: the tournament was broken off")

print(f"over: {name} {result}")
sys.exit(0 if result in ("lost", "won") else 1)
