"""The recorded conversations of the original server, read as what ours is to say.

Where ours differs on purpose, the difference is named here (DEVIATIONS) and worked into what is expected,
so that everything else must be the same. Lists of cells, gods, colours, players and steps are sets; texts
of errors are free.
"""

import json
from collections import defaultdict
from pathlib import Path
from typing import Any, NamedTuple

FOLDER = Path(__file__).parent / "transcripts"
NAMES = sorted(path.stem for path in FOLDER.glob("*.jsonl"))

DEVIATIONS = {
    "both keys": "setMatchGodCards carries godCardNames (seed) beside godDescriptions (original)",
    "both losses": "lossUpdate (seed) is sent before lostUpdate (original)",
    "asked again": "a refused number, start player or colour is asked for again",
    "idle builder": "the lists of a builder that may not act are empty; the original fills and then rejects "
    "them",
    "no Chronus": "Chronus is for two players and not offered to three (defect 11)",
    "domes save": "a builder that can only place domes has not lost (defect 1)",
    "token": "playerAdded brings its own player the seat's token",
}

Message = dict[str, Any]


class Step(NamedTuple):
    """What clients say, and what each client hears then. A line of None is the end of a connection."""

    said: list[tuple[str, str | None]]
    heard: dict[str, list[Message]]


def read(name: str) -> list[Step]:
    """A transcript as steps, with the deviations worked in."""
    steps = _steps(name)
    if name == "3p-demeter-limus-artemis-loss":
        steps = _domes_save(steps)
    turn = _Turn()
    for step in steps:
        _in_the_order_of_handling(step)
        for client, messages in step.heard.items():
            step.heard[client] = [ours for message in messages for ours in turn.ours(client, message)]
    return steps


def _steps(name: str) -> list[Step]:
    steps = [Step([], defaultdict(list))]
    for line in (FOLDER / f"{name}.jsonl").read_text().splitlines():
        entry = json.loads(line)
        message = None if entry["line"] == "<EOF>" else json.loads(entry["line"])
        if message and message["type"] in ("ping", "pong"):
            continue
        if entry["from"] == "server":
            if message is not None:
                steps[-1].heard[entry["to"]].append(message)
            continue
        if steps[-1].heard:
            steps.append(Step([], defaultdict(list)))
        steps[-1].said.append((entry["from"], None if message is None else entry["line"]))
    return steps


def _in_the_order_of_handling(step: Step) -> None:
    """Clients that introduced themselves at once were handled in the order of the answers."""
    added = [m["name"] for m in step.heard.get("client1", []) if m["type"] == "playerAdded" and m["result"]]
    if len(step.said) > 1 and len(added) == len(step.said):
        step.said.sort(key=lambda said: added.index(json.loads(said[1] or "{}")["name"]))


def _domes_save(steps: list[Step]) -> list[Step]:
    """The recorded defeat does not happen, and the dome that the client tried to place is placed."""
    defeat = next(number for number, step in enumerate(steps) if _ends(step.heard["client1"]))
    # Of all that was recorded there, only the answer to the choice of a step and the lists remain.
    heard = {"client3": steps[defeat].heard["client3"][:2]}
    build = next(line for _, line in steps[-1].said if line is not None)
    built = {**json.loads(build), "result": True}
    passed = {"type": "turnUpdate", "name": "pitty"}
    told = {client: [built, passed] for client in ("client1", "client2", "client3")}
    cells = [[(0, 4), (1, 3), (2, 4)], [(1, 0), (1, 1), (2, 0), (2, 2), (3, 0), (3, 1), (3, 2)]]
    lists = [[{"i": i, "j": j} for i, j in builder] for builder in cells]
    told["client2"].append({"type": "possibleMoveDestinations", "possibleDst": lists})
    return [*steps[:defeat], Step(steps[defeat].said, heard), Step([("client3", build)], told)]


def _ends(messages: list[Message]) -> bool:
    return any(message["type"] == "endGame" for message in messages)


class _Turn:
    """Follows a match to know which builder is in use."""

    def __init__(self) -> None:
        self.builders: dict[str, list[Message]] = {}
        self.in_use: dict[str, int] = {}
        self.names: dict[str, str] = {}
        self.asked: dict[str, Message] = {}

    def ours(self, client: str, message: Message) -> list[Message]:
        """What our server says instead of this message of the original."""
        self._follow(client, message)
        match message:
            case {"type": "errorNumber"}:
                return [message, {"type": "askNumberOfPlayers"}]
            case {"type": "setStartPlayer" | "colorUpdate", "result": False}:
                return [message, self.asked[client]]
            case {"type": "setMatchGodCards", "godDescriptions": gods}:
                return [{**message, "godCardNames": gods}]
            case {"type": "chooseMatchGodCards", "numberOfPlayers": 3, "godDescriptions": gods}:
                left = {god: text for god, text in gods.items() if god != "Chronus"}
                return [{**message, "godDescriptions": left}]
            case {"type": "lostUpdate", "name": name}:
                return [{"type": "lossUpdate", "name": name}, message]
            case {"type": "possibleMoveDestinations" | "possibleBuildDestinations", "possibleDst": lists}:
                used = self.in_use.get(client)
                kept = [cells if used in (None, number % 2) else [] for number, cells in enumerate(lists)]
                return [{**message, "possibleDst": kept}]
        return [message]

    def _follow(self, client: str, message: Message) -> None:
        match message:
            case {"type": "chooseStartPlayer" | "askColor"}:
                self.asked[client] = message
            case {"type": "turnUpdate"}:
                self.in_use.pop(client, None)
            case {"type": "buildersPlacement", "name": name, "positions": cells, "result": True}:
                self.builders[client + name] = list(cells)
            case {"type": "builderPushed", "name": name, "src": source, "dst": target}:
                builders = self.builders[client + name]
                builders[builders.index(source)] = target
            case {"type": "move" | "build", "name": name, "src": source, "dst": target, "result": True}:
                builders = self.builders[client + name]
                number = builders.index(source)
                self.in_use[client] = number
                if message["type"] == "move":
                    builders[number] = target


def comparable(message: Message) -> Message:
    """Without what is free or secret, and with sets in one order."""
    plain = {key: value for key, value in message.items() if key != "token"}
    if plain["type"] == "error":
        return {"type": "error"}
    if "possibleDst" in plain:
        plain["possibleDst"] = [
            sorted((cell["i"], cell["j"]) for cell in cells) for cells in plain["possibleDst"]
        ]
    for key, value in plain.items():
        if isinstance(value, list) and key not in ("positions", "possibleDst"):
            plain[key] = sorted(value)
    return plain
