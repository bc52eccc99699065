"""A player's side of the seed's protocol, for any server that speaks it."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from ludoteca.games.santorini.data import CELLS, COLOURS, SIDE, Cell
from ludoteca.games.santorini.text import draw, name_of
from ludoteca.games.santorini.view import View, Worker
from ludoteca.wire.caller import JsonCaller, Sequel

# The protocol asks for a date of birth, which decides who begins; ours is in the middle of most people's.
BORN = "1990.01.01"
NAMES_MAX = 9
_PHASES = {
    "SETUP_CARDS": "gods",
    "SETUP_COLOR": "colour",
    "SETUP_BUILDERS": "place",
    "GAME": "play",
}


class Client(JsonCaller):
    """One player in one match."""

    def __init__(self, nickname: str) -> None:
        super().__init__(nickname)
        self._tries = 1
        self._view: View | None = None
        # Which of the own builders has acted since the last turnUpdate: servers may offer the other and
        # then refuse it.
        self._in_use: int | None = None

    def hear(self, message: dict[str, Any]) -> None:
        """A message; types we do not know are passed over. Not every server asks again after it said no."""
        if message.get("result") in (False, "false") and message.get("type") != "playerAdded":
            self.news.append("The server did not accept that.")
            self.ask_again()
            return
        hearer = getattr(self, f"_on_{message.get('type')}", None)
        if hearer is not None:
            hearer(message)

    # Coming in.

    def _on_ping(self, _message: dict[str, Any]) -> None:
        self.say({"type": "pong"})

    def _on_askNumberOfPlayers(self, _message: dict[str, Any]) -> None:
        numbers: dict[str, Sequel] = {
            f"{count} players": {"type": "setNumberOfPlayers", "numberOfPlayers": count} for count in (2, 3)
        }
        self.ask("You open this game: for how many players?", numbers)

    def _on_errorNumber(self, message: dict[str, Any]) -> None:
        self._on_askNumberOfPlayers(message)

    def _on_askNickAndDate(self, _message: dict[str, Any]) -> None:
        self.say({"type": "addPlayer", "name": self.nickname, "date": BORN})

    def _on_playerAdded(self, message: dict[str, Any]) -> None:
        name = str(message["name"])
        if message["result"]:
            self.players = (*self.players, name)
            self.mine = self.players.index(self.nickname) if self.nickname in self.players else None
            self.news.append(f"{name} plays.")
        elif self._tries < NAMES_MAX:
            self._tries += 1
            self.nickname = f"{self.nickname.split('_')[0]}_{self._tries}"
            self._on_askNickAndDate(message)

    def _on_stateUpdate(self, message: dict[str, Any]) -> None:
        phase = _PHASES.get(message["state"])
        if phase is not None:
            self._show(phase=phase)

    def _on_turnUpdate(self, message: dict[str, Any]) -> None:
        self._in_use = None
        self.mover = self._seat(message["name"])
        self._show(seat=self.mover)

    # Setting up.

    def _on_chooseMatchGodCards(self, message: dict[str, Any]) -> None:
        self._choose_gods(dict(message["godDescriptions"]), int(message["numberOfPlayers"]), [])

    def _choose_gods(self, cards: Mapping[str, str], wanted: int, chosen: list[str]) -> None:
        """One god after the other; the message goes out with the last, under the seed's
        name and the original's."""
        if len(chosen) == wanted:
            self.say({"type": "setMatchGodCards", "godCardNames": chosen, "godDescriptions": chosen})
            return

        def after(god: str) -> Sequel:
            return lambda: self._choose_gods(cards, wanted, [*chosen, god])

        left = wanted - len(chosen)
        self.ask(
            f"Put {left} more gods on the table." if left > 1 else "Put one more god on the table.",
            {f"offer {god}": after(god) for god in cards if god not in chosen},
        )

    def _on_setMatchGodCards(self, message: dict[str, Any]) -> None:
        gods = message.get("godCardNames") or message.get("godDescriptions") or []
        self._show(offered=tuple(gods))
        self.news.append(f"On the table: {', '.join(gods)}.")

    def _on_askGod(self, message: dict[str, Any]) -> None:
        cards, taken = message["godDescriptions"], message["chosenGodCards"]
        self.news += [f"{god}: {text}" for god, text in cards.items() if god not in taken]
        gods: dict[str, Sequel] = {
            f"take {god}": {"type": "setGodCard", "godCard": god} for god in cards if god not in taken
        }
        self.ask("Choose your god.", gods)

    def _on_godCardAssigned(self, message: dict[str, Any]) -> None:
        if self._view is not None:
            god = str(message["godCard"])
            self._show(gods=_put(self._view.gods, self._seat(message["name"]), god))
            self.news.append(f"{message['name']} plays as {god}.")

    def _on_chooseStartPlayer(self, message: dict[str, Any]) -> None:
        names: dict[str, Sequel] = {
            f"start {name}": {"type": "setStartPlayer", "name": name} for name in message["players"]
        }
        self.ask("Choose who begins.", names)

    def _on_setStartPlayer(self, message: dict[str, Any]) -> None:
        self.news.append(f"{message['name']} begins.")

    def _on_askColor(self, message: dict[str, Any]) -> None:
        colours: dict[str, Sequel] = {
            f"colour {colour.lower().replace('_', ' ')}": {"type": "colorUpdate", "color": colour}
            for colour in COLOURS
            if colour not in message["chosenColors"]
        }
        self.ask("Choose your colour.", colours)

    def _on_colorUpdate(self, message: dict[str, Any]) -> None:
        if self._view is not None:
            self._show(colours=_put(self._view.colours, self._seat(message["name"]), message["color"]))

    def _on_askBuilders(self, _message: dict[str, Any]) -> None:
        self._place([])

    def _place(self, chosen: list[Cell]) -> None:
        if len(chosen) == 2:
            self.say({"type": "buildersPlacement", "positions": [_position(cell) for cell in chosen]})
            return

        def after(cell: Cell) -> Sequel:
            return lambda: self._place([*chosen, cell])

        taken = {Cell(worker.i, worker.j) for worker in self._view.workers} if self._view else set()
        free = [cell for cell in CELLS if cell not in taken and cell not in chosen]
        number = len(chosen) + 1
        self.ask(
            f"Place worker {number} on a free space.",
            {f"place {name_of(cell)}": after(cell) for cell in free},
        )

    def _on_buildersPlacement(self, message: dict[str, Any]) -> None:
        if self._view is None:
            return
        seat, cells = self._seat(message["name"]), [_cell(one) for one in message["positions"]]
        placed = [Worker(seat, number, cell.i, cell.j) for number, cell in enumerate(cells, 1)]
        self._show(workers=(*self._view.workers, *placed))
        self.news.append(f"{message['name']} places workers on {' and '.join(map(name_of, cells))}.")

    # Playing.

    def _on_askStep(self, message: dict[str, Any]) -> None:
        words = {"MOVE": "move", "BUILD": "build", "END": "end"}
        steps: dict[str, Sequel] = {
            words[step]: {"type": "setStepChoice", "stepChoice": step} for step in message["possibleSteps"]
        }
        self.ask(f"{' or '.join(steps).capitalize()}?", steps)

    def _on_possibleMoveDestinations(self, message: dict[str, Any]) -> None:
        moves: dict[str, Sequel] = {}
        for source, cells in zip(self._workers(), self._usable(message["possibleDst"][:2]), strict=False):
            for target in map(_cell, cells):
                moves[f"move {name_of(source)} {name_of(target)}"] = {
                    "type": "move",
                    "src": _position(source),
                    "dst": _position(target),
                }
        self.ask("Move one of your workers.", moves)

    def _on_possibleBuildDestinations(self, message: dict[str, Any]) -> None:
        builds: dict[str, Sequel] = {}
        workers = self._workers()
        # Blocks by builder 1 and 2, then domes by builder 1 and 2.
        for index, cells in enumerate(self._usable(message["possibleDst"][:4])):
            source, dome = workers[index % 2], index >= 2
            for target in map(_cell, cells):
                builds[f"{'dome' if dome else 'build'} {name_of(source)} {name_of(target)}"] = {
                    "type": "build",
                    "src": _position(source),
                    "dst": _position(target),
                    "buildDome": dome,
                }
        self.ask("Build.", builds)

    def _usable(self, lists: list[Any]) -> list[Any]:
        """The lists of the builder that acts in this turn; all, where none has acted or only
        the other still can."""
        if self._in_use is None:
            return lists
        own = [cells if number % 2 == self._in_use else [] for number, cells in enumerate(lists)]
        return own if any(own) else lists

    def _use(self, message: dict[str, Any]) -> None:
        if message["name"] == self.nickname and (source := _cell(message["src"])) in self._workers():
            self._in_use = self._workers().index(source)

    def _on_move(self, message: dict[str, Any]) -> None:
        self._use(message)
        source, target = _cell(message["src"]), _cell(message["dst"])
        self._carry(self._seat(message["name"]), source, target)
        self.news.append(f"{message['name']} moves from {name_of(source)} to {name_of(target)}.")

    def _on_builderPushed(self, message: dict[str, Any]) -> None:
        self._carry(self._seat(message["name"]), _cell(message["src"]), _cell(message["dst"]))
        self.news.append(f"{message['name']}'s worker is pushed to {name_of(_cell(message['dst']))}.")

    def _carry(self, seat: int, source: Cell, target: Cell) -> None:
        if self._view is not None:
            self._show(
                workers=tuple(
                    Worker(seat, one.number, target.i, target.j)
                    if (one.seat, one.i, one.j) == (seat, source.i, source.j)
                    else one
                    for one in self._view.workers
                )
            )

    def _on_build(self, message: dict[str, Any]) -> None:
        if self._view is None:
            return
        self._use(message)
        cell, dome = _cell(message["dst"]), bool(message["buildDome"])
        levels, domes = self._view.levels, self._view.domes
        if dome:
            domes = _put(domes, cell.i, _put(domes[cell.i], cell.j, True))
        else:
            levels = _put(levels, cell.i, _put(levels[cell.i], cell.j, levels[cell.i][cell.j] + 1))
        self._show(levels=levels, domes=domes)
        self.news.append(f"{message['name']} builds {'a dome' if dome else 'a block'} on {name_of(cell)}.")

    # The end.

    def _on_lossUpdate(self, message: dict[str, Any]) -> None:
        seat = self._seat(message["name"])
        if self._view is not None and not self._view.out[seat]:
            left = tuple(worker for worker in self._view.workers if worker.seat != seat)
            self._show(workers=left, out=_put(self._view.out, seat, True))
            self.news.append(f"{message['name']} is out.")

    _on_lostUpdate = _on_lossUpdate

    def _on_endGame(self, message: dict[str, Any]) -> None:
        winner = str(message["winner"])
        if winner in self.players:
            self._show(winner=self._seat(winner), phase="over")
        self.news.append("You win." if winner == self.nickname else f"{winner} wins.")
        self.end()

    def _on_playerDisconnected(self, message: dict[str, Any]) -> None:
        self.news.append(f"{message['name']} has left.")

    def _on_error(self, message: dict[str, Any]) -> None:
        self.news.append(f"The server says: {message['description']}")

    def _on_disconnect(self, _message: dict[str, Any]) -> None:
        self.end()

    # What is known.

    def _seat(self, name: str) -> int:
        return self.players.index(name)

    def _workers(self) -> list[Cell]:
        mine = (
            {one.number: Cell(one.i, one.j) for one in self._view.workers if one.seat == self.mine}
            if self._view
            else {}
        )
        return [mine[number] for number in sorted(mine)]

    def _show(self, **changes: Any) -> None:
        if self._view is None:
            if not self.players:
                return
            self._view = _empty(len(self.players))
        self._view = replace(self._view, **changes)
        self.picture = draw(self._view, self.players)


def _empty(seats: int) -> View:
    blank = tuple((0,) * SIDE for _ in range(SIDE))
    return View(
        phase="gods",
        seat=0,
        order=tuple(range(seats)),
        start=0,
        offered=(),
        gods=("",) * seats,
        colours=(None,) * seats,
        levels=blank,
        domes=tuple((False,) * SIDE for _ in range(SIDE)),
        workers=(),
        out=(False,) * seats,
        tokens=(0,) * seats,
        winner=None,
    )


def _put(row: tuple[Any, ...], place: int, value: Any) -> tuple[Any, ...]:
    return (*row[:place], value, *row[place + 1 :])


def _cell(position: Mapping[str, int]) -> Cell:
    return CELLS[position["i"] * SIDE + position["j"]]


def _position(cell: Cell) -> dict[str, int]:
    return {"i": cell.i, "j": cell.j}
