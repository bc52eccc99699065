"""A player written from the seed's document alone: it knows no pings, no errors and nothing of our code.

It answers every question with something that was offered, at random. With `pushes` it also follows
`builderPushed`, which the document does not have, and without which nobody can follow Apollo and Minotaur.
"""

import random
from typing import Any

Message = dict[str, Any]


class RawPlayer:
    """What one client knows, and how it answers."""

    def __init__(
        self,
        name: str,
        date: str,
        *,
        players: int = 2,
        gods: list[str] | None = None,
        seed: int = 0,
        pushes: bool = True,
    ) -> None:
        self.name = name
        self.date = date
        self.players = players
        self.gods = gods
        self.pushes = pushes
        self.chance = random.Random(seed)
        self.builders: dict[str, list[Message]] = {}
        self.board: dict[tuple[int, int], int] = {}
        self.lost: list[str] = []
        self.winner: str | None = None

    def answer(self, message: Message) -> Message | None:
        """Take a message in; what to say to it, if anything."""
        match message:
            case {"type": "askNumberOfPlayers"}:
                return {"numberOfPlayers": str(self.players), "type": "setNumberOfPlayers"}
            case {"type": "askNickAndDate"}:
                return {"date": self.date, "name": self.name, "type": "addPlayer"}
            case {"type": "chooseMatchGodCards", "numberOfPlayers": number, "godDescriptions": gods}:
                chosen = self.gods or self.chance.sample(sorted(gods), int(number))
                return {"godCardNames": chosen, "name": self.name, "type": "setMatchGodCards"}
            case {"type": "askGod", "godDescriptions": gods, "chosenGodCards": taken}:
                return {"godCard": self._any(god for god in gods if god not in taken), "type": "setGodCard"}
            case {"type": "chooseStartPlayer", "players": players}:
                return {"name": self._any(players), "type": "setStartPlayer"}
            case {"type": "askColor", "chosenColors": taken}:
                free = (colour for colour in ("MAGENTA", "LIGHT_BLUE", "WHITE") if colour not in taken)
                return {"color": self._any(free), "type": "colorUpdate"}
            case {"type": "askBuilders"}:
                return self._place()
            case {"type": "possibleMoveDestinations", "possibleDst": [_, _] as lists}:
                return self._go(lists)
            case {"type": "possibleBuildDestinations", "possibleDst": [_, _, _, _] as lists}:
                return self._build(lists)
            case {"type": "askStep", "possibleSteps": steps}:
                return {"name": self.name, "type": "setStepChoice", "stepChoice": self._any(steps)}
        self._watch(message)
        return None

    def _any(self, things: Any) -> Any:
        return self.chance.choice(list(things))

    def _place(self) -> Message:
        """Opposite sides, so that Eros may be served, too."""
        taken = [cell for cells in self.builders.values() for cell in cells]
        free = [[{"i": i, "j": j} for j in range(5) if {"i": i, "j": j} not in taken] for i in (0, 4)]
        return {"name": self.name, "positions": [self._any(row) for row in free], "type": "buildersPlacement"}

    def _go(self, lists: list[list[Message]]) -> Message:
        number = self._any(number for number, cells in enumerate(lists) if cells)
        source = self.builders[self.name][number]
        return {"dst": self._any(lists[number]), "src": source, "name": self.name, "type": "move"}

    def _build(self, lists: list[list[Message]]) -> Message:
        number = self._any(number for number, cells in enumerate(lists) if cells)
        source = self.builders[self.name][number % 2]
        return {
            "dst": self._any(lists[number]),
            "src": source,
            "buildDome": number >= 2,
            "name": self.name,
            "type": "build",
        }

    def _watch(self, message: Message) -> None:
        assert message.get("result") is not False, message
        match message:
            case {"type": "buildersPlacement", "name": name, "positions": positions}:
                self.builders[name] = list(positions)
            case {"type": "move", "name": name, "src": source, "dst": target}:
                self._shift(name, source, target)
            case {"type": "builderPushed", "name": name, "src": source, "dst": target} if self.pushes:
                self._shift(name, source, target)
            case {"type": "build", "dst": target, "buildDome": dome}:
                cell = target["i"], target["j"]
                self.board[cell] = self.board.get(cell, 0) + (10 if dome else 1)
            case {"type": "lossUpdate", "name": name}:
                self.lost.append(name)
                self.builders.pop(name)
            case {"type": "endGame", "winner": winner}:
                self.winner = winner

    def _shift(self, name: str, source: Message, target: Message) -> None:
        builders = self.builders[name]
        builders[builders.index(source)] = target
